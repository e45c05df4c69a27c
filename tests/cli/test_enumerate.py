"""``kt-cp enumerate``: output, counting, certificates of complete lists, interrupts."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import time

import psutil
import pytest

from kt_cp import Board, Problem, defects, enumeration, parse_square
from kt_cp.cli import output
from kt_cp.model.outcome import Certificate
from kt_cp.proofs import complete as completing
from kt_cp.proofs.certify import Finding
from kt_cp.sources.registry import find_source, tour_text
from kt_cp.trust.check.refutation import check_lemmas
from kt_cp.trust.reference import Pause, Run
from tests.support.command_line import (
    DATA,
    PATIENCE,
    busy,
    command_line,
    environment,
    refused,
    wait_until,
)
from tests.support.exhaustive import more


def grids(text):
    """Return the tours in grids, from their step numbers."""
    tours, rows = [], []
    for line in text.splitlines():
        match = re.match(r" *\d+ │ (.*)", line)
        if match:
            rows.append([int(cell) for cell in match[1].split()])
        elif rows:
            steps = {
                n: (len(rows) - 1 - r, c) for r, row in enumerate(rows) for c, n in enumerate(row)
            }
            tours.append([steps[n] for n in sorted(steps)])
            rows = []
    return tours


def json_lines(result):
    *tours, totals = map(json.loads, result.out.splitlines())
    return tours, totals


def test_the_304_tours_of_5x5_from_the_corner(kt_cp):
    result = kt_cp("enumerate", "5x5", "--start", "a1")
    assert result.code == 0
    tours = grids(result.out)
    assert len(tours) == len({tuple(tour) for tour in tours}) == 304
    problem = Problem(Board(5, 5), start=(0, 0))
    assert not any(defects(problem, tour) for tour in tours)
    assert result.out.splitlines()[-1].startswith(
        "304 tours (5x5, open, from a1; directed: a tour and"
    )
    names = kt_cp("enumerate", "5x5", "--start", "a1", "--format", "names").out.splitlines()
    assert [[parse_square(name) for name in line.split()] for line in names[:304]] == tours


def test_document_004_begins_with_its_four_printed_boards(kt_cp):
    golden = (DATA / "004-all-5x5-first-four.txt").read_text("utf-8")
    result = kt_cp("enumerate", "5x5", "--start", "a1", "--source", "004")
    assert result.out.replace(" \n", "\n").startswith(golden.rstrip())
    assert result.out.count("\n\n") == 304
    assert result.out.splitlines()[-1].startswith("304 tours")


@pytest.mark.parametrize("source", ["boolean", "modula", "decision", "ordered", "all"])
def test_every_source_finds_all_in_its_order_and_shows_them_its_way(kt_cp, source):
    arguments = ["enumerate", "4x5", "--start", "e4", "--source", source]
    tours, totals = json_lines(kt_cp(*arguments, "--json"))
    program, board = find_source(source), Board(4, 5)
    problem = Problem(board, start=(3, 4))
    run, expected = Run(problem, (3, 4), program.candidates(problem)), []
    while run.advance() is Pause.TOUR:
        expected.append(run.squares)
    squares = [[parse_square(name) for name in tour["tour"]] for tour in tours]
    assert squares == expected
    assert totals["source"] == program.number
    text = kt_cp(*arguments).out
    for tour in expected:
        drawing = tour_text(program, board, tour)
        assert text.startswith(drawing + "\n")
        text = text[len(drawing) :].lstrip("\n")
    assert text.startswith(f"{len(expected)} tours (4x5, open, from e4")


def test_json_lines_and_totals(kt_cp):
    result = kt_cp("enumerate", "3x4", "--json")
    tours, totals = json_lines(result)
    assert [tour["number"] for tour in tours] == list(range(1, 17))
    squares = [[parse_square(name) for name in tour["tour"]] for tour in tours]
    assert not any(defects(Problem(Board(3, 4)), tour) for tour in squares)
    assert totals["tours"] == 16
    assert totals["complete"] is totals["directed"] is True
    assert totals["unique"] is False
    assert totals["problem"]["rows"] == 3
    assert "a tour and its reverse are two" in totals["counted"]
    assert totals["schema_version"] == 1
    assert totals["placed"] > 16


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "number", "words"),
    [
        (["5x5"], 1728, "1,728 tours (5x5, open; directed"),
        (["5x5", "--undirected"], 864, "864 tours (5x5, open; undirected"),
        (["5x5", "--unique"], 112, "112 classes (5x5, open; undirected"),
        (["6x6", "--closed"], 9862, "9,862 tours (6x6, closed; undirected"),
        (["6x6", "--closed", "--directed"], 19724, "19,724 tours (6x6, closed; directed"),
        more((["3x4", "--open"], 16, "16 tours"), (["6x6", "--open"], 6637920, "6,637,920 tours")),
        (["5x6", "--missing", "a1,f5", "--start", "c3"], None, "from c3"),
        (["4x6", "--start", "a1", "--end", "f1", "--source", "ordered"], None, "to f1"),
        (["1x1"], 1, "1 tour (1x1, open; directed"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else None,
)
def test_counts(kt_cp, arguments, number, words):
    result = kt_cp("enumerate", *arguments, "--count")
    assert (result.code, result.out.count("\n")) == (0, 1)
    assert words in result.out
    counted = int(result.out.split()[0].replace(",", ""))
    if number is None:
        number = json_lines(kt_cp("enumerate", *arguments, "--json"))[1]["tours"]
    assert counted == number > 0
    totals = json.loads(kt_cp("enumerate", *arguments, "--count", "--json").out)
    assert (totals["tours"], totals["complete"]) == (number, True)


def test_one_of_each_class(kt_cp):
    tours, totals = json_lines(kt_cp("enumerate", "5x6", "--closed", "--unique", "--json"))
    assert sum(tour["class_size"] for tour in tours) == 8
    assert len(tours) == totals["tours"] < 8
    text = kt_cp("enumerate", "5x6", "--closed", "--unique").out
    assert text.splitlines()[0] == f"Tour 1, class of {tours[0]['class_size']}"
    assert "rotations and reflections of the board are one" in text
    assert "wherever it begins" in text
    names = kt_cp("enumerate", "5x6", "--closed", "--unique", "--format", "names").out
    assert names.splitlines()[0].endswith(f"(class of {tours[0]['class_size']})")


def test_the_limit(kt_cp):
    result = kt_cp("enumerate", "8x8", "--limit", "3", "--json")
    tours, totals = json_lines(result)
    assert (result.code, len(tours)) == (0, 3)
    assert (totals["tours"], totals["complete"]) == (3, False)
    result = kt_cp("enumerate", "8x8", "--limit", "3")
    assert "3 tours so far" in result.out
    assert "stopped at --limit 3; there may be more" in result.err
    result = kt_cp("enumerate", "3x4", "--limit", "100")
    assert "16 tours (" in result.out
    assert "stopped" not in result.err


@pytest.mark.parametrize(
    "options",
    [
        pytest.param([], marks=pytest.mark.slow),
        ["--count"],
        pytest.param(["--json"], marks=pytest.mark.slow),
    ],
    ids=str,
)
def test_a_time_limit_leaves_it_unknown(kt_cp, options):
    began = time.monotonic()
    result = kt_cp("enumerate", "7x7", "--start", "d4", "--time-limit", "0.3", *options)
    assert time.monotonic() - began < 30
    assert result.code == 3
    assert "kt-cp: stopped after 0.3 s: " in result.err
    assert "there may be more" in result.err


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["3x3"], "b2 has no moves at all"),
        (["4x4"], "theorem"),
        (["5x5", "--start", "b1"], "both ends of a tour are dark, but b1 is not"),
        (["4x100", "--closed"], "Schwenk"),
        (["3x7", "--start", "d2"], "every way was tried"),
        (["1x2"], "a1 has no moves at all"),
    ],
    ids=str,
)
def test_none_is_a_definite_no(kt_cp, arguments, reason):
    result = kt_cp("enumerate", *arguments)
    assert result.code == 1
    assert result.out.startswith("No tour (")
    assert reason in result.out
    assert kt_cp("enumerate", *arguments, "--count").code == 1
    totals = json.loads(kt_cp("enumerate", *arguments, "--json").out)
    assert (totals["tours"], totals["complete"]) == (0, True)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], ["Missing argument 'BOARD'"]),
        (["5x"], ["expected a board as ROWSxCOLUMNS", "'5x'"]),
        (["5x5", "--start", "f1"], ["start to be on the 5x5 board", "f1"]),
        (["5x5", "--end", "c0"], ["--end: expected a square"]),
        (["5x5", "--closed", "--end", "c3"], ["expected no end, got c3"]),
        (["5x5", "--start", "a1", "--end", "a1"], ["start and end to differ"]),
        (["5x5", "--source", "005"], ["expected a source, one of 000 (boolean), ", "'005'"]),
        (["5x5", "--source", ""], ["expected a source", "''"]),
        (["5x5", "--limit", "0"], ["--limit", "0"]),
        (["5x5", "--limit", "many"], ["--limit", "many"]),
        (["5x5", "--json", "--format", "grid"], ["--json and --format grid contradict"]),
        (["5x5", "--count", "--limit", "5"], ["--count lists no tours"]),
        (["5x5", "--count", "--format", "names"], ["--count lists no tours"]),
        (["5x5", "--time-limit", "0"], ["expected a time limit above 0"]),
        (["5x5", "--workers", "0"], ["--workers"]),
        (["200x200"], ["at most 10,000 squares to enumerate, got 40,000"]),
        (["1000000000x1000000000", "--count"], ["at most 10,000 squares to enumerate"]),
        (["5x5", "--missing", "z9"], ["missing squares on the 5x5 board"]),
    ],
    ids=lambda value: " ".join(value)[:40] or "nothing",
)
def test_bad_input(kt_cp, arguments, words):
    refused(kt_cp("enumerate", *arguments), *words)


def test_to_a_file(kt_cp, tmp_path):
    result = kt_cp("enumerate", "3x4", "--json", "-o", tmp_path / "tours.jsonl")
    assert (result.code, result.out) == (0, "")
    assert (tmp_path / "tours.jsonl").read_text() == kt_cp("enumerate", "3x4", "--json").out
    refused(kt_cp("enumerate", "3x4", "-o", tmp_path / "no" / "x"), "cannot write")


@pytest.mark.parametrize("options", [[], ["--count"], ["--unique", "--format", "names"]], ids=str)
def test_pieces_of_an_executor_say_the_same(kt_cp, options):
    arguments = ("enumerate", "5x6", "--closed", *options)
    here, there = kt_cp(*arguments), kt_cp(*arguments, "--executor", "threads", "--workers", "2")
    assert (there.code, there.out) == (0, here.out)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--executor", "dusk"], "expected threads, processes, dask or dask:ADDRESS, got 'dusk'"),
        (["--executor", "threads", "--given", "a1=1"], "does not take given steps"),
    ],
    ids=["name", "given"],
)
def test_an_executor_that_will_not_do(kt_cp, options, message):
    refused(kt_cp("enumerate", "5x5", *options), message)


def start(*arguments):
    return subprocess.Popen(
        command_line("enumerate", *arguments),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(),
        start_new_session=True,
    )


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="pipes of POSIX")
@pytest.mark.parametrize("shape", [[], ["--json"]], ids=str)
def test_it_ends_when_the_reader_has_gone(shape):
    """The reader may close the pipe early, as in ``kt-cp enumerate 8x8 | head -3``."""
    running = start("8x8", *shape)
    for _ in range(3):
        assert running.stdout.readline()
    running.stdout.close()
    assert running.wait(PATIENCE) == 0
    assert running.stderr.read() == b""
    running.stderr.close()


@pytest.mark.clock
@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
@pytest.mark.parametrize(
    "options",
    [
        ["8x8", "--count"],
        pytest.param(["7x7", "--start", "d4", "--unique", "--count"], marks=pytest.mark.slow),
    ],
    ids=str,
)
def test_ctrl_c_ends_counting_at_once(options):
    running = start(*options)
    wait_until(lambda: busy(psutil.Process(running.pid), 1.5))
    began = time.monotonic()
    os.killpg(running.pid, signal.SIGINT)
    out, err = running.communicate(timeout=PATIENCE)
    assert time.monotonic() - began < 3
    assert (running.returncode, out) == (130, b"")
    assert re.search(rb": [0-9,]+ tours so far, and there may be more\nkt-cp: interrupted\n$", err)


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
def test_ctrl_c_leaves_no_file(tmp_path):
    running = start("8x8", "-o", tmp_path / "tours.txt")
    wait_until(lambda: any(part.stat().st_size > 10_000 for part in tmp_path.iterdir()))
    os.killpg(running.pid, signal.SIGINT)
    out, err = running.communicate(timeout=PATIENCE)
    assert (running.returncode, out) == (130, b"")
    assert re.fullmatch(rb"8x8, open: \d+ tours so far, .*\nkt-cp: interrupted\n", err)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
def test_ctrl_c_ends_listing_between_two_tours(tmp_path):
    path = tmp_path / "tours"
    with path.open("wb") as file:
        running = subprocess.Popen(
            command_line("enumerate", "8x8", "--json"),
            stdout=file,
            stderr=subprocess.PIPE,
            env=environment(),
            start_new_session=True,
        )
        wait_until(lambda: path.stat().st_size > 10_000)
        os.killpg(running.pid, signal.SIGINT)
        _, err = running.communicate(timeout=PATIENCE)
    assert running.returncode == 130
    assert re.fullmatch(rb"8x8, open: \d+ tours so far, .*\nkt-cp: interrupted\n", err)
    assert all(json.loads(line)["tour"] for line in path.read_text().splitlines()[:-1])


def test_a_count_that_cannot_end_says_so_before_it_begins(kt_cp):
    result = kt_cp("enumerate", "12x12", "--count")
    assert (result.code, result.out) == (2, "")
    estimate, refusal = result.err.splitlines()
    assert re.fullmatch(r"12x12, open: about 10\^\d\d or more squares to place, .*", estimate)
    assert refusal.startswith("kt-cp: 12x12, open: this count would take longer than a lifetime; ")
    result = kt_cp("enumerate", "12x12", "--count", "--time-limit", "0.3")
    assert result.code == 3 and "so far (12x12, open" in result.out


def test_what_ends_is_counted_without_a_word(kt_cp):
    result = kt_cp("enumerate", "4x10", "--start", "a1", "--end", "d1", "--count")
    assert result.code in (0, 1) and "estimate" not in result.err


def test_ctrl_c_prints_what_was_found(kt_cp, monkeypatch):
    def count(self, should_stop, workers, progress, executor):
        progress({"tours": 1234, "squares placed": 99999})
        raise KeyboardInterrupt

    monkeypatch.setattr(enumeration.Enumeration, "count", count)
    result = kt_cp("enumerate", "6x6", "--count")
    assert (result.code, result.out) == (130, "")
    assert (
        result.err == "6x6, open: 1,234 tours so far, and there may be more\nkt-cp: interrupted\n"
    )


def test_ctrl_c_prints_how_many_were_listed(kt_cp, monkeypatch):
    real = enumeration.Enumeration.tours

    def tours(self, should_stop, executor):
        for number, tour in enumerate(real(self, should_stop, executor=executor)):
            if number == 3:
                raise KeyboardInterrupt
            yield tour

    monkeypatch.setattr(enumeration.Enumeration, "tours", tours)
    result = kt_cp("enumerate", "5x5", "--format", "names")
    assert result.code == 130 and len(result.out.splitlines()) == 3
    assert "5x5, open: 3 tours so far, and there may be more" in result.err


def test_progress_shows_how_far_it_is(kt_cp, monkeypatch):
    monkeypatch.setattr(output, "is_stderr_terminal", lambda: True)
    monkeypatch.setenv("FORCE_COLOR", "1")  # Rich takes the captured stream for a terminal
    result = kt_cp("enumerate", "6x6", "--closed", "--count", "--time-limit", "60")
    assert result.code == 0
    assert re.search(r"6x6, closed … tours [\d,]+, squares placed [\d,]+", result.err)
    assert "of at most 60 s" in result.err
    assert "tours" not in kt_cp("enumerate", "5x5", "--closed", "--count").err


def test_the_estimate_of_the_work_is_printed(capfd, monkeypatch):
    monkeypatch.setattr(output, "is_stderr_terminal", lambda: True)
    monkeypatch.setenv("FORCE_COLOR", "1")
    with output.search_progress("8x8", total=2e14) as progress:
        progress({"tours": 12, "squares placed": 3456})
    assert "8x8 … tours 12, squares placed 3,456 of about 10^14" in capfd.readouterr().err


@pytest.fixture
def listed(kt_cp, tmp_path):
    """Enumerate with a certificate; return the output and the certificate's file."""

    def run(*options):
        file = tmp_path / "all.json"
        return kt_cp("enumerate", *options, "--certificate", file), file

    return run


def test_all_tours_and_that_there_are_no_others(kt_cp, listed):
    result, file = listed("3x4", "--start", "a1")
    assert result.code == 0 and result.out.startswith("Tour 1\n") and "2 tours (3x4" in result.out
    document = json.loads(file.read_text())
    assert [len(tour) for tour in document["evidence"]["tours"]] == [12, 12]
    judged = kt_cp("check", file)
    assert (judged.code, judged.err) == (0, "")
    assert judged.out.startswith(
        "A valid proof (3x4, open, from a1): all 2 tours, by list: with all 2 "
    )
    document = json.loads(kt_cp("check", file, "--json").out)
    assert (document["claim"], document["tours"], document["proved"]) == ("all 2 tours", 2, True)
    text = file.read_text().replace('"start": "a1"', '"start": "c1"')
    file.write_text(text)
    assert kt_cp("check", file).code == 1


def test_the_only_tour(kt_cp, listed):
    result, file = listed("3x4", "--start", "a1", "--end", "d3")
    assert result.code == 0 and "1 tour (" in result.out
    assert ": the only tour, by list: with the only tour excluded, " in kt_cp("check", file).out


def test_no_tour_is_certified_as_such(kt_cp, listed):
    result, file = listed("3x4", "--closed")
    assert result.code == 1 and "No tour" in result.out
    judged = kt_cp("check", file)
    assert judged.code == 0 and ": no tour, by removal: " in judged.out


def test_the_files_that_other_checkers_read(kt_cp, listed, tmp_path):
    _, file = listed("3x4", "--start", "a1")
    cnf, drat, lrat = (tmp_path / f"all.{ending}" for ending in ("cnf", "drat", "lrat"))
    result = kt_cp("check", file, "--cnf", cnf, "--drat", drat, "--lrat", lrat)
    assert result.code == 0 and result.out.startswith("A valid proof ")
    formula = cnf.read_text().splitlines()
    (place,) = (i for i, line in enumerate(formula) if line.startswith("p cnf "))
    clauses = [[*map(int, line.split()[:-1])] for line in formula[place + 1 :]]
    lines = [line.split(" ", 1)[1] for line in lrat.read_text().splitlines()]
    assert check_lemmas(int(formula[place].split()[2]), clauses, lines) == len(lines)
    assert drat.read_text().splitlines()[-1] == "0"
    assert any("one of the moves of each listed tour is not made" in line for line in formula)
    again = kt_cp("check", file, "--cnf", cnf)
    assert again.code == 2 and "--force" in again.err
    # A certificate that is no refutation has no formula.
    none = tmp_path / "none.cnf"
    kt_cp("prove", "3x4", "--closed", "-o", tmp_path / "no.json")
    result = kt_cp("check", tmp_path / "no.json", "--cnf", none)
    assert result.code == 2 and "--cnf: expected a refutation" in result.err and not none.exists()
    tour = tmp_path / "tour.txt"
    tour.write_text("a1 c2 a3 b1 d2 b3 c1 a2 c3 d1 b2 d3")
    result = kt_cp("check", tour, "--lrat", none)
    assert result.code == 2 and "--lrat: expected a certificate" in result.err and not none.exists()
    file.write_text(file.read_text().replace('"start": "a1"', '"start": "c1"'))
    assert kt_cp("check", file, "--cnf", none).code == 1 and not none.exists()


def test_what_does_not_go_with_a_certificate(kt_cp, tmp_path, listed):
    for options in (["--count"], ["--unique"], ["--limit", "1"]):
        result, file = listed("3x4", *options)
        assert result.code == 2 and "--certificate is about all tours" in result.err
        assert not file.exists()
    result = kt_cp("enumerate", "3x4", "--certificate", "-")
    assert result.code == 2 and "expected the name of a file" in result.err
    both = tmp_path / "both"
    result = kt_cp("enumerate", "3x4", "-o", both, "--certificate", both)
    assert result.code == 2 and "name the same file" in result.err
    both.write_text("mine")
    result = kt_cp("enumerate", "3x4", "--certificate", both)
    assert result.code == 2 and "--force" in result.err and both.read_text() == "mine"


def test_the_tours_in_a_file_beside(kt_cp, listed, tmp_path):
    beside = tmp_path / "tours.json"
    result, file = listed("3x4", "--start", "a1", "--tours", beside)
    assert result.code == 0 and '"c2"' not in file.read_text()
    judged = kt_cp("check", file, "--tours", beside, "--board", "3x4", "--start", "a1")
    assert judged.code == 0 and ": all 2 tours, by list: with all 2 " in judged.out
    judged = kt_cp("check", file, "--tours", beside, "--board", "3x4")
    assert judged.code == 1 and "another question: expected no start, found a1" in judged.out
    document = json.loads(kt_cp("check", file, "--tours", beside, "--json").out)
    assert (document["claim"], document["tours"], document["proved"]) == ("all 2 tours", 2, True)
    cnf = tmp_path / "all.cnf"
    assert kt_cp("check", file, "--tours", beside, "--cnf", cnf).code == 0
    assert "one of the moves of each listed tour is not made" in cnf.read_text()
    alone = kt_cp("check", file)
    assert alone.code == 2 and "expected --tours TOURS: they stand in a file" in alone.err
    assert kt_cp("check", file, "--tours", file).code == 2
    beside.write_text(beside.read_text().replace('"a1", "c2"', '"c2", "a1"'))
    result = kt_cp("check", file, "--tours", beside)
    assert result.code == 1 and "the tours beside it are not those" in result.out
    tour = tmp_path / "tour.txt"
    tour.write_text("a1 c2 a3 b1 d2 b3 c1 a2 c3 d1 b2 d3")
    result = kt_cp("check", tour, "--tours", beside)
    assert result.code == 2 and "--tours: expected a certificate, got a tour" in result.err


def test_what_does_not_go_with_tours_beside(kt_cp, listed, tmp_path):
    beside = tmp_path / "tours.json"
    result = kt_cp("enumerate", "3x4", "--tours", beside)
    assert result.code == 2 and "--tours: expected --certificate beside it" in result.err
    result, file = listed("3x4", "--tours", tmp_path / "all.json")
    assert result.code == 2 and "name the same file" in result.err
    beside.write_text("mine")
    result, file = listed("3x4", "--start", "a1", "--tours", beside)
    assert result.code == 2 and "--force" in result.err and beside.read_text() == "mine"
    # There is no file for an empty list: the certificate states the reason.
    beside.unlink()
    result, file = listed("3x4", "--closed", "--tours", beside)
    assert result.code == 1 and not beside.exists() and kt_cp("check", file).code == 0


def test_no_certificate_in_time(listed, monkeypatch):
    monkeypatch.setattr(completing, "certify_tours", lambda *_args, **_more: Finding())
    result, file = listed("3x4", "--start", "a1")
    assert result.code == 3 and "no certificate was found" in result.err and not file.exists()


def test_a_tour_that_the_enumeration_has_missed_is_a_bug(listed, monkeypatch):
    def other(problem, tours, *_args, **_more):
        return Finding(tour=tours[0])

    monkeypatch.setattr(completing, "certify_tours", other)
    result, file = listed("3x4", "--start", "a1")
    assert result.code == 70 and "has missed a tour: a1 c2" in result.err and not file.exists()


def test_the_judge_looks_at_the_tours_too(kt_cp, listed, monkeypatch):
    _, file = listed("3x4", "--start", "a1")
    monkeypatch.setattr("kt_cp.cli.check.defects", lambda *_: ["something wrong"])
    result = kt_cp("check", file)
    assert result.code == 70 and "the checker accepts a list of tours" in result.err


def test_prove_names_two_clues_that_clash(kt_cp):
    result = kt_cp("prove", "8x8", "--closed", "--given", "e4=17,c3=19")
    assert result.code == 0
    assert result.out == (
        "No tour (8x8, closed, c3 at 19, e4 at 17): e4 is at step 17 and c3 at step 19, 2 moves "
        "later, but every way from e4 to c3 has an odd number of moves.\n"
    )
    assert "proved by clash" in result.err


def test_prove_names_a_clue_of_the_wrong_colour(kt_cp, tmp_path):
    message = (
        "No tour (7x7, open, b1 at 9, e4 at 21): b1 is at step 9 and a knight changes colour with "
        "every move, so the odd steps need 25 squares of b1's colour, but moves from there reach "
        "24.\n"
    )
    options = ("7x7", "--given", "e4=21,b1=9")
    assert kt_cp("prove", *options, "-o", tmp_path / "no.json").out == message
    checked = kt_cp("check", tmp_path / "no.json")
    assert checked.code == 0 and "changes colour" in checked.out
    for command in ("solve", "enumerate"):
        result = kt_cp(command, *options)
        assert (result.code, result.out) == (1, message)


def test_prove_says_that_no_clue_can_be_left_out(kt_cp):
    result = kt_cp("prove", "3x4", "--given", "a1=1,c2=2,d3=10,b2=9")
    assert result.code == 0 and "): with a1 at step 1 and d3 at step 10, the formula" in result.out
    assert result.err.endswith("; none of these clues can be left out\n")


def test_a_list_in_a_sentence(listed, tmp_path):
    _, file = listed("3x4", "--start", "a1")
    document = json.loads(file.read_text())
    from kt_cp import Problem

    made = Certificate(Problem("3x4", start="a1"), "list", document["argument"], document)
    assert made.claim == "all 2 tours"
    for ending, within in (("txt", "All 2 tours (3x4"), ("svg", "All 2 tours (3x4")):
        made.save(tmp_path / f"certificate.{ending}")
        assert within in (tmp_path / f"certificate.{ending}").read_text()

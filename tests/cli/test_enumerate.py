"""``kt-cp enumerate``: what it prints, how it counts, and every way of being stopped."""

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
from kt_cp.sources.printing import tour_text
from kt_cp.sources.registry import find_source
from kt_cp.trust.reference import Pause, Run
from tests.helpers import (
    DATA,
    PATIENCE,
    busy,
    command_line,
    environment,
    refused,
    run_cli,
    wait_until,
)


def grids(text):
    """The tours in grids, from their step numbers."""
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


def json_lines(ran):
    *tours, totals = map(json.loads, ran.out.splitlines())
    return tours, totals


def test_the_304_tours_of_5x5_from_the_corner(kt_cp):
    ran = kt_cp("enumerate", "5x5", "--start", "a1")
    assert ran.code == 0
    tours = grids(ran.out)
    assert len(tours) == len({tuple(tour) for tour in tours}) == 304
    problem = Problem(Board(5, 5), start=(0, 0))
    assert not any(defects(problem, tour) for tour in tours)
    assert ran.out.splitlines()[-1].startswith(
        "304 tours (5x5, open, from a1; directed: a tour and"
    )
    names = kt_cp("enumerate", "5x5", "--start", "a1", "--format", "names").out.splitlines()
    assert [[parse_square(name) for name in line.split()] for line in names[:304]] == tours


def test_document_004_begins_with_its_four_printed_boards(kt_cp):
    golden = (DATA / "004-all-5x5-first-four.txt").read_text("utf-8")
    ran = kt_cp("enumerate", "5x5", "--start", "a1", "--source", "004")
    assert ran.out.replace(" \n", "\n").startswith(golden.rstrip())
    assert ran.out.count("\n\n") == 304
    assert ran.out.splitlines()[-1].startswith("304 tours")


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
        shown = tour_text(program, board, tour)
        assert text.startswith(shown + "\n")
        text = text[len(shown) :].lstrip("\n")
    assert text.startswith(f"{len(expected)} tours (4x5, open, from e4")


def test_json_lines_and_totals(kt_cp):
    ran = kt_cp("enumerate", "3x4", "--json")
    tours, totals = json_lines(ran)
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


@pytest.mark.parametrize(
    ("arguments", "number", "words"),
    [
        (["5x5"], 1728, "1,728 tours (5x5, open; directed"),
        (["5x5", "--undirected"], 864, "864 tours (5x5, open; undirected"),
        (["5x5", "--unique"], 112, "112 classes (5x5, open; undirected"),
        (["6x6", "--closed"], 9862, "9,862 tours (6x6, closed; undirected"),
        (["6x6", "--closed", "--directed"], 19724, "19,724 tours (6x6, closed; directed"),
        (["6x6", "--open"], 6637920, "6,637,920 tours"),
        (["5x6", "--missing", "a1,f5", "--start", "c3"], None, "from c3"),
        (["4x6", "--start", "a1", "--end", "f1", "--source", "ordered"], None, "to f1"),
        (["1x1"], 1, "1 tour (1x1, open; directed"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else None,
)
def test_counts(kt_cp, arguments, number, words):
    ran = kt_cp("enumerate", *arguments, "--count")
    assert (ran.code, ran.out.count("\n")) == (0, 1)
    assert words in ran.out
    counted = int(ran.out.split()[0].replace(",", ""))
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
    ran = kt_cp("enumerate", "8x8", "--limit", "3", "--json")
    tours, totals = json_lines(ran)
    assert (ran.code, len(tours)) == (0, 3)
    assert (totals["tours"], totals["complete"]) == (3, False)
    ran = kt_cp("enumerate", "8x8", "--limit", "3")
    assert "3 tours so far" in ran.out
    assert "stopped at --limit 3; there may be more" in ran.err
    ran = kt_cp("enumerate", "3x4", "--limit", "100")
    assert "16 tours (" in ran.out
    assert "stopped" not in ran.err


@pytest.mark.clock
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
    ran = kt_cp("enumerate", "7x7", "--start", "d4", "--time-limit", "0.5", *options)
    assert time.monotonic() - began < 30
    assert ran.code == 3
    assert "kt-cp: stopped after 0.5 s: " in ran.err
    assert "there may be more" in ran.err


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
    ran = kt_cp("enumerate", *arguments)
    assert ran.code == 1
    assert ran.out.startswith("No tour (")
    assert reason in ran.out
    assert kt_cp("enumerate", *arguments, "--count").code == 1
    totals = json.loads(kt_cp("enumerate", *arguments, "--json").out)
    assert (totals["tours"], totals["complete"]) == (0, True)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], ["expected BOARD, got none"]),
        (["5x"], ["expected a board as ROWSxCOLUMNS", "'5x'"]),
        (["5x5", "--start", "f1"], ["start to be on the 5x5 board", "f1"]),
        (["5x5", "--end", "c0"], ["--end: expected a square"]),
        (["5x5", "--closed", "--end", "c3"], ["expected no end, got c3"]),
        (["5x5", "--start", "a1", "--end", "a1"], ["start and end to differ"]),
        (["5x5", "--source", "005"], ["expected a source, one of 000 (boolean), ", "'005'"]),
        (["5x5", "--source", ""], ["expected a source", "''"]),
        (["5x5", "--limit", "0"], ["--limit", "0"]),
        (["5x5", "--limit", "many"], ["--limit", "many"]),
        (["5x5", "--json", "--format", "grid"], ["--json and another --format"]),
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


# Being stopped


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
@pytest.mark.parametrize("shape", [[], ["--json"], ["--format", "names"]], ids=str)
def test_it_ends_when_the_reader_has_gone(shape):
    """As in ``kt-cp enumerate 8x8 | head -3``."""
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
    wait_until(lambda: busy(psutil.Process(running.pid), 2.0))
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


def test_to_a_file(kt_cp, tmp_path):
    ran = kt_cp("enumerate", "3x4", "--json", "-o", tmp_path / "tours.jsonl")
    assert (ran.code, ran.out) == (0, "")
    assert (tmp_path / "tours.jsonl").read_text() == kt_cp("enumerate", "3x4", "--json").out
    refused(kt_cp("enumerate", "3x4", "-o", tmp_path / "no" / "x"), "cannot write")


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


def test_it_runs_as_a_process_of_its_own():
    ran = run_cli("enumerate", "3x4", "--undirected", "--count")
    assert (ran.code, ran.out.split()[:2]) == (0, ["8", "tours"])


def test_a_count_that_cannot_end_says_so_before_it_begins(kt_cp):
    ran = kt_cp("enumerate", "12x12", "--count")
    assert (ran.code, ran.out) == (2, "")
    told, refusal = ran.err.splitlines()
    assert re.fullmatch(r"12x12, open: about 10\^\d\d or more squares to place, .*", told)
    assert refusal.startswith("kt-cp: 12x12, open: this count would not end in a lifetime; ")
    ran = kt_cp("enumerate", "12x12", "--count", "--time-limit", "0.3")
    assert ran.code == 3 and "so far (12x12, open" in ran.out


def test_what_ends_is_counted_without_a_word(kt_cp):
    ran = kt_cp("enumerate", "4x10", "--start", "a1", "--end", "d1", "--count")
    assert ran.code in (0, 1) and "estimate" not in ran.err


def test_ctrl_c_tells_what_was_found(kt_cp, monkeypatch):
    def count(self, should_stop, workers, progress):
        progress({"tours": 1234, "squares placed": 99999})
        raise KeyboardInterrupt

    monkeypatch.setattr(enumeration.Enumeration, "count", count)
    ran = kt_cp("enumerate", "6x6", "--count")
    assert (ran.code, ran.out) == (130, "")
    assert ran.err == "6x6, open: 1,234 tours so far, and there may be more\nkt-cp: interrupted\n"


def test_ctrl_c_tells_how_many_were_listed(kt_cp, monkeypatch):
    real = enumeration.Enumeration.tours

    def tours(self, should_stop):
        for number, tour in enumerate(real(self, should_stop)):
            if number == 3:
                raise KeyboardInterrupt
            yield tour

    monkeypatch.setattr(enumeration.Enumeration, "tours", tours)
    ran = kt_cp("enumerate", "5x5", "--format", "names")
    assert ran.code == 130 and len(ran.out.splitlines()) == 3
    assert "5x5, open: 3 tours so far, and there may be more" in ran.err


def test_whoever_watches_sees_how_far_it_is(kt_cp, monkeypatch):
    monkeypatch.setattr(output, "watched", lambda: True)
    monkeypatch.setenv("FORCE_COLOR", "1")  # Rich takes the captured stream for a terminal
    ran = kt_cp("enumerate", "6x6", "--closed", "--count", "--time-limit", "60")
    assert ran.code == 0
    assert re.search(r"6x6, closed … tours [\d,]+, squares placed [\d,]+", ran.err)
    assert "of at most 60 s" in ran.err
    assert "tours" not in kt_cp("enumerate", "5x5", "--closed", "--count").err


def test_the_work_that_is_likely_is_told(capfd, monkeypatch):
    monkeypatch.setattr(output, "watched", lambda: True)
    monkeypatch.setenv("FORCE_COLOR", "1")
    with output.search_progress("8x8", total=2e14) as progress:
        progress({"tours": 12, "squares placed": 3456})
    assert "8x8 … tours 12, squares placed 3,456 of about 10^14" in capfd.readouterr().err

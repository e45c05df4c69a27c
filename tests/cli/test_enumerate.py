"""``kt-cp enumerate``: what it prints, and how it counts."""

from __future__ import annotations

import json
import re
import time

import pytest

from kt_cp import Board, Problem, defects, parse_square
from kt_cp.sources.registry import find_source, tour_text
from kt_cp.trust.reference import Pause, Run
from tests.support.command_line import DATA, refused
from tests.support.exhaustive import more


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
    ran = kt_cp("enumerate", "7x7", "--start", "d4", "--time-limit", "0.3", *options)
    assert time.monotonic() - began < 30
    assert ran.code == 3
    assert "kt-cp: stopped after 0.3 s: " in ran.err
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
    ran = kt_cp("enumerate", "3x4", "--json", "-o", tmp_path / "tours.jsonl")
    assert (ran.code, ran.out) == (0, "")
    assert (tmp_path / "tours.jsonl").read_text() == kt_cp("enumerate", "3x4", "--json").out
    refused(kt_cp("enumerate", "3x4", "-o", tmp_path / "no" / "x"), "cannot write")


@pytest.mark.parametrize("options", [[], ["--count"], ["--unique", "--format", "names"]], ids=str)
def test_pieces_of_an_executor_say_the_same(kt_cp, options):
    asked = ("enumerate", "5x6", "--closed", *options)
    here, there = kt_cp(*asked), kt_cp(*asked, "--executor", "threads", "--workers", "2")
    assert (there.code, there.out) == (0, here.out)


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--executor", "dusk"], "expected threads, processes, dask or dask:ADDRESS, got 'dusk'"),
        (["--executor", "threads", "--given", "a1=1"], "does not take given steps"),
    ],
    ids=["name", "given"],
)
def test_an_executor_that_will_not_do(kt_cp, options, told):
    refused(kt_cp("enumerate", "5x5", *options), told)

"""``kt-cp reference``: the five source programs on the command line."""

from __future__ import annotations

import json

import pytest

from kt_cp import Board, Problem, defects, parse_square
from kt_cp.sources import run as run_module
from kt_cp.sources.registry import SOURCES
from tests.sources.test_programs import FIRST, Naive
from tests.support.command_line import DATA
from tests.test_startup import modules_after, running

NUMBERS = [source.number for source in SOURCES]
ACCOUNT = "by {} ({}): {}{:,} squares placed, {:,} taken back, {} recursion\n"


def run_of_001(path):
    return path.stem.split("-")[2], path.stem.split("-")[4]


@pytest.mark.slow
@pytest.mark.parametrize("path", sorted(DATA.glob("001-*.txt")), ids=lambda path: path.stem)
def test_the_runs_that_001_prints(kt_cp, path):
    board, at = run_of_001(path)
    ran = kt_cp("reference", board, "--source", "modula", "--at", at)
    assert ran.code == 0
    # The document has lost the blanks at the ends of its lines.
    assert "\n".join(line.strip() for line in ran.out.split("\n")) == path.read_text("utf-8")
    rows = [line for line in ran.out.splitlines() if line.startswith("  ")]
    assert {len(line) for line in rows} == {5 * int(board.partition("x")[0])}
    assert ran.err.startswith(f"{board} from ")
    recursion = "compiled" if board == "7x7" else "readable"
    assert ran.err.endswith(f" taken back, {recursion} recursion\n")
    if board == "7x7":
        counts = ("", 12_040_482, 12_040_433, "compiled")
        assert ran.err == "7x7 from d4 " + ACCOUNT.format("001", "modula", *counts)


def test_all_four_runs_of_001_are_there():
    runs = {run_of_001(path) for path in DATA.glob("001-*.txt")}
    assert runs == {("5x5", "3,3"), ("5x5", "1,1"), ("6x6", "1,1"), ("7x7", "4,4")}


@pytest.mark.slow
def test_the_boards_that_004_prints(kt_cp):
    ran = kt_cp("reference", "5x5", "--source", "all", "--limit", 4)
    assert ran.code == 0
    # The document has lost the blank that its program prints after every number.
    lines = ran.out.splitlines()
    assert all(line.endswith(" ") and not line.endswith("  ") for line in lines if line)
    shown = "".join(f"{line.rstrip()}\n" for line in lines)
    assert shown == (DATA / "004-all-5x5-first-four.txt").read_text() + "\n"
    assert "4 tours, and no more asked for, 18,770 squares placed" in ran.err
    ran = kt_cp("reference", "8x8", "--source", "004", "--limit", 2)
    shown = ran.out.replace(" \n", "\n")
    assert shown.endswith("\n\n" + (DATA / "004-all-8x8-one-tour.txt").read_text() + "\n")


def test_all_tours_of_004(kt_cp):
    ran = kt_cp("reference", "5x5", "--source", "004")
    assert ran.code == 0
    boards = ran.out.removesuffix("\n\n").split("\n\n")
    assert len(boards) == len(set(boards)) == 304
    assert ran.err == "5x5 from a1 " + ACCOUNT.format(
        "004", "all", "304 tours, all there are, ", 1_735_079, 1_735_079, "compiled"
    )
    # As many as there are may be asked for; whether there are more is then not known.
    ran = kt_cp("reference", "3x4", "--source", "004", "--limit", 2)
    assert ran.code == 0
    assert "2 tours, and no more asked for" in ran.err
    assert "2 tours, all there are" in kt_cp("reference", "3x4", "--source", "004").err


@pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.number)
def test_both_recursions_print_the_same(kt_cp, source):
    asked = ("reference", "3x4", "--start", "a1", "--source")
    readable = kt_cp(*asked, source.number, "--recursion", "readable")
    compiled = kt_cp(*asked, source.name, "--recursion", "compiled")
    assert readable.code == compiled.code == 0
    assert readable.out == compiled.out
    naive = Naive(source.number, 3, 4)
    path = next(naive.tours([(FIRST[source.number],) * 2]))
    assert (source.number, readable.out) == ("002", "TRUE\n") or naive.shown(path) in readable.out
    assert readable.err.replace("readable", "compiled") == compiled.err


def test_the_layout_of_003(kt_cp):
    ran = kt_cp("reference", "3x4", "--source", "003", "--at", "1,4")
    lines = ran.out.splitlines()
    assert (lines[0], lines[4], lines[-2:]) == ("Board:", "Path:", ["Solved: True", "Steps: 12"])
    assert len(lines) == 9
    rows = [[int(cell) for cell in line.split()] for line in lines[1:4]]
    path = [tuple(map(int, pair.split(","))) for line in lines[5:7] for pair in line.split()]
    assert path[0] == (1, 4)
    assert [rows[rank - 1][file - 1] for rank, file in path] == list(range(1, 13))


@pytest.mark.parametrize(
    ("number", "said"),
    [
        ("000", "No solution was found\n"),
        ("001", "Start at x = 2\n\nStart at y = 1\n\nno path found\n"),
        ("002", "FALSE\n"),
        ("003", "Solved: False\nSteps: 0\n"),
        ("004", ""),
    ],
)
def test_no_tour_is_1(kt_cp, number, said):
    ran = kt_cp("reference", "3x3", "--source", number, "--start", "b1")
    assert (ran.code, ran.out) == (1, said)
    assert ran.err.count("\n") == 1
    assert "squares placed" in ran.err
    ran = kt_cp("reference", "3x3", "--source", number, "--start", "a1", "--json")
    document = json.loads(ran.out)
    assert (document["verdict"], document["solved"]) == ("IMPOSSIBLE", False)
    assert document["exhausted"] is True
    assert document["placed"] == document["taken_back"] == 15


def test_missing_squares(kt_cp):
    ran = kt_cp("reference", "5x5", "--source", "004", "--missing", "c3", "--limit", 1)
    assert ran.code == 0
    assert [row.split().count(".") for row in ran.out.splitlines()[:5]] == [0, 0, 1, 0, 0]
    assert "5x5 without c3 from a1" in ran.err


@pytest.mark.parametrize("number", [number for number in NUMBERS if number != "004"])
def test_json_of_one_tour(kt_cp, number):
    ran = kt_cp("reference", "5x5", "--source", number, "--start", "c3", "--json")
    document = json.loads(ran.out)
    assert ran.out.count("\n") == 1
    assert list(document) == [
        "schema_version", "source", "problem", "verdict", "solved", "tour", "exhausted",
        "placed", "taken_back", "recursion",
    ]  # fmt: skip
    assert document["source"]["number"] == number
    assert document["problem"]["start"] == "c3"
    assert (document["schema_version"], document["verdict"], document["solved"]) == (
        1, "FOUND", True,
    )  # fmt: skip
    tour = [parse_square(name) for name in document["tour"]]
    assert defects(Problem(Board(5, 5), start=(2, 2)), tour) == []
    assert document["placed"] - document["taken_back"] == 25
    assert f"{document['placed']:,} squares placed" in ran.err


def test_json_lines_of_004(kt_cp):
    ran = kt_cp("reference", "5x5", "--source", "004", "--json")
    *tours, total = map(json.loads, ran.out.splitlines())
    assert all(list(line) == ["tour"] for line in tours)
    assert len({tuple(line["tour"]) for line in tours}) == total["tours"] == 304
    assert total["exhausted"] is True
    assert "tour" not in total
    ran = kt_cp("reference", "5x5", "--source", "004", "--json", "--limit", 3)
    *few, total = map(json.loads, ran.out.splitlines())
    assert few == tours[:3]
    assert (total["tours"], total["exhausted"], total["verdict"]) == (3, False, "FOUND")


@pytest.mark.slow
def test_a_small_board_loads_no_compiler():
    asked = running("reference", "5x5", "--start", "c3", "--source", "001")
    loaded = modules_after(asked)
    assert "kt_cp" in loaded and not loaded & {"numba", "networkx", "ortools", "pysat"}


def test_a_wrong_tour_is_70(kt_cp, monkeypatch):
    def wrong(problem, start, candidates, *, on_tour, **_):
        on_tour([start] * problem.size)

    monkeypatch.setattr(run_module, "search", wrong)
    ran = kt_cp("reference", "5x5", "--start", "a1")
    assert (ran.code, ran.out) == (70, "")
    assert "source 001 on 5x5, open, from a1: the judge refuses tour 1: " in ran.err


def test_help_lists_the_five(kt_cp):
    said = " ".join(kt_cp("reference", "--help").out.split())
    for source in SOURCES:
        assert f"{source.number}, {source.name}: {source.summary}" in said

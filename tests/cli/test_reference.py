"""``kt-cp reference``: the five source programs, closed tours, starts, limits, interrupts."""

from __future__ import annotations

import io
import json
import os
import re
import signal
import subprocess
import sys
import time

import psutil
import pytest

from kt_cp import Board, Problem, defects, parse_square
from kt_cp.sources import run as run_module
from kt_cp.sources.registry import SOURCES
from tests.sources.test_programs import FIRST, MOVES, Naive
from tests.support.command_line import (
    DATA,
    busy,
    command_line,
    end,
    environment,
    refused,
    wait_until,
)
from tests.test_startup import modules_after, running

NUMBERS = [source.number for source in SOURCES]
ACCOUNT = "by {} ({}): {}{:,} squares placed, {:,} taken back, {} recursion\n"


def run_of_001(path):
    return path.stem.split("-")[2], path.stem.split("-")[4]


@pytest.mark.slow
@pytest.mark.parametrize("path", sorted(DATA.glob("001-*.txt")), ids=lambda path: path.stem)
def test_the_runs_that_001_prints(kt_cp, path):
    board, at = run_of_001(path)
    result = kt_cp("reference", board, "--source", "modula", "--at", at)
    assert result.code == 0
    # The document lacks the blanks at the ends of its lines.
    assert "\n".join(line.strip() for line in result.out.split("\n")) == path.read_text("utf-8")
    rows = [line for line in result.out.splitlines() if line.startswith("  ")]
    assert {len(line) for line in rows} == {5 * int(board.partition("x")[0])}
    assert result.err.startswith(f"{board} from ")
    recursion = "compiled" if board == "7x7" else "readable"
    assert result.err.endswith(f" taken back, {recursion} recursion\n")
    if board == "7x7":
        counts = ("", 12_040_482, 12_040_433, "compiled")
        assert result.err == "7x7 from d4 " + ACCOUNT.format("001", "modula", *counts)


def test_all_four_runs_of_001_are_there():
    runs = {run_of_001(path) for path in DATA.glob("001-*.txt")}
    assert runs == {("5x5", "3,3"), ("5x5", "1,1"), ("6x6", "1,1"), ("7x7", "4,4")}


@pytest.mark.slow
def test_the_boards_that_004_prints(kt_cp):
    result = kt_cp("reference", "5x5", "--source", "all", "--limit", 4)
    assert result.code == 0
    # The document lacks the blank that its program prints after every number.
    lines = result.out.splitlines()
    assert all(line.endswith(" ") and not line.endswith("  ") for line in lines if line)
    boards = "".join(f"{line.rstrip()}\n" for line in lines)
    assert boards == (DATA / "004-all-5x5-first-four.txt").read_text() + "\n"
    assert "4 tours, and no more were requested, 18,770 squares placed" in result.err
    result = kt_cp("reference", "8x8", "--source", "004", "--limit", 2)
    boards = result.out.replace(" \n", "\n")
    assert boards.endswith("\n\n" + (DATA / "004-all-8x8-one-tour.txt").read_text() + "\n")


def test_all_tours_of_004(kt_cp):
    result = kt_cp("reference", "5x5", "--source", "004")
    assert result.code == 0
    boards = result.out.removesuffix("\n\n").split("\n\n")
    assert len(boards) == len(set(boards)) == 304
    assert result.err == "5x5 from a1 " + ACCOUNT.format(
        "004", "all", "304 tours, all there are, ", 1_735_079, 1_735_079, "compiled"
    )
    # The limit may equal the number of tours; then it is unknown whether there are more.
    result = kt_cp("reference", "3x4", "--source", "004", "--limit", 2)
    assert result.code == 0
    assert "2 tours, and no more were requested" in result.err
    assert "2 tours, all there are" in kt_cp("reference", "3x4", "--source", "004").err


@pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.number)
def test_both_recursions_print_the_same(kt_cp, source):
    arguments = ("reference", "3x4", "--start", "a1", "--source")
    readable = kt_cp(*arguments, source.number, "--recursion", "readable")
    compiled = kt_cp(*arguments, source.name, "--recursion", "compiled")
    assert readable.code == compiled.code == 0
    assert readable.out == compiled.out
    naive = Naive(source.number, 3, 4)
    path = next(naive.tours([(FIRST[source.number],) * 2]))
    assert (source.number, readable.out) == ("002", "TRUE\n") or naive.printed(path) in readable.out
    assert readable.err.replace("readable", "compiled") == compiled.err


def test_the_layout_of_003(kt_cp):
    result = kt_cp("reference", "3x4", "--source", "003", "--at", "1,4")
    lines = result.out.splitlines()
    assert (lines[0], lines[4], lines[-2:]) == ("Board:", "Path:", ["Solved: True", "Steps: 12"])
    assert len(lines) == 9
    rows = [[int(cell) for cell in line.split()] for line in lines[1:4]]
    path = [tuple(map(int, pair.split(","))) for line in lines[5:7] for pair in line.split()]
    assert path[0] == (1, 4)
    assert [rows[rank - 1][file - 1] for rank, file in path] == list(range(1, 13))


@pytest.mark.parametrize(
    ("number", "output"),
    [
        ("000", "No solution was found\n"),
        ("001", "Start at x = 2\n\nStart at y = 1\n\nno path found\n"),
        ("002", "FALSE\n"),
        ("003", "Solved: False\nSteps: 0\n"),
        ("004", ""),
    ],
)
def test_no_tour_is_1(kt_cp, number, output):
    result = kt_cp("reference", "3x3", "--source", number, "--start", "b1")
    assert (result.code, result.out) == (1, output)
    assert result.err.count("\n") == 1
    assert "squares placed" in result.err
    result = kt_cp("reference", "3x3", "--source", number, "--start", "a1", "--json")
    document = json.loads(result.out)
    assert (document["verdict"], document["solved"]) == ("IMPOSSIBLE", False)
    assert document["exhausted"] is True
    assert document["placed"] == document["taken_back"] == 15


def test_missing_squares(kt_cp):
    result = kt_cp("reference", "5x5", "--source", "004", "--missing", "c3", "--limit", 1)
    assert result.code == 0
    assert [row.split().count(".") for row in result.out.splitlines()[:5]] == [0, 0, 1, 0, 0]
    assert "5x5 without c3 from a1" in result.err


@pytest.mark.parametrize("number", [number for number in NUMBERS if number != "004"])
def test_json_of_one_tour(kt_cp, number):
    result = kt_cp("reference", "5x5", "--source", number, "--start", "c3", "--json")
    document = json.loads(result.out)
    assert result.out.count("\n") == 1
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
    assert f"{document['placed']:,} squares placed" in result.err


def test_json_lines_of_004(kt_cp):
    result = kt_cp("reference", "5x5", "--source", "004", "--json")
    *tours, total = map(json.loads, result.out.splitlines())
    assert all(list(line) == ["tour"] for line in tours)
    assert len({tuple(line["tour"]) for line in tours}) == total["tours"] == 304
    assert total["exhausted"] is True
    assert "tour" not in total
    result = kt_cp("reference", "5x5", "--source", "004", "--json", "--limit", 3)
    *few, total = map(json.loads, result.out.splitlines())
    assert few == tours[:3]
    assert (total["tours"], total["exhausted"], total["verdict"]) == (3, False, "FOUND")


@pytest.mark.slow
def test_a_small_board_loads_no_compiler():
    code = running("reference", "5x5", "--start", "c3", "--source", "001")
    loaded = modules_after(code)
    assert "kt_cp" in loaded and not loaded & {"numba", "networkx", "ortools", "pysat"}


def test_a_wrong_tour_is_70(kt_cp, monkeypatch):
    def find_wrong_tour(problem, start, candidates, *, on_tour, **_):
        on_tour([start] * problem.size)

    monkeypatch.setattr(run_module, "search", find_wrong_tour)
    result = kt_cp("reference", "5x5", "--start", "a1")
    assert (result.code, result.out) == (70, "")
    assert "source 001 on 5x5, open, from a1: the judge refuses tour 1: " in result.err


def test_help_lists_the_five(kt_cp):
    help_text = " ".join(kt_cp("reference", "--help").out.split())
    for source in SOURCES:
        assert f"{source.number}, {source.name}: {source.summary}" in help_text


def test_the_start_in_three_ways(kt_cp):
    by_name = kt_cp("reference", "5x5", "--source", "001", "--start", "b4")
    assert "Start at x = 2\n\nStart at y = 4\n" in by_name.out
    assert kt_cp("reference", "5x5", "--source", "001", "--start", "4,2") == by_name
    assert kt_cp("reference", "5x5", "--source", "modula", "--at", "2,4") == by_name
    # All programs but 001, which asks, begin at their first corner.
    assert "from a1 by 000 (boolean)" in kt_cp("reference", "5x5", "--source", "000").err


@pytest.mark.slow
def test_001_reads_its_start(kt_cp, monkeypatch):
    arguments = ("reference", "5x5", "--source", "001")
    expected = kt_cp(*arguments, "--at", "2,4")
    monkeypatch.setattr(sys, "stdin", io.StringIO("2\n 4 \n"))
    assert kt_cp(*arguments) == expected
    monkeypatch.setattr(sys, "stdin", io.StringIO("2\n4\n"))
    assert kt_cp(*arguments, "--json") == kt_cp(*arguments, "--at", "2,4", "--json")
    # Without a tour, the prompts are not printed twice either.
    monkeypatch.setattr(sys, "stdin", io.StringIO("2\n1\n"))
    assert kt_cp("reference", "3x3").out == "Start at x = 2\n\nStart at y = 1\n\nno path found\n"


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ("", ["expected x there", "--start or --at", "reached the end of the input"]),
        ("3\n", ["expected y there", "reached the end of the input"]),
        ("3\n6\n", ["y from 1 to 5", "got '3,6'"]),
        ("0\n1\n", ["x from 1 to 5", "got '0,1'"]),
        ("c3\n1\n", ["expected x,y", "got 'c3,1'"]),
        ("1 2\n3\n", ["got '1 2,3'"]),
    ],
)
@pytest.mark.parametrize("options", [(), ("--json",)])
def test_bad_input_at_stdin(kt_cp, monkeypatch, typed, words, options):
    monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
    result = kt_cp("reference", "5x5", *options)
    assert result.code == 2
    assert result.err.count("\n") == 1
    assert all(word in result.err for word in words)
    assert options == () or result.out == ""
    # There is no prompt if the question is invalid in any case.
    refused(kt_cp("reference", "400x400"), "limited to 100,000 squares")
    monkeypatch.setattr(sys, "stdin", None)
    assert kt_cp("reference", "5x5").code == 2


def test_a_terminal_shows_what_is_typed(kt_cp, monkeypatch):
    class Terminal(io.StringIO):
        def isatty(self):
            return True

    monkeypatch.setattr(sys, "stdin", Terminal("3\n3\n"))
    result = kt_cp("reference", "5x5", "--json")
    assert result.out.startswith("{")
    assert result.err.startswith("Start at x = Start at y = 5x5 from c3 by 001")
    monkeypatch.setattr(sys, "stdin", Terminal("3\n3\n"))
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    assert kt_cp("reference", "5x5").out.startswith("Start at x = \nStart at y = \n   23")


def test_the_figure_of_the_moves(kt_cp):
    result = kt_cp("reference", "--moves")
    assert (result.code, result.err) == (0, "")
    figures = result.out.rstrip("\n").split("\n\n")
    assert len(figures) == 5
    for source, figure in zip(SOURCES, figures, strict=True):
        assert kt_cp("reference", "--source", source.name, "--moves").out == figure + "\n"
        heading, *rows, pairs = figure.splitlines()
        assert heading.startswith(f"{source.number} ({source.name}): ")
        cells = {
            cell: (row, column)
            for row, line in enumerate(rows)
            for column, cell in enumerate(line.split())
            if cell != "."
        }
        assert cells.pop("K") == (2, 2)
        assert len(cells) == 8
        listed = re.findall(r"([1-8]) \((-?[12]),(-?[12])\)", pairs)
        assert [(int(a), int(b)) for _, a, b in listed] == MOVES[source.number]
        for number, a, b in listed:
            # x goes to the right in 000 and 001; 003 and 004 go down along their first number.
            right, up = (a, b) if source.number in ("000", "001") else (b, a)
            down = int(up) if source.number in ("003", "004") else -int(up)
            assert cells[number] == (2 + down, 2 + int(right))
    assert "fewest moves on first" in figures[3]


BAD = [
    ([], "BOARD"),
    (["0x5"], "expected a board as ROWSxCOLUMNS", "got '0x5'"),
    (["five"], "got 'five'"),
    (["1000000000x1000000000"], "limited to 100,000 squares"),
    (["400x400", "--source", "004", "--recursion", "compiled"], "limited to 100,000 squares"),
    (["5x5", "--source", "005"], "000 (boolean), 001 (modula), 002 (decision)", "got '005'"),
    (["5x5", "--source", ""], "expected a source", "got ''"),
    (["5x5", "--source"], "--source"),
    (["5x5", "--start", "f1"], "start to be on the 5x5 board", "f1"),
    (["5x5", "--start", "0,1"], "--start: expected a square", "'0,1'"),
    (["5x5", "--start", "a1", "--at", "1,1"], "--start and --at", "'a1'", "'1,1'"),
    (["5x5", "--at", "0,3"], "--at: expected x,y with x from 1 to 5 and y from 1 to 5", "'0,3'"),
    (["5x6", "--at", "5,5", "--source", "000"], "x from 0 to 5 and y from 0 to 4", "'5,5'"),
    (["5x6", "--at", "0,6", "--source", "004"], "x from 0 to 4 and y from 0 to 5", "'0,6'"),
    (["5x5", "--at", "6,1", "--source", "ordered"], "rank from 1 to 5", "'6,1'"),
    (["5x5", "--at", "c3"], "--at: expected x,y", "'c3'"),
    (["5x5", "--at", "1,2,3"], "--at: expected x,y", "'1,2,3'"),
    (["5x5", "--at", ""], "--at: expected x,y", "''"),
    (["5x5", "--at", "-1,2"], "--at: expected x,y", "'-1,2'"),
    (["5x5", "--source", "000", "--missing", "a1"], "start on a square that is not missing", "a1"),
    (["5x5", "--at", "3,3", "--missing", "c3"], "start on a square that is not missing", "c3"),
    (["5x5", "--missing", "z9"], "missing squares on the 5x5 board"),
    (["5x5", "--source", "004", "--limit", "0"], "--limit", "got '0'"),
    (["5x5", "--source", "004", "--limit", "few"], "--limit", "got 'few'"),
    (["5x5", "--limit", "3"], "--limit is for 004", "001 (modula) stops at its first", "got 3"),
    (["5x5", "--recursion", "both"], "--recursion", "'both'", "compiled"),
    (["5x5", "--time-limit", "0"], "expected a time limit above 0, got 0.0"),
    (["5x5", "--time-limit", "nan"], "expected a time limit above 0, got nan"),
    (["--moves", "--source", "005"], "expected a source", "got '005'"),
    (["5x5", "--closed"], "No such option: --closed"),
    (["5x5", "5x5"], "5x5"),
]  # fmt: skip


@pytest.mark.parametrize("row", BAD, ids=lambda row: " ".join(row[0])[:40] or "nothing")
def test_bad_input(kt_cp, row):
    arguments, *words = row
    refused(kt_cp("reference", *arguments), *words)


def past_the_corners(rows, columns):
    """Return the two moves past each corner, in the judge's coordinates."""
    for flip in (False, True):
        for mirror in (False, True):
            for pair in (((0, 1), (2, 0)), ((0, 2), (1, 0))):
                yield {
                    (rows - 1 - r if flip else r, columns - 1 - c if mirror else c) for r, c in pair
                }


@pytest.mark.parametrize(
    ("board", "method", "start"),
    [
        ("6x6", "structured", "c4"),
        ("5x8", "structured", "a1"),
        ("3x10", "structured", "j3"),
        ("6x6", "structured-as-printed", "c4"),
        ("5x6", "structured-as-printed", "a1"),
        ("12x12", "divide", "f6"),
        ("14x16", "divide", "a1"),
        ("64x66", "divide", "bn64"),
    ],
)
def test_closed_tours_with_both_moves_past_every_corner(kt_cp, board, method, start):
    arguments = ["reference", board, "--source", "003", "--method", method, "--start", start]
    result = kt_cp(*arguments, "--json")
    document = json.loads(result.out)
    squares = [parse_square(name) for name in document["tour"]]
    problem = Problem(Board.parse(board), closed=True, start=parse_square(start))
    assert (result.code, document["verdict"], document["structured"]) == (0, "FOUND", True)
    assert document["problem"]["closed"] is True
    assert defects(problem, squares) == []
    moves = [set(move) for move in zip(squares, [*squares[1:], squares[0]], strict=True)]
    sides = problem.board.rows, problem.board.columns
    assert all(move in moves for move in past_the_corners(*sides))
    text = kt_cp(*arguments).out
    assert text.endswith(f"Solved: True\nSteps: {len(squares)}\nClosed: True\nStructured: True\n")


def test_what_the_structured_methods_cost(kt_cp):
    arguments = ("reference", "6x6", "--source", "003", "--method")
    assert kt_cp(*arguments, "structured").err == (
        "6x6, closed, from a1 by 003 (ordered), structured: 38 squares placed, 2 taken back\n"
    )
    assert kt_cp(*arguments, "structured-as-printed").err == (
        "6x6, closed, from a1 by 003 (ordered), structured-as-printed: "
        "3,065 squares placed, 3,029 taken back\n"
    )
    # The text's method has no other search to fall back on, and tries everything.
    result = kt_cp("reference", "3x8", "--source", "003", "--method", "structured-as-printed")
    assert (result.code, result.out) == (1, "Solved: False\nSteps: 0\n")


@pytest.mark.parametrize("board", ["7x7", "4x10", "3x8", "2x6"])
def test_no_structured_tour_is_a_definite_no(kt_cp, board):
    result = kt_cp("reference", board, "--source", "ordered", "--method", "structured")
    assert (result.code, result.out) == (1, "Solved: False\nSteps: 0\n")
    result = kt_cp("reference", board, "--source", "ordered", "--method", "structured", "--json")
    document = json.loads(result.out)
    assert (result.code, document["verdict"], document["tour"]) == (1, "IMPOSSIBLE", None)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["13x14", "--source", "003", "--method", "divide"], ["expected even sides", "13 by 14"]),
        (["6x40", "--source", "003", "--method", "divide"], ["neither more than twice the other"]),
        (["8x8", "--source", "001", "--method", "structured"], ["003's, got source 001"]),
        (["8x8", "--source", "003", "--method", "merge"], ["--method", "merge"]),
        (["8x8", "--source", "003", "--method", "divide", "--missing", "c3"], ["whole rectangle"]),
        (["600x600", "--source", "003", "--method", "structured"], ["at most 250,000 squares"]),
        (["2000x2000", "--source", "003", "--method", "divide"], ["at most 1,000,000 squares"]),
        (
            ["8x8", "--source", "003", "--method", "structured", "--recursion", "compiled"],
            ["--recursion is for the plain method"],
        ),
    ],
    ids=lambda value: " ".join(value)[:40],
)
def test_bad_input_for_closed_tours(kt_cp, arguments, words):
    refused(kt_cp("reference", *arguments), *words)


def test_a_wrong_closed_tour_is_an_unsound_one(kt_cp, monkeypatch):
    from kt_cp.sources import structured
    from kt_cp.sources.structured import structured_tour

    monkeypatch.setattr(structured, "divide_and_conquer", lambda *_: structured_tour(8, 8).tour)
    result = kt_cp("reference", "12x12", "--source", "003", "--method", "divide")
    assert (result.code, result.out) == (70, "")
    assert "source 003, divide, on 12x12" in result.err


@pytest.mark.parametrize(
    ("board", "method"), [("8x400", "structured"), ("10x10", "structured-as-printed")]
)
def test_a_time_limit_leaves_the_structured_tour_unknown(kt_cp, board, method):
    arguments = ("reference", board, "--source", "003", "--method", method)
    result = kt_cp(*arguments, "--time-limit", "0.1")
    assert (result.code, result.out) == (3, "")
    assert "the time limit was reached" in result.err


@pytest.mark.parametrize(
    "recursion", ["readable", pytest.param("compiled", marks=pytest.mark.slow)]
)
def test_the_time_limit_is_3(kt_cp, recursion):
    arguments = ("reference", "9x9", "--at", "1,1", "--recursion", recursion)
    began = time.monotonic()
    result = kt_cp(*arguments, "--time-limit", 0.3)
    assert time.monotonic() - began < 30
    message = "kt-cp: unknown whether there is a tour: the time limit of 0.3 s was reached\n"
    assert (result.code, result.out, result.err) == (3, "", message)
    result = kt_cp(*arguments, "--time-limit", 0.3, "--json")
    document = json.loads(result.out)
    assert (result.code, document["verdict"], document["tour"]) == (3, "UNKNOWN", None)
    assert document["solved"] is document["exhausted"] is False


@pytest.mark.slow
def test_the_time_limit_after_some_tours_is_3(kt_cp):
    result = kt_cp("reference", "6x6", "--source", "004", "--time-limit", 3)
    found = result.out.count("\n\n")
    assert result.code == 3
    assert found > 0
    assert f"another tour: the time limit of 3.0 s was reached after {found:,} tour" in result.err


@pytest.fixture
def busy_run():
    started = []

    def start(*arguments):
        result = subprocess.Popen(
            command_line("reference", *arguments),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment(),
            start_new_session=True,
        )
        started.append(result)
        wait_until(lambda: busy(psutil.Process(result.pid), 1.5))
        assert result.poll() is None
        return result

    yield start
    for process in started:
        process.kill()
        process.communicate()


@pytest.mark.slow
@pytest.mark.clock
@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
@pytest.mark.parametrize(
    "recursion", ["readable", pytest.param("compiled", marks=pytest.mark.slow)]
)
def test_ctrl_c_ends_it_at_once(kt_cp, busy_run, recursion):
    kt_cp(
        "reference", "3x4", "--start", "a1", "--recursion", recursion
    )  # which caches the compiled code
    run = busy_run("9x9", "--at", "1,1", "--recursion", recursion)
    assert end(run, signal.SIGINT) == (130, b"", b"kt-cp: interrupted\n")


@pytest.mark.slow
@pytest.mark.parametrize("options", [(), ("--json",)])
def test_nobody_reads_on(options):
    # There are half a million tours; the test reads only the first seven lines.
    run = subprocess.Popen(
        command_line("reference", "6x6", "--source", "004", *options),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(),
    )
    try:
        lines = [run.stdout.readline() for _ in range(7)]
        run.stdout.close()
        assert run.wait(20) == 0
        stderr = run.stderr.read().decode()
    finally:
        run.kill()
        run.stderr.close()
    assert all(lines[:6])
    assert (lines[6] == b"\n") is (not options)
    assert stderr.count("\n") == 1
    assert "and no more were requested" in stderr

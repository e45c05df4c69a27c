"""``kt-cp trace``: boards in every format, slices of a search, and bad input."""

from __future__ import annotations

import re
import time

import pytest

from kt_cp import Board, Problem
from kt_cp.formats.trace import frame_text
from kt_cp.render.animation import LONGEST_SIDE, MOST_BOARDS, MOST_STEPS
from kt_cp.sources.registry import SOURCES
from kt_cp.trust.reference import Trace
from tests.support.command_line import PATIENCE, documents, refused
from tests.test_startup import modules_after, running

SVG = "{http://www.w3.org/2000/svg}"


def test_boards_in_text(kt_cp):
    ran = kt_cp("trace", "4x4", "--from", 13, "--to", 15)
    assert (ran.code, ran.err) == (0, "")
    problem = Problem(Board(4, 4))
    order = SOURCES[2].candidates(problem)
    frames = Trace(problem, (0, 0), order, first=13, last=15)
    drawn = "".join(frame_text(problem.board, frame) for frame in frames)
    assert ran.out == drawn + (
        "Stopped after board 15, and the search goes on: 13 squares placed, 2 taken back.\n"
    )
    assert ran.out.count("\nBoard 14: back to move 12, d2 is free again\n") == 1


def test_a_whole_search(kt_cp):
    ran = kt_cp("trace", "5x5")
    boards = re.findall(r"^Board (\d+):", ran.out, flags=re.M)
    assert boards == [str(number) for number in range(1, len(boards) + 1)]
    assert ran.out.splitlines()[-1] == (
        "The search ends with a tour at board 2545: 1,285 squares placed, 1,260 taken back."
    )
    assert "·" not in ran.out.split("Board 2545:")[1]


def test_json_lines(kt_cp):
    ran = kt_cp("trace", "3x3", "--json", "--start", "c1", "--source", "modula")
    *steps, end = documents(ran)
    assert (ran.code, ran.err) == (0, "")
    assert [step["board"] for step in steps] == list(range(1, 31))
    assert steps[0]["path"] == ["c1"]
    assert list(end) == [
        "schema_version", "problem", "source", "ending", "given", "tours", "placed", "taken_back",
    ]  # fmt: skip
    assert end["problem"]["start"] == "c1"
    assert (end["source"], end["ending"]) == ("001", "exhausted")
    assert (end["placed"], end["taken_back"]) == (15, 15)
    events = [step["event"] for step in steps]
    assert (events.count("placed"), events.count("taken_back")) == (15, 15)


def test_a_slice_of_the_whole(kt_cp):
    whole = documents(kt_cp("trace", "4x4", "--json"))[:-1]
    for first, last in ((1, 1), (7, 30), (4440, 4446), (4446, 9999)):
        *part, end = documents(kt_cp("trace", "4x4", "--json", "--from", first, "--to", last))
        assert part == whole[first - 1 : last]
        assert end["ending"] == ("exhausted" if last >= 4446 else "stopped")


@pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.number)
def test_sources_by_number_and_by_name(kt_cp, source):
    asked = ("trace", "6x6", "--to", 40, "--json", "--source")
    by_number, by_name = kt_cp(*asked, source.number), kt_cp(*asked, source.name)
    assert by_number == by_name
    *steps, end = documents(by_number)
    assert end["source"] == source.number
    problem = Problem(Board(6, 6))
    first = list(Trace(problem, (0, 0), source.candidates(problem), last=40))
    assert [len(step["path"]) for step in steps] == [frame.move for frame in first]
    assert source.name in kt_cp("trace", "--help").out


def test_conditions(kt_cp):
    options = ("--missing", "c3", "--start", "a1", "--end", "e2")
    *steps, end = documents(kt_cp("trace", "5x5", "--json", "--source", "003", *options))
    assert end["problem"]["missing"] == ["c3"]
    assert (end["ending"], steps[-1]["knight"], len(steps[-1]["path"])) == ("tour", "e2", 24)
    ran = kt_cp("trace", "3x4", "--closed")
    assert "ends without a tour, everything tried," in ran.out.splitlines()[-1]


def test_beyond_the_end(kt_cp):
    ran = kt_cp("trace", "3x3", "--from", 31)
    assert (ran.code, ran.err) == (0, "")
    assert ran.out == (
        "There is no board 31. The search ends without a tour, everything tried, at board 30: "
        "15 squares placed, 15 taken back.\n"
    )
    (end,) = documents(kt_cp("trace", "3x3", "--from", 10**40, "--json"))
    assert (end["ending"], end["placed"]) == ("exhausted", 15)
    for shape in ("svg", "animation"):
        refused(kt_cp("trace", "3x3", "--from", 31, "--format", shape), "at most 30", "got 31")


def test_far_boards_are_there_soon(kt_cp):
    began = time.process_time()
    asked = ("trace", "8x8", "--json", "--from", 10_000_000, "--to", 10_000_003)
    *steps, _ = documents(kt_cp(*asked))
    assert time.process_time() - began < PATIENCE / 4
    assert [step["board"] for step in steps] == list(range(10_000_000, 10_000_004))


"""As document 002 draws it, if knight and cross are swapped at move 10; back to b1 after a3."""


BAD = [
    ([], "BOARD"),
    (["0x0"], "expected a board", "'0x0'"),
    (["8x8", "--source", "nope"], "expected a source, one of 000 (boolean)", "'nope'"),
    (["8x8", "--source", ""], "expected a source", "''"),
    (["8x8", "--start", "i9"], "start to be on the 8x8 board", "i9"),
    (["8x8", "--start", "zz"], "--start: expected a square", "'zz'"),
    (["8x8", "--missing", "a1"], "start on a square that is not missing", "a1"),
    (["8x8", "--end", "a1"], "start and end to differ"),
    (["8x8", "--closed", "--end", "b3"], "expected no end"),
    (["8x8", "--from", "0"], "--from", "got '0'"),
    (["8x8", "--from", "-3"], "--from", "got '-3'"),
    (["8x8", "--to", "0"], "--to", "got '0'"),
    (["8x8", "--to", "soon"], "--to", "got 'soon'"),
    (["8x8", "--to", "1.5"], "--to", "got '1.5'"),
    (["8x8", "--from", "9" * 5000], "--from", "got '999"),
    (["8x8", "--from", "5", "--to", "4"], "--to to be at least --from, which is 5, got 4"),
    (["8x8", "--json", "--format", "svg"], "contradict"),
    (["8x8", "--format", "gif"], "--format", "'gif'"),
    (["8x8", "--speed", "3"], "--speed is that of an animation", "text"),
    *(
        (["8x8", "--format", "animation", "--speed", speed], "expected a speed from 0.05 to 60")
        for speed in ("0", "-1", "nan", "inf", "61")
    ),
    (["8x8", "--format", "animation", "--speed", "fast"], "--speed", "got 'fast'"),
    (["4x4", "--format", "svg", "--to", str(MOST_BOARDS + 1)], "at most 400", "got 401", "--from"),
    (["4x4", "--format", "animation", "--to", str(MOST_STEPS + 1)], "4096", "got 4097", "--to"),
    ([f"{LONGEST_SIDE + 1}x4", "--format", "svg"], "sides of at most 32", "33x4"),
    (["4x65", "--format", "animation"], "sides of at most 64", "4x65"),
    (["2000x2000"], "at most 65,536 squares to be traced", "got 4,000,000"),
    (["1000000000x1000000000"], "65,536"),
    (["4x4", "-o", "no/such/place"], "cannot write no/such/place"),
    (["4x4", "--at", "5,1"], "--at: expected row,column", "'5,1'"),
    (["4x4", "--at", "1,1", "--start", "a1"], "--start and --at name one thing"),
    (["4x4", "--walk", ""], "--walk: expected squares such as 'a1 c2 d4', got ''"),
    (["4x4", "--walk", "a1 c2 nowhere"], "--walk: expected squares", "'nowhere'"),
    (["4x4", "--walk", "a1 c2 e3"], "square 3 of the walk", "got e3"),
    (["4x4", "--walk", "a1 b3", "--missing", "b3"], "square 2 of the walk", "got b3"),
    (["4x4", "--walk", "a1 c2 c2"], "expected another one than the last, got c2 again"),
    (["4x4", "--walk", "a1 c2", "--start", "a1"], "--walk begins with its own start", "got a1"),
    (["4x4", "--walk", "a1 c2", "--at", "1,1"], "--walk begins with its own start", "got a1"),
]


@pytest.mark.parametrize("row", BAD, ids=lambda row: " ".join(row[0])[:40] or "nothing")
def test_bad_input(kt_cp, row):
    arguments, *words = row
    refused(kt_cp("trace", *arguments), *words)


def test_help_loads_nothing_heavy():
    heavy = {"numpy", "numba", "networkx", "ortools", "pysat"}
    for arguments in (["trace", "--help"], ["trace", "8x8", "--from", "0"]):
        assert not modules_after(running(*arguments)) & heavy

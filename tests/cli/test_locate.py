"""``kt-cp locate``: one step or square of a tour on a board of any size."""

from __future__ import annotations

import json
import re
import time
from dataclasses import replace

import pytest

from kt_cp import Board, Problem, parse_square
from kt_cp.engines import construct
from kt_cp.engines.engine import found
from kt_cp.model.tour import Tour
from tests.examples.computed_tours import LARGE, PROBLEMS, Lying, built
from tests.support.command_line import refused, run_cli

ISSUE = ["1000000000x1000000000", "--closed"]
ANSWER = re.compile(r"step (\d+) of (\d+): ([a-z]+\d+) \(rank (\d+), file (\d+)\)\n")


def arguments_of(problem):
    """Return the arguments of the command line for a problem."""
    words = [str(problem.board), *["--closed"] * problem.closed]
    for end in ("start", "end"):
        square = getattr(problem, end)
        words += [] if square is None else [f"--{end}", f"{square[0] + 1},{square[1] + 1}"]
    return words


@pytest.mark.slow
@pytest.mark.parametrize(
    "problem",
    [*PROBLEMS, *(pytest.param(each, marks=pytest.mark.slow) for each in LARGE)],
    ids=lambda problem: problem.label,
)
def test_it_says_what_the_tour_says(kt_cp, problem):
    tour = built(problem)
    for step in (1, 2, tour.size // 3, tour.size):
        by_step = kt_cp("locate", *arguments_of(problem), "--step", step)
        row, column = square = tour.square(step)
        match = ANSWER.fullmatch(by_step.out)
        assert (by_step.code, bool(match)) == (0, True), by_step
        assert match[1] == str(step) and match[2] == str(tour.size)
        assert parse_square(match[3]) == square
        assert (match[4], match[5]) == (str(row + 1), str(column + 1))
        assert by_step.err == (
            f"{problem.label}: FOUND by construct; judged at this step and its neighbours\n"
        )
        for name in (match[3], match[3].upper(), f"{row + 1},{column + 1}"):
            assert kt_cp("locate", *arguments_of(problem), "--square", name).out == by_step.out


def test_the_lines_of_the_issue(kt_cp):
    for board in (ISSUE, ["1000000000x1000000001", "--closed"], ["1000000001x1000000001"]):
        for what in (("--step", 123456789012345678), ("--square", "5000,777")):
            began = time.process_time()
            result = kt_cp("locate", *board, *what)
            assert time.process_time() - began < 1
            assert result.code == 0
        assert "(rank 5000, file 777)" in result.out
    assert run_cli("locate", *ISSUE, "--square", "5000,777").code == 0


def test_sides_as_long_as_they_may_be(kt_cp):
    side = "9" * 18
    board = f"{side}x{side}"
    result = kt_cp("locate", board, "--step", (10**18 - 1) ** 2)
    assert result.code == 0
    assert ANSWER.fullmatch(result.out)[2] == str((10**18 - 1) ** 2)
    name = ANSWER.fullmatch(kt_cp("locate", board, "--square", f"{side},{side}").out)[3]
    assert kt_cp("locate", board, "--square", name).code == 0


def test_json(kt_cp):
    result = kt_cp("locate", *ISSUE, "--start", "c7", "--step", 10**17, "--json")
    document = json.loads(result.out)
    assert result.code == 0 and list(document) == [
        "schema_version", "problem", "verdict", "reason", "step", "steps", "square", "rank_file",
        "engine", "remarks",
    ]  # fmt: skip
    square = built(Problem(Board(10**9, 10**9), closed=True, start=(6, 2))).square(10**17)
    assert parse_square(document["square"]) == square
    assert document["rank_file"] == [square[0] + 1, square[1] + 1]
    assert (document["step"], document["steps"]) == (10**17, 10**18)
    assert (document["verdict"], document["engine"]) == ("FOUND", "construct")
    assert document["problem"]["start"] == "c7"
    assert document["remarks"] == {"verified": "judged at this step and its neighbours"}
    none = json.loads(kt_cp("locate", "3x3", "--step", 1, "--json").out)
    assert (none["verdict"], none["step"], none["square"]) == ("IMPOSSIBLE", None, None)
    assert none["reason"] == "b2 has no moves at all"


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["2x2"], "a1 has no moves"),
        (["3x3"], "b2 has no moves"),
        (["4x4"], "open-tour theorem"),
        (["1x1", "--closed"], "at least 3 squares"),
        (["5x5", "--start", "b1"], "b1 is not"),
        (["7x7", "--closed"], "25 dark squares and 24 light"),
        (["1000000001x1000000001", "--closed"], "500,000,001,000,000,001 dark squares"),
        (["1000000000x1000000000", "--start", "a1", "--end", "c1"], "changes colour"),
        (["999999999999999999x2"], "can only be an end of a tour"),
        (["4x1000000000", "--closed"], "Schwenk"),
    ],
)
def test_where_there_is_no_tour(kt_cp, words, reason):
    for what in (("--step", 1), ("--square", "a1")):
        result = kt_cp("locate", *words, *what)
        assert result.code == 1
        assert result.out.startswith(f"No tour ({words[0]}, ") and reason in result.out


def test_small_boards_have_answers_too(kt_cp):
    assert kt_cp("locate", "1x1", "--step", 1).out == "step 1 of 1: a1 (rank 1, file 1)\n"
    for board in ("3x4", "5x5", "4x5"):
        last = ANSWER.fullmatch(kt_cp("locate", board, "--step", 12).out)[3]
        assert kt_cp("locate", board, "--square", last).out.startswith("step 12 of ")
    result = kt_cp("locate", "8x8", "--missing", "c3", "--step", 63)
    assert result.code == 0 and result.out.startswith("step 63 of 63: ")
    result = kt_cp("locate", f"{10**9}x8", "--missing", "c3", "--step", 63)
    assert result.code == 3 and "missing squares" in result.err


@pytest.mark.parametrize(
    ("words", "messages"),
    [
        (["8x8"], ["expected either --step N or --square SQUARE"]),
        (["8x8", "--step", "1", "--square", "a1"], ["expected either --step N or --square"]),
        (["8x8", "--step", "0"], ["--step: expected a step from 1 to 64, got 0"]),
        (["8x8", "--step", "-1"], ["from 1 to 64, got -1"]),
        (["8x8", "--step", "65"], ["from 1 to 64, got 65"]),
        (["8x8", "--step", "9" * 40], ["from 1 to 64, got 999"]),
        (["8x8", "--step", "x"], ["--step", "got 'x'"]),
        (["8x8", "--step", "1.5"], ["--step", "got '1.5'"]),
        (["8x8", "--square", "zz"], ["--square: expected a square such as c5", "got 'zz'"]),
        (["8x8", "--square", ""], ["--square: expected a square"]),
        (["8x8", "--square", "a9"], ["--square: expected a square of the 8x8 board, got a9"]),
        (["8x8", "--square", "9,1"], ["a square of the 8x8 board, got 9,1"]),
        (["8x8", "--square", "0,1"], ["--square: expected a square such as"]),
        (["8x8", "--step", "1", "--start", "i1"], ["start to be on the 8x8 board, got i1"]),
        (["8x8", "--step", "1", "--closed", "--end", "h1"], ["expected no end, got h1"]),
        (["8x8", "--step", "1", "--missing", "a9"], ["missing squares on the 8x8 board, got a9"]),
        (["8by8", "--step", "1"], ["expected a board as ROWSxCOLUMNS", "'8by8'"]),
        (["0x8", "--step", "1"], ["each side at least 1", "'0x8'"]),
        ([f"{10**18}x8", "--step", "1"], ["at most 18 digits", f"{10**18}x8"]),
        (["--step", "1"], ["BOARD"]),
    ],
)  # fmt: skip
def test_bad_input(kt_cp, words, messages):
    refused(kt_cp("locate", *words), *messages)


def test_a_lie_is_70(kt_cp, monkeypatch):
    true = built(LARGE[0]).squares
    lie = Lying(true, places={true[10**17]: 5})

    def lying(problem, *, limits, seed, progress):
        return found("construct", problem, Tour(lie, True, problem.board), {}, seed)

    monkeypatch.setattr(construct, "ENGINE", replace(construct.ENGINE, solve=lying))
    result = kt_cp("locate", *ISSUE, "--step", 10**17 + 1)
    assert (result.code, result.out) == (70, "")
    assert "the judge refuses its tour" in result.err and "but its computed step is 6" in result.err
    assert kt_cp("locate", *ISSUE, "--step", 10**17 + 2).code == 0


def test_where_nothing_is_constructed_others_are_asked(kt_cp, monkeypatch):
    from kt_cp.construction.tiles import NoTileError

    def nothing(problem, seed):
        raise NoTileError("nothing today")

    monkeypatch.setattr("kt_cp.construction.construct.construct", nothing)
    result = kt_cp("locate", "8x8", "--closed", "--step", 5)
    assert (result.code, "FOUND by warnsdorff" in result.err) == (0, True)
    result = kt_cp("locate", *ISSUE, "--step", 5)
    assert (result.code, result.out) == (3, "")
    assert result.err == ("kt-cp: unknown: nothing was constructed: nothing today\n")
    document = json.loads(kt_cp("locate", *ISSUE, "--step", 5, "--json").out)
    assert (document["verdict"], document["step"], document["remarks"]) == ("UNKNOWN", None, {})


def test_of_a_seed(kt_cp, tmp_path):
    path = tmp_path / "t.names"
    made = ("12x12", "--closed", "--seed", "5")
    assert kt_cp("solve", *made, "--engine", "construct", "-o", path).code == 0
    names = path.read_text(encoding="utf-8").split()
    assert names[0] != "a1"
    for step in (1, 77):
        document = json.loads(kt_cp("locate", *made, "--step", step, "--json").out)
        assert document["square"] == names[step - 1]

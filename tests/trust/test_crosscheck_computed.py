"""The cross-check of computed tours: whichever way they are told, a lie is refused."""

from __future__ import annotations

from itertools import pairwise

import pytest

from kt_cp import Board, Problem, Tour, Verdict, solve
from kt_cp.engines import Engine
from kt_cp.engines.engine import found
from kt_cp.model.errors import UnsoundEngineError
from kt_cp.trust import crosscheck, reference
from tests.examples.computed_tours import PROBLEMS, Lying, built, exchanged

PROBLEM = Problem(Board(8, 9), closed=True)
SQUARES = built(PROBLEM).squares


def answered(problem, squares, seed=17):
    """The front door on an engine that answers just this."""

    def answer(problem, *, limits, seed, progress):
        tour = Tour(squares, problem.closed, problem.board)
        return found("liar", problem, tour, {}, seed)

    return solve(problem, Engine("liar", "", complete=True, solve=answer), seed=seed)


def refused(problem, squares, *words):
    with pytest.raises(UnsoundEngineError) as caught:
        answered(problem, squares)
    for word in ("engine liar says FOUND on", problem.label, "seed 17", *words):
        assert word in str(caught.value)


@pytest.fixture
def whole():
    """Small boards as they are: judged in every way and replayed."""


@pytest.fixture
def not_replayed(monkeypatch):
    monkeypatch.setattr(reference, "REPLAY_LIMIT", 35)


@pytest.fixture
def by_places(monkeypatch, not_replayed):
    monkeypatch.setattr(crosscheck, "JUDGED_SQUARES", 35)
    monkeypatch.setattr(crosscheck, "PLACES", 1000)


SIZES = ["whole", "not_replayed", "by_places"]


@pytest.fixture(params=SIZES)
def size(request):
    request.getfixturevalue(request.param)
    return request.param


@pytest.mark.parametrize("problem", PROBLEMS, ids=lambda problem: problem.label)
def test_true_tours_pass(problem, size):
    outcome = answered(problem, built(problem).squares)
    checks, remarks = outcome.checks, outcome.checks.remarks
    assert outcome.verdict is Verdict.FOUND and checks.agrees is None
    if size == "whole":
        assert (checks.verified, checks.replayed, set(remarks)) == (True, True, {"agrees"})
    elif size == "not_replayed":
        assert (checks.verified, checks.replayed) == (True, None)
        assert remarks["replayed"] == "judged but not replayed: more than 35 squares"
    else:
        assert (checks.verified, checks.replayed) == (None, None)
        assert remarks["replayed"] == "more than 35 squares"
        assert remarks["verified"] == "more than 35 squares: judged at 1,000 random places"


def test_what_the_command_line_says_of_it(kt_cp, size):
    ran = kt_cp("solve", "8x8", "--closed", "--engine", "construct")
    said = {
        "whole": "verified, replayed",
        "not_replayed": "verified; judged but not replayed: more than 35 squares",
        "by_places": "more than 35 squares: judged at 1,000 random places",
    }
    assert ran.code == 0 and ran.err.endswith(f"; {said[size]}\n")


def test_an_illegal_move_told_alike_in_every_way(size):
    refused(PROBLEM, exchanged(SQUARES, 30, 51), "illegal move ")
    refused(PROBLEM, exchanged(SQUARES, 0, 33), "illegal move ")


def test_a_wrong_square(size):
    refused(PROBLEM, Lying(SQUARES, squares={40: SQUARES[41]}), "the judge refuses its tour")
    refused(PROBLEM, Lying(SQUARES, squares={40: (8, 3)}), "d9 at step 41 is off the 8x9 board")


def test_a_wrong_step(size):
    refused(PROBLEM, Lying(SQUARES, places={SQUARES[40]: 41}), "when it is asked for, at 42")
    refused(PROBLEM, Lying(SQUARES, places={SQUARES[40]: None}), "unvisited when it is asked for")


def test_a_tour_too_long_or_too_short(size):
    for more in (-1, 1):
        with pytest.raises(UnsoundEngineError, match="liar says FOUND"):
            answered(PROBLEM, Lying(SQUARES, lengthened=more))


@pytest.mark.parametrize("cells", [
    {SQUARES[40]: 42}, {SQUARES[40]: 0}, {SQUARES[40]: 73}, {SQUARES[40]: -3},
    {SQUARES[40]: 42, SQUARES[41]: 41},
])  # fmt: skip
def test_a_wrong_array(cells, request):
    for size in SIZES[:2]:
        request.getfixturevalue(size)
        refused(PROBLEM, Lying(SQUARES, cells=cells), "the judge refuses its tour")


@pytest.mark.parametrize("walk", [{40: (0, 0)}, {40: SQUARES[41], 41: SQUARES[40]}, {71: (9, 9)}])
def test_a_wrong_walk(walk):
    refused(PROBLEM, Lying(SQUARES, walk=walk), "the judge refuses its tour")


@pytest.mark.parametrize("end", [{"start": (3, 3)}, {"end": (3, 3)}])
def test_wrong_ends(size, end):
    problem = Problem(Board(8, 9), **end)
    squares = built(Problem(Board(8, 9))).squares
    refused(problem, squares, "wrong start" if "start" in end else "wrong end")


def test_an_open_tour_for_a_closed_one(size):
    squares = built(Problem(Board(8, 9))).squares
    assert {abs(a - b) for a, b in zip(squares[0], squares[-1], strict=True)} != {1, 2}
    refused(PROBLEM, squares, "not closed")


def test_another_board(size):
    refused(PROBLEM, built(Problem(Board(9, 8), closed=True)).squares)


def test_places_are_evidence_and_no_proof(by_places, monkeypatch):
    # One wrong square among 72 is met by a thousand places, but hardly by three.
    lie = Lying(SQUARES, places={SQUARES[40]: 41})
    refused(PROBLEM, lie, "when it is asked for")
    monkeypatch.setattr(crosscheck, "PLACES", 3)
    outcome = answered(PROBLEM, lie)
    assert outcome.verified is None
    assert "judged at 3 random places" in outcome.checks.remarks["verified"]
    # The ends are always among them.
    refused(PROBLEM, Lying(SQUARES, places={SQUARES[71]: 3}), "when it is asked for")


@pytest.mark.parametrize("seed", range(3))
def test_the_seed_draws_the_places(by_places, monkeypatch, seed):
    asked = []
    true = crosscheck.place_defects

    def overheard(problem, tour, steps):
        asked.append(list(steps))
        return true(problem, tour, asked[-1])

    monkeypatch.setattr(crosscheck, "place_defects", overheard)
    for number in (seed, seed, seed + 1):
        answered(PROBLEM, SQUARES, number)
    assert asked[0] == asked[1] != asked[2] and asked[0][:2] == [1, 72]
    assert len(asked[0]) == crosscheck.PLACES + 2


def test_errors_hold_the_tour_where_that_is_of_use(monkeypatch):
    lie = Lying(SQUARES, walk={40: (0, 0)})
    with pytest.raises(UnsoundEngineError, match="; tour a1 "):
        answered(PROBLEM, lie)
    monkeypatch.setattr(crosscheck, "NAMED_SQUARES", 50)
    with pytest.raises(UnsoundEngineError) as caught:
        answered(PROBLEM, lie)
    assert "; tour" not in str(caught.value)


def test_what_is_written_is_what_was_judged(monkeypatch, kt_cp):
    # Text comes from the array: beyond the replay nothing else has been judged as a whole.
    from kt_cp.formats.table import Format
    from kt_cp.formats.write import outcome_text

    monkeypatch.setattr(reference, "REPLAY_LIMIT", 35)
    outcome = answered(PROBLEM, Lying(SQUARES, walk={40: (0, 0)}))
    names = outcome_text(outcome, Format.NAMES).split()
    assert names == built(PROBLEM).names
    assert all(here != there for here, there in pairwise(names))


def test_large_boards():
    outcome = solve(Problem(Board(1500, 1501), closed=True))
    assert (outcome.engine, outcome.verified, outcome.replayed) == ("construct", True, None)
    assert outcome.checks.remarks["replayed"] == (
        "judged but not replayed: more than 2,097,152 squares"
    )
    outcome = solve(Problem(Board(70_000, 70_000)))
    assert (outcome.engine, outcome.verified, outcome.replayed) == ("construct", None, None)
    assert outcome.checks.remarks["verified"] == (
        "more than 4,294,967,296 squares: judged at 10,000 random places"
    )


@pytest.mark.slow
def test_sixty_thousand_squares_are_replayed():
    outcome = solve(Problem(Board(249, 251)))
    assert (outcome.engine, outcome.verified, outcome.replayed) == ("construct", True, True)

"""The cross-check catches wrong engines and wrong computed tours."""

from __future__ import annotations

import importlib.metadata
import time
from dataclasses import replace
from itertools import pairwise

import networkx as nx
import pytest

from kt_cp import Board, Problem, Verdict, prove, solve
from kt_cp.engines import Engine
from kt_cp.engines.engine import found, impossible, unknown
from kt_cp.model.errors import UnsoundEngineError
from kt_cp.model.limits import Clock
from kt_cp.model.outcome import EvidenceKind
from kt_cp.model.tour import Tour
from kt_cp.trust import crosscheck, reference
from kt_cp.trust.crosscheck import (
    BUDGET,
    FEWEST,
    REFERENCE_SQUARES,
    SHARE,
    SQUARES_A_SECOND,
    cross_check,
)
from kt_cp.trust.judge import Rule
from kt_cp.trust.reference import Walk
from tests.examples.computed_tours import PROBLEMS, Lying, built, exchanged

SEED = 17
BOARD = Board(5, 6, missing={(2, 2), (4, 5)})
PROBLEM = Problem(BOARD, start=(0, 0))


@pytest.fixture(scope="module")
def tour():
    return list(solve(PROBLEM, "backtrack").tour)


def answered(problem, squares):
    """The front door on an engine that answers just this."""

    def answer(problem, *, limits, seed, progress):
        made = Tour(squares, problem.closed, problem.board)
        return found("liar", problem, made, {}, seed)

    engine = Engine("liar", "", complete=True, solve=answer, packages=("networkx",))
    return solve(problem, engine, seed=SEED)


def denied(problem):
    def answer(problem, *, limits, seed, progress):
        return impossible("liar", problem, EvidenceKind.CLAIMED, "claimed", {}, seed)

    return solve(problem, Engine("liar", "", complete=True, solve=answer), seed=SEED)


def test_a_right_tour_passes(tour):
    outcome = answered(PROBLEM, tour)
    assert (outcome.verified, outcome.replayed, outcome.checks.agrees) == (True, True, True)
    assert outcome.checks.remarks == {}


CORRUPTIONS = {
    Rule.OFF_BOARD: lambda tour: [*tour, (tour[-1][0] + 20, tour[-1][1] + 1)],
    Rule.MISSING: lambda tour: [*tour, (2, 2)],
    Rule.REPEATED: lambda tour: [*tour, tour[-2]],
    Rule.UNVISITED: lambda tour: tour[:-1],
    Rule.ILLEGAL_MOVE: lambda tour: [tour[0], *tour[2:6], tour[1], *tour[6:]],
    Rule.WRONG_START: lambda tour: tour[::-1],
}


@pytest.mark.parametrize("rule", CORRUPTIONS)
def test_every_defect_is_caught_at_the_front_door(rule, tour):
    squares = CORRUPTIONS[rule](tour)
    with pytest.raises(UnsoundEngineError) as caught:
        answered(PROBLEM, squares)
    message = str(caught.value)
    words = {
        Rule.OFF_BOARD: "is off the 5x6 board",
        Rule.MISSING: "missing square c3 used at step 29",
        Rule.REPEATED: "repeated at step 29, first at 27",
        Rule.UNVISITED: "1 square unvisited",
        Rule.ILLEGAL_MOVE: "illegal move from",
        Rule.WRONG_START: "wrong start",
    }
    assert words[rule] in message
    # All that is needed to repeat it.
    assert "engine liar says FOUND on 5x6 without c3, f5, open, from a1, seed 17" in message
    assert f"networkx {importlib.metadata.version('networkx')}" in message
    assert "python 3." in message and "kt_cp " in message
    assert message.endswith(" ".join(Tour(squares, board=BOARD).names))


def test_wrong_ends_and_open_ends(tour):
    with pytest.raises(UnsoundEngineError, match="wrong end"):
        answered(Problem(BOARD, end=tour[0]), tour)
    twelve = list(solve(Problem(Board(3, 4)), "backtrack").tour)
    with pytest.raises(UnsoundEngineError, match="not closed"):
        answered(Problem(Board(3, 4), closed=True), twelve)
    graph = nx.cycle_graph(5)
    with pytest.raises(UnsoundEngineError, match="no edge from 0 to 2"):
        answered(Problem(graph=graph, closed=True), [0, 2, 1, 3, 4])


def test_an_empty_tour_is_caught():
    with pytest.raises(UnsoundEngineError, match="30 squares unvisited"):
        answered(Problem(Board(5, 6)), [])


def test_a_false_no_is_caught_on_small_boards():
    for problem in (
        Problem(Board(5, 6)),
        Problem(Board(5, 6), closed=True),
        Problem(Board(3, 4)),
        Problem(graph=nx.cycle_graph(12), closed=True),
    ):
        with pytest.raises(
            UnsoundEngineError, match="reference backtracker decides FOUND"
        ) as caught:
            denied(problem)
        assert f"says IMPOSSIBLE on {problem.label}, seed 17" in str(caught.value)


def test_a_false_no_on_a_larger_board_is_caught_where_the_reference_finds_a_tour():
    with pytest.raises(UnsoundEngineError, match="decides FOUND"):
        denied(Problem(Board(6, 6)))


def test_a_false_yes_is_caught_by_a_reference_that_decides_otherwise(tour):
    answer = answered(PROBLEM, tour)
    with pytest.raises(UnsoundEngineError, match="decides IMPOSSIBLE"):
        cross_check(answer, lambda *_: (Verdict.IMPOSSIBLE, ""))


def test_a_replay_that_leaves_the_tour_is_caught(tour, monkeypatch):
    real = reference.replay
    monkeypatch.setattr(
        reference, "replay", lambda *args, **options: replace(real(*args), taken_back=1)
    )
    with pytest.raises(
        UnsoundEngineError, match="replay left its tour after 28 squares, 1 taken back"
    ):
        answered(PROBLEM, tour)


def test_unknown_passes_and_says_that_nothing_was_checked():
    outcome = cross_check(unknown("liar", PROBLEM, "no idea", {}, 0))
    assert outcome.verdict is Verdict.UNKNOWN
    checks = outcome.checks
    assert (checks.verified, checks.replayed, checks.agrees) == (None, None, None)
    assert checks.remarks == dict.fromkeys(
        ("verified", "replayed", "agrees"), "there is no answer to check"
    )


def test_checks_not_made_are_remarked():
    large = solve(Problem(Board(6, 6)), "warnsdorff")
    assert (large.verified, large.replayed, large.checks.agrees) == (True, True, None)
    assert large.checks.remarks == {
        "agrees": f"more than {REFERENCE_SQUARES} squares: the replay has to do"
    }
    none = solve(Problem(Board(4, 4)), "backtrack")
    assert (none.verified, none.replayed, none.checks.agrees) == (None, None, True)
    assert none.checks.remarks == {"verified": "there is no tour", "replayed": "there is no tour"}
    huge = denied(Problem(Board(2, 10**6)))
    assert huge.checks.remarks["agrees"].startswith(f"more than {FEWEST} squares")


def test_a_certified_no_does_not_wait_for_the_reference():
    # Two squares of one colour are missing: the plain recursion would place millions.
    outcome = solve(Problem(Board(5, 6, missing={(0, 0), (1, 1)})))
    assert outcome.certificate.kind == "colours"
    assert outcome.checks.agrees is None
    assert outcome.checks.remarks["agrees"] == "a checked certificate does instead"


@pytest.mark.parametrize(
    ("problem", "seconds", "most"),
    [
        (Problem(Board(7, 7), closed=True), 0.0, FEWEST),
        (Problem(Board(7, 7), closed=True), 1.0, SHARE * SQUARES_A_SECOND),
        (Problem(Board(7, 7), closed=True), 1e9, BUDGET),
        # Each square has 100 moves to look at in place of 8.
        (Problem(graph=nx.circulant_graph(401, range(1, 101, 2))), 0.0, FEWEST * 8 // 100),
    ],
    ids=["quick", "half the search", "most", "dense"],
)
def test_the_reference_places_no_more_than_a_share_of_the_search(
    problem, seconds, most, monkeypatch
):
    budgets = []

    def decide(_problem, *, budget, should_stop):
        budgets.append(budget)
        return Walk(None, False, budget, 0)

    monkeypatch.setattr(reference, "decide", decide)
    outcome = impossible("liar", problem, EvidenceKind.CLAIMED, "", {"solve_seconds": seconds}, 0)
    remark = cross_check(outcome).checks.remarks["agrees"]
    assert budgets == [most]
    assert remark == f"the reference did not decide within {most:.0f} squares placed".replace(
        "squares", "squares" if problem.board else "nodes"
    )


def test_seconds_cover_the_checks(monkeypatch):
    real = reference.replay

    def slow_replay(*args, **options):
        time.sleep(0.2)
        return real(*args, **options)

    monkeypatch.setattr(reference, "replay", slow_replay)
    outcome = solve(PROBLEM)
    counted = outcome.statistics
    assert counted["check_seconds"] >= 0.2
    assert outcome.seconds == counted["seconds"] >= counted["check_seconds"]
    proved = prove(Problem(Board(3, 4)))
    assert proved.seconds >= proved.statistics["check_seconds"] >= 0.2


def test_what_a_time_limit_leaves_no_time_for(tour):
    over = Clock(1e-9)
    answer = answered(PROBLEM, tour)
    checks = cross_check(answer, clock=over).checks
    # A small tour is judged all the same.
    assert (checks.verified, checks.replayed, checks.agrees) == (True, None, None)
    assert checks.remarks == {
        "replayed": "judged but not replayed: the time limit was reached",
        "agrees": "the time limit was reached",
    }
    large = solve(Problem(Board(250, 250)))
    unjudged = cross_check(large, clock=over)
    assert (unjudged.verdict, unjudged.tour, unjudged.limit) == (Verdict.UNKNOWN, None, "time")
    limit = "the time limit of 1e-09 s was reached"
    assert unjudged.reason == f"{limit} before the judge had seen the whole tour"


COMPUTED_PROBLEM = Problem(Board(8, 9), closed=True)
SQUARES = built(COMPUTED_PROBLEM).squares


def computed_outcome(problem, squares, seed=17):
    """The front door on an engine that answers just this."""

    def answer(problem, *, limits, seed, progress):
        tour = Tour(squares, problem.closed, problem.board)
        return found("liar", problem, tour, {}, seed)

    return solve(problem, Engine("liar", "", complete=True, solve=answer), seed=seed)


def refused(problem, squares, *words):
    with pytest.raises(UnsoundEngineError) as caught:
        computed_outcome(problem, squares)
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
    outcome = computed_outcome(problem, built(problem).squares)
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
    result = kt_cp("solve", "8x8", "--closed", "--engine", "construct")
    remarks = {
        "whole": "verified, replayed",
        "not_replayed": "verified; judged but not replayed: more than 35 squares",
        "by_places": "more than 35 squares: judged at 1,000 random places",
    }
    assert result.code == 0 and result.err.endswith(f"; {remarks[size]}\n")


def test_an_illegal_move_that_every_method_agrees_on(size):
    refused(COMPUTED_PROBLEM, exchanged(SQUARES, 30, 51), "illegal move ")
    refused(COMPUTED_PROBLEM, exchanged(SQUARES, 0, 33), "illegal move ")


def test_a_wrong_square(size):
    refused(
        COMPUTED_PROBLEM, Lying(SQUARES, squares={40: SQUARES[41]}), "the judge refuses its tour"
    )
    refused(
        COMPUTED_PROBLEM, Lying(SQUARES, squares={40: (8, 3)}), "d9 at step 41 is off the 8x9 board"
    )


def test_a_wrong_step(size):
    refused(
        COMPUTED_PROBLEM, Lying(SQUARES, places={SQUARES[40]: 41}), "but its computed step is 42"
    )
    refused(
        COMPUTED_PROBLEM,
        Lying(SQUARES, places={SQUARES[40]: None}),
        "but it has no computed step",
    )


def test_a_tour_too_long_or_too_short(size):
    for more in (-1, 1):
        with pytest.raises(UnsoundEngineError, match="liar says FOUND"):
            computed_outcome(COMPUTED_PROBLEM, Lying(SQUARES, lengthened=more))


@pytest.mark.parametrize("cells", [
    {SQUARES[40]: 42}, {SQUARES[40]: 0}, {SQUARES[40]: 73}, {SQUARES[40]: -3},
    {SQUARES[40]: 42, SQUARES[41]: 41},
])  # fmt: skip
def test_a_wrong_array(cells, request):
    for size in SIZES[:2]:
        request.getfixturevalue(size)
        refused(COMPUTED_PROBLEM, Lying(SQUARES, cells=cells), "the judge refuses its tour")


@pytest.mark.parametrize("walk", [{40: (0, 0)}, {40: SQUARES[41], 41: SQUARES[40]}, {71: (9, 9)}])
def test_a_wrong_walk(walk):
    refused(COMPUTED_PROBLEM, Lying(SQUARES, walk=walk), "the judge refuses its tour")


@pytest.mark.parametrize("end", [{"start": (3, 3)}, {"end": (3, 3)}])
def test_wrong_ends(size, end):
    problem = Problem(Board(8, 9), **end)
    squares = built(Problem(Board(8, 9))).squares
    refused(problem, squares, "wrong start" if "start" in end else "wrong end")


def test_an_open_tour_for_a_closed_one(size):
    squares = built(Problem(Board(8, 9))).squares
    assert {abs(a - b) for a, b in zip(squares[0], squares[-1], strict=True)} != {1, 2}
    refused(COMPUTED_PROBLEM, squares, "not closed")


def test_another_board(size):
    refused(COMPUTED_PROBLEM, built(Problem(Board(9, 8), closed=True)).squares)


def test_places_are_evidence_and_no_proof(by_places, monkeypatch):
    # One wrong square among 72 is met by a thousand places, but hardly by three.
    lie = Lying(SQUARES, places={SQUARES[40]: 41})
    refused(COMPUTED_PROBLEM, lie, "but its computed step is")
    monkeypatch.setattr(crosscheck, "PLACES", 3)
    outcome = computed_outcome(COMPUTED_PROBLEM, lie)
    assert outcome.verified is None
    assert "judged at 3 random places" in outcome.checks.remarks["verified"]
    # The ends are always among them.
    refused(COMPUTED_PROBLEM, Lying(SQUARES, places={SQUARES[71]: 3}), "but its computed step is")


@pytest.mark.parametrize("seed", range(3))
def test_the_seed_draws_the_places(by_places, monkeypatch, seed):
    places = []
    true = crosscheck.place_defects

    def overheard(problem, tour, steps):
        places.append(list(steps))
        return true(problem, tour, places[-1])

    monkeypatch.setattr(crosscheck, "place_defects", overheard)
    for number in (seed, seed, seed + 1):
        computed_outcome(COMPUTED_PROBLEM, SQUARES, number)
    assert places[0] == places[1] != places[2] and places[0][:2] == [1, 72]
    assert len(places[0]) == crosscheck.PLACES + 2


def test_errors_hold_the_tour_where_that_is_of_use(monkeypatch):
    lie = Lying(SQUARES, walk={40: (0, 0)})
    with pytest.raises(UnsoundEngineError, match="; tour a1 "):
        computed_outcome(COMPUTED_PROBLEM, lie)
    monkeypatch.setattr(crosscheck, "NAMED_SQUARES", 50)
    with pytest.raises(UnsoundEngineError) as caught:
        computed_outcome(COMPUTED_PROBLEM, lie)
    assert "; tour" not in str(caught.value)


def test_what_is_written_is_what_was_judged(monkeypatch, kt_cp):
    # Text comes from the array: beyond the replay nothing else has been judged as a whole.
    from kt_cp.formats.table import Format
    from kt_cp.formats.write import outcome_text

    monkeypatch.setattr(reference, "REPLAY_LIMIT", 35)
    outcome = computed_outcome(COMPUTED_PROBLEM, Lying(SQUARES, walk={40: (0, 0)}))
    names = outcome_text(outcome, Format.NAMES).split()
    assert names == built(COMPUTED_PROBLEM).names
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

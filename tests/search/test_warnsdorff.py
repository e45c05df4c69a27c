"""Warnsdorff's rule: the boards on which it must succeed, and giving up where it cannot."""

from __future__ import annotations

import networkx as nx
import pytest

from kt_cp import Board, Problem, Verdict, solve
from kt_cp.engines.run import run
from kt_cp.model.limits import Limits
from kt_cp.trust.judge import defects
from tests.support.exhaustive import more


def walk(problem, seed=0):
    """The engine alone, judged: the replay of these many boards has its own tests."""
    outcome = run("warnsdorff", problem, limits=Limits(seconds=20), seed=seed)
    assert outcome.verdict is Verdict.FOUND, f"{problem.label}, seed {seed}: {outcome.reason}"
    assert defects(problem, outcome.tour) == []
    return outcome


@pytest.mark.parametrize(
    "side",
    [
        *range(5, 42),
        *(
            pytest.param(side, marks=pytest.mark.slow)
            for side in more([52, 59, 60, 66, 70, 74], range(42, 101))
        ),
    ],
)
def test_squares_from_the_corner(side):
    # 41, 52, 59, 60, 66 and 74 are sides on which the plain rule is reported to fail.
    outcome = walk(Problem(Board(side, side), start=(0, 0)), seed=side % 3)
    assert outcome.statistics["restarts"] <= 2


@pytest.mark.parametrize("side", [5, 6, 7, 8])
def test_every_start_that_admits_a_tour(side):
    for row in range(side):
        for column in range(side):
            if side % 2 == 0 or (row + column) % 2 == 0:
                walk(Problem(Board(side, side), start=(row, column)))


@pytest.mark.parametrize("side", [6, 8, 10, 20, 50, 100])
def test_closed_squares(side):
    walk(Problem(Board(side, side), closed=True, start=(1, 2)))


def test_both_ends_on_the_chessboard():
    light = [(r, c) for r in range(8) for c in range(8) if (r + c) % 2]
    for end in light:
        walk(Problem(Board(8, 8), start=(0, 0), end=end))


def test_graphs_without_geometry():
    walk(Problem(graph=nx.random_regular_graph(4, 300, seed=1)))
    walk(Problem(graph=nx.random_regular_graph(5, 200, seed=2), closed=True))


def test_other_seeds_give_other_tours():
    tours = {walk(Problem(Board(8, 8)), seed).tour.squares for seed in range(5)}
    assert len(tours) == 5


def test_giving_up_is_no_proof():
    outcome = solve(Problem(Board(3, 7), start=(1, 3)), "warnsdorff")
    assert outcome.verdict is Verdict.UNKNOWN
    assert outcome.limit is None
    assert "gave up after 1000 restarts, which proves nothing" in outcome.reason


@pytest.mark.parametrize(
    ("name", "closed", "fewest"), [("6x6", True, 54), ("8x8", True, 60), ("8x8", False, 60)]
)
def test_another_seed_gives_another_tour(name, closed, fewest):
    problem = Problem(Board.parse(name), closed=closed)
    tours = [solve(problem, engine="warnsdorff", seed=seed).tour for seed in range(1, 61)]
    moves = {
        frozenset(map(frozenset, zip(tour, [*tour[1:], tour[0] if closed else None], strict=True)))
        for tour in (list(tour.squares) for tour in tours)
    }
    assert len(moves) >= fewest
    starts = {tour.squares[0] for tour in tours}
    assert len(starts) > 30 if not closed else starts == {(0, 0)}
    again = solve(problem, engine="warnsdorff", seed=60)
    assert again.tour == tours[-1]

"""Symmetric tours, counted as cycles of the quotient, against enumeration and known counts."""

from __future__ import annotations

import random

import pytest

from kt_cp import Board, Problem
from kt_cp.counting.frontier import METHOD
from kt_cp.model.orbits import MOVED
from tests.counting.test_frontier import enumerated


def of_random_symmetry(rng):
    """A problem whose tours are carried to themselves, with holes that are as well, as a rule."""
    piece = rng.choice(["knight", "knight", "wazir", "king"])
    sides = rng.choice([(3, 3), (2, 5), (4, 4)] if piece == "king" else [(3, 4), (4, 4), (4, 5)])
    motion = rng.choice(["half-turn", "left-right", "top-bottom", "quarter-turn", "diagonal"])
    if sides[0] != sides[1] and motion in ("quarter-turn", "diagonal"):
        motion = "half-turn"
    hole = rng.choice([None, *Board(*sides)])
    holes = {hole} if hole else set()
    for _ in range(3):
        holes |= {MOVED[motion](*each, *sides) for each in holes}
    board = Board(*sides, holes, surface=rng.choice(["plane", "plane", "torus", "klein"]))
    plain = Problem(board, piece=piece)
    squares, moves = list(plain.graph), list(plain.graph.edges)
    asked = {"closed": rng.random() < 0.5, "require": rng.sample(moves, rng.choice([0, 0, 1]))}
    if not asked["closed"] and rng.random() < 0.5:
        asked[rng.choice(["start", "end"])] = rng.choice(squares)
    return Problem(board, piece=piece, symmetry=motion, **asked)


def symmetric_as_enumerated(seeds):
    print(f"{seeds=}")
    some = 0
    for seed in seeds:
        problem = of_random_symmetry(random.Random(seed))
        if METHOD.refuses(problem) is None:
            many = enumerated(problem)
            assert METHOD.count(problem) == many, (seed, problem.label)
            some += many > 0
    return some


def test_symmetric_tours():
    assert symmetric_as_enumerated(range(30)) > 5


@pytest.mark.slow
def test_more_symmetric_tours():
    first = random.randrange(10**6)
    assert symmetric_as_enumerated(range(first, first + 100)) > 10


@pytest.mark.parametrize(
    ("board", "motion", "many"),
    # The first is Knuth's count, the others are those of enumerate.
    [
        ("8x8", "half-turn", 2_432_932),
        ("6x6", "quarter-turn", 10),
        ("10x10", "quarter-turn", 831_804),
    ],
)
def test_known_symmetric_tours(board, motion, many):
    assert METHOD.count(Problem(board, closed=True, symmetry=motion)) == many

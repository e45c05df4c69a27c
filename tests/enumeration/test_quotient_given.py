"""Tours with a symmetry and given steps: against all that have the symmetry."""

from __future__ import annotations

import random

import pytest

from kt_cp import Problem
from kt_cp.enumeration import Enumeration
from kt_cp.model.problem import changed
from tests.support.exhaustive import more

SEEDS = [1, *(pytest.param(k, marks=pytest.mark.slow) for k in range(more(4, 9)) if k != 1)]


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(
    ("board", "asked"),
    [
        ("6x6", {"closed": True, "symmetry": "half-turn"}),
        ("6x6", {"closed": True, "symmetry": "quarter-turn"}),
        ("4x5", {"symmetry": "half-turn"}),
        ("2x5", {"piece": "king", "closed": True, "symmetry": "top-bottom"}),
    ],
)
def test_with_given_steps(board, asked, seed):
    rng = random.Random(seed)
    problem = Problem(board, **asked)
    every = [tour.squares for tour in Enumeration(problem, directed=True)]
    tour = rng.choice(every)
    given = {tour[step]: step + 1 for step in rng.sample(range(len(tour)), rng.choice([1, 2, 3]))}
    turns = range(len(tour)) if problem.closed else [0]
    written = [each[turn:] + each[:turn] for each in every for turn in turns]
    fits = {each for each in written if all(each[s - 1] == at for at, s in given.items())}
    asked_for = changed(problem, given=given)
    listed = [tour.squares for tour in Enumeration(asked_for, directed=True)]
    assert set(listed) == fits and len(listed) == len(fits)
    once = [tour.squares for tour in Enumeration(asked_for, directed=False)]
    moves = {frozenset(map(frozenset, zip(t, t[1:] + t[:1], strict=True))) for t in fits}
    assert Enumeration(asked_for, directed=False).count() == len(once)
    if problem.closed:
        assert len(once) == len(moves)
    kinds = Enumeration(asked_for, directed=True, unique=True)
    assert sum(tour.class_size for tour in kinds) == len(fits)

"""From walks through orbits to tours, where one walk stands for many."""

from __future__ import annotations

from itertools import islice

import numpy as np
import pytest

from kt_cp import Board, Problem, defects
from kt_cp.enumeration import Enumeration
from kt_cp.enumeration.quotient import quotient_of
from kt_cp.enumeration.walks import Walker
from kt_cp.model.move_order import move_table


@pytest.mark.parametrize("length", [4, 9, 70])
def test_one_walk_may_stand_for_any_number_of_tours(length):
    """A king's closed tours of two ranks, mirrored: at each of the files but one, two ways on."""
    problem = Problem(Board(2, length), piece="king", closed=True, symmetry="top-bottom")
    everything = Enumeration(problem)
    assert everything.count() == 2 ** (length - 1)
    first = list(islice(Enumeration(problem), 200))
    assert len({tour.squares for tour in first}) == min(200, 2 ** (length - 1))
    assert not any(defects(problem, tour.squares) for tour in first)


@pytest.mark.parametrize("most", [1, 3])
def test_few_tours_are_made_at_a_time(most, monkeypatch):
    problem = Problem(Board(2, 7), piece="king", closed=True, symmetry="top-bottom")
    monkeypatch.setattr("kt_cp.enumeration.quotient.MOST_ROWS", most)
    quotient = quotient_of(problem, move_table(problem), directed=False)
    parts = []
    for job in quotient.jobs():
        walks = Walker(quotient.graph, job).next(room=99, steps=10**6)
        parts += quotient.tours(job, walks)
    assert max(map(len, parts)) <= 2 * most
    assert len({tuple(tour) for tour in np.concatenate(parts).tolist()}) == 2**6

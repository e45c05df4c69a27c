"""How much work a count will be: estimates that are right in the mean, and what is made of them."""

from __future__ import annotations

import random
from statistics import fmean

import networkx as nx
import pytest

from kt_cp import Problem
from kt_cp.enumeration import Enumeration
from kt_cp.enumeration.walks import ENOUGH, squares_to_place
from tests.support.exhaustive import more


def placed(everything):
    everything.count(workers=1)
    return everything.placed


@pytest.mark.slow
@pytest.mark.parametrize(
    "everything",
    [
        Enumeration("4x5"),
        *more([], [Enumeration("5x6", closed=True)]),
        *more([], [Enumeration("3x7", start="a1", directed=True)]),
        Enumeration("4x4", piece="king", end="b2"),
        Enumeration(Problem(graph=nx.petersen_graph())),
    ],
    ids=lambda it: it.problem.label,
)
def test_the_mean_is_the_truth(everything):
    graph, tasks = everything._by.ways.graph, everything._by.ways.tasks()
    rng = random.Random(1)
    mean = fmean(squares_to_place(graph, tasks, rng.random()) for _ in range(40))
    before = sum(len(task.job.prefix) for task in tasks)  # which a count has placed as well
    assert mean == pytest.approx(placed(everything) - before, rel=0.2)


def test_the_order_of_magnitude_is_told():
    assert 1e12 < Enumeration("8x8", closed=True).work() < 1e17
    assert Enumeration("30x30", closed=True).work() >= ENOUGH
    assert Enumeration("5x5", closed=True).work() == 0  # colours tell that there is none


def test_the_same_every_time():
    assert Enumeration("6x6").work() == Enumeration("6x6").work()

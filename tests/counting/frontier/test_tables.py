"""Tours by their numbers: each number has one tour, and each tour one number."""

from __future__ import annotations

from itertools import pairwise

import networkx as nx
import pytest

from kt_cp import Board, Problem
from kt_cp.counting.frontier.ranking import FrontierTables
from kt_cp.model.errors import InputError, NumberError
from tests.counting.test_frontier import DIRECTED, enumerated

QUESTIONS = [
    Problem("1x1"),
    Problem("3x4"),
    Problem("3x4", start="c1"),
    Problem("4x5", start="e4", end="a1"),
    Problem("5x6", closed=True, require=["a1-b3"]),
    Problem(Board(3, 4, surface="torus"), piece="wazir", closed=True),
    # A cycle would close before the last required edge, to the depot, is met.
    Problem(Board(3, 2, surface="torus"), piece="wazir", start="b2"),
    Problem(graph=nx.petersen_graph()),
    Problem(graph=nx.DiGraph(DIRECTED)),
    Problem(graph=nx.DiGraph(DIRECTED), closed=True, start=3),
]


@pytest.mark.parametrize("problem", QUESTIONS, ids=lambda each: each.label)
def test_numbers_and_tours(problem):
    tables = FrontierTables(problem)
    nodes = list(problem.graph) if problem.directed else problem.indexed.nodes
    found = set()
    for number in range(tables.size):
        walk = tables.tour(number)
        assert tables.number(walk) == number
        if problem.closed:
            assert tables.number(walk[1:] + walk[:1]) == number
        moves = [*pairwise(nodes[v] for v in walk)]
        moves += [(nodes[walk[-1]], nodes[walk[0]])] * problem.closed
        found.add(frozenset(moves if problem.directed else map(frozenset, moves)))
    assert len(found) == tables.size == enumerated(problem)


def test_of_no_tour():
    tables = FrontierTables(Problem("4x4"))
    assert tables.size == 0
    for wrong in (0, -1):
        with pytest.raises(NumberError):
            tables.tour(wrong)
    with pytest.raises(InputError, match="expected a tour of 4x4"):
        tables.number(range(16))


def test_no_tours():
    tables = FrontierTables(Problem("3x4"))
    tour = tables.tour(2)
    wrong = [tour[::2] + tour[1::2], [*tour[:6], *tour[:5:-1]], tour[:-1] + tour[:1]]
    for each in wrong:
        with pytest.raises(InputError, match="expected a tour of 3x4"):
            tables.number(each)
    with pytest.raises(NumberError, match="from 0 on below 8, got 8"):
        tables.tour(8)


@pytest.mark.slow
def test_closed_tours_of_6x6():
    tables = FrontierTables(Problem("6x6", closed=True))
    for number in range(0, 9862, 11):
        assert tables.number(tables.tour(number)) == number

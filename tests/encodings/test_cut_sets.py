"""Cuts of several cycles: both sides of each hang together, and none of them is left out."""

from __future__ import annotations

import random

import networkx as nx
import numpy as np
import pytest

from kt_cp import Problem
from kt_cp.encodings import get_encoding
from kt_cp.encodings.cnf import Cuts
from kt_cp.encodings.lazy import cut_sets
from kt_cp.engines.sat import add_cuts
from kt_cp.model.graph import IndexedGraph


def cycles_and_edges(rng):
    """Some cycles in a row, and edges between them that join most."""
    graph, label, first = nx.Graph(), [], 0
    for number in range(rng.randint(2, 7)):
        size = rng.randint(3, 5)
        nx.add_cycle(graph, range(first, first + size))
        label += [number] * size
        first += size
    for _ in range(rng.randint(1, 3 * (label[-1] + 1))):
        u, v = rng.sample(range(first), 2)
        if abs(label[u] - label[v]) in (1, 2):
            graph.add_edge(u, v)
    return graph, np.array(label)


def sets_of(graph, label, largest):
    edges = sorted(tuple(sorted(edge)) for edge in graph.edges)
    indexed = IndexedGraph(range(len(graph)), *np.array(edges).T)
    out = [
        [
            number
            for number, (u, v) in enumerate(edges)
            if (label[u] == which) != (label[v] == which)
        ]
        for which in range(label.max() + 1)
    ]
    to = np.cumsum([len(each) for each in out])
    bounds = np.stack([to - [len(each) for each in out], to], axis=1)
    leaving = np.array([number for each in out for number in each], dtype=np.int64)
    return edges, out, cut_sets(indexed, label, leaving, bounds, largest)


@pytest.mark.parametrize("seed", range(60))
def test_each_is_a_least_cut_and_says_what_the_cycles_say(seed):
    graph, label = cycles_and_edges(random.Random(seed))
    largest = int(np.bincount(label).argmax())
    edges, out, sets = sets_of(graph, label, largest)
    parts = nx.number_connected_components(graph)
    assert len({tuple(each.tolist()) for each in sets}) == len(sets) > 0
    for each in sets:
        cut = [edges[number] for number in each.tolist()]
        rest = graph.copy()
        rest.remove_edges_from(cut)
        assert all(label[u] != label[v] for u, v in cut)
        assert nx.number_connected_components(rest) == parts + bool(cut)
        for edge in cut:  # without any one of them it is none
            assert nx.has_path(nx.Graph([*rest.edges, edge]), *edge)
    for which, leaving in enumerate(out):
        within = [set(each.tolist()) <= set(leaving) for each in sets]
        assert any(within) or which == largest


class Told:
    """A solver that says what it is given."""

    def __init__(self):
        self.rows, self.clauses = [], []

    def add_atmost(self, literals, most):
        self.rows.append((literals, most))

    def add_clause(self, clause):
        self.clauses.append(clause)


def test_two_edges_leave_where_the_solver_can_be_told():
    prism = Problem(graph=nx.circular_ladder_graph(3), closed=True)
    lazy = get_encoding("lazy")
    cnf = lazy.native(prism)
    triangles = [False] + [
        abs(u - v) != 3 for u, v in zip(*(each.tolist() for each in (
            prism.indexed.tails, prism.indexed.heads)), strict=True)
    ]  # fmt: skip
    cuts = lazy.decode(cnf, triangles)
    assert cuts.two and len(cuts.clauses) == 1 and len(cuts.clauses[0]) == 3
    told = Told()
    assert add_cuts(told, cuts, in_rows=True) == 1
    assert told.rows == [([-x for x in cuts.clauses[0]], 1)] and told.clauses == []
    add_cuts(told, cuts)
    assert told.clauses == cuts.clauses
    for clause in ([], [5]):  # no way out, or a bridge
        told = Told()
        add_cuts(told, Cuts([clause], two=True), in_rows=True)
        assert told.clauses == [[1], [-1]] and told.rows == []
    add_cuts(told, Cuts([[5]]))
    assert told.clauses[2:] == [[5]]

"""Pairs of vertices and cuts of three edges, compared with a search over all."""

from __future__ import annotations

from itertools import combinations, pairwise
from random import Random

import networkx as nx
import numpy as np
import pytest

from kt_cp.search import numba_arrays
from kt_cp.search.three_cuts import three_cuts
from kt_cp.search.triconnected import VIRTUAL, split_components
from tests.examples.glued_graphs import glued
from tests.support.exhaustive import exhaustive


def arrays(graph, rng=None):
    """The number of nodes, and both ends of the edges."""
    edges = [(min(edge), max(edge)) for edge in graph.edges]
    for _ in range(bool(rng)):
        rng.shuffle(edges)
    ends = np.array(edges, dtype=np.int64).reshape(-1, 2)
    return len(graph), ends[:, 0], ends[:, 1]


def components_of(graph, rng=None):
    """Components as lists of edges, each with whether it is virtual."""
    size, tails, heads = arrays(graph, rng)
    found = split_components(size, tails, heads)
    if found is None:
        return None
    for u, v, edge in zip(found.tails, found.heads, found.edge, strict=True):
        assert edge == VIRTUAL or (tails[edge], heads[edge]) == (u, v)
    every = list(
        zip(found.tails.tolist(), found.heads.tolist(), (found.edge < 0).tolist(), strict=True)
    )
    return [every[begin:end] for begin, end in pairwise(found.bounds.tolist())]


def naive(edges):
    """Edges of the graphs that no pair separates, splitting at the first pair that does."""
    nodes = {node for edge in edges for node in edge}
    for pair in combinations(sorted(nodes), 2):
        left = nx.Graph(edges)
        left.remove_nodes_from(pair)
        pieces = [*nx.connected_components(left)]
        if len(pieces) > 1:
            parts = [{edge for edge in edges if piece & {*edge}} | {pair} for piece in pieces]
            return [found for part in parts for found in naive(part)]
    return [edges] if len(nodes) > 3 else []


def compared(cases):
    several = 0
    for seed in cases:
        rng = Random(seed)
        graph = glued(rng, rng.randrange(5, 13))
        if rng.random() < 0.3:
            graph = nx.gnp_random_graph(rng.randrange(3, 10), rng.choice([0.4, 0.6]), seed=seed)
        components = components_of(graph, rng)
        assert (components is None) == (not nx.is_biconnected(graph)), seed
        if components is None:
            continue
        for component in components:
            assert len({edge[:2] for edge in component}) == len(component) > 2, seed
        firm = [
            sorted(edge[:2] for edge in component)
            for component in components
            if len(component) > len({node for edge in component for node in edge[:2]})
        ]
        edges = {(min(edge), max(edge)) for edge in graph.edges}
        assert sorted(firm) == sorted(map(sorted, naive(edges))), seed
        real = [edge[:2] for component in components for edge in component if not edge[2]]
        assert len(set(real)) == len(real) and set(real) <= edges, seed
        several += len(firm) > 1
    return several


@exhaustive("components of graphs are those of a naive search", range(1_500), sample=25)
def test_components_are_those_of_a_naive_search(cases):
    several = compared(cases)
    assert several > len(cases) // 15 or len(cases) < 100  # a small sample may have hardly any


def test_a_vertex_that_cuts():
    for graph in (nx.path_graph(4), nx.star_graph(3), nx.Graph([(0, 1), (2, 3)])):
        assert components_of(graph) is None
    butterfly = nx.Graph([(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 2)])
    assert components_of(butterfly) is None


def test_long_cycles_and_chains_take_no_recursion():
    assert len(components_of(nx.cycle_graph(2_000))) == 1_998
    ladder = nx.circular_ladder_graph(1_000)
    (component,) = components_of(ladder)
    assert len(component) == 3_000


@pytest.mark.slow
def test_compiled_they_come_in_the_same_order(monkeypatch):
    graphs = [(seed, glued(Random(seed), 60, ways="vep"[seed % 3 :])) for seed in range(30)]
    found = []
    for vertices in (1_000, 0):
        monkeypatch.setattr(numba_arrays, "COMPILED", vertices)
        found.append([(components_of(each), three_cuts(*arrays(each))) for _, each in graphs])
    several = 0
    for (seed, _), (one, cuts), (other, others) in zip(graphs, *found, strict=True):
        assert one == other, seed
        assert [cut.tolist() for cut in cuts] == [cut.tolist() for cut in others], seed
        several += len(one) > 1 and len(cuts) > 0
    assert several > 5


def boundary(graph, inside):
    return [edge for edge in graph.edges if len({*edge} & inside) == 1]


def test_sets_that_three_edges_leave():
    found = 0
    for seed in range(25):
        rng = Random(seed)
        graph = glued(rng, rng.randrange(10, 22), ways="v")
        if not nx.is_biconnected(graph) or nx.edge_connectivity(graph) < 3:
            continue
        sets = [{*inside.tolist()} for inside in three_cuts(*arrays(graph))]
        for inside in sets:
            assert len(boundary(graph, inside)) == 3 and 3 <= len(inside) <= len(graph) / 2, seed
            assert len({node for edge in boundary(graph, inside) for node in edge}) == 6, seed
            near = inside.union(*(graph[node] for node in inside))
            assert all(other is inside or not near & other for other in sets), seed
        # A cut where two were glued is never overlooked altogether.
        exists = (
            any(
                len({node for edge in three for node in edge}) == 6
                and nx.number_connected_components(nx.Graph(set(graph.edges) - {*three})) > 1
                for three in combinations(graph.edges, 3)
            )
            if len(graph) < 14
            else bool(sets)
        )
        assert exists == bool(sets), seed
        found += bool(sets)
    assert found > 5

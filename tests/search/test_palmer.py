"""Palmer's algorithm: Ore's condition is enough, forced edges are used, and it may give up."""

from __future__ import annotations

import random
from itertools import pairwise

import networkx as nx
import numpy as np
import pytest

from kt_cp import Problem, solve
from kt_cp.search.palmer import dense_cycle


def find_cycle(graph, forced=(), seed=0):
    order = random.Random(seed).sample(range(len(graph)), len(graph))
    edges = np.array([*graph.edges()]).reshape(-1, 2)
    return dense_cycle(len(graph), edges[:, 0], edges[:, 1], forced, order=order)


def is_cycle(graph, cycle):
    pairs = [*zip(cycle, [*cycle[1:], cycle[0]], strict=True)]
    return sorted(cycle) == sorted(graph) and all(graph.has_edge(u, v) for u, v in pairs)


def ore(graph, more=0):
    """Whether two nodes that are not joined have so many neighbours together."""
    degree, least = dict(graph.degree), len(graph) + more
    return all(degree[u] + degree[v] >= least for u, v in nx.non_edges(graph))


def test_ores_condition_is_enough():
    rng, met = random.Random(5), 0
    for _ in range(300):
        size = rng.randint(3, 9)
        graph = nx.gnp_random_graph(size, rng.choice([0.5, 0.7, 0.9]), rng.randrange(10**6))
        cycle = find_cycle(graph, seed=rng.random())
        assert cycle is None or is_cycle(graph, cycle)
        met += ore(graph)
        assert cycle is not None or not ore(graph), [*graph.edges()]
    assert met > 50


def test_forced_edges_are_used():
    """With k edges that must be used, n + k neighbours are enough (Posa 1963)."""
    rng, met = random.Random(6), 0
    for _ in range(300):
        size = rng.randint(4, 10)
        graph = nx.gnp_random_graph(size, rng.choice([0.7, 0.9, 1.0]), rng.randrange(10**6))
        path = rng.sample(range(size), rng.randint(2, 3))
        forced = [(u, v) for u, v in pairwise(path) if graph.has_edge(u, v)]
        cycle = find_cycle(graph, forced, rng.random())
        if cycle is not None:
            assert is_cycle(graph, cycle)
            at = {vertex: place for place, vertex in enumerate(cycle)}
            assert all(abs(at[u] - at[v]) in (1, size - 1) for u, v in forced)
        met += ore(graph, len(forced))
        assert cycle is not None or not ore(graph, len(forced)), (forced, [*graph.edges()])
    assert met > 50


def test_it_gives_up():
    assert find_cycle(nx.path_graph(8)) is None
    assert find_cycle(nx.complete_graph(4), [(0, 1), (1, 2), (2, 3), (3, 0)]) is None
    assert find_cycle(nx.complete_graph(5), [(0, 1), (0, 2), (0, 3)]) is None
    edges = np.array([(u, v) for u in range(9) for v in range(u)])
    never = dense_cycle(9, edges[:, 0], edges[:, 1], should_stop=lambda: True)
    assert never is None


@pytest.mark.parametrize(
    "more",
    [
        {"closed": True},
        {"closed": True, "start": 7, "require": [(3, 5), (5, 90)], "forbid": [(0, 1)]},
        {},
        {"start": 4},
        {"end": 4},
        {"start": 4, "end": 9},
        {"start": 4, "end": 9, "require": [(4, 9)]},
    ],
)
def test_auto_asks_it_on_dense_graphs(more):
    graph = nx.gnp_random_graph(120, 0.4, seed=2)
    graph.add_edges_from([(3, 5), (5, 90), (0, 1), (4, 9)])
    outcome = solve(Problem(graph=graph, **more))
    if "require" in more and not more.get("closed"):
        assert outcome.tour is None
    else:
        assert outcome.engine == "auto" and outcome.verified and outcome.replayed
    other = solve(Problem(graph=graph, **more), seed=1)
    assert outcome.tour is None or other.tour != outcome.tour

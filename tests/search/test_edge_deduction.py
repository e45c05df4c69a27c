"""Rules and short searches of many small graphs, against the checker's rules and an oracle."""

from __future__ import annotations

from random import Random

import networkx as nx
import numpy as np
import pytest

from kt_cp import Problem
from kt_cp.search import numba_arrays
from kt_cp.search.edge_deduction import (
    CYCLE,
    NONE,
    OPEN,
    RULES,
    UNDECIDED,
    UNUSED,
    USED,
    deduce_edges,
)
from kt_cp.trust.check.frame import frame_of
from kt_cp.trust.check.state import Contradiction, State
from tests.oracles import held_karp
from tests.support.exhaustive import more


def problems(seed):
    """Four questions about small graphs, some with edges that must be used."""
    rng = Random(seed)
    for _ in range(4):
        size = rng.randrange(4, 10)
        edges = rng.randrange(size, 2 * size + 2)
        graph = nx.gnm_random_graph(size, edges, seed=rng.randrange(10**9))
        yield Problem(graph=graph, closed=True, require=rng.sample(list(graph.edges), 1))


def join_graphs(batch):
    """Their graphs, one after the other."""
    first = np.cumsum([0, *map(len, batch)])
    begins = list(zip(first[:-1], batch, strict=True))
    tails, heads = (
        np.concatenate([ends(each.indexed) + begin for begin, each in begins])
        for ends in (lambda graph: graph.tails, lambda graph: graph.heads)
    )
    must = np.concatenate([[e in each.forced for e in each.indexed.pairs()] for each in batch])
    return first, tails, heads, must


def test_the_rules_are_the_checkers_and_the_search_is_right():
    verdicts = []
    for seed in range(20):
        cases = [*problems(seed)]
        first, tails, heads, must = join_graphs(cases)
        rules, done = (deduce_edges(first, tails, heads, must, most) for most in (RULES, 1_000))
        for number, problem in enumerate(cases):
            exists = held_karp.of_problem(problem)
            assert done.graphs[number] == (CYCLE if exists else NONE), seed
            own = (first[number] <= tails) & (tails < first[number + 1])
            pairs = [*zip(tails[own] - first[number], heads[own] - first[number], strict=True)]
            try:
                state = State(frame_of(problem))
            except Contradiction:
                assert rules.graphs[number] == NONE, seed
                continue
            for (u, v), known in zip(pairs, rules.edges[own], strict=True):
                open_ = OPEN if v in state.open_[u] else UNUSED
                assert known == (USED if v in state.forced[u] else open_), seed
            verdicts.append(rules.graphs[number])
            if exists:
                used = done.edges[own] == USED
                cycle = nx.Graph(pair for pair, is_in in zip(pairs, used, strict=True) if is_in)
                assert nx.is_connected(cycle) and {d for _, d in cycle.degree} == {2}, seed
                assert len(cycle) == used.sum() == len(problem), seed
    assert {*verdicts} == {UNDECIDED, CYCLE}


def test_a_search_that_is_given_up_leaves_what_the_rules_deduced():
    graph = nx.petersen_graph()
    graph.add_edge(0, 10)
    graph.add_edge(10, 1)
    ends = np.array([sorted(edge) for edge in graph.edges])
    ends = ends[np.lexsort(ends.T[::-1])]
    arrays = np.array([0, 11]), ends[:, 0], ends[:, 1], np.zeros(len(ends), dtype=bool)
    rules, short, long = (deduce_edges(*arrays, most) for most in (RULES, 0, 100))
    assert rules.graphs[0] == short.graphs[0] == UNDECIDED
    assert (rules.edges == USED).sum() == 2 and (rules.edges == short.edges).mean() > 0.8
    assert long.graphs[0] == (
        CYCLE if held_karp.of_problem(Problem(graph=graph, closed=True)) else NONE
    )


@pytest.mark.slow
def test_compiled_it_is_the_same(monkeypatch):
    for seed in range(more(8, 20)):
        arrays = join_graphs([*problems(seed)])
        for most in (RULES, 0, 3, 1_000):
            found = []
            for vertices in (1_000, 0):
                monkeypatch.setattr(numba_arrays, "COMPILED", vertices)
                found.append(deduce_edges(*arrays, most))
            for one, other in zip(*found, strict=True):
                assert (one == other).all(), seed

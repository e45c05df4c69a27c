"""Digraphs that arcs lead through one way only, against networkx's own notion of reach."""

from __future__ import annotations

import random

import networkx as nx
import pytest

from kt_cp import Problem, Verdict, check
from kt_cp.engines.run import run
from kt_cp.model.limits import Limits
from kt_cp.proofs.reach import unreachable
from kt_cp.trust import reference


def test_never_where_there_is_a_tour():
    rng, said = random.Random(7), 0
    for _ in range(250):
        size = rng.randint(1, 6)
        graph = nx.gnp_random_graph(size, 0.35, rng.randrange(10**6), directed=True)
        arcs = rng.sample([*graph.edges()], min(2, graph.number_of_edges()))
        ends = [{"closed": True}, {}, {"start": 0}, {"end": 0}, {"start": 0, "end": size - 1}]
        more = rng.choice(ends[: 5 if size > 1 else 4])
        problem = Problem(graph=graph, **more, forbid=arcs if rng.random() < 0.3 else [])
        found, why = reference.decide(problem).squares, unreachable(problem)
        assert found is None or why is None, (problem.label, [*graph.edges()])
        said += why is not None
        graph.remove_edges_from(problem.forbid)
        if problem.closed:
            assert (why is None) == nx.is_strongly_connected(graph)
            assert why is None or check(why.certificate.to_json()).kind == "removal"
    assert said > 80


def halves(size, *bridges):
    """Two parts, each strongly connected and dense, and arcs between them."""
    one = nx.gnp_random_graph(size, 0.5, seed=1, directed=True)
    nx.add_cycle(one, range(size))
    graph = nx.disjoint_union(one, one)
    graph.add_edges_from(bridges)
    return nx.relabel_nodes(graph, {0: "first"})


def test_large_ones_are_seen_at_once():
    one_way = halves(60, *((node, 60 + node) for node in range(60)))
    assert unreachable(Problem(graph=one_way, closed=True)).certificate.kind == "removal"
    assert unreachable(Problem(graph=one_way, start="first")) is None
    assert unreachable(Problem(graph=one_way, start=70)).text.startswith("no way leads from 70 to ")
    assert unreachable(Problem(graph=halves(60))).text.endswith(", nor back")


@pytest.mark.slow
@pytest.mark.parametrize("asked", [{"closed": True}, {}, {"start": 20}])
def test_auto_asks_first(asked):
    # Without the cross-check: for a second opinion the reference would place 200,000 nodes.
    outcome = run("auto", Problem(graph=halves(20), **asked), limits=Limits(60), seed=0)
    assert outcome.verdict is Verdict.IMPOSSIBLE and outcome.engine == "auto"
    assert outcome.certificate is not None or "no way leads" in outcome.reason

"""Parts of graphs: where they are looked for."""

from __future__ import annotations

from itertools import combinations

import networkx as nx

from kt_cp import Problem, solve


def test_small_graphs_are_looked_at_though_they_have_many_edges():
    """Three cliques at a triangle, and a node joined to all: search alone finds no reason."""
    graph = nx.complete_graph("abc")
    for corner in "abc":
        members = [corner, *(f"{corner}{each}" for each in range(11))]
        graph.add_edges_from([*combinations(members, 2), *(("top", each) for each in members)])
    problem = Problem(graph=graph, closed=True)
    assert len(problem.indexed.tails) > 6 * problem.size
    outcome = solve(problem)
    assert outcome.certificate is not None
    assert outcome.certificate.kind == "split"

"""Graphs of the user's own: what is copied, what is left out, and what is said of it."""

from __future__ import annotations

import pickle
import random

import networkx as nx
import pytest

from kt_cp import Problem
from kt_cp.model.errors import NotTakenError, ProblemError
from kt_cp.model.graph import index_graph
from kt_cp.model.problem import changed
from kt_cp.model.simple_graph import simple_copy

KINDS = (nx.Graph, nx.DiGraph, nx.MultiGraph, nx.MultiDiGraph)


@pytest.mark.parametrize("kind", KINDS)
def test_a_copy_is_what_networkx_makes_of_it(kind):
    """Same nodes, edges and neighbours in the same order as if the edges were added one by one."""
    rng = random.Random(16)
    for _ in range(60):
        nodes = rng.sample(range(20), rng.randint(1, 9))
        graph = kind()
        graph.add_nodes_from(nodes)
        graph.add_edges_from(
            (rng.choice(nodes), rng.choice(nodes)) for _ in range(rng.randint(0, 30))
        )
        copy, remarks = simple_copy(graph)
        plain = nx.DiGraph() if graph.is_directed() else nx.Graph()
        plain.add_nodes_from(nodes)
        plain.add_edges_from((u, v) for u, v in graph.edges() if u != v)
        assert [*copy] == nodes and type(copy) is type(plain)
        assert {u: [*row] for u, row in copy.adjacency()} == {u: [*plain[u]] for u in nodes}
        assert all([*copy[u]] == [*plain[u]] for u in nodes)
        assert nx.utils.edges_equal(copy.edges(), plain.edges(), directed=graph.is_directed())
        if graph.is_directed():
            assert all({*copy.pred[u]} == {*plain.pred[u]} for u in nodes)
        else:
            pairs = sorted(sorted((nodes.index(u), nodes.index(v))) for u, v in plain.edges())
            assert index_graph(copy).pairs() == [*map(tuple, pairs)]
        assert bool(remarks) == (plain.number_of_edges() < graph.number_of_edges())
        with pytest.raises(nx.NetworkXError):
            copy.add_edge("new", nodes[0])


@pytest.mark.parametrize(
    ("graph", "remark"),
    [
        (nx.Graph([(1, 2), (2, 2)]), "1 self-loop plays no part in a tour"),
        (nx.MultiGraph([(1, 2), (2, 1)]), "1 parallel edge plays no part in a tour"),
        (nx.MultiDiGraph([(1, 2), (2, 1)]), None),
        (nx.MultiDiGraph([(1, 2)] * 3), "2 parallel arcs play no part in a tour"),
        (
            nx.MultiGraph([(1, 1), (1, 1), (1, 2), (1, 2)]),
            "2 self-loops and 1 parallel edge play no part in a tour",
        ),
        (nx.path_graph(3), None),
    ],
)
def test_what_is_left_out_is_said(graph, remark):
    problem = Problem(graph=graph)
    assert problem.remarks == ((remark,) if remark else ())
    assert changed(problem, closed=True).remarks == problem.remarks
    assert pickle.loads(pickle.dumps(problem)).remarks == problem.remarks
    assert problem == Problem(graph=problem.graph)


def test_directed_questions():
    arcs = [(1, 2), (2, 3), (3, 1), (2, 1)]
    problem = Problem(graph=nx.DiGraph(arcs), closed=True, require=[(2, 3)], forbid=[(2, 1)])
    assert problem.directed and problem.require == ((2, 3),) and problem.forbid == ((2, 1),)
    assert problem.label == "digraph with 3 nodes and 4 arcs, closed, with 2->3, without 2->1"
    assert not Problem(graph=nx.Graph(arcs)).directed and not Problem("3x4").directed
    assert Problem(graph=nx.DiGraph(arcs)) != Problem(graph=nx.Graph(arcs))
    assert Problem(graph=nx.DiGraph([(1, 2)])) != Problem(graph=nx.DiGraph([(2, 1)]))
    assert changed(problem, closed=False).require == problem.require
    with pytest.raises(NotTakenError, match="undirected"):
        _ = problem.indexed


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"require": [(3, 2)]}, "required arcs to be arcs of the digraph, got 3->2"),
        ({"forbid": [(1, 1)]}, "between two squares, got 1 twice"),
        ({"require": [(1, 2)], "forbid": [(1, 2)]}, "1->2 to be required or forbidden, got both"),
        ({"require": [(2, 1), (2, 3)]}, "at most one required arc from a node, got 2 from 2"),
        ({"require": [(2, 1), (3, 1)]}, "at most one required arc to a node, got 2 to 1"),
        ({"start": 9}, "start to be in the graph, got 9"),
    ],
)
def test_directed_questions_that_make_no_sense(asked, message):
    with pytest.raises(ProblemError, match=message):
        Problem(graph=nx.DiGraph([(1, 2), (2, 1), (2, 3), (3, 1)]), **asked)


def test_arcs_are_for_directed_graphs_and_edges_for_the_others():
    arc = Problem(graph=nx.DiGraph([(1, 2)]), require=[(1, 2)]).conditions
    edge = Problem(graph=nx.Graph([(1, 2)]), require=[(1, 2)]).conditions
    with pytest.raises(ProblemError, match="required edges as edges, not arcs, got 1->2"):
        Problem(graph=nx.Graph([(1, 2)]), conditions=arc)
    with pytest.raises(ProblemError, match="required arcs as pairs, from tail to head, got 1-2"):
        Problem(graph=nx.DiGraph([(1, 2)]), conditions=edge)

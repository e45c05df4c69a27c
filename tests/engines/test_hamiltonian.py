"""hamiltonian_cycle and hamiltonian_path: lists of nodes, None, and exceptions as in networkx."""

from __future__ import annotations

import inspect
import math

import networkx as nx
import numpy as np
import pytest
from scipy.sparse import coo_matrix, csr_array

from kt_cp import (
    InputError,
    ProblemError,
    Undecided,
    hamiltonian_cycle,
    hamiltonian_path,
    solve,
)
from kt_cp.testing import oracle
from tests.support.exhaustive import exhaustive


def is_path(graph, path):
    return sorted(path, key=str) == sorted(graph, key=str) and nx.is_path(graph, path)


@pytest.mark.parametrize("kind", [nx.Graph, nx.DiGraph, nx.MultiGraph, nx.MultiDiGraph])
def test_trivial_graphs(kind):
    empty, one, two = kind(), kind([("a", "a")]), kind([("a", "b"), ("b", "a"), ("b", "b")])
    assert hamiltonian_cycle(empty) is None and hamiltonian_path(empty) == []
    assert hamiltonian_cycle(one) is None and hamiltonian_path(one) == ["a"]
    assert hamiltonian_path(one, source="a", target="a") == ["a"]
    assert hamiltonian_cycle(two) == (["a", "b"] if two.is_directed() else None)
    assert hamiltonian_path(two, target="a") == ["b", "a"]
    assert hamiltonian_path(two, "a", "a") is None
    apart = kind()
    apart.add_nodes_from("ab")
    assert hamiltonian_cycle(apart) is None and hamiltonian_path(apart) is None


def test_answers():
    graph = nx.petersen_graph()
    assert hamiltonian_cycle(nx.complete_bipartite_graph(4, 5)) is None
    path = hamiltonian_path(graph, 0, target=7, time_limit=60, seed=3)
    assert is_path(graph, path) and (path[0], path[-1]) == (0, 7)
    assert hamiltonian_path(nx.star_graph(3)) is None
    cycle = hamiltonian_cycle(nx.dodecahedral_graph(), engine="backtrack")
    assert is_path(nx.dodecahedral_graph(), [*cycle]) and len(cycle) == 20
    arcs = nx.DiGraph([(0, 1), (1, 2), (2, 0), (0, 2)])
    assert hamiltonian_cycle(arcs) == [0, 1, 2]
    assert hamiltonian_path(arcs, source=0, target=1) is None


def test_a_tournament_has_a_path():
    graph = nx.algorithms.tournament.random_tournament(12, seed=4)
    assert is_path(graph, hamiltonian_path(graph))
    assert is_path(graph, nx.algorithms.tournament.hamiltonian_path(graph))


@pytest.mark.parametrize("ends", [{"source": 9}, {"target": "x"}, {"source": 0, "target": 9}])
def test_nodes_that_are_not_there(ends):
    for graph in (nx.path_graph(3), nx.DiGraph([(0, 1)]), nx.Graph()):
        with pytest.raises(nx.NodeNotFound, match=r"node .* not in graph"):
            hamiltonian_path(graph, **ends)


def test_what_is_no_graph():
    ragged, wide = [(1, 2), (1, 2, 3)], np.ones((2, 3))
    for value in (None, 3, "3x4", nx.Graph, ragged, [{}, {}], wide, object()):
        for function in (hamiltonian_cycle, hamiltonian_path):
            with pytest.raises(ProblemError, match="expected a networkx graph, edges"):
                function(value)
    with pytest.raises(ProblemError, match="got the class Graph"):
        hamiltonian_cycle(nx.Graph)
    with pytest.raises(InputError, match="engine"):
        hamiltonian_cycle(nx.cycle_graph(5), engine="magic")


SQUARE = np.array([[0, 1, 0, 1], [1, 0, 1, 0], [0, 1, 0, 1], [1, 0, 1, 0]])


@pytest.mark.parametrize(
    "graph",
    [
        [(0, 1), (1, 2), (2, 3), (3, 0)], iter([[0, 1], [1, 2], [2, 3], [3, 0]]),
        {0: [1, 3], 1: [2], 2: [3]}, {0: {1: {}, 3: {}}, 2: {1: {}, 3: {}}},
        SQUARE, csr_array(SQUARE), coo_matrix(SQUARE),
    ],
)  # fmt: skip
def test_what_networkx_converts_is_a_graph(graph):
    assert is_path(nx.cycle_graph(4), hamiltonian_cycle(graph))


def test_graphs_of_other_kinds_are_problems():
    assert solve([("a", "b"), ("b", "c")], start="c").tour.names == ["c", "b", "a"]
    assert len(hamiltonian_path({"a": ["b"], "b": ["c"]}, source="c")) == 3
    assert hamiltonian_cycle(nx.cycle_graph(5), time_limit=math.inf)


def test_undecided_is_no_answer():
    with pytest.raises(Undecided, match=r"graph with 10 nodes and 15 edges, closed: .*gave up"):
        hamiltonian_cycle(nx.petersen_graph(), engine="warnsdorff")
    with pytest.raises(Undecided, match=r"time limit of 0\.001 s"):
        graph = nx.random_regular_graph(3, 400, seed=1)
        hamiltonian_path(graph, 0, 1, time_limit=0.001, engine="sat")


def test_shaped_as_networkx_shapes_its_functions():
    parameters = {**inspect.signature(hamiltonian_path).parameters}
    assert [*parameters] == ["G", "source", "target", "time_limit", "seed", "engine"]
    for function in (hamiltonian_cycle, hamiltonian_path):
        for section in ("Parameters", "Returns", "Raises", "See Also", "Examples"):
            assert f"{section}\n---" in inspect.getdoc(function)


def against_the_oracle(graph):
    cycle, path = hamiltonian_cycle(graph), hamiltonian_path(graph)
    assert (cycle is not None) == oracle.exists(graph, True), [*graph.edges()]
    assert (path is not None) == oracle.exists(graph, False), [*graph.edges()]
    assert cycle is None or (is_path(graph, cycle) and graph.has_edge(cycle[-1], cycle[0]))
    assert path is None or is_path(graph, path)


ATLAS = 1 + 1 + 2 + 6 + 21 + 112 + 853


def atlas(least, most):
    """Return all connected graphs of a size: 1, 1, 2, 6, 21, 112 and 853 for 1 to 7 nodes."""
    from networkx.generators.atlas import graph_atlas_g

    return [g for g in graph_atlas_g() if least <= len(g) <= most and nx.is_connected(g)]


def test_all_of_the_atlas_is_asked():
    assert len(atlas(1, 5)) == 31 and len(atlas(1, 7)) == ATLAS


@exhaustive("graphs of the atlas have their cycles and paths", range(ATLAS), sample=12)
def test_the_atlas(cases):
    graphs = atlas(1, 7)
    for number in cases:
        against_the_oracle(graphs[number])

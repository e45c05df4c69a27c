"""Knight graphs and other simple graphs: what is copied, left out and reported."""

from __future__ import annotations

import pickle
import random
import re

import networkx as nx
import numpy as np
import pytest

from kt_cp import Board, Problem, Verdict, knight_graph, solve
from kt_cp.model import graph as graphs
from kt_cp.model.errors import NotTakenError, ProblemError
from kt_cp.model.graph import index_board, index_graph
from kt_cp.model.piece import Piece
from kt_cp.model.problem import changed
from kt_cp.model.simple_graph import simple_copy
from kt_cp.testing import oracle
from kt_cp.trust.judge import defects

BOARDS = [
    Board(1, 1),
    Board(1, 9),
    Board(2, 2),
    Board(2, 7),
    Board(3, 3),
    Board(5, 6),
    Board(6, 5, missing={(0, 0), (3, 3)}),
    Board(8, 8),
]


@pytest.mark.parametrize("board", BOARDS, ids=lambda board: board.label)
def test_same_graph_as_measured(board):
    measured = oracle.knight_graph(board.rows, board.columns, board.missing)
    graph = knight_graph(board)
    assert type(graph) is nx.Graph
    assert list(graph) == list(board)
    assert nx.utils.graphs_equal(graph, measured)


@pytest.mark.parametrize("side", range(3, 12))
def test_number_of_edges(side):
    # 4(k - 1)(k - 2) edges on a square board
    assert knight_graph(Board(side, side)).number_of_edges() == 4 * (side - 1) * (side - 2)


@pytest.mark.parametrize("board", BOARDS, ids=lambda board: board.label)
def test_numbered_graph(board):
    graph = knight_graph(board)
    for indexed in (index_board(board), index_graph(graph)):
        assert list(indexed.nodes) == list(graph)
        for vertex, node in enumerate(indexed.nodes):
            assert [indexed.nodes[u] for u in indexed.neighbours[vertex]] == sorted(graph[node])
            assert indexed.degrees[vertex] == graph.degree(node)
        assert len(indexed.components) == nx.number_connected_components(graph)
        assert indexed.pairs() == sorted(indexed.pairs())
        assert (indexed.tails < indexed.heads).all()


@pytest.mark.parametrize("piece", ["knight", "king", "1,4+2,3"])
@pytest.mark.parametrize("board", BOARDS, ids=lambda board: board.label)
def test_small_and_large_boards_are_numbered_alike(monkeypatch, board, piece):
    listed = index_board(board, Piece.parse(piece))
    assert "tails" not in vars(listed)
    monkeypatch.setattr(graphs, "LISTED_SQUARES", 0)
    arrays = index_board(board, Piece.parse(piece))
    assert "neighbours" not in vars(arrays)
    for degree in range(9):
        assert listed.vertices_below(degree) == arrays.vertices_below(degree)
    assert listed.components == arrays.components
    assert listed.colours == arrays.colours
    assert listed.neighbours == arrays.neighbours
    for name in ("tails", "heads", "degrees"):
        one, other = getattr(listed, name), getattr(arrays, name)
        assert one.dtype == other.dtype == np.int64
        assert one.tolist() == other.tolist()


def test_colours():
    colours = index_board(Board(5, 5)).colours
    assert colours[0] == 0
    assert colours.count(0) == 13
    assert index_graph(nx.complete_graph(3)).colours is None
    assert index_graph(nx.path_graph(4)).colours == [0, 1, 0, 1]


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
        expected = nx.DiGraph() if graph.is_directed() else nx.Graph()
        expected.add_nodes_from(nodes)
        expected.add_edges_from((u, v) for u, v in graph.edges() if u != v)
        assert [*copy] == nodes and type(copy) is type(expected)
        assert {u: [*row] for u, row in copy.adjacency()} == {u: [*expected[u]] for u in nodes}
        assert all([*copy[u]] == [*expected[u]] for u in nodes)
        assert nx.utils.edges_equal(copy.edges(), expected.edges(), directed=graph.is_directed())
        if graph.is_directed():
            assert all({*copy.pred[u]} == {*expected.pred[u]} for u in nodes)
        else:
            pairs = sorted(sorted((nodes.index(u), nodes.index(v))) for u, v in expected.edges())
            assert index_graph(copy).pairs() == [*map(tuple, pairs)]
        assert bool(remarks) == (expected.number_of_edges() < graph.number_of_edges())
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
def test_remarks_name_what_is_ignored(graph, remark):
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
    ("conditions", "message"),
    [
        ({"require": [(3, 2)]}, "required arcs to be arcs of the digraph, got 3->2"),
        ({"forbid": [(1, 1)]}, "between two squares, got 1 twice"),
        ({"require": [(1, 2)], "forbid": [(1, 2)]}, "1->2 to be required or forbidden, got both"),
        ({"require": [(2, 1), (2, 3)]}, "at most one required arc from a node, got 2 from 2"),
        ({"require": [(2, 1), (3, 1)]}, "at most one required arc to a node, got 2 to 1"),
        ({"start": 9}, "start to be in the graph, got 9"),
    ],
)
def test_directed_questions_that_make_no_sense(conditions, message):
    with pytest.raises(ProblemError, match=message):
        Problem(graph=nx.DiGraph([(1, 2), (2, 1), (2, 3), (3, 1)]), **conditions)


def test_arcs_are_for_directed_graphs_and_edges_for_the_others():
    arc = Problem(graph=nx.DiGraph([(1, 2)]), require=[(1, 2)]).conditions
    edge = Problem(graph=nx.Graph([(1, 2)]), require=[(1, 2)]).conditions
    with pytest.raises(ProblemError, match="required edges as edges, not arcs, got 1->2"):
        Problem(graph=nx.Graph([(1, 2)]), conditions=arc)
    with pytest.raises(ProblemError, match="required arcs as pairs, from tail to head, got 1-2"):
        Problem(graph=nx.DiGraph([(1, 2)]), conditions=edge)


BOARDISH = re.compile(r"\b(squares?|moves?|board|pieces?|knight)\b")
NONE = {
    "two": (nx.path_graph(2), {"closed": True}),
    "ends": (nx.star_graph(3), {}),
    "leaf": (nx.path_graph(4), {"closed": True}),
    "isolated": (nx.star_graph(4), {"forbid": [(0, 1)]}),
    "apart": (nx.disjoint_union(nx.cycle_graph(3), nx.cycle_graph(4)), {}),
    "bridge": (nx.barbell_graph(4, 1), {"closed": True}),
    "bipartite": (nx.complete_bipartite_graph(3, 5), {}),
    "between": (nx.complete_bipartite_graph(3, 3), {"start": 0, "end": 1}),
    "cases": (nx.petersen_graph(), {"closed": True}),
    "required": (nx.complete_graph(5), {"require": [(0, 1), (1, 2), (2, 0)]}),
    "forbidden": (nx.cycle_graph(5), {"closed": True, "forbid": [(0, 1)]}),
    "given end": (nx.star_graph(2), {"start": 1, "end": 0}),
}


@pytest.mark.parametrize("engine", ["auto", "reference"])
@pytest.mark.parametrize("name", NONE)
def test_why_a_graph_has_no_tour(name, engine):
    graph, conditions = NONE[name]
    outcome = solve(Problem(graph=graph, **conditions), engine=engine)
    assert outcome.verdict is Verdict.IMPOSSIBLE
    assert not BOARDISH.search(outcome.reason), outcome.reason
    assert engine == "reference" or re.search("node|edge|graph", outcome.reason)


@pytest.mark.parametrize(
    "conditions",
    [
        {"require": [(0, 2)]},
        {"forbid": [(0, 2)]},
        {"start": 9},
        {"require": [(0, 9)]},
        {"given": {9: 1}},
        {"piece": "zebra"},
        {"start": 0, "end": 0},
        {"symmetry": "half-turn"},
    ],
    ids=str,
)
def test_what_a_graph_cannot_be_asked(conditions):
    with pytest.raises(ProblemError) as raised:
        Problem(graph=nx.cycle_graph(5), **conditions)
    message = str(raised.value).replace("piece is for boards", "").replace("of a board", "")
    assert not BOARDISH.search(message), message


def test_a_node_takes_two_required_edges():
    with pytest.raises(ProblemError, match="two required edges at a node, got 3 at 0"):
        Problem(graph=nx.complete_graph(4), require=[(0, 1), (0, 2), (0, 3)])


def test_what_is_wrong_with_a_walk_on_a_graph():
    problem = Problem(graph=nx.cycle_graph(5), closed=True, require=[(0, 1)])
    for walk in ([0, 2, 1, 1, 9], [0, 4], []):
        messages = [str(each) for each in defects(problem, walk)]
        assert messages and not any(map(BOARDISH.search, messages)), messages
    assert "no edge from 0 to 2 at step 2" in map(str, defects(problem, [0, 2]))
    assert "required edge 0-1 not made" in map(str, defects(problem, [0, 4]))
    forbidden = Problem(graph=nx.cycle_graph(5), forbid=[(0, 1)])
    messages = [str(each) for each in defects(forbidden, [4, 3, 2, 1, 0])]
    assert messages == ["forbidden edge 0-1 made between steps 4 and 5"]


def test_rows_of_a_matrix_are_not_taken_for_edges():
    with pytest.raises(ProblemError, match="a matrix as a NumPy array, got a list of rows"):
        Problem(graph=[[0, 1, 1], [1, 0, 1], [1, 1, 0]])

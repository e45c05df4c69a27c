"""The knight graph, against a graph made by measuring every pair of squares."""

from __future__ import annotations

import networkx as nx
import pytest

from kt_cp import Board, knight_graph
from kt_cp.model.graph import index_board, index_graph
from kt_cp.testing import oracle

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


def test_colours():
    colours = index_board(Board(5, 5)).colours
    assert colours[0] == 0
    assert colours.count(0) == 13
    assert index_graph(nx.complete_graph(3)).colours is None
    assert index_graph(nx.path_graph(4)).colours == [0, 1, 0, 1]

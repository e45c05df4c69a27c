"""The definition of a structured tour, independent of the package."""

from __future__ import annotations

import networkx as nx

from kt_cp import Board, Problem, solve
from kt_cp.sources.numbered_board import Tour
from kt_cp.sources.structured import structured_tour
from kt_cp.trust.judge import defects


def corner_moves(ranks, files):
    """Return the eight moves of algorithm 4's tests, independent of `corner_edges`."""
    one = [
        ((1, 2), (3, 1)),
        ((1, 3), (2, 1)),
        ((1, files - 1), (3, files)),
        ((1, files - 2), (2, files)),
        ((ranks - 2, 1), (ranks, 2)),
        ((ranks - 1, 1), (ranks, 3)),
        ((ranks - 2, files), (ranks, files - 1)),
        ((ranks - 1, files), (ranks, files - 2)),
    ]
    return {frozenset(move) for move in one}


def assert_structured(tour, ranks, files):
    """Assert that a tour is structured, by the judge and by its moves."""
    assert (tour.ranks, tour.files, tour.size) == (ranks, files, ranks * files)
    assert defects(Problem(Board(ranks, files), closed=True), tour.squares) == []
    moves = zip(tour.path, tour.path[1:] + tour.path[:1], strict=True)
    assert corner_moves(ranks, files) <= {frozenset(move) for move in moves}
    assert tour.structured
    assert_numbered(tour)


def assert_numbered(tour):
    """Assert that the board, the steps and the path agree."""
    expected = [[0] * tour.files for _ in range(tour.ranks)]
    for step, (rank, file) in enumerate(tour.path, start=1):
        expected[rank - 1][file - 1] = step
    assert tour.board == expected
    assert tour.steps == len(tour.path)


def found(ranks, files, **options):
    return structured_tour(ranks, files, **options).tour


def closed_tour_without(here, there):
    """Return a closed tour of 6x6 without one move, which is not allowed."""
    graph = nx.Graph(Problem(Board(6, 6)).graph)
    graph.remove_edge(*((rank - 1, file - 1) for rank, file in (here, there)))
    squares = solve(Problem(graph=graph, closed=True), engine="backtrack").tour
    return Tour.along(6, 6, [(row + 1, column + 1) for row, column in squares])

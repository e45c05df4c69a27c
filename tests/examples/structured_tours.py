"""What a structured tour is, written out so as not to share the package's own account of it."""

from __future__ import annotations

import networkx as nx

from kt_cp import Board, Problem, solve
from kt_cp.sources.numbered_board import Tour
from kt_cp.sources.structured import structured_tour
from kt_cp.trust.judge import defects


def corner_moves(ranks, files):
    """The eight moves of algorithm 4's tests, written out so as not to share `corner_edges`."""
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
    """By the judge and by the moves themselves, not by what the tour says of itself."""
    assert (tour.ranks, tour.files, tour.size) == (ranks, files, ranks * files)
    assert defects(Problem(Board(ranks, files), closed=True), tour.squares) == []
    moves = zip(tour.path, tour.path[1:] + tour.path[:1], strict=True)
    assert corner_moves(ranks, files) <= {frozenset(move) for move in moves}
    assert tour.structured
    assert_numbered(tour)


def assert_numbered(tour):
    """The board, the steps and the path say the same."""
    expected = [[0] * tour.files for _ in range(tour.ranks)]
    for step, (rank, file) in enumerate(tour.path, start=1):
        expected[rank - 1][file - 1] = step
    assert tour.board == expected
    assert tour.steps == len(tour.path)


def found(ranks, files, **options):
    return structured_tour(ranks, files, **options).tour


def closed_tour_without(here, there):
    """A closed tour of 6x6 that does not make one move, since it may not."""
    graph = nx.Graph(Problem(Board(6, 6)).graph)
    graph.remove_edge(*((rank - 1, file - 1) for rank, file in (here, there)))
    squares = solve(Problem(graph=graph, closed=True), engine="backtrack").tour
    return Tour.along(6, 6, [(row + 1, column + 1) for row, column in squares])

"""The question a certificate is about, as one kind: a cycle through all vertices of a graph.

An open tour becomes a cycle by way of its *ends*: one or two vertices more, joined to the squares
at which a tour may begin or end.  A tour of an even number of squares has ends of different
colours, so a board then gets two, one for each colour, joined by an edge that must be used; with an
odd number both ends have the commoner colour, and one vertex does.  A graph without a board gets
one, joined to every node.  A prescribed end is an edge that must be used; where both are
prescribed, the ends are joined to these alone.

Every open tour of at least two squares, and every closed one of at least three, is such a cycle
through the edges that must be used; so where no such cycle exists, no tour does.

The checker has its own knight arithmetic here and does not use :mod:`kt_cp.graph`, nor
:mod:`kt_cp.cycle`, so that an error there cannot carry a false proof through.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from kt_cp.board import Board, square_name
from kt_cp.problem import Problem
from kt_cp.proofs.check.refusal import Reason, Refusal

END = "end"
"""Name of the ends' vertices: every square is joined to one of them at most."""

MOST_SQUARES = 250_000
"""Larger boards are not laid out square by square: some hundred megabytes."""

_MOVES = ((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2))


@dataclass(frozen=True)
class Frame:
    """A problem as a cycle through all vertices.

    Attributes
    ----------
    problem : Problem
    names : list of str
        Of the vertices: squares in reading order from a1, then one or two ends of an open tour.
    squares : int
        How many vertices are squares.
    neighbours : list of list of int
        Of each vertex, ascending.
    must : list of (int, int)
        Edges that every such cycle uses, smaller vertex first.
    """

    problem: Problem
    names: list[str]
    squares: int
    neighbours: list[list[int]]
    must: list[tuple[int, int]]

    def __len__(self) -> int:
        return len(self.names)

    @cached_property
    def number(self) -> dict[Any, int]:
        """Vertex of each square, or node of a graph."""
        nodes = self.problem.graph if self.problem.board is None else self.problem.board
        return {node: vertex for vertex, node in enumerate(nodes)}

    @property
    def ends(self) -> range:
        """The vertices that stand for ends of an open tour."""
        return range(self.squares, len(self.names))

    def edges(self) -> list[tuple[int, int]]:
        """Every edge once, smaller vertex first, in lexicographic order."""
        return [(u, v) for u, row in enumerate(self.neighbours) for v in row if u < v]


def frame_of(problem: Problem) -> Frame:
    """Lay a problem out as a cycle.

    Raises
    ------
    Refusal
        If the problem is too large, or so small that it has no such form.

    Examples
    --------
    >>> frame = frame_of(Problem(Board(3, 4)))
    >>> len(frame), frame.names[12:], frame.must
    (14, ['end', 'end'], [(12, 13)])
    """
    size = problem.size
    if size > MOST_SQUARES:
        raise Refusal(Reason.TOO_LARGE, f"expected at most {MOST_SQUARES:,} squares, got {size:,}")
    if size < (3 if problem.closed else 2):
        raise Refusal(Reason.WRONG_QUESTION, f"this evidence is for larger boards: {size} squares")
    if problem.board is not None:
        return _board_frame(problem, problem.board)
    return _graph_frame(problem)


def moves_at(problem: Problem, square: Any) -> int:
    """How many moves a knight has on a square, however large the board; or a node's degree."""
    board = problem.board
    if board is None:
        return len(problem.graph[square])
    row, column = square
    return sum((row + down, column + across) in board for down, across in _MOVES)


def knight_neighbours(board: Board) -> tuple[list[tuple[int, int]], list[list[int]]]:
    """Squares of a board in reading order, and the numbers of each one's neighbours."""
    squares = list(board)
    number = {square: vertex for vertex, square in enumerate(squares)}
    rows = []
    for row, column in squares:
        reached = ((row + down, column + across) for down, across in _MOVES)
        rows.append(sorted(number[square] for square in reached if square in number))
    return squares, rows


def _board_frame(problem: Problem, board: Board) -> Frame:
    squares, neighbours = knight_neighbours(board)
    names = [square_name(square) for square in squares]
    if problem.closed:
        return Frame(problem, names, len(names), neighbours, [])
    colour = [(row + column) % 2 for row, column in squares]
    if len(squares) % 2:
        common = int(2 * sum(colour) > len(squares))
        ends = [[vertex for vertex, shade in enumerate(colour) if shade == common]]
        end_of = [0, 0]
    else:
        ends = [[v for v, shade in enumerate(colour) if shade == which] for which in (0, 1)]
        end_of = [0, 1]
    prescribed = [squares.index(end) for end in (problem.start, problem.end) if end is not None]
    joins = [(vertex, end_of[colour[vertex]]) for vertex in prescribed]
    return _with_ends(problem, names, neighbours, ends, joins)


def _graph_frame(problem: Problem) -> Frame:
    graph = problem.graph
    nodes = list(graph)
    number = {node: vertex for vertex, node in enumerate(nodes)}
    neighbours = [sorted(number[other] for other in graph[node]) for node in nodes]
    names = [str(node) for node in nodes]
    if problem.closed:
        return Frame(problem, names, len(names), neighbours, [])
    prescribed = [number[end] for end in (problem.start, problem.end) if end is not None]
    everyone = list(range(len(nodes)))
    joins = [(vertex, 0) for vertex in prescribed]
    return _with_ends(problem, names, neighbours, [everyone], joins)


def _with_ends(
    problem: Problem,
    names: list[str],
    neighbours: list[list[int]],
    ends: list[list[int]],
    joins: list[tuple[int, int]],
) -> Frame:
    """Add a vertex for each list of possible ends; ``joins`` are the prescribed ones."""
    size = len(names)
    if len(joins) == 2:
        ends = [[] for _ in ends]
    for vertex, which in joins:
        ends[which] = sorted({*ends[which], vertex})
    rows = [[*row] for row in neighbours]
    for which, joined in enumerate(ends):
        rows.append(joined)
        for vertex in joined:
            rows[vertex].append(size + which)
    must = [(vertex, size + which) for vertex, which in joins]
    if len(ends) == 2:
        rows[size] = [*rows[size], size + 1]
        rows[size + 1] = [*rows[size + 1], size]
        must.append((size, size + 1))
    return Frame(problem, [*names, *[END] * len(ends)], size, rows, must)

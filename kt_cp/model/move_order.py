"""The order in which a recursion tries moves: as in the five source texts, or fewest moves first.

This module computes moves independently of the board's graph.  It never returns forbidden moves.

For compiled kernels the moves are a table of numbers.  Vertices are numbered in the order of the
board, from a1 in reading order, or of the graph.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any

from kt_cp.model.board import Board, Square
from kt_cp.model.errors import NotTakenError, TooLargeError
from kt_cp.model.piece import KNIGHT
from kt_cp.model.problem import Problem
from kt_cp.model.surface import Join, Surface

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


MoveOrder = tuple[tuple[int, int], ...]
Candidates = Callable[[Any], Iterable[Any]]

# The sources' fixed orders as (rows up, columns right), by the number of the document.
ORDERS: dict[str, MoveOrder] = {
    "000": ((1, 2), (-1, 2), (1, -2), (-1, -2), (2, 1), (-2, 1), (2, -1), (-2, -1)),
    "001": ((2, 1), (1, 2), (-2, 1), (-1, 2), (2, -1), (1, -2), (-2, -1), (-1, -2)),
    "002": ((-1, -2), (1, -2), (2, -1), (2, 1), (-2, -1), (-2, 1), (-1, 2), (1, 2)),
    "003": ((2, 1), (2, -1), (-2, 1), (-2, -1), (1, 2), (1, -2), (-1, 2), (-1, -2)),
    "004": ((2, 1), (1, 2), (-1, 2), (-2, 1), (-2, -1), (-1, -2), (1, -2), (2, -1)),
}
DEFAULT_ORDER = ORDERS["001"]


def fixed_order(problem: Problem, moves: MoveOrder = DEFAULT_ORDER) -> Candidates:
    """Return a function that lists the moves from a square in a fixed order.

    The orders of the texts are for the knight; the steps of any other piece are in ascending order.
    On a general graph the order is that of the graph's adjacency.
    """
    board = problem.board
    if board is None:
        return _allowed(problem, lambda node: problem.graph[node])
    if problem.piece != KNIGHT:
        moves = problem.piece.steps
    if board.surface is not Surface.PLANE:
        return _allowed(problem, _around(board, moves))
    rows, columns, missing = board.rows, board.columns, board.missing

    def candidates(square: Square) -> list[Square]:
        row, column = square
        return [
            (row + up, column + right)
            for up, right in moves
            if 0 <= row + up < rows
            and 0 <= column + right < columns
            and (row + up, column + right) not in missing
        ]

    return _allowed(problem, candidates)


def _around(board: Board, moves: MoveOrder) -> Candidates:
    """Return the same for joined sides, without repeated squares or moves to the same square."""
    rows, columns = board.rows, board.columns
    files, ranks = board.surface.files, board.surface.ranks

    def candidates(square: Square) -> list[Square]:
        found: dict[Square, None] = {}
        for up, right in moves:
            row, column = square[0] + up, square[1] + right
            if ranks is not Join.OPEN:
                row %= rows
            if files is Join.REVERSED and column // columns % 2:
                row = rows - 1 - row
            if files is not Join.OPEN:
                column %= columns
            if (row, column) != square and (row, column) in board:
                found[row, column] = None
        return list(found)

    return candidates


def _allowed(problem: Problem, candidates: Candidates) -> Candidates:
    """Return the same candidates without the forbidden moves."""
    if not problem.forbid:
        return candidates
    way: Callable[[Any], Any] = tuple if problem.directed else frozenset
    forbidden = {way(move) for move in problem.forbid}
    return lambda square: [
        other for other in candidates(square) if way((square, other)) not in forbidden
    ]


def fewest_ways_first(problem: Problem, moves: MoveOrder = DEFAULT_ORDER) -> Candidates:
    """Return a function that lists moves to squares with fewest moves first, as in text 003.

    Moves are counted on the empty board, so the order for each square is computed once.  Squares
    with equal counts remain in the given order of moves.
    """
    usual = fixed_order(problem, moves)

    @cache
    def ways(square: Any) -> int:
        return len(list(usual(square)))

    @cache
    def candidates(square: Any) -> list[Any]:
        return sorted(usual(square), key=ways)

    return candidates


MOST_SQUARES = 1_000_000
"""Most squares of a table; its lists need half a gigabyte while it is made."""


@dataclass(frozen=True)
class MoveTable:
    """The moves from each vertex in order.

    Attributes
    ----------
    nodes : list
        Square or node of each vertex.
    heads : int32 array of shape (vertices, width)
        Vertices to try from each vertex, -1 after the last.
    """

    nodes: list[Any]
    heads: NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.nodes)

    @cached_property
    def index(self) -> dict[Any, int]:
        """Vertex of each square or node."""
        return {node: vertex for vertex, node in enumerate(self.nodes)}


def move_table(problem: Problem, candidates: Candidates | None = None) -> MoveTable:
    """Return the table of a problem's moves."""
    import numpy as np

    what = "for the compiled recursion"
    if problem.directed:
        raise NotTakenError(f"expected a board or an undirected graph {what}, got a digraph")
    if problem.size > MOST_SQUARES:
        most = f"{MOST_SQUARES:,} squares"
        raise TooLargeError(f"expected at most {most} {what}, got {problem.size:,}")
    order = candidates or fixed_order(problem)
    nodes = list(problem.graph if problem.board is None else problem.board)
    index = {node: vertex for vertex, node in enumerate(nodes)}
    rows = [[index[other] for other in order(node)] for node in nodes]
    heads = np.full((len(nodes), max(1, *map(len, rows)) if rows else 1), -1, dtype=np.int32)
    for vertex, row in enumerate(rows):
        heads[vertex, : len(row)] = row
    return MoveTable(nodes, heads)

"""The checker's own arithmetic of moves, over piece and surface, and of colours.

It does not use :mod:`kt_cp.model.graph`, nor :func:`~kt_cp.model.piece.moves_from`, so that an
error there cannot carry a false proof through.
"""

from __future__ import annotations

from typing import Any

from kt_cp.model.board import Board
from kt_cp.model.piece import Piece
from kt_cp.model.surface import Join, Surface


def alternates(board: Board, piece: Piece) -> bool:
    """Whether every move changes the colour of the square, which is row + column, odd or even.

    Every leap must do so, and every join of sides.  Over the joined files a step counts C columns
    too few, and where they are reversed it goes from row r to R - 1 - r; over the joined ranks it
    counts R rows too few.

    >>> from kt_cp.model.piece import KNIGHT
    >>> [alternates(Board(4, side, surface="torus"), KNIGHT) for side in (5, 6)]
    [False, True]
    >>> alternates(Board(5, 6, surface="moebius"), KNIGHT)
    True
    >>> alternates(Board(8, 8), Piece.leaper(1, 3))
    False
    """
    joins = board.surface
    across = {
        Join.OPEN: 0,
        Join.PLAIN: board.columns,
        Join.REVERSED: board.columns + board.rows - 1,
    }
    up = board.rows if joins.ranks is Join.PLAIN else 0
    odd = all((a + b) % 2 for a, b in piece.leaps)
    return odd and across[joins.files] % 2 == 0 and up % 2 == 0


def moved_square(board: Board, motion: str, square: tuple[int, int]) -> tuple[int, int]:
    """Where a motion of the board takes a square: beside the board at worst.

    >>> moved_square(Board(3, 4), "half-turn", (0, 3))
    (2, 0)
    >>> moved_square(Board(3, 4), "quarter-turn", (0, 3))
    (-1, 0)
    """
    row, column = square
    top, right = board.rows - 1, board.columns - 1
    match motion:
        case "half-turn":
            return top - row, right - column
        case "quarter-turn":
            return top - column, row
        case "left-right":
            return row, right - column
        case "top-bottom":
            return top - row, column
        case "diagonal":
            return column, row
    raise ValueError(f"no such motion: {motion!r}")


def steps_of(piece: Piece) -> list[tuple[int, int]]:
    """Rows up and columns to the right, in all directions."""
    turned = [*piece.leaps, *((b, a) for a, b in piece.leaps)]
    return sorted({(s * a, t * b) for a, b in turned for s in (1, -1) for t in (1, -1)})


def landings(board: Board, steps: list[tuple[int, int]], square: Any) -> list[tuple[int, int]]:
    """Where the steps end, over the joined sides: some off the board, some twice.

    >>> from kt_cp.model.piece import KNIGHT
    >>> landings(Board(3, 4), steps_of(KNIGHT), (0, 0))[-2:]
    [(2, -1), (2, 1)]
    """
    row, column = square
    if board.surface is Surface.PLANE:
        return [(row + up, column + right) for up, right in steps]
    return [_carried(board, row + up, column + right) for up, right in steps]


def _carried(board: Board, row: int, column: int) -> tuple[int, int]:
    """A place beyond the sides of a board, brought back over those that are joined."""
    files, ranks = board.surface.files, board.surface.ranks
    rounds = 0 if files is Join.OPEN else column // board.columns  # how often files are crossed
    column -= rounds * board.columns
    if rounds % 2 and files is Join.REVERSED:
        row = board.rows - 1 - row
    if ranks is Join.PLAIN:
        row -= row // board.rows * board.rows
    return row, column

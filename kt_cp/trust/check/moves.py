"""The checker's own arithmetic of moves, over piece and surface, and of colours.

It uses neither :mod:`kt_cp.model.graph` nor :func:`~kt_cp.model.piece.moves_from`, so an error
there cannot make a false proof pass.
"""

from __future__ import annotations

from typing import Any

from kt_cp.model.board import Board
from kt_cp.model.piece import Piece
from kt_cp.model.surface import Join, Surface


def alternates(board: Board, piece: Piece) -> bool:
    """Return whether every move changes the colour of the square: row + column, odd or even.

    Every leap must change it, and every join of sides must preserve the alternation.  A step across
    joined files changes the column by C less than its leap.  If the join is reversed, it also goes
    from row r to R - 1 - r.  A step across joined ranks changes the row by R less.

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
    """Return the image of a square under a motion of the board; it may lie off the board.

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
    """Return the steps of a piece in all directions, as rows up and columns to the right."""
    turned = [*piece.leaps, *((b, a) for a, b in piece.leaps)]
    return sorted({(s * a, t * b) for a, b in turned for s in (1, -1) for t in (1, -1)})


def landings(board: Board, steps: list[tuple[int, int]], square: Any) -> list[tuple[int, int]]:
    """Return where steps end, across joined sides; some ends are off the board, some occur twice.

    >>> from kt_cp.model.piece import KNIGHT
    >>> landings(Board(3, 4), steps_of(KNIGHT), (0, 0))[-2:]
    [(2, -1), (2, 1)]
    """
    row, column = square
    if board.surface is Surface.PLANE:
        return [(row + up, column + right) for up, right in steps]
    return [_joined_square(board, row + up, column + right) for up, right in steps]


def _joined_square(board: Board, row: int, column: int) -> tuple[int, int]:
    """Return the square at a place beyond the sides of a board, across the joined ones."""
    files, ranks = board.surface.files, board.surface.ranks
    rounds = 0 if files is Join.OPEN else column // board.columns  # crossings of joined files
    column -= rounds * board.columns
    if rounds % 2 and files is Join.REVERSED:
        row = board.rows - 1 - row
    if ranks is Join.PLAIN:
        row -= row // board.rows * board.rows
    return row, column

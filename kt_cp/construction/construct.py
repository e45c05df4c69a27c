"""Which construction answers which problem, and how its tour is turned to fit.

Low boards are stretched, all others tiled; the tour is mirrored, transposed or reversed.

A seed other than 0 draws what is not asked for: the start, which says where the tile of odd sides
lies, the tiles of both ends, the mirror images and the direction.  Where both ends are asked for,
a tour is drawn from the other end or of the board with its sides exchanged.  A tour costs the same
wherever it begins.
"""

from __future__ import annotations

import random
from contextlib import suppress

from kt_cp.construction.line import LEAST
from kt_cp.construction.oriented import Oriented
from kt_cp.construction.rectangle import rectangle
from kt_cp.construction.thin import thin
from kt_cp.construction.tiles import NoTileError
from kt_cp.model.board import Board, Square
from kt_cp.model.problem import Problem

BEGINS = 4
"""Squares drawn for the start of a tour of a low board, where not every one has a tour."""


def construct(problem: Problem, seed: int = 0) -> Oriented:
    """A tour of a whole rectangle, none of its squares held.

    Parameters
    ----------
    seed : int
        0 for the usual tour; any other for one that is drawn.

    Raises
    ------
    NoTileError
        Saying why nothing can be constructed, or was; that there is no tour is not said.

    Examples
    --------
    >>> from kt_cp.model.board import Board
    >>> problem = Problem(Board(10**9, 10**9 + 1), closed=True)
    >>> squares = construct(problem)
    >>> squares[0], squares.index((5000, 776)) < squares.size
    ((0, 0), True)
    >>> construct(problem, seed=1)[0]
    (144272509, 611178002)
    """
    board = problem.whole_rectangle
    if board is None:
        raise NoTileError(
            "constructions are for knights on whole plane rectangles, without missing squares, "
            "not for other graphs"
        )
    if min(board.rows, board.columns) < 3:
        raise NoTileError("boards of one and two rows have no tours to be constructed")
    if min(board.rows, board.columns) >= LEAST:
        _check_colours(problem)
    drawn = random.Random(seed) if seed else None
    if drawn is not None and problem.end is not None:
        with suppress(NoTileError):  # the usual tour is found wherever there is one
            return _laid(board, problem, drawn)
        drawn = None
    return _laid(board, problem, drawn)


def _laid(board: Board, problem: Problem, drawn: random.Random | None) -> Oriented:
    """A tour; what is not asked for as it is drawn, or as usual."""
    start, end = problem.start, problem.end
    backwards = start is None and end is not None
    if drawn is not None and end is not None and start is not None:
        backwards = drawn.random() < 0.5
    if backwards:
        start, end = end, start
    if min(board.rows, board.columns) < LEAST:
        return _stretched(board, problem.closed, start, end, backwards, drawn)
    up_down = left_right = exchange = False
    tile = 0
    if drawn is not None:
        if start is None:
            start = _square(board, drawn)
            backwards = drawn.random() < 0.5
        up_down, left_right = drawn.random() < 0.5, drawn.random() < 0.5
        exchange = end is not None and drawn.random() < 0.5
        tile = drawn.randrange(1 << 16)
    start = start or (0, 0)
    if end is not None:  # it must lie to the right of the start, and above it
        up_down, left_right = end[0] < start[0], end[1] < start[1]
    begin, finish = (_mirrored(board, one, up_down, left_right) for one in (start, end))
    sides = board.rows, board.columns
    if exchange:
        begin, finish, sides = _exchanged(begin), _exchanged(finish), sides[::-1]
    assert begin is not None
    whole = rectangle(*sides, closed=problem.closed, start=begin, end=finish, seed=tile)
    return Oriented(whole, board.rows, board.columns, up_down, left_right, exchange, backwards)


def _stretched(
    board: Board,
    closed: bool,
    start: Square | None,
    end: Square | None,
    backwards: bool,
    drawn: random.Random | None,
) -> Oriented:
    """A tour of a board with a side below six."""
    exchange = board.rows > board.columns
    mirrors = (False, False)
    if drawn is not None:
        if start is None:
            backwards = drawn.random() < 0.5
        mirrors = drawn.random() < 0.5, drawn.random() < 0.5
    short, long = sorted((board.rows, board.columns))
    begins = [start]
    if drawn is not None and start is None:
        begins = [*(_square(board, drawn) for _ in range(BEGINS)), None]  # some have no tour
    for last, begin in enumerate(begins, start=1 - len(begins)):
        ends = [_mirrored(board, square, *mirrors) for square in (begin, end)]
        one, other = map(_exchanged, ends) if exchange else ends
        try:
            part = thin(short, long, closed=closed, start=one, end=other)
        except NoTileError:
            if last == 0:
                raise
            continue
        break
    return Oriented(part, board.rows, board.columns, *mirrors, exchange, backwards)


def _square(board: Board, drawn: random.Random) -> Square:
    """A square on which a tour may begin: of the corners' colour, unless both colours may."""
    row, column = drawn.randrange(board.rows), drawn.randrange(board.columns)
    if board.rows * board.columns % 2 and (row + column) % 2:
        column += 1 if column == 0 else -1
    return row, column


def _mirrored(board: Board, square: Square | None, rows: bool, columns: bool) -> Square | None:
    if square is None:
        return None
    row, column = square
    return (
        board.rows - 1 - row if rows else row,
        board.columns - 1 - column if columns else column,
    )


def _check_colours(problem: Problem) -> None:
    """Refuse what no tour can fulfil, before tiles are looked for in vain."""
    odd = problem.size % 2
    shades = [sum(square) % 2 for square in (problem.start, problem.end) if square is not None]
    if odd and (problem.closed or any(shades)):
        raise NoTileError("on an odd number of squares both ends have the colour of the corners")
    if not odd and len(shades) == 2 and shades[0] == shades[1]:
        raise NoTileError("on an even number of squares the ends have different colours")


def _exchanged(square: Square | None) -> Square | None:
    return None if square is None else (square[1], square[0])

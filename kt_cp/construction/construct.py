"""Which construction answers which problem."""

from __future__ import annotations

from kt_cp.board import Board, Square
from kt_cp.construction.joints import LEAST
from kt_cp.construction.rectangle import rectangle
from kt_cp.construction.squares import Laid
from kt_cp.construction.thin import thin
from kt_cp.construction.tiles import NoTileError
from kt_cp.problem import Problem


def construct(problem: Problem) -> Laid:
    """A tour of a whole rectangle, none of its squares held.

    Raises
    ------
    NoTileError
        Saying why nothing can be constructed, or was; that there is no tour is not said.

    Examples
    --------
    >>> from kt_cp.board import Board
    >>> squares = construct(Problem(Board(10**9, 10**9 + 1), closed=True))
    >>> squares[0], squares.index((5000, 776)) < squares.size
    ((0, 0), True)
    """
    board = problem.board
    if board is None:
        raise NoTileError("constructions are for boards, not for other graphs")
    if board.missing:
        raise NoTileError("constructions are for whole rectangles, without missing squares")
    backwards = problem.start is None and problem.end is not None
    start, end = (problem.end, None) if backwards else (problem.start, problem.end)
    rows, columns = board.rows, board.columns
    if min(rows, columns) < 3:
        raise NoTileError("boards of one and two rows have no tours to be constructed")
    if min(rows, columns) < LEAST:
        exchange = rows > columns
        if exchange:
            start, end = _exchanged(start), _exchanged(end)
        short, long = sorted((rows, columns))
        part = thin(short, long, closed=problem.closed, start=start, end=end)
        return Laid(part, rows, columns, exchange=exchange, backwards=backwards)
    _check_colours(problem, start, end)
    start = start or (0, 0)
    up_down, left_right = _mirrors(start, end)
    start, end = (_mirrored(board, one, up_down, left_right) for one in (start, end))
    assert start is not None
    whole = rectangle(rows, columns, closed=problem.closed, start=start, end=end)
    return Laid(whole, rows, columns, up_down, left_right, backwards=backwards)


def _mirrors(start: Square, end: Square | None) -> tuple[bool, bool]:
    """In which directions the end must be brought to the right of the start, or above it."""
    return (False, False) if end is None else (end[0] < start[0], end[1] < start[1])


def _mirrored(board: Board, square: Square | None, rows: bool, columns: bool) -> Square | None:
    if square is None:
        return None
    row, column = square
    return (
        board.rows - 1 - row if rows else row,
        board.columns - 1 - column if columns else column,
    )


def _check_colours(problem: Problem, start: Square | None, end: Square | None) -> None:
    """Refuse what no tour can fulfil, before tiles are looked for in vain."""
    odd = problem.size % 2
    shades = [sum(square) % 2 for square in (start, end) if square is not None]
    if odd and (problem.closed or any(shades)):
        raise NoTileError("on an odd number of squares both ends have the colour of the corners")
    if not odd and len(shades) == 2 and shades[0] == shades[1]:
        raise NoTileError("on an even number of squares the ends have different colours")


def _exchanged(square: Square | None) -> Square | None:
    return None if square is None else (square[1], square[0])

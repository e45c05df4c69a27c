"""A tour as a picture, for boards of any size.

The path is a single line, so that the file grows by a few bytes a square.  Up to ``NUMBERED``
squares a side, step numbers are written into the squares, on discs that keep the path away from
them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kt_cp.model.board import Board, Square
from kt_cp.model.piece import KNIGHT, Piece
from kt_cp.render.board import (
    DARK,
    INK,
    LIGHT,
    NUMBERED,
    PATH,
    centre,
    end_mark,
    label_size,
    line_width,
    margins,
    num,
    picture_lines,
    start_mark,
    titled,
)
from kt_cp.render.moves import Move, Moves
from kt_cp.render.signs import forbidden_lines, required_lines


def tour_svg(
    board: Board,
    squares: Sequence[Square] = (),
    *,
    piece: Piece = KNIGHT,
    closed: bool = False,
    require: Sequence[Move] = (),
    forbid: Sequence[Move] = (),
    title: str | None = None,
) -> str:
    """SVG of a board and a walk on it, its start and end marked.

    Parameters
    ----------
    squares : sequence of squares
        The walk in order, any length; squares off the board are an error.
    piece : Piece
        Whose walk it is: it says where a move goes over a joined edge.
    closed : bool
        Whether to draw the way back to the first square.
    require, forbid : sequence of pairs of squares
        Moves that the question requires, on a broad band, and that it forbids, crossed out.
    title : str, optional
        Text for screen readers and tooltips.

    Examples
    --------
    >>> picture = tour_svg(Board(3, 4), [(0, 0), (1, 2)])
    >>> picture.startswith("<svg"), "polyline" in picture
    (True, True)
    """
    for square in squares:
        if not board.on_rectangle(square):
            raise ValueError(f"expected squares on the {board} board, got {square!r}")
    moves = Moves(board, piece)
    title = title or f"{titled('tour', board, piece)}, {'closed' if closed else 'open'}"
    left, below, rim = margins(board, label_size(board))
    box = (-left, -rim, left + board.columns + rim, rim + board.rows + below)
    lines = [*picture_lines(board, box, title), *required_lines(moves, require)]
    if squares:
        lines.append(
            f'<{moves.walk(squares, closed)} fill="none" stroke="{PATH}" '
            f'stroke-width="{line_width(board)}" stroke-linejoin="round" stroke-linecap="round"/>'
        )
    lines += forbidden_lines(moves, forbid)
    numbered = bool(squares) and max(board.rows, board.columns) <= NUMBERED
    if numbered:
        lines += _discs(squares, board)
    if squares:
        lines += _ends(board, squares, closed)
    if numbered:
        lines += _numbers(board, squares, closed)
    return "\n".join([*lines, "</svg>"]) + "\n"


def _discs(squares: Sequence[Square], board: Board) -> Iterator[str]:
    """Discs in the colour of their squares, for the numbers to stand on."""
    radius = 0.24 if len(squares) < 100 else 0.29  # two digits, or three
    for fill, parity in ((DARK, 0), (LIGHT, 1)):
        yield f'<g class="discs" fill="{fill}">'
        for square in squares:
            if sum(square) % 2 == parity:
                x, y = centre(board, square)
                yield f'<circle cx="{num(x)}" cy="{num(y)}" r="{radius}"/>'
        yield "</g>"


def _ends(board: Board, squares: Sequence[Square], closed: bool) -> Iterator[str]:
    radius = max(0.34, max(board.rows, board.columns) / 160)
    if not closed and len(squares) > 1:
        yield end_mark(*centre(board, squares[-1]), radius)
    yield start_mark(*centre(board, squares[0]), radius)


def _numbers(board: Board, squares: Sequence[Square], closed: bool) -> Iterator[str]:
    marked = {0} if closed else {0, len(squares) - 1}
    yield f'<g class="numbers" font-size="0.32" fill="{INK}">'
    for step, square in enumerate(squares):
        x, y = centre(board, square)
        strong = ' fill="#ffffff" font-weight="bold"' if step in marked else ""
        yield f'<text x="{num(x)}" y="{num(y + 0.115)}"{strong}>{step + 1}</text>'
    yield "</g>"

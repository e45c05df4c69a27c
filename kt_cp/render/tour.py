"""A tour as a picture, for boards of any size.

The path is a line of a few bytes for each square.  Boards with sides up to ``NUMBERED`` have step
numbers in the squares, on translucent discs.  On larger boards the line changes its colour from the
start to the end, because a line of one colour cannot be followed; a bar below the board is the key.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

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
    picture_title,
    start_mark,
)
from kt_cp.render.moves import Move, Moves, forbidden_lines, required_lines


def tour_svg(
    board: Board,
    squares: Sequence[Square] = (),
    *,
    piece: Piece = KNIGHT,
    closed: bool = False,
    require: Sequence[Move] = (),
    forbid: Sequence[Move] = (),
    clues: Collection[Square] = (),
    more: Sequence[Sequence[Square]] = (),
    marks: Sequence[str] = (),
    title: str | None = None,
) -> str:
    """Return SVG of a board and a walk on it, of any length, with its start and end marked.

    If steps have numbers, the squares of the ``clues`` are framed.  Steps have no numbers with
    ``more`` walks, or with ``marks``, which are elements of SVG.

    >>> picture = tour_svg(Board(3, 4), [(0, 0), (1, 2)])
    >>> picture.startswith("<svg"), "polyline" in picture
    (True, True)
    """
    for square in squares:
        if not board.on_rectangle(square):
            raise ValueError(f"expected squares on the {board} board, got {square!r}")
    moves = Moves(board, piece)
    title = title or f"{picture_title('tour', board, piece)}, {'closed' if closed else 'open'}"
    left, below, rim = margins(board, label_size(board))
    plain = not more and not marks
    numbered = bool(squares) and plain and max(board.rows, board.columns) <= NUMBERED
    size = label_size(board)
    coloured = len(squares) >= _STRETCH and plain and not numbered
    high = rim + board.rows + below + (_BAR * size if coloured else 0)
    box = (-left, -rim, left + board.columns + rim, high)
    lines = [*picture_lines(board, box, title), *required_lines(moves, require)]
    if squares:
        lines += _path(moves, squares, closed, coloured)
    for walk in more:
        lines += _path(moves, walk, closed, coloured=False)
    lines += marks
    lines += forbidden_lines(moves, forbid)
    if numbered:
        lines += _discs(squares, board)
    if squares:
        lines += _ends(board, squares, closed)
    for walk in more:
        lines += _ends(board, walk, closed)
    if numbered:
        lines += _clues(board, clues)
        lines += _numbers(board, squares, closed)
    if coloured:
        lines += _bar(board, len(squares), size, board.rows + below)
    return "\n".join([*lines, "</svg>"]) + "\n"


_STRETCH, _STRETCHES = 16, 64
"""Fewest squares of a stretch of one colour, and most stretches of a path."""

_BAR = 2.4
"""Height of the bar of colours and its numbers, in heights of a label."""

_COLOURS = ((13, 8, 135), (106, 0, 168), (177, 42, 144), (225, 90, 90), (240, 145, 40))
"""Red, green and blue from the start to the end; lightness increases too."""


def _path(moves: Moves, squares: Sequence[Square], closed: bool, coloured: bool) -> Iterator[str]:
    """Yield the line of a walk, of one colour or in coloured stretches."""
    board = moves.board
    style = (
        f'fill="none" stroke-width="{line_width(board)}" stroke-linejoin="round" '
        'stroke-linecap="round"'
    )
    if not coloured:
        yield f'<{moves.walk(squares, closed)} stroke="{PATH}" {style}/>'
        return
    walk = [*squares, squares[0]] if closed and len(squares) > 2 else squares
    yield f"<g {style}>"
    for begin, end, colour in _stretches(len(walk)):
        yield f'<{moves.walk(walk[begin : end + 1])} stroke="{colour}"/>'
    yield "</g>"


def _stretches(many: int) -> Iterator[tuple[int, int, str]]:
    """Yield the first square, last square and colour of the stretches of a walk."""
    pieces = min(_STRETCHES, 1 + many // _STRETCH)
    for piece in range(pieces):
        begin, end = (each * (many - 1) // pieces for each in (piece, piece + 1))
        place = (piece + 0.5) / pieces * (len(_COLOURS) - 1)
        low = int(place)
        mixed = (
            round(a + (b - a) * (place - low))
            for a, b in zip(_COLOURS[low], _COLOURS[low + 1], strict=True)
        )
        yield begin, end, "#" + "".join(f"{part:02x}" for part in mixed)


def _bar(board: Board, many: int, size: float, top: float) -> Iterator[str]:
    """Yield the bar that shows the colours of the steps."""
    wide = board.columns
    yield '<g class="bar">'
    for begin, _, colour in _stretches(many):
        # Each extends to the end, below the next one, which avoids white lines between them.
        x, to = begin * wide / (many - 1), wide
        yield (
            f'<rect x="{num(x)}" y="{num(top)}" width="{num(to - x)}" height="{num(0.7 * size)}" '
            f'fill="{colour}"/>'
        )
    y = num(top + 1.75 * size)
    for x, anchor, step in ((0, "start", 1), (wide, "end", many)):
        yield (
            f'<text x="{x}" y="{y}" font-size="{num(size)}" fill="{INK}" text-anchor="{anchor}">'
            f"step {step:,}</text>"
        )
    yield "</g>"


def _discs(squares: Sequence[Square], board: Board) -> Iterator[str]:
    """Yield discs for numbers, in the colours of their squares."""
    radius = 0.24 if len(squares) < 100 else 0.29  # two digits, or three
    for fill, parity in ((DARK, 0), (LIGHT, 1)):
        yield f'<g class="discs" fill="{fill}" fill-opacity=".5">'
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


def _clues(board: Board, clues: Collection[Square]) -> Iterator[str]:
    """Yield frames of squares whose steps were given."""
    if clues:
        yield f'<g class="clues" fill="none" stroke="{INK}" stroke-width="0.05">'
        for square in sorted(clues):
            x, y = centre(board, square)
            yield f'<rect x="{num(x - 0.45)}" y="{num(y - 0.45)}" width="0.9" height="0.9"/>'
        yield "</g>"


def _numbers(board: Board, squares: Sequence[Square], closed: bool) -> Iterator[str]:
    marked = {0} if closed else {0, len(squares) - 1}
    yield f'<g class="numbers" font-size="0.32" fill="{INK}">'
    for step, square in enumerate(squares):
        x, y = centre(board, square)
        strong = ' fill="#ffffff" font-weight="bold"' if step in marked else ""
        yield f'<text x="{num(x)}" y="{num(y + 0.115)}"{strong}>{step + 1}</text>'
    yield "</g>"

"""A tour as a picture, for boards of any size.

The board is one rectangle filled with a two-by-two pattern and the path is one line, so that the
file grows by a few bytes a square.  Up to ``NUMBERED`` squares a side, step numbers are written
into the squares; edge labels thin out as the board grows.  The unit of length is one square.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from xml.sax.saxutils import escape

from kt_cp.board import Board, Square, file_name

NUMBERED = 16
"""Longest side of a board whose squares carry step numbers."""

_LIGHT, _DARK, _HOLE = "#f3ead7", "#cbb592", "#ffffff"
_PATH, _START, _END, _INK = "#1f4e79", "#2e8b57", "#c0392b", "#444444"


def tour_svg(
    board: Board,
    squares: Sequence[Square] = (),
    *,
    closed: bool = False,
    title: str | None = None,
) -> str:
    """SVG of a board and a walk on it, its start and end marked.

    Parameters
    ----------
    squares : sequence of squares
        The walk in order, any length; squares off the board are an error.
    closed : bool
        Whether to draw the way back to the first square.
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
    return "\n".join(_lines(board, squares, closed, title)) + "\n"


def _lines(
    board: Board, squares: Sequence[Square], closed: bool, title: str | None
) -> Iterator[str]:
    rows, columns = board.rows, board.columns
    longest = max(rows, columns)
    margin = max(0.7, longest * 0.03)
    width, height = columns + 2 * margin, rows + 2 * margin
    scale = max(8.0, min(48.0, 960 / longest))
    label = title or f"Knight's tour on a {board} board, {'closed' if closed else 'open'}"
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width * scale:.0f}" '
        f'height="{height * scale:.0f}" viewBox="0 0 {_n(width)} {_n(height)}" '
        f'role="img" font-family="sans-serif" text-anchor="middle">'
    )
    yield f"<title>{escape(label)}</title>"
    yield f'<rect width="{_n(width)}" height="{_n(height)}" fill="#ffffff"/>'
    yield f'<g transform="translate({_n(margin)} {_n(margin)})">'
    yield from _board(board, longest)
    yield from _labels(board, margin, longest)
    if squares:
        yield from _path(board, squares, closed, longest)
        if longest <= NUMBERED:
            yield from _numbers(board, squares)
    yield "</g>"
    yield "</svg>"


def _board(board: Board, longest: int) -> Iterator[str]:
    rows, columns = board.rows, board.columns
    # a1, bottom left, is dark: the pattern starts at the top, so an odd number of rows shifts it.
    first, second = (_LIGHT, _DARK) if rows % 2 == 0 else (_DARK, _LIGHT)
    yield (
        '<defs><pattern id="squares" width="2" height="2" patternUnits="userSpaceOnUse">'
        f'<rect width="2" height="2" fill="{first}"/>'
        f'<path d="M1 0h1v1h-1zM0 1h1v1h-1z" fill="{second}"/></pattern></defs>'
    )
    yield f'<rect width="{columns}" height="{rows}" fill="url(#squares)"/>'
    for row, column in sorted(board.missing):
        yield (
            f'<rect x="{column}" y="{rows - 1 - row}" width="1" height="1" '
            f'fill="{_HOLE}" stroke="{_DARK}" stroke-width="0.04"/>'
        )
    frame = max(0.04, longest / 800)
    yield (
        f'<rect width="{columns}" height="{rows}" fill="none" stroke="{_INK}" '
        f'stroke-width="{_n(frame)}"/>'
    )


def _labels(board: Board, margin: float, longest: int) -> Iterator[str]:
    every = 1 if longest <= 26 else 5 if longest <= 60 else 10 * -(-longest // 200)
    size = min(0.4 if longest <= 26 else margin * 0.45, 0.55 * margin)
    yield f'<g font-size="{_n(size)}" fill="{_INK}">'
    for column in range(board.columns):
        if every == 1 or (column + 1) % every == 0 or column == 0:
            y = board.rows + margin * 0.62
            yield f'<text x="{_n(column + 0.5)}" y="{_n(y)}">{file_name(column)}</text>'
    for row in range(board.rows):
        if every == 1 or (row + 1) % every == 0 or row == 0:
            y = board.rows - 0.5 - row + size * 0.35
            yield f'<text x="{_n(-margin * 0.5)}" y="{_n(y)}">{row + 1}</text>'
    yield "</g>"


def _path(board: Board, squares: Sequence[Square], closed: bool, longest: int) -> Iterator[str]:
    points = " ".join(f"{_n(x)},{_n(y)}" for x, y in (_centre(board, s) for s in squares))
    shape = "polygon" if closed and len(squares) > 2 else "polyline"
    # On numbered boards the line is faint, so that the numbers stay readable.
    look = (
        'stroke-width="0.09" stroke-opacity="0.55"'
        if longest <= NUMBERED
        else ('stroke-width="0.12"')
    )
    yield (
        f'<{shape} points="{points}" fill="none" stroke="{_PATH}" {look} '
        'stroke-linejoin="round" stroke-linecap="round"/>'
    )
    radius = max(0.3, longest / 130)
    x, y = _centre(board, squares[0])
    yield (
        f'<circle class="start" cx="{_n(x)}" cy="{_n(y)}" r="{_n(radius)}" fill="{_START}" '
        'fill-opacity="0.85"><title>start</title></circle>'
    )
    if not closed and len(squares) > 1:
        x, y = _centre(board, squares[-1])
        side = 2 * radius
        yield (
            f'<rect class="end" x="{_n(x - radius)}" y="{_n(y - radius)}" width="{_n(side)}" '
            f'height="{_n(side)}" fill="{_END}" fill-opacity="0.85"><title>end</title></rect>'
        )


def _numbers(board: Board, squares: Sequence[Square]) -> Iterator[str]:
    marked = {0} if len(squares) == 1 else {0, len(squares) - 1}
    yield f'<g font-size="0.32" fill="{_INK}">'
    for step, square in enumerate(squares):
        x, y = _centre(board, square)
        strong = ' font-weight="bold"' if step in marked else ""
        yield f'<text x="{_n(x)}" y="{_n(y + 0.115)}"{strong}>{step + 1}</text>'
    yield "</g>"


def _centre(board: Board, square: Square) -> tuple[float, float]:
    row, column = square
    return column + 0.5, board.rows - 0.5 - row


def _n(value: float) -> str:
    """A length without needless digits."""
    return f"{value:.3f}".rstrip("0").rstrip(".")

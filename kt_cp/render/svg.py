"""A tour as a picture, for boards of any size.

The squares are dashed lines, one a rank, and the path is a single line, so that the file grows by
a few bytes a square; patterns would be shorter still, but some programs blur them.  Up to
``NUMBERED`` squares a side, step numbers are written into the squares, on discs that keep the path
away from them; edge labels thin out as the board grows.  The unit of length is one square.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from xml.sax.saxutils import escape

from kt_cp.board import Board, Square, file_name

NUMBERED = 16
"""Longest side of a board whose squares carry step numbers."""

FINE = 40
"""Longest side of a board whose squares are large enough for strong colours and a thin line."""

_LIGHT, _DARK, _PALE, _HOLE, _RIM = "#f6eedd", "#dcc8a4", "#e8dcc3", "#ffffff", "#b09a72"
_PATH, _START, _END, _INK = "#1f4e79", "#237a4b", "#b8322a", "#3a3a3a"


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
    longest = max(board.rows, board.columns)
    size = max(0.34, 0.014 * longest)  # of the labels
    left, bottom, rim = size * (0.9 + 0.62 * len(str(board.rows))), 1.9 * size, 0.9 * size
    width, height = left + board.columns + rim, rim + board.rows + bottom
    scale = max(8.0, min(48.0, 960 / longest))
    label = title or f"Knight's tour on a {board} board, {'closed' if closed else 'open'}"
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width * scale:.0f}" '
        f'height="{height * scale:.0f}" viewBox="{_n(-left)} {_n(-rim)} {_n(width)} {_n(height)}" '
        'role="img" font-family="sans-serif" text-anchor="middle">'
    )
    yield f"<title>{escape(label)}</title>"
    yield (
        f'<rect x="{_n(-left)}" y="{_n(-rim)}" width="{_n(width)}" height="{_n(height)}" '
        'fill="#ffffff"/>'
    )
    yield from _board(board, longest)
    yield from _labels(board, size, longest)
    if squares:
        numbered = longest <= NUMBERED
        yield from _path(board, squares, closed, longest)
        if numbered:
            yield from _discs(squares, board)
        yield from _ends(board, squares, closed, longest)
        if numbered:
            yield from _numbers(board, squares, closed)
    yield "</svg>"


def _board(board: Board, longest: int) -> Iterator[str]:
    rows, columns = board.rows, board.columns
    yield f'<rect class="light" width="{columns}" height="{rows}" fill="{_LIGHT}"/>'
    dark = _DARK if longest <= FINE else _PALE
    # a1, bottom left, is dark: on every second rank from there the dashes begin at the edge.
    for first, begin in ((0, 0), (1, 1)):
        ranks = "".join(
            f"M{begin} {_n(rows - 0.5 - row)}H{columns}" for row in range(first, rows, 2)
        )
        if ranks and begin < columns:
            yield (
                f'<path class="dark" d="{ranks}" stroke="{dark}" stroke-width="1" '
                'stroke-dasharray="1"/>'
            )
    thin = max(0.03, longest / 800)
    for row, column in sorted(board.missing):
        yield (
            f'<rect class="missing" x="{column}" y="{rows - 1 - row}" width="1" height="1" '
            f'fill="{_HOLE}" stroke="{_RIM}" stroke-width="{_n(thin)}"/>'
        )
    yield (
        f'<rect width="{columns}" height="{rows}" fill="none" stroke="{_INK}" '
        f'stroke-width="{_n(1.5 * thin)}"/>'
    )


def _labels(board: Board, size: float, longest: int) -> Iterator[str]:
    every = 1 if longest <= 26 else 5 if longest <= 60 else 10 * -(-longest // 200)
    below, middle = _n(board.rows + 1.35 * size), 0.35 * size
    yield f'<g class="files" font-size="{_n(size)}" fill="{_INK}">'
    for column in range(board.columns):
        if column == 0 or (column + 1) % every == 0:
            yield f'<text x="{_n(column + 0.5)}" y="{below}">{file_name(column)}</text>'
    yield "</g>"
    yield f'<g class="ranks" font-size="{_n(size)}" fill="{_INK}" text-anchor="end">'
    for row in range(board.rows):
        if row == 0 or (row + 1) % every == 0:
            y = board.rows - 0.5 - row + middle
            yield f'<text x="{_n(-0.5 * size)}" y="{_n(y)}">{row + 1}</text>'
    yield "</g>"


def _path(board: Board, squares: Sequence[Square], closed: bool, longest: int) -> Iterator[str]:
    stroke = 0.07 if longest <= NUMBERED else 0.1 if longest <= FINE else 0.14
    points = " ".join(f"{_n(x)},{_n(y)}" for x, y in (_centre(board, s) for s in squares))
    shape = "polygon" if closed and len(squares) > 2 else "polyline"
    yield (
        f'<{shape} class="path" points="{points}" fill="none" stroke="{_PATH}" '
        f'stroke-width="{stroke}" stroke-linejoin="round" '
        'stroke-linecap="round"/>'
    )


def _discs(squares: Sequence[Square], board: Board) -> Iterator[str]:
    """Discs in the colour of their squares, for the numbers to stand on."""
    radius = 0.24 if len(squares) < 100 else 0.29  # two digits, or three
    for fill, parity in ((_DARK, 0), (_LIGHT, 1)):
        yield f'<g class="discs" fill="{fill}">'
        for square in squares:
            if sum(square) % 2 == parity:
                x, y = _centre(board, square)
                yield f'<circle cx="{_n(x)}" cy="{_n(y)}" r="{radius}"/>'
        yield "</g>"


def _ends(board: Board, squares: Sequence[Square], closed: bool, longest: int) -> Iterator[str]:
    """A round start and a square end: the shapes tell them apart without the colours."""
    radius = max(0.34, longest / 160)
    rim = f'stroke="#ffffff" stroke-width="{_n(radius / 6)}"'
    if not closed and len(squares) > 1:
        x, y = _centre(board, squares[-1])
        half = 0.9 * radius
        yield (
            f'<rect class="end" x="{_n(x - half)}" y="{_n(y - half)}" width="{_n(2 * half)}" '
            f'height="{_n(2 * half)}" fill="{_END}" {rim}><title>end</title></rect>'
        )
    x, y = _centre(board, squares[0])
    yield (
        f'<circle class="start" cx="{_n(x)}" cy="{_n(y)}" r="{_n(radius)}" fill="{_START}" {rim}>'
        "<title>start</title></circle>"
    )


def _numbers(board: Board, squares: Sequence[Square], closed: bool) -> Iterator[str]:
    marked = {0} if closed else {0, len(squares) - 1}
    yield f'<g class="numbers" font-size="0.32" fill="{_INK}">'
    for step, square in enumerate(squares):
        x, y = _centre(board, square)
        strong = ' fill="#ffffff" font-weight="bold"' if step in marked else ""
        yield f'<text x="{_n(x)}" y="{_n(y + 0.115)}"{strong}>{step + 1}</text>'
    yield "</g>"


def _centre(board: Board, square: Square) -> tuple[float, float]:
    row, column = square
    return column + 0.5, board.rows - 0.5 - row


def _n(value: float) -> str:
    """A length without needless digits."""
    return f"{value:.3f}".rstrip("0").rstrip(".")

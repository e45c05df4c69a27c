"""The board as lines of SVG: squares, labels, ends.

Each rank of squares is a dashed line; patterns would be shorter, but some programs blur them.
Larger boards have fewer edge labels.  The unit of length is one square.
"""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from itertools import product

from kt_cp.model.board import Board, Square, file_name
from kt_cp.model.piece import Piece
from kt_cp.model.surface import Join, Surface

NUMBERED = 16
"""Longest side of a board with step numbers in its squares."""

FINE = 40
"""Longest side of a board that is drawn with strong colours and a thin line."""

LETTER = 0.62
"""Width of a letter or digit, in heights; a generous estimate, because fonts differ."""

OVER = 0.2
"""Squares that a move extends beyond a joined edge, so that it does not seem to turn back."""

LIGHT, DARK, PALE, HOLE, RIM = "#f6eedd", "#dcc8a4", "#e8dcc3", "#ffffff", "#b09a72"
PATH, START, END, INK = "#1f4e79", "#237a4b", "#b8322a", "#3a3a3a"


def opening_lines(
    box: tuple[float, float, float, float], scale: float, title: str
) -> Iterator[str]:
    """Yield the opening tag, a title for screen readers and tooltips, and a white ground.

    ``box`` is left, top, width and height in squares of ``scale`` pixels.
    """
    left, top, width, height = map(num, box)
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{box[2] * scale:.0f}" '
        f'height="{box[3] * scale:.0f}" viewBox="{left} {top} {width} {height}" '
        'role="img" font-family="sans-serif" text-anchor="middle">'
    )
    yield f"<title>{escape(title, quote=False)}</title>"
    yield f'<rect x="{left}" y="{top}" width="{width}" height="{height}" fill="#ffffff"/>'


def picture_lines(
    board: Board,
    box: tuple[float, float, float, float],
    title: str,
    *own: str,
    downwards: bool = False,
) -> Iterator[str]:
    """Yield the opening of a picture, lines of the caller, and the empty board."""
    longest = max(board.rows, board.columns)
    yield from opening_lines(box, max(8.0, min(48.0, 960 / longest)), title)
    yield from own
    yield from board_lines(board)
    yield from label_lines(board, label_size(board), downwards=downwards)


def label_size(board: Board) -> float:
    """Return the height of labels, which are readable even if a large board fills a page."""
    return max(0.34, 0.014 * max(board.rows, board.columns))


def line_width(board: Board) -> float:
    """Return the width of the line of a walk."""
    longest = max(board.rows, board.columns)
    return 0.045 if longest <= NUMBERED else 0.08 if longest <= FINE else 0.14


def margins(board: Board, size: float) -> tuple[float, float, float]:
    """Return the margins that labels need on the left and below, and the margin elsewhere."""
    left, below = _outside(board)
    return left + size * (0.9 + LETTER * len(str(board.rows))), below + 1.9 * size, 0.9 * size


def _outside(board: Board) -> tuple[float, float]:
    """Return the space that moves over joined edges need on the left and below."""
    surface = board.surface
    return OVER * (surface.files is not Join.OPEN), OVER * (surface.ranks is not Join.OPEN)


def board_lines(board: Board) -> Iterator[str]:
    """Yield squares and edge, finer on large boards."""
    rows, columns = board.rows, board.columns
    yield f'<rect class="light" width="{columns}" height="{rows}" fill="{LIGHT}"/>'
    dark = DARK if max(rows, columns) <= FINE else PALE
    # a1, bottom left, is dark; on every second rank from there the dashes begin at the edge.
    for first, begin in ((0, 0), (1, 1)):
        ranks = "".join(
            f"M{begin} {num(rows - 0.5 - row)}H{columns}" for row in range(first, rows, 2)
        )
        if ranks and begin < columns:
            yield (
                f'<path class="dark" d="{ranks}" stroke="{dark}" stroke-width="1" '
                'stroke-dasharray="1"/>'
            )
    thin = num(_thin(board))
    for row, column in sorted(board.missing):
        yield (
            f'<rect class="missing" x="{column}" y="{rows - 1 - row}" width="1" height="1" '
            f'fill="{HOLE}" stroke="{RIM}" stroke-width="{thin}"/>'
        )
    yield board_edge(board)


def board_edge(board: Board) -> str:
    """Draw the edge.

    Joined sides are dashed and have arrows; as in topology, the arrows of joined sides coincide.
    """
    rows, columns, thin = board.rows, board.columns, 1.5 * _thin(board)
    if board.surface is Surface.PLANE:
        return (
            f'<rect width="{columns}" height="{rows}" fill="none" stroke="{INK}" '
            f'stroke-width="{num(thin)}"/>'
        )
    files, ranks = board.surface.files, board.surface.ranks
    sides = {files: f"M0 0V{rows}M{columns} 0V{rows}"}
    sides[ranks] = sides.get(ranks, "") + f"M0 0H{columns}M0 {rows}H{columns}"
    lines = "".join(
        f'<path d="{path}" stroke-dasharray="{"none" if join is Join.OPEN else num(4 * thin)}"/>'
        for join, path in sides.items()
    )
    size = max(0.13, max(rows, columns) / 90)
    up, down = _arrow(size, -1, 0), _arrow(size, 1, 0)
    arrows = ""
    if files is not Join.OPEN:
        arrows += f"M0 {num(rows / 2)}{up}"
        arrows += f"M{columns} {num(rows / 2)}{down if files is Join.REVERSED else up}"
    if ranks is not Join.OPEN:
        for y, place in product((0, rows), (-0.7, 0.7)):
            arrows += f"M{num(columns / 2 + place * size)} {y}{_arrow(size, 0, 1)}"
    return (
        f'<g class="edge" stroke="{INK}" stroke-width="{num(thin)}" fill="none">'
        f"<title>{board.surface.words}: arrows fall together</title>{lines}"
        f'<path d="{arrows}" fill="{INK}" stroke="none"/></g>'
    )


def _arrow(size: float, down: int, right: int) -> str:
    """Return the path of an arrow head at the current point, down or to the right."""
    x, y = size * right, size * down
    return f"m{num(x)} {num(y)}l{num(-2 * x + y)} {num(-2 * y - x)}l{num(-2 * y)} {num(2 * x)}z"


def _thin(board: Board) -> float:
    return max(0.03, max(board.rows, board.columns) / 800)


def label_lines(board: Board, size: float, *, downwards: bool = False) -> Iterator[str]:
    """Yield file names below and ranks on the left; with ``downwards``, rank 1 is on top."""
    longest = max(board.rows, board.columns)
    every = 1 if longest <= 26 else 5 if longest <= 60 else 10 * -(-longest // 200)
    aside, down = _outside(board)
    below, middle = num(board.rows + 1.35 * size + down), 0.35 * size
    yield f'<g class="files" font-size="{num(size)}" fill="{INK}">'
    for column in range(board.columns):
        if column == 0 or (column + 1) % every == 0:
            yield f'<text x="{num(column + 0.5)}" y="{below}">{file_name(column)}</text>'
    yield "</g>"
    yield f'<g class="ranks" font-size="{num(size)}" fill="{INK}" text-anchor="end">'
    for row in range(board.rows):
        if row == 0 or (row + 1) % every == 0:
            y = (row + 0.5 if downwards else board.rows - 0.5 - row) + middle
            yield f'<text x="{num(-0.5 * size - aside)}" y="{num(y)}">{row + 1}</text>'
    yield "</g>"


def picture_title(what: str, board: Board, piece: Piece) -> str:
    """Return the title of a picture of a piece's walk or tour on a board.

    >>> picture_title("walk", Board(4, 9, surface="moebius"), Piece.leaper(1, 3))
    "Camel's walk on a 4x9 Möbius strip"
    """
    where = "board" if board.surface is Surface.PLANE else board.surface.words
    return f"{piece.name[0].upper()}{piece.name[1:]}'s {what} on a {board} {where}"


def centre(board: Board, square: Square) -> tuple[float, float]:
    """Return the middle of a square, from the top left corner."""
    row, column = square
    return column + 0.5, board.rows - 0.5 - row


def start_mark(x: float, y: float, radius: float) -> str:
    """Draw a round start, which differs from the square end even without colours."""
    return (
        f'<circle class="start" cx="{num(x)}" cy="{num(y)}" r="{num(radius)}" fill="{START}" '
        f'stroke="#ffffff" stroke-width="{num(radius / 6)}"><title>start</title></circle>'
    )


def end_mark(x: float, y: float, radius: float) -> str:
    """Draw a square end of about the same size as a start of this radius."""
    half = 0.9 * radius
    return (
        f'<rect class="end" x="{num(x - half)}" y="{num(y - half)}" width="{num(2 * half)}" '
        f'height="{num(2 * half)}" fill="{END}" stroke="#ffffff" '
        f'stroke-width="{num(radius / 6)}"><title>end</title></rect>'
    )


def num(value: float) -> str:
    """Return a length without needless digits."""
    return f"{value:.3f}".rstrip("0").rstrip(".")

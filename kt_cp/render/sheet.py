"""Puzzles for printing: boards with large numbers in black on white, one by one or on pages.

A page is A4, in millimetres, with space to write.  Smaller solutions follow after all puzzles.  In
an SVG, which has no pages, they are placed below each other.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape

from kt_cp.model.board import Board, Square
from kt_cp.model.piece import Piece
from kt_cp.render.board import LETTER, board_edge, centre, label_size, num, opening_lines
from kt_cp.render.moves import Move, Moves, forbidden_lines, required_lines

WIDE, HIGH = 210.0, 297.0
"""A4, in millimetres."""

_SIDE, _TOP, _FOOT = 15.0, 34.0, 12.0
_CAPTION = 3.4
_MILLIMETRE = 96 / 25.4  # pixels of SVG
_BLACK, _PATH = "#000000", "#c4c4c4"

_ON_A_PAGE = ((8, (2, 3), (3, 4)), (12, (2, 2), (3, 4)), (20, (1, 2), (2, 3)))
"""Longest side of a board, with columns and rows of puzzles, and of solutions, on a page."""

_LARGE = ((1, 1), (1, 2))


@dataclass(frozen=True)
class Drawing:
    """A puzzle: its given steps and its solution, a tour."""

    board: Board
    piece: Piece
    closed: bool
    given: Mapping[Square, int]
    solution: Sequence[Square]
    caption: str
    require: Sequence[Move] = ()
    forbid: Sequence[Move] = ()


def puzzle_svg(drawing: Drawing, *, solved: bool = False) -> str:
    """Return SVG of a puzzle or its solution.

    >>> from kt_cp.model.piece import KNIGHT
    >>> board = Board(3, 4)
    >>> picture = puzzle_svg(Drawing(board, KNIGHT, False, {(0, 0): 1, (2, 3): 12}, (), "3x4"))
    >>> picture.count("<text")
    3
    """
    board = drawing.board
    size = label_size(board)
    wide = board.columns + 1.0
    box = (-0.5, -0.5, wide, board.rows + 1 + 1.6 * size)
    longest = max(board.rows, board.columns)
    lines = [
        *opening_lines(box, max(8.0, min(48.0, 960 / longest)), drawing.caption),
        *_board_lines(drawing, solved),
        _line(drawing.caption, board.columns / 2, board.rows + 0.5 + size, size, wide),
    ]
    return "\n".join([*lines, "</svg>"]) + "\n"


def page_bodies(drawings: Sequence[Drawing], rule: str, *, solved: bool) -> list[str]:
    """Return the SVG content of each page, in millimetres from its top left corner."""
    longest = max(max(each.board.rows, each.board.columns) for each in drawings)
    shape = next((each[1:] for each in _ON_A_PAGE if longest <= each[0]), _LARGE)[solved]
    many = shape[0] * shape[1]
    starts = range(0, len(drawings), many)
    return [
        "\n".join(_page(drawings[start : start + many], shape, rule, solved)) for start in starts
    ]


def page_svgs(bodies: Sequence[str], title: str) -> list[str]:
    """Return an SVG for each page."""
    return [_svg([body], title) for body in bodies]


def sheet_svg(bodies: Sequence[str], title: str) -> str:
    """Return one SVG of all pages below each other."""
    return _svg(bodies, title)


def _svg(bodies: Sequence[str], title: str) -> str:
    lines = [*opening_lines((0, 0, WIDE, HIGH * len(bodies)), _MILLIMETRE, title)]
    for place, body in enumerate(bodies):
        lines.append(f'<g class="page" transform="translate(0 {num(HIGH * place)})">\n{body}\n</g>')
    return "\n".join([*lines, "</svg>"]) + "\n"


def _page(
    drawings: Sequence[Drawing], shape: tuple[int, int], rule: str, solved: bool
) -> Iterator[str]:
    columns, rows = shape
    inner = WIDE - 2 * _SIDE
    yield _line("Solutions" if solved else "Puzzles", WIDE / 2, 18, 6, inner, ' font-weight="bold"')
    if not solved:
        yield _line(rule, WIDE / 2, 26, 4, inner)
    wide, high = inner / columns, (HIGH - _TOP - _FOOT) / rows
    for place, drawing in enumerate(drawings):
        board = drawing.board
        height = high - 2.5 * _CAPTION
        scale = min((wide - 8) / board.columns, height / board.rows)
        middle = _SIDE + (place % columns + 0.5) * wide
        top = _TOP + place // columns * high + (height - scale * board.rows) / 2
        left = middle - scale * board.columns / 2
        yield f'<g transform="translate({num(left)} {num(top)}) scale({num(scale)})">'
        yield from _board_lines(drawing, solved)
        yield "</g>"
        below = top + scale * board.rows + 1.5 * _CAPTION
        yield _line(drawing.caption, middle, below, _CAPTION, wide - 4)


def _line(text: str, x: float, y: float, size: float, wide: float, more: str = "") -> str:
    """Draw a centred line of text; reduce its size if it would be too long."""
    size = min(size, wide / (LETTER * max(1, len(text))))
    return (
        f'<text x="{num(x)}" y="{num(y)}" font-size="{num(size)}" fill="{_BLACK}"{more}>'
        f"{escape(text, quote=False)}</text>"
    )


def _board_lines(drawing: Drawing, solved: bool) -> Iterator[str]:
    """Yield the board, in squares from its top left corner."""
    board, moves = drawing.board, Moves(drawing.board, drawing.piece)
    inner = "".join(f"M{column} 0V{board.rows}" for column in range(1, board.columns))
    inner += "".join(f"M0 {row}H{board.columns}" for row in range(1, board.rows))
    yield f'<path class="grid" d="M0 0{inner}" stroke="{_BLACK}" stroke-width="0.02" fill="none"/>'
    for row, column in sorted(board.missing):
        yield (
            f'<rect class="missing" x="{column}" y="{board.rows - 1 - row}" width="1" height="1" '
            f'fill="{_BLACK}"/>'
        )
    yield board_edge(board)
    yield from required_lines(moves, drawing.require)
    if solved and len(drawing.solution) > 1:
        walk = moves.walk(drawing.solution, drawing.closed)
        yield f'<{walk} fill="none" stroke="{_PATH}" stroke-width="0.06" stroke-linejoin="round"/>'
    yield from forbidden_lines(moves, drawing.forbid)
    shown = {square: step for step, square in enumerate(drawing.solution, start=1)}
    digits = len(str(board.size))
    size = 0.56 if digits <= 2 else 1.25 / digits
    yield f'<g class="numbers" font-size="{num(size)}" fill="{_BLACK}">'
    for square, step in sorted((shown if solved else drawing.given).items()):
        x, y = centre(board, square)
        bold = ' font-weight="bold"' if square in drawing.given else ""
        yield f'<text x="{num(x)}" y="{num(y + 0.36 * size)}"{bold}>{step}</text>'
    yield "</g>"

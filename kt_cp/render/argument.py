"""Pictures of the reason why no tour exists.

An argument highlights squares and moves.  It may show that the board falls into many components
without some squares, that a square has a single move, or that moves which must be used close a
cycle too early.  Every kind of highlight has its own shape, so that no reader depends on colours,
and a legend names the kinds that occur.  This module only checks that the squares are on the board
and that no square is in two components.

The colours of components repeat, but their numbers do not.  A tooltip names the component if
squares are too small for numbers.  SVG does not wrap text, so lines are broken by a generous
estimate of a letter's width, and fit into the picture in every font.
"""

from __future__ import annotations

import textwrap
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from html import escape
from itertools import chain
from typing import Any

from kt_cp.model.board import Board, Square, describe
from kt_cp.model.piece import KNIGHT, Piece, moves_from
from kt_cp.render.board import (
    FINE,
    INK,
    LETTER,
    NUMBERED,
    board_edge,
    centre,
    end_mark,
    label_size,
    margins,
    num,
    picture_lines,
    start_mark,
)
from kt_cp.render.moves import (
    Move,
    Moves,
    banned_moves,
    colour_dot,
    dot_lines,
    forbidden_lines,
    forbidden_moves,
    is_dark,
    marked_ring,
    missing_square,
    place_crosses,
    removed_squares,
    required_lines,
    required_moves,
    step_lines,
    tried_moves,
    turn_label,
    turn_lines,
    used_moves,
)

PALETTE = (
    ("#8fcdf2", "#0b5c8e"),
    ("#ee9f3c", "#8a4b00"),
    ("#3f9f7c", "#0a5a41"),
    ("#eba3cb", "#8a2f66"),
    ("#6478c4", "#2b3a86"),
    ("#f3ec80", "#6b6200"),
)
"""Colours of successive components, for squares and moves; neighbours differ in lightness too."""

Component = Collection[Square]


def tint_lines(board: Board, components: Sequence[Component]) -> Iterator[str]:
    """Yield the squares of each component in its colour, over the colours of the board."""
    for colour, (fill, _) in enumerate(PALETTE[: len(components)]):
        yield f'<g class="pieces" fill="{fill}" fill-opacity=".85">'
        for index in range(colour, len(components), len(PALETTE)):
            shape = "".join(
                f"M{column} {board.rows - 1 - row}h1v1h-1z" for row, column in components[index]
            )
            yield f'<path class="piece" d="{shape}"><title>piece {index + 1}</title></path>'
        yield "</g>"


def inside_lines(
    moves: Moves, components: Sequence[Component], without: Collection[Move], thick: float
) -> Iterator[str]:
    """Yield the moves inside each component, which connect it."""
    for colour, (_, stroke) in enumerate(PALETTE[: len(components)]):
        inside = [
            (square, to)
            for component in map(set, components[colour :: len(PALETTE)])
            for square in sorted(component)
            for to in sorted(moves_from(moves.board, moves.piece, square))
            if square < to and to in component and (square, to) not in without
        ]
        if inside:
            yield (
                f'<path class="inside" d="{moves.path(inside)}" fill="none" stroke="{stroke}" '
                f'stroke-width="{num(0.045 * thick)}"/>'
            )


def badge_lines(board: Board, components: Sequence[Component]) -> Iterator[str]:
    """Yield discs for the numbers of components."""
    if components:
        yield '<g class="badges" fill="#ffffff">'
        for index, component in enumerate(components):
            # No move between two other squares comes this near to a centre.
            radius = 0.24 if index < 99 else 0.29
            yield from (_badge(*centre(board, square), radius) for square in component)
        yield "</g>"


def number_lines(
    board: Board, components: Sequence[Component], ends: Collection[Square | None]
) -> Iterator[str]:
    """Yield the number of each square's component, white on the mark of a start or an end."""
    if components:
        yield '<g class="numbers">'
        for index, component in enumerate(components):
            for square in component:
                size = 0.34 if index < 99 else 0.25
                yield _number(*centre(board, square), index, size, square in ends)
        yield "</g>"


def swatch(index: int, x: float, numbered: bool) -> str:
    """Draw a square of a component for the legend, around the point (x, 0)."""
    square = (
        f'<rect x="{num(x - 0.5)}" y="-.5" width="1" height="1" fill="{PALETTE[index][0]}" '
        'fill-opacity=".85"/>'
    )
    if not numbered:
        return square
    disc = f'<g fill="#ffffff">{_badge(x, 0, 0.36)}</g>'
    return f'{square}{disc}<g text-anchor="middle">{_number(x, 0, index, 0.55)}</g>'


def _badge(x: float, y: float, radius: float) -> str:
    return f'<circle cx="{num(x)}" cy="{num(y)}" r="{radius}"/>'


def _number(x: float, y: float, index: int, size: float, on_mark: bool = False) -> str:
    look = 'fill="#ffffff" font-weight="bold"' if on_mark else f'fill="{INK}"'
    at = f'x="{num(x)}" y="{num(y + 0.36 * size)}"'
    return f'<text {at} font-size="{size}" {look}>{index + 1}</text>'


LINE = 1.45
"""Height of a line of text, in heights of its letters."""

FEWEST_LETTERS = 46
"""Letters that fit into a line below a picture, however narrow the board."""

_SYMBOL, _GAP = 1.5, 1.2
"""Side of a square in the legend, and the gap between entries, in heights of letters."""


@dataclass(frozen=True)
class Entry:
    """An entry of a legend: a symbol, drawn around the origin, and its meaning."""

    words: str
    symbol: str
    width: float = 1.0


def wrap_text(text: str, width: float, size: float) -> list[str]:
    """Break a text into lines that fit into a width; only words longer than a line are split.

    >>> wrap_text("Take away b2, and nothing hangs together.", 10, 0.5)
    ['Take away b2, and nothing hangs', 'together.']
    """
    most = max(1, int(width / (LETTER * size) + 1e-6))
    return textwrap.wrap(text, most, break_on_hyphens=False)  # a1-c2 stays on one line


def caption_lines(lines: Sequence[str], left: float, top: float, size: float) -> Iterator[str]:
    """Yield lines of text below each other, from a top left corner."""
    if not lines:
        return
    yield f'<g class="caption" font-size="{num(size)}" fill="{INK}" text-anchor="start">'
    for place, line in enumerate(lines):
        y = top + (place * LINE + 1) * size
        yield f'<text x="{num(left)}" y="{num(y)}">{escape(line, quote=False)}</text>'
    yield "</g>"


def legend_rows(entries: Sequence[Entry], width: float, size: float) -> list[list[Entry]]:
    """Arrange entries in rows that fit into a width."""
    rows: list[list[Entry]] = []
    free = 0.0
    for entry in entries:
        entry_width = _entry_width(entry, size)
        if not rows or entry_width > free:
            rows.append([])
            free = width
        rows[-1].append(entry)
        free -= entry_width + _GAP * size
    return rows


def legend_lines(
    rows: Sequence[Sequence[Entry]], left: float, top: float, size: float
) -> Iterator[str]:
    """Yield the rows of a legend, each symbol before its words."""
    if not rows:
        return
    yield f'<g class="legend" font-size="{num(size)}" fill="{INK}" text-anchor="start">'
    for place, row in enumerate(rows):
        x, y = left, top + (place + 0.5) * row_height(size)
        for entry in row:
            symbol = entry.width * _SYMBOL * size
            yield (
                f'<g transform="translate({num(x + symbol / 2)} {num(y)}) '
                f'scale({num(_SYMBOL * size)})">{entry.symbol}</g>'
                f'<text x="{num(x + symbol + 0.4 * size)}" y="{num(y + 0.35 * size)}">'
                f"{escape(entry.words, quote=False)}</text>"
            )
            x += _entry_width(entry, size) + _GAP * size
    yield "</g>"


def row_height(size: float) -> float:
    """Return the height of a row of a legend."""
    return 1.25 * _SYMBOL * size


def _entry_width(entry: Entry, size: float) -> float:
    return (entry.width * _SYMBOL + 0.4 + LETTER * len(entry.words)) * size


@dataclass(frozen=True)
class Argument:
    """The squares, moves and components that the picture of an argument shows on a board."""

    board: Board
    piece: Piece = KNIGHT
    removed: Collection[Square] = ()  # squares that the argument takes away: crossed out
    components: Sequence[Collection[Square]] = ()  # of the rest: coloured and numbered from 1
    marked: Collection[Square] = ()  # squares that the argument is about: ringed
    marked_as: str = "what this is about"  # explains the ring in the legend
    steps: Mapping[Square, int] = field(default_factory=dict)
    tried: Sequence[Move] = ()  # supposed to be used, and then not to be: with a question mark
    counted: Sequence[Collection[Square]] = ()  # sets in order: each square shows their numbers
    used: Sequence[Move] = ()  # moves that every tour must use
    banned: Sequence[Move] = ()  # moves that no tour can use
    require: Sequence[Move] = ()  # the problem's; some may be missing in ``used``
    forbid: Sequence[Move] = ()  # the problem's; some may be missing in ``banned``
    start: Square | None = None
    end: Square | None = None
    colours: bool = False
    """True if colours are counted; a dot on each remaining square then shows its colour."""

    @property
    def remaining(self) -> list[Square]:
        """The squares that are not removed."""
        removed = set(self.removed)
        return [square for square in self.board if square not in removed]

    def normalized(self) -> Argument:
        """Return the parts sorted, without duplicates; raise ``ValueError`` if they do not fit."""
        board = self.board
        moves = [*self.used, *self.banned, *self.require, *self.forbid, *self.tried]
        ends = [square for square in (self.start, self.end) if square is not None]
        sets = (self.removed, *self.components, self.marked, *self.counted, *moves, ends)
        for square in chain.from_iterable(sets):
            if square not in board:
                raise ValueError(f"expected squares on the {board.label} board, got {square!r}")
        for move in moves:
            if len(set(move)) != 2 or len(move) != 2:
                raise ValueError(f"expected moves between two squares, got {move!r}")
        drawn = set(self.removed)
        for number, part in enumerate(self.components, start=1):
            if not part:
                raise ValueError(f"expected squares in each component, got none in number {number}")
            if common := sorted(drawn.intersection(part)):
                what = "removed" if common[0] in self.removed else "in one of them"
                raise ValueError(f"expected components apart, got {describe(common[0])} {what}")
            drawn.update(part)
        require, forbid = _once(self.require), _once(self.forbid)
        return replace(
            self,
            removed=sorted(set(self.removed)),
            components=[sorted(set(part)) for part in self.components],
            marked=sorted(set(self.marked)),
            tried=_once(self.tried),
            counted=[sorted(set(squares)) for squares in self.counted],
            used=[move for move in _once(self.used) if move not in require],
            banned=[move for move in _once(self.banned) if move not in forbid],
            require=require,
            forbid=forbid,
        )


def _once(moves: Iterable[Move]) -> list[Move]:
    """Return the moves without duplicates, each in one direction."""
    return sorted({(min(move), max(move)) for move in moves})


def legend_entries(argument: Argument, numbered: bool) -> Iterator[Entry]:
    """Yield the legend entries of the highlights that occur."""
    if argument.board.missing:
        yield Entry("missing", missing_square())
    if argument.removed:
        yield Entry("taken away", removed_squares([(-0.5, -0.5)]))
    if len(argument.components) <= len(PALETTE):
        for index in range(len(argument.components)):
            yield Entry(f"piece {index + 1}", swatch(index, 0, numbered))
    else:
        few = "".join(swatch(index, index - 1, numbered) for index in range(3))
        yield Entry(f"… {len(argument.components)} pieces", few, 3)
    if argument.marked:
        yield Entry(argument.marked_as, marked_ring(0, 0))
    if argument.counted and numbered:
        many = len(argument.counted)
        words = "counted together" if many == 1 else f"sets 1 to {many}, counted one by one"
        yield Entry(words, turn_label(0, 0, "1", 0.6, 0.65), 0.6)
    for moves, words, symbol in (
        (argument.tried, "used or not", tried_moves("M-.6 0H.6", [(0, 0)])),
        (argument.require, "required", required_moves("M-.55 0H.55")),
        (argument.forbid, "forbidden", forbidden_moves("M-.65 0H.65", [(0, 0)])),
        (argument.used, "must be used", used_moves("M-.6 0H.6")),
        (argument.banned, "cannot be used", banned_moves("M-.65 0H.65", [(0, 0)])),
    ):
        if moves:
            yield Entry(words, symbol, 1.4)
    if argument.start is not None:
        yield Entry("start", start_mark(0, 0, 0.4))
    if argument.end is not None:
        yield Entry("end", end_mark(0, 0, 0.4))
    if argument.colours:
        dark = sum(map(is_dark, argument.remaining))
        for many, what in ((dark, "dark"), (len(argument.remaining) - dark, "light")):
            words = f"{many} {what} square{'s' * (many != 1)}"
            yield Entry(words, colour_dot(0, 0, what == "dark", 0.2), 0.6)


def argument_svg(board: Board, *, title: str, caption: str = "", **fields: Any) -> str:
    """Return a picture of an argument; its parts are the fields of :class:`Argument`.

    The title is for screen readers and tooltips.  The caption below the board states the argument
    in a sentence or two.

    >>> picture = argument_svg(
    ...     Board(3, 3), title="No tour on 3x3", caption="b2 has no moves.", marked=[(1, 1)]
    ... )
    >>> "b2 has no moves." in picture, 'class="marked"' in picture, "removed" in picture
    (True, True, False)
    """
    argument = Argument(board, **fields).normalized()
    return "\n".join(_picture(argument, title, caption)) + "\n"


def _picture(argument: Argument, title: str, caption: str) -> Iterator[str]:
    board, moves = argument.board, Moves(argument.board, argument.piece)
    longest = max(board.rows, board.columns)
    size = label_size(board)
    left, below, rim = margins(board, size)
    text = 0.85 * size
    # The text is as wide as the board, or as the shortest line if the board is narrower.
    text_width = max(board.columns, FEWEST_LETTERS * LETTER * text)
    side = (board.columns - text_width) / 2
    numbered = longest <= NUMBERED
    thick = 1 if numbered else 1.5 if longest <= FINE else 2
    lines = wrap_text(caption, text_width, text)
    rows = legend_rows(list(legend_entries(argument, numbered)), text_width, text)
    above = board.rows + below + 0.4 * size
    legend_top = above + (len(lines) * LINE + (0.5 if lines else 0)) * text
    bottom = legend_top + len(rows) * row_height(text) + 0.3 * text
    begin = min(-left, side - rim)
    width = max(board.columns + rim, side + text_width + rim) - begin
    description = [f"<desc>{escape(' '.join(lines), quote=False)}</desc>"] if lines else []
    yield from picture_lines(board, (begin, -rim, width, bottom + rim), title, *description)
    if argument.removed:
        corners = [(column, board.rows - 1 - row) for row, column in argument.removed]
        yield removed_squares(corners, thick)
    yield from tint_lines(board, argument.components)
    yield board_edge(board)
    yield from inside_lines(moves, argument.components, argument.forbid, thick)
    yield from _move_lines(argument, moves, thick if longest <= FINE else max(thick, longest / 36))
    yield from _square_lines(argument, numbered, max(1, longest / 54))
    yield from caption_lines(lines, side, above, text)
    yield from legend_lines(rows, side, legend_top, text)
    yield "</svg>"


def _move_lines(argument: Argument, moves: Moves, thick: float) -> Iterator[str]:
    """Yield moves that must or cannot be used, by the problem or by the argument."""
    tried = argument.tried
    yield from required_lines(moves, argument.require, thick)
    if argument.used:
        yield used_moves(moves.path(argument.used), thick)
    if argument.banned:
        beside = (moves.along(*move, part / 8) for move in tried for part in range(9))
        crosses = place_crosses(moves, argument.banned, 0.36 * thick, beside)
        yield banned_moves(moves.path(argument.banned), crosses, thick)
    yield from forbidden_lines(moves, argument.forbid, thick)
    if tried:
        yield tried_moves(moves.path(tried), [moves.along(*move, 0.5) for move in tried], thick)


def _square_lines(argument: Argument, numbered: bool, scale: float) -> Iterator[str]:
    """Yield marks on single squares, above the moves; larger if squares are tiny."""
    board, ends = argument.board, (argument.start, argument.end)
    if numbered:
        yield from badge_lines(board, argument.components)
    if argument.end is not None:
        yield end_mark(*centre(board, argument.end), 0.34 * scale)
    if argument.start is not None:
        yield start_mark(*centre(board, argument.start), 0.34 * scale)
    if numbered:
        yield from number_lines(board, argument.components, ends)
    yield from (marked_ring(*centre(board, square), scale) for square in argument.marked)
    if numbered:
        yield from step_lines(board, argument.steps, ends)
        yield from turn_lines(board, argument.counted)
    if argument.colours:
        yield from dot_lines(board, argument.remaining, 0.1 if numbered else 0.14)

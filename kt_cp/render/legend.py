"""Words below a picture: a caption of some sentences, and a legend of what is drawn.

SVG does not wrap text, so lines are broken here, by the one guess of a letter's width that all
pictures share.  It is generous: where the reader's font is narrower the lines end early, and where
it is as wide as fonts get they still end inside the picture.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape

from kt_cp.render.board import INK, LETTER, end_mark, num, start_mark
from kt_cp.render.components import PALETTE, swatch
from kt_cp.render.signs import (
    cannot,
    dot,
    forbidden,
    hole,
    in_doubt,
    is_dark,
    must,
    required,
    ring,
    struck,
    turn,
)

LINE = 1.45
"""Height of a line of text, of the height of its letters."""

FEWEST_LETTERS = 46
"""A line below a picture has room for this many letters, however narrow the board."""

_SYMBOL, _GAP = 1.5, 1.2
"""Side of a square in the legend, and what is free between entries, of the height of letters."""


@dataclass(frozen=True)
class Entry:
    """One line of a legend: what something is, and its SVG about the origin, with its width."""

    words: str
    symbol: str
    wide: float = 1.0


def wrapped(text: str, width: float, size: float) -> list[str]:
    """Lines of a text that fit into a width; only a word too long for any line is cut.

    Examples
    --------
    >>> wrapped("Take away b2, and nothing hangs together.", 10, 0.5)
    ['Take away b2, and nothing hangs', 'together.']
    """
    most = max(1, int(width / (LETTER * size) + 1e-6))
    return textwrap.wrap(text, most, break_on_hyphens=False)  # a1-c2 stays on one line


def caption_lines(lines: Sequence[str], left: float, top: float, size: float) -> Iterator[str]:
    """Lines of text one below the other, from a top left corner."""
    if not lines:
        return
    yield f'<g class="caption" font-size="{num(size)}" fill="{INK}" text-anchor="start">'
    for place, line in enumerate(lines):
        y = top + (place * LINE + 1) * size
        yield f'<text x="{num(left)}" y="{num(y)}">{escape(line)}</text>'
    yield "</g>"


def legend_rows(entries: Sequence[Entry], width: float, size: float) -> list[list[Entry]]:
    """Entries in rows that fit into a width, as many in each as go."""
    rows: list[list[Entry]] = []
    room = 0.0
    for entry in entries:
        wide = _wide(entry, size)
        if not rows or wide > room:
            rows.append([])
            room = width
        rows[-1].append(entry)
        room -= wide + _GAP * size
    return rows


def legend_lines(
    rows: Sequence[Sequence[Entry]], left: float, top: float, size: float
) -> Iterator[str]:
    """Rows of a legend, each symbol before its words."""
    if not rows:
        return
    yield f'<g class="legend" font-size="{num(size)}" fill="{INK}" text-anchor="start">'
    for place, row in enumerate(rows):
        x, y = left, top + (place + 0.5) * legend_line(size)
        for entry in row:
            symbol = entry.wide * _SYMBOL * size
            yield (
                f'<g transform="translate({num(x + symbol / 2)} {num(y)}) '
                f'scale({num(_SYMBOL * size)})">{entry.symbol}</g>'
                f'<text x="{num(x + symbol + 0.4 * size)}" y="{num(y + 0.35 * size)}">'
                f"{escape(entry.words)}</text>"
            )
            x += _wide(entry, size) + _GAP * size
    yield "</g>"


def legend_line(size: float) -> float:
    """Height of one row of a legend."""
    return 1.25 * _SYMBOL * size


def _wide(entry: Entry, size: float) -> float:
    return (entry.wide * _SYMBOL + 0.4 + LETTER * len(entry.words)) * size


if TYPE_CHECKING:
    from kt_cp.render.argument import Argument


def entries(argument: Argument, numbered: bool) -> Iterator[Entry]:
    """The legend: what occurs, and nothing else."""
    if argument.board.missing:
        yield Entry("missing", hole())
    if argument.removed:
        yield Entry("taken away", struck([(-0.5, -0.5)]))
    if len(argument.components) <= len(PALETTE):
        for index in range(len(argument.components)):
            yield Entry(f"piece {index + 1}", swatch(index, 0, numbered))
    else:
        few = "".join(swatch(index, index - 1, numbered) for index in range(3))
        yield Entry(f"… {len(argument.components)} pieces", few, 3)
    if argument.marked:
        yield Entry(argument.marked_as, ring(0, 0))
    if argument.counted and numbered:
        many = len(argument.counted)
        words = "counted together" if many == 1 else f"sets 1 to {many}, counted one by one"
        yield Entry(words, turn(0, 0, "1", 0.6, 0.65), 0.6)
    for there, words, symbol in (
        (argument.asked, "used or not", in_doubt("M-.6 0H.6", [(0, 0)])),
        (argument.require, "required", required("M-.55 0H.55")),
        (argument.forbid, "forbidden", forbidden("M-.65 0H.65", [(0, 0)])),
        (argument.used, "must be used", must("M-.6 0H.6")),
        (argument.banned, "cannot be used", cannot("M-.65 0H.65", [(0, 0)])),
    ):
        if there:
            yield Entry(words, symbol, 1.4)
    if argument.start is not None:
        yield Entry("start", start_mark(0, 0, 0.4))
    if argument.end is not None:
        yield Entry("end", end_mark(0, 0, 0.4))
    if argument.colours:
        dark = sum(map(is_dark, argument.left()))
        light = len(argument.board) - len(argument.removed) - dark
        for many, what in ((dark, "dark"), (light, "light")):
            words = f"{many} {what} square{'s' * (many != 1)}"
            yield Entry(words, dot(0, 0, what == "dark", 0.2), 0.6)

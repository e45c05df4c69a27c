"""Why no tour exists, as a picture.

Such an argument points at squares and moves.  Take these squares away, and the board falls into so
many components; this square has a single move; these moves must be used and close a circle too
early.  Everything that is pointed at has a shape of its own, so that no reader depends on the
colours, and a legend names what occurs.  The argument is its author's: nothing is checked here but
that the squares are on the board, and that no square is in two components.

Words below a picture: a caption of some sentences, and a legend of what is drawn.

SVG does not wrap text, so lines are broken here, by the one guess of a letter's width that all
pictures share.  It is generous: where the reader's font is narrower the lines end early, and where
it is as wide as fonts get they still end inside the picture.

The components of a board, in colours and numbered, with the moves inside them.

The colours come again after a few components, the numbers do not.  A tooltip names the component
also where the squares are too small for numbers.  The moves are found here, since pictures know no
graphs.
"""

from __future__ import annotations

import textwrap
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from xml.sax.saxutils import escape

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
    doubtful,
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
"""Colours of the components, one after the other: squares, and the moves on them.

They differ in lightness too, so that neighbours in the list stay apart for colour-blind readers.
"""

Component = Sequence[Square]


def tint_lines(board: Board, components: Sequence[Component]) -> Iterator[str]:
    """The squares of each component in its colour, the board's own colours shining through."""
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
    """Moves between squares of one component, less some: why it hangs together."""
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
    """Discs for the numbers to stand on; the lines of the moves end at their rims."""
    if components:
        yield '<g class="badges" fill="#ffffff">'
        for index, component in enumerate(components):
            # No move between two other squares comes as near to a centre.
            radius = 0.24 if index < 99 else 0.29
            yield from (_badge(*centre(board, square), radius) for square in component)
        yield "</g>"


def number_lines(
    board: Board, components: Sequence[Component], ends: Collection[Square | None]
) -> Iterator[str]:
    """Each square's component by its number, white on the mark of a start or an end."""
    if components:
        yield '<g class="numbers">'
        for index, component in enumerate(components):
            for square in component:
                size = 0.34 if index < 99 else 0.25
                yield _number(*centre(board, square), index, size, square in ends)
        yield "</g>"


def swatch(index: int, x: float, numbered: bool) -> str:
    """A square of a component for the legend, about the point x on the line through the origin."""
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


def wrap_text(text: str, width: float, size: float) -> list[str]:
    """Lines of a text that fit into a width; only a word too long for any line is cut.

    Examples
    --------
    >>> wrap_text("Take away b2, and nothing hangs together.", 10, 0.5)
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


def legend_entries(argument: Argument, numbered: bool) -> Iterator[Entry]:
    """The legend: what occurs, and nothing else."""
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
    for there, words, symbol in (
        (argument.asked, "used or not", tried_moves("M-.6 0H.6", [(0, 0)])),
        (argument.require, "required", required_moves("M-.55 0H.55")),
        (argument.forbid, "forbidden", forbidden_moves("M-.65 0H.65", [(0, 0)])),
        (argument.used, "must be used", used_moves("M-.6 0H.6")),
        (argument.banned, "cannot be used", banned_moves("M-.65 0H.65", [(0, 0)])),
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
            yield Entry(words, colour_dot(0, 0, what == "dark", 0.2), 0.6)


def argument_svg(
    board: Board,
    *,
    title: str,
    caption: str = "",
    piece: Piece = KNIGHT,
    removed: Collection[Square] = (),
    components: Sequence[Collection[Square]] = (),
    marked: Collection[Square] = (),
    marked_as: str = "what this is about",
    steps: Mapping[Square, int] | None = None,
    asked: Sequence[Move] = (),
    counted: Sequence[Collection[Square]] = (),
    used: Sequence[Move] = (),
    banned: Sequence[Move] = (),
    require: Sequence[Move] = (),
    forbid: Sequence[Move] = (),
    start: Square | None = None,
    end: Square | None = None,
    colours: bool = False,
) -> str:
    """SVG of a board and of what an argument says about it.

    Parameters
    ----------
    title : str
        Text for screen readers and tooltips.
    caption : str
        The argument in a sentence or two, written below the board.
    piece : Piece
        Whose moves they are.
    removed : collection of squares
        Squares taken away by the argument: struck out.
    components : sequence of collections of squares
        What falls apart: each component in its own colour, numbered from 1, with its moves inside.
    marked : collection of squares
        Squares the argument speaks about: ringed.
    marked_as : str
        What they are, for the legend.
    steps : mapping of squares to int, optional
        The steps that some of them are given.
    asked : sequence of pairs of squares
        Moves that the argument supposes to be used, and then not to be: with a question mark.
    counted : sequence of collections of squares
        Sets that the argument counts one after the other: each square says when, from 1 on.
    used, banned : sequence of pairs of squares
        Moves that every tour must use, and moves that none can.
    require, forbid : sequence of pairs of squares
        Moves that the question requires and forbids; they need not be in ``used`` and ``banned``.
    start, end : square, optional
        Where the tour would have to begin and end.
    colours : bool
        Whether the argument counts colours: a dot on each square that is left says which it has.

    Raises
    ------
    ValueError
        If a square is not on the board, a component is empty, a square stands in two of them or was
        removed, or a move does not join two squares.

    Examples
    --------
    >>> picture = argument_svg(
    ...     Board(3, 3), title="No tour on 3x3", caption="b2 has no moves.", marked=[(1, 1)]
    ... )
    >>> "b2 has no moves." in picture, 'class="marked"' in picture, "removed" in picture
    (True, True, False)
    """
    ends = [square for square in (start, end) if square is not None]
    told = [*require, *forbid, *asked]
    for square in chain(removed, *components, marked, *counted, *used, *banned, *told, ends):
        if square not in board:
            raise ValueError(f"expected squares on the {board.label} board, got {square!r}")
    for move in chain(used, banned, told):
        if len(set(move)) != 2 or len(move) != 2:
            raise ValueError(f"expected moves between two squares, got {move!r}")
    there = set(removed)
    for number, part in enumerate(components, start=1):
        if not part:
            raise ValueError(f"expected squares in each component, got none in number {number}")
        for square in set(part):
            if square in there:
                what = "removed" if square in removed else "in one of them"
                raise ValueError(f"expected components apart, got {describe(square)} {what}")
        there.update(part)
    wanted, unwanted = _once(require), _once(forbid)
    argument = Argument(
        moves=Moves(board, piece),
        removed=tuple(sorted(set(removed))),
        components=tuple(tuple(sorted(set(part))) for part in components),
        marked=tuple(sorted(set(marked))),
        marked_as=marked_as,
        steps=dict(steps or {}),
        asked=_once(asked),
        counted=tuple(tuple(sorted(set(squares))) for squares in counted),
        used=tuple(move for move in _once(used) if move not in wanted),
        banned=tuple(move for move in _once(banned) if move not in unwanted),
        require=wanted,
        forbid=unwanted,
        start=start,
        end=end,
        colours=colours,
    )
    return "\n".join(argument.lines(title, caption)) + "\n"


def _once(moves: Iterable[Move]) -> tuple[Move, ...]:
    """Each move once, whichever way it was given."""
    return tuple(sorted({(min(move), max(move)) for move in moves}))


@dataclass(frozen=True)
class Argument:
    """What is drawn: checked, in order and without repetitions."""

    moves: Moves
    removed: tuple[Square, ...]
    components: tuple[tuple[Square, ...], ...]
    marked: tuple[Square, ...]
    marked_as: str
    steps: dict[Square, int]
    asked: tuple[Move, ...]
    counted: tuple[tuple[Square, ...], ...]
    used: tuple[Move, ...]
    banned: tuple[Move, ...]
    require: tuple[Move, ...]
    forbid: tuple[Move, ...]
    start: Square | None
    end: Square | None
    colours: bool

    @property
    def board(self) -> Board:
        """Where it is drawn."""
        return self.moves.board

    def lines(self, title: str, caption: str) -> Iterator[str]:
        board = self.board
        longest = max(board.rows, board.columns)
        size = label_size(board)
        left, below, rim = margins(board, size)
        text = 0.85 * size
        # The text has the width of the board, or of the shortest line where the board is narrower.
        room = max(board.columns, FEWEST_LETTERS * LETTER * text)
        side = (board.columns - room) / 2
        numbered = longest <= NUMBERED
        thick = 1 if numbered else 1.5 if longest <= FINE else 2
        words = wrap_text(caption, room, text)
        rows = legend_rows(list(legend_entries(self, numbered)), room, text)
        above = board.rows + below + 0.4 * size
        legend_top = above + (len(words) * LINE + (0.5 if words else 0)) * text
        bottom = legend_top + len(rows) * legend_line(text) + 0.3 * text
        begin = min(-left, side - rim)
        width = max(board.columns + rim, side + room + rim) - begin
        said = [f"<desc>{escape(' '.join(words))}</desc>"] if words else []
        yield from picture_lines(board, (begin, -rim, width, bottom + rim), title, *said)
        if self.removed:
            corners = [(column, board.rows - 1 - row) for row, column in self.removed]
            yield removed_squares(corners, thick)
        yield from tint_lines(board, self.components)
        yield board_edge(board)
        yield from inside_lines(self.moves, self.components, self.forbid, thick)
        yield from self._moves(thick if longest <= FINE else max(thick, longest / 36))
        yield from self._marks(numbered, max(1, longest / 54))
        yield from caption_lines(words, side, above, text)
        yield from legend_lines(rows, side, legend_top, text)
        yield "</svg>"

    def _moves(self, thick: float) -> Iterator[str]:
        """Moves that must or cannot be used, by the question or by the argument."""
        yield from required_lines(self.moves, self.require, thick)
        if self.used:
            yield used_moves(self.moves.path(self.used), thick)
        if self.banned:
            beside = (self.moves.along(*move, part / 8) for move in self.asked for part in range(9))
            crosses = place_crosses(self.moves, self.banned, 0.36 * thick, beside)
            yield banned_moves(self.moves.path(self.banned), crosses, thick)
        yield from forbidden_lines(self.moves, self.forbid, thick)
        if self.asked:
            yield doubtful(self.moves, self.asked, thick)

    def _marks(self, numbered: bool, scale: float) -> Iterator[str]:
        """What stands on single squares, above the moves; larger where squares are tiny."""
        board, ends = self.board, (self.start, self.end)
        if numbered:
            yield from badge_lines(board, self.components)
        if self.end is not None:
            yield end_mark(*centre(board, self.end), 0.34 * scale)
        if self.start is not None:
            yield start_mark(*centre(board, self.start), 0.34 * scale)
        if numbered:
            yield from number_lines(board, self.components, ends)
        yield from (marked_ring(*centre(board, square), scale) for square in self.marked)
        if numbered:
            yield from step_lines(board, self.steps, ends)
            yield from turn_lines(board, self.counted)
        if self.colours:
            yield from dot_lines(board, self.left(), 0.1 if numbered else 0.14)

    def left(self) -> Iterator[Square]:
        """The squares that are not removed."""
        removed = set(self.removed)
        return (square for square in self.board if square not in removed)

"""Why no knight's tour exists, as a picture.

Such an argument points at squares and moves: take these squares away and the board falls into so
many pieces; this square has a single move; these moves must be used and close a circle too early.
Everything that is pointed at has a shape of its own, so that no reader depends on the colours, and
a legend names what occurs.  What the argument says is its author's: nothing is checked here but
that the squares are on the board, and that no square is in two pieces.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from xml.sax.saxutils import escape

from kt_cp.board import Board, Square, describe
from kt_cp.render.board import (
    FINE,
    LETTER,
    NUMBERED,
    board_lines,
    centre,
    edge,
    end_mark,
    label_lines,
    label_size,
    margins,
    opening_lines,
    start_mark,
)
from kt_cp.render.legend import (
    FEWEST_LETTERS,
    LINE,
    Entry,
    caption_lines,
    legend_line,
    legend_lines,
    legend_rows,
    wrapped,
)
from kt_cp.render.pieces import (
    PALETTE,
    badge_lines,
    inside_lines,
    lines_between,
    number_lines,
    swatch,
    tint_lines,
)
from kt_cp.render.signs import cannot, dot, dot_lines, hole, is_dark, must, ring, struck

Move = tuple[Square, Square]


def argument_svg(
    board: Board,
    *,
    title: str,
    caption: str = "",
    removed: Collection[Square] = (),
    pieces: Sequence[Collection[Square]] = (),
    marked: Collection[Square] = (),
    used: Sequence[Move] = (),
    banned: Sequence[Move] = (),
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
    removed : collection of squares
        Squares taken away by the argument: struck out.
    pieces : sequence of collections of squares
        What falls apart: each piece in its own colour, numbered from 1, with its moves inside.
    marked : collection of squares
        Squares the argument speaks about: ringed.
    used, banned : sequence of pairs of squares
        Moves that every tour must use, and moves that none can.
    start, end : square, optional
        Where the tour would have to begin and end.
    colours : bool
        Whether the argument counts colours: a dot on each square that is left says which it has.

    Raises
    ------
    ValueError
        If a square is not on the board, a piece is empty, a square stands in two pieces or was
        removed from its piece, or a move does not join two squares.

    Examples
    --------
    >>> picture = argument_svg(
    ...     Board(3, 3), title="No tour on 3x3", caption="b2 has no moves.", marked=[(1, 1)]
    ... )
    >>> "b2 has no moves." in picture, 'class="marked"' in picture, "removed" in picture
    (True, True, False)
    """
    ends = [square for square in (start, end) if square is not None]
    for square in chain(removed, *pieces, marked, *used, *banned, ends):
        if square not in board:
            raise ValueError(f"expected squares on the {board.label} board, got {square!r}")
    for move in chain(used, banned):
        if len(set(move)) != 2 or len(move) != 2:
            raise ValueError(f"expected moves between two squares, got {move!r}")
    there = set(removed)
    for number, piece in enumerate(pieces, start=1):
        if not piece:
            raise ValueError(f"expected pieces of at least one square, got none in piece {number}")
        for square in set(piece):
            if square in there:
                what = "removed" if square in removed else "in one piece"
                raise ValueError(f"expected pieces apart, got {describe(square)} {what} already")
        there.update(piece)
    parts = tuple(tuple(sorted(set(piece))) for piece in pieces)
    away, rings = tuple(sorted(set(removed))), tuple(sorted(set(marked)))
    argument = _Argument(board, away, parts, rings, _once(used), _once(banned), start, end, colours)
    return "\n".join(argument.lines(title, caption)) + "\n"


def _once(moves: Iterable[Move]) -> tuple[Move, ...]:
    """Each move once, whichever way it was given."""
    return tuple(sorted({(min(move), max(move)) for move in moves}))


@dataclass(frozen=True)
class _Argument:
    """What is drawn: checked, in order and without repetitions."""

    board: Board
    removed: tuple[Square, ...]
    pieces: tuple[tuple[Square, ...], ...]
    marked: tuple[Square, ...]
    used: tuple[Move, ...]
    banned: tuple[Move, ...]
    start: Square | None
    end: Square | None
    colours: bool

    def lines(self, title: str, caption: str) -> Iterator[str]:
        board = self.board
        longest = max(board.rows, board.columns)
        size = label_size(longest)
        left, below, rim = margins(board, size)
        text = 0.85 * size
        # The text has the width of the board, or of the shortest line where the board is narrower.
        room = max(board.columns, FEWEST_LETTERS * LETTER * text)
        side = (board.columns - room) / 2
        numbered = longest <= NUMBERED
        thick = 1 if numbered else 1.5 if longest <= FINE else 2
        words = wrapped(caption, room, text)
        rows = legend_rows(list(self._entries(numbered)), room, text)
        above = board.rows + below + 0.4 * size
        legend_top = above + (len(words) * LINE + (0.5 if words else 0)) * text
        bottom = legend_top + len(rows) * legend_line(text) + 0.3 * text
        begin = min(-left, side - rim)
        width = max(board.columns + rim, side + room + rim) - begin
        scale = max(8.0, min(48.0, 960 / longest))
        yield from opening_lines((begin, -rim, width, bottom + rim), scale, title)
        if words:
            yield f"<desc>{escape(' '.join(words))}</desc>"
        yield from board_lines(board, longest)
        yield from label_lines(board, size, longest)
        yield from self._squares(thick)
        yield edge(board, longest)
        yield from inside_lines(board, self.pieces, thick)
        yield from self._moves(thick if longest <= FINE else max(thick, longest / 36))
        yield from self._marks(numbered, max(1, longest / 54))
        yield from caption_lines(words, side, above, text)
        yield from legend_lines(rows, side, legend_top, text)
        yield "</svg>"

    def _squares(self, thick: float) -> Iterator[str]:
        """Squares that are taken away, and the pieces in their colours."""
        if self.removed:
            corners = [(column, self.board.rows - 1 - row) for row, column in self.removed]
            yield struck(corners, thick)
        yield from tint_lines(self.board, self.pieces)

    def _moves(self, thick: float) -> Iterator[str]:
        """Moves that must or cannot be used."""
        if self.used:
            yield must(lines_between(self.board, self.used), thick)
        if self.banned:
            crosses = []
            for move in self.banned:
                (x, y), (to_x, to_y) = map(self._centre, move)
                # Not in the middle, where another move may cross this one.
                crosses.append((x + 0.38 * (to_x - x), y + 0.38 * (to_y - y)))
            yield cannot(lines_between(self.board, self.banned), crosses, thick)

    def _marks(self, numbered: bool, scale: float) -> Iterator[str]:
        """What stands on single squares, above the moves; larger where squares are tiny."""
        if numbered:
            yield from badge_lines(self.board, self.pieces)
        radius = 0.34 * scale
        if self.end is not None:
            yield end_mark(*self._centre(self.end), radius)
        if self.start is not None:
            yield start_mark(*self._centre(self.start), radius)
        if numbered:
            yield from number_lines(self.board, self.pieces, (self.start, self.end))
        yield from (ring(*self._centre(square), scale) for square in self.marked)
        if self.colours:
            yield from dot_lines(self.board, self._left(), 0.1 if numbered else 0.14)

    def _entries(self, numbered: bool) -> Iterator[Entry]:
        """The legend: what occurs, and nothing else."""
        if self.board.missing:
            yield Entry("missing", hole())
        if self.removed:
            yield Entry("removed", struck([(-0.5, -0.5)]))
        if len(self.pieces) <= len(PALETTE):
            for index in range(len(self.pieces)):
                yield Entry(f"piece {index + 1}", swatch(index, 0, numbered))
        else:
            few = "".join(swatch(index, index - 1, numbered) for index in range(3))
            yield Entry(f"… {len(self.pieces)} pieces", few, 3)
        if self.marked:
            yield Entry("marked", ring(0, 0))
        if self.used:
            yield Entry("must be used", must("M-.6 0H.6"), 1.4)
        if self.banned:
            yield Entry("cannot be used", cannot("M-.65 0H.65", [(0, 0)]), 1.4)
        if self.start is not None:
            yield Entry("start", start_mark(0, 0, 0.4))
        if self.end is not None:
            yield Entry("end", end_mark(0, 0, 0.4))
        if self.colours:
            dark = sum(map(is_dark, self._left()))
            light = len(self.board) - len(self.removed) - dark
            for many, what in ((dark, "dark"), (light, "light")):
                words = f"{many} {what} square{'s' * (many != 1)}"
                yield Entry(words, dot(0, 0, what == "dark", 0.2), 0.6)

    def _left(self) -> Iterator[Square]:
        removed = set(self.removed)
        return (square for square in self.board if square not in removed)

    def _centre(self, square: Square) -> tuple[float, float]:
        return centre(self.board, square)

"""Why no tour exists, as a picture.

Such an argument points at squares and moves.  Take these squares away, and the board falls into so
many components; this square has a single move; these moves must be used and close a circle too
early.  Everything that is pointed at has a shape of its own, so that no reader depends on the
colours, and a legend names what occurs.  The argument is its author's: nothing is checked here but
that the squares are on the board, and that no square is in two components.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from xml.sax.saxutils import escape

from kt_cp.model.board import Board, Square, describe
from kt_cp.model.piece import KNIGHT, Piece
from kt_cp.render.board import (
    FINE,
    LETTER,
    NUMBERED,
    centre,
    edge,
    end_mark,
    label_size,
    margins,
    picture_lines,
    start_mark,
)
from kt_cp.render.components import badge_lines, inside_lines, number_lines, tint_lines
from kt_cp.render.legend import (
    FEWEST_LETTERS,
    LINE,
    caption_lines,
    entries,
    legend_line,
    legend_lines,
    legend_rows,
    wrapped,
)
from kt_cp.render.moves import Move, Moves
from kt_cp.render.signs import (
    cannot,
    crossings,
    dot_lines,
    doubtful,
    forbidden_lines,
    must,
    required_lines,
    ring,
    step_lines,
    struck,
    turn_lines,
)


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
        words = wrapped(caption, room, text)
        rows = legend_rows(list(entries(self, numbered)), room, text)
        above = board.rows + below + 0.4 * size
        legend_top = above + (len(words) * LINE + (0.5 if words else 0)) * text
        bottom = legend_top + len(rows) * legend_line(text) + 0.3 * text
        begin = min(-left, side - rim)
        width = max(board.columns + rim, side + room + rim) - begin
        said = [f"<desc>{escape(' '.join(words))}</desc>"] if words else []
        yield from picture_lines(board, (begin, -rim, width, bottom + rim), title, *said)
        if self.removed:
            corners = [(column, board.rows - 1 - row) for row, column in self.removed]
            yield struck(corners, thick)
        yield from tint_lines(board, self.components)
        yield edge(board)
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
            yield must(self.moves.path(self.used), thick)
        if self.banned:
            beside = (self.moves.along(*move, part / 8) for move in self.asked for part in range(9))
            crosses = crossings(self.moves, self.banned, 0.36 * thick, beside)
            yield cannot(self.moves.path(self.banned), crosses, thick)
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
        yield from (ring(*centre(board, square), scale) for square in self.marked)
        if numbered:
            yield from step_lines(board, self.steps, ends)
            yield from turn_lines(board, self.counted)
        if self.colours:
            yield from dot_lines(board, self.left(), 0.1 if numbered else 0.14)

    def left(self) -> Iterator[Square]:
        """The squares that are not removed."""
        removed = set(self.removed)
        return (square for square in self.board if square not in removed)

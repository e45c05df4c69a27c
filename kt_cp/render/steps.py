"""The steps of a search, for moving pictures and for a comic strip: its boards side by side.

Each board of a strip shows the piece, an X on every square visited before, and the walk as a thin
line.  A step back is red: the frame's caption, the square that is free again, and a dashed line to
it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from xml.sax.saxutils import escape

from kt_cp.model.board import Board, Square, square_name
from kt_cp.model.piece import KNIGHT, Piece
from kt_cp.render.board import (
    END,
    INK,
    PATH,
    board_lines,
    centre,
    label_lines,
    margins,
    num,
    opening_lines,
    titled,
)
from kt_cp.render.moves import Moves

OUTLINE = (
    "M-.25 .27C-.25 .13-.16 .05-.07-.02C-.03-.05-.02-.08-.03-.11C-.09-.05-.16-.05-.21-.01"
    "C-.24 .02-.27 .06-.31 .04C-.36 .01-.37-.05-.34-.1C-.29-.19-.25-.27-.17-.32L-.17-.42"
    "L-.07-.34C.13-.33 .27-.18 .26 .08C.26 .16 .24 .22 .24 .27ZM-.29 .31H.28V.39H-.29Z"
)
"""Of a knight, looking left, about the middle of a square."""


@dataclass(frozen=True, slots=True)
class Step:
    """A square placed or taken back, and a few words on it."""

    placed: bool
    square: Square
    caption: str


@dataclass
class Scene:
    """A square on the walk, from the step that places it to the one that takes it back.

    Steps are counted from 0; ``left`` is where the knight came from, ``end`` None where the
    square stays.
    """

    square: Square
    left: Square | None
    move: int
    begin: int
    end: int | None = None


def scenes(
    steps: Sequence[Step], before: Sequence[Square] = ()
) -> tuple[list[Scene], list[Square | None]]:
    """What is on the walk from when to when, and where the knight is after each step.

    Examples
    --------
    >>> there, knight_at = scenes([Step(True, (1, 2), ""), Step(False, (1, 2), "")], [(0, 0)])
    >>> [(scene.square, scene.begin, scene.end) for scene in there], knight_at
    ([((0, 0), 0, None), ((1, 2), 0, 1)], [(1, 2), (0, 0)])
    """
    walk: list[Scene] = []
    everything: list[Scene] = []
    knight_at: list[Square | None] = []

    def place(square: Square, begin: int) -> None:
        walk.append(Scene(square, walk[-1].square if walk else None, len(walk) + 1, begin))
        everything.append(walk[-1])

    for square in before:
        place(square, 0)
    for number, step in enumerate(steps):
        if step.placed:
            place(step.square, number)
        else:
            walk.pop().end = number
        knight_at.append(walk[-1].square if walk else None)
    return [scene for scene in everything if scene.begin != scene.end], knight_at


def tour_steps(squares: Iterable[Square]) -> Iterator[Step]:
    """The steps of a finished tour, as many as it has squares."""
    return (Step(True, square, f"move {move}") for move, square in enumerate(squares, start=1))


def figure(piece: Piece, ink: str, ground: str) -> str:
    """A piece about the origin, on a disc of its own, so that nothing shines through.

    The knight has its shape, others their initial; a leaper without a name is an L.
    """
    disc = f'<circle r=".42" fill="{ground}" stroke="{ink}" stroke-width=".03"/>'
    if piece == KNIGHT:
        return (
            f'{disc}<path d="{OUTLINE}" transform="translate(.03 .01) scale(.78)" fill="{ink}"/>'
            f'<circle cx="-.1" cy="-.15" r=".028" fill="{ground}"/>'
        )
    initial = piece.name[0].upper() if piece.name.isalpha() else "L"
    return f'{disc}<text y=".18" font-size=".5" font-weight="bold" fill="{ink}">{initial}</text>'


MOST_BOARDS = 400
"""Most boards that make a strip."""

LONGEST_SIDE = 32
"""Longest side of a board in a strip."""

_ACROSS = 36.0  # squares that stand side by side
_LABEL, _CAPTION, _GAP = 0.36, 0.5, 0.9
_LETTER = 0.63  # width of a letter, of its height: bold ones are wider


def comic_svg(
    board: Board,
    steps: Sequence[Step],
    before: Sequence[Square] = (),
    *,
    piece: Piece = KNIGHT,
    title: str | None = None,
    downwards: bool = False,
) -> str:
    """SVG of a board after each of some steps.

    Parameters
    ----------
    before : sequence of squares
        The walk before the first of the steps.
    downwards : bool
        Whether rank 1 is drawn on top.

    Examples
    --------
    >>> steps = [Step(True, (0, 0), "1 · a1"), Step(True, (1, 2), "2 · a1–c2")]
    >>> comic_svg(Board(3, 4), steps).count('class="board"')
    2
    """
    if downwards:
        board, steps, before = turned_over(board, steps, before)
    return "\n".join(_lines(Moves(board, piece), steps, before, title, downwards)) + "\n"


def turned_over(
    board: Board, steps: Sequence[Step], before: Sequence[Square]
) -> tuple[Board, list[Step], list[Square]]:
    """Everything with its ranks in the other order, so that the first is drawn on top."""

    def turned(square: Square) -> Square:
        return board.rows - 1 - square[0], square[1]

    return (
        replace(board, missing=frozenset(map(turned, board.missing))),
        [replace(step, square=turned(step.square)) for step in steps],
        list(map(turned, before)),
    )


def _lines(
    moves: Moves,
    steps: Sequence[Step],
    before: Sequence[Square],
    title: str | None,
    downwards: bool,
) -> Iterator[str]:
    board = moves.board
    margin, below, _ = margins(board, _LABEL)
    words = max((len(step.caption) for step in steps), default=0)
    wide = max(margin + board.columns, words * _LETTER * _CAPTION) + _GAP
    high = 2 * _CAPTION + board.rows + below + 0.5 * _GAP
    across = max(1, min(len(steps), int(_ACROSS / wide)))
    down = max(1, -(-len(steps) // across))
    width, height = across * wide, down * high + 0.5 * _GAP
    scale = max(12.0, min(36.0, 900 / width))
    many = f"{len(steps)} board{'s' * (len(steps) != 1)}"
    label = title or f"{titled('search', board, moves.piece)}, {many}"
    yield from opening_lines((0, 0, width, height), scale, label)
    empty = "-".join(["empty", str(board), *map(square_name, sorted(board.missing))])
    yield f'<defs><g id="{empty}">'
    yield from board_lines(board)
    yield from label_lines(board, _LABEL, downwards=downwards)
    yield f'</g><g id="knight">{figure(moves.piece, INK, "#ffffff")}</g></defs>'
    walk = list(before)
    for place, step in enumerate(steps):
        if step.placed:
            walk.append(step.square)
        else:
            walk.pop()
        row, column = divmod(place, across)
        x = column * wide + margin + 0.5 * _GAP
        y = row * high + 2 * _CAPTION + 0.25 * _GAP
        yield f'<g class="board" transform="translate({num(x)} {num(y)})">'
        yield f'<use href="#{empty}"/>'
        yield from _panel(moves, step, walk)
        yield "</g>"
    yield "</svg>"


def _panel(moves: Moves, step: Step, walk: Sequence[Square]) -> Iterator[str]:
    strong = f'fill="{INK}"' if step.placed else f'fill="{END}" font-weight="bold"'
    yield (
        f'<text class="caption" y="-.35" font-size="{_CAPTION}" text-anchor="start" {strong}>'
        f"{escape(step.caption)}</text>"
    )
    points = [centre(moves.board, square) for square in walk]
    if len(walk) > 1:
        yield (
            f'<{moves.walk(walk)} fill="none" stroke="{PATH}" stroke-width=".05" '
            'stroke-opacity=".55"/>'
        )
    if not step.placed:
        yield from _left(moves, step.square, walk)
    if len(walk) > 1:
        places = [f"M{num(x - 0.2)} {num(y - 0.2)}" for x, y in points[:-1]]
        crosses = "".join(f"{corner}l.4 .4m0-.4l-.4 .4" for corner in places)
        yield (
            f'<path class="visited" d="{crosses}" stroke="{INK}" stroke-width=".09" '
            'stroke-linecap="round"/>'
        )
    if walk:
        x, y = points[-1]
        yield f'<use class="knight" href="#knight" x="{num(x)}" y="{num(y)}"/>'


def _left(moves: Moves, square: Square, walk: Sequence[Square]) -> Iterator[str]:
    """The square that was taken back, and the way back from it."""
    x, y = centre(moves.board, square)
    yield (
        f'<rect class="left" x="{num(x - 0.5)}" y="{num(y - 0.5)}" width="1" height="1" '
        f'fill="{END}" fill-opacity=".3" stroke="{END}" stroke-width=".06"/>'
    )
    if walk:
        yield (
            f'<path class="back" d="{moves.path([(square, walk[-1])])}" fill="none" stroke="{END}" '
            'stroke-width=".08" stroke-dasharray=".16 .12"/>'
        )

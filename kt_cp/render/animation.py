"""A search or a tour step by step: an animation, or a strip of boards.

An animation is SVG that any browser plays, without scripts.  All moving parts run on one clock,
which starts again at the end.  Its unit is a *slot*, the time of one step; step i is visible from
slot i on.  A square and the line to it form one group, which is visible from the slot that places
the square to the slot that removes it.  A step back is red for its slot.  So the file grows by a
few hundred bytes with each step.  Without animation, and for readers who prefer reduced motion, the
picture shows the last step.

A board of a strip shows the piece, a cross on every square visited before, and the walk as a thin
line.  On a step back, the caption, the removed square and a dashed line to it are red.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from html import escape

from kt_cp.model.board import Board, Square, square_name
from kt_cp.model.piece import KNIGHT, Piece
from kt_cp.render.board import (
    END,
    INK,
    LETTER,
    NUMBERED,
    PATH,
    START,
    board_lines,
    centre,
    label_lines,
    label_size,
    line_width,
    margins,
    num,
    opening_lines,
    picture_lines,
    picture_title,
)
from kt_cp.render.moves import (
    Move,
    Moves,
    forbidden_lines,
    glide_animation,
    point_on,
    required_lines,
)

OUTLINE = (
    "M-.25 .27C-.25 .13-.16 .05-.07-.02C-.03-.05-.02-.08-.03-.11C-.09-.05-.16-.05-.21-.01"
    "C-.24 .02-.27 .06-.31 .04C-.36 .01-.37-.05-.34-.1C-.29-.19-.25-.27-.17-.32L-.17-.42"
    "L-.07-.34C.13-.33 .27-.18 .26 .08C.26 .16 .24 .22 .24 .27ZM-.29 .31H.28V.39H-.29Z"
)
"""Outline of a knight that faces left, around the middle of a square."""


@dataclass(frozen=True, slots=True)
class Step:
    """A square that is placed or removed, with a caption."""

    placed: bool
    square: Square
    caption: str


@dataclass
class Scene:
    """A square of the walk, from the slot that places it to the slot that removes it, if any."""

    square: Square
    previous: Square | None
    move: int
    begin: int
    end: int | None = None


def build_scenes(
    steps: Sequence[Step], before: Sequence[Square] = ()
) -> tuple[list[Scene], list[Square | None]]:
    """Return the squares that are visible, and the square of the piece after each step.

    >>> steps = [Step(True, (1, 2), ""), Step(False, (1, 2), "")]
    >>> scenes, knight_at = build_scenes(steps, [(0, 0)])
    >>> [(scene.square, scene.begin, scene.end) for scene in scenes], knight_at
    ([((0, 0), 0, None), ((1, 2), 0, 1)], [(1, 2), (0, 0)])
    """
    walk: list[Scene] = []
    scenes: list[Scene] = []
    knight_at: list[Square | None] = []

    def place(square: Square, begin: int) -> None:
        walk.append(Scene(square, walk[-1].square if walk else None, len(walk) + 1, begin))
        scenes.append(walk[-1])

    for square in before:
        place(square, 0)
    for number, step in enumerate(steps):
        if step.placed:
            place(step.square, number)
        else:
            walk.pop().end = number
        knight_at.append(walk[-1].square if walk else None)
    return [scene for scene in scenes if scene.begin != scene.end], knight_at


def tour_steps(squares: Iterable[Square]) -> Iterator[Step]:
    """Yield the steps of a tour."""
    return (Step(True, square, f"move {move}") for move, square in enumerate(squares, start=1))


def piece_symbol(piece: Piece, ink: str, ground: str) -> str:
    """Draw a piece around the origin, on an opaque disc: a knight, or the initial of another."""
    disc = f'<circle r=".42" fill="{ground}" stroke="{ink}" stroke-width=".03"/>'
    if piece == KNIGHT:
        return (
            f'{disc}<path d="{OUTLINE}" transform="translate(.03 .01) scale(.78)" fill="{ink}"/>'
            f'<circle cx="-.1" cy="-.15" r=".028" fill="{ground}"/>'
        )
    initial = piece.name[0].upper() if piece.name.isalpha() else "L"
    return f'{disc}<text y=".18" font-size=".5" font-weight="bold" fill="{ink}">{initial}</text>'


MOST_BOARDS = 400
"""Most boards of a strip."""

LONGEST_SIDE = 32
"""Longest side of a board in a strip."""

_STRIP_WIDTH = 36.0  # squares
_LABEL, _CAPTION, _GAP = 0.36, 0.5, 0.9
_LETTER = 0.63  # width of a letter, in heights: bold ones are wider


def comic_svg(
    board: Board,
    steps: Sequence[Step],
    before: Sequence[Square] = (),
    *,
    piece: Piece = KNIGHT,
    title: str | None = None,
    downwards: bool = False,
) -> str:
    """Return SVG of the board after each of some steps.

    ``before`` is the walk before them.  With ``downwards``, rank 1 is on top.

    >>> steps = [Step(True, (0, 0), "1 · a1"), Step(True, (1, 2), "2 · a1–c2")]
    >>> comic_svg(Board(3, 4), steps).count('class="board"')
    2
    """
    if downwards:
        board, steps, before = flip_board(board, steps, before)
    lines = _comic_lines(Moves(board, piece), steps, before, title, downwards)
    return "\n".join(lines) + "\n"


def flip_board(
    board: Board, steps: Sequence[Step], before: Sequence[Square]
) -> tuple[Board, list[Step], list[Square]]:
    """Reverse the ranks, so that the first rank is on top."""

    def flip(square: Square) -> Square:
        return board.rows - 1 - square[0], square[1]

    return (
        replace(board, missing=frozenset(map(flip, board.missing))),
        [replace(step, square=flip(step.square)) for step in steps],
        list(map(flip, before)),
    )


def _comic_lines(
    moves: Moves,
    steps: Sequence[Step],
    before: Sequence[Square],
    title: str | None,
    downwards: bool,
) -> Iterator[str]:
    board = moves.board
    margin, below, _ = margins(board, _LABEL)
    letters = max((len(step.caption) for step in steps), default=0)
    panel_width = max(margin + board.columns, letters * _LETTER * _CAPTION) + _GAP
    panel_height = 2 * _CAPTION + board.rows + below + 0.5 * _GAP
    across = max(1, min(len(steps), int(_STRIP_WIDTH / panel_width)))
    down = max(1, -(-len(steps) // across))
    width, height = across * panel_width, down * panel_height + 0.5 * _GAP
    scale = max(12.0, min(36.0, 900 / width))
    many = f"{len(steps)} board{'s' * (len(steps) != 1)}"
    label = title or f"{picture_title('search', board, moves.piece)}, {many}"
    yield from opening_lines((0, 0, width, height), scale, label)
    empty = "-".join(["empty", str(board), *map(square_name, sorted(board.missing))])
    yield f'<defs><g id="{empty}">'
    yield from board_lines(board)
    yield from label_lines(board, _LABEL, downwards=downwards)
    yield f'</g><g id="knight">{piece_symbol(moves.piece, INK, "#ffffff")}</g></defs>'
    walk = list(before)
    for place, step in enumerate(steps):
        if step.placed:
            walk.append(step.square)
        else:
            walk.pop()
        row, column = divmod(place, across)
        x = column * panel_width + margin + 0.5 * _GAP
        y = row * panel_height + 2 * _CAPTION + 0.25 * _GAP
        yield f'<g class="board" transform="translate({num(x)} {num(y)})">'
        yield f'<use href="#{empty}"/>'
        yield from _panel(moves, step, walk)
        yield "</g>"
    yield "</svg>"


def _panel(moves: Moves, step: Step, walk: Sequence[Square]) -> Iterator[str]:
    strong = f'fill="{INK}"' if step.placed else f'fill="{END}" font-weight="bold"'
    yield (
        f'<text class="caption" y="-.35" font-size="{_CAPTION}" text-anchor="start" {strong}>'
        f"{escape(step.caption, quote=False)}</text>"
    )
    points = [centre(moves.board, square) for square in walk]
    if len(walk) > 1:
        yield (
            f'<{moves.walk(walk)} fill="none" stroke="{PATH}" stroke-width=".05" '
            'stroke-opacity=".55"/>'
        )
    if not step.placed:
        x, y = centre(moves.board, step.square)
        yield (
            f'<rect class="left" x="{num(x - 0.5)}" y="{num(y - 0.5)}" width="1" height="1" '
            f'fill="{END}" fill-opacity=".3" stroke="{END}" stroke-width=".06"/>'
        )
        if walk:
            yield (
                f'<path class="back" d="{moves.path([(step.square, walk[-1])])}" fill="none" '
                f'stroke="{END}" stroke-width=".08" stroke-dasharray=".16 .12"/>'
            )
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


MOST_STEPS = 4096
"""Most steps of an animation; every step is a moving part."""

FASTEST = 60.0
"""Most steps per second, the frame rate of a screen."""

SPEED, MINUTE = 4.0, 60.0
"""The default steps per second, and the longest duration; longer walks are played faster."""

_REST = 2.5  # seconds on the last step
_DISC = 0.3  # radius; lines between other squares stay farther from a centre
_STILL = (
    "<style>.still{visibility:hidden}@media(prefers-reduced-motion:reduce){"
    ".on,.still{visibility:visible!important}.off{visibility:hidden!important}.moving{display:none}}"
    "</style>"
)


def animation_svg(
    board: Board,
    steps: Sequence[Step],
    before: Sequence[Square] = (),
    *,
    piece: Piece = KNIGHT,
    closed: bool = False,
    require: Sequence[Move] = (),
    forbid: Sequence[Move] = (),
    speed: float | None = None,
    title: str | None = None,
    downwards: bool = False,
) -> str:
    """Return SVG that shows one step after the other, in a loop.

    ``before`` is the walk before the steps.  A closed tour ends with the move to its first square.
    By default there are 4 steps per second, or as many as are needed to end within a minute.  With
    ``downwards``, rank 1 is on top.

    >>> steps = [Step(True, (0, 0), "1 · a1"), Step(True, (1, 2), "2 · a1–c2")]
    >>> picture = animation_svg(Board(3, 4), steps, speed=2)
    >>> picture.count("<animate "), 'dur="3.5s"' in picture
    (3, True)
    """
    if downwards:
        board, steps, before = flip_board(board, steps, before)
    moves = Moves(board, piece)
    conditions = [*required_lines(moves, require), *forbidden_lines(moves, forbid)]
    film = _Film(moves, steps, before, closed, speed)
    return "\n".join(film.lines(title, conditions, downwards)) + "\n"


class _Film:
    """The scenes of an animation, and their clock."""

    def __init__(
        self,
        moves: Moves,
        steps: Sequence[Step],
        before: Sequence[Square],
        closed: bool,
        speed: float | None,
    ) -> None:
        self.moves, self.board, self.steps = moves, moves.board, steps
        self.scenes, self.knight_at = build_scenes(steps, before)
        walk = [*before, *(step.square for step in steps)]
        self.home = (walk[-1], walk[0]) if closed and len(walk) > 2 else None
        if self.home:
            self.knight_at.append(self.home[1])
        shown = len(self.knight_at)
        if speed is None:
            speed = min(FASTEST, max(SPEED, shown / MINUTE))
        self.slots = shown + max(1, round(_REST * speed))
        self.seconds = num(self.slots / speed)

    def lines(
        self, title: str | None, conditions: Sequence[str], downwards: bool = False
    ) -> Iterator[str]:
        board = self.board
        size = label_size(board)
        caption = 1.4 * size
        letters = max((len(step.caption) for step in self.steps), default=0)
        left, below, rim = margins(board, size)
        below += 1.6 * caption
        spare = max(0.0, letters * LETTER * caption - (left + board.columns + rim)) / 2
        width, height = left + board.columns + rim + 2 * spare, rim + board.rows + below
        label = (
            title or f"{picture_title('walk', board, self.moves.piece)}, {len(self.steps)} steps"
        )
        box = (-left - spare, -rim, width, height)
        yield from picture_lines(board, box, label, _STILL, downwards=downwards)
        yield from conditions
        yield from self._walk()
        yield from self._knight(max(0.9, max(board.rows, board.columns) / 40))
        yield from self._captions(board.columns / 2, board.rows + below - 0.5 * caption, caption)
        yield "</svg>"

    def _walk(self) -> Iterator[str]:
        numbered = max(self.board.rows, self.board.columns) <= NUMBERED
        stroke = line_width(self.board)
        size = 0.32 if len(self.board) < 100 else 0.26
        yield (
            f'<g class="walk" stroke="{PATH}" stroke-width="{stroke}" stroke-linecap="round" '
            f'fill="#ffffff" font-size="{size}" font-weight="bold">'
        )
        for scene in self.scenes:
            mark = self._line(scene.previous, scene.square) if scene.previous else ""
            x, y = centre(self.board, scene.square)
            fill = PATH if scene.previous else START
            place = f'cx="{num(x)}" cy="{num(y)}"'
            mark += f'<circle {place} r="{_DISC}" fill="{fill}" stroke="none"/>'
            if numbered:
                at = f'x="{num(x)}" y="{num(y + 0.36 * size)}"'
                mark += f'<text {at} stroke="none">{scene.move}</text>'
            yield self._visible("square", mark, scene.begin, scene.end)
        if self.home:
            yield self._visible("home", self._line(*self.home), len(self.knight_at) - 1)
        yield f'</g><g class="backs" stroke="{END}" stroke-width="{stroke}" stroke-linecap="round">'
        for slot, (step, to) in enumerate(zip(self.steps, self.knight_at, strict=False)):
            if step.placed:
                continue
            x, y = centre(self.board, step.square)
            mark = self._line(step.square, to) if to else ""
            cross = f"M{num(x - 0.16)} {num(y - 0.16)}l.32 .32m0-.32l-.32 .32"
            mark += f'<path d="{cross}"/><circle cx="{num(x)}" cy="{num(y)}" r=".36" fill="none"/>'
            yield self._visible("back", mark, slot, slot + 1)
        yield "</g>"

    def _line(self, left: Square, to: Square) -> str:
        """Draw a line between the discs of two squares."""
        segments = self.moves.segments(left, to)
        begin, end = point_on(segments[0], _DISC), point_on(segments[-1], -_DISC)
        segments[0] = begin, segments[0][1]
        segments[-1] = segments[-1][0], end
        ends = "".join(
            f"M{num(x)} {num(y)}L{num(to_x)} {num(to_y)}" for (x, y), (to_x, to_y) in segments
        )
        return f'<path d="{ends}"/>'

    def _visible(self, name: str, mark: str, begin: int, end: int | None = None) -> str:
        """Return a group that is visible from one slot to another, or to the end."""
        if end is not None and end >= len(self.knight_at):
            end = None
        times = [(0, begin == 0), (begin, True)] if begin else [(0, True)]
        if end is not None:
            times.append((end, False))
        moves = ""
        if len(times) > 1:
            values = ";".join("visible" if visible else "hidden" for _, visible in times)
            keys = ";".join(f"{slot / self.slots:.6f}".rstrip("0").rstrip(".") for slot, _ in times)
            moves = (
                f'<animate attributeName="visibility" values="{values}" keyTimes="{keys}" '
                f'calcMode="discrete" dur="{self.seconds}s" repeatCount="indefinite"/>'
            )
        state = 'on"' if end is None else 'off" visibility="hidden"'
        return f'<g class="{name} {state}>{mark}{moves}</g>'

    def _knight(self, scale: float) -> Iterator[str]:
        """Yield the piece, which moves from square to square and arrives with the slot."""
        square = next((square for square in self.knight_at if square is not None), None)
        if square is None:
            return
        places = []
        for next_square in self.knight_at:
            square = next_square or square
            places.append(square)
        places += [square] * (self.slots + 1 - len(places))
        piece = piece_symbol(self.moves.piece, INK, "#ffffff")
        if scale != 1:
            piece = f'<g transform="scale({num(scale)})">{piece}</g>'
        end = self.knight_at.index(None) if None in self.knight_at else None
        last = f'transform="translate({" ".join(map(num, centre(self.board, square)))})"'
        if end is None:
            yield f'<g class="still" {last}>{piece}</g>'
        yield f'<g class="moving"><g {last}>'
        yield self._visible("knight", piece, 0, end)
        yield f"{glide_animation(self.moves, places, self.seconds)}</g></g>"

    def _captions(self, x: float, y: float, size: float) -> Iterator[str]:
        yield f'<g class="captions" font-size="{num(size)}">'
        at = f'x="{num(x)}" y="{num(y)}"'
        captions = [(step.caption, step.placed) for step in self.steps]
        if self.home:
            captions.append(("home again", True))
        for slot, (words, placed) in enumerate(captions):
            strong = f'fill="{INK}"' if placed else f'fill="{END}" font-weight="bold"'
            mark = f"<text {at} {strong}>{escape(words, quote=False)}</text>"
            yield self._visible("caption", mark, slot, slot + 1)
        yield "</g>"

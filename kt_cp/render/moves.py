"""How a move is drawn: a straight line, cut where it goes over a joined edge of the board.

On a plane a line leads from the middle of one square to the middle of the other.  On any other
surface the move leaves the board at a joined edge and comes in where that edge is joined to the
opposite one, turned over if the surface turns it.  So the board is unrolled: the step is followed
over copies of the board side by side, cut at their edges, and each part is laid back.  It is drawn
a little beyond the edge; else two moves that meet there would look like one that is thrown back.

Several steps may join the same two squares of a small board.  One that stays on the board is drawn
where there is one, else the shortest.

In a moving picture what stands on a square glides to the next as the move is drawn: out on one
side, in on the other at once.

The signs of an argument: the same on the board, and small in the legend that explains them.

Each has a shape of its own, for readers who cannot go by the colours: struck out, ringed, solid or
dashed, filled or open.  Many signs of one kind are one path, so that a sign costs a few bytes.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from math import dist, hypot

from kt_cp.model.board import Board, Square
from kt_cp.model.piece import KNIGHT, Piece, Step
from kt_cp.model.surface import Join, Surface, landing
from kt_cp.render.board import END, HOLE, INK, LIGHT, OVER, PATH, RIM, centre, num

Move = tuple[Square, Square]
Point = tuple[float, float]
Segment = tuple[Point, Point]


@dataclass(frozen=True)
class Moves:
    """The moves of a piece on a board, as lines from the top left corner."""

    board: Board
    piece: Piece = KNIGHT

    def segments(self, left: Square, to: Square) -> list[Segment]:
        """The parts of a move, one after the other; a single line where nothing is known of it.

        Examples
        --------
        >>> Moves(Board(5, 5)).segments((0, 0), (1, 2))
        [((0.5, 4.5), (2.5, 3.5))]
        >>> print(Moves(Board(5, 5, surface="torus")).path([((0, 0), (1, 3))]))
        M0.5 4.5L-0.179 4.161M5.179 4.339L3.5 3.5
        """
        if self.board.surface is Surface.PLANE:
            return [(centre(self.board, left), centre(self.board, to))]
        if to < left:  # the same line both ways, also where several are as short
            return [(end, begin) for begin, end in reversed(self.segments(to, left))]
        (row, column), (to_row, to_column) = left, to
        across = to_row - row, to_column - column
        if across in self.piece.steps:
            return [(centre(self.board, left), centre(self.board, to))]
        rows, columns = self.board.rows, self.board.columns
        steps = [
            (up, right)
            for up, right in self.piece.steps
            if landing(self.board.surface, rows, columns, (row + up, column + right)) == to
        ]
        return self._cut(left, min(steps, key=lambda step: hypot(*step), default=across))

    def _cut(self, left: Square, step: Step) -> list[Segment]:
        """The parts of a step, each between two edges, laid back onto the board."""
        rows, columns = sides = self.board.rows, self.board.columns
        times = {Fraction(0), Fraction(1)}
        for place, go, side in zip(left, step, sides, strict=True):
            low, high = sorted((place, place + go))
            edges = range((low // side + 1) * side, high + 1, side)
            times |= {Fraction(2 * (edge - place) - 1, 2 * go) for edge in edges}
        begin = [place + Fraction(1, 2) for place in left]
        beyond = OVER / hypot(*step)
        parts = []
        for here, there in pairwise(sorted(times)):
            middle = (here + there) / 2
            over = [(p + middle * go) // n for p, go, n in zip(begin, step, sides, strict=True)]
            turned = over[1] % 2 and self.board.surface.files is Join.REVERSED
            ends = []
            for time in (here - beyond * (here > 0), there + beyond * (there < 1)):
                y = begin[0] + time * step[0] - over[0] * rows
                x = begin[1] + time * step[1] - over[1] * columns
                ends.append((float(x), float(y if turned else rows - y)))
            parts.append((ends[0], ends[1]))
        return parts

    def path(self, moves: Iterable[Move]) -> str:
        """One SVG path of all of them; the pen stays down where one ends where the next begins.

        Examples
        --------
        >>> Moves(Board(3, 4)).path([((0, 0), (1, 2)), ((1, 2), (2, 0)), ((2, 3), (0, 2))])
        'M0.5 2.5L2.5 1.5L0.5 0.5M3.5 0.5L2.5 2.5'
        """
        drawn, pen = [], None
        for left, to in moves:
            for begin, end in self.segments(left, to):
                if begin != pen:
                    drawn.append(f"M{num(begin[0])} {num(begin[1])}")
                drawn.append(f"L{num(end[0])} {num(end[1])}")
                pen = end
        return "".join(drawn)

    def walk(self, squares: Sequence[Square], closed: bool = False) -> str:
        """Name and points of the SVG element that draws a walk."""
        closed = closed and len(squares) > 2
        if self.board.surface is Surface.PLANE:
            places = (centre(self.board, square) for square in squares)
            points = " ".join(f"{num(x)},{num(y)}" for x, y in places)
            return f'{"polygon" if closed else "polyline"} class="path" points="{points}"'
        back = squares[:1] if closed else ()
        return f'path class="path" d="{self.path(pairwise([*squares, *back]))}"'

    def along(self, left: Square, to: Square, part: float) -> Point:
        """The point at a part of the length of a move."""
        segments = self.segments(left, to)
        lengths = [length(each) for each in segments]
        rest = part * sum(lengths)
        for segment, long in zip(segments, lengths, strict=True):
            if rest <= long:
                return point_on(segment, rest)
            rest -= long
        return segments[-1][1]


def length(segment: Segment) -> float:
    """Of a part of a move, in squares."""
    (x, y), (to_x, to_y) = segment
    return hypot(to_x - x, to_y - y)


def point_on(segment: Segment, far: float) -> Point:
    """The point of a part of a move so many squares from its begin, or from its end if negative."""
    (x, y), (to_x, to_y) = segment
    part = far / length(segment) + (far < 0)
    return x + part * (to_x - x), y + part * (to_y - y)


_EASED, _STEADY = ".6 0 .3 1", "0 0 1 1"


def glide_animation(moves: Moves, places: Sequence[Square], seconds: str) -> str:
    r"""The animation of a group, from each place to the next so that it arrives with its slot.

    Examples
    --------
    >>> from kt_cp.model.board import Board
    >>> torus = Moves(Board(5, 5, surface="torus"))
    >>> print("\n".join(glide_animation(torus, [(0, 0), (1, 3)], "2").split('" ')[2:4]))
    values="0.5 4.5;-0.179 4.161;5.179 4.339;3.5 3.5
    keyTimes="0;0.287935;0.287935;1
    """
    points: list[Point] = [centre(moves.board, places[0])]
    times, splines = [0.0], []
    for slot, (left, to) in enumerate(pairwise(places)):
        if left == to or len(segments := moves.segments(left, to)) == 1:
            points.append(centre(moves.board, to))
            times.append(slot + 1)
            splines.append(_EASED)
            continue
        gone, whole = 0.0, sum(map(length, segments))
        for segment in segments:
            if gone:
                points.append(segment[0])
                times.append(slot + gone / whole)
                splines.append(_STEADY)
            gone += length(segment)
            points.append(segment[1])
            times.append(slot + gone / whole)
            splines.append(_STEADY)
    last = len(places) - 1
    keys = ";".join(f"{time / last:.6f}".rstrip("0").rstrip(".") for time in times)
    timed = f'keyTimes="{keys}" ' if len(points) > len(places) else ""  # else one is like another
    values = ";".join(f"{num(x)} {num(y)}" for x, y in points)
    return (
        f'<animateTransform attributeName="transform" type="translate" values="{values}" {timed}'
        f'calcMode="spline" keySplines="{";".join(splines)}" dur="{seconds}s" '
        'repeatCount="indefinite"/>'
    )


CROSSED = (0.38, 0.62, 0.5, 0.3, 0.7, 0.24, 0.76)
"""Where on a move its cross may stand, best first: not in the middle, where others cross it."""

_TURNS = 3
"""Most numbers that a corner of a square has room for."""

_STRUCK, _RING, _BAND = "#a3a3a3", "#8e24aa", "#f5b301"


def removed_squares(corners: Iterable[Point], thick: float = 1) -> str:
    """Squares with these top left corners, grey and crossed out: they were taken away."""
    corners = list(corners)
    squares = "".join(f"M{num(x)} {num(y)}h1v1h-1z" for x, y in corners)
    crosses = "".join(
        f"M{num(x + 0.22)} {num(y + 0.22)}l.56 .56m0-.56l-.56 .56" for x, y in corners
    )
    return (
        f'<path class="removed" d="{squares}" fill="{_STRUCK}" '
        f'stroke="{LIGHT}" stroke-width=".03"><title>removed</title></path>'
        f'<path class="struck" d="{crosses}" stroke="{INK}" stroke-width="{num(0.09 * thick)}" '
        'stroke-linecap="round"/>'
    )


def missing_square() -> str:
    """A square that the board does not have, about the origin."""
    return (
        f'<rect x="-.5" y="-.5" width="1" height="1" fill="{HOLE}" stroke="{RIM}" '
        'stroke-width=".05"/>'
    )


def used_moves(path: str, thick: float = 1) -> str:
    """Moves that every tour uses."""
    return f"{_band('used', path, PATH, 0.085 * thick)}/>"


def banned_moves(path: str, crosses: Iterable[Point], thick: float = 1) -> str:
    """Moves that no tour uses, each with a small cross on it."""
    there = _crosses(crosses, 0.1 * thick)
    return (
        f'<g class="banned" stroke="{END}" fill="none">{_dashed(path, 0.05, thick)}'
        f'<path d="{there}" stroke-width="{num(0.07 * thick)}" stroke-linecap="round"/></g>'
    )


def doubtful(moves: Moves, asked: Sequence[Move], thick: float = 1) -> str:
    """Moves that are supposed to be used, and then not to be."""
    return tried_moves(moves.path(asked), [moves.along(*move, 0.5) for move in asked], thick)


def tried_moves(path: str, middles: Iterable[Point], thick: float = 1) -> str:
    """Lines that are dotted, and a question mark on each."""
    dots = f"0 {num(0.16 * thick)}"
    marks = "".join(
        f'<circle cx="{num(x)}" cy="{num(y)}" r="{num(0.2 * thick)}" fill="#ffffff" '
        f'stroke-width="{num(0.05 * thick)}"/>'
        f'<text x="{num(x)}" y="{num(y + 0.11 * thick)}" font-size="{num(0.3 * thick)}" '
        f'font-weight="bold" text-anchor="middle" fill="{_RING}" stroke="none">?</text>'
        for x, y in middles
    )
    return (
        f'<g class="asked" stroke="{_RING}" fill="none"><path d="{path}" '
        f'stroke-width="{num(0.09 * thick)}" stroke-dasharray="{dots}" stroke-linecap="round"/>'
        f"{marks}</g>"
    )


def turn_lines(board: Board, counted: Sequence[Sequence[Square]]) -> Iterator[str]:
    """In a corner of each square, at which turns the sets that it is in are counted."""
    turns: dict[Square, list[int]] = {}
    for number, squares in enumerate(counted, start=1):
        for square in squares:
            turns.setdefault(square, []).append(number)
    if not turns:
        return
    yield '<g class="turns">'
    for square, at in sorted(turns.items()):
        x, y = centre(board, square)
        words = ",".join(map(str, at[:_TURNS])) + "…" * (len(at) > _TURNS)
        wide = 0.1 + 0.14 * len(words)
        yield turn_label(x - 0.5 + wide / 2, y - 0.37, words, wide, 0.26)
    yield "</g>"


def turn_label(x: float, y: float, words: str, wide: float, high: float) -> str:
    """When a set is counted: its number on a label about a place."""
    return (
        f'<rect x="{num(x - wide / 2)}" y="{num(y - high / 2)}" width="{num(wide)}" '
        f'height="{num(high)}" fill="{_RING}"/>'
        f'<text x="{num(x)}" y="{num(y + 0.31 * high)}" font-size="{num(0.85 * high)}" '
        f'font-weight="bold" text-anchor="middle" fill="#ffffff">{words}</text>'
    )


def required_moves(path: str, thick: float = 1) -> str:
    """Moves that the question requires: a broad band below the lines of the moves."""
    band = _band("required", path, _BAND, 0.26 * thick)
    return f"{band}><title>required</title></path>"


def _band(name: str, path: str, colour: str, wide: float) -> str:
    return (
        f'<path class="{name}" d="{path}" stroke="{colour}" stroke-width="{num(wide)}" '
        'stroke-linecap="round" stroke-linejoin="round" fill="none"'
    )


def forbidden_moves(path: str, places: Iterable[Point], thick: float = 1) -> str:
    """Moves that the question forbids: dashed, and each struck out by a cross in a ring."""
    places = list(places)
    rings = "".join(
        f'<circle cx="{num(x)}" cy="{num(y)}" r="{num(0.15 * thick)}"/>' for x, y in places
    )
    return (
        f'<g class="forbidden" stroke="{END}" fill="none"><title>forbidden</title>'
        f"{_dashed(path, 0.06, thick)}"
        f'<g fill="#ffffff" stroke-width="{num(0.04 * thick)}">{rings}</g>'
        f'<path d="{_crosses(places, 0.075 * thick)}" stroke-width="{num(0.05 * thick)}"/></g>'
    )


def _dashed(path: str, wide: float, thick: float) -> str:
    dash = f"{num(0.16 * thick)} {num(0.11 * thick)}"
    return f'<path d="{path}" stroke-width="{num(wide * thick)}" stroke-dasharray="{dash}"/>'


def _crosses(places: Iterable[Point], arm: float) -> str:
    return "".join(
        f"M{num(x - arm)} {num(y - arm)}l{num(2 * arm)} {num(2 * arm)}"
        f"m0-{num(2 * arm)}l-{num(2 * arm)} {num(2 * arm)}"
        for x, y in places
    )


def required_lines(moves: Moves, require: Sequence[Move], thick: float = 1) -> Iterator[str]:
    """What the question requires, if anything."""
    if require:
        yield required_moves(moves.path(require), thick)


def forbidden_lines(moves: Moves, forbid: Sequence[Move], thick: float = 1) -> Iterator[str]:
    """What the question forbids, if anything."""
    if forbid:
        yield forbidden_moves(moves.path(forbid), place_crosses(moves, forbid, 0.4 * thick), thick)


def place_crosses(
    moves: Moves, crossed: Sequence[Move], apart: float, others: Iterable[Point] = ()
) -> list[Point]:
    """Where on each move its cross stands, so that no two are nearer than this, if they can.

    Nor is any nearer to ``others``.  Where no place of a move is free, the cross stands farthest.

    Examples
    --------
    >>> moves, crossed = Moves(Board(3, 4)), [((0, 0), (1, 2)), ((0, 2), (1, 0))]
    >>> [tuple(round(part, 2) for part in place) for place in place_crosses(moves, crossed, 0.5)]
    [(1.26, 2.12), (1.9, 2.2)]
    """
    taken: dict[tuple[int, int], list[Point]] = {}

    def take(x: float, y: float) -> None:
        taken.setdefault((int(x // apart), int(y // apart)), []).append((x, y))

    for other in others:
        take(*other)

    def room(place: Point) -> float:
        """How far the nearest cross is, none being farther than that is asked for."""
        x, y = (int(part // apart) for part in place)
        near = (taken.get((x + i, y + j), ()) for i in (-1, 0, 1) for j in (-1, 0, 1))
        return min([apart, *(dist(place, other) for each in near for other in each)])

    places = []
    for left, to in crossed:
        place = max((moves.along(left, to, part) for part in CROSSED), key=room)
        places.append(place)
        take(*place)
    return places


def marked_ring(x: float, y: float, scale: float = 1) -> str:
    """A square that the argument speaks about; it encloses the mark of an end of that scale."""
    return (
        f'<circle class="marked" cx="{num(x)}" cy="{num(y)}" r="{num(0.43 * scale)}" '
        f'fill="none" stroke="{_RING}" stroke-width="{num(0.08 * scale)}"/>'
    )


def step_lines(
    board: Board, steps: Mapping[Square, int], ends: Collection[Square | None]
) -> Iterator[str]:
    """The steps that are given, in their squares; white on the mark of a start or an end."""
    if steps:
        yield f'<g class="steps" font-size="0.34" font-weight="bold" fill="{INK}">'
        for square, step in sorted(steps.items()):
            x, y = centre(board, square)
            white = ' fill="#ffffff"' if square in ends else ""
            yield f'<text x="{num(x)}" y="{num(y + 0.12)}"{white}>{step}</text>'
        yield "</g>"


def is_dark(square: Square) -> bool:
    """Whether a square has the colour of a1."""
    return sum(square) % 2 == 0


def dot_lines(board: Board, squares: Iterable[Square], radius: float) -> Iterator[str]:
    """A dot in the corner of each square, away from moves and marks, that says its colour."""
    off = 0.5 - 1.8 * radius
    yield '<g class="dots">'
    for square in squares:
        x, y = centre(board, square)
        yield colour_dot(x + off, y - off, is_dark(square), radius)
    yield "</g>"


def colour_dot(x: float, y: float, dark: bool, radius: float) -> str:
    """The colour of a square: filled for dark, open for light."""
    fill, rim = (INK, "#ffffff") if dark else ("#ffffff", INK)
    return (
        f'<circle cx="{num(x)}" cy="{num(y)}" r="{num(radius)}" '
        f'fill="{fill}" stroke="{rim}" stroke-width="{num(0.25 * radius)}"/>'
    )

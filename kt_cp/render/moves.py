"""Moves as lines, and the marks of an argument.

On a plane a move is a straight line between the middles of two squares.  On any other surface a
move may leave the board at a joined edge and enter at the opposite edge, reversed if the surface
reverses it.  So the step is followed over copies of the board side by side and cut at their edges,
and each part is mapped back to the board.  Lines end a little beyond the edge; otherwise two moves
that meet there would look like one reflected move.  If several steps join the same two squares of a
small board, one that stays on the board is drawn, or the shortest.

Every mark has its own shape, for readers who cannot distinguish the colours: crossed out, ringed,
solid or dashed, filled or open.  All marks of one kind form one path, with a few bytes each.
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
        """Return the parts of a move; a straight line if the piece has no such move.

        >>> Moves(Board(5, 5)).segments((0, 0), (1, 2))
        [((0.5, 4.5), (2.5, 3.5))]
        >>> print(Moves(Board(5, 5, surface="torus")).path([((0, 0), (1, 3))]))
        M0.5 4.5L-0.179 4.161M5.179 4.339L3.5 3.5
        """
        if self.board.surface is Surface.PLANE:
            return [(centre(self.board, left), centre(self.board, to))]
        if to < left:  # the same line both ways, even among several that are as short
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
        """Return the parts of a step, each between two edges, mapped back to the board."""
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
        """Return one SVG path of all moves; a line continues where the next move begins.

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
        """Return the name and points of the SVG element that draws a walk."""
        closed = closed and len(squares) > 2
        if self.board.surface is Surface.PLANE:
            places = (centre(self.board, square) for square in squares)
            points = " ".join(f"{num(x)},{num(y)}" for x, y in places)
            return f'{"polygon" if closed else "polyline"} class="path" points="{points}"'
        back = squares[:1] if closed else ()
        return f'path class="path" d="{self.path(pairwise([*squares, *back]))}"'

    def along(self, left: Square, to: Square, part: float) -> Point:
        """Return the point at a fraction of the length of a move."""
        segments = self.segments(left, to)
        lengths = [length(each) for each in segments]
        rest = part * sum(lengths)
        for segment, long in zip(segments, lengths, strict=True):
            if rest <= long:
                return point_on(segment, rest)
            rest -= long
        return segments[-1][1]


def length(segment: Segment) -> float:
    """Return the length of a segment, in squares."""
    return dist(*segment)


def point_on(segment: Segment, distance: float) -> Point:
    """Return the point at a distance from the start of a segment, or from its end if negative."""
    (x, y), (to_x, to_y) = segment
    part = distance / length(segment) + (distance < 0)
    return x + part * (to_x - x), y + part * (to_y - y)


_EASED, _STEADY = ".6 0 .3 1", "0 0 1 1"


def glide_animation(moves: Moves, places: Sequence[Square], seconds: str) -> str:
    r"""Return the animation of a group from place to place, one slot each.

    At a joined edge it leaves on one side and enters on the other immediately.

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
    timed = f'keyTimes="{keys}" ' if len(points) > len(places) else ""  # equal by default
    values = ";".join(f"{num(x)} {num(y)}" for x, y in points)
    return (
        f'<animateTransform attributeName="transform" type="translate" values="{values}" {timed}'
        f'calcMode="spline" keySplines="{";".join(splines)}" dur="{seconds}s" '
        'repeatCount="indefinite"/>'
    )


CROSSED = (0.38, 0.62, 0.5, 0.3, 0.7, 0.24, 0.76)
"""Places of a cross on its move, best first; other moves cross the middle."""

_TURNS = 3
"""Most numbers that fit into a corner of a square."""

_STRUCK, _RING, _BAND = "#a3a3a3", "#8e24aa", "#f5b301"


def removed_squares(corners: Iterable[Point], thick: float = 1) -> str:
    """Draw removed squares in grey, crossed out; they are given by their top left corners."""
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
    """Draw a square that the board does not have, around the origin."""
    return (
        f'<rect x="-.5" y="-.5" width="1" height="1" fill="{HOLE}" stroke="{RIM}" '
        'stroke-width=".05"/>'
    )


def used_moves(path: str, thick: float = 1) -> str:
    """Draw moves that every tour uses."""
    return f"{_band('used', path, PATH, 0.085 * thick)}/>"


def banned_moves(path: str, crosses: Iterable[Point], thick: float = 1) -> str:
    """Draw moves that no tour uses as dashed lines, each with a small cross."""
    crossed = _crosses(crosses, 0.1 * thick)
    return (
        f'<g class="banned" stroke="{END}" fill="none">{_dashed(path, 0.05, thick)}'
        f'<path d="{crossed}" stroke-width="{num(0.07 * thick)}" stroke-linecap="round"/></g>'
    )


def tried_moves(path: str, middles: Iterable[Point], thick: float = 1) -> str:
    """Draw the moves of a case distinction as dotted lines with question marks."""
    dots = f"0 {num(0.16 * thick)}"
    marks = "".join(
        f'<circle cx="{num(x)}" cy="{num(y)}" r="{num(0.2 * thick)}" fill="#ffffff" '
        f'stroke-width="{num(0.05 * thick)}"/>'
        f'<text x="{num(x)}" y="{num(y + 0.11 * thick)}" font-size="{num(0.3 * thick)}" '
        f'font-weight="bold" text-anchor="middle" fill="{_RING}" stroke="none">?</text>'
        for x, y in middles
    )
    return (
        f'<g class="assumed" stroke="{_RING}" fill="none"><path d="{path}" '
        f'stroke-width="{num(0.09 * thick)}" stroke-dasharray="{dots}" stroke-linecap="round"/>'
        f"{marks}</g>"
    )


def turn_lines(board: Board, counted: Sequence[Collection[Square]]) -> Iterator[str]:
    """Yield the numbers of the sets that contain each square, in a corner of the square."""
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
    """Draw the number of a set on a label around a point."""
    return (
        f'<rect x="{num(x - wide / 2)}" y="{num(y - high / 2)}" width="{num(wide)}" '
        f'height="{num(high)}" fill="{_RING}"/>'
        f'<text x="{num(x)}" y="{num(y + 0.31 * high)}" font-size="{num(0.85 * high)}" '
        f'font-weight="bold" text-anchor="middle" fill="#ffffff">{words}</text>'
    )


def required_moves(path: str, thick: float = 1) -> str:
    """Draw moves that the problem requires as a broad band below the lines of the moves."""
    band = _band("required", path, _BAND, 0.26 * thick)
    return f"{band}><title>required</title></path>"


def _band(name: str, path: str, colour: str, wide: float) -> str:
    return (
        f'<path class="{name}" d="{path}" stroke="{colour}" stroke-width="{num(wide)}" '
        'stroke-linecap="round" stroke-linejoin="round" fill="none"'
    )


def forbidden_moves(path: str, places: Iterable[Point], thick: float = 1) -> str:
    """Draw moves that the problem forbids as dashed lines, each with a cross in a ring."""
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
    """Yield the moves that the problem requires, if any."""
    if require:
        yield required_moves(moves.path(require), thick)


def forbidden_lines(moves: Moves, forbid: Sequence[Move], thick: float = 1) -> Iterator[str]:
    """Yield the moves that the problem forbids, if any."""
    if forbid:
        yield forbidden_moves(moves.path(forbid), place_crosses(moves, forbid, 0.4 * thick), thick)


def place_crosses(
    moves: Moves, crossed: Sequence[Move], spacing: float, others: Iterable[Point] = ()
) -> list[Point]:
    """Place a cross on each move, if possible ``apart`` from the other crosses and ``others``.

    If no place of a move is free, its cross stands as far from them as possible.

    >>> moves, crossed = Moves(Board(3, 4)), [((0, 0), (1, 2)), ((0, 2), (1, 0))]
    >>> [tuple(round(part, 2) for part in place) for place in place_crosses(moves, crossed, 0.5)]
    [(1.26, 2.12), (1.9, 2.2)]
    """
    cells: dict[tuple[int, int], list[Point]] = {}  # the points in each square of side `apart`

    def add(x: float, y: float) -> None:
        cells.setdefault((int(x // spacing), int(y // spacing)), []).append((x, y))

    for other in others:
        add(*other)

    def distance(place: Point) -> float:
        """Return the distance of the nearest point, at most ``apart``."""
        x, y = (int(part // spacing) for part in place)
        near = (cells.get((x + i, y + j), ()) for i in (-1, 0, 1) for j in (-1, 0, 1))
        return min([spacing, *(dist(place, other) for each in near for other in each)])

    places = []
    for left, to in crossed:
        place = max((moves.along(left, to, part) for part in CROSSED), key=distance)
        places.append(place)
        add(*place)
    return places


def marked_ring(x: float, y: float, scale: float = 1) -> str:
    """Draw a ring around a square of the argument, and around the mark of an end in it."""
    return (
        f'<circle class="marked" cx="{num(x)}" cy="{num(y)}" r="{num(0.43 * scale)}" '
        f'fill="none" stroke="{_RING}" stroke-width="{num(0.08 * scale)}"/>'
    )


def step_lines(
    board: Board, steps: Mapping[Square, int], ends: Collection[Square | None]
) -> Iterator[str]:
    """Yield the given steps in their squares, white on the mark of a start or an end."""
    if steps:
        yield f'<g class="steps" font-size="0.34" font-weight="bold" fill="{INK}">'
        for square, step in sorted(steps.items()):
            x, y = centre(board, square)
            white = ' fill="#ffffff"' if square in ends else ""
            yield f'<text x="{num(x)}" y="{num(y + 0.12)}"{white}>{step}</text>'
        yield "</g>"


def is_dark(square: Square) -> bool:
    """Return whether a square has the colour of a1."""
    return sum(square) % 2 == 0


def dot_lines(board: Board, squares: Iterable[Square], radius: float) -> Iterator[str]:
    """Yield a dot of each square's colour in its corner, away from moves and marks."""
    off = 0.5 - 1.8 * radius
    yield '<g class="dots">'
    for square in squares:
        x, y = centre(board, square)
        yield colour_dot(x + off, y - off, is_dark(square), radius)
    yield "</g>"


def colour_dot(x: float, y: float, dark: bool, radius: float) -> str:
    """Draw a dot for the colour of a square: filled for dark, open for light."""
    fill, rim = (INK, "#ffffff") if dark else ("#ffffff", INK)
    return (
        f'<circle cx="{num(x)}" cy="{num(y)}" r="{num(radius)}" '
        f'fill="{fill}" stroke="{rim}" stroke-width="{num(0.25 * radius)}"/>'
    )

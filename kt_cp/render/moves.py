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
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from math import hypot

from kt_cp.model.board import Board, Square
from kt_cp.model.piece import KNIGHT, Piece, Step
from kt_cp.model.surface import Join, Surface, landing
from kt_cp.render.board import OVER, centre, num

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
                return on(segment, rest)
            rest -= long
        return segments[-1][1]


def length(segment: Segment) -> float:
    """Of a part of a move, in squares."""
    (x, y), (to_x, to_y) = segment
    return hypot(to_x - x, to_y - y)


def on(segment: Segment, far: float) -> Point:
    """The point of a part of a move so many squares from its begin, or from its end if negative."""
    (x, y), (to_x, to_y) = segment
    part = far / length(segment) + (far < 0)
    return x + part * (to_x - x), y + part * (to_y - y)


_EASED, _STEADY = ".6 0 .3 1", "0 0 1 1"


def glide(moves: Moves, places: Sequence[Square], seconds: str) -> str:
    r"""The animation of a group, from each place to the next so that it arrives with its slot.

    Examples
    --------
    >>> from kt_cp.model.board import Board
    >>> torus = Moves(Board(5, 5, surface="torus"))
    >>> print("\n".join(glide(torus, [(0, 0), (1, 3)], "2").split('" ')[2:4]))
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

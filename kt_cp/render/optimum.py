"""The picture of an optimum: its tour or paths, with marks for its objective.

Squares that count have dots, crossings have rings, and moves that count are thick.  Steps have
numbers if lines of squares count.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise, product
from typing import TYPE_CHECKING

from kt_cp.model.board import Board, Square
from kt_cp.model.errors import InputError
from kt_cp.model.measures import ANGLES, MOVES, counted_moves, counted_squares, crosses
from kt_cp.model.views import Picture
from kt_cp.render.board import centre, line_width, num
from kt_cp.render.outcome import tour_picture
from kt_cp.render.tour import tour_svg

if TYPE_CHECKING:
    from kt_cp.model.problem import Problem
    from kt_cp.model.tour import Tour

Point = tuple[float, float]
Move = tuple[Square, Square]

MARK = "#c62828"
"""The colour of marks, which differs from those of paths in lightness too."""

MOST_CROSSED = 2_000
"""Most squares of a tour with marked crossings; more rings cannot be distinguished."""


def optimum_picture(problem: Problem, paths: Sequence[Tour], objective: str) -> Picture:
    """Return SVG of the tour or paths of an optimum, with marks for its objective.

    >>> from kt_cp import Problem, solve
    >>> tour = solve("6x6", closed=True).tour
    >>> 'class="marks"' in optimum_picture(Problem("6x6"), [tour], "fewest-turns")
    True
    """
    board = problem.board
    if board is None:
        if len(paths) > 1:
            raise InputError("several paths of a graph have no picture: expected names or json")
        return tour_picture(paths[0])
    squares = [[*path] for path in paths]
    measure = objective.partition("-")[2]
    marks = [] if objective == "path-cover" else [*_marks(paths[0], board, measure)]
    return Picture(
        tour_svg(
            board,
            squares[0],
            piece=problem.piece,
            closed=problem.closed,
            require=problem.require,
            forbid=problem.forbid,
            more=squares[1:],
            marks=marks,
        )
    )


def _marks(tour: Tour, board: Board, measure: str) -> Iterator[str]:
    """Yield the marks of the squares, moves or crossings that a measure counts."""
    if measure in ANGLES:
        yield f'<g class="marks" fill="{MARK}">'
        for square in counted_squares(tour, measure):
            x, y = centre(board, square)
            yield f'<circle cx="{num(x)}" cy="{num(y)}" r="0.13"/>'
        yield "</g>"
    elif measure in MOVES and (moves := counted_moves(tour, measure)):
        width = num(2.2 * line_width(board))
        lines = (
            "M{} {}L{} {}".format(*map(num, (*centre(board, u), *centre(board, v))))
            for u, v in moves
        )
        yield (
            f'<path class="marks" d="{"".join(lines)}" fill="none" stroke="{MARK}" '
            f'stroke-width="{width}" stroke-linecap="round"/>'
        )
    elif measure == "crossings" and tour.size <= MOST_CROSSED:
        yield f'<g class="marks" fill="none" stroke="{MARK}" stroke-width="0.05">'
        for x, y in crossing_points(tour, board):
            yield f'<circle cx="{num(x)}" cy="{num(y)}" r="0.11"/>'
        yield "</g>"


def crossing_points(tour: Tour, board: Board) -> Iterator[Point]:
    """Yield a point for each two moves that cross, the middle if they overlap.

    Moves that cross begin near each other, so only such moves are compared.
    """
    squares: list[Square] = [*tour, *[*tour][: tour.closed]]
    moves = [*pairwise(squares)]
    begins = {move[0]: move for move in moves}
    reach = 2 * max((abs(b - a) for move in moves for a, b in zip(*move, strict=True)), default=0)
    nearby = [*product(range(-reach, reach + 1), repeat=2)]
    for one in moves:
        row, column = one[0]
        others = (begins.get((row + up, column + right)) for up, right in nearby)
        yield from (
            _meeting_point(one, other, board)
            for other in others
            if other is not None and one < other and crosses(one, other)
        )


def _meeting_point(one: Move, other: Move, board: Board) -> Point:
    a, b, c, d = (centre(board, square) for square in (*one, *other))
    (px, py), (qx, qy) = (b[0] - a[0], b[1] - a[1]), (d[0] - c[0], d[1] - c[1])
    if area := px * qy - py * qx:
        along = ((c[0] - a[0]) * qy - (c[1] - a[1]) * qx) / area
        return a[0] + along * px, a[1] + along * py
    (x, y), (to_x, to_y) = sorted([a, b, c, d])[1:3]
    return (x + to_x) / 2, (y + to_y) / 2

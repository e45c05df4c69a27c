"""Measures of a tour that is drawn with straight segments between the centres of its squares.

Every measure is a whole number.

===================  ==========================================================================
``turns``            squares where the direction changes
``straight``         squares where the direction does not change
``right-angles``     squares where the two moves form an angle of 90 degrees
``acute-angles``     squares where the two moves form a smaller angle
``obtuse-angles``    squares where they form a larger angle, but not a straight line
``direction``        moves in the most frequent direction, forwards or backwards
``steep``            moves that change the rank by more than the file
``run``              moves in the longest straight run
``crossings``        pairs of moves that share an interior point
``uncrossed-moves``  moves that no other move crosses
``magic-ranks``      ranks whose steps add up to the average of all ranks
``magic-files``      files whose steps add up to the average of all files
===================  ==========================================================================

An end of an open tour has a single move, so it has no turn and no angle.  A tour is semimagic if
all its ranks and files have the same sum.

Moves are short, so a move can only cross moves that begin nearby.  For each offset between the
first squares of two moves, NumPy compares all such pairs at once.  Time and memory are proportional
to the length of the tour.
"""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

import numpy as np

from kt_cp.model.errors import ProblemError, TooLargeError
from kt_cp.model.surface import Surface

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kt_cp.model.board import Board, Square
    from kt_cp.model.tour import Tour

    Numbers = NDArray[np.int64]

MEASURES = (
    "turns", "straight", "right-angles", "acute-angles", "obtuse-angles", "direction", "steep",
    "run", "crossings", "uncrossed-moves", "magic-ranks", "magic-files",
)  # fmt: skip
"""The names of the measures, in the order of output."""

MOST_SQUARES = 4_000_000
"""Longest tour that can be measured; it needs a gigabyte."""


def tour_measures(tour: Tour) -> dict[str, int]:
    """Return all measures of a tour.

    Raises
    ------
    ProblemError
        If the tour is not on a plane board, so it has no straight segments.
    TooLargeError
        If it has more than a few million squares.

    Examples
    --------
    >>> from kt_cp import solve
    >>> tour = solve("6x6", closed=True).tour
    >>> found = tour_measures(tour)
    >>> found["turns"] + found["straight"]
    36
    """
    check_measurable(tour.board)
    squares, moves = _squares_and_moves(tour)
    found = dict.fromkeys(("direction", "steep", "run"), 0)
    if len(moves):
        runs = _runs(moves, tour.closed)
        found["direction"] = int(np.bincount(_lines(moves)).max())
        found["steep"] = int(_steep(moves).sum())
        found["run"] = max(end - begin for begin, end in runs)
    found |= {name: int(mask.sum()) for name, mask in _angles(moves, tour.closed).items()}
    crossed = _crossed(squares, moves)
    found |= {"crossings": int(crossed.sum()) // 2, "uncrossed-moves": int((crossed == 0).sum())}
    found |= {name: int(lines.sum()) for name, lines in _magic_lines(tour).items()}
    return {name: found[name] for name in MEASURES}


def check_measurable(board: Board | None) -> None:
    """Raise the errors of :func:`tour_measures` unless tours of the board have measures."""
    if board is None or board.surface is not Surface.PLANE:
        raise ProblemError("only tours of boards on the plane have measures")
    if board.size > MOST_SQUARES:
        raise TooLargeError(f"expected at most {MOST_SQUARES:,} squares to measure")


def path_crossings(path: Tour) -> int:
    """Return the crossings of a path on a board, which need not visit all squares."""
    return int(_crossed(*_squares_and_moves(path)).sum()) // 2


ANGLES = ("turns", "straight", "right-angles", "acute-angles", "obtuse-angles")
"""Measures that count squares."""

SQUARES = (*ANGLES, "magic-ranks", "magic-files")
"""Measures that count squares, or lines of squares."""

MOVES = ("direction", "steep", "run", "uncrossed-moves")
"""Measures that count moves."""


def counted_squares(tour: Tour, measure: str) -> list[Square]:
    """Return the squares, or all squares of the lines, that one of ``SQUARES`` counts."""
    if measure not in ANGLES:
        is_magic = _magic_lines(tour)[measure]
        return [square for square in tour if is_magic[square[measure == "magic-files"]]]
    squares, moves = _squares_and_moves(tour)
    mask = _angles(moves, tour.closed)[measure]
    return [(int(row), int(column)) for row, column in squares[1 : len(mask) + 1][mask]]


def counted_moves(tour: Tour, measure: str) -> list[tuple[Square, Square]]:
    """Return the moves that a measure counts, one of ``MOVES``.

    Examples
    --------
    >>> from kt_cp import Problem
    >>> counted_moves(Problem("3x4").tour("a1 b3 c1 a2 b4 d3".split()), "steep")
    [((0, 0), (2, 1)), ((2, 1), (0, 2)), ((1, 0), (3, 1))]
    """
    squares, moves = _squares_and_moves(tour)
    if not len(moves):
        return []
    if measure == "steep":
        mask = _steep(moves)
    elif measure == "run":
        begin, end = max(_runs(moves, tour.closed), key=lambda run: run[1] - run[0])
        mask = np.zeros(len(moves), dtype=np.bool_)
        mask[np.arange(begin, end) % len(moves)] = True
    elif measure == "uncrossed-moves":
        mask = _crossed(squares, moves) == 0
    else:
        lines = _lines(moves)
        mask = lines == np.bincount(lines).argmax()
    pairs = zip(squares[:-1][mask].tolist(), squares[1:][mask].tolist(), strict=True)
    return [((a, b), (c, d)) for (a, b), (c, d) in pairs]


def crosses(one: tuple[Square, Square], other: tuple[Square, Square]) -> bool:
    """Return whether two segments share a point inside both.

    >>> crosses(((0, 0), (1, 2)), ((0, 1), (1, -1))), crosses(((0, 0), (0, 2)), ((0, 1), (0, 3)))
    (True, True)
    """

    def side(a: Square, b: Square, c: Square) -> int:
        turn = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
        return (turn > 0) - (turn < 0)

    (a, b), (c, d) = one, other
    sides = side(a, b, c), side(a, b, d), side(c, d, a), side(c, d, b)
    if any(sides):
        return sides[0] * sides[1] < 0 and sides[2] * sides[3] < 0
    return max(min(a, b), min(c, d)) < min(max(a, b), max(c, d))  # they overlap on a line


def _squares_and_moves(tour: Tour) -> tuple[Numbers, Numbers]:
    """Return the squares, with the first repeated if the tour is closed, and the steps between."""
    squares = np.array([*tour], dtype=np.int64).reshape(-1, 2)
    if tour.closed:
        squares = np.concatenate([squares, squares[:1]])
    return squares, np.diff(squares, axis=0)


def _angles(moves: Numbers, closed: bool) -> dict[str, NDArray[np.bool_]]:
    """Return masks of the squares counted, by dot and cross products of consecutive moves."""
    following = np.concatenate([moves[1:], moves[:1]]) if closed else moves[1:]
    moves = moves[: len(following)]
    dot = (moves * following).sum(axis=1)
    cross = moves[:, 0] * following[:, 1] - moves[:, 1] * following[:, 0]
    straight = (cross == 0) & (dot > 0)
    return {
        "turns": ~straight,
        "straight": straight,
        "right-angles": dot == 0,
        "acute-angles": dot < 0,  # at the square, between its two moves
        "obtuse-angles": (dot > 0) & ~straight,
    }


def _lines(moves: Numbers) -> Numbers:
    """Return a number for the line of each move, equal in both directions."""
    step = moves // np.gcd(moves[:, 0], moves[:, 1])[:, None]
    back = (step[:, 0] < 0) | ((step[:, 0] == 0) & (step[:, 1] < 0))
    _, lines = np.unique(np.where(back[:, None], -step, step), axis=0, return_inverse=True)
    return np.asarray(lines, dtype=np.int64).reshape(-1)


def _steep(moves: Numbers) -> NDArray[np.bool_]:
    return np.asarray(abs(moves[:, 0]) > abs(moves[:, 1]))


def _runs(moves: Numbers, closed: bool) -> list[tuple[int, int]]:
    """Return the first move of each straight run and the move after its last, cyclic if closed."""
    step = moves // np.gcd(moves[:, 0], moves[:, 1])[:, None]
    changes = np.flatnonzero((step != np.roll(step, 1, axis=0)).any(axis=1))
    if not closed or not len(changes):
        changes = np.union1d(changes, [0])
    begins = changes.tolist()
    return [*zip(begins, [*begins[1:], begins[0] + len(moves)], strict=True)]


def _crossed(squares: Numbers, moves: Numbers) -> Numbers:
    """Return the number of moves that cross each move."""
    count = np.zeros(len(moves), dtype=np.int64)
    if not len(moves):
        return count
    back = (moves[:, 0] < 0) | ((moves[:, 0] == 0) & (moves[:, 1] < 0))
    first = np.where(back[:, None], squares[1:], squares[:-1])  # the lower square of each move
    step = np.where(back[:, None], -moves, moves)
    reach = int(abs(moves).max())
    size = first.max(axis=0) + 1 + 4 * reach  # offsets stay inside the array
    begin = (first[:, 0] + reach) * size[1] + first[:, 1] + 2 * reach
    at = np.full((2, size[0] * size[1]), -1)  # at most two moves begin at a square
    at[0, begin] = np.arange(len(moves))
    second = np.flatnonzero(at[0, begin] != np.arange(len(moves)))
    at[1, begin[second]] = second
    for up, right in product(range(reach + 1), range(-2 * reach, 2 * reach + 1)):
        if (up, right) < (0, 0):
            continue
        for slot in (0, 1) if (up, right) > (0, 0) else (1,):
            other = at[slot, begin + up * size[1] + right]
            here = np.flatnonzero((other >= 0) & (other != np.arange(len(moves))))
            there = other[here]
            shift = np.array([up, right])
            found = _cross(step[here], shift, step[there])
            np.add.at(count, here[found], 1)
            np.add.at(count, there[found], 1)
    return count


def _cross(one: Numbers, shift: Numbers, other: Numbers) -> NDArray[np.bool_]:
    """Return whether segments from 0 to ``one`` cross those from ``shift`` to ``shift + other``."""

    def turn(a: Numbers, b: Numbers) -> Numbers:
        return np.sign(a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0])

    ends = turn(one, shift + 0 * one) * turn(one, shift + other)
    starts = turn(other, -shift + 0 * other) * turn(other, one - shift)
    proper = (ends < 0) & (starts < 0)
    # Collinear segments cross if they overlap.
    along = (turn(one, shift + 0 * one) == 0) & (turn(one, shift + other) == 0)
    axis = np.argmax(abs(one), axis=1)[:, None]
    points = (one, shift + 0 * one, shift + other)
    spans = [np.take_along_axis(each, axis, 1)[:, 0] for each in points]
    low = np.maximum(np.minimum(0, spans[0]), np.minimum(spans[1], spans[2]))
    high = np.minimum(np.maximum(0, spans[0]), np.maximum(spans[1], spans[2]))
    found: NDArray[np.bool_] = proper | (along & (low < high))
    return found


def _magic_lines(tour: Tour) -> dict[str, NDArray[np.bool_]]:
    """Return masks of the ranks and files with the average sum."""
    steps = tour.to_array(np.int64)
    total = int(steps.sum())
    lines = {"magic-ranks": steps.sum(axis=1), "magic-files": steps.sum(axis=0)}
    return {name: np.asarray(sums * len(sums) == total) for name, sums in lines.items()}

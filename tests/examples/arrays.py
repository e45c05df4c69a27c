"""Arrays of step numbers: correct ones from tours, and damaged ones."""

from __future__ import annotations

from functools import cache

import numpy as np

from kt_cp import Board, Problem, solve
from kt_cp.trust.judge.array import ArrayJudge, array_defects


@cache
def tour_squares(rows, columns, *, closed=False, missing=()):
    board = Board(rows, columns, frozenset(missing))
    outcome = solve(Problem(board, closed=closed), seed=1)
    assert outcome.tour is not None
    return tuple(outcome.tour.squares)


def array_of(rows, columns, squares, dtype=np.int32):
    """Return the array of a walk that visits no square twice."""
    array = np.zeros((rows, columns), dtype)
    for step, square in enumerate(squares, start=1):
        array[square] = step
    return array


def tour_array(rows, columns, *, closed=False, missing=(), dtype=np.int32):
    squares = tour_squares(rows, columns, closed=closed, missing=missing)
    return array_of(rows, columns, squares, dtype)


def tiled(rows, columns, dtype=np.int32):
    """Return copies of a closed 6x6 tour side by side.

    They form no tour, but each number except 1 is a knight's move away from its predecessor.
    """
    tile = tour_array(6, 6, closed=True)
    return np.tile(tile, (rows // 6, columns // 6)).astype(dtype)


def walk_of(array):
    """Return the squares by their numbers, or None unless these are 1, 2, 3, …, each once."""
    at = {}
    for square in np.ndindex(array.shape):
        number = int(array[square])
        if number:
            if number in at:
                return None
            at[number] = square
    if sorted(at) != list(range(1, len(at) + 1)):
        return None
    return [at[number] for number in range(1, len(at) + 1)]


def spoilt(array, rng):
    """Return a copy with a change that a faulty program could make."""
    array = array.copy()
    cells = [tuple(int(part) for part in pair) for pair in np.ndindex(array.shape)]
    one, two = rng.sample(cells, 2)
    info = np.iinfo(array.dtype)
    numbers = array[array != 0]
    change = rng.randrange(12)
    if change == 0:
        array[one], array[two] = array[two], array[one]
    elif change == 1:
        array[one] = rng.randint(0, min(len(cells) + 1, int(info.max)))
    elif change == 2:
        array[one] = array[two]
    elif change == 3:
        array[one] = 0
    elif change == 4:
        array[one] = rng.choice([info.min, info.max, info.max - 1])
    elif change == 5:
        array[array != 0] -= 1
    elif change == 6:
        array[array == numbers.max()] = 0
    elif change == 7:  # backwards: still a tour
        array[array != 0] = len(numbers) + 1 - numbers
    elif change == 8:  # another first square: still a tour if it is closed
        array[array != 0] = (numbers - 1 + rng.randrange(len(numbers))) % len(numbers) + 1
    elif change == 9:  # the first steps repeated
        half = len(numbers) // 2
        array[array > half] -= half
    elif change == 10:
        flipped = [array[::-1], array[:, ::-1], np.roll(array, 1, axis=1), array[::-1, ::-1]]
        array = np.ascontiguousarray(rng.choice(flipped))
    return array


def rules(problem, numbers):
    return [defect.rule for defect in array_defects(problem, numbers)]


def streamed(problem, numbers, heights, *, by_columns=False):
    """Return the judge of a stream after it has read bands of these heights, in rotation."""
    judge = ArrayJudge(problem, by_columns=by_columns)
    lines = numbers.T if by_columns else numbers
    first = 0
    while first < len(lines):
        for height in heights:
            band = lines[first : first + height].copy()
            judge.add(band)
            band.fill(1)  # its memory may be used again
            first += height
    return judge

"""States and steps as rows of numbers, for kernels that follow one state through some steps.

Here a matching is told by the mate of each slot, and not by its rank, as points come and go.
Importing this loads Numba; compiled code is kept beside the source.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np
from numba import njit

from kt_cp.counting.dense.halves import Edge, End, Step
from kt_cp.counting.dense.matchings import MOST_SLOTS, POINTS, rank

if TYPE_CHECKING:
    from numpy.typing import NDArray

EDGE, END, TURN = range(3)
KIND, FIRST, SECOND, KEEP, STAY, BEFORE, AFTER = range(7)
"""Columns of a step: what it is, its slots (of an end: and if it is light; of a turn: and if a
digit changes), whether states stay as they are, and the digits of a turn."""

ENDS, DIGITS, MATES = 0, 2, 2 + MOST_SLOTS
DEPOT = MOST_SLOTS
"""The parts of a state as a row of numbers: dark and light ends of the tour, the digit of each slot
and its mate, or -1; the depot's mate is the last."""

ROW = MATES + MOST_SLOTS + 1


def as_numbers(steps: Iterable[Step]) -> NDArray[np.int64]:
    """Steps for kernels.

    Examples
    --------
    >>> as_numbers([Edge(3, 1, True, ((0, 0), (1, 2)))]).tolist()
    [[0, 3, 1, 1, 0, 0, 0]]
    """
    rows = []
    for step in steps:
        if isinstance(step, Edge):
            rows.append([EDGE, step.u, step.v, step.keep, 0, 0, 0])
        elif isinstance(step, End):
            rows.append([END, step.slot, step.light, not step.must, 0, 0, 0])
        else:
            stay = sum(1 << digit for digit in step.stay)
            before, after = step.change or (0, 0)
            rows.append([TURN, step.slot, step.change is not None, 0, stay, before, after])
    return np.array(rows, dtype=np.int64).reshape(-1, 7)


@njit(cache=True, nogil=True, forceinline=True)
def tie(row: Any, one: Any, other: Any) -> None:
    """Make two points the ends of one path."""
    row[MATES + one] = other
    row[MATES + other] = one


@njit(cache=True, nogil=True)
def forward(step: Any, row: Any, out: Any) -> None:
    """The state with the edge of a step, or an end; a turn's digit changes."""
    out[:] = row
    slot = step[FIRST]
    if step[KIND] == TURN:
        if step[SECOND]:
            out[DIGITS + slot] = step[AFTER]
        return
    if step[KIND] == EDGE:
        other: Any = step[SECOND]
        out[DIGITS + slot] += 1
        out[DIGITS + other] -= 1
    else:
        other = np.int64(DEPOT)
        out[DIGITS + slot] += -1 if step[SECOND] else 1
        out[ENDS + step[SECOND]] += 1
    mine, its = row[MATES + slot], row[MATES + other]
    out[MATES + slot] = out[MATES + other] = -1
    tie(out, slot if mine < 0 else mine, other if its < 0 else its)


@njit(cache=True, nogil=True)
def array_of(dark: Any, light: Any) -> Any:
    """The number of the array of states with so many ends, at most two of each colour."""
    return 3 * dark + light


@njit(cache=True, nogil=True)
def place_of(row: Any, slots: Any, mate: Any) -> Any:
    """Number of the pattern of a state, and the rank of its matching."""
    pattern = np.int64(array_of(row[ENDS], row[ENDS + 1]))
    for slot in range(slots - 1, -1, -1):
        pattern = pattern * 3 + row[DIGITS + slot]
    names = np.zeros(POINTS, np.int64)
    points: Any = np.int64(0)
    for point in range(MOST_SLOTS + 1):
        if row[MATES + point] >= 0:
            names[point] = points
            points += 1
    for point in range(MOST_SLOTS + 1):
        if row[MATES + point] >= 0:
            mate[names[point]] = names[row[MATES + point]]
    return pattern, rank(mate, points // 2)

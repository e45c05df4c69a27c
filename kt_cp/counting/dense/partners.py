"""Which digits go together where two halves of a board meet.

In every slot the upper half has some of a square's two edges, and the lower half the others.  The
slots come in opposite order.  Where a square is missing both halves wait with a digit of their own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from kt_cp.counting.dense.halves import Half, Turn, beginning, first_in, light, slot_of, steps
from kt_cp.counting.dense.matchings import Layout, parts_of

if TYPE_CHECKING:
    from numpy.typing import NDArray


def partners(upper: Half, lower: Half) -> list[list[int]]:
    """For each slot of a half, the digit that its slot in the other half has, by its own digit.

    The other half may be the first one again, as its own mirror image.
    """
    waits, others = _waiting(upper), _waiting(lower)
    colours = [_colours(half) for half in (upper, lower)]
    found = []
    for slot in range(2 * upper.width):
        other = 2 * upper.width - 1 - slot
        if slot in waits:
            found.append([others[other]] * 3)
        else:
            # 2 less the degree: with the colours the other way round it is the same digit.
            turned = colours[0][slot] == colours[1][other]
            found.append([2, 1, 0] if turned else [0, 1, 2])
    return found


def partner_parts(
    upper: Layout, lower: Layout, partners: list[list[int]]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """What the low digits of a pattern and the high ones add to its partner's number."""
    weights = lower.weights[::-1].tolist()
    worth = [[digit * weights[slot] for digit in each] for slot, each in enumerate(partners)]
    return parts_of(upper, worth)


def _waiting(half: Half) -> dict[int, int]:
    """The digits of those slots that wait at the end, where squares are missing."""
    first = beginning(half)
    waits = {
        slot: digit
        for slot, digit in enumerate(first)
        if half.square(*first_in(half, slot)) is None
    }
    for row in steps(half):
        for step in row:
            if isinstance(step, Turn) and step.after is None:
                waits[step.slot] = step.stay[0]
            elif isinstance(step, Turn):
                waits.pop(step.slot, None)
    return waits


def _colours(half: Half) -> dict[int, bool]:
    """Whether the square in a slot at the end is a light one."""
    found = {}
    for row in (half.rows - 1, half.rows):
        for column in range(half.width):
            square = half.square(row, column)
            if square is not None:
                found[slot_of(half, row, column)] = light(square)
    return found

"""A digit that changes while its slot is given to another square: the array is laid out anew.

This is needed where the square that was done and the one that comes have the same colour: once a
row on odd widths, and beside holes.  The sum of the digits changes, so every block has another
place.  Blocks are copied to an array of its own, which takes twice the memory for a moment.

Importing this loads Numba; compiled code is kept beside the source.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numba import njit

from kt_cp.counting.dense.array import block
from kt_cp.counting.dense.matchings import MATCHINGS, layout

if TYPE_CHECKING:
    from kt_cp.counting.dense.array import States


@njit(cache=True, nogil=True)
def copy_blocks(
    old: Any, old_live: Any, old_at: Any, new: Any, new_live: Any, new_at: Any, shift: int
) -> None:
    """Copy the block of every pattern that lives to that of a number larger by ``shift``."""
    lows = old_at.low.sums.shape[0]
    for pattern in range(old_live.shape[0]):
        if old_live[pattern]:
            h = pattern // lows
            ends = old_at.high.counts[h] + old_at.low.counts[pattern - h * lows] + old_at.depot
            source, target = block(old_at, pattern), block(new_at, pattern + shift)
            for r in range(MATCHINGS[ends // 2]):
                new[target + r] = old[source + r]
            new_live[pattern + shift] = 1


def lay_out_anew(states: States, slot: int, before: int, after: int) -> None:
    """Change a digit of all states, which have the same there."""
    at, entries = layout(states.slots, states.at.total + after - before, states.at.depot)
    values = np.empty(entries, dtype=states.values.dtype)
    live = np.zeros_like(states.live)
    shift = (after - before) * 3**slot
    copy_blocks(states.values, states.live, states.at, values, live, at, shift)
    states.values, states.live, states.at, states.entries = values, live, at, entries

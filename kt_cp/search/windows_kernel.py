"""The search of :mod:`kt_cp.search.windows`, compiled; a readable twin is among the tests.

Importing this loads Numba.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numba import njit

from kt_cp.search.bits import bit_count, lowest_bit
from kt_cp.search.windows_rules import propagate

if TYPE_CHECKING:
    from numpy.typing import NDArray

PAUSED, FULL, EXHAUSTED = range(3)
"""Why :func:`advance` came back."""

DEPTH, FRESH, DECIDED, FOUND = range(4)
"""Entries of ``state``: decisions under way, whether the last was only just made; decisions made
and tours found, since the start."""


@njit(cache=True, nogil=True)
def smallest(may: NDArray[np.uint64]) -> int:
    """The step with the fewest vertices to choose from, or -1 where every step has its own."""
    total, width = may.shape
    best, least = -1, np.int64(64 * width + 1)
    for step in range(total):
        size = np.int64(0)
        for j in range(width):
            size += np.int64(bit_count(may[step, j]))
        if 1 < size < least:
            best, least = step, size
            if size == 2:
                break
    return best


@njit(cache=True, nogil=True)
def advance(
    sets: NDArray[np.uint64],
    left: NDArray[np.uint64],
    chosen: NDArray[np.int64],
    beside: NDArray[np.uint64],
    partners: NDArray[np.int64],
    closed: bool,
    queue: NDArray[np.int64],
    queued: NDArray[np.bool_],
    state: NDArray[np.int64],
    most: int,
    walks: NDArray[np.int32],
) -> int:
    """Go on with the search; returns why it paused.

    Parameters
    ----------
    sets : uint64 array of shape (depths, steps, words)
        The sets of every step at every depth; the first ones are narrowed already.
    left, chosen : arrays
        Of each depth: the step that is decided there, and the vertices not yet tried at it.
    most : int
        Return ``PAUSED`` after so many decisions.
    walks : int32 array of shape (room, steps)
        Receives the tours found in this call, which returns ``FULL`` with the last there is room
        for.  Without any room tours are only counted.
    """
    none, one = np.uint64(0), np.uint64(1)
    total, width = sets.shape[1:]
    room = walks.shape[0]
    depth, fresh = state[DEPTH], state[FRESH] != 0
    decided = found = 0
    result = PAUSED
    while decided < most:
        if fresh:
            fresh = False
            step = smallest(sets[depth])
            if step >= 0:
                chosen[depth] = step
                left[depth] = sets[depth, step]
            else:
                if room:
                    for k in range(total):
                        for j in range(width):
                            if sets[depth, k, j] != none:
                                walks[found, k] = 64 * j + np.int64(lowest_bit(sets[depth, k, j]))
                found += 1
                depth -= 1
                if found == room:
                    result = FULL
                    break
        if depth < 0:
            result = EXHAUSTED
            break
        i = 0
        while i < width and left[depth, i] == none:
            i += 1
        if i == width:
            depth -= 1
            continue
        bit = left[depth, i] & (~left[depth, i] + one)
        left[depth, i] ^= bit
        step = chosen[depth]
        below = sets[depth + 1]
        below[:] = sets[depth]
        below[step] = none
        below[step, i] = bit
        decided += 1
        queue[0] = step
        queued[step] = True
        if propagate(below, beside, partners, closed, queue, queued, 1):
            depth += 1
            fresh = True
    state[DEPTH] = depth
    state[FRESH] = fresh
    state[DECIDED] += decided
    state[FOUND] += found
    return result

"""The search of :mod:`kt_cp.search.windows`, compiled; a readable twin is among the tests.

Importing this loads Numba.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numba import njit

from kt_cp.search.bits import lowest_bit
from kt_cp.search.windows_rules import members, propagate

if TYPE_CHECKING:
    from numpy.typing import NDArray

PAUSED, FULL, EXHAUSTED = range(3)
"""Why :func:`advance` came back."""

DEPTH, FRESH, DECIDED, FOUND = range(4)
"""Entries of ``state``: decisions under way, whether the last was only just made; decisions made
and tours found, since the start."""


@njit(cache=True, nogil=True)
def choose(
    may: NDArray[np.uint64],
    blame: NDArray[np.float64],
    steps: NDArray[np.int64],
    left: NDArray[np.uint64],
) -> int:
    """What to decide next, with the ways to try in ``left``; -1 where every step has its vertex.

    A number of a step: which vertex is visited then.  That of a vertex, behind those of the steps:
    when it is visited.  ``steps`` is room for the steps left to each vertex.
    """
    total, width = may.shape
    none, one = np.uint64(0), np.uint64(1)
    best, least, fewest = -1, np.inf, 0
    steps[:] = 0
    for step in range(total):
        size = members(may[step])
        if size == 1:
            continue
        if size / blame[step] < least:
            best, least, fewest = step, size / blame[step], size
        for j in range(width):
            word = may[step, j]
            while word != none:
                steps[64 * j + np.int64(lowest_bit(word))] += 1
                word &= word - one
    if best < 0:
        return best
    left[:] = may[best]
    rarest = -1
    for vertex in range(total):
        if 0 < steps[vertex] <= fewest:
            rarest, fewest = vertex, steps[vertex] - 1
    if rarest < 0:
        return best
    left[:] = none
    for step in range(total):
        bit = (may[step, rarest >> 6] >> np.uint64(rarest & 63)) & one
        left[step >> 6] |= bit << np.uint64(step & 63)
    return int(total + rarest)


@njit(cache=True, nogil=True)
def advance(
    sets: NDArray[np.uint64],
    left: NDArray[np.uint64],
    chosen: NDArray[np.int64],
    beside: NDArray[np.uint64],
    partners: NDArray[np.uint64],
    closed: bool,
    queue: NDArray[np.int64],
    queued: NDArray[np.bool_],
    blame: NDArray[np.float64],
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
        Of each depth: what is decided there, as :func:`choose` has it, and the ways not yet tried.
    blame : float64 array of shape (steps,)
        How often each window has become empty, and one more.
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
    steps = np.empty(total, np.int64)
    while decided < most:
        if fresh:
            fresh = False
            chosen[depth] = choose(sets[depth], blame, steps, left[depth])
            if chosen[depth] < 0:
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
        if step >= total:
            vertex = step - total
            step = 64 * i + np.int64(lowest_bit(bit))
            i = vertex >> 6
            bit = one << np.uint64(vertex & 63)
        below[step] = none
        below[step, i] = bit
        decided += 1
        queue[0] = step
        queued[step] = True
        bad = propagate(below, beside, partners, closed, queue, queued, 1)
        if bad < 0:
            depth += 1
            fresh = True
        elif bad < total:
            blame[bad] += 1
    state[DEPTH] = depth
    state[FRESH] = fresh
    state[DECIDED] += decided
    state[FOUND] += found
    return result

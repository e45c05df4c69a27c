"""The search of :mod:`kt_cp.search.windows`, compiled; a readable twin is among the tests.

Importing this loads Numba, which keeps compiled code by the contents of its own file alone.  So a
change of what is compiled into this from another file is counted here, and has it compiled anew: 1.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numba import njit

from kt_cp.search.bits import lowest_bit
from kt_cp.search.windows import MAY, TABLES, WHEN
from kt_cp.search.windows_rules import propagate
from kt_cp.search.windows_sets import NONE, ONE, copy, inside, put, size_of, width_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

PAUSED, FULL, EXHAUSTED = range(3)
"""Why :func:`advance` came back."""

DEPTH, FRESH, DECIDED, FOUND = range(4)
"""Entries of ``state``: decisions under way, whether the last was only just made; decisions made
and tours found, since the start."""


@inside
def choose(
    may: NDArray[np.uint64],
    when: NDArray[np.uint64],
    blame: NDArray[np.float64],
    left: NDArray[np.uint64],
    words: tuple[int, ...],
) -> int:
    """What to decide next, with the ways to try in ``left``; -1 where every step has its vertex.

    A number of a step: which vertex is visited then.  That of a vertex, behind those of the steps:
    when it is visited.
    """
    total, width = may.shape[0], width_of(may, words)
    best, least, fewest = -1, np.inf, 0
    for step in range(total):
        size = size_of(may, step, width)
        if size > 1 and size / blame[step] < least:
            best, least, fewest = step, size / blame[step], size
    for vertex in range(total):
        size = size_of(when, vertex, width)
        # On large boards what is to blame for many failures tells nothing of another region.
        weighed = size / blame[total + vertex] if len(words) else np.inf
        if size > 1 and (weighed < least or (len(words) == 0 and size <= fewest)):
            best, least, fewest = total + vertex, weighed, size - 1
    if best >= 0:
        for j in range(width):
            left[j] = may[best, j] if best < total else when[best - total, j]
    return best


@njit(cache=True, nogil=True)
def advance(
    sets: NDArray[np.uint64],
    left: NDArray[np.uint64],
    chosen: NDArray[np.int64],
    partners: NDArray[np.uint64],
    closed: bool,
    queue: NDArray[np.int64],
    queued: NDArray[np.bool_],
    room: NDArray[np.uint64],
    path: NDArray[np.int64],
    blame: NDArray[np.float64],
    state: NDArray[np.int64],
    most: int,
    walks: NDArray[np.int32],
    words: tuple[int, ...],
) -> int:
    """Go on with the search; returns why it paused.

    Parameters
    ----------
    sets : uint64 array of shape (depths, TABLES, steps, words)
        The tables of every depth; the first ones are narrowed already.
    left, chosen : arrays
        Of each depth: what is decided there, as :func:`choose` has it, and the ways not yet tried.
    partners, queue, queued, room, path : arrays
        As :func:`kt_cp.search.windows_rules.propagate` has them.
    blame : float64 array of shape (2 * steps,)
        How often each step, and each vertex, has come to nothing, and one more.
    most : int
        Return ``PAUSED`` after so many decisions.
    walks : int32 array of shape (room, steps)
        Receives the tours found in this call, which returns ``FULL`` with the last there is room
        for.  Without any room tours are only counted.
    """
    total, width = sets.shape[2], width_of(left, words)
    many = walks.shape[0]
    depth, fresh = state[DEPTH], state[FRESH] != 0
    decided = found = 0
    result = PAUSED
    while decided < most:
        if fresh:
            fresh = False
            chosen[depth] = choose(sets[depth, MAY], sets[depth, WHEN], blame, left[depth], words)
            if chosen[depth] < 0:
                if many:
                    for k in range(total):
                        for j in range(width):
                            word = sets[depth, MAY, k, j]
                            if word != NONE:
                                walks[found, k] = 64 * j + np.int64(lowest_bit(word))
                found += 1
                depth -= 1
                if found == many:
                    result = FULL
                    break
        if depth < 0:
            result = EXHAUSTED
            break
        i = 0
        while i < width and left[depth, i] == NONE:
            i += 1
        if i == width:
            depth -= 1
            continue
        word = left[depth, i]
        left[depth, i] = word & (word - ONE)
        step, vertex = chosen[depth], 64 * i + np.int64(lowest_bit(word))
        if step >= total:
            step, vertex = vertex, step - total
        below = sets[depth + 1]
        for table in range(TABLES):
            copy(sets[depth, table], below[table], width)
        for j in range(width):
            below[MAY, step, j] = NONE
        put(below[MAY], step, vertex)
        decided += 1
        queue[0] = step
        queued[step] = True
        one: Any = np.int64(1)  # a literal would have it compiled once more
        bad = propagate(below, partners, closed, queue, queued, one, room, path, words)
        if bad < 0:
            depth += 1
            fresh = True
        else:
            blame[bad] += 1
    state[DEPTH] = depth
    state[FRESH] = fresh
    state[DECIDED] += decided
    state[FOUND] += found
    return result

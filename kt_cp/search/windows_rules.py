"""The rules of :mod:`kt_cp.search.windows`, compiled; a readable twin is among the tests.

A set of vertices is a row of words, a bit for each vertex; ``may[t]`` is the window of step t.
Importing this loads Numba.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numba import njit

from kt_cp.search.bits import bit_count, lowest_bit

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Words = NDArray[np.uint64]

NONE, ONE, ALL = np.uint64(0), np.uint64(1), ~np.uint64(0)


@njit(cache=True, nogil=True, forceinline=True)
def members(row: Words) -> Any:
    """How many a set has."""
    size = np.int64(0)
    for word in row:
        size += np.int64(bit_count(word))
    return size


@njit(cache=True, nogil=True, forceinline=True)
def beside_step(may: Words, step: int, closed: bool, near: Words) -> bool:
    """Put the windows of the steps beside one into ``near``; whether there are two of them."""
    total = may.shape[0]
    before, after = step - 1, step + 1
    if closed:
        before, after = (before + total) % total, after % total
    for j in range(near.shape[0]):
        near[j] = NONE
        if before >= 0:
            near[j] |= may[before, j]
        if after < total:
            near[j] |= may[after, j]
    return before >= 0 and after < total


@njit(cache=True, nogil=True, forceinline=True)
def narrowed(
    window: Words, near: Words, wanted: Words, beside: Words, least: int, ways: Words, whole: bool
) -> int:
    """Keep those of a window with enough near them; -1 if none is left, 1 if fewer are, else 0.

    ``near`` is what may stand at the steps beside: enough is all of ``wanted[vertex]`` and so many
    of ``beside[vertex]``.  What each that is kept may stand beside joins its ``ways``, unless
    there are none; without the ``whole`` of both steps beside, that is everything.
    """
    width = window.shape[0]
    lost = left = NONE
    for i in range(width):
        word = window[i]
        while word != NONE:
            bit = word & (~word + ONE)
            word ^= bit
            vertex = 64 * i + np.int64(lowest_bit(bit))
            size = np.int64(0)
            lacking = NONE
            for j in range(width):
                size += np.int64(bit_count(beside[vertex, j] & near[j]))
                lacking |= wanted[vertex, j] & ~near[j]
            if lacking != NONE or size < least:
                window[i] ^= bit
                lost |= bit
            elif ways.size:
                for j in range(width):
                    ways[vertex, j] |= beside[vertex, j] & near[j] if whole else ALL
        left |= window[i]
    if left == NONE:
        return -1
    return 1 if lost != NONE else 0


@njit(cache=True, nogil=True, forceinline=True)
def enqueue(step: int, queue: NDArray[np.int64], queued: NDArray[np.bool_], waiting: int) -> int:
    """Note that the window of a step has changed; returns how many are waiting."""
    if not queued[step]:
        queued[step] = True
        queue[waiting] = step
        waiting += 1
    return waiting


@njit(cache=True, nogil=True)
def propagate(
    may: Words,
    beside: Words,
    partners: Words,
    closed: bool,
    queue: NDArray[np.int64],
    queued: NDArray[np.bool_],
    waiting: int,
) -> int:
    """Narrow all windows; returns a step whose window becomes empty, or -1 if there is none.

    It returns the number of steps where a vertex has no step left, or too many neighbours.  The
    first ``waiting`` entries of ``queue`` are the steps whose windows have changed, and ``queued``
    has a flag for each of them; nothing is queued when it comes back.  ``beside`` has the
    neighbours of each vertex, ``partners`` those that belong beside it.
    """
    total, width = may.shape
    room = np.empty((4, width), np.uint64)
    near, placed, once, twice = room[0], room[1], room[2], room[3]
    ways = np.empty((total, width), np.uint64)
    forced = np.empty((total, width), np.uint64)
    sizes = np.empty(total, np.int64)
    bad = -1
    while bad < 0:
        # 1. The step before and the step after: through a move.
        while bad < 0 and waiting > 0:
            waiting -= 1
            step = queue[waiting]
            queued[step] = False
            near[:] = NONE
            for i in range(width):
                word = may[step, i]
                while word != NONE:
                    vertex = 64 * i + np.int64(lowest_bit(word))
                    word &= word - ONE
                    for j in range(width):
                        near[j] |= beside[vertex, j]
            for way in (-1, 1):
                other = step + way
                if closed:
                    other = (other + total) % total
                elif other < 0 or other >= total:
                    continue
                lost = left = NONE
                for j in range(width):
                    lost |= may[other, j] & ~near[j]
                    may[other, j] &= near[j]
                    left |= may[other, j]
                if left == NONE:
                    bad = other
                    break
                if lost != NONE:
                    waiting = enqueue(other, queue, queued, waiting)
        if bad >= 0:
            break
        # 2. What is placed at one step is visited at no other.
        placed[:] = NONE
        for step in range(total):
            sizes[step] = members(may[step])
            if sizes[step] == 1:
                for j in range(width):
                    if placed[j] & may[step, j] != NONE:
                        bad = step
                    placed[j] |= may[step, j]
        for step in range(total):
            if bad >= 0:
                break
            if sizes[step] == 1:
                continue
            lost = left = NONE
            for j in range(width):
                lost |= may[step, j] & placed[j]
                may[step, j] &= ~placed[j]
                left |= may[step, j]
            if left == NONE:
                bad = step
            elif lost != NONE:
                waiting = enqueue(step, queue, queued, waiting)
        if bad >= 0 or waiting > 0:
            continue
        # 3. Every vertex has a step; the one that is left to it is its own.
        once[:] = NONE
        twice[:] = NONE
        for step in range(total):
            for j in range(width):
                twice[j] |= once[j] & may[step, j]
                once[j] |= may[step, j]
        if members(once) < total:
            bad = total
            break
        lonely = NONE
        for j in range(width):
            once[j] &= ~twice[j] & ~placed[j]
            lonely |= once[j]
        if lonely != NONE:
            for step in range(total):
                if sizes[step] == 1:
                    continue
                size = np.int64(0)
                for j in range(width):
                    size += np.int64(bit_count(may[step, j] & once[j]))
                if size > 1:
                    bad = step
                    break
                if size == 1:
                    for j in range(width):
                        may[step, j] &= once[j]
                    waiting = enqueue(step, queue, queued, waiting)
        if bad >= 0 or waiting > 0:
            continue
        # 4. A vertex has two different ones beside it, and those that belong there.
        ways[:] = NONE
        for step in range(total):
            # At an end one will do, and which of them is open.
            inner = beside_step(may, step, closed, near)
            least = 2 if inner and sizes[step] > 1 else 0
            change = narrowed(may[step], near, partners, beside, least, ways, inner)
            if change < 0:
                bad = step
                break
            if change > 0:
                waiting = enqueue(step, queue, queued, waiting)
        if bad >= 0 or waiting > 0:
            continue
        # 5. A vertex with two ways left takes both: it belongs beside these two.
        several = False
        for vertex in np.arange(total):
            if members(ways[vertex]) != 2:
                continue
            if not several:
                forced[:] = partners
                several = True
            for i in range(width):
                word = ways[vertex, i]
                while word != NONE:
                    other = 64 * i + np.int64(lowest_bit(word))
                    word &= word - ONE
                    forced[other, vertex >> 6] |= ONE << np.uint64(vertex & 63)
                    if members(forced[other]) > 2:
                        bad = total
        if not several or bad >= 0:
            break
        for step in range(total):
            if sizes[step] == 1:
                continue
            beside_step(may, step, closed, near)
            change = narrowed(may[step], near, forced, beside, 0, ways[:0], True)
            if change < 0:
                bad = step
                break
            if change > 0:
                waiting = enqueue(step, queue, queued, waiting)
        if waiting == 0:
            break
    for k in range(waiting):
        queued[queue[k]] = False
    return bad

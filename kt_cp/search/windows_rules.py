"""The rules of :mod:`kt_cp.search.windows`, compiled; a readable twin is among the tests.

A set of vertices is a row of words, a bit for each vertex; ``may[t]`` is the window of step t.
Importing this loads Numba.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numba import njit

from kt_cp.search.bits import bit_count, lowest_bit

if TYPE_CHECKING:
    from numpy.typing import NDArray


@njit(cache=True, nogil=True)
def propagate(
    may: NDArray[np.uint64],
    beside: NDArray[np.uint64],
    partners: NDArray[np.int64],
    closed: bool,
    queue: NDArray[np.int64],
    queued: NDArray[np.bool_],
    waiting: int,
) -> bool:
    """Narrow the sets of all steps; False where one becomes empty or a vertex has no step left.

    The first ``waiting`` entries of ``queue`` are the steps whose sets have changed, and ``queued``
    has a flag for each of them; nothing is queued when it comes back.
    """
    total, width = may.shape
    none, one = np.uint64(0), np.uint64(1)
    near = np.empty(width, np.uint64)
    placed = np.empty(width, np.uint64)
    once = np.empty(width, np.uint64)
    twice = np.empty(width, np.uint64)
    sizes = np.empty(total, np.int64)
    good = True
    while good:
        # 1. The step before and the step after: through a move.
        while good and waiting > 0:
            waiting -= 1
            step = queue[waiting]
            queued[step] = False
            near[:] = none
            for i in range(width):
                word = may[step, i]
                while word != none:
                    vertex = 64 * i + np.int64(lowest_bit(word))
                    word &= word - one
                    for j in range(width):
                        near[j] |= beside[vertex, j]
            for way in (-1, 1):
                other = step + way
                if closed:
                    other = (other + total) % total
                elif other < 0 or other >= total:
                    continue
                lost = left = none
                for j in range(width):
                    word = may[other, j]
                    kept = word & near[j]
                    lost |= word ^ kept
                    left |= kept
                    may[other, j] = kept
                if left == none:
                    good = False
                    break
                if lost != none and not queued[other]:
                    queued[other] = True
                    queue[waiting] = other
                    waiting += 1
        if not good:
            break
        # 2. What is placed at one step is visited at no other.
        placed[:] = none
        for step in range(total):
            size = np.int64(0)
            for j in range(width):
                size += np.int64(bit_count(may[step, j]))
            sizes[step] = size
            if size == 1:
                for j in range(width):
                    if placed[j] & may[step, j] != none:
                        good = False
                    placed[j] |= may[step, j]
        for step in range(total):
            if not good:
                break
            if sizes[step] == 1:
                continue
            lost = left = none
            for j in range(width):
                lost |= may[step, j] & placed[j]
                may[step, j] &= ~placed[j]
                left |= may[step, j]
            if left == none:
                good = False
            elif lost != none and not queued[step]:
                queued[step] = True
                queue[waiting] = step
                waiting += 1
        if not good or waiting > 0:
            continue
        # 3. Every vertex has a step; the one that is left to it is its own.
        once[:] = none
        twice[:] = none
        for step in range(total):
            for j in range(width):
                twice[j] |= once[j] & may[step, j]
                once[j] |= may[step, j]
        seen, lonely = np.int64(0), none
        for j in range(width):
            seen += np.int64(bit_count(once[j]))
            once[j] &= ~twice[j] & ~placed[j]
            lonely |= once[j]
        if seen < total:
            good = False
        if good and lonely != none:
            for step in range(total):
                if sizes[step] == 1:
                    continue
                size = np.int64(0)
                for j in range(width):
                    size += np.int64(bit_count(may[step, j] & once[j]))
                if size > 1:
                    good = False
                    break
                if size == 1:
                    for j in range(width):
                        may[step, j] &= once[j]
                    queued[step] = True
                    queue[waiting] = step
                    waiting += 1
        if not good or waiting > 0:
            continue
        # 4. A vertex has two different ones beside it, and those that belong there.
        for step in range(total):
            before, after = step - 1, step + 1
            if closed:
                before, after = (before + total) % total, after % total
            inner = before >= 0 and after < total
            lost = left = none
            for i in range(width):
                word = may[step, i]
                while word != none:
                    bit = word & (~word + one)
                    word ^= bit
                    vertex = 64 * i + np.int64(lowest_bit(bit))
                    keep = True
                    if inner and sizes[step] > 1:
                        ways = np.int64(0)
                        for j in range(width):
                            both = may[before, j] | may[after, j]
                            ways += np.int64(bit_count(beside[vertex, j] & both))
                        keep = bool(ways > 1)
                    for k in range(2):
                        partner = partners[vertex, k]
                        if partner >= 0 and keep:
                            j = partner >> 6
                            both = none
                            if before >= 0:
                                both |= may[before, j]
                            if after < total:
                                both |= may[after, j]
                            keep = bool((both >> np.uint64(partner & 63)) & one != none)
                    if not keep:
                        may[step, i] ^= bit
                        lost |= bit
                left |= may[step, i]
            if left == none:
                good = False
                break
            if lost != none and not queued[step]:
                queued[step] = True
                queue[waiting] = step
                waiting += 1
        if waiting == 0:
            break
    for k in range(waiting):
        queued[queue[k]] = False
    return good

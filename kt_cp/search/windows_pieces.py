"""The rules of :mod:`kt_cp.search.windows` on moves, compiled.

Importing this loads Numba.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from kt_cp.search.bits import bit_count, lowest_bit
from kt_cp.search.windows_sets import (
    NONE,
    ONE,
    copy,
    enqueue,
    has,
    inline,
    inside,
    put,
    round_,
    size_of,
    strike,
    width_of,
)  # fmt: skip

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kt_cp.search.windows_sets import Sets

    Numbers = NDArray[np.int64]

NOW, KEPT, WAYS, FORCED, MARKS = range(5)
"""Tables of the working room: the steps of vertices as they are, those and the neighbours that a
piece keeps, forced moves, and rows of marks."""

DIRTY, CHECKED, SEEN, BESIDE = range(4)
"""Rows of marks: vertices to be looked at, those that are, pieces that were, by their ends, and
what is beside a step."""


@inside
def degrees(
    may: Sets,
    moves: Sets,
    partners: Sets,
    room: Sets,
    closed: bool,
    queue: Numbers,
    queued: NDArray[np.bool_],
    words: tuple[int, ...],
) -> tuple[int, int]:
    """4. A vertex with two moves left makes both, and one that makes two has no other.

    Fills ``room[FORCED]``.
    """
    total, width = may.shape[0], width_of(may, words)
    when, forced = room[NOW], room[FORCED]
    copy(partners, forced, width)
    waiting, again = 0, True
    while again:
        again = False
        for vertex in range(total):
            size = size_of(moves, vertex, width)
            inner = closed or not (has(may, 0, vertex) or has(may, total - 1, vertex))
            made = size_of(forced, vertex, width)
            if size < 1 + inner or made > 2:
                return total + vertex, waiting
            if inner and size == 2 and made < 2:
                again = True
                for j in range(width):
                    word = moves[vertex, j]
                    while word != NONE:
                        other = 64 * j + np.int64(lowest_bit(word))
                        word &= word - ONE
                        put(forced, vertex, other)
                        put(forced, other, vertex)
            elif made == 2 and size > 2:
                again = True
                for j in range(width):
                    word = moves[vertex, j] & ~forced[vertex, j]
                    moves[vertex, j] &= forced[vertex, j]
                    room[MARKS, DIRTY, j] |= word
                    put(room[MARKS], DIRTY, vertex)
                    while word != NONE:
                        other = 64 * j + np.int64(lowest_bit(word))
                        word &= word - ONE
                        strike(moves, other, vertex)
                        for i in range(width):
                            stale = when[other, i] | when[vertex, i]
                            while stale != NONE:
                                step = 64 * i + np.int64(lowest_bit(stale))
                                stale &= stale - ONE
                                waiting = enqueue(step, queue, queued, waiting)
    return -1, waiting


@inline
def trace(forced: Sets, first: int, path: Numbers, width: int) -> int:
    """Follow forced moves from a vertex into ``path``, to their end or round; returns how many."""
    came, at, many = -1, first, 0
    while at >= 0:
        path[many] = at
        many += 1
        after: Any = -1
        for j in range(width):
            word = forced[at, j]
            if came >> 6 == j:
                word &= ~(ONE << np.uint64(came & 63))
            if word != NONE:
                after = 64 * j + np.int64(lowest_bit(word))
                break
        came, at = at, after
        if at == first:
            break
    return many


@inline
def place(
    may: Sets, moves: Sets, room: Sets, closed: bool, path: Numbers, many: int, ring: bool,
    width: int,
) -> None:  # fmt: skip
    """Put the steps of every place that a piece can have into ``room[KEPT]``.

    And what is beside its ends there into ``room[WAYS]``.
    """
    total = may.shape[0]
    now, kept, ways, forced = room[NOW], room[KEPT], room[WAYS], room[FORCED]
    first, last = path[0], path[many - 1]
    for k in range(many):
        for j in range(width):
            kept[path[k], j] = ways[path[k], j] = NONE
    for way in (1, -1):
        if way < 0 and many == 1:
            break
        for i in range(width):
            word = now[first, i]
            while word != NONE:
                step = 64 * i + np.int64(lowest_bit(word))
                word &= word - ONE
                there, k = step, 1
                while k < many:
                    there = round_(there + way, total, closed)
                    if not (0 <= there < total and has(now, path[k], there)):
                        break
                    k += 1
                if k < many:
                    continue
                before = round_(step - way, total, closed)
                after = round_(there + way, total, closed)
                starts, ends = 0 <= before < total, 0 <= after < total
                some_before = some_after = NONE
                different = np.int64(0)
                for j in range(width):
                    one = two = NONE
                    if starts:
                        one = may[before, j] & moves[first, j] & ~forced[first, j]
                    if ends:
                        two = may[after, j] & moves[last, j] & ~forced[last, j]
                    some_before |= one
                    some_after |= two
                    different += np.int64(bit_count(one | two))
                if not ring:
                    if (starts and some_before == NONE) or (ends and some_after == NONE):
                        continue
                    if starts and ends and different < 2 and before != after:
                        continue
                for j in range(width):
                    if starts:
                        ways[first, j] |= may[before, j]
                    if ends:
                        ways[last, j] |= may[after, j]
                there = step
                for k in range(many):
                    put(kept, path[k], there)
                    there = round_(there + way, total, closed)


@inside
def pieces(
    may: Sets,
    moves: Sets,
    room: Sets,
    closed: bool,
    queue: Numbers,
    queued: NDArray[np.bool_],
    path: Numbers,
    words: tuple[int, ...],
) -> tuple[Any, int, bool]:
    """5. Forced moves in a row are a piece, and visited one after the other, one way or the other.

    A vertex without any is one as well.  Beside the two ends there are two different vertices.
    Also returns whether moves were lost that are in no such place.
    """
    total, width = may.shape[0], width_of(may, words)
    now, kept, ways, forced, marks = room[NOW], room[KEPT], room[WAYS], room[FORCED], room[MARKS]
    waiting, traced, lost_moves = 0, 0, False
    for j in range(width):
        marks[CHECKED, j] = marks[DIRTY, j]
        marks[DIRTY, j] = marks[SEEN, j] = NONE
    for first in range(total + 1):
        ring = first == total
        if ring:
            if traced == total:
                break
            first = 0
            if traced > 0 or not closed:  # an open tour makes no ring
                return total + first, waiting, False
        else:
            links = size_of(forced, first, width)
            if links == 2 or (links == 1 and has(marks, SEEN, first)):
                continue
            if links == 0 and not has(marks, CHECKED, first):
                traced += 1
                continue
        many = trace(forced, first, path, width)
        if ring and many < total:
            return total + first, waiting, False
        traced += many
        put(marks, SEEN, path[many - 1])
        fresh = False
        for k in range(many):
            fresh = fresh or has(marks, CHECKED, path[k])
        if not fresh:
            continue
        place(may, moves, room, closed, path, many, ring, width)
        for k in range(many):
            vertex = path[k]
            some = NONE
            for i in range(width):
                some |= kept[vertex, i]
                word = now[vertex, i] & ~kept[vertex, i]
                while word != NONE:
                    step = 64 * i + np.int64(lowest_bit(word))
                    word &= word - ONE
                    strike(may, step, vertex)
                    waiting = enqueue(step, queue, queued, waiting)
                    if size_of(may, step, width) == 0:
                        return step, waiting, False
            if some == NONE:
                return total + vertex, waiting, False
            if ring or 0 < k < many - 1:
                continue
            for j in range(width):
                word = moves[vertex, j] & ~ways[vertex, j] & ~forced[vertex, j]
                if word == NONE:
                    continue
                moves[vertex, j] ^= word
                marks[DIRTY, j] |= word
                put(marks, DIRTY, vertex)
                lost_moves = True
                while word != NONE:
                    strike(moves, 64 * j + np.int64(lowest_bit(word)), vertex)
                    word &= word - ONE
    return -1, waiting, lost_moves

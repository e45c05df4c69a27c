"""The rules of :mod:`kt_cp.search.windows`, compiled; a readable twin is among the tests.

Three tables of sets are narrowed: ``MAY`` has the window of every step, ``MOVES`` the neighbours
beside which a vertex may still be visited, ``WHEN`` its steps when the rules were last seen to
hold.

Importing this loads Numba, which keeps compiled code by the contents of its own file alone.  So a
change of what is compiled into this from another file is counted here, and has it compiled anew: 1.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numba import njit

from kt_cp.search.bits import lowest_bit
from kt_cp.search.windows import MAY, MOVES, WHEN
from kt_cp.search.windows_pieces import BESIDE, DIRTY, MARKS, NOW, degrees, pieces
from kt_cp.search.windows_sets import (
    NONE,
    ONE,
    enqueue,
    inside,
    put,
    round_,
    size_of,
    width_of,
)  # fmt: skip

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kt_cp.search.windows_sets import Sets

    Numbers = NDArray[np.int64]


@inside
def reach(
    may: Sets,
    moves: Sets,
    closed: bool,
    queue: Numbers,
    queued: NDArray[np.bool_],
    waiting: int,
    beside: NDArray[np.uint64],
    words: tuple[int, ...],
) -> tuple[int, int]:
    """1. The step before and the step after: through a move."""
    total, width = may.shape[0], width_of(may, words)
    while waiting > 0:
        waiting -= 1
        step = queue[waiting]
        queued[step] = False
        before, after = round_(step - 1, total, closed), round_(step + 1, total, closed)
        lost_before = lost_after = left_before = left_after = NONE
        for j in range(width):
            beside[j] = NONE
        for i in range(width):
            word, own = may[step, i], NONE
            while word != NONE:
                vertex = 64 * i + np.int64(lowest_bit(word))
                word &= word - ONE
                own |= moves[vertex, 0]
                for j in range(1, width):
                    beside[j] |= moves[vertex, j]
            beside[0] |= own
        for j in range(width):
            near = beside[j]
            if before >= 0:
                lost_before |= may[before, j] & ~near
                may[before, j] &= near
                left_before |= may[before, j]
            if after < total:
                lost_after |= may[after, j] & ~near
                may[after, j] &= near
                left_after |= may[after, j]
        if before >= 0:
            if left_before == NONE:
                return before, waiting
            if lost_before != NONE:
                waiting = enqueue(before, queue, queued, waiting)
        if after < total:
            if left_after == NONE:
                return after, waiting
            if lost_after != NONE:
                waiting = enqueue(after, queue, queued, waiting)
    return -1, waiting


@inside
def alone(
    may: Sets,
    when: Sets,
    queue: Numbers,
    queued: NDArray[np.bool_],
    sizes: Numbers,
    words: tuple[int, ...],
) -> tuple[int, int]:
    """2. and 3. What is placed at one step is visited at no other; every vertex has a step.

    Fills ``when``, which is right if nothing waits afterwards.
    """
    total, width = may.shape[0], width_of(may, words)
    waiting = 0
    for step in range(total):
        sizes[step] = size_of(may, step, width)
    for j in range(width):
        placed = NONE
        for step in range(total):
            if sizes[step] == 1:
                if placed & may[step, j] != NONE:
                    return step, waiting
                placed |= may[step, j]
        once = twice = NONE
        for step in range(total):
            word = may[step, j]
            if word & placed != NONE and sizes[step] > 1:
                word &= ~placed
                may[step, j] = word
                waiting = enqueue(step, queue, queued, waiting)
            twice |= once & word
            once |= word
        lost = ~once
        if 64 * (j + 1) > total:
            lost &= (ONE << np.uint64(total & 63)) - ONE
        if lost != NONE:
            return total + 64 * j + np.int64(lowest_bit(lost)), waiting
        once &= ~twice & ~placed
        if once != NONE:
            for step in range(total):
                word = may[step, j] & once
                if word == NONE:
                    continue
                if word & (word - ONE) != NONE:
                    return step, waiting
                if sizes[step] > 1:
                    for i in range(width):
                        may[step, i] = NONE
                    may[step, j] = word
                    waiting = enqueue(step, queue, queued, waiting)
    if waiting:
        # A window may have lost all it had.
        for k in range(waiting):
            if size_of(may, queue[k], width) == 0:
                return queue[k], waiting
        return -1, waiting
    for vertex in range(total):
        for j in range(width):
            when[vertex, j] = NONE
    for step in range(total):
        for i in range(width):
            word = may[step, i]
            while word != NONE:
                put(when, 64 * i + np.int64(lowest_bit(word)), step)
                word &= word - ONE
    return -1, 0


@inside
def notice(tables: Sets, room: Sets, words: tuple[int, ...]) -> None:
    """Mark the vertices that have lost steps, and their neighbours."""
    total, width = tables.shape[1], width_of(tables, words)
    for vertex in range(total):
        lost = NONE
        for j in range(width):
            lost |= tables[WHEN, vertex, j] ^ room[NOW, vertex, j]
            tables[WHEN, vertex, j] = room[NOW, vertex, j]
        if lost != NONE:
            put(room[MARKS], DIRTY, vertex)
            for j in range(width):
                room[MARKS, DIRTY, j] |= tables[MOVES, vertex, j]


@njit(cache=True, nogil=True)
def propagate(
    tables: Sets,
    partners: Sets,
    closed: bool,
    queue: Numbers,
    queued: NDArray[np.bool_],
    waiting: int,
    room: Sets,
    path: Numbers,
    words: tuple[int, ...],
) -> Any:
    """Narrow all windows and moves; returns what is to blame, or -1 if there may be a tour.

    Less than the number of steps, it is a step whose window becomes empty; otherwise a vertex,
    counted on from there, that has no step left, or too few or too many moves.

    Parameters
    ----------
    tables : uint64 array of shape (TABLES, steps, words)
        What is narrowed.
    partners : uint64 array of shape (steps, words)
        Vertices that belong beside each.
    queue, queued : arrays of shape (steps,)
        The first ``waiting`` entries are the steps whose windows have changed, with a flag for each
        of them; nothing is queued when it comes back.
    room : uint64 array of shape (ROOM, steps or 4, words)
        To work in, as is ``path``, of shape (steps,).
    """
    may, moves, beside = tables[MAY], tables[MOVES], room[MARKS, BESIDE]
    for j in range(width_of(tables, words)):
        room[MARKS, DIRTY, j] = NONE
    while True:
        bad, waiting = reach(may, moves, closed, queue, queued, waiting, beside, words)
        if bad >= 0:
            break
        bad, waiting = alone(may, room[NOW], queue, queued, path, words)
        if bad >= 0:
            break
        if waiting > 0:
            continue
        notice(tables, room, words)
        bad, waiting = degrees(may, moves, partners, room, closed, queue, queued, words)
        if bad >= 0:
            break
        if waiting > 0:
            continue
        bad, waiting, lost = pieces(may, moves, room, closed, queue, queued, path, words)
        if bad >= 0 or (waiting == 0 and not lost):
            break
    for k in range(waiting):
        queued[queue[k]] = False
    return bad

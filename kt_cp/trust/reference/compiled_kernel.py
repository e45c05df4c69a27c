"""The recursion as compiled code with an explicit stack.

Importing this file loads Numba.  It is separate because every command imports the files beside it.
Numba caches the compiled code beside the source, so only the first run after an installation
compiles it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from numba import njit

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

PAUSED, TOUR, EXHAUSTED, SPENT = range(4)
"""Why :func:`advance` returned."""

DEPTH, PLACED, TAKEN_BACK, HOLDS_TOUR = range(4)
"""Entries of its ``state``."""


@njit(cache=True, nogil=True)
def required_range(
    heads: NDArray[np.int32],
    partners: NDArray[np.int32],
    closed: bool,
    path: NDArray[np.int32],
    visited: NDArray[np.bool_],
    depth: int,
) -> tuple[int, int]:
    """Return the range of candidates that required moves leave at ``path[depth]``.

    ``partners[v]`` are the vertices that must be beside v, then -1.  An empty range means that the
    walk is a dead end.  The readable twin is ``required_moves.next_required``.
    """
    total, width = heads.shape
    vertex, start = path[depth], path[0]
    second = closed and depth == 1 and partners[start, 1] >= 0
    if second and vertex != partners[start, 0] and vertex != partners[start, 1]:
        return 0, 0
    required = -1
    for k in range(2):
        other = partners[vertex, k]
        if other < 0:
            break
        if not visited[other]:
            if required >= 0 and not (closed and depth == 0):
                return 0, 0
            required = other
        elif depth > 0 and other == path[depth - 1]:
            pass
        elif not (closed and depth == total - 1 and other == start):
            return 0, 0
    if required >= 0 and not (closed and depth == 0):
        for i in range(width):
            if heads[vertex, i] == required:
                return i, i + 1
        return 0, 0
    return 0, width


@njit(cache=True, nogil=True)
def advance(
    heads: NDArray[np.int32],
    may_end: NDArray[np.bool_],
    partners: NDArray[np.int32],
    closed: bool,
    path: NDArray[np.int32],
    tried: NDArray[np.int32],
    until: NDArray[np.int32],
    visited: NDArray[np.bool_],
    state: NDArray[np.int64],
    most_placed: int,
    most_steps: int,
    log: NDArray[np.int32],
) -> int:
    """Continue the recursion from ``state``.

    Every vertex placed or taken back is one step.  ``path[:depth]`` is the walk.  The candidates of
    ``path[i]`` from ``tried[i]`` on are still untried; if moves are required, they end before
    ``until[i]``.  A new state has ``path[0]`` set to the start and everything else 0.  After a
    tour, the next call takes its last vertex back and continues.
    """
    total, width = heads.shape
    depth, placed, taken_back = state[DEPTH], state[PLACED], state[TAKEN_BACK]
    demanding = partners.shape[0] > 0
    steps = 0
    result = PAUSED
    while steps < most_steps:
        vertex = -1  # to place; -1 means to take back
        if depth == 0:
            if placed > 0:
                result = EXHAUSTED
                break
            vertex = path[0]
        elif depth == total:
            alive = not demanding or until[depth - 1] > 0
            if state[HOLDS_TOUR] == 0 and may_end[path[depth - 1]] and alive:
                state[HOLDS_TOUR] = 1
                result = TOUR
                break
            state[HOLDS_TOUR] = 0
        else:
            here = path[depth - 1]
            i = tried[depth - 1]
            end = until[depth - 1] if demanding else width
            while i < end:
                head = heads[here, i]
                if head < 0:
                    i = end
                    break
                if not visited[head]:
                    vertex = head
                    break
                i += 1
            tried[depth - 1] = i
        if vertex >= 0:
            if placed >= most_placed:
                result = SPENT
                break
            if depth > 0:
                tried[depth - 1] += 1
            path[depth] = vertex
            tried[depth] = 0
            visited[vertex] = True
            if demanding:
                tried[depth], until[depth] = required_range(
                    heads, partners, closed, path, visited, depth
                )
            depth += 1
            placed += 1
        else:
            depth -= 1
            vertex = path[depth]
            visited[vertex] = False
            taken_back += 1
            vertex = -vertex - 2
        if log.size > 0:
            log[steps] = vertex + 1
        steps += 1
    state[DEPTH], state[PLACED], state[TAKEN_BACK] = depth, placed, taken_back
    return result

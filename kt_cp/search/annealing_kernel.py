"""The moves of :mod:`kt_cp.search.annealing`, compiled.  Importing this loads Numba.

A closed walk x has a vertex at every step.  ``at`` tells one step of each vertex that it visits,
or has told one: it is looked at before it is believed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numba import njit

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Numbers = NDArray[np.int32]

REACH = 6
"""Moves up to which ``near`` tells how far apart two vertices are; the next number is for more."""

MADE, LACKING = range(2)
"""Entries of ``told``: pieces drawn anew, since the start, and vertices that are not visited."""


@njit(cache=True, nogil=True)
def drawn(state: NDArray[np.uint64]) -> float:
    """A number at random, from 0 to below 1."""
    word = state[0]
    word ^= word << np.uint64(13)
    word ^= word >> np.uint64(7)
    word ^= word << np.uint64(17)
    state[0] = word
    return float(np.int64(word >> np.uint64(11))) / 9007199254740992.0


@njit(cache=True, nogil=True)
def redraw(
    x: Numbers,
    first: int,
    many: int,
    visits: Numbers,
    rows: Numbers,
    heads: Numbers,
    near: NDArray[np.uint8],
    given: NDArray[np.bool_],
    twice: float,
    weight: NDArray[np.float64],
    layers: Numbers,
    sizes: Numbers,
    state: NDArray[np.uint64],
) -> bool:
    """Draw the vertices of so many steps anew, each way by its weight; whether there is any.

    The weight of a way is ``twice`` for each vertex on it that is visited elsewhere: the sum over
    all ways is made backwards, layer by layer, and forwards one of them is drawn.  ``weight`` is
    all zeros, before and after.
    """
    total = len(x)
    start, end = x[(first - 1) % total], x[(first + many) % total]
    for j in range(many - 1, -1, -1):
        size = 0
        behind = 1 if j == many - 1 else sizes[j + 1]
        most = 0.0
        for i in range(behind):
            source = end if j == many - 1 else layers[j + 1, i]
            share = 1.0 if j == many - 1 else weight[j + 1, source]
            for edge in range(rows[source], rows[source + 1]):
                vertex = heads[edge]
                if given[vertex] or (j < REACH and near[start, vertex] > j + 1):
                    continue
                if weight[j, vertex] == 0.0:
                    layers[j, size] = vertex
                    size += 1
                weight[j, vertex] += share
        sizes[j] = size
        for i in range(size):
            vertex = layers[j, i]
            if visits[vertex] > 0:
                weight[j, vertex] *= twice
            most = max(most, weight[j, vertex])
        for i in range(size):  # of many layers the numbers would grow beyond all bounds
            weight[j, layers[j, i]] /= most
    here, found = start, True
    for j in range(many):
        left = 0.0
        for edge in range(rows[here], rows[here + 1]):
            left += weight[j, heads[edge]]
        left *= drawn(state)
        there = -1
        for edge in range(rows[here], rows[here + 1]):
            if weight[j, heads[edge]] > 0.0:
                there = heads[edge]
                left -= weight[j, there]
                if left < 0.0:
                    break
        if there < 0:
            found = False
            break
        x[(first + j) % total] = there
        here = there
    for j in range(many):
        for i in range(sizes[j]):
            weight[j, layers[j, i]] = 0.0
    return found


@njit(cache=True, nogil=True)
def _again(x: Numbers, first: int, many: int, visits: Numbers) -> int:
    """How many of these steps have a vertex that only an earlier one of them has."""
    total, again = len(x), 0
    for i in range(many):
        vertex = x[(first + i) % total]
        for j in range(i):
            if x[(first + j) % total] == vertex:
                again += visits[vertex] == 0
                break
    return again


@njit(cache=True, nogil=True)
def anneal(
    x: Numbers,
    before: Numbers,
    after: Numbers,
    visits: Numbers,
    at: Numbers,
    rows: Numbers,
    heads: Numbers,
    near: NDArray[np.uint8],
    given: NDArray[np.bool_],
    weight: NDArray[np.float64],
    layers: Numbers,
    sizes: Numbers,
    state: NDArray[np.uint64],
    told: NDArray[np.int64],
    cost: float,
    most: int,
    length: int,
    focus: float,
) -> bool:
    """Go on with the walk; whether it has become a tour other than it was.

    Parameters
    ----------
    before, after : int32 arrays of shape (steps,)
        The given steps around each step, the later ones counted on; a given step has itself.
    near : uint8 array of shape (vertices, vertices)
        Moves from each vertex to each, up to some number that stands for all greater ones.
    cost : float
        What a vertex that is visited twice costs, in units of temperature.
    most : int
        Pieces to draw anew, each of at most ``length`` steps.
    focus : float
        Share of them that are looked for beside a vertex that is not visited.
    """
    total, vertices = len(x), len(rows) - 1
    old = np.empty(length, np.int32)
    lacking = told[LACKING]
    twice = np.exp(-cost)
    for turn in range(most):
        step = int(drawn(state) * total)
        if lacking > 0 and drawn(state) < focus:
            hole = int(drawn(state) * vertices)
            while visits[hole] > 0:
                hole = (hole + 1) % vertices
            degree = rows[hole + 1] - rows[hole]
            beside = heads[rows[hole] + int(drawn(state) * degree)]
            if visits[beside] == 0:
                continue
            step = at[beside]
            if x[step] != beside:
                for other in range(total):
                    if x[other] == beside:
                        step = other
                at[beside] = step
            step = (step + (1 if drawn(state) < 0.5 else -1)) % total
        low, high = before[step], after[step]
        if low == step:
            continue
        many = min(1 + int(drawn(state) * length), high - low - 1)
        if step < low:
            step += total
        lowest, highest = max(low + 1, step - many + 1), min(high - many, step)
        first = lowest + int(drawn(state) * (highest - lowest + 1))
        for j in range(many):
            old[j] = x[(first + j) % total]
            visits[old[j]] -= 1
            lacking += visits[old[j]] == 0
        was = _again(x, first, many, visits)
        found = redraw(
            x, first, many, visits, rows, heads, near, given, twice, weight, layers, sizes, state
        )
        more = _again(x, first, many, visits) - was if found else 1
        # The weights of a way know nothing of a vertex that is on it twice.
        if not found or (more > 0 and drawn(state) >= np.exp(-cost * more)):
            for j in range(many):
                x[(first + j) % total] = old[j]
        changed = False
        for j in range(many):
            place = (first + j) % total
            vertex = x[place]
            changed |= vertex != old[j]
            lacking -= visits[vertex] == 0
            visits[vertex] += 1
            at[vertex] = place
        if lacking == 0 and changed:
            told[MADE] += turn + 1
            told[LACKING] = 0
            return True
    told[MADE] += most
    told[LACKING] = lacking
    return False

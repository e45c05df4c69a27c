"""The moves of :mod:`kt_cp.search.annealing`, compiled.  Importing this loads Numba.

A closed walk x has a vertex at every step.  ``at`` tells one step of each vertex that it visits,
or has told one: it is looked at before it is believed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numba import njit

from kt_cp.search.annealing import FOCUS, LENGTH
from kt_cp.search.annealing_ways import drawn, redraw

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Numbers = NDArray[np.int32]

PAIRS, SHORT = 0.5, 4
"""Share of the draws that are of two pieces at a time, and most steps of such a piece."""

BLAME, MEMORY = 0.01, 1024
"""What a vertex costs more each time that it is looked at because it is left out, in units of
temperature, and after how many draws half of that is forgotten."""

MADE, LACKING = range(2)
"""Entries of ``told``: draws made since the start, and vertices that are not visited."""


@njit(cache=True, nogil=True)
def _piece(
    step: int, most: int, before: Numbers, after: Numbers, state: NDArray[np.uint64]
) -> tuple[int, int]:
    """A piece of at most so many steps around a step, by lot: its first step, and how many."""
    low, high = before[step], after[step]
    if low == step:
        return 0, 0
    many = min(1 + int(drawn(state) * most), high - low - 1)
    if step < low:
        step += len(before)
    lowest, highest = max(low + 1, step - many + 1), min(high - many, step)
    return lowest + int(drawn(state) * (highest - lowest + 1)), many


@njit(cache=True, nogil=True)
def _beside(vertex: int, rows: Numbers, heads: Numbers, state: NDArray[np.uint64]) -> int:
    """A neighbour of a vertex, by lot."""
    return int(heads[rows[vertex] + int(drawn(state) * (rows[vertex + 1] - rows[vertex]))])


@njit(cache=True, nogil=True)
def _step_of(vertex: int, x: Numbers, at: Numbers) -> int:
    """A step of a vertex that is visited."""
    if x[at[vertex]] != vertex:
        for step in range(len(x)):
            if x[step] == vertex:
                at[vertex] = step
    return int(at[vertex])


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
    blame: NDArray[np.float64],
    cost: float,
    most: int,
) -> bool:
    """Go on with the walk; whether it has become a tour other than it was.

    Parameters
    ----------
    before, after : int32 arrays of shape (steps,)
        The given steps around each step, the later ones counted on; a given step has itself.
    near : uint8 array of shape (vertices, vertices)
        Moves from each vertex to each, up to some number that stands for all greater ones.
    blame : float64 array of shape (vertices,)
        What a vertex that is left out costs more than ``cost``, in units of temperature.
    most : int
        Draws to make, each of a piece, or of two shorter ones.
    """
    total, vertices = len(x), len(rows) - 1
    old = np.empty(2 * LENGTH, np.int32)
    first, many = np.zeros(2, np.int64), np.zeros(2, np.int64)
    lacking = told[LACKING]
    fill = np.exp(cost + blame)
    for turn in range(most):
        if turn % MEMORY == 0:
            blame *= 0.5
            fill = np.exp(cost + blame)
        step = int(drawn(state) * total)
        if lacking > 0 and drawn(state) < FOCUS:
            hole = int(drawn(state) * vertices)
            while visits[hole] > 0:
                hole = (hole + 1) % vertices
            blame[hole] += BLAME
            fill[hole] = np.exp(cost + blame[hole])
            beside = _beside(hole, rows, heads, state)
            if visits[beside] == 0:
                continue
            step = (_step_of(beside, x, at) + (1 if drawn(state) < 0.5 else -1)) % total
        count = 1 + (drawn(state) < PAIRS)
        first[0], many[0] = _piece(step, LENGTH if count == 1 else SHORT, before, after, state)
        if many[0] == 0:
            continue
        if count == 2:
            vertex = x[(first[0] + int(drawn(state) * many[0])) % total]
            for _ in range(1 + int(drawn(state) * 2)):
                vertex = _beside(vertex, rows, heads, state)
            if visits[vertex] == 0:
                continue
            first[1], many[1] = _piece(_step_of(vertex, x, at), SHORT, before, after, state)
            apart = (first[1] - first[0]) % total > many[0] and (
                (first[0] - first[1]) % total > many[1]
            )
            if many[1] == 0 or not apart:
                continue
        was, taken, worse = lacking, 0, 0.0
        for i in range(count):
            for j in range(many[i]):
                vertex = old[taken] = x[(first[i] + j) % total]
                taken += 1
                visits[vertex] -= 1
                lacking += visits[vertex] == 0
                worse += (visits[vertex] == 0) * (cost + blame[vertex])
        # The weights of one way know all but a vertex that is on it twice.
        weighed = int(many[0] * (count == 1))
        for j in range(weighed):
            worse -= (visits[old[j]] == 0) * (cost + blame[old[j]])
        found, made = True, 0
        while found and made < count:
            found = redraw(
                x, first[made], many[made], visits, rows, heads, near, given, fill, weight, layers,
                sizes, state,
            )  # fmt: skip
            if found:
                for j in range(weighed):
                    vertex = x[(first[0] + j) % total]
                    worse += (visits[vertex] == 0) * (cost + blame[vertex])
                for j in range(many[made]):
                    vertex = x[(first[made] + j) % total]
                    lacking -= visits[vertex] == 0
                    worse -= (visits[vertex] == 0) * (cost + blame[vertex])
                    visits[vertex] += 1
                made += 1
        kept = found and (worse <= 1e-9 or drawn(state) < np.exp(-worse))
        changed, taken = False, 0
        for i in range(count):
            for j in range(many[i]):
                place = (first[i] + j) % total
                if kept:
                    changed |= x[place] != old[taken]
                else:
                    if i < made:
                        visits[x[place]] -= 1
                    x[place] = old[taken]
                    visits[old[taken]] += 1
                at[x[place]] = place
                taken += 1
        if not kept:
            lacking = was
        elif lacking == 0 and changed:
            told[MADE] += turn + 1
            told[LACKING] = 0
            return True
    told[MADE] += most
    told[LACKING] = lacking
    return False

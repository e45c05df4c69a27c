"""A way of some moves drawn at random, compiled, for :mod:`kt_cp.search.annealing`.

Importing this loads Numba.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numba import njit

from kt_cp.search.annealing import LENGTH

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Numbers = NDArray[np.int32]


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
    fill: NDArray[np.float64],
    weight: NDArray[np.float64],
    layers: Numbers,
    sizes: Numbers,
    state: NDArray[np.uint64],
) -> bool:
    """Draw the vertices of so many steps anew, each way by its weight; whether there is any.

    The weight of a way is the product of ``fill`` over its vertices that are visited nowhere else:
    the sum over all ways is made backwards, layer by layer, and forwards one of them is drawn.
    ``weight`` is all zeros, before and after.
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
                if given[vertex] or (j < LENGTH and near[start, vertex] > j + 1):
                    continue
                if weight[j, vertex] == 0.0:
                    layers[j, size] = vertex
                    size += 1
                weight[j, vertex] += share
        sizes[j] = size
        for i in range(size):
            vertex = layers[j, i]
            if visits[vertex] == 0:
                weight[j, vertex] *= fill[vertex]
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

"""A closed tour by LKH: a round trip that costs nothing, where every knight's move is free.

LKH is not free for every use, so it is measured only where the user has installed ``elkai``, which
holds it.  The matrix of all distances ends it before time does: on 100x100 it has 10^8 numbers.
"""

from __future__ import annotations

import time
from itertools import pairwise

MOVES = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)]


def closed_tour(side: int, seed: int) -> tuple[str, float, list[tuple[int, int]]]:
    """Status, seconds to build and solve, and the squares of a closed tour in order.

    elkai takes no seed: the squares are numbered from another one in its place.
    """
    began = time.perf_counter()
    squares = [(row, column) for row in range(side) for column in range(side)]
    index = {square: number for number, square in enumerate(squares)}
    arcs = []
    for (row, column), number in index.items():
        for up, right in MOVES:
            to = index.get((row + up, column + right))
            if to is not None:
                arcs.append((number, to))
    said, _, walk = cycle(len(squares), arcs, seed)
    return said, time.perf_counter() - began, [squares[number] for number in walk]


def cycle(nodes: int, arcs: list[tuple[int, int]], seed: int) -> tuple[str, float, list[int]]:
    """The same of any graph, each edge an arc in either direction."""
    import elkai

    began = time.perf_counter()
    costs = [[1] * nodes for _ in range(nodes)]
    for here, there in arcs:
        costs[here - seed % nodes][there - seed % nodes] = 0
    trip = elkai.DistanceMatrix(costs).solve_tsp(runs=1)
    seconds = time.perf_counter() - began
    if any(costs[here][there] for here, there in pairwise(trip)):
        return "UNKNOWN", seconds, []
    return "FOUND", seconds, [(number + seed) % nodes for number in trip[:-1]]

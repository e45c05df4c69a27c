"""Breadth-first search over numbered vertices: reach, distances, colours, the wavefront order.

The checker has its own (``kt_cp/trust/check``), and so has the numbered graph of a problem, which
must not import searches.  Cost: linear in the edges that are visited.

The *wavefront order* numbers the vertices as a wave from a corner reaches them.  A solver that
decides variables in the order in which they were made works its way through the graph in that
order.  Then the border of the decided part matters.  Row by row it is a straight line as long as
the board; in a shuffled order it is everywhere.  A wave that spreads from a corner has a short,
smooth border, and the solver finds a knight's tour along it with hardly a conflict.

On a board one would sort by the distance from the corner.  On any graph the breadth-first distance
from a vertex of least degree does nearly the same, but it has hundreds of ties and a zigzag border.
Averaging each vertex with its neighbours a few times makes the wave round.

Source: level structures as in E. Cuthill and J. McKee, "Reducing the bandwidth of sparse symmetric
matrices", ACM 1969; the smoothing is this package's own.  Cost: linear, ten passes over the edges
with NumPy; ``benchmarks/MEASURED.md`` has the gain for CP-SAT.  When it loses: on graphs without
geometry it is an order like any other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from kt_cp.model.graph import IndexedGraph

Neighbours = Callable[[int], Iterable[int]]


def reachable(roots: Iterable[int], neighbours: Neighbours) -> set[int]:
    """Return every vertex that a path from one of the roots reaches, and the roots."""
    seen = set(roots)
    stack = [*seen]
    while stack:
        for other in neighbours(stack.pop()):
            if other not in seen:
                seen.add(other)
                stack.append(other)
    return seen


def extend_distances(
    distance: list[int], roots: Iterable[int], neighbours: Neighbours
) -> list[int]:
    """Give distances to vertices with a negative one, from roots that have one, nearest first.

    >>> distance = [0, -1, -1, -1]
    >>> extend_distances(distance, [0], [[1], [2], [0], [0]].__getitem__), distance
    ([0, 1, 2], [0, 1, 2, -1])
    """
    queue = list(roots)
    for vertex in queue:
        for other in neighbours(vertex):
            if distance[other] < 0:
                distance[other] = distance[vertex] + 1
                queue.append(other)
    return queue


def two_colouring(size: int, neighbours: Neighbours) -> list[int] | None:
    """Return colours 0 and 1, different for neighbours, or None if some cycle is odd."""
    colour = [-1] * size
    for root in range(size):
        if colour[root] >= 0:
            continue
        colour[root] = 0
        stack = [root]
        while stack:
            vertex = stack.pop()
            for other in neighbours(vertex):
                if colour[other] < 0:
                    colour[other] = 1 - colour[vertex]
                    stack.append(other)
                elif colour[other] == colour[vertex]:
                    return None
    return colour


SMOOTHING_ROUNDS = 10


def wavefront_order(graph: IndexedGraph) -> list[int]:
    """Return the vertices in the order in which the wave reaches them.

    >>> from kt_cp.model.board import Board
    >>> from kt_cp.model.graph import index_board
    >>> order = wavefront_order(index_board(Board(8, 8)))
    >>> order[0], order[-1]
    (0, 63)
    """
    size = len(graph)
    if size == 0:
        return []
    import numpy as np

    away = [-1] * size
    base = 0
    for root in np.argsort(graph.degrees, kind="stable").tolist():
        if away[root] < 0:
            away[root] = base
            last = extend_distances(away, [root], graph.neighbours.__getitem__)[-1]
            base = away[last] + 2  # the next component comes after this one
    distance = np.array(away, dtype=float)
    sources = np.concatenate([graph.tails, graph.heads])
    targets = np.concatenate([graph.heads, graph.tails])
    degrees = np.maximum(graph.degrees, 1)
    for _ in range(SMOOTHING_ROUNDS):
        sums = np.bincount(sources, distance[targets], minlength=size)
        mean = np.where(graph.degrees > 0, sums / degrees, distance)
        distance = (distance + mean) / 2
    order: list[int] = np.argsort(distance, kind="stable").tolist()
    return order

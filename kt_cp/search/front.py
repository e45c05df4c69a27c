"""Front order: number the vertices of a graph as a round front would sweep over it.

A solver that decides variables in the order in which they were made works its way through the
graph in that order, and the order decides everything.  Row by row, the edge of what is decided is
a straight line as long as the board; a shuffled order has edges everywhere.  A front that starts
in a corner and spreads like a wave leaves a short, smooth edge behind, and a knight's tour is
swept along it with next to no conflicts.

On a board one would sort by the distance from the corner.  On any graph the breadth-first distance
from a vertex of least degree does nearly the same, but has ties by the hundred and a zigzag edge;
averaging each vertex with its neighbours a few times smooths it into a round front.  Measured with
CP-SAT on closed 100 x 100: 1.0 s in this order, no answer in 10 s in plain breadth-first, row,
diagonal or shuffled order.

Cost: linear, ten passes over the edges in NumPy.  When it loses: on graphs without geometry it is
an order like any other.
"""

from __future__ import annotations

import numpy as np

from kt_cp.graph import IndexedGraph

SMOOTHING_ROUNDS = 10


def front_order(graph: IndexedGraph) -> list[int]:
    """Vertices in the order of the front.

    Examples
    --------
    >>> from kt_cp.board import Board
    >>> from kt_cp.graph import index_board
    >>> graph = index_board(Board(8, 8))
    >>> order = front_order(graph)
    >>> graph.nodes[order[0]], graph.nodes[order[-1]]
    ((0, 0), (7, 7))
    """
    size = len(graph)
    if size == 0:
        return []
    distance = np.full(size, np.inf)
    base = 0.0
    for root in np.argsort(graph.degrees, kind="stable").tolist():
        if distance[root] < np.inf:
            continue
        distance[root] = base
        queue = [root]
        for vertex in queue:
            for other in graph.neighbours[vertex]:
                if distance[other] == np.inf:
                    distance[other] = distance[vertex] + 1
                    queue.append(other)
        base = distance[queue[-1]] + 2  # the next component comes after this one
    sources = np.concatenate([graph.tails, graph.heads])
    targets = np.concatenate([graph.heads, graph.tails])
    degrees = np.maximum(graph.degrees, 1)
    for _ in range(SMOOTHING_ROUNDS):
        sums = np.bincount(sources, distance[targets], minlength=size)
        mean = np.where(graph.degrees > 0, sums / degrees, distance)
        distance = (distance + mean) / 2
    order: list[int] = np.argsort(distance, kind="stable").tolist()
    return order

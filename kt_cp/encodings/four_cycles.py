"""Cycles of four edges, which no tour of five vertices and more contains.

A knight in the middle of a board is on 24 of them, and they are most of the short cycles in the
first model of the lazy encoding.  Forbidding them beforehand is a clause each: not all four edges.

Each is found as two vertices u < w that have two neighbours a < b in common: every vertex lists the
pairs of its neighbours, equal pairs stand side by side after sorting, and of the two diagonals of a
cycle the one with the least vertex counts.  Cost: Σ d_v² / 2 pairs, sorted.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from kt_cp.graph import IndexedGraph


def four_cycles(graph: IndexedGraph) -> NDArray[np.int64]:
    """Edges of each cycle of four vertices, every cycle once, shape (cycles, 4).

    Examples
    --------
    >>> from kt_cp.board import Board
    >>> from kt_cp.problem import Problem
    >>> [len(four_cycles(Problem(Board(side, side)).indexed)) for side in (3, 4, 8)]
    [0, 4, 148]
    """
    size = len(graph)
    edges = np.tile(np.arange(len(graph.tails)), 2)
    middles = np.concatenate([graph.tails, graph.heads])
    ends = np.concatenate([graph.heads, graph.tails])
    order = np.lexsort((ends, middles))
    edges, ends = edges[order], ends[order]
    first = np.cumsum(graph.degrees) - graph.degrees
    diagonals, between, legs = [], [], []
    for degree in np.unique(graph.degrees).tolist():
        vertices = np.flatnonzero(graph.degrees == degree)
        one, other = np.triu_indices(degree, 1)
        at, to = (first[vertices][:, None] + each for each in (one, other))
        diagonals.append((ends[at] * size + ends[to]).ravel())
        between.append(np.repeat(vertices, len(one)))
        legs.append(np.stack([edges[at].ravel(), edges[to].ravel()], axis=1))
    diagonal, middle = np.concatenate(diagonals), np.concatenate(between)
    order = np.lexsort((middle, diagonal))
    diagonal, middle, leg = diagonal[order], middle[order], np.concatenate(legs)[order]
    found = []
    for apart in range(1, size):
        same = np.flatnonzero(diagonal[:-apart] == diagonal[apart:])
        if not len(same):
            break
        # Of the two diagonals one has the least vertex of the cycle.
        same = same[diagonal[same] // size < middle[same]]
        found.append(np.hstack([leg[same], leg[same + apart]]))
    return np.concatenate(found) if found else np.empty((0, 4), dtype=np.int64)

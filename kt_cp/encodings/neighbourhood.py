"""Neighbourhoods: keep most of the last model, and free windows in which its cycles may join.

A model of the lazy encoding is many cycles, and cuts forbid them.  A solver that starts again with
all squares free changes much more than it has to: restarts scatter the order of its decisions, and
on large boards it ends with other cycles, no fewer.  So at first most of the model is *assumed*:
every chosen edge whose ends do not both lie in a window.  A window surrounds an edge that leaves
one of the small cycles; every small cycle gets a few windows, at random.  Inside the windows the
solver is free, and the cuts make it join cycles there.

An assumption is no clause.  If there is no such model, more windows are tried, and in the end the
formula without assumptions.  So the answers are those of the plain method, and the solver keeps
what it learnt.  No rule chooses the edges to exchange; that would be patching
(:mod:`kt_cp.engines.sat`).

Source: This is large neighbourhood search (P. Shaw, "Using constraint programming and local search
methods to solve vehicle routing problems", CP 1998), by assumptions of an incremental SAT solver.

Cost: A linear pass with NumPy for each try.

When it loses: Where there is no tour: all tries are in vain.  Larger windows take more rounds,
because more freedom is more to go wrong.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from kt_cp.model.graph import IndexedGraph

TRIES = 8
WINDOWS = 2
RADIUS = 1
"""Tries before the formula is free again, windows per cycle at the first try, and their radius."""

SPARSE = 2
"""Edges a vertex up to which windows are wider.  A sparse random graph is nearly a tree up to some
root of its vertices, and where there is no other cycle, two cycles do not join: so with three edges
at a vertex half the logarithm to base two is taken (``benchmarks/MEASURED.md``)."""

HUB = 16
"""Degree above which a window does not extend to a vertex's neighbours.  Through the depot of an
open tour it would cover the whole board."""


@dataclass(frozen=True)
class Neighbourhood:
    """A model of several cycles, and the edges between them."""

    graph: IndexedGraph
    first_edge: int  # variable of the first edge, or orbit of edges
    chosen: NDArray[np.int64]  # edges of the model
    label: NDArray[np.int64]  # number of the cycle on which each vertex lies
    leaving: NDArray[np.int64]  # edges that leave each of the small cycles, all in one
    bounds: NDArray[np.int64]  # where those of each begin and end
    forced: NDArray[np.int64]  # edges of every model
    orbit: NDArray[np.int64]  # number of the variable of each edge, after ``first_edge``
    image: NDArray[np.int64] | None = None
    """The image of each vertex under a symmetry, which windows then have too."""

    def edges(self) -> list[tuple[Hashable, Hashable]]:
        """Return the edges of the model, by the labels of their ends."""
        graph, nodes = self.graph, self.graph.nodes
        ends = np.stack([graph.tails[self.chosen], graph.heads[self.chosen]], axis=1)
        return [(nodes[u], nodes[v]) for u, v in ends.tolist()]

    def assumptions(self, attempt: int, rng: np.random.Generator) -> list[int]:
        """Return the variables to assume true at a try; each try has more windows."""
        tails, heads = self.graph.tails, self.graph.heads
        first, width = self.bounds[:, 0], self.bounds[:, 1] - self.bounds[:, 0]
        first, width = first[width > 0, None], width[width > 0, None]
        chance = rng.random((len(first), WINDOWS * (attempt + 1)))
        edges = self.leaving[(first + chance * width).astype(np.int64)]
        inside = np.zeros(len(self.graph), dtype=bool)
        inside[tails[edges]] = inside[heads[edges]] = True
        small = self.graph.degrees <= HUB
        wide = len(tails) <= SPARSE * len(self.graph)
        for _ in range(len(self.graph).bit_length() // 2 if wide else RADIUS):
            onwards, back = (inside & small)[tails], (inside & small)[heads]
            inside[heads[onwards]] = inside[tails[back]] = True
        for _ in range(0 if self.image is None else 3):  # as many as a quarter turn has images
            inside |= inside[self.image]
        outside = self.chosen[~(inside[tails[self.chosen]] & inside[heads[self.chosen]])]
        # NumPy's unique takes ten times as long, and would run at every call of the solver.
        assumed = np.zeros(int(self.orbit.max()) + 1, dtype=bool)
        assumed[self.orbit[outside]] = True
        variables: list[int] = (np.flatnonzero(assumed) + self.first_edge).tolist()
        return variables


def cycle_labels(tails: NDArray[np.int64], heads: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the number of each vertex's cycle, for a graph with two edges at every vertex.

    Each edge is two darts, one at either end.  From a dart the walk goes to the dart at the other
    end and on to its twin at that vertex.  Pointers along this walk are doubled until every dart
    knows the least dart of its walk.  The number of steps is that of binary digits in the length of
    the longest cycle.

    >>> cycle_labels(np.array([0, 0, 1, 3, 3, 4]), np.array([1, 2, 2, 4, 5, 5])).tolist()
    [0, 0, 0, 1, 1, 1]
    """
    edges = len(tails)
    order = np.argsort(np.concatenate([tails, heads]), kind="stable")
    place = np.empty(2 * edges, dtype=np.int64)
    place[order] = np.arange(2 * edges)
    following = place[(order + edges) % (2 * edges)] ^ 1
    least = np.arange(2 * edges)
    while not np.array_equal(ahead := least[following], least):
        np.minimum(least, ahead, out=least)
        following = following[following]
    # A cycle is walked in both directions, from different darts.
    of_vertex = np.minimum(least[0::2], least[1::2])
    return np.unique(of_vertex, return_inverse=True)[1].astype(np.int64)


def walk_cycle(tails: NDArray[np.int64], heads: NDArray[np.int64]) -> list[int]:
    """Return the vertices of the cycle of the first edge, from its tail to its head and onwards.

    The sum of a vertex's two neighbours less the one before it is the next: one number a vertex.

    >>> walk_cycle(np.array([0, 0, 1, 1]), np.array([2, 3, 2, 3]))
    [0, 2, 1, 3]
    """
    total = np.zeros(len(tails), dtype=np.int64)
    np.add.at(total, tails, heads)
    np.add.at(total, heads, tails)
    sums = total.data
    first, vertex = int(tails[0]), int(heads[0])
    walk = [first]
    while vertex != first:
        walk.append(vertex)
        vertex = sums[vertex] - walk[-2]
    return walk

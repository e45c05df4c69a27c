"""Cuts of a model that is several cycles: the fewest edges of which a tour must have two.

The edges that leave a cycle are such a set.  But where the other cycles fall apart without it, the
edges to each piece are a smaller one, and together they say more.  These are the cuts of which
both sides hang together, and the sets of several cycles come by themselves: a piece may have many.
So a cycle that holds the others together (an articulation point, where each cycle is one vertex)
gives a cut for each piece, and any other cycle one.  The largest gives none, unless it is such a
point: what leaves it is what leaves the others.

Source: cuts of several components beside those of one are from SAT 2025, LIPIcs.SAT.2025.24; that a
cut follows from smaller ones unless both its sides are connected is a fact of graph theory (R.
Diestel, Graph Theory, 1.9).

Cost: linear in the edges between cycles, and once more for each articulation point.  When it loses:
on a board where the largest cycle surrounds all others, which then have their own cuts as before.
What it gains, with cuts that ask for two edges, stands in ``benchmarks/MEASURED.md``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from kt_cp.model.graph import IndexedGraph
from kt_cp.search.depth_first import Articulation

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Numbers = NDArray[np.int64]


def cut_sets(
    graph: IndexedGraph, label: Numbers, leaving: Numbers, bounds: Numbers, largest: int
) -> list[Numbers]:
    """Sets of edges of the graph, each once, in the order of the cycles.

    Parameters
    ----------
    label : int64 array of shape (vertices,)
        Number of the cycle on which each vertex lies.
    leaving, bounds : int64 arrays
        Edges that leave each cycle, all in one; where those of each begin and end.
    largest : int
        The cycle of which no set is asked for its own sake.

    Examples
    --------
    Three triangles in a row, the middle one with two edges to each of the others:

    >>> ends = [(0, 1), (0, 2), (0, 3), (1, 2), (1, 4), (3, 4), (3, 5), (4, 5), (4, 6), (5, 7)]
    >>> graph = IndexedGraph(range(9), *np.array([*ends, (6, 7), (6, 8), (7, 8)]).T)
    >>> label, leaving = np.arange(9) // 3, np.array([2, 4, 2, 4, 8, 9, 8, 9])
    >>> bounds = np.array([[0, 2], [2, 6], [6, 8]])
    >>> [edges.tolist() for edges in cut_sets(graph, label, leaving, bounds, largest=0)]
    [[2, 4], [8, 9]]
    """
    many = len(bounds)
    between = np.unique(leaving)
    one, other = label[graph.tails[between]], label[graph.heads[between]]
    pairs = np.unique(np.minimum(one, other) * many + np.maximum(one, other))
    ends = np.divmod(pairs, many)
    cycles = IndexedGraph(range(many), *ends)
    held = Articulation(many, cycles.neighbours.__getitem__, lambda: False)
    found: dict[bytes, Numbers] = {}
    for cycle, (first, last) in enumerate(bounds.tolist()):
        edges = leaving[first:last]
        if held.left[cycle] > held.components:
            sets = _parted(cycles, cycle, edges, label[graph.tails] + label[graph.heads])
        else:
            sets = [] if cycle == largest else [edges]
        for each in map(np.sort, sets):
            found[each.tobytes()] = each
    return list(found.values())


def _parted(cycles: IndexedGraph, cycle: int, edges: Numbers, both: Numbers) -> list[Numbers]:
    """The edges that leave a cycle, by the pieces without it to which they lead."""
    apart = (cycles.tails != cycle) & (cycles.heads != cycle)
    rest = IndexedGraph(cycles.nodes, cycles.tails[apart], cycles.heads[apart])
    piece = np.empty(len(cycles), dtype=np.int64)
    for number, members in enumerate(rest.components):
        piece[members] = number
    to = piece[both[edges] - cycle]
    return [edges[to == number] for number in np.unique(to)]

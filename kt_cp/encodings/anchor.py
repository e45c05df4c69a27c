"""Anchors: keep a model where it is, but for windows in which its cycles may grow together.

A model of the lazy encoding is many cycles, and cuts forbid them.  A solver that starts again with
all squares free moves much more than it has to: restarts scatter the order of its decisions, and
on large boards it ends with other cycles, no fewer.  So for a first try most of the model is
*assumed*: every chosen edge, except where both ends lie in a window.  A window is the surroundings
of an edge that leaves one of the small cycles; each of these gets a few, by chance.  Within the
windows the solver is free, and the cuts make it join cycles there.

An assumption is no clause.  If there is no such model, other and more windows are tried, and in the
end the whole formula without assumptions: answers are those of the plain method, and what was
learnt on the way is kept.  Nor is this patching (:mod:`kt_cp.search.patch`): there is no rule for
which edges to exchange.

Cost: a linear pass with NumPy for each try.  Two windows for each cycle, of the edge's ends and
their neighbours (``RADIUS`` 1), were enough on nearly every board tried.  With ``RADIUS`` 2, closed
100 × 100 takes four to nine rounds in place of three, 200 × 200 seven to fourteen: more freedom is
more to go wrong.  It loses where there is no tour: all tries are then in vain.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from kt_cp.graph import IndexedGraph

TRIES = 8
WINDOWS = 2
RADIUS = 1
"""Tries before the formula is free again, windows for a cycle at the first, and moves around."""

HUB = 16
"""Degree above which a vertex does not bring its neighbours in: the depot of an open tour would
bring the whole board, and two seeds of five at open 60 × 60 did not end in a minute."""


@dataclass(frozen=True)
class Anchor:
    """A model of several cycles, and how they lie to each other.

    Attributes
    ----------
    first_edge : int
        Variable of the graph's first edge.
    chosen : int64 array
        Edges of the model.
    label : int64 array
        Number of the cycle on which each vertex lies.
    leaving, bounds : int64 arrays
        Edges that leave each of the small cycles, all in one, and where those of each begin and
        end.
    forced : int64 array
        Edges that have to be chosen.
    """

    graph: IndexedGraph
    first_edge: int
    chosen: NDArray[np.int64]
    label: NDArray[np.int64]
    leaving: NDArray[np.int64]
    bounds: NDArray[np.int64]
    forced: NDArray[np.int64]

    def assumed(self, attempt: int, rng: np.random.Generator) -> list[int]:
        """Variables to assume true at a try; the windows become more with each."""
        tails, heads = self.graph.tails, self.graph.heads
        first, width = self.bounds[:, 0], self.bounds[:, 1] - self.bounds[:, 0]
        first, width = first[width > 0, None], width[width > 0, None]
        chance = rng.random((len(first), WINDOWS * (attempt + 1)))
        edges = self.leaving[(first + chance * width).astype(np.int64)]
        inside = np.zeros(len(self.graph), dtype=bool)
        inside[tails[edges]] = inside[heads[edges]] = True
        small = self.graph.degrees <= HUB
        for _ in range(RADIUS):
            onwards, back = (inside & small)[tails], (inside & small)[heads]
            inside[heads[onwards]] = inside[tails[back]] = True
        kept = self.chosen[~(inside[tails[self.chosen]] & inside[heads[self.chosen]])]
        variables: list[int] = (kept + self.first_edge).tolist()
        return variables


def cycle_labels(tails: NDArray[np.int64], heads: NDArray[np.int64]) -> NDArray[np.int64]:
    """Number of the cycle on which each vertex lies, for a graph with two edges at every vertex.

    Each edge is two darts, one at either end.  From a dart the walk goes to the dart at the other
    end and on to its twin at that vertex.  Pointers along this walk are doubled until every dart
    knows the least dart of its walk: so many steps as the longest cycle's length has digits in
    base two.

    Examples
    --------
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

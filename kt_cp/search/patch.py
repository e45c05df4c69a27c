"""Patching: join the cycles of a two-factor by exchanging two edges for two others.

Let ab be an edge of one cycle and cd an edge of another.  If the graph has the edges ac and bd,
these instead of ab and cd make one cycle of the two.  So two cycles become one without a search,
and often all of them do, one after the other.

A round looks at every edge ac between two cycles and at the chosen edges on either side, all at
once with NumPy.  It takes one exchange for each pair of cycles and carries these out in turn.  An
exchange is skipped if an earlier one used one of its edges or joined its two cycles already (union
and find).  Rounds follow until one joins nothing.  Required edges are never removed, and only edges
of the graph are added.

Source: R. M. Karp, "A patching algorithm for the nonsymmetric traveling-salesman problem", SIAM J.
Comput. 8 (1979), there for directed cycles and by cost; here edges are undirected, and any exchange
will do.

Cost: a round sorts the edges between cycles and makes four times as many binary searches
(``benchmarks/MEASURED.md``).  When it loses: where no exchange fits, which is usual where squares
have few moves.  It never proves that there is no tour: the cycles that are left go back to the
cuts.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from kt_cp.model.graph import IndexedGraph

Numbers = NDArray[np.int64]


def patch(
    graph: IndexedGraph, chosen: Numbers, label: Numbers, fixed: Numbers
) -> tuple[Numbers, int]:
    """Join cycles of a two-factor; return its edges, ascending, and how many cycles fewer it has.

    ``chosen`` are the edges, ``label`` the cycle of each vertex, ``fixed`` the required edges.

    Examples
    --------
    Two triangles with two edges between them:

    >>> edges = np.array([[0, 1], [0, 2], [0, 3], [1, 2], [1, 4], [3, 4], [3, 5], [4, 5]])
    >>> graph = IndexedGraph(range(6), *edges.T)
    >>> triangles, label = np.array([0, 1, 3, 5, 6, 7]), np.array([0, 0, 0, 1, 1, 1])
    >>> joined, fewer = patch(graph, triangles, label, np.array([], dtype=np.int64))
    >>> joined.tolist(), fewer
    ([1, 2, 3, 4, 6, 7], 1)
    """
    present = np.zeros(len(graph.tails), dtype=bool)
    present[chosen] = True
    free = np.ones(len(graph.tails), dtype=bool)
    free[fixed] = False
    first = count = int(label.max()) + 1
    while count > 1:
        exchanges = _exchanges(graph, np.flatnonzero(present), label, free)
        root = list(range(first))
        joined = 0
        for one, other, *edges in exchanges.tolist():
            one, other = _find(root, one), _find(root, other)
            removed, added = edges[:2], edges[2:]
            if one != other and present[removed].all():
                root[one] = other
                present[removed] = False
                present[added] = True
                joined += 1
        if not joined:
            break
        label = np.array([_find(root, each) for each in range(first)], dtype=np.int64)[label]
        count -= joined
    return np.flatnonzero(present), first - count


def _exchanges(
    graph: IndexedGraph, chosen: Numbers, label: Numbers, free: NDArray[np.bool_]
) -> Numbers:
    """Return an exchange for each pair of cycles that has any: the cycles, then ab, cd, ac, bd."""
    tails, heads = graph.tails, graph.heads
    size = len(graph)
    keys = tails * size + heads
    ends = np.concatenate([tails[chosen], heads[chosen]])
    at = np.tile(chosen, 2)[np.argsort(ends, kind="stable")].reshape(-1, 2)
    between = np.flatnonzero(label[tails] != label[heads])
    a, c = tails[between], heads[between]
    sides = np.sort(np.stack([label[a], label[c]]), axis=0)
    found = []
    for ab in at[a].T:
        for cd in at[c].T:
            b, d = tails[ab] + heads[ab] - a, tails[cd] + heads[cd] - c
            target = np.minimum(b, d) * size + np.maximum(b, d)
            bd = np.minimum(np.searchsorted(keys, target), len(keys) - 1)
            fits = (keys[bd] == target) & free[ab] & free[cd]
            found.append(np.stack([*sides, ab, cd, between, bd], axis=1)[fits])
    exchanges = np.concatenate(found)
    pair = exchanges[:, 0] * size + exchanges[:, 1]
    return exchanges[np.unique(pair, return_index=True)[1]]


def _find(root: list[int], cycle: int) -> int:
    while root[cycle] != cycle:
        root[cycle] = cycle = root[root[cycle]]
    return cycle

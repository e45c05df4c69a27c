"""Find three edges that cut a graph, by random labels of a depth-first tree.

Each edge outside the tree gets a random label of 64 bits, and each edge of the tree the sum modulo
two of the labels of those that pass over it. A cut meets every cycle in an even number of edges,
so the labels of its edges sum to zero; a sum that is zero by accident is next to impossible.

If a cut has one tree edge, just two other edges leave the subtree below. If it has two tree edges,
one above the other, and another edge, that edge is the only one that passes over one of the two
alone. If it passes over the lower one, it ends lowest of all that do; if over the upper one, it
begins first or last of all. So three look-ups for each vertex find it. A cut with all three edges
in the tree is missed; another tree, from another vertex, may find it.

Every set is counted again before it is returned, so labels only choose candidates.

Source: D. Pritchard and R. Thurimella, "Fast computation of small cuts via cycle space sampling",
ACM Transactions on Algorithms 7 (2011), for the labels; W. Nadara, M. Radecki, M. Smulewicz and M.
Sokolowski, "Determining 4-edge-connected components in linear time", ESA 2021, for the look-ups.
Cost: near linear, a few trees and three passes over each (``benchmarks/MEASURED.md``). When it
loses: it may miss a cut, and it finds no separating triples of vertices.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import numpy as np

from kt_cp.search.numba_arrays import Ints, Workspace, csr_rows

if TYPE_CHECKING:
    from numpy.typing import NDArray

TREES, FEWER, LARGE = 6, 3, 3_000
"""Number of trees, and their number for graphs of at least this many vertices.  A tree misses up to
two of three cuts if parts are small."""

MOST_COUNTED = 10
"""Vertices of all candidates together, for each of the graph: nested cuts share many."""


def three_cuts(
    size: int, tails: NDArray[np.int64], heads: NDArray[np.int64], seed: int = 0
) -> list[NDArray[np.int64]]:
    """Return sets of vertices that three edges leave, from three vertices to three others.

    The graph is simple and connected.  Small sets come first.  No set meets another one or has an
    edge to it; each has from three vertices to half of them.

    >>> tails, heads = np.array([0, 0, 0, 1, 1, 2, 3, 3, 4]), np.array([1, 2, 3, 2, 4, 5, 4, 5, 5])
    >>> (found,) = three_cuts(6, tails, heads)
    >>> sorted(found.tolist()) in ([0, 1, 2], [3, 4, 5])
    True
    """
    rng = random.Random(seed)
    rows = csr_rows(size, tails, heads)
    start, near, _ = rows
    used = np.zeros(size, dtype=bool)
    cuts = []
    trees = [_Tree(size, rows, rng) for _ in range(TREES if size < LARGE else FEWER)]
    found = np.concatenate([np.insert(tree.cuts(), 1, k, axis=1) for k, tree in enumerate(trees)])
    counted = 0
    for count, which, high, low in found[np.lexsort(found.T[::-1])].tolist():
        counted += count
        if counted > MOST_COUNTED * size:
            break
        inside = trees[which].members(high, low)
        if used[inside].any():
            continue
        places = np.concatenate([near[start[v] : start[v + 1]] for v in inside.tolist()])
        ends = np.repeat(inside, start[inside + 1] - start[inside])
        own = ~np.isin(places, inside)
        if own.sum() != 3 or any(len(set(each[own].tolist())) < 3 for each in (places, ends)):
            continue
        cuts.append(inside)
        used[inside] = used[places] = True
    return cuts


class _Tree:
    """A depth-first tree; vertices are given by their numbers in the order of discovery."""

    def __init__(
        self,
        size: int,
        rows: tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]],
        rng: random.Random,
    ) -> None:
        start, near, edge = rows
        self.space = space = Workspace(size)
        number, node, father = space.full(size, -1), space.full(size), space.full(size, -1)
        by, at = space.full(size, -1), space.copy(start)
        space.run(
            _search_depth_first,
            rng.randrange(size),
            *map(space.copy, rows),
            number,
            node,
            father,
            by,
            at,
        )
        self.father = father
        self.node, places = space.array(node), space.array(number)
        below = space.full(size, 1)
        space.run(_count_below, father, below)
        self.below = space.array(below)
        outside = np.ones(len(edge) // 2, dtype=bool)
        outside[space.array(by)[1:]] = False
        one, other = places[np.repeat(np.arange(size), np.diff(start))], places[near]
        back = outside[edge] & (other < one)
        self.back = one[back], other[back]  # the lower end first
        labels = np.random.default_rng(rng.getrandbits(32))
        self.own = labels.integers(2**63 - 1, size=len(self.back[0]))
        # Sums over the subtree below a vertex: of labels, and of edges that pass over it.
        label, over = np.zeros(size + 1, dtype=np.int64), np.zeros(size + 1, dtype=np.int64)
        for ends, more in zip(self.back, (1, -1), strict=True):
            np.bitwise_xor.at(label, ends + 1, self.own)
            np.add.at(over, ends + 1, more)
        label, over = np.bitwise_xor.accumulate(label), np.cumsum(over)
        top = np.arange(size) + self.below
        self.label, self.over = label[top] ^ label[:-1], over[top] - over[:-1]

    def cuts(self) -> NDArray[np.int64]:
        """Return candidates, one a row: their size, and the tree edges above and below."""
        size = len(self.node)
        two = np.flatnonzero(self.over == 2)
        two = two[two > 0]
        found = [(two, np.zeros_like(two))]
        sort = np.argsort(self.label[1:]) + 1
        labels = self.label[sort]
        ends, tops = self.back
        for order in (np.argsort(-tops), np.argsort(ends), np.argsort(-ends)):
            first = self._first_over(order)
            v = np.flatnonzero(first >= 0)
            target = self.label[v] ^ self.own[first[v]]
            place = np.minimum(np.searchsorted(labels, target), size - 2)
            other = sort[place]
            fits = (labels[place] == target) & (other != v)
            high, low = np.minimum(v, other)[fits], np.maximum(v, other)[fits]
            nested = low < high + self.below[high]
            found.append((high[nested], low[nested]))
        high, low = (np.concatenate(each) for each in zip(*found, strict=True))
        count = self.below[high] - np.where(low > 0, self.below[low], 0)
        count = np.minimum(count, size - count)
        return np.unique(np.stack([count, high, low], axis=1)[count > 2], axis=0)

    def _first_over(self, order: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return for each vertex the first edge in this order that passes over its tree edge."""
        space, size = self.space, len(self.node)
        first, up = space.full(size, -1), space.copy(np.arange(size))
        space.run(
            _find_first, space.copy(order), *map(space.copy, self.back), self.father, first, up
        )
        return space.array(first)

    def members(self, high: int, low: int) -> NDArray[np.int64]:
        """Return the vertices below ``high``, not below ``low``; or the rest if that is smaller."""
        size, top = len(self.node), high + int(self.below[high])
        hole = (low, low + int(self.below[low])) if low else (top, top)
        spans = [(high, hole[0]), (hole[1], top)]
        if 2 * sum(end - begin for begin, end in spans) > size:
            spans = [(0, high), hole, (top, size)]
        return np.concatenate([self.node[begin:end] for begin, end in spans])


def _search_depth_first(
    root: int,
    start: Ints,
    near: Ints,
    edge: Ints,
    number: Ints,
    node: Ints,
    father: Ints,
    by: Ints,
    at: Ints,
) -> None:
    """Number the vertices by discovery; all arrays but ``number`` and ``at`` use these numbers."""
    node[0] = root
    number[root] = here = 0
    found = 1
    while here >= 0:
        v = node[here]
        if at[v] == start[v + 1]:
            here = father[here]
            continue
        w = near[at[v]]
        if number[w] < 0:
            number[w] = found
            node[found], father[found], by[found] = w, here, edge[at[v]]
            here = found
            found += 1
        at[v] += 1


def _count_below(father: Ints, below: Ints) -> None:
    """Count the vertices below each one, and itself."""
    for v in range(len(father) - 1, 0, -1):
        below[father[v]] += below[v]


def _find_first(order: Ints, lows: Ints, highs: Ints, father: Ints, first: Ints, up: Ints) -> None:
    """Find the first edge that passes over each vertex; ``up`` is the next vertex without one."""
    for edge in order:
        v, high = lows[edge], highs[edge]
        while True:
            while up[v] != v:
                up[v] = up[up[v]]
                v = up[v]
            if v <= high:
                break
            first[v] = edge
            up[v] = father[v]
            v = father[v]

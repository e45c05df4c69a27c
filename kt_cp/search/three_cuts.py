"""Three edges that cut a graph: random labels of a depth-first tree.

Each edge outside the tree gets a random label of 64 bits, and each edge of the tree the sum modulo
two of the labels of those that pass over it. A cut meets every cycle in an even number of edges,
so the labels of its edges sum to zero; and a sum that is zero by accident is next to impossible.
One edge of the tree and two others: the subtree below is left by just two edges. Two edges of the
tree, one above the other, and one other, *back*: back is the only one that passes over one of the
two alone. If it passes over the lower one, it ends lowest of all that pass over that; if over the
upper one, it begins first or last of all. So three look-ups for each vertex find it. With all
three edges in the tree a cut is missed; another tree, from another vertex, may find it.

Every set is counted again before it is told, so labels decide only what is looked at.

Source: D. Pritchard and R. Thurimella, "Fast computation of small cuts via cycle space sampling",
ACM Transactions on Algorithms 7 (2011), for the labels; W. Nadara, M. Radecki, M. Smulewicz and M.
Sokolowski, "Determining 4-edge-connected components in linear time", ESA 2021, for the edge that
is looked up. Cost: near linear, a few trees and three passes over each
(``benchmarks/MEASURED.md``). When it loses: it may miss a cut, and it knows nothing of three
vertices.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence

TREES, FEWER = 6, 3
"""A tree misses up to two cuts of three where parts are small."""

LARGE = 3_000
"""Vertices from which on fewer trees are made."""


def three_cuts(neighbours: Sequence[Sequence[int]], seed: int = 0) -> list[list[int]]:
    """Sets of vertices that three edges leave, to three vertices from three; small ones first.

    Parameters
    ----------
    neighbours : sequence of sequences of int
        Neighbours of each vertex of a simple graph, which is connected.

    Returns
    -------
    list of list of int
        No set meets another one or has an edge to it.  Of each, with the other vertices, the
        smaller one; none has fewer than three vertices.

    Examples
    --------
    >>> prism = [[1, 2, 3], [0, 2, 4], [0, 1, 5], [0, 4, 5], [1, 3, 5], [2, 3, 4]]
    >>> [sorted(found) for found in three_cuts(prism)] in ([[0, 1, 2]], [[3, 4, 5]])
    True
    """
    rng = random.Random(seed)
    found: list[tuple[int, int, Callable[[], list[int]]]] = []
    for _ in range(TREES if len(neighbours) < LARGE else FEWER):
        found += _Tree(neighbours, rng).cuts()
    taken = [False] * len(neighbours)
    cuts = []
    for size, _, members in sorted(found, key=lambda each: each[:2]):
        inside = members()
        if len(inside) != size or any(taken[v] for v in inside):
            continue
        own = set(inside)
        out = [(v, w) for v in inside for w in neighbours[v] if w not in own]
        if len(out) != 3 or any(len({edge[end] for edge in out}) < 3 for end in (0, 1)):
            continue
        cuts.append(inside)
        for v in inside:
            taken[v] = True
        for _, w in out:
            taken[w] = True
    return cuts


class _Tree:
    """A depth-first tree; vertices are told by their numbers in the order of discovery."""

    def __init__(self, neighbours: Sequence[Sequence[int]], rng: random.Random) -> None:
        size = len(neighbours)
        number = [-1] * size
        self.node: list[int] = []
        self.father = [-1] * size
        self.below = [1] * size
        self.back: list[tuple[int, int]] = []  # lower end first
        root = rng.randrange(size)
        stack: list[tuple[int, Iterator[int]]] = []
        entering, above = root, -1
        while entering >= 0 or stack:
            if entering >= 0:
                here = number[entering] = len(self.node)
                self.node.append(entering)
                self.father[here] = above
                stack.append((here, iter(neighbours[entering])))
                entering = -1
            here, rest = stack[-1]
            for other in rest:
                at = number[other]
                if at < 0:
                    entering, above = other, here
                    break
                if at < here and at != self.father[here]:
                    self.back.append((here, at))
            else:
                stack.pop()
                if stack:
                    self.below[stack[-1][0]] += self.below[here]
        self.label = [0] * size
        self.over = [0] * size  # how many edges pass over the one to the father
        self.own = [rng.getrandbits(64) for _ in self.back]
        for (low, high), label in zip(self.back, self.own, strict=True):
            for v, more in ((low, 1), (high, -1)):
                self.label[v] ^= label
                self.over[v] += more
        for v in range(size - 1, 0, -1):
            self.label[self.father[v]] ^= self.label[v]
            self.over[self.father[v]] += self.over[v]

    def cuts(self) -> list[tuple[int, int, Callable[[], list[int]]]]:
        """Candidates: their size, some number, and what names their vertices."""
        size = len(self.node)
        found = [self._between(v, None) for v in range(1, size) if self.over[v] == 2]
        by_label = {self.label[v]: v for v in range(1, size)}
        edges = range(len(self.back))
        lowest = self._first(sorted(edges, key=lambda e: -self.back[e][1]))
        earliest = self._first(sorted(edges, key=lambda e: self.back[e][0]))
        latest = self._first(sorted(edges, key=lambda e: -self.back[e][0]))
        for v in range(1, size):
            for first in {lowest[v], earliest[v], latest[v]} - {-1}:
                other = by_label.get(self.label[v] ^ self.own[first], v)
                high, low = min(v, other), max(v, other)
                if high < low < high + self.below[high]:
                    found.append(self._between(high, low))
        return [each for each in found if each[0] > 2]

    def _first(self, order: list[int]) -> list[int]:
        """For each vertex the first edge in this order that passes over the one to its father."""
        first = [-1] * len(self.node)
        up = list(range(len(self.node)))  # the next vertex, itself or above, that has none yet
        for edge in order:
            low, high = self.back[edge]
            passed = []
            v = low
            while True:
                while up[v] != v:
                    passed.append(v)
                    v = up[v]
                if v <= high:
                    break
                first[v] = edge
                up[v] = self.father[v]
                passed.append(v)
                v = self.father[v]
            for each in passed:
                up[each] = v
        return first

    def _between(self, high: int, low: int | None) -> tuple[int, int, Callable[[], list[int]]]:
        """What hangs below one edge but not below another one, or the rest if that is smaller."""
        size, top = len(self.node), high + self.below[high]
        hole = (top, top) if low is None else (low, low + self.below[low])
        count = top - high - (hole[1] - hole[0])
        if 2 * count <= size:
            spans = [(high, hole[0]), (hole[1], top)]
        else:
            count = size - count
            spans = [(0, high), hole, (top, size)]
        return (
            count,
            high,
            lambda: [self.node[v] for start, end in spans for v in range(start, end)],
        )

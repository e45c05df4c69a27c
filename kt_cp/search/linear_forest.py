"""A linear forest: the disjoint paths that chosen edges form, and the edge that would close one.

Only the two ends of a path are stored: each has the other end (its *mate*) and the number of
vertices.  A new edge joins two paths in constant time, and removing the last edge splits them
again, so the forest follows a search forth and back.  The edge between the two ends of a path would
close a cycle.  Unless the path holds every vertex, that edge is forbidden, and the path itself is
the reason: the edges of a cycle that is too short cannot all be chosen.

:mod:`kt_cp.search.fragments` stores paths for a search that also deduces; here the SAT solver does
that.  Source: mates as in D. E. Knuth, "The Art of Computer Programming", volume 4A, section 7.1.4.
Cost: a binary search among the edges to choose an edge, constant time to undo it, and as many steps
as the path has edges for a reason.
"""

from __future__ import annotations

from bisect import bisect_left

from kt_cp.model.graph import IndexedGraph


class LinearForest:
    """Paths of chosen edges of a graph; edges are given by their number.

    Examples
    --------
    On a board of 3 rows and 3 columns the knight's moves form a ring of eight squares.  Once seven
    of them are chosen, the eighth is forbidden, because the centre is missing.

    >>> from kt_cp.model.board import Board
    >>> from kt_cp.model.graph import index_board
    >>> forest = LinearForest(index_board(Board(3, 3)))
    >>> [forest.choose(number) for number in range(7)]
    [None, None, None, None, None, None, 7]
    >>> sorted(forest.between(7))
    [0, 1, 2, 3, 4, 5, 6]
    >>> forest.undo(2)
    >>> len(forest), forest.far[5], forest.length[5]
    (2, 7, 3)
    """

    def __init__(self, graph: IndexedGraph) -> None:
        self.size = size = len(graph)
        self.tails: list[int] = graph.tails.tolist()
        self.heads: list[int] = graph.heads.tolist()
        self._keys: list[int] = (graph.tails * size + graph.heads).tolist()  # ascending
        self.at: list[list[int]] = [[] for _ in range(size)]  # chosen edges, oldest first
        self.far = list(range(size))  # the other end of the path, valid at ends only
        self.length = [1] * size  # vertices of the path, valid at ends only
        # Chosen edges, each with the outer end and the length of the path at its tail and head.
        self._joined: list[tuple[int, tuple[int, int], tuple[int, int]]] = []

    def __len__(self) -> int:
        """Number of chosen edges."""
        return len(self._joined)

    def choose(self, number: int) -> int | None:
        """Choose an edge between the ends of two paths; return the edge that this forbids."""
        u, v = self.tails[number], self.heads[number]
        first, last = self.far[u], self.far[v]
        self.at[u].append(number)
        self.at[v].append(number)
        left, right = self.length[first], self.length[last]
        self._joined.append((number, (first, left), (last, right)))
        total = left + right
        self.far[first], self.far[last] = last, first
        self.length[first] = self.length[last] = total
        if not 2 < total < self.size:
            return None
        key = min(first, last) * self.size + max(first, last)
        closing = bisect_left(self._keys, key)
        return closing if closing < len(self._keys) and self._keys[closing] == key else None

    def undo(self, count: int) -> None:
        """Undo the last choices until ``count`` edges are left."""
        far, length = self.far, self.length
        while len(self._joined) > count:
            number, left, right = self._joined.pop()
            u, v = self.tails[number], self.heads[number]
            self.at[u].pop()
            self.at[v].pop()
            for end, (first, before) in ((u, left), (v, right)):
                far[first], far[end] = end, first
                length[first] = length[end] = before

    def between(self, number: int) -> list[int]:
        """Return the chosen edges of a path from the edge between its two ends."""
        here, last = self.tails[number], self.heads[number]
        path = [self.at[here][0]]
        while (here := self.across(here, path[-1])) != last:
            one, other = self.at[here]
            path.append(other if one == path[-1] else one)
        return path

    def across(self, vertex: int, number: int) -> int:
        """Return the other end of an edge."""
        tail = self.tails[number]
        return self.heads[number] if tail == vertex else tail

"""Pieces of paths: what chosen edges have grown into, and which edge would close one of them.

Each piece is known at its two ends alone: the other end and the number of vertices.  Choosing an
edge joins two pieces in constant time, and taking back the last chosen edge splits them again, so
the pieces follow a search that goes back and forth.  The edge between the two ends of a piece would
close a cycle; before the piece holds every vertex, it is forbidden, and the reason is the piece
itself: not all edges of a cycle of fewer vertices are chosen.

Cost: a binary search among the edges for choosing, constant for taking back, the length of the
piece for a reason.
"""

from __future__ import annotations

from bisect import bisect_left

from kt_cp.graph import IndexedGraph


class Pieces:
    """Paths of the chosen edges of a graph; edges are known by their number there.

    Examples
    --------
    On a board of 3 rows and 3 columns the knight walks around in a ring of eight.  Once seven of
    its edges are chosen, the eighth is forbidden, for the centre is not there.

    >>> from kt_cp.board import Board
    >>> from kt_cp.graph import index_board
    >>> pieces = Pieces(index_board(Board(3, 3)))
    >>> [pieces.choose(number) for number in range(7)]
    [None, None, None, None, None, None, 7]
    >>> sorted(pieces.between(7))
    [0, 1, 2, 3, 4, 5, 6]
    >>> pieces.undo(2)
    >>> len(pieces), pieces.far[5], pieces.length[5]
    (2, 7, 3)
    """

    def __init__(self, graph: IndexedGraph) -> None:
        self.size = size = len(graph)
        self.tails: list[int] = graph.tails.tolist()
        self.heads: list[int] = graph.heads.tolist()
        self._keys: list[int] = (graph.tails * size + graph.heads).tolist()  # ascending
        self.at: list[list[int]] = [[] for _ in range(size)]  # chosen edges, first come first
        self.far = list(range(size))  # the other end, right at ends alone
        self.length = [1] * size  # vertices of the piece, right at ends alone
        # Chosen edges, each with the outer end and the length of the piece at its tail and head.
        self._joined: list[tuple[int, tuple[int, int], tuple[int, int]]] = []

    def __len__(self) -> int:
        """Number of chosen edges."""
        return len(self._joined)

    def choose(self, number: int) -> int | None:
        """Choose an edge between the ends of two pieces: the edge which that forbids, or None."""
        u, v = self.tails[number], self.heads[number]
        first, last = self.far[u], self.far[v]
        self.at[u].append(number)
        self.at[v].append(number)
        left, right = self.length[first], self.length[last]
        self._joined.append((number, (first, left), (last, right)))
        total = left + right
        self.far[first], self.far[last] = last, first
        self.length[first] = self.length[last] = total
        if 2 < total < self.size:
            return self._edge(first, last)
        return None

    def undo(self, count: int) -> None:
        """Take back chosen edges, the last first, until so many are left."""
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
        """Chosen edges of the path between the two ends of an edge, which must be ends of one."""
        here, last = self.tails[number], self.heads[number]
        path = [self.at[here][0]]
        while (here := self.across(here, path[-1])) != last:
            one, other = self.at[here]
            path.append(other if one == path[-1] else one)
        return path

    def across(self, vertex: int, number: int) -> int:
        """The other end of an edge."""
        tail = self.tails[number]
        return self.heads[number] if tail == vertex else tail

    def _edge(self, u: int, v: int) -> int | None:
        """Number of the edge between two vertices."""
        key = min(u, v) * self.size + max(u, v)
        number = bisect_left(self._keys, key)
        return number if number < len(self._keys) and self._keys[number] == key else None

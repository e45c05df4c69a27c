"""What each vertex holds together: one depth-first search over a whole graph.

A vertex holds together what its search leaves below it and what came before, unless something
below leads back past it.  So one search says of every vertex how many pieces are left without it,
and on the way from any vertex up to where the search began, which vertices part the two.

Source: R. Tarjan, "Depth-first search and linear graph algorithms", SIAM Journal on Computing 1
(1972), with a stack of its own, because boards are deeper than the recursion limit.  Cost: linear
in the edges; some 20 ms for the knight graph of a 100x100 board.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from collections.abc import Set as AbstractSet

from kt_cp.proofs.find.stop import ShouldStop, poll

_POLL = 1 << 12
"""Vertices between two questions whether to stop."""


class Articulation:
    """The search, and what it found.

    Parameters
    ----------
    size : int
        Vertices are numbered below it.
    ways : callable
        Neighbours of a vertex; repeats and the vertex itself do no harm.
    first : int
        Where to begin.
    without : set of int
        Vertices that are left out.
    should_stop : callable

    Attributes
    ----------
    pieces : int
        How many pieces there are.
    left : list of int
        How many there are without each vertex.

    Examples
    --------
    >>> path = Articulation(3, [[1], [0, 2], [1]].__getitem__, lambda: False)
    >>> path.pieces, path.left, path.parting(2)
    (1, [1, 2, 1], [1])
    """

    def __init__(
        self,
        size: int,
        ways: Callable[[int], Iterable[int]],
        should_stop: ShouldStop,
        *,
        first: int = 0,
        without: AbstractSet[int] = frozenset(),
    ) -> None:
        self._number = [0] * size  # by discovery; 0 is undiscovered
        self._lowest = [0] * size
        self._parent = [-1] * size
        self.pieces = found = 0
        below = [0] * size
        for root in (first, *range(size)):
            if root in without or self._number[root]:
                continue
            self.pieces += 1
            below[root] = -1  # nothing lies above a root
            entering = root
            stack: list[tuple[int, Iterator[int]]] = []
            while entering >= 0 or stack:
                if entering >= 0:
                    found += 1
                    if found % _POLL == 0:
                        poll(should_stop)
                    self._number[entering] = self._lowest[entering] = found
                    stack.append((entering, iter(ways(entering))))
                    entering = -1
                vertex, remaining = stack[-1]
                for other in remaining:
                    if other in without:
                        continue
                    if not self._number[other]:
                        self._parent[other] = vertex
                        entering = other
                        break
                    # The way back to the parent counts too; it cannot hide anything.
                    if self._number[other] < self._lowest[vertex]:
                        self._lowest[vertex] = self._number[other]
                else:
                    stack.pop()
                    if stack:
                        above = stack[-1][0]
                        self._lowest[above] = min(self._lowest[above], self._lowest[vertex])
                        below[above] += self._lowest[vertex] >= self._number[above]
        self.left = [self.pieces + more for more in below]

    def parting(self, vertex: int) -> list[int]:
        """Vertices, neither of the two, that part a vertex from the first of its piece."""
        found = []
        while self._parent[vertex] >= 0:
            above = self._parent[vertex]
            if self._parent[above] >= 0 and self._lowest[vertex] >= self._number[above]:
                found.append(above)
            vertex = above
        return found

    def connected(self, first: int, vertex: int) -> bool:
        """Whether a vertex lies in the piece whose search began at the first."""
        while self._parent[vertex] >= 0:
            vertex = self._parent[vertex]
        return vertex == first

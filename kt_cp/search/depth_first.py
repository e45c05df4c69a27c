"""Depth-first search: strongly connected components and articulation points.

Strong components are listed in an order in which none leads to a later one.  A component is
finished when all that it leads to are.  So each prefix of the list is a *closed* set: no arc leaves
it.  :mod:`kt_cp.search.two_factor` and :mod:`kt_cp.proofs.removal` search for such sets.

Removing an articulation point disconnects a graph.  Remove a vertex v from a connected graph.  The
subtree of a child in the search stays joined to the rest exactly if an edge leads from it to a
vertex above v.  So one search counts the components that are left without each vertex.  The path
from any vertex up to the root contains the vertices that separate the two.

Source: R. Tarjan, "Depth-first search and linear graph algorithms", SIAM Journal on Computing 1
(1972), with an explicit stack, because boards are deeper than Python's recursion limit.  Cost:
linear in the edges; see ``benchmarks/MEASURED.md``.  When it loses: it finds single separating
vertices only, not pairs or larger sets.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet

from kt_cp.search.meter import ShouldStop, poll


def strong_components(
    size: int,
    roots: Iterable[int],
    arcs: Callable[[int], Sequence[int]],
    *,
    without: Iterable[int] = (),
) -> list[list[int]]:
    """Return the components that the roots reach in a directed graph, heads before tails.

    ``arcs`` returns the heads of the arcs from a vertex; vertices ``without`` are ignored.

    >>> strong_components(4, range(4), [[1, 3], [2], [1], [0]].__getitem__, without=[3])
    [[2, 1], [0]]
    """
    order, lowest, done = [0] * size, [0] * size, [False] * size
    for vertex in without:
        done[vertex] = True
    found: list[list[int]] = []
    pending: list[int] = []
    entered = 0
    for root in roots:
        if order[root] or done[root]:
            continue
        # Entering a vertex happens at the top of the loop, for roots and others alike.
        entering = root
        stack: list[tuple[int, Iterator[int]]] = []
        while entering >= 0 or stack:
            if entering >= 0:
                entered += 1
                order[entering] = lowest[entering] = entered
                pending.append(entering)
                stack.append((entering, iter(arcs(entering))))
                entering = -1
            vertex, remaining = stack[-1]
            low = lowest[vertex]
            for other in remaining:
                if not order[other] and not done[other]:
                    entering = other
                    break
                if order[other] < low and not done[other]:
                    low = order[other]
            lowest[vertex] = low
            if entering >= 0:
                continue
            stack.pop()
            if stack and low < lowest[stack[-1][0]]:
                lowest[stack[-1][0]] = low
            if low == order[vertex]:
                component = [pending.pop()]
                while component[-1] != vertex:
                    component.append(pending.pop())
                for each in component:
                    done[each] = True
                found.append(component)
    return found


_POLL = 1 << 12
"""Vertices between two polls of the caller."""


class Articulation:
    """A depth-first search from vertex ``first`` that leaves out the vertices ``without``.

    ``components`` is the number of components, and ``left`` their number without each vertex.
    Repeated neighbours, and the vertex itself as one, do no harm.

    >>> path = Articulation(3, [[1], [0, 2], [1]].__getitem__, lambda: False)
    >>> path.components, path.left, path.separators(2)
    (1, [1, 2, 1], [1])
    """

    def __init__(
        self,
        size: int,
        neighbours: Callable[[int], Iterable[int]],
        should_stop: ShouldStop,
        *,
        first: int = 0,
        without: AbstractSet[int] = frozenset(),
    ) -> None:
        self._number = [0] * size  # by discovery; 0 is undiscovered
        self._lowest = [0] * size
        self._parent = [-1] * size
        self.components = found = 0
        below = [0] * size
        for root in (first, *range(size)):
            if root in without or self._number[root]:
                continue
            self.components += 1
            below[root] = -1  # nothing lies above a root
            entering = root
            stack: list[tuple[int, Iterator[int]]] = []
            while entering >= 0 or stack:
                if entering >= 0:
                    found += 1
                    if found % _POLL == 0:
                        poll(should_stop)
                    self._number[entering] = self._lowest[entering] = found
                    stack.append((entering, iter(neighbours(entering))))
                    entering = -1
                vertex, remaining = stack[-1]
                for other in remaining:
                    if other in without:
                        continue
                    if not self._number[other]:
                        self._parent[other] = vertex
                        entering = other
                        break
                    # The edge back to the parent counts too; it cannot hide anything.
                    if self._number[other] < self._lowest[vertex]:
                        self._lowest[vertex] = self._number[other]
                else:
                    stack.pop()
                    if stack:
                        above = stack[-1][0]
                        self._lowest[above] = min(self._lowest[above], self._lowest[vertex])
                        below[above] += self._lowest[vertex] >= self._number[above]
        self.left = [self.components + more for more in below]

    def separators(self, vertex: int) -> list[int]:
        """Return the vertices that separate a vertex from its root, neither of the two."""
        found = []
        while self._parent[vertex] >= 0:
            above = self._parent[vertex]
            if self._parent[above] >= 0 and self._lowest[vertex] >= self._number[above]:
                found.append(above)
            vertex = above
        return found

    def connected(self, first: int, vertex: int) -> bool:
        """Return whether a vertex lies in the component whose search began at ``first``."""
        while self._parent[vertex] >= 0:
            vertex = self._parent[vertex]
        return vertex == first

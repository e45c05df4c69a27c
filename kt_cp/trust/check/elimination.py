"""Clauses that leave a single cycle alone: vertices are taken out of it, one after the other.

Take a vertex out of a cycle and join its two neighbours there: the rest is a shorter cycle.  So
think of the cycle as walked in one direction.  A variable for each *arc* (u, v), in both directions
of every edge, says that v follows u.  When a vertex is taken out, its neighbours so far are joined
to each other by new arcs, with new variables: w follows u if it did, or if u, the vertex and w
followed each other.  Exactly one arc leads out of every vertex, exactly one into it, and no
neighbour is in both: at first, once more before a vertex with new arcs is taken out, and at last.

Every cycle through all vertices satisfies that, walked in either direction, as long as three
vertices are left: the new variables are true where they have to be, and nowhere else.  To keep one
of the two directions, at the first vertex of the order what follows has to come before what
precedes, in the order of the frame.

Disjoint cycles stay as many until one of them has two vertices, which is excluded.  So with three
vertices left the clauses have no models but the cycles through all vertices.  No part of the
checker needs that.  With cuts alone a refutation may take exponentially many lemmas where a few
vertices separate any part of the graph from the rest; here each step speaks of a few vertices.

Source: N.-F. Zhou, "Encoding the Hamiltonian cycle problem into SAT based on vertex elimination",
CP 2024.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import permutations

from kt_cp.trust.check.frame import Frame
from kt_cp.trust.check.refusal import Reason, Refusal
from kt_cp.trust.check.steps import Clause, at_most_one

LEFT = 3
"""So many vertices are never taken out."""


class Elimination:
    """The arcs of a frame, while vertices are taken out in an order.

    Attributes
    ----------
    top : int
        The last variable that is used.
    literals : int
        How many literals the clauses have so far.

    Raises
    ------
    Refusal
        If too few vertices are left, or there would be too many literals.
    """

    def __init__(self, frame: Frame, order: Sequence[int], top: int, most: int) -> None:
        if len(frame) - len(order) < LEFT:
            raise Refusal(Reason.WHOLE_SET, f"expected {LEFT} vertices that are not taken out")
        self.frame, self.order, self.top = frame, order, top
        self.most, self.literals = most, 0

    def clauses(self, edge: dict[tuple[int, int], int]) -> Iterator[Clause]:
        """The clauses, by the variables of the frame's edges."""
        for clause in self._clauses(edge):
            self.literals += len(clause)
            if self.literals > self.most:
                raise Refusal(Reason.TOO_LARGE, f"expected at most {self.most:,} literals here")
            yield clause

    def _clauses(self, edge: dict[tuple[int, int], int]) -> Iterator[Clause]:
        beside = [set(row) for row in self.frame.neighbours]
        arc: dict[tuple[int, int], int] = {}
        for (u, v), e in edge.items():
            forth, back = arc[u, v], arc[v, u] = self.top + 1, self.top + 2
            self.top += 2
            yield from ([-forth, e], [-back, e], [-e, forth, back])
        if self.order:
            first, earlier = self.order[0], list[int]()
            for other in sorted(beside[first]):
                yield [*earlier, -arc[other, first]]
                earlier.append(arc[first, other])
        for vertex, row in enumerate(beside):
            yield from self._between(vertex, sorted(row), arc)
        changed: set[int] = set()
        for vertex in self.order:
            others = sorted(beside[vertex])
            if vertex in changed:
                yield from self._between(vertex, others, arc)
            for u, w in permutations(others, 2):
                old, self.top = arc.get((u, w)), self.top + 1
                yield [-arc[u, vertex], -arc[vertex, w], self.top]
                if old is not None:
                    yield [-old, self.top]
                arc[u, w] = self.top
            for u in others:
                beside[u] |= beside[vertex]
                beside[u] -= {u, vertex}
            changed.update(others)
        for vertex in sorted(changed.difference(self.order)):
            yield from self._between(vertex, sorted(beside[vertex]), arc)

    def _between(
        self, vertex: int, others: list[int], arc: dict[tuple[int, int], int]
    ) -> Iterator[Clause]:
        """One arc leads out of a vertex, one into it, and these are of two neighbours."""
        for way in ([arc[vertex, u] for u in others], [arc[u, vertex] for u in others]):
            yield way
            clauses, self.top = at_most_one(way, self.top)
            yield from clauses
        for u in others:
            yield [-arc[vertex, u], -arc[u, vertex]]

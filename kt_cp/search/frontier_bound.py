"""How many states there can be after each step, told before any is made.

A vertex of the frontier has 0, 1 or 2 edges: at most as many as it has earlier neighbours, and at
least 2 minus the number of its later ones.  Those with one edge are paired in any way, which of 2k
of them gives (2k - 1)!! states.  On a two-coloured graph every edge joins two colours, so the
degrees of either colour have the same sum, and each vertex that was dealt with has two edges.  That
determines the difference of the sums on the frontier.  The patterns are counted by a generating
function, in the number of vertices with one edge and in this difference.

The depot of an open tour is beside either colour: each of its edges shifts the difference by one.

Cost: some hundredths of a millisecond a step.  The bound is too high: 1.7 times on 6×10, more near
the end, where many patterns cannot go on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple, Self

from kt_cp.model.graph import IndexedGraph

EITHER, ANY = 2, 3
"""In place of a colour: the depot's, and that of a graph that has none."""

OFFSET = (0, 2, 2, 0)
SHIFTS: tuple[Callable[[int], Iterable[int]], ...] = (
    lambda degree: (degree,),
    lambda degree: (2 - degree,),
    lambda degree: range(2 - degree, 3 + degree, 2),
    lambda _degree: (0,),
)
"""What a vertex of each colour adds to the difference, by its degree; and that of none."""

Kinds = tuple[tuple[int, int, int], ...]


def bounds(graph: IndexedGraph, order: Sequence[int], colours: Sequence[int] | None) -> list[int]:
    """At most so many states after each step of an order.

    Parameters
    ----------
    colours : sequence of int, optional
        Of each vertex, as far as it has one: 0 or 1, or ``EITHER``.

    Examples
    --------
    >>> from kt_cp.model.board import Board
    >>> from kt_cp.model.graph import index_board
    >>> graph = index_board(Board(3, 4))
    >>> bounds(graph, range(12), graph.colours)[:4]
    [1, 3, 30, 120]
    """
    cut = Cut.of(graph, colours)
    found = []
    for vertex in order:
        cut = cut.after(vertex)
        found.append(cut.states())
    return found


class Cut(NamedTuple):
    """The vertices dealt with, and the frontier before the others."""

    sides: Sides
    done: int = 0
    met: int = 0
    balance: int = 0

    @classmethod
    def of(cls, graph: IndexedGraph, colours: Sequence[int] | None) -> Self:
        """Before the first step; the colours are those of :func:`bounds`."""
        beside = [sum(1 << other for other in near) for near in graph.neighbours]
        known = [ANY] * len(graph) if colours is None else list(colours)
        return cls(Sides(beside, graph.degrees.tolist(), known))

    def after(self, vertex: int) -> Self:
        """The same with one vertex more."""
        sides, done = self.sides, self.done | 1 << vertex
        balance = self.balance + (-2, 2, 0, 0)[sides.colours[vertex]]
        return self._replace(done=done, met=self.met | sides.beside[vertex], balance=balance)

    @property
    def width(self) -> int:
        """Vertices of the frontier."""
        return (self.met & ~self.done).bit_count()

    def states(self) -> int:
        """How many states there can be."""
        kinds, frontier = [], self.met & ~self.done
        beside, degrees, colours = self.sides
        while frontier:
            bit = frontier & -frontier
            frontier ^= bit
            vertex = bit.bit_length() - 1
            seen = (beside[vertex] & self.done).bit_count()
            left = degrees[vertex] - seen
            kinds.append((2 - left if left < 2 else 0, min(2, seen), colours[vertex]))
        kinds.sort()
        return patterns(tuple(kinds), self.balance)


class Sides(NamedTuple):
    """A graph by its vertices: their neighbours, as bits, their degrees and colours."""

    beside: list[int]
    degrees: list[int]
    colours: list[int]


@lru_cache(maxsize=100_000)
def patterns(kinds: Kinds, balance: int) -> int:
    """How many states a frontier has.

    The generating function is one long integer: a field of bits for each of its coefficients.  So
    its product with a factor of few terms is a few shifts and sums.
    """
    width = len(kinds)
    fields, bits = 4 * width + 1, 2 * width + 8
    product, at = 1, balance
    for least, greatest, colour in kinds:
        at += OFFSET[colour]
        terms = [
            product << bits * ((degree == 1) * fields + shift)
            for degree in range(least, greatest + 1)
            for shift in SHIFTS[colour](degree)
        ]
        product = sum(terms)
    if not 0 <= at < fields:
        return 0
    total, matchings, field = 0, 1, (1 << bits) - 1
    for paired in range(0, width + 1, 2):
        total += (product >> bits * (paired * fields + at) & field) * matchings
        matchings *= paired + 1
    return total

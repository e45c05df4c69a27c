"""Elimination encoding: remove the vertices from the cycle one by one, until it is a triangle.

Remove a vertex v from a Hamiltonian cycle of at least four vertices, and join its two neighbours on
the cycle.  The rest is a Hamiltonian cycle of the *reduced graph*, in which v is gone and all its
neighbours are joined to each other.  Several disjoint cycles stay as many, as long as v lies on
none of two vertices.  Three vertices, each followed by another, lie on one cycle.  So it is enough
to forbid, at every elimination, that v and a neighbour follow each other.

When v is eliminated, with d_v neighbours in the graph as reduced so far, there are

- for each neighbour u: ¬h(u, v) ∨ ¬h(v, u);
- for each ordered pair of neighbours u, w: a new variable h'(u, w), which takes the place of h(u,
  w) if there was that arc, with h(u, v) ∧ h(v, w) → h'(u, w) and, if there was, h(u, w) → h'(u, w);
- exactly one arc out of v and one into it, if v has arcs that the graph did not begin with.  The
  three vertices that are left have the same.

The clauses force h' to be true where it must be, but never false.  That is enough: in a model, h'
is true at least of the successors on the shortened cycles, so none of these can have two vertices.
A tour is a model too, with h' true of its own successors alone.  The published encoding defines h'
both ways.  Its tours are the same, and its clauses twice as many.

Source: N.-F. Zhou, "Encoding the Hamiltonian cycle problem into SAT based on vertex elimination",
CP 2024; used in Picat 3.9.

Cost: Let E_v of the ordered pairs of neighbours of v be joined already.  Over the N - 3 vertices
that are eliminated, by minimum degree: Σ d_v (d_v - 1) variables, Σ d_v (d_v - 1) + Σ E_v clauses.
Each vertex with new arcs adds d_v clauses against cycles of two, and its exactly-ones with their
counters.

When it loses: By its size, which is that of the chordal completion.  It wins in refuting, and finds
more than :mod:`kt_cp.encodings.relative` and :mod:`kt_cp.encodings.hybrid`.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations
from math import inf

from kt_cp.encodings.cardinality import exactly_one
from kt_cp.encodings.chordal_completion import adjacency, completion_size, minimum_degree
from kt_cp.encodings.cnf import Clause, Cnf, Encoding, shape_of
from kt_cp.encodings.successor import TAKES, Successors, successors, tour_of
from kt_cp.model.cycle import cycle_form
from kt_cp.model.problem import Problem

FEWEST = 3
"""Vertices that are left: without loops, they can only form a single cycle."""

CLAUSES_OF_PAIR = 5
"""Bound on the clauses per ordered pair of neighbours, including the counters."""


class Reduced:
    """A graph from which vertices are eliminated, and the formula that grows with each.

    ``adjacent`` has the neighbours of each vertex that is left, ``number`` the variable of each arc
    between those, and of some others.
    """

    def __init__(self, shared: Successors) -> None:
        self.shared = shared
        self.adjacent = adjacency(shared.form.graph)
        self.number = dict(shared.number)

    def reduce(self, most: float) -> Iterator[Clause]:
        """Eliminate until three vertices are left, or degree times number gone exceeds ``most``."""
        changed: set[int] = set()
        for gone, (vertex, others) in enumerate(minimum_degree(self.adjacent)):
            if len(self.adjacent) <= FEWEST or len(others) * gone > most:
                break
            if vertex in changed:
                yield from self._one_out_one_in(vertex)
            yield from self._join(vertex, others)
            changed.update(others)
        for vertex in sorted(changed & self.adjacent.keys()):
            yield from self._one_out_one_in(vertex)

    def _one_out_one_in(self, vertex: int) -> Iterator[Clause]:
        """Yield clauses for exactly one arc each way, to different neighbours."""
        others = sorted(self.adjacent[vertex])
        out = [self.number[vertex, other] for other in others]
        into = [self.number[other, vertex] for other in others]
        for literals in (out, into):
            # No neighbour left: two contradicting clauses, because solvers take no empty one.
            yield from exactly_one(literals, self.shared.fresh) if literals else ([1], [-1])
        for back, forth in zip(out, into, strict=True):
            yield [-back, -forth]

    def _join(self, vertex: int, others: list[int]) -> Iterator[Clause]:
        """Join the neighbours of a vertex that is eliminated."""
        number = self.number
        for before, after in permutations(others, 2):
            enter, leave = number[before, vertex], number[vertex, after]
            old = number.get((before, after))
            joined = number[before, after] = self.shared.fresh()
            yield [-enter, -leave, joined]
            if old is not None:
                yield [-old, joined]


def encode(problem: Problem) -> Cnf:
    """State a problem.

    >>> from kt_cp.model.board import Board
    >>> cnf = encode(Problem(Board(5, 6), closed=True))
    >>> cnf.variables, len(cnf.clauses)
    (680, 1715)
    """
    shared = successors(cycle_form(problem))
    shared.clauses.extend(Reduced(shared).reduce(inf))
    return Cnf(problem, max(shared.fresh.top, 1), shared.clauses, shared)


def clauses_of(problem: Problem) -> int:
    """Estimate the clauses: two per ordered pair of neighbours, and the counters.

    The counters take at most 7 d_v clauses, and d_v ≤ 3 + d_v (d_v - 1) / 10.
    """
    triangles, _ = completion_size(problem)
    return shape_of(problem).shared + 6 * triangles + 21 * (problem.size + 1)


ENCODING = Encoding(
    name="elimination",
    summary="vertices taken out of the cycle one by one, until three are left",
    clauses_of=clauses_of,
    encode=encode,
    decode=tour_of,
    takes=TAKES,
)

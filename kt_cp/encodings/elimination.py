"""Elimination encoding: take the vertices out of the cycle one by one, until it is a triangle.

Take a vertex v out of a Hamiltonian cycle of four vertices or more, and join the two beside it: the
rest is a Hamiltonian cycle of the *reduced graph*, in which v is gone and its neighbours are joined
to each other.  Take v out of several cycles likewise: as long as v is on none of two vertices, as
many cycles are left.  Three vertices, each followed by another, are on one cycle.  So it suffices
to forbid, each time, that v and a neighbour follow each other.  (N.-F. Zhou, "Encoding the
Hamiltonian cycle problem into SAT based on vertex elimination", CP 2024; used in Picat 3.9.)

When v goes, with d_v neighbours in the graph as reduced so far, there are

- for each u beside v: ¬h(u, v) ∨ ¬h(v, u);
- for each ordered pair u, w beside v: a new variable h'(u, w), which takes the place of h(u, w) if
  there was that arc, and h(u, v) ∧ h(v, w) → h'(u, w) and, if there was, h(u, w) → h'(u, w);
- exactly one arc out of v and one into it, if its arcs are not all those of the graph it began
  with, which have theirs.  For the three that are left at the end, the same.

Whoever came before v is followed by whoever came after it, so in the reduced graph every vertex has
one successor again.  The clauses say where h' is true and not where it is false, but that suffices:
in a model h' is true at least of the successors on the shortened cycles, so none of these can be of
two vertices; and a tour is a model, with h' true of its own successors and nowhere else.  As
published, h' is defined both ways: ``encode(problem, exact=True)`` adds ¬h'(u, w) ∨ h(u, w) ∨
h(u, v) and the same with h(v, w) instead (without h(u, w) where there was no such arc), and that
h(u, w) is false where u, v, w follow each other.  The tours are the same, the clauses twice as
many.  (That at most one arc without a forerunner is true follows, and is not said.)  Tours are read
from the arcs of the problem alone.

With A arcs, d_v as above for the N - 3 vertices that go, least degree first, and E_v of the ordered
pairs beside v joined already: Σ d_v (d_v - 1) variables; Σ d_v (d_v - 1) + Σ E_v clauses, exact
2 Σ d_v (d_v - 1) + Σ E_v more; d_v clauses against 2-cycles at each v that has new arcs, and its
exactly-ones with their counters.

Measured with CaDiCaL 1.9.5, clauses and seconds of solving: closed 8x8 14,005 and 0.02, 10x10
45,773 and 0.06, 12x12 133,841 and 0.24, 16x16 424,708 and 0.36, 20x20 1,348,657 and 4.0; exact 8x8
29,051 and 0.03, 10x10 101,343 and 0.08, 12x12 308,971 and 0.40, 16x16 1,001,528 and 0.69.  14x14
to 18x18 take no decision at all: one of the assignments that the solver tries first, for luck, is a
tour.  Refuting closed 3x8, 4x6 and 5x5 and open 4x4 takes 25, 33, 0 and 43 conflicts, closed 4x10
232 (relative: 759).  It wins in refuting, and in finding over relative and hybrid, which do not end
on 20x20 in 60 s.  It loses by its size: Σ d_v² is about 4 N k² on a board of side k = 20.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import permutations
from math import inf

from kt_cp.encodings.cardinality import exactly_one
from kt_cp.encodings.cnf import Clause, Cnf, Cuts, Encoding
from kt_cp.encodings.fill import adjacency, eliminations, fill_estimate, successor_clauses
from kt_cp.encodings.successor import Successors, successors, tour_of
from kt_cp.problem import Problem
from kt_cp.tour import Tour

FEWEST = 3
"""So many vertices are left: without loops, they can only follow each other in a circle."""

CLAUSES_OF_PAIR = 5
"""The most for an ordered pair of neighbours, if everything is said."""


class Reduced:
    """A graph from which vertices are taken out, the formula growing with each.

    Attributes
    ----------
    adjacent : dict
        Neighbours of each vertex that is left.
    number : dict
        Variable of each arc between vertices that are left, and some of others.
    """

    def __init__(self, shared: Successors) -> None:
        self.shared = shared
        self.adjacent = adjacency(shared.form.graph)
        self.number = dict(shared.number)

    def reduce(self, most: float, *, exact: bool) -> Iterator[Clause]:
        """Take out vertices until three are left, or degree times number gone exceeds ``most``.

        Yields
        ------
        Clause
            At last those which give all that are left one successor and one predecessor.
        """
        changed: set[int] = set()
        for gone, (vertex, others) in enumerate(eliminations(self.adjacent)):
            if len(self.adjacent) <= FEWEST or len(others) * gone > most:
                break
            if vertex in changed:
                yield from self._one_out_one_in(vertex)
            yield from self._take_out(vertex, others, exact=exact)
            changed.update(others)
        for vertex in sorted(changed & self.adjacent.keys()):
            yield from self._one_out_one_in(vertex)

    def _one_out_one_in(self, vertex: int) -> Iterator[Clause]:
        """Exactly one arc each way, and no neighbour in both."""
        others = sorted(self.adjacent[vertex])
        out = [self.number[vertex, other] for other in others]
        into = [self.number[other, vertex] for other in others]
        for literals in (out, into):
            # No neighbour left: an empty clause, which solvers do not take, as two.
            yield from exactly_one(literals, self.shared.fresh) if literals else ([1], [-1])
        for back, forth in zip(out, into, strict=True):
            yield [-back, -forth]

    def _take_out(self, vertex: int, others: list[int], *, exact: bool) -> Iterator[Clause]:
        """Join the neighbours of a vertex."""
        number = self.number
        for before, after in permutations(others, 2):
            enter, leave = number[before, vertex], number[vertex, after]
            old = number.get((before, after))
            joined = number[before, after] = self.shared.fresh()
            yield [-enter, -leave, joined]
            direct = [] if old is None else [old]
            for literal in direct:
                yield [-literal, joined]
            if exact:
                yield [-joined, *direct, enter]
                yield [-joined, *direct, leave]
                for literal in direct:
                    yield [-enter, -leave, -literal]


def encode(problem: Problem, *, exact: bool = False) -> Cnf:
    """State a problem in the elimination encoding.

    Parameters
    ----------
    exact : bool
        Whether an arc of a reduced graph is true only if two vertices follow each other there.

    Examples
    --------
    >>> from kt_cp.board import Board
    >>> cnf = encode(Problem(Board(5, 6), closed=True))
    >>> cnf.variables, len(cnf.clauses)
    (680, 1715)
    """
    shared = successors(problem)
    reduced = Reduced(shared)
    shared.clauses.extend(reduced.reduce(inf, exact=exact))
    return Cnf(problem, max(shared.fresh.top, 1), shared.clauses, shared)


def decode(cnf: Cnf, true: Sequence[bool]) -> Tour | Cuts:
    """Tour of a model.

    Raises
    ------
    EngineFailedError
        If the model is none.
    """
    return tour_of(cnf, true, "elimination")


def clauses_of(problem: Problem) -> int:
    """Estimate: two clauses for an ordered pair of neighbours, and its part of the counters.

    Those take at most 7 d_v clauses, and d_v ≤ 3 + d_v (d_v - 1) / 10.
    """
    fill = fill_estimate(problem)
    return successor_clauses(problem, fill.arcs) + 6 * fill.triangles + 21 * (problem.size + 1)


ENCODING = Encoding(
    name="elimination",
    summary="vertices taken out of the cycle one by one, until three are left",
    clauses_of=clauses_of,
    encode=encode,
    decode=decode,
    solver="cadical195",
)

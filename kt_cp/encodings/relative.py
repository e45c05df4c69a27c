"""Relative encoding: which of two squares comes first?

A variable o(i, j) says that vertex i comes before vertex j, and o(j, i) is its negation.  What
follows comes later, h(i, j) → o(i, j), unless it is the start s: from there everything comes
later, which takes no variable.  If the order is transitive, a cycle that misses s would have to
rise for ever.  (S. Prestwich, "SAT problems with chains of dependent variables", Discrete Applied
Mathematics 130, 2003; M. N. Velev and P. Gao, "Efficient SAT techniques for relative encoding of
permutations with constraints", AI 2009.)

Transitivity of all triples would take about N³ / 3 clauses.  The triangles of a chordal graph
suffice that contains every edge between vertices other than s, and only its edges get variables
(:mod:`kt_cp.encodings.fill` makes one):

    Let the edges of a chordal graph be oriented, and let there be a directed cycle.  Take a
    shortest one.  If it had four vertices or more it would have a chord, and whichever way the
    chord is oriented, it closes a shorter directed cycle with one of the two parts of the cycle
    between its ends.  So it has three.  Without a directed triangle there is no directed cycle.

An orientation without directed cycles extends to an order of all vertices, so the triangles say as
much as all triples would.  Conversely the vertices of a tour, in its own order from s, satisfy
everything: a model for each direction of a tour that the successor formula leaves.

With A arcs, 2 d_s of them at s, and with F edges and T triangles in the chordal graph on the other
vertices: F variables and, beside the successor formula, A - 2 d_s clauses h(i, j) → o(i, j) and
2 T clauses, one against each direction around a triangle.

Nothing lies between a vertex and the one that follows it: where i, j, k is a triangle, h(i, j) and
o(i, k) give o(j, k).  Order alone does not give that (i and j may be far apart in it), and it is
no condition on tours, but it lets the solver propagate along an arc.  The other half, o(j, k)
giving o(i, k), is transitivity.  It takes two clauses for every edge of the graph and triangle on
it, and ``encode(problem, tight=False)`` leaves it out.

Measured with CaDiCaL 1.9.5, clauses and seconds of solving: closed 8x8 9,924 and 0.01, 10x10 29,416
and 0.16, 12x12 79,094 and 0.14, 16x16 240,126 and 0.15.  Without ``tight`` 10x11, 10x12, 13x14 and
14x14 do not end in 15 s, with it they take 0.07, 0.21, 0.29 and 0.39; 12x13 does not end either
way.  Refuting closed 3x8, 4x6 and 5x5 and open 4x4 takes 51, 56, 13 and 194 conflicts, some
thousandths of a second, and there ``tight`` gains nothing.  It wins by few variables, one for an
edge where elimination has several for each direction; it loses where the order is of no help for
long (12x13, 20x20), and by its size: T is about 2 N k² on a board of side k = 20.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, permutations

from kt_cp.encodings.cnf import Cnf, Cuts, Encoding
from kt_cp.encodings.fill import adjacency, eliminations, fill_estimate, successor_clauses
from kt_cp.encodings.successor import successors, tour_of
from kt_cp.problem import Problem
from kt_cp.tour import Tour


def encode(problem: Problem, *, tight: bool = True) -> Cnf:
    """State a problem in the relative encoding.

    Parameters
    ----------
    tight : bool
        Whether to say that nothing lies between a vertex and the one that follows it.

    Examples
    --------
    >>> from kt_cp.board import Board
    >>> cnf = encode(Problem(Board(5, 6), closed=True))
    >>> cnf.variables, len(cnf.clauses)
    (324, 1506)
    """
    shared = successors(problem)
    clauses, fresh, number = shared.clauses, shared.fresh, shared.number
    adjacent = adjacency(shared.form.graph)
    for other in adjacent.pop(shared.start):
        adjacent[other].remove(shared.start)
    before: dict[tuple[int, int], int] = {}
    triangles: list[tuple[int, int, int]] = []
    for vertex, others in eliminations(adjacent):
        for other in others:
            before[vertex, other] = fresh()
            before[other, vertex] = -before[vertex, other]
        triangles += [(vertex, *pair) for pair in combinations(others, 2)]
    for (i, j), follows in number.items():
        if shared.start not in (i, j):
            clauses.append([-follows, before[i, j]])
    for i, j, k in triangles:
        around = [before[i, j], before[j, k], before[k, i]]
        clauses += [around, [-literal for literal in around]]
    if tight:
        for triangle in triangles:
            for i, j, k in permutations(triangle):
                if (i, j) in number:
                    clauses.append([-number[i, j], -before[i, k], before[j, k]])
    return Cnf(problem, max(fresh.top, 1), clauses, shared)


def decode(cnf: Cnf, true: Sequence[bool]) -> Tour | Cuts:
    """Tour of a model.

    Raises
    ------
    EngineFailedError
        If the model is none.
    """
    return tour_of(cnf, true, "relative")


def clauses_of(problem: Problem) -> int:
    """Estimate: exact for its triangles where they are counted, start and all."""
    fill = fill_estimate(problem)
    order = fill.arcs + 2 * fill.triangles + 2 * fill.sides
    return successor_clauses(problem, fill.arcs) + order


ENCODING = Encoding(
    name="relative",
    summary="which of two squares comes first; transitive on the triangles of a chordal graph",
    clauses_of=clauses_of,
    encode=encode,
    decode=decode,
    solver="cadical195",
)

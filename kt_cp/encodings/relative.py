"""Relative encoding: which of two squares comes first?

A variable o(i, j) means that vertex i precedes vertex j; o(j, i) is its negation.  A successor
comes later: h(i, j) → o(i, j).  The start s is exempt.  If the order is transitive, a cycle that
misses s would have to rise for ever, so there is none.

Transitivity of all triples takes about N³ / 3 clauses.  The triangles of a chordal supergraph of
the other vertices suffice (:mod:`kt_cp.encodings.chordal_completion`), and only its edges need
variables.  Proof: orient the edges of a chordal graph, and suppose there is a directed cycle.  Take
a shortest one.  With four or more vertices it would have a chord; whichever way the chord points,
it closes a shorter directed cycle with one part of the cycle.  So the shortest has three vertices:
where no triangle is a directed cycle, there is no directed cycle at all.

Another kind of clause lets the solver propagate along an arc.  No vertex lies between i and its
successor j, so for a triangle i, j, k: h(i, j) and o(i, k) give o(j, k).

Source: S. Prestwich, "SAT problems with chains of dependent variables", Discrete Applied
Mathematics 130, 2003; M. N. Velev and P. Gao, "Efficient SAT techniques for relative encoding of
permutations with constraints", AI 2009.

Cost: Let there be A arcs, 2 d of them at s, and F edges and T triangles in the chordal graph. There
are F variables and, beside the successor formula, A - 2 d clauses h(i, j) → o(i, j), 2 T clauses
against the two directions around each triangle, and two for each pair of an edge of the problem and
a triangle on it.

When it loses: By its size, and where the order helps late.  It has few variables, one for an edge
of the chordal graph.
"""

from __future__ import annotations

from itertools import combinations, permutations

from kt_cp.encodings.chordal_completion import adjacency, completion_size, minimum_degree
from kt_cp.encodings.cnf import Cnf, Encoding, shape_of
from kt_cp.encodings.successor import TAKES, successors, tour_of
from kt_cp.model.cycle import cycle_form
from kt_cp.model.problem import Problem


def encode(problem: Problem) -> Cnf:
    """State a problem in the relative encoding.

    >>> from kt_cp.model.board import Board
    >>> cnf = encode(Problem(Board(5, 6), closed=True))
    >>> cnf.variables, len(cnf.clauses)
    (324, 1506)
    """
    shared = successors(cycle_form(problem))
    clauses, fresh, number = shared.clauses, shared.fresh, shared.number
    adjacent = adjacency(shared.form.graph)
    for other in adjacent.pop(shared.start):
        adjacent[other].remove(shared.start)
    before: dict[tuple[int, int], int] = {}
    triangles: list[tuple[int, int, int]] = []
    for vertex, others in minimum_degree(adjacent):
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
    for triangle in triangles:
        for i, j, k in permutations(triangle):
            if (i, j) in number:
                clauses.append([-number[i, j], -before[i, k], before[j, k]])
    return Cnf(problem, max(fresh.top, 1), clauses, shared)


def clauses_of(problem: Problem) -> int:
    """Estimate the clauses; the number of triangles is exact if they are counted."""
    triangles, sides = completion_size(problem, exempt=True)
    shape = shape_of(problem)
    return shape.shared + shape.arcs + 2 * triangles + 2 * sides


ENCODING = Encoding(
    name="relative",
    summary="which of two squares comes first; transitive on the triangles of a chordal graph",
    clauses_of=clauses_of,
    encode=encode,
    decode=tour_of,
    takes=TAKES,
)

"""Hybrid encoding: eliminate vertices while that is cheap, and count along the rest.

Elimination (:mod:`kt_cp.encodings.elimination`) is cheap at first and costly at the end, when every
remaining vertex is joined to every other.  A counter (:mod:`kt_cp.encodings.counter`) costs in
proportion to the arcs.  So vertices of least degree are eliminated until that degree times the
number gone exceeds N.  The R remaining vertices form a cycle on the arcs that are left, and a
binary counter runs along it, from one vertex of least degree among them.

Source: N.-F. Zhou, "Encoding the Hamiltonian cycle problem into SAT based on vertex elimination",
CP 2024.

Cost: Let there be R vertices and B arcs left, 2 d of them at the start of the counter, and 2^L ≥
R.  Beside the elimination's clauses there are L (R - 1) variables and (B - 2 d) L (L + 1) + 2 d L
clauses; none if at most three vertices are left.

When it loses: Its size grows little faster than N and is less than elimination's from 10 × 10 on.
It loses in refuting and above 14 × 14, because a partial assignment to binary numbers propagates
little.
"""

from __future__ import annotations

from collections.abc import Iterator

from kt_cp.encodings.adder import binary, bits_for
from kt_cp.encodings.chordal_completion import COUNTED, adjacency, minimum_degree
from kt_cp.encodings.cnf import MOST_CLAUSES, Clause, Cnf, Encoding, shape_of
from kt_cp.encodings.counter import allot, count
from kt_cp.encodings.elimination import CLAUSES_OF_PAIR, FEWEST, Reduced
from kt_cp.encodings.numbering import Numbering
from kt_cp.encodings.successor import TAKES, successors, tour_of
from kt_cp.model.cycle import cycle_form
from kt_cp.model.problem import Problem

ARCS_LEFT, PAIRS_JOINED = 12, 4
"""Bounds per square on boards of more than a thousand: measured at most 10.5 and 3.9 (50x50)."""


def encode(problem: Problem) -> Cnf:
    """State a problem.

    >>> from kt_cp.model.board import Board
    >>> cnf = encode(Problem(Board(5, 6), closed=True))
    >>> cnf.variables, len(cnf.clauses)
    (458, 4519)
    """
    shared = successors(cycle_form(problem))
    reduced = Reduced(shared)
    shared.clauses.extend(reduced.reduce(len(shared)))
    if len(reduced.adjacent) > FEWEST:
        shared.clauses.extend(_counted(reduced))
    return Cnf(problem, max(shared.fresh.top, 1), shared.clauses, shared)


def _counted(reduced: Reduced) -> Iterator[Clause]:
    """Count along the cycle through the remaining vertices."""
    left = sorted(reduced.adjacent)
    start = min(left, key=lambda vertex: len(reduced.adjacent[vertex]))
    beside = sorted(reduced.adjacent[start])
    numbering = Numbering(reduced.shared.form, left, start, beside, beside)
    arcs = {(u, v): reduced.number[u, v] for u in left for v in sorted(reduced.adjacent[u])}
    counter = binary(bits_for(len(left)))
    return count(numbering, arcs, counter, allot(numbering, counter, reduced.shared.fresh))


def clauses_of(problem: Problem) -> int:
    """Count the clauses, or estimate them in proportion for a large whole rectangle."""
    shape = shape_of(problem)
    if shape.shared > MOST_CLAUSES:
        return shape.shared
    if problem.whole_rectangle is not None and problem.size > COUNTED:
        arcs, left = ARCS_LEFT * problem.size, problem.size
        pairs = PAIRS_JOINED * problem.size
    else:
        graph = cycle_form(problem).graph
        adjacent = adjacency(graph)
        pairs = 0
        for gone, (_, others) in enumerate(minimum_degree(adjacent)):
            if len(adjacent) <= FEWEST or len(others) * gone > len(graph):
                break
            pairs += len(others) * (len(others) - 1)
        left, arcs = len(adjacent), sum(map(len, adjacent.values()))
    bits = (left - 1).bit_length()
    reduction = shape.shared + CLAUSES_OF_PAIR * pairs
    return reduction + arcs * (bits * (bits + 1) + 7) + 2 * left


ENCODING = Encoding(
    name="hybrid",
    summary="vertices taken out of the cycle while that is cheap, the rest numbered in binary",
    clauses_of=clauses_of,
    encode=encode,
    decode=tour_of,
    takes=TAKES,
)

"""Cardinality constraints as clauses: exactly one, at most one or exactly two literals are true.

*At most one.*  Few literals take a clause per pair.  Many take a sequential counter; its variable
s_i means that one of the first i literals is true.

*Exactly two*, for many vertices of one degree at a time, by NumPy.  There are three forms, by the
number d of edges at a vertex.

- Up to ``DIRECT``, directly: any d - 1 of the literals include a true one, any three include a
  false one.  For the eight edges in the middle of a board that would be 64 clauses.
- Up to ``HALVED``, in two halves, with two auxiliary variables each: "one of this half" and "two of
  this half".  Eight edges take 44 clauses.
- Above that (the depot of an open tour, dense graphs) a sequential counter.

Source: The counter is that of C. Sinz, "Towards an optimal CNF encoding of Boolean cardinality
constraints", CP 2005; the halves are a totalizer of two levels, cut off at three (O. Bailleux and
Y. Boufkhad, "Efficient CNF encoding of Boolean cardinality constraints", CP 2003).  This module
does not use ``pysat.card``, because encodings are pure Python and load no solver.

Cost: At most one of k: k (k - 1) / 2 clauses by pairs; about 3 k clauses and k - 1 variables by the
counter.  Exactly two: ``clauses_at``.

When it loses: Solvers with native cardinality constraints need none of these clauses.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations
from math import comb

import numpy as np
from numpy.typing import NDArray

from kt_cp.encodings.cnf import Clause

Literals = NDArray[np.int64]

PAIRWISE = 5
"""Most literals for which at-most-one by pairs is smaller than a counter."""

DIRECT = 5
HALVED = 12
"""Highest degrees for the direct form and for halves: twelve edges take 102 clauses."""


class Fresh:
    """A source of new auxiliary variables above those in use.

    >>> fresh = Fresh(10)
    >>> fresh(), fresh(), fresh.top
    (11, 12, 12)
    """

    def __init__(self, top: int) -> None:
        self.top = top

    def __call__(self) -> int:
        self.top += 1
        return self.top


def auxiliaries(literals: int) -> int:
    """Return the number of auxiliary variables for at most one of ``literals`` literals."""
    return 0 if literals <= PAIRWISE else literals - 1


def exactly_one(literals: Sequence[int], fresh: Fresh) -> Iterator[Clause]:
    """Yield clauses by which exactly one literal is true: by pairs, or for many by a counter.

    >>> list(exactly_one([1, 2], Fresh(2)))
    [[1, 2], [-1, -2]]
    """
    yield list(literals)
    if len(literals) <= PAIRWISE:
        yield from ([-one, -other] for one, other in combinations(literals, 2))
        return
    before = 0
    for i, literal in enumerate(literals):
        if before:
            yield [-literal, -before]
        if i == len(literals) - 1:
            return
        top = fresh()
        yield [-literal, top]
        if before:
            yield [-before, top]
        before = top


def by_degree(ends: Literals, values: Literals, size: int) -> Iterator[tuple[int, Literals]]:
    """Yield each degree, ascending, with the values at its vertices, shape (vertices, degree).

    Each value belongs to the vertex at the same index of ``ends``.

    >>> rows = by_degree(np.array([0, 1, 1, 2]), np.array([5, 5, 6, 6]), 3)
    >>> [(degree, row.tolist()) for degree, row in rows]
    [(1, [[5], [6]]), (2, [[5, 6]])]
    """
    degrees = np.bincount(ends, minlength=size)
    values = values[np.argsort(ends, kind="stable")]
    first = np.cumsum(degrees) - degrees
    for degree in np.flatnonzero(np.bincount(degrees)).tolist():
        vertices = np.flatnonzero(degrees == degree)
        yield degree, values[first[vertices][:, None] + np.arange(degree)]


def exactly_two(incident: Literals, used: int) -> Iterator[Clause]:
    """Yield clauses for exactly two of each row, with auxiliary variables from ``used + 1`` on.

    >>> list(exactly_two(np.array([[1, 2, 3]]), 0))
    [[1, 2], [1, 3], [2, 3], [-1, -2, -3]]
    """
    degree = incident.shape[1]
    if degree <= DIRECT:
        yield from as_clauses(incident[:, _choices(degree, degree - 1)])
        yield from as_clauses(-incident[:, _choices(degree, 3)])
    elif degree <= HALVED:
        yield from _halves(incident, used)
    else:
        for row, literals in enumerate(incident.tolist()):
            yield from _counter(literals, used + row * auxiliaries_of(degree))


def auxiliaries_of(degree: int) -> int:
    """Return the number of auxiliary variables of a vertex."""
    if degree <= DIRECT:
        return 0
    return 4 if degree <= HALVED else 2 * (degree - 2)


def clauses_at(degree: int) -> int:
    """Return the number of clauses of a vertex; for degrees below 2 they are a contradiction.

    >>> [clauses_at(degree) for degree in (2, 5, 8, 12, 13)]
    [2, 15, 44, 102, 89]
    """
    if degree <= DIRECT:
        return degree + comb(degree, 3)
    if degree <= HALVED:
        halves = (degree // 2, degree - degree // 2)
        return 6 + sum(1 + 2 * half + comb(half, 2) + comb(half, 3) for half in halves)
    return 8 * degree - 15


def as_clauses(literals: Literals) -> list[Clause]:
    """Return clauses from an array whose last axis is a clause."""
    clauses: list[Clause] = literals.reshape(-1, literals.shape[-1]).tolist()
    return clauses


@cache
def _choices(degree: int, size: int) -> NDArray[np.int64]:
    chosen = list(combinations(range(degree), size))
    return np.array(chosen, dtype=np.int64).reshape(len(chosen), size)


def _halves(incident: Literals, used: int) -> Iterator[Clause]:
    """Yield clauses for exactly two of each row, by "one" and "two" of its two halves."""
    vertices, degree = incident.shape
    extra = np.arange(used + 1, used + 4 * vertices + 1).reshape(4, vertices, 1)
    sides = (incident[:, : degree // 2], incident[:, degree // 2 :])
    for side, one, two in zip(sides, extra[:2], extra[2:], strict=True):
        width = side.shape[1]
        pairs, most = _choices(width, 2), _choices(width, width - 1)
        implied = np.repeat(one, width, axis=1)
        yield from as_clauses(np.stack([-side, implied], axis=2))
        yield from as_clauses(np.hstack([-one, side]))
        both = np.broadcast_to(two[:, None], (vertices, len(pairs), 1))
        yield from as_clauses(np.concatenate([-side[:, pairs], both], axis=2))
        both = np.broadcast_to(-two[:, None], (vertices, len(most), 1))
        yield from as_clauses(np.concatenate([both, side[:, most]], axis=2))
        yield from as_clauses(-side[:, _choices(width, 3)])
    left, right, left_two, right_two = extra
    for clause in (
        (-left_two, -right),
        (-right_two, -left),
        (left, right_two),
        (right, left_two),
        (-left_two, left),
        (-right_two, right),
    ):
        yield from as_clauses(np.hstack(clause))


def _counter(literals: list[int], used: int) -> Iterator[Clause]:
    """Yield clauses for exactly two by a sequential counter (Sinz 2005).

    The auxiliary variables mean that at least one, and at least two, of the first i are chosen.
    """
    one, two = literals[0], 0
    for literal in literals[1:-1]:
        new_one, new_two = used + 1, used + 2
        used += 2
        yield from ([-one, new_one], [-literal, new_one], [-new_one, one, literal])
        yield from ([-one, -literal, new_two], [-new_two, one])
        if two:
            yield from ([-two, -literal], [-two, new_two], [-new_two, two, literal])
        else:
            yield [-new_two, literal]
        one, two = new_one, new_two
    yield from ([one], [-two, -literals[-1]], [two, literals[-1]])

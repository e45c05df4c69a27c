"""Exactly two of several literals, in clauses, for many vertices of one degree at a time.

- Up to ``DIRECT`` edges at a vertex, clause by clause: any d - 1 of them hold one that is chosen,
  any three hold one that is not.  Done at every vertex, in the middle of a board, 64 clauses.
- Up to ``HALVED`` edges, in two halves, with two auxiliary variables each: "one of this half" and
  "two of this half".  44 clauses.
- Above that (the depot of an open tour, dense graphs) a sequential counter.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from kt_cp.encodings.cnf import Clause

Literals = NDArray[np.int64]

DIRECT = 5
HALVED = 12
"""Degrees up to which a vertex is stated directly, and in halves: twelve edges make 104 clauses."""


def two_of_each(incident: Literals, used: int) -> Iterator[Clause]:
    """Exactly two of each row, with auxiliary variables from ``used + 1`` on.

    Examples
    --------
    >>> list(two_of_each(np.array([[1, 2, 3]]), 0))
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
    """Auxiliary variables of a vertex."""
    if degree <= DIRECT:
        return 0
    return 4 if degree <= HALVED else 2 * (degree - 2)


def as_clauses(literals: Literals) -> list[Clause]:
    """Clauses from an array whose last axis is a clause."""
    clauses: list[Clause] = literals.reshape(-1, literals.shape[-1]).tolist()
    return clauses


@cache
def _choices(degree: int, size: int) -> NDArray[np.int64]:
    chosen = list(combinations(range(degree), size))
    return np.array(chosen, dtype=np.int64).reshape(len(chosen), size)


def _halves(incident: Literals, used: int) -> Iterator[Clause]:
    """Exactly two of each row, through "one" and "two" of its left and of its right half."""
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
    """Exactly two by a sequential counter (Sinz 2005).

    The auxiliary variables say that at least one, and at least two, of the first i are chosen.
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

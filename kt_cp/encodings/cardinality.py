"""Clauses that count: exactly one of some literals is true, at most one of them.

Few literals are counted by pairs.  Many pass a sequential counter, whose variable s_i says that one
of the first i literals is true.

Source: C. Sinz, "Towards an optimal CNF encoding of Boolean cardinality constraints", CP 2005. It
is written here and not taken from ``pysat.card``, because encodings are pure Python values for
which no solver has to be loaded.

Cost: k (k - 1) / 2 clauses by pairs; about 3 k clauses and k - 1 variables by the counter.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kt_cp.encodings.cnf import Clause

PAIRWISE = 5
"""Up to this many literals, at-most-one by pairs is smaller than a counter."""


class Fresh:
    """Hands out auxiliary variables above those in use.

    Examples
    --------
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
    """How many variables it takes to say that at most one of so many literals is true.

    Examples
    --------
    >>> auxiliaries(5), auxiliaries(8)
    (0, 7)
    """
    return 0 if literals <= PAIRWISE else literals - 1


def exactly_one(literals: Sequence[int], fresh: Fresh) -> Iterator[Clause]:
    """At least one, and at most one.

    Examples
    --------
    >>> list(exactly_one([1, 2], Fresh(2)))
    [[1, 2], [-1, -2]]
    """
    yield list(literals)
    yield from at_most_one(literals, fresh)


def at_most_one(literals: Sequence[int], fresh: Fresh) -> Iterator[Clause]:
    """By pairs, or for many by a sequential counter."""
    if len(literals) <= PAIRWISE:
        for i, one in enumerate(literals):
            for other in literals[i + 1 :]:
                yield [-one, -other]
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

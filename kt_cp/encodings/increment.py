"""One binary number is one more than another, without a variable for a carry.

Bit b of x + 1 differs from bit b of x exactly where all lower bits of x are 1.  One lower bit 0
keeps it, which takes two clauses for each lower bit; all of them 1 turn it over, which takes two
clauses more.  Over all L bits: Σ (2 b + 2) = L (L + 1) clauses.  All ones are followed by zero:
numbers count modulo 2^L.  (N.-F. Zhou, "In pursuit of an efficient SAT encoding for the Hamiltonian
cycle problem", CP 2020.)
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kt_cp.encodings.cnf import Clause


def increments(guard: int, x: Sequence[int], y: Sequence[int]) -> Iterator[Clause]:
    """Clauses for: where the guard is true, y = x + 1 modulo 2^L.

    Parameters
    ----------
    guard : int
        A literal.
    x, y : sequence of int
        L literals each, the lowest bit first.

    Examples
    --------
    >>> list(increments(1, [2], [3]))
    [[-1, 2, 3], [-1, -2, -3]]
    """
    for bit, (before, after) in enumerate(zip(x, y, strict=True)):
        for lower in x[:bit]:
            yield [-guard, lower, after, -before]
            yield [-guard, lower, -after, before]
        ones = [-lower for lower in x[:bit]]
        yield [-guard, *ones, before, after]
        yield [-guard, *ones, -before, -after]


def equals(guard: int, x: Sequence[int], value: int) -> Iterator[Clause]:
    """Clauses for: where the guard is true, x is a given number; one for each bit.

    Examples
    --------
    >>> list(equals(1, [2, 3], 2))
    [[-1, -2], [-1, 3]]
    """
    for bit, literal in enumerate(x):
        yield [-guard, literal if value >> bit & 1 else -literal]

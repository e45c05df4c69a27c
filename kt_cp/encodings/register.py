"""Registers: bits at every vertex that advance by one along the arcs of a cycle.

A register of L bits runs through ``period`` codes and then begins again.  Every vertex but the
start has one.  For an arc h(u, v) between two others, the code of v is the one after that of u;
from the start comes the code of step 1; into the start leads only the code of step N - 1.  Hence a
cycle that misses the start advances the register a multiple of ``period`` times.  Where the parity
of the steps is known (see :mod:`kt_cp.encodings.seam`) the register stands still on the arcs that
leave even steps, and advances on those that leave odd ones.

With N vertices, A arcs, and d edges at the start, of which f arcs out and l arcs in may be used:
(N - 1) L variables.  If copying takes 2 L clauses an arc and advancing takes c, then it is
(A - 2 d) c + (f + l) L clauses, with known parity (A - 2 d) (L + c / 2) + (f + l) L; and N - 1 for
each code that is forbidden.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from kt_cp.encodings.cnf import Clause
from kt_cp.encodings.seam import Seam

Bits = Sequence[int]


@dataclass(frozen=True)
class Register:
    """A counter in some code.

    Attributes
    ----------
    bits, period : int
    code : callable
        Code of a count, as an integer whose bit i is bit i of the register.
    advance : callable
        Clauses by which the second bits are the code after that of the first bits.
    cost : int
        How many clauses these are.
    forbidden : sequence of int
        Codes from which the register does not get to those it runs through.
    """

    bits: int
    period: int
    code: Callable[[int], int]
    advance: Callable[[Bits, Bits], list[Clause]]
    cost: int
    forbidden: Sequence[int] = ()

    def per_edge(self, pace: int) -> int:
        """Clauses for the two arcs of an edge.

        Examples
        --------
        >>> from kt_cp.encodings.adder import binary
        >>> binary(3).per_edge(1), binary(3).per_edge(2)
        (24, 18)
        """
        return 2 * self.cost if pace == 1 else self.cost + 2 * self.bits


def same(x: Bits, y: Bits) -> list[Clause]:
    """Clauses by which bits are equal, one by one.

    Examples
    --------
    >>> same([1, 2], [3, 4])
    [[1, -3], [-1, 3], [2, -4], [-2, 4]]
    """
    return [clause for a, b in zip(x, y, strict=True) for clause in ([a, -b], [-a, b])]


def literals(bits: Bits, code: int) -> Clause:
    """Literals that are all true where the bits hold a code."""
    return [bit if code >> i & 1 else -bit for i, bit in enumerate(bits)]


def unlike(bits: Bits, code: int) -> Clause:
    """Clause by which the bits do not hold a code.

    Examples
    --------
    >>> unlike([1, 2, 3], 6)
    [1, -2, -3]
    """
    return [-literal for literal in literals(bits, code)]


def allot(seam: Seam, register: Register) -> list[list[int]]:
    """New variables for the bits of every vertex; none for the start."""
    shared = seam.shared
    return [
        [] if vertex == shared.start else [shared.fresh() for _ in range(register.bits)]
        for vertex in range(len(shared))
    ]


def count(seam: Seam, register: Register, bits: list[list[int]]) -> Iterator[Clause]:
    """Clauses by which the register counts along the cycle through the start, and no other."""
    shared = seam.shared
    start, parity = shared.start, seam.parity
    opening = register.code(1 // seam.pace)
    closing = register.code(seam.turns - 1)
    first, last = set(seam.first), set(seam.last)
    for (u, v), arc in shared.number.items():
        if u == start:
            if v in first:
                yield from ([-arc, literal] for literal in literals(bits[v], opening))
        elif v == start:
            if u in last:
                yield from ([-arc, literal] for literal in literals(bits[u], closing))
        else:
            still = parity is not None and not parity[u]
            relation = same if still else register.advance
            yield from ([-arc, *clause] for clause in relation(bits[u], bits[v]))
    for code in register.forbidden:
        yield from (unlike(own, code) for own in bits if own)

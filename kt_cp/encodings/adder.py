"""Adder encoding: a binary step number at every vertex, which grows by one along every arc.

This is the distance encoding (:mod:`kt_cp.encodings.counter`) with a binary counter.  "One more"
needs no variables for carries.  Let x be the bits of u and y those of v, and let u be followed by
v.  Bit b of y differs from bit b of x exactly if all lower bits of x are 1.  So each lower bit l
has two clauses, (x_l ∨ ¬x_b ∨ y_b) and (x_l ∨ x_b ∨ ¬y_b); two more clauses state that all ones
turn the bit over.  All bits together take L (L + 1) clauses.

A window of steps is two comparisons with constants.  P ≥ a has a clause for each 1 in a: that bit
of P is 1, or a higher bit of P is 1 where a has 0.  P ≤ z has one for each 0 in z.

Source: N.-F. Zhou, "In pursuit of an efficient SAT encoding for the Hamiltonian cycle problem", CP
2020; it is the encoding of Picat.

Cost: That of a counter with 2^L ≥ N, or 2^L ≥ N / 2 where the parity is known, and c = L (L + 1).
Windows add for each vertex but the start the ones among the L bits of its earliest count and the
zeros among those of its latest.

When it loses: It is the largest counter encoding, because of long carries.  Without the parity it
is far slower.
"""

from __future__ import annotations

from collections.abc import Iterator

from kt_cp.encodings.cnf import Clause, Cnf, Encoding, shape_of
from kt_cp.encodings.counter import Bits, Counter, counted
from kt_cp.encodings.successor import TAKES, tour_of
from kt_cp.model.conditions import Given
from kt_cp.model.problem import Problem


def binary(bits: int) -> Counter:
    """Return a binary counter modulo 2^bits.

    >>> binary(1).advance([1], [2])
    [[1, 2], [-1, -2]]
    >>> [binary(bits).cost for bits in range(1, 5)]
    [2, 6, 12, 20]
    """
    return Counter(bits, range(1 << bits), _plus_one)


def _plus_one(x: Bits, y: Bits) -> list[Clause]:
    clauses: list[Clause] = []
    for b, (old, new) in enumerate(zip(x, y, strict=True)):
        for lower in x[:b]:
            clauses += [[lower, new, -old], [lower, -new, old]]
        carry = [-lower for lower in x[:b]]
        clauses += [[*carry, old, new], [*carry, -old, -new]]
    return clauses


def bits_for(values: int) -> int:
    """Return the least number of bits for ``values`` values, at least 1."""
    return max(1, (values - 1).bit_length())


def at_least(bits: Bits, bound: int) -> Iterator[Clause]:
    """Yield clauses by which a binary number is at least a constant.

    >>> list(at_least([1, 2, 3], 2))
    [[2, 3]]
    """
    for i, bit in enumerate(bits):
        if bound >> i & 1:
            yield [bit, *(up for j, up in enumerate(bits) if j > i and not bound >> j & 1)]


def at_most(bits: Bits, bound: int) -> Iterator[Clause]:
    """Yield clauses by which a binary number is at most a constant."""
    for i, bit in enumerate(bits):
        if not bound >> i & 1:
            yield [-bit, *(-up for j, up in enumerate(bits) if j > i and bound >> j & 1)]


def encode(problem: Problem, **known: bool) -> Cnf:
    """State a problem in the adder encoding; ``known`` are the switches of :func:`counted`.

    >>> from kt_cp.model.board import Board
    >>> cnf = encode(Problem(Board(5, 6), closed=True))
    >>> cnf.variables, len(cnf.clauses)
    (328, 2305)
    """
    return counted(problem, lambda steps: [binary(bits_for(steps.values))], _within, **known)


def _within(_: Counter, bits: Bits, counts: range, __: int) -> Iterator[Clause]:
    yield from at_least(bits, counts[0])
    yield from at_most(bits, counts[-1])


def clauses_of(problem: Problem) -> int:
    """Return an upper bound on the number of clauses."""
    shape = shape_of(problem)
    counter = binary(bits_for(shape.values))
    counting = shape.arcs // 2 * counter.per_edge(shape.stride)
    return shape.shared + counting + 2 * counter.bits * shape.vertices


ENCODING = Encoding(
    name="adder",
    summary="successors, and a binary step at each square, one more along every move",
    clauses_of=clauses_of,
    encode=encode,
    decode=tour_of,
    takes=TAKES | {Given},
)

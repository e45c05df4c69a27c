"""Adder encoding: the number of its step at every vertex, in binary, one more along every arc.

The distance encoding of N.-F. Zhou ("In pursuit of an efficient SAT encoding for the Hamiltonian
cycle problem", CP 2020; so in Picat): on top of the successor variables, every vertex v has a step
P[v].  The start has step 0; h(u, v) → P[v] = P[u] + 1 for every v but the start; h(v, start) →
P[v] = N - 1.  Nothing says that the steps are different: a cycle that misses the start would have
to add up to 0, which L bits with 2^L ≥ N do not allow it.

"One more" is stated without carries.  With x the bits of u and y those of v, bit 0 flips; bit b
stays where some bit l < b of x is 0, and else it flips: (x_l ∨ x_b ∨ ¬y_b), (x_l ∨ ¬x_b ∨ y_b) for
each l < b, and (¬x_0 ∨ … ∨ ¬x_{b-1} ∨ x_b ∨ y_b), (¬x_0 ∨ … ∨ ¬x_{b-1} ∨ ¬x_b ∨ ¬y_b).  That makes
2 b + 2 clauses for bit b and L (L + 1) for an arc.

Where the parity of the steps is known, P[v] is the half of the step: 2^L ≥ N / 2.  Windows are
comparisons with constants: P ≥ a has a clause for each bit of a that is 1 (this bit, or one above
it where a has 0, is 1 in P), and P ≤ z one for each bit of z that is 0.

L bits, N vertices, A arcs, d edges at the start, f and l of whose arcs out and in may be used.
Beyond :mod:`kt_cp.encodings.seam`: (N - 1) L variables, and (A - 2 d) L (L + 1) + (f + l) L clauses
in the general form; with parity (A - 2 d) L (L + 3) / 2 + (f + l) L.  Windows add for each vertex
but the start the ones in the L bits of its earliest step and the noughts in those of its latest
(both halved with parity).

Measured with CaDiCaL 1.9.5: closed 8 × 8 in 0.03 s (8,462 clauses), 10 × 10 in 0.09 s (18,824),
12 × 12 in 0.2 to 0.35 s (36,146), 20 × 20 not in 25 s.  Parity is what counts: without it 10 × 10
takes 1.3 s (35,513), and 12 × 12 more than 15 s; without the others 0.5 to 0.6 s.  Closed 3 × 8,
4 × 6, 5 × 5, 4 × 8, 4 × 10 and open 4 × 4 are refuted in at most 0.02 s.  It is the largest of the
counters, since its carries are long.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from kt_cp.encodings.cnf import Clause, Cnf, Encoding
from kt_cp.encodings.register import Bits, Register, allot, count
from kt_cp.encodings.seam import Seam, seam, shape_of
from kt_cp.encodings.successor import tour_of
from kt_cp.problem import Problem


def binary(bits: int) -> Register:
    """Register that counts in binary, modulo 2^bits.

    Examples
    --------
    >>> binary(1).advance([1], [2])
    [[1, 2], [-1, -2]]
    >>> [len(binary(bits).advance(range(1, bits + 1), range(9, bits + 9))) for bits in range(1, 5)]
    [2, 6, 12, 20]
    """
    return Register(bits, 1 << bits, partial(_low, bits), _plus_one, bits * (bits + 1))


def _low(bits: int, step: int) -> int:
    return step & ((1 << bits) - 1)


def _plus_one(x: Bits, y: Bits) -> list[Clause]:
    clauses: list[Clause] = []
    for b, (old, new) in enumerate(zip(x, y, strict=True)):
        for lower in x[:b]:
            clauses += [[lower, old, -new], [lower, -old, new]]
        carry = [-lower for lower in x[:b]]
        clauses += [[*carry, old, new], [*carry, -old, -new]]
    return clauses


def bits_for(turns: int) -> int:
    """Fewest bits with so many values, and at least one."""
    return max(1, (turns - 1).bit_length())


def at_least(bits: Bits, bound: int) -> Iterator[Clause]:
    """Clauses by which a binary number is no less than a constant.

    Examples
    --------
    >>> list(at_least([1, 2, 3], 2))
    [[2, 3]]
    """
    for i, bit in enumerate(bits):
        if bound >> i & 1:
            yield [bit, *(up for j, up in enumerate(bits) if j > i and not bound >> j & 1)]


def at_most(bits: Bits, bound: int) -> Iterator[Clause]:
    """Clauses by which a binary number is no more than a constant.

    Examples
    --------
    >>> list(at_most([1, 2, 3], 4))
    [[-1, -3], [-2, -3]]
    """
    for i, bit in enumerate(bits):
        if not bound >> i & 1:
            yield [-bit, *(-up for j, up in enumerate(bits) if j > i and bound >> j & 1)]


def encode(
    problem: Problem,
    *,
    orientation: bool = True,
    parity: bool = True,
    windows: bool = True,
    corners: bool = True,
) -> Cnf:
    """State a problem in the adder encoding.

    Parameters
    ----------
    orientation, parity, windows, corners : bool
        What sharpens it: see :mod:`kt_cp.encodings.seam`.

    Examples
    --------
    >>> from kt_cp.board import Board
    >>> cnf = encode(Problem(Board(5, 6), closed=True))
    >>> cnf.variables, len(cnf.clauses)
    (328, 2305)
    """
    cut = seam(problem, orientation=orientation, parity=parity, windows=windows, corners=corners)
    register = binary(bits_for(cut.turns))
    bits = allot(cut, register)
    clauses = [*cut.shared.clauses, *count(cut, register, bits), *_within(cut, bits)]
    return Cnf(problem, max(1, cut.shared.fresh.top), clauses, cut.shared)


def _within(cut: Seam, bits: Sequence[Bits]) -> Iterator[Clause]:
    if cut.windows is None:
        return
    for own, (early, late) in zip(bits, cut.windows, strict=True):
        yield from at_least(own, early // cut.pace)
        yield from at_most(own, late // cut.pace)


def clauses_of(problem: Problem) -> int:
    """Bound on the number of clauses."""
    shape = shape_of(problem)
    bits = bits_for(shape.turns)
    counting = shape.arcs // 2 * binary(bits).per_edge(shape.pace)
    return shape.shared + counting + 2 * bits * shape.vertices


ENCODING = Encoding(
    name="adder",
    summary="successors, and a binary step at each square, one more along every move",
    clauses_of=clauses_of,
    encode=encode,
    decode=partial(tour_of, encoding="adder"),
    solver="cadical195",
)

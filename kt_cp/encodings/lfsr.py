"""LFSR encoding: steps counted by a linear feedback shift register instead of in binary.

This is the distance encoding (:mod:`kt_cp.encodings.counter`) with the counter that hardware uses
where only equality matters.  The register moves its bits up by one place.  Its highest bit returns
to the lowest place, and is added modulo 2 at some *taps*: y_0 = x_{L-1}, y_i = x_{i-1}, and y_k =
x_{k-1} ⊕ x_{L-1} at a tap k (Galois' form).  If the taps are those of a primitive polynomial, the
register runs through all 2^L - 1 codes but zero.  Zero follows itself and is forbidden.  One
advance takes two clauses a bit and two more at a tap.

A code says nothing about order, so a window of steps is no comparison.  Each step that a vertex
cannot have is a clause of L literals.  At most ``MOST_BLOCKED`` of the first steps are stated in
this way, and as many of the last.

Source: A. Johnson, "Quasi-linear reduction of Hamiltonian cycle problem (HCP) to satisfiability
problem (SAT)", IPCOM000237123D, 2014.

Cost: That of a counter with 2^L - 1 ≥ N, or N / 2 where the parity is known, c = 2 L + 2 T for T
taps, and one forbidden code.  Let a and z be the earliest and the latest count of a vertex, t the
last count of all, and M = ``MOST_BLOCKED``: windows add min(a, M) + min(t - z, M) for each vertex
but the start.

When it loses: It has half the clauses of the adder, but its times scatter more, because a code is
refused only when all its bits are known.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache, partial

from kt_cp.encodings.cnf import Clause, Cnf, Encoding, shape_of
from kt_cp.encodings.counter import Bits, Counter, counted, unlike
from kt_cp.encodings.successor import TAKES, tour_of
from kt_cp.model.conditions import Given
from kt_cp.model.errors import InputError
from kt_cp.model.problem import Problem

TAPS = {
    2: (1,), 3: (2,), 4: (3,), 5: (3,), 6: (5,), 7: (6,), 8: (6, 5, 4), 9: (5,), 10: (7,),
    11: (9,), 12: (6, 4, 1), 13: (4, 3, 1), 14: (5, 3, 1), 15: (14,), 16: (15, 13, 4), 17: (14,),
    18: (11,), 19: (6, 2, 1), 20: (17,),
}  # fmt: skip
"""Exponents of a primitive polynomial of each degree, except the degree itself and 0.

P. Alfke, "Efficient shift registers, LFSR counters, and long pseudo-random sequence generators",
Xilinx XAPP 052, 1996.  A test runs every one of them once around.
"""

MOST_BLOCKED = 16
"""Most steps that are blocked on each side of a window: enough for boards of 30 x 30."""


@cache
def shift_register(bits: int) -> Counter:
    """Return a linear feedback shift register of period 2^bits - 1; count 0 is code 1.

    >>> register = shift_register(3)
    >>> [register.code(step) for step in range(8)]
    [1, 2, 4, 5, 7, 3, 6, 1]
    >>> register.cost
    8
    """
    if bits not in TAPS:
        raise InputError(f"expected a shift register of 2 to {max(TAPS)} bits, got {bits!r}")
    feedback = 1 | sum(1 << tap for tap in TAPS[bits])
    codes = [1]
    for _ in range((1 << bits) - 2):
        code = codes[-1] << 1
        codes.append(code ^ (1 << bits | feedback) if code >> bits else code)
    return Counter(bits, codes, partial(_shift, TAPS[bits]), forbidden=(0,))


def _shift(taps: Sequence[int], x: Bits, y: Bits) -> list[Clause]:
    high = x[-1]
    clauses = [[high, -y[0]], [-high, y[0]]]
    for i in range(1, len(x)):
        old, new = x[i - 1], y[i]
        if i in taps:
            clauses += [[old, high, -new], [-old, -high, -new]]
            clauses += [[old, -high, new], [-old, high, new]]
        else:
            clauses += [[old, -new], [-old, new]]
    return clauses


def bits_for(values: int) -> int:
    """Return the least number of bits for ``values`` codes other than zero, at least 2."""
    return max(2, values.bit_length())


def encode(problem: Problem, **known: bool) -> Cnf:
    """State a problem in the LFSR encoding; ``known`` are the switches of :func:`counted`.

    >>> from kt_cp.model.board import Board
    >>> cnf = encode(Problem(Board(5, 6), closed=True))
    >>> cnf.variables, len(cnf.clauses)
    (328, 1739)
    """
    return counted(
        problem, lambda steps: [shift_register(bits_for(steps.values))], _within, **known
    )


def _within(register: Counter, bits: Bits, counts: range, values: int) -> Iterator[Clause]:
    too_soon = range(counts[0])[:MOST_BLOCKED]
    too_late = range(counts[-1] + 1, values)[-MOST_BLOCKED:]
    return (unlike(bits, register.code(step)) for step in (*too_soon, *too_late))


def clauses_of(problem: Problem) -> int:
    """Return an upper bound on the number of clauses."""
    shape = shape_of(problem)
    bits = bits_for(shape.values)
    # No register of the table has more than three taps; a bound needs no register to be made.
    per_edge = 4 * bits + (12 if shape.stride == 1 else 6)
    return shape.shared + shape.arcs // 2 * per_edge + (2 * MOST_BLOCKED + 1) * shape.vertices


ENCODING = Encoding(
    name="lfsr",
    summary="successors, and a step at each square counted by a linear feedback shift register",
    clauses_of=clauses_of,
    encode=encode,
    decode=tour_of,
    takes=TAKES | {Given},
)

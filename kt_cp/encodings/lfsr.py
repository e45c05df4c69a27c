"""LFSR encoding: steps counted by a linear feedback shift register instead of in binary.

The distance encoding of the adder, but in the code that hardware counts in where only equality
matters: Galois' shift register.  Its bits move up by one place, the highest comes round to the
lowest and is added, modulo 2, at some taps on its way: y_0 = x_{L-1}, y_i = x_{i-1}, and y_k =
x_{k-1} ⊕ x_{L-1} at a tap k.  With taps of a primitive polynomial it runs through all 2^L - 1 codes
but zero.  (A. Johnson, "Quasi-linear reduction of Hamiltonian cycle problem (HCP) to
satisfiability problem (SAT)", IPCOM000237123D, 2014.)  So one more takes 2 clauses a bit and 2 more
at a tap, where the adder takes a number that grows with the square of L.

Zero follows itself, so a cycle that misses the start could have it all along: it is forbidden.
Where the parity of the steps is known the register advances at every second one: 2^L - 1 ≥ N / 2.
A code says nothing about order, so windows are not comparisons: each of the first and of the last
steps that a vertex cannot have is one clause of L literals, and there are at most ``MOST_BLOCKED``
of either, the extreme ones.

L bits, N vertices, A arcs, d edges at the start, f and l of whose arcs out and in may be used, T
taps.  Beyond :mod:`kt_cp.encodings.seam`: (N - 1) L variables; (A - 2 d) (2 L + 2 T) + (f + l) L +
N - 1 clauses in the general form, with parity (A - 2 d) (2 L + T) + (f + l) L + N - 1.  Windows add
for each vertex but the start min(a, M) + min(t - z, M), with a and z its earliest and latest step
and t = N - 1 the last of all (all three halved with parity), and M = ``MOST_BLOCKED``.

Measured with CaDiCaL 1.9.5: closed 8 × 8 in 0.05 to 0.07 s (6,258 clauses), 10 × 10 in 0.6 to 3 s
(10,886), 12 × 12 in 0.2 to 0.35 s (18,560), 20 × 20 not in 25 s.  Without orientation, parity or
corners, any one of them, 12 × 12 takes more than 15 s, and without windows 11 s.  Closed 3 × 8,
4 × 6, 5 × 5, 4 × 8, 4 × 10 and open 4 × 4 are refuted in at most 0.04 s.  It has half the clauses
of the adder, but its times scatter more: a code is refused only when all of its bits are known.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache, partial

from kt_cp.encodings.cnf import Clause, Cnf, Encoding
from kt_cp.encodings.register import Bits, Register, allot, count, unlike
from kt_cp.encodings.seam import Seam, seam, shape_of
from kt_cp.encodings.successor import tour_of
from kt_cp.errors import InputError
from kt_cp.problem import Problem

TAPS = {
    2: (1,), 3: (2,), 4: (3,), 5: (3,), 6: (5,), 7: (6,), 8: (6, 5, 4), 9: (5,), 10: (7,),
    11: (9,), 12: (6, 4, 1), 13: (4, 3, 1), 14: (5, 3, 1), 15: (14,), 16: (15, 13, 4), 17: (14,),
    18: (11,), 19: (6, 2, 1), 20: (17,),
}  # fmt: skip
"""Exponents of a primitive polynomial of each degree, but for the degree itself and 0.

P. Alfke, "Efficient shift registers, LFSR counters, and long pseudo-random sequence generators",
Xilinx XAPP 052, 1996.  A test runs every one of them once around.
"""

MOST_BLOCKED = 16
"""So many steps are blocked at each side of a window: enough for boards of 30 x 30."""


def shift_register(bits: int) -> Register:
    """Linear feedback shift register of period 2^bits - 1; count 0 is code 1.

    Examples
    --------
    >>> register = shift_register(3)
    >>> [register.code(step) for step in range(8)]
    [1, 2, 4, 5, 7, 3, 6, 1]
    >>> register.cost, len(register.advance([1, 2, 3], [4, 5, 6]))
    (8, 8)
    """
    if bits not in TAPS:
        raise InputError(f"expected a shift register of 2 to {max(TAPS)} bits, got {bits!r}")
    taps = TAPS[bits]
    return Register(
        bits,
        (1 << bits) - 1,
        partial(_code, bits),
        partial(_shift, taps),
        2 * bits + 2 * len(taps),
        forbidden=(0,),
    )


def _code(bits: int, step: int) -> int:
    codes = _codes(bits)
    return codes[step % len(codes)]


@cache
def _codes(bits: int) -> list[int]:
    """All codes in their order, from 1."""
    feedback = 1 | sum(1 << tap for tap in TAPS[bits])
    codes = [1]
    while True:
        code = codes[-1] << 1
        if code >> bits:
            code ^= 1 << bits | feedback
        if code == 1:
            return codes
        codes.append(code)


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


def bits_for(turns: int) -> int:
    """Fewest bits with so many codes besides zero, and at least two."""
    return max(2, turns.bit_length())


def encode(
    problem: Problem,
    *,
    orientation: bool = True,
    parity: bool = True,
    windows: bool = True,
    corners: bool = True,
) -> Cnf:
    """State a problem in the LFSR encoding.

    Parameters
    ----------
    orientation, parity, windows, corners : bool
        What sharpens it: see :mod:`kt_cp.encodings.seam`.

    Examples
    --------
    >>> from kt_cp.board import Board
    >>> cnf = encode(Problem(Board(5, 6), closed=True))
    >>> cnf.variables, len(cnf.clauses)
    (328, 1739)
    """
    cut = seam(problem, orientation=orientation, parity=parity, windows=windows, corners=corners)
    register = shift_register(bits_for(cut.turns))
    bits = allot(cut, register)
    clauses = [*cut.shared.clauses, *count(cut, register, bits), *_within(cut, register, bits)]
    return Cnf(problem, max(1, cut.shared.fresh.top), clauses, cut.shared)


def _within(cut: Seam, register: Register, bits: Sequence[Bits]) -> Iterator[Clause]:
    if cut.windows is None:
        return
    for own, (early, late) in zip(bits, cut.windows, strict=True):
        if own:
            too_soon = range(early // cut.pace)[:MOST_BLOCKED]
            too_late = range(late // cut.pace + 1, cut.turns)[-MOST_BLOCKED:]
            for step in (*too_soon, *too_late):
                yield unlike(own, register.code(step))


def clauses_of(problem: Problem) -> int:
    """Bound on the number of clauses."""
    shape = shape_of(problem)
    bits = bits_for(shape.turns)
    # No register of the table has more than three taps; a bound needs no register to be made.
    per_edge = 4 * bits + (12 if shape.pace == 1 else 6)
    return shape.shared + shape.arcs // 2 * per_edge + (2 * MOST_BLOCKED + 1) * shape.vertices


ENCODING = Encoding(
    name="lfsr",
    summary="successors, and a step at each square counted by a linear feedback shift register",
    clauses_of=clauses_of,
    encode=encode,
    decode=partial(tour_of, encoding="lfsr"),
    solver="cadical195",
)

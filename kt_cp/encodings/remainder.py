"""Remainder encoding: steps counted modulo small numbers, by the Chinese remainder theorem.

Instead of one counter up to N, several small ones without a common factor, the *parts*.  (M. J. H.
Heule, "Chinese remainder encoding for Hamiltonian cycles", SAT 2021.)  Every counter of v is one
ahead of that of u where h(u, v), for every v but the start; those of the start are at 0, so what
follows it has 1, and into it leads only what has N - 1 modulo each part.  A cycle that misses the
start has a length divisible by every part, hence by their product; if that is N or more there is
no such cycle.  Small counters are cheap, and a solver sees soon where one does not fit.

On a board the length of such a cycle is even anyway, which takes the use out of a factor 2.  Here
counters advance at every second step where the parity of the steps is known (see
:mod:`kt_cp.encodings.seam`): a cycle that misses the start has 2 j vertices, and j is divisible by
every part.  So a product of N / 2 is enough, and a part 2 counts again: 105 = 3 · 5 · 7 does up to
210 squares, as Heule's 105 does without the 2.

The parts are of

- 2^k, in binary, k bits: k (k + 1) clauses an arc (:func:`kt_cp.encodings.adder.binary`);
- 3 and 5, in 2 and 3 bits, by a shift register which takes in 1 if its two oldest bits are 0, and 0
  otherwise: 2 L + 1 clauses.  Its other codes lead into this cycle, so none need be forbidden;
- 7, in 3 bits, by a linear feedback shift register (:mod:`kt_cp.encodings.lfsr`): 8 clauses.

:func:`parts_for` takes the cheapest choice.  N vertices, A arcs, d edges at the start, f and l of
whose arcs out and in may be used.  Beyond :mod:`kt_cp.encodings.seam`, for each part of L bits and
c clauses: (N - 1) L variables, and (A - 2 d) c + (f + l) L clauses in the general form, with parity
(A - 2 d) (L + c / 2) + (f + l) L; and N - 1 for the part 7, whose zero is forbidden.

Measured with CaDiCaL 1.9.5: closed 8 × 8 in 0.04 s (6,249 clauses), 10 × 10 in 0.05 s (11,983),
12 × 12 in 0.06 s (19,295), the best of the complete counters; 20 × 20 not in 25 s.  Without
orientation, parity or corners 12 × 12 takes 0.8, 0.65 and 5 s.  Closed 3 × 8, 4 × 6, 5 × 5, 4 × 8,
4 × 10 and open 4 × 4 are refuted in at most 0.03 s.  It has no windows: a remainder says little
about how early a step is.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import combinations
from math import prod

from kt_cp.encodings.adder import binary
from kt_cp.encodings.cnf import Clause, Cnf, Encoding
from kt_cp.encodings.lfsr import shift_register
from kt_cp.encodings.register import Bits, Register, allot, count
from kt_cp.encodings.seam import seam, shape_of
from kt_cp.encodings.successor import tour_of
from kt_cp.errors import InputError
from kt_cp.problem import Problem

ODD = (3, 5, 7)


def encode(
    problem: Problem,
    *,
    parts: Sequence[int] | None = None,
    orientation: bool = True,
    parity: bool = True,
    corners: bool = True,
) -> Cnf:
    """State a problem in the remainder encoding.

    Parameters
    ----------
    parts : sequence of int, optional
        Numbers without a common factor, of 3, 5, 7 and the powers of 2; the cheapest whose product
        is large enough by default.  With a smaller product some models have several cycles.
    orientation, parity, corners : bool
        What sharpens it: see :mod:`kt_cp.encodings.seam`.

    Examples
    --------
    >>> from kt_cp.board import Board
    >>> cnf = encode(Problem(Board(5, 6), closed=True))
    >>> cnf.variables, len(cnf.clauses)
    (357, 1888)
    """
    cut = seam(problem, orientation=orientation, parity=parity, windows=False, corners=corners)
    clauses = list(cut.shared.clauses)
    for part in parts_for(cut.turns, cut.pace) if parts is None else parts:
        register = register_of(part)
        clauses += count(cut, register, allot(cut, register))
    return Cnf(problem, max(1, cut.shared.fresh.top), clauses, cut.shared)


def register_of(part: int) -> Register:
    """Counter modulo a part.

    Examples
    --------
    >>> [register_of(part).bits for part in (2, 3, 4, 5, 7, 8)]
    [1, 2, 2, 3, 3, 3]
    """
    if part in (3, 5):
        bits = (part + 1) // 2
        return Register(bits, part, partial(_code, bits), _shift, 2 * bits + 1)
    if part == 7:
        return shift_register(3)
    if part < 2 or part & (part - 1):
        raise InputError(f"expected a part of 3, 5, 7 or a power of 2, got {part!r}")
    return binary(part.bit_length() - 1)


def _shift(x: Bits, y: Bits) -> list[Clause]:
    """Bits move down; the highest is 1 if the lowest two were 0."""
    clauses = [clause for old, new in zip(x[1:], y, strict=False) for clause in _equal(old, new)]
    return [*clauses, [-y[-1], -x[0]], [-y[-1], -x[1]], [y[-1], x[0], x[1]]]


def _equal(one: int, other: int) -> tuple[Clause, Clause]:
    return [one, -other], [-one, other]


def _code(bits: int, step: int) -> int:
    """Code after so many shifts from 0."""
    code = 0
    for _ in range(step % (2 * bits - 1)):
        code = code >> 1 | (not code & 3) << (bits - 1)
    return code


def parts_for(turns: int, pace: int) -> list[int]:
    """Cheapest parts whose product is at least ``turns``.

    Examples
    --------
    >>> parts_for(64, 1), parts_for(32, 2), parts_for(200, 2)
    ([2, 5, 7], [2, 3, 7], [2, 3, 5, 7])
    """
    most = max(1, (turns - 1).bit_length())
    odd = [own for size in range(len(ODD) + 1) for own in combinations(ODD, size)]
    powers = [[], *([1 << bits] for bits in range(1, most + 1))]
    choices = [[*power, *own] for own in odd for power in powers]
    enough = [parts for parts in choices if prod(parts) >= max(2, turns)]
    return min(enough, key=lambda parts: (_per_edge(parts, pace), _bits(parts)))


def _per_edge(parts: Sequence[int], pace: int) -> int:
    return sum(register_of(part).per_edge(pace) for part in parts)


def _bits(parts: Sequence[int]) -> int:
    return sum(register_of(part).bits for part in parts)


def clauses_of(problem: Problem) -> int:
    """Bound on the number of clauses."""
    shape = shape_of(problem)
    parts = parts_for(shape.turns, shape.pace)
    return shape.shared + shape.arcs // 2 * _per_edge(parts, shape.pace) + shape.vertices


ENCODING = Encoding(
    name="remainder",
    summary="successors, and steps modulo small numbers whose product is large enough",
    clauses_of=clauses_of,
    encode=encode,
    decode=partial(tour_of, encoding="remainder"),
    solver="cadical195",
)

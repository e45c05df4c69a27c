"""Remainder encoding: steps counted modulo small numbers, by the Chinese remainder theorem.

Several small counters without a common factor take the place of one large counter
(:mod:`kt_cp.encodings.counter`).  Their periods are the *parts*.  The length of a cycle that misses
the start is divisible by every part, hence by their product.  If the product is N or more, there is
no such cycle.  A small counter is cheap, and a solver sees soon where it does not fit.

On a bipartite graph every cycle has an even length, which makes a factor 2 useless.  But the
counters advance at every second step there, so a cycle of length 2 j has j divisible by every part.
A product of N / 2 is enough, and a part 2 counts again: 105 = 3 · 5 · 7 suffices for 210 squares.

The parts are

- 2^k, in binary, k bits and k (k + 1) clauses (:func:`kt_cp.encodings.adder.binary`);
- 3 and 5, in 2 and 3 bits, by a shift register that takes in 1 if its two oldest bits are 0, and 0
  otherwise: 2 L + 1 clauses.  Its other codes lead into its cycle, so none has to be forbidden;
- 7, in 3 bits, by a linear feedback shift register (:mod:`kt_cp.encodings.lfsr`): 8 clauses.

:func:`choose_parts` takes the cheapest choice.

Source: M. J. H. Heule, "Chinese remainder encoding for Hamiltonian cycles", SAT 2021.

Cost: The sum over the counters of all parts.

When it loses: There are no windows, because a remainder hardly bounds a step. The
step at a vertex is known only when all remainders are.

*remainder-short* takes the parts ``FEW`` for every board, and wins on finding.  Where their product
is smaller than the number of vertices, some models have several cycles, all but one of lengths
divisible by the product.  Such models are rare (as Heule noticed) and easily recognized.  They are
excluded by cuts: one arc leaves each cycle but the largest, and one arc enters it.  The solver then
continues, so "no model" still means that there is no tour.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, partial
from itertools import combinations
from math import prod

from kt_cp.encodings.adder import binary
from kt_cp.encodings.cnf import Clause, Cnf, Encoding, shape_of
from kt_cp.encodings.counter import Bits, Counter, add_counters, equal_bits
from kt_cp.encodings.lfsr import shift_register
from kt_cp.encodings.numbering import Numbering
from kt_cp.encodings.successor import TAKES, tour_of, tour_or_cuts
from kt_cp.model.conditions import Given
from kt_cp.model.errors import InputError
from kt_cp.model.problem import Problem

ODD = (3, 5, 7)
FEW = (3, 7)


def encode(problem: Problem, *, parts: Sequence[int] | None = None, **known: bool) -> Cnf:
    """State a problem in the remainder encoding.

    ``parts`` are numbers without a common factor, of 3, 5, 7 and the powers of 2; by default the
    cheapest whose product is large enough.  With a smaller product some models have several cycles.
    ``known`` are the switches of :func:`kt_cp.encodings.counter.add_counters` but ``windows``.

    >>> from kt_cp.model.board import Board
    >>> cnf = encode(Problem(Board(5, 6), closed=True))
    >>> cnf.variables, len(cnf.clauses)
    (357, 1888)
    """

    def counters(steps: Numbering) -> list[Counter]:
        chosen = choose_parts(steps.values, steps.stride) if parts is None else parts
        return [counter_of(part) for part in chosen]

    return add_counters(problem, counters, None, **{**known, "windows": False})


@cache
def counter_of(part: int) -> Counter:
    """Return the counter modulo a part.

    >>> [counter_of(part).bits for part in (2, 3, 4, 5, 7, 8)]
    [1, 2, 2, 3, 3, 3]
    """
    if part in (3, 5):
        bits, codes = (part + 1) // 2, [0]
        while len(codes) < part:
            codes.append(codes[-1] >> 1 | (not codes[-1] & 3) << (bits - 1))
        return Counter(bits, codes, _shift)
    if part == 7:
        return shift_register(3)
    if part < 2 or part & (part - 1):
        raise InputError(f"expected a part of 3, 5, 7 or a power of 2, got {part!r}")
    return binary(part.bit_length() - 1)


def _shift(x: Bits, y: Bits) -> list[Clause]:
    """Shift the bits down; the highest is 1 if the lowest two were 0."""
    return [*equal_bits(x[1:], y[:-1]), [-y[-1], -x[0]], [-y[-1], -x[1]], [y[-1], x[0], x[1]]]


def choose_parts(values: int, stride: int) -> list[int]:
    """Return the cheapest parts whose product is at least ``values``.

    >>> choose_parts(64, 1), choose_parts(32, 2), choose_parts(200, 2)
    ([2, 5, 7], [2, 3, 7], [2, 3, 5, 7])
    """
    most = max(1, (values - 1).bit_length())
    odd = [own for size in range(len(ODD) + 1) for own in combinations(ODD, size)]
    powers = [[], *([1 << bits] for bits in range(1, most + 1))]
    choices = [[*power, *own] for own in odd for power in powers]
    enough = [parts for parts in choices if prod(parts) >= max(2, values)]
    return min(
        enough,
        key=lambda parts: (_per_edge(parts, stride), sum(counter_of(part).bits for part in parts)),
    )


def _per_edge(parts: Sequence[int], stride: int) -> int:
    return sum(counter_of(part).per_edge(stride) for part in parts)


def clauses_of(problem: Problem, parts: Sequence[int] | None = None) -> int:
    """Return an upper bound on the number of clauses."""
    shape = shape_of(problem)
    parts = parts or choose_parts(shape.values, shape.stride)
    return shape.shared + shape.arcs // 2 * _per_edge(parts, shape.stride) + shape.vertices


ENCODING = Encoding(
    name="remainder",
    summary="successors, and steps modulo small numbers whose product is large enough",
    clauses_of=clauses_of,
    encode=encode,
    decode=tour_of,
    takes=TAKES | {Given},
)

SHORT = Encoding(
    name="remainder-short",
    summary="as remainder, modulo fewer: sub-tours are rare, and cut off as they appear",
    clauses_of=partial(clauses_of, parts=FEW),
    encode=partial(encode, parts=FEW),
    decode=tour_or_cuts,
    takes=TAKES,
)

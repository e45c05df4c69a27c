"""Counters: bits at every vertex that advance by one along the arcs of a cycle.

Every vertex but the start has a counter of L bits.  If the tour goes from u to v, the counter of v
is one ahead of the counter of u.  A vertex that follows the start holds the code of step 1.  A
vertex before the start holds the code of step N - 1.  No clause needs to state that the codes
differ: on a cycle that misses the start the counter returns to its first value, so the length of
that cycle is divisible by the counter's period.  If the period is N or more, or the product of the
periods of several counters without a common factor is, then there is no such cycle.  This is the
distance encoding.

Where the parity of the steps is known (:mod:`kt_cp.encodings.numbering`), the counter stands still
on the arcs that leave even steps and advances on those that leave odd ones.  A period of N / 2 is
then enough.

A given step is a code, bit by bit.

Source: N.-F. Zhou, "In pursuit of an efficient SAT encoding for the Hamiltonian cycle problem", CP
2020.  The codes have sources of their own: :mod:`kt_cp.encodings.adder` counts in binary,
:mod:`kt_cp.encodings.lfsr` by a shift register, :mod:`kt_cp.encodings.remainder` modulo several
small numbers.

Cost: Let there be N vertices and A arcs, d edges at the start, f arcs out of it and l arcs into it
that may be used, and c clauses for one advance.  A counter has (N - 1) L variables.  It has (A - 2
d) c + (f + l) L clauses, with known parity (A - 2 d) (L + c / 2) + (f + l) L, and N - 1 more for
each forbidden code.

When it loses: A step is unknown until the path to the start is known.  A solver that works in the
middle of a large board learns nothing from its counters, so about 20 × 20 is the largest board.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from kt_cp.encodings.cardinality import Fresh
from kt_cp.encodings.cnf import Clause, Cnf
from kt_cp.encodings.numbering import Numbering, numbering_of, rooted_successors
from kt_cp.model.cycle import cycle_form
from kt_cp.model.problem import Problem

Bits = Sequence[int]


@dataclass(frozen=True)
class Counter:
    """A counter: its codes and the clauses of an advance."""

    bits: int
    codes: Sequence[int]
    """Bit i of the code of a count is bit i of the counter.  The first code follows the last."""
    advance: Callable[[Bits, Bits], list[Clause]]
    """Clauses by which the second bits hold the code after that of the first bits."""
    forbidden: Sequence[int] = ()  # codes that do not lead into ``codes``

    @property
    def period(self) -> int:
        return len(self.codes)

    def code(self, count: int) -> int:
        return self.codes[count % len(self.codes)]

    @cached_property
    def cost(self) -> int:
        """Return the number of clauses of one advance."""
        bits = range(1, self.bits + 1)
        return len(self.advance(bits, bits))

    def per_edge(self, stride: int) -> int:
        """Return the number of clauses for the two arcs of an edge."""
        return 2 * self.cost if stride == 1 else self.cost + 2 * self.bits


def equal_bits(x: Bits, y: Bits) -> list[Clause]:
    """Return clauses by which bits are pairwise equal."""
    return [clause for a, b in zip(x, y, strict=True) for clause in ([a, -b], [-a, b])]


def literals(bits: Bits, code: int) -> Clause:
    """Return literals that are all true exactly if the bits hold a code."""
    return [bit if code >> i & 1 else -bit for i, bit in enumerate(bits)]


def exclude_code(bits: Bits, code: int) -> Clause:
    """Return the clause by which the bits do not hold a code.

    >>> exclude_code([1, 2, 3], 6)
    [1, -2, -3]
    """
    return [-literal for literal in literals(bits, code)]


def allot(numbering: Numbering, counter: Counter, fresh: Fresh) -> dict[int, list[int]]:
    """Return new variables for the bits of every vertex except the start."""
    return {
        vertex: [fresh() for _ in range(counter.bits)]
        for vertex in numbering.vertices
        if vertex != numbering.start
    }


def count_in_arrays(
    numbering: Numbering,
    arcs: Mapping[tuple[int, int], int],
    counter: Counter,
    bits: Mapping[int, Bits],
) -> Iterator[list[Clause] | NDArray[np.int64]]:
    """Yield clauses as :func:`count` does, as arrays, for all arcs that do not touch the start.

    The bits of a vertex are consecutive variables.
    """
    start, parity = numbering.start, numbering.parity
    at_start = {arc: literal for arc, literal in arcs.items() if start in arc}
    yield list(count(numbering, at_start, counter, bits))
    others = [(literal, *arc) for arc, literal in arcs.items() if arc not in at_start]
    between = np.array(others, dtype=np.int64).reshape(-1, 3)
    lowest = np.zeros(len(numbering.form), dtype=np.int64)
    lowest[[*bits]] = [own[0] for own in bits.values()]
    parities = np.ones(len(lowest)) if parity is None else np.array(parity)
    still = parities[between[:, 1]] == 0
    places = range(1, 2 * counter.bits + 1)
    for relation, chosen in ((equal_bits, between[still]), (counter.advance, between[~still])):
        for clause in relation(places[: counter.bits], places[counter.bits :]):
            columns = [-chosen[:, 0]]
            for literal in clause:
                end, bit = divmod(abs(literal) - 1, counter.bits)
                variable = lowest[chosen[:, 1 + end]] + bit
                columns.append(variable if literal > 0 else -variable)
            yield np.stack(columns, axis=1)


def count(
    numbering: Numbering,
    arcs: Mapping[tuple[int, int], int],
    counter: Counter,
    bits: Mapping[int, Bits],
) -> Iterator[Clause]:
    """Yield clauses by which the counter counts along the cycle through the start."""
    start, parity = numbering.start, numbering.parity
    opening = counter.code(1 // numbering.stride)
    closing = counter.code(numbering.values - 1)
    first, last = set(numbering.first), set(numbering.last)
    for (u, v), arc in arcs.items():
        if u == start:
            if v in first:
                yield from ([-arc, literal] for literal in literals(bits[v], opening))
        elif v == start:
            if u in last:
                yield from ([-arc, literal] for literal in literals(bits[u], closing))
        else:
            still = parity is not None and not parity[u]
            relation = equal_bits if still else counter.advance
            yield from ([-arc, *clause] for clause in relation(bits[u], bits[v]))
    for code in counter.forbidden:
        yield from (exclude_code(own, code) for own in bits.values())


def add_counters(
    problem: Problem,
    counters: Callable[[Numbering], Sequence[Counter]],
    within: Callable[[Counter, Bits, range, int], Iterator[Clause]] | None = None,
    *,
    orientation: bool = True,
    parity: bool = True,
    windows: bool = True,
    corners: bool = True,
) -> Cnf:
    """State a problem by successors and the counters that its numbering needs.

    ``within`` returns the clauses by which a counter holds one of a range of counts, given their
    total number.  :mod:`kt_cp.encodings.numbering` describes what strengthens the formula.
    """
    numbering = numbering_of(
        cycle_form(problem), orientation=orientation, parity=parity, windows=windows
    )
    shared = rooted_successors(numbering, corners=corners)
    clauses = list(shared.clauses)
    for counter in counters(numbering):
        bits = allot(numbering, counter, shared.fresh)
        clauses += count(numbering, shared.number, counter, bits)
        if within is not None and numbering.windows is not None:
            for vertex, own in bits.items():
                early, late = (step // numbering.stride for step in numbering.windows[vertex])
                clauses += within(counter, own, range(early, late + 1), numbering.values)
        for vertex, step in numbering.known.items():
            code = counter.code(step // numbering.stride)
            clauses += ([literal] for literal in literals(bits[vertex], code))
    return Cnf(problem, max(1, shared.fresh.top), clauses, shared)

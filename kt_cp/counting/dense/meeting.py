"""The meeting of two halves of a board: count the pairs of their states that make one cycle.

**Partners.**  The upper half has all edges above the two rows in the slots; the lower half, which
was swept from the last row on, has all edges below; and each has half of the edges between the two
rows.  If two states fit, every slot has in one half the edges that it lacks in the other.  So each
pattern has one partner, with the slots in opposite order.  For a missing square each half has its
own waiting digit.  If the halves are mirror images, one array serves as both; then each pair of
patterns occurs twice, and half of the pairs are enough.

**Cycles.**  The count is the sum of F(M) G(N) over the pairs of matchings M and N of 2k points with
one cycle as their union.  There are (2k - 1)!!² pairs.  But the leading digit b of N means that b
and the highest point are partners.  This joins two paths of M, as an edge would, and it leaves
matchings of k - 1 pairs on both sides:

    sum over F, G of k pairs  =  sum over b of (sum over F joined at b and the top, part b of G)

At two pairs the three products are written out.  This takes k² (2k - 1)!! additions.  Parts of G
that are all 0 are skipped.

Sums have 64 bits if bounds show that this is enough; products and their sums have 128 bits, with a
flag for overflow.  Source: B. D. McKay counted the closed tours of 8×8 by meeting in the middle
(Knight's tours of an 8×8 chessboard, 1997); the recursion is ours.  Importing this loads Numba; its
compiled code is cached.
"""

from __future__ import annotations

from queue import SimpleQueue
from typing import TYPE_CHECKING, Any

import numpy as np
from numba import njit

from kt_cp.counting.dense.halves import (
    Half,
    Turn,
    first_digits,
    first_square_in,
    is_light,
    slot_of,
    sweep_steps,
)
from kt_cp.counting.dense.matchings import (
    JOIN,
    MATCHINGS,
    POINTS,
    Key,
    Layout,
    digit_contributions,
    rank,
    unrank,
)
from kt_cp.counting.dense.state_array import block, join
from kt_cp.search.bits import product

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kt_cp.counting.dense.matchings import MatchingTables
    from kt_cp.counting.dense.state_array import StateArray, Threads


HIGH, LOWER, OVER = range(3)
"""The parts of a sum: two words, and an overflow flag."""


@njit(cache=True, nogil=True)
def reversal(pairs: int, depot: int, table: Any) -> None:
    """Write the number of each matching with its points in opposite order; the depot stays."""
    mate = np.zeros(POINTS, np.int64)
    turned = np.zeros(POINTS, np.int64)
    left = np.zeros(POINTS, np.int64)
    last = 2 * pairs - 1
    for number in range(MATCHINGS[pairs]):
        unrank(number, pairs, mate, left)
        for point in range(2 * pairs):
            one, other = last - depot - point, last - depot - mate[point]
            turned[last if one < 0 else one] = last if other < 0 else other
        table[number] = rank(turned, pairs)


@njit(cache=True, nogil=True, forceinline=True)
def add(total: Any, one: Any, other: Any, modulus: Any) -> None:
    """Add a product to a sum."""
    if modulus:
        total[LOWER] = (total[LOWER] + one * (other % modulus) % modulus) % modulus
        return
    high, low = product(one, other)
    total[LOWER] += low
    if total[LOWER] < low:
        high += np.uint64(1)  # the high word of a product is never the largest one
    total[HIGH] += high
    if total[HIGH] < high:
        total[OVER] = 1


@njit(cache=True, nogil=True)
def cycles(
    pairs: Any, scratch: Any, begins: Any, second: Any, ranks: Any, modulus: Any, total: Any
) -> None:
    """Add the products of two blocks over the pairs of matchings that make one cycle.

    The first block of k pairs is in ``scratch`` from ``begins[k]`` on; the entries before it are a
    workspace for the joined blocks.
    """
    if pairs == 1:
        add(total, scratch[1], second[0], modulus)
        return
    digit = np.zeros(POINTS, np.int64)
    level = pairs
    at = 0  # index in the second block
    while level <= pairs:
        if level == 2:
            a, b, c = second[at], second[at + 1], second[at + 2]
            add(total, scratch[2], b + c, modulus)
            add(total, scratch[3], a + c, modulus)
            add(total, scratch[4], a + b, modulus)
            at += 3
            level = 3
        elif digit[level] == 2 * level - 1:
            digit[level] = 0
            level += 1
        else:
            many = MATCHINGS[level - 1]
            begin = ranks.at[JOIN, level, digit[level], 2 * level - 1]
            digit[level] += 1
            lives = False
            for r in range(at, at + many):
                if second[r]:
                    lives = True
                    break
            if not lives:
                at += many
                continue
            source, target = scratch[begins[level] :], scratch[begins[level - 1] :]
            wide = 2 * (level - 1)
            for r in range(many):
                value = np.uint64(0)
                for x in range(wide):
                    value += source[ranks.numbers[begin + x]]
                begin += wide
                target[r] = value % modulus if modulus else value
            level -= 1


def join_table_keys(most: int) -> set[Key]:
    """Return the tables that the recursion needs."""
    return {
        (JOIN, pairs, point, 2 * pairs - 1)
        for pairs in range(3, most + 1)
        for point in range(2 * pairs - 1)
    }


PARTS = 256
SMALL = 500_000
"""Parts of the sum for threads, and the most entries for which there is one part."""

WHOLE = 8
"""Pairs up to which all tables of the recursion fit in memory together."""


@njit(cache=True, nogil=True)
def meet_part(
    values: Any, live: Any, at: Any, others: Any, other_live: Any, other_at: Any,
    partner_low: Any, partner_high: Any, turned: Any, begins: Any, same: Any,
    modulus: Any, ranks: Any, high: Any, totals: Any, scratch: Any, second: Any,
) -> None:  # fmt: skip
    """Sum over the patterns with some high digits.

    ``totals`` has two rows: the sum that counts once, and the sum that counts twice if both arrays
    are the ``same``.  ``scratch`` and ``second`` are as for :func:`cycles`.
    """
    lows = at.low.sums.shape[0]
    for h in high:
        for q in range(lows):
            pattern = h * lows + q
            if not live[pattern]:
                continue
            partner = partner_high[h] + partner_low[q]
            if not other_live[partner] or (same and partner < pattern):
                continue
            pairs = (np.int64(at.high.counts[h] + at.low.counts[q]) + at.depot) // 2
            if pairs == 0:
                continue
            start, begin = block(at, pattern), block(other_at, partner)
            for r in range(MATCHINGS[pairs]):
                scratch[begins[pairs] + r] = values[start + r]
                second[r] = others[begin + np.int64(turned[begins[pairs] + r])]
            row = 1 if same and partner != pattern else 0
            cycles(pairs, scratch, begins, second, ranks, modulus, totals[row])


def fits(upper: NDArray[np.uint64], lower: NDArray[np.uint64]) -> bool:
    """Return whether all sums before the products fit in 64 bits."""
    factor = 1
    for pairs in range(1, len(MATCHINGS)):
        factor *= 2 * (pairs - 1) if pairs > 2 else 1
        if int(upper[pairs]) * factor >= 1 << 64:
            return False
    return 2 * int(lower.max()) < 1 << 64


def meet(
    upper: StateArray,
    lower: StateArray,
    partners: tuple[Any, Any],
    tables: MatchingTables,
    threads: Threads,
) -> int:
    """Count the ways to make one cycle from a state of each half.

    The depot is an end in both ``upper`` and ``lower``, or in neither.  ``partners`` has the
    contributions of the low and the high digits of a pattern to its partner's number.
    """
    modulus = upper.modulus
    if not modulus and not fits(upper.largest, lower.largest):
        raise OverflowError
    most = max(pairs for pairs in range(len(MATCHINGS)) if upper.largest[pairs] or pairs == 0)
    found = 0
    while most > WHOLE:
        found += _by_digits(upper, lower, partners, most, tables)
        most -= 1
    tables.require(join_table_keys(most))
    begins = np.cumsum(MATCHINGS[: most + 1]) - MATCHINGS[: most + 1]
    turned = np.empty(int(MATCHINGS[: most + 1].sum()), dtype=np.uint32)
    longest = int(MATCHINGS[most])
    for pairs in range(1, most + 1):
        begin = begins[pairs]
        reversal(pairs, upper.at.depot, turned[begin : begin + MATCHINGS[pairs]])
    same = upper is lower
    chosen = np.arange(len(upper.at.high.sums))
    many = 1 if upper.entries < SMALL else PARTS
    parts = [part for first in range(many) if len(part := chosen[first::many])]
    totals = [np.zeros((2, 3), dtype=np.uint64) for _ in parts]
    scratches: SimpleQueue[Any] = SimpleQueue()
    for _ in range(threads.workers):
        scratches.put(tuple(np.empty(length, dtype=np.uint64) for length in (len(turned), longest)))

    def run(part: Any, total: Any) -> None:
        scratch = scratches.get()
        meet_part(
            upper.values, upper.live, upper.at, lower.values, lower.live, lower.at,
            *partners, turned, begins, same, np.uint64(modulus), tables.ranks, part, total,
            *scratch,
        )  # fmt: skip
        scratches.put(scratch)

    threads(run, list(zip(parts, totals, strict=True)))
    if any(total[:, OVER].any() for total in totals):
        raise OverflowError
    once, twice = (
        sum((int(total[row, HIGH]) << 64) + int(total[row, LOWER]) for total in totals)
        for row in range(2)
    )
    return found + once + 2 * twice


def _by_digits(
    upper: StateArray,
    lower: StateArray,
    partners: tuple[Any, Any],
    pairs: int,
    tables: MatchingTables,
) -> int:
    """Count the cycles of the pattern in which all slots are ends, and drop it.

    The first level of the recursion has a table for each digit, as large as all others together, so
    the tables are made one after the other.
    """
    h, q = int(upper.at.high.counts.argmax()), int(upper.at.low.counts.argmax())
    pattern, partner = h * len(upper.at.low.sums) + q, int(partners[1][h] + partners[0][q])
    if not (upper.live[pattern] and lower.live[partner]):
        return 0
    turned = np.empty(int(MATCHINGS[pairs]), dtype=np.uint32)
    reversal(pairs, upper.at.depot, turned)
    start, begin = block(upper.at, pattern), block(lower.at, partner)
    first = upper.values[start : start + len(turned)].astype(np.uint64)
    second = lower.values[begin : begin + len(turned)].astype(np.uint64)[turned]
    upper.live[pattern] = 0
    begins = np.cumsum(MATCHINGS[:pairs]) - MATCHINGS[:pairs]
    scratch = np.empty(int(MATCHINGS[:pairs].sum()), dtype=np.uint64)
    total, modulus = np.zeros(3, dtype=np.uint64), np.uint64(upper.modulus)
    inner, last = int(MATCHINGS[pairs - 1]), 2 * pairs - 1
    for digit in range(last):
        tables.require({(JOIN, pairs, digit, last), *join_table_keys(pairs - 1)})
        ranks, at = tables.ranks, begins[pairs - 1]
        join(first, 0, scratch, at, pairs, digit, last, ranks, False, modulus)
        part = second[digit * inner : (digit + 1) * inner]
        cycles(pairs - 1, scratch, begins, part, ranks, modulus, total)
    if total[OVER]:
        raise OverflowError
    return (int(total[HIGH]) << 64) + int(total[LOWER])


def partner_digits(upper: Half, lower: Half) -> list[list[int]]:
    """Return the map from digits of each slot of a half to digits of its slot in the other half.

    The other half may be the first one again, as its own mirror image.
    """
    waits, others = _waiting(upper), _waiting(lower)
    colours = [_colours(half) for half in (upper, lower)]
    found = []
    for slot in range(2 * upper.width):
        other = 2 * upper.width - 1 - slot
        if slot in waits:
            found.append([others[other]] * 3)
        else:
            # The degrees add up to 2; if the colours differ, that is the same digit.
            turned = colours[0][slot] == colours[1][other]
            found.append([2, 1, 0] if turned else [0, 1, 2])
    return found


def partner_parts(
    upper: Layout, lower: Layout, partners: list[list[int]]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the contributions of low and high digits of a pattern to its partner's number."""
    weights = lower.weights[::-1].tolist()
    worth = [[digit * weights[slot] for digit in each] for slot, each in enumerate(partners)]
    return digit_contributions(upper, worth)


def _waiting(half: Half) -> dict[int, int]:
    """Return the digits of the slots without a square at the end."""
    first = first_digits(half)
    waits = {
        slot: digit
        for slot, digit in enumerate(first)
        if half.square(*first_square_in(half, slot)) is None
    }
    for row in sweep_steps(half):
        for step in row:
            if isinstance(step, Turn) and step.after is None:
                waits[step.slot] = step.stay[0]
            elif isinstance(step, Turn):
                waits.pop(step.slot, None)
    return waits


def _colours(half: Half) -> dict[int, bool]:
    """Return for each slot whether its square at the end is light."""
    found = {}
    for row in (half.rows - 1, half.rows):
        for column in range(half.width):
            square = half.square(row, column)
            if square is not None:
                found[slot_of(half, row, column)] = is_light(square)
    return found

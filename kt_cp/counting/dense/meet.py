"""Two halves of a board meet: how many pairs of their states make one cycle.

The upper half has all edges above the two rows in the slots; the lower half, which was swept from
the last row on, has all edges below; and each has half of the edges between the two rows.  In two
states that fit, every slot has in one half the edges that it lacks in the other.  So each pattern
has one partner; and of their matchings those pairs count that make one cycle (see ``cycles``).

Where the halves are mirror images of each other, one array serves as both.  Then each pair of
patterns occurs twice, and half of the pairs are enough.

Sums are of 64 bits where bounds say that they suffice, and products and their sums of 128 bits.
Source: meeting in the middle is how B. D. McKay counted the closed tours of 8×8 (Knight's tours of
an 8×8 chessboard, 1997).  Importing this loads Numba; compiled code is kept beside the source.
"""

from __future__ import annotations

from queue import SimpleQueue
from typing import TYPE_CHECKING, Any

import numpy as np
from numba import njit

from kt_cp.counting.dense.array import block, join
from kt_cp.counting.dense.matchings import JOIN, MATCHINGS
from kt_cp.counting.dense.meeting import HIGH, LOWER, OVER, cycles, join_keys, reversal

if TYPE_CHECKING:
    from kt_cp.counting.dense.array import States, Threads
    from kt_cp.counting.dense.matchings import Tables

PARTS = 256
SMALL = 500_000
"""Parts of the sum, for threads to end together, and entries up to which there is one."""

WHOLE = 8
"""Pairs up to which all tables of the recursion have room together."""


@njit(cache=True, nogil=True)
def meet_part(
    values: Any, live: Any, at: Any, others: Any, other_live: Any, other_at: Any,
    partner_low: Any, partner_high: Any, turned: Any, begins: Any, same: Any,
    modulus: Any, ranks: Any, high: Any, totals: Any, room: Any, second: Any,
) -> None:  # fmt: skip
    """Sum over the patterns with some high digits.

    ``totals`` has two rows: what counts once, and what counts twice where both are the ``same``.
    ``room`` and ``second`` are as for :func:`cycles`.
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
                room[begins[pairs] + r] = values[start + r]
                second[r] = others[begin + np.int64(turned[begins[pairs] + r])]
            row = 1 if same and partner != pattern else 0
            cycles(pairs, room, begins, second, ranks, modulus, totals[row])


def fits(upper: Any, lower: Any) -> bool:
    """Whether no sum before the products can be too large for 64 bits."""
    factor = 1
    for pairs in range(1, len(MATCHINGS)):
        factor *= 2 * (pairs - 1) if pairs > 2 else 1
        if int(upper.largest[pairs]) * factor >= 1 << 64:
            return False
    return 2 * int(lower.largest.max()) < 1 << 64


def meet(
    upper: States, lower: States, partners: tuple[Any, Any], tables: Tables, threads: Threads
) -> int:
    """How many ways there are to make one cycle of a state of each half.

    Parameters
    ----------
    upper, lower : States
        Both with the depot as an end, or neither.
    partners : pair of arrays
        What the low digits of a pattern and the high ones add to its partner's number.

    Raises
    ------
    OverflowError
        If numbers may be too large.
    """
    modulus = upper.modulus
    if not modulus and not fits(upper, lower):
        raise OverflowError
    most = max(pairs for pairs in range(len(MATCHINGS)) if upper.largest[pairs] or pairs == 0)
    found = 0
    while most > WHOLE:
        found += _by_digits(upper, lower, partners, most, tables)
        most -= 1
    tables.want(join_keys(most))
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
    rooms: SimpleQueue[Any] = SimpleQueue()
    for _ in range(threads.workers):
        rooms.put(tuple(np.empty(length, dtype=np.uint64) for length in (len(turned), longest)))

    def run(part: Any, total: Any) -> None:
        room = rooms.get()
        meet_part(
            upper.values, upper.live, upper.at, lower.values, lower.live, lower.at,
            *partners, turned, begins, same, np.uint64(modulus), tables.ranks, part, total, *room,
        )  # fmt: skip
        rooms.put(room)

    threads(run, list(zip(parts, totals, strict=True)))
    if any(total[:, OVER].any() for total in totals):
        raise OverflowError
    once, twice = (
        sum((int(total[row, HIGH]) << 64) + int(total[row, LOWER]) for total in totals)
        for row in range(2)
    )
    return found + once + 2 * twice


def _by_digits(
    upper: States, lower: States, partners: tuple[Any, Any], pairs: int, tables: Tables
) -> int:
    """What the pattern counts in which all slots are ends; it is dropped.

    The tables of the first level of the recursion are as many as it has digits, and each as large
    as all others together: so they are made one after the other.
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
    room = np.empty(int(MATCHINGS[:pairs].sum()), dtype=np.uint64)
    total, modulus = np.zeros(3, dtype=np.uint64), np.uint64(upper.modulus)
    inner, last = int(MATCHINGS[pairs - 1]), 2 * pairs - 1
    for digit in range(last):
        tables.want({(JOIN, pairs, digit, last), *join_keys(pairs - 1)})
        ranks, at = tables.ranks, begins[pairs - 1]
        join(first, 0, room, at, pairs, digit, last, ranks, False, modulus)
        part = second[digit * inner : (digit + 1) * inner]
        cycles(pairs - 1, room, begins, part, ranks, modulus, total)
    if total[OVER]:
        raise OverflowError
    return (int(total[HIGH]) << 64) + int(total[LOWER])

"""States of a boundary as places of one array: patterns of degrees, and where their blocks begin.

Edges are added to the board one at a time.  Two rows of squares, the *slots*, can still get edges.
What matters of the edges so far is the degree of each slot (0, 1 or 2), and which slots of degree 1
are the two ends of the same path: a perfect matching of them.  So a state is a *pattern* of degrees
and a matching, and the array has a block for each pattern with an entry for each matching.

No state is stored, hashed or compared: its place is computed.  A pattern is a number with a digit
to base 3 for each slot.  On a dark square the digit is the degree, on a light one 2 less the
degree.  An edge joins a dark square and a light one, so it leaves the sum of the digits as it is.
This sum is known beforehand, and only patterns with this sum have a block: on two rows of 8, 5.2 of
43 million.  The digits of a dark square with all its edges and of a light one with none are the
same, so when a square is done the next one in its slot, of the other colour, takes the block over.

A block with 2k ends, the *depot* of an open tour among them, has (2k - 1)!! entries (see
``matchings``).  Patterns are split into low digits, those of the first eight slots unless others
are asked for (see ``phases``), and the rest.  Within one choice of the high digits, the place of a
block depends on the low digits, the sum that is left for them, and the number of ones above.  So
two small tables stand for one of 43 million rows.

Source: degrees and matchings are the states of every count of Hamiltonian cycles by a moving
boundary.  The dense array and the digits by colour are of this package.  Cost: 430 million entries
for width 8, 18 million for 7, 0.85 million for 6.  When it loses: if few states occur; the array
has room for all.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

LOW = 8
"""Digits of a pattern that are looked up together: 6,561 numbers."""

MOST_SLOTS = 16
"""Of two rows of eight."""

MATCHINGS = np.array([1, 1, 3, 15, 105, 945, 10395, 135135, 2027025, 34459425], dtype=np.int64)
"""Perfect matchings of 2k points, (2k - 1)!!, by k."""


class Digits(NamedTuple):
    """Numbers of some digits to base 3, by their value."""

    ones: NDArray[np.int32]
    """The slots whose digits are 1, as bits."""
    counts: NDArray[np.int32]
    """How many are 1."""
    sums: NDArray[np.int32]


def digits(slots: Iterable[int]) -> Digits:
    """All numbers with a digit for each of some slots, the first of them the lowest.

    Examples
    --------
    >>> every = digits(range(2))
    >>> every.ones.tolist(), every.sums.tolist()
    ([0, 1, 0, 2, 3, 2, 0, 1, 0], [0, 1, 2, 1, 2, 3, 2, 3, 4])
    """
    ones = counts = sums = np.zeros(1, dtype=np.int32)
    for slot in slots:
        bit = np.int32(1 << slot)
        ones = np.concatenate([ones, ones | bit, ones])
        counts = np.concatenate([counts, counts + 1, counts])
        sums = np.concatenate([sums, sums + 1, sums + 2])
    return Digits(ones, counts.astype(np.int32), sums.astype(np.int32))


class Layout(NamedTuple):
    """Where the block of each pattern begins.

    The block of the pattern with high digits h and low digits q begins at ``starts[h] +
    within[total - high.sums[h], high.counts[h], q]``, if its digits have the right sum.
    """

    starts: NDArray[np.int64]
    within: NDArray[np.int32]
    low: Digits
    high: Digits
    total: int
    """Sum of the digits of a pattern."""
    depot: int
    """1 if the depot is an end too, the last one of all; else 0."""
    weights: NDArray[np.int64]
    """What a digit of 1 adds to the number of a pattern, by its slot."""


@cache
def layout(slots: int, total: int, depot: int) -> tuple[Layout, int]:
    """The layout of an array, and how many entries it has.

    Parameters
    ----------
    slots : int
        Digits of a pattern, at most 16.
    total : int
        Their sum; it is odd if and only if ``depot`` is 1, as the number of ends is even.

    Examples
    --------
    >>> [layout(2 * width, 2 * width, 0)[1] for width in (3, 6, 7, 8)]
    [215, 845691, 18006417, 429658515]
    """
    return laid_out(range(min(LOW, slots)), range(LOW, slots), total, depot)


def laid_out(
    lower: Sequence[int], upper: Sequence[int], total: int, depot: int
) -> tuple[Layout, int]:
    """The same with any slots for the low digits, and the others for the high ones."""
    low, high = digits(lower), digits(upper)
    most = 2 * len(lower) + 1, len(upper) + 1
    within = np.zeros((*most, len(low.sums)), dtype=np.int32)
    starts = np.zeros(len(high.sums), dtype=np.int64)
    entries = 0
    for h, (above, spent) in enumerate(zip(high.counts.tolist(), high.sums.tolist(), strict=True)):
        left = total - spent
        starts[h] = entries
        if not 0 <= left < len(within):
            continue
        row = within[left, above]
        if not row.any():
            chosen = np.flatnonzero(low.sums == left)
            ends = low.counts[chosen] + above + depot
            row[chosen] = np.cumsum(MATCHINGS[ends // 2])  # where it ends, for now
        entries += int(row.max())
    for left, above in np.ndindex(most):
        row = within[left, above]
        chosen = np.flatnonzero(row)
        row[chosen] -= MATCHINGS[(low.counts[chosen] + above + depot) // 2]
    weights = np.zeros(len(lower) + len(upper), dtype=np.int64)
    weights[[*lower, *upper]] = 3 ** np.arange(len(weights))
    return Layout(starts, within, low, high, total, depot, weights), entries


def parts_of(
    at: Layout, worth: Sequence[Sequence[int]]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """What the low digits of patterns and the high ones are worth, if each digit of a slot is.

    Examples
    --------
    >>> low, high = parts_of(layout(9, 9, 0)[0], [[0, 5, 7]] * 9)
    >>> low[:4].tolist(), high.tolist()
    ([0, 5, 7, 5], [0, 5, 7])
    """
    parts = [np.zeros(1, dtype=np.int64), np.zeros(1, dtype=np.int64)]
    for slot in np.argsort(at.weights).tolist():
        high = int(at.weights[slot]) >= len(at.low.sums)
        parts[high] = np.concatenate([parts[high] + each for each in worth[slot]])
    return parts[0], parts[1]


def place(at: Layout, pattern: int) -> tuple[int, int]:
    """Where the block of a pattern begins, and its number of pairs of ends.

    Examples
    --------
    >>> at, entries = layout(4, 4, 0)
    >>> place(at, 1 + 3 + 9 + 27), place(at, 2 + 6), entries
    ((9, 2), (0, 0), 21)
    """
    h, q = divmod(pattern, len(at.low.sums))
    above = int(at.high.counts[h])
    start = at.starts[h] + at.within[at.total - at.high.sums[h], above, q]
    return int(start), (int(at.low.counts[q]) + above + at.depot) // 2


def empty(slots: int, entries: int, kind: Any = np.uint32) -> tuple[Any, NDArray[np.uint8]]:
    """An array of values, and a byte a pattern that says whether its block holds anything yet."""
    return np.empty(entries, dtype=kind), np.zeros(3**slots, dtype=np.uint8)

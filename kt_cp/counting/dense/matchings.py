"""States of a boundary as indices of one array: patterns of degrees, and matchings by their ranks.

Edges are added to the board one at a time.  Two rows of squares, the *slots*, can still get edges.
Two facts about the edges so far matter: the degree of each slot (0, 1 or 2), and which slots of
degree 1 are the two ends of the same path, a perfect matching.  So a state is a *pattern* of
degrees and a matching, and the array has a block for each pattern with an entry for each matching.

**Patterns.**  No state is stored, hashed or compared: its index is computed.  A pattern is a number
with a digit to base 3 for each slot.  On a dark square the digit is the degree, on a light one 2
less the degree.  An edge joins a dark square and a light one, so it leaves the sum of the digits as
it is.  This sum is known beforehand, and only patterns with this sum have a block: on two rows of
8, 5.2 of 43 million.  The digits of a dark square with all its edges and of a light one with none
are the same, so when a square is done the next one in its slot, of the other colour, takes over the
block.

A block with 2k ends, the *depot* of an open tour among them, has (2k - 1)!! entries.  Patterns are
split into low digits, usually those of the first eight slots (but see ``on_disk``), and the rest.
Within one choice of the high digits, the start of a block depends on the low digits, the sum that
is left for them, and the number of ones above.  So two small tables replace one of 43 million rows.

**Matchings.**  A perfect matching of 2k points is a number below (2k - 1)!!.  Its leading digit, to
base 2k - 1, is the partner of the highest point; the rest is the number of the matching of the
2k - 2 remaining points.  The effect of an edge on a matching depends only on the number of pairs
and on the points that the edge touches.  Three kinds of tables describe it, each indexed by the
numbers of the matchings after the edge:

- ``JOIN``: the points i < j of a matching of k pairs become inner points of one path.  A matching
  of k - 1 pairs comes from those in which i and j are the partners of the two points of a pair:
  from 2(k - 1) matchings, two for each of its pairs.  If i and j are partners of each other, a
  cycle would close; no matching of the table has this.
- ``PAIR``: the points i < j are added as a pair of their own.  Matching number r of the k - 1 other
  pairs becomes the one in the table.
- ``RENAME``: the point i is removed, and its partner gets the new point j.

The leading digit after the edge divides a table into parts.  In a part, the highest point has the
same partner before the edge, or it is joined to i or j.  So a part is a table of one pair less, and
a constant.

Tables for few pairs stay; those for most pairs are used for a step or two and then replaced.  All
are parts of one array of 32-bit numbers.  A table of eight pairs takes longer to make than the few
blocks that use it take to join, so most joins of eight pairs read smaller ones (``join_keys``).

Source: degrees and matchings are the states of every count of Hamiltonian cycles by a moving
boundary.  The dense array and the digits by colour are ours.  Cost: 430 million entries
for width 8, 18 million for 7, 0.85 million for 6; tables take 5 ns an entry and more in new memory,
with 36 million for seven pairs and fewer, 1.9 million for each ``JOIN`` of eight.  When it loses:
if few states occur; the array has an entry for each.  Importing this loads Numba; its compiled code
is cached.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numba import njit

from kt_cp.search.bits import bit_count, highest_bit

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    Numbers = NDArray[np.uint32]

LOW = 8
"""Digits of a pattern in one table: 6,561 numbers."""

MOST_SLOTS = 16
"""Slots of two rows of eight."""

MATCHINGS = np.array([1, 1, 3, 15, 105, 945, 10395, 135135, 2027025, 34459425], dtype=np.int64)
"""Perfect matchings of 2k points, (2k - 1)!!, by k."""


class Digits(NamedTuple):
    """The numbers of a given number of base-3 digits, indexed by value."""

    ones: NDArray[np.int32]  # the slots with digit 1, as bits
    counts: NDArray[np.int32]  # the number of digits 1
    sums: NDArray[np.int32]


def digits(slots: Iterable[int]) -> Digits:
    """Return all numbers with a digit for each of some slots, the first of them the lowest.

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
    """The start of the block of each pattern.

    The block of the pattern with high digits h and low digits q begins at ``starts[h] +
    within[total - high.sums[h], high.counts[h], q]``, if its digits have the right sum.
    """

    starts: NDArray[np.int64]
    within: NDArray[np.int32]
    low: Digits
    high: Digits
    total: int  # sum of the digits of a pattern
    depot: int  # 1 if the depot is an end too, the last one of all; else 0
    weights: NDArray[np.int64]  # the contribution of a digit 1 to the pattern's number, by slot


@cache
def layout(slots: int, total: int, depot: int) -> tuple[Layout, int]:
    """Return the layout of an array, and its number of entries.

    ``total``, the sum of the digits, is odd if and only if ``depot`` is 1, as ends are in pairs.

    Examples
    --------
    >>> [layout(2 * width, 2 * width, 0)[1] for width in (3, 6, 7, 8)]
    [215, 845691, 18006417, 429658515]
    """
    return layout_of_digits(range(min(LOW, slots)), range(LOW, slots), total, depot)


def layout_of_digits(
    lower: Sequence[int], upper: Sequence[int], total: int, depot: int
) -> tuple[Layout, int]:
    """Return the layout with the given slots as low digits and the others as high digits."""
    low, high = digits(lower), digits(upper)
    most = 2 * len(lower) + 1, len(upper) + 1
    within = np.zeros((*most, len(low.sums)), dtype=np.int32)
    sizes, sizes_of_high = np.zeros(most, dtype=np.int64), np.zeros(len(high.sums), dtype=np.int64)
    left = total - high.sums
    fits = np.flatnonzero((left >= 0) & (left < len(within)))
    pairs = left[fits], high.counts[fits]
    for rest, above in {*zip(*(each.tolist() for each in pairs), strict=True)}:
        chosen = np.flatnonzero(low.sums == rest)
        each = MATCHINGS[(low.counts[chosen] + above + depot) // 2]
        within[rest, above, chosen] = np.cumsum(each) - each
        sizes[rest, above] = each.sum()
    sizes_of_high[fits] = sizes[pairs]
    ends = np.cumsum(sizes_of_high)
    weights = np.zeros(len(lower) + len(upper), dtype=np.int64)
    weights[[*lower, *upper]] = 3 ** np.arange(len(weights))
    starts = ends - sizes_of_high
    return Layout(starts, within, low, high, total, depot, weights), int(ends[-1])


def digit_contributions(
    at: Layout, worth: Sequence[Sequence[int]]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the sums of the contributions of the digits, for all low parts and all high parts.

    Examples
    --------
    >>> low, high = digit_contributions(layout(9, 9, 0)[0], [[0, 5, 7]] * 9)
    >>> low[:4].tolist(), high.tolist()
    ([0, 5, 7, 5], [0, 5, 7])
    """
    parts = [np.zeros(1, dtype=np.int64), np.zeros(1, dtype=np.int64)]
    for slot in np.argsort(at.weights).tolist():
        high = int(at.weights[slot]) >= len(at.low.sums)
        parts[high] = np.concatenate([parts[high] + each for each in worth[slot]])
    return parts[0], parts[1]


def place(at: Layout, pattern: int) -> tuple[int, int]:
    """Return where the block of a pattern begins, and its number of pairs of ends.

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


JOIN, PAIR, RENAME = range(3)

POINTS = 20
"""The most points of a matching, plus two."""

STAYING_PAIRS = 7
"""Pairs up to which all tables stay."""

PASSING_ENTRIES = {8: 40_000_000, 9: 300_000_000}
"""Entries for tables of more pairs, which are replaced from step to step, by the most pairs."""

Key = tuple[int, int, int, int]
"""Kind, pairs, i and j."""


@njit(cache=True, nogil=True, inline="never")
def unrank(number: int, pairs: int, mate: NDArray[np.int64], left: NDArray[np.int64]) -> None:
    """Write the partner of each point in the matching of a number; ``left`` is a workspace."""
    points = 2 * pairs
    for point in range(points):
        left[point] = point
    for t in range(pairs, 0, -1):
        digit = number // MATCHINGS[t - 1]
        number -= digit * MATCHINGS[t - 1]
        top, partner = left[points - 1], left[digit]
        mate[top] = partner
        mate[partner] = top
        for point in range(digit, points - 2):
            left[point] = left[point + 1]
        points -= 2


@njit(cache=True, nogil=True, forceinline=True)
def rank(mate: NDArray[np.int64], pairs: int) -> Any:
    """Return the number of a matching."""
    one = np.uint64(1)
    left = (one << np.uint64(2 * pairs)) - one
    number = np.int64(0)
    for t in range(pairs, 1, -1):
        top = highest_bit(left)
        partner = np.uint64(mate[top])
        left ^= (one << top) | (one << partner)
        below = left & ((one << partner) - one)
        number += np.int64(bit_count(below)) * MATCHINGS[t - 1]
    return number


@njit(cache=True, nogil=True, forceinline=True)
def splits_by_top(pairs: Any, j: Any) -> Any:
    """Return whether a join of points up to j uses the tables of one pair less."""
    return pairs > STAYING_PAIRS and j < 2 * pairs - 1


def table_entries(key: Key) -> int:
    """Return the number of entries of a table."""
    kind, pairs, _, _ = key
    inner = pairs if kind == RENAME else pairs - 1
    return int(MATCHINGS[inner]) * (2 * inner if kind == JOIN else 1)


def make_table(key: Key, find: Callable[[Key], Numbers]) -> Numbers:
    """Return the table of a key; ``find`` returns other tables of as many pairs, or of fewer."""
    kind, pairs, i, j = key
    top, each = 2 * pairs - 1, int(MATCHINGS[pairs - 1])
    same = np.arange(each, dtype=np.uint32)
    # the points before the edge, in the order of those after it
    names = [point for point in range(top + 1) if point != i and (point != j or kind == RENAME)]
    if kind == RENAME:
        if i == j:
            return np.arange(MATCHINGS[pairs], dtype=np.uint32)
        if i == top:
            table = np.empty(MATCHINGS[pairs], dtype=np.uint32)
            table[find((RENAME, pairs, j, i))] = np.arange(len(table))
            return table
        names.insert(j, i)
    elif j == top:
        if kind == PAIR:
            return same + i * each
        table = np.empty((each, len(names)), dtype=np.uint32)
        for q, n in enumerate(names):
            np.add(find((RENAME, pairs - 1, i - (n < i), q)), n * each, out=table[:, q])
        return table.ravel()

    def pair(one: int, other: int) -> Numbers:
        """Return the numbers of the others as those of matchings with a pair, without the top."""
        return find((PAIR, pairs - 1, min(one, other), max(one, other)))

    found = []
    for digit, n in enumerate(names[:-1]):  # the partner of the highest point after the edge
        lower = pairs - 1, i - (n < i), j - (digit < j if kind == RENAME else n < j)
        if kind == PAIR:
            found.append(find((PAIR, *lower)) + n * each)
        elif kind == JOIN:
            ends = pair(j - 1, n - (n > i)) + i * each, pair(i, n - (n > j)) + j * each
            rest = find((JOIN, *lower)).reshape(len(ends[0]), -1) + n * each
            found.append(np.column_stack((*ends, rest)).ravel())
        elif j == top:
            found.append(find((PAIR, pairs, min(i, n), max(i, n))))
        else:
            found.append((same if digit == j else find((RENAME, *lower))) + n * each)
    return np.concatenate(found)


class Ranks(NamedTuple):
    """The tables for kernels: where each begins, by its key, and the numbers of all."""

    at: NDArray[np.int64]
    numbers: Numbers


class MatchingTables:
    """Tables that are made on first use.

    ``most`` is the largest number of pairs of a matching.  Tables of ``most`` pairs, or of more
    than ``STAYING_PAIRS``, stay for a step or two.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._passes = min(most, STAYING_PAIRS + 1)
        self._staying = sum(
            table_entries((kind, pairs, 0, 1)) * (2 * pairs) ** 2
            for kind in (JOIN, PAIR, RENAME)
            for pairs in range(1, self._passes)
        )
        self._end, self._passing = 0, self._staying
        size = self._staying + PASSING_ENTRIES.get(most, 64 * int(MATCHINGS[most]))
        at = np.full((3, len(MATCHINGS), POINTS, POINTS), -1, dtype=np.int64)
        self.ranks = Ranks(at, np.empty(size, dtype=np.uint32))

    def require(self, keys: Iterable[Key]) -> None:
        """Make the tables of these keys available; other large tables may be removed."""
        at, numbers = self.ranks
        keys = {key for key in keys if key[1] <= self._most}
        large = [key for key in keys if at[key] < 0 and key[1] >= self._passes]
        if self._passing + sum(map(table_entries, large)) > len(numbers):
            at[:, self._passes :] = -1
            self._passing = self._staying
        for key in keys:
            table = self._find(key)
            if at[key] < 0:
                at[key], self._passing = self._passing, self._passing + len(table)
                numbers[at[key] : self._passing] = table

    def _find(self, key: Key) -> Numbers:
        """Return a table; keep it if it stays."""
        at, numbers = self.ranks
        if at[key] < 0:
            table = make_table(key, self._find)
            if key[1] >= self._passes:
                return table
            at[key], self._end = self._end, self._end + len(table)
            numbers[at[key] : self._end] = table
        return numbers[at[key] : at[key] + table_entries(key)]


def join_keys(pairs: int, i: int, j: int) -> set[Key]:
    """Return the tables that :func:`.state_array.join` reads."""
    if not splits_by_top(pairs, j):
        return {(JOIN, pairs, i, j)}
    keys: set[Key] = set()
    for point in {*range(2 * pairs - 1)} - {i, j}:
        keys.add((JOIN, pairs - 1, i - (point < i), j - (point < j)))
        for end, other in ((i, j), (j, i)):
            one, two = point - (point > end), other - (other > end)
            keys.add((PAIR, pairs - 1, min(one, two), max(one, two)))
    return keys


def edge_keys(
    slots: int, one: int, other: int, depot: int, live: Container[int] = range(POINTS)
) -> set[Key]:
    """Return the tables that an edge between two slots may need, for any degrees of the others.

    ``live`` has the numbers of pairs in the states before the edge.
    """
    low, high = min(one, other), max(one, other)
    keys: set[Key] = set()
    for i in range(low + 1):
        for d in range(high - low):
            for above in range(slots - high):
                ends = i + d + above + depot
                if ends % 2:
                    pairs = (ends + 1) // 2
                    if d and pairs in live:
                        keys |= {(RENAME, pairs, i, i + d), (RENAME, pairs, i + d, i)}
                else:
                    pairs = ends // 2 + 1
                    if pairs in live:
                        keys |= join_keys(pairs, i, i + d + 1)
                    if pairs - 1 in live:
                        keys.add((PAIR, pairs, i, i + d + 1))
    return keys


def end_keys(slots: int, slot: int, depot: int) -> set[Key]:
    """Return the tables that an end of an open tour in a slot may need.

    The depot is the highest point.  ``depot`` is true if it is already a point, as after the first
    of two ends.
    """
    keys: set[Key] = set()
    for i in range(slot + 1):
        for others in range(i, i + slots - slot):
            pairs = others // 2 + 1
            top = 2 * pairs - 1
            if others % 2 == 0:
                keys.add((JOIN if depot else PAIR, pairs, i, top))
            elif i != top:
                keys.add((RENAME, pairs, *((top, i) if depot else (i, top))))
    return keys

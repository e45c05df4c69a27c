"""Matchings by their ranks, and tables of what an edge does to them.

A perfect matching of 2k points is a number below (2k - 1)!!.  Its leading digit, to base 2k - 1,
says which point is the partner of the highest one; the rest is the number of the matching of the
2k - 2 points that are left.

What an edge does to a matching depends on the number of pairs and on which of the points it
touches, and on nothing else of the board.  Three kinds of tables hold it, each for the numbers of
the matchings after it:

- ``JOIN``: the points i < j of a matching of k pairs become inner points of one path.  A matching
  of k - 1 pairs comes of those in which i and j are the partners of the two points of a pair: of
  2(k - 1) matchings, two for each of its pairs.  Where i and j are partners of each other a cycle
  would close: none of the matchings listed has this.
- ``PAIR``: the points i < j come in as a pair of their own.  Matching number r of the k - 1 others
  becomes the one listed.
- ``RENAME``: the point i is no more, and its partner gets the new point j.

Tables for few pairs are kept, those for most pairs are used for a step or two and made again.  All
are parts of one array of 32-bit numbers.

Cost: 20 to 35 ns an entry; 36 million for seven pairs and fewer, 1.9 million for each ``JOIN``
of eight.  Importing this loads Numba; compiled code is kept beside the source.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numba import njit

from kt_cp.counting.dense.matchings import MATCHINGS
from kt_cp.search.bits import bit_count, highest_bit

if TYPE_CHECKING:
    from numpy.typing import NDArray

JOIN, PAIR, RENAME = range(3)

POINTS = 20
"""Most points of a matching, and two."""

SMALL = 7
"""Pairs of which tables are always kept."""

ROOM = {8: 40_000_000, 9: 300_000_000}
"""Entries for tables of more pairs, between steps, by the most pairs."""

Key = tuple[int, int, int, int]
"""Kind, pairs, i and j."""


@njit(cache=True, nogil=True, inline="never")
def unrank(number: int, pairs: int, mate: NDArray[np.int64], left: NDArray[np.int64]) -> None:
    """Write the partner of each point in the matching of a number; ``left`` is room to work in."""
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
    """The number of a matching."""
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


@njit(cache=True, nogil=True)
def list_all(pairs: int, mates: NDArray[np.uint8]) -> None:
    """Write the partners of all points in every matching, one matching after the other."""
    mate = np.zeros(POINTS, np.int64)
    left = np.zeros(POINTS, np.int64)
    for number in range(MATCHINGS[pairs]):
        unrank(number, pairs, mate, left)
        mates[number, : 2 * pairs] = mate[: 2 * pairs]


@njit(cache=True, nogil=True)
def fill(
    kind: int, pairs: int, i: int, j: int, mates: NDArray[np.uint8], table: NDArray[np.uint32]
) -> None:
    """Write a table of one kind, from all matchings after the edge."""
    inner = pairs if kind == RENAME else pairs - 1
    names = np.zeros(POINTS, np.int64)  # of the points of the matching after, in that before
    before = np.zeros(POINTS, np.int64)
    count = 0
    for point in range(2 * inner):
        if kind == RENAME:
            # The others keep their order, without i on one side and without j on the other.
            if point == j:
                names[point] = i
            else:
                other = point - (point > j)
                names[point] = other + (other >= i)
        else:
            while count in (i, j):
                count += 1
            names[point] = count
            count += 1
    if kind == PAIR:
        before[i] = j
        before[j] = i
    q = 0
    for number in range(MATCHINGS[inner]):
        after = mates[number]
        for point in range(2 * inner):
            before[names[point]] = names[after[point]]
        if kind == JOIN:
            for point in range(2 * inner):
                one, other = names[point], names[after[point]]
                before[one], before[i], before[other], before[j] = i, one, j, other
                table[q] = rank(before, pairs)
                q += 1
                before[one], before[other] = other, one
        else:
            table[q] = rank(before, pairs)
            q += 1


def pairs_after(key: Key) -> int:
    """How many pairs there are after the edge."""
    kind, pairs, _, _ = key
    return pairs if kind == RENAME else pairs - 1


def entries(key: Key) -> int:
    """How many entries a table has."""
    inner = pairs_after(key)
    return int(MATCHINGS[inner]) * (2 * inner if key[0] == JOIN else 1)


class Ranks(NamedTuple):
    """The tables, for kernels: where each begins, by its key, and all of them."""

    at: NDArray[np.int64]
    numbers: NDArray[np.uint32]


class Tables:
    """Tables that are made when they are first wanted.

    Parameters
    ----------
    most : int
        Pairs of ends that a matching may have; tables of so many, or of more than ``SMALL``, are
        not kept for long.
    submit : callable
        Runs a function on each of some lists of arguments, in threads or not.
    """

    def __init__(self, most: int, submit: Callable[..., object]) -> None:
        self._most, self._submit = most, submit
        self._passes = min(most, SMALL + 1)
        self._kept = sum(
            entries((kind, pairs, 0, 1)) * (2 * pairs) ** 2
            for kind in (JOIN, PAIR, RENAME)
            for pairs in range(1, self._passes)
        )
        self._end, self._passing = 0, self._kept
        self._mates: dict[int, NDArray[np.uint8]] = {}
        room = self._kept + ROOM.get(most, 64 * int(MATCHINGS[most]))
        at = np.full((3, len(MATCHINGS), POINTS, POINTS), -1, dtype=np.int64)
        self.ranks = Ranks(at, np.empty(room, dtype=np.uint32))

    def want(self, keys: Iterable[Key]) -> None:
        """Have these tables, whatever happens to those of most pairs that are there."""
        at, numbers = self.ranks
        keys = {key for key in keys if key[1] <= self._most}
        new = [key for key in keys if at[key] < 0]
        large = [key for key in new if key[1] >= self._passes]
        if self._passing + sum(map(entries, large)) > len(numbers):
            at[:, self._passes :] = -1
            self._passing = self._kept
            new = [key for key in keys if at[key] < 0]
        jobs = []
        for key in new:
            if key[1] < self._passes:
                begin, self._end = self._end, self._end + entries(key)
            else:
                begin, self._passing = self._passing, self._passing + entries(key)
            at[key] = begin
            mates = self._all(pairs_after(key))
            jobs.append((*key, mates, numbers[begin : begin + entries(key)]))
        self._submit(fill, jobs)

    def _all(self, pairs: int) -> NDArray[np.uint8]:
        """Every matching of so many pairs, listed once."""
        if pairs not in self._mates:
            self._mates[pairs] = np.empty((MATCHINGS[pairs], 2 * pairs), dtype=np.uint8)
            list_all(pairs, self._mates[pairs])
        return self._mates[pairs]


def edge_keys(slots: int, one: int, other: int, depot: int) -> set[Key]:
    """Tables that an edge between two slots may need, whatever the degrees of the others."""
    low, high = min(one, other), max(one, other)
    keys: set[Key] = set()
    for i in range(low + 1):
        for d in range(high - low):
            for above in range(slots - high):
                ends = i + d + above + depot
                if ends % 2:
                    pairs = (ends + 1) // 2
                    if d:
                        keys |= {(RENAME, pairs, i, i + d), (RENAME, pairs, i + d, i)}
                else:
                    pairs = ends // 2 + 1
                    keys |= {(kind, pairs, i, i + d + 1) for kind in (JOIN, PAIR)}
    return keys


def end_keys(slots: int, slot: int, depot: int) -> set[Key]:
    """Tables that an end of an open tour in a slot may need; the depot is the highest point.

    ``depot`` says whether the depot is a point before, which it is after one end of two.
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

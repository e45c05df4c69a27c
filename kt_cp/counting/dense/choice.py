"""Tours as pairs of states by their numbers, and the numbers of pairs.

A tour is a pattern, a matching N of the lower half and a matching M of the upper one that make one
cycle together, a way to M and a way to N.  So tours are numbered pattern by pattern, each with the
sum of F(M) G(N) numbers; in it by N, each with the sum over M of F(M) G(N); then by M and the way
to it; and last by the way to N.

The sums of all patterns are kept.  For one pattern there is the recursion that counts: asked for
the lower matchings below some number alone, it says how many tours these have, and halving finds N.
M is found by going through all.

Cost: for two blocks of k pairs, some 2k times what it takes to count them once.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from itertools import accumulate
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from kt_cp.counting.dense.half_tour_ranking import find
from kt_cp.counting.dense.matchings import MATCHINGS
from kt_cp.counting.dense.meeting import HIGH, LOWER, cycles
from kt_cp.counting.dense.tour_ranking import Meeting, among, blocks, partner, rooms

if TYPE_CHECKING:
    from numpy.typing import NDArray

CHUNK = 4096
"""Patterns whose sums are added up beforehand."""


class State(NamedTuple):
    """A state of a half, and the number of a way to it."""

    pattern: int
    matching: int
    way: int


def totalled(sums: Any) -> NDArray[np.uint64]:
    """What the patterns before every ``CHUNK``-th one count, and last what all do.

    Two words each, as the sums have.

    Raises
    ------
    OverflowError
        If two words are too few.
    """
    starts, low, half = np.arange(0, len(sums), CHUNK), np.uint64(2**32 - 1), np.uint64(32)
    halves = [
        each for word in (LOWER, HIGH) for each in (sums[:, word] & low, sums[:, word] >> half)
    ]
    added = np.stack([np.add.reduceat(each, starts) for each in halves], axis=1).tolist()
    chunks = (sum(each << 32 * at for at, each in enumerate(them)) for them in added)
    totals = np.zeros((len(starts) + 1, 3), dtype=np.uint64)
    for at, total in enumerate(accumulate(chunks, initial=0)):
        totals[at, [HIGH, LOWER]] = divmod(total, 2**64)
    return totals


class Pairs:
    """The tours of two halves, numbered by the pairs of their states.

    Parameters
    ----------
    meeting : Meeting
    want : callable
        Sees to the tables that matchings of so many pairs need to be counted.
    sums : uint64 array
        What each pattern of the upper half counts, by :func:`weighed`.
    totals : uint64 array
        What those before some count, by :func:`totalled`.

    Attributes
    ----------
    size : int
        How many tours there are.
    """

    def __init__(
        self, meeting: Meeting, want: Callable[[int], None], sums: Any, totals: Any
    ) -> None:
        self._meeting, self._want, self._sums = meeting, want, sums
        self._totals: list[int] = list(map(_whole, totals))
        self.size: int = self._totals[-1]

    def _blocks(self, index: int) -> tuple[int, Any, Any, Any]:
        """Pairs of ends of a pattern, room with its block, that block, and its partner's."""
        room, second = rooms(self._meeting)
        pairs = int(blocks(self._meeting, index, room, second))
        self._want(pairs)
        begin = self._meeting.begins[0, pairs]
        return pairs, room, room[begin : begin + MATCHINGS[pairs]], second[0]

    def _before(self, pairs: int, room: Any, second: Any, lower: int) -> int:
        """How many tours have a lower matching before some number."""
        some, total = second.copy(), np.zeros(3, dtype=np.uint64)
        some[lower:] = 0
        begins, ranks = self._meeting.begins[0], self._meeting.ranks
        cycles(pairs, room, begins, some, ranks, np.uint64(0), total)
        return _whole(total)

    def pair(self, number: int) -> tuple[State, State]:
        """The states of a tour's number, and the numbers of the ways to them."""
        chunk = bisect_right(self._totals, number) - 1
        number -= self._totals[chunk]
        index = chunk * CHUNK
        while number >= (weight := _whole(self._sums[index])):
            number -= weight
            index += 1
        pairs, room, first, second = self._blocks(index)
        lower = bisect_right(
            range(int(MATCHINGS[pairs])),
            number,
            key=lambda each: self._before(pairs, room, second, each + 1),
        )
        number -= self._before(pairs, room, second, lower)
        number, below = divmod(number, int(second[lower]))
        upper, passed = among(pairs, first, lower, np.uint64(number), -1)
        pattern = int(self._meeting.upper.patterns[index])
        other = int(partner(self._meeting, pattern))
        return (
            State(pattern, int(upper), number - int(passed)),
            State(other, self._turned(pattern, pairs, lower), below),
        )

    def number(self, above: State, below: State) -> int:
        """The number of a tour, of which the states are known and the ways to them."""
        meeting = self._meeting
        index = int(find(meeting.upper, above.pattern))
        chunk = index // CHUNK
        number = self._totals[chunk] + sum(map(_whole, self._sums[chunk * CHUNK : index]))
        pairs, room, first, second = self._blocks(index)
        lower = self._turned(above.pattern, pairs, below.matching)
        number += self._before(pairs, room, second, lower)
        _, passed = among(pairs, first, lower, np.uint64(0), above.matching)
        times = int(second[lower])
        return number + (int(passed) + above.way) * times + below.way

    def _turned(self, pattern: int, pairs: int, matching: int) -> int:
        dark, light = divmod(pattern // 3 ** len(self._meeting.partners), 3)
        begin = int(self._meeting.begins[(dark + light) % 2, pairs])
        return int(self._meeting.turned[begin + matching])


def _whole(words: Any) -> int:
    high, low = int(words[HIGH]), int(words[LOWER])
    return high * 2**64 + low

"""Pairs of states of two halves: how many tours each pattern has, and which matchings go together.

Where two halves meet (see ``meet``), each pattern of the upper half has a partner.  What is counted
there in one sum is kept here for each pattern, so that tours can be numbered by it.

Cost: that of counting.  Importing this loads Numba; compiled code is kept beside the source.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numba import njit

from kt_cp.counting.dense.half_tour_ranking import Layer, find, spread
from kt_cp.counting.dense.matchings import MATCHINGS, POINTS, unrank
from kt_cp.counting.dense.meeting import OVER, cycles, reversal

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kt_cp.counting.dense.array import Threads
    from kt_cp.counting.dense.matchings import Ranks

PARTS = 64
"""Of the patterns, for threads."""


class Meeting(NamedTuple):
    """What kernels know of two halves that meet.

    Attributes
    ----------
    upper, lower : Layer
    partners : int64 array of shape (slots, 3)
        For each slot of the upper half, the digit of its slot in the lower half, by its own.
    arrays : int64 array
        For each array of states of the upper half, that of the lower half with all other ends.
    turned, begins : arrays
        For each matching its number in opposite order, and where those of so many pairs begin; one
        after the other with the depot as a point, and without.
    ranks : Ranks
    """

    upper: Layer
    lower: Layer
    partners: NDArray[np.int64]
    arrays: NDArray[np.int64]
    turned: NDArray[np.uint32]
    begins: NDArray[np.int64]
    ranks: Ranks


@njit(cache=True, nogil=True)
def partner(meeting: Any, pattern: Any) -> Any:
    """The pattern of the lower half: what the slots lack, in opposite order, and the other ends."""
    slots = meeting.partners.shape[0]
    many = np.int64(3) ** slots
    array = pattern // many
    left, other = pattern - array * many, meeting.arrays[array]
    for slot in range(slots):
        digit = left % 3
        left //= 3
        other = other * 3 + meeting.partners[slot, digit]
    return other


@njit(cache=True, nogil=True)
def blocks(meeting: Any, index: Any, room: Any, second: Any) -> Any:
    """Write the blocks of a pattern of the upper half and its partner; returns the number of pairs.

    That of the upper half goes where ``cycles.cycles`` has it, that of its partner to row 0 of
    ``second``, in the order of the upper slots.  0 pairs: there is no partner.
    """
    slots = meeting.partners.shape[0]
    pattern = meeting.upper.patterns[index]
    place = find(meeting.lower, partner(meeting, pattern))
    size = meeting.upper.begins[index + 1] - meeting.upper.begins[index]
    pairs = 1
    while pairs < MATCHINGS.shape[0] and MATCHINGS[pairs] < size:
        pairs += 1
    if place < 0:
        return 0
    array = pattern // np.int64(3) ** slots
    depot = (array // 3 + array % 3) % 2
    if pairs == 1 and not has_ends(pattern, slots, depot):
        return 0
    begin = meeting.begins[depot, pairs]
    spread(meeting.upper, index, room[meeting.begins[0, pairs] :])
    spread(meeting.lower, place, second[1])
    for r in range(size):
        second[0, r] = second[1, meeting.turned[begin + r]]
    return pairs


@njit(cache=True, nogil=True)
def has_ends(pattern: Any, slots: Any, depot: Any) -> Any:
    """Whether any slot of a pattern has degree 1, or the depot is an end."""
    for _ in range(slots):
        if pattern % 3 == 1:
            return True
        pattern //= 3
    return depot == 1


@njit(cache=True, nogil=True)
def weigh(meeting: Any, indices: Any, same: Any, room: Any, second: Any, sums: Any) -> None:
    """Write how many tours each of some patterns has; ``same`` halves have each pair twice.

    ``room`` and ``second`` are to work in, as for :func:`blocks` and ``cycles.cycles``.
    """
    for index in indices:
        twin = index
        if same:
            twin = find(meeting.lower, partner(meeting, meeting.upper.patterns[index]))
            if twin < index:
                continue
        pairs = blocks(meeting, index, room, second)
        if pairs:
            cycles(
                pairs, room, meeting.begins[0], second[0], meeting.ranks, np.uint64(0), sums[index]
            )
            sums[twin] = sums[index]


@njit(cache=True, nogil=True)
def among(pairs: Any, first: Any, lower: Any, wanted: Any, upper: Any) -> Any:
    """The upper matching of a number among those that make one cycle with a lower one.

    Where ``upper`` is one of them and not -1, the numbers before it; returns it, and what comes
    before.
    """
    mate, other = np.zeros(POINTS, np.int64), np.zeros(POINTS, np.int64)
    left = np.zeros(POINTS, np.int64)
    unrank(lower, pairs, other, left)
    passed = np.uint64(0)
    for number in range(MATCHINGS[pairs]):
        if first[number] == 0:
            continue
        unrank(number, pairs, mate, left)
        point, length = other[mate[0]], 1
        while point:
            point = other[mate[point]]
            length += 1
        if length < pairs:
            continue
        if number == upper or (upper < 0 and wanted - passed < first[number]):
            return number, passed
        passed += first[number]
    return -1, passed


def rooms(meeting: Meeting) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    """Room for the blocks of any pattern, and for what ``cycles.cycles`` makes of them."""
    longest = int(np.diff(meeting.upper.begins).max(initial=1))
    room = np.zeros(int(MATCHINGS[longest >= MATCHINGS].sum()) + 1, dtype=np.uint64)
    return room, np.zeros((2, longest), dtype=np.uint64)


def weighed(meeting: Meeting, threads: Threads) -> NDArray[np.uint64]:
    """How many tours each pattern of the upper half has, as two words and a flag that is 0.

    Raises
    ------
    OverflowError
        If two words are too few.
    """
    patterns = len(meeting.upper.patterns)
    sums = np.zeros((patterns, 3), dtype=np.uint64)
    each, many = np.arange(patterns), max(1, min(PARTS, patterns // PARTS))
    same = meeting.upper is meeting.lower

    def run(part: Any) -> None:
        weigh(meeting, part, same, *rooms(meeting), sums)

    threads(run, [(each[first::many],) for first in range(many)])
    if sums[:, OVER].any():
        raise OverflowError
    return sums


def turned_matchings(
    most: int, depots: Iterable[int]
) -> tuple[NDArray[np.uint32], NDArray[np.int64]]:
    """For each matching its number in opposite order, and where those of so many pairs begin."""
    starts = np.cumsum(MATCHINGS[: most + 1]) - MATCHINGS[: most + 1]
    total = int(MATCHINGS[: most + 1].sum())
    turned = np.zeros(2 * total, dtype=np.uint32)
    begins = np.stack([starts, starts + total])
    for depot in depots:
        for pairs in range(1, most + 1):
            begin = int(begins[depot, pairs])
            reversal(pairs, depot, turned[begin : begin + MATCHINGS[pairs]])
    return turned, begins

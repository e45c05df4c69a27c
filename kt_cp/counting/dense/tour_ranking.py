"""Tours of the dense method by their numbers: layers of two halves, and pairs of their states.

A tour consists of a pattern, a matching N of the lower half and a matching M of the upper half that
make one cycle together, a half tour of M, and a half tour of N (see ``half_tour_ranking``).  Tours
are numbered by pattern first; a pattern has the sum of F(M) G(N) numbers.  Within a pattern they
are numbered by N, which has the sum over M of F(M) G(N); then by M and its half tour; and last by
the half tour of N.  If one half is the other's mirror image, one sweep serves as both.

Each pattern of the upper half has a partner (see ``meeting``).  There all patterns are counted in
one sum; here the sum of each pattern is stored.  Within a pattern, the same recursion is limited to
the lower matchings below some number.  It gives the number of their tours, and bisection finds N.
A linear search finds M.

Cost: for closed 8×8 a sweep and a meeting of halves, as for a count, and a second or two to pack
each of the layers; for two blocks of k pairs, about 2k times the cost of counting them once.
Importing this loads Numba; its compiled code is cached.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from itertools import accumulate
from operator import itemgetter
from threading import Lock
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numba import njit

from kt_cp.counting.dense.half_sweep import HalfSweep
from kt_cp.counting.dense.half_tour_ranking import (
    HalfTourRanking,
    Layer,
    State,
    array_of,
    find_pattern,
    spread,
    stretches,
    sweep_layers,
)
from kt_cp.counting.dense.halves import HalvedProblem
from kt_cp.counting.dense.matchings import MATCHINGS, POINTS, MatchingTables, unrank
from kt_cp.counting.dense.meeting import (
    HIGH,
    LOWER,
    OVER,
    cycles,
    fits,
    join_table_keys,
    partner_digits,
    reversal,
)
from kt_cp.counting.dense.state_array import Threads
from kt_cp.model.errors import TooLargeError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kt_cp.counting.dense.halves import Square
    from kt_cp.counting.dense.matchings import Ranks
    from kt_cp.counting.dense.state_array import Threads
    from kt_cp.model.problem import Problem
    from kt_cp.model.request import Progress
    from kt_cp.processes.store import Store


PARTS = 64
"""Parts of the patterns for threads."""


class Meeting(NamedTuple):
    """Two halves that meet, for kernels."""

    upper: Layer
    lower: Layer
    partners: NDArray[np.int64]  # shape (slots, 3): a slot's digit in the lower half, by its own
    arrays: NDArray[np.int64]  # for each array of the upper half, that with all other ends
    turned: NDArray[np.uint32]  # the number of each matching with its points in opposite order
    begins: NDArray[np.int64]  # shape (2, pairs): where these begin, without the depot and with it
    ranks: Ranks


@njit(cache=True, nogil=True)
def partner(meeting: Any, pattern: Any) -> Any:
    """Return the pattern of the lower half that fits: the slots in opposite order, other ends."""
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
def blocks(meeting: Any, index: Any, scratch: Any, second: Any) -> Any:
    """Write the blocks of a pattern of the upper half and its partner; return the number of pairs.

    The block of the upper half is written where ``meeting.cycles`` expects it.  The block of its
    partner is written to row 0 of ``second``, in the order of the upper slots.  Return 0 if there
    is no partner.
    """
    slots = meeting.partners.shape[0]
    pattern = meeting.upper.patterns[index]
    place = find_pattern(meeting.lower, partner(meeting, pattern))
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
    spread(meeting.upper, index, scratch[meeting.begins[0, pairs] :])
    spread(meeting.lower, place, second[1])
    for r in range(size):
        second[0, r] = second[1, meeting.turned[begin + r]]
    return pairs


@njit(cache=True, nogil=True)
def has_ends(pattern: Any, slots: Any, depot: Any) -> Any:
    """Return whether any slot of a pattern has degree 1, or the depot is an end."""
    for _ in range(slots):
        if pattern % 3 == 1:
            return True
        pattern //= 3
    return depot == 1


@njit(cache=True, nogil=True)
def count_part(meeting: Any, indices: Any, same: Any, scratch: Any, second: Any, sums: Any) -> None:
    """Write the number of tours of each of some patterns; ``same`` halves have each pair twice.

    ``scratch`` and ``second`` are workspaces, as for :func:`blocks` and ``meeting.cycles``.
    """
    for index in indices:
        twin = index
        if same:
            twin = find_pattern(meeting.lower, partner(meeting, meeting.upper.patterns[index]))
            if twin < index:
                continue
        pairs = blocks(meeting, index, scratch, second)
        if pairs:
            cycles(
                pairs,
                scratch,
                meeting.begins[0],
                second[0],
                meeting.ranks,
                np.uint64(0),
                sums[index],
            )
            sums[twin] = sums[index]


@njit(cache=True, nogil=True)
def find_upper_matching(pairs: Any, first: Any, lower: Any, target: Any, upper: Any) -> Any:
    """Return the upper matching of a number among those that make one cycle with a lower one.

    If ``upper`` is one of them and not -1, return it and the count of numbers before it.
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
        if number == upper or (upper < 0 and target - passed < first[number]):
            return number, passed
        passed += first[number]
    return -1, passed


def make_workspace(meeting: Meeting) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    """Return memory for the blocks of any pattern, and for ``meeting.cycles``."""
    longest = int(np.diff(meeting.upper.begins).max(initial=1))
    scratch = np.zeros(int(MATCHINGS[longest >= MATCHINGS].sum()) + 1, dtype=np.uint64)
    return scratch, np.zeros((2, longest), dtype=np.uint64)


def count_tours_by_pattern(meeting: Meeting, threads: Threads) -> NDArray[np.uint64]:
    """Return the number of tours of each pattern of the upper half, as two words and a 0 flag."""
    patterns = len(meeting.upper.patterns)
    sums = np.zeros((patterns, 3), dtype=np.uint64)
    each, many = np.arange(patterns), max(1, min(PARTS, patterns // PARTS))
    same = meeting.upper is meeting.lower

    def run(part: Any) -> None:
        count_part(meeting, part, same, *make_workspace(meeting), sums)

    threads(run, [(each[first::many],) for first in range(many)])
    if sums[:, OVER].any():
        raise OverflowError
    return sums


def turned_matchings(
    most: int, depots: Iterable[int]
) -> tuple[NDArray[np.uint32], NDArray[np.int64]]:
    """Return the number of each reversed matching, and the index at which each size begins."""
    starts = np.cumsum(MATCHINGS[: most + 1]) - MATCHINGS[: most + 1]
    total = int(MATCHINGS[: most + 1].sum())
    turned = np.zeros(2 * total, dtype=np.uint32)
    begins = np.stack([starts, starts + total])
    for depot in depots:
        for pairs in range(1, most + 1):
            begin = int(begins[depot, pairs])
            reversal(pairs, depot, turned[begin : begin + MATCHINGS[pairs]])
    return turned, begins


CHUNK = 4096
"""Patterns whose sums are added up beforehand."""


def accumulate_chunks(sums: Any) -> NDArray[np.uint64]:
    """Return the tours before every ``CHUNK``-th pattern, and of all patterns, as two words."""
    starts, low, half = np.arange(0, len(sums), CHUNK), np.uint64(2**32 - 1), np.uint64(32)
    halves = [
        each for limb in (LOWER, HIGH) for each in (sums[:, limb] & low, sums[:, limb] >> half)
    ]
    added = np.stack([np.add.reduceat(each, starts) for each in halves], axis=1).tolist()
    chunks = (sum(each << 32 * at for at, each in enumerate(terms)) for terms in added)
    totals = np.zeros((len(starts) + 1, 3), dtype=np.uint64)
    for at, total in enumerate(accumulate(chunks, initial=0)):
        totals[at, [HIGH, LOWER]] = divmod(total, 2**64)
    return totals


class PairRanking:
    """The tours of two halves, numbered by the pairs of their states.

    ``require`` makes the tables for matchings of a number of pairs.  ``sums`` has the tours of each
    pattern of the upper half, from :func:`count_tours_by_pattern`, and ``totals`` those of the
    patterns before, from :func:`accumulate_chunks`.
    """

    def __init__(
        self, meeting: Meeting, require: Callable[[int], None], sums: Any, totals: Any
    ) -> None:
        self._meeting, self._require, self._sums = meeting, require, sums
        self._totals: list[int] = list(map(_whole, totals))
        self.size: int = self._totals[-1]

    def _blocks(self, index: int) -> tuple[int, Any, Any, Any]:
        """Return the pairs of a pattern, the workspace, its block, and its partner's block."""
        scratch, second = make_workspace(self._meeting)
        pairs = int(blocks(self._meeting, index, scratch, second))
        self._require(pairs)
        begin = self._meeting.begins[0, pairs]
        return pairs, scratch, scratch[begin : begin + MATCHINGS[pairs]], second[0]

    def _before(self, pairs: int, scratch: Any, second: Any, lower: int) -> int:
        """Return the number of tours with a lower matching below some number."""
        some, total = second.copy(), np.zeros(3, dtype=np.uint64)
        some[lower:] = 0
        begins, ranks = self._meeting.begins[0], self._meeting.ranks
        cycles(pairs, scratch, begins, some, ranks, np.uint64(0), total)
        return _whole(total)

    def pair(self, number: int) -> tuple[State, State]:
        """Return the states of the tour of a number, with the numbers of its half tours."""
        chunk = bisect_right(self._totals, number) - 1
        number -= self._totals[chunk]
        index = chunk * CHUNK
        while number >= (weight := _whole(self._sums[index])):
            number -= weight
            index += 1
        pairs, scratch, first, second = self._blocks(index)
        lower = bisect_right(
            range(int(MATCHINGS[pairs])),
            number,
            key=lambda each: self._before(pairs, scratch, second, each + 1),
        )
        number -= self._before(pairs, scratch, second, lower)
        number, below = divmod(number, int(second[lower]))
        upper, passed = find_upper_matching(pairs, first, lower, np.uint64(number), -1)
        pattern = int(self._meeting.upper.patterns[index])
        other = int(partner(self._meeting, pattern))
        return (
            State(pattern, int(upper), number - int(passed)),
            State(other, self._turned(pattern, pairs, lower), below),
        )

    def number(self, above: State, below: State) -> int:
        """Return the number of the tour of two states, with the numbers of its half tours."""
        meeting = self._meeting
        index = int(find_pattern(meeting.upper, above.pattern))
        chunk = index // CHUNK
        number = self._totals[chunk] + sum(map(_whole, self._sums[chunk * CHUNK : index]))
        pairs, scratch, first, second = self._blocks(index)
        lower = self._turned(above.pattern, pairs, below.matching)
        number += self._before(pairs, scratch, second, lower)
        _, passed = find_upper_matching(pairs, first, lower, np.uint64(0), above.matching)
        times = int(second[lower])
        return number + (int(passed) + above.way) * times + below.way

    def _turned(self, pattern: int, pairs: int, matching: int) -> int:
        dark, light = divmod(pattern // 3 ** len(self._meeting.partners), 3)
        begin = int(self._meeting.begins[(dark + light) % 2, pairs])
        return int(self._meeting.turned[begin + matching])


def _whole(limbs: Any) -> int:
    high, low = int(limbs[HIGH]), int(limbs[LOWER])
    return high * 2**64 + low


PAIRS = "pairs"
"""The block of a store that is saved last."""


class DenseTables:
    """The tours of a problem by their numbers, as :class:`kt_cp.counting.method.Tables`."""

    def __init__(
        self, problem: Problem, progress: Progress | None = None, store: Store | None = None
    ) -> None:
        self._problem = problem
        self._question = question = HalvedProblem(problem)
        self._threads = Threads()
        self._ranks = MatchingTables(question.width)
        self._lock = Lock()  # tables of matchings are replaced
        self.size = 0
        if question.ends is None:
            return
        # Both arrays of open tours are swept, because each contains different tours.
        upper, lower = (question.half(lower=side)._replace(twofold=False) for side in (False, True))
        self._images: dict[Any, Any] = {
            upper.square(*at): lower.square(*at) for at in np.ndindex(question.rows, question.width)
        }
        self._halves = [upper] if question.single else [upper, lower]
        stored = None if store is None else store.block(1, PAIRS).map()
        try:
            layers = None if store is None or stored is None else self._load(store)
            if layers is None:
                stored, layers = None, self._sweep(store, progress)
            if not all(len(each[-1].patterns) for each in layers):
                return
            meeting, sums, totals = self._meeting(layers[0][-1], layers[-1][-1], stored)
        except OverflowError:
            raise TooLargeError(
                f"{problem.label}: expected half tours of one kind in 64 bits to number tours, got "
                "more"
            ) from None
        if store is not None and stored is None:
            content = {"sums": sums, "totals": totals}
            content |= {"turned": meeting.turned, "begins": meeting.begins}
            store.block(1, PAIRS).save(content)
        self._pairs = PairRanking(meeting, self._require, sums, totals)
        self._ways = [
            HalfTourRanking(half, each) for half, each in zip(self._halves, layers, strict=True)
        ]
        self.size = self._pairs.size

    def _require(self, pairs: int) -> None:
        self._ranks.require(join_table_keys(pairs))

    def _sweep(self, store: Store | None, progress: Progress | None) -> list[list[Layer]]:
        """Make the layers of each half, and save them in the store if there is one."""
        layers: list[list[Layer]] = []
        ends, many = self._question.ends, len(self._halves)
        assert ends is not None
        largest = []  # bounds for the counts of each half's states, by their number of pairs
        for number, half in enumerate(self._halves):

            def save(at: int, layer: Layer, number: int = number) -> Layer:
                if store is None:
                    return layer
                store.block(1, f"half-{number}-{at}").save(layer._asdict())
                saved = _load_layer(store, number, at)
                assert saved is not None
                return saved

            def report(step: int, steps: int, number: int = number) -> None:
                if progress is not None:
                    progress({"step": number * steps + step, "steps": many * steps})

            sweep = HalfSweep(half, ends, 0, self._threads, self._ranks)
            layers.append(sweep_layers(sweep, half, save, report))
            largest.append(np.max([each.largest for each in sweep.states.values()], axis=0))
        if not fits(largest[0], largest[-1]):
            raise OverflowError
        return layers

    def _load(self, store: Store) -> list[list[Layer]] | None:
        """Return the layers of each half from the store, or None if one is missing."""
        steps = [range(len(stretches(half)) + 1) for half in self._halves]
        places = [(number, at) for number, each in enumerate(steps) for at in each]
        found: dict[tuple[int, int], Layer] = {}

        def load(number: int, at: int) -> None:
            if (layer := _load_layer(store, number, at)) is not None:
                found[number, at] = layer

        # Digests are compared on all processors, those of large layers first.
        self._threads(load, sorted(places, key=itemgetter(1), reverse=True))
        if len(found) < len(places):
            return None
        return [[found[number, at] for at in each] for number, each in enumerate(steps)]

    def _meeting(
        self, upper: Layer, lower: Layer, stored: dict[str, Any] | None
    ) -> tuple[Meeting, Any, Any]:
        """Return the halves for kernels, the number of tours of each pattern, and their sums."""
        dark, bright = self._question.ends or (0, 0)
        arrays = np.full(9, -1, dtype=np.int64)
        for some in np.ndindex(dark + 1, bright + 1):
            rest = dark - some[0], bright - some[1]
            if self._question.single:  # the mirror image has the other colours
                rest = rest[::-1]
            arrays[array_of(*some)] = array_of(*rest)
        digits = np.array(partner_digits(self._halves[0], self._halves[-1]), dtype=np.int64)
        if stored is not None:
            turned, begins = stored["turned"], stored["begins"]
        else:
            depots = range(1 if self._problem.closed else 2)
            turned, begins = turned_matchings(self._question.width, depots)
        meeting = Meeting(upper, lower, digits, arrays, turned, begins, self._ranks.ranks)
        if stored is not None:
            return meeting, stored["sums"], stored["totals"]
        self._require(self._question.width)
        sums = count_tours_by_pattern(meeting, self._threads)
        return meeting, sums, accumulate_chunks(sums)

    def tour(self, number: int) -> Sequence[int]:
        """Return the vertices, in order, of the tour of a number from 0 on."""
        with self._lock:
            above, below = self._pairs.pair(number)
        moves, ends = self._ways[0].way(above)
        lower, more = self._ways[-1].way(below)
        if self._question.single:
            images = self._images
            lower = [(images[one], images[other]) for one, other in lower]
            more = [images[end] for end in more]
        return self._walk([*moves, *lower], [*ends, *more])

    def _walk(
        self, moves: Sequence[tuple[Square, Square]], ends: Sequence[Square]
    ) -> Sequence[int]:
        """Return the vertices of a tour in order, from its moves."""
        beside: dict[Square, list[Square]] = {}
        for one, other in moves:
            beside.setdefault(one, []).append(other)
            beside.setdefault(other, []).append(one)
        walk = [ends[0] if ends else moves[0][0]]
        before = None
        while len(walk) < self._problem.size:
            here = walk[-1]
            before, there = here, next(each for each in beside[here] if each != before)
            walk.append(there)
        index = self._problem.indexed.index
        return [index[square] for square in walk]

    def number(self, tour: Sequence[int]) -> int:
        """Return the number of a tour, for any direction and any first square of a closed one."""
        nodes: Any = self._problem.indexed.nodes
        squares = [nodes[vertex] for vertex in tour]
        steps = zip(squares, [*squares[1:], squares[0]], strict=True)
        pairs = [frozenset(step) for step in steps]
        ends: list[Square] = []
        if not self._problem.closed:
            pairs.pop()
            ends = [squares[0], squares[-1]]
        above = self._ways[0].state(set(pairs), ends)
        if self._question.single:
            image = {lower: upper for upper, lower in self._images.items()}.__getitem__
            pairs = [frozenset(map(image, pair)) for pair in pairs]
            ends = [*map(image, ends)]
        below = self._ways[-1].state(set(pairs), ends)
        with self._lock:
            return self._pairs.number(above, below)


def _load_layer(store: Store, half: int, at: int) -> Layer | None:
    """Return a layer from the store, with its arrays left in the file, or None."""
    content = store.block(1, f"half-{half}-{at}").map()
    return None if content is None else Layer(**content)

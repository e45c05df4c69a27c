"""An array of states: its entries, which of its blocks are live, and steps that change it.

**Bounds.**  An array holds 32-bit numbers as long as no sum can be larger, then 64-bit numbers.  A
step adds to an entry of k pairs at most one of three: 2k entries of k + 1 pairs, where paths are
joined; one of k - 1, where there is a new path; one of k, where an end moves.  So the largest entry
for each number of pairs gives a bound for the entries after the step, which is computed before each
step.  So no sum can overflow.  With a modulus all entries are residues, and no bound is needed.

**Edges.**  A step adds every state with the edge to the states without it, in place.  The edge
joins the slots u (dark) and v (light).  For any digits of the other slots, six of the nine choices
for these two matter.  They form three groups by the sum of their digits, and in each group the
entries move along a chain:

    sum 1    degrees (0, 1) -> (1, 2)              a path's end moves from v to u
    sum 2    degrees (0, 0) -> (1, 1) -> (2, 2)    a new path; two paths become one
    sum 3    degrees (1, 0) -> (2, 1)              a path's end moves from u to v

The sum of all digits is fixed, so the other slots determine the group.  The step goes along each
chain from its last entry to its first, so it needs no second array; from the first to the last,
subtraction undoes it.  Blocks with different digits in the other slots never meet, so threads work
on them without locks.  A moved end, or a pair, is a permutation of ranks; two paths that become one
gather 2(k - 1) entries each (see ``matchings``).  A byte a pattern records whether its block was
ever written: dead blocks are neither cleared nor read.  A required edge (not ``optional``) drops
the states without it.

**Ends of open tours.**  An open tour is a closed tour through a depot that is adjacent to its first
and last squares.  The depot is not a slot.  While it has none or both of its edges, it is not a
point of a matching.  While it has one, it is the end of a path, and the highest point of all.  So
open tours are counted in up to four arrays: with no end placed, the dark end, the light end, and
both.  If one colour has one square more, there are arrays for none, one and two ends of that
colour.  An edge of the board is a step in each array.  An edge to the depot adds each state of one
array to a state of another:

    degree     no end before         one end before
    0 -> 1     a pair with depot     the end of the depot's path is here now
    1 -> 2     the depot is the end  two paths become one, or one goes on
               of the path here

**Turns.**  When a slot is given to another square of the same colour, its digit changes and the
array is laid out anew: once a row on odd widths, and beside holes.  The sum of the digits changes,
so every block moves.  Blocks are copied to a second array, which doubles the memory for a moment.

**Blocks.**  Most entries are zero or small, and each has four bytes or eight.  So a saved, sent or
inactive array is stored as pieces: live patterns, and their entries in as many bytes as the largest
entry of the piece needs.  Blocks of zeros are omitted.  On open 8×8 the pieces are a fifth of the
arrays.

Cost: a step reads and writes every entry of live blocks about once.  Importing this loads Numba,
and caches its compiled code.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numba import njit

from kt_cp.counting.dense.halves import Edge, Turn
from kt_cp.counting.dense.matchings import (
    JOIN,
    MATCHINGS,
    PAIR,
    RENAME,
    Layout,
    MatchingTables,
    edge_keys,
    layout,
    place,
    splits_by_top,
)
from kt_cp.processes.executors import wait_for
from kt_cp.search.bits import bit_count

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    Numbers = NDArray[np.int64]


def other_digits(at: Layout, *slots: int) -> tuple[Numbers, Numbers, Numbers]:
    """Return the patterns of all other slots, with 0 in the given slots.

    They are the low parts, sorted by the sum of their digits; the index at which each sum begins;
    and the high parts.
    """
    lows = len(at.low.sums)
    low, high = np.arange(lows), np.arange(len(at.high.sums))
    for weight in at.weights[[*slots]].tolist():
        if weight < lows:
            low = low[low // weight % 3 == 0]
        else:
            high = high[high // (weight // lows) % 3 == 0]
    sums = at.low.sums[low]
    low = low[np.argsort(sums, kind="stable")]
    bounds = np.searchsorted(np.sort(sums), np.arange(int(at.low.sums[-1]) + 2))
    return low.astype(np.int64), bounds.astype(np.int64), high.astype(np.int64)


@njit(cache=True, nogil=True, forceinline=True)
def block(at: Any, pattern: Any) -> Any:
    """Return the index at which the block of a pattern begins."""
    lows = at.low.sums.shape[0]
    h = pattern // lows
    row = at.within[at.total - at.high.sums[h], at.high.counts[h]]
    return np.int64(at.starts[h] + row[pattern - h * lows])


@njit(cache=True, nogil=True, forceinline=True)
def below(ones: Any, slot: Any) -> Any:
    """Return the number of slots with a set bit before a slot."""
    return np.int64(bit_count(np.uint64(ones & ((np.int64(1) << slot) - 1))))


@njit(cache=True, nogil=True)
def rename(
    old: Any, source: Any, new: Any, target: Any,
    pairs: Any, i: Any, j: Any, ranks: Any, add: Any, modulus: Any,
) -> Any:  # fmt: skip
    """Move a block, or add it to another, with point i now j; return the largest entry."""
    largest = np.uint64(0)
    begin = ranks.at[RENAME, pairs, i, j]
    for r in range(MATCHINGS[pairs]):
        value = np.uint64(old[source + (r if i == j else np.int64(ranks.numbers[begin + r]))])
        if add:
            value += np.uint64(new[target + r])
            if modulus:
                value %= modulus
        new[target + r] = value
        largest = max(largest, value)
    return largest


@njit(cache=True, nogil=True)
def pair(
    old: Any, source: Any, new: Any, target: Any,
    pairs: Any, i: Any, j: Any, ranks: Any, add: Any, modulus: Any,
) -> Any:  # fmt: skip
    """Add a block where i and j are a new pair, of ``pairs`` with it; return the largest entry."""
    if not add:
        for r in range(MATCHINGS[pairs]):
            new[target + r] = 0
    largest = np.uint64(0)
    begin = ranks.at[PAIR, pairs, i, j]
    for r in range(MATCHINGS[pairs - 1]):
        place = target + np.int64(ranks.numbers[begin + r])
        value = np.uint64(old[source + r]) + np.uint64(new[place])
        if modulus:
            value %= modulus
        new[place] = value
        largest = max(largest, value)
    return largest


@njit(cache=True, nogil=True)
def join_by_table(
    old: Any, source: Any, new: Any, target: Any,
    pairs: Any, i: Any, j: Any, ranks: Any, add: Any, modulus: Any,
) -> Any:  # fmt: skip
    """Join like :func:`join`, by a table for ``pairs`` pairs."""
    largest = np.uint64(0)
    wide = 2 * (pairs - 1)
    begin = ranks.at[JOIN, pairs, i, j]
    for r in range(MATCHINGS[pairs - 1]):
        value = np.uint64(new[target + r]) if add else np.uint64(0)
        for x in range(wide):
            value += np.uint64(old[source + np.int64(ranks.numbers[begin + x])])
        begin += wide
        if modulus:
            value %= modulus
        new[target + r] = value
        largest = max(largest, value)
    return largest


@njit(cache=True, nogil=True)
def join(
    old: Any, source: Any, new: Any, target: Any,
    pairs: Any, i: Any, j: Any, ranks: Any, add: Any, modulus: Any,
) -> Any:  # fmt: skip
    """Add a block in which i and j become inner points; return the largest entry.

    A large block is split by the partner of the highest point after the edge.  Before the edge, the
    highest point has the same partner, or i and j are the partners of both.
    """
    if not splits_by_top(pairs, j):
        return join_by_table(old, source, new, target, pairs, i, j, ranks, add, modulus)
    largest, many, each = np.uint64(0), MATCHINGS[pairs - 2], MATCHINGS[pairs - 1]
    if not add:
        for r in range(each):
            new[target + r] = 0
    for point in range(2 * pairs - 1):
        if point in (i, j):
            continue
        join_by_table(
            old, source + point * each, new, target,
            pairs - 1, i - (point < i), j - (point < j), ranks, True, modulus,
        )  # fmt: skip
        for end, other in ((i, j), (j, i)):
            one, two = point - (point > end), other - (other > end)
            begin = ranks.at[PAIR, pairs - 1, min(one, two), max(one, two)]
            for r in range(many):
                entry = old[source + end * each + np.int64(ranks.numbers[begin + r])]
                value = np.uint64(new[target + r]) + np.uint64(entry)
                if modulus:
                    value %= modulus
                new[target + r] = value
                largest = max(largest, value)
        target += many
    return largest


@njit(cache=True, nogil=True)
def add_edge(
    values: Any, live: Any, at: Any, u: int, v: int, optional: bool, modulus: Any,
    low: Any, bounds: Any, high: Any, ranks: Any, largest: Any,
) -> None:  # fmt: skip
    """Add an edge between the slots u (dark) and v (light), for some choices of the high digits.

    If ``optional``, states without the edge stay.  ``modulus`` is 0 for exact sums.  ``low``,
    ``bounds`` and a part of ``high`` are from :func:`other_digits` for u and v.  ``ranks`` has the
    tables of ``edge_keys``.  ``largest`` is raised to the largest entry written, for each number of
    pairs.
    """
    lows = at.low.sums.shape[0]
    pu, pv = at.weights[u], at.weights[v]
    bits = (np.int64(1) << u) | (np.int64(1) << v)
    first, second = min(u, v), max(u, v)
    for h in high:
        left = at.total - at.high.sums[h]
        above = np.int64(at.high.ones[h])
        for group in range(1, 4) if optional else range(5):
            if not 0 <= left - group < bounds.shape[0] - 1:
                continue
            for x in range(bounds[left - group], bounds[left - group + 1]):
                q = low[x]
                pattern = h * lows + q
                ones = np.int64(at.low.ones[q]) | above
                if group == 2:
                    two = pattern + 2 * pu
                    one = pattern + pu + pv
                    none = pattern + 2 * pv
                    pairs = (np.int64(bit_count(np.uint64(ones))) + 2 + at.depot) // 2
                    i, j = below(ones | bits, first), below(ones | bits, second)
                    if not optional:
                        live[two] = 0
                    if live[one]:
                        start = block(at, one)
                        if pairs > 1:
                            most = join(
                                values, start, values, block(at, two),
                                pairs, i, j, ranks, live[two] != 0, modulus,
                            )  # fmt: skip
                            if most:
                                live[two] = 1
                                largest[pairs - 1] = max(largest[pairs - 1], most)
                    if not optional:
                        live[one] = 0
                    if live[none]:
                        most = pair(
                            values, block(at, none), values, block(at, one),
                            pairs, i, j, ranks, live[one] != 0, modulus,
                        )  # fmt: skip
                        if most:
                            live[one] = 1
                            largest[pairs] = max(largest[pairs], most)
                        if not optional:
                            live[none] = 0
                elif group == 1 or group == 3:
                    if group == 1:
                        source, target, gone, joined = pattern + pv, pattern + pu, v, u
                    else:
                        source, target = pattern + pu + 2 * pv, pattern + 2 * pu + pv
                        gone, joined = u, v
                    if not optional:
                        live[target] = 0
                    if live[source]:
                        pairs = (np.int64(bit_count(np.uint64(ones))) + 1 + at.depot) // 2
                        most = rename(
                            values, block(at, source), values, block(at, target),
                            pairs, below(ones, gone), below(ones, joined),
                            ranks, live[target] != 0, modulus,
                        )  # fmt: skip
                        if most:
                            live[target] = 1
                            largest[pairs] = max(largest[pairs], most)
                        if not optional:
                            live[source] = 0
                elif not optional:
                    # Neither if no edge is missing, nor if both slots have two edges.
                    live[pattern + (0 if group == 0 else 2 * pu + 2 * pv)] = 0


class Threads:
    """Threads on all processors, for kernels that run outside Python's lock."""

    def __init__(self, workers: int | None = None) -> None:
        self.workers = workers or os.cpu_count() or 1

    def __call__(self, function: Callable[..., object], jobs: Iterable[tuple[Any, ...]]) -> None:
        """Run a function on lists of arguments; the first error or Ctrl-C stops the rest."""
        jobs = list(jobs)
        if self.workers == 1 or len(jobs) < 2:
            for job in jobs:
                function(*job)
            return
        with ThreadPoolExecutor(self.workers) as pool:
            try:
                for made in [pool.submit(function, *job) for job in jobs]:
                    wait_for(made)
            except BaseException:
                pool.shutdown(wait=True, cancel_futures=True)
                raise


Blocks: TypeAlias = "Mapping[str, NDArray[Any]]"
"""Pieces from 0 on: ``patterns-0``, with equal numbers of pairs, and ``values-0``, with a row of
entries for each."""

PIECE = 8_000_000
"""Entries of a piece, unless a pattern has more."""


@njit(cache=True, nogil=True)
def find_largest(values: Any, at: Any, patterns: Any, size: int, largest: Any) -> None:
    """Write the largest entry of the block of each pattern, all of the same size."""
    for x in range(patterns.shape[0]):
        start, most = block(at, patterns[x]), np.uint64(0)
        for r in range(size):
            most = max(most, np.uint64(values[start + r]))
        largest[x] = most


@njit(cache=True, nogil=True)
def copy(values: Any, at: Any, patterns: Any, rows: Any, out: bool) -> None:
    """Copy the blocks of some patterns out of an array, or into it."""
    for x in range(patterns.shape[0]):
        start = block(at, patterns[x])
        for r in range(rows.shape[1]):
            if out:
                rows[x, r] = values[start + r]
            else:
                values[start + r] = rows[x, r]


def pairs_of(states: StateArray, patterns: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the numbers of pairs of ends of some patterns."""
    high, low = np.divmod(patterns, len(states.at.low.sums))
    ends: NDArray[np.int64] = states.at.high.counts[high] + states.at.low.counts[low]
    return (ends + states.at.depot) // 2


def take_blocks(
    states: StateArray,
    patterns: NDArray[np.int64],
    numbers: NDArray[np.int64],
    threads: Threads | None = None,
) -> dict[str, NDArray[Any]]:
    """Return the blocks of some patterns, with new numbers for the patterns."""
    pairs = pairs_of(states, patterns)
    pieces: list[Any] = [*_pieces(pairs)]

    def take(at: int) -> None:
        chosen = pieces[at]
        size = int(MATCHINGS[pairs[chosen[0]]])
        tops = np.empty(len(chosen), dtype=np.uint64)
        find_largest(states.values, states.at, patterns[chosen], size, tops)
        chosen = chosen[tops > 0]
        rows = np.empty((len(chosen), size), dtype=np.min_scalar_type(tops.max()))
        copy(states.values, states.at, patterns[chosen], rows, True)
        pieces[at] = numbers[chosen].astype(np.uint32), rows

    (threads or Threads(1))(take, [(at,) for at in range(len(pieces))])
    found: dict[str, NDArray[Any]] = {}
    for at, (some, small) in enumerate(each for each in pieces if len(each[0])):
        found |= {f"patterns-{at}": some, f"values-{at}": small}
    return found


def _pieces(pairs: NDArray[np.int64]) -> Iterator[NDArray[np.int64]]:
    """Yield the indices of patterns with equal numbers of pairs, a piece at a time."""
    for many in np.unique(pairs).tolist():
        places = np.flatnonzero(pairs == many)
        step = max(1, PIECE // int(MATCHINGS[many]))
        yield from (places[first : first + step] for first in range(0, len(places), step))


def put(states: StateArray, pieces: Iterable[tuple[NDArray[np.int64], NDArray[Any]]]) -> None:
    """Write some blocks: patterns of an array, and a row of entries for each."""
    for patterns, rows in pieces:
        if rows.dtype == np.uint64 and states.values.dtype == np.uint32:
            states.values = states.values.astype(np.uint64)
        copy(states.values, states.at, patterns, rows, False)
        states.live[patterns] = 1
        pairs = int(pairs_of(states, patterns[:1])[0])
        states.largest[pairs] = max(states.largest[pairs], rows.max())


def block_slices(
    blocks: Blocks, *, drop: bool = False
) -> Iterator[tuple[NDArray[np.int64], NDArray[Any]]]:
    """Yield the pieces of some blocks: patterns, and rows of entries; removed with ``drop``."""
    found = blocks if drop and isinstance(blocks, dict) else {**blocks}
    for at in range(len(found) // 2):
        yield found.pop(f"patterns-{at}").astype(np.int64), found.pop(f"values-{at}")


PIECES = 32
"""Parts of a step: enough that threads end at about the same time."""

SMALL = 500_000
"""Most entries of an array for which one thread is faster."""


class StateArray:
    """An array of states with the same number of edges at the depot.

    ``at`` and ``entries`` are from :func:`kt_cp.counting.dense.matchings.layout`, or for some of
    the high digits only.  ``memory`` is reused for the values, because the system clears new memory
    first.  ``values`` has an entry for each state, and ``live`` a byte for each pattern that
    records whether its block is live.  ``largest`` has a bound of the entries by their number of
    pairs.  ``packed`` has the blocks of an inactive array, which has no values, and ``pending`` the
    steps to apply once it is unpacked.
    """

    def __init__(self, at: Layout, entries: int, modulus: int = 0, memory: Any = None) -> None:
        self.slots, self.modulus = len(at.weights), modulus
        self.at, self.entries = at, entries
        self.values = np.empty(entries, dtype=np.uint32) if memory is None else memory[:entries]
        self.live = np.zeros(len(at.high.sums) * len(at.low.sums), dtype=np.uint8)
        self.largest = np.zeros(len(MATCHINGS) + 1, dtype=np.uint64)
        self.packed: Blocks | None = None
        self.pending: list[Edge | Turn] = []

    def blocks(self, threads: Threads) -> Blocks:
        """Return all live blocks."""
        if self.packed is not None:
            return self.packed
        living = np.flatnonzero(self.live)
        return take_blocks(self, living, living, threads)

    def pack(self, threads: Threads) -> None:
        """Replace the values by their packed blocks."""
        if self.packed is None:
            self.packed = self.blocks(threads)
            self.values = np.empty(0, dtype=self.values.dtype)

    def unpack(self, tables: MatchingTables, threads: Threads) -> None:
        """Restore the values, and apply the pending steps."""
        if self.packed is not None:
            blocks, self.packed = {**self.packed}, None
            self.values = np.empty(self.entries, dtype=self.values.dtype)
            self.live[:] = 0
            put(self, block_slices(blocks, drop=True))
            while self.pending:
                self.step(self.pending.pop(0), tables, threads)

    def step(self, step: Edge | Turn, tables: MatchingTables, threads: Threads) -> None:
        """Apply an edge, or a turn except for the digit that it changes."""
        if isinstance(step, Turn):
            live = self.live.reshape(-1, 3, self.at.weights[step.slot])
            for digit in range(3):
                if digit not in step.stay:
                    live[:, digit] = 0
            return
        self.widen()
        pairs = np.flatnonzero(self.largest).tolist()
        tables.require(edge_keys(self.slots, step.u, step.v, self.at.depot, pairs))
        self.run_in_parts(
            (step.u, step.v),
            tables,
            threads,
            lambda *parts: add_edge(
                self.values, self.live, self.at, step.u, step.v, step.optional,
                np.uint64(self.modulus), *parts,
            ),
        )  # fmt: skip

    @property
    def any(self) -> bool:
        """Return whether there is a state."""
        return bool(self.largest.any())

    def begin(self, digits: list[int]) -> None:
        """Set the only state before the first step, without paths."""
        pattern = sum(digit * 3**slot for slot, digit in enumerate(digits))
        self.values[place(self.at, pattern)[0]] = 1
        self.live[pattern] = 1
        self.largest[0] = 1

    def clear(self) -> None:
        """Remove all states."""
        self.live[:] = 0
        self.largest[:] = 0

    def widen(self, source: StateArray | None = None) -> None:
        """Use 64 bits for each entry if 32 may be too few after the next step."""
        if self.modulus:
            return
        mine = [int(each) for each in self.largest]
        most = mine if source is None else [int(each) for each in source.largest]
        bound = 0
        for pairs in range(len(MATCHINGS)):
            joined = max(2 * pairs * most[pairs + 1], most[pairs], most[pairs - 1] if pairs else 0)
            # An end that is placed makes a pair with one end less or more.
            bound = max(bound, mine[pairs] + joined)
        if bound >= 1 << 64:
            raise OverflowError
        if bound >= 1 << 32 and self.values.dtype == np.uint32:
            self.values = self.values.astype(np.uint64)

    def run_in_parts(
        self,
        slots: tuple[int, ...],
        tables: MatchingTables,
        threads: Threads,
        run: Callable[..., None],
    ) -> None:
        """Run a step on parts of the high digits, and combine the largest entries."""
        low, bounds, high = other_digits(self.at, *slots)
        many = PIECES if self.entries > SMALL and threads.workers > 1 else 1
        # Neighbours need similar work, so each part has some from all places.
        parts = [part for first in range(many) if len(part := high[first::many])]
        largest = [np.zeros_like(self.largest) for _ in parts]
        ranks = tables.ranks
        threads(
            run,
            [(low, bounds, part, ranks, most) for part, most in zip(parts, largest, strict=True)],
        )
        self.largest = np.maximum(self.largest, np.max(largest, axis=0))


@njit(cache=True, nogil=True)
def add_end(
    old: Any, old_live: Any, old_at: Any, new: Any, new_live: Any, new_at: Any,
    slot: int, light: bool, modulus: Any, low: Any, bounds: Any, high: Any,
    ranks: Any, largest: Any,
) -> None:  # fmt: skip
    """Add the states of one array, with an edge from a slot to the depot, to another array.

    The other parameters are those of :func:`add_edge`.
    """
    lows = old_at.low.sums.shape[0]
    power = old_at.weights[slot]
    for h in high:
        left = old_at.total - old_at.high.sums[h]
        above = np.int64(old_at.high.ones[h])
        for digit in range(3):
            degree = 2 - digit if light else digit
            if degree == 2 or not 0 <= left - digit < bounds.shape[0] - 1:
                continue
            for x in range(bounds[left - digit], bounds[left - digit + 1]):
                q = low[x]
                source = h * lows + q + digit * power
                if not old_live[source]:
                    continue
                target = source + (-power if light else power)
                ones = np.int64(old_at.low.ones[q]) | above
                ends = np.int64(bit_count(np.uint64(ones)))
                i = below(ones, slot)
                add = new_live[target] != 0
                start, end = block(old_at, source), block(new_at, target)
                if ends % 2 == 1:
                    pairs = (ends + 1) // 2
                    top = 2 * pairs - 1
                    if degree == 0:  # the depot's path ends here
                        most = rename(old, start, new, end, pairs, top, i, ranks, add, modulus)
                    else:
                        most = rename(old, start, new, end, pairs, i, top, ranks, add, modulus)
                else:
                    pairs = ends // 2 + 1
                    top = 2 * pairs - 1
                    if degree == 0:
                        most = pair(old, start, new, end, pairs, i, top, ranks, add, modulus)
                    elif pairs > 1:
                        most = join(old, start, new, end, pairs, i, top, ranks, add, modulus)
                        pairs -= 1
                    else:
                        continue  # the depot and the slot are the ends of the same path
                if most:
                    new_live[target] = 1
                    largest[pairs] = max(largest[pairs], most)


@njit(cache=True, nogil=True)
def copy_blocks(
    old: Any, old_live: Any, old_at: Any, new: Any, new_live: Any, new_at: Any, shift: int
) -> None:
    """Copy the block of every live pattern to the pattern whose number is larger by ``shift``."""
    lows = old_at.low.sums.shape[0]
    for pattern in range(old_live.shape[0]):
        if old_live[pattern]:
            h = pattern // lows
            ends = old_at.high.counts[h] + old_at.low.counts[pattern - h * lows] + old_at.depot
            source, target = block(old_at, pattern), block(new_at, pattern + shift)
            for r in range(MATCHINGS[ends // 2]):
                new[target + r] = old[source + r]
            new_live[pattern + shift] = 1


def change_digit(states: StateArray, slot: int, before: int, after: int) -> None:
    """Change a digit that is the same in all states."""
    at, entries = layout(states.slots, states.at.total + after - before, states.at.depot)
    values = np.empty(entries, dtype=states.values.dtype)
    live = np.zeros_like(states.live)
    shift = (after - before) * 3**slot
    copy_blocks(states.values, states.live, states.at, values, live, at, shift)
    states.values, states.live, states.at, states.entries = values, live, at, entries

"""The steps of a phase for one group of keys: blocks come in, are changed, and are dealt out.

A group needs nothing of the others (see ``phases``).  What it gives to a group of the next phase is
the patterns that live, and their entries, in as few bytes as the largest of them takes.  Zeros are
not given where a whole block has nothing else.

So a phase is ``deal(*made(...))`` for each of its groups, wherever that is called, and the last one
is ``met(*made(...))``.  Cost: entries are copied twice a phase, and written and read where groups
lie on a disk.  Importing this loads Numba; compiled code is kept beside the source.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numba import njit

from kt_cp.counting.dense.edge import block
from kt_cp.counting.dense.meet import meet
from kt_cp.counting.dense.order import Edge, Turn
from kt_cp.counting.dense.patterns import MATCHINGS
from kt_cp.counting.dense.phases import Part, numbers_after
from kt_cp.counting.dense.sweep import States

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kt_cp.counting.dense.matchings import Tables
    from kt_cp.counting.dense.threads import Threads

Blocks: TypeAlias = "Mapping[str, NDArray[Any]]"
"""For each number of pairs patterns and, a row each, their entries."""


@njit(cache=True, nogil=True)
def copy(values: Any, at: Any, patterns: Any, rows: Any, largest: Any, out: bool) -> None:
    """Copy the blocks of some patterns out of an array, or into it, and tell their largest."""
    for x in range(patterns.shape[0]):
        start, most = block(at, patterns[x]), np.uint64(0)
        for r in range(rows.shape[1]):
            if out:
                rows[x, r] = values[start + r]
            else:
                values[start + r] = rows[x, r]
            most = max(most, np.uint64(rows[x, r]))
        largest[x] = most


def started(part: Part, pattern: int) -> tuple[int, Blocks]:
    """The only state before the first step: its group, and itself."""
    key = pattern // len(part.at.low.sums)
    entry = np.ones((1, 1), dtype=np.uint8)
    return int(part.group_of[key]), {"patterns-0": np.array([pattern]), "values-0": entry}


def made(
    part: Part,
    group: int,
    given: Iterable[Blocks],
    modulus: int,
    tables: Tables,
    threads: Threads,
    room: NDArray[np.uint32] | None = None,
) -> States:
    """The array of a group after all steps of its phase; in some room, where it is given."""
    states = States(*part.layout(group), modulus, room)
    for blocks in given:
        _take(states, part, blocks)
    if states.any:
        for step in part.phase.steps:
            if isinstance(step, Edge):
                states.edge(step, tables, threads)
            elif isinstance(step, Turn):
                states.drop(step)
    return states


def _take(states: States, part: Part, blocks: Blocks) -> None:
    """Have some blocks."""
    lows = len(states.at.low.sums)
    for name, patterns in blocks.items():
        kind, _, pairs = name.partition("-")
        if kind == "patterns":
            rows = blocks[f"values-{pairs}"]
            if rows.dtype == np.uint64 and states.values.dtype == np.uint32:
                states.values = states.values.astype(np.uint64)
            key, low = np.divmod(patterns.astype(np.int64), lows)
            local = part.place[key] * lows + low
            most = np.empty(len(local), dtype=np.uint64)
            copy(states.values, states.at, local, rows.astype(states.values.dtype), most, False)
            states.live[local] = 1
            states.largest[int(pairs)] = max(states.largest[int(pairs)], most.max())


def deal(states: States, part: Part, group: int, after: Part) -> Iterator[tuple[int, Blocks]]:
    """What a group gives to each of those of the next phase, but for those that get nothing."""
    local = np.flatnonzero(states.live)
    lows = len(states.at.low.sums)
    high, low = np.divmod(local, lows)
    of_low, of_high = numbers_after(part, after)
    number = of_low[low] + of_high[part.groups[group][high]]
    pairs = (states.at.high.counts[high] + states.at.low.counts[low]) // 2
    group_of = after.group_of[number // len(after.at.low.sums)]
    order = np.lexsort((pairs, group_of))
    pieces = [list(_runs(those, pairs)) for those in _runs(order, group_of)]
    most = max(
        (len(each) * int(MATCHINGS[pairs[each[0]]]) for it in pieces for each in it), default=0
    )
    room, largest = np.empty(most, dtype=states.values.dtype), np.empty(len(order), dtype=np.uint64)
    for those in pieces:
        found: dict[str, NDArray[Any]] = {}
        for chosen in those:
            many = int(pairs[chosen[0]])
            rows = room[: len(chosen) * MATCHINGS[many]].reshape(len(chosen), -1)
            tops = largest[: len(chosen)]
            copy(states.values, states.at, local[chosen], rows, tops, True)
            kept = chosen[tops > 0]
            if len(kept):
                rows = rows if len(kept) == len(rows) else rows[tops > 0]
                found[f"patterns-{many}"] = number[kept].astype(np.uint32)
                found[f"values-{many}"] = rows.astype(np.min_scalar_type(tops.max()))
        if found:
            yield int(group_of[those[0][0]]), found


def _runs(places: NDArray[np.int64], keys: NDArray[np.int64]) -> Iterator[NDArray[np.int64]]:
    """Places, in an order, cut where their keys change."""
    cuts = np.flatnonzero(np.diff(keys[places])) + 1
    yield from (each for each in np.split(places, cuts) if len(each))


def met(states: States, part: Part, group: int, tables: Tables, threads: Threads) -> int:
    """What a group of the last phase counts with its mirror image."""
    if not states.any or part.partners is None:
        return 0
    low, high = part.partners
    lows = len(low)
    local = part.place[high[part.groups[group]] // lows] * lows
    return meet(states, states, (low, local), tables, threads)

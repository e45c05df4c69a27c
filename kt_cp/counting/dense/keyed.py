"""The steps of a phase for one group of keys: blocks come in, are changed, and are dealt out.

A group needs nothing of the others (see ``phases``).  What it gives to a group of the next phase is
the patterns that live, and their entries (see ``blocks``).

So a phase is ``through(...)`` for each of its groups, wherever that is called.  Cost: entries are
copied twice a phase, and written and read where groups lie on a disk.  Importing this loads Numba;
compiled code is kept beside the source.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from kt_cp.counting.dense.array import States, pieces_of, put, taken
from kt_cp.counting.dense.halves import Edge, Turn
from kt_cp.counting.dense.meeting import meet
from kt_cp.counting.dense.on_disk import Part, numbers_after

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kt_cp.counting.dense.array import Blocks, Threads
    from kt_cp.counting.dense.matchings import Tables


def started(part: Part, pattern: int) -> tuple[int, Blocks]:
    """The only state before the first step: its group, and itself."""
    key = pattern // len(part.at.low.sums)
    entry = np.ones((1, 1), dtype=np.uint8)
    return int(part.group_of[key]), {"patterns-0": np.array([pattern]), "values-0": entry}


class Tools(NamedTuple):
    """What a process takes groups through their phases with, one after the other.

    Attributes
    ----------
    tables : Tables
        Of the width of the board.
    threads : Threads
    room : uint32 array, optional
        Where the entries of a group are to be; without it each group takes new memory.
    """

    tables: Tables
    threads: Threads
    room: NDArray[np.uint32] | None = None


def made(part: Part, group: int, given: Iterable[Blocks], modulus: int, tools: Tools) -> States:
    """The array of a group after all steps of its phase."""
    states = States(*part.layout(group), modulus, tools.room)
    lows = len(states.at.low.sums)
    for blocks in given:
        for patterns, rows in pieces_of(blocks):
            key, low = np.divmod(patterns, lows)
            put(states, [(part.place[key] * lows + low, rows)])
    if states.any:
        for step in part.phase.steps:
            if isinstance(step, Edge):
                states.edge(step, tools.tables, tools.threads)
            elif isinstance(step, Turn):
                states.drop(step)
    return states


def deal(states: States, part: Part, group: int, after: Part) -> Iterator[tuple[int, Blocks]]:
    """What a group gives to each of those of the next phase, but for those that get nothing."""
    local = np.flatnonzero(states.live)
    lows = len(states.at.low.sums)
    high, low = np.divmod(local, lows)
    of_low, of_high = numbers_after(part, after)
    number = of_low[low] + of_high[part.groups[group][high]]
    group_of = after.group_of[number // len(after.at.low.sums)]
    order = np.argsort(group_of, kind="stable")
    for those in np.split(order, np.flatnonzero(np.diff(group_of[order])) + 1):
        if len(those) and (found := taken(states, local[those], number[those])):
            yield int(group_of[those[0]]), found


def met(states: States, part: Part, group: int, tools: Tools) -> int:
    """What a group of the last phase counts with its mirror image."""
    if not states.any or part.partners is None:
        return 0
    low, high = part.partners
    lows = len(low)
    local = part.place[high[part.groups[group]] // lows] * lows
    return meet(states, states, (low, local), tools.tables, tools.threads)


class Came(NamedTuple):
    """What a group has come to in a phase.

    Attributes
    ----------
    tours : int
        How many it counts, in the last one.
    given : iterable of pairs
        Groups of the next one, and what they get.
    """

    tours: int
    given: Iterable[tuple[int, Blocks]]


def through(
    parts: Sequence[Part], at: int, group: int, given: Iterable[Blocks], modulus: int, tools: Tools
) -> Came:
    """A group of a phase, by its number, from what it was given to what it gives or counts."""
    part = parts[at]
    states = made(part, group, given, modulus, tools)
    if at + 1 == len(parts):
        return Came(met(states, part, group, tools), ())
    return Came(0, deal(states, part, group, parts[at + 1]))

"""One step: the states that follow, each once and in order.

The states that follow are sorted, and equal ones become one, whose number is the sum of theirs, or
what else is made of two.  That is done for some ten thousand states at a time, which the
processor's cache holds, and then for what is left of all, a range of states at a time.  What
follows from states in order is in order but for a few fields, which a sort by merging makes use of.
There is no table with room to spare, and nothing is compiled: a small count ends before Numba would
have been loaded, and a large one takes as long as by a compiled table of hashes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from kt_cp.counting.frontier.transitions import TURN, Followers, Plan, Step, followers

if TYPE_CHECKING:
    from kt_cp.counting.frontier.transitions import Numbers, Table

    Joined = Callable[[Table, Numbers], Table]

CHUNK = 1 << 16
"""States that are followed at a time."""

SAMPLED = 64
"""Each how manieth state of a part may be the end of a range."""

HALF, LOW = np.uint64(32), np.uint64(0xFFFFFFFF)


def after(
    states: Table,
    step: Step,
    plan: Plan,
    numbered: Callable[[Followers, int], Table],
    joined: Joined | None = None,
    look: Callable[[list[Table]], None] | None = None,
) -> tuple[Table, list[Table]]:
    """The table of all states after a step, and the numbers of what closes a cycle in it.

    Parameters
    ----------
    states : uint64 array of shape (words, many)
    numbered : callable
        The numbers of what follows in one way some states, of which the first one's place is told.
    look : callable, optional
        Given what there is, whenever that is more.
    """
    parts, closed = [], []
    for at in range(0, max(1, states.shape[1]), CHUNK):
        blocks, some = [], states[:, at : at + CHUNK]
        for way in (
            turn for each in followers(some, step, plan) for turn in _turns(each, some, step, plan)
        ):
            numbers = numbered(way, at)
            if way.states is None:
                closed.append(numbers)
            else:
                blocks.append(np.vstack([way.states, numbers]))
        parts.append(merged(np.hstack(blocks), plan.words, joined))
        if look is not None:
            look(parts)
    return together(parts, plan.words, joined) if len(parts) > 1 else parts[0], closed


def _turns(way: Followers, states: Table, step: Step, plan: Plan) -> Iterator[Followers]:
    """What follows, as often as its edges have ways, with the sum of their turns in the states."""
    if not (plan.turns or plan.odd):
        yield way
        return
    for odd, many in enumerate(plan.ways(step, way.picks)):
        if way.states is None:
            rows = way.rows[(states[0, way.rows] >= TURN) ^ odd == plan.odd]
            yield from [way._replace(rows=rows)] * many
        else:
            made = way.states.copy()
            made[0] ^= TURN * np.uint64(odd)
            yield from [way._replace(states=made)] * many


def merged(table: Table, words: int, joined: Joined | None = None) -> Table:
    """The states of a table, each once and in order, with the sums of their numbers.

    Parameters
    ----------
    table : uint64 array of shape (words + limbs, states)
        No sum of numbers is longer than they are.
    joined : callable, optional
        What makes one of the numbers from each start to the next, in place of their sum.

    Examples
    --------
    >>> merged(np.array([[7, 5, 7], [1, 2, 4]], dtype=np.uint64), 1).tolist()
    [[5, 7], [2, 5]]
    """
    order = np.lexsort(table[:words][::-1]) if words > 1 else np.argsort(table[0], kind="stable")
    states = table[:words].take(order, axis=1)
    fresh = np.ones(len(order), dtype=np.bool_)
    fresh[1:] = (states[:, 1:] != states[:, :-1]).any(axis=0)
    starts = np.flatnonzero(fresh)
    numbers = (joined or _sums)(table[words:].take(order, axis=1), starts)
    return np.vstack([states.take(starts, axis=1), numbers])


def together(parts: list[Table], words: int, joined: Joined | None = None) -> Table:
    """Several such tables as one: the states between two of a sample are merged at a time.

    Examples
    --------
    >>> one = np.array([[5, 7], [2, 5]], dtype=np.uint64)
    >>> together([one, one], 1).tolist()
    [[5, 7], [4, 10]]
    """
    sample = np.sort(np.hstack([part[0, ::SAMPLED] for part in parts]))
    cuts = sample[CHUNK // SAMPLED :: CHUNK // SAMPLED]
    ranges = [[0, *np.searchsorted(part[0], cuts).tolist(), part.shape[1]] for part in parts]
    each = zip(*(pairwise(ends) for ends in ranges), strict=True)
    return np.hstack([
        merged(
            np.hstack([part[:, i:j] for part, (i, j) in zip(parts, ends, strict=True)]),
            words,
            joined,
        )
        for ends in each
    ])  # fmt: skip


def _sums(numbers: Table, starts: Numbers) -> Table:
    """The sums of columns from each start to the next one."""
    if len(numbers) == 1:
        return np.add.reduceat(numbers, starts, axis=1)
    found = np.empty((len(numbers), len(starts)), dtype=np.uint64)
    carry = np.zeros(len(starts), dtype=np.uint64)
    for limb, place in zip(numbers, found, strict=True):
        lower = np.add.reduceat(limb & LOW, starts) + carry
        upper = np.add.reduceat(limb >> HALF, starts) + (lower >> HALF)
        place[:] = upper << HALF | lower & LOW
        carry = upper >> HALF
    return found

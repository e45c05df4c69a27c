"""The states that follow others in a step, for many at once; a readable twin is among the tests.

The vertex of the step still needs none, one or two edges, and they lead to later neighbours that
have fewer than two.  Some of these must be taken: required edges, and those to neighbours that
would be left with too few.  An edge that joins the two ends of one path closes a cycle.  That is
the end if nothing else is left, and allowed at no other time.

There are few ways to choose: one neighbour or two, of at most eight on most boards.  NumPy tries
each way on all states.  What decides is compared in bytes, many at a time; a word is made only of a
state that does follow.  Cost: a tenth of a microsecond a state that follows, where the states of a
call fit in the cache.  When it loses: a call takes a tenth of a millisecond or more, even of one
state.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from kt_cp.counting.frontier.transitions import Plan, Step

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Bytes = NDArray[np.uint8]
    Flags = NDArray[np.bool_]
    Numbers = NDArray[np.int64]
    Table = NDArray[np.uint64]


class Followers(NamedTuple):
    """What follows in one way to choose edges.

    Attributes
    ----------
    picks : tuple of int
        Which later neighbours the vertex of the step is joined to.
    rows : int array of shape (many,)
        Which states can be followed so, in order.
    states : uint64 array of shape (words, many), or None
        What follows each of them; where the cycle closes, nothing does.
    """

    picks: tuple[int, ...]
    rows: Numbers
    states: Table | None


class _Near(NamedTuple):
    """A later neighbour: its slot; in each state its field, whether it may and must be chosen."""

    slot: int
    field: Bytes
    free: Flags
    must: Flags


def followers(states: Table, step: Step, plan: Plan) -> Iterator[Followers]:
    """All states that can follow some, way by way, in a fixed order.

    Parameters
    ----------
    states : uint64 array of shape (words, states)
    step : Step
    plan : Plan
        Of which that is a step.
    """
    enter, done = step.marks[:, :, None]
    left, words = np.full(states.shape[1], 2, dtype=np.int8), states.copy()
    mates = None
    if step.slot >= 0:
        mates = read(states, plan, step.slot)
        left -= mates != step.slot
        left -= mates == plan.full
        words &= plan.others[:, step.slot, None]
    words |= enter
    spare, possible, near = left.copy(), np.ones(len(left), dtype=np.bool_), []
    for slot, forced, need in step.near.tolist():
        field = read(words, plan, slot)
        free, must = field != plan.full, field == slot  # which has no edge yet
        if need == 2:
            possible &= ~must
        if forced:
            possible &= free
        must = free if forced or need == 2 else must & (need == 1)
        spare -= must
        near.append(_Near(slot, field, free, must))
    rows = (possible & (left == 0) & (spare == 0)).nonzero()[0]
    yield Followers((), rows, words.take(rows, axis=1))
    for many in (1, 2):
        open_ = possible & (left == many) & (spare >= 0)
        for picks in combinations(range(len(near)) if open_.any() else (), many):
            chosen = [near[pick] for pick in picks]
            may, owed = open_, spare
            for each in chosen:
                may, owed = may & each.free, owed + each.must
            rows = (may & (owed == many)).nonzero()[0]
            if not len(rows):
                continue
            made = words.take(rows, axis=1)
            ends = [each.field[rows] for each in chosen]
            for each, end in zip(chosen, ends, strict=True):
                made |= (end != each.slot) * plan.fulls[:, each.slot, None]
            slot = chosen[-1].slot
            if many == 1:
                assert mates is not None
                ends.append(mates[rows])
                slot = step.slot
            # A new vertex may have the slot that was just given up.
            around = ends[0] == slot
            if many == 1 and chosen[0].slot == slot:
                around = np.zeros_like(around)
            if around.any():
                # The highest bit of a word is no field: a sweep may keep a sum of turns there.
                yield Followers(picks, rows[around & ((made ^ done) << 1 == 0).all(axis=0)], None)
                on = ~around
                rows, made, ends = rows[on], made.compress(on, axis=1), [end[on] for end in ends]
            for end, other in (ends, ends[::-1]):
                made &= plan.others.take(end, axis=1)
                made |= plan.ones.take(end, axis=1) * other
            yield Followers(picks, rows, made)


def read(states: Table, plan: Plan, slot: int) -> Bytes:
    """The field of a slot in each state."""
    word, shift = plan.places[slot].tolist()
    field: Table = states[word] >> np.uint64(shift) & np.uint64(plan.full)
    return field.astype(np.uint8)

"""The states that can follow one state in a step, compiled; a readable twin is among the tests.

The vertex of the step still needs none, one or two edges, and they lead to later neighbours that
have fewer than two.  Some of these must be taken: required edges, and those to neighbours that
would be left with too few.  An edge that joins the two ends of one path closes a cycle.  That is
the end if nothing else is left, and allowed at no other time.

Importing this loads Numba.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from kt_cp.counting.frontier.table import same
from kt_cp.search.windows_sets import inline

if TYPE_CHECKING:
    from kt_cp.counting.frontier.table import Numbers, Table, Words

SLOT, FORCED, NEED = range(3)
"""Columns of ``near``, one row a later neighbour."""

ENTER, DONE = range(2)
"""Rows of ``marks``."""


@inline
def read(rows: Table, row: Any, places: Numbers, slot: Any, full: int) -> Any:
    """The field of a slot."""
    return np.int64((rows[row, places[slot, 0]] >> np.uint64(places[slot, 1])) & np.uint64(full))


@inline
def write(rows: Table, row: Any, places: Numbers, slot: Any, full: int, value: Any) -> None:
    """Set the field of a slot."""
    word, shift = places[slot, 0], np.uint64(places[slot, 1])
    rows[row, word] = (rows[row, word] & ~(np.uint64(full) << shift)) | (np.uint64(value) << shift)


@inline
def copied(out: Table, row: Any, other: Any, words: int) -> None:
    """Copy a row."""
    for word in range(words):
        out[row, word] = out[other, word]


@inline
def follow(
    state: Words, words: int, slot: int, near: Numbers, marks: Table, places: Numbers, full: int,
    out: Table, start: Any, chosen: Numbers, picks: Numbers,
) -> Any:  # fmt: skip
    """All states that can follow one, in a fixed order.

    Parameters
    ----------
    state : uint64 array of shape (words or more,)
    slot, near, marks
        As in :class:`~kt_cp.counting.frontier.plan.Step`.
    places : int64 array of shape (slots, 2)
        Word and shift of each slot.
    full : int
        What a slot holds once its vertex has two edges: its bits, all ones.
    out : uint64 array of shape (rows, words)
        Receives the states, from row ``start`` on; the last row is for work.
    chosen : int64 array of shape (others,)
        For work.
    picks : int64 array of shape (most, 2)
        Which later neighbours the vertex of the step is joined to; -1 where there are fewer.

    Returns
    -------
    made : int
        How many states there are.
    closes : bool
        Whether the cycle closes instead, with the edges of ``picks[0]``.
    """
    spare = out.shape[0] - 1
    for word in range(words):
        out[spare, word] = state[word]
    mate = slot
    if slot >= 0:
        mate = read(out, spare, places, slot, full)
        write(out, spare, places, slot, full, 0)
    for word in range(words):
        out[spare, word] |= marks[ENTER, word]
    left = 0 if mate == full else (2 if mate == slot else 1)
    free = must = 0
    for i in range(near.shape[0]):
        other = near[i, SLOT]
        its = read(out, spare, places, other, full)
        if its == full:
            if near[i, FORCED]:
                return 0, False
            continue
        missing = near[i, NEED] - (0 if its == other else 1)
        if missing > 1:
            return 0, False
        chosen[free] = i
        if near[i, FORCED] or missing == 1:
            chosen[free], chosen[must] = chosen[must], i
            must += 1
        free += 1
    if must > left or free < left:
        return 0, False
    picks[0, 0] = picks[0, 1] = -1
    if left == 0:
        copied(out, start, spare, words)
        return 1, False
    made = 0
    for first in range(1 if must else free):
        here = near[chosen[first], SLOT]
        one = read(out, spare, places, here, full)
        seconds = first + 2 if left == 1 else (2 if must == 2 else free)
        for second in range(first + 1, seconds):
            row = start + made
            copied(out, row, spare, words)
            if one != here:
                write(out, row, places, here, full, full)
            picks[made, 0], picks[made, 1] = chosen[first], -1
            # A new vertex may have the slot that was just given up.
            other, around = mate, one == slot and here != slot
            if left == 2:
                there = near[chosen[second], SLOT]
                other = read(out, spare, places, there, full)
                around = one == there
                if other != there:
                    write(out, row, places, there, full, full)
                picks[made, 1] = chosen[second]
            if not around:
                write(out, row, places, one, full, other)
                write(out, row, places, other, full, one)
                made += 1
            elif same(out[row], marks[DONE], words):
                return 0, True  # all others are full, so there was no other way
    return made, False

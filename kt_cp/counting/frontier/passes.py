"""One step for all states, compiled: forwards from the start, or backwards from the end.

States are followed some hundred at a time.  Where they belong in the table is looked at for all of
them before any is put there: the processor waits for many misses of the cache at once, which takes
half the time.

Importing this loads Numba; compiled code is kept beside the source.  Numba sees by this file alone
whether that is of today: when :mod:`.follow` or :mod:`.table` changes, ``VERSION`` must too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numba import njit

from kt_cp.counting.frontier.follow import follow
from kt_cp.counting.frontier.table import EMPTY, NONE, add, find, home

if TYPE_CHECKING:
    from kt_cp.counting.frontier.table import Numbers, Table, Words

    Sizes = tuple[tuple[int, ...], tuple[int, ...]]

VERSION = 2
"""Of what is compiled into these functions."""


@njit(cache=True, nogil=True)
def forward(
    sizes: Sizes, source: Table, begin: int, end: int, target: Table, held: int, room: int,
    closed: Words, slot: int, near: Numbers, marks: Table, places: Numbers, full: int, out: Table,
    chosen: Numbers, picks: Numbers,
) -> tuple[int, int]:  # fmt: skip
    """Add to a table what follows the states of another.

    Parameters
    ----------
    sizes : pair of tuples
        As long as a state has words, and its number; or empty.
    source, target : uint64 arrays of shape (size, words + limbs)
    begin, end : int
        Rows of the source.
    held, room : int
        States in the target; and so many that ``rows`` more would be too many.
    closed : uint64 array of shape (limbs,)
        Number of cycles that closed: added to.
    slot, near, marks, places, full, out, chosen, picks
        As for :func:`~kt_cp.counting.frontier.follow.follow`; ``out`` has more rows than a state
        can be followed by.

    Returns
    -------
    at, held : int
        The row before which it stopped, and how many states the target holds.
    """
    words = len(sizes[0]) or marks.shape[1]
    limbs = len(sizes[1]) or closed.shape[0]
    rows, most, size = out.shape[0] - 1, picks.shape[0], target.shape[0]
    origins, homes = np.empty(rows, dtype=np.int64), np.empty(rows, dtype=np.int64)
    seen = np.empty(rows, dtype=np.uint64)
    at = begin
    while at < end and held < room:
        filled = 0
        while at < end and filled + most <= rows:
            if source[at, 0] != EMPTY:
                made, closes = follow(
                    source[at], words, slot, near, marks, places, full, out, filled, chosen, picks
                )
                for each in range(filled, filled + made):
                    origins[each] = at
                    homes[each] = home(out[each], words, size)
                filled += made
                if closes:
                    add(closed, 0, source[at], words, limbs)
            at += 1
        for each in range(filled):
            seen[each] = target[homes[each], 0]
        for each in range(filled):
            row = find(target, out[each], words, homes[each])
            if target[row, 0] == EMPTY:
                held += 1
                for word in range(words):
                    target[row, word] = out[each, word]
            add(target[row], words, source[origins[each]], words, limbs)
    return at, held


@njit(cache=True, nogil=True)
def backward(
    source: Table, target: Table, slot: int, near: Numbers, marks: Table, places: Numbers,
    full: int, out: Table, chosen: Numbers, picks: Numbers,
) -> None:  # fmt: skip
    """Put beside each state of a table in how many ways it can become a cycle.

    The target is the table of the next step, of which that is known.
    """
    words = marks.shape[1]
    limbs = source.shape[1] - words
    for at in range(source.shape[0]):
        if source[at, 0] == EMPTY:
            continue
        made, closes = follow(
            source[at], words, slot, near, marks, places, full, out, 0, chosen, picks
        )
        for limb in range(limbs):
            source[at, words + limb] = NONE
        source[at, words] = np.uint64(closes)
        for each in range(made):
            row = find(target, out[each], words, home(out[each], words, target.shape[0]))
            if target[row, 0] != EMPTY:
                add(source[at], words, target[row], words, limbs)


@njit(cache=True, nogil=True)
def ways(
    state: Words, target: Table, slot: int, near: Numbers, marks: Table, places: Numbers,
    full: int, out: Table, chosen: Numbers, picks: Numbers, numbers: Table,
) -> tuple[int, bool]:  # fmt: skip
    """What follows one state, as :func:`~kt_cp.counting.frontier.follow.follow` has it.

    ``numbers`` receives in how many ways each can become a cycle.
    """
    words = marks.shape[1]
    made, closes = follow(state, words, slot, near, marks, places, full, out, 0, chosen, picks)
    for each in range(made):
        row = find(target, out[each], words, home(out[each], words, target.shape[0]))
        for limb in range(numbers.shape[1]):
            numbers[each, limb] = target[row, words + limb]
    return made, closes

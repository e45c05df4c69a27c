"""The way back: what a state came from, step by step, and which of its ways has a number.

A state counts the ways to it.  Each step adds to a state the counts of those from which it comes,
its *sources*; so its ways are those of its sources, one source after the other.  Thus the ways to a
state are numbered, from 0 on.  To find the way of a number, go back: each source takes as
many numbers as it counts, and the number belongs to a way to one of them.  To find the number of a
way, add at each step what the sources before its own count.

What sources count must be known at every step.  Counts of all steps would fill a disk, so there is
a *layer* (see ``layer``) every few steps only.  Between two of them all ways back from one state
are gone through, depth first, to the states of the layer below: some thousands, as a state has two
or three sources on average.  Ways come in the same order however far layers lie apart.

Sources of a state, first the one without the edge, then with it:

    degrees now    before
    (1, 1)         the two were no ends; now they are those of one path
    (1, 2)         the path that ends here ended there
    (2, 2)         any path of now was two, which ended here and there: two ways for each

Source: undoing the steps of a dynamic program to rank, unrank and sample is H. S. Wilf's and
A. Nijenhuis's (Combinatorial Algorithms, 1978).  Cost: twice as many steps between layers take the
square of the time.  When it loses: for thousands of tours at once the steps of the array could
as well be undone by subtraction, one after the other, with nothing kept but dropped blocks.

Importing this loads Numba; compiled code is kept beside the source.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from kt_cp.counting.dense.half_tour_ranking import (
    AFTER,
    BEFORE,
    DEPOT,
    DIGITS,
    EDGE,
    ENDS,
    FIRST,
    KEEP,
    KIND,
    MATES,
    ROW,
    SECOND,
    STAY,
    TURN,
    find,
    place_of,
    tie,
    value_of,
)
from kt_cp.counting.dense.matchings import MOST_SLOTS, POINTS

DEAD, ALIVE, NO_MORE = range(3)


@njit(cache=True, nogil=True)
def split(row: Any, out: Any, one: Any, other: Any, way: Any) -> Any:
    """Make two paths of one, which end in two more points; ways are numbered from 0."""
    for point in range(MOST_SLOTS + 1):
        mate = row[MATES + point]
        if mate > point:
            if way < 2:
                tie(out, point, one if way == 0 else other)
                tie(out, mate, other if way == 0 else one)
                return ALIVE
            way -= 2
    return NO_MORE


@njit(cache=True, nogil=True)
def hand_over(row: Any, out: Any, now: Any, then: Any) -> None:
    """Let the path that ends in one point end in another."""
    mate = row[MATES + now]
    out[MATES + now] = -1
    tie(out, then, mate)


@njit(cache=True, nogil=True)
def source(step: Any, row: Any, way: Any, out: Any) -> Any:
    """Write one source of a state before a step, by its number; says if there is one."""
    out[:] = row
    slot = step[FIRST]
    if step[KIND] == TURN:
        if way:
            return NO_MORE
        digit = row[DIGITS + slot]
        if step[SECOND]:
            if digit != step[AFTER]:
                return DEAD
            digit = step[BEFORE]
            out[DIGITS + slot] = digit
        return ALIVE if (step[STAY] >> digit) & 1 else DEAD
    if way == 0:
        return ALIVE if step[KEEP] else DEAD
    way -= 1
    if step[KIND] == EDGE:
        other = step[SECOND]
        mine, its = row[DIGITS + slot], 2 - row[DIGITS + other]
        out[DIGITS + slot] -= 1
        out[DIGITS + other] += 1
    else:
        other = np.int64(DEPOT)
        light = step[SECOND]
        mine = 2 - row[DIGITS + slot] if light else row[DIGITS + slot]
        its = 1 if row[MATES + DEPOT] >= 0 else 2
        out[DIGITS + slot] += 1 if light else -1
        if row[ENDS + light] == 0:
            return NO_MORE
        out[ENDS + light] -= 1
    if mine == 0 or its == 0:
        return NO_MORE
    if mine == 2 and its == 2:
        return split(row, out, slot, other, way)
    if way:
        return NO_MORE
    if mine == 1 and its == 1:
        if row[MATES + slot] != other:
            return NO_MORE
        out[MATES + slot] = out[MATES + other] = -1
    elif mine == 1:
        hand_over(row, out, slot, other)
    else:
        hand_over(row, out, other, slot)
    return ALIVE


@njit(cache=True, nogil=True)
def value_in(layer: Any, row: Any, slots: Any) -> Any:
    """What a state counts."""
    mate = np.zeros(POINTS, np.int64)
    pattern, number = place_of(row, slots, mate)
    place = find(layer, pattern)
    return value_of(layer, place, number) if place >= 0 else np.uint64(0)


@njit(cache=True, nogil=True)
def back(steps: Any, layer: Any, slots: Any, rows: Any, wanted: Any, known: Any) -> Any:
    """Go back from a state to a layer, the way of a number, or of known states.

    Parameters
    ----------
    steps : int64 array
        Those between the layer and the state, as :func:`as_numbers` has them.
    layer : Layer
    slots : int
    rows : int8 array of shape (steps + 1, ROW)
        The state after each step, before the first one in row 0.  The last row is given; the others
        are written, or given too if the way is ``known``.
    wanted : uint64
        The number, where the way is not known.

    Returns
    -------
    uint64, bool
        How many ways of the state come before all through the source that was found, and whether
        one was found.
    """
    many = steps.shape[0]
    here = np.zeros_like(rows)
    here[many] = rows[many]
    ways = np.zeros(many + 1, np.int64)
    level, passed = many, np.uint64(0)
    while True:
        if level == 0:
            arrived = not known
            if known:
                arrived = True
                for x in range(many):
                    for y in range(ROW):
                        if here[x, y] != rows[x, y]:
                            arrived = False
            value = np.uint64(0)
            if not known or not arrived:
                value = value_in(layer, here[0], slots)
            if arrived and (known or wanted - passed < value):
                rows[:] = here
                return passed, True
            passed += value
            level = 1
        said = source(steps[level - 1], here[level], ways[level], here[level - 1])
        if said == NO_MORE:
            if level == many:
                return passed, False
            level += 1
            continue
        ways[level] += 1
        if said == ALIVE:
            level -= 1
            ways[level] = 0

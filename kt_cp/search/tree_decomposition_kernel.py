"""Kernels of :mod:`kt_cp.search.tree_decomposition`.

A state is a word of 64 bits with a field of four bits for each place of a bag.  The field of a
vertex without an edge holds its own place, that of the end of a path the place of the other end,
and that of a vertex with two edges ``FULL``.
"""

from __future__ import annotations

import numpy as np
from numba import njit

FULL = 15
"""Field of a vertex that has both its edges."""


@njit(cache=True, nogil=True)
def unpack(states, size):  # type: ignore[no-untyped-def]
    """Return the fields of states, one row for each."""
    fields = np.empty((len(states), size), np.uint8)
    for row in range(len(states)):
        state = states[row]
        for place in range(size):
            fields[row, place] = state & np.uint64(15)
            state >>= np.uint64(4)
    return fields


@njit(cache=True, nogil=True)
def pack(fields, size):  # type: ignore[no-untyped-def]
    """Return the state with these fields."""
    state = np.uint64(0)
    for place in range(size - 1, -1, -1):
        state = state << np.uint64(4) | np.uint64(fields[place])
    return state


@njit(cache=True, nogil=True)
def find_slot(slots, states, state):  # type: ignore[no-untyped-def]
    """Return the slot of a hash table that holds the index of a state, or a free one."""
    mask = len(slots) - 1
    slot = np.int64((state * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(32)) & mask
    while slots[slot] >= 0 and states[slots[slot]] != state:
        slot = slot + 1 & mask
    return slot


@njit(cache=True, nogil=True)
def add_state(slots, states, origins, count, state, first, second):  # type: ignore[no-untyped-def]
    """Add a new state; return the arrays, which may have grown, and the number of states."""
    slot = find_slot(slots, states, state)
    if slots[slot] >= 0:
        return slots, states, origins, count
    if count == len(states):
        longer, more = np.empty(4 * count, np.uint64), np.empty((4 * count, 2), np.int32)
        longer[:count], more[:count] = states, origins
        states, origins = longer, more
        slots = np.full(8 * count * 2, -1, np.int32)
        for index in range(count):
            slots[find_slot(slots, states, states[index])] = index
        slot = find_slot(slots, states, state)
    slots[slot] = count
    states[count], origins[count, 0], origins[count, 1] = state, first, second
    return slots, states, origins, count + 1


@njit(cache=True, nogil=True)
def move_places(states, places, child_size, size):  # type: ignore[no-untyped-def]
    """Return the states of a child in the bag of its parent: ``places`` has the new places."""
    fields = unpack(states, child_size)
    moved = np.empty(len(states), np.uint64)
    row = np.empty(size, np.uint8)
    for index in range(len(states)):
        for place in range(size):
            row[place] = place
        for place in range(child_size):
            field = fields[index, place]
            row[places[place]] = FULL if field == FULL else places[field]
        moved[index] = pack(row, size)
    return moved


@njit(cache=True, nogil=True)
def read_masks(fields):  # type: ignore[no-untyped-def]
    """Return which places have two edges, and which have one, as bits."""
    full, ends = np.zeros(len(fields), np.int64), np.zeros(len(fields), np.int64)
    for row in range(len(fields)):
        for place in range(fields.shape[1]):
            if fields[row, place] == FULL:
                full[row] |= 1 << place
            elif fields[row, place] != place:
                ends[row] |= 1 << place
    return full, ends


@njit(cache=True, nogil=True)
def union(left, right, both, size, is_last, fields):  # type: ignore[no-untyped-def]
    """Write the fields of two sets of paths together; return whether they close no cycle.

    ``both``: number of places at which paths of either set end.  The last union may close one cycle
    if nothing else is left.
    """
    passed = 0
    done = True
    for place in range(size):
        one, other = left[place], right[place]
        if one == FULL or other == FULL or (one != place and other != place):
            fields[place] = FULL
        elif one == place and other == place:
            fields[place] = place
            done = False
        else:
            done = False
            here, on_left = place, one != place
            while True:
                here = left[here] if on_left else right[here]
                mate = right[here] if on_left else left[here]
                if mate == here:
                    break
                passed += 1
                on_left = not on_left
            fields[place] = here
    if passed == 2 * both:
        return True
    if not (is_last and done):
        return False
    for place in range(size):
        if left[place] not in (place, FULL) and right[place] not in (place, FULL):
            here, around = place, 0
            while True:
                here = right[left[here]]
                around += 2
                if here == place:
                    return around == both
    return False


@njit(cache=True, nogil=True)
def join(left, right, size, is_last, most):  # type: ignore[no-untyped-def]
    """Return the states of two sets of states together, and the indices of a pair for each.

    It returns more than ``most`` states if there are more, and not all of them.
    """
    lefts, rights = unpack(left, size), unpack(right, size)
    left_full, left_ends = read_masks(lefts)
    right_full, right_ends = read_masks(rights)
    fields = np.empty(size, np.uint8)
    states, origins = np.empty(256, np.uint64), np.empty((256, 2), np.int32)
    slots, count = np.full(1024, -1, np.int32), 0
    for one in range(len(left)):
        full, ends = left_full[one], left_ends[one]
        for other in range(len(right)):
            if right_full[other] & (full | ends) or right_ends[other] & full:
                continue
            shared = ends & right_ends[other]
            both = 0
            while shared:
                shared &= shared - 1
                both += 1
            if union(lefts[one], rights[other], both, size, is_last, fields):
                slots, states, origins, count = add_state(
                    slots, states, origins, count, pack(fields, size), one, other
                )
        if count > most:
            break
    return states[:count].copy(), origins[:count].copy()


@njit(cache=True, nogil=True)
def add_edge(fields, end, size, is_last):  # type: ignore[no-untyped-def]
    """Add an edge from place 0, and return whether that is allowed."""
    if fields[0] == FULL or fields[end] == FULL:
        return False
    if fields[0] == end:
        fields[0] = fields[end] = FULL
        if not is_last:
            return False
        for place in range(size):
            if fields[place] != FULL:
                is_last = False
        return is_last
    begin, beyond = fields[0], fields[end]
    if begin != 0:
        fields[0] = FULL
    if beyond != end:
        fields[end] = FULL
    fields[begin], fields[beyond] = beyond, begin
    return True


@njit(cache=True, nogil=True)
def forget(table, ends, required, least, size, is_last):  # type: ignore[no-untyped-def]
    """Choose the edges of the vertex at place 0 and leave it out of the states.

    ``ends``: places of its neighbours in the bag; ``required``: whether the edge to each is;
    ``least``: edges that each place has at least, now or later.  An origin is the index of a state
    and the neighbours chosen, as bits.
    """
    rows = unpack(table, size)
    fields = np.empty(size, np.uint8)
    states, origins = np.empty(256, np.uint64), np.empty((256, 2), np.int32)
    slots, count = np.full(1024, -1, np.int32), 0
    needed = 0
    for which in range(len(ends)):
        if required[which]:
            needed |= 1 << which
    for index in range(len(table)):
        first = rows[index, 0]
        missing = 0 if first == FULL else 2 if first == 0 else 1
        for one in range(len(ends) if missing else 1):
            for other in range(one + 1 if missing == 2 else 0, len(ends) if missing == 2 else 1):
                chosen = 0
                if missing:
                    chosen |= 1 << one
                if missing == 2:
                    chosen |= 1 << other
                if needed & ~chosen:
                    continue
                fields[:] = rows[index]
                if missing and not add_edge(fields, ends[one], size, is_last):
                    continue
                if missing == 2 and not add_edge(fields, ends[other], size, is_last):
                    continue
                if fields[0] != FULL:
                    continue
                possible = True
                for place in range(1, size):
                    degree = 2 if fields[place] == FULL else int(fields[place] != place)
                    if degree < least[place]:
                        possible = False
                    fields[place - 1] = FULL if fields[place] == FULL else fields[place] - 1
                if possible:
                    slots, states, origins, count = add_state(
                        slots, states, origins, count, pack(fields, size - 1), index, chosen
                    )
    return states[:count].copy(), origins[:count].copy()

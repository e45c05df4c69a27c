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
def group(fields):  # type: ignore[no-untyped-def]
    """Sort states by their degrees.

    Return their indices, the first of each group, and for each group which places have two edges,
    and which have one, as bits.
    """
    keys = np.zeros(len(fields), np.int64)
    for row in range(len(fields)):
        for place in range(fields.shape[1]):
            if fields[row, place] == FULL:
                keys[row] |= 1 << 16 + place
            elif fields[row, place] != place:
                keys[row] |= 1 << place
    order = np.argsort(keys)
    starts = [0]
    for index in range(1, len(order)):
        if keys[order[index]] != keys[order[index - 1]]:
            starts.append(index)
    masks = keys[order[np.array(starts)]]
    starts.append(len(order))
    return order, np.array(starts), masks >> 16, masks & 0xFFFF


@njit(cache=True, nogil=True)
def list_places(mask, places):  # type: ignore[no-untyped-def]
    """Write the places of a mask, and return their number."""
    count, place = 0, 0
    while mask >> place:
        if mask >> place & 1:
            places[count] = place
            count += 1
        place += 1
    return count


@njit(cache=True, nogil=True)
def follow_paths(left, right, ends, count, both):  # type: ignore[no-untyped-def]
    """Return the fields of the paths between ends, and how many places they pass on the way.

    ``ends``: the places at which a path of one set ends, and ``both``: as bits, those at which
    paths of both sets do.
    """
    fields, passed = np.uint64(0), 0
    for index in range(count):
        place = here = ends[index]
        on_left = left[here] != here
        while True:
            here = left[here] if on_left else right[here]
            if not both >> here & 1:
                break
            passed += 1
            on_left = not on_left
        fields |= np.uint64(here) << np.uint64(4 * place)
    return fields, passed // 2


@njit(cache=True, nogil=True)
def is_one_cycle(left, right, first, many):  # type: ignore[no-untyped-def]
    """Return whether paths that meet at ``many`` places are one cycle, through the first place."""
    here, passed = first, 0
    while True:
        here = right[left[here]]
        passed += 2
        if here == first:
            return passed == many


@njit(cache=True, nogil=True)
def join(left, right, size, is_last, most):  # type: ignore[no-untyped-def]
    """Return the states that two sets form together, and the indices of a pair for each.

    Degrees are compared for groups of states at once.  The last join may close one cycle if nothing
    else is left.  It returns more than ``most`` states if there are more, and not all of them.
    """
    lefts, rights = unpack(left, size), unpack(right, size)
    left_order, left_starts, left_full, left_ends = group(lefts)
    right_order, right_starts, right_full, right_ends = group(rights)
    ends, shared = np.empty(size, np.int64), np.empty(size, np.int64)
    states, origins = np.empty(256, np.uint64), np.empty((256, 2), np.int32)
    slots, count = np.full(1024, -1, np.int32), 0
    for here in range(len(left_full)):
        for there in range(len(right_full)):
            taken = left_full[here] | left_ends[here]
            if right_full[there] & taken or right_ends[there] & left_full[here]:
                continue
            both = left_ends[here] & right_ends[there]
            full = left_full[here] | right_full[there] | both
            open_ends = list_places(left_ends[here] ^ right_ends[there], ends)
            meetings = list_places(both, shared)
            closes = is_last and full == (1 << size) - 1
            rest = np.uint64(0)
            for place in range(size):
                if full >> place & 1:
                    rest |= np.uint64(FULL) << np.uint64(4 * place)
                elif not (taken | right_ends[there]) >> place & 1:
                    rest |= np.uint64(place) << np.uint64(4 * place)
            for one in left_order[left_starts[here] : left_starts[here + 1]]:
                for other in right_order[right_starts[there] : right_starts[there + 1]]:
                    paths, passed = follow_paths(lefts[one], rights[other], ends, open_ends, both)
                    if passed == meetings or (
                        closes and is_one_cycle(lefts[one], rights[other], shared[0], meetings)
                    ):
                        slots, states, origins, count = add_state(
                            slots, states, origins, count, rest | paths, one, other
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

    ``ends``: places of its neighbours in the bag; ``required``: whether the edge to each is
    required; ``least``: the least number of edges of each place, now or later.  An origin is the
    index of a state and the neighbours chosen, as bits.
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

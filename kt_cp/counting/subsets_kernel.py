"""Kernels of :mod:`kt_cp.counting.subsets`.

A set of vertices is a number whose bits are its members.  Sets of the same size are numbered in
ascending order: the rank of the set with members m0 < m1 < ... is C(m0, 1) + C(m1, 2) + ...  A
table contains, for each set in this order, a number for each member.
"""

from __future__ import annotations

import numpy as np
from numba import njit


@njit(cache=True, nogil=True)
def unrank_set(rank, count, size, binomials):  # type: ignore[no-untyped-def]
    """Return the set of a rank among the sets of ``count`` vertices."""
    found, vertex = 0, size - 1
    for left in range(count, 0, -1):
        while binomials[vertex, left] > rank:
            vertex -= 1
        found |= 1 << vertex
        rank -= binomials[vertex, left]
    return found


@njit(cache=True, nogil=True)
def next_set(it):  # type: ignore[no-untyped-def]
    """Return the next set of the same size (Gosper's hack)."""
    low = it & -it
    ripple = it + low
    return ripple | (((it ^ ripple) >> 2) // low)


@njit(cache=True, nogil=True)
def list_vertices(it, size, found):  # type: ignore[no-untyped-def]
    """Write the members of a set in ascending order."""
    place = 0
    for vertex in range(size):
        if it >> vertex & 1:
            found[place] = vertex
            place += 1


@njit(cache=True, nogil=True)
def extend(begin, end, count, size, binomials, tails, shorter, longer):  # type: ignore[no-untyped-def]
    """Count the paths to the last vertex of each set from those to the last but one."""
    members = np.zeros(32, np.int64)
    here = unrank_set(begin, count, size, binomials)
    for rank in range(begin, end):
        list_vertices(here, size, members)
        above = 0
        for place in range(1, count):
            above += binomials[members[place], place]
        below = 0
        for last in range(count):
            # Without one vertex, the places of the vertices above it decrease by one.
            row = (below + above) * (count - 1)
            total = np.uint64(0)
            mask = tails[members[last]]
            for place in range(count):
                if mask >> members[place] & 1 and place != last:
                    total += np.uint64(shorter[row + place - (place > last)])
            longer[rank * count + last] = total
            below += binomials[members[last], last + 1]
            if last + 1 < count:
                above -= binomials[members[last + 1], last + 1]
        here = next_set(here)


@njit(cache=True, nogil=True)
def add(sums, left, right):  # type: ignore[no-untyped-def]
    """Add the product of two numbers of paths to sums that are stored as limbs."""
    product = (left & np.uint64(0xFFFFFF)) * right
    sums[0] += product & np.uint64(0xFFFFFFFF)
    sums[1] += product >> np.uint64(32)
    product = (left >> np.uint64(24)) * right
    sums[2] += product & np.uint64(0xFFFFFFFF)
    sums[3] += product >> np.uint64(32)


@njit(cache=True, nogil=True)
def rank_of(members, count, binomials):  # type: ignore[no-untyped-def]
    """Return the rank of a set from its members."""
    rank = 0
    for place in range(count):
        rank += binomials[members[place], place + 1]
    return rank


@njit(cache=True, nogil=True, inline="always")
def add_paths(table, row, members, count, mask):  # type: ignore[no-untyped-def]
    """Add up the paths of a set, from the row of a table, that end at a vertex of a mask."""
    total = np.uint64(0)
    for last in range(count):
        if mask >> members[last] & 1:
            total += np.uint64(table[row + last])
    return total


@njit(cache=True, nogil=True)
def join_ends(begin, end, count, size, binomials, tails, forward, backward):  # type: ignore[no-untyped-def]
    """Count pairs of paths through a set and through all others, with an arc between them."""
    members, others = np.zeros(32, np.int64), np.zeros(32, np.int64)
    sums = np.zeros(4, np.uint64)
    everything = (1 << size) - 1
    here = unrank_set(begin, count, size, binomials)
    for rank in range(begin, end):
        list_vertices(here, size, members)
        list_vertices(everything ^ here, size, others)
        row = rank_of(others, count, binomials) * count
        for place in range(count):
            right = np.uint64(backward[row + place])
            if right:
                mask = tails[others[place]]
                add(sums, add_paths(forward, rank * count, members, count, mask), right)
        here = next_set(here)
    return sums


@njit(cache=True, nogil=True)
def join_at_vertex(begin, end, count, size, binomials, tails, heads, forward, backward):  # type: ignore[no-untyped-def]
    """Count pairs of paths that leave one vertex, with arcs to it and from it."""
    members, others = np.zeros(32, np.int64), np.zeros(32, np.int64)
    sums = np.zeros(4, np.uint64)
    everything = (1 << size) - 1
    here = unrank_set(begin, count, size, binomials)
    for rank in range(begin, end):
        list_vertices(here, size, members)
        for middle in range(size):
            if here >> middle & 1:
                continue
            left = add_paths(forward, rank * count, members, count, tails[middle])
            if not left:
                continue
            list_vertices(everything ^ here ^ (1 << middle), size, others)
            row = rank_of(others, count, binomials) * count
            right = add_paths(backward, row, others, count, heads[middle])
            if right:
                add(sums, left, right)
        here = next_set(here)
    return sums

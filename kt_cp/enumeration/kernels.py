"""All tours by the recursion of the source texts, with pruning, compiled by Numba.

The recursion places the piece, tries its moves in a given order and takes it back.  Without
pruning it spends nearly all its time below walks that can no longer become tours.  Such walks can
be detected by a cheap local test.  A free square needs two free or current neighbours, one before
and one after it; the last square of the tour needs one.  A step reduces these numbers only for the
neighbours of the square that the piece is about to leave.  So, while more than one square is free:

1. If a free neighbour has no free neighbour, the piece could not leave it: a dead end.
2. A free neighbour with a single free neighbour is *lonely*: it is the next square or the last one.
   Only one lonely square can be the last, and an earlier one may already be reserved for that.
   Three lonely squares are a dead end.  With two, one is the next and the other the last.  A lonely
   square that may not be the last must be the next.
3. If no free square may be the last, the walk is a dead end.  In a closed tour the last square is a
   neighbour of the first.  In an open tour it may be given.  On a two-coloured graph its colour is
   known.
4. If moves are required, the partners of a square are the squares before and after it.  An earlier
   visited partner is a dead end, a free partner is the next square, and two free partners are a
   dead end.  Only at the beginning of a closed tour may a free partner also be the last square.

No branch with a tour is pruned, so tours are found in the order of the plain recursion.

Source: the rules are those of F. Rubin, "A search procedure for Hamilton paths and circuits",
Journal of the ACM 21 (1974), applied only at the end of the walk.  Cost: about thirty to ninety
squares placed for each tour on 5×5 to 6×8; the plain recursion places twenty thousand on 5×5.  When
it loses: the number of tours grows very fast (8×8 has 13 million million closed tours), and on a
large graph with few tours a search of the whole graph refutes a walk much earlier.

The tests contain readable versions of these functions.  Here the recursion has an explicit stack of
frames, so that it can return tours as they are found and continue later.  It is fast because each
vertex has one word with a bit for each free neighbour.  From the lowest bit on, these are the moves
in the order in which they are tried.  Words of visited vertices do not change: when a vertex
becomes free again, so do all vertices visited after it.

**Class sizes** are compiled here as well.  Importing this module loads Numba, which caches the
compiled code next to the source.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numba import njit

from kt_cp.search.bits import lowest_bit

if TYPE_CHECKING:
    from numpy.typing import NDArray


PAUSED, FULL, EXHAUSTED = range(3)
"""Why :func:`advance` returned."""

DEPTH, PLACED, FOUND = range(3)
"""Entries of ``state``: vertices on the walk, and vertices placed and walks found so far."""

VERTEX, LONELY, LONELY_TOO, ENDS = range(4)
"""Columns of ``frames``, which has a row for each vertex of the walk."""

WIDTH = 64
"""Most neighbours of a vertex: the number of bits in a word."""


@njit(cache=True, nogil=True, forceinline=True)
def enter(
    heads: NDArray[np.int64],
    backs: NDArray[np.uint64],
    may_end: NDArray[np.bool_],
    frames: NDArray[np.int64],
    children: NDArray[np.uint64],
    free: NDArray[np.uint64],
    depth: int,
    vertex: int,
    waiting: int,
    ends: int,
) -> None:
    """Place a vertex at a depth, and find the next vertices to try.

    ``backs[u, i]`` is the bit of u in the word of its i-th neighbour.  ``waiting`` is the vertex
    that can only be the last, or -1.  ``ends`` is the number of free vertices that may be the last,
    including this one.
    """
    one, none = np.uint64(1), np.uint64(0)
    near = rest = free[vertex]
    first = second = -1  # neighbours with a single free neighbour
    lonely = 0
    first_bit = second_bit = none
    stranded = False
    while rest != none:
        bit = rest & (~rest + one)
        rest ^= bit
        i = lowest_bit(bit)
        head = heads[vertex, i]
        ways = free[head] ^ backs[vertex, i]
        free[head] = ways
        if ways & (ways - one) == none:
            if ways == none:
                stranded = True
            lonely += 1
            if lonely == 1:
                first = head
                first_bit = bit
            else:
                second = head
                second_bit = bit
    if may_end[vertex]:
        ends -= 1
    if waiting >= 0:
        lonely += 1
        if second < 0:
            second = waiting
    if ends == 0:
        near = none
    elif depth + 2 < heads.shape[0]:
        if stranded or lonely > 2:
            near = none
        elif lonely == 2:
            # One of them is next and the other is the last.
            near = none
            if may_end[second]:
                near |= first_bit
            if may_end[first]:
                near |= second_bit
        elif lonely == 1 and waiting < 0 and not may_end[first]:
            near = first_bit
    children[depth] = near
    frames[depth, VERTEX] = vertex
    frames[depth, LONELY] = first
    frames[depth, LONELY_TOO] = second
    frames[depth, ENDS] = ends


@njit(cache=True, nogil=True)
def require(
    required: NDArray[np.uint64],
    closing: NDArray[np.uint64],
    children: NDArray[np.uint64],
    free: NDArray[np.uint64],
    depth: int,
    vertex: int,
    previous: Any,
) -> None:
    """Restrict the children of a vertex just placed to those that required moves allow.

    ``required[u]`` has the bits of the vertices that must be next to u.  ``closing[u]`` has the bit
    of the first vertex; it is empty if the walk is open.  ``previous`` is the bit of the previous
    vertex.
    The last vertex of all has no children: there any bit means that it may be the last.
    """
    one, none = np.uint64(1), np.uint64(0)
    around = closing.shape[0] > 0
    if depth + 1 == required.shape[0]:
        children[depth] = ~none
        if around:
            previous |= closing[vertex]
    pending = required[vertex] & free[vertex]
    several = pending & (pending - one) != none
    either = around and depth == 0  # next or last
    if required[vertex] & ~free[vertex] & ~previous != none or (several and not either):
        children[depth] = none
    elif pending != none and (several or not either):
        children[depth] &= pending


@njit(cache=True, nogil=True)
def advance(
    heads: NDArray[np.int64],
    backs: NDArray[np.uint64],
    required: NDArray[np.uint64] | None,
    closing: NDArray[np.uint64],
    may_end: NDArray[np.bool_],
    frames: NDArray[np.int64],
    children: NDArray[np.uint64],
    free: NDArray[np.uint64],
    state: NDArray[np.int64],
    base: int,
    leaf: int,
    most_steps: int,
    walks: NDArray[np.int32],
) -> int:
    """Continue the recursion; return why it paused.

    ``required`` and ``closing`` are as for :func:`require`, or None and empty if no move is
    required.  ``base`` is the number of given vertices, which stay on the walk.  ``leaf`` is the
    length of the walks: that of a tour, or less to list beginnings.  After ``most_steps`` vertices
    placed or taken back, the function returns ``PAUSED``.  It writes the walks to ``walks``, and
    returns ``FULL`` when that array is full.  If ``walks`` has no rows, walks are only counted.
    """
    one, none = np.uint64(1), np.uint64(0)
    capacity = walks.shape[0]
    depth = state[DEPTH]
    placed = found = 0
    result = PAUSED
    steps = 0
    while steps < most_steps:
        steps += 1
        top = depth - 1
        bits = children[top]
        if bits == none or depth == leaf:
            if depth <= base:
                result = EXHAUSTED
                break
            vertex = frames[top, VERTEX]
            rest = free[vertex]
            while rest != none:
                i = lowest_bit(rest)
                rest &= rest - one
                free[heads[vertex, i]] |= backs[vertex, i]
            depth = top
            continue
        i = lowest_bit(bits)
        children[top] = bits & (bits - one)
        vertex = heads[frames[top, VERTEX], i]
        waiting = frames[top, LONELY]
        if waiting < 0 or waiting == vertex:
            waiting = frames[top, LONELY_TOO]
            if waiting == vertex:
                waiting = -1
        enter(
            heads, backs, may_end, frames, children, free,
            depth, vertex, waiting, frames[top, ENDS],
        )  # fmt: skip
        alive = True
        if required is not None:
            previous = backs[frames[top, VERTEX], i]
            require(required, closing, children, free, depth, vertex, previous)
            alive = children[depth] != none
        depth += 1
        placed += 1
        if depth == leaf and alive:
            if capacity:
                for i in range(leaf):
                    walks[found, i] = frames[i, VERTEX]
            found += 1
            if found == capacity:
                result = FULL
                break
    state[DEPTH] = depth
    state[PLACED] += placed
    state[FOUND] += found
    return result


@njit(cache=True, nogil=True)
def class_sizes(
    walks: NDArray[np.int32],
    images: NDArray[np.int32],
    backwards: NDArray[np.bool_],
    heads: NDArray[np.int32],
    closed: bool,
    fixed_start: bool,
    fixed_end: bool,
) -> NDArray[np.int64]:
    """Return the number of images of each row of ``walks``; 0 if an image is earlier.

    ``images[g, v]`` is the image of vertex v under symmetry g, and ``backwards[g]`` is true if g
    reverses walks.  ``heads`` has the neighbours of each vertex in the order in which they are
    tried.  With ``closed``, walks are cycles, written from their first square.  With
    ``fixed_start`` or ``fixed_end``, only images with the same start or end are listed.
    """
    many, total = walks.shape
    sizes = np.zeros(many, dtype=np.int64)
    for k in range(many):
        walk = walks[k]
        same = listed = 0
        for g in range(len(images)):
            step = -1 if backwards[g] else 1
            at = total - 1 if backwards[g] else 0
            if closed:
                while images[g, walk[at]] != walk[0]:
                    at += step
            if fixed_start and images[g, walk[at]] != walk[0]:
                continue
            if fixed_end and images[g, walk[total - 1 - at]] != walk[total - 1]:
                continue
            listed += 1
            fork = 0
            image = images[g, walk[at]]
            while image == walk[fork]:
                fork += 1
                if fork == total:
                    break
                at += step
                if at < 0:
                    at = total - 1
                elif at == total:
                    at = 0
                image = images[g, walk[at]]
            if fork == total:
                same += 1
            elif fork == 0:
                if image < walk[0]:
                    same = 0
                    break
            else:
                row = heads[walk[fork - 1]]
                i = 0
                while row[i] != image and row[i] != walk[fork]:
                    i += 1
                if row[i] == image:
                    same = 0
                    break
        if same > 0:
            sizes[k] = listed // same
    return sizes

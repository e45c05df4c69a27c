"""The search of :mod:`kt_cp.search.step_domains`, compiled; a readable twin is among the tests.

Importing this loads Numba, which keeps compiled code by the contents of its own file alone.  So a
change of what is compiled into this from another file is counted here, and has it compiled anew: 1.

The rules of :mod:`kt_cp.search.step_domains`, compiled; a readable twin is among the tests.

Three tables of sets are narrowed: ``MAY`` has the window of every step, ``MOVES`` the neighbours
beside which a vertex may still be visited, ``WHEN`` its steps when the rules were last seen to
hold.

Importing this loads Numba, which keeps compiled code by the contents of its own file alone.  So a
change of what is compiled into this from another file is counted here, and has it compiled anew: 1.

The rules of :mod:`kt_cp.search.step_domains` on moves, compiled.

Importing this loads Numba.

Sets as rows of words, and a queue: what the rules of :mod:`kt_cp.search.step_domains` work with.

A row has a bit for each member.  ``words`` is a tuple as long as a row, so that the compiler knows
the length; where it is empty, any will do.

Importing this loads Numba.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numba import njit

from kt_cp.search.bits import bit_count, lowest_bit

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Sets = NDArray[np.uint64]
    Numbers = NDArray[np.int64]


NONE, ONE = np.uint64(0), np.uint64(1)

MAY, MOVES, WHEN, TABLES = range(4)
"""What is narrowed: windows, moves, and the steps of vertices."""

ROOM = 5
"""Tables that the rules work in (:mod:`kt_cp.search.step_domains_kernel`)."""


Function = TypeVar("Function", bound=Callable[..., Any])

_OPTIONS: dict[str, Any] = {
    "cache": True, "nogil": True, "no_cpython_wrapper": True, "no_cfunc_wrapper": True,
}  # fmt: skip


def inside(function: Function) -> Function:
    """Compile what compiled functions alone call: without an entry from Python it takes less."""
    compiled: Function = njit(**_OPTIONS)(function)
    return compiled


def inline(function: Function) -> Function:
    """The same, put into each function that calls it."""
    compiled: Function = njit(**_OPTIONS, forceinline=True)(function)
    return compiled


@inline
def width_of(sets: Sets, words: tuple[int, ...]) -> Any:
    """How many words a row has."""
    return len(words) or sets.shape[-1]


@inline
def size_of(sets: Sets, row: Any, width: int) -> Any:
    """How many members a row has."""
    size = np.int64(0)
    for j in range(width):
        size += np.int64(bit_count(sets[row, j]))
    return size


@inline
def has(sets: Sets, row: Any, member: Any) -> Any:
    """Whether a row has a member."""
    return (sets[row, member >> 6] >> np.uint64(member & 63)) & ONE != NONE


@inline
def strike(sets: Sets, row: Any, member: Any) -> None:
    """Take a member from a row."""
    sets[row, member >> 6] &= ~(ONE << np.uint64(member & 63))


@inline
def put(sets: Sets, row: Any, member: Any) -> None:
    """Add a member to a row."""
    sets[row, member >> 6] |= ONE << np.uint64(member & 63)


@inline
def enqueue(step: Any, queue: NDArray[np.int64], queued: NDArray[np.bool_], waiting: int) -> int:
    """Note that the window of a step has changed; returns how many are waiting."""
    if not queued[step]:
        queued[step] = True
        queue[waiting] = step
        waiting += 1
    return waiting


@inline
def copy(sets: Sets, into: Sets, width: int) -> None:
    """Copy all rows."""
    for row in range(len(sets)):
        for j in range(width):
            into[row, j] = sets[row, j]


@inline
def round_(step: Any, total: int, closed: bool) -> Any:
    """The number of a step at most one tour too early or too late."""
    if closed:
        step += total * ((step < 0) - (step >= total))
    return step


NOW, KEPT, WAYS, FORCED, MARKS = range(5)
"""Tables of the working room: the steps of vertices as they are, those and the neighbours that a
piece keeps, forced moves, and rows of marks."""

DIRTY, CHECKED, SEEN, BESIDE = range(4)
"""Rows of marks: vertices to be looked at, those that are, pieces that were, by their ends, and
what is beside a step."""


@inside
def degrees(
    may: Sets,
    moves: Sets,
    partners: Sets,
    room: Sets,
    closed: bool,
    queue: Numbers,
    queued: NDArray[np.bool_],
    words: tuple[int, ...],
) -> tuple[int, int]:
    """4. A vertex with two moves left makes both, and one that makes two has no other.

    Fills ``room[FORCED]``.
    """
    total, width = may.shape[0], width_of(may, words)
    when, forced = room[NOW], room[FORCED]
    copy(partners, forced, width)
    waiting, again = 0, True
    while again:
        again = False
        for vertex in range(total):
            size = size_of(moves, vertex, width)
            inner = closed or not (has(may, 0, vertex) or has(may, total - 1, vertex))
            made = size_of(forced, vertex, width)
            if size < 1 + inner or made > 2:
                return total + vertex, waiting
            if inner and size == 2 and made < 2:
                again = True
                for j in range(width):
                    word = moves[vertex, j]
                    while word != NONE:
                        other = 64 * j + np.int64(lowest_bit(word))
                        word &= word - ONE
                        put(forced, vertex, other)
                        put(forced, other, vertex)
            elif made == 2 and size > 2:
                again = True
                for j in range(width):
                    word = moves[vertex, j] & ~forced[vertex, j]
                    moves[vertex, j] &= forced[vertex, j]
                    room[MARKS, DIRTY, j] |= word
                    put(room[MARKS], DIRTY, vertex)
                    while word != NONE:
                        other = 64 * j + np.int64(lowest_bit(word))
                        word &= word - ONE
                        strike(moves, other, vertex)
                        for i in range(width):
                            stale = when[other, i] | when[vertex, i]
                            while stale != NONE:
                                step = 64 * i + np.int64(lowest_bit(stale))
                                stale &= stale - ONE
                                waiting = enqueue(step, queue, queued, waiting)
    return -1, waiting


@inline
def trace(forced: Sets, first: int, path: Numbers, width: int) -> int:
    """Follow forced moves from a vertex into ``path``, to their end or round; returns how many."""
    came, at, many = -1, first, 0
    while at >= 0:
        path[many] = at
        many += 1
        after: Any = -1
        for j in range(width):
            word = forced[at, j]
            if came >> 6 == j:
                word &= ~(ONE << np.uint64(came & 63))
            if word != NONE:
                after = 64 * j + np.int64(lowest_bit(word))
                break
        came, at = at, after
        if at == first:
            break
    return many


@inline
def place(
    may: Sets, moves: Sets, room: Sets, closed: bool, path: Numbers, many: int, ring: bool,
    width: int,
) -> None:  # fmt: skip
    """Put the steps of every place that a piece can have into ``room[KEPT]``.

    And what is beside its ends there into ``room[WAYS]``.
    """
    total = may.shape[0]
    now, kept, ways, forced = room[NOW], room[KEPT], room[WAYS], room[FORCED]
    first, last = path[0], path[many - 1]
    for k in range(many):
        for j in range(width):
            kept[path[k], j] = ways[path[k], j] = NONE
    for way in (1, -1):
        if way < 0 and many == 1:
            break
        for i in range(width):
            word = now[first, i]
            while word != NONE:
                step = 64 * i + np.int64(lowest_bit(word))
                word &= word - ONE
                there, k = step, 1
                while k < many:
                    there = round_(there + way, total, closed)
                    if not (0 <= there < total and has(now, path[k], there)):
                        break
                    k += 1
                if k < many:
                    continue
                before = round_(step - way, total, closed)
                after = round_(there + way, total, closed)
                starts, ends = 0 <= before < total, 0 <= after < total
                some_before = some_after = NONE
                different = np.int64(0)
                for j in range(width):
                    one = two = NONE
                    if starts:
                        one = may[before, j] & moves[first, j] & ~forced[first, j]
                    if ends:
                        two = may[after, j] & moves[last, j] & ~forced[last, j]
                    some_before |= one
                    some_after |= two
                    different += np.int64(bit_count(one | two))
                if not ring:
                    if (starts and some_before == NONE) or (ends and some_after == NONE):
                        continue
                    if starts and ends and different < 2 and before != after:
                        continue
                for j in range(width):
                    if starts:
                        ways[first, j] |= may[before, j]
                    if ends:
                        ways[last, j] |= may[after, j]
                there = step
                for k in range(many):
                    put(kept, path[k], there)
                    there = round_(there + way, total, closed)


@inside
def pieces(
    may: Sets,
    moves: Sets,
    room: Sets,
    closed: bool,
    queue: Numbers,
    queued: NDArray[np.bool_],
    path: Numbers,
    words: tuple[int, ...],
) -> tuple[Any, int, bool]:
    """5. Forced moves in a row are a piece, and visited one after the other, one way or the other.

    A vertex without any is one as well.  Beside the two ends there are two different vertices.
    Also returns whether moves were lost that are in no such place.
    """
    total, width = may.shape[0], width_of(may, words)
    now, kept, ways, forced, marks = room[NOW], room[KEPT], room[WAYS], room[FORCED], room[MARKS]
    waiting, traced, lost_moves = 0, 0, False
    for j in range(width):
        marks[CHECKED, j] = marks[DIRTY, j]
        marks[DIRTY, j] = marks[SEEN, j] = NONE
    for first in range(total + 1):
        ring = first == total
        if ring:
            if traced == total:
                break
            first = 0
            if traced > 0 or not closed:  # an open tour makes no ring
                return total + first, waiting, False
        else:
            links = size_of(forced, first, width)
            if links == 2 or (links == 1 and has(marks, SEEN, first)):
                continue
            if links == 0 and not has(marks, CHECKED, first):
                traced += 1
                continue
        many = trace(forced, first, path, width)
        if ring and many < total:
            return total + first, waiting, False
        traced += many
        put(marks, SEEN, path[many - 1])
        fresh = False
        for k in range(many):
            fresh = fresh or has(marks, CHECKED, path[k])
        if not fresh:
            continue
        place(may, moves, room, closed, path, many, ring, width)
        for k in range(many):
            vertex = path[k]
            some = NONE
            for i in range(width):
                some |= kept[vertex, i]
                word = now[vertex, i] & ~kept[vertex, i]
                while word != NONE:
                    step = 64 * i + np.int64(lowest_bit(word))
                    word &= word - ONE
                    strike(may, step, vertex)
                    waiting = enqueue(step, queue, queued, waiting)
                    if size_of(may, step, width) == 0:
                        return step, waiting, False
            if some == NONE:
                return total + vertex, waiting, False
            if ring or 0 < k < many - 1:
                continue
            for j in range(width):
                word = moves[vertex, j] & ~ways[vertex, j] & ~forced[vertex, j]
                if word == NONE:
                    continue
                moves[vertex, j] ^= word
                marks[DIRTY, j] |= word
                put(marks, DIRTY, vertex)
                lost_moves = True
                while word != NONE:
                    strike(moves, 64 * j + np.int64(lowest_bit(word)), vertex)
                    word &= word - ONE
    return -1, waiting, lost_moves


@inside
def reach(
    may: Sets,
    moves: Sets,
    closed: bool,
    queue: Numbers,
    queued: NDArray[np.bool_],
    waiting: int,
    beside: NDArray[np.uint64],
    words: tuple[int, ...],
) -> tuple[int, int]:
    """1. The step before and the step after: through a move."""
    total, width = may.shape[0], width_of(may, words)
    while waiting > 0:
        waiting -= 1
        step = queue[waiting]
        queued[step] = False
        before, after = round_(step - 1, total, closed), round_(step + 1, total, closed)
        lost_before = lost_after = left_before = left_after = NONE
        for j in range(width):
            beside[j] = NONE
        for i in range(width):
            word, own = may[step, i], NONE
            while word != NONE:
                vertex = 64 * i + np.int64(lowest_bit(word))
                word &= word - ONE
                own |= moves[vertex, 0]
                for j in range(1, width):
                    beside[j] |= moves[vertex, j]
            beside[0] |= own
        for j in range(width):
            near = beside[j]
            if before >= 0:
                lost_before |= may[before, j] & ~near
                may[before, j] &= near
                left_before |= may[before, j]
            if after < total:
                lost_after |= may[after, j] & ~near
                may[after, j] &= near
                left_after |= may[after, j]
        if before >= 0:
            if left_before == NONE:
                return before, waiting
            if lost_before != NONE:
                waiting = enqueue(before, queue, queued, waiting)
        if after < total:
            if left_after == NONE:
                return after, waiting
            if lost_after != NONE:
                waiting = enqueue(after, queue, queued, waiting)
    return -1, waiting


@inside
def alone(
    may: Sets,
    when: Sets,
    queue: Numbers,
    queued: NDArray[np.bool_],
    sizes: Numbers,
    words: tuple[int, ...],
) -> tuple[int, int]:
    """2. and 3. What is placed at one step is visited at no other; every vertex has a step.

    Fills ``when``, which is right if nothing waits afterwards.
    """
    total, width = may.shape[0], width_of(may, words)
    waiting = 0
    for step in range(total):
        sizes[step] = size_of(may, step, width)
    for j in range(width):
        placed = NONE
        for step in range(total):
            if sizes[step] == 1:
                if placed & may[step, j] != NONE:
                    return step, waiting
                placed |= may[step, j]
        once = twice = NONE
        for step in range(total):
            word = may[step, j]
            if word & placed != NONE and sizes[step] > 1:
                word &= ~placed
                may[step, j] = word
                waiting = enqueue(step, queue, queued, waiting)
            twice |= once & word
            once |= word
        lost = ~once
        if 64 * (j + 1) > total:
            lost &= (ONE << np.uint64(total & 63)) - ONE
        if lost != NONE:
            return total + 64 * j + np.int64(lowest_bit(lost)), waiting
        once &= ~twice & ~placed
        if once != NONE:
            for step in range(total):
                word = may[step, j] & once
                if word == NONE:
                    continue
                if word & (word - ONE) != NONE:
                    return step, waiting
                if sizes[step] > 1:
                    for i in range(width):
                        may[step, i] = NONE
                    may[step, j] = word
                    waiting = enqueue(step, queue, queued, waiting)
    if waiting:
        # A window may have lost all it had.
        for k in range(waiting):
            if size_of(may, queue[k], width) == 0:
                return queue[k], waiting
        return -1, waiting
    for vertex in range(total):
        for j in range(width):
            when[vertex, j] = NONE
    for step in range(total):
        for i in range(width):
            word = may[step, i]
            while word != NONE:
                put(when, 64 * i + np.int64(lowest_bit(word)), step)
                word &= word - ONE
    return -1, 0


@inside
def notice(tables: Sets, room: Sets, words: tuple[int, ...]) -> None:
    """Mark the vertices that have lost steps, and their neighbours."""
    total, width = tables.shape[1], width_of(tables, words)
    for vertex in range(total):
        lost = NONE
        for j in range(width):
            lost |= tables[WHEN, vertex, j] ^ room[NOW, vertex, j]
            tables[WHEN, vertex, j] = room[NOW, vertex, j]
        if lost != NONE:
            put(room[MARKS], DIRTY, vertex)
            for j in range(width):
                room[MARKS, DIRTY, j] |= tables[MOVES, vertex, j]


@njit(cache=True, nogil=True)
def propagate(
    tables: Sets,
    partners: Sets,
    closed: bool,
    queue: Numbers,
    queued: NDArray[np.bool_],
    waiting: int,
    room: Sets,
    path: Numbers,
    words: tuple[int, ...],
) -> Any:
    """Narrow all windows and moves; returns what is to blame, or -1 if there may be a tour.

    Less than the number of steps, it is a step whose window becomes empty; otherwise a vertex,
    counted on from there, that has no step left, or too few or too many moves.

    Parameters
    ----------
    tables : uint64 array of shape (TABLES, steps, words)
        What is narrowed.
    partners : uint64 array of shape (steps, words)
        Vertices that belong beside each.
    queue, queued : arrays of shape (steps,)
        The first ``waiting`` entries are the steps whose windows have changed, with a flag for each
        of them; nothing is queued when it comes back.
    room : uint64 array of shape (ROOM, steps or 4, words)
        To work in, as is ``path``, of shape (steps,).
    """
    may, moves, beside = tables[MAY], tables[MOVES], room[MARKS, BESIDE]
    for j in range(width_of(tables, words)):
        room[MARKS, DIRTY, j] = NONE
    while True:
        bad, waiting = reach(may, moves, closed, queue, queued, waiting, beside, words)
        if bad >= 0:
            break
        bad, waiting = alone(may, room[NOW], queue, queued, path, words)
        if bad >= 0:
            break
        if waiting > 0:
            continue
        notice(tables, room, words)
        bad, waiting = degrees(may, moves, partners, room, closed, queue, queued, words)
        if bad >= 0:
            break
        if waiting > 0:
            continue
        bad, waiting, lost = pieces(may, moves, room, closed, queue, queued, path, words)
        if bad >= 0 or (waiting == 0 and not lost):
            break
    for k in range(waiting):
        queued[queue[k]] = False
    return bad


PAUSED, FULL, EXHAUSTED = range(3)
"""Why :func:`advance` came back."""

DEPTH, FRESH, DECIDED, FOUND = range(4)
"""Entries of ``state``: decisions under way, whether the last was only just made; decisions made
and tours found, since the start."""


@inside
def choose(
    may: NDArray[np.uint64],
    when: NDArray[np.uint64],
    blame: NDArray[np.float64],
    left: NDArray[np.uint64],
    words: tuple[int, ...],
) -> int:
    """What to decide next, with the ways to try in ``left``; -1 where every step has its vertex.

    A number of a step: which vertex is visited then.  That of a vertex, behind those of the steps:
    when it is visited.
    """
    total, width = may.shape[0], width_of(may, words)
    best, least, fewest = -1, np.inf, 0
    for step in range(total):
        size = size_of(may, step, width)
        if size > 1 and size / blame[step] < least:
            best, least, fewest = step, size / blame[step], size
    for vertex in range(total):
        size = size_of(when, vertex, width)
        # On large boards what is to blame for many failures tells nothing of another region.
        weighed = size / blame[total + vertex] if len(words) else np.inf
        if size > 1 and (weighed < least or (len(words) == 0 and size <= fewest)):
            best, least, fewest = total + vertex, weighed, size - 1
    if best >= 0:
        for j in range(width):
            left[j] = may[best, j] if best < total else when[best - total, j]
    return best


@njit(cache=True, nogil=True)
def advance(
    sets: NDArray[np.uint64],
    left: NDArray[np.uint64],
    chosen: NDArray[np.int64],
    partners: NDArray[np.uint64],
    closed: bool,
    queue: NDArray[np.int64],
    queued: NDArray[np.bool_],
    room: NDArray[np.uint64],
    path: NDArray[np.int64],
    blame: NDArray[np.float64],
    state: NDArray[np.int64],
    most: int,
    walks: NDArray[np.int32],
    words: tuple[int, ...],
) -> int:
    """Go on with the search; returns why it paused.

    Parameters
    ----------
    sets : uint64 array of shape (depths, TABLES, steps, words)
        The tables of every depth; the first ones are narrowed already.
    left, chosen : arrays
        Of each depth: what is decided there, as :func:`choose` has it, and the ways not yet tried.
    partners, queue, queued, room, path : arrays
        As :func:`kt_cp.search.step_domains_kernel.propagate` has them.
    blame : float64 array of shape (2 * steps,)
        How often each step, and each vertex, has come to nothing, and one more.
    most : int
        Return ``PAUSED`` after so many decisions.
    walks : int32 array of shape (room, steps)
        Receives the tours found in this call, which returns ``FULL`` with the last there is room
        for.  Without any room tours are only counted.
    """
    total, width = sets.shape[2], width_of(left, words)
    many = walks.shape[0]
    depth, fresh = state[DEPTH], state[FRESH] != 0
    decided = found = 0
    result = PAUSED
    while decided < most:
        if fresh:
            fresh = False
            chosen[depth] = choose(sets[depth, MAY], sets[depth, WHEN], blame, left[depth], words)
            if chosen[depth] < 0:
                if many:
                    for k in range(total):
                        for j in range(width):
                            word = sets[depth, MAY, k, j]
                            if word != NONE:
                                walks[found, k] = 64 * j + np.int64(lowest_bit(word))
                found += 1
                depth -= 1
                if found == many:
                    result = FULL
                    break
        if depth < 0:
            result = EXHAUSTED
            break
        i = 0
        while i < width and left[depth, i] == NONE:
            i += 1
        if i == width:
            depth -= 1
            continue
        word = left[depth, i]
        left[depth, i] = word & (word - ONE)
        step, vertex = chosen[depth], 64 * i + np.int64(lowest_bit(word))
        if step >= total:
            step, vertex = vertex, step - total
        below = sets[depth + 1]
        for table in range(TABLES):
            copy(sets[depth, table], below[table], width)
        for j in range(width):
            below[MAY, step, j] = NONE
        put(below[MAY], step, vertex)
        decided += 1
        queue[0] = step
        queued[step] = True
        one: Any = np.int64(1)  # a literal would have it compiled once more
        bad = propagate(below, partners, closed, queue, queued, one, room, path, words)
        if bad < 0:
            depth += 1
            fresh = True
        else:
            blame[bad] += 1
    state[DEPTH] = depth
    state[FRESH] = fresh
    state[DECIDED] += decided
    state[FOUND] += found
    return result

"""The compiled rules and search of :mod:`kt_cp.search.step_domains`; tests have a readable twin.

Sets are rows of words, with a bit for each member.  Three tables of sets are narrowed: ``DOMAINS``
has the vertices that each step may have, ``MOVES`` the neighbours beside which a vertex may still
be visited, and ``STEPS`` its steps when the rules were last applied in full.

Importing this module loads Numba, which detects changes only in a function's own file.  So all code
that is compiled into a function is in this file, except for the bit operations.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import numpy as np
from numba import njit

from kt_cp.search.bits import bit_count, lowest_bit

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Sets = NDArray[np.uint64]
    Numbers = NDArray[np.int64]

NONE, ONE = np.uint64(0), np.uint64(1)

DOMAINS, MOVES, STEPS, TABLES = range(4)
"""Tables that are narrowed, and their number."""

NOW, POSSIBLE, BESIDE, FORCED, MARKS, WORKSPACE = range(6)
"""Tables of the workspace, and their number: the current steps of vertices, the steps and the
neighbours that a fragment keeps, forced moves, and rows of marks."""

DIRTY, CHECKED, VISITED, UNION = range(4)
"""Rows of marks: vertices to check next, vertices to check now, ends of the fragments that were
checked, and a union of sets."""

PAUSED, FULL, EXHAUSTED = range(3)
"""Reasons for which :func:`advance` returns."""

DEPTH, FRESH, DECIDED, FOUND = range(4)
"""Entries of ``state``: decisions in force, whether the last one is new; decisions made and tours
found since the start."""


class Rules(NamedTuple):
    """Input and workspace of the rules.

    ``partners`` has the required neighbours of each vertex.  The first entries of ``queue`` are the
    steps whose domains have changed; ``queued`` flags them.  ``words`` is a tuple as long as a row,
    so that the compiler knows the length; an empty one stands for any length.  Loops use local
    names for its arrays: access through the tuple makes the whole search a fifth slower.
    """

    partners: Sets
    closed: bool
    queue: Numbers
    queued: NDArray[np.bool_]
    tables: Sets
    path: Numbers
    words: tuple[int, ...]


Function = TypeVar("Function", bound=Callable[..., Any])

_OPTIONS: dict[str, Any] = {
    "cache": True, "nogil": True, "no_cpython_wrapper": True, "no_cfunc_wrapper": True,
}  # fmt: skip


def internal(function: Function) -> Function:
    """Compile a function that only compiled functions call: it needs no entry from Python."""
    compiled: Function = njit(**_OPTIONS)(function)
    return compiled


def inline(function: Function) -> Function:
    """Compile a function and inline it into each function that calls it."""
    compiled: Function = njit(**_OPTIONS, forceinline=True)(function)
    return compiled


@inline
def width_of(sets: Sets, words: tuple[int, ...]) -> Any:
    """Return the number of words of a row."""
    return len(words) or sets.shape[-1]


@inline
def size_of(sets: Sets, row: Any, width: int) -> Any:
    """Return the number of members of a row."""
    size = np.int64(0)
    for j in range(width):
        size += np.int64(bit_count(sets[row, j]))
    return size


@inline
def has(sets: Sets, row: Any, member: Any) -> Any:
    """Return whether a row has a member."""
    return (sets[row, member >> 6] >> np.uint64(member & 63)) & ONE != NONE


@inline
def remove(sets: Sets, row: Any, member: Any) -> None:
    """Remove a member from a row."""
    sets[row, member >> 6] &= ~(ONE << np.uint64(member & 63))


@inline
def add(sets: Sets, row: Any, member: Any) -> None:
    """Add a member to a row."""
    sets[row, member >> 6] |= ONE << np.uint64(member & 63)


@inline
def enqueue(step: Any, queue: Numbers, queued: NDArray[np.bool_], waiting: int) -> int:
    """Queue a step whose domain has changed; return the length of the queue."""
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
def wrapped(step: Any, total: int, closed: bool) -> Any:
    """Wrap the number of a step that is at most one tour too early or too late."""
    if closed:
        step += total * ((step < 0) - (step >= total))
    return step


@internal
def apply_adjacency(may: Sets, moves: Sets, rules: Rules, waiting: int) -> tuple[int, int]:
    """Apply rule 1: the step before and the step after are reached by a move."""
    total, width = may.shape[0], width_of(may, rules.words)
    queue, queued, closed, beside = (
        rules.queue,
        rules.queued,
        rules.closed,
        rules.tables[MARKS, UNION],
    )
    while waiting > 0:
        waiting -= 1
        step = queue[waiting]
        queued[step] = False
        before, after = wrapped(step - 1, total, closed), wrapped(step + 1, total, closed)
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


@internal
def apply_all_different(may: Sets, when: Sets, rules: Rules) -> tuple[int, int]:
    """Apply rules 2 and 3: a vertex alone at a step has no other; every vertex has a step.

    Fills ``when``, which is right if nothing waits afterwards.
    """
    total, width = may.shape[0], width_of(may, rules.words)
    queue, queued, sizes = rules.queue, rules.queued, rules.path
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
        # A domain may be empty now.
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
                add(when, 64 * i + np.int64(lowest_bit(word)), step)
                word &= word - ONE
    return -1, 0


@internal
def mark_changes(tables: Sets, rules: Rules) -> None:
    """Mark the vertices that have lost steps, and their neighbours."""
    total, width, space = tables.shape[1], width_of(tables, rules.words), rules.tables
    for vertex in range(total):
        lost = NONE
        for j in range(width):
            lost |= tables[STEPS, vertex, j] ^ space[NOW, vertex, j]
            tables[STEPS, vertex, j] = space[NOW, vertex, j]
        if lost != NONE:
            add(space[MARKS], DIRTY, vertex)
            for j in range(width):
                space[MARKS, DIRTY, j] |= tables[MOVES, vertex, j]


@internal
def apply_degrees(may: Sets, moves: Sets, rules: Rules) -> tuple[int, int]:
    """Apply rule 4: a vertex with two moves left makes both; one that makes two has no other.

    Fills the table ``FORCED``.
    """
    total, width, space = may.shape[0], width_of(may, rules.words), rules.tables
    when, forced, closed = space[NOW], space[FORCED], rules.closed
    queue, queued = rules.queue, rules.queued
    copy(rules.partners, forced, width)
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
                        add(forced, vertex, other)
                        add(forced, other, vertex)
            elif made == 2 and size > 2:
                again = True
                for j in range(width):
                    word = moves[vertex, j] & ~forced[vertex, j]
                    moves[vertex, j] &= forced[vertex, j]
                    space[MARKS, DIRTY, j] |= word
                    add(space[MARKS], DIRTY, vertex)
                    while word != NONE:
                        other = 64 * j + np.int64(lowest_bit(word))
                        word &= word - ONE
                        remove(moves, other, vertex)
                        for i in range(width):
                            stale = when[other, i] | when[vertex, i]
                            while stale != NONE:
                                step = 64 * i + np.int64(lowest_bit(stale))
                                stale &= stale - ONE
                                waiting = enqueue(step, queue, queued, waiting)
    return -1, waiting


@inline
def trace_fragment(forced: Sets, first: int, path: Numbers, width: int) -> int:
    """Follow forced moves from a vertex into ``path``; return the length."""
    before, at, many = -1, first, 0
    while at >= 0:
        path[many] = at
        many += 1
        after: Any = -1
        for j in range(width):
            word = forced[at, j]
            if before >> 6 == j:
                word &= ~(ONE << np.uint64(before & 63))
            if word != NONE:
                after = 64 * j + np.int64(lowest_bit(word))
                break
        before, at = at, after
        if at == first:
            break
    return many


@inline
def place_fragment(
    may: Sets, moves: Sets, space: Sets, closed: bool, path: Numbers, many: int, ring: bool,
    width: int,
) -> None:  # fmt: skip
    """Collect the steps and neighbours of all placements: tables ``POSSIBLE`` and ``BESIDE``."""
    total = may.shape[0]
    now, possible, beside, forced = space[NOW], space[POSSIBLE], space[BESIDE], space[FORCED]
    first, last = path[0], path[many - 1]
    for k in range(many):
        for j in range(width):
            possible[path[k], j] = beside[path[k], j] = NONE
    for direction in (1, -1):
        if direction < 0 and many == 1:
            break
        for i in range(width):
            word = now[first, i]
            while word != NONE:
                step = 64 * i + np.int64(lowest_bit(word))
                word &= word - ONE
                there, k = step, 1
                while k < many:
                    there = wrapped(there + direction, total, closed)
                    if not (0 <= there < total and has(now, path[k], there)):
                        break
                    k += 1
                if k < many:
                    continue
                before = wrapped(step - direction, total, closed)
                after = wrapped(there + direction, total, closed)
                starts, ends = 0 <= before < total, 0 <= after < total
                any_before = any_after = NONE
                different = np.int64(0)
                for j in range(width):
                    one = two = NONE
                    if starts:
                        one = may[before, j] & moves[first, j] & ~forced[first, j]
                    if ends:
                        two = may[after, j] & moves[last, j] & ~forced[last, j]
                    any_before |= one
                    any_after |= two
                    different += np.int64(bit_count(one | two))
                if not ring:
                    if (starts and any_before == NONE) or (ends and any_after == NONE):
                        continue
                    if starts and ends and different < 2 and before != after:
                        continue
                for j in range(width):
                    if starts:
                        beside[first, j] |= may[before, j]
                    if ends:
                        beside[last, j] |= may[after, j]
                there = step
                for k in range(many):
                    add(possible, path[k], there)
                    there = wrapped(there + direction, total, closed)


@internal
def apply_fragments(may: Sets, moves: Sets, rules: Rules) -> tuple[Any, int, bool]:
    """Apply rule 5: consecutive forced moves are a fragment, visited in either direction.

    A vertex without any is a fragment as well.  Beside its two ends there are different vertices.
    Also returns whether vertices lost moves that no placement has.
    """
    total, width, space, path = may.shape[0], width_of(may, rules.words), rules.tables, rules.path
    now, forced, marks = space[NOW], space[FORCED], space[MARKS]
    possible, beside = space[POSSIBLE], space[BESIDE]
    queue, queued = rules.queue, rules.queued
    waiting, traced, lost_moves = 0, 0, False
    for j in range(width):
        marks[CHECKED, j] = marks[DIRTY, j]
        marks[DIRTY, j] = marks[VISITED, j] = NONE
    for first in range(total + 1):
        ring = first == total
        if ring:
            if traced == total:
                break
            first = 0
            if traced > 0 or not rules.closed:  # an open tour makes no ring
                return total + first, waiting, False
        else:
            links = size_of(forced, first, width)
            if links == 2 or (links == 1 and has(marks, VISITED, first)):
                continue
            if links == 0 and not has(marks, CHECKED, first):
                traced += 1
                continue
        many = trace_fragment(forced, first, path, width)
        if ring and many < total:
            return total + first, waiting, False
        traced += many
        add(marks, VISITED, path[many - 1])
        fresh = False
        for k in range(many):
            fresh = fresh or has(marks, CHECKED, path[k])
        if not fresh:
            continue
        place_fragment(may, moves, space, rules.closed, path, many, ring, width)
        for k in range(many):
            vertex = path[k]
            any_step = NONE
            for i in range(width):
                any_step |= possible[vertex, i]
                word = now[vertex, i] & ~possible[vertex, i]
                while word != NONE:
                    step = 64 * i + np.int64(lowest_bit(word))
                    word &= word - ONE
                    remove(may, step, vertex)
                    waiting = enqueue(step, queue, queued, waiting)
                    if size_of(may, step, width) == 0:
                        return step, waiting, False
            if any_step == NONE:
                return total + vertex, waiting, False
            if ring or 0 < k < many - 1:
                continue
            for j in range(width):
                word = moves[vertex, j] & ~beside[vertex, j] & ~forced[vertex, j]
                if word == NONE:
                    continue
                moves[vertex, j] ^= word
                marks[DIRTY, j] |= word
                add(marks, DIRTY, vertex)
                lost_moves = True
                while word != NONE:
                    remove(moves, 64 * j + np.int64(lowest_bit(word)), vertex)
                    word &= word - ONE
    return -1, waiting, lost_moves


@njit(cache=True, nogil=True)
def propagate(tables: Sets, rules: Rules, waiting: int) -> Any:
    """Narrow all domains and moves; return the contradiction, or -1 if there may be a tour.

    The contradiction is a step whose domain is empty, or ``total`` plus a vertex with no step left,
    or too few or too many moves.  The first ``waiting`` steps of the queue have changed; nothing is
    queued afterwards.
    """
    may, moves, space, queue = tables[DOMAINS], tables[MOVES], rules.tables, rules.queue
    for j in range(width_of(tables, rules.words)):
        space[MARKS, DIRTY, j] = NONE
    while True:
        bad, waiting = apply_adjacency(may, moves, rules, waiting)
        if bad >= 0:
            break
        bad, waiting = apply_all_different(may, space[NOW], rules)
        if bad >= 0:
            break
        if waiting > 0:
            continue
        mark_changes(tables, rules)
        bad, waiting = apply_degrees(may, moves, rules)
        if bad >= 0:
            break
        if waiting > 0:
            continue
        bad, waiting, lost = apply_fragments(may, moves, rules)
        if bad >= 0 or (waiting == 0 and not lost):
            break
    for k in range(waiting):
        rules.queued[queue[k]] = False
    return bad


@internal
def choose_decision(
    may: Sets, when: Sets, blame: NDArray[np.float64], left: Sets, words: tuple[int, ...]
) -> int:
    """Return the next decision, with its values in ``left``; -1 if every step has its vertex.

    A step stands for its vertex, and ``total`` plus a vertex for its step.
    """
    total, width = may.shape[0], width_of(may, words)
    best, least, fewest = -1, np.inf, 0
    for step in range(total):
        size = size_of(may, step, width)
        if size > 1 and size / blame[step] < least:
            best, least, fewest = step, size / blame[step], size
    for vertex in range(total):
        size = size_of(when, vertex, width)
        # On large boards the blame for failures in one region means nothing in another one.
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
    rules: Rules,
    blame: NDArray[np.float64],
    state: NDArray[np.int64],
    most: int,
    walks: NDArray[np.int32],
) -> int:
    """Continue the search for at most ``most`` decisions; return why it stopped.

    ``sets`` has the tables of every depth, the first of them narrowed; ``chosen`` the decision at
    each depth, and ``left`` the values not yet tried there.  ``blame`` is one more than the number
    of failures of each step and each vertex.  ``walks`` receives the tours, and the search stops
    when it is full; an empty one only counts tours.
    """
    total, width = sets.shape[2], width_of(left, rules.words)
    many, queue, queued = walks.shape[0], rules.queue, rules.queued
    depth, fresh = state[DEPTH], state[FRESH] != 0
    decided = found = 0
    result = PAUSED
    while decided < most:
        if fresh:
            fresh = False
            chosen[depth] = choose_decision(
                sets[depth, DOMAINS], sets[depth, STEPS], blame, left[depth], rules.words
            )
            if chosen[depth] < 0:
                if many:
                    for k in range(total):
                        for j in range(width):
                            word = sets[depth, DOMAINS, k, j]
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
            below[DOMAINS, step, j] = NONE
        add(below[DOMAINS], step, vertex)
        decided += 1
        queue[0] = step
        queued[step] = True
        one: Any = np.int64(1)  # a literal would compile the function a second time
        bad = propagate(below, rules, one)
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

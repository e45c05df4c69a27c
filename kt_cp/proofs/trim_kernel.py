"""Backward checking of a DRUP proof as compiled code; :mod:`kt_cp.proofs.trim_twin` is its twin.

The method is told there and in :mod:`kt_cp.proofs.trim`.  Here the watchers of a literal are a
doubly linked list that runs through two arrays.  Its nodes are 2c and 2c + 1 for the two literals
that clause c watches, so nothing is allocated on the way and any node leaves its list at once.

Importing this loads Numba; compiled code is kept beside the source.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from kt_cp.proofs.trim_twin import DONE, NOT_IMPLIED, STOPPED, UNREFUTED, Result, Task

CHUNK = 20_000_000
"""Clauses visited between two looks at the clock: some tenths of a second."""

PAUSED, ROOM = 4, 5
"""Why a call came back besides: to be called again, and to be called again with more room."""

LENGTH, NEXT, VISITS, HINTS, FAILED = range(5)
"""Entries of ``state``."""


class Store(NamedTuple):
    """The arrays of one run; ``first`` is indexed by core or not, and literal."""

    literals: NDArray[np.int32]
    begin: NDArray[np.int64]
    events: NDArray[np.int64]
    units: NDArray[np.int32]
    value: NDArray[np.int8]
    reason: NDArray[np.int32]
    trail: NDArray[np.int32]
    first: NDArray[np.int32]
    after: NDArray[np.int32]
    before: NDArray[np.int32]
    core: NDArray[np.int8]
    active: NDArray[np.bool_]
    given: NDArray[np.bool_]
    seen: NDArray[np.bool_]
    touched: NDArray[np.bool_]
    spans: NDArray[np.int64]
    state: NDArray[np.int64]


@njit(cache=True, nogil=True)
def push(s: Store, node: int, core: int, literal: int) -> None:
    """Put a node at the head of a list."""
    head = s.first[core, literal]
    s.after[node] = head
    s.before[node] = -1
    if head >= 0:
        s.before[head] = node
    s.first[core, literal] = node


@njit(cache=True, nogil=True)
def pull(s: Store, node: int, core: int, literal: int) -> None:
    """Take a node out of its list."""
    following, previous = s.after[node], s.before[node]
    if previous >= 0:
        s.after[previous] = following
    else:
        s.first[core, literal] = following
    if following >= 0:
        s.before[following] = previous


@njit(cache=True, nogil=True)
def assign(s: Store, literal: int, reason: int) -> None:
    """Make a literal true."""
    s.value[literal] = 1
    s.value[literal ^ 1] = -1
    s.reason[literal >> 1] = reason
    s.trail[s.state[LENGTH]] = literal
    s.state[LENGTH] += 1


@njit(cache=True, nogil=True)
def unassign(s: Store, length: int) -> None:
    """Shorten the trail."""
    for i in range(length, s.state[LENGTH]):
        s.value[s.trail[i]] = 0
        s.value[s.trail[i] ^ 1] = 0
    s.state[LENGTH] = length


@njit(cache=True, nogil=True)
def is_reason(s: Store, clause: int) -> bool:
    """Whether something on the trail rests on a clause."""
    begin = s.begin[clause]
    for i in range(begin, min(begin + 2, s.begin[clause + 1])):
        literal = s.literals[i]
        if s.value[literal] == 1 and s.reason[literal >> 1] == clause:
            return True
    return False


@njit(cache=True, nogil=True)
def attach(s: Store, clause: int) -> int:
    """Let a clause take part; returns it if all its literals are false, else -1."""
    begin, end = s.begin[clause], s.begin[clause + 1]
    s.active[clause] = True
    watched = 0
    for i in range(begin, end):
        literal = s.literals[i]
        if s.value[literal] >= 0:
            s.literals[i] = s.literals[begin + watched]
            s.literals[begin + watched] = literal
            watched += 1
            if watched == 2:
                break
    if end - begin > 1:
        push(s, 2 * clause, s.core[clause], s.literals[begin])
        push(s, 2 * clause + 1, s.core[clause], s.literals[begin + 1])
    if watched == 0:
        return clause
    if watched == 1 and s.value[s.literals[begin]] == 0:
        assign(s, s.literals[begin], clause)
    return -1


@njit(cache=True, nogil=True)
def detach(s: Store, clause: int) -> None:
    """Take a clause out."""
    begin = s.begin[clause]
    s.active[clause] = False
    if s.begin[clause + 1] - begin > 1:
        pull(s, 2 * clause, s.core[clause], s.literals[begin])
        pull(s, 2 * clause + 1, s.core[clause], s.literals[begin + 1])


@njit(cache=True, nogil=True)
def visit(s: Store, node: int, opposite: int, core: int) -> bool:
    """Tell a clause that a literal it watches is false; is it in conflict?"""
    clause = node >> 1
    begin = s.begin[clause]
    slot = begin + (node & 1)
    other = s.literals[begin + 1 - (node & 1)]
    if s.value[other] == 1:
        return False
    for i in range(begin + 2, s.begin[clause + 1]):
        literal = s.literals[i]
        if s.value[literal] >= 0:
            s.literals[i] = opposite
            s.literals[slot] = literal
            pull(s, node, core, opposite)
            push(s, node, core, literal)
            return False
    if s.value[other] == 0:
        assign(s, other, clause)
        return False
    return True


@njit(cache=True, nogil=True)
def propagate(s: Store, start: int) -> int:
    """Unit propagation of the trail from an index on; returns a clause in conflict or -1."""
    ahead = behind = start
    pending = -1
    fresh = True
    visits = 0
    conflict = -1
    while conflict < 0:
        if ahead < s.state[LENGTH]:
            opposite = s.trail[ahead] ^ 1
            ahead += 1
            node = s.first[1, opposite]
            while node >= 0:
                following = s.after[node]
                visits += 1
                if visit(s, node, opposite, 1):
                    conflict = node >> 1
                    break
                node = following
            continue
        if behind == s.state[LENGTH]:
            break
        opposite = s.trail[behind] ^ 1
        if fresh:
            pending = s.first[0, opposite]
            fresh = False
        while pending >= 0 and ahead == s.state[LENGTH]:
            node = pending
            pending = s.after[node]
            visits += 1
            if visit(s, node, opposite, 0):
                conflict = node >> 1
                break
        if pending < 0:
            behind += 1
            fresh = True
    s.state[VISITS] += visits
    return conflict


@njit(cache=True, nogil=True)
def retract(s: Store, clause: int) -> None:
    """Take back what a clause implied and all after it, and derive anew what still follows."""
    length = 0
    while s.reason[s.trail[length] >> 1] != clause:
        length += 1
    unassign(s, length)
    for i in range(s.units.size):
        unit = s.units[i]
        literal = s.literals[s.begin[unit]]
        if s.active[unit] and s.value[literal] == 0:
            assign(s, literal, unit)
    propagate(s, 0)


@njit(cache=True, nogil=True)
def explain(s: Store, conflict: int, owner: int, hints: NDArray[np.int32]) -> None:
    """Note the clauses that lead to a conflict as the hints of a lemma, and take them in."""
    begin = end = 0
    if owner < s.begin.size - 1:
        begin, end = s.begin[owner], s.begin[owner + 1]
    for i in range(begin, end):
        s.given[s.literals[i] >> 1] = True
    low = high = s.state[HINTS]
    clause = conflict
    i = s.state[LENGTH]
    while True:
        hints[high] = clause
        high += 1
        for k in range(s.begin[clause], s.begin[clause + 1]):
            s.seen[s.literals[k] >> 1] = True
        i -= 1
        while i >= 0 and (not s.seen[s.trail[i] >> 1] or s.given[s.trail[i] >> 1]):
            i -= 1
        if i < 0:
            break
        clause = s.reason[s.trail[i] >> 1]
    for i in range(begin, end):
        s.touched[i] = s.seen[s.literals[i] >> 1]
        s.given[s.literals[i] >> 1] = False
    s.spans[owner, 0], s.spans[owner, 1] = low, high
    s.state[HINTS] = high
    for i in range(high - 1, low - 1, -1):
        clause = hints[i]
        first = s.begin[clause]
        for k in range(first, s.begin[clause + 1]):
            s.seen[s.literals[k] >> 1] = False
        if s.core[clause] == 0:
            s.core[clause] = 1
            if s.begin[clause + 1] - first > 1:
                for slot in range(2):
                    pull(s, 2 * clause + slot, 0, s.literals[first + slot])
                    push(s, 2 * clause + slot, 1, s.literals[first + slot])


@njit(cache=True, nogil=True)
def check(s: Store, clause: int, hints: NDArray[np.int32]) -> bool:
    """Does a lemma follow?  If so its hints are noted, and join the core."""
    start = s.state[LENGTH]
    conflict = -1
    for i in range(s.begin[clause], s.begin[clause + 1]):
        literal = s.literals[i]
        if s.value[literal] == 1:
            conflict = s.reason[literal >> 1]
            break
        if s.value[literal] == 0:
            assign(s, literal ^ 1, -1)
    if conflict < 0:
        conflict = propagate(s, start)
    if conflict < 0:
        return False
    explain(s, conflict, clause, hints)
    unassign(s, start)
    return True


@njit(cache=True, nogil=True)
def forward(s: Store, given: int, hints: NDArray[np.int32], most: int) -> int:
    """Add and delete, up to the first conflict of what follows without assumptions."""
    most += s.state[VISITS]
    while s.state[NEXT] < s.events.size:
        if s.state[VISITS] > most:
            return PAUSED
        event = s.events[s.state[NEXT]]
        s.state[NEXT] += 1
        if event < 0:
            if not is_reason(s, ~event):
                detach(s, ~event)
            continue
        start = s.state[LENGTH]
        conflict = attach(s, event)
        if conflict < 0:
            conflict = propagate(s, start)
        elif s.begin[event] == s.begin[event + 1] and s.state[NEXT] > given:
            s.state[FAILED] = event
            return NOT_IMPLIED
        if conflict >= 0:
            explain(s, conflict, s.begin.size - 1, hints)
            return DONE
    return UNREFUTED


@njit(cache=True, nogil=True)
def backward(s: Store, given: int, hints: NDArray[np.int32], most: int) -> int:
    """Undo the events, and check each lemma that was found to be needed."""
    most += s.state[VISITS]
    while s.state[NEXT] > given:
        if s.state[VISITS] > most:
            return PAUSED
        if hints.size - s.state[HINTS] <= s.trail.size:
            return ROOM
        s.state[NEXT] -= 1
        event = s.events[s.state[NEXT]]
        if event < 0:
            if not s.active[~event]:
                start = s.state[LENGTH]
                attach(s, ~event)
                propagate(s, start)
            continue
        holds = is_reason(s, event)
        detach(s, event)
        if holds:
            retract(s, event)
        if s.core[event] == 1 and not check(s, event, hints):
            s.state[FAILED] = event
            return NOT_IMPLIED
    return DONE


def run(task: Task, should_stop: Callable[[], bool] | None = None) -> Result:
    """Check a proof backwards; the same as :func:`kt_cp.proofs.trim_twin.run`."""
    store = _store(task)
    hints = np.empty(4 * store.trail.size + 1000, dtype=np.int32)
    status = PAUSED
    for step in (forward, backward):
        while True:
            if should_stop is not None and should_stop():
                return Result(STOPPED, -1, [], {}, {})
            status = step(store, task.given, hints, CHUNK)
            if status == ROOM:
                hints = np.concatenate([hints, np.empty_like(hints)])
            elif status != PAUSED:
                break
        if status != DONE:
            return Result(status, int(store.state[FAILED]), [], {}, {})
    return _result(store, hints, task.given)


def _store(task: Task) -> Store:
    total, variables = len(task.clauses), task.variables
    lengths = np.fromiter(map(len, task.clauses), dtype=np.int64, count=total)
    begin = np.concatenate([[0], np.cumsum(lengths)])
    return Store(
        literals=np.fromiter(chain.from_iterable(task.clauses), np.int32, count=begin[-1]),
        begin=begin,
        events=np.array(task.events, dtype=np.int64),
        units=np.flatnonzero(lengths == 1).astype(np.int32),
        value=np.zeros(2 * variables + 2, dtype=np.int8),
        reason=np.full(variables + 1, -1, dtype=np.int32),
        trail=np.zeros(variables + 1, dtype=np.int32),
        first=np.full((2, 2 * variables + 2), -1, dtype=np.int32),
        after=np.full(2 * total, -1, dtype=np.int32),
        before=np.full(2 * total, -1, dtype=np.int32),
        core=np.zeros(total, dtype=np.int8),
        active=np.zeros(total, dtype=np.bool_),
        given=np.zeros(variables + 1, dtype=np.bool_),
        seen=np.zeros(variables + 1, dtype=np.bool_),
        touched=np.zeros(begin[-1], dtype=np.bool_),
        spans=np.zeros((total + 1, 2), dtype=np.int64),
        state=np.zeros(5, dtype=np.int64),
    )


def _result(store: Store, hints: NDArray[np.int32], given: int) -> Result:
    found: dict[int, list[int]] = {}
    touched: dict[int, set[int]] = {}
    spans: Any = store.spans.tolist()
    low, high = spans.pop()
    final = hints[low:high][::-1].tolist()
    for clause in range(given, len(spans)):
        low, high = spans[clause]
        if low < high:
            found[clause] = hints[low:high][::-1].tolist()
            own = slice(store.begin[clause], store.begin[clause + 1])
            touched[clause] = set(store.literals[own][store.touched[own]].tolist())
    return Result(DONE, -1, final, found, touched)

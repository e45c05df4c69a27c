"""Backward checking of a DRUP proof as compiled code, the twin of :mod:`.trimming_twin`.

The twin and :mod:`kt_cp.proofs.trimming` explain the method.  Here the watchers of a literal are a
doubly linked list that runs through two arrays.  Its nodes are 2c and 2c + 1 for the two literals
that clause c watches, so nothing is allocated on the way and any node leaves its list at once.
Importing this loads Numba; compiled code is cached beside the source.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from kt_cp.proofs.trimming_twin import DONE, NOT_IMPLIED, UNREFUTED, Result, Task

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Store(NamedTuple):
    """The arrays of one run; ``first`` is indexed by core or not, and literal."""

    literals: NDArray[np.int32]
    begin: NDArray[np.int64]
    events: NDArray[np.int64]
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


def run(task: Task) -> Result:
    """Check a proof backwards; the same as :func:`kt_cp.proofs.trimming_twin.run`."""
    store = _store(task)
    hints = np.empty(4 * store.trail.size + 1000, dtype=np.int32)
    for step in (forward, backward):
        while (status := step(store, task.given, hints)) == HINTS_FULL:
            hints = np.concatenate([hints, np.empty_like(hints)])
        if status == NOT_IMPLIED:
            # Forward the next event is the one after the event that failed, backward that itself.
            at = int(store.state[NEXT]) - (step is forward)
            return Result(status, task.events[at], [], {}, {})
        if status != DONE:
            return Result(status, -1, [], {}, {})
    return _result(store, hints, task.given)


def _store(task: Task) -> Store:
    total, variables = len(task.clauses), task.variables
    lengths = np.fromiter(map(len, task.clauses), dtype=np.int64, count=total)
    # The last clause, without literals, stands for the contradiction that owns the final hints.
    begin = np.concatenate([[0], np.cumsum(lengths), [lengths.sum()]])
    return Store(
        literals=np.fromiter(chain.from_iterable(task.clauses), np.int32, count=begin[-1]),
        begin=begin,
        events=np.array(task.events, dtype=np.int64),
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
        state=np.zeros(3, dtype=np.int64),
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


HINTS_FULL = 3
"""Why a call came back besides: to be called again with more room."""

LENGTH, NEXT, HINTS = range(3)
"""Entries of ``state``."""


@njit(cache=True, nogil=True)
def _push(s: Store, node: int, core: int, literal: int) -> None:
    head = s.first[core, literal]
    s.after[node], s.before[node] = head, -1
    if head >= 0:
        s.before[head] = node
    s.first[core, literal] = node


@njit(cache=True, nogil=True)
def _pull(s: Store, node: int, core: int, literal: int) -> None:
    following, previous = s.after[node], s.before[node]
    if previous >= 0:
        s.after[previous] = following
    else:
        s.first[core, literal] = following
    if following >= 0:
        s.before[following] = previous


@njit(cache=True, nogil=True)
def _assign(s: Store, literal: int, reason: int) -> None:
    s.value[literal], s.value[literal ^ 1] = 1, -1
    s.reason[literal >> 1] = reason
    s.trail[s.state[LENGTH]] = literal
    s.state[LENGTH] += 1


@njit(cache=True, nogil=True)
def _unassign(s: Store, length: int) -> None:
    for i in range(length, s.state[LENGTH]):
        s.value[s.trail[i]] = s.value[s.trail[i] ^ 1] = 0
    s.state[LENGTH] = length


@njit(cache=True, nogil=True)
def _propagate(s: Store, start: int) -> int:
    """Unit propagation of the trail from an index on; returns a clause in conflict or -1."""
    ahead = behind = start
    pending = -2  # the list of the others is to be begun
    conflict = -1
    while conflict < 0:
        core = int(ahead < s.state[LENGTH])
        if core == 1:
            opposite = s.trail[ahead] ^ 1
            node = s.first[1, opposite]
            ahead += 1
        elif behind < s.state[LENGTH]:
            opposite = s.trail[behind] ^ 1
            node = s.first[0, opposite] if pending == -2 else pending
        else:
            break
        while node >= 0 and (core == 1 or ahead == s.state[LENGTH]):
            here, node = node, s.after[node]
            clause = here >> 1
            begin = s.begin[clause]
            other = s.literals[begin + 1 - (here & 1)]
            if s.value[other] == 1:
                continue
            i, end = begin + 2, s.begin[clause + 1]
            while i < end and s.value[s.literals[i]] < 0:
                i += 1
            if i < end:
                literal = s.literals[i]
                s.literals[i], s.literals[begin + (here & 1)] = opposite, literal
                _pull(s, here, core, opposite)
                _push(s, here, core, literal)
            elif s.value[other] == 0:
                _assign(s, other, clause)
            else:
                conflict = clause
                break
        if core == 0:
            pending = node if node >= 0 else -2
            behind += int(node < 0)
    return conflict


@njit(cache=True, nogil=True)
def _attach(s: Store, clause: int) -> int:
    """Let a clause take part, and propagate; returns a clause in conflict or -1."""
    begin, end = s.begin[clause], s.begin[clause + 1]
    s.active[clause] = True
    watched, start = 0, s.state[LENGTH]
    for i in range(begin, end):
        literal = s.literals[i]
        if s.value[literal] >= 0:
            s.literals[i], s.literals[begin + watched] = s.literals[begin + watched], literal
            watched += 1
            if watched == 2:
                break
    if end - begin > 1:
        _push(s, 2 * clause, s.core[clause], s.literals[begin])
        _push(s, 2 * clause + 1, s.core[clause], s.literals[begin + 1])
    if watched == 0:
        return clause
    if watched == 1 and s.value[s.literals[begin]] == 0:
        _assign(s, s.literals[begin], clause)
    return _propagate(s, start)


@njit(cache=True, nogil=True)
def _detach(s: Store, clause: int) -> bool:
    """Take a clause out, unless something on the trail rests on it."""
    begin, end = s.begin[clause], s.begin[clause + 1]
    for literal in s.literals[begin : min(begin + 2, end)]:
        if s.value[literal] == 1 and s.reason[literal >> 1] == clause:
            return False
    s.active[clause] = False
    if end - begin > 1:
        _pull(s, 2 * clause, s.core[clause], s.literals[begin])
        _pull(s, 2 * clause + 1, s.core[clause], s.literals[begin + 1])
    return True


@njit(cache=True, nogil=True)
def _retract(s: Store, clause: int) -> None:
    """Remove a clause that the trail rests on, and everything after it."""
    length = 0
    while s.reason[s.trail[length] >> 1] != clause:
        length += 1
    _unassign(s, length)
    _detach(s, clause)


@njit(cache=True, nogil=True)
def _explain(s: Store, conflict: int, owner: int, hints: NDArray[np.int32]) -> None:
    """Note the clauses that lead to a conflict as the hints of a lemma, and take them in."""
    begin, end = s.begin[owner], s.begin[owner + 1]
    for i in range(begin, end):
        s.given[s.literals[i] >> 1] = True
    low = high = s.state[HINTS]
    clause = conflict
    i = s.state[LENGTH]
    while True:
        hints[high] = clause
        high += 1
        for literal in s.literals[s.begin[clause] : s.begin[clause + 1]]:
            s.seen[literal >> 1] = True
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
        if s.core[clause] == 0 and s.begin[clause + 1] - first > 1:
            for slot in range(2):
                _pull(s, 2 * clause + slot, 0, s.literals[first + slot])
                _push(s, 2 * clause + slot, 1, s.literals[first + slot])
        s.core[clause] = 1


@njit(cache=True, nogil=True)
def _check(s: Store, clause: int, hints: NDArray[np.int32]) -> bool:
    """Does a lemma follow?  If so its hints are noted, and join the core."""
    start = s.state[LENGTH]
    conflict = -1
    for literal in s.literals[s.begin[clause] : s.begin[clause + 1]]:
        if s.value[literal] == 1:
            conflict = s.reason[literal >> 1]
            break
        if s.value[literal] == 0:
            _assign(s, literal ^ 1, -1)
    if conflict < 0:
        conflict = _propagate(s, start)
    if conflict >= 0:
        _explain(s, conflict, clause, hints)
        _unassign(s, start)
    return conflict >= 0


@njit(cache=True, nogil=True)
def forward(s: Store, given: int, hints: NDArray[np.int32]) -> int:
    """Add and delete, up to the first conflict of what follows without assumptions."""
    while s.state[NEXT] < s.events.size:
        event = s.events[s.state[NEXT]]
        s.state[NEXT] += 1
        if event < 0:
            _detach(s, ~event)
            continue
        conflict = _attach(s, event)
        if conflict >= 0:
            if s.begin[event] == s.begin[event + 1] and s.state[NEXT] > given:
                return NOT_IMPLIED
            _explain(s, conflict, s.spans.shape[0] - 1, hints)
            return DONE
    return UNREFUTED


@njit(cache=True, nogil=True)
def backward(s: Store, given: int, hints: NDArray[np.int32]) -> int:
    """Undo the events, and check each lemma that was found to be needed."""
    while s.state[NEXT] > given:
        if hints.size - s.state[HINTS] <= s.trail.size:
            return HINTS_FULL
        s.state[NEXT] -= 1
        event = s.events[s.state[NEXT]]
        if event < 0:
            if not s.active[~event]:
                _attach(s, ~event)
            continue
        if not _detach(s, event):
            _retract(s, event)
        if s.core[event] and not _check(s, event, hints):
            return NOT_IMPLIED
    return DONE

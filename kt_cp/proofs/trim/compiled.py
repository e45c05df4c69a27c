"""The compiled kernel's arrays: made from a task, and read when it is done.

Importing this loads Numba.
"""

from __future__ import annotations

from itertools import chain
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kt_cp.proofs.trimming import DONE, NOT_IMPLIED, Result, Task
from kt_cp.proofs.trimming_kernel import NEXT, ROOM, backward, forward


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
        while (status := step(store, task.given, hints)) == ROOM:
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

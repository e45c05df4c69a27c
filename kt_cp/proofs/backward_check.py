"""Backward checking of a DRUP proof, core first; :mod:`kt_cp.proofs.trimming` explains the method.

A clause watches its first two literals.  Every literal has two lists of watchers: one of clauses
that are known to be needed (the core), one of the others.  Each is a doubly linked list that runs
through two arrays.  Its nodes are 2c and 2c + 1 for the two literals that clause c watches, so
nothing is allocated on the way and any node leaves its list at once.

Variable v has the code 2v and its negation 2v + 1, so ``literal ^ 1`` is the opposite literal.
The clauses of the formula and the lemmas share one numbering.

Numba can compile these functions.  Plain Python checks a small proof in less time than Numba takes
to load.  Compiled code, cached beside the source, checks large proofs.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable
from functools import cache
from itertools import accumulate, chain, pairwise
from typing import Any, NamedTuple

Clause = list[int]
Step = tuple[bool, Clause]
"""A line of a proof: a flag that is true for a deletion, and the literals."""

DONE, UNREFUTED, NOT_IMPLIED = range(3)
"""Statuses of a run; the last two mean that the proof is wrong."""


class Task(NamedTuple):
    """A proof to check.

    Attributes
    ----------
    clauses : list of list of int
        The formula, then the lemmas, as coded literals without duplicates.
    events : list of int
        The steps in order: c adds clause c, and ``~c`` deletes it.  The first steps add the
        formula.  A clause that is never added has no effect.
    variables : int
        Number of variables; they are numbered from 1.
    given : int
        Number of events that add the formula.
    """

    clauses: list[list[int]]
    events: list[int]
    variables: int
    given: int


class Result(NamedTuple):
    """The result of a check."""

    status: int  # DONE, UNREFUTED or NOT_IMPLIED
    failed: int  # the lemma that does not follow
    final: list[int]  # hints of the empty clause
    hints: dict[int, list[int]]  # hints of every lemma that is needed
    touched: dict[int, set[int]]  # the literals that such a lemma needs to assume false


def as_task(given: list[Clause], steps: list[Step], deleting: bool) -> tuple[Task, list[int]]:
    """Return the proof as a task, and the step of each lemma.

    A repeated clause is only counted, so each copy has to be deleted.  The deletion of a missing
    clause has no effect, and neither has a tautology.
    """
    literals = chain.from_iterable(chain(given, (clause for _, clause in steps)))
    code: dict[int, int] = {}
    for variable, name in enumerate(sorted(set(map(abs, literals))), start=1):
        code[name], code[-name] = 2 * variable, 2 * variable + 1
    clauses: list[Clause] = []
    events: list[int] = []
    origin: list[int] = []
    there: dict[tuple[int, ...], list[int]] = {}  # number and multiplicity of each clause
    formula_events = 0
    for place, (deletes, clause) in enumerate(chain(((False, c) for c in given), steps)):
        if place == len(given):
            formula_events = len(events)
        coded = [code[literal] for literal in clause]
        key = tuple(sorted(coded))
        present = there.get(key)
        if deletes:
            if deleting and present is not None:
                present[1] -= 1
                if present[1] == 0:
                    events.append(~present[0])
                    del there[key]
            continue
        tautology = any(a ^ 1 == b for a, b in pairwise(key))
        if place < len(given) or (present is None and not tautology):
            clauses.append(coded)
            if place >= len(given):
                origin.append(place - len(given))
        if tautology:
            continue
        if present is not None:
            present[1] += 1
        else:
            there[key] = [len(clauses) - 1, 1]
            events.append(len(clauses) - 1)
    if not steps:
        formula_events = len(events)
    return Task(clauses, events, len(code) // 2, formula_events), origin


Ints = Any
"""An array of Python or of NumPy."""


class Store(NamedTuple):
    """The memory of one run; ``first`` is indexed by twice the literal, and 1 more for the core."""

    literals: Ints
    begin: Ints
    events: Ints
    value: Ints
    reason: Ints
    trail: Ints
    first: Ints
    after: Ints
    before: Ints
    core: Ints
    active: Ints
    given: Ints
    seen: Ints
    touched: Ints
    low: Ints
    high: Ints
    state: Ints


def run(task: Task, *, compiled: bool) -> Result:
    """Check a proof backwards, by compiled code or without loading Numba.

    Examples
    --------
    >>> task = Task([[2, 4], [2, 5], [3, 4], [3, 5], [2]], [0, 1, 2, 3, 4], 2, 4)
    >>> result = run(task, compiled=False)
    >>> result.status == DONE, result.final, result.hints
    (True, [4, 3, 2], {4: [1, 0]})
    """
    view, steps = _compile() if compiled else (lambda memory: memory, (forward, backward))
    store = Store(*map(view, _memory(task)))
    hints = view(array("i", [0]) * (4 * len(store.trail) + 1000))
    for number, step in enumerate(steps):
        while (status := step(store, task.given, hints)) == HINTS_FULL:
            hints = view(array("i", hints.tolist() * 2))
        if status == NOT_IMPLIED:
            # Forward, the next event follows the one that failed; backward, it is that one.
            at = int(store.state[NEXT]) - (number == 0)
            return Result(status, task.events[at], [], {}, {})
        if status != DONE:
            return Result(status, -1, [], {}, {})
    return _result(store, hints[: store.state[HINTS]].tolist(), task.given)


@cache
def _compile() -> tuple[Callable[[Any], Any], tuple[Callable[..., Any], ...]]:
    """Return a function that makes arrays of NumPy from memory, and the compiled steps."""
    import numpy as np
    from numba import njit
    from numba.extending import register_jitable

    for helper in (_push, _pull, _assign, _unassign, _propagate, _attach, _detach, _retract,
                   _explain, _check):  # fmt: skip
        register_jitable(helper)
    steps = tuple(njit(cache=True, nogil=True)(each) for each in (forward, backward))
    return lambda memory: np.frombuffer(memory, memory.typecode), steps


def _memory(task: Task) -> list[Ints]:
    """Return the memory of a store."""
    total, variables = len(task.clauses), task.variables
    begin = array("q", accumulate(map(len, task.clauses), initial=0))
    begin.append(begin[-1])  # the last clause, without literals, owns the final hints
    literals = array("i", chain.from_iterable(task.clauses))
    sizes = (
        ("b", 2 * variables + 2, 0),
        ("i", variables + 1, -1),
        ("i", variables + 1, 0),
        ("i", 4 * variables + 4, -1),
        ("i", 2 * total, -1),
        ("i", 2 * total, -1),
        ("b", total, 0),
        ("b", total, 0),
        ("b", variables + 1, 0),
        ("b", variables + 1, 0),
        ("b", len(literals), 0),
        ("q", total + 1, 0),
        ("q", total + 1, 0),
        ("q", 3, 0),
    )
    rest = (array(kind, [value]) * length for kind, length, value in sizes)
    return [literals, begin, array("q", task.events), *rest]


def _result(store: Store, hints: list[int], given: int) -> Result:
    own = (store.literals, store.begin, store.touched, store.low, store.high)
    literals, begin, marks, lows, highs = (each.tolist() for each in own)
    *found, final = (hints[low:high][::-1] for low, high in zip(lows, highs, strict=True))
    needed = [clause for clause in range(given, len(found)) if found[clause]]
    touched = {
        clause: {literals[i] for i in range(begin[clause], begin[clause + 1]) if marks[i]}
        for clause in needed
    }
    return Result(DONE, -1, final, {clause: found[clause] for clause in needed}, touched)


HINTS_FULL = 3
"""Further statuses of a call: the caller must call again with more memory."""

LENGTH, NEXT, HINTS = range(3)
"""Entries of ``state``."""


def _push(s: Store, node: int, core: int, literal: int) -> None:
    head = s.first[2 * literal + core]
    s.after[node], s.before[node] = head, -1
    if head >= 0:
        s.before[head] = node
    s.first[2 * literal + core] = node


def _pull(s: Store, node: int, core: int, literal: int) -> None:
    following, previous = s.after[node], s.before[node]
    if previous >= 0:
        s.after[previous] = following
    else:
        s.first[2 * literal + core] = following
    if following >= 0:
        s.before[following] = previous


def _assign(s: Store, literal: int, reason: int) -> None:
    s.value[literal], s.value[literal ^ 1] = 1, -1
    s.reason[literal >> 1] = reason
    s.trail[s.state[LENGTH]] = literal
    s.state[LENGTH] += 1


def _unassign(s: Store, length: int) -> None:
    for i in range(length, s.state[LENGTH]):
        s.value[s.trail[i]] = s.value[s.trail[i] ^ 1] = 0
    s.state[LENGTH] = length


def _propagate(s: Store, start: int) -> int:
    """Propagate units of the trail from an index on; return a clause in conflict or -1."""
    ahead = behind = start
    pending = -2  # the list of the other clauses comes next
    conflict = -1
    while conflict < 0:
        core = int(ahead < s.state[LENGTH])
        if core == 1:
            opposite = s.trail[ahead] ^ 1
            node = s.first[2 * opposite + 1]
            ahead += 1
        elif behind < s.state[LENGTH]:
            opposite = s.trail[behind] ^ 1
            node = s.first[2 * opposite] if pending == -2 else pending
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


def _attach(s: Store, clause: int) -> int:
    """Attach a clause and propagate; return a clause in conflict or -1."""
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


def _detach(s: Store, clause: int) -> bool:
    """Detach a clause, unless it is the reason of a literal on the trail."""
    begin, end = s.begin[clause], s.begin[clause + 1]
    for literal in s.literals[begin : min(begin + 2, end)]:
        if s.value[literal] == 1 and s.reason[literal >> 1] == clause:
            return False
    s.active[clause] = False
    if end - begin > 1:
        _pull(s, 2 * clause, s.core[clause], s.literals[begin])
        _pull(s, 2 * clause + 1, s.core[clause], s.literals[begin + 1])
    return True


def _retract(s: Store, clause: int) -> None:
    """Remove a clause that is a reason on the trail, and the trail from there on."""
    length = 0
    while s.reason[s.trail[length] >> 1] != clause:
        length += 1
    _unassign(s, length)
    _detach(s, clause)


def _explain(s: Store, conflict: int, owner: int, hints: Ints) -> None:
    """Store the clauses that lead to a conflict as hints of a lemma, and add them to the core."""
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
    s.low[owner], s.high[owner] = low, high
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


def _check(s: Store, clause: int, hints: Ints) -> bool:
    """Check that a lemma follows; if so, store its hints and add them to the core."""
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


def forward(s: Store, given: int, hints: Ints) -> int:
    """Add and delete clauses until unit propagation without assumptions finds a conflict."""
    while s.state[NEXT] < len(s.events):
        event = s.events[s.state[NEXT]]
        s.state[NEXT] += 1
        if event < 0:
            _detach(s, ~event)
            continue
        conflict = _attach(s, event)
        if conflict >= 0:
            if s.begin[event] == s.begin[event + 1] and s.state[NEXT] > given:
                return NOT_IMPLIED
            _explain(s, conflict, len(s.low) - 1, hints)
            return DONE
    return UNREFUTED


def backward(s: Store, given: int, hints: Ints) -> int:
    """Undo the events, and check each lemma that was found to be needed."""
    while s.state[NEXT] > given:
        if len(hints) - s.state[HINTS] <= len(s.trail):
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

"""Backward checking of a DRUP proof, core first: the readable twin of the compiled kernel.

:mod:`kt_cp.proofs.trimming` explains the method.  Both twins visit clauses in the same order, so
they find the same reasons and give the same result, hint for hint.

A clause watches its first two literals.  Every literal has two lists of watchers: one of clauses
that are known to be needed (the core), one of the others.

Both work on a :class:`Task` and return a :class:`Result`.  Literals are coded: variable v is 2v,
its negation 2v + 1, so that ``literal ^ 1`` is the opposite.  Clauses are known by number, formula
and lemmas together.
"""

from __future__ import annotations

from itertools import chain, pairwise
from typing import NamedTuple

Clause = list[int]
Step = tuple[bool, Clause]
"""One line of a proof: is it a deletion, and the literals."""

DONE, UNREFUTED, NOT_IMPLIED = range(3)
"""How a run ended; the last two mean that the proof is wrong."""


class Task(NamedTuple):
    """What the twins work on.

    Attributes
    ----------
    clauses : list of list of int
        Coded literals, no literal twice: the formula, then the lemmas.
    events : list of int
        What happens: c where clause c is added, ``~c`` where it is deleted.  First the formula is
        added; a clause that is never added plays no part.
    variables : int
        They are 1 … variables.
    given : int
        Events of the formula.
    """

    clauses: list[list[int]]
    events: list[int]
    variables: int
    given: int


class Result(NamedTuple):
    """What the twins find."""

    status: int  # DONE, UNREFUTED or NOT_IMPLIED
    failed: int  # the lemma that does not follow
    final: list[int]  # hints of the empty clause
    hints: dict[int, list[int]]  # hints of every lemma that is needed
    touched: dict[int, set[int]]  # of such a lemma, the literals it needs to assume false


def as_task(given: list[Clause], steps: list[Step], deleting: bool) -> tuple[Task, list[int]]:
    """The proof as the twins take it, and of each of its lemmas the step.

    A clause that is there already is not added again, only counted, so that deletions
    balance.  Deletions of what is not there do nothing.  Tautologies play no part.
    """
    literals = chain.from_iterable(chain(given, (clause for _, clause in steps)))
    code: dict[int, int] = {}
    for variable, name in enumerate(sorted(set(map(abs, literals))), start=1):
        code[name], code[-name] = 2 * variable, 2 * variable + 1
    clauses: list[Clause] = []
    events: list[int] = []
    origin: list[int] = []
    there: dict[tuple[int, ...], list[int]] = {}  # number of the clause, and how often
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


def run(task: Task) -> Result:
    """Check a proof backwards.

    Examples
    --------
    >>> task = Task([[2, 4], [2, 5], [3, 4], [3, 5], [2]], [0, 1, 2, 3, 4], 2, 4)
    >>> result = run(task)
    >>> result.status == DONE, result.final, result.hints
    (True, [4, 3, 2], {4: [1, 0]})
    """
    twin = _Twin(task)
    status, failed, final = twin.forward()
    if status == DONE:
        status, failed = twin.backward()
    if status != DONE:
        return Result(status, failed, [], {}, {})
    return Result(DONE, -1, final, twin.hints, twin.touched)


class _Twin:
    def __init__(self, task: Task) -> None:
        self.clauses = [list(clause) for clause in task.clauses]
        self.events, self.given = task.events, task.given
        self.next = 0
        self.value = [0] * (2 * task.variables + 2)  # by literal: 1 true, -1 false
        self.reason = [-1] * (task.variables + 1)
        self.trail: list[int] = []
        self.core = [False] * len(self.clauses)
        self.active = [False] * len(self.clauses)
        self.watchers: list[list[list[int]]] = [[[] for _ in self.value] for _ in range(2)]
        self.hints: dict[int, list[int]] = {}
        self.touched: dict[int, set[int]] = {}

    def forward(self) -> tuple[int, int, list[int]]:
        """Add and delete, up to the first conflict of what follows without assumptions."""
        while self.next < len(self.events):
            event = self.events[self.next]
            self.next += 1
            if event < 0:
                self._detach(~event)
                continue
            conflict = self._attach(event)
            if conflict >= 0:
                if not self.clauses[event] and self.next > self.given:
                    return NOT_IMPLIED, event, []
                return DONE, -1, self._explain(conflict, [])[0]
        return UNREFUTED, -1, []

    def backward(self) -> tuple[int, int]:
        """Undo the events, and check each lemma that was found to be needed."""
        while self.next > self.given:
            self.next -= 1
            event = self.events[self.next]
            if event < 0:
                if not self.active[~event]:
                    self._attach(~event)
                continue
            if not self._detach(event):
                self._retract(event)
            if self.core[event] and not self._check(event):
                return NOT_IMPLIED, event
        return DONE, -1

    def _attach(self, number: int) -> int:
        """Let a clause take part, and propagate; returns a clause in conflict or -1."""
        clause, start = self.clauses[number], len(self.trail)
        self.active[number] = True
        watched = 0
        for i in range(len(clause)):
            if self.value[clause[i]] >= 0:
                clause[watched], clause[i] = clause[i], clause[watched]
                watched += 1
                if watched == 2:
                    break
        if len(clause) > 1:
            for literal in clause[:2]:
                self.watchers[self.core[number]][literal].insert(0, number)
        if watched == 0:
            return number
        if watched == 1 and self.value[clause[0]] == 0:
            self._set(clause[0], number)
        return self._propagate(start)

    def _detach(self, number: int) -> bool:
        """Take a clause out, unless something on the trail rests on it."""
        clause = self.clauses[number]
        for literal in clause[:2]:
            if self.value[literal] == 1 and self.reason[literal >> 1] == number:
                return False
        self.active[number] = False
        if len(clause) > 1:
            for literal in clause[:2]:
                self.watchers[self.core[number]][literal].remove(number)
        return True

    def _set(self, literal: int, reason: int) -> None:
        self.value[literal], self.value[literal ^ 1] = 1, -1
        self.reason[literal >> 1] = reason
        self.trail.append(literal)

    def _unset(self, length: int) -> None:
        while len(self.trail) > length:
            literal = self.trail.pop()
            self.value[literal] = self.value[literal ^ 1] = 0

    def _retract(self, number: int) -> None:
        """Remove a clause that the trail rests on, and everything after it."""
        # What came after came because of it, for the trail was at its end when the clause came.
        # So events are to the trail what decisions are to a solver's, and the watchers, good at
        # the end of every event, are good again when the later ones are taken back.
        length = 0
        while self.reason[self.trail[length] >> 1] != number:
            length += 1
        self._unset(length)
        self._detach(number)

    def _propagate(self, start: int) -> int:
        """Unit propagation of the trail from an index on; returns a clause in conflict or -1."""
        ahead = behind = start  # clauses of the core have seen the trail to here, others to there
        index = 0  # in the list of the others
        while True:
            if ahead < len(self.trail):
                opposite = self.trail[ahead] ^ 1
                ahead += 1
                i = 0
                while i < len(self.watchers[True][opposite]):
                    number = self.watchers[True][opposite][i]
                    stays, conflict = self._visit(number, opposite, True)
                    if conflict:
                        return number
                    i += stays
                continue
            if behind == len(self.trail):
                return -1
            opposite = self.trail[behind] ^ 1
            others = self.watchers[False][opposite]
            # One implied literal, and the core has the word again.
            while index < len(others) and ahead == len(self.trail):
                number = others[index]
                stays, conflict = self._visit(number, opposite, False)
                if conflict:
                    return number
                index += stays
            if index == len(others):
                behind += 1
                index = 0

    def _visit(self, number: int, opposite: int, core: bool) -> tuple[bool, bool]:
        """Visit a clause whose watched literal is false: does it stay, is it in conflict?"""
        clause = self.clauses[number]
        slot = 0 if clause[0] == opposite else 1
        other = clause[1 - slot]
        if self.value[other] == 1:
            return True, False
        for i in range(2, len(clause)):
            if self.value[clause[i]] >= 0:
                clause[slot], clause[i] = clause[i], clause[slot]
                self.watchers[core][opposite].remove(number)
                self.watchers[core][clause[slot]].insert(0, number)
                return False, False
        if self.value[other] == 0:
            self._set(other, number)
            return True, False
        return True, True

    def _check(self, number: int) -> bool:
        """Does a lemma follow?  If so its hints are noted, and join the core."""
        clause = self.clauses[number]
        start = len(self.trail)
        conflict = -1
        for literal in clause:
            if self.value[literal] == 1:
                conflict = self.reason[literal >> 1]
                break
            if self.value[literal] == 0:
                self._set(literal ^ 1, -1)
        if conflict < 0:
            conflict = self._propagate(start)
        if conflict < 0:
            return False
        self.hints[number], self.touched[number] = self._explain(conflict, clause)
        self._unset(start)
        return True

    def _explain(self, conflict: int, assumed: list[int]) -> tuple[list[int], set[int]]:
        """Clauses that lead to a conflict, in the order of the trail, and assumptions they need."""
        given = {literal >> 1 for literal in assumed}
        seen = {literal >> 1 for literal in self.clauses[conflict]}
        hints = [conflict]
        for literal in reversed(self.trail):
            if literal >> 1 in seen and literal >> 1 not in given:
                hints.append(self.reason[literal >> 1])
                seen.update(other >> 1 for other in self.clauses[hints[-1]])
        hints.reverse()
        for number in hints:
            if not self.core[number]:
                self.core[number] = True
                if len(self.clauses[number]) > 1:
                    for literal in self.clauses[number][:2]:
                        self.watchers[False][literal].remove(number)
                        self.watchers[True][literal].insert(0, number)
        return hints, {literal for literal in assumed if literal >> 1 in seen}

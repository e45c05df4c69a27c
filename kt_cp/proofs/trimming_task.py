"""What both twins of the trimmer work on, and what they find.

Literals are coded: variable v is 2v, its negation 2v + 1, so that ``literal ^ 1`` is the opposite.
Clauses are known by number, formula and lemmas together.
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

    A clause that is there already is not added again, only counted, so that deletions come out
    even.  Deletions of what is not there do nothing.  Tautologies play no part.
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

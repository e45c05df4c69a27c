"""What will be counted and how: which tours, by which methods, and what that is likely to take."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kt_cp.counting.choose import (
    AUTO,
    ENUMERATE,
    Choice,
    Enumerated,
    check_end,
    choose,
    method_named,
)
from kt_cp.counting.method import Estimate, Method
from kt_cp.counting.plan import Second, second_way, weighed
from kt_cp.counting.store import MANIFEST, check, method_of
from kt_cp.model.conditions import Given
from kt_cp.model.errors import InputError, NotTakenError
from kt_cp.model.limits import Limits
from kt_cp.model.problem import as_problem
from kt_cp.model.terms import is_reverse_distinct
from kt_cp.proofs.obstructions import obstruction

if TYPE_CHECKING:
    from kt_cp.model.problem import Problem, ProblemInput


@dataclass(frozen=True)
class Part:
    """One count of a plan.

    Attributes
    ----------
    weight : Fraction
        How much each of its tours counts.
    problem : Problem
        Whose tours they are.
    method : Method
        What counts them.
    estimate : Estimate
        What that is likely to take.
    second : Second or None
        How the number is to be confirmed.
    """

    weight: Fraction
    problem: Problem
    method: Method
    estimate: Estimate
    second: Second | None = None


@dataclass(frozen=True)
class Plan:
    """What will be counted, and how.

    Attributes
    ----------
    problem : Problem
        The question.
    directed, unique : bool
        What makes two tours one, as :class:`kt_cp.counting.Count` has it.
    parts : tuple of Part
        What is counted, the most work first; none where the answer is known.
    reason : str or None
        Why there is no tour, where that is told without a count.
    """

    problem: Problem
    directed: bool
    unique: bool
    parts: tuple[Part, ...]
    reason: str | None = None

    @property
    def estimate(self) -> Estimate:
        """What all of it is likely to take."""
        each = [part.estimate for part in self.parts]
        each += [part.second.estimate for part in self.parts if part.second is not None]
        return Estimate(
            max((it.states for it in each), default=0),
            max((it.bytes for it in each), default=0),
            sum(it.seconds for it in each),
            max((it.disk for it in each), default=0),
        )

    @property
    def method(self) -> str:
        """Name of the method that has the most work."""
        return self.parts[0].method.name if self.parts else ENUMERATE.name


def plan(
    problem: ProblemInput,
    method: str = AUTO,
    *,
    directed: bool | None = None,
    unique: bool = False,
    confirm: bool = False,
    store: Path | str | None = None,
    time_limit: float | None = None,
    memory_limit: float | None = None,
    **asked: Any,
) -> Plan:
    """How a count will be made, and what it is likely to take; as :func:`kt_cp.count` otherwise.

    Examples
    --------
    >>> made = plan("5x5")
    >>> made.method, made.estimate.seconds < 1
    ('frontier', True)
    """
    problem = as_problem(problem, asked)
    limits: dict[str, Any] = {"time_limit": time_limit, "memory_limit": memory_limit}
    Limits(*limits.values())
    directed = is_reverse_distinct(problem, directed, unique=unique)
    if unique and directed and not problem.directed:
        raise InputError("classes of tours are undirected: a tour and its reverse are one")
    if method != AUTO:
        method_named(method)
    if store is not None and method == AUTO:
        method = method_of(Path(store)) or AUTO
    if not problem.directed and Given not in map(type, problem.conditions):
        reason = obstruction(problem)
        if reason is not None:
            return Plan(problem, directed, unique, (), reason.text)
    parts = []
    for weight, each in _questions(problem, directed, unique):
        # What is asked of a method by name is about all tours; few of them are symmetric.
        name, stored = (method, store is not None) if each is problem else (AUTO, False)
        chosen = choose(each, name, stored=stored, **limits)
        parts.append((weight, each, chosen))
    listed = Enumerated(directed=directed, unique=unique)
    if not parts:
        why = listed.refuses(problem)
        if store is not None:
            why = why or "a store keeps no tours that are listed"
        if why is not None or method not in (AUTO, ENUMERATE.name):
            raise NotTakenError(f"{problem.label}: {why or 'only enumerate counts this'}")
        chosen = Choice(listed, listed.estimate(problem))
        check_end(problem, chosen, method, time_limit)
        parts.append((Fraction(1), problem, chosen))
    if store is not None and (Path(store) / MANIFEST).exists():
        check(Path(store), problem, parts[0][2].method)
    made = [Part(weight, each, *chosen) for weight, each, chosen in parts]
    if confirm:
        for at, part in enumerate(made):
            stored = store is not None and part.problem is problem
            second = second_way(part.problem, part.method, memory_limit, stored=stored)
            made[at] = replace(part, second=second)
    return Plan(problem, directed, unique, tuple(made))


def _questions(problem: Problem, directed: bool, unique: bool) -> list[tuple[Fraction, Problem]]:
    """What is to be counted, and how much it counts; nothing where tours are looked at."""
    if unique:
        return weighed(problem) or []
    if Given in map(type, problem.conditions):
        return []
    ends = (problem.start, problem.end) != (None, None)
    # A method counts a tour and its reverse as one, except on a digraph, where they are two.
    both = directed and not problem.directed and problem.size > 1 and (problem.closed or not ends)
    return [(Fraction(2 if both else 1), problem)]

"""What an engine is, and the short ways for one to state its answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Protocol

from kt_cp.model.board import shorten
from kt_cp.model.conditions import ENDS, Condition
from kt_cp.model.errors import TooLargeError
from kt_cp.model.limits import Limits, advice
from kt_cp.model.outcome import Evidence, EvidenceKind, Outcome, Verdict
from kt_cp.model.problem import Problem
from kt_cp.model.request import Progress, Request
from kt_cp.model.terms import terms
from kt_cp.model.tour import Tour

NO_MEMORY = "memory ran out"
"""Why an answer is unknown where another bound came before the memory limit, or there is none."""


class Solve(Protocol):
    """An engine's work."""

    def __call__(
        self, problem: Problem, *, limits: Limits, seed: int, progress: Progress | None
    ) -> Outcome: ...


def call(solve: Callable[..., Outcome], request: Request, **options: object) -> Outcome:
    """Call the ``solve`` of an engine here, with what is left of the limits."""
    return solve(
        request.problem,
        limits=request.remaining,
        seed=request.seed,
        progress=request.progress,
        **options,
    )


@dataclass(frozen=True, repr=False)
class Engine:
    """One way of answering problems.

    Attributes
    ----------
    name : str
        In full, such as ``sat:position:glucose4``.
    summary : str
        One line for ``kt-cp engines``.
    complete : bool
        Whether it may answer ``IMPOSSIBLE``; the others find or give up.
    takes : frozenset of condition classes
        Which conditions it knows: by default start and end.  A problem with any other is
        refused before it starts.  What works on ``problem.indexed`` and the cycle form, and nothing
        else, takes ``EDGES``.
    solve : callable
        ``solve(problem, *, limits, seed, progress) -> Outcome``.  It is handed problems of three
        squares and more.
    interruptible : bool
        Whether it ends by itself, soon after its time is over or Ctrl-C is pressed.  If not, it
        runs in a process of its own and is ended from outside.
    refuse : callable, optional
        Raises :class:`~kt_cp.model.errors.TooLargeError` when a problem would not fit.
    capacity : str
        How much it takes, in words, such as ``"100,000 squares"``.
    packages : tuple of str
        Distributions whose versions belong in the outcome.
    usage : str
        How the name is written, with its options; the name itself where there are none.
    at_once : callable, optional
        Returns for which problems it needs no time: they get no process of their own for a time
        limit.
    directed : bool
        Whether it takes directed graphs as they are.  All others are handed them in an undirected
        form (:mod:`kt_cp.engines.directed_adapter`).
    """

    name: str
    summary: str
    complete: bool
    solve: Solve
    takes: frozenset[type[Condition]] = ENDS
    interruptible: bool = True
    refuse: Callable[[Problem], None] | None = None
    capacity: str = "any size"
    packages: tuple[str, ...] = ()
    usage: str = ""
    at_once: Callable[[Problem], bool] | None = None
    directed: bool = False

    def __post_init__(self) -> None:
        if not self.usage:
            object.__setattr__(self, "usage", self.name)

    def __repr__(self) -> str:
        text = "complete" if self.complete else "finds or gives up"
        return f"<Engine: {shorten(self.name)}, {text}: {shorten(self.summary)}>"


def square_limit(
    name: str, most: int, instead: str | None = "warnsdorff"
) -> Callable[[Problem], None]:
    """What an engine refuses problems with, when it takes at most so many squares."""

    def refuse(problem: Problem) -> None:
        if problem.size > most:
            text = advice(problem.size, instead) if instead else "no engine takes more of these"
            raise TooLargeError(
                f"engine {name} is limited to {most:,} {terms(problem).square}s, and "
                f"{problem.label} has {problem.size:,}: {text}"
            )

    return refuse


def found(
    engine: str, problem: Problem, tour: Tour, statistics: Mapping[str, float], seed: int
) -> Outcome:
    """A tour; the front door checks it before anyone sees it."""
    return Outcome(
        Verdict.FOUND, problem, engine, tour=tour, statistics=dict(statistics), seed=seed
    )


def impossible(
    engine: str,
    problem: Problem,
    kind: EvidenceKind,
    text: str,
    statistics: Mapping[str, float],
    seed: int,
) -> Outcome:
    """No tour, with what backs it; the text is also the reason."""
    return proved(engine, problem, Evidence(kind, text), statistics, seed)


def proved(
    engine: str, problem: Problem, evidence: Evidence, statistics: Mapping[str, float], seed: int
) -> Outcome:
    """The same with evidence that may hold a certificate."""
    return Outcome(
        Verdict.IMPOSSIBLE,
        problem,
        engine,
        reason=evidence.text,
        evidence=evidence,
        statistics=dict(statistics),
        seed=seed,
    )


def unknown(
    engine: str, problem: Problem, reason: str, statistics: Mapping[str, float], seed: int
) -> Outcome:
    """Neither: a heuristic gave up, and why."""
    return Outcome(
        Verdict.UNKNOWN, problem, engine, reason=reason, statistics=dict(statistics), seed=seed
    )


def out_of_time(
    engine: str, problem: Problem, limits: Limits, statistics: Mapping[str, float], seed: int
) -> Outcome:
    """Neither: the time limit ended it, or its budget of processor time."""
    reason = "the budget of processor time is spent"
    if limits.seconds is not None:
        reason = f"the time limit of {limits.seconds:g} s was reached"
    return replace(unknown(engine, problem, reason, statistics, seed), limit="time")


def out_of_memory(
    engine: str, problem: Problem, limits: Limits, statistics: Mapping[str, float], seed: int
) -> Outcome:
    """Neither: memory ran out."""
    reason = NO_MEMORY
    if limits.megabytes is not None:
        reason = f"the memory limit of {limits.megabytes:g} MB was reached"
    return replace(unknown(engine, problem, reason, statistics, seed), limit="memory")

"""The :class:`Engine` class, and helpers that build outcomes."""

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
"""The reason of an unknown answer if memory ran out before the memory limit, or without one."""


class Solve(Protocol):
    """The protocol of an engine's ``solve`` function."""

    def __call__(
        self, problem: Problem, *, limits: Limits, seed: int, progress: Progress | None
    ) -> Outcome: ...


def call(solve: Callable[..., Outcome], request: Request, **options: object) -> Outcome:
    """Call the ``solve`` of an engine in this process, within the remaining limits."""
    return solve(
        request.problem,
        limits=request.remaining,
        seed=request.seed,
        progress=request.progress,
        **options,
    )


@dataclass(frozen=True, repr=False)
class Engine:
    """A method of answering problems.

    Attributes
    ----------
    name : str
        The full name, such as ``sat:position:glucose4``.
    summary : str
        One line for ``kt-cp engines``.
    complete : bool
        Whether it may answer ``IMPOSSIBLE``; other engines find a tour or give up.
    takes : frozenset of condition classes
        The conditions that it supports: by default start and end.  A problem with any other
        condition is refused before the engine starts.  An engine that uses only
        ``problem.indexed`` and the cycle form takes ``EDGES``.
    solve : callable
        ``solve(problem, *, limits, seed, progress) -> Outcome``.  It receives problems of three
        squares and more.
    interruptible : bool
        Whether it ends by itself soon after its time is over or Ctrl-C is pressed.  If not, it
        runs in its own process and is terminated from outside.
    refuse : callable, optional
        Raises :class:`~kt_cp.model.errors.TooLargeError` if a problem is too large.
    capacity : str
        The largest problem that it takes, in words, such as ``"100,000 squares"``.
    packages : tuple of str
        Distributions whose versions are recorded in the outcome.
    usage : str
        The syntax of the name with its options; the name itself if there are none.
    at_once : callable, optional
        Returns whether the engine needs no time for a problem.  Such a problem needs no separate
        process under a time limit.
    directed : bool
        Whether it accepts directed graphs.  Other engines receive them in an undirected form
        (:mod:`kt_cp.engines.directed_adapter`).
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
    """Return a function that raises TooLargeError for problems above a number of squares."""

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
    """Return the outcome of a tour; :func:`kt_cp.solve` checks it later."""
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
    """Return the outcome that there is no tour, with evidence; the text is also the reason."""
    return proved(engine, problem, Evidence(kind, text), statistics, seed)


def proved(
    engine: str, problem: Problem, evidence: Evidence, statistics: Mapping[str, float], seed: int
) -> Outcome:
    """Return the outcome that there is no tour, with evidence that may hold a certificate."""
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
    """Return the outcome of an engine that gave up, with the reason."""
    return Outcome(
        Verdict.UNKNOWN, problem, engine, reason=reason, statistics=dict(statistics), seed=seed
    )


def out_of_time(
    engine: str, problem: Problem, limits: Limits, statistics: Mapping[str, float], seed: int
) -> Outcome:
    """Return the outcome of reaching the time limit or the budget of processor time."""
    reason = "the budget of processor time is spent"
    if limits.seconds is not None:
        reason = f"the time limit of {limits.seconds:g} s was reached"
    return replace(unknown(engine, problem, reason, statistics, seed), limit="time")


def out_of_memory(
    engine: str, problem: Problem, limits: Limits, statistics: Mapping[str, float], seed: int
) -> Outcome:
    """Return the outcome of running out of memory."""
    reason = NO_MEMORY
    if limits.megabytes is not None:
        reason = f"the memory limit of {limits.megabytes:g} MB was reached"
    return replace(unknown(engine, problem, reason, statistics, seed), limit="memory")

"""A request: a problem with its limits, clock, seed and progress callback.

``solve`` creates one, and every search has one as a parameter.  For a step with a part of the time
use :meth:`Request.within`, and for another problem use :meth:`Request.about`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from kt_cp.model.limits import Clock, Limits, check_seed
from kt_cp.model.problem import Problem

Progress = Callable[[Mapping[str, float | None]], None]
"""Callback for the work so far, called now and then; a key without a number is the current step."""

Edges = Iterable[tuple[Any, Any]]
"""Moves that a search has chosen so far, as pairs of squares or nodes."""


def show_edges(progress: Progress | None, edges: Callable[[], Edges]) -> None:
    """Pass the chosen moves to the method ``look`` of the callback, if it has one."""
    look = getattr(progress, "look", None)
    if look is not None:
        look(edges)


def report_step(progress: Progress | None, what: str) -> None:
    """Report which step begins."""
    if progress is not None:
        progress({what: None})


@dataclass(frozen=True)
class Request:
    """A problem with the limits and options of its search.

    Attributes
    ----------
    problem : Problem
        The problem.
    limits : Limits
        The user's limits, which messages quote.
    clock : Clock
        Time since this search began, and its remaining time, which may be less than the limit.
    seed : int
        The same seed gives the same answer.
    progress : callable or None
        Called now and then with a mapping of work done so far.

    Examples
    --------
    >>> request = Request.begin(Problem("8x8"), Limits(seconds=20.0))
    >>> step = request.within(seconds=10.0, share=1 / 4)
    >>> step.clock.seconds <= 5.0, step.limits.seconds, step.expired()
    (True, 20.0, False)
    """

    problem: Problem
    limits: Limits
    clock: Clock
    seed: int = 0
    progress: Progress | None = None

    @classmethod
    def begin(
        cls,
        problem: Problem,
        limits: Limits | None = None,
        *,
        seed: int = 0,
        progress: Progress | None = None,
    ) -> Request:
        """Start the clock of a search."""
        limits = limits or Limits()
        return cls(problem, limits, limits.clock(), check_seed(seed), progress)

    def within(self, seconds: float | None = None, share: float = 1.0) -> Request:
        """Return the same request for a step that begins now.

        The step has at most that many seconds of processor time, and that share of the time left.
        """
        return replace(self, clock=self.clock.step(seconds, share))

    def about(self, problem: Problem) -> Request:
        """Return a request for another problem with the same clock."""
        return replace(self, problem=problem)

    def expired(self) -> bool:
        """Return whether the time is over."""
        return self.clock.expired()

    @property
    def remaining(self) -> Limits:
        """Remaining limits, for a call that starts its own clock."""
        left, budget = self.clock.left, self.clock.processor_left
        if left is None:
            return replace(self.limits, seconds=None, spent=0.0, processor_seconds=budget)
        seconds = self.limits.seconds or self.clock.seconds
        assert seconds is not None
        spent = seconds - left
        return replace(self.limits, seconds=seconds, spent=spent, processor_seconds=budget)

    def report(self, counts: Mapping[str, float | None]) -> None:
        """Report work done so far."""
        if self.progress is not None:
            self.progress(counts)

    def announce(self, step: str) -> None:
        """Report which step begins."""
        report_step(self.progress, step)

    def show(self, edges: Callable[[], Edges]) -> None:
        """Show the moves chosen so far, if the progress callback draws them."""
        show_edges(self.progress, edges)

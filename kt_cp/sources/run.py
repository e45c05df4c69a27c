"""A source program run from one square: the readable recursion, or its compiled twin.

The readable one goes first, so that a small board needs no compiler.  Where a hundred thousand
squares do not suffice, the twin begins again from the start.  Both place and take back the same
squares and find the same tours in the same order, so only the clock tells them apart.

Four of the programs stop at their first tour, and 004 goes through all of them; here whoever
receives the tours decides.  Every tour is judged before it is handed out, and none is kept.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from kt_cp.model.errors import TooLargeError, UnsoundEngineError
from kt_cp.model.outcome import Verdict
from kt_cp.model.problem import Problem
from kt_cp.model.progress import Progress
from kt_cp.sources.registry import Source
from kt_cp.trust.judge import defects
from kt_cp.trust.reference import Walk, search, search_compiled

MOST_SQUARES = 100_000
"""Largest board: beyond a few hundred squares only 003 is lucky, and rarely."""

READABLE_SQUARES = 100_000
"""Squares that the readable recursion may place before the compiled one takes over."""


class Recursion(StrEnum):
    """Which of the two runs."""

    READABLE = "readable"
    COMPILED = "compiled"


@dataclass(frozen=True)
class Account:
    """What a run came to.

    Attributes
    ----------
    tours : int
        Handed out.
    exhausted : bool
        Whether everything was tried; otherwise somebody had enough.
    placed, taken_back : int
        Squares, by the ``recursion`` that came to the end.
    """

    tours: int
    exhausted: bool
    placed: int
    taken_back: int
    recursion: Recursion

    @property
    def verdict(self) -> Verdict:
        """Whether there is a tour from this start."""
        if self.tours:
            return Verdict.FOUND
        return Verdict.IMPOSSIBLE if self.exhausted else Verdict.UNKNOWN


def check_size(problem: Problem) -> None:
    """Refuse a board that is beyond all hope, with ``TooLargeError``."""
    if problem.size > MOST_SQUARES:
        raise TooLargeError(
            f"the recursion is limited to {MOST_SQUARES:,} squares, and {problem.label} has "
            f"{problem.size:,}"
        )


def run_source(
    source: Source,
    problem: Problem,
    on_tour: Callable[[list[Any]], bool],
    *,
    recursion: Recursion | None = None,
    should_stop: Callable[[], bool] | None = None,
    progress: Progress | None = None,
) -> Account:
    """Run a source program's recursion on a problem that has a start.

    Parameters
    ----------
    on_tour : callable
        Receives each tour and says whether it will do; the run goes on while it will not.
    recursion : Recursion, optional
        By default the readable one, and the compiled one where that would take long.
    should_stop : callable, optional
        Polled at every thousandth square, or every two million compiled steps.
    progress : callable, optional
        Told, by the compiled one alone, how many squares were placed.

    Raises
    ------
    TooLargeError
        If the board is beyond all hope.
    UnsoundEngineError
        If the judge refuses a tour.

    Examples
    --------
    >>> from kt_cp.model.board import Board
    >>> from kt_cp.sources.registry import find_source
    >>> account = run_source(
    ...     find_source("all"), Problem(Board(3, 4), start=(0, 0)), lambda tour: False
    ... )
    >>> account.tours, account.exhausted, account.placed == account.taken_back
    (2, True, True)
    """
    check_size(problem)
    candidates, handed_on, known = source.candidates(problem), 0, 0

    def judged(squares: list[Any]) -> bool:
        nonlocal handed_on, known
        if known:
            known -= 1
            return False
        found = defects(problem, squares)
        if found:
            raise UnsoundEngineError(
                f"source {source.number} on {problem.label}: the judge refuses tour "
                f"{handed_on + 1}: {found[0]}; squares {squares}"
            )
        handed_on += 1
        return on_tour(squares)

    def report(placed: int) -> None:
        if progress is not None:
            progress({"squares placed": placed})

    def account(walk: Walk, which: Recursion) -> Account:
        return Account(handed_on, walk.exhausted, walk.placed, walk.taken_back, which)

    if recursion is not Recursion.COMPILED:
        budget = None if recursion else READABLE_SQUARES
        walk = search(
            problem,
            problem.start,
            candidates,
            on_tour=judged,
            budget=budget,
            should_stop=should_stop,
        )
        if walk.squares is not None or walk.exhausted or walk.placed != budget:
            return account(walk, Recursion.READABLE)
        known = handed_on  # the other one begins again with these
    walk = search_compiled(
        problem,
        problem.start,
        candidates,
        on_tour=judged,
        should_stop=should_stop,
        progress=report,
    )
    return account(walk, Recursion.COMPILED)

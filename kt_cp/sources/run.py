"""A source program run from one square, and text 003's closed tours; every tour is judged.

The readable recursion runs first, so that a small board needs no compiler.  If a hundred thousand
squares do not suffice, its compiled twin begins again from the start.  Both place and take back the
same squares and find the same tours in the same order; only the time differs.

Four of the programs stop at their first tour, and 004 goes through all of them; here the caller
decides.  Every tour is judged before the caller gets it, and none is stored.

Text 003 finds closed tours by its structured search, or by merging four.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from kt_cp.model.board import Square
from kt_cp.model.errors import InputError, TooLargeError, UnsoundEngineError
from kt_cp.model.outcome import Verdict
from kt_cp.model.problem import Problem
from kt_cp.model.request import Progress
from kt_cp.sources.registry import Source
from kt_cp.trust.judge import defects
from kt_cp.trust.reference import Walk, search, search_compiled

MOST_SQUARES = 100_000
"""Largest board: beyond a few hundred squares only 003 succeeds, and rarely."""

READABLE_SQUARES = 100_000
"""Squares that the readable recursion may place before the compiled one takes over."""


class Recursion(StrEnum):
    """The implementation that runs."""

    READABLE = "readable"
    COMPILED = "compiled"


@dataclass(frozen=True)
class RunReport:
    """The result of a run: tours found, and squares placed by the ``recursion`` that ran last.

    If it is not ``exhausted``, the run was stopped.
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
    """Raise ``TooLargeError`` for a board on which the recursion is hopeless."""
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
) -> RunReport:
    """Run a source program's recursion on a problem that has a start.

    ``on_tour`` receives each tour and returns whether to stop there.  Without a ``recursion`` the
    readable one runs, then the compiled one if that takes long.  ``should_stop`` is polled at every
    thousandth square, or every two million compiled steps; ``progress`` receives the squares placed
    by the compiled one.  Raises ``TooLargeError`` if the board is too large, and
    ``UnsoundEngineError`` if the judge rejects a tour.

    Examples
    --------
    >>> from kt_cp.model.board import Board
    >>> from kt_cp.sources.registry import find_source
    >>> problem = Problem(Board(3, 4), start=(0, 0))
    >>> report = run_source(find_source("all"), problem, lambda tour: False)
    >>> report.tours, report.exhausted, report.placed == report.taken_back
    (2, True, True)
    """
    check_size(problem)
    candidates, tours, known = source.candidates(problem), 0, 0

    def judged(squares: list[Any]) -> bool:
        nonlocal tours, known
        if known:
            known -= 1
            return False
        found = defects(problem, squares)
        if found:
            raise UnsoundEngineError(
                f"source {source.number} on {problem.label}: the judge refuses tour "
                f"{tours + 1}: {found[0]}; squares {squares}"
            )
        tours += 1
        return on_tour(squares)

    def send_progress(placed: int) -> None:
        if progress is not None:
            progress({"squares placed": placed})

    def report(walk: Walk, which: Recursion) -> RunReport:
        return RunReport(tours, walk.exhausted, walk.placed, walk.taken_back, which)

    if recursion is not Recursion.COMPILED:
        budget = None if recursion else READABLE_SQUARES
        walk = search(
            problem, problem.start, candidates,
            on_tour=judged, budget=budget, should_stop=should_stop,
        )  # fmt: skip
        if walk.squares is not None or walk.exhausted or walk.placed != budget:
            return report(walk, Recursion.READABLE)
        known = tours  # the compiled one begins again with these
    walk = search_compiled(
        problem, problem.start, candidates,
        on_tour=judged, should_stop=should_stop, progress=send_progress,
    )  # fmt: skip
    return report(walk, Recursion.COMPILED)


STRUCTURED_SOURCE = "003"
"""The only text that has more than a recursion."""


class Method(StrEnum):
    """The algorithm of text 003 that runs."""

    PLAIN = "plain"
    STRUCTURED = "structured"
    STRUCTURED_AS_PRINTED = "structured-as-printed"
    DIVIDE = "divide"


LARGEST_BOARDS = {
    Method.STRUCTURED: 250_000,
    Method.STRUCTURED_AS_PRINTED: 100_000,
    Method.DIVIDE: 1_000_000,
}
"""Largest boards: a search takes about three kilobytes a square, a tour a few hundred bytes."""


@dataclass(frozen=True)
class ClosedTour:
    """The squares from the start on, and how they were found.

    The verdict is ``IMPOSSIBLE`` if no closed tour makes both moves past every corner.
    """

    problem: Problem
    verdict: Verdict
    squares: list[Square] | None
    how: str


def closed_tour(
    source: Source, problem: Problem, method: Method, should_stop: Callable[[], bool]
) -> ClosedTour:
    """Find a closed tour with both moves past every corner, written from the problem's start.

    Raises ``InputError`` if the source has no such algorithm, the board lacks squares or is too
    large, or ``Method.DIVIDE`` does not cover it; and ``UnsoundEngineError`` if the judge rejects
    the tour.
    """
    board = problem.board
    if source.number != STRUCTURED_SOURCE:
        raise InputError(
            f"--method {method} is document {STRUCTURED_SOURCE}'s, got source {source.number}"
        )
    if board is None or board.missing:
        raise InputError(f"--method {method}: expected a whole rectangle, got {problem.label}")
    most = LARGEST_BOARDS[method]
    if problem.size > most:
        raise InputError(
            f"--method {method}: expected at most {most:,} squares, got {problem.size:,}"
        )
    closed = Problem(board, closed=True, start=problem.start)
    if method is Method.DIVIDE:
        from kt_cp.sources.structured import divide_and_conquer

        tour = divide_and_conquer(board.rows, board.columns)
        verdict, how = Verdict.FOUND, "four tours at a time, merged"
    else:
        from kt_cp.sources.structured import structured_as_printed, structured_tour

        find = structured_tour if method is Method.STRUCTURED else structured_as_printed
        answer = find(board.rows, board.columns, should_stop=should_stop)
        verdict = answer.verdict
        how = f"{answer.placed:,} squares placed, {answer.taken_back:,} taken back"
        if answer.decided_by == "search":
            how += ", then decided by the complete search with forced moves"
        if answer.tour is None:
            return ClosedTour(closed, verdict, None, how)
        tour = answer.tour
    squares = tour.squares
    if problem.start is not None:
        first = squares.index(problem.start)
        squares = squares[first:] + squares[:first]
    found = defects(closed, squares)
    if found or not tour.structured:
        raise UnsoundEngineError(
            f"source {source.number}, {method}, on {closed.label}: "
            f"{found[0] if found else 'a move past a corner is missing'}"
        )
    return ClosedTour(closed, verdict, squares, how)

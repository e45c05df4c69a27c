"""Text 003's closed tours of a board, judged: by its structured search, or by merging four."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from kt_cp.model.board import Square
from kt_cp.model.errors import InputError, UnsoundEngineError
from kt_cp.model.outcome import Verdict
from kt_cp.model.problem import Problem
from kt_cp.sources.registry import Source
from kt_cp.trust.judge import defects

STRUCTURED_SOURCE = "003"
"""The one text that has more than a recursion."""


class Method(StrEnum):
    """Which of text 003's algorithms runs."""

    PLAIN = "plain"
    STRUCTURED = "structured"
    STRUCTURED_AS_PRINTED = "structured-as-printed"
    DIVIDE = "divide"


MOST_SQUARES = {
    Method.STRUCTURED: 250_000,
    Method.STRUCTURED_AS_PRINTED: 100_000,
    Method.DIVIDE: 1_000_000,
}
"""Largest boards: some three kilobytes a square of search, some hundreds of bytes of tour."""


@dataclass(frozen=True)
class ClosedTour:
    """What came of it: the squares from the start on, and in words what found them.

    The verdict is ``IMPOSSIBLE`` where no closed tour makes both moves past every corner.
    """

    problem: Problem
    verdict: Verdict
    squares: list[Square] | None
    how: str


def closed_tour(
    source: Source, problem: Problem, method: Method, should_stop: Callable[[], bool]
) -> ClosedTour:
    """A closed tour with both moves past every corner, written from the problem's start.

    Raises
    ------
    InputError
        If the source has no such algorithm, the board lacks squares or is beyond all memory, or
        ``Method.DIVIDE`` does not cover it.
    UnsoundEngineError
        If the judge refuses the tour.

    Examples
    --------
    >>> from kt_cp.model.board import Board
    >>> from kt_cp.sources.registry import find_source
    >>> problem = Problem(Board(12, 14), start=(3, 3))
    >>> found = closed_tour(find_source("003"), problem, Method.DIVIDE, lambda: False)
    >>> found.verdict, found.squares[0], len(found.squares), found.problem.closed
    (<Verdict.FOUND: 'FOUND'>, (3, 3), 168, True)
    """
    board = problem.board
    if source.number != STRUCTURED_SOURCE:
        raise InputError(
            f"--method {method} is document {STRUCTURED_SOURCE}'s, got source {source.number}"
        )
    if board is None or board.missing:
        raise InputError(f"--method {method}: expected a whole rectangle, got {problem.label}")
    most = MOST_SQUARES[method]
    if problem.size > most:
        raise InputError(
            f"--method {method}: expected at most {most:,} squares, got {problem.size:,}"
        )
    closed = Problem(board, closed=True, start=problem.start)
    if method is Method.DIVIDE:
        from kt_cp.sources.divide import divide_and_conquer

        tour = divide_and_conquer(board.rows, board.columns)
        verdict, how = Verdict.FOUND, "four tours at a time, merged"
    else:
        from kt_cp.sources.structured import structured_tour
        from kt_cp.sources.structured_as_printed import structured_as_printed

        search = structured_tour if method is Method.STRUCTURED else structured_as_printed
        answer = search(board.rows, board.columns, should_stop=should_stop)
        verdict, how = answer.verdict, _by(answer.decided_by, answer.placed, answer.taken_back)
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


def _by(decided_by: str, placed: int, taken_back: int) -> str:
    recursion = f"{placed:,} squares placed, {taken_back:,} taken back"
    if decided_by == "search":
        return f"{recursion}, then decided by the complete search with forced moves"
    return recursion

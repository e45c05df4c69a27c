"""Whether a tour exists, by the recursion of the source texts.

The recursion (:mod:`kt_cp.trust.reference.recursion`) runs from every allowed start, moves sorted
by the number of ways on as the fourth text (003) does.  One look ahead keeps 30 squares within
seconds: a move is not pursued when it strands a neighbour of the square just left, or takes the
prescribed end too soon.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from kt_cp.model.conditions import Given
from kt_cp.model.problem import Problem
from kt_cp.trust.reference.orders import fewest_ways_first
from kt_cp.trust.reference.recursion import POLL, Walk, search


def decide(
    problem: Problem,
    *,
    budget: int | None = None,
    should_stop: Callable[[], bool] | None = None,
    progress: Callable[[int, int, int], None] | None = None,
) -> Walk:
    """Whether a tour exists, by trying every allowed start; counts are summed over the starts.

    The problem's conditions must be among ``TAKES``.  ``progress`` is told now and then which start
    it is, of how many, and the squares placed so far.

    Examples
    --------
    >>> from kt_cp.model.board import Board
    >>> decide(Problem(Board(4, 4))).verdict
    <Verdict.IMPOSSIBLE: 'IMPOSSIBLE'>
    """
    placed = taken_back = number = polls = 0
    many = 1 if problem.closed or problem.start is not None else problem.size

    def polled() -> bool:
        nonlocal polls
        polls += 1
        if progress is not None:
            progress(number, many, placed + POLL * polls)
        return should_stop is not None and should_stop()

    candidates = fewest_ways_first(problem)
    for number, (start, first) in enumerate(_starts(problem), start=1):  # noqa: B007
        polls = -1
        # Asked here too: where every start fails within a few squares, nobody else would ask.
        if polled():
            return Walk(None, False, placed, taken_back)
        walk = search(
            problem,
            start,
            candidates,
            first=first,
            look_ahead=True,
            budget=None if budget is None else budget - placed,
            should_stop=polled,
        )
        placed, taken_back = placed + walk.placed, taken_back + walk.taken_back
        if walk.squares is not None or not walk.exhausted:
            squares = walk.squares and walk.squares[1 - first :] + walk.squares[: 1 - first]
            return Walk(squares, False, placed, taken_back)
    return Walk(None, True, placed, taken_back)


def _starts(problem: Problem) -> Iterable[tuple[Any, int]]:
    """Squares to begin at, and the step of each."""
    squares = problem.graph if problem.board is None else problem.board
    if problem.closed and problem.start is None:  # any one decides, since it passes every square
        given = [(each.square, each.step) for each in problem.conditions if isinstance(each, Given)]
        return given[:1] or [(next(iter(squares)), 1)]
    return ((each, 1) for each in (squares if problem.start is None else [problem.start]))

"""Replay: the cross-check of a tour by the reference recursion.

The same recursion that searches is run over a tour made by anyone, with the tour's own moves
offered first.  It must reach the last square without one step back: then the recursion, by its own
rules, has found this tour itself.  It recurses as deep as the tour is long; since Python 3.11
recursion in pure Python takes no C stack, so a million squares work.

Cost: linear, about three microseconds a square.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise
from typing import Any

from kt_cp.model.garbage import uncollected
from kt_cp.model.problem import Problem
from kt_cp.trust.reference.orders import Candidates, fixed_order
from kt_cp.trust.reference.recursion import Walk, search

REPLAY_LIMIT = 1 << 21
"""Longest tour that is replayed: at some 700 bytes a step, deeper recursion costs gigabytes."""


def replay(
    problem: Problem, squares: Sequence[Any], *, should_stop: Callable[[], bool] | None = None
) -> Walk:
    """Run the recursion over a tour: its own next square is offered first at every step.

    The tour has passed the cross-check when the result's squares are the tour's and ``taken_back``
    is 0.  The first step back ends the run, so that a wrong tour costs no search.  ``should_stop``
    is polled as by :func:`~kt_cp.trust.reference.recursion.search`.

    Examples
    --------
    >>> from kt_cp.model.board import Board
    >>> from kt_cp.trust.reference import decide
    >>> problem = Problem(Board(3, 4))
    >>> tour = decide(problem).squares
    >>> replay(problem, tour).taken_back
    0
    """
    usual = fixed_order(problem)
    following = dict(pairwise(squares))

    def tour_first(square: Any) -> Iterable[Any]:
        own = following.get(square)
        if own not in usual(square):
            return usual(square)
        # The others wait until they are asked for: a million lists of them would be gigabytes.
        return chain((own,), _Others(usual, square, own))

    if not squares or not problem.has_square(squares[0]):
        return Walk(None, True, 0, 0)
    # To look for garbage among a million frames again and again doubles the time.
    with uncollected():
        # Without one step back every square is placed once; one more would be the first detour.
        return search(problem, squares[0], tour_first, budget=problem.size, should_stop=should_stop)


@dataclass(slots=True)
class _Others:
    """The usual candidates less one, made when they are iterated over."""

    usual: Candidates
    square: Any
    less: Any

    def __iter__(self) -> Iterator[Any]:
        return (other for other in self.usual(self.square) if other != self.less)

"""The recursion of the source texts: search, decide whether a tour exists, and replay a tour.

Five public texts about the knight's tour teach one and the same recursion.  They differ in little
but the order in which the eight moves are tried.  Here it is once, with that order as a parameter:
put the knight on a square; if all squares are visited, stop; otherwise try each move to a free
square in turn, and take the knight back when none of them leads to a tour.

Beyond the texts, the knight may be any piece, on any surface.  Where moves are required, a square
whose partner has to come next is reserved for that partner.  Where steps are given, no other
square takes them.  A square is *placed* when the piece is put on it and *taken back* when the
recursion gives it up; both are counted and can be observed.

``search`` finds the first tour or walks through all of them.  Its cost grows exponentially: 5×5 is
quick, 7×7 may take millions of squares, and 8×8 is a matter of luck.
:mod:`kt_cp.trust.reference.compiled` is its compiled twin.

``decide`` answers whether a tour exists.  It runs the recursion from every allowed start, with
moves sorted by the number of ways on, as the fourth text (003) does.  One step of lookahead keeps
30 squares within seconds: a move is not pursued when it strands a neighbour of the square just
left, or takes the prescribed end too soon.

``replay`` is the cross-check of a tour by anyone.  It runs the same recursion with the tour's own
moves offered first.  The recursion must reach the last square without one step back; then, by its
own rules, it has found this very tour.  The cost is linear, about three microseconds a square.

The recursion has its own arithmetic of moves and does not use the graph of the board.  It recurses
as deep as the tour is long.  Since Python 3.11 pure Python recursion takes no C stack, so only the
interpreter's limit has to be raised, and a million squares work.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain, pairwise
from traceback import walk_stack
from typing import Any

from kt_cp.model.conditions import EDGES, Given
from kt_cp.model.gc_pause import gc_paused
from kt_cp.model.move_order import Candidates, fewest_ways_first, fixed_order
from kt_cp.model.outcome import Verdict
from kt_cp.model.problem import Problem
from kt_cp.trust.reference.required_moves import next_required, strander

POLL = 1000
"""Squares between two questions whether to stop: a few milliseconds."""

_limits: list[int] = []
_limits_lock = threading.Lock()


@contextmanager
def deep_recursion(depth: int) -> Iterator[None]:
    """Raise the interpreter's recursion limit for a call and put it back.

    The limit is one for all threads: it stays as high as the deepest call under way needs, and
    the last to leave puts back what the first one found.
    """
    needed = depth + sum(1 for _ in walk_stack(sys._getframe())) + 100
    with _limits_lock:
        if not _limits:
            _limits.append(sys.getrecursionlimit())
        _limits.append(needed)
        sys.setrecursionlimit(max(_limits))
    try:
        yield
    finally:
        with _limits_lock:
            _limits.remove(needed)
            sys.setrecursionlimit(max(_limits))
            if len(_limits) == 1:
                _limits.clear()


TAKES = EDGES | {Given}
"""Conditions that the recursion knows."""


@dataclass(frozen=True)
class Walk:
    """What the recursion came to: a tour, or all was tried in vain, or the budget was spent."""

    squares: list[Any] | None
    exhausted: bool
    placed: int
    taken_back: int

    @property
    def verdict(self) -> Verdict:
        """The same as one of three words."""
        if self.squares is not None:
            return Verdict.FOUND
        return Verdict.IMPOSSIBLE if self.exhausted else Verdict.UNKNOWN


class _BudgetSpentError(Exception):
    """Unwinds the recursion; never leaves this module."""


def search(
    problem: Problem,
    start: Hashable,
    candidates: Candidates | None = None,
    *,
    first: int = 1,
    look_ahead: bool = False,
    budget: int | None = None,
    should_stop: Callable[[], bool] | None = None,
    on_tour: Callable[[list[Any]], bool] | None = None,
    watch: Callable[[bool, Any], None] | None = None,
) -> Walk:
    """Run the recursion from one start square.

    Parameters
    ----------
    candidates : callable, optional
        Squares to try from a square, in order; ``fixed_order(problem)`` by default.
    first : int
        Step of the start; a closed tour may be walked from another square than its first.
    look_ahead : bool
        Whether to leave out moves that strand a neighbour.
    budget : int, optional
        Most squares to place.
    should_stop : callable, optional
        Polled at every ``POLL``-th square.
    on_tour : callable, optional
        Receives each tour and says whether it will do; by default the first one does.
    watch : callable, optional
        Receives every step: whether a square was placed or taken back, and the square.

    Examples
    --------
    >>> from kt_cp.model.board import Board
    >>> walk = search(Problem(Board(5, 5)), (2, 2))
    >>> len(walk.squares), walk.placed - walk.taken_back
    (25, 25)
    """
    order, total = candidates or fixed_order(problem), problem.size
    closed, end, limit = problem.closed, problem.end, sys.maxsize if budget is None else budget
    step_of: dict[Any, int] = {}
    placed = taken_back = 0
    required = next_required(problem, start, step_of) if problem.require else None

    steps = {each.square: each.step for each in problem.conditions if isinstance(each, Given)}
    given = {step: square for square, step in steps.items()}

    def fits(square: Any, step: int) -> bool:
        """Whether neither the square is given at another step nor the step to another square."""
        step = (step + first - 2) % total + 1
        return bool(steps.get(square, step) == step and given.get(step, square) == square)

    def completes(square: Any) -> bool:
        if closed:
            return total > (1 if problem.directed else 2) and start in order(square)
        return end is None or square == end

    def strands(left: Any, now: Any) -> bool:
        """Whether some neighbour of the square just left can no longer be on a tour.

        Squares next to ``left`` are the only ones that have lost a way.  In a closed tour each
        needs two ways; in an open one a single square may keep one and come last.
        """
        lonely = 0
        for square in order(left):
            if square in step_of:
                continue
            ways = 0
            for way in order(square):
                if way == now or way not in step_of or (closed and way == start):
                    ways += 1
                    if ways == 2:
                        break
            if ways < 2:
                lonely += 1
                misplaced = closed or (end is not None and square != end)
                if ways == 0 or misplaced or lonely > 1:
                    return True
        return False

    stranded = strander(problem, start, step_of) if problem.directed else strands

    def visit(square: Any, step: int, left: Any) -> bool:
        nonlocal placed, taken_back
        if placed >= limit or (
            should_stop is not None and placed % POLL == 0 and placed and should_stop()
        ):
            raise _BudgetSpentError
        step_of[square] = step
        placed += 1
        if watch is not None:
            watch(True, square)
        ahead = required(square, left) if required else []
        if ahead is None:
            pass
        elif step == total:
            # The dictionary holds the squares in the order in which they were placed.
            if completes(square) and (on_tour is None or on_tour(list(step_of))):
                return True
        elif not (look_ahead and (square == end or (step > 1 and stranded(left, square)))):
            for candidate in ahead or order(square):
                ready = candidate not in step_of and (not steps or fits(candidate, step + 1))
                if ready and visit(candidate, step + 1, square):
                    return True
        del step_of[square]
        taken_back += 1
        if watch is not None:
            watch(False, square)
        return False

    if (first == 1 and problem.start not in (None, start)) or not fits(start, 1):
        return Walk(None, True, 0, 0)
    with deep_recursion(min(total, limit)):
        try:
            found = visit(start, 1, None)
        except _BudgetSpentError:
            return Walk(None, False, placed, taken_back)
    return Walk(list(step_of) if found else None, not found, placed, taken_back)


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
    with gc_paused():
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

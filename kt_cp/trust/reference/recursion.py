"""The recursion of the source texts: search, decide whether a tour exists, and replay a tour.

Five public texts about the knight's tour teach one and the same recursion.  They differ in little
but the order in which the eight moves are tried.  Here it is once, with that order as a parameter:
put the knight on a square; if all squares are visited, stop; otherwise try each move to a free
square in turn, and take the knight back when none of them leads to a tour.

Beyond the texts, the knight may be any piece, on any surface.  If a required move must come next,
only its other square is tried.  No other square may take a given step.  A square is *placed* when
the piece is put on it and *taken back* when the recursion gives it up; both are counted and can be
observed.

``search`` finds the first tour or all of them.  Its cost grows exponentially: 5×5 is
quick, 7×7 may take millions of squares, and 8×8 is a matter of luck.
:mod:`kt_cp.trust.reference.compiled` is its compiled twin.

``decide`` decides whether a tour exists.  It runs the recursion from every allowed start, with
moves sorted by the number of ways on, as the fourth text (003) does.  One step of lookahead keeps
30 squares within seconds: a move is not pursued if it strands a neighbour of the square just left,
or takes the prescribed end too soon.

``replay`` is the cross-check of a tour from any source.  It runs the same recursion with the tour's
own moves offered first.  The recursion must reach the last square without one step back; then, by
its own rules, it has found this very tour.  The cost is linear, about three microseconds a square.

The recursion has its own arithmetic of moves and does not use the graph of the board.  It recurses
as deep as the tour is long.  Since Python 3.11 pure Python recursion takes no C stack, so raising
the interpreter's limit is enough for a million squares.
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
from kt_cp.trust.reference.required_moves import next_required, stranding_test

POLL = 1000
"""Squares between two polls of ``should_stop``: a few milliseconds."""

_limits: list[int] = []
_limits_lock = threading.Lock()


@contextmanager
def deep_recursion(depth: int) -> Iterator[None]:
    """Raise the interpreter's recursion limit for a call and restore it afterwards.

    All threads share the limit.  It stays as high as the deepest active call needs.  The last call
    restores the value before the first one.
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
"""Conditions that the recursion takes."""


@dataclass(frozen=True)
class Walk:
    """The result of the recursion: a tour, an exhausted search, or a spent budget."""

    squares: list[Any] | None
    exhausted: bool
    placed: int
    taken_back: int

    @property
    def verdict(self) -> Verdict:
        """The result as a verdict."""
        if self.squares is not None:
            return Verdict.FOUND
        return Verdict.IMPOSSIBLE if self.exhausted else Verdict.UNKNOWN


class _BudgetSpentError(Exception):
    """Unwinds the recursion; it never leaves this module."""


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
    """Run the recursion from one start square."""
    order, total = candidates or fixed_order(problem), problem.size
    closed, end, limit = problem.closed, problem.end, sys.maxsize if budget is None else budget
    step_of: dict[Any, int] = {}
    placed = taken_back = 0
    required = next_required(problem, start, step_of) if problem.require else None

    steps = {each.square: each.step for each in problem.conditions if isinstance(each, Given)}
    given = {step: square for square, step in steps.items()}

    def fits(square: Any, step: int) -> bool:
        """Return whether given steps allow the square at the step."""
        step = (step + first - 2) % total + 1
        return bool(steps.get(square, step) == step and given.get(step, square) == square)

    def completes(square: Any) -> bool:
        if closed:
            return total > (1 if problem.directed else 2) and start in order(square)
        return end is None or square == end

    def strands(left: Any, now: Any) -> bool:
        """Return whether some neighbour of the square just left can no longer be on a tour.

        Only squares next to ``left`` have lost a way.  In a closed tour each needs two ways; in an
        open tour a single square may have one and come last.
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

    stranded = stranding_test(problem, start, step_of) if problem.directed else strands

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

    The tour has passed the cross-check if the result's squares are the tour's and ``taken_back``
    is 0.  The first step back ends the run, so a wrong tour causes no search.  ``should_stop``
    is polled as by :func:`~kt_cp.trust.reference.recursion.search`.
    """
    usual = fixed_order(problem)
    following = dict(pairwise(squares))

    def tour_first(square: Any) -> Iterable[Any]:
        own = following.get(square)
        if own not in usual(square):
            return usual(square)
        # The others are computed on demand: a million lists of them would take gigabytes.
        return chain((own,), _Others(usual, square, own))

    if not squares or not problem.has_square(squares[0]):
        return Walk(None, True, 0, 0)
    # Repeated garbage collections among a million frames double the time.
    with gc_paused():
        # Without one step back every square is placed once; one more would be the first detour.
        return search(problem, squares[0], tour_first, budget=problem.size, should_stop=should_stop)


@dataclass(slots=True)
class _Others:
    """The usual candidates without one, computed when they are iterated over."""

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
    """Decide whether a tour exists, by trying every allowed start; counts are sums over them.

    The problem's conditions must be among ``TAKES``.  ``progress`` is called now and then with the
    number of the start, the number of all starts, and the squares placed so far.
    """
    placed = taken_back = number = polls = 0
    many = 1 if problem.closed or problem.start is not None else problem.size

    def is_interrupted() -> bool:
        nonlocal polls
        polls += 1
        if progress is not None:
            progress(number, many, placed + POLL * polls)
        return should_stop is not None and should_stop()

    candidates = fewest_ways_first(problem)
    for number, (start, first) in enumerate(_starts(problem), start=1):  # noqa: B007
        polls = -1
        # Polled here too: if every start fails within a few squares, the search never polls.
        if is_interrupted():
            return Walk(None, False, placed, taken_back)
        walk = search(
            problem,
            start,
            candidates,
            first=first,
            look_ahead=True,
            budget=None if budget is None else budget - placed,
            should_stop=is_interrupted,
        )
        placed, taken_back = placed + walk.placed, taken_back + walk.taken_back
        if walk.squares is not None or not walk.exhausted:
            squares = walk.squares and walk.squares[1 - first :] + walk.squares[: 1 - first]
            return Walk(squares, False, placed, taken_back)
    return Walk(None, True, placed, taken_back)


def _starts(problem: Problem) -> Iterable[tuple[Any, int]]:
    """Return the squares to begin at, and the step of each."""
    squares = problem.graph if problem.board is None else problem.board
    if problem.closed and problem.start is None:  # any square will do: the tour visits them all
        given = [(each.square, each.step) for each in problem.conditions if isinstance(each, Given)]
        return given[:1] or [(next(iter(squares)), 1)]
    return ((each, 1) for each in (squares if problem.start is None else [problem.start]))

"""The recursion of the source texts, as a search to the first tour or through all of them.

Five public texts about the knight's tour teach one and the same recursion, and differ in little
but the order in which the eight moves are tried.  Here it is once, with that order as a
parameter: put the knight on a square; if all squares are visited, done; otherwise try each move
to a free square in turn, and when none leads to a tour take the knight back.

Beside the texts: the knight may be any piece, on any surface; where moves are required, a square
whose partner has to come next is left for that partner alone; where steps are given, no other
square is put there.  A square is *placed* when the piece is put on it and *taken back* when the
recursion gives it up; both are counted, and can be watched.

Cost grows exponentially: 5×5 is quick, 7×7 may take millions of squares, 8×8 is a matter of luck.
It has a compiled twin, :mod:`kt_cp.trust.reference.compiled`.  Whether a tour exists is decided in
:mod:`kt_cp.trust.reference.decision`; the cross-check of a given tour is in
:mod:`kt_cp.trust.reference.replay`.  The recursion has move arithmetic of its own and does not use
the graph of the board.  Since Python 3.11 pure Python recursion takes no C stack: only the
interpreter's limit is in the way.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from traceback import walk_stack
from typing import Any

from kt_cp.model.conditions import EDGES, Given
from kt_cp.model.outcome import Verdict
from kt_cp.model.problem import Problem
from kt_cp.trust.reference.orders import Candidates, fixed_order, next_required, strander

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

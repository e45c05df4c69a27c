"""The recursion on from a walk that somebody gives: first the walk, step by step, then the search.

Document 002 draws a walk of its own on 4×4, takes one square back, and leaves what follows to the
reader.  So a walk is given as the squares that the piece comes to, one after the other; to name a
square of the walk again is to go back to it, and takes back every square after it.  Then the
recursion goes on as if the walk had been its own: from its last square, with every move that the
walk has tried not tried again.

A step of the walk need not be a move of the piece, as one of the drawing is none: it is shown as
it is, and a walk that has such a step is never a tour.

Cost: a Python step for each square, some hundred times as slow as :mod:`.twin`, which has no place
for moves that were tried on the way to one square and not on another.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from typing import Any

from kt_cp.model.board import describe
from kt_cp.model.errors import InputError
from kt_cp.model.problem import Problem
from kt_cp.trust.reference.compiled import Pause
from kt_cp.trust.reference.orders import Candidates, fixed_order, next_required

Step = tuple[bool, Any]


def walk_steps(problem: Problem, walk: Sequence[Hashable]) -> list[Step]:
    """A given walk as squares placed and taken back.

    Raises
    ------
    InputError
        If a square is not on the board, or the walk stays where it is.

    Examples
    --------
    >>> from kt_cp.model.board import Board
    >>> walk_steps(Problem(Board(3, 3)), [(0, 0), (1, 2), (2, 0), (0, 0), (2, 1)])[3:]
    [(False, (2, 0)), (False, (1, 2)), (True, (2, 1))]
    """
    steps: list[Step] = []
    path: list[Hashable] = []
    for number, square in enumerate(walk, start=1):
        if not problem.has_square(square):
            raise InputError(
                f"square {number} of the walk: expected one of {problem.label}, "
                f"got {describe(square)}"
            )
        if path and square == path[-1]:
            raise InputError(
                f"square {number} of the walk: expected another one than the last, "
                f"got {describe(square)} again"
            )
        if square in path:
            while path[-1] != square:
                steps.append((False, path.pop()))
        else:
            path.append(square)
            steps.append((True, square))
    return steps


class GivenRun:
    """A given walk and the recursion after it, stopped at any step, as :class:`.twin.Run` is.

    Examples
    --------
    >>> from kt_cp.model.board import Board
    >>> run = GivenRun(Problem(Board(3, 3)), [(0, 0), (1, 2), (2, 0)])
    >>> run.steps(5)[0][2:]
    [(True, (2, 0)), (True, (0, 1)), (True, (2, 2))]
    """

    def __init__(
        self, problem: Problem, walk: Sequence[Hashable], candidates: Candidates | None = None
    ) -> None:
        self._problem, self._order = problem, candidates or fixed_order(problem)
        given = walk_steps(problem, walk)
        self.given = len(given)
        self._start = walk[0] if walk else None
        self._path: dict[Any, int] = {}  # squares in order, and how many steps to them are no moves
        self._tried: list[set[Any]] = []  # beyond each square of the path, by the walk
        self._onward: list[Iterator[Any]] = []
        self._at_tour = False
        self.placed = self.taken_back = 0
        self._stream = self._all_steps(given)

    @property
    def squares(self) -> list[Any]:
        """The squares that are placed now, in order."""
        return list(self._path)

    @property
    def holds_tour(self) -> bool:
        """Whether the squares that are placed now are a tour."""
        path, problem = self._path, self._problem
        if len(path) < problem.size or not path or next(reversed(path.values())):
            return False
        last = next(reversed(path))
        if problem.require and self._ahead(last) is None:
            return False
        if problem.closed:
            fewest = 2 if problem.directed else 3
            return problem.size >= fewest and self._start in self._order(last)
        return problem.end in (None, last)

    def advance(self, steps: int) -> Pause:
        """Go on by so many steps, or to a tour or the end of everything."""
        return self.steps(steps)[1]

    def steps(self, count: int) -> tuple[list[Step], Pause]:
        """The next steps up to a number, each placed or not and the square, and the pause."""
        made: list[Step] = []
        while len(made) < count:
            step = next(self._stream, Pause.EXHAUSTED)
            if isinstance(step, Pause):
                return made, step
            made.append(step)
        return made, Pause.STEPS

    def _all_steps(self, given: list[Step]) -> Iterator[Step | Pause]:
        for number, (placed, square) in enumerate(given, start=1):
            yield self._place(square) if placed else self._take_back()
            if number < len(given) and self.holds_tour:
                yield Pause.TOUR
        self._onward = [self._moves_from(depth) for depth in range(len(self._path))]
        while self._path:
            if self.holds_tour:
                yield Pause.TOUR
            free = (square for square in self._onward[-1] if square not in self._path)
            if (square := next(free, None)) is None:
                self._onward.pop()
                yield self._take_back()
            else:
                yield self._place(square)
                self._onward.append(self._moves_from(len(self._path) - 1))

    def _place(self, square: Any) -> Step:
        wrong = 0
        if self._path:
            last, wrong = next(reversed(self._path.items()))
            self._tried[-1].add(square)
            wrong += square not in self._order(last)
        self._path[square] = wrong
        self._tried.append(set())
        self.placed += 1
        return True, square

    def _take_back(self) -> Step:
        self._tried.pop()
        self.taken_back += 1
        return False, self._path.popitem()[0]

    def _moves_from(self, depth: int) -> Iterator[Any]:
        """What is still to be tried from a square of the path, in order."""
        square, tried = list(self._path)[depth], set(self._tried[depth])
        ahead = self._ahead(square) if self._problem.require else []
        if ahead is None:
            return iter(())
        return iter([other for other in ahead or self._order(square) if other not in tried])

    def _ahead(self, square: Any) -> list[Any] | None:
        """What required moves leave to do on a square of the path."""
        path = list(self._path)
        depth = path.index(square)
        required = next_required(self._problem, self._start, set(path[: depth + 1]))
        return required(square, path[depth - 1] if depth else None)

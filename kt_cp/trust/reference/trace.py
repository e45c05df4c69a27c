"""The recursion board by board: each square placed or taken back gives one board.

Document 002 draws its search this way.  Boards are counted from 1.  The run behind them is the
compiled one, so the ten-millionth board appears at once, and memory does not grow with the number
of boards.

A trace can also continue a given walk: first the walk, step by step, then the search.  Document
002 draws a walk of its own on 4×4, takes one square back, and leaves the rest to the reader.  A
walk is a list of the squares that the piece visits.  Naming a square of the walk again goes back
to it and takes back every square after it.  Then the recursion continues from the last square as
if the walk were its own, and does not retry the moves that the walk has tried.

A step of the walk need not be a move of the piece (one of the drawing is not).  It is shown as it
is, and a walk with such a step is never a tour.

Cost of a given walk: a Python step for each square, about a hundred times as slow as
:mod:`.compiled`.  The compiled run cannot represent moves that the walk has already tried.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any

from kt_cp.model.board import describe
from kt_cp.model.errors import InputError
from kt_cp.model.move_order import Candidates, fixed_order
from kt_cp.model.problem import Problem
from kt_cp.trust.reference.compiled import CHUNK, Pause, Run
from kt_cp.trust.reference.required_moves import next_required

Step = tuple[bool, Any]


def walk_steps(problem: Problem, walk: Sequence[Hashable]) -> list[Step]:
    """Return a given walk as squares placed and taken back."""
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
    """A given walk and the recursion after it, paused at some step, as in :class:`.compiled.Run`.

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
        self._path: dict[Any, int] = {}  # each square, and how many steps up to it are not moves
        self._tried: list[set[Any]] = []  # what the walk tried after each square of the path
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
        if problem.require and self._required_next(last) is None:
            return False
        if problem.closed:
            fewest = 2 if problem.directed else 3
            return problem.size >= fewest and self._start in self._order(last)
        return problem.end in (None, last)

    def advance(self, steps: int) -> Pause:
        """Continue by at most ``steps`` steps, to a tour or to the end of the search."""
        return self.steps(steps)[1]

    def steps(self, count: int) -> tuple[list[Step], Pause]:
        """Return up to ``count`` steps, each as (placed or taken back, square), and the pause."""
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
        """Return the untried moves from a square of the path, in order."""
        square, tried = list(self._path)[depth], set(self._tried[depth])
        ahead = self._required_next(square) if self._problem.require else []
        if ahead is None:
            return iter(())
        return iter([other for other in ahead or self._order(square) if other not in tried])

    def _required_next(self, square: Any) -> list[Any] | None:
        """Return the squares that required moves leave after a square of the path."""
        path = list(self._path)
        depth = path.index(square)
        required = next_required(self._problem, self._start, set(path[: depth + 1]))
        return required(square, path[depth - 1] if depth else None)


_LOOKED_AT = 4096
"""Steps that are fetched from the run at a time."""


class Ending(Enum):
    """Why there are no more boards."""

    TOUR = "tour"
    EXHAUSTED = "exhausted"
    STOPPED = "stopped"


@dataclass(frozen=True, slots=True)
class TraceStep:
    """One board of a search, after one step."""

    number: int  # of the board, counted from 1
    placed: bool  # whether the step placed a square or took one back
    square: Any
    path: tuple[Any, ...]  # after the step; the piece is on its last square
    tour: int = 0  # number of the tour that the board shows, or 0
    given: bool = False  # whether the step belongs to the given walk
    legal: bool = True  # whether it is a move of the piece; a step of a given walk need not be one

    @property
    def move(self) -> int:
        """Number of the move that the board shows; 0 if the board is empty."""
        return len(self.path)

    @property
    def before(self) -> tuple[Any, ...]:
        """The walk before the step."""
        return self.path[:-1] if self.placed else (*self.path, self.square)


class Trace:
    """The boards of a search from one start, to its first tour or through all of it.

    Iterate over it once; ``ending`` is None until the last board has been yielded.

    Parameters
    ----------
    first, last : int
        First and last board to yield; without a last one, all boards until the search ends.
    walk : sequence of squares
        The walk before the search, from the start on; see :func:`walk_steps`.
    every : bool
        Whether to continue after a tour, through all tours.

    Attributes
    ----------
    ending : Ending or None
        How it ended: with a tour, exhausted, or stopped at ``last`` with more boards to come.
    tours : int
        Tours found up to the last board yielded.
    placed, taken_back : int
        Squares up to the last board yielded; their sum is the number of that board.  If the search
        ended before ``first``, all of its squares.

    Examples
    --------
    >>> from kt_cp.model.board import Board
    >>> boards = Trace(Problem(Board(3, 3)), (0, 0), first=8)
    >>> [(frame.number, frame.placed, frame.square, frame.move) for frame in boards][:2]
    [(8, True, (1, 2), 8), (9, False, (1, 2), 7)]
    >>> boards.ending, boards.placed, boards.taken_back
    (<Ending.EXHAUSTED: 'exhausted'>, 15, 15)
    """

    def __init__(
        self,
        problem: Problem,
        start: Hashable,
        candidates: Candidates | None = None,
        *,
        first: int = 1,
        last: int | None = None,
        walk: Sequence[Any] = (),
        every: bool = False,
    ) -> None:
        if first < 1 or (last is not None and last < first):
            raise ValueError(f"expected boards from 1 on, in order, got {first} to {last}")
        order = candidates or fixed_order(problem)
        self._run: Run | GivenRun = (
            GivenRun(problem, walk, order) if walk else Run(problem, start, order)
        )
        self._order, self._every = order, every
        self.given = self._run.given if isinstance(self._run, GivenRun) else 0
        self._first, self._last = first, last
        self.ending: Ending | None = None
        self.placed = self.taken_back = self.tours = 0

    def __iter__(self) -> Iterator[TraceStep]:
        run, number = self._run, self._first - 1
        pause = self._skip(number)
        path = run.squares
        while pause is Pause.STEPS and (self._last is None or number < self._last):
            left = _LOOKED_AT if self._last is None else min(_LOOKED_AT, self._last - number)
            steps, pause = run.steps(left)
            # A run pauses at a tour, so only the last of the steps can complete one.
            tour = self.tours + 1 if steps and run.holds_tour else 0
            for at, (placed, square) in enumerate(steps, start=1):
                number += 1
                legal = True
                if placed:
                    self.placed += 1
                    legal = number > self.given or not path or square in self._order(path[-1])
                    path.append(square)
                else:
                    self.taken_back += 1
                    path.pop()
                shown = tour if at == len(steps) else 0
                self.tours += shown > 0
                yield TraceStep(
                    number, placed, square, tuple(path), shown, number <= self.given, legal
                )
            if pause is Pause.TOUR and (self._every or number < self.given):
                pause = Pause.STEPS
        if pause is Pause.STEPS:
            # One more step, which is not yielded: it is impossible if the search has ended.
            pause = run.advance(1)
            if pause is Pause.TOUR and (self._every or number < self.given):
                pause = Pause.STEPS
        self.ending = _ENDINGS.get(pause, Ending.STOPPED)

    def _skip(self, steps: int) -> Pause:
        """Run at full speed up to some step, in chunks that an interrupt can separate."""
        run, pause = self._run, Pause.STEPS
        while pause is Pause.STEPS and (done := run.placed + run.taken_back) < steps:
            pause = run.advance(min(CHUNK, steps - done))
            now = run.placed + run.taken_back
            self.tours += now > done and run.holds_tour
            if pause is Pause.TOUR and (self._every or now < self.given):
                pause = Pause.STEPS
        self.placed, self.taken_back = run.placed, run.taken_back
        return pause


_ENDINGS = {Pause.TOUR: Ending.TOUR, Pause.EXHAUSTED: Ending.EXHAUSTED}

"""The recursion board by board: every square placed or taken back makes one board.

Document 002 draws its search this way.  Boards are counted from 1, and the run behind them is the
compiled one, so that the ten millionth board is there at once; only a walk that is given is run by
:mod:`.given`.  Memory does not grow with the number of boards.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any

from kt_cp.model.problem import Problem
from kt_cp.trust.reference.compiled import CHUNK, Pause, Run
from kt_cp.trust.reference.given import GivenRun
from kt_cp.trust.reference.orders import Candidates, fixed_order

_LOOKED_AT = 4096
"""Steps taken from the run at a time."""


class Ending(Enum):
    """Why there are no more boards."""

    TOUR = "tour"
    EXHAUSTED = "exhausted"
    STOPPED = "stopped"


@dataclass(frozen=True, slots=True)
class Frame:
    """One board of a search, after one step."""

    number: int  # of the board, counted from 1
    placed: bool  # whether the step placed a square or took one back
    square: Any
    path: tuple[Any, ...]  # after the step; the piece is on its last square
    tour: int = 0  # number of the tour that the board shows, where it shows one
    given: bool = False  # whether the step is one of a walk that was given
    legal: bool = True  # whether it is a move of the piece, as those of a given walk need not be

    @property
    def move(self) -> int:
        """Number of the move that the board shows; 0 where nothing is placed any more."""
        return len(self.path)

    @property
    def before(self) -> tuple[Any, ...]:
        """The walk before the step."""
        return self.path[:-1] if self.placed else (*self.path, self.square)


class Trace:
    """The boards of a search from one start, to its first tour or through all of it.

    Iterate over it once; ``ending`` is None until the last board has been handed out.

    Parameters
    ----------
    first, last : int
        Boards to hand out; without a last one, until the search ends.
    walk : sequence of squares
        Where the search begins, from the start on; see :func:`.given.walk_steps`.
    every : bool
        Whether to go on past a tour, through all of them.

    Attributes
    ----------
    ending : Ending or None
        How it ended: with a tour, with everything tried, or at ``last`` with more to come.
    tours : int
        Found up to the last board handed out.
    placed, taken_back : int
        Squares up to the last board handed out; their sum is that board's number.  Where the
        search ended before ``first``, all of its squares.

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

    def __iter__(self) -> Iterator[Frame]:
        run, number = self._run, self._first - 1
        pause = self._skip(number)
        path = run.squares
        while pause is Pause.STEPS and (self._last is None or number < self._last):
            left = _LOOKED_AT if self._last is None else min(_LOOKED_AT, self._last - number)
            steps, pause = run.steps(left)
            # A run pauses where it has come to a tour, so only the last of the steps can be one.
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
                yield Frame(number, placed, square, tuple(path), shown, number <= self.given, legal)
            if pause is Pause.TOUR and (self._every or number < self.given):
                pause = Pause.STEPS
        if pause is Pause.STEPS:
            # One step more, which nobody sees: none is possible where the search has ended.
            pause = run.advance(1)
            if pause is Pause.TOUR and (self._every or number < self.given):
                pause = Pause.STEPS
        self.ending = _ENDINGS.get(pause, Ending.STOPPED)

    def _skip(self, steps: int) -> Pause:
        """Run at full speed up to some step; in pieces, between which an interrupt is heard."""
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

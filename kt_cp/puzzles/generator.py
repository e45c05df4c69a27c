"""Puzzles with exactly one solution in which no clue can be left out.

A tour is found and mixed (:mod:`kt_cp.puzzles.mixing`).  At first every step is given.  Then each
clue is tried once, in random order: it is dropped if no second tour has the clues that would be
left.  A clue that is needed when it is tried is needed at the end too, because fewer clues have
more tours.  So one pass is enough.  Symmetric clues are dropped together, one orbit of places at a
time.

On large boards clues are tried from the middle of the board outwards.  The squares without a clue
then form one region in the middle, with clues all around it.  A second tour can differ only in that
region, so the search for one stays small.  If clues are dropped in random places, or from one side
to the other, the free squares connect over the whole board by the time half of the clues have been
tried.  Then the search finds neither a second tour nor a proof that there is none.

A question that takes long is postponed.  When all clues have been tried, the postponed questions
are asked again with the clues that are left, side by side on the processors there are.  Nearly all
of these clues are needed, and a needed clue stays needed whatever becomes of the others.

Source: every maker of such puzzles uses this method.  The second tours found are kept as in the
implicit hitting sets of core-guided search: the clues have to hit the difference to every other
tour.

Cost: one search for each clue that is dropped, and one for each clue that is needed, unless a
second tour that is known already shows that it is.  While there are many clues, narrowing alone
answers in less than a millisecond; at the end, with some ten clues on 8×8, a search takes some
hundredths of a second.

When it loses: no clue can be left out, but other clues of the same tour may be fewer.  On large
boards some searches do not end: when the budget is spent the clue stays, and the puzzle tells it
(:attr:`kt_cp.puzzles.puzzle.Puzzle.needless`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from random import Random
from typing import TYPE_CHECKING

from kt_cp.model.conditions import Given
from kt_cp.model.errors import UnsoundEngineError
from kt_cp.model.limits import Clock
from kt_cp.model.outcome import Verdict
from kt_cp.model.problem import Problem, changed
from kt_cp.model.tour import Tour
from kt_cp.processes.executors import given_up
from kt_cp.processes.pieces import Done, in_pieces
from kt_cp.puzzles.gaps import with_more
from kt_cp.puzzles.grades import Counting, Grade, Narrowing, grade_of
from kt_cp.puzzles.mixing import mixed
from kt_cp.puzzles.puzzle import NoPuzzleError, Puzzle
from kt_cp.puzzles.second import SecondTours
from kt_cp.search.windows import given_vertices
from kt_cp.trust.judge import defects

if TYPE_CHECKING:
    from concurrent.futures import Executor

AHEAD = 32
"""How many of the clues that are tried next one formula leaves out, so that it serves all these
questions; the more they are, the fewer clues the formula contains."""

SCATTERED = 100
"""Squares of a board up to which clues are tried in random order."""

PATIENCE = (0.05, 0.2, 0.8, 4)
"""Budgets of a question, round by round.  A question whose budget is spent is asked again when the
other clues that can be dropped are gone: by then a second tour is likelier."""

Progress = Callable[[Mapping[str, float | None]], None]


def piece(problem: Problem, walk: Sequence[int], clues: int, dropped: int, patience: float) -> Done:
    """Whether there is another tour, wherever this is called; nothing is known from before."""
    others = SecondTours(problem, walk, given_up)
    return Done(others.any(clues, patience=patience, dropped=dropped))


class Maker:
    """One seed's puzzle on the way.

    Parameters
    ----------
    places : sequence of sequences of int
        Vertices whose clues come and go together.
    grade : Grade or None
        Easy and medium puzzles keep what their grade takes.

    Raises
    ------
    NoPuzzleError
        If no tour is found.
    TimeoutError
        If the clock runs out.

    Attributes
    ----------
    needed : int
        How many clues were left when none could be dropped.
    """

    def __init__(
        self,
        problem: Problem,
        seed: int,
        places: Sequence[Sequence[int]],
        grade: Grade | None,
        clock: Clock,
        progress: Progress | None,
        executor: Executor | None = None,
    ) -> None:
        self._problem, self._seed, self._clock, self._progress = problem, seed, clock, progress
        self._grade, self._executor = grade, executor
        self._random = Random(seed)
        self._tour = self._random_tour()
        index = problem.indexed.index
        step = {index[square]: at for at, square in enumerate(self._tour)}
        self._walk = [index[square] for square in self._tour]
        self._places = places
        self._orbits = [sum(1 << step[vertex] for vertex in each) for each in places]
        self._kept = sum(1 << at for at, _ in given_vertices(problem))
        self._fixed = sum(1 << each.step - 1 for each in problem.conditions
                          if isinstance(each, Given))  # fmt: skip
        self._others = SecondTours(problem, self._walk, clock.expired)
        self._clues = self._fewest()
        self.needed = self._clues.bit_count()

    def _random_tour(self) -> Tour:
        from kt_cp.engines import solve

        problem = self._problem
        if self._clock.expired():
            raise TimeoutError
        steps = any(isinstance(each, Given) for each in problem.conditions)
        engine = "windows" if steps else "auto"
        left = self._clock.left
        outcome = solve(problem, engine, seed=self._seed, workers=1, time_limit=left)
        if outcome.tour is None:
            if outcome.verdict is Verdict.UNKNOWN and self._clock.expired():
                raise TimeoutError
            raise NoPuzzleError(str(outcome.reason), outcome)
        if problem.size < 3 or steps:
            return outcome.tour  # given steps would not be at their steps when it is mixed
        return mixed(problem, outcome.tour, self._random)

    def _fewest(self) -> int:
        """Clues none of which can be left out, as a set of steps."""
        clues = (1 << self._problem.size) - 1
        order = self.in_order()
        unsure: list[int] = []
        for done, orbit in enumerate(order):
            if self._clock.expired():
                raise TimeoutError
            left = self._left(clues, orbit)
            if left is None:
                continue
            soon = sum(order[done + 1 : done + AHEAD])  # they are disjoint
            fits = self._fits(left | self._kept, soon & ~self._kept, orbit)
            if fits:
                clues = left
            elif fits is None:
                unsure.append(orbit)
            self._tell(f"looked at {done + 1} of {len(order)}", clues)
        for patience in PATIENCE[1:]:
            clues, unsure = self._once_more(clues, unsure, patience)
        self._unsure = sum(unsure)
        return clues

    def _left(self, clues: int, orbit: int) -> int | None:
        """The clues without some; None where these are not to be dropped."""
        left = clues & ~orbit | self._fixed
        # A given step keeps its orbit; and a closed tour needs one clue to begin at.
        stays = orbit & self._fixed or (self._problem.closed and not left | self._kept)
        return None if stays else left

    def _once_more(
        self, clues: int, orbits: Sequence[int], patience: float
    ) -> tuple[int, list[int]]:
        """The clues after another round of questions about the orbits that are still undecided.

        All of them are asked with the same clues, each by itself, so the answers do not depend on
        how many are asked at a time, or where.  A clue that is needed stays needed, because fewer
        clues have more tours.  Of the clues that can be dropped only the first is dropped; the
        others are asked again.
        """
        unsure, waiting = [], [each for each in orbits if self._left(clues, each) is not None]
        while waiting:
            left = [clues & ~each | self._kept for each in waiting]
            asked = self._asked(left, waiting, patience)
            before, again = clues, []
            for done, (orbit, another) in enumerate(zip(waiting, asked, strict=True)):
                if another is None:
                    unsure.append(orbit)
                elif not another and clues == before:
                    clues &= ~orbit
                elif not another and self._left(clues, orbit) is not None:
                    again.append(orbit)
                self._tell(f"looked again at {done + 1} of {len(waiting)}", clues)
            waiting = again
        return clues, unsure

    def _asked(
        self, left: Sequence[int], orbits: Sequence[int], patience: float
    ) -> Iterator[bool | None]:
        """Whether there are other tours with the clues left, by somebody else or here."""
        if self._executor is not None:
            pieces = ((self._problem, self._walk, *each, patience)
                      for each in zip(left, orbits, strict=True))  # fmt: skip
            yield from in_pieces(self._executor, piece, pieces, should_stop=self._clock.expired)
            return
        for clues, orbit in zip(left, orbits, strict=True):
            others = SecondTours(self._problem, self._walk, self._clock.expired)
            yield others.any(clues, patience=patience, dropped=orbit)

    def _tell(self, looked: str, clues: int) -> None:
        if self._progress is not None:
            self._progress({f"seed {self._seed}, {looked}": None, "clues": clues.bit_count()})

    def in_order(self) -> list[int]:
        """The orbits in the order in which they are looked at."""
        order = list(zip(self._orbits, self._places, strict=True))
        self._random.shuffle(order)
        if self._problem.size > SCATTERED:
            distance = self._counting.distance
            total = distance.sum(axis=1)
            middle = distance[total.argmin()]  # where all are alike, one of them
            order.sort(key=lambda each: min((total[v], middle[v]) for v in each[1]))
        return [orbit for orbit, _ in order]

    @cached_property
    def _counting(self) -> Counting:
        return Counting(self._problem)

    def _fits(self, clues: int, soon: int, dropped: int) -> bool | None:
        """Whether these clues make a puzzle that is easy enough; None if that stays unknown."""
        if self._grade in (Grade.EASY, Grade.MEDIUM):
            given = [(at, vertex) for at, vertex in enumerate(self._walk) if clues >> at & 1]
            if self._grade is Grade.EASY:
                return self._counting.solves(given)
            return Narrowing(self._problem, given=given).solved
        another = self._others.any(clues, soon, PATIENCE[0], dropped)
        return None if another is None else not another

    def puzzle(self, clues: int | None) -> Puzzle | None:
        """The puzzle, with as many clues as are asked for; None if it cannot have so many."""
        chosen: int | None = self._clues
        if clues is not None:
            chosen = with_more(self._problem, self._clues, self._kept, self._orbits, clues)
        if chosen is None:
            return None
        squares = list(self._tour)
        given = {square: at + 1 for at, square in enumerate(squares) if chosen >> at & 1}
        problem = changed(self._problem, given=given)
        wrong = defects(problem, squares)
        if wrong:
            raise UnsoundEngineError(f"the puzzle of {problem.label} is wrong: {wrong[0]}")
        unsure = self._unsure if clues is None else 0
        needless = tuple(square for at, square in enumerate(squares) if unsure >> at & 1)
        return Puzzle(problem, problem.tour(squares), grade_of(problem), self._seed, needless)

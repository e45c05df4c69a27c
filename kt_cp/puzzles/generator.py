"""Puzzles with exactly one solution in which no clue can be left out.

A tour is found and mixed (:mod:`kt_cp.puzzles.mixing`).  At first every step is given.  Then the
clues are looked at once each, in an order by lot: where no second tour has the clues that would be
left, this one is dropped.  A clue that is needed when it is looked at is needed at the end too, for
fewer clues have more tours.  So one pass is enough.  Symmetric clues are dropped together, orbit by
orbit of their places.

On large boards the lot has less of a say: there the clues are looked at from the middle outwards.
What is free then lies together in the middle, with all the rest given around it, so that second
tours are small and a search for one knows where to look.  With clues dropped here and there, or
from one side to the other, free squares hang together everywhere by the time that half of the clues
are looked at, and neither a second tour nor its absence is found any more.

Source: the method is that of every maker of such puzzles; what is kept of second tours is the
implicit hitting set of core-guided search: clues have to hit the differences to all other tours.

Cost: a search for each clue that is dropped, and one for each that a known second tour does not
keep.  While there are many clues, narrowing alone answers in less than a millisecond; at the end,
with some ten clues on 8×8, a search takes some hundredths of a second.

When it loses: the set is one to which nothing can be spared, not a smallest one.  Large boards have
searches that do not end; where a budget is spent the clue stays, and is told
(:attr:`kt_cp.puzzles.puzzle.Puzzle.needless`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from random import Random

from kt_cp.model.conditions import Given
from kt_cp.model.consistency import changed
from kt_cp.model.errors import UnsoundEngineError
from kt_cp.model.limits import Clock
from kt_cp.model.outcome import Verdict
from kt_cp.model.problem import Problem
from kt_cp.model.tour import Tour
from kt_cp.puzzles.grades import Counting, Grade, Narrowing, grade_of
from kt_cp.puzzles.mixing import mixed
from kt_cp.puzzles.puzzle import NoPuzzleError, Puzzle
from kt_cp.puzzles.second import SecondTours
from kt_cp.search.windows import given_vertices
from kt_cp.trust.judge import defects

AHEAD = 32
"""Places of clues for which one formula serves: the more, the less is in it."""

SCATTERED = 100
"""Squares of a board up to which clues are looked at in any order."""

PATIENCE = (1, 4)
"""Budgets of a question: where the first is spent, it is asked once more when the other clues that
can be dropped are.  By then a second tour is likelier, and often known."""

Progress = Callable[[Mapping[str, float | None]], None]


def sums(sizes: Iterable[int]) -> set[int]:
    """Every sum of some of the numbers."""
    found = {0}
    for size, times in Counter(sizes).items():
        found = {each + size * many for each in found for many in range(times + 1)}
    return found


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
    ) -> None:
        self._problem, self._seed, self._clock, self._progress = problem, seed, clock, progress
        self._grade = grade
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
        self._unsure = 0
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
        for patience in PATIENCE:
            self._unsure = 0
            unsure: list[int] = []
            for done, orbit in enumerate(order):
                if self._clock.expired():
                    raise TimeoutError
                left = clues & ~orbit | self._fixed
                # What is given brings its images; and somewhere a closed tour has to begin.
                if orbit & self._fixed or (self._problem.closed and not left | self._kept):
                    continue
                soon = sum(order[done + 1 : done + AHEAD])  # they are disjoint
                fits = self._fits(left | self._kept, soon & ~self._kept, patience, orbit)
                if fits:
                    clues = left
                elif fits is None:
                    unsure.append(orbit)
                    self._unsure |= orbit
                if self._progress is not None:
                    looked = f"seed {self._seed}, looked at {done + 1} of {len(order)}"
                    self._progress({looked: None, "clues": clues.bit_count()})
            order = unsure
        return clues

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

    def _fits(self, clues: int, soon: int, patience: int, dropped: int) -> bool | None:
        """Whether these clues make a puzzle that is easy enough; None if that stays unknown."""
        if self._grade in (Grade.EASY, Grade.MEDIUM):
            given = [(at, vertex) for at, vertex in enumerate(self._walk) if clues >> at & 1]
            if self._grade is Grade.EASY:
                return self._counting.solves(given)
            return Narrowing(self._problem, given=given).solved
        another = self._others.any(clues, soon, patience, dropped)
        return None if another is None else not another

    def puzzle(self, clues: int | None) -> Puzzle | None:
        """The puzzle, with as many clues as are asked for; None if it cannot have so many."""
        chosen = self._clues if clues is None else self._more(clues)
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

    def _more(self, many: int) -> int | None:
        """So many clues: more of them in the middle of the longest gaps."""
        clues = self._clues
        left = [orbit for orbit in self._orbits if not orbit & clues]
        while clues.bit_count() < many:
            room = many - clues.bit_count()
            sizes = [orbit.bit_count() for orbit in left]
            fitting = [
                orbit for orbit, size in zip(left, sizes, strict=True)
                if size <= room and room - size in sums(_without(sizes, size))
            ]  # fmt: skip
            if not fitting:
                return None
            best = max(fitting, key=lambda orbit: self._middle(orbit, clues))
            left.remove(best)
            clues |= best
        return clues if clues.bit_count() == many else None

    def _middle(self, orbit: int, clues: int) -> int:
        """How many moves the nearest clue is from the nearest step of an orbit."""
        size = self._problem.size
        known = [at for at in range(size) if (clues | self._kept) >> at & 1]

        def apart(one: int, other: int) -> int:
            there = abs(one - other)
            return min(there, size - there) if self._problem.closed else there

        steps = (at for at in range(size) if orbit >> at & 1)
        return min(apart(at, other) for at in steps for other in known or [size])


def _without(sizes: Sequence[int], size: int) -> list[int]:
    left = list(sizes)
    left.remove(size)
    return left

"""Puzzles with exactly one solution in which no clue can be left out.

A tour is found and mixed (:mod:`kt_cp.puzzles.mixing`).  At first every step is given.  Then the
clues are looked at once each, in an order by lot: where no second tour has the clues that would be
left, this one is dropped.  A clue that is needed when it is looked at is needed at the end too, for
fewer clues have more tours.  So one pass is enough.  Symmetric clues are dropped together, orbit by
orbit of their places.

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
from random import Random
from typing import TYPE_CHECKING, Any

from kt_cp.model.conditions import EDGES, Given, Symmetry
from kt_cp.model.consistency import changed
from kt_cp.model.errors import InputError, NotTakenError, TooLargeError, UnsoundEngineError
from kt_cp.model.limits import Clock, Limits
from kt_cp.model.orbits import images, orbits
from kt_cp.model.outcome import Verdict
from kt_cp.model.posed import posed
from kt_cp.model.problem import Problem
from kt_cp.model.terms import counted
from kt_cp.model.tour import Tour
from kt_cp.puzzles.grades import Counting, Grade, Narrowing, grade_of
from kt_cp.puzzles.mixing import mixed
from kt_cp.puzzles.puzzle import NoPuzzleError, Puzzle
from kt_cp.puzzles.second import SecondTours
from kt_cp.search.windows import given_vertices
from kt_cp.trust.judge import defects

if TYPE_CHECKING:
    from kt_cp.model.posed import Posed

MOST_SQUARES = 1_600
"""Of a puzzle: what the search on windows takes."""

TRIES = 100
"""Seeds that are tried in a row where a grade or a number of clues is asked for."""

Progress = Callable[[Mapping[str, float]], None]


def make_puzzle(
    problem: Posed,
    *,
    seed: int = 0,
    clues: int | None = None,
    symmetry: str | None = None,
    grade: Grade | str | None = None,
    time_limit: float | None = None,
    tries: int = TRIES,
    progress: Progress | None = None,
    **question: Any,
) -> Puzzle:
    """A puzzle with exactly one solution.

    Parameters
    ----------
    problem : Problem, or board, its sides or graph
        As for :func:`kt_cp.solve`, with the same further keywords.  Steps that it gives are clues
        that stay.
    seed : int
        The same seed gives the same puzzle.  Where ``clues`` or ``grade`` are asked for, seeds are
        tried upwards from it, and the puzzle tells the one that it was made with.
    clues : int, optional
        How many; without it none can be left out.  What is asked for beyond those that are needed
        is added in the middle of the longest gaps.
    symmetry : str, optional
        A motion of the board that carries the squares with clues to squares with clues.
    grade : Grade or str, optional
        How hard it is to be.  An easy or a medium puzzle has more clues than one solution takes:
        none of them can be left out without making it harder.
    time_limit : float, optional
        Seconds.

    Raises
    ------
    NoPuzzleError
        If there is no tour, none was found, or no seed in a row of ``tries`` gave what was asked.
    InputError
        If a motion does not carry the board to itself, or it cannot have so many clues.

    Examples
    --------
    >>> puzzle = make_puzzle("6x6", closed=True, seed=7)
    >>> puzzle.problem.closed, puzzle.needless, puzzle == make_puzzle(puzzle.asked, seed=7)
    (True, (), True)
    """
    question_asked = posed(problem, question)
    wanted = None if grade is None else _grade(grade)
    places = _places(question_asked, symmetry)
    _check(question_asked, clues, places)
    clock = Limits(time_limit).clock()
    fewest = question_asked.size + 1
    for at in range(tries):
        try:
            maker = _Maker(question_asked, seed + at, places, wanted, clock, progress)
            puzzle = maker.puzzle(clues)
        except TimeoutError:
            tried = f" ({counted(at, 'seed')} tried)" if at else ""
            raise NoPuzzleError(f"the time limit of {time_limit:g} s was reached{tried}") from None
        if puzzle is not None and wanted in (None, puzzle.grade):
            return puzzle
        fewest = min(fewest, maker.needed)
    told = counted(tries, "seed")
    if clues is not None and fewest > clues:
        raise NoPuzzleError(f"of {told} none needs so few clues as {clues}; the fewest: {fewest}")
    if wanted is None:
        raise NoPuzzleError(f"of {told} none can be given exactly {clues} clues symmetrically")
    raise NoPuzzleError(f"of {told} none made a puzzle of grade {wanted}; more clues make it easier")


def _grade(name: Grade | str) -> Grade:
    try:
        return Grade(name)
    except ValueError:
        raise InputError(f"expected a grade, one of {', '.join(Grade)}; got {name!r}") from None


def _places(problem: Problem, motion: str | None) -> list[list[int]]:
    """Vertices whose clues come and go together: orbits of a motion, or each by itself."""
    graph = problem.indexed
    if motion is None:
        return [[vertex] for vertex in range(len(graph))]
    Symmetry(motion).check(problem)
    assert problem.board is not None
    orbit = orbits(images(graph, problem.board, motion)).tolist()
    if min(orbit) < 0:
        raise InputError(f"expected a board that the {motion} carries to itself, got {problem.board.label}")
    found: list[list[int]] = [[] for _ in range(max(orbit) + 1)]
    for vertex, number in enumerate(orbit):
        found[number].append(vertex)
    return found


def _check(problem: Problem, clues: int | None, places: Sequence[Sequence[int]]) -> None:
    for condition in problem.conditions:
        if type(condition) not in EDGES | {Given}:
            raise NotTakenError(f"puzzles do not take {condition.words}")
    if problem.size > MOST_SQUARES:
        raise TooLargeError(
            f"expected at most {MOST_SQUARES:,} squares of a puzzle, got {problem.size:,}"
        )
    if clues is None:
        return
    if not 1 <= clues <= problem.size:
        raise InputError(f"expected from 1 to {problem.size} clues, got {clues}")
    if clues not in _sums(map(len, places)):
        raise InputError(f"expected a number of clues whose places can be symmetric, got {clues}")


def _sums(sizes: Iterable[int]) -> set[int]:
    """Every sum of some of the numbers."""
    found = {0}
    for size, times in Counter(sizes).items():
        found = {each + size * many for each in found for many in range(times + 1)}
    return found


class _Maker:
    """One seed's puzzle on the way."""

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
        self._orbits = [sum(1 << step[vertex] for vertex in each) for each in places]
        self._kept = sum(1 << at for at, _ in given_vertices(problem))
        self._fixed = sum(1 << each.step - 1 for each in problem.conditions
                          if isinstance(each, Given))  # fmt: skip
        self._others = SecondTours(problem, self._walk, clock.expired)
        self._counting = Counting(problem)
        self._unsure = 0
        self._clues = self._fewest()

    def _random_tour(self) -> Tour:
        from kt_cp.engines import solve

        problem = self._problem
        if self._clock.expired():
            raise TimeoutError
        outcome = solve(problem, seed=self._seed, workers=1, time_limit=self._clock.left)
        if outcome.tour is None:
            if outcome.verdict is Verdict.UNKNOWN and self._clock.expired():
                raise TimeoutError
            raise NoPuzzleError(str(outcome.reason), outcome)
        if problem.size < 3 or any(isinstance(each, Given) for each in problem.conditions):
            return outcome.tour  # given steps would not be at their steps when it is mixed
        return mixed(problem, outcome.tour, self._random)

    def _fewest(self) -> int:
        """Clues none of which can be left out, as a set of steps."""
        clues = (1 << self._problem.size) - 1
        order = list(self._orbits)
        self._random.shuffle(order)
        for done, orbit in enumerate(order):
            if self._clock.expired():
                raise TimeoutError
            left = clues & ~orbit | self._fixed
            # Somewhere a closed tour has to begin.
            if left == clues or (self._problem.closed and not left | self._kept):
                continue
            fits = self._fits(left | self._kept)
            if fits:
                clues = left
            elif fits is None:
                self._unsure |= orbit
            if self._progress is not None:
                self._progress({"looked at": done + 1, "clues": clues.bit_count()})
        return clues

    def _fits(self, clues: int) -> bool | None:
        """Whether these clues make a puzzle that is easy enough; None if that stays unknown."""
        if self._grade in (Grade.EASY, Grade.MEDIUM):
            given = [(at, vertex) for at, vertex in enumerate(self._walk) if clues >> at & 1]
            if self._grade is Grade.EASY:
                return self._counting.solves(given)
            return Narrowing(self._problem, given=given).solved
        another = self._others.any(clues)
        return None if another is None else not another

    @property
    def needed(self) -> int:
        """How many clues the search has left."""
        return self._clues.bit_count()

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
                if size <= room and room - size in _sums(_without(sizes, size))
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

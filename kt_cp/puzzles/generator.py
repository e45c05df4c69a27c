"""Puzzles with exactly one solution in which no clue can be left out.

A tour is found and shuffled.  At first every step is given.  Then each clue is tried once, in
random order: it is dropped if no second tour has the remaining clues.  A clue that is needed when
it is tried is also needed at the end, because fewer clues have more tours.  So one pass is enough.
Symmetric clues are dropped together, one orbit of places at a time.  If a grade or a number of
clues is requested, seeds are tried in turn until one gives it.

On large boards clues are tried from the middle of the board outwards.  The squares without a clue
then form one region in the middle, with clues all around it.  A second tour can differ only in that
region, so the search for one stays small.  If clues are dropped in random places, or from one side
to the other, the free squares connect over the whole board by the time half of the clues have been
tried.  Then the search finds neither a second tour nor a proof that there is none.

A question that takes long is postponed.  When all clues have been tried, the postponed questions
are repeated with the remaining clues, in parallel.  Nearly all of these clues are needed, and a
needed clue stays needed if others are dropped.

If more clues are requested than are needed, each new clue is added in the middle of a longest gap,
together with the other places of its orbit, if the remaining orbits can still complete the number.

Tours that a heuristic finds look alike: Warnsdorff's rule follows the border and ends in the
middle.  So a tour is shuffled: it is converted to its cycle in :mod:`kt_cp.model.cycle`, one of its
edges is removed, and the remaining path is rotated (L. Pósa 1976, see
:mod:`kt_cp.search.warnsdorff`), each time about a random neighbour of its end.  Whenever an edge
joins the two ends of the path, the path closes to a tour.  Required edges stay.

A seed is a task of an executor.  On a large board it takes minutes, and for a rare grade most seeds
give no puzzle.  So a store contains both puzzles and seeds without one, and another run repeats no
seed.

Source: generators of such puzzles commonly drop clues like this.  The second tours are stored as in
the implicit hitting sets of core-guided search: the clues must hit the difference to every other
tour.

Cost: one search for each clue that is dropped, and one for each clue that is needed, unless a known
second tour already shows that it is.  While there are many clues, narrowing alone answers in less
than a millisecond; at the end, with about ten clues on 8×8, a search takes a few hundredths of a
second.  A rotation reverses part of a list, so N rotations cost N²; ten times N mix well.

When it loses: no clue can be left out, but other clues of the same tour may be fewer.  On large
boards some searches do not end: when the budget is spent the clue stays, and the puzzle lists it
(:attr:`kt_cp.puzzles.puzzle.Puzzle.needless`).  There is no proof that all tours are equally
likely, nor that each can be reached.  If every rotation would break a required edge, the tour stays
as it is.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from functools import cached_property
from itertools import count
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import numpy as np

from kt_cp.model.conditions import EDGES, Given, Symmetry
from kt_cp.model.cycle import cycle_form
from kt_cp.model.errors import (
    InputError,
    NotTakenError,
    TooLargeError,
    UnsoundEngineError,
    suggestion,
)
from kt_cp.model.limits import Clock, Limits, StoppedError, check_seed
from kt_cp.model.orbits import images, orbits
from kt_cp.model.outcome import Verdict
from kt_cp.model.problem import Problem, as_problem, changed
from kt_cp.model.terms import counted
from kt_cp.model.tour import Tour
from kt_cp.processes.executors import is_cancelled
from kt_cp.processes.store import TaskResults, open_task_results
from kt_cp.processes.task_queue import Done, ResultStore, run_tasks
from kt_cp.puzzles.grades import Counting, Grade, Narrowing, grade_of
from kt_cp.puzzles.puzzle import NoPuzzleError, Puzzle
from kt_cp.puzzles.second_tours import SecondTours
from kt_cp.search.step_domains import given_vertices
from kt_cp.trust.judge import defects

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from kt_cp.model.problem import ProblemInput
    from kt_cp.processes.store import Content


def subset_sums(sizes: Iterable[int]) -> set[int]:
    """Return every sum of some of the numbers."""
    found = {0}
    for size, times in Counter(sizes).items():
        found = {each + size * many for each in found for many in range(times + 1)}
    return found


def add_clues(
    problem: Problem, clues: int, known: int, orbits: Sequence[int], many: int
) -> int | None:
    """Return a set of ``many`` clues that contains ``clues``, or None if there is none.

    The steps ``known`` are visible too.  Clues of an orbit are given together.

    Examples
    --------
    >>> bin(add_clues(Problem("3x3"), 0b100000001, 0, [1 << step for step in range(9)], 3))
    '0b100010001'
    """
    left = [orbit for orbit in orbits if not orbit & clues]
    while clues.bit_count() < many:
        missing = many - clues.bit_count()
        sizes = [orbit.bit_count() for orbit in left]
        fitting = [
            orbit
            for at, (orbit, size) in enumerate(zip(left, sizes, strict=True))
            if size <= missing and missing - size in subset_sums(sizes[:at] + sizes[at + 1 :])
        ]
        if not fitting:
            return None
        best = max(fitting, key=lambda orbit: _distance_to_clues(problem, orbit, clues | known))
        left.remove(best)
        clues |= best
    return clues if clues.bit_count() == many else None


def _distance_to_clues(problem: Problem, orbit: int, clues: int) -> int:
    """Return the moves between the nearest clue and the nearest step of an orbit."""
    size = problem.size
    known = [at for at in range(size) if clues >> at & 1]

    def steps_between(one: int, other: int) -> int:
        there = abs(one - other)
        return min(there, size - there) if problem.closed else there

    steps = (at for at in range(size) if orbit >> at & 1)
    return min(steps_between(at, other) for at in steps for other in known or [size])


ROTATIONS = 10
"""Rotations for each vertex before a tour counts as shuffled."""

CLOSING_ROTATIONS = 10
"""Most rotations until a path can be closed, as a multiple of the usual number."""


def shuffle_tour(problem: Problem, tour: Tour, random: Random) -> Tour:
    """Return another random tour of a problem; a closed one may start anywhere.

    The problem must have three squares or more, and conditions only on its ends and moves.
    """
    form = cycle_form(problem)
    index = problem.indexed.index
    cycle = [index[square] for square in tour.squares]
    if form.depot is not None:
        cycle.append(form.depot)
    shuffled = form.tour(_rotate(form.graph.neighbours, set(form.forced), cycle, random))
    if problem.closed and problem.start is None:
        at = random.randrange(len(shuffled.squares))
        return problem.tour([*shuffled.squares[at:], *shuffled.squares[:at]])
    return shuffled


def _rotate(
    neighbours: list[list[int]], forced: set[tuple[int, int]], cycle: list[int], random: Random
) -> list[int]:
    """Return the cycle after many rotations, read in a random direction."""
    size = len(cycle)

    def free(one: int, other: int) -> bool:
        return (min(one, other), max(one, other)) not in forced

    cuts = [at for at in range(size) if free(cycle[at - 1], cycle[at])]
    if not cuts:
        return cycle
    at = random.choice(cuts)
    path = cycle[at:] + cycle[:at]
    place = [0] * size
    for at, vertex in enumerate(path):
        place[vertex] = at
    latest = list(path)
    for turn in range(CLOSING_ROTATIONS * ROTATIONS * size):
        if path[0] in neighbours[path[-1]]:
            latest = list(path)
            if turn >= ROTATIONS * size:
                break
        if random.random() < 0.5:  # rotate the other end too, so that no vertex stays in place
            path.reverse()
            for at, vertex in enumerate(path):
                place[vertex] = at
        at = place[random.choice(neighbours[path[-1]])]
        if at >= size - 2 or not free(path[at], path[at + 1]):
            continue
        path[at + 1 :] = path[:at:-1]
        for there in range(at + 1, size):
            place[path[there]] = there
    return latest[::-1] if random.random() < 0.5 else latest


AHEAD = 32
"""The next clues to try, which a formula leaves out so that it serves all these questions.  With
more of them the formula contains fewer clues."""

SCATTERED = 100
"""Most squares of a board whose clues are tried in random order."""

PATIENCE = (0.05, 0.2, 0.8, 4)
"""Budgets of a question in each round.  A question out of budget is repeated after the other clues
have been dropped, because a second tour is then more likely."""

Progress = Callable[[Mapping[str, float | None]], None]


def has_second_tour(
    problem: Problem, walk: Sequence[int], clues: int, dropped: int, patience: float
) -> Done:
    """Return whether there is another tour, in any process and without earlier witnesses."""
    others = SecondTours(problem, walk, is_cancelled)
    return Done(others.any(clues, patience=patience, dropped=dropped))


class Maker:
    """The generator of the puzzle of one seed.

    ``places`` has the groups of vertices whose clues are dropped together.  For the grades easy and
    medium, the clues that they require stay.  ``needed`` is the number of clues when none can be
    dropped.  Raises NoPuzzleError if no tour is found, and TimeoutError if the time is over.
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
        self._known = sum(1 << at for at, _ in given_vertices(problem))
        self._fixed = sum(1 << each.step - 1 for each in problem.conditions
                          if isinstance(each, Given))  # fmt: skip
        self._others = SecondTours(problem, self._walk, clock.expired)
        self._clues = self._drop_clues()
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
            return outcome.tour  # a shuffled tour would not have the given steps
        return shuffle_tour(problem, outcome.tour, self._random)

    def _drop_clues(self) -> int:
        """Return a set of clues, as steps, none of which can be dropped."""
        clues = (1 << self._problem.size) - 1
        order = self.ordered_orbits()
        unsure: list[int] = []
        for done, orbit in enumerate(order):
            if self._clock.expired():
                raise TimeoutError
            left = self._left(clues, orbit)
            if left is None:
                continue
            soon = sum(order[done + 1 : done + AHEAD])  # they are disjoint
            fits = self._fits(left | self._known, soon & ~self._known, orbit)
            if fits:
                clues = left
            elif fits is None:
                unsure.append(orbit)
            self._report(f"looked at {done + 1} of {len(order)}", clues)
        for patience in PATIENCE[1:]:
            clues, unsure = self._retry(clues, unsure, patience)
        self._unsure = sum(unsure)
        return clues

    def _left(self, clues: int, orbit: int) -> int | None:
        """Return the clues without those of an orbit; None if the orbit must stay."""
        left = clues & ~orbit | self._fixed
        # A given step keeps its orbit, and a closed tour needs one clue to begin at.
        stays = orbit & self._fixed or (self._problem.closed and not left | self._known)
        return None if stays else left

    def _retry(self, clues: int, orbits: Sequence[int], patience: float) -> tuple[int, list[int]]:
        """Repeat the questions about undecided orbits; return the clues and those still undecided.

        All questions have the same clues and no witnesses, so the answers do not depend on the
        number or place of parallel tasks.  A clue that is needed stays needed, because fewer clues
        have more tours.  If several clues can be dropped, only the first is; the others are tried
        again.
        """
        unsure, waiting = [], [each for each in orbits if self._left(clues, each) is not None]
        while waiting:
            left = [clues & ~each | self._known for each in waiting]
            answers = self._have_others(left, waiting, patience)
            before, again = clues, []
            for done, (orbit, another) in enumerate(zip(waiting, answers, strict=True)):
                if another is None:
                    unsure.append(orbit)
                elif not another and clues == before:
                    clues &= ~orbit
                elif not another and self._left(clues, orbit) is not None:
                    again.append(orbit)
                self._report(f"looked again at {done + 1} of {len(waiting)}", clues)
            waiting = again
        return clues, unsure

    def _have_others(
        self, left: Sequence[int], orbits: Sequence[int], patience: float
    ) -> Iterator[bool | None]:
        """Yield whether there are other tours with each of these clues, by the executor or here."""
        if self._executor is not None:
            tasks = ((self._problem, self._walk, *each, patience)
                     for each in zip(left, orbits, strict=True))  # fmt: skip
            stop = self._clock.expired
            yield from run_tasks(self._executor, has_second_tour, tasks, should_stop=stop)
            return
        for clues, orbit in zip(left, orbits, strict=True):
            others = SecondTours(self._problem, self._walk, self._clock.expired)
            yield others.any(clues, patience=patience, dropped=orbit)

    def _report(self, progress: str, clues: int) -> None:
        if self._progress is not None:
            self._progress({f"seed {self._seed}, {progress}": None, "clues": clues.bit_count()})

    def ordered_orbits(self) -> list[int]:
        """Return the orbits in the order in which they are tried."""
        order = list(zip(self._orbits, self._places, strict=True))
        self._random.shuffle(order)
        if self._problem.size > SCATTERED:
            distance = self._counting.distance
            total = distance.sum(axis=1)
            middle = distance[total.argmin()]
            order.sort(key=lambda each: min((total[v], middle[v]) for v in each[1]))
        return [orbit for orbit, _ in order]

    @cached_property
    def _counting(self) -> Counting:
        return Counting(self._problem)

    def _fits(self, clues: int, soon: int, dropped: int) -> bool | None:
        """Return whether the puzzle with these clues is easy enough; None if undecided."""
        if self._grade in (Grade.EASY, Grade.MEDIUM):
            given = [(at, vertex) for at, vertex in enumerate(self._walk) if clues >> at & 1]
            if self._grade is Grade.EASY:
                return self._counting.solves(given)
            return Narrowing(self._problem, given=given).solved
        another = self._others.any(clues, soon, PATIENCE[0], dropped)
        return None if another is None else not another

    def puzzle(self, clues: int | None) -> Puzzle | None:
        """Return the puzzle with the requested number of clues, or None if that is impossible."""
        chosen: int | None = self._clues
        if clues is not None:
            chosen = add_clues(self._problem, self._clues, self._known, self._orbits, clues)
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


MOST_SQUARES = 1_600
"""Most squares of a puzzle, the limit of the search on step domains."""

TRIES = 100
"""Seeds that are tried in a row for a grade or a number of clues."""


def make_puzzle(
    problem: ProblemInput,
    *,
    seed: int = 0,
    clues: int | None = None,
    symmetry: str | None = None,
    grade: Grade | str | None = None,
    time_limit: float | None = None,
    tries: int = TRIES,
    progress: Progress | None = None,
    other_grade: Callable[[Puzzle], None] | None = None,
    executor: Executor | None = None,
    **question: Any,
) -> Puzzle:
    """Make a puzzle with exactly one solution.

    Parameters
    ----------
    problem : Problem, or board, its sides or graph
        As for :func:`kt_cp.solve`, with the same further keywords.  Its given steps are clues that
        are never dropped.
    seed : int
        The same seed gives the same puzzle.  With ``clues`` or ``grade``, seeds are tried upwards
        from it, and the puzzle contains the seed that made it.
    clues : int, optional
        Number of clues; by default no clue can be left out.  Additional clues are placed in the
        middle of the longest gaps.
    symmetry : str, optional
        A motion of the board that maps the squares with clues to squares with clues.
    grade : Grade or str, optional
        The difficulty.  An easy or a medium puzzle has more clues than a unique solution requires,
        but none of them can be left out without making it harder.
    time_limit : float, optional
        Seconds.
    tries : int
        Seeds that are tried in a row.
    other_grade : callable, optional
        Called with each puzzle that has another grade than the requested one.
    executor : concurrent.futures.Executor, optional
        Runs long tasks on large boards.  The puzzle does not depend on it.

    Raises
    ------
    NoPuzzleError
        If there is no tour, none was found, or none of ``tries`` seeds in a row gave such a puzzle.
    InputError
        If the motion does not map the board to itself, or it cannot have this number of clues.

    Examples
    --------
    >>> puzzle = make_puzzle("6x6", closed=True, seed=7)
    >>> puzzle.problem.closed, puzzle.needless, puzzle == make_puzzle(puzzle.base_problem, seed=7)
    (True, (), True)
    """
    seed = check_seed(seed)
    stated = as_problem(problem, question)
    grade_limit, places = _check_request(stated, clues, symmetry, grade)
    clock = Limits(time_limit).clock()
    results = (
        _try_seed(
            stated, seed + at, places, clues, grade_limit, clock, progress, executor, other_grade
        )
        for at in count()
    )
    return next(_puzzles_of(results, clues, grade_limit, tries, time_limit))


def make_puzzles(
    executor: Executor,
    problem: Problem,
    *,
    seed: int,
    clues: int | None = None,
    symmetry: str | None = None,
    grade: Grade | str | None = None,
    time_limit: float | None = None,
    store: ResultStore | None = None,
) -> Generator[Puzzle, None, None]:
    """Yield the puzzles of :func:`make_puzzle` for successive seeds.

    Each seed is a task of the executor; a store contains the results of earlier runs.
    """
    grade_limit, places = _check_request(problem, clues, symmetry, grade)
    clock = Limits(time_limit).clock()
    tasks = ((problem, seed + at, places, clues, grade_limit, clock.left) for at in count())
    results = run_tasks(executor, puzzle_of_seed, tasks, store=store, should_stop=clock.expired)
    return _puzzles_of(results, clues, grade_limit, TRIES, time_limit)


SeedResult = tuple[Puzzle | None, int]
"""The puzzle of a seed, if it meets the request, and the number of clues that it needs."""


def _try_seed(
    problem: Problem,
    seed: int,
    places: Sequence[Sequence[int]],
    clues: int | None,
    grade_limit: Grade | None,
    clock: Clock,
    progress: Progress | None = None,
    executor: Executor | None = None,
    other_grade: Callable[[Puzzle], None] | None = None,
) -> SeedResult:
    maker = Maker(problem, seed, places, grade_limit, clock, progress, executor)
    puzzle = maker.puzzle(clues)
    if puzzle and grade_limit not in (None, puzzle.grade):
        if other_grade is not None:
            other_grade(puzzle)
        puzzle = None
    return puzzle, maker.needed


def puzzle_of_seed(
    problem: Problem,
    seed: int,
    places: Sequence[Sequence[int]],
    clues: int | None,
    grade_limit: Grade | None,
    seconds: float | None,
) -> Done:
    """Return the result of a seed, in any process."""
    return Done(_try_seed(problem, seed, places, clues, grade_limit, _TaskClock(seconds)))


class _TaskClock(Clock):
    """A clock that also expires when the task is cancelled."""

    def expired(self) -> bool:
        return is_cancelled() or super().expired()


def _puzzles_of(
    results: Iterator[SeedResult],
    clues: int | None,
    grade_limit: Grade | None,
    tries: int,
    time_limit: float | None,
) -> Generator[Puzzle, None, None]:
    """Yield the puzzles of seeds in a row, until ``tries`` of them in succession give none."""
    tried, fewest = 0, math.inf
    while tried < tries:
        try:
            puzzle, needed = next(results)
        except (TimeoutError, StoppedError):
            found = f"; the fewest clues: {fewest}" if clues is not None and fewest > clues else ""
            so_far = f" ({counted(tried, 'seed')} tried{found})" if tried else ""
            message = f"the time limit of {time_limit:.3g} s was reached{so_far}"
            raise NoPuzzleError(message) from None
        tried, fewest = (tried + 1, min(fewest, needed)) if puzzle is None else (0, math.inf)
        if puzzle is not None:
            yield puzzle
    seeds = counted(tries, "seed")
    if clues is not None and fewest > clues:
        raise NoPuzzleError(f"of {seeds} none needs so few clues as {clues}; the fewest: {fewest}")
    if grade_limit is None:
        raise NoPuzzleError(f"of {seeds} none can be given exactly {clues} clues symmetrically")
    hint = (
        "larger boards are harder" if grade_limit is Grade.EXPERT else "more clues make it easier"
    )
    raise NoPuzzleError(f"of {seeds} none made a puzzle of grade {grade_limit}; {hint}")


def clue_orbits(problem: Problem, motion: str | None) -> list[list[int]]:
    """Return the groups of vertices with common clues: orbits of a motion, or single vertices."""
    graph = problem.indexed
    if motion is None:
        return [[vertex] for vertex in range(len(graph))]
    Symmetry(motion).check(problem)
    assert problem.board is not None
    orbit = orbits(images(graph, problem.board, motion)).tolist()
    if min(orbit) < 0:
        raise InputError(
            f"expected a board that the {motion} carries to itself, got {problem.board.label}"
        )
    found: list[list[int]] = [[] for _ in range(max(orbit) + 1)]
    for vertex, number in enumerate(orbit):
        found[number].append(vertex)
    return found


def check_takes(problem: Problem) -> None:
    """Raise an error for large boards, and for conditions other than on moves and steps."""
    for condition in problem.conditions:
        if type(condition) not in EDGES | {Given}:
            raise NotTakenError(f"puzzles do not take {condition.words}")
    if problem.size > MOST_SQUARES:
        raise TooLargeError(
            f"expected at most {MOST_SQUARES:,} squares of a puzzle, got {problem.size:,}"
        )


def _check_request(
    problem: Problem, clues: int | None, symmetry: str | None, grade: Grade | str | None
) -> tuple[Grade | None, list[list[int]]]:
    """Return the grade and the orbits of clues, or raise InputError."""
    try:
        grade_limit = None if grade is None else Grade(grade)
    except ValueError:
        raise InputError(
            f"expected a grade, one of {', '.join(Grade)}; got {grade!r:.60}"
            f"{suggestion(grade, Grade)}"
        ) from None
    check_takes(problem)
    places = clue_orbits(problem, symmetry)
    if clues is None:
        return grade_limit, places
    stay = len(problem.given)
    if not 1 <= clues <= problem.size:
        raise InputError(f"expected from 1 to {problem.size} clues, got {clues}")
    if clues < stay:
        raise InputError(f"expected at least {stay} clues, as many as are given; got {clues}")
    if clues not in subset_sums(map(len, places)):
        raise InputError(f"expected a number of clues whose places can be symmetric, got {clues}")
    return grade_limit, places


def _pack(done: Done) -> Content:
    """Return the arrays of a seed's result: its puzzle, if any, and its number of needed clues."""
    puzzle, needed = done.value
    squares = [] if puzzle is None else [*puzzle.tour]
    place = {square: at for at, square in enumerate(squares)}
    index = {} if puzzle is None else puzzle.problem.indexed.index
    conditions = () if puzzle is None else puzzle.problem.conditions
    clues = [each.step - 1 for each in conditions if isinstance(each, Given)]
    arrays = {
        "tour": [index[square] for square in squares],
        "clues": clues,
        "needless": [] if puzzle is None else [place[square] for square in puzzle.needless],
    }
    content = {name: np.array(each, dtype=np.int32) for name, each in arrays.items()}
    grade = 0 if puzzle is None else [*Grade].index(puzzle.grade)
    return {**content, "grade": grade, "needed": int(needed)}


def _unpack(content: dict[str, Any], task: tuple[Any, ...]) -> Done:
    problem, seed, *_ = task
    nodes = problem.indexed.nodes
    squares = [nodes[vertex] for vertex in content["tour"].tolist()]
    given = {squares[at]: at + 1 for at in content["clues"].tolist()}
    puzzle = None
    if squares:
        stated = changed(problem, given=given)
        needless = tuple(squares[at] for at in content["needless"].tolist())
        grade = [*Grade][content["grade"]]
        puzzle = Puzzle(stated, stated.tour(squares), grade, seed, needless)
    return Done((puzzle, content["needed"]))


def open_store(
    path: Path | None, problem: Problem, seed: int, **options: Any
) -> AbstractContextManager[TaskResults | None]:
    """Return a store of the requested puzzles, for seeds from the first one; None without a path.

    Raise :class:`~kt_cp.model.errors.StoreError` like :class:`~kt_cp.processes.store.Store`.
    """
    if path is None:
        return nullcontext()
    parts = [f"{name} {value}" for name, value in options.items() if value is not None]
    name = ", ".join([f"puzzles from seed {seed}", *parts])
    return open_task_results(path, problem, name, _pack, _unpack)


GRADE_SAMPLE = 10
"""Seeds after which a grade that none has made counts as rare."""


@dataclass
class GradeCounts:
    """The seeds that made a puzzle of another grade than the requested one.

    The seeds of a search are a random sample of the puzzles of its board.  After a few seeds the
    most frequent grade is a good guess for the next one.  A grade that none of n seeds has made
    probably has a share below 3/n (the "rule of three" of statistics, for 95 %).

    Examples
    --------
    >>> from kt_cp.puzzles import make_puzzle
    >>> counts = GradeCounts(Grade.EXPERT)
    >>> for seed in range(3):
    ...     counts.add(make_puzzle("5x6", closed=True, seed=seed))
    >>> counts.text, counts.likeliest, counts.first_seed
    ('3 seeds tried: 3 hard, none expert', <Grade.HARD: 'hard'>, 0)
    """

    requested: Grade
    seeds: dict[Grade, list[int]] = field(default_factory=dict)

    def add(self, puzzle: Puzzle) -> None:
        """Count a puzzle."""
        self.seeds.setdefault(puzzle.grade, []).append(puzzle.seed)

    @property
    def tried(self) -> int:
        """Number of seeds so far."""
        return sum(map(len, self.seeds.values()))

    @property
    def likeliest(self) -> Grade:
        """The most frequent grade."""
        return max(self.seeds, key=lambda grade: len(self.seeds[grade]))

    @property
    def first_seed(self) -> int:
        """The first seed that made a puzzle of the most frequent grade."""
        return self.seeds[self.likeliest][0]

    @property
    def text(self) -> str:
        """The counts in words."""
        made = [f"{len(seeds)} {grade}" for grade, seeds in self.seeds.items()]
        return f"{counted(self.tried, 'seed')} tried: {', '.join(made)}, none {self.requested}"

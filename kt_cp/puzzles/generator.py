"""Ask for a puzzle: what is asked is checked, and seeds are tried until one gives it.

Puzzles with exactly one solution in which no clue can be left out.

A tour is found and mixed (:mod:`kt_cp.puzzles.generator`).  At first every step is given.  Then
each clue is tried once, in random order: it is dropped if no second tour has the clues that would
be left.  A clue that is needed when it is tried is needed at the end too, because fewer clues have
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

More clues than are needed, placed where the next clues are farthest away.

Each new clue goes to the middle of a longest gap, together with the other places of its orbit, if
the orbits that are left can still make up the number of clues asked for.

A random tour, made from any tour by thousands of rotations.

Tours that a heuristic finds look alike: Warnsdorff's rule goes round the rim and ends in the
middle.  So a tour is taken as the cycle that it is in :mod:`kt_cp.model.cycle`, one of its edges is
removed, and the path that remains is rotated (L. Pósa 1976, see :mod:`kt_cp.search.warnsdorff`),
each time about a random neighbour of its end.  Whenever an edge joins the two ends of the path, the
path closes to a tour.  Required edges stay.

Cost: a rotation turns a piece of a list over, so N rotations cost N²; ten times N mix well.

When it loses: it is not proved that all tours are equally likely, nor that each can be reached.  If
every rotation would break a required edge, the tour stays what it was.

What came of each seed, kept in a store: another run with the same folder makes none of it again.

A seed is a piece of an executor.  On a large board a seed takes minutes, and for a rare grade most
seeds give no puzzle.  So both are kept: puzzles, and seeds that gave none.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import cached_property
from itertools import count
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import numpy as np

from kt_cp.model.conditions import EDGES, Given, Symmetry
from kt_cp.model.cycle import cycle_form
from kt_cp.model.errors import InputError, NotTakenError, TooLargeError, UnsoundEngineError
from kt_cp.model.limits import Clock, Limits
from kt_cp.model.orbits import images, orbits
from kt_cp.model.outcome import Verdict
from kt_cp.model.problem import Problem, as_problem, changed
from kt_cp.model.terms import counted
from kt_cp.model.tour import Tour
from kt_cp.processes.executors import is_cancelled
from kt_cp.processes.interruptible_cpsat import StoppedError
from kt_cp.processes.store import TaskResults, open_task_results
from kt_cp.processes.task_queue import Done, ResultStore, run_tasks
from kt_cp.puzzles.grades import Counting, Grade, Narrowing, grade_of
from kt_cp.puzzles.puzzle import NoPuzzleError, Puzzle
from kt_cp.puzzles.second_tours import SecondTours
from kt_cp.search.step_domains import given_vertices
from kt_cp.trust.judge import defects

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from kt_cp.model.problem import Problem, ProblemInput
    from kt_cp.processes.store import Content


def subset_sums(sizes: Iterable[int]) -> set[int]:
    """Every sum of some of the numbers."""
    found = {0}
    for size, times in Counter(sizes).items():
        found = {each + size * many for each in found for many in range(times + 1)}
    return found


def add_clues(
    problem: Problem, clues: int, kept: int, orbits: Sequence[int], many: int
) -> int | None:
    """So many clues, as a set of steps; None if they cannot be so many.

    Beside them the steps ``kept`` are known.  Those of an orbit come together.

    Examples
    --------
    >>> bin(add_clues(Problem("3x3"), 0b100000001, 0, [1 << step for step in range(9)], 3))
    '0b100010001'
    """
    left = [orbit for orbit in orbits if not orbit & clues]
    while clues.bit_count() < many:
        room = many - clues.bit_count()
        sizes = [orbit.bit_count() for orbit in left]
        fitting = [
            orbit for orbit, size in zip(left, sizes, strict=True)
            if size <= room and room - size in subset_sums(_without(sizes, size))
        ]  # fmt: skip
        if not fitting:
            return None
        best = max(fitting, key=lambda orbit: _middle(problem, orbit, clues | kept))
        left.remove(best)
        clues |= best
    return clues if clues.bit_count() == many else None


def _middle(problem: Problem, orbit: int, clues: int) -> int:
    """How many moves the nearest clue is from the nearest step of an orbit."""
    size = problem.size
    known = [at for at in range(size) if clues >> at & 1]

    def apart(one: int, other: int) -> int:
        there = abs(one - other)
        return min(there, size - there) if problem.closed else there

    steps = (at for at in range(size) if orbit >> at & 1)
    return min(apart(at, other) for at in steps for other in known or [size])


def _without(sizes: Sequence[int], size: int) -> list[int]:
    left = list(sizes)
    left.remove(size)
    return left


ROTATIONS = 10
"""For each vertex, before a tour counts as mixed."""

CLOSING_ROTATIONS = 10
"""As many times that number of rotations are made in search of a path that can be closed."""


def shuffle_tour(problem: Problem, tour: Tour, random: Random) -> Tour:
    """Another tour of a problem, at random; a closed one is written from anywhere.

    The problem has three squares and more, and conditions on its ends and moves alone.

    Examples
    --------
    >>> from kt_cp import Problem, defects, solve
    >>> problem = Problem("6x6", closed=True)
    >>> other = shuffle_tour(problem, solve(problem).tour, Random(1))
    >>> defects(problem, other.squares)
    []
    """
    form = cycle_form(problem)
    index = problem.indexed.index
    cycle = [index[square] for square in tour.squares]
    if form.depot is not None:
        cycle.append(form.depot)
    made = form.tour(_rotated(form.graph.neighbours, set(form.forced), cycle, random))
    if problem.closed and problem.start is None:
        at = random.randrange(len(made.squares))
        return problem.tour([*made.squares[at:], *made.squares[:at]])
    return made


def _rotated(
    neighbours: list[list[int]], forced: set[tuple[int, int]], cycle: list[int], random: Random
) -> list[int]:
    """The cycle after many rotations, read in a random direction."""
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
        if random.random() < 0.5:  # from the other end, so that no vertex stays where it is
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
"""How many of the clues that are tried next one formula leaves out, so that it serves all these
questions; the more they are, the fewer clues the formula contains."""

SCATTERED = 100
"""Squares of a board up to which clues are tried in random order."""

PATIENCE = (0.05, 0.2, 0.8, 4)
"""Budgets of a question, round by round.  A question whose budget is spent is asked again when the
other clues that can be dropped are gone: by then a second tour is likelier."""

Progress = Callable[[Mapping[str, float | None]], None]


def has_second_tour(
    problem: Problem, walk: Sequence[int], clues: int, dropped: int, patience: float
) -> Done:
    """Whether there is another tour, wherever this is called; nothing is known from before."""
    others = SecondTours(problem, walk, is_cancelled)
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
        return shuffle_tour(problem, outcome.tour, self._random)

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
            yield from run_tasks(
                self._executor, has_second_tour, pieces, should_stop=self._clock.expired
            )
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
            chosen = add_clues(self._problem, self._clues, self._kept, self._orbits, clues)
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
"""Of a puzzle: what the search on windows takes."""

TRIES = 100
"""Seeds that are tried in a row where a grade or a number of clues is asked for."""


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
    executor: Executor | None = None,
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
    executor : concurrent.futures.Executor, optional
        Who works on what takes long, on large boards.  The puzzle is the same without.

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
    asked = as_problem(problem, question)
    wanted = None if grade is None else _grade(grade)
    check_takes(asked)
    places = clue_orbits(asked, symmetry)
    _check_clues(clues, asked, places)
    clock = Limits(time_limit).clock()
    came = (
        _of_seed(asked, seed + at, places, clues, wanted, clock, progress, executor)
        for at in count()
    )
    return next(_those_made(came, clues, wanted, tries, time_limit))


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
    """Puzzle after puzzle, of seeds counted up: each seed is a piece for an executor.

    They are those that :func:`make_puzzle` makes one after the other; parameters and errors are its
    own.  What comes of seeds may be kept (:mod:`kt_cp.puzzles.generator`).
    """
    wanted = None if grade is None else _grade(grade)
    check_takes(problem)
    places = clue_orbits(problem, symmetry)
    _check_clues(clues, problem, places)
    clock = Limits(time_limit).clock()
    pieces = ((problem, seed + at, places, clues, wanted, clock.left) for at in count())
    came = run_tasks(executor, puzzle_of_seed, pieces, store=store, should_stop=clock.expired)
    return _those_made(came, clues, wanted, TRIES, time_limit)


Made = tuple[Puzzle | None, int]
"""Of a seed: the puzzle, if it can be what was asked for, and how many clues are needed."""


def _of_seed(
    problem: Problem,
    seed: int,
    places: Sequence[Sequence[int]],
    clues: int | None,
    wanted: Grade | None,
    clock: Clock,
    progress: Progress | None = None,
    executor: Executor | None = None,
) -> Made:
    maker = Maker(problem, seed, places, wanted, clock, progress, executor)
    puzzle = maker.puzzle(clues)
    return puzzle if puzzle and wanted in (None, puzzle.grade) else None, maker.needed


def puzzle_of_seed(
    problem: Problem,
    seed: int,
    places: Sequence[Sequence[int]],
    clues: int | None,
    wanted: Grade | None,
    seconds: float | None,
) -> Done:
    """What comes of a seed, wherever this is called."""
    return Done(_of_seed(problem, seed, places, clues, wanted, _Wanted(seconds)))


class _Wanted(Clock):
    """A clock that is over as well when nobody waits any more."""

    def expired(self) -> bool:
        return is_cancelled() or super().expired()


def _those_made(
    came: Iterator[Made],
    clues: int | None,
    wanted: Grade | None,
    tries: int,
    time_limit: float | None,
) -> Generator[Puzzle, None, None]:
    """The puzzles of seeds in a row, as long as some of them give any."""
    tried, fewest = 0, math.inf
    while tried < tries:
        try:
            puzzle, needed = next(came)
        except (TimeoutError, StoppedError):
            found = f"; the fewest clues: {fewest}" if clues is not None and fewest > clues else ""
            so_far = f" ({counted(tried, 'seed')} tried{found})" if tried else ""
            told = f"the time limit of {time_limit:.3g} s was reached{so_far}"
            raise NoPuzzleError(told) from None
        tried, fewest = (tried + 1, min(fewest, needed)) if puzzle is None else (0, math.inf)
        if puzzle is not None:
            yield puzzle
    told = counted(tries, "seed")
    if clues is not None and fewest > clues:
        raise NoPuzzleError(f"of {told} none needs so few clues as {clues}; the fewest: {fewest}")
    if wanted is None:
        raise NoPuzzleError(f"of {told} none can be given exactly {clues} clues symmetrically")
    hint = "larger boards are harder" if wanted is Grade.EXPERT else "more clues make it easier"
    raise NoPuzzleError(f"of {told} none made a puzzle of grade {wanted}; {hint}")


def _grade(name: Grade | str) -> Grade:
    try:
        return Grade(name)
    except ValueError:
        raise InputError(f"expected a grade, one of {', '.join(Grade)}; got {name!r}") from None


def clue_orbits(problem: Problem, motion: str | None) -> list[list[int]]:
    """Vertices whose clues come and go together: orbits of a motion, or each by itself."""
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
    """Refuse what puzzles cannot have: conditions on other than moves and steps, and size."""
    for condition in problem.conditions:
        if type(condition) not in EDGES | {Given}:
            raise NotTakenError(f"puzzles do not take {condition.words}")
    if problem.size > MOST_SQUARES:
        raise TooLargeError(
            f"expected at most {MOST_SQUARES:,} squares of a puzzle, got {problem.size:,}"
        )


def _check_clues(clues: int | None, problem: Problem, places: Sequence[Sequence[int]]) -> None:
    if clues is None:
        return
    stay = sum(type(each) is Given for each in problem.conditions)
    if not 1 <= clues <= problem.size:
        raise InputError(f"expected from 1 to {problem.size} clues, got {clues}")
    if clues < stay:
        raise InputError(f"expected at least {stay} clues, as many as are given; got {clues}")
    if clues not in subset_sums(map(len, places)):
        raise InputError(f"expected a number of clues whose places can be symmetric, got {clues}")


def _packed(done: Done) -> Content:
    """What came of a seed: its puzzle, if there is one, and how many clues were needed."""
    made, needed = done.value
    squares = [] if made is None else [*made.tour]
    place = {square: at for at, square in enumerate(squares)}
    index = {} if made is None else made.problem.indexed.index
    conditions = () if made is None else made.problem.conditions
    clues = [each.step - 1 for each in conditions if isinstance(each, Given)]
    several = {
        "tour": [index[square] for square in squares],
        "clues": clues,
        "needless": [] if made is None else [place[square] for square in made.needless],
    }
    content = {name: np.array(each, dtype=np.int32) for name, each in several.items()}
    grade = 0 if made is None else [*Grade].index(made.grade)
    return {**content, "grade": grade, "needed": int(needed)}


def _unpacked(content: dict[str, Any], piece: tuple[Any, ...]) -> Done:
    problem, seed, *_ = piece
    nodes = problem.indexed.nodes
    squares = [nodes[vertex] for vertex in content["tour"].tolist()]
    given = {squares[at]: at + 1 for at in content["clues"].tolist()}
    made = None
    if squares:
        asked = changed(problem, given=given)
        needless = tuple(squares[at] for at in content["needless"].tolist())
        grade = [*Grade][content["grade"]]
        made = Puzzle(asked, asked.tour(squares), grade, seed, needless)
    return Done((made, content["needed"]))


def open_store(
    path: Path | None, problem: Problem, seed: int, **asked: Any
) -> AbstractContextManager[TaskResults | None]:
    """A store of the puzzles that are asked for, seeds counted up from one; None for no path.

    Raises
    ------
    StoreError
        As :class:`kt_cp.processes.store.Store` has it.
    """
    if path is None:
        return nullcontext()
    told = [f"{name} {value}" for name, value in asked.items() if value is not None]
    name = ", ".join([f"puzzles from seed {seed}", *told])
    return open_task_results(path, problem, name, _packed, _unpacked)

"""Ask for a puzzle: what is asked is checked, and seeds are tried until one gives it."""

from __future__ import annotations

import math
from collections.abc import Generator, Iterator, Sequence
from itertools import count
from typing import TYPE_CHECKING, Any

from kt_cp.model.conditions import EDGES, Given, Symmetry
from kt_cp.model.errors import InputError, NotTakenError, TooLargeError
from kt_cp.model.limits import Clock, Limits
from kt_cp.model.orbits import images, orbits
from kt_cp.model.problem import Problem, as_problem
from kt_cp.model.terms import counted
from kt_cp.processes.executors import given_up
from kt_cp.processes.pieces import Done, Kept, in_pieces
from kt_cp.processes.stoppable import StoppedError
from kt_cp.puzzles.gaps import sums
from kt_cp.puzzles.generator import Maker, Progress
from kt_cp.puzzles.grades import Grade
from kt_cp.puzzles.puzzle import NoPuzzleError, Puzzle

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from kt_cp.model.problem import ProblemInput

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
    places = places_of(asked, symmetry)
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
    store: Kept | None = None,
) -> Generator[Puzzle, None, None]:
    """Puzzle after puzzle, of seeds counted up: each seed is a piece for an executor.

    They are those that :func:`make_puzzle` makes one after the other; parameters and errors are its
    own.  What comes of seeds may be kept (:mod:`kt_cp.puzzles.seeds`).
    """
    wanted = None if grade is None else _grade(grade)
    check_takes(problem)
    places = places_of(problem, symmetry)
    _check_clues(clues, problem, places)
    clock = Limits(time_limit).clock()
    pieces = ((problem, seed + at, places, clues, wanted, clock.left) for at in count())
    came = in_pieces(executor, piece, pieces, store=store, should_stop=clock.expired)
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


def piece(
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
        return given_up() or super().expired()


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


def places_of(problem: Problem, motion: str | None) -> list[list[int]]:
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
    if clues not in sums(map(len, places)):
        raise InputError(f"expected a number of clues whose places can be symmetric, got {clues}")

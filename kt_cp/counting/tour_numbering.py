"""Every tour by its number, and the number of every tour.

A numbering is a bijection between the tours of a problem and the numbers from 0 to their count less
1.  All sequences that describe the same tour have the same number: a tour and its reverse, and a
closed tour from any square.  The tour of a number begins at the required start or ends at the
required end.  Otherwise a closed tour begins at the first square, and each tour has the direction
in which the earlier square comes first.

A method (:class:`kt_cp.counting.method.Tables`) defines the order of the numbers.  The choice of
the method depends on the problem alone, not on the machine.

A number drawn uniformly gives a tour drawn uniformly.  The same seed draws the same tours.

Source: H. S. Wilf, "A unified setting for sequencing, ranking, and selection algorithms for
combinatorial objects", Advances in Mathematics 24 (1977).
"""

from __future__ import annotations

import random
from collections.abc import Generator, Iterator, Sequence
from contextlib import suppress
from functools import lru_cache
from operator import index as as_integer
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kt_cp.counting.enumerate import ENUMERATE, ListedTables, least_sequence, ordered_nodes
from kt_cp.counting.plan import AUTO, choose, get_method
from kt_cp.enumeration.searches import has_given_steps
from kt_cp.model.board import shorten, square_of
from kt_cp.model.errors import (
    InputError,
    NotTakenError,
    NumberError,
    TooLargeError,
    UnsoundEngineError,
)
from kt_cp.model.limits import Limits, check_seed, is_whole
from kt_cp.model.orbits import motion_of
from kt_cp.model.problem import Problem, as_problem
from kt_cp.model.request import Progress, Request
from kt_cp.model.tour import Tour
from kt_cp.processes.store import Kind, Store
from kt_cp.processes.task_queue import Done, run_tasks
from kt_cp.proofs.obstructions import obstruction
from kt_cp.trust.judge import defects

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from kt_cp.counting.method import Tables
    from kt_cp.model.problem import ProblemInput


DENSE, FRONTIER, LISTED = "dense", "frontier", ENUMERATE.name
LARGE = (DENSE, FRONTIER)
"""Methods for more tours than can be listed, in the order in which they are tried."""

SMALL, SOON_LISTED = 30, 100_000
"""Squares of a board, and tours, up to which tours are listed."""


class Numbering:
    """The tours of a problem as a sequence that is computed, not stored.

    Parameters
    ----------
    problem : Problem, or board, its sides or graph
        As for :func:`kt_cp.solve`, with the same further keywords.
    method : str
        The method that defines the numbers: ``"dense"``, ``"frontier"``, ``"enumerate"``, or
        ``"auto"`` for the one that suits the problem, always the same one.
    progress : callable, optional
        Called with the work done so far; it may raise an exception.
    memory_limit : float, optional
        Megabytes.
    store : path, optional
        A folder for the tables of ``"dense"``, which are created there or read from there.

    Attributes
    ----------
    size : int
        The number of tours; a tour and its reverse are one.  ``len()`` is the same if it fits into
        a machine integer.
    method : str
        The method that defines the numbers.

    Raises
    ------
    NotTakenError
        If no method supports the conditions of the problem.
    TooLargeError
        If there are too many tours for every method that supports the problem.

    Examples
    --------
    >>> tours = Numbering("5x6", closed=True)
    >>> tours.size, tours[3], tours.index(tours[3])
    (8, <Tour: 5x6, closed: a1 c2 e1 f3 e5 d3 f4 d5 …>, 3)
    """

    def __init__(
        self,
        problem: ProblemInput,
        method: str = AUTO,
        *,
        progress: Progress | None = None,
        memory_limit: float | None = None,
        store: Path | str | None = None,
        **options: Any,
    ) -> None:
        self.problem = problem = as_problem(problem, options)
        self._nodes = ordered_nodes(problem)
        quick = not problem.directed and not has_given_steps(problem)
        self._reason = obstruction(problem) if quick else None
        self.method, self.size, self._store = method, 0, store
        if self._reason is None:
            request = Request.begin(problem, Limits(None, memory_limit), progress=progress)
            self.method, self._tables = _make_tables(request, method, store)
            self.size = self._tables.size

    @property
    def reason(self) -> str | None:
        """Return why there is no tour, if that needs no search."""
        return None if self._reason is None else self._reason.text

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle only the problem; each process makes its own tables, which are larger."""
        return cached_numbering, (self.problem, self.method, self._store)

    def __repr__(self) -> str:
        return f"<Numbering: {self.size:,} tours, {shorten(self.problem.label, 60)}>"

    def __len__(self) -> int:
        return self.size

    def __iter__(self) -> Iterator[Tour]:
        return (self._tour(number) for number in range(self.size))

    def __getitem__(self, number: int) -> Tour:
        """Return the tour of a number; negative numbers count from the end.

        Raises
        ------
        NumberError
            If there is no tour of that number; this is also an ``IndexError``.
        """
        at = as_integer(number)
        if not -self.size <= at < self.size:
            raise NumberError(
                f"expected the number of a tour, from 0 to {self.size - 1:,}, got {at:,}"
                if self.size
                else f"expected no number: there is no tour ({self.problem.label}), got {at:,}"
            )
        return self._tour(at % self.size)

    def _tour(self, number: int) -> Tour:
        walk = arrange_tour(self.problem, self._tables.tour(number))
        tour = self.problem.tour([self._nodes[vertex] for vertex in walk])
        if found := defects(self.problem, tour.squares):
            raise UnsoundEngineError(
                f"{self.method} gave no tour of {self.problem.label} for number {number}: "
                f"{found[0]}; squares {' '.join(tour.names)}"
            )
        return tour

    def index(self, tour: Tour | Sequence[Any]) -> int:
        """Return the number of a tour, for any direction and any first square of a closed one.

        Parameters
        ----------
        tour : Tour, or sequence of squares, their names or nodes

        Raises
        ------
        InputError
            If it is not a tour of the problem; the message names the first defect.
        """
        problem = self.problem
        if isinstance(tour, Tour):
            empty = problem.tour(())
            if (tour.closed, tour.board, tour.piece) != (empty.closed, empty.board, empty.piece):
                raise InputError(f"expected a tour of {problem.label}, got {shorten(repr(tour))}")
        squares = tuple(tour)
        if found := defects(problem, squares):
            raise InputError(f"expected a tour of {problem.label}, got none: {found[0]}")
        if problem.board is not None:
            squares = tuple(map(square_of, squares))
        index = {node: at for at, node in enumerate(self._nodes)}
        return self._tables.number([index[square] for square in squares])


@lru_cache(1)
def cached_numbering(problem: Problem, method: str, store: Path | str | None) -> Numbering:
    """Return the numbering of a problem, which all tasks of a process share."""
    return Numbering(problem, method, store=store)


def arrange_tour(problem: Problem, walk: Sequence[int]) -> Sequence[int]:
    """Return a tour with the start and direction that the problem requires.

    With given steps it already has them.
    """
    if has_given_steps(problem):
        return walk
    closed, directed = problem.closed, problem.directed
    found = least_sequence(walk, closed=closed, directed=directed)
    nodes = ordered_nodes(problem)
    if closed and problem.start is not None:
        at = found.index(nodes.index(problem.start))
        found = found[at:] + found[:at]
        if not directed and found[-1] < found[1]:
            found = [found[0], *found[:0:-1]]
    elif not closed and not directed:
        ends = ((problem.start, found[0]), (problem.end, found[-1]))
        if any(required is not None and nodes[at] != required for required, at in ends):
            found.reverse()
    return found


def _make_tables(request: Request, method: str, store: Path | str | None) -> tuple[str, Tables]:
    """Return a method and its tables; the choice depends only on the problem."""
    problem, progress = request.problem, request.progress
    if method == AUTO:
        method = next((each for each in LARGE if can_number(each, problem)), LISTED)
        if problem.size <= SMALL or method == LISTED:
            with suppress(TooLargeError):
                return LISTED, ListedTables(problem, progress=progress, most=SOON_LISTED)
    named = get_method(method)
    if named.refuses(problem) is None and named.estimate(problem).disk:
        raise NotTakenError(
            f"{problem.label}: {method} counts tours of boards this wide, but does not number them"
        )
    choose(request, method)
    if store is not None and method != DENSE:
        raise InputError(f"expected a store only for the tables of {DENSE}, got one for {method}")
    if method == DENSE:
        from kt_cp.counting.dense.dense import METHOD
        from kt_cp.counting.dense.tour_ranking import DenseTables

        if store is None:
            return method, DenseTables(problem, progress=progress)
        with Store(store, problem, Kind(f"{method}-tables", METHOD.version)) as opened:
            return method, DenseTables(problem, progress=progress, store=opened)
    if method == LISTED:
        return method, ListedTables(problem, progress=progress)
    from kt_cp.counting.frontier.ranking import FrontierTables

    memory_limit = request.limits.megabytes
    return method, FrontierTables(problem, progress=progress, memory_limit=memory_limit)


def can_number(method: str, problem: Problem) -> bool:
    """Return whether a method can number the tours of a problem."""
    chosen = get_method(method)
    if chosen.refuses(problem) is not None or motion_of(problem) is not None:
        return False
    return method != DENSE or not chosen.estimate(problem).disk


TOURS_A_TASK = 50
"""Tours that a task looks up, which takes a few seconds on 8×8."""


def unrank_all(
    tours: Numbering, numbers: Sequence[int], executor: Executor | None = None
) -> Generator[Tour, None, None]:
    """Yield the tours of some numbers, in order; an executor, if given, runs the tasks."""
    if executor is None:
        yield from (tours[number] for number in numbers)
        return
    begins = range(0, len(numbers), TOURS_A_TASK)
    tasks = ((tours, numbers[at : at + TOURS_A_TASK]) for at in begins)
    for found in run_tasks(executor, unrank_in_worker, tasks):
        yield from found


def unrank_in_worker(tours: Numbering, numbers: Sequence[int]) -> Done:
    """Return the tours of some numbers as the result of a task."""
    return Done([tours[number] for number in numbers])


def sample(
    problem: ProblemInput,
    k: int,
    seed: int = 0,
    *,
    executor: Executor | None = None,
    **options: Any,
) -> list[Tour]:
    """Draw tours uniformly at random, with replacement.

    Parameters
    ----------
    problem : Problem, or board, its sides or graph
        As for :class:`kt_cp.Numbering`, with the same further keywords.
    k : int
        The number of tours to draw.
    seed : int
        The same seed draws the same tours.
    executor : concurrent.futures.Executor, optional
        Looks up the tours of the numbers; each worker makes its own tables.

    Raises
    ------
    InputError
        If there is no tour and ``k`` is positive; otherwise as for :class:`Numbering`.

    Examples
    --------
    >>> sample("5x6", 1, seed=1, closed=True)
    [<Tour: 5x6, closed: a1 c2 e1 f3 e5 d3 f4 d5 …>]
    """
    tours = Numbering(problem, **options)
    return [*unrank_all(tours, draw_numbers(tours, k, seed), executor)]


def draw_numbers(tours: Numbering, k: int, seed: int) -> list[int]:
    """Draw numbers of tours, with replacement."""
    if not is_whole(k) or k < 0:
        raise InputError(f"expected to draw 0 tours or more, got {shorten(repr(k))}")
    if k and not tours.size:
        raise InputError(f"expected a problem with a tour to draw, got {tours.problem.label}")
    chance = random.Random(check_seed(seed))
    return [chance.randrange(tours.size) for _ in range(k)]

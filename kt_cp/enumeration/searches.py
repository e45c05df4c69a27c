"""The searches that find every tour of a problem once, and the tours of their walks.

Walks pass squares, or orbits if tours have a symmetry.  Given steps have a separate search.  If a
symmetry has too few orbits, each walk is tested for the symmetry.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

from kt_cp.enumeration.given_steps import GivenSteps, Search, imply_steps
from kt_cp.enumeration.symmetry import Classes, is_invariant, required_image
from kt_cp.enumeration.walks import CHUNK, BitGraph, Job, Task, Walker, bit_graph, count_tasks, jobs
from kt_cp.model.conditions import EDGES, Given, Symmetry
from kt_cp.model.errors import NotTakenError, TooLargeError
from kt_cp.model.limits import StoppedError
from kt_cp.model.move_order import Candidates, MoveTable, move_table
from kt_cp.model.outcome import Evidence
from kt_cp.model.problem import Problem
from kt_cp.proofs.obstructions import obstruction

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from kt_cp.enumeration.quotient import Quotient

    Tours = Callable[[NDArray[np.int32]], Iterator[NDArray[np.int32]]]


class WalkSearch:
    """All walks of a problem, each a tour.

    ``halves`` is the number of times that :meth:`tasks` count each tour.  ``many`` counts the tours
    of the walks of a job; it is None if each walk is one tour.
    """

    def __init__(self, problem: Problem, table: MoveTable, *, directed: bool, unique: bool) -> None:
        self._problem, self._table = problem, table
        self._directed, self._unique = directed, unique
        self._image = required_image(problem)
        self.graph: BitGraph = bit_graph(table.heads, problem.forced)
        free = problem.start is None and problem.end is None and problem.size > 1
        # Every tour is counted in both directions, so that starts are equivalent by symmetry.
        self._either_way = free and not (problem.closed or directed or unique)
        self.halves = 2 if self._either_way else 1
        self.many: Callable[[Job, Any], int] | None = None if self._image is None else self._many

    def jobs(self) -> Iterator[Job]:
        """Return the parts of the enumeration, in the order in which their tours are listed."""
        return jobs(self._problem, self._table, directed=self._directed)

    def tours(self, _job: Job, walks: NDArray[np.int32]) -> Iterator[NDArray[np.int32]]:
        """Yield the tours of the walks of a job, one per row."""
        if self._image is None:
            yield walks
        else:
            yield walks[is_invariant(walks, self._image, self._problem.closed)]

    def _many(self, job: Job, walks: NDArray[np.int32]) -> int:
        return sum(map(len, self.tours(job, walks)))

    def tasks(self) -> list[Task]:
        """Return the same work for counting, with one task for several equivalent jobs."""
        both = self._directed or self._either_way
        return count_tasks(self._problem, self._table, directed=both, unique=self._unique)


MOST_SQUARES = 10_000
"""Most squares of a board: no such enumeration ends, and beyond this even the start is slow."""

MOST_GIVEN = 1_600
"""Most squares of a board with given steps, whose step domains take a few gigabytes."""

TAKES = EDGES | {Given, Symmetry}
"""Conditions that the enumeration supports."""


def has_given_steps(problem: Problem) -> bool:
    """Return whether there are given steps, on a board of more than one square."""
    return problem.size > 1 and bool(problem.given)


@dataclass(frozen=True)
class Searches:
    """The searches of a problem; each part is created on first use."""

    problem: Problem
    candidates: Candidates | None
    directed: bool
    unique: bool

    def __post_init__(self) -> None:
        problem = self.problem
        for condition in problem.conditions:
            if type(condition) not in TAKES:
                raise NotTakenError(f"the enumeration does not take {condition.words}")
        most = MOST_GIVEN if has_given_steps(problem) else MOST_SQUARES
        if problem.size > most:
            raise TooLargeError(
                f"expected at most {most:,} squares to enumerate, got {problem.size:,}"
            )

    def __getstate__(self) -> dict[str, object]:
        """Return the state for another process, with the walks instead of the candidates."""
        return {"walks": self.walks, **vars(self), "candidates": None}

    @cached_property
    def reason(self) -> Evidence | None:
        """Evidence that there is no tour, if it needs no search, or None."""
        return obstruction(self.problem)

    @cached_property
    def table(self) -> MoveTable:
        """Table of the moves, with numbered vertices."""
        return move_table(self.problem, self.candidates)

    @cached_property
    def walks(self) -> WalkSearch | Quotient:
        """Search of walks through squares, or through orbits, for tours without given steps."""
        problem, directed = self.problem, self.directed
        if Symmetry in map(type, problem.conditions):
            from kt_cp.enumeration.quotient import quotient_of

            quotient = quotient_of(problem, self.table, directed=directed)
            if quotient is not None:
                return quotient
        return WalkSearch(problem, self.table, directed=directed, unique=self.unique)

    @cached_property
    def classes(self) -> Classes | GivenSteps:
        """The symmetry classes of tours."""
        return self.given or Classes(self.problem, self.table, directed=self.directed)

    @cached_property
    def given(self) -> GivenSteps | None:
        """The normal form of tours with given steps."""
        given = has_given_steps(self.problem)
        return GivenSteps(self.problem, directed=self.directed) if given else None

    def each(self) -> Iterator[tuple[Walker | Search, Tours]]:
        """Yield searches that together find every tour once, and functions from walks to tours."""
        # With given steps, the search itself finds most reasons faster.
        if (self.given is None or self.problem.size < 3) and self.reason is not None:
            return
        if self.given is not None:
            tours = self.given.tours
            yield from ((Search(each), tours) for each in imply_steps(self.problem))
        else:
            for job in self.walks.jobs():
                yield Walker(self.walks.graph, job), partial(self.walks.tours, job)

    def firsts(self, job: Job, walks: NDArray[np.int32]) -> int:
        """Return how many tours of the walks of a job are the first of their class."""
        parts = (self.classes.sizes(tours) for tours in self.walks.tours(job, walks))
        return sum(size > 0 for sizes in parts for size in sizes)


CAPACITY = 256
"""Most tours in memory at a time."""


def make_search(
    searches: Searches, should_stop: Callable[[], bool] | None
) -> Iterator[tuple[NDArray[np.int32], int]]:
    """Yield a few tours at a time, one per row, and the squares placed so far."""
    capacity, before = 1, 0
    for search, tours_of in searches.each():
        found = False
        while not search.exhausted:
            walks = search.next(capacity=capacity, steps=CHUNK)
            found = found or len(walks) > 0
            yield walks[:0], before + search.placed
            for tours in tours_of(walks):
                yield tours, before + search.placed
            if len(walks) == capacity:
                capacity = min(2 * capacity, CAPACITY)
            if should_stop is not None and should_stop():
                raise StoppedError
            none = not (found or search.exhausted)
            if none and has_given_steps(searches.problem) and searches.reason is not None:
                break
        before += search.placed

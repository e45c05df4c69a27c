"""Which searches find every tour of a problem once, and how tours are written from their walks.

All walks from square to square.  A symmetry that has too few orbits is held against each.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

from kt_cp.enumeration.given_steps import GivenSteps, Search, with_images
from kt_cp.enumeration.symmetry import Classes, is_invariant, required_image
from kt_cp.enumeration.walks import CHUNK, BitGraph, Job, Task, Walker, bit_graph, count_tasks, jobs
from kt_cp.model.conditions import EDGES, Given, Symmetry
from kt_cp.model.errors import NotTakenError, TooLargeError
from kt_cp.model.move_order import Candidates, MoveTable, move_table
from kt_cp.model.outcome import Evidence
from kt_cp.model.problem import Problem
from kt_cp.processes.interruptible_cpsat import StoppedError
from kt_cp.proofs.obstructions import obstruction

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from kt_cp.enumeration.quotient import Quotient

    Tours = Callable[[NDArray[np.int32]], Iterator[NDArray[np.int32]]]


class WalkSearch:
    """All walks of a problem, each a tour.

    ``graph``: what the walks go along; ``halves``: how often :meth:`tasks` count each tour;
    ``many``: how many tours walks of a job stand for, where it is not one each.
    """

    def __init__(self, problem: Problem, table: MoveTable, *, directed: bool, unique: bool) -> None:
        self._problem, self._table = problem, table
        self._directed, self._unique = directed, unique
        self._image = required_image(problem)
        self.graph: BitGraph = bit_graph(table.heads, problem.forced)
        free = problem.start is None and problem.end is None and problem.size > 1
        # Every tour in both directions, which lets starts be exchanged.
        self._either_way = free and not (problem.closed or directed or unique)
        self.halves = 2 if self._either_way else 1
        self.many: Callable[[Job, Any], int] | None = None if self._image is None else self._many

    def jobs(self) -> Iterator[Job]:
        """Parts of the enumeration, in the order in which their tours are listed."""
        return jobs(self._problem, self._table, directed=self._directed)

    def tours(self, _job: Job, walks: NDArray[np.int32]) -> Iterator[NDArray[np.int32]]:
        """The tours that walks of a job stand for, one a row."""
        if self._image is None:
            yield walks
        else:
            yield walks[is_invariant(walks, self._image, self._problem.closed)]

    def _many(self, job: Job, walks: NDArray[np.int32]) -> int:
        return sum(map(len, self.tours(job, walks)))

    def tasks(self) -> list[Task]:
        """The same work for counting, in which some jobs stand for several."""
        both = self._directed or self._either_way
        return count_tasks(self._problem, self._table, directed=both, unique=self._unique)


def walk_search(
    problem: Problem, table: MoveTable, *, directed: bool, unique: bool
) -> WalkSearch | Quotient:
    """What an enumeration goes through: walks from square to square, or from orbit to orbit."""
    if Symmetry in map(type, problem.conditions):
        from kt_cp.enumeration.quotient import quotient_of

        made = quotient_of(problem, table, directed=directed)
        if made is not None:
            return made
    return WalkSearch(problem, table, directed=directed, unique=unique)


MOST_SQUARES = 10_000
"""A board on which no enumeration ever ends; beyond it even its start square takes a while."""

MOST_GIVEN = 1_600
"""Squares of a board with given steps: some gigabytes of windows."""

TAKES = EDGES | {Given, Symmetry}
"""Conditions that tours are enumerated with."""


def steps_given(problem: Problem) -> bool:
    """Whether steps are given that say anything: the one step of a single square does not."""
    return problem.size > 1 and Given in map(type, problem.conditions)


@dataclass(frozen=True)
class Searches:
    """Of a problem; each part is made when it is asked for."""

    problem: Problem
    candidates: Candidates | None
    directed: bool
    unique: bool

    def __post_init__(self) -> None:
        problem = self.problem
        for condition in problem.conditions:
            if type(condition) not in TAKES:
                raise NotTakenError(f"the enumeration does not take {condition.words}")
        most = MOST_GIVEN if steps_given(problem) else MOST_SQUARES
        if problem.size > most:
            raise TooLargeError(
                f"expected at most {most:,} squares to enumerate, got {problem.size:,}"
            )

    def __getstate__(self) -> dict[str, object]:
        """For another process: what was made of the candidates, in their place."""
        return {"ways": self.ways, **vars(self), "candidates": None}

    @cached_property
    def reason(self) -> Evidence | None:
        """Why there is no tour, where that can be told without a search."""
        return obstruction(self.problem)

    @cached_property
    def table(self) -> MoveTable:
        """The moves, with numbered vertices."""
        return move_table(self.problem, self.candidates)

    @cached_property
    def ways(self) -> WalkSearch | Quotient:
        """How tours are walked where no steps are given."""
        return walk_search(self.problem, self.table, directed=self.directed, unique=self.unique)

    @cached_property
    def classes(self) -> Classes | GivenSteps:
        """How large the symmetry class of a tour is."""
        return self.given or Classes(self.problem, self.table, directed=self.directed)

    @cached_property
    def given(self) -> GivenSteps | None:
        """How tours are written where steps are given."""
        given = steps_given(self.problem)
        return GivenSteps(self.problem, directed=self.directed) if given else None

    def each(self) -> Iterator[tuple[Walker | Search, Tours]]:
        """Searches that together find every tour once, and what makes tours of their walks."""
        # Where steps are given, the search sees most reasons sooner than they are told.
        if (self.given is None or self.problem.size < 3) and self.reason is not None:
            return
        if self.given is not None:
            made = self.given.tours
            yield from ((Search(each), made) for each in with_images(self.problem))
        else:
            for job in self.ways.jobs():
                yield Walker(self.ways.graph, job), partial(self.ways.tours, job)

    def firsts(self, job: Job, walks: NDArray[np.int32]) -> int:
        """How many of the tours that walks of a job stand for are the first of their class."""
        parts = (self.classes.sizes(tours) for tours in self.ways.tours(job, walks))
        return sum(size > 0 for sizes in parts for size in sizes)


ROOM = 256
"""Most tours that are held at a time."""


def make_search(
    searches: Searches, should_stop: Callable[[], bool] | None
) -> Iterator[tuple[NDArray[np.int32], int]]:
    """Tours as they are found, some at a time, one a row, and the squares placed so far."""
    room, before = 1, 0
    for search, made in searches.each():
        found = False
        while not search.exhausted:
            walks = search.next(room=room, steps=CHUNK)
            found = found or len(walks) > 0
            yield walks[:0], before + search.placed
            for tours in made(walks):
                yield tours, before + search.placed
            if len(walks) == room:
                room = min(2 * room, ROOM)
            if should_stop is not None and should_stop():
                raise StoppedError
            none = not (found or search.exhausted)
            if none and steps_given(searches.problem) and searches.reason is not None:
                break
        before += search.placed

"""All walks from square to square.  A symmetry that has too few orbits is held against each."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from kt_cp.enumeration.symmetry import carried, image_of
from kt_cp.enumeration.walks import BitGraph, Job, Task, bit_graph, jobs, tasks_of
from kt_cp.model.conditions import Symmetry
from kt_cp.model.problem import Problem
from kt_cp.trust.reference import MoveTable

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from kt_cp.enumeration.quotient import Quotient


class Plain:
    """All walks of a problem, each a tour.

    Attributes
    ----------
    graph : BitGraph
        What the walks go along.
    halves : int
        How often :meth:`tasks` count each tour.
    many : callable, optional
        How many tours walks of a job stand for, where it is not one each.
    """

    def __init__(self, problem: Problem, table: MoveTable, *, directed: bool, unique: bool) -> None:
        self._problem, self._table = problem, table
        self._directed, self._unique = directed, unique
        self._image = image_of(problem)
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
            yield walks[carried(walks, self._image, self._problem.closed)]

    def _many(self, job: Job, walks: NDArray[np.int32]) -> int:
        return sum(map(len, self.tours(job, walks)))

    def tasks(self) -> list[Task]:
        """The same work for counting, in which some jobs stand for several."""
        both = self._directed or self._either_way
        return tasks_of(self._problem, self._table, directed=both, unique=self._unique)


def ways_of(
    problem: Problem, table: MoveTable, *, directed: bool, unique: bool
) -> Plain | Quotient:
    """What an enumeration goes through: walks from square to square, or from orbit to orbit."""
    if Symmetry in map(type, problem.conditions):
        from kt_cp.enumeration.quotient import quotient_of

        made = quotient_of(problem, table, directed=directed)
        if made is not None:
            return made
    return Plain(problem, table, directed=directed, unique=unique)

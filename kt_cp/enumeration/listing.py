"""Every tour of a problem, listed one by one in constant memory, or counted.

A square and its mirror image have the same number of open tours, so only one of them is counted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

from kt_cp.enumeration.counting import Counted, Task, count, jobs, tasks_of
from kt_cp.enumeration.given import GivenSteps
from kt_cp.enumeration.symmetry import Classes
from kt_cp.enumeration.walker import CHUNK, BitGraph, Walker, bit_graph
from kt_cp.model.board import shorten
from kt_cp.model.conditions import EDGES, Given
from kt_cp.model.errors import NotTakenError, TooLargeError
from kt_cp.model.outcome import Evidence
from kt_cp.model.posed import posed
from kt_cp.model.tour import Tour
from kt_cp.proofs.obstructions import obstruction
from kt_cp.search.windows import Windows
from kt_cp.trust.reference import Candidates, MoveTable, move_table

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from kt_cp.model.posed import Posed

MOST_SQUARES = 10_000
"""A board on which no enumeration ever ends; beyond it even its start square takes a while."""

MOST_GIVEN = 1_600
"""Squares of a board with given steps: some gigabytes of windows."""

TAKES = EDGES | {Given}
"""Conditions that tours are enumerated with."""

ROOM = 256
"""Most tours that are held at a time."""


class Enumeration:
    """All tours of a problem.

    Parameters
    ----------
    problem : Problem, or board, its sides or graph
        As for :func:`kt_cp.solve`, with the same further keywords.
    candidates : callable, optional
        Squares to try from a square, in order, always the same ones; by default as the reference
        recursion tries them.  It decides in which order tours are found, unless steps are given.
    directed : bool, optional
        Whether a tour and its reverse are two; by default for open tours that are all listed.
    unique : bool
        Whether to list one tour of each symmetry class.

    Attributes
    ----------
    placed : int
        Squares placed so far.
    complete : bool
        Whether everything has been tried.

    Raises
    ------
    NotTakenError
        If there are conditions that it does not take: symmetry.
    TooLargeError
        If the board is far beyond any enumeration, or a node has more than 64 neighbours.

    Examples
    --------
    >>> everything = Enumeration("3x4")
    >>> len(list(everything)), everything.complete, everything.unit
    (16, True, 'directed: a tour and its reverse are two')
    >>> [tour.class_size for tour in Enumeration("3x4", unique=True)]
    [4, 2, 2]
    """

    def __init__(
        self,
        problem: Posed,
        candidates: Candidates | None = None,
        *,
        directed: bool | None = None,
        unique: bool = False,
        **asked: Any,
    ) -> None:
        problem = posed(problem, asked)
        for condition in problem.conditions:
            if type(condition) not in TAKES:
                raise NotTakenError(f"the enumeration does not take {condition.words}")
        self._steps_given = Given in map(type, problem.conditions)
        most = MOST_GIVEN if self._steps_given else MOST_SQUARES
        if problem.size > most:
            raise TooLargeError(
                f"expected at most {most:,} squares to enumerate, got {problem.size:,}"
            )
        self.problem, self.unique = problem, unique
        self.directed = not (problem.closed or unique) if directed is None else directed
        self._candidates = candidates
        self.placed = 0
        self.complete = False

    @property
    def unit(self) -> str:
        """Whether a tour and its reverse are one."""
        if self.directed:
            return "directed: a tour and its reverse are two"
        return "undirected: a tour and its reverse are one"

    @property
    def counted(self) -> str:
        """What else makes two tours one."""
        shift = "a closed tour is one wherever it begins; " if self.problem.closed else ""
        if not self.unique:
            return f"{shift}rotations and reflections of the board are counted one by one"
        return f"{shift}rotations and reflections of the board are one"

    @cached_property
    def reason(self) -> Evidence | None:
        """Why there is none, where that can be told without a search."""
        return obstruction(self.problem)

    @cached_property
    def table(self) -> MoveTable:
        """The moves, with numbered vertices."""
        return move_table(self.problem, self._candidates)

    @cached_property
    def _graph(self) -> BitGraph:
        return bit_graph(self.table.heads, self.problem.forced)

    @cached_property
    def _classes(self) -> Classes | GivenSteps:
        return self._given or Classes(self.problem, self.table, directed=self.directed)

    @cached_property
    def _given(self) -> GivenSteps | None:
        """How tours are written where steps are given."""
        return GivenSteps(self.problem, directed=self.directed) if self._steps_given else None

    def _searches(self) -> Iterator[Walker | Windows]:
        """Searches that together find every tour once, or with given steps in each direction."""
        if self.reason is None and self._given is not None:
            yield Windows(self.problem)
        elif self.reason is None:
            for job in jobs(self.problem, self.table, directed=self.directed):
                yield Walker(self._graph, job)

    def __repr__(self) -> str:
        return f"<Enumeration: {shorten(self.problem.label, 80)}>"

    def __iter__(self) -> Iterator[Tour]:
        return self.tours()

    def tours(self, should_stop: Callable[[], bool] | None = None) -> Iterator[Tour]:
        """Tours as they are found, each looked for only when it is asked for or soon will be.

        Parameters
        ----------
        should_stop : callable, optional
            Polled some ten times a second; the iteration ends when it says so.
        """
        room = 1
        for search in self._searches():
            before = self.placed
            while not search.exhausted:
                walks = search.next(room=room, steps=CHUNK)
                self.placed = before + search.placed
                yield from self._listed(walks)
                if len(walks) == room:
                    room = min(2 * room, ROOM)
                if should_stop is not None and should_stop():
                    return
            self.placed = before + search.placed
        self.complete = True

    def _listed(self, walks: NDArray[np.int32]) -> Iterator[Tour]:
        problem = self.problem
        nodes = problem.indexed.nodes if self._given else self.table.nodes
        if self._given and self._given.reversible and not self.directed:
            walks = self._given.forward(walks)
        sizes = self._classes.sizes(walks) if self.unique else [None] * len(walks)
        for walk, size in zip(walks.tolist(), sizes, strict=True):
            if size != 0:
                squares = [nodes[vertex] for vertex in walk]
                yield Tour(squares, problem.closed, problem.board, problem.piece, size)

    def work(self) -> float:
        """Estimate of how many squares :meth:`count` will place; 0 where steps are given."""
        from kt_cp.enumeration.estimate import squares_to_place

        if self.reason is not None or self._steps_given:
            return 0.0
        return squares_to_place(self._graph, self._tasks)

    def count(
        self,
        should_stop: Callable[[], bool] | None = None,
        workers: int | None = None,
        progress: Callable[[Mapping[str, float]], None] | None = None,
    ) -> int:
        """How many there are; so far, where it was stopped and is not ``complete``.

        Parameters
        ----------
        should_stop : callable, optional
            Polled by every thread some ten times a second.
        workers : int, optional
            Threads; by default as many as there are processors.
        progress : callable, optional
            Told now and then, by any thread, the tours found and the squares placed so far.
        """
        if self.reason is not None:
            self.complete = True
            return 0
        if self._given is not None:
            return self._counted_one_by_one(should_stop, progress)
        sizes = self._classes.sizes if self.unique else None
        halves = 2 if self._either_way else 1

        def told(so_far: Counted) -> None:
            self.placed = so_far.placed
            if progress is not None:
                progress({"tours": so_far.found // halves, "squares placed": so_far.placed})

        counted = count(self._graph, self._tasks, sizes, should_stop, workers, told)
        self.placed, self.complete = counted.placed, counted.complete
        return counted.found // halves

    def _counted_one_by_one(
        self,
        should_stop: Callable[[], bool] | None,
        progress: Callable[[Mapping[str, float]], None] | None,
    ) -> int:
        found = 0

        def stop() -> bool:
            if progress is not None:
                progress({"tours": found, "squares placed": self.placed})
            return should_stop is not None and should_stop()

        for _ in self.tours(stop):
            found += 1
        return found

    @property
    def _either_way(self) -> bool:
        """Whether every tour is counted in both directions, which lets starts be exchanged."""
        free = self.problem.start is None and self.problem.end is None and self.problem.size > 1
        return free and not (self.problem.closed or self.directed or self.unique)

    @property
    def _tasks(self) -> list[Task]:
        both = self.directed or self._either_way
        return tasks_of(self.problem, self.table, directed=both, unique=self.unique)

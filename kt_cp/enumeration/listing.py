"""Every tour of a problem, listed one by one in constant memory, or counted.

Given steps and symmetries have searches of their own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

from kt_cp.enumeration.counting import Counted, count
from kt_cp.enumeration.given import GivenSteps, with_images
from kt_cp.enumeration.plain import Plain, ways_of
from kt_cp.enumeration.symmetry import Classes
from kt_cp.enumeration.walker import CHUNK, Job, Walker
from kt_cp.model.board import shorten
from kt_cp.model.conditions import EDGES, Given, Symmetry
from kt_cp.model.errors import NotTakenError, TooLargeError
from kt_cp.model.outcome import Evidence
from kt_cp.model.posed import posed
from kt_cp.model.progress import Progress
from kt_cp.model.tour import Tour
from kt_cp.proofs.obstructions import obstruction
from kt_cp.search.windows import Windows
from kt_cp.trust.reference import Candidates, MoveTable, move_table

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from kt_cp.enumeration.quotient import Quotient
    from kt_cp.model.posed import Posed

    Tours = Callable[[NDArray[np.int32]], Iterator[NDArray[np.int32]]]

MOST_SQUARES = 10_000
"""A board on which no enumeration ever ends; beyond it even its start square takes a while."""

MOST_GIVEN = 1_600
"""Squares of a board with given steps: some gigabytes of windows."""

TAKES = EDGES | {Given, Symmetry}
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
        recursion tries them.  It decides in which order tours are found, unless there are given
        steps or a symmetry.
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
        If there are conditions that it does not take.
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
        many = "directed: {} two" if self.directed else "undirected: {} one"
        return many.format("a tour and its reverse are")

    @property
    def counted(self) -> str:
        """What else makes two tours one."""
        shift = "a closed tour is one wherever it begins; " if self.problem.closed else ""
        how = "one" if self.unique else "counted one by one"
        return f"{shift}rotations and reflections of the board are {how}"

    @cached_property
    def reason(self) -> Evidence | None:
        """Why there is none, where that can be told without a search."""
        return obstruction(self.problem)

    @cached_property
    def table(self) -> MoveTable:
        """The moves, with numbered vertices."""
        return move_table(self.problem, self._candidates)

    @cached_property
    def _ways(self) -> Plain | Quotient:
        return ways_of(self.problem, self.table, directed=self.directed, unique=self.unique)

    @cached_property
    def _classes(self) -> Classes | GivenSteps:
        return self._given or Classes(self.problem, self.table, directed=self.directed)

    @cached_property
    def _given(self) -> GivenSteps | None:
        """How tours are written where steps are given."""
        return GivenSteps(self.problem, directed=self.directed) if self._steps_given else None

    def _searches(self) -> Iterator[tuple[Walker | Windows, Tours]]:
        """Searches that together find every tour once, and what makes tours of their walks."""
        if self.reason is not None:
            return
        if self._given is not None:
            made = self._given.tours
            yield from ((Windows(each), made) for each in with_images(self.problem))
        else:
            for job in self._ways.jobs():
                yield Walker(self._ways.graph, job), partial(self._ways.tours, job)

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
        for search, made in self._searches():
            before = self.placed
            while not search.exhausted:
                walks = search.next(room=room, steps=CHUNK)
                self.placed = before + search.placed
                for tours in made(walks):
                    yield from self._listed(tours)
                if len(walks) == room:
                    room = min(2 * room, ROOM)
                if should_stop is not None and should_stop():
                    return
            self.placed = before + search.placed
        self.complete = True

    def _listed(self, tours: NDArray[np.int32]) -> Iterator[Tour]:
        problem = self.problem
        nodes = problem.indexed.nodes if self._given else self.table.nodes
        sizes = self._classes.sizes(tours) if self.unique else [None] * len(tours)
        for walk, size in zip(tours.tolist(), sizes, strict=True):
            if size != 0:
                squares = [nodes[vertex] for vertex in walk]
                yield Tour(squares, problem.closed, problem.board, problem.piece, size)

    def work(self) -> float:
        """Estimate of how many squares :meth:`count` will place; 0 where steps are given."""
        from kt_cp.enumeration.estimate import squares_to_place

        if self.reason is not None or self._steps_given:
            return 0.0
        return squares_to_place(self._ways.graph, self._ways.tasks())

    def count(
        self,
        should_stop: Callable[[], bool] | None = None,
        workers: int | None = None,
        progress: Progress | None = None,
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
        ways = self._ways

        def told(so_far: Counted) -> None:
            self.placed = so_far.placed
            if progress is not None:
                progress({"tours": so_far.found // ways.halves, "squares placed": so_far.placed})

        each = self._firsts if self.unique else ways.many
        counted = count(ways.graph, ways.tasks(), each, should_stop, workers, told)
        self.placed, self.complete = counted.placed, counted.complete
        return counted.found // ways.halves

    def _firsts(self, job: Job, walks: NDArray[np.int32]) -> int:
        """How many of the tours that walks of a job stand for are the first of their class."""
        parts = (self._classes.sizes(tours) for tours in self._ways.tours(job, walks))
        return sum(size > 0 for sizes in parts for size in sizes)

    def _counted_one_by_one(
        self,
        should_stop: Callable[[], bool] | None,
        progress: Progress | None,
    ) -> int:
        found = 0

        def stop() -> bool:
            if progress is not None:
                progress({"tours": found, "squares placed": self.placed})
            return should_stop is not None and should_stop()

        for _ in self.tours(stop):
            found += 1
        return found

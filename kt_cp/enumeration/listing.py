"""Every tour of a problem, listed one by one in constant memory, or counted.

Given steps and symmetries have searches of their own; directed graphs have an undirected form.

A certificate of the tours that an enumeration has listed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any

from kt_cp.enumeration.searches import Searches, make_search, steps_given
from kt_cp.enumeration.walks import CountState, count, count_listed
from kt_cp.model.board import shorten
from kt_cp.model.directed import directed_tour, undirected
from kt_cp.model.errors import InputError, UnsoundEngineError
from kt_cp.model.limits import Clock, Limits
from kt_cp.model.move_order import Candidates, MoveTable
from kt_cp.model.outcome import Certificate, Evidence
from kt_cp.model.problem import Problem, as_problem
from kt_cp.model.request import Progress
from kt_cp.model.terms import direction, is_reverse_distinct, units
from kt_cp.model.tour import Tour
from kt_cp.processes.interruptible_cpsat import StoppedError
from kt_cp.proofs.certificate import nameable
from kt_cp.trust.check.refutation import MOST_TOURS

if TYPE_CHECKING:
    from concurrent.futures import Executor

    import numpy as np
    from numpy.typing import NDArray

    from kt_cp.model.problem import ProblemInput
    from kt_cp.processes.task_queue import ResultStore


def certify_enumeration(
    problem: Problem,
    tours: Sequence[Tour],
    clock: Clock,
    memory_limit: float | None = None,
    *,
    seed: int = 0,
    progress: Progress | None = None,
) -> Certificate | None:
    """That these are all, found within what is left of the clock; None where none is."""
    from kt_cp.proofs.complete import complete

    limits = clock.limits(memory_limit)
    finding = complete(problem, tours, limits, seed=seed, progress=progress)
    if finding.tour is not None:
        names = " ".join(finding.tour.names)
        raise UnsoundEngineError(f"the enumeration of {problem.label} has missed a tour: {names}")
    return finding.certificate


class Enumeration:
    """All tours of a problem.

    Parameters
    ----------
    problem : Problem, or board, its sides or graph
        As for :func:`kt_cp.solve`, with the same further keywords.
    candidates : callable, optional
        Squares to try from a square, in order, always the same ones; by default as the reference
        recursion tries them.  It decides in which order tours are found, unless there are given
        steps, a symmetry or arcs.
    directed : bool, optional
        Whether a tour and its reverse are two; by default for open tours that are all listed.
        On a digraph they always are: the option changes nothing there.
    unique : bool
        Whether to list one tour of each symmetry class.

    Attributes
    ----------
    placed : int
        Squares placed so far; for a directed graph, those of its undirected form.
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
        problem: ProblemInput,
        candidates: Candidates | None = None,
        *,
        directed: bool | None = None,
        unique: bool = False,
        **asked: Any,
    ) -> None:
        problem = as_problem(problem, asked)
        self.problem, self.unique = problem, unique
        self.directed = is_reverse_distinct(problem, directed, unique=unique)
        form, both = problem, self.directed
        if problem.directed:  # of its form no two tours are each other's reverse
            self._named, both, candidates = nameable(problem), False, None
            form = undirected(self._named)
        self._by = Searches(form, candidates, both, unique)
        self.placed = 0
        self.complete = False

    @property
    def unit(self) -> str:
        """Whether a tour and its reverse are one."""
        return direction(self.problem, directed=self.directed)

    @property
    def counted(self) -> str:
        """What makes two tours one."""
        return units(self.problem, directed=self.directed, unique=self.unique)

    @property
    def reason(self) -> Evidence | None:
        """Why there is none, where that can be told without a search."""
        return self._by.reason

    @property
    def table(self) -> MoveTable:
        """The moves, with numbered vertices."""
        return self._by.table

    def __repr__(self) -> str:
        return f"<Enumeration: {shorten(self.problem.label, 80)}>"

    def __iter__(self) -> Iterator[Tour]:
        return self.tours()

    def tours(
        self, should_stop: Callable[[], bool] | None = None, *, executor: Executor | None = None
    ) -> Iterator[Tour]:
        """Tours as they are found, each looked for only when it is asked for or soon will be.

        Parameters
        ----------
        should_stop : callable, optional
            Polled some ten times a second; the iteration ends when it says so.
        executor : concurrent.futures.Executor, optional
            Who looks for them, in pieces, in the same order; given steps are not taken then.
        """
        if executor is None:
            found = make_search(self._by, should_stop)
        else:
            from kt_cp.enumeration.parallel import list_in_pieces

            found = list_in_pieces(self._by, executor, should_stop)
        try:
            for tours, self.placed in found:
                yield from self._listed(tours)
        except StoppedError:
            return
        self.complete = True

    def _listed(self, tours: NDArray[np.int32]) -> Iterator[Tour]:
        problem = self.problem
        nodes = self._by.problem.indexed.nodes if self._by.given else self.table.nodes
        sizes = self._by.classes.sizes(tours) if self.unique else [None] * len(tours)
        for walk, size in zip(tours.tolist(), sizes, strict=True):
            if size != 0:
                squares = [nodes[vertex] for vertex in walk]
                tour = Tour(squares, problem.closed, problem.board, problem.piece, size)
                yield directed_tour(problem, tour, self._named.graph) if problem.directed else tour

    def work(self) -> float | None:
        """Estimate how many squares :meth:`count` will place; None where steps are given."""
        from kt_cp.enumeration.walks import squares_to_place

        if self.reason is not None:
            return 0.0
        if steps_given(self.problem):
            return None
        return squares_to_place(self._by.ways.graph, self._by.ways.tasks())

    def count(
        self,
        should_stop: Callable[[], bool] | None = None,
        workers: int | None = None,
        progress: Progress | None = None,
        *,
        executor: Executor | None = None,
        store: ResultStore | None = None,
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
        executor : concurrent.futures.Executor, optional
            Who counts them, in pieces, in place of threads here; given steps are not taken then.
        store : Kept, optional
            Where the executor's pieces are kept.
        """
        if executor is None and steps_given(self.problem):
            return count_listed(self.tours, lambda: self.placed, should_stop, progress)
        if self.reason is not None:
            self.complete = True
            return 0
        ways = self._by.ways

        def told(so_far: CountState) -> None:
            self.placed = so_far.placed
            if progress is not None:
                progress({"tours": so_far.found // ways.halves, "squares placed": so_far.placed})

        if executor is not None:
            from kt_cp.enumeration.parallel import count_in_pieces

            found = count_in_pieces(self._by, executor, should_stop, told, store)
        else:
            each = self._by.firsts if self.unique else ways.many
            found = count(ways.graph, ways.tasks(), each, should_stop, workers, told)
        self.placed, self.complete = found.placed, found.complete
        return found.found // ways.halves

    def certificate(
        self,
        *,
        time_limit: float | None = None,
        memory_limit: float | None = None,
        seed: int = 0,
        progress: Progress | None = None,
    ) -> Certificate | None:
        """A certificate that these are all tours, or that there is none; None if time was over.

        The tours are listed for it first.  An open tour and its reverse are one there.

        Parameters
        ----------
        time_limit, memory_limit : float, optional
            Seconds for all of it, and megabytes of resident memory for the refutation.

        Raises
        ------
        InputError
            If it is an enumeration of symmetry classes.
        TooLargeError
            If there are more than 10,000 tours, or too many squares.
        MemoryError
            If the memory limit was reached.

        Examples
        --------
        >>> Enumeration("3x4", start="a1").certificate().claim
        'all 2 tours'
        """
        if self.unique:
            raise InputError("expected an enumeration of all tours to certify, got one of classes")
        clock = Limits(time_limit, memory_limit).clock()
        tours = [*islice(self.tours(clock.expired), 2 * MOST_TOURS + 1)]  # in both directions
        if not self.complete and len(tours) <= 2 * MOST_TOURS:
            return None
        return certify_enumeration(
            self.problem, tours, clock, memory_limit, seed=seed, progress=progress
        )

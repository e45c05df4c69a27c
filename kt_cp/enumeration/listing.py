"""All tours of a problem, listed one by one in constant memory, counted, or certified.

Given steps and symmetries have separate searches; directed graphs have an undirected form.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any

from kt_cp.enumeration.searches import Searches, has_given_steps, make_search
from kt_cp.enumeration.walks import CountState, count
from kt_cp.model.board import shorten
from kt_cp.model.directed import directed_tour, undirected
from kt_cp.model.errors import InputError, UnsoundEngineError
from kt_cp.model.limits import Limits, StoppedError
from kt_cp.model.move_order import Candidates, MoveTable
from kt_cp.model.outcome import Certificate, Evidence
from kt_cp.model.problem import as_problem, check_flag
from kt_cp.model.request import Progress, Request
from kt_cp.model.terms import direction, is_reverse_distinct, units
from kt_cp.model.tour import Tour
from kt_cp.proofs.certificate import rename_nodes
from kt_cp.trust.check.refutation import MOST_TOURS

if TYPE_CHECKING:
    from concurrent.futures import Executor

    import numpy as np
    from numpy.typing import NDArray

    from kt_cp.model.problem import ProblemInput
    from kt_cp.processes.task_queue import ResultStore


def certify_enumeration(request: Request, tours: Sequence[Tour]) -> Certificate | None:
    """Return a certificate that these are all tours, or None if the time is over."""
    from kt_cp.proofs.complete import certify_tours

    finding = certify_tours(request, tours)
    if finding.tour is not None:
        names = " ".join(finding.tour.names)
        raise UnsoundEngineError(
            f"the enumeration of {request.problem.label} has missed a tour: {names}"
        )
    return finding.certificate


class Enumeration:
    """All tours of a problem.

    Parameters
    ----------
    problem : Problem, or board, its sides or graph
        As for :func:`kt_cp.solve`, with the same additional keywords.
    candidates : callable, optional
        Function that returns the squares to try from a square, in a fixed order; by default, that
        of the reference recursion.  It determines the order of tours, unless there are given steps,
        a symmetry or arcs.
    directed : bool, optional
        Whether a tour and its reverse count as two; by default true for open tours without
        ``unique``.  On a digraph they always count as two, regardless of the option.
    unique : bool
        Whether to list one tour of each symmetry class.

    Attributes
    ----------
    placed : int
        Squares placed so far; for a directed graph, those of its undirected form.
    complete : bool
        Whether the search is complete.

    Raises
    ------
    NotTakenError
        If a condition is not supported.
    TooLargeError
        If the board is too large for an enumeration, or a node has more than 64 neighbours.

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
        **options: Any,
    ) -> None:
        problem = as_problem(problem, options)
        unique = check_flag(unique, "unique")
        directed = None if directed is None else check_flag(directed, "directed")
        self.problem, self.unique = problem, unique
        self.directed = is_reverse_distinct(problem, directed, unique=unique)
        form, both = problem, self.directed
        if problem.directed:  # in its undirected form, no tour is the reverse of another
            self._named, both, candidates = rename_nodes(problem), False, None
            form = undirected(self._named)
        self._searches = Searches(form, candidates, both, unique)
        self.placed = 0
        self.complete = False

    @property
    def unit(self) -> str:
        """Description of whether a tour and its reverse count as one or two."""
        return direction(self.problem, directed=self.directed)

    @property
    def counted(self) -> str:
        """Description of which tours count as one."""
        return units(self.problem, directed=self.directed, unique=self.unique)

    @property
    def reason(self) -> Evidence | None:
        """Evidence that there is no tour, if it needs no search, or None."""
        return self._searches.reason

    @property
    def table(self) -> MoveTable:
        """Table of the moves, with numbered vertices."""
        return self._searches.table

    def __repr__(self) -> str:
        return f"<Enumeration: {shorten(self.problem.label, 80)}>"

    def __iter__(self) -> Iterator[Tour]:
        return self.tours()

    def tours(
        self, should_stop: Callable[[], bool] | None = None, *, executor: Executor | None = None
    ) -> Iterator[Tour]:
        """Yield tours as they are found, lazily.

        Parameters
        ----------
        should_stop : callable, optional
            Polled about ten times a second; the iteration ends when it returns True.
        executor : concurrent.futures.Executor, optional
            Finds tours by tasks, in the same order; not supported with given steps.
        """
        if executor is None:
            found = make_search(self._searches, should_stop)
        else:
            from kt_cp.enumeration.parallel import list_by_tasks

            found = list_by_tasks(self._searches, executor, should_stop)
        try:
            for tours, self.placed in found:
                yield from self._as_tours(tours)
        except StoppedError:
            return
        self.complete = True

    def _as_tours(self, tours: NDArray[np.int32]) -> Iterator[Tour]:
        problem, searches = self.problem, self._searches
        nodes = searches.problem.indexed.nodes if searches.given else self.table.nodes
        sizes = searches.classes.sizes(tours) if self.unique else [None] * len(tours)
        for walk, size in zip(tours.tolist(), sizes, strict=True):
            if size != 0:
                squares = [nodes[vertex] for vertex in walk]
                tour = Tour(squares, problem.closed, problem.board, problem.piece, size)
                yield directed_tour(problem, tour, self._named.graph) if problem.directed else tour

    def work(self) -> float | None:
        """Return an estimate of the squares that :meth:`count` places; None with given steps."""
        from kt_cp.enumeration.walks import squares_to_place

        if self.reason is not None:
            return 0.0
        if has_given_steps(self.problem):
            return None
        return squares_to_place(self._searches.walks.graph, self._searches.walks.tasks())

    def count(
        self,
        should_stop: Callable[[], bool] | None = None,
        workers: int | None = None,
        progress: Progress | None = None,
        *,
        executor: Executor | None = None,
        store: ResultStore | None = None,
    ) -> int:
        """Return the number of tours, or the number so far if the count was stopped.

        Parameters
        ----------
        should_stop : callable, optional
            Polled by every thread about ten times a second.
        workers : int, optional
            Threads; by default the number of processors.
        progress : callable, optional
            Called now and then, by any thread, with the numbers of tours found and squares placed.
        executor : concurrent.futures.Executor, optional
            Counts tours by tasks instead of threads; not supported with given steps.
        store : TaskResults, optional
            Stores the results of the executor's tasks.
        """
        found = 0
        if executor is None and has_given_steps(self.problem):

            def poll() -> bool:
                if progress is not None:
                    progress({"tours": found, "squares placed": self.placed})
                return should_stop is not None and should_stop()

            for _ in self.tours(poll):
                found += 1
            return found
        if self.reason is not None:
            self.complete = True
            return 0
        walks = self._searches.walks

        def report(so_far: CountState) -> None:
            self.placed = so_far.placed
            if progress is not None:
                progress({"tours": so_far.found // walks.halves, "squares placed": so_far.placed})

        if executor is not None:
            from kt_cp.enumeration.parallel import count_by_tasks

            end = count_by_tasks(self._searches, executor, should_stop, report, store)
        else:
            each = self._searches.firsts if self.unique else walks.many
            end = count(walks.graph, walks.tasks(), each, should_stop, workers, report)
        self.placed, self.complete = end.placed, end.complete
        return end.found // walks.halves

    def certificate(
        self,
        *,
        time_limit: float | None = None,
        memory_limit: float | None = None,
        seed: int = 0,
        progress: Progress | None = None,
    ) -> Certificate | None:
        """Return a certificate that lists all tours, or None if the time is over.

        The tours are listed first.  In the certificate an open tour and its reverse count as one.

        Parameters
        ----------
        time_limit, memory_limit : float, optional
            Seconds in total, and megabytes of resident memory for the refutation.

        Raises
        ------
        InputError
            If this is an enumeration of symmetry classes.
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
        limits = Limits(time_limit, memory_limit)
        request = Request.begin(self.problem, limits, seed=seed, progress=progress)
        tours = [*islice(self.tours(request.expired), 2 * MOST_TOURS + 1)]  # in both directions
        if not self.complete and len(tours) <= 2 * MOST_TOURS:
            return None
        return certify_enumeration(request, tours)

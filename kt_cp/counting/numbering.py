"""Every tour by its number, and the number of every tour.

A numbering is a bijection between the tours of a problem and the numbers from 0 on below their
count.

Two sequences that are one tour have one number: a closed tour wherever it begins, and a tour and
its reverse.  A tour of a number is written as the problem wants it, from its start or to its end;
where it wants nothing, a closed one from the first square, and each in the direction in which the
earlier square comes first.

The numbers are those of a method (``method.Tables``): each has an order of its own, and keeps it.
Which method that is depends on the problem alone, and not on the machine.

Source: H. S. Wilf, "A unified setting for sequencing, ranking, and selection algorithms for
combinatorial objects", Advances in Mathematics 24 (1977).

Tours drawn at random, by numbers drawn at random.

As tours and numbers are in bijection (see ``numbering``), a number drawn uniformly is a tour drawn
uniformly, each as likely as any other, and the same seed draws the same tours.

Tours by their numbers where they are few: all of them listed, and put in order.

A tour is written as the least of the sequences that mean it: a closed tour from the first vertex
on, and in both cases in the direction in which the earlier one of two vertices comes first.  In the
order of these sequences tours have their numbers, so the numbers say nothing of how tours are found
and stay what they are.  Unranking is a look at a list, ranking a search by halving.

It takes whatever :class:`kt_cp.enumeration.Enumeration` takes, given steps and symmetries as well,
and is what the methods that count without listing are compared with.  Cost: the time of listing all
tours, and some hundred bytes for each.  It loses wherever tours are many: beyond a million it
gives up.
"""

from __future__ import annotations

import random
import struct
from bisect import bisect_left
from collections.abc import Generator, Iterator, Sequence
from contextlib import suppress
from functools import lru_cache
from operator import index as whole
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kt_cp.counting.plan import AUTO, choose, get_method
from kt_cp.enumeration import Enumeration
from kt_cp.enumeration.searches import steps_given
from kt_cp.model.board import shorten, square_of
from kt_cp.model.errors import (
    InputError,
    NotTakenError,
    NumberError,
    TooLargeError,
    UnsoundEngineError,
)
from kt_cp.model.orbits import motion_of
from kt_cp.model.problem import Problem, as_problem
from kt_cp.model.progress import Progress
from kt_cp.model.tour import Tour
from kt_cp.processes.store import Kind, Store
from kt_cp.processes.task_queue import Done, run_tasks
from kt_cp.proofs.obstructions import obstruction
from kt_cp.trust.judge import defects

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from kt_cp.counting.method import Tables
    from kt_cp.model.problem import Problem, ProblemInput
    from kt_cp.model.tour import Tour


MOST_LISTED = 1_000_000
"""Tours: a minute, and some hundred megabytes."""


def ordered_nodes(problem: Problem) -> list[Any]:
    """The squares or nodes in the order of their numbers, of a directed graph as well."""
    return list(problem.graph if problem.directed else problem.indexed.nodes)


def least_sequence(walk: Sequence[int], *, closed: bool, directed: bool) -> list[int]:
    """The least sequence of those that are one tour.

    Examples
    --------
    >>> least_sequence([2, 1, 0, 3], closed=True, directed=False)
    [0, 1, 2, 3]
    """
    found = list(walk)
    if closed:
        at = found.index(min(found))
        found = found[at:] + found[:at]
        back = [found[0], *found[:0:-1]]
    else:
        back = found[::-1]
    return found if directed else min(found, back)


class ListedTables:
    """All tours of a problem in order; ``method.Tables`` says what it answers.

    ``most``: tours; by default a million; ``size``: how many there are, a tour and its reverse as
    one.

    Examples
    --------
    >>> tables = ListedTables(Problem("3x4"))
    >>> tables.size, tables.tour(7), tables.number(tables.tour(7)[::-1])
    (8, (7, 1, 8, 6, 0, 9, 2, 4, 10, 3, 5, 11), 7)
    """

    def __init__(
        self, problem: Problem, *, progress: Progress | None = None, most: int | None = None
    ) -> None:
        most = MOST_LISTED if most is None else most
        self._problem = problem
        index = {node: at for at, node in enumerate(ordered_nodes(problem))}
        # Where steps are given it is they that say where a tour begins.
        written: dict[bytes, bytes] = {}
        keys = []
        for walk in self._walks(index, progress):
            keys.append(key := self._key(walk))
            if steps_given(problem):
                written[key] = _encode_walk(walk)
            if len(keys) > most:
                raise TooLargeError(
                    f"{problem.label}: expected at most {most:,} tours to number by listing "
                    "them, got more"
                )
        keys.sort()
        self.size = len(keys)
        self._keys, self._written = keys, written

    def _walks(self, index: dict[object, int], progress: Progress | None) -> Iterator[list[int]]:
        found = 0

        def told() -> bool:
            if progress is not None:
                progress({"tours": found})
            return False

        for tour in Enumeration(self._problem, directed=False).tours(told):
            found += 1
            yield [index[square] for square in tour.squares]

    def _key(self, walk: Sequence[int]) -> bytes:
        problem = self._problem
        return _encode_walk(least_sequence(walk, closed=problem.closed, directed=problem.directed))

    def tour(self, number: int) -> Sequence[int]:
        """Vertices, in order, of the tour of a number from 0 on."""
        key = self._keys[number]
        walk = self._written.get(key, key)
        return struct.unpack(f">{len(walk) // 2}H", walk)

    def number(self, tour: Sequence[int]) -> int:
        """The number of a tour, in whichever direction and wherever a closed one begins."""
        key = self._key(tour)
        place = bisect_left(self._keys, key)
        if place == self.size or self._keys[place] != key:
            raise UnsoundEngineError(f"the enumeration of {self._problem.label} misses a tour")
        return place


def _encode_walk(walk: Sequence[int]) -> bytes:
    """A walk as bytes in the order of walks: an enumeration takes at most 10,000 squares."""
    return struct.pack(f">{len(walk)}H", *walk)


DENSE, FRONTIER, LISTED = "dense", "frontier", "enumerate"
LARGE = (DENSE, FRONTIER)
"""Methods whose tours are too many to be listed, the first one where it takes a problem."""

SMALL, SOON_LISTED = 30, 100_000
"""Squares of boards whose tours are listed, where there are no more than that many."""


class Numbering:
    """The tours of a problem as a sequence, of which none is held.

    Parameters
    ----------
    problem : Problem, or board, its sides or graph
        As for :func:`kt_cp.solve`, with the same further keywords.
    method : str
        Whose numbers: ``"dense"``, ``"frontier"``, ``"enumerate"``, or ``"auto"`` for the one that
        suits the problem, always the same one.
    progress : callable, optional
        Told what was done so far; it may raise.
    memory_limit : float, optional
        Megabytes.
    store : path, optional
        Of a folder where the tables of ``"dense"`` are kept, or are already.

    Attributes
    ----------
    size : int
        How many tours there are, a tour and its reverse as one, however many; ``len()`` as well,
        where that is among the machine's integers.
    method : str
        Whose numbers these are.

    Raises
    ------
    NotTakenError
        If no method takes one of the problem's conditions.
    TooLargeError
        If there are too many tours for every method that takes the problem.

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
        **asked: Any,
    ) -> None:
        self.problem = problem = as_problem(problem, asked)
        self._nodes = ordered_nodes(problem)
        told = not problem.directed and not steps_given(problem)
        self._reason = obstruction(problem) if told else None
        self.method, self.size, self._store = method, 0, store
        if self._reason is None:
            limits = memory_limit, store
            self.method, self._tables = _make_tables(problem, method, progress, *limits)
            self.size = self._tables.size

    @property
    def reason(self) -> str | None:
        """Why there is no tour, where that can be told without a search."""
        return None if self._reason is None else self._reason.text

    def __reduce__(self) -> tuple[Any, ...]:
        """For another process, which makes its own: tables are larger than what makes them."""
        return cached_numbering, (self.problem, self.method, self._store)

    def __repr__(self) -> str:
        return f"<Numbering: {self.size:,} tours, {shorten(self.problem.label, 60)}>"

    def __len__(self) -> int:
        return self.size

    def __iter__(self) -> Iterator[Tour]:
        return (self._tour(number) for number in range(self.size))

    def __getitem__(self, number: int) -> Tour:
        """The tour of a number; those below 0 count from the end.

        Raises
        ------
        NumberError
            If there is no tour of that number; it is an ``IndexError`` too.
        """
        at = whole(number)
        if not -self.size <= at < self.size:
            raise NumberError(
                f"expected a number from 0 to {self.size - 1:,} of a tour, got {at:,}"
                if self.size
                else f"expected no number: there is no tour ({self.problem.label}), got {at:,}"
            )
        return self._tour(at % self.size)

    def _tour(self, number: int) -> Tour:
        problem, nodes = self.problem, self._nodes
        walk = arrange_tour(problem, self._tables.tour(number))
        tour = problem.tour([nodes[vertex] for vertex in walk])
        if found := defects(problem, tour.squares):
            raise UnsoundEngineError(
                f"{self.method} gave no tour of {problem.label} for number {number}: {found[0]}; "
                f"squares {' '.join(tour.names)}"
            )
        return tour

    def index(self, tour: Tour | Sequence[Any]) -> int:
        """The number of a tour, in whichever direction and wherever a closed one begins.

        Parameters
        ----------
        tour : Tour, or sequence of squares, their names or nodes

        Raises
        ------
        InputError
            If it is none of the problem, with its first defect.
        """
        problem = self.problem
        if isinstance(tour, Tour):
            mine = problem.tour(())
            if (tour.closed, tour.board, tour.piece) != (mine.closed, mine.board, mine.piece):
                raise InputError(f"expected a tour of {problem.label}, got {tour!r}")
        squares = tuple(tour)
        if found := defects(problem, squares):
            raise InputError(f"expected a tour of {problem.label}, got none: {found[0]}")
        if problem.board is not None:
            squares = tuple(map(square_of, squares))
        index = {node: at for at, node in enumerate(self._nodes)}
        return self._tables.number([index[square] for square in squares])


@lru_cache(1)
def cached_numbering(problem: Problem, method: str, store: Path | str | None) -> Numbering:
    """The numbering of a problem, made once for all pieces that a process works on."""
    return Numbering(problem, method, store=store)


def arrange_tour(problem: Problem, walk: Sequence[int]) -> Sequence[int]:
    """A tour as the problem wants it written; where steps are given, whoever found it knows."""
    if steps_given(problem):
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
        if any(asked is not None and nodes[at] != asked for asked, at in ends):
            found.reverse()
    return found


def _make_tables(
    problem: Problem,
    method: str,
    progress: Progress | None,
    memory_limit: float | None,
    store: Path | str | None,
) -> tuple[str, Tables]:
    """A method and its tables.  The problem alone says which, as numbers are those of a method."""
    if method == AUTO:
        method = next((each for each in LARGE if can_number(each, problem)), LISTED)
        if problem.size <= SMALL or method == LISTED:
            with suppress(TooLargeError):
                return LISTED, ListedTables(problem, progress=progress, most=SOON_LISTED)
    named = get_method(method)
    if named.refuses(problem) is None and named.estimate(problem).disk:
        raise NotTakenError(f"{problem.label}: {method} counts tours that wide, and numbers none")
    choose(problem, method, memory_limit=memory_limit)
    if store is not None and method != DENSE:
        raise InputError(f"expected no store for tables but those of {DENSE}, got {method}")
    if method == DENSE:
        from kt_cp.counting.dense.dense import METHOD
        from kt_cp.counting.dense.tour_ranking import DenseTables

        if store is None:
            return method, DenseTables(problem, progress=progress)
        with Store(store, problem, Kind(f"{method}-tables", METHOD.version)) as folder:
            return method, DenseTables(problem, progress=progress, store=folder)
    if method == LISTED:
        return method, ListedTables(problem, progress=progress)
    from kt_cp.counting.frontier.ranking import FrontierTables

    return method, FrontierTables(problem, progress=progress, memory_limit=memory_limit)


def can_number(method: str, problem: Problem) -> bool:
    """Whether a method takes a problem."""
    chosen = get_method(method)
    if chosen.refuses(problem) is not None or motion_of(problem) is not None:
        return False
    return method != DENSE or not chosen.estimate(problem).disk


PIECE = 50
"""Tours that a piece looks up: those of 8×8 take some seconds."""


def unrank_all(
    tours: Numbering, numbers: Sequence[int], executor: Executor | None = None
) -> Generator[Tour, None, None]:
    """The tours of some numbers, in their order; in pieces, where there is an executor."""
    if executor is None:
        yield from (tours[number] for number in numbers)
        return
    pieces = ((tours, numbers[at : at + PIECE]) for at in range(0, len(numbers), PIECE))
    for found in run_tasks(executor, unrank_in_worker, pieces):
        yield from found


def unrank_in_worker(tours: Numbering, numbers: Sequence[int]) -> Done:
    """The tours of some numbers, wherever this is called."""
    return Done([tours[number] for number in numbers])


def sample(
    problem: ProblemInput,
    k: int,
    seed: int = 0,
    *,
    executor: Executor | None = None,
    **asked: Any,
) -> list[Tour]:
    """Tours drawn at random, with replacement: each as likely as any other, every time.

    Parameters
    ----------
    problem : Problem, or board, its sides or graph
        As for :class:`kt_cp.Numbering`, with the same further keywords.
    k : int
        How many.
    seed : int
        The same seed draws the same tours.
    executor : concurrent.futures.Executor, optional
        Who looks the tours of the numbers up; each worker makes tables of its own.

    Raises
    ------
    InputError
        If there is no tour and one is asked for; otherwise as for :class:`Numbering`.

    Examples
    --------
    >>> sample("5x6", 1, seed=1, closed=True)
    [<Tour: 5x6, closed: a1 c2 e1 f3 e5 d3 f4 d5 …>]
    """
    tours = Numbering(problem, **asked)
    return [*unrank_all(tours, draw_numbers(tours, k, seed), executor)]


def draw_numbers(tours: Numbering, k: int, seed: int) -> list[int]:
    """Numbers of tours, drawn with replacement."""
    if k < 0:
        raise InputError(f"expected to draw 0 tours or more, got {k}")
    if k and not tours.size:
        raise InputError(f"expected a problem with a tour to draw, got {tours.problem.label}")
    chance = random.Random(seed)
    return [chance.randrange(tours.size) for _ in range(k)]

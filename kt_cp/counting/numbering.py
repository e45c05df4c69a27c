"""Every tour by its number, the number of every tour, and tours drawn at random.

A numbering is a bijection between the tours of a problem and the numbers from 0 on below their
count.  So a number drawn uniformly is a tour drawn uniformly, each as likely as any other, and the
same seed draws the same tours.

Two sequences that are one tour have one number: a closed tour wherever it begins, and a tour and
its reverse.  A tour of a number is written as the problem wants it, from its start or to its end;
where it wants nothing, a closed one from the first square, and each in the direction in which the
earlier square comes first.

The numbers are those of a method (``method.Tables``): each has an order of its own, and keeps it.

Source: H. S. Wilf, "A unified setting for sequencing, ranking, and selection algorithms for
combinatorial objects", Advances in Mathematics 24 (1977).
"""

from __future__ import annotations

import random
from collections.abc import Generator, Iterator, Sequence
from functools import lru_cache
from operator import index as whole
from typing import TYPE_CHECKING, Any

from kt_cp.counting.listed import Listed, least, nodes_of
from kt_cp.enumeration import Enumeration
from kt_cp.enumeration.searches import steps_given
from kt_cp.model.board import shorten, square_of
from kt_cp.model.errors import InputError, NumberError, UnsoundEngineError
from kt_cp.model.posed import posed
from kt_cp.model.progress import Progress
from kt_cp.model.tour import Tour
from kt_cp.processes.pieces import Done, in_pieces
from kt_cp.trust.judge import defects

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from kt_cp.counting.method import Tables
    from kt_cp.model.posed import Posed
    from kt_cp.model.problem import Problem

PIECE = 50
"""Tours that a piece looks up: those of 8×8 take some seconds."""


class Numbering:
    """The tours of a problem as a sequence, of which none is held.

    Parameters
    ----------
    problem : Problem, or board, its sides or graph
        As for :func:`kt_cp.solve`, with the same further keywords.
    progress : callable, optional
        Told what was done so far; it may raise.

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

    def __init__(self, problem: Posed, *, progress: Progress | None = None, **asked: Any) -> None:
        self.problem = problem = posed(problem, asked)
        self.method, self._tables = _tables_of(problem, progress)
        self.size = self._tables.size

    @property
    def reason(self) -> str | None:
        """Why there is no tour, where that can be told without a search."""
        evidence = None if self.size else Enumeration(self.problem).reason
        return None if evidence is None else evidence.text

    def __reduce__(self) -> tuple[Any, ...]:
        """For another process, which makes its own: tables are larger than what makes them."""
        return numbering_of, (self.problem,)

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
        problem, nodes = self.problem, nodes_of(self.problem)
        walk = arranged(problem, self._tables.tour(number))
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
        index = {node: at for at, node in enumerate(nodes_of(problem))}
        return self._tables.number([index[square] for square in squares])


@lru_cache(1)
def numbering_of(problem: Problem) -> Numbering:
    """The numbering of a problem, made once for all pieces that a process works on."""
    return Numbering(problem)


def unranked(
    tours: Numbering, numbers: Sequence[int], executor: Executor | None = None
) -> Generator[Tour, None, None]:
    """The tours of some numbers, in their order; in pieces, where there is an executor."""
    if executor is None:
        yield from (tours[number] for number in numbers)
        return
    pieces = ((tours, numbers[at : at + PIECE]) for at in range(0, len(numbers), PIECE))
    for found in in_pieces(executor, unrank_piece, pieces):
        yield from found


def unrank_piece(tours: Numbering, numbers: Sequence[int]) -> Done:
    """The tours of some numbers, wherever this is called."""
    return Done([tours[number] for number in numbers])


def sample(
    problem: Posed,
    k: int,
    seed: int = 0,
    *,
    progress: Progress | None = None,
    executor: Executor | None = None,
    **asked: Any,
) -> list[Tour]:
    """Tours drawn at random, with replacement: each as likely as any other, every time.

    Parameters
    ----------
    problem : Problem, or board, its sides or graph
        As for :func:`kt_cp.solve`, with the same further keywords.
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
    tours = Numbering(problem, progress=progress, **asked)
    return [*unranked(tours, drawn(tours, k, seed), executor)]


def drawn(tours: Numbering, k: int, seed: int) -> list[int]:
    """Numbers of tours, drawn with replacement."""
    if k < 0:
        raise InputError(f"expected to draw 0 tours or more, got {k}")
    if k and not tours.size:
        raise InputError(f"expected a problem with a tour to draw, got {tours.problem.label}")
    chance = random.Random(seed)
    return [chance.randrange(tours.size) for _ in range(k)]


def arranged(problem: Problem, walk: Sequence[int]) -> Sequence[int]:
    """A tour as the problem wants it written; where steps are given, whoever found it knows."""
    if steps_given(problem):
        return walk
    closed, directed = problem.closed, problem.directed
    found = least(walk, closed=closed, directed=directed)
    nodes = nodes_of(problem)
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


def _tables_of(problem: Problem, progress: Progress | None) -> tuple[str, Tables]:
    return "enumerate", Listed(problem, progress)

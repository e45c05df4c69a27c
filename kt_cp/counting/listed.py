"""Tours by their numbers where they are few: all of them listed, and put in order.

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

import struct
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from typing import Any

from kt_cp.enumeration import Enumeration
from kt_cp.enumeration.searches import steps_given
from kt_cp.model.errors import TooLargeError, UnsoundEngineError
from kt_cp.model.problem import Problem
from kt_cp.model.progress import Progress

MOST_LISTED = 1_000_000
"""Tours: a minute, and some hundred megabytes."""


def nodes_of(problem: Problem) -> list[Any]:
    """The squares or nodes in the order of their numbers, of a directed graph as well."""
    return list(problem.graph if problem.directed else problem.indexed.nodes)


def least(walk: Sequence[int], *, closed: bool, directed: bool) -> list[int]:
    """The least sequence of those that are one tour.

    Examples
    --------
    >>> least([2, 1, 0, 3], closed=True, directed=False)
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


class Listed:
    """All tours of a problem in order; ``method.Tables`` says what it answers.

    Parameters
    ----------
    progress : callable, optional
        Told how many were found so far; it may raise.
    most : int, optional
        Tours; by default a million.

    Attributes
    ----------
    size : int
        How many there are, a tour and its reverse as one.

    Raises
    ------
    NotTakenError, TooLargeError
        As for :class:`kt_cp.enumeration.Enumeration`, and if there are more tours.

    Examples
    --------
    >>> tables = Listed(Problem("3x4"))
    >>> tables.size, tables.tour(7), tables.number(tables.tour(7)[::-1])
    (8, (7, 1, 8, 6, 0, 9, 2, 4, 10, 3, 5, 11), 7)
    """

    def __init__(
        self, problem: Problem, *, progress: Progress | None = None, most: int | None = None
    ) -> None:
        most = MOST_LISTED if most is None else most
        self._problem = problem
        index = {node: at for at, node in enumerate(nodes_of(problem))}
        # Where steps are given it is they that say where a tour begins.
        written: dict[bytes, bytes] = {}
        keys = []
        for walk in self._walks(index, progress):
            keys.append(key := self._key(walk))
            if steps_given(problem):
                written[key] = _packed(walk)
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
        return _packed(least(walk, closed=problem.closed, directed=problem.directed))

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


def _packed(walk: Sequence[int]) -> bytes:
    """A walk as bytes in the order of walks: an enumeration takes at most 10,000 squares."""
    return struct.pack(f">{len(walk)}H", *walk)

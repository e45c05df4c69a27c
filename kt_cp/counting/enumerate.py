"""The method ``enumerate``: count and number tours by visiting all of them.

It supports every condition, including given steps and symmetries, and needs almost no memory.  It
counts small problems before other methods have made their tables.  Cost: it places about ten
million squares a second; a probe down the search tree estimates their number
(:mod:`kt_cp.enumeration.walks`).  When it loses: 6×8 takes ten times as long as a dense array, 8×8
takes years.

**Numbers.**  A tour is represented by the least of the sequences that describe it.  A closed tour
then begins at the first vertex, and every tour has the direction in which the earlier of two
vertices comes first.  Tours are numbered in the order of these sequences, so the numbers do not
depend on the search.  Unranking reads a list; ranking is a binary search.  Cost: the time to list
all tours, and about a hundred bytes for each.  When it loses: beyond a million tours it gives up.
"""

from __future__ import annotations

import struct
from bisect import bisect_left
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from kt_cp.counting.method import Estimate
from kt_cp.model.errors import InputError, TooLargeError, UnsoundEngineError
from kt_cp.model.problem import Problem

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from kt_cp.enumeration import Enumeration
    from kt_cp.model.request import Progress
    from kt_cp.processes.store import Store

RATE = 1e7
"""Squares that enumeration places in a second."""

WALK_BYTES = 1 << 20
"""Bytes of memory of an enumeration, which are negligible."""

MOST_LISTED = 1_000_000
"""Most tours that are numbered, which take a minute and a few hundred megabytes."""


@dataclass(frozen=True)
class EnumerationMethod:
    """The method ``enumerate``."""

    directed: bool = False
    unique: bool = False
    name: str = "enumerate"
    version: int = 2

    def run_tasks(self, problem: Problem) -> bool:  # noqa: ARG002
        """Return True: an executor gets parts of a count."""
        return True

    def refuses(self, problem: Problem) -> str | None:
        """Return why it does not support a problem, or None."""
        try:
            self._enumeration(problem)
        except InputError as error:
            return str(error)
        return None

    def _enumeration(self, problem: Problem) -> Enumeration:
        from kt_cp.enumeration import Enumeration

        return Enumeration(problem, directed=self.directed, unique=self.unique)

    def estimate(self, problem: Problem) -> Estimate:
        """Estimate the work; the true time may well be a hundred times as long."""
        work = self._enumeration(problem).work()
        return Estimate(problem.size, WALK_BYTES, (work or 0.0) / RATE, timed=work is not None)

    def count(
        self,
        problem: Problem,
        *,
        progress: Progress | None = None,
        store: Store | None = None,
        executor: Executor | None = None,
        memory_limit: float | None = None,  # noqa: ARG002
    ) -> int:
        """Count in one step; its blocks are the tasks of an executor."""
        enumeration = self._enumeration(problem)
        if store is None:
            return enumeration.count(progress=progress, executor=executor)
        if (known := store.load(1)) is not None:
            return int(known["tours"])
        from kt_cp.enumeration.parallel import pack_count, unpack_count
        from kt_cp.processes.executors import open_executor
        from kt_cp.processes.store import TaskResults

        results = TaskResults(store, pack_count, unpack_count)
        with nullcontext(executor) if executor else open_executor("threads") as workers:
            found = enumeration.count(progress=progress, executor=workers, store=results)
        store.save(1, {"tours": found})
        return found


ENUMERATE = EnumerationMethod()


def ordered_nodes(problem: Problem) -> list[Any]:
    """Return the squares or nodes in the order of their numbers, even of a directed graph."""
    return list(problem.graph if problem.directed else problem.indexed.nodes)


def least_sequence(walk: Sequence[int], *, closed: bool, directed: bool) -> list[int]:
    """Return the least of the sequences that describe the same tour.

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
    """All tours of a problem in order, as :class:`kt_cp.counting.method.Tables`.

    ``most`` is the largest number of tours, by default a million.

    Examples
    --------
    >>> tables = ListedTables(Problem("3x4"))
    >>> tables.size, tables.tour(7), tables.number(tables.tour(7)[::-1])
    (8, (7, 1, 8, 6, 0, 9, 2, 4, 10, 3, 5, 11), 7)
    """

    def __init__(
        self, problem: Problem, *, progress: Progress | None = None, most: int | None = None
    ) -> None:
        from kt_cp.enumeration import Enumeration
        from kt_cp.enumeration.searches import has_given_steps

        most = MOST_LISTED if most is None else most
        self._problem = problem
        index = {node: at for at, node in enumerate(ordered_nodes(problem))}
        keys: list[bytes] = []
        self._written: dict[bytes, bytes] = {}  # given steps fix where a tour begins

        def report() -> bool:
            if progress is not None:
                progress({"tours": len(keys)})
            return False

        for tour in Enumeration(problem, directed=False).tours(report):
            walk = [index[square] for square in tour.squares]
            keys.append(key := self._key(walk))
            if has_given_steps(problem):
                self._written[key] = _encode_walk(walk)
            if len(keys) > most:
                raise TooLargeError(
                    f"{problem.label}: expected at most {most:,} tours to number by listing "
                    "them, got more"
                )
        self._keys = sorted(keys)
        self.size = len(keys)

    def _key(self, walk: Sequence[int]) -> bytes:
        problem = self._problem
        return _encode_walk(least_sequence(walk, closed=problem.closed, directed=problem.directed))

    def tour(self, number: int) -> Sequence[int]:
        """Return the vertices, in order, of the tour of a number from 0 on."""
        key = self._keys[number]
        walk = self._written.get(key, key)
        return struct.unpack(f">{len(walk) // 2}H", walk)

    def number(self, tour: Sequence[int]) -> int:
        """Return the number of a tour, for any direction and any first square of a closed one."""
        key = self._key(tour)
        place = bisect_left(self._keys, key)
        if place == self.size or self._keys[place] != key:
            raise UnsoundEngineError(f"the enumeration of {self._problem.label} misses a tour")
        return place


def _encode_walk(walk: Sequence[int]) -> bytes:
    """Return a walk as bytes in the order of walks: an enumeration takes 10,000 squares at most."""
    return struct.pack(f">{len(walk)}H", *walk)

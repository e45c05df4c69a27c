"""Tours with a symmetry, as walks through the orbits of the squares.

A motion carries a symmetric tour to itself, so it moves the tour along itself or turns it round:

* A closed tour that is moved along is made of equal parts.  One of them passes each orbit once, and
  its end is joined to the image of its beginning.  That image must come by a generator of the
  group of turns (the half turn; a quarter turn to the left or to the right), otherwise the parts
  make several circles.  Every orbit has as many squares as the group has turns.
* A closed tour that is turned round has two turning places: squares that stay where they are, or
  moves whose two squares change places.  From one to the other it passes each orbit once, and comes
  back by the images.  So no more than two squares stay where they are.
* An open tour that is not left as it is, square by square, is turned round, with its middle as the
  one turning place.  A quarter turn has none.

So the tours are the Hamiltonian cycles and paths of the *quotient*, whose vertices are the orbits,
joined where a move of the one leads to the other.  Two orbits may be joined by several orbits of
moves; a walk through the quotient says nothing of which of them it takes, and :mod:`.lifting` has
that.  The walks are found by the compiled recursion for all tours, with its pruning, on half or a
fourth of the squares.  A move whose images are not all moves that a tour may make is left out
first.

Source: voltage graphs, J. L. Gross and T. W. Tucker, "Topological graph theory", 1987, chapter 2;
D. E. Knuth counted the 2,432,932 closed tours of 8×8 with a half turn that way.  Cost: about the
square root of that of all tours, or the fourth root.  When it loses: about half of the walks close
with the wrong turn and are thrown away, since the pruning sees no turns.  With fewer than three
orbits walks are no longer simple; then all tours are gone through and held against the motion.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from kt_cp.enumeration.quotient import Turns, from_first, turned
from kt_cp.enumeration.symmetry import image_of
from kt_cp.enumeration.walks import BitGraph, Job, Task, bit_graph, mask_of
from kt_cp.model.orbits import edge_images, orbits
from kt_cp.model.problem import Problem
from kt_cp.trust.reference import MoveTable

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Numbers = NDArray[np.int64]
    Walks = NDArray[np.int32]

FEWEST = 3
"""Orbits of which a cycle is simple."""


def quotient_of(problem: Problem, table: MoveTable, *, directed: bool) -> Quotient | None:
    """The quotient by the symmetry that is asked for; None where it says nothing of the tours.

    Examples
    --------
    >>> from kt_cp.trust.reference import move_table
    >>> problem = Problem("2x3", symmetry="half-turn")
    >>> len(quotient_of(problem, move_table(problem), directed=False))
    3
    """
    image = image_of(problem)
    if image is None or bool((image < 0).any()) or np.array_equal(image, np.arange(len(image))):
        return None
    orbit = orbits(image)
    if int(orbit.max()) < FEWEST - 1:
        return None
    return Quotient(problem, table, image, orbit, directed=directed)


class Quotient:
    """The orbits of a problem's squares, the jobs through them, and what becomes of their walks.

    Parameters
    ----------
    problem : Problem
        With a symmetry, and conditions of edges.
    table : MoveTable
        Its moves in the order in which they are tried.
    image, orbit : int64 arrays of shape (squares,)
        Where it carries each square: all to different squares, and not all to themselves.  And
        which of its orbits they belong to, of which there are three or more.

    Attributes
    ----------
    turns : Turns
        The orbits, and by which turns their squares are joined.
    graph : BitGraph
        The orbits as the compiled recursion reads them.
    needed : set of (int, int)
        Pairs of orbits, in either order, that a required move joins.

    Examples
    --------
    >>> from kt_cp.trust.reference import move_table
    >>> problem = Problem("6x6", closed=True, symmetry="quarter-turn")
    >>> quotient = quotient_of(problem, move_table(problem), directed=False)
    >>> len(quotient), [job.closed for job in quotient.jobs()]
    (9, [True, True])
    """

    halves = 1

    def __init__(
        self, problem: Problem, table: MoveTable, image: Numbers, orbit: Numbers, *, directed: bool
    ) -> None:
        self._problem, self._heads, self._orbit = problem, table.heads, orbit
        self.turns = Turns(image, orbit)
        graph = problem.indexed
        ends = (problem.start, problem.end)
        self._start, self._end = (None if end is None else graph.index[end] for end in ends)
        # An end says in which direction an open tour is written.
        prescribed = not problem.closed and ends != (None, None)
        self._both = directed and not prescribed
        kept = orbits(edge_images(graph, image)) >= 0
        tails, heads = graph.tails[kept], graph.heads[kept]
        self._fits = self._join(tails, heads)
        joined = self.turns.joined
        beside = [np.flatnonzero(row) for row in joined]
        self._beside = np.full((len(self), max(1, *map(len, beside))), -1, dtype=np.int32)
        for row, others in zip(self._beside, beside, strict=True):
            row[: len(others)] = others
        forced = {(min(pair), max(pair)) for pair in self.needed if len({*pair}) == 2}
        self.graph: BitGraph = bit_graph(self._beside, sorted(forced) if self._fits else ())

    def __len__(self) -> int:
        return len(self.turns.squares)

    def _join(self, tails: Numbers, heads: Numbers) -> bool:
        """Note which orbits are joined, and how; whether the required moves go together."""
        orbit = self._orbit
        within = orbit[tails] == orbit[heads]
        self.turns.join(tails[~within], heads[~within])
        # Within an orbit only a move whose squares change places is of use: a turning place.
        self._turning = set(orbit[tails[within]].tolist()) if self.turns.order == 2 else set()
        allowed = set(zip(tails.tolist(), heads.tolist(), strict=True))
        forced = self._problem.forced
        self.needed = {(int(orbit[u]), int(orbit[v])) for u, v in forced}
        self._needed_turning = {a for a, b in self.needed if a == b}
        return all(edge in allowed for edge in forced) and self.turns.restrict(forced)

    def jobs(self) -> Iterator[Job]:
        """Jobs that together give every walk once whose lifts are the tours, in one direction."""
        if not self._fits:
            return
        fixed = np.flatnonzero(self.turns.fixed).tolist()
        if not self._problem.closed:
            yield from self._turned_once(fixed)
            return
        if not self.turns.short.any() and not self._needed_turning:
            yield from self._moved_along()
        yield from self._turned_twice(fixed)

    def _moved_along(self) -> Iterator[Job]:
        first = int((self._beside >= 0).sum(axis=1).argmin())
        around = [orbit for orbit in self._beside[first].tolist() if orbit >= 0]
        for place, second in enumerate(around):
            yield Job((first, second), mask_of(len(self), around[place + 1 :]), closed=True)

    def _turned_twice(self, fixed: Sequence[int]) -> Iterator[Job]:
        places = sorted({*fixed, *self._turning})
        must = {*fixed, *self._needed_turning}
        if self.turns.order != 2 or len(must) > 2:
            return
        for place, first in enumerate(places):
            # Walks are found from the smaller end, and squares that stay must be ends.
            others = [last for last in places[place + 1 :] if must <= {first, last}]
            if others:
                yield Job((first,), mask_of(len(self), others))

    def _turned_once(self, fixed: Sequence[int]) -> Iterator[Job]:
        must = {*fixed, *self._needed_turning}
        if self.turns.order != 2 or len(must) > 1:
            return
        ends = [end for end in (self._start, self._end) if end is not None]
        lasts = {int(self._orbit[end]) for end in ends}
        if len(lasts) > 1:
            return
        for first in sorted(must or self._turning):
            others = (lasts or {*range(len(self))}) - {first}
            yield Job((first,), mask_of(len(self), others))

    def tasks(self) -> list[Task]:
        """The jobs, one by one."""
        return [Task(job, 1) for job in self.jobs()]

    def many(self, job: Job, walks: Walks) -> int:
        """How many tours walks of a job stand for."""
        return self.turns.many(job, walks) * (2 if self._both else 1)

    def tours(self, job: Job, walks: Walks) -> Iterator[Walks]:
        """The tours that walks of a job stand for, one a row, as they are written."""
        for tours in self.turns.tours(job, walks):
            if self._problem.closed:
                forth, back = from_first(tours, self._start or 0, self._heads)
            elif self._start is not None:
                forth, back = turned(tours, tours[:, 0] != self._start)
            elif self._end is not None:
                forth, back = turned(tours, tours[:, -1] != self._end)
            else:
                forth, back = turned(tours, tours[:, 0] > tours[:, -1])
            yield (
                np.stack([forth, back], axis=1).reshape(-1, tours.shape[1]) if self._both else forth
            )

"""Tours with a symmetry, as walks through the orbits of the squares.

**The quotient.**  A motion maps a symmetric tour to itself, so it shifts or reverses the tour:

* If a closed tour is shifted, it consists of equal parts.  Each part passes each orbit once, and
  its end is adjacent to the image of its beginning.  That image must be by a generator of the
  group of turns (the half turn; a quarter turn to the left or to the right), otherwise the parts
  form several cycles.  Every orbit has as many squares as the group has turns.
* If a closed tour is reversed, it has two turning places: squares that the motion fixes, or moves
  whose two squares it exchanges.  From one place to the other, the tour passes each orbit once,
  and it returns by the images.  So the motion fixes at most two squares.
* If an open tour is not fixed square by square, it is reversed, and its middle is the only turning
  place.  With a quarter turn this is impossible.

So the tours are the Hamiltonian cycles and paths of the *quotient*.  Its vertices are the orbits,
and two orbits are adjacent if a move joins their squares.  The compiled recursion for all tours,
with its pruning, finds the walks on half or a fourth of the squares.  Moves are removed first if no
tour can contain all their images.

**Lifting.**  Let a motion have k turns.  The squares of an orbit are numbered by their turns from
the orbit's least square.  A move between two orbits leads from any square of the first to the
square of the second that is a fixed number of turns further: the move's *turn*.  To lift a walk
through the orbits, choose one turn for each pair of consecutive orbits.  There is usually only one
choice.

A closed walk returns to its first orbit after the sum of its turns.  There are two or four turns.
If the sum is odd, the images of the walk form one tour, otherwise several cycles.  If each edge has
e even and o odd turns, the number of choices with an odd sum is half the difference between the
products of all e + o and of all e - o, so tours are counted without lifting.

Source: voltage graphs, J. L. Gross and T. W. Tucker, "Topological graph theory", 1987, chapter 2;
D. E. Knuth counted the 2,432,932 closed tours of 8×8 with a half turn in this way.  Cost: about the
square root or the fourth root of the cost for all tours, and a few NumPy operations for each orbit
of a walk, on thousands of walks at a time.  When it loses: about half of the walks close with the
wrong turn and are discarded, since the pruning ignores turns.  With fewer than three orbits walks
are not simple, so all tours are enumerated and tested for the symmetry.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from kt_cp.enumeration.symmetry import required_image
from kt_cp.enumeration.walks import BitGraph, Job, Task, bit_graph, vertex_mask
from kt_cp.model.move_order import MoveTable
from kt_cp.model.orbits import edge_images, orbits
from kt_cp.model.problem import Problem

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Numbers = NDArray[np.int64]
    Walks = NDArray[np.int32]


MOST_ROWS = 1024
"""Tours to make at a time, as one walk may have any number of tours."""

_BITS = np.array([bin(bits).count("1") for bits in range(16)], dtype=np.int64)
_SINGLE = _BITS == 1
_FIRST = np.array([0, *(((bits & -bits).bit_length() - 1) for bits in range(1, 16))])
_EVEN = np.array([bin(bits & 0b0101).count("1") for bits in range(16)], dtype=np.int64)


class Turns:
    """The squares of each orbit in the order of the turns, and the turns that join two orbits.

    ``order`` is the number of turns.  ``squares`` has each orbit's least square, its image, the
    image of that, and so on.  ``fixed`` marks orbits of one square, and ``short`` marks orbits with
    fewer squares than turns.  ``joined`` has a bit for each turn of moves from one orbit to
    another.

    >>> turns = Turns(np.array([3, 2, 1, 0]), np.array([0, 1, 1, 0]))
    >>> turns.join(np.array([0, 2]), np.array([1, 3]))
    >>> turns.squares.tolist(), turns.joined.tolist()
    ([[0, 3], [1, 2]], [[0, 1], [1, 0]])
    """

    def __init__(self, image: Numbers, orbit: Numbers) -> None:
        self._orbit = orbit
        power, powers = image, [np.arange(len(image))]
        while not np.array_equal(power, powers[0]):
            powers.append(power)
            power = image[power]
        self.order = len(powers)
        least = np.unique(orbit, return_index=True)[1]
        self.squares: Numbers = np.stack(powers, axis=1)[least]
        self._turn = np.zeros(len(image), dtype=np.int64)
        for turn in reversed(range(self.order)):
            self._turn[self.squares[:, turn]] = turn
        again = self.squares[:, 1:] == self.squares[:, :1]
        self.short = again.any(axis=1)
        self.fixed = again.all(axis=1)
        self.joined = np.zeros((len(least), len(least)), dtype=np.uint8)

    def _orbit_moves(self, tails: Numbers, heads: Numbers) -> tuple[Numbers, Numbers, Numbers]:
        """Return the orbits of the ends of moves, and the turns, 0 if an orbit has one square."""
        one, other = self._orbit[tails], self._orbit[heads]
        turns = (self._turn[heads] - self._turn[tails]) % self.order
        return one, other, np.where(self.fixed[one] | self.fixed[other], 0, turns)

    def join(self, tails: Numbers, heads: Numbers) -> None:
        """Join the orbits of the ends of moves between different orbits."""
        for here, there in ((tails, heads), (heads, tails)):
            one, other, turns = self._orbit_moves(here, there)
            np.bitwise_or.at(self.joined, (one, other), (1 << turns).astype(np.uint8))

    def restrict(self, forced: Iterable[tuple[int, int]]) -> bool:
        """Keep only the turns of required moves; return whether these are consistent."""
        needed: dict[tuple[int, int], int] = {}
        for edge in forced:
            for here, there in (edge, edge[::-1]):
                ends = np.array([here]), np.array([there])
                one, other, turn = (int(each[0]) for each in self._orbit_moves(*ends))
                if one == other:
                    continue
                if needed.setdefault((one, other), turn) != turn:
                    return False
                self.joined[one, other] = 1 << turn
        return True

    def ways(self, one: int, other: int) -> tuple[int, int]:
        """Return the numbers of even and of odd turns from one orbit to another."""
        mask = self.joined[one, other]
        return int(_EVEN[mask]), int(_BITS[mask] - _EVEN[mask])

    def many(self, job: Job, walks: Walks) -> int:
        """Return the number of tours of the walks of a job, in one direction."""
        masks = self.joined[walks, np.roll(walks, -1, axis=1)]
        masks = masks if job.closed else masks[:, :-1]
        # Beyond this the products may not fit in 64 bits.
        wide = masks.shape[1] * (self.order // 2) > 60
        every, even = _BITS[masks], _EVEN[masks]
        if wide:
            every, even = every.astype(object), even.astype(object)
        total = every.prod(axis=1)
        if job.closed:
            total = (total - (2 * even - every).prod(axis=1)) // 2
        return int(total.sum())

    def tours(self, job: Job, walks: Walks) -> Iterator[Walks]:
        """Yield the tours of the walks of a job, one per row, in one direction."""
        if not len(walks):
            return
        turns = np.zeros(walks.shape, dtype=np.int64)
        for rows, by in self._lift(walks, turns, 1):
            yield self._close(rows, by) if job.closed else self._unfold(rows, by)

    def _lift(self, walks: Walks, turns: Numbers, at: int) -> Iterator[tuple[Walks, Numbers]]:
        """Yield every choice of turns along walks; those before an index are already chosen."""
        for place in range(at, walks.shape[1]):
            if len(walks) > MOST_ROWS:  # lift each half separately to limit memory
                for part in np.array_split(np.arange(len(walks)), 2):
                    yield from self._lift(walks[part], turns[part], place)
                return
            masks = self.joined[walks[:, place - 1], walks[:, place]]
            chosen = _FIRST[masks]
            if not _SINGLE[masks].all():
                rows, chosen = np.nonzero(masks[:, None] >> np.arange(self.order) & 1)
                walks, turns = walks[rows], turns[rows]
            turns[:, place] = (turns[:, place - 1] + chosen) % self.order
        yield walks, turns

    def _close(self, walks: Walks, turns: Numbers) -> Walks:
        """Return closed tours that the symmetry shifts: the walk, its image, the next image, …"""
        masks = self.joined[walks[:, -1], walks[:, 0]]
        rows, chosen = np.nonzero(masks[:, None] >> np.arange(self.order) & 1)
        whole = (turns[rows, -1] + chosen) % self.order
        rows, whole = rows[whole % 2 == 1], whole[whole % 2 == 1]
        parts = [
            self.squares[walks[rows], (turns[rows] + place * whole[:, None]) % self.order]
            for place in range(self.order)
        ]
        return np.concatenate(parts, axis=1).astype(np.int32)

    def _unfold(self, walks: Walks, turns: Numbers) -> Walks:
        """Return tours that the symmetry reverses: the walk's image reversed, then the walk.

        A fixed square, which may be the first or the last, occurs once.
        """
        image = self.squares[walks, (turns + 1) % 2][:, ::-1]
        begins, ends = self.fixed[walks[0, [0, -1]]].tolist()
        image = image[:, 1 if ends else 0 : -1 if begins else None]
        return np.concatenate([image, self.squares[walks, turns]], axis=1).astype(np.int32)


def reverse_some(tours: Walks, which: NDArray[np.bool_]) -> tuple[Walks, Walks]:
    """Return tours, some of them reversed, and each tour in the other direction."""
    back = tours[:, ::-1]
    return np.where(which[:, None], back, tours), np.where(which[:, None], tours, back)


def rotate_to(tours: Walks, first: int, heads: Walks) -> tuple[Walks, Walks]:
    """Return closed tours from one vertex on, in the direction tried first, and their reverses.

    >>> heads = np.array([[1, 3], [2, 0], [1, 3], [2, 0]])
    >>> forth, back = rotate_to(np.array([[2, 3, 0, 1]]), 0, heads)
    >>> forth.tolist(), back.tolist()
    ([[0, 1, 2, 3]], [[0, 3, 2, 1]])
    """
    shift = (tours == first).argmax(axis=1)[:, None] + np.arange(tours.shape[1])
    tours = np.take_along_axis(tours, shift % tours.shape[1], axis=1)
    tried = np.zeros(int(heads.max()) + 1, dtype=np.int64)
    around = heads[first][heads[first] >= 0]
    tried[around] = np.arange(len(around))
    swap = (tried[tours[:, 1]] > tried[tours[:, -1]])[:, None]
    back = np.roll(tours[:, ::-1], 1, axis=1)
    return np.where(swap, back, tours), np.where(swap, tours, back)


FEWEST = 3
"""Orbits from which on a cycle is simple."""


def quotient_of(problem: Problem, table: MoveTable, *, directed: bool) -> Quotient | None:
    """Return the quotient by the required symmetry, or None if the quotient does not apply.

    >>> from kt_cp.model.move_order import move_table
    >>> problem = Problem("2x3", symmetry="half-turn")
    >>> len(quotient_of(problem, move_table(problem), directed=False))
    3
    """
    image = required_image(problem)
    if image is None or bool((image < 0).any()) or np.array_equal(image, np.arange(len(image))):
        return None
    orbit = orbits(image)
    if int(orbit.max()) < FEWEST - 1:
        return None
    return Quotient(problem, table, image, orbit, directed=directed)


class Quotient:
    """The orbits of a problem's squares, the jobs through them, and the tours of their walks.

    ``table`` has the moves in the order in which they are tried.  ``image`` is a permutation of the
    squares other than the identity, and ``orbit`` has the orbit of each square, with at least three
    orbits.  ``turns`` has the orbits and the turns that join their squares.  ``graph`` has the
    orbits for the compiled recursion.  ``needed`` has pairs of orbits, in both orders, that a
    required move joins.

    >>> from kt_cp.model.move_order import move_table
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
        # An end determines in which direction an open tour is written.
        prescribed = not problem.closed and ends != (None, None)
        self._both = directed and not prescribed
        in_orbit = orbits(edge_images(graph, image)) >= 0
        tails, heads = graph.tails[in_orbit], graph.heads[in_orbit]
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
        """Join the orbits; return whether the required moves are consistent."""
        orbit = self._orbit
        within = orbit[tails] == orbit[heads]
        self.turns.join(tails[~within], heads[~within])
        # Within an orbit, the only useful move is a turning place, which exchanges two squares.
        self._turning = set(orbit[tails[within]].tolist()) if self.turns.order == 2 else set()
        allowed = set(zip(tails.tolist(), heads.tolist(), strict=True))
        forced = self._problem.forced
        self.needed = {(int(orbit[u]), int(orbit[v])) for u, v in forced}
        self._needed_turning = {a for a, b in self.needed if a == b}
        return all(edge in allowed for edge in forced) and self.turns.restrict(forced)

    def jobs(self) -> Iterator[Job]:
        """Yield jobs that together find every walk once; the lifts of walks are the tours."""
        if not self._fits:
            return
        fixed = np.flatnonzero(self.turns.fixed).tolist()
        if not self._problem.closed:
            yield from self._single_turn_jobs(fixed)
            return
        if not self.turns.short.any() and not self._needed_turning:
            yield from self._orbit_jobs()
        yield from self._double_turn_jobs(fixed)

    def _orbit_jobs(self) -> Iterator[Job]:
        first = int((self._beside >= 0).sum(axis=1).argmin())
        around = [orbit for orbit in self._beside[first].tolist() if orbit >= 0]
        for place, second in enumerate(around):
            yield Job((first, second), vertex_mask(len(self), around[place + 1 :]), closed=True)

    def _double_turn_jobs(self, fixed: Sequence[int]) -> Iterator[Job]:
        places = sorted({*fixed, *self._turning})
        must = {*fixed, *self._needed_turning}
        if self.turns.order != 2 or len(must) > 2:
            return
        for place, first in enumerate(places):
            # Walks are found from the smaller end, and fixed squares must be ends.
            others = [last for last in places[place + 1 :] if must <= {first, last}]
            if others:
                yield Job((first,), vertex_mask(len(self), others))

    def _single_turn_jobs(self, fixed: Sequence[int]) -> Iterator[Job]:
        must = {*fixed, *self._needed_turning}
        if self.turns.order != 2 or len(must) > 1:
            return
        ends = [end for end in (self._start, self._end) if end is not None]
        lasts = {int(self._orbit[end]) for end in ends}
        if len(lasts) > 1:
            return
        for first in sorted(must or self._turning):
            others = (lasts or {*range(len(self))}) - {first}
            yield Job((first,), vertex_mask(len(self), others))

    def tasks(self) -> list[Task]:
        """Return the jobs, one by one."""
        return [Task(job, 1) for job in self.jobs()]

    def many(self, job: Job, walks: Walks) -> int:
        """Return the number of tours of the walks of a job."""
        return self.turns.many(job, walks) * (2 if self._both else 1)

    def tours(self, job: Job, walks: Walks) -> Iterator[Walks]:
        """Yield the tours of the walks of a job, one per row, in their normal form."""
        for tours in self.turns.tours(job, walks):
            if self._problem.closed:
                forth, back = rotate_to(tours, self._start or 0, self._heads)
            elif self._start is not None:
                forth, back = reverse_some(tours, tours[:, 0] != self._start)
            elif self._end is not None:
                forth, back = reverse_some(tours, tours[:, -1] != self._end)
            else:
                forth, back = reverse_some(tours, tours[:, 0] > tours[:, -1])
            yield (
                np.stack([forth, back], axis=1).reshape(-1, tours.shape[1]) if self._both else forth
            )

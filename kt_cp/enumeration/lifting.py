"""From walks through orbits to tours: which square of each orbit, and the images put together.

Let a motion have k turns.  The squares of an orbit are numbered by how many turns they are from the
orbit's least square.  A move between two orbits goes from any square of the one to the square of
the other that is so many turns further on, always as many: that is the move's *turn*.  A walk
through the orbits is lifted by a choice of one turn for each pair of orbits that it joins.  As a
rule there is one to choose from.

A walk that closes comes back to its first orbit after the sum of its turns.  With a sum that is odd
(there are two turns or four) its images make one tour, otherwise several circles.  With e even and
o odd turns to choose from on each edge, half the difference between the products of all e + o and
of all e - o has an odd sum, so nothing need be lifted to be counted.

Cost: some NumPy operations for each orbit of a walk, on thousands of walks at a time.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kt_cp.enumeration.walks import Job

    Numbers = NDArray[np.int64]
    Walks = NDArray[np.int32]

MOST_ROWS = 1024
"""Tours that are made at a time: one walk may stand for any number of them."""

_BITS = np.array([bin(word).count("1") for word in range(16)], dtype=np.int64)
_SINGLE = _BITS == 1
_FIRST = np.array([0, *(((word & -word).bit_length() - 1) for word in range(1, 16))])
_EVEN = np.array([bin(word & 0b0101).count("1") for word in range(16)], dtype=np.int64)


class Turns:
    """The squares of each orbit in the order of the turns, and the turns that join two orbits.

    Attributes
    ----------
    order : int
        How many turns there are; after as many every square is back.
    squares : int64 array of shape (orbits, order)
        An orbit's least square, its image, the image of that, …
    fixed : bool array of shape (orbits,)
        Orbits of squares that stay where they are.
    short : bool array of shape (orbits,)
        Orbits with fewer squares than there are turns.
    joined : uint8 array of shape (orbits, orbits)
        A bit for each turn by which moves lead from one orbit to another.

    Examples
    --------
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

    def _between(self, tails: Numbers, heads: Numbers) -> tuple[Numbers, Numbers, Numbers]:
        """Orbits of the ends of moves, and their turns: 0 where an orbit is a single square."""
        one, other = self._orbit[tails], self._orbit[heads]
        turns = (self._turn[heads] - self._turn[tails]) % self.order
        return one, other, np.where(self.fixed[one] | self.fixed[other], 0, turns)

    def join(self, tails: Numbers, heads: Numbers) -> None:
        """Join the orbits of the ends of moves, which are different ones."""
        for here, there in ((tails, heads), (heads, tails)):
            one, other, turns = self._between(here, there)
            np.bitwise_or.at(self.joined, (one, other), (1 << turns).astype(np.uint8))

    def restrict(self, forced: Iterable[tuple[int, int]]) -> bool:
        """Leave only the turns of required moves; whether two orbits need one alone."""
        needed: dict[tuple[int, int], int] = {}
        for edge in forced:
            for here, there in (edge, edge[::-1]):
                one, other, turn = (int(it[0]) for it in self._between(*_pair(here, there)))
                if one == other:
                    continue
                if needed.setdefault((one, other), turn) != turn:
                    return False
                self.joined[one, other] = 1 << turn
        return True

    def ways(self, one: int, other: int) -> tuple[int, int]:
        """By how many even and how many odd turns moves lead from one orbit to another."""
        mask = self.joined[one, other]
        return int(_EVEN[mask]), int(_BITS[mask] - _EVEN[mask])

    def many(self, job: Job, walks: Walks) -> int:
        """How many tours the walks of a job stand for, each counted in one direction."""
        masks = self._masks(job, walks)
        # Beyond this the products would not fit into 64 bits.
        wide = masks.shape[1] * (self.order // 2) > 60
        every, even = _BITS[masks], _EVEN[masks]
        if wide:
            every, even = every.astype(object), even.astype(object)
        total = every.prod(axis=1)
        if job.closed:
            total = (total - (2 * even - every).prod(axis=1)) // 2
        return int(total.sum())

    def tours(self, job: Job, walks: Walks) -> Iterator[Walks]:
        """The tours that walks of a job stand for, one a row, each in one direction."""
        if not len(walks):
            return
        turns = np.zeros(walks.shape, dtype=np.int64)
        for rows, by in self._lifted(walks, turns, 1):
            yield self._circled(rows, by) if job.closed else self._unfolded(rows, by)

    def _masks(self, job: Job, walks: Walks) -> NDArray[np.uint8]:
        following = np.roll(walks, -1, axis=1)
        masks = self.joined[walks, following]
        return masks if job.closed else masks[:, :-1]

    def _lifted(self, walks: Walks, turns: Numbers, at: int) -> Iterator[tuple[Walks, Numbers]]:
        """Every choice of turns along walks, of which those before some place are made."""
        for place in range(at, walks.shape[1]):
            if len(walks) > MOST_ROWS:  # a half at a time, so that memory stays what it is
                for part in np.array_split(np.arange(len(walks)), 2):
                    yield from self._lifted(walks[part], turns[part], place)
                return
            masks = self.joined[walks[:, place - 1], walks[:, place]]
            chosen = _FIRST[masks]
            if not _SINGLE[masks].all():
                rows, chosen = np.nonzero(masks[:, None] >> np.arange(self.order) & 1)
                walks, turns = walks[rows], turns[rows]
            turns[:, place] = (turns[:, place - 1] + chosen) % self.order
        yield walks, turns

    def _circled(self, walks: Walks, turns: Numbers) -> Walks:
        """Closed tours that are moved along: the walk, its image, the image of that, …"""
        masks = self.joined[walks[:, -1], walks[:, 0]]
        rows, chosen = np.nonzero(masks[:, None] >> np.arange(self.order) & 1)
        whole = (turns[rows, -1] + chosen) % self.order
        rows, whole = rows[whole % 2 == 1], whole[whole % 2 == 1]
        parts = [
            self.squares[walks[rows], (turns[rows] + place * whole[:, None]) % self.order]
            for place in range(self.order)
        ]
        return np.concatenate(parts, axis=1).astype(np.int32)

    def _unfolded(self, walks: Walks, turns: Numbers) -> Walks:
        """Tours that are turned round: the walk's image back to its first orbit, and the walk.

        Squares that stay where they are, which only the first and last may be, come once.
        """
        image = self.squares[walks, (turns + 1) % 2][:, ::-1]
        begins, ends = self.fixed[walks[0, [0, -1]]].tolist()
        image = image[:, 1 if ends else 0 : -1 if begins else None]
        return np.concatenate([image, self.squares[walks, turns]], axis=1).astype(np.int32)


def _pair(one: int, other: int) -> tuple[Numbers, Numbers]:
    return np.array([one]), np.array([other])


def turned(tours: Walks, which: NDArray[np.bool_]) -> tuple[Walks, Walks]:
    """Tours, some of them read backwards; and each in the other direction."""
    back = tours[:, ::-1]
    return np.where(which[:, None], back, tours), np.where(which[:, None], tours, back)


def from_first(tours: Walks, first: int, heads: Walks) -> tuple[Walks, Walks]:
    """Closed tours from one vertex on, and backwards: first the second is tried before the last.

    Examples
    --------
    >>> heads = np.array([[1, 3], [2, 0], [1, 3], [2, 0]])
    >>> forth, back = from_first(np.array([[2, 3, 0, 1]]), 0, heads)
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

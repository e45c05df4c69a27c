"""More clues than are needed, placed where the next clues are farthest away.

Each new clue goes to the middle of a longest gap, together with the other places of its orbit, if
the orbits that are left can still make up the number of clues asked for.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from kt_cp.model.problem import Problem


def sums(sizes: Iterable[int]) -> set[int]:
    """Every sum of some of the numbers."""
    found = {0}
    for size, times in Counter(sizes).items():
        found = {each + size * many for each in found for many in range(times + 1)}
    return found


def with_more(
    problem: Problem, clues: int, kept: int, orbits: Sequence[int], many: int
) -> int | None:
    """So many clues, as a set of steps; None if they cannot be so many.

    Beside them the steps ``kept`` are known.  Those of an orbit come together.

    Examples
    --------
    >>> bin(with_more(Problem("3x3"), 0b100000001, 0, [1 << step for step in range(9)], 3))
    '0b100010001'
    """
    left = [orbit for orbit in orbits if not orbit & clues]
    while clues.bit_count() < many:
        room = many - clues.bit_count()
        sizes = [orbit.bit_count() for orbit in left]
        fitting = [
            orbit for orbit, size in zip(left, sizes, strict=True)
            if size <= room and room - size in sums(_without(sizes, size))
        ]  # fmt: skip
        if not fitting:
            return None
        best = max(fitting, key=lambda orbit: _middle(problem, orbit, clues | kept))
        left.remove(best)
        clues |= best
    return clues if clues.bit_count() == many else None


def _middle(problem: Problem, orbit: int, clues: int) -> int:
    """How many moves the nearest clue is from the nearest step of an orbit."""
    size = problem.size
    known = [at for at in range(size) if clues >> at & 1]

    def apart(one: int, other: int) -> int:
        there = abs(one - other)
        return min(there, size - there) if problem.closed else there

    steps = (at for at in range(size) if orbit >> at & 1)
    return min(apart(at, other) for at in steps for other in known or [size])


def _without(sizes: Sequence[int], size: int) -> list[int]:
    left = list(sizes)
    left.remove(size)
    return left

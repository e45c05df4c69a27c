"""The difficulty of a puzzle: the simplest method that solves it.

There are four grades, each with its method:

- *easy*: counting moves.  A square fits a step if, on the empty board, it can be reached in time
  from the number before the step, and the number after the step in time from there.  At every stage
  some step has a single free square that fits it, or some free square fits a single step.
- *medium*: narrowing.  The rules of :mod:`kt_cp.search.step_domains` exclude squares from the
  domains of steps: the path from one step to the next leads through free squares.
- *hard*: looking ahead.  A square is tried at a step; if narrowing then leads to a contradiction,
  the square is excluded.  Guesses are not nested.
- *expert*: search, with nested guesses.

Each method includes the one before it.  A further clue makes no puzzle harder, because the
rules only exclude squares, and exclude no fewer when more is known.  Looking ahead is known among
constraint solvers as singleton consistency (R. Debruyne and C. Bessière, IJCAI 1997).

Cost: easy and medium take milliseconds on 9×9; looking ahead narrows once for each square that a
step may have, in several rounds.

When it loses: people see patterns that are not among these rules, so a grade measures methods, not
minutes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from kt_cp.model.problem import Problem
from kt_cp.search.breadth_first import extend_distances
from kt_cp.search.step_domains import StepDomains, given_vertices


class Grade(StrEnum):
    """Grades of a puzzle, the easiest first."""

    EASY = "easy"
    MEDIUM = "medium"
    HARD = "hard"
    EXPERT = "expert"

    @property
    def method(self) -> str:
        """The method that the grade requires, in a few words."""
        return {
            Grade.EASY: "single forced moves",
            Grade.MEDIUM: "narrowing alone",
            Grade.HARD: "looking ahead: one guess each",
            Grade.EXPERT: "search: guesses within guesses",
        }[self]


def grade_of(problem: Problem) -> Grade:
    """Return the grade of a problem with given steps that exactly one tour has.

    A problem with several tours, or none, is expert.

    Examples
    --------
    >>> grade_of(Problem("3x4", given={"a1": 1, "a2": 8, "c2": 2, "b1": 4, "d3": 12}))
    <Grade.EASY: 'easy'>
    >>> grade_of(Problem("5x5", given={"a1": 1, "c3": 25}))
    <Grade.EXPERT: 'expert'>
    """
    if problem.size < 2:
        return Grade.EASY
    given = given_vertices(problem)
    if Counting(problem).can_solve(given):
        return Grade.EASY
    search = Narrowing(problem, given=given)
    if search.is_solved:
        return Grade.MEDIUM
    return Grade.HARD if search.look_ahead() else Grade.EXPERT


class Counting:
    """A solver by counting moves on the empty board, for any given steps.

    ``distance`` has the moves between vertices, or a number above all distances.
    """

    def __init__(self, problem: Problem) -> None:
        self._size, self._closed = problem.size, problem.closed
        self.distance = _distances(problem)
        self._two_coloured = problem.indexed.colours is not None

    def can_solve(self, given: Sequence[tuple[int, int]]) -> bool:
        """Return whether counting places every step; ``given`` has steps, from 0, and vertices."""
        size, placed = self._size, dict(given)
        while placed and len(placed) < size:
            fits = self.fits(placed)
            steps = np.flatnonzero(fits.sum(axis=1) == 1)
            vertices = np.flatnonzero(fits.sum(axis=0) == 1)
            singles = [*zip(steps, fits[steps].argmax(axis=1), strict=True),
                       *zip(fits[:, vertices].argmax(axis=0), vertices, strict=True)]  # fmt: skip
            placed |= {int(step): int(vertex) for step, vertex in singles}
            if not singles or len(set(placed.values())) < len(placed):
                return False
        return len(placed) == size

    def fits(self, placed: Mapping[int, int]) -> NDArray[np.bool_]:
        """Return the free vertices that fit each missing step, and none for the other steps."""
        size, steps = self._size, np.arange(self._size)
        known = np.array(sorted(placed))
        at = np.array([placed[step] for step in known.tolist()])
        after = np.searchsorted(known, steps)
        fits = np.ones((size, size), dtype=np.bool_)
        for direction, other, exists in (
            (1, after - 1, after > 0),
            (-1, after, after < len(known)),
        ):
            other = other % len(known)
            moves = direction * (steps - known[other])
            if self._closed:
                moves %= size
            excess = self.distance[at[other]] - moves[:, None]
            near = excess <= 0
            if self._two_coloured:
                near &= excess % 2 == 0
            fits &= near | ~(exists | self._closed)[:, None]
        fits[known] = False
        fits[:, at] = False
        return fits


def _distances(problem: Problem) -> NDArray[np.int64]:
    found = np.full((problem.size, problem.size), -1).tolist()
    for root, row in enumerate(found):
        row[root] = 0
        extend_distances(row, [root], problem.indexed.neighbours.__getitem__)
    distance = np.array(found)
    return np.where(distance < 0, 2 * problem.size, distance)


class Narrowing(StepDomains):
    """The domains before any decision, narrowed further by looking ahead."""

    @property
    def is_solved(self) -> bool:
        """Return whether one vertex is left at every step."""
        return not self.exhausted and int(self.first.sum()) == len(self._order)

    def look_ahead(self, enough: int | None = None) -> bool:
        """Exclude the values that single guesses refute; return whether that solves the puzzle.

        It stops earlier when ``enough`` steps have one vertex left.
        """
        may, changed = self._sets[0, self._kernel.DOMAINS], True
        while changed and not self.exhausted and not self.is_solved:
            changed = False
            for step, bit in self._open():
                word, one = bit // 64, np.uint64(1 << bit % 64)
                if not may[step, word] & one:  # excluded by now
                    continue
                tried = self._sets[0].copy()
                tried[self._kernel.DOMAINS, step] = 0
                tried[self._kernel.DOMAINS, step, word] = one
                if self._narrow(tried, step):
                    continue
                may[step, word] &= ~one
                changed = True
                if not self._narrow(self._sets[0], step):
                    self.exhausted = True
                    return False
                if enough is not None and (self.first.sum(axis=1) == 1).sum() >= enough:
                    return self.is_solved
        return self.is_solved

    def _open(self) -> list[tuple[int, int]]:
        """Return all values of the steps that have a choice, as pairs of step and bit."""
        bits = np.unpackbits(
            self._sets[0, self._kernel.DOMAINS].view(np.uint8), axis=1, bitorder="little"
        )
        bits[bits.sum(axis=1) == 1] = 0
        return [(int(step), int(bit)) for step, bit in np.argwhere(bits)]

    def _narrow(self, tables: NDArray[np.uint64], step: int) -> bool:
        self._rules.queue[0] = step
        self._rules.queued[step] = True
        return self.narrow(tables, 1)

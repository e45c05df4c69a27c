"""``python -m benchmarks.too_few 8x8 4 --symmetry half-turn``: are four clues too few?

A *case* is a set of squares for the clues, and their steps in a closed tour.  The module takes one
set of all that the motions of the board map to each other.  A case is decided when two tours with
these steps are known, or when the complete search on windows (:mod:`kt_cp.search.step_domains`)
finds fewer.  A case with one tour is a puzzle, and is printed.

A tour has some steps on every set of squares, and so have its images under the motions of the board
and its reverse.  So each tour is a witness for at least one case of every set, and only few cases
need a search: three in a hundred for four clues on 8×8 in places with the symmetry of a half turn.

Source: witnesses are stored as in the implicit hitting sets of P. Chandrasekaran et al. (SODA
2011); the use of one witness for all sets is ours.  Cost: a byte for each set and steps,
N ** (clues - 1) for each set of a board of N squares, and a millisecond for each searched case.
When it loses: four arbitrary squares of 8×8 give 80,000 sets with 15,000 cases each.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from itertools import combinations
from typing import Annotated

import numpy as np
import typer
from numpy.typing import NDArray

from benchmarks.fewest import Steps, draw_clues
from kt_cp import Problem
from kt_cp.model.orbits import MOVED, images
from kt_cp.puzzles.generator import clue_orbits
from kt_cp.puzzles.grades import Counting
from kt_cp.search.step_domains import StepDomains

Numbers = NDArray[np.int64]

SETTLED, NONE = 255, 254
"""States of a case: two tours or more, or impossible steps; no tour.  Less is a hash of a tour."""


class Cases:
    """Every case of a closed board.

    Attributes
    ----------
    searched : int
        Number of searched cases.
    sets : int64 array of shape (sets, clues)
        Vertices.
    state : uint8 array of shape (sets, N, N, ...)
        State of each case, by the steps of the other squares relative to that of the first.  The
        direction is that in which the first one that is not half a tour apart is nearer.
    """

    def __init__(self, problem: Problem, clues: int, motion: str | None, seed: int) -> None:
        self._problem, self._size, self.searched = problem, problem.size, 0
        self._motions = _motions(problem)
        self._rng = np.random.default_rng(seed)
        hashes = self._rng.integers(2**40, size=(self._size,) * 2)
        self._hashes = hashes + hashes.T
        orbits = clue_orbits(problem, motion)
        found: dict[tuple[int, ...], None] = {}
        for many in range(1, clues + 1):
            for chosen in combinations(orbits, many):
                vertices = [vertex for orbit in chosen for vertex in orbit]
                if len(vertices) == clues:
                    moved = np.sort(self._motions[:, vertices], axis=1)
                    found[min(map(tuple, moved.tolist()))] = None
        self.sets = np.array(list(found))
        self.state = np.zeros((len(found), *(self._size,) * (clues - 1)), dtype=np.uint8)
        self._strike()

    def _strike(self) -> None:
        """Mark steps that no tour has: equal steps, or steps too near for their squares."""
        half, shape = self._size // 2, self.state.shape[1:]
        steps = np.stack([np.zeros(shape, dtype=np.int64), *np.indices(shape)])
        counting = Counting(self._problem)
        apart = (steps[:, None] - steps) % self._size
        ahead = steps[-1] <= half
        for each in steps[-2:0:-1]:
            ahead = (each < half) | ((each == half) & ahead)
        for state, vertices in zip(self.state, self.sets, strict=True):
            near = counting.distance[vertices][:, vertices]
            near = near.reshape(near.shape + (1,) * len(shape))
            fits = (apart >= near) & ((apart > 0) == (near > 0))
            if self._problem.indexed.colours is not None:
                fits &= (apart - near) % 2 == 0
            state[~(fits.all(axis=(0, 1)) & ahead)] = SETTLED

    def witness(self, walk: Numbers) -> None:
        """Record a tour and its images as witnesses of their cases."""
        moved = self._motions[:, walk]
        codes = self._hashes[moved, np.roll(moved, 1, axis=1)].sum(axis=1) % (NONE - 1) + 1
        sets = np.arange(len(self.sets))
        ahead = self._ahead(np.argsort(moved, axis=1)[:, self.sets])
        for code, apart in zip(codes.tolist(), ahead, strict=True):
            case = (sets, *apart.T)
            known = self.state[case]
            self.state[case] = np.where((known > 0) & (known != code), SETTLED, code)

    def _ahead(self, steps: Numbers) -> Numbers:
        """Return the steps of squares, by rows, in the form of ``state``."""
        size = self._size
        apart = (steps[..., 1:] - steps[..., :1]) % size
        first = (2 * apart != size).argmax(axis=-1)[..., None]
        back = 2 * np.take_along_axis(apart, first, axis=-1) > size
        return np.where(back, size - apart, apart)

    def _settle(self, case: tuple[int, ...], how: int) -> None:
        """Set the state of a case and of its images on the same squares."""
        vertices = self.sets[case[0]]
        moved = self._motions[:, vertices]
        order = np.argsort(moved, axis=1)
        same = (np.take_along_axis(moved, order, axis=1) == vertices).all(axis=1)
        steps = np.array([0, *case[1:]])[order[same]]
        self.state[case[0], *self._ahead(steps).T] = how

    def single(self) -> Iterator[Steps]:
        """Yield the clues of every case with one tour."""
        for at in map(tuple, self._rng.permutation(np.argwhere(self.state < NONE)).tolist()):
            if self.state[at] >= NONE:
                continue
            steps = dict(zip(self.sets[at[0]].tolist(), [0, *at[1:]], strict=True))
            given = [(step, vertex) for vertex, step in steps.items()]
            self.searched += 1
            search = StepDomains(self._problem, 1 + self.searched, given)
            while not search.exhausted and search.found < 2:
                for walk in search.next(limit=2, steps=100_000):
                    self.witness(walk)
            if search.found == 1:
                yield steps
            self._settle(at, SETTLED if search.found else NONE)


def _motions(problem: Problem) -> Numbers:
    """Return every motion of the board as the image of each vertex."""
    assert problem.board is not None
    each = [images(problem.indexed, problem.board, motion) for motion in MOVED]
    found, whole = {tuple(range(problem.size))}, [one for one in each if one.min() >= 0]
    while True:
        more = found | {tuple(one[list(other)].tolist()) for one in whole for other in found}
        if more == found:
            return np.array(sorted(found))
        found = more


def main(
    board: str,
    clues: Annotated[int, typer.Argument(min=3)],
    symmetry: Annotated[str | None, typer.Option(help="Symmetry of the clues")] = None,
    seed: int = 1,
) -> None:
    """Print and count the closed knight's puzzles with CLUES clues, one of each symmetry class."""
    began, problem = time.process_time(), Problem(board, closed=True)
    cases, single = Cases(problem, clues, symmetry, seed), 0
    sizes = f"{len(cases.sets):,} sets of squares, {(cases.state < NONE).sum():,} cases"
    for given in cases.single():
        single += 1
        print(draw_clues(problem, given), flush=True)
    took = f"{cases.searched:,} searched, {time.process_time() - began:.0f} s of the processor"
    print(f"{sizes}, {took}, seed {seed}: {single:,} with a single tour")


if __name__ == "__main__":
    typer.run(main)

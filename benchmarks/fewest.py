"""``python -m benchmarks.fewest 8x8 --minutes 10 --seed 1``: closed puzzles with few clues.

Every seed gives a tour and clues none of which can be left out; they are dropped in other orders as
well.  From the best of them on, clues are exchanged: two are taken out, and one is put in.  It must
differ in every second tour that the others leave: each one that is found rules out all steps at
which it is like the tour, so that few are tried.  Symmetric places are exchanged orbit by orbit.

A set of clues that is smaller than any before is printed as a board, which ``kt-cp`` reads.  The
search ends when its minutes are over; it proves nothing of what it does not find.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Callable, Sequence
from itertools import combinations
from typing import Annotated

import typer

from kt_cp import Problem, Puzzle, make_puzzle
from kt_cp.formats.drawing import draw_board
from kt_cp.puzzles.make import places_of
from kt_cp.puzzles.second import SecondTours

ORDERS = 5
"""In which the clues of one tour are dropped, before they are exchanged."""


class Few:
    """The clues of one tour, dropped and exchanged.

    Clues are sets of steps, as integers: bit t is step t, from 0.
    """

    def __init__(
        self, puzzle: Puzzle, motion: str | None, rng: random.Random, over: Callable[[], bool]
    ) -> None:
        problem, index = puzzle.asked, puzzle.problem.indexed.index
        walk = [index[square] for square in puzzle.tour]
        step = {vertex: at for at, vertex in enumerate(walk)}
        self.others = SecondTours(problem, walk, over)
        self.orbits = [sum(1 << step[v] for v in each) for each in places_of(problem, motion)]
        self.rng = rng

    def dropped(self, clues: int) -> int:
        """Clues of these none of which can be left out."""
        self.rng.shuffle(self.orbits)
        for orbit in self.orbits:
            left = clues & ~orbit
            if orbit & clues and left and self.others.any(left) is False:
                clues = left
        return clues

    def exchanged(self, clues: int) -> int:
        """The same clues, or fewer: one orbit in place of two, as often as that goes."""
        own = [orbit for orbit in self.orbits if orbit & clues]
        pairs = [*combinations(own, 2)]
        self.rng.shuffle(pairs)
        for one, other in pairs:
            left = clues & ~(one | other)
            found = self._another(left, one | other, [o for o in self.orbits if not o & clues])
            if found and found.bit_count() < clues.bit_count():
                return self.exchanged(self.dropped(found))
        return clues

    def _another(self, left: int, taken: int, orbits: Sequence[int]) -> int:
        """Clues with one orbit more that are enough; 0 if there is none."""
        # Where a second tour is like the tour of the puzzle a clue does not tell them apart.
        open_ = [o for o in orbits if o.bit_count() < taken.bit_count()]
        self.rng.shuffle(open_)
        for orbit in open_:
            if not self.others.known(left | orbit) and self.others.any(left | orbit) is False:
                return left | orbit
        return 0


def search(
    problem: Problem, motion: str | None, seed: int, over: Callable[[], bool], most: int
) -> int:
    """Print every record below so many clues; how many the last one has."""
    while not over():
        rng = random.Random(seed)
        puzzle = make_puzzle(problem, seed=seed, symmetry=motion)
        few = Few(puzzle, motion, rng, over)
        whole = (1 << problem.size) - 1
        try:
            orders = [few.dropped(whole) for _ in range(ORDERS)]
            clues = few.exchanged(min(orders, key=int.bit_count))
        except TimeoutError:
            break
        if clues.bit_count() < most:
            most = clues.bit_count()
            told = {square: at + 1 for at, square in enumerate(puzzle.tour) if clues >> at & 1}
            assert problem.board is not None
            print(f"{most} clues, {problem.label}, seed {seed}, {motion or 'no symmetry'}:")
            print(draw_board(problem.board, told), flush=True)
        seed += 1
    print(f"seeds up to {seed - 1}", file=sys.stderr)
    return most


def main(
    board: str,
    minutes: Annotated[float, typer.Option(help="Most time")] = 10.0,
    seed: Annotated[int, typer.Option(help="The first one")] = 1,
    symmetry: Annotated[str | None, typer.Option(help="Of the places of the clues")] = None,
) -> None:
    """Closed knight's puzzles with few clues, as boards."""
    until = time.monotonic() + 60 * minutes
    problem = Problem(board, closed=True)
    search(problem, symmetry, seed, lambda: time.monotonic() > until, problem.size)


if __name__ == "__main__":
    typer.run(main)

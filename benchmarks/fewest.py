"""``python -m benchmarks.fewest 8x8 --minutes 10 --seed 1``: closed puzzles with few clues.

The search starts with some clues of a tour and changes them at random.  A change gives a clue
another step, or replaces its square, which gets its step in a tour with these clues.  If the places
must be symmetric, the change replaces an orbit of squares.  The search minimises the bits that the
windows leave open: the logarithm of the product of their sizes (:mod:`kt_cp.search.step_domains`).
It accepts a change to more bits with a falling probability, and never one that excludes all tours.

If the bits fall no further and the places are free, the search counts tours instead.  It omits a
clue, draws tours without it, and tries as a new clue each step of a square that few of them have.
It continues with the known set of clues that has the fewest tours (*best first*).  When a single
tour is left, it tries fewer clues; after twenty sets without fewer tours, it tries another tour.

Source: S. Kirkpatrick, C. D. Gelatt and M. P. Vecchi, "Optimization by simulated annealing",
Science 220, 1983; the use of windows to measure how near a puzzle is to a single solution is ours.
Cost: 0.5 ms for each set of clues on 8×8, so six clues take seconds, and an exchange takes about
one second.  The removal of clues from one tour ends at nine, or at twelve with the symmetry of
a quarter turn.  With random clues, a count of the tours takes a hundred times as long as the bits.
When it loses: it never proves that no smaller set exists (:mod:`benchmarks.too_few` does).

Each record is printed as a board, which ``kt-cp`` reads.
"""

from __future__ import annotations

import math
import random
import sys
import time
from collections.abc import Callable, Sequence
from heapq import heappop, heappush
from typing import Annotated

import numpy as np
import typer

from kt_cp import Problem, solve
from kt_cp.formats.drawing import draw_board
from kt_cp.puzzles.generator import clue_orbits
from kt_cp.search.step_domains import StepDomains

HOT, COLD, COOLING = 6.0, 1.0, 0.999
"""In bits: the initial and the final temperature, and the factor for each change."""

PATIENCE = 2_000
"""Changes without fewer bits before the search tries another tour."""

DECISIONS = 2_000
"""Limit of a search for two tours with the same clues; it rejects clues that take longer."""

MANY, LOOKED_AT, SLACK = 5_000, 300, 20
"""Limits of tours: most at the start of exchanges, most after an exchange, and most after an
exchange as a multiple of the fewest."""

STALE = 20
"""Sets of clues without fewer tours before the exchanges end."""

SEARCHES, A_DRAW, RARE = 40, 25, 2
"""Searches for tours without a clue, tours of each, and how many of all these may have the step
that is tried as a new clue."""

Steps = dict[int, int]
"""The step of each vertex that has a clue, from 0."""


class Clues:
    """Clues of a closed tour during a search.

    Attributes
    ----------
    tried : int
        Number of tested sets of clues.
    """

    def __init__(
        self,
        problem: Problem,
        orbits: Sequence[Sequence[int]],
        most: int,
        seed: int,
    ) -> None:
        self._problem, self._orbits, self._rng = problem, orbits, random.Random(seed)
        self._stride = 1 if problem.indexed.colours is None else 2
        index = problem.indexed.index
        tour = solve(problem, seed=seed, own_process=False).tour
        assert tour is not None
        self._tour = {index[square]: step for step, square in enumerate(tour)}
        self._chosen: list[Sequence[int]] = []
        for orbit in self._rng.sample(orbits, len(orbits)):
            if sum(map(len, self._chosen)) + len(orbit) <= most:
                self._chosen.append(orbit)
        self.tried = 0

    def unique(self, over: Callable[[], bool]) -> Steps | None:
        """Return clues with a single tour, or None."""
        steps = _of(self._chosen, self._tour)
        bits = fewest = math.inf
        heat, stale = HOT, 0
        while stale < PATIENCE and self._chosen and not over():
            chosen, changed = self._changed(steps)
            search = self._search(changed)
            left = _bits(search)
            heat, stale = max(COLD, heat * COOLING), stale + 1
            if left < bits - heat * math.log(1.0 - self._rng.random()):
                tours = self._tours(search)
                if tours:
                    self._chosen, steps, bits = chosen, changed, left
                if tours == 1 and search.exhausted:
                    return steps
                if tours and bits < fewest:
                    fewest, stale = bits, 0
        alone = all(len(orbit) == 1 for orbit in self._orbits)
        return self._exchanged(steps, over) if alone else None

    def _exchanged(self, steps: Steps, over: Callable[[], bool]) -> Steps | None:
        """Exchange one clue at a time until a single tour is left; return None if that fails."""
        fewest = len(self._search(steps).next(limit=MANY, steps=10**7))
        heap, seen, since = [(fewest, 0, steps)] * (fewest < MANY), {_key(steps)}, 0
        while heap and since < STALE:
            many, _, steps = heappop(heap)
            since += 1
            for out in self._rng.sample(list(steps), len(steps)):
                rest = {vertex: step for vertex, step in steps.items() if vertex != out}
                for into, step in self._rare(rest):
                    clues = {**rest, into: step}
                    if over():
                        return None
                    if _key(clues) in seen:
                        continue
                    seen.add(_key(clues))
                    search, most = self._search(clues), min(LOOKED_AT, SLACK * fewest)
                    search.next(limit=most, steps=10**7)
                    if search.found == 1:
                        return clues
                    if 0 < search.found < most:
                        heappush(heap, (search.found, len(seen), clues))
                    if 0 < search.found < fewest:
                        fewest, since = search.found, 0
                if heap and heap[0][0] < many:
                    break
        return None

    def _rare(self, steps: Steps) -> list[tuple[int, int]]:
        """Return further clues that few tours have, according to a random sample."""
        size = self._problem.size
        draws = [self._search(steps) for _ in range(SEARCHES)]
        had = np.where(draws[0].first, 0, RARE + 1)
        for draw in draws:
            for walk in draw.next(limit=A_DRAW, steps=10**6):
                had[np.arange(size), walk] += 1
        had[list(steps.values())] = RARE + 1
        rare = [(vertex, step) for step, vertex in np.argwhere(had <= RARE).tolist()]
        self._rng.shuffle(rare)
        return sorted(rare, key=lambda clue: int(had[clue[1], clue[0]]))

    def _search(self, steps: Steps) -> StepDomains:
        self.tried += 1
        given = [(step, vertex) for vertex, step in steps.items()]
        return StepDomains(self._problem, self._rng.randrange(1, 10**6), given)

    def _tours(self, search: StepDomains) -> int:
        """Return the number of tours found, at most two; store one of them."""
        while not search.exhausted and search.found < 2 and search.placed < DECISIONS:
            for walk in search.next(limit=2, steps=100_000).tolist():
                self._tour = {vertex: step for step, vertex in enumerate(walk)}
        return search.found

    def _changed(self, steps: Steps) -> tuple[list[Sequence[int]], Steps]:
        """Change the step of a clue, or exchange an orbit."""
        size, rng = self._problem.size, self._rng
        out = rng.choice(self._chosen)
        others = [o for o in self._orbits if o[0] not in steps and len(o) == len(out)]
        if others and rng.random() < 0.25:
            into = rng.choice(others)
            chosen = [into if each is out else each for each in self._chosen]
            return chosen, _of(chosen, self._tour)
        vertex = rng.choice(out)
        step = (steps[vertex] + self._stride * rng.randrange(1, size // self._stride)) % size
        return self._chosen, steps if step in steps.values() else {**steps, vertex: step}


def _bits(search: StepDomains) -> float:
    """Return the number of open bits in the windows; infinite if they exclude every tour."""
    sizes = search.first.sum(axis=1)
    return math.inf if search.exhausted or not sizes.all() else float(np.log2(sizes).sum())


def _key(steps: Steps) -> frozenset[tuple[int, int]]:
    return frozenset(steps.items())


def _of(orbits: Sequence[Sequence[int]], steps: Steps) -> Steps:
    return {vertex: steps[vertex] for orbit in orbits for vertex in orbit}


def draw_clues(problem: Problem, steps: Steps) -> str:
    """Return the board with these clues, in the format of ``kt-cp``."""
    assert problem.board is not None
    nodes = problem.indexed.nodes
    return draw_board(problem.board, {nodes[vertex]: at + 1 for vertex, at in steps.items()})


def search(
    problem: Problem, motion: str | None, seed: int, over: Callable[[], bool], most: int
) -> int:
    """Print every record with fewer than ``most`` clues; return its number of clues."""
    orbits, tried, first = clue_orbits(problem, motion), 0, seed
    while not over():
        clues = Clues(problem, orbits, min(most - 1, problem.size // 6), seed)
        steps = clues.unique(over)
        if steps is not None:
            most = len(steps)
            print(f"{most} clues, {problem.label}, seed {seed}, {motion or 'no symmetry'}:")
            print(draw_clues(problem, steps), flush=True)
        seed, tried = seed + 1, tried + clues.tried
    print(f"{seed - first} seeds, {tried:,} sets of clues", file=sys.stderr)
    return most


def main(
    board: str,
    minutes: Annotated[float, typer.Option(help="Most time")] = 10.0,
    seed: Annotated[int, typer.Option(help="The first one")] = 1,
    symmetry: Annotated[str | None, typer.Option(help="Symmetry of the clues")] = None,
    below: Annotated[int | None, typer.Option(help="Fewer clues only", show_default="any")] = None,
) -> None:
    """Search for closed knight's puzzles with few clues; print their boards."""
    until = time.monotonic() + 60 * minutes
    problem = Problem(board, closed=True)
    search(problem, symmetry, seed, lambda: time.monotonic() > until, below or problem.size)


if __name__ == "__main__":
    typer.run(main)

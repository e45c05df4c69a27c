"""Tours with given steps: depth-first search, then SAT; and the written form of such tours.

Depth-first search on step domains runs first.  If there are many tours, or few choices, it is much
faster than SAT.  But it does not learn, and on a large board it may get stuck at once.  After a
while without a tour, SAT continues and excludes all tours found so far.  Between calls of SAT,
simulated annealing (:mod:`kt_cp.search.annealing`) runs, which is faster if there are many tours.

The formula is that of :mod:`kt_cp.encodings.channel`, on the narrowed step domains
(:mod:`kt_cp.search.step_domains`).  A clause excludes a tour: some step must have another square.
Learned clauses remain valid, and the solver's phases remain near the last tour, so a second tour
often takes almost no time.

Source: enumeration by blocking clauses, which is folklore.  Cost: tenths of a second for the
formula on 20×20; each further tour adds a clause as long as the tour.  When it loses: with
thousands of tours, every call reads all their clauses, while depth-first search simply continues.
With few given steps on a large board, the formula is too large.

**Written form.**  In a closed tour every given square has its step, so one given step fixes the
first square.  The direction is free only if every given square also has its step in the reversed
tour: with a single given step, or with two that are half a tour apart.

**With a symmetry**, the image of a given square has a known step as well.  The symmetry reverses an
open tour, so the image is as far from the end as the square is from the beginning.  If it shifts a
closed tour by a half or a fourth of its length, the step of the image is shifted too.  If it may
reverse a closed tour, the step is unknown.  In all cases each tour is tested for the symmetry.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from kt_cp.encodings import get_encoding
from kt_cp.enumeration.symmetry import BoardSymmetry, is_invariant, required_image, symmetries
from kt_cp.model.errors import TooLargeError
from kt_cp.model.problem import Problem, changed
from kt_cp.search.step_domains import StepDomains, given_vertices

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kt_cp.search.annealing import Annealing


SOLVER = "glucose4"
"""SAT solver with an exact conflict budget, unlike other solvers."""

CONFLICTS_A_CALL = 200
"""Conflicts between two checks of the clock and of Ctrl-C: hundredths of a second."""

PATIENCE = 20
"""Calls of the depth-first search without a tour before SAT continues: half a second."""

DRAWS_A_CALL = 80_000
"""Draws of the annealing for each call of the solver, which takes about as long on 20×20."""

MOST_DRAWS = 10_000_000
"""Draws without a new tour after which the annealing stops."""

EXAMINED = 256
"""Tours to test together for a required symmetry, which step domains do not express."""

MOST_KNOWN = 1_000
"""Most known tours with which SAT starts: with more tours to exclude it would be slower."""


class Formula:
    """All tours of a problem with given steps, except the excluded ones.

    ``given`` has pairs of a step, from 0, and a vertex; they replace those of the problem.

    >>> formula = Formula(Problem("5x6", closed=True, given={"a1": 1, "f2": 9, "c1": 27}))
    >>> answer, walk = formula.solve()
    >>> answer, len(walk), formula.exclude(walk), formula.solve()
    (True, 30, None, (False, []))
    """

    def __init__(self, problem: Problem, given: Sequence[tuple[int, int]] | None = None) -> None:
        from pysat.solvers import Solver

        if given is not None:
            nodes = problem.indexed.nodes
            problem = changed(problem, given={nodes[vertex]: at + 1 for at, vertex in given})
        cnf = get_encoding("channel").encode(problem)
        removed = cnf.key[~StepDomains(problem).first.T]
        clauses = [*cnf.clauses, *([-variable] for variable in removed[removed > 0].tolist())]
        self._key = cnf.key
        self._solver = Solver(SOLVER, bootstrap_with=clauses)

    def close(self) -> None:
        """Free the memory of the solver."""
        self._solver.delete()

    def _literals(self, walk: Sequence[int]) -> NDArray[np.int64]:
        """Return the variable of each step; 0 if the formula has none."""
        found: NDArray[np.int64] = self._key[list(walk), range(len(walk))]
        return found

    def exclude(self, walk: Sequence[int]) -> None:
        """Exclude a walk from all further answers."""
        literals = self._literals(walk)
        if literals.all():
            self._solver.add_clause((-literals).tolist())

    def prefer(self, walk: Sequence[int]) -> None:
        """Search near a walk, so that tours with few differences are found first."""
        literals = self._literals(walk)
        self._solver.set_phases(literals[literals > 0].tolist())

    def solve(
        self,
        assumed: Iterable[tuple[int, int]] = (),
        excluded: Iterable[tuple[int, int]] = (),
        conflicts: int = CONFLICTS_A_CALL,
    ) -> tuple[bool | None, list[int]]:
        """Return whether there is a tour with the assumed steps, and its vertices.

        The answer is None if the budget of conflicts is used up; the next call continues there.
        Steps are pairs of a step, from 0, and a vertex; the tour has no ``excluded`` step.
        """
        fixed = [int(self._key[vertex, step]) for step, vertex in assumed]
        if not all(fixed):
            return False, []
        # Excluded steps come first: deciding them early makes the other decisions faster.
        ruled_out = (int(self._key[vertex, step]) for step, vertex in excluded)
        fixed = [*(-each for each in ruled_out if each), *fixed]
        self._solver.conf_budget(conflicts)
        # With this flag, Ctrl-C raises KeyboardInterrupt; without it, PySAT raises another error.
        answer = self._solver.solve_limited(assumptions=fixed, expect_interrupt=True)
        if not answer:
            return answer, []
        model = np.array(self._solver.get_model())
        true = np.zeros(len(model) + 1, dtype=np.bool_)
        true[model[model > 0]] = True
        return True, (true[self._key] & (self._key > 0)).argmax(axis=0).tolist()


class Search:
    """All tours with given steps, a few at a time: on step domains, then by formula.

    ``placed`` is the number of squares placed on step domains.  ``exhausted`` is true if there are
    no further tours.

    >>> search = Search(Problem("3x4", start="a1", symmetry="half-turn"))
    >>> search.next(capacity=4, steps=10**6).shape
    (1, 12)
    """

    def __init__(self, problem: Problem) -> None:
        self._problem, self._domains = problem, StepDomains(problem)
        self._formula: Formula | None = None
        self._annealing: Annealing | None = None
        self._known: dict[tuple[int, ...], None] = {}
        self._image = required_image(problem)
        self._idle = self._draws = self.placed = 0
        self.exhausted = self._domains.exhausted

    def next(self, *, capacity: int, steps: int) -> NDArray[np.int32]:
        """Return the next tours, one per row; without a symmetry at most ``capacity``."""
        formula, annealing = self._formula, self._annealing
        if formula is None:
            walks = self._search_domains(capacity, steps)
        else:
            answer, walk = formula.solve()
            self.exhausted = answer is False
            walks = self._record_new([walk] if walk else [])
        if not len(walks) and annealing is not None and not self.exhausted:
            self._draws += DRAWS_A_CALL
            walk = annealing.next(draws=DRAWS_A_CALL)
            walks = self._record_new([walk] if walk else [])
            self._annealing = annealing if self._draws < MOST_DRAWS else None
        return walks

    def _record_new(self, walks: list[list[int]]) -> NDArray[np.int32]:
        """Return the walks that are new, and record them as known."""
        new = [walk for walk in map(tuple, walks) if walk not in self._known]
        if len(self._known) <= MOST_KNOWN or self._formula or self._annealing:
            self._known |= dict.fromkeys(new)
        self._exclude(new)
        self._draws = 0 if new else self._draws
        return np.array(new, dtype=np.int32).reshape(len(new), self._problem.size)

    def _search_domains(self, capacity: int, steps: int) -> NDArray[np.int32]:
        if self._image is not None:
            capacity = max(capacity, EXAMINED)  # most tours are not symmetric
        walks = self._domains.next(limit=capacity, steps=steps)
        if self._image is not None:
            walks = walks[is_invariant(walks, self._image, self._problem.closed)]
        self.placed, self.exhausted = self._domains.placed, self._domains.exhausted
        self._idle = 0 if len(walks) else self._idle + 1
        if len(self._known) <= MOST_KNOWN or self._annealing:
            walks = self._record_new(walks.tolist())
        if self._idle == PATIENCE and not self.exhausted and len(self._known) <= MOST_KNOWN:
            self._start_formula()
        return walks

    def _start_formula(self) -> None:
        from kt_cp.search.annealing import start_annealing

        self._annealing = start_annealing(self._problem)
        try:
            get_encoding("channel").refuse(self._problem)
        except TooLargeError:
            return
        self._formula = Formula(self._problem)
        self._exclude(self._known)

    def _exclude(self, walks: Iterable[tuple[int, ...]]) -> None:
        if self._formula is not None:
            for walk in walks:
                self._formula.exclude(walk)
                self._formula.prefer(walk)


def imply_steps(problem: Problem) -> Iterator[Problem]:
    """Yield problems with all steps implied by a symmetry; together they have the problem's tours.

    >>> given = {"a1": 1, "c2": 2}
    >>> [each.label for each in imply_steps(Problem("3x4", given=given, symmetry="half-turn"))]
    ['3x4, open, a1 at 1, b2 at 11, c2 at 2, d3 at 12, symmetric under the half-turn']
    """
    motion, size, graph = required_image(problem), problem.size, problem.indexed
    image = [] if motion is None else motion.tolist()
    if min(image, default=-1) < 0 or image == sorted(image):
        yield problem
        return
    turns = all(image[there] == here for here, there in enumerate(image))
    places = sum(here == there for here, there in enumerate(image))
    places += sum(image[u] == v and image[v] == u for u, v in graph.pairs())
    later = [size // 2] if turns else [size // 4, -(size // 4)]
    if not problem.closed and turns:
        later = [0]
    elif not problem.closed or size % (2 if turns else 4):
        later = []  # such a shift maps no tour to itself
    if problem.closed and turns and places > 1:
        yield problem
        return
    for shift in later:
        steps = set(given_vertices(problem))
        for _ in range(3):
            steps |= {
                ((step + shift) % size if problem.closed else size - 1 - step, image[at])
                for step, at in steps
            }
        given = {graph.nodes[at]: step + 1 for step, at in steps}
        if len(given) == len(steps) == len(set(given.values())):
            yield changed(problem, given=given)


class GivenSteps:
    """The written form of the tours of a problem with given steps.

    ``reversible`` is true if the reverse of every tour also has the given squares at their steps.
    """

    def __init__(self, problem: Problem, *, directed: bool) -> None:
        self._size, self._closed = problem.size, problem.closed
        self._given = given_vertices(problem)
        # Reversal moves step t to turn - t; a closed tour may be rotated by any number.
        turns = {2 * step % self._size if self._closed else 2 * step for step, _ in self._given}
        self._turn = min(turns)
        self.reversible = turns == {self._turn} and (self._closed or self._turn == self._size - 1)
        self._problem, self._directed = problem, directed

    @cached_property
    def _images(self) -> list[BoardSymmetry]:
        """Symmetries, computed only for classes, as they are slow compared with most puzzles."""
        problem = self._problem
        return symmetries(problem, problem.indexed.index, directed=self._directed)

    def tours(self, walks: NDArray[np.int32]) -> Iterator[NDArray[np.int32]]:
        """Yield the walks, but only one of a walk and its reverse."""
        yield self._drop_reverses(walks) if self.reversible and not self._directed else walks

    def _drop_reverses(self, walks: NDArray[np.int32]) -> NDArray[np.int32]:
        step = self._given[0][0]
        before, after = (step - 1) % self._size, (step + 1) % self._size
        chosen: NDArray[np.int32] = walks[walks[:, before] < walks[:, after]]
        return chosen

    def sizes(self, walks: NDArray[np.int32]) -> list[int]:
        """Return the number of tours in the class of each walk; 0 if another one is its first."""
        found = []
        for walk in walks.tolist():
            alike = set()
            for image, back in self._images:
                image_walk = [image[vertex] for vertex in walk]
                written = self._normal_form(image_walk[::-1] if back else image_walk)
                if written is not None:
                    alike.add(written)
            found.append(len(alike) if tuple(walk) == min(alike) else 0)
        return found

    def _normal_form(self, walk: list[int]) -> tuple[int, ...] | None:
        """Return a walk, rotated and reversed so that given squares have their steps, or None."""
        step, vertex = self._given[0]
        if self._closed:
            at = walk.index(vertex) - step
            walk = walk[at:] + walk[:at]
        if any(walk[step] != vertex for step, vertex in self._given):
            return None
        either = self.reversible and not self._directed
        if either and walk[(step + 1) % self._size] < walk[step - 1]:
            walk = [walk[(self._turn - step) % self._size] for step in range(self._size)]
        return tuple(walk)

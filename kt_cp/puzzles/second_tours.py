"""The search for a second tour with the same clues, in a sequence of questions with fewer clues.

Depth-first search on step domains is tried first (:mod:`kt_cp.search.step_domains`).
When its budget is spent, a SAT solver takes over, because it learns.  Some of the clues are in its
formula, and the others are assumptions, so what it learns serves the next question too.  Every
second tour is stored as a *witness*: the set of steps at which it differs from the tour of the
puzzle.  It answers every later question that has no clue at any of these steps, without a search.
So few questions with the answer "yes" need a search.

If only one tour has some clues, and one of these clues is dropped, then every second tour has
another square at that step.  So the square of the dropped clue is excluded from its domain before
anything else.  Then narrowing alone mostly answers "no".

A closed tour can be written backwards as well if its clues fix no direction: if there is a single
clue, or two that are half a tour apart.  Then there is a second tour, without a search.

The solver gets the formula of :mod:`kt_cp.enumeration.given_steps` and searches near the known
tour: it assumes every step of that tour except the dropped one.  If there is no model, the solver
returns a core of assumptions that contradict each other.  These are dropped, the others stay, and
the solver runs again.  So the region in which the tours may differ grows only as necessary.  A
second tour differs in a few dozen steps, and most of the board is never searched.  When a call has
spent its conflicts, a random third of the assumptions is dropped, so that in the end the whole
board is searched.

Budgets are counted in work, not in seconds, so that the same seed gives the same puzzle.

Source: relaxing the assumptions of an unsatisfiable core is how core-guided MaxSAT begins (Z. Fu
and S. Malik, "On solving the partial MAX-SAT problem", SAT 2006).  Here all assumptions of a core
are dropped at once: the other tour has to be near, but need not be the nearest.

Cost: about ten calls that propagate and hardly search; a few hundredths of a second on 20×20.

When it loses: if there is no other tour, or only distant ones, the first calls yield only learned
clauses.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from random import Random

from kt_cp.enumeration.given_steps import Formula
from kt_cp.model.problem import Problem
from kt_cp.search.step_domains import StepDomains

CONFLICTS_A_CALL, SHARE = 100, 3
"""Conflicts of a call, and the inverse share of assumptions that are dropped after it."""


class NearbyTours(Formula):
    """A formula for all tours with given steps, and a search for one near a known tour."""

    @property
    def conflicts(self) -> int:
        """Number of conflicts in all calls so far."""
        return int(self._solver.accum_stats()["conflicts"])

    def near(
        self,
        walk: Sequence[int],
        assumed: Sequence[tuple[int, int]],
        excluded: Sequence[tuple[int, int]],
        seed: int = 0,
    ) -> Iterator[tuple[bool | None, list[int]]]:
        """Yield the answer of one call after the other, until one is no longer None.

        If nothing is excluded, no step of the walk is assumed.

        Examples
        --------
        >>> from kt_cp import Problem
        >>> formula = NearbyTours(Problem("3x4"), [])
        >>> _, walk = formula.solve()
        >>> answer, other = list(formula.near(walk, [], [(5, walk[5])]))[-1]
        >>> answer, other[5] == walk[5]
        (True, False)
        """
        preferred = [at for at in enumerate(walk) if excluded and at not in excluded]
        rng = Random(seed)
        rng.shuffle(preferred)  # cores tend to contain the first assumptions
        while True:
            answer, found = self.solve([*assumed, *preferred], excluded, CONFLICTS_A_CALL)
            if answer is None:
                preferred = rng.sample(preferred, len(preferred) - -(-len(preferred) // SHARE))
            elif not answer and preferred:
                core = set(self._solver.get_core() or ())
                left = [at for at in preferred if int(self._key[at[1], at[0]]) not in core]
                answer = False if left == preferred else None
                preferred = left
            yield answer, found
            if answer is not None:
                return


DECISIONS = 2_000
"""Decisions of one search on a board of 64 squares: a tenth of a second.  Larger ones get fewer: a
decision takes longer there, and SAT wins sooner."""

CONFLICTS = 80_000
"""Conflicts of one question on a board of 64 squares, which never needs that many.  The time of a
conflict grows with the number of squares: 12,800 on 20×20, a few seconds."""

POLL = 500_000
"""Steps of work between two polls of the clock: a few hundredths of a second."""


class SecondTours:
    """A search for tours other than a given one, with common clues.

    Sets of steps are integers: bit t stands for step t, from 0.  The problem has no given steps;
    ``walk`` has its vertices in the order of the tour.  ``stopping`` is polled about ten times per
    second; when it returns true, TimeoutError is raised.

    Examples
    --------
    >>> from kt_cp import solve
    >>> problem = Problem("3x4")
    >>> walk = [problem.indexed.index[square] for square in solve(problem).tour]
    >>> others = SecondTours(problem, walk)
    >>> others.any(0), others.any(2**12 - 1)
    (True, False)
    """

    def __init__(
        self, problem: Problem, walk: Sequence[int], stopping: Callable[[], bool] | None = None
    ) -> None:
        self._problem, self._walk = problem, list(walk)
        self._size = len(walk)
        self._stopping = stopping or (lambda: False)
        self._witnesses: list[int] = []
        self._formula: NearbyTours | None = None
        self._base = 0  # the clues in the formula

    def any(self, clues: int, soon: int = 0, patience: float = 1, dropped: int = 0) -> bool | None:
        """Return whether another tour has the same squares at these steps; None if out of budget.

        ``soon`` are steps that the next questions leave out; one formula is made for all of them.
        ``patience`` multiplies the budget.  With the steps ``dropped`` as further clues, no other
        tour exists.
        """
        if any(not differs & clues for differs in self._witnesses):
            return True
        if self._size < 2:
            return False
        steps = [step for step in range(self._size) if clues >> step & 1]
        if self._problem.closed and len({2 * step % self._size for step in steps}) < 2:
            return True
        excluded = []
        if dropped.bit_count() == 1:  # of several, another tour need not leave out each
            excluded = [(dropped.bit_length() - 1, self._walk[dropped.bit_length() - 1])]
        given = [(step, self._walk[step]) for step in steps]
        search = StepDomains(self._problem, given=given, excluded=excluded)
        most = DECISIONS * 64**3 // self._size**3
        while not search.exhausted and search.placed < most:
            if self._stopping():
                raise TimeoutError
            for found in search.next(limit=2, steps=POLL).tolist():
                if found != self._walk:
                    self._note(found)
                    return True
        return False if search.exhausted else self._by_sat(clues, soon, patience, excluded)

    def _by_sat(
        self, clues: int, soon: int, patience: float, excluded: Sequence[tuple[int, int]]
    ) -> bool | None:
        """Answer the question with a formula that excludes the tour."""
        if not clues:
            return None
        formula, walk = self._formula, self._walk
        if formula is None or self._base & ~clues:
            if formula is not None:
                formula.close()
            # Without a clue the formula may have each tour in one direction only.
            self._base = clues & ~soon or clues & -clues
            given = [(step, walk[step]) for step in range(self._size) if self._base >> step & 1]
            formula = self._formula = NearbyTours(self._problem, given)
            formula.prefer(walk)  # witnesses that differ in few steps answer more questions
            formula.exclude(walk)
        more = clues & ~self._base
        assumed = [(step, walk[step]) for step in range(self._size) if more >> step & 1]
        budget = int(patience * CONFLICTS * 64 / self._size)
        last = formula.conflicts + budget
        answers = formula.near(walk, assumed, excluded, budget)  # the budget is the seed
        while formula.conflicts < last:
            if self._stopping():
                raise TimeoutError
            answer, found = next(answers)
            if found:
                self._note(found)
            if answer is not None:
                return answer
        return None

    def _note(self, found: list[int]) -> None:
        pairs = zip(found, self._walk, strict=True)
        self._witnesses.append(sum(1 << t for t, (u, v) in enumerate(pairs) if u != v))

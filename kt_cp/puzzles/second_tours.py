"""Is there a second tour with the same clues?  Asked again and again, each time with fewer clues.

Depth-first search on windows looks for the answer first (:mod:`kt_cp.search.step_domains`).  When
its budget is spent, a SAT solver takes over (:mod:`kt_cp.puzzles.second_tours`), because it learns.
Some of the clues are in its formula, and the others are assumptions, so what it learns serves the
next question too.  Every second tour that is found is kept as a *witness*: the set of steps at
which it differs from the tour of the puzzle.  It answers every later question that has no clue at
any of these steps, without a search.  So few questions with the answer "yes" need a search.

If only one tour has some clues, and one of these clues is dropped, then every second tour has
another square at that step.  So the square of the dropped clue is struck from its window before
anything else.  Then narrowing alone mostly says "no".

A closed tour can be written backwards as well if its clues fix no direction: if there is a single
clue, or two that are half a tour apart.  Then there is a second tour, without a search.

Budgets are counted in work, not in seconds, so that the same seed gives the same puzzle.

Another tour near a known one: steps of the known tour are given up only where they conflict.

The solver gets the formula of :mod:`kt_cp.enumeration.given_steps` and assumes every step of the
known tour but one; the square of that step is struck.  If there is no model, the solver returns a
core: the assumptions that it needed to say so.  These are given up, the others stay, and the solver
is asked again.  So the region in which the tours may differ grows only where it has to.  A second
tour differs in some dozens of steps, and most of the board is never searched.  When a call has
spent its conflicts, a random third of the assumptions is given up, so that in the end the whole
board is searched.

Source: relaxing the assumptions of an unsatisfiable core is how core-guided MaxSAT begins (Z. Fu
and S. Malik, "On solving the partial MAX-SAT problem", SAT 2006).  Here all assumptions of a core
are given up at once: the other tour has to be near, but need not be the nearest.

Cost: some ten calls that propagate and hardly search; a few hundredths of a second on 20×20.

When it loses: if there is no other tour, or only distant ones, the first calls bring nothing but
learned clauses.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from random import Random

from kt_cp.enumeration.given_steps import Formula
from kt_cp.model.problem import Problem
from kt_cp.search.step_domains import StepDomains

CONFLICTS_A_CALL = 100
"""Of a call; after it less is assumed, and the clock is looked at."""

SHARE = 3
"""What part of the assumptions is given up then."""


class NearbyTours(Formula):
    """All tours with given steps, looked for near one of them."""

    @property
    def conflicts(self) -> int:
        """How many there were in all calls so far."""
        return int(self._solver.accum_stats()["conflicts"])

    def near(
        self,
        walk: Sequence[int],
        assumed: Sequence[tuple[int, int]],
        struck: Sequence[tuple[int, int]],
        seed: int = 0,
    ) -> Iterator[tuple[bool | None, list[int]]]:
        """The answers of one call after the other, until one is no longer None.

        Without a step that is struck nothing of the walk is kept.

        Examples
        --------
        >>> from kt_cp import Problem
        >>> formula = NearbyTours(Problem("3x4"), [])
        >>> _, walk = formula.ask()
        >>> said, other = list(formula.near(walk, [], [(5, walk[5])]))[-1]
        >>> said, other[5] == walk[5]
        (True, False)
        """
        kept = [at for at in enumerate(walk) if struck and at not in struck]
        lot = Random(seed)
        lot.shuffle(kept)  # what is assumed first decides on what a core is made of
        while True:
            answer, found = self.ask([*assumed, *kept], struck, CONFLICTS_A_CALL)
            if answer is None:
                kept = lot.sample(kept, len(kept) - -(-len(kept) // SHARE))
            elif not answer and kept:
                core = set(self._solver.get_core() or ())
                left = [at for at in kept if int(self._key[at[1], at[0]]) not in core]
                answer = False if left == kept else None
                kept = left
            yield answer, found
            if answer is not None:
                return


DECISIONS = 2_000
"""Of one search on a board of 64 squares: a tenth of a second.  Larger ones get fewer: a decision
takes longer there, and SAT wins sooner."""

CONFLICTS = 80_000
"""Of one question on a board of 64 squares, which never takes so many.  On larger ones a conflict
takes as many times longer as there are more squares: 12,800 on 20×20, some seconds."""

POLL = 500_000
"""Steps between two looks at the clock: some hundredths of a second."""


class SecondTours:
    """Other tours than one tour, by the clues that they have in common with it.

    Sets of steps are integers: bit t stands for step t, from 0.

    Parameters
    ----------
    problem : Problem
        Without given steps.
    walk : sequence of int
        The vertices of ``problem.indexed`` in the order of the tour.
    stopping : callable, optional
        Polled some ten times a second: when it says so, ``TimeoutError`` is raised.

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
        self,
        problem: Problem,
        walk: Sequence[int],
        stopping: Callable[[], bool] | None = None,
    ) -> None:
        self._problem, self._walk = problem, list(walk)
        self._size = len(walk)
        self._stopping = stopping or (lambda: False)
        self._witnesses: list[int] = []
        self._formula: NearbyTours | None = None
        self._base = 0  # the clues in the formula

    def known(self, clues: int) -> bool:
        """Whether a tour that was found before answers "yes"."""
        return any(not differs & clues for differs in self._witnesses)

    def any(self, clues: int, soon: int = 0, patience: float = 1, dropped: int = 0) -> bool | None:
        """Whether another tour has the same squares at these steps; None if the budget is spent.

        ``soon`` are steps that the next questions leave out: one formula is made for all of them.
        ``patience`` is how many times the budget may be spent.  With the steps ``dropped`` besides,
        the tour is known to be the only one.
        """
        if self.known(clues):
            return True
        if self._size < 2:
            return False
        steps = [step for step in range(self._size) if clues >> step & 1]
        if self._problem.closed and len({2 * step % self._size for step in steps}) < 2:
            return True
        struck = []
        if dropped.bit_count() == 1:  # of several, another tour need not leave out each
            struck = [(dropped.bit_length() - 1, self._walk[dropped.bit_length() - 1])]
        given = [(step, self._walk[step]) for step in steps]
        search = StepDomains(self._problem, given=given, excluded=struck)
        most = DECISIONS * 64**3 // self._size**3
        while not search.exhausted and search.placed < most:
            if self._stopping():
                raise TimeoutError
            for found in search.next(limit=2, steps=POLL).tolist():
                if found != self._walk:
                    self._note(found)
                    return True
        return False if search.exhausted else self._by_sat(clues, soon, patience, struck)

    def _by_sat(
        self,
        clues: int,
        soon: int,
        patience: float,
        struck: Sequence[tuple[int, int]],
    ) -> bool | None:
        """The same answer, by a formula that excludes the tour."""
        if not clues:
            return None
        known, walk = self._formula, self._walk
        if known is None or self._base & ~clues:
            if known is not None:
                known.close()
            # Without any the formula may state one writing of each tour, and not that of the walk.
            self._base = clues & ~soon or clues & -clues
            given = [(step, walk[step]) for step in range(self._size) if self._base >> step & 1]
            known = self._formula = NearbyTours(self._problem, given)
            known.prefer(walk)  # what differs in few steps tells more
            known.exclude(walk)
        more = clues & ~self._base
        assumed = [(step, walk[step]) for step in range(self._size) if more >> step & 1]
        budget = int(patience * CONFLICTS * 64 / self._size)
        last = known.conflicts + budget
        asking = known.near(walk, assumed, struck, budget)  # with another one, another search
        while known.conflicts < last:
            if self._stopping():
                raise TimeoutError
            answer, found = next(asking)
            if found:
                self._note(found)
            if answer is not None:
                return answer
        return None

    def _note(self, found: list[int]) -> None:
        pairs = zip(found, self._walk, strict=True)
        self._witnesses.append(sum(1 << t for t, (u, v) in enumerate(pairs) if u != v))

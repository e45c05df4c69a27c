"""Is there a second tour with the same clues?  Asked again and again, each time with fewer clues.

Depth-first search on windows looks for the answer first (:mod:`kt_cp.search.windows`).  When its
budget is spent, a SAT solver takes over (:mod:`kt_cp.puzzles.near`), because it learns.  Some of
the clues are in its formula, and the others are assumptions, so what it learns serves the next
question too.  Every second tour that is found is kept as a *witness*: the set of steps at which it
differs from the tour of the puzzle.  It answers every later question that has no clue at any of
these steps, without a search.  So few questions with the answer "yes" need a search.

If only one tour has some clues, and one of these clues is dropped, then every second tour has
another square at that step.  So the square of the dropped clue is struck from its window before
anything else.  Then narrowing alone mostly says "no".

A closed tour can be written backwards as well if its clues fix no direction: if there is a single
clue, or two that are half a tour apart.  Then there is a second tour, without a search.

Budgets are counted in work, not in seconds, so that the same seed gives the same puzzle.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from kt_cp.model.problem import Problem
from kt_cp.puzzles.near import Near
from kt_cp.search.windows import Windows

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
        self._formula: Near | None = None
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
        search = Windows(self._problem, given=given, struck=struck)
        most = DECISIONS * 64**3 // self._size**3
        while not search.exhausted and search.placed < most:
            if self._stopping():
                raise TimeoutError
            for found in search.next(room=2, steps=POLL).tolist():
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
            known = self._formula = Near(self._problem, given)
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

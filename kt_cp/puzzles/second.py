"""Is there a second tour with the same clues?  Asked again and again, each time with fewer clues.

The answer is looked for by depth-first search on windows (:mod:`kt_cp.search.windows`), and where
its budget is spent by SAT (:mod:`kt_cp.enumeration.formula`), which learns.  The clues beyond those
of a formula are assumed, so that what it learns serves the next question.  Every second tour that
is found is a *witness*, and is kept as the set of steps at which it differs from the tour of the
puzzle: it answers every later question whose clues are all among the others, without a search.  So
of the questions with the answer "yes" few are searched.

Where one clue is dropped from clues that one tour alone has, a second tour has another square at
just this step: so the square of the dropped clue is struck from its window before anything else.
Then "no" is mostly said by narrowing alone.

A closed tour's reverse is no second tour.  It has the same clues only where they fix no direction:
a single clue, or two that are half a tour apart.

Budgets are counted in work, not in seconds, so that the same seed gives the same puzzle.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from kt_cp.enumeration.formula import CONFLICTS_A_CALL, Formula
from kt_cp.model.problem import Problem
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
        self._formula: Formula | None = None
        self._base = self._same = 0  # the clues in the formula; tours that it excludes

    def known(self, clues: int) -> bool:
        """Whether a tour that was found before answers "yes"."""
        return any(not differs & clues for differs in self._witnesses)

    def any(self, clues: int, soon: int = 0, patience: int = 1, dropped: int = 0) -> bool | None:
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
        same = [self._walk]
        if self._problem.closed:
            turns = {2 * step % self._size for step in steps} or {0}
            if len(turns) == 1:
                turn = turns.pop()
                same.append([self._walk[turn - step] for step in range(self._size)])
        struck = []
        if dropped.bit_count() == 1:  # of several, another tour need not leave out each
            struck = [(dropped.bit_length() - 1, self._walk[dropped.bit_length() - 1])]
        given = [(step, self._walk[step]) for step in steps]
        search = Windows(self._problem, given=given, struck=struck)
        most = DECISIONS * 64**3 // self._size**3
        while not search.exhausted and search.placed < most:
            if self._stopping():
                raise TimeoutError
            for found in search.next(room=len(same) + 1, steps=POLL).tolist():
                if found not in same:
                    self._note(found)
                    return True
        return False if search.exhausted else self._by_sat(clues, soon, same, patience, struck)

    def _by_sat(
        self,
        clues: int,
        soon: int,
        same: Sequence[list[int]],
        patience: int,
        struck: Sequence[tuple[int, int]],
    ) -> bool | None:
        """The same answer, by a formula that excludes what is no second tour."""
        if not clues:
            return None
        known, walk = self._formula, self._walk
        if known is None or self._base & ~clues or self._same != len(same):
            if known is not None:
                known.close()
            # Without any the formula may state one writing of each tour, and not that of the walk.
            self._base, self._same = clues & ~soon or clues & -clues, len(same)
            given = [(step, walk[step]) for step in range(self._size) if self._base >> step & 1]
            known = self._formula = Formula(self._problem, given)
            known.prefer(walk)  # what differs in few steps tells more
            for each in same:
                known.exclude(each)
        more = clues & ~self._base
        assumed = [(step, walk[step]) for step in range(self._size) if more >> step & 1]
        budget = patience * CONFLICTS * 64 // self._size
        for _ in range(-(-budget // CONFLICTS_A_CALL)):
            if self._stopping():
                raise TimeoutError
            answer, found = known.ask(assumed, struck)
            if found:
                self._note(found)
            if answer is not None:
                return answer
        return None

    def _note(self, found: list[int]) -> None:
        pairs = zip(found, self._walk, strict=True)
        self._witnesses.append(sum(1 << t for t, (u, v) in enumerate(pairs) if u != v))

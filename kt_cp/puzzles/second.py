"""Is there a second tour with the same clues?  Asked again and again, each time with fewer clues.

The answer is looked for by depth-first search on windows (:mod:`kt_cp.search.windows`), and where
its budget is spent by SAT (:mod:`kt_cp.encodings.channel`), which learns.  Every second tour that is found is a *witness*, and is kept as the set of steps at which it
differs from the tour of the puzzle: it answers every later question whose clues are all among the
others, without a search.  So of the questions with the answer "yes" few are searched.

A closed tour's reverse is no second tour.  It has the same clues only where they fix no direction:
a single clue, or two that are half a tour apart.

Budgets are counted in work, not in seconds, so that the same seed gives the same puzzle.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from kt_cp.encodings import get_encoding
from kt_cp.model.consistency import changed
from kt_cp.model.problem import Problem
from kt_cp.search.windows import Windows

DECISIONS = 2_000
"""Of one search on a board of 64 squares: a tenth of a second.  Larger ones get fewer: a decision
takes longer there, and SAT wins sooner."""

CONFLICTS = 100_000
"""Of one formula: some ten seconds on 20×20."""

SOLVER = "glucose4"
"""Its budget is exact, which that of others is not."""

CONFLICTS_A_CALL = 1_000
"""Between two looks at the clock, and at the keyboard: some hundredths of a second."""

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

    def known(self, clues: int) -> bool:
        """Whether a tour that was found before answers "yes"."""
        return any(not differs & clues for differs in self._witnesses)

    def any(self, clues: int) -> bool | None:
        """Whether another tour has the same squares at these steps; None if the budget is spent."""
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
        search = Windows(self._problem, given=[(step, self._walk[step]) for step in steps])
        most = DECISIONS * 64**2 // self._size**2 + 20
        while not search.exhausted and search.placed < most:
            if self._stopping():
                raise TimeoutError
            for found in search.next(room=len(same) + 1, steps=POLL).tolist():
                if found not in same:
                    self._note(found)
                    return True
        return False if search.exhausted else self._by_sat(search, steps, same)

    def _by_sat(
        self, search: Windows, steps: Sequence[int], same: Sequence[Sequence[int]]
    ) -> bool | None:
        """The same answer, by a formula that excludes what is no second tour."""
        from pysat.solvers import Solver

        nodes = self._problem.indexed.nodes
        given = {nodes[self._walk[step]]: step + 1 for step in steps}
        problem = changed(self._problem, given=given)
        cnf = get_encoding("channel").encode(problem)
        clauses = cnf.clauses
        if not problem.closed or steps or problem.start is not None:  # else they are none of these
            struck = cnf.key[~search.first.T]
            clauses += [[-variable] for variable in struck.tolist() if variable]
        for walk in same:
            clauses.append([-variable for variable in cnf.key[walk, range(self._size)].tolist()])
        with Solver(SOLVER, bootstrap_with=clauses) as solver:
            answer = None
            for _ in range(CONFLICTS // CONFLICTS_A_CALL):
                if self._stopping():
                    raise TimeoutError
                solver.conf_budget(CONFLICTS_A_CALL)
                answer = solver.solve_limited()
                if answer is not None:
                    break
            if answer:
                true = np.zeros(cnf.variables + 1, dtype=np.bool_)
                model = np.array(solver.get_model())
                true[model[model > 0]] = True
                self._note((true[cnf.key] & (cnf.key > 0)).argmax(axis=0).tolist())
        return answer

    def _note(self, found: list[int]) -> None:
        pairs = zip(found, self._walk, strict=True)
        self._witnesses.append(sum(1 << t for t, (u, v) in enumerate(pairs) if u != v))

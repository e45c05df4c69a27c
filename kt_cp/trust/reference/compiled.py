"""The recursion's compiled twin: the same squares in the same order, a hundred times as fast.

:func:`~kt_cp.trust.reference.recursion.search` is the readable version.  This one runs the same
recursion with an explicit stack, compiled by Numba, and places about eighty million squares a
second.  Tests compare the two: they place and take back the same squares, step for step.

The explicit stack has another use: a run can pause at any step, show its squares, and continue.  So
a search can be shown board by board from its ten-millionth step on, and tours are returned one by
one as they are found.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Hashable
from enum import Enum
from typing import Any

from kt_cp.model.move_order import Candidates, move_table
from kt_cp.model.problem import Problem
from kt_cp.trust.reference.recursion import Walk
from kt_cp.trust.reference.required_moves import partners

CHUNK = 2_000_000
"""Steps between two polls: a few tens of milliseconds."""


class Pause(Enum):
    """Why a run paused."""

    STEPS = "the requested number of steps is done"
    TOUR = "a tour is complete; the next step takes its last square back"
    EXHAUSTED = "all moves were tried"
    SPENT = "one square more would be too many"


class Run:
    """The recursion from one start, paused at some step.

    Examples
    --------
    >>> from kt_cp.model.board import Board
    >>> run = Run(Problem(Board(5, 5)), (0, 0))
    >>> run.advance(3), run.squares
    (<Pause.STEPS: 'the requested number of steps is done'>, [(0, 0), (2, 1), (4, 2)])
    >>> run.advance() is Pause.TOUR, run.placed - run.taken_back
    (True, 25)
    """

    def __init__(
        self, problem: Problem, start: Hashable, candidates: Candidates | None = None
    ) -> None:
        import numpy as np

        self._table = table = move_table(problem, candidates)
        total = len(table)
        self._may_end = np.zeros(total, dtype=np.bool_)
        if problem.closed:
            if total > 2:
                row = [vertex for vertex in table.heads[table.index[start]].tolist() if vertex >= 0]
                self._may_end[row] = True
        elif problem.end is None:
            self._may_end[:] = True
        else:
            self._may_end[table.index[problem.end]] = True
        # The partners of each square, at most two; no rows if no move is required.
        beside = partners(problem)
        self._partners = np.full((total if beside else 0, 2), -1, dtype=np.int32)
        for square, others in beside.items():
            row = [table.index[other] for other in others]
            self._partners[table.index[square], : len(row)] = row
        self._closed = problem.closed
        self._path = np.zeros(total, dtype=np.int32)
        self._until = np.zeros(total, dtype=np.int32)
        self._tried = np.zeros(total, dtype=np.int32)
        self._visited = np.zeros(total, dtype=np.bool_)
        self._state = np.zeros(4, dtype=np.int64)
        self._path[0] = table.index[start]

    @property
    def squares(self) -> list[Any]:
        """The squares that are placed now, in order."""
        nodes = self._table.nodes
        return [nodes[vertex] for vertex in self._path[: self._state[0]].tolist()]

    @property
    def holds_tour(self) -> bool:
        """Whether the squares that are placed now are a tour."""
        depth = int(self._state[0])
        whole = depth == len(self._path) and bool(self._may_end[self._path[depth - 1]])
        return whole and (not len(self._partners) or bool(self._until[depth - 1]))

    @property
    def placed(self) -> int:
        """Squares placed so far."""
        return int(self._state[1])

    @property
    def taken_back(self) -> int:
        """Squares taken back so far."""
        return int(self._state[2])

    def advance(
        self, steps: int | None = None, *, most_placed: int | None = None, log: Any = None
    ) -> Pause:
        """Continue until a tour is found, everything has been tried, or a limit is reached."""
        import numpy as np

        from kt_cp.trust.reference import compiled_kernel

        reason = compiled_kernel.advance(
            self._table.heads,
            self._may_end,
            self._partners,
            self._closed,
            self._path,
            self._tried,
            self._until,
            self._visited,
            self._state,
            sys.maxsize if most_placed is None else most_placed,
            sys.maxsize if steps is None else steps,
            np.empty(0, dtype=np.int32) if log is None else log,
        )
        return list(Pause)[reason]

    def steps(self, count: int) -> tuple[list[tuple[bool, Any]], Pause]:
        """Return up to ``count`` steps, each as (placed or taken back, square), and the pause."""
        import numpy as np

        before = self.placed + self.taken_back
        log = np.empty(max(1, count), dtype=np.int32)
        pause = self.advance(count, log=log)
        made = log[: self.placed + self.taken_back - before].tolist()
        nodes = self._table.nodes
        return [(mark > 0, nodes[abs(mark) - 1]) for mark in made], pause


def search_compiled(
    problem: Problem,
    start: Hashable,
    candidates: Candidates | None = None,
    *,
    budget: int | None = None,
    should_stop: Callable[[], bool] | None = None,
    on_tour: Callable[[list[Any]], bool] | None = None,
    progress: Callable[[int], None] | None = None,
) -> Walk:
    """Run :func:`~kt_cp.trust.reference.recursion.search` without lookahead, compiled.

    ``candidates`` must offer the same squares each time.  Every two million steps, ``should_stop``
    is polled and ``progress`` is called with the number of squares placed.
    """
    if problem.start is not None and start != problem.start:
        return Walk(None, True, 0, 0)
    run = Run(problem, start, candidates)
    polled = 0
    while True:
        steps = run.placed + run.taken_back
        if steps >= polled:
            polled = steps + CHUNK
            if progress is not None:
                progress(run.placed)
            if should_stop is not None and should_stop():
                return Walk(None, False, run.placed, run.taken_back)
        pause = run.advance(polled - steps, most_placed=budget)
        if pause is Pause.STEPS:
            continue
        found = run.squares if pause is Pause.TOUR else None
        if found is None or on_tour is None or on_tour(found):
            return Walk(found, pause is Pause.EXHAUSTED, run.placed, run.taken_back)

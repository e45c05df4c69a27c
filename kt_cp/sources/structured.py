"""A structured closed tour of any rectangle: text 003's fourth algorithm, made to decide.

The recursion walks from corner (1, 1), fewest moves first.  It gives up a branch as soon as two
squares that must be neighbours on the tour (see :mod:`~kt_cp.sources.numbered_board`) no longer can
be.  The tour is closed because the two squares next to the starting corner come second and last.

Source: E. Dreher, "The Knight's Tour Pseudo code" (2023), algorithm 4.  What is set right here:

* the squares a knight's move from corner (1, 1) are (2, 3) and (3, 2); the text holds back (1, 2)
  and (2, 1), so from that corner no closed tour passes;
* second and last are steps 2 and ``size``, counted as the board counts them;
* the recursion goes on with itself, not with the unstructured search of algorithm 3;
* the squares of a pair are compared when the second is placed, not one step later, so the last
  square of the tour is looked at too.

Three things are added.  A step is *forced* on one square of a pair whose other square is free and
was not just left: the only move tried leads to that other square.  Moves are ordered by the free
squares they lead to, not by all.  And a move that strands a neighbour of the square just left, so
that it can no longer be both entered and left, is not pursued.  None of the three loses a tour, and
by reversal the two squares next to the corner need not both be tried second.  What each of them
gains stands in ``benchmarks/MEASURED.md``.

Cost: a millisecond or two for sides from 5 to 24, the longer at most twice the shorter.  When it
loses: on long boards (8×20, 5×18) and where there is no such tour (7×7, 4×10) it spends its budget.
Then :func:`kt_cp.search.backtrack.hamiltonian_cycle` decides, with the eight moves as forced edges.
It would do for every board here, and better than the recursion.  By it, a board with sides up to 24
has a structured tour exactly if it has a closed one (Schwenk 1991).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from kt_cp.model.board import Board, Square
from kt_cp.model.outcome import Verdict
from kt_cp.model.problem import Problem
from kt_cp.search.backtrack import hamiltonian_cycle
from kt_cp.sources.numbered_board import Tour, corner_edges
from kt_cp.trust.reference import ORDERS, Candidates, counting_sort, fewest_ways_first
from kt_cp.trust.reference.recursion import deep_recursion

BUDGET = 10_000
"""Squares the recursion may place, some ten times what it needed with sides up to 24."""

POLL_PERIOD = 1000
"""Squares placed between two questions to the caller whether to stop."""

Partners = dict[Square, set[Square]]
"""For each square the squares that must be next to it on the tour."""


@dataclass(frozen=True)
class Structured:
    """Answer about one board.

    Attributes
    ----------
    verdict : Verdict
        ``UNKNOWN`` only if the caller stopped it.
    tour : Tour or None
        Starts at (1, 1).
    decided_by : str
        ``"recursion"``, or ``"search"`` for the complete search after it; empty if undecided.
    placed, taken_back : int
        Squares on which the recursion put the knight, and from which it took it away.
    """

    verdict: Verdict
    tour: Tour | None
    decided_by: str
    placed: int
    taken_back: int


def structured_tour(
    ranks: int,
    files: int,
    *,
    budget: int = BUDGET,
    seed: int = 0,
    should_stop: Callable[[], bool] | None = None,
) -> Structured:
    """Find a closed tour with the eight moves past the corners, or that there is none.

    Parameters
    ----------
    budget : int
        Squares which the recursion may place before the complete search takes over.
    seed : int
        Decides ties in the complete search.
    should_stop : callable, optional
        Polled now and then; nothing is decided once it returns true.

    Raises
    ------
    BoardError
        If a side is not a positive whole number.

    Examples
    --------
    >>> answer = structured_tour(6, 6)
    >>> answer.decided_by, answer.placed, answer.tour.structured
    ('recursion', 38, True)
    >>> structured_tour(5, 5).verdict
    <Verdict.IMPOSSIBLE: 'IMPOSSIBLE'>
    """
    tour = Tour(ranks, files)
    if min(ranks, files) < 3:
        # One of the moves would end off the board.
        return Structured(Verdict.IMPOSSIBLE, None, "recursion", 0, 0)
    stop = should_stop or (lambda: False)
    problem = Problem(Board(ranks, files), closed=True)
    edges = [
        ((here[0] - 1, here[1] - 1), (there[0] - 1, there[1] - 1))
        for here, there in corner_edges(ranks, files)
    ]
    walk = _Recursion(problem, _partners(edges), budget, stop)
    verdict, squares = walk.run()
    decided_by = "recursion"
    if verdict == Verdict.UNKNOWN and not stop():
        index = problem.indexed.index
        cycle, exhausted, _ = hamiltonian_cycle(
            problem.indexed.neighbours,
            [(index[here], index[there]) for here, there in edges],
            seed=seed,
            should_stop=stop,
        )
        decided_by = "search"
        if cycle is not None:
            # Vertices are numbered in reading order, so the cycle begins at the corner.
            verdict, squares = Verdict.FOUND, [divmod(vertex, files) for vertex in cycle]
        elif exhausted:
            verdict = Verdict.IMPOSSIBLE
    if verdict == Verdict.UNKNOWN:
        decided_by = ""
    if verdict == Verdict.FOUND:
        tour = Tour.along(ranks, files, [(row + 1, column + 1) for row, column in squares])
    found = tour if verdict == Verdict.FOUND else None
    return Structured(verdict, found, decided_by, walk.placed, walk.taken_back)


def _partners(edges: list[tuple[Square, Square]]) -> Partners:
    partners: Partners = {}
    for here, there in edges:
        # On narrow boards moves past two corners may coincide, or three share a square.
        partners.setdefault(here, set()).add(there)
        partners.setdefault(there, set()).add(here)
    return partners


class _BudgetSpentError(Exception):
    """Unwinds the recursion; never leaves this module."""


class _Recursion:
    """The walk from the corner; `run` is called once."""

    def __init__(
        self, problem: Problem, partners: Partners, budget: int, stop: Callable[[], bool]
    ) -> None:
        self._order: Candidates = fewest_ways_first(problem, ORDERS["003"])
        self._partners, self._size = partners, problem.size
        self._budget, self._stop = budget, stop
        self._start = (0, 0)
        self._beside_start = set(self._order(self._start))
        self._step_of: dict[Square, int] = {}
        self.placed = self.taken_back = 0

    def run(self) -> tuple[Verdict, list[Square]]:
        with deep_recursion(min(self._size, self._budget)):
            try:
                found = self._visit(self._start, 1, self._start)
            except _BudgetSpentError:
                return Verdict.UNKNOWN, []
        # The dictionary holds the squares in the order in which they were placed.
        return (Verdict.FOUND, list(self._step_of)) if found else (Verdict.IMPOSSIBLE, [])

    def _visit(self, square: Square, step: int, left: Square) -> bool:
        if self.placed >= self._budget or (self.placed % POLL_PERIOD == 0 and self._stop()):
            raise _BudgetSpentError
        self._step_of[square] = step
        self.placed += 1
        if step == self._size:
            if square in self._beside_start:
                return True
        else:
            for move in self._moves(square, step, left):
                if self._visit(move, step + 1, square):
                    return True
        del self._step_of[square]
        self.taken_back += 1
        return False

    def _moves(self, square: Square, step: int, left: Square) -> list[Square]:
        """Where to go on, best first; nowhere if the branch is lost already."""
        free = [move for move in self._order(square) if move not in self._step_of]
        if step == 1:
            # Either neighbour may come second: the tour the other way round has the other.
            return free[:1]
        if step > 2 and square in self._beside_start:
            # It had to come last.
            return []
        if self._strands(left, square):
            return []
        due = self._partners.get(square, set()) - {left}
        if due:
            return [move for move in free if {move} == due]
        return counting_sort(free, self._ways) if len(free) > 1 else free

    def _ways(self, square: Square) -> int:
        return sum(move not in self._step_of for move in self._order(square))

    def _strands(self, left: Square, now: Square) -> bool:
        """Whether a free square beside the one just left can no longer be entered and left.

        No other square has lost a way by this step.
        """
        step_of, ends = self._step_of, (now, self._start)
        for square in self._order(left):
            if square not in step_of:
                ways = sum(way not in step_of or way in ends for way in self._order(square))
                if ways < 2:
                    return True
        return False

"""Small splits into cases, each of which comes to a contradiction by forced moves and counting.

In every case the knowledge is first drawn to its end (:mod:`kt_cp.proofs.separators`).  If there is no
contradiction, the search tries moves near what is known already: at squares with few moves left,
and at ends of forced paths.  It splits on the move whose two cases look best.  A case that
contradicts at once is worth most, since only the other is left then.  Otherwise the score is the
product of what the two cases add to the knowledge, as look-ahead solvers for SAT score variables.

A first try allows a handful of cases and looks at many moves, with the counting rule in both cases
of each.  It finds the proofs that are worth reading.  The second try looks at fewer moves and goes
on to the bound.  At the end :mod:`kt_cp.proofs.forced` makes the tree small.

Everything is bounded by work, counted in vertices and not in time, so the outcome is the same every
time unless ``should_stop`` ends it.

Source: M. Heule and H. van Maaren, "Look-ahead based SAT solvers", Handbook of Satisfiability,
2009.  Cost: a fraction of a millisecond for each look at a move of a 6x6 board; what it settles
stands in ``benchmarks/MEASURED.md``.  When it loses: where a refutation takes thousands of cases;
and on any board that has a tour, which shows only at the bound unless the search runs into the
tour.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from kt_cp.model.problem import Problem
from kt_cp.proofs.forced import CaseTree, suppose, trimmed, written
from kt_cp.proofs.separators import close, knowledge
from kt_cp.search.work import GaveUpError, ShouldStop
from kt_cp.trust.check.frame import frame_of
from kt_cp.trust.check.refusal import Refusal
from kt_cp.trust.check.state import Contradiction, State

MOST_CASES = 200

MOST_SQUARES = 10_000
"""Laying out a larger board takes long, and cannot be interrupted (``benchmarks/MEASURED.md``)."""

MOST_DEPTH = 50
"""Cases within cases; the checker takes twice as many."""

FEW_CASES, WIDE, NARROW = 6, 60, 12
"""Cases of the first try; moves looked at in the first and in the second."""

SEARCHED_SQUARES = 2_500
"""Above, only the plain rules are asked: a single look at a move takes too long there."""

MOST_WORK = 200_000
"""Vertices of all states that a try makes, four times where counting follows: about a second."""


def forced(
    problem: Problem, should_stop: ShouldStop, most_cases: int = MOST_CASES
) -> dict[str, Any] | None:
    """Evidence of the kind ``forced``, or None; ``most_cases`` are the leaves of the tree at most.

    Examples
    --------
    >>> from kt_cp.model.board import Board
    >>> forced(Problem(Board(5, 8), start=(2, 1), end=(3, 7)), lambda: False)
    {'kind': 'forced', 'tree': {}}
    >>> forced(Problem(Board(6, 6)), lambda: False) is None
    True
    """
    if problem.size > MOST_SQUARES:
        return None
    try:
        frame = frame_of(problem)
        state = State(frame)
    except Refusal:
        return None
    except Contradiction:
        return {"kind": "forced", "tree": {}}
    if problem.size > SEARCHED_SQUARES:
        return None
    colour = problem.indexed.colours
    for cases, width, deep in (
        (min(FEW_CASES, most_cases), WIDE, True),
        (most_cases, NARROW, False),
    ):
        search = _Search(colour, should_stop, cases, width, deep)
        try:
            case = search.refuted(state.copy(), 0)
        except _TourError:
            return None
        except GaveUpError:
            continue
        case = trimmed(state, case, search.enough)
        return {"kind": "forced", "tree": written(frame, case)}
    return None


class _TourError(Exception):
    """What is known is a tour: there is nothing to prove."""


@dataclass
class _Search:
    """One try, with what it may still cost."""

    colour: list[int] | None
    should_stop: ShouldStop
    cases: int
    width: int
    deep: bool
    work: int = MOST_WORK

    def refuted(self, state: State, depth: int) -> CaseTree:
        """Refute what is known; the state is added to.

        Raises GaveUpError if that takes more than is allowed, _TourError if it cannot be done.
        """
        sets, contradiction = close(state, self.colour, self.should_stop)
        if contradiction:
            return CaseTree(sets)
        if state.chosen == len(state.frame):
            raise _TourError
        if depth >= MOST_DEPTH:
            raise GaveUpError
        move, used, unused = self._best(state)
        # One case more than before, whatever comes of the two.
        self.cases -= 1
        if self.cases <= 0:
            raise GaveUpError
        # What looks easier goes first: if it is too much, so is the rest.
        cases: dict[bool, CaseTree] = {}
        pair = [(True, used), (False, unused)]
        pair.sort(key=lambda each: -1 << 60 if each[1] is None else -knowledge(each[1]))
        for which, other in pair:
            cases[which] = CaseTree() if other is None else self.refuted(other, depth + 1)
        return CaseTree(sets, move, cases[True], cases[False])

    def _best(self, state: State) -> tuple[tuple[int, int], State | None, State | None]:
        """The move to split on, and what is known in its two cases."""
        known = knowledge(state)
        best: tuple[float, tuple[int, int], State | None, State | None] | None = None
        for move in _moves(state)[: self.width]:
            used, unused = (self._looked(state, move, which) for which in (True, False))
            gains = [
                1000.0 if other is None else 1.0 + knowledge(other) - known
                for other in (used, unused)
            ]
            score = gains[0] * gains[1]
            if best is None or score > best[0]:
                best = score, move, used, unused
            if used is None and unused is None:
                break
        assert best is not None, "an incomplete cycle has open moves"
        move = best[1]
        return move, suppose(state, move, True), suppose(state, move, False)

    def _looked(self, state: State, move: tuple[int, int], which: bool) -> State | None:
        """What is known if a move is used, or not; None if that is a contradiction."""
        self.work -= len(state.frame) * (4 if self.deep else 1)
        if self.enough():
            raise GaveUpError
        other = suppose(state, move, which)
        if other is not None and self.deep and close(other, self.colour, self.should_stop)[1]:
            return None
        return other

    def enough(self) -> bool:
        """Whether it has cost all that it may."""
        return self.work < 0 or self.should_stop()


def _moves(state: State) -> list[tuple[int, int]]:
    """Open moves, those first that lie near what is known."""
    left = [len(row) - len(kept) for row, kept in zip(state.open_, state.kept, strict=True)]
    moves = [
        (u, v) for u, row in enumerate(state.open_) for v in sorted(row - state.kept[u]) if u < v
    ]

    def nearness(move: tuple[int, int]) -> tuple[int, int, tuple[int, int]]:
        u, v = move
        slack = [left[w] - (2 - len(state.kept[w])) for w in move]
        return min(slack), max(slack), (u, v)

    return sorted(moves, key=nearness)

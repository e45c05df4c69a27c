"""A set of squares whose removal leaves more components than a tour can join.

No other argument that a person can check by counting on a board is as strong.  Finding the set is
NP-hard (toughness: D. Bauer, S. Hakimi and E. Schmeichel, 1990), so it is tried in steps.  First
come sets of squares of one colour with few neighbours, and flows, in polynomial time on boards of
any size (:mod:`kt_cp.proofs.hall`).  Then, on small boards, a solver looks through all sets,
smallest first (:mod:`kt_cp.proofs.labels`).  The checker's own function counts for every candidate.
A candidate of the polynomial part is made smaller one square at a time, while it proves what it
should.

On boards of up to ``SOLVER_SQUARES`` the solver runs even where the first step has found something,
for a fraction of the time: the set is there to be looked at, and the smallest is easiest to see.

Cost: milliseconds for the polynomial part to thousands of squares.  When it loses: most boards have
no such set, and there the solver uses up its time; that is what ``seconds`` is for.
"""

from __future__ import annotations

from typing import Any

from kt_cp.model.problem import Problem
from kt_cp.proofs.closure import two_colouring
from kt_cp.proofs.hall import candidates
from kt_cp.proofs.labels import MOST_SQUARES as SOLVER_SQUARES
from kt_cp.proofs.labels import smallest
from kt_cp.search.work import GaveUpError, ShouldStop, poll
from kt_cp.trust.check.argument import most_pieces, squares_without
from kt_cp.trust.check.frame import Frame, frame_of
from kt_cp.trust.check.refusal import Refusal

MOST_SQUARES = 50_000
"""Above, a single count takes longer than a finder may go on without asking."""

MOST_SHRUNK = 2_000_000
"""Squares of the board times squares of a set that is made smaller one by one."""


def removal(
    problem: Problem, should_stop: ShouldStop, seconds: float = 1.0
) -> dict[str, Any] | None:
    """Evidence of the kind ``removal``, or None.

    Parameters
    ----------
    problem : Problem
    should_stop : callable
        Asked often; None is returned soon after it says so.
    seconds : float
        For the solver, at most.

    Examples
    --------
    >>> from kt_cp.model.board import Board
    >>> removal(Problem(Board(3, 4), closed=True), lambda: False)
    {'kind': 'removal', 'squares': ['b1', 'b3']}
    """
    if problem.size > MOST_SQUARES:
        return None
    try:
        poll(should_stop)
        frame = frame_of(problem)
        found = _polynomial(frame, should_stop)
        if frame.squares <= SOLVER_SQUARES and (found is None or len(found) > 1):
            found = _smaller(found, smallest(frame, should_stop, seconds), frame)
    except (Refusal, GaveUpError):
        return None
    if found is None:
        return None
    return {"kind": "removal", "squares": [frame.names[vertex] for vertex in sorted(found)]}


def _polynomial(frame: Frame, should_stop: ShouldStop) -> set[int] | None:
    """The smallest of the candidates that prove it."""
    colour = two_colouring(frame)
    if colour is None:
        return None
    best: set[int] | None = None
    for squares in candidates(frame, colour, should_stop):
        poll(should_stop)
        if (best is None or len(squares) < len(best)) and proves(frame, squares):
            best = set(squares)
    if best is None or len(best) * frame.squares > MOST_SHRUNK:
        return best
    for vertex in sorted(best):
        poll(should_stop)
        if proves(frame, best - {vertex}):
            best.remove(vertex)
    return best


def _smaller(found: set[int] | None, other: set[int] | None, frame: Frame) -> set[int] | None:
    if other is None or not proves(frame, other):
        return found
    return other if found is None or len(other) <= len(found) else found


def proves(frame: Frame, squares: set[int]) -> bool:
    """Whether removing these squares leaves too many pieces, by the checker's count."""
    if not 0 < len(squares) < frame.squares:
        return False
    pieces = squares_without(frame, squares)
    return len(pieces) > most_pieces(frame, squares, pieces)

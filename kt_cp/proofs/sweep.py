"""An order in which the checker sweeps a narrow graph (:mod:`kt_cp.trust.check.sweep`).

Any order proves the same, and a good one costs less.  So the order is a greedy one with a narrow
frontier (:mod:`kt_cp.search.frontier_order`), and the checker's own sweep decides whether it proves
anything: there is nothing else to find.  How far it may go is bounded by work and not by time, so
that a busy machine gives the same evidence.

When it loses: the checker follows states one by one in Python, several hundred times slower than
the compiled sweep of :mod:`kt_cp.counting.frontier.frontier_sweep`.  What that settles with
millions of states has no such evidence.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kt_cp.model.problem import Problem
from kt_cp.search.frontier_order import sweep_order
from kt_cp.trust.check.frame import Frame, frame_of
from kt_cp.trust.check.instance import Budget
from kt_cp.trust.check.refusal import Refusal
from kt_cp.trust.check.sweep import CHOICES, follow

WIDEST = 12
"""Squares on the frontier of an order that is tried."""

MOST_CHOICES = 10_000_000
"""What a sweep may cost: about four seconds, and as long again for the check."""

CHOICES_A_SECOND = 1_500_000
"""How far a sweep comes in a second, on a slow day."""


def sweep(
    problem: Problem,
    seconds: float | None = None,
    order: Sequence[int] | None = None,
    *,
    try_out: bool = True,
) -> dict[str, Any] | None:
    """Evidence of a sweep, or None where the graph is too wide or has a cycle.

    Parameters
    ----------
    seconds : float, optional
        How long it may take.
    order : sequence of int, optional
        Numbers of the squares, where an order is known; otherwise one is looked for.
    try_out : bool
        Whether to sweep here as the checker does; False if a short sweep has shown the result.

    Examples
    --------
    >>> from networkx import petersen_graph
    >>> sorted(sweep(Problem(graph=petersen_graph(), closed=True)))
    ['kind', 'order']
    >>> sweep(Problem("8x8", closed=True)) is None
    True
    """
    try:
        frame = frame_of(problem)
    except Refusal:
        return None
    if order is None:
        order = sweep_order(problem.indexed, WIDEST)
    if order is None or (try_out and _has_cycle_or_is_long(frame, order, seconds)):
        return None
    return {"kind": "sweep", "order": [frame.names[vertex] for vertex in order]}


def _has_cycle_or_is_long(frame: Frame, order: Sequence[int], seconds: float | None) -> bool:
    budget = Budget()
    most = MOST_CHOICES if seconds is None else int(seconds * CHOICES_A_SECOND)
    budget.left[CHOICES] = min(most, MOST_CHOICES)
    try:
        follow(frame, order, budget)
    except Refusal:
        return True
    return False

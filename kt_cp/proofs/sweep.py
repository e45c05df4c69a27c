"""Find an order in which the checker sweeps a narrow graph (:mod:`kt_cp.trust.check.sweep`).

Any order is a proof, but a good one costs less.  So a greedy search finds an order with a narrow
frontier (:mod:`kt_cp.search.frontier_order`), and the checker's own sweep decides whether it is a
proof.  The sweep is bounded by work and not by time, so a busy machine gives the same evidence.

When it loses: the checker processes states one by one in Python, several hundred times slower than
the compiled sweep of :mod:`kt_cp.counting.frontier.frontier_sweep`.  So sweeps of millions of
states have no such evidence.
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
"""Most squares on the frontier of an order that is tried."""

MOST_CHOICES = 10_000_000
"""Most work of a sweep: about four seconds, and the same again for the check."""

CHOICES_A_SECOND = 1_500_000
"""Work of a sweep in a second, by a low estimate."""


def sweep(
    problem: Problem,
    seconds: float | None = None,
    order: Sequence[int] | None = None,
    *,
    try_out: bool = True,
) -> dict[str, Any] | None:
    """Return evidence by a sweep, or None if the graph is too wide or has a cycle.

    Parameters
    ----------
    seconds : float, optional
        A time limit.
    order : sequence of int, optional
        The numbers of the squares in order; by default an order is searched for.
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

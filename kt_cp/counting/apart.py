"""Whole counts as pieces of an executor: symmetric tours, and the second way beside the first.

A method whose steps each need the whole of the one before is one piece.  A plan has several: the
counts of each symmetry's tours, and those that confirm.  They share nothing, so they go on at a
time, each in a worker's memory; one whose worker has died is counted again.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from kt_cp.processes.pieces import Done, in_pieces

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from kt_cp.counting.plan import Plan
    from kt_cp.model.problem import Problem


def counted_apart(
    made: Plan,
    executor: Executor,
    should_stop: Callable[[], bool],
    *,
    memory_limit: float | None,
    stored: bool,
) -> dict[tuple[str, Problem], int]:
    """The counts of a plan that are pieces, by name of the method and problem.

    Parameters
    ----------
    stored : bool
        Whether the first count of the plan keeps its steps in a store, and so is made here.

    Raises
    ------
    StoppedError
        If ``should_stop`` says so.
    """
    asked = [(part.method, part.problem) for part in made.parts[stored:]]
    asked += [(each.second.method, each.second.problem) for each in made.parts if each.second]
    # A method that cuts its work has pieces of its own.
    pieces = {
        (method.name, problem): (method, problem, memory_limit)
        for method, problem in asked
        if not getattr(method, "in_pieces", lambda _: False)(problem)
    }
    found = in_pieces(executor, count_piece, pieces.values(), should_stop=should_stop)
    return dict(zip(pieces, found, strict=True))


def count_piece(method: Any, problem: Problem, memory_limit: float | None) -> Done:
    """The number of tours, wherever this is called."""
    return Done(method.count(problem, memory_limit=memory_limit))

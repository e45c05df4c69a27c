"""What required moves ask of the recursion: which squares belong beside which.

The two squares of a required move are neighbours in the tour.  So, with the piece on a square, each
of its partners has been the square before or has to be the next one; only in a closed tour the
partner of the first square may come last instead.  A square that asks for more is a dead end, and
one that asks for a next square leaves no choice.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any

from kt_cp.model.problem import Problem


def partners(problem: Problem) -> dict[Any, list[Any]]:
    """Of each square that a required move names, the squares that belong beside it.

    Examples
    --------
    >>> from kt_cp.model.board import Board
    >>> partners(Problem(Board(3, 4), require=[((0, 0), (1, 2))]))
    {(0, 0): [(1, 2)], (1, 2): [(0, 0)]}
    """
    found: dict[Any, list[Any]] = {}
    for one, other in problem.require:
        found.setdefault(one, []).append(other)
        found.setdefault(other, []).append(one)
    return found


def next_required(
    problem: Problem, start: Any, visited: Collection[Any]
) -> Callable[[Any, Any], list[Any] | None]:
    """A function that tells what required moves leave to do, with the piece on a square.

    It takes the square and the one before (None at the first), and returns the squares of which
    one has to be next: none where any may be, and None where the walk is dead.

    Parameters
    ----------
    visited : collection
        The squares of the walk as it is when the function is called, the square among them.
    """
    beside = partners(problem)
    around = problem.closed
    at_start = beside.get(start, [])

    def required(square: Any, left: Any) -> list[Any] | None:
        first, last = left is None, len(visited) == problem.size
        if around and left == start and len(at_start) == 2 and square not in at_start:
            return None  # one partner of the first square comes second, the other last
        pending = []
        for other in beside.get(square, ()):
            if other not in visited:
                pending.append(other)
            elif other != left and not (around and last and other == start):
                return None
        if around and first:
            return []
        return pending if len(pending) < 2 else None

    return required

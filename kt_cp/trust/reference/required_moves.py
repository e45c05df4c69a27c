"""The moves that a problem requires, as the recursion uses them.

The two squares of a required move are neighbours in the tour.  So each partner of the current
square was the square before it or must be the next one.  There is one exception: in a closed tour
the partner of the first square may come last instead.  A square that requires more is a dead end.
A square that requires a next square leaves no choice.

Directed graphs have their own rules for required arcs and for the lookahead.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any

from kt_cp.model.problem import Problem


def partners(problem: Problem) -> dict[Any, list[Any]]:
    """Return, for each square of a required move, the squares that must be beside it."""
    found: dict[Any, list[Any]] = {}
    for one, other in problem.require:
        found.setdefault(one, []).append(other)
        found.setdefault(other, []).append(one)
    return found


def next_required(
    problem: Problem, start: Any, visited: Collection[Any]
) -> Callable[[Any, Any], list[Any] | None]:
    """Return a function that restricts the next square by the required moves.

    The function takes the current square and the one before it (None at the first square).  It
    returns the squares that may come next, an empty list if any square may, or None at a dead end.
    When it is called, ``visited`` holds the squares of the walk, including the current one.
    """
    if problem.directed:
        return required_arcs(problem, start, visited)
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


def required_arcs(
    problem: Problem, start: Any, visited: Collection[Any]
) -> Callable[[Any, Any], list[Any] | None]:
    """Return the function of :func:`next_required` for required arcs.

    A node with a required arc from it leaves no choice.  A node with a required arc to it must come
    just after the arc's tail.  If it is the first node of a closed tour, the tail comes last.
    """
    following = dict(problem.require)
    before = {head: tail for tail, head in problem.require}
    last = before.get(start)

    def required(node: Any, left: Any) -> list[Any] | None:
        end = len(visited) == problem.size
        if left is not None and before.get(node, left) != left:
            return None
        if last is not None and (not problem.closed or (end and node != last)):
            return None
        head = following.get(node)
        if head is None:
            return []
        if head in visited:
            return [] if end and problem.closed and head == start else None
        return [head]

    return required


def stranding_test(
    problem: Problem, start: Any, visited: Collection[Any]
) -> Callable[[Any, Any], bool]:
    """Return a function that decides whether the arc to a node strands another node.

    After the arc from ``left`` to ``now``, the other heads of arcs from ``left`` have lost a way
    in, and the other tails of arcs to ``now`` a way out.  A node needs a way in from ``now`` or an
    unvisited node.  It needs a way out to an unvisited node or, in a closed tour, to the start.  In
    an open tour, one node may lack a way out and come last.
    """
    into, out = ({node: [*row] for node, row in way.items()}
                 for way in (problem.graph.pred, problem.graph.succ))  # fmt: skip
    end = problem.end

    def strands(left: Any, now: Any) -> bool:
        for node in out[left]:
            if node not in visited and all(u in visited and u != now for u in into[node]):
                return True
        dead = 0
        for node in into[now]:
            if node in visited:
                continue
            if any(v not in visited or (problem.closed and v == start) for v in out[node]):
                continue
            dead += 1
            if problem.closed or end not in (None, node) or dead > 1:
                return True
        return False

    return strands

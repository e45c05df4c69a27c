"""What is different for the recursion where moves are arcs: required ones, and the look ahead."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any

from kt_cp.model.problem import Problem


def required_arcs(
    problem: Problem, start: Any, visited: Collection[Any]
) -> Callable[[Any, Any], list[Any] | None]:
    """What required arcs leave to do, as ``orders.next_required`` tells it of moves.

    A node with a required arc from it leaves no choice; one with a required arc to it must come
    just after the arc's tail, unless it is the first of a closed tour, whose tail comes last.
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


def strander(problem: Problem, start: Any, visited: Collection[Any]) -> Callable[[Any, Any], bool]:
    """A function that tells whether the arc to a node strands another, which it goes past.

    By the arc from ``left`` to ``now`` the other heads of arcs from ``left`` lose a way in, and the
    other tails of arcs to ``now`` a way out.  A node needs a way in from where the walk is or has
    yet to come, and a way out to where it has yet to come; to the start, where the tour is closed;
    and an open tour ends at a node without one, but at one alone.
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

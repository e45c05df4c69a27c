"""The moves that a problem requires, as the recursion meets them.

The two squares of a required move are neighbours in the tour.  So, with the piece on a square, each
of its partners has been the square before or has to be the next one; only in a closed tour the
partner of the first square may come last instead.  A square that asks for more is a dead end, and
one that asks for a next square leaves no choice.

Where moves are arcs, required ones and the look ahead differ.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any

from kt_cp.model.problem import Problem


def partners(problem: Problem) -> dict[Any, list[Any]]:
    """Of each square that a required move names, the squares that belong beside it."""
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
    one has to be next: none where any may be, and None where the walk is dead.  By then ``visited``
    holds the squares of the walk, the square among them.
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
    """Return what :func:`next_required` does, for required arcs.

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

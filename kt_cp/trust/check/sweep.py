"""A sweep: every choice of edges that could become a cycle, followed vertex by vertex.

The vertices are taken in an order.  The edges chosen at the vertices taken so far form paths that
end at vertices that are not taken yet.  The possible continuations depend on two things alone:
which of these vertices have two edges already, and which two are the ends of one path.  That is a
*state*, and all choices with the same state are followed as one.  If no state leads to a cycle
through all vertices, there is none.

The method is the frontier method of counting paths and cycles (D. E. Knuth, "The Art of Computer
Programming" 4A, 2011, section 7.1.4, exercise 225: Simpath), without the numbers.  The check
does not search.  The evidence holds only the order, and any order proves the same.  The order
decides the cost.  The cost grows faster than exponentially with the *frontier*, the vertices not
yet taken that are joined to taken ones, and linearly with the length of the graph.  So a sweep
decides long narrow graphs quickly, such as generalized Petersen graphs and flower snarks of any
length; other arguments grow without bound there.  A sweep loses if the graph is wide.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from operator import itemgetter

from kt_cp.model.terms import counted, terms
from kt_cp.trust.check.frame import Frame, frame_of
from kt_cp.trust.check.instance import Budget, Instance
from kt_cp.trust.check.parsing import keys_of, squares_of
from kt_cp.trust.check.refusal import Reason, Refusal

State = tuple[int, ...]
"""For each vertex of the frontier the other end of its path; itself if it has no edge yet."""

CHOICES = "choices of a sweep"
"""The part of the budget that sweeps use."""

FULL = -1
"""Marks a vertex that has two edges."""


def sweep(problem: Instance, evidence: object) -> str:
    """Check that no choice of edges becomes a cycle, along an order of the squares."""
    frame = frame_of(problem)
    squares = squares_of(problem, keys_of(evidence, "kind", "order")["order"])
    if len(squares) < frame.squares:
        raise Refusal(
            Reason.WRONG_SHAPE, f"expected all {frame.squares:,} squares, got {len(squares):,}"
        )
    states, widest = follow(frame, [frame.number[each] for each in squares], problem.budget)
    words = terms(problem)
    tour = "a closed tour" if problem.closed else "a tour"
    most = counted(widest, words.square)
    return (
        f"a sweep {words.square} by {words.square}, with at most {most} on its frontier, follows "
        f"every choice of {words.move}s: none of its {counted(states, 'state')} becomes {tour}"
    )


def follow(frame: Frame, order: Sequence[int], budget: Budget) -> tuple[int, int]:
    """Follow all choices along an order of the squares and then the ends.

    >>> from kt_cp.model.problem import Problem
    >>> follow(frame_of(Problem("3x4", closed=True)), range(12), Budget())
    (26, 8)
    """
    order = [*order, *frame.ends]
    place = {vertex: at for at, vertex in enumerate(order)}
    must = {*frame.must, *((v, u) for u, v in frame.must)}
    # Before that, a closed cycle lacks an edge that must be used.
    complete = max((min(place[u], place[v]) for u, v in frame.must), default=0)
    states: set[State] = {()}
    frontier: list[int] = []
    total = widest = 0
    for at, vertex in enumerate(order):
        ahead = [v for v in frame.neighbours[vertex] if place[v] > at]
        needed = {v for v in ahead if (vertex, v) in must}
        after = [v for v in dict.fromkeys([*frontier, *ahead]) if v != vertex]
        whole = at >= complete and at + 1 + len(after) == len(order)  # no vertex is untouched
        untouched = {v: v for v in (vertex, *ahead)}
        ends_of = itemgetter(*after, vertex, vertex)  # a tuple even if no vertex comes after
        following: set[State] = set()
        for state in states:
            other = untouched | dict(zip(frontier, state, strict=True))
            choices = 0
            for chosen in _choices(vertex, ahead, other):
                choices += 1
                if needed and not needed.issubset(chosen):
                    continue
                joined = _join(vertex, chosen, other)
                if joined is not None:
                    following.add(ends_of(joined)[:-2])
                elif whole and all(other[v] == FULL or v in chosen for v in after):
                    raise Refusal(Reason.NOT_PROVED, "some choice becomes a cycle through all")
            budget.spend(CHOICES, choices * (len(after) + 1))
        states, frontier = following, after
        total, widest = total + len(states), max(widest, len(frontier))
    return total, widest


def _choices(vertex: int, ahead: list[int], other: dict[int, int]) -> Iterator[tuple[int, ...]]:
    """Yield every set of edges that gives a vertex its two edges."""
    lacking = 0 if other[vertex] == FULL else 2 if other[vertex] == vertex else 1
    return combinations([v for v in ahead if other[v] != FULL], lacking)


def _join(vertex: int, chosen: tuple[int, ...], other: dict[int, int]) -> dict[int, int] | None:
    """Return the ends of paths after a choice of edges at a vertex; None if it closes a cycle."""
    if not chosen:
        return other
    # The new path joins the far end of one side to the far end of the other.
    far = [other[v] for v in chosen]
    if len(chosen) == 1:
        far.append(other[vertex])
    if far[0] == (chosen[1] if len(chosen) == 2 else vertex) or far[1] == chosen[0]:
        return None
    joined = dict(other)
    for v in chosen:
        joined[v] = FULL
    one, end = far
    joined[one], joined[end] = end, one
    return joined

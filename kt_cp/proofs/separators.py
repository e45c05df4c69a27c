"""Squares through which all ways lead: a cut vertex, or a path of forced moves, by one search.

Remove a path of k squares that forced moves join: the rest of a tour is one path, so it is
connected.  In the words of the counting rule, k squares offer 2k moves, less 2(k - 1) for the
forced moves within the path; so they can join one component.  Where the ends of an open tour are
not both known, they are removed as well and allow one component more.  So contract every such path
to one vertex, and look for vertices whose removal leaves too many components.  A cut vertex is the
simplest case.  With unknown ends, a path that leaves two components is *tight*: no open move leads
from it to an end.

Source: the depth-first search is that of :mod:`kt_cp.search.depth_first`, on the contracted graph;
:mod:`kt_cp.search.backtrack` only says whether there is such a path.  Cost: linear in the open
moves.  When it loses: it sees nothing that takes two paths or more.

A *cut vertex* is the evidence that needs no forced moves.  Without such a square the board falls
into components, and a tour can join few of them: one if it is closed, two if it is open.  It is one
less if the square is itself an end, and one less if both ends are given and lie in one component.
A square that leaves three components proves that there is no tour, whatever its ends are.  A square
that leaves two proves it only for some ends.

One search from a given end answers both questions (``benchmarks/MEASURED.md``).  When it loses:
boards without holes have no such square, except the smallest.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from kt_cp.model.problem import Problem
from kt_cp.search.breadth_first import reachable
from kt_cp.search.depth_first import Articulation
from kt_cp.search.meter import GaveUpError, ShouldStop, poll
from kt_cp.trust.check.frame import frame_of
from kt_cp.trust.check.refusal import Refusal
from kt_cp.trust.check.state import State, with_ends


def separators(state: State) -> Iterator[set[int]]:
    """Sets of squares, those first that prove most, that the counting rule may have a use for.

    The set is empty where what is left falls apart by itself.

    Examples
    --------
    >>> import networkx as nx
    >>> from kt_cp.model.problem import Problem
    >>> from kt_cp.trust.check.frame import frame_of
    >>> two_cliques = nx.compose(nx.complete_graph(range(4)), nx.complete_graph(range(3, 7)))
    >>> list(separators(State(frame_of(Problem(graph=two_cliques, closed=True)))))
    [{3}]
    """
    frame = state.frame
    path, members = _paths(state)
    floating = bool(with_ends(state, set()))
    apart = {path[end] for end in frame.ends} if floating else set()

    def ways(each: int) -> Iterator[int]:
        return (path[other] for vertex in members[each] for other in sorted(state.open_[vertex]))

    search = Articulation(len(members), ways, lambda: False, without=apart)
    around = {v for each in apart for v in members[each]} - set(frame.ends)
    if search.components > 1:
        yield around
        return
    enough = 2 if floating else 1
    found = [
        (left, each) for each, left in enumerate(search.left) if left > 1 and each not in apart
    ]
    for left, each in sorted(found, key=lambda pair: (-pair[0], len(members[pair[1]]), pair[1])):
        if left > enough:
            yield (set(members[each]) - set(frame.ends)) | around
        elif floating and left == enough and _bans(state, set(members[each]) | around):
            yield set(members[each]) | around


def _bans(state: State, squares: set[int]) -> bool:
    """Whether an open move leads within a set and the ends."""
    removed = squares | set(state.frame.ends)
    return any((state.open_[v] - state.kept[v]) & removed for v in removed)


def _paths(state: State) -> tuple[list[int], list[list[int]]]:
    """Number of the path of forced moves on which each vertex lies, and the vertices of each."""
    path = [-1] * len(state.frame)
    members: list[list[int]] = []
    for root in range(len(path)):
        if path[root] < 0:
            members.append(sorted(reachable([root], state.kept.__getitem__)))
            for vertex in members[-1]:
                path[vertex] = len(members) - 1
    return path, members


def cut_vertex(problem: Problem, should_stop: ShouldStop) -> dict[str, Any] | None:
    """Evidence of the kind ``cut``: of the squares that prove it, one that leaves most pieces.

    Examples
    --------
    >>> import networkx as nx
    >>> cut_vertex(Problem(graph=nx.star_graph(3)), lambda: False)
    {'kind': 'cut', 'squares': ['0']}
    """
    try:
        poll(should_stop)
        frame = frame_of(problem)
        ends = [frame.number[end] for end in (problem.start, problem.end) if end is not None]
        first = ends[0] if ends else 0
        search = Articulation(
            frame.squares,
            lambda vertex: (v for v in frame.neighbours[vertex] if v < frame.squares),
            should_stop,
            first=first,
        )
    except (Refusal, GaveUpError):
        return None
    most = [1 if problem.closed else 2] * frame.squares
    if not problem.closed:
        for end in ends:
            most[end] -= 1
        if len(ends) == 2 and search.connected(*ends):
            apart = {*search.separators(ends[1]), *ends}
            most = [each - (vertex not in apart) for vertex, each in enumerate(most)]
    proving = [v for v, left in enumerate(search.left) if left > most[v]]
    if not proving or frame.squares < 2:
        return None
    best = max(proving, key=lambda vertex: (search.left[vertex], -vertex))
    return {"kind": "cut", "squares": [frame.names[best]]}

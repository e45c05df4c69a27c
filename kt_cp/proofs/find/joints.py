"""Paths of forced moves that hold the rest together, found by one depth-first search.

Take a path of k squares joined by forced moves out of a tour, and the rest is one path: connected.
In the words of the counting rule: k squares offer 2k moves, less 2(k - 1) for the forced moves
within the path, so they can join one piece.  Where an open tour's ends are not both known, they
are taken away as well and allow one piece more.  So contract every such path to one vertex, and
look for vertices whose removal leaves too many pieces: a square through which all ways lead is the
simplest case.  With unknown ends, one that leaves two pieces is *tight*: it is no neighbour of an
end by an open move.

Source: R. Tarjan's articulation points (1972), on the contracted graph, as in
:mod:`kt_cp.search.connectivity`, which only says whether there is one.  Cost: linear in the open
moves.  When it loses: it sees nothing that takes two paths or more.
"""

from __future__ import annotations

from collections.abc import Iterator

from kt_cp.proofs.check.state import State


def joints(state: State) -> Iterator[set[int]]:
    """Sets of squares, those first that prove most, that the counting rule may have a use for.

    The set is empty where what is left falls apart by itself.

    Examples
    --------
    >>> import networkx as nx
    >>> from kt_cp.problem import Problem
    >>> from kt_cp.proofs.check.frame import frame_of
    >>> two_cliques = nx.compose(nx.complete_graph(range(4)), nx.complete_graph(range(3, 7)))
    >>> list(joints(State(frame_of(Problem(graph=two_cliques, closed=True)))))
    [{3}]
    """
    frame = state.frame
    path, members = _paths(state)
    ends = [path[end] for end in frame.ends]
    known = sum(other < frame.squares for end in frame.ends for other in state.kept[end]) == 2
    floating = bool(ends) and not known
    apart = set(ends) if floating else set()
    pieces, found = _pieces_by_removal(state, path, members, apart)
    around = {v for each in apart for v in members[each]} - set(frame.ends)
    if pieces > 1:
        yield around
        return
    enough = 2 if floating else 1
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
        if path[root] >= 0:
            continue
        path[root] = len(members)
        along = [root]
        for vertex in along:
            for other in state.kept[vertex]:
                if path[other] < 0:
                    path[other] = path[root]
                    along.append(other)
        members.append(along)
    return path, members


def _pieces_by_removal(
    state: State, path: list[int], members: list[list[int]], apart: set[int]
) -> tuple[int, list[tuple[int, int]]]:
    """How many pieces there are, and what removing a path leaves of them: (pieces, path)."""

    def ways(each: int) -> Iterator[int]:
        return (path[other] for vertex in members[each] for other in sorted(state.open_[vertex]))

    number = [0] * len(members)  # by discovery; 0 is undiscovered
    lowest = [0] * len(members)
    splits = [0] * len(members)  # pieces that would be cut off below
    pieces = found = 0
    roots = []
    for root in range(len(members)):
        if number[root] or root in apart:
            continue
        pieces += 1
        roots.append(root)
        found += 1
        number[root] = lowest[root] = found
        stack = [(root, ways(root))]
        while stack:
            each, remaining = stack[-1]
            for other in remaining:
                if other in apart:
                    continue
                if not number[other]:
                    found += 1
                    number[other] = lowest[other] = found
                    stack.append((other, ways(other)))
                    break
                # The way back to the parent counts too; it cannot hide an articulation.
                lowest[each] = min(lowest[each], number[other])
            else:
                stack.pop()
                if stack:
                    above = stack[-1][0]
                    lowest[above] = min(lowest[above], lowest[each])
                    splits[above] += lowest[each] >= number[above]
    for root in roots:
        splits[root] -= 1
    # Removing a path leaves the piece above it and those below, and all other pieces.
    left = [
        (pieces + splits[each], each)
        for each in range(len(members))
        if each not in apart and splits[each] > 0
    ]
    return pieces, left

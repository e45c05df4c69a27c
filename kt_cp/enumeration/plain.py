"""Every tour, by the recursion of the source texts with dead ends recognised early.  Readable twin.

The recursion places the knight, tries its moves in a given order and takes it back.  Left alone it
spends nearly all its time below walks that can no longer become tours: on 5×5, twenty thousand
squares for each tour.  What makes a walk hopeless is local and cheap to see.  A free square still
needs two ways, one to come and one to go, unless it is the last of the tour, which needs one; and
only the neighbours of the square that the knight is about to leave have lost a way.  So, with the
knight on a square and more than one square free:

1. If a free neighbour has no way on, it can be reached now or never, and not left again: dead.
2. Free neighbours with a single way on are *lonely*: each is the next square or the last one.  The
   last square can wait for only one of them, and one may be waiting from before.  Three lonely
   squares are too many; with two, one is the next and the other waits; one that may not be the
   last must be the next.
3. If none of the free squares may be the last, dead.  In a closed tour the last square is a
   neighbour of the first, in an open one it may be prescribed; on a two-coloured graph its colour
   is known.

Nothing is cut away that holds a tour, so tours come out as the plain recursion finds them, in the
same order, with some thirty to ninety squares placed for each on 5×5 to 6×8.  All closed tours of
6×6 take hundredths of a second in compiled form, all open ones two seconds.

Source: the rules are those of F. Rubin, "A search procedure for Hamilton paths and circuits",
Journal of the ACM 21 (1974), as far as the walk's end sees them.  When it loses: the number of
tours grows faster than anything (8×8 has 13 million million closed ones), and where tours are few
on a large graph, a search that looks at the whole graph refutes a walk much earlier.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

Rows = Sequence[Sequence[int]]
"""Vertices to try from each vertex, in order."""


def walks(
    heads: Rows,
    may_end: Sequence[bool],
    prefix: Sequence[int],
    on_walk: Callable[[tuple[int, ...]], None],
    leaf: int | None = None,
) -> int:
    """Hand out every Hamiltonian path that begins as given; returns how many vertices it placed.

    Parameters
    ----------
    heads : sequence of sequences of int
        Neighbours of each vertex in the order in which they are tried.
    may_end : sequence of bool
        Whether each vertex may be the last.
    prefix : sequence of int
        The vertices it begins with, at least one.
    on_walk : callable
        Receives each, in the order in which they are found.
    leaf : int, optional
        Stop at walks of this length, which may still turn out to be dead ends.

    Examples
    --------
    >>> square = [[1, 3], [2, 0], [3, 1], [0, 2]]
    >>> walks(square, [True] * 4, [0], print)
    (0, 1, 2, 3)
    (0, 3, 2, 1)
    7
    """
    total = len(heads)
    length = total if leaf is None else leaf
    free = [True] * total
    walk: list[int] = []
    placed = 0

    def enter(vertex: int, waiting: int | None) -> tuple[list[int], list[int]]:
        """Place a vertex; those worth trying from it, and the lonely ones."""
        nonlocal placed
        free[vertex] = False
        walk.append(vertex)
        placed += 1
        children = [head for head in heads[vertex] if free[head]]
        ways = {child: sum(free[head] for head in heads[child]) for child in children}
        near = [child for child in children if ways[child] == 1]
        lonely = near if waiting is None else [*near, waiting]
        if not any(free[v] and may_end[v] for v in range(total)):
            return [], lonely
        if len(walk) < total - 1:
            if 0 in ways.values() or len(lonely) > 2:
                return [], lonely
            if len(lonely) == 2:
                one, other = lonely
                swapped = ((one, other), (other, one))
                return [v for v, end in swapped if v in near and may_end[end]], lonely
            if len(near) == 1 and not may_end[near[0]]:
                return near, lonely
        return children, lonely

    def visit(vertex: int, waiting: int | None, given: Sequence[int]) -> None:
        children, lonely = enter(vertex, waiting)
        if given:
            children = [child for child in children if child == given[0]]
        if len(walk) == length:
            on_walk(tuple(walk))
        else:
            for child in children:
                others = [other for other in lonely if other != child]
                visit(child, others[0] if others else None, given[1:])
        free[walk.pop()] = True

    visit(prefix[0], None, prefix[1:])
    return placed

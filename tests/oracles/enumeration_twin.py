"""The readable twins of compiled functions; :mod:`kt_cp.enumeration` states the rules."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence

from kt_cp.enumeration.symmetry import BoardSymmetry

Rows = Sequence[Sequence[int]]
"""Vertices to try from each vertex, in order."""


def walks(
    heads: Rows,
    may_end: Sequence[bool],
    prefix: Sequence[int],
    on_walk: Callable[[tuple[int, ...]], None],
    leaf: int | None = None,
    beside: Mapping[int, Collection[int]] | None = None,
    closed: bool = False,
) -> int:
    """Call ``on_walk`` with every Hamiltonian path; return the number of placed vertices.

    Parameters
    ----------
    heads : sequence of sequences of int
        Neighbours of each vertex in the order in which they are tried.
    may_end : sequence of bool
        Whether each vertex may be the last.
    prefix : sequence of int
        The first vertices of the walk, at least one.
    on_walk : callable
        Receives each walk, in the order of the search.
    leaf : int, optional
        Stop at walks of this length, which may still turn out to be dead ends.
    beside : mapping, optional
        The vertices that must be adjacent to a vertex in the walk.
    closed : bool
        Whether walks are cycles, so that the last vertex is also adjacent to the first.

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

    def allowed(vertex: int, children: list[int]) -> list[int] | None:
        """Return the children that required moves allow, or None if the walk is dead."""
        last, first = len(walk) == total, len(walk) == 1
        wanted = set(beside.get(vertex, ()))
        pending = {v for v in wanted if free[v]}
        visited = set(walk[-2:-1]) | ({walk[0]} if closed and last else set())
        if wanted - pending - visited or (len(pending) > 1 and not (closed and first)):
            return None
        if not pending or (closed and first and len(pending) < 2):
            return children
        return [child for child in children if child in pending]

    def enter(vertex: int, waiting: int | None) -> tuple[list[int], list[int]]:
        """Place a vertex; return the children worth trying, and the lonely ones."""
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
        dead = False
        if beside:
            left = allowed(vertex, children)
            children = left or []
            dead = left is None if len(walk) == total else not children
        if given:
            children = [child for child in children if child == given[0]]
        if len(walk) == length:
            if not dead:
                on_walk(tuple(walk))
        else:
            for child in children:
                others = [other for other in lonely if other != child]
                visit(child, others[0] if others else None, given[1:])
        free[walk.pop()] = True

    visit(prefix[0], None, prefix[1:])
    return placed


def class_size(
    walk: Sequence[int],
    group: Sequence[BoardSymmetry],
    heads: Sequence[Sequence[int]],
    *,
    closed: bool = False,
    fixed_start: bool = False,
    fixed_end: bool = False,
) -> int:
    """Return how many walks the symmetries make of one, or 0 if one of them precedes it.

    Parameters
    ----------
    heads : sequence of sequences of int
        Neighbours of each vertex in the order in which they are tried.
    closed : bool
        Whether walks are cycles, written from the first square of this one.
    fixed_start, fixed_end : bool
        Whether only walks with the same start, or end, are listed.

    Examples
    --------
    >>> heads = [[1, 3], [2, 0], [3, 1], [0, 2]]
    >>> group = [([0, 1, 2, 3], False), ([0, 3, 2, 1], False)]
    >>> class_size([0, 1, 2, 3], group, heads), class_size([0, 3, 2, 1], group, heads)
    (2, 0)
    """
    same = listed = 0
    for image, back in group:
        moved = [image[vertex] for vertex in (reversed(walk) if back else walk)]
        if closed:
            first = moved.index(walk[0])
            moved = moved[first:] + moved[:first]
        if (fixed_start and moved[0] != walk[0]) or (fixed_end and moved[-1] != walk[-1]):
            continue
        listed += 1
        fork = next((i for i, v in enumerate(walk) if v != moved[i]), None)
        if fork is None:
            same += 1
        elif fork == 0:
            if moved[0] < walk[0]:
                return 0
        else:
            row = list(heads[walk[fork - 1]])
            if row.index(moved[fork]) < row.index(walk[fork]):
                return 0
    return listed // same

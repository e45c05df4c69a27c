"""Strongly connected components, in the order in which no component leads to a later one.

Source: R. Tarjan, "Depth-first search and linear graph algorithms", SIAM Journal on Computing 1
(1972), with a stack of its own, since boards are deeper than the recursion limit.  A component is
finished when everything that it leads to is: so any first few of them form a closed set, one that
no arc leaves, which is what :mod:`kt_cp.proofs.find.flow` and :mod:`kt_cp.proofs.find.removal` are
after.  Cost: linear in the arcs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from collections.abc import Set as AbstractSet


def components(
    vertices: Iterable[int], without: AbstractSet[int], arcs: Callable[[int], Sequence[int]]
) -> list[list[int]]:
    """Components of a directed graph, each before all that lead to it.

    Parameters
    ----------
    vertices : iterable of int
    without : set of int
        Vertices that are passed over.
    arcs : callable
        Heads of the arcs from a vertex.

    Examples
    --------
    >>> components(range(4), {3}, [[1, 3], [2], [1], [0]].__getitem__)
    [[2, 1], [0]]
    """
    order: dict[int, int] = {}
    lowest: dict[int, int] = {}
    done = set(without)
    found: list[list[int]] = []
    pending: list[int] = []
    for root in vertices:
        if root in order or root in done:
            continue
        stack = [(root, iter(arcs(root)))]
        order[root] = lowest[root] = len(order)
        pending.append(root)
        while stack:
            vertex, remaining = stack[-1]
            for other in remaining:
                if other in done:
                    continue
                if other not in order:
                    stack.append((other, iter(arcs(other))))
                    order[other] = lowest[other] = len(order)
                    pending.append(other)
                    break
                lowest[vertex] = min(lowest[vertex], order[other])
            else:
                stack.pop()
                if stack:
                    below = stack[-1][0]
                    lowest[below] = min(lowest[below], lowest[vertex])
                if lowest[vertex] == order[vertex]:
                    component = [pending.pop()]
                    while component[-1] != vertex:
                        component.append(pending.pop())
                    done.update(component)
                    found.append(component)
    return found

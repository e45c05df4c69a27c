"""Palmer's algorithm: close the gaps of a circle of vertices, one after the other.

Put the vertices in a circle in any order.  Two neighbours in the circle that are not adjacent in
the graph are a *gap*.  Let u, v be one, and let x, y be two that follow each other later, such that
u–x and v–y are edges.  Reverse the part from v to x: now u is followed by x and v by y, and the gap
is closed; no new one arises, even if x, y was one.  A circle without a gap is a Hamiltonian cycle.

By Ore's condition (any two vertices that are not adjacent have at least n neighbours together;
Dirac's condition, n / 2 for each vertex, implies it) such a pair always exists: if each neighbour
of u were followed by a vertex that is not one of v's, then v would have fewer than n - d(u)
neighbours.  So the algorithm is also a proof of Ore's theorem.  The condition is not tested here:
random graphs that are far from it have such pairs as well, since each of n places is such a pair
with the same probability.

Edges that the cycle must use stand in the circle from the beginning, and are never cut.

Source: E. M. Palmer, "The hidden algorithm of Ore's theorem on Hamiltonian cycles", Computers and
Mathematics with Applications 34 (1997) 113–119.

Cost: O(n) for each of at most n gaps, all of it in NumPy, and a matrix of n² bytes.

When it loses: it gives up at the first gap without such a pair, which proves nothing.  On sparse
graphs it nearly always does.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray


def dense_cycle(
    size: int,
    tails: NDArray[np.int64],
    heads: NDArray[np.int64],
    forced: Sequence[tuple[int, int]] = (),
    *,
    order: Sequence[int] | None = None,
    should_stop: Callable[[], bool] = lambda: False,
) -> list[int] | None:
    """Find a Hamiltonian cycle through all forced edges; None if the algorithm gives up.

    The graph has three vertices or more.  The circle begins in the given order, except for the
    forced edges.

    >>> ends = np.array([[0, 0, 1, 2, 2, 3], [2, 3, 3, 4, 5, 5]])
    >>> dense_cycle(6, *ends, order=[0, 2, 5, 3, 1, 4]) is None
    True
    >>> ends = np.array([(u, v) for u in range(6) for v in range(u + 1, 6) if u + v != 5]).T
    >>> dense_cycle(6, *ends, [(0, 3)])
    [3, 0, 1, 2, 4, 5]
    """
    joined = np.zeros((size, size), dtype=bool)
    joined[tails, heads] = joined[heads, tails] = True
    circle = _circle(size, forced, order)
    if circle is None:
        return None
    fixed = {edge for u, v in forced for edge in ((u, v), (v, u))}
    while not should_stop():
        following = np.roll(circle, -1)
        gaps = np.flatnonzero(~joined[circle, following])
        if not len(gaps):
            found: list[int] = circle.tolist()
            return found
        circle = np.roll(circle, -gaps[0] - 1)  # so the gap lies between the last and the first
        last, first = circle[-1], circle[0]
        places = np.flatnonzero(joined[last, circle[:-1]] & joined[first, circle[1:]])
        pairs = zip(circle[places].tolist(), circle[places + 1].tolist(), strict=True)
        free = (at for at, pair in zip(places.tolist(), pairs, strict=True) if pair not in fixed)
        cut = next(free, None)
        if cut is None:
            return None
        circle[: cut + 1] = circle[: cut + 1][::-1].copy()
    return None


def _circle(
    size: int, forced: Sequence[tuple[int, int]], order: Sequence[int] | None
) -> NDArray[np.int64] | None:
    """Return the vertices, each path of forced edges together; None if they do not form paths."""
    links: list[list[int]] = [[] for _ in range(size)]
    for u, v in forced:
        links[u].append(v)
        links[v].append(u)
    if max(map(len, links)) > 2:
        return None
    circle: list[int] = []
    seen = [False] * size
    for vertex in order or range(size):
        at = vertex
        if len(links[at]) > 1 or seen[at]:
            continue
        while not seen[at]:
            seen[at] = True
            circle.append(at)
            at = next((other for other in links[at] if not seen[other]), at)
    return np.array(circle) if len(circle) == size else None

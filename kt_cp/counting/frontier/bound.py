"""How many states there can be after each step, told before any is made.

A vertex of the frontier has 0, 1 or 2 edges: not more than it has earlier neighbours, and no fewer
than its later ones leave to be made up.  Those with one edge are paired in any way, which of 2k of
them gives (2k - 1)!! states.  On a two-coloured graph every edge joins two colours, so the degrees
of either colour have the same sum, and what was dealt with has two edges each.  That leaves one
difference of the sums on the frontier.  The patterns are counted by a generating function, in the
number of vertices with one edge and in this difference.

The depot of an open tour is beside either colour: each of its edges shifts the difference by one.

Cost: some tenths of a millisecond a step.  What it tells is too much, by 1.7 on 6×10 and by more
near the end, where many patterns cannot go on.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

import numpy as np

from kt_cp.model.graph import IndexedGraph

EITHER, ANY = 2, 3
"""In place of a colour: the depot's, and that of a graph that has none."""

Kinds = tuple[tuple[int, int, int], ...]


def bounds(graph: IndexedGraph, order: Sequence[int], colours: Sequence[int] | None) -> list[float]:
    """At most so many states after each step of an order.

    Parameters
    ----------
    colours : sequence of int, optional
        Of each vertex, as far as it has one: 0 or 1, or ``EITHER``.

    Examples
    --------
    >>> from kt_cp.model.board import Board
    >>> from kt_cp.model.graph import index_board
    >>> graph = index_board(Board(3, 4))
    >>> bounds(graph, range(12), graph.colours)[:4]
    [1.0, 3.0, 30.0, 120.0]
    """
    return [_patterns(kinds, balance) for kinds, balance in _frontiers(graph, order, colours)]


def _frontiers(
    graph: IndexedGraph, order: Sequence[int], colours: Sequence[int] | None
) -> Iterator[tuple[Kinds, int]]:
    """Least and greatest degree, and colour, of each vertex of a frontier; and the difference."""
    seen, left = [0] * len(graph), graph.degrees.tolist()
    done = [False] * len(graph)
    frontier: set[int] = set()
    balance = 0
    for vertex in order:
        done[vertex] = True
        frontier.discard(vertex)
        for other in graph.neighbours[vertex]:
            left[other] -= 1
            seen[other] += 1
            if not done[other]:
                frontier.add(other)
        if colours is not None:
            balance += (-2, 2, 0)[colours[vertex]]
        kinds = (
            (max(0, 2 - left[v]), min(2, seen[v]), ANY if colours is None else colours[v])
            for v in frontier
        )
        yield tuple(sorted(kinds)), balance


@lru_cache(maxsize=10_000)
def _patterns(kinds: Kinds, balance: int) -> float:
    """How many states a frontier has."""
    middle = 2 * len(kinds)
    table = np.zeros((len(kinds) + 1, 2 * middle + 1))  # vertices with one edge, difference
    table[0, middle] = 1
    for least, greatest, colour in kinds:
        longer = np.zeros_like(table)
        for degree in range(least, greatest + 1):
            ones = int(degree == 1)
            way = {0: [degree], 1: [-degree], EITHER: range(-degree, degree + 1, 2), ANY: [0]}
            for shift in way[colour]:
                longer[ones:] += np.roll(table[: len(table) - ones], shift, axis=1)
        table = longer
    if abs(balance) > middle:
        return 0.0
    total, matchings = 0.0, 1.0
    for paired in range(0, len(kinds) + 1, 2):
        total += float(table[paired, middle + balance]) * matchings
        matchings *= paired + 1
    return total

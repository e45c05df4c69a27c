"""In which order vertices are dealt with: the narrower the frontier, the fewer the states.

The *frontier* after some vertices are dealt with holds those neighbours of theirs that are not.
How many states it has grows faster than exponentially with its width, so the order decides what
can be counted at all.  The least greatest width is the *vertex separation number* of the graph,
which is its pathwidth, and NP-hard to find.  So several orders are tried, and the one that promises
the fewest states is taken:

1. Vertices as they are numbered, which on a board is rank by rank, and file by file: one of them
   goes along the narrow side.
2. Breadth first from a vertex that is far away from others, level by level.  Within a level
   neighbours of what was dealt with earlier come first (Cuthill and McKee).
3. Greedy: next comes the vertex of the frontier that brings in the fewest new ones, and of these
   the one that has waited longest.

Source: N. G. Kinnersley, "The vertex separation number of a graph equals its path-width",
Information Processing Letters 42 (1992); E. Cuthill and J. McKee, "Reducing the bandwidth of sparse
symmetric matrices", 1969.  Cost: edges times width for each order that is tried.  When it loses: on
random graphs of more than some fifty vertices every order has a wide frontier.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import islice

from kt_cp.model.board import Board
from kt_cp.model.graph import IndexedGraph
from kt_cp.search.frontier_bound import bounds

WORK = 200_000
"""What greedy orders may take: one does some vertices times the width of the frontier."""

WIDEST = 40
"""Vertices of a frontier from which on nobody asks how many states it has: 10²⁴."""

TRIES = 4
"""Ways to and fro for a narrow order."""

CLOSER = 4
"""Orders that are looked at more closely, by a bound on their states."""


def order_of(
    graph: IndexedGraph, board: Board | None = None, colours: Sequence[int] | None = None
) -> list[int]:
    """The best order found of the vertices of a graph.

    Parameters
    ----------
    graph : IndexedGraph
        Its first vertices are the squares of the board, where there is one.
    board : Board, optional
    colours : sequence of int, optional
        As for :func:`~kt_cp.search.frontier_bound.bounds`.

    Examples
    --------
    >>> from kt_cp.model.graph import index_board
    >>> board = Board(20, 6)
    >>> max(widths(index_board(board), order_of(index_board(board), board)))
    13
    """
    found = sorted(_orders(graph, board), key=lambda order: promise(widths(graph, order)))
    close = [order for order in found[:CLOSER] if max(widths(graph, order)) <= WIDEST]
    if not close:
        return found[0]
    return min(close, key=lambda order: sum(bounds(graph, order, colours)))


def sweep_order(graph: IndexedGraph, most: int) -> list[int] | None:
    """A greedy order with at most so many vertices on the frontier; None if none was found.

    It goes to and fro a few times: the last vertex of an order is far away from the first.  Where
    the graph is not narrow, that is seen after some ``most`` steps.

    Examples
    --------
    >>> from kt_cp.model.board import Board
    >>> from kt_cp.model.graph import index_board
    >>> graph = index_board(Board(4, 20))
    >>> max(widths(graph, sweep_order(graph, 12))), sweep_order(graph, 5)
    (11, None)
    """
    found: list[list[int]] = []
    first = 0
    for way in range(TRIES):
        order = _greedy(graph, first, most if way else 2 * most)
        if len(order) < len(graph):
            break
        found.append(order)
        first = order[-1]
    best = min(found, key=lambda order: promise(widths(graph, order)), default=[])
    return best if best and max(widths(graph, best)) <= most else None


def widths(graph: IndexedGraph, order: Sequence[int]) -> list[int]:
    """How many vertices the frontier holds after each vertex of an order.

    Examples
    --------
    >>> from kt_cp.model.graph import index_board
    >>> widths(index_board(Board(3, 4)), range(12))
    [2, 5, 7, 8, 7, 6, 5, 4, 3, 2, 1, 0]
    """
    met = [False] * len(graph)
    width, found = 0, []
    for vertex in order:
        width -= met[vertex]
        met[vertex] = True
        for other in graph.neighbours[vertex]:
            width += not met[other]
            met[other] = True
        found.append(width)
    return found


def promise(found: Iterable[int]) -> int:
    """What an order costs by the widths of its frontiers: states, if all of them were met.

    Beyond the widest all are the same: their numbers have thousands of digits.
    """
    return sum(states(min(width, WIDEST + 1)) for width in found)


@cache
def states(width: int) -> int:
    """How many states a frontier has: each vertex of degree 0, 1 or 2, those of degree 1 paired.

    Examples
    --------
    >>> [states(width) for width in range(5)]
    [1, 2, 5, 14, 43]
    """
    if width < 2:
        return 1 + width
    return 2 * states(width - 1) + (width - 1) * states(width - 2)


def _orders(graph: IndexedGraph, board: Board | None) -> Iterator[list[int]]:
    total = len(graph)
    yield list(range(total))
    if board is not None:
        files: dict[int, int] = {v: graph.nodes[v][1] for v in range(board.size)}  # type: ignore[index]
        yield sorted(range(total), key=lambda v: (files.get(v, board.columns), v))
    firsts = [_far(graph, component[0]) for component in graph.components]
    yield _breadth_first(graph, firsts)
    tries = max(1, WORK // (total * math.isqrt(1 + 2 * len(graph.tails))))
    starts = islice(_by_degree(graph), tries)
    for first in dict.fromkeys([firsts[0], *starts] if total else ()):
        yield _greedy(graph, first)


def _far(graph: IndexedGraph, vertex: int) -> int:
    """A vertex farthest away from one that is farthest away."""
    for _ in range(2):
        vertex = _breadth_first(graph, [vertex], once=True)[-1]
    return vertex


def _breadth_first(graph: IndexedGraph, firsts: list[int], *, once: bool = False) -> list[int]:
    found: list[int] = []
    met = [False] * len(graph)
    for first in firsts:
        met[first] = True
        at = len(found)
        found.append(first)
        while at < len(found):
            near = [other for other in graph.neighbours[found[at]] if not met[other]]
            for other in near:
                met[other] = True
            found += sorted(near, key=lambda v: (graph.degrees[v], v))
            at += 1
        if once:
            break
    return found


def _by_degree(graph: IndexedGraph) -> Iterator[int]:
    yield from sorted(range(len(graph)), key=lambda v: (graph.degrees[v], v))


def _greedy(graph: IndexedGraph, first: int, most: float = math.inf) -> list[int]:
    """The order from a vertex on; where a component ends, from the least degree that is left.

    It ends where there are more than so many vertices on the frontier.
    """
    total = len(graph)
    fresh = graph.degrees.tolist()  # neighbours not met yet
    met, done = [False] * total, [False] * total
    frontier: dict[int, None] = {}
    found: list[int] = []

    def meet(vertex: int) -> None:
        met[vertex] = True
        frontier[vertex] = None
        for other in graph.neighbours[vertex]:
            fresh[other] -= 1

    rest = _by_degree(graph)
    meet(first)
    while len(found) < total and len(frontier) <= most:
        if not frontier:
            meet(next(v for v in rest if not met[v]))
        vertex = min(frontier, key=lambda v: fresh[v])  # the first of the least: longest waiting
        del frontier[vertex]
        done[vertex] = True
        found.append(vertex)
        for other in graph.neighbours[vertex]:
            if not met[other]:
                meet(other)
    return found

"""Vertex elimination: take the vertices of a graph away one by one, and join what was around each.

When a vertex goes, its neighbours become neighbours of each other.  The edges that were there at
any time make a *chordal* supergraph of the graph: every cycle of four vertices and more has a
chord, since whichever of its vertices goes first leaves its two neighbours on the cycle joined.
The edges added are the *fill*; every triangle of the supergraph is counted once, at whichever of
its vertices goes first, so with d_v the number of neighbours that v has when it goes, there are
Σ d_v edges and Σ d_v (d_v - 1) / 2 triangles.

Which order makes the least fill is a hard question.  Here a vertex of least degree goes next, the
least number first among equals (W. F. Tinney and J. W. Walker, "Direct solutions of sparse network
equations by optimally ordered triangular factorization", Proceedings of the IEEE 55, 1967).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from heapq import heapify, heappop, heappush

from kt_cp.cycle import cycle_form
from kt_cp.encodings.cnf import MOST_CLAUSES
from kt_cp.graph import IndexedGraph
from kt_cp.problem import Problem

COUNTED = 1_000
"""Boards of up to so many squares are counted, in less than half a second; larger ones judged."""

SQUARISH, OBLONG = 4, 10
"""Triangles for each square and shorter side squared, up to a side of three times the shorter
and above: measured up to 50x50, at most 3.1 (20x60: 3.6), and up to 9x150 at most 9.7."""

WIDTH = 3
"""Triangles on an edge of the graph for each row of the shorter side: measured at most 2.7."""


def adjacency(graph: IndexedGraph) -> dict[int, set[int]]:
    """Neighbours of each vertex, for :func:`eliminations` to change."""
    return {vertex: set(others) for vertex, others in enumerate(graph.neighbours)}


def eliminations(adjacent: dict[int, set[int]]) -> Iterator[tuple[int, list[int]]]:
    """Each vertex with its neighbours, in ascending order, just before it goes.

    Parameters
    ----------
    adjacent : dict
        Neighbours of each vertex.  It is changed: whoever breaks off is left with the reduced
        graph in which the vertex just named is still there.

    Examples
    --------
    >>> adjacent = {0: {1, 3}, 1: {0, 2}, 2: {1, 3}, 3: {0, 2}}
    >>> list(eliminations(adjacent))
    [(0, [1, 3]), (1, [2, 3]), (2, [3]), (3, [])]
    """
    waiting = [(len(others), vertex) for vertex, others in adjacent.items()]
    heapify(waiting)
    while waiting:
        degree, vertex = heappop(waiting)
        if vertex not in adjacent or len(adjacent[vertex]) != degree:
            continue  # entered before its degree changed, and entered again since
        others = sorted(adjacent[vertex])
        yield vertex, others
        _take_out(adjacent, vertex)
        for other in others:
            heappush(waiting, (len(adjacent[other]), other))


def in_order(
    adjacent: dict[int, set[int]], order: Iterable[int]
) -> Iterator[tuple[int, list[int]]]:
    """As :func:`eliminations`, the vertices in an order that is given.

    Examples
    --------
    >>> list(in_order({0: {1, 3}, 1: {0, 2}, 2: {1, 3}, 3: {0, 2}}, [2, 0, 1, 3]))
    [(2, [1, 3]), (0, [1, 3]), (1, [3]), (3, [])]
    """
    for vertex in order:
        yield vertex, sorted(adjacent[vertex])
        _take_out(adjacent, vertex)


def _take_out(adjacent: dict[int, set[int]], vertex: int) -> None:
    others = adjacent.pop(vertex)
    for other in others:
        near = adjacent[other]
        near |= others
        near -= {vertex, other}


@dataclass(frozen=True)
class Fill:
    """Sizes of a problem's chordal supergraph.

    Attributes
    ----------
    arcs : int
        Twice the edges of the graph.
    triangles : int
        Of the chordal supergraph.
    sides : int
        Pairs of an edge of the graph and a triangle of the supergraph on it.
    """

    arcs: int
    triangles: int
    sides: int


def fill_estimate(problem: Problem) -> Fill:
    """Sizes: counted for graphs and for small boards, judged from the sides of large boards.

    Counting ends where there are more triangles than a formula may have clauses.

    Examples
    --------
    >>> from kt_cp.board import Board
    >>> fill_estimate(Problem(Board(5, 6), closed=True))
    Fill(arcs=124, triangles=204, sides=218)
    """
    board = problem.board
    if board is not None and problem.size > COUNTED:
        arcs = board_arcs(problem)
        shorter, longer = sorted((board.rows, board.columns))
        dense = SQUARISH if longer <= 3 * shorter else OBLONG
        return Fill(arcs, int(dense * problem.size * shorter**2), WIDTH * shorter * arcs // 2)
    graph = cycle_form(problem).graph
    triangles = 0
    chordal = adjacency(graph)
    for vertex, others in eliminations(adjacency(graph)):
        triangles += len(others) * (len(others) - 1) // 2
        if triangles > MOST_CLAUSES:
            break
        chordal[vertex].update(others)
        for other in others:
            chordal[other].add(vertex)
    sides = sum(len(chordal[u] & chordal[v]) for u, v in graph.pairs())
    return Fill(2 * len(graph.tails), triangles, sides)


def board_arcs(problem: Problem) -> int:
    """At most so many arcs: eight at a square, and two to the depot and back of an open tour."""
    return (8 if problem.closed else 10) * problem.size


def successor_clauses(problem: Problem, arcs: int) -> int:
    """At most so many clauses of the successor formula."""
    return 7 * arcs + 4 * (problem.size + 1)

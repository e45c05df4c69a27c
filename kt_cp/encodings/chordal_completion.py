"""Chordal completion: eliminate the vertices of a graph one by one, joining their neighbours.

To eliminate a vertex is to join all its neighbours to each other and to take the vertex away.  All
edges that exist at any time form a *chordal* supergraph: every cycle of four or more vertices has a
chord.  The reason is the first vertex of the cycle to be eliminated; it leaves its two neighbours
on the cycle joined.  So a condition on triangles can rule out all cycles, and the graph has far
fewer triangles than there are triples of vertices.

Source: The order of elimination decides how many edges are added.  The order that adds fewest is
NP-hard to find (M. Yannakakis, "Computing the minimum fill-in is NP-complete", SIAM Journal on
Algebraic and Discrete Methods 2, 1981).  :func:`minimum_degree` eliminates a vertex of least degree
next, the least number among equals (W. F. Tinney and J. W. Walker, "Direct solutions of sparse
network equations by optimally ordered triangular factorization", Proceedings of the IEEE 55, 1967).

Cost: Let d_v be the number of neighbours of v when it is eliminated.  The supergraph has Σ d_v
edges and Σ d_v (d_v - 1) / 2 triangles, each counted at its vertex that is eliminated first.

When it loses: On large boards: N squares with a shorter side of k have about 2 N k² triangles.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from heapq import heapify, heappop, heappush

from kt_cp.encodings.cnf import MOST_CLAUSES
from kt_cp.encodings.estimate import shape_of
from kt_cp.model.cycle import cycle_form
from kt_cp.model.graph import IndexedGraph
from kt_cp.model.problem import Problem

COUNTED = 1_000
"""Rectangles of up to so many squares are counted, in half a second; larger ones estimated."""

SQUARISH, OBLONG = 4, 10
"""Triangles for each square and shorter side squared, up to a side of three times the shorter
and above: measured up to 50x50, at most 3.1 (20x60: 3.6), and up to 9x150 at most 9.7."""

WIDTH = 3
"""Triangles on an edge of the graph for each row of the shorter side: measured at most 2.7."""


def adjacency(graph: IndexedGraph) -> dict[int, set[int]]:
    """Neighbours of each vertex, for :func:`minimum_degree` to change."""
    return {vertex: set(others) for vertex, others in enumerate(graph.neighbours)}


def minimum_degree(adjacent: dict[int, set[int]]) -> Iterator[tuple[int, list[int]]]:
    """Each vertex with its neighbours, in ascending order, just before it is eliminated.

    Parameters
    ----------
    adjacent : dict
        Neighbours of each vertex.  It is changed: whoever breaks off is left with the reduced
        graph in which the vertex just named is still there.

    Examples
    --------
    >>> adjacent = {0: {1, 3}, 1: {0, 2}, 2: {1, 3}, 3: {0, 2}}
    >>> list(minimum_degree(adjacent))
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
        _remove(adjacent, vertex)
        for other in others:
            heappush(waiting, (len(adjacent[other]), other))


def eliminate(
    adjacent: dict[int, set[int]], order: Iterable[int]
) -> Iterator[tuple[int, list[int]]]:
    """As :func:`minimum_degree`, the vertices in an order that is given.

    Examples
    --------
    >>> list(eliminate({0: {1, 3}, 1: {0, 2}, 2: {1, 3}, 3: {0, 2}}, [2, 0, 1, 3]))
    [(2, [1, 3]), (0, [1, 3]), (1, [3]), (3, [])]
    """
    for vertex in order:
        yield vertex, sorted(adjacent[vertex])
        _remove(adjacent, vertex)


def _remove(adjacent: dict[int, set[int]], vertex: int) -> None:
    others = adjacent.pop(vertex)
    for other in others:
        near = adjacent[other]
        near |= others
        near -= {vertex, other}


def completion_size(problem: Problem, *, exempt: bool = False) -> tuple[int, int]:
    """Triangles of a problem's chordal supergraph, and pairs of an edge and a triangle on it.

    They are counted, or estimated from the sides of a large whole rectangle.  Only edges of the
    cycle form count.  Counting ends, or does not begin, where the formula is too large.

    Parameters
    ----------
    exempt : bool
        Whether the first vertex of least degree is left out, where they are counted.

    Examples
    --------
    >>> from kt_cp.model.board import Board
    >>> completion_size(Problem(Board(5, 6), closed=True))
    (204, 218)
    """
    board = problem.whole_rectangle
    if board is not None and problem.size > COUNTED:
        shorter, longer = sorted((board.rows, board.columns))
        dense = SQUARISH if longer <= 3 * shorter else OBLONG
        edges = (4 if problem.closed else 5) * problem.size
        return int(dense * problem.size * shorter**2), WIDTH * shorter * edges
    if shape_of(problem).shared > MOST_CLAUSES:
        return 0, 0
    graph = cycle_form(problem).graph
    triangles = 0
    adjacent, chordal = adjacency(graph), adjacency(graph)
    if exempt:
        out = int(graph.degrees.argmin())
        for each in (adjacent, chordal):
            for other in each.pop(out):
                each[other].remove(out)
    for vertex, others in minimum_degree(adjacent):
        triangles += len(others) * (len(others) - 1) // 2
        if 2 * triangles > MOST_CLAUSES:
            break
        chordal[vertex].update(others)
        for other in others:
            chordal[other].add(vertex)
    edges = (edge for edge in graph.pairs() if chordal.keys() >= set(edge))
    return triangles, sum(len(chordal[u] & chordal[v]) for u, v in edges)

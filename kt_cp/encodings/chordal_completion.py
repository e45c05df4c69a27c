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

Two orders on boards are by lines.  A knight does not jump over two ranks, so two adjacent ranks
separate what lies below them from what lies above.  In general it takes as many lines as the
piece's longest leap along one axis.  By *nested dissection* the lines in the middle are eliminated
last; before them each half, cut in the same way across its longer side.  A square that is
eliminated then has neighbours only in its own part and in the cuts around it.  *Line by line* goes
across the shorter side, which is better where the longer side is much longer.  Σ d_v (d_v - 1)
grows as k³ by dissection on a square of side k, and as k⁴ line by line.  On surfaces other than the
plane straight lines separate nothing, and on boards full of holes minimum degree may be better.
(A. George, "Nested dissection of a regular finite element mesh", SIAM Journal on Numerical Analysis
10, 1973.)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from heapq import heapify, heappop, heappush

from kt_cp.encodings.cnf import MOST_CLAUSES, shape_of
from kt_cp.model.board import Square
from kt_cp.model.cycle import cycle_form
from kt_cp.model.graph import IndexedGraph
from kt_cp.model.problem import Problem

COUNTED = 1_000
"""Most squares of a rectangle that is counted, in half a second; larger ones are estimated."""

SQUARISH, OBLONG = 4, 10
"""Bounds on triangles per square and per square of the shorter side, for longer sides of up to
three times the shorter, and above.  Measured: at most 3.1 up to 50x50 (20x60: 3.6), and at most 9.7
up to 9x150."""

WIDTH = 3
"""Triangles on an edge of the graph for each row of the shorter side: measured at most 2.7."""

UNCUT = 20
"""Most squares of a part that is not cut; values between 8 and 30 make no difference."""


def adjacency(graph: IndexedGraph) -> dict[int, set[int]]:
    """Return the neighbours of each vertex, for :func:`minimum_degree` to change."""
    return {vertex: set(others) for vertex, others in enumerate(graph.neighbours)}


def minimum_degree(adjacent: dict[int, set[int]]) -> Iterator[tuple[int, list[int]]]:
    """Yield each vertex with its neighbours, in ascending order, just before it is eliminated.

    The mapping is changed: a caller that stops has the reduced graph, with the last vertex still
    present.

    >>> adjacent = {0: {1, 3}, 1: {0, 2}, 2: {1, 3}, 3: {0, 2}}
    >>> list(minimum_degree(adjacent))
    [(0, [1, 3]), (1, [2, 3]), (2, [3]), (3, [])]
    """
    waiting = [(len(others), vertex) for vertex, others in adjacent.items()]
    heapify(waiting)
    while waiting:
        degree, vertex = heappop(waiting)
        if vertex not in adjacent or len(adjacent[vertex]) != degree:
            continue  # outdated entry: its degree has changed, and there is a newer one
        others = sorted(adjacent[vertex])
        yield vertex, others
        _remove(adjacent, vertex)
        for other in others:
            heappush(waiting, (len(adjacent[other]), other))


def eliminate(
    adjacent: dict[int, set[int]], order: Iterable[int]
) -> Iterator[tuple[int, list[int]]]:
    """Yield vertices as :func:`minimum_degree` does, but in a given order."""
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
    """Count triangles of a problem's chordal supergraph, and pairs of an edge and its triangle.

    The numbers are estimated from the sides for a large whole rectangle.  Only edges of the cycle
    form count.  Counting stops, or does not start, if the formula is too large.

    If ``exempt``, the count leaves out the first vertex of least degree.

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
    within = (edge for edge in graph.pairs() if chordal.keys() >= set(edge))
    return triangles, sum(len(chordal[u] & chordal[v]) for u, v in within)


def line_by_line(squares: Sequence[Square]) -> list[Square]:
    """Return the squares line by line across the shorter side.

    >>> line_by_line([(0, 0), (0, 1), (1, 0), (1, 1), (2, 0), (2, 1)])[:3]
    [(0, 0), (0, 1), (1, 0)]
    """
    axis = _longer(squares)[0]
    return sorted(squares, key=lambda square: (square[axis], square[1 - axis]))


def nested_dissection(squares: Sequence[Square], width: int = 2) -> list[Square]:
    """Return the squares by dissection: both halves, then the ``width`` lines that separate them.

    >>> order = nested_dissection([(row, column) for row in range(5) for column in range(6)])
    >>> [order.index(square) for square in ((0, 0), (0, 5), (0, 2), (4, 3))]
    [0, 11, 20, 29]
    """
    return list(_parts(squares, width))


def _parts(squares: Sequence[Square], width: int) -> Iterator[Square]:
    axis, length = _longer(squares) if len(squares) > UNCUT else (0, 0)
    if length <= 2 * width:
        yield from squares
        return
    first = (min(s[axis] for s in squares) + max(s[axis] for s in squares) - width + 2) // 2
    beyond = first + width
    yield from _parts([square for square in squares if square[axis] < first], width)
    yield from _parts([square for square in squares if square[axis] >= beyond], width)
    cut = [square for square in squares if first <= square[axis] < beyond]
    yield from sorted(cut, key=lambda square: square[1 - axis])


def _longer(squares: Sequence[Square]) -> tuple[int, int]:
    """Return the longer axis of the squares, and the extent along it."""
    lengths = [max(places) - min(places) + 1 for places in zip(*squares, strict=True)]
    length = max(lengths)
    return lengths.index(length), length

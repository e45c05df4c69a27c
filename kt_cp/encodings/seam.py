"""The seam: where a cycle is cut open, so that its vertices can be counted from there.

Encodings that give every vertex the number of its step exempt one vertex from counting, the start:
its step is 0, the arc back into it closes the tour.  This module chooses it, in two ways.

*Of least degree*, as :mod:`kt_cp.encodings.successor` does, with one direction of each cycle kept.

*Between the ends* of an open tour, where they can be told apart: by prescription, or by colour, as
on a bipartite graph of even order, where the tour may be read so that it begins with colour 0 and
ends with colour 1.  The start is then the depot, or the prescribed start whose virtual edge leads
back from the prescribed end.  That fixes the direction, and all other arcs are moves.

What sharpens the formula, and can be left out, since the general form needs none of it:

orientation
    One direction of each cycle, and the ends told apart.
parity
    If every other arc is between different colours, the parity of a vertex's step is known.  It
    needs no variable, and counters advance at every second step only (``pace`` 2).  A cycle that
    misses the start is of even length 2 j and advances them j times.  The cycle through a depot or
    a virtual edge need not be bipartite: what matters is the graph without the arcs at the start.
windows
    Step t of a vertex is no less than its distance from those that may follow the start, and no
    more than its distance to those that may come before allows; both without passing the start.
    These are the breadth-first frontiers of N.-F. Zhou, "In pursuit of an efficient SAT encoding
    for the Hamiltonian cycle problem", CP 2020, as intervals.
corners
    Both edges of a vertex of degree 2 are used.

Beyond the shared part: a unit clause for each arc at the start that cannot be used, one clause for
each unforced edge with an end of degree 2, and two that contradict where some window is empty.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import compress

from kt_cp.encodings.cnf import Clause
from kt_cp.encodings.successor import Successors, successors
from kt_cp.graph import IndexedGraph
from kt_cp.problem import Problem


@dataclass(frozen=True)
class Seam:
    """A problem's arcs, and what is known about the steps before any search.

    Attributes
    ----------
    shared : Successors
        With the start that was chosen, and the clauses of this module.
    first, last : list of int
        Vertices that may follow the start, and that may come before it.
    parity : sequence of int or None
        Parity of the step of each vertex, where it is known.
    windows : list of (int, int) or None
        Earliest and latest step of each vertex.
    """

    shared: Successors
    first: list[int]
    last: list[int]
    parity: Sequence[int] | None
    windows: list[tuple[int, int]] | None

    @property
    def pace(self) -> int:
        """Steps to one advance of a counter."""
        return 1 if self.parity is None else 2

    @property
    def turns(self) -> int:
        """How many values a counter has to tell apart: those of the steps 0 … N - 1."""
        return (len(self.shared) - 1) // self.pace + 1


def seam(
    problem: Problem,
    *,
    orientation: bool = True,
    parity: bool = True,
    windows: bool = True,
    corners: bool = True,
    edges: Sequence[tuple[int, int]] | None = None,
    before: int = 0,
) -> Seam:
    """Shared formula of a problem, cut open at a start.

    Parameters
    ----------
    orientation, parity, windows, corners : bool
        What is to be known.
    edges, before
        As for :func:`kt_cp.encodings.successor.successors`.

    Examples
    --------
    >>> from kt_cp.board import Board
    >>> cut = seam(Problem(Board(3, 4)))
    >>> cut.shared.start, cut.pace, cut.turns, cut.windows[0]
    (12, 2, 7, (1, 11))
    """
    colours = problem.indexed.colours if parity else None
    ends = [end for end in (problem.start, problem.end) if end is not None]
    coloured = colours is not None and problem.size % 2 == 0
    apart = orientation and not problem.closed and bool(ends or coloured)
    shared = successors(problem, directed=orientation and not apart, edges=edges, before=before)
    graph = shared.form.graph
    if apart:
        start, first, last = _between_ends(problem, shared, colours)
        shared = replace(shared, start=start)
        if colours is not None:
            # Of the colour of the tour's first square are the steps 1, 3, … after the depot.
            even = 1 - colours[first[0]] if start == shared.form.depot else colours[start]
            colours = [*colours, even][: len(graph)]
    else:
        start = shared.start
        first = last = graph.neighbours[start]
        if orientation:
            first, last = first[:-1], last[1:]
        colours = graph.colours if parity else None
    steps = None if colours is None else [int(colour != colours[start]) for colour in colours]
    if steps is not None:
        first = [vertex for vertex in first if steps[vertex] == 1]
        last = [vertex for vertex in last if steps[vertex] == (len(graph) - 1) % 2]
    shared.clauses.extend(_unused(shared, first, last))
    if corners:
        shared.clauses.extend(_forced(shared))
    spans = _windows(graph, start, first, last) if windows else None
    if spans is not None and any(early > late for early, late in spans):
        shared.clauses.extend(([1], [-1]))
        spans = None
    return Seam(shared, first, last, steps, spans)


def _between_ends(
    problem: Problem, shared: Successors, colours: list[int] | None
) -> tuple[int, list[int], list[int]]:
    """Start between the ends of an open tour, who may follow it, and who may come before it."""
    index, form = problem.indexed.index, shared.form
    if form.depot is None:
        assert problem.start is not None and problem.end is not None
        start, last = index[problem.start], index[problem.end]
        return start, [v for v in form.graph.neighbours[start] if v != last], [last]
    joined = form.graph.neighbours[form.depot]
    for end in (problem.start, problem.end):
        if end is not None:
            # A tour with this end alone may be read from there.
            return form.depot, [index[end]], [v for v in joined if v != index[end]]
    assert colours is not None
    first = [vertex for vertex in joined if colours[vertex] == 0]
    return form.depot, first, [vertex for vertex in joined if colours[vertex] == 1]


def _unused(shared: Successors, first: list[int], last: list[int]) -> Iterator[Clause]:
    start = shared.start
    for vertex in shared.form.graph.neighbours[start]:
        if vertex not in first:
            yield [-shared.number[start, vertex]]
        if vertex not in last:
            yield [-shared.number[vertex, start]]


def _forced(shared: Successors) -> Iterator[Clause]:
    graph = shared.form.graph
    at_two = (graph.degrees[graph.tails] == 2) | (graph.degrees[graph.heads] == 2)
    for u, v in compress(graph.pairs(), at_two.tolist()):
        if (u, v) not in shared.form.forced:
            yield [shared.number[u, v], shared.number[v, u]]


def _windows(
    graph: IndexedGraph, start: int, first: list[int], last: list[int]
) -> list[tuple[int, int]]:
    """Earliest and latest step of each vertex; later than the latest where there is no way."""
    size = len(graph)
    earliest = _steps(graph, start, first)
    latest = [size - step for step in _steps(graph, start, last)]
    latest[start] = 0
    return list(zip(earliest, latest, strict=True))


def _steps(graph: IndexedGraph, start: int, beside: list[int]) -> list[int]:
    """Steps from the start through one of those beside it; more than all where there is no way."""
    never = len(graph) + 1
    steps = [never] * len(graph)
    steps[start] = 0
    for vertex in beside:
        steps[vertex] = 1
    queue = list(beside)
    for vertex in queue:
        for other in graph.neighbours[vertex]:
            if steps[other] == never:
                steps[other] = steps[vertex] + 1
                queue.append(other)
    return steps


@dataclass(frozen=True)
class Shape:
    """What the size of a formula follows from: upper bounds that take no graph of a board.

    Attributes
    ----------
    vertices, arcs : int
        Of the cycle form.
    pace, turns : int
        As those of a :class:`Seam`.
    """

    vertices: int
    arcs: int
    pace: int

    @property
    def turns(self) -> int:
        return (self.vertices - 1) // self.pace + 1

    @property
    def shared(self) -> int:
        """Clauses before any counting: at most three a literal in each of two constraints."""
        return 7 * self.arcs + 4 * self.vertices + 2


def shape_of(problem: Problem) -> Shape:
    """Shape of a problem, from the measures of its board or from the degrees of its graph.

    Examples
    --------
    >>> from kt_cp.board import Board
    >>> shape_of(Problem(Board(8, 8), closed=True))
    Shape(vertices=64, arcs=336, pace=2)
    """
    board, size = problem.board, problem.size
    if board is not None:
        across = max(0, board.rows - 1) * max(0, board.columns - 2)
        along = max(0, board.rows - 2) * max(0, board.columns - 1)
        edges, pace = min(2 * (across + along), 4 * size), 2
    else:
        edges = len(problem.indexed.tails)
        pace = 1 if problem.indexed.colours is None else 2
    if problem.closed:
        return Shape(size, 2 * edges, pace)
    if problem.start is not None and problem.end is not None:
        return Shape(size, 2 * edges + 2, pace)
    return Shape(size + 1, 2 * (edges + size), pace)

"""Numbering: the start of a cycle, and the knowledge about its steps before any search.

An encoding that counts gives every vertex the number of its step.  One vertex is exempt: the
*start* has step 0, and the arc back into it closes the cycle.  This module chooses the start and
collects what holds for the steps before any search.

There are three choices of the start.

- *A vertex of least degree.*  A tour and its reverse are then two models; the order of the start's
  neighbours excludes one of them (:mod:`kt_cp.encodings.successor`).
- *The gap between the ends* of an open tour, if the ends can be distinguished.  A prescribed end
  distinguishes them.  So do colours: on a bipartite graph of even order the ends have different
  colours, and the tour is read from its end of colour 0.  The start is then the depot, or the
  prescribed start, whose virtual edge leads back from the prescribed end.  That fixes the
  direction.

- *Where steps are given*, the first given vertex of a closed tour, and the gap of an open one.  A
  given step is then one relative to the start.  It fixes the direction, unless it is half a tour
  away.

Four kinds of knowledge make the formula stronger.  Each can be switched off, for comparisons.

orientation
    One direction of each cycle, and the ends distinguished.
parity
    If all arcs that do not touch the start join different colours, the colour of a vertex fixes the
    parity of its step.  This takes no variable.  A counter then advances at every second step only
    (``stride`` 2), because a cycle that misses the start has an even length.
windows
    A vertex is not visited earlier than its distance from the vertices that may come first, and not
    later than its distance to those that may come last allows.  Neither way passes the start.
    (N.-F. Zhou, "In pursuit of an efficient SAT encoding for the Hamiltonian cycle problem", CP
    2020, has these bounds as breadth-first frontiers.)
corners
    A vertex of degree 2 uses both its edges.

Cost: Two breadth-first searches.  The formula gains a unit clause for each arc at the start that no
tour uses, a clause for each unforced edge at a vertex of degree 2, and two contradicting clauses if
some window is empty.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import compress

import numpy as np

from kt_cp.encodings.cnf import Clause
from kt_cp.encodings.position import allowed_steps
from kt_cp.encodings.successor import Successors, successors
from kt_cp.model.conditions import Given
from kt_cp.model.cycle import CycleForm, prescribed_steps
from kt_cp.model.graph import IndexedGraph
from kt_cp.search.breadth_first import extend_distances


@dataclass(frozen=True)
class Numbering:
    """The start of a cycle, and the knowledge about the steps of its vertices."""

    form: CycleForm
    vertices: Sequence[int]  # those that get a step
    start: int
    first: list[int]  # vertices that may follow the start
    last: list[int]  # vertices that may come before the start
    parity: Sequence[int] | None = None  # of the step of each vertex, where it is known
    windows: list[tuple[int, int]] | None = None  # earliest and latest step of each vertex
    reversible: bool = False  # the reverse of every tour would be a model too; one must go
    possible: bool = True  # whether every vertex has a step left
    known: Mapping[int, int] = field(default_factory=dict)  # given steps, except at the start

    @property
    def stride(self) -> int:
        """Return the number of steps per advance of a counter."""
        return 1 if self.parity is None else 2

    @property
    def values(self) -> int:
        """Return the number of values that a counter must distinguish: the steps 0 … N - 1."""
        return (len(self.vertices) - 1) // self.stride + 1


def numbering_of(
    form: CycleForm, *, orientation: bool = True, parity: bool = True, windows: bool = True
) -> Numbering:
    """Choose the start of a cycle form, and collect the knowledge about its steps.

    >>> from kt_cp.model.board import Board
    >>> from kt_cp.model.cycle import cycle_form
    >>> from kt_cp.model.problem import Problem
    >>> numbering = numbering_of(cycle_form(Problem(Board(3, 4))))
    >>> numbering.start, numbering.stride, numbering.values, numbering.windows[0]
    (12, 2, 7, (1, 11))
    """
    problem, graph = form.problem, form.graph
    if any(isinstance(each, Given) for each in problem.conditions):
        return _anchor(form, orientation=orientation, parity=parity, windows=windows)
    colours = problem.indexed.colours if parity else None
    prescribed = problem.start is not None or problem.end is not None
    coloured = colours is not None and problem.size % 2 == 0
    breaks_symmetry = orientation and not problem.closed and (prescribed or coloured)
    if breaks_symmetry:
        start, first, last = _between_ends(form, colours)
        if colours is not None:
            # The first square of the tour, and all of its colour, have odd steps after the depot.
            even = 1 - colours[first[0]] if start == form.depot else colours[start]
            colours = [*colours, even][: len(graph)]
    else:
        start = int(graph.degrees.argmin())
        first = last = graph.neighbours[start]
        if orientation:
            first, last = first[:-1], last[1:]
        colours = graph.colours if parity else None
    steps = None if colours is None else [int(colour != colours[start]) for colour in colours]
    if steps is not None:
        first = [vertex for vertex in first if steps[vertex] == 1]
        last = [vertex for vertex in last if steps[vertex] == (len(graph) - 1) % 2]
    spans = _windows(graph, start, first, last) if windows else None
    possible = spans is None or all(early <= late for early, late in spans)
    vertices, reversible = range(len(graph)), orientation and not breaks_symmetry
    return Numbering(
        form, vertices, start, first, last, steps, spans if possible else None, reversible, possible
    )


def _anchor(form: CycleForm, *, orientation: bool, parity: bool, windows: bool) -> Numbering:
    """Number from the first given vertex of a closed tour, or from before an open one."""
    problem, graph = form.problem, form.graph
    size, prescribed_at = len(graph), prescribed_steps(problem)
    if prescribed_at is None:
        return Numbering(form, range(size), 0, [], [], possible=False)
    start, back = next(iter(prescribed_at.items()))
    if form.depot is not None:
        start, back = form.depot, -1
    elif not problem.closed:
        start, back = problem.indexed.index[problem.start], 0
    known = {
        vertex: (step - back) % size for vertex, step in prescribed_at.items() if vertex != start
    }
    # Backwards a vertex at step s is at N - s; where that is so for all, a tour has two directions.
    reversible = orientation and all(2 * step == size for step in known.values())
    first = last = graph.neighbours[start]
    colours, steps = problem.indexed.colours if parity else None, None
    if colours is not None and (known or start != form.depot):
        vertex, step = next(iter(known.items()), (start, 0))
        steps = [(step + (colour != colours[vertex])) % 2 for colour in colours]
        steps += [0] * (size - len(steps))
        clash = any(steps[vertex] != step % 2 for vertex, step in {**known, start: 0}.items())
        if clash or sum(steps) != size // 2 or (problem.closed and size % 2):
            return Numbering(form, range(size), start, first, last, possible=False, known=known)
    numbering = Numbering(
        form, range(size), start, first, last, steps, reversible=reversible, known=known
    )
    if not windows:
        return numbering
    allowed = np.roll(allowed_steps(problem), -back, axis=1)
    if start == form.depot:
        allowed = np.pad(allowed_steps(problem), ((0, 1), (1, 0)))
        allowed[start, 0] = True
    latest = size - 1 - allowed[:, ::-1].argmax(axis=1)
    spans = list(zip(allowed.argmax(axis=1).tolist(), latest.tolist(), strict=True))
    return replace(numbering, windows=spans, possible=bool(allowed.any(axis=1).all()))


def _between_ends(form: CycleForm, colours: list[int] | None) -> tuple[int, list[int], list[int]]:
    """Return the start, and the vertices that may follow or precede it."""
    problem, index = form.problem, form.problem.indexed.index
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


def _windows(
    graph: IndexedGraph, start: int, first: list[int], last: list[int]
) -> list[tuple[int, int]]:
    """Return the earliest and latest step of each vertex; an empty window if there is no path."""
    size = len(graph)
    earliest = _steps(graph, start, first)
    latest = [size - step for step in _steps(graph, start, last)]
    latest[start] = 0
    return list(zip(earliest, latest, strict=True))


def _steps(graph: IndexedGraph, start: int, beside: list[int]) -> list[int]:
    """Return the steps from the start through given neighbours; more than all without a path."""
    steps = [-1] * len(graph)
    steps[start] = 0
    for vertex in beside:
        steps[vertex] = 1
    extend_distances(steps, beside, graph.neighbours.__getitem__)
    return [len(graph) + 1 if step < 0 else step for step in steps]


def rooted_successors(
    numbering: Numbering,
    *,
    corners: bool = True,
    edges: Sequence[tuple[int, int]] | None = None,
    before: int = 0,
    negated: int = 0,
) -> Successors:
    """Return the successor formula, with the knowledge of the numbering about arcs.

    With ``corners``, vertices of degree 2 use both their edges; the rest is as for
    :func:`kt_cp.encodings.successor.successors`.
    """
    form = numbering.form
    directed = numbering.reversible
    shared = successors(form, directed=directed, edges=edges, before=before, negated=negated)
    shared.clauses.extend(_unused(numbering, shared))
    if corners:
        shared.clauses.extend(_corners(shared))
    if not numbering.possible:
        shared.clauses.extend(([1], [-1]))
    return shared


def _unused(numbering: Numbering, shared: Successors) -> Iterator[Clause]:
    start = numbering.start
    for vertex in shared.form.graph.neighbours[start]:
        if vertex not in numbering.first:
            yield [-shared.number[start, vertex]]
        if vertex not in numbering.last:
            yield [-shared.number[vertex, start]]


def _corners(shared: Successors) -> Iterator[Clause]:
    graph, forced = shared.form.graph, set(shared.form.forced)
    at_two = (graph.degrees[graph.tails] == 2) | (graph.degrees[graph.heads] == 2)
    for u, v in compress(graph.pairs(), at_two.tolist()):
        if (u, v) not in forced:
            yield [shared.number[u, v], shared.number[v, u]]

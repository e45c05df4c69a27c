"""The common part of the successor encodings: variables for which vertex follows which.

The problem is a Hamiltonian cycle (:func:`kt_cp.model.cycle.cycle_form`; an open tour passes a
depot, or a virtual edge between its ends).  A variable for each arc, h(u, v), means that v follows
u.  Every vertex has exactly one arc out and one arc in, and no two vertices follow each other.  A
model is then a set of disjoint cycles of at least three vertices.  The encodings differ in the
clauses that force a single cycle.  All of them give the vertices an order that only the arc back
into one vertex, the *start*, may break.

The start is a vertex of least degree.  On a board that is a corner, and a closed tour uses both
edges of a corner.  Every cycle would be a model in each of its two directions.  To exclude one of
them, the neighbours of the start get some order: its successor must come before its predecessor.

Source: The exclusion of one direction is from N.-F. Zhou, "In pursuit of an efficient SAT encoding
for the Hamiltonian cycle problem", CP 2020.

Cost: With N vertices and A arcs: A variables; 2 N clauses of at-least-one; at-most-ones by pairs up
to degree ``PAIRWISE``, and by 3 clauses a literal above it; A / 2 clauses against cycles of two
vertices; and as many as the start has neighbours for the direction.

A symmetry (:mod:`kt_cp.model.orbits`) adds two clauses for each edge that is not alone in its
orbit: from one of the orbit, in either direction, follows the next.

An arc's variable may be stated the other way around: it means that the tour does not take the arc.

The arcs are the first variables, or the last.  CaDiCaL and Kissat decide the last open variable
first, and try to make it true; only conflicts change that order.  So the arcs farthest from some
vertex, breadth-first, are the very last: the solver lays the tour from the far end of the graph
towards that vertex.  Other variables follow from the arcs by propagation, or are decided after
them.  The edges of a depot are the very first to be decided: they decide where the tour ends.  This
sweep over the initial order of CaDiCaL (A. Biere) costs one breadth-first search.  It loses with
solvers that begin with other variables; and an order along the ranks fails on long and on large
boards.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from kt_cp.encodings.cardinality import Fresh, auxiliaries, exactly_one
from kt_cp.encodings.cnf import Clause, Cnf, Cuts
from kt_cp.model.conditions import EDGES, Symmetry
from kt_cp.model.cycle import CycleForm, form_orbits
from kt_cp.model.errors import EngineFailedError
from kt_cp.model.tour import Tour
from kt_cp.search.breadth_first import extend_distances

Edge = tuple[int, int]

TAKES = EDGES | {Symmetry}
"""The conditions that all successor encodings support."""


@dataclass(frozen=True)
class Successors:
    """The arcs of a cycle form, and the formula about them."""

    form: CycleForm
    start: int  # a vertex of least degree, at which orders may break
    arcs: list[tuple[int, int]]
    """Arc i is variable ``first`` + i; both directions of every edge, one after the other."""
    number: dict[tuple[int, int], int]  # literal of each arc, in the order of ``arcs``
    clauses: list[Clause]
    fresh: Fresh  # for further variables
    first: int = 1

    def __len__(self) -> int:
        return len(self.form)


def successors(
    form: CycleForm,
    *,
    directed: bool = True,
    edges: Sequence[tuple[int, int]] | None = None,
    before: int = 0,
    negated: int = 0,
) -> Successors:
    """Return the formula that the encodings have in common.

    If ``directed``, one direction of every cycle is excluded.  With ``edges``, the edges in
    another order, the arcs are the last variables, and ``before`` others come before all those of
    this formula.  The arcs of the last ``negated`` edges have negative literals.

    >>> from kt_cp.model.board import Board
    >>> from kt_cp.model.cycle import cycle_form
    >>> from kt_cp.model.problem import Problem
    >>> shared = successors(cycle_form(Problem(Board(5, 6), closed=True)))
    >>> len(shared.arcs), shared.start, shared.fresh.top
    (124, 0, 212)
    """
    graph = form.graph
    arcs = [arc for u, v in edges or graph.pairs() for arc in ((u, v), (v, u))]
    counters = 2 * sum(map(auxiliaries, graph.degrees.tolist()))
    first = 1 if edges is None else before + counters + 1
    positive = len(arcs) - 2 * negated
    number = {
        arc: first + place if place < positive else -(first + place)
        for place, arc in enumerate(arcs)
    }
    out: list[list[int]] = [[] for _ in range(len(graph))]
    into: list[list[int]] = [[] for _ in range(len(graph))]
    for (u, v), literal in number.items():
        out[u].append(literal)
        into[v].append(literal)
    fresh = Fresh(len(arcs) if edges is None else before)
    clauses: list[Clause] = []
    for literals in (*out, *into):
        # A vertex without edges: two contradicting clauses, because solvers take no empty clause.
        clauses += exactly_one(literals, fresh) if literals else ([1], [-1])
    clauses += [[-number[u, v], -number[v, u]] for u, v in graph.pairs()]
    clauses += [[number[u, v], number[v, u]] for u, v in form.forced]
    start = int(graph.degrees.argmin())
    if directed:
        earlier: list[int] = []
        for neighbour in graph.neighbours[start]:
            # If this neighbour precedes the start, an earlier one succeeds it.
            clauses.append([*earlier, -number[neighbour, start]])
            earlier.append(number[start, neighbour])
    clauses += _symmetric(form, number)
    if edges is not None:
        fresh = Fresh(first - 1 + len(arcs))
    return Successors(form, start, arcs, number, clauses, fresh, first)


def _symmetric(form: CycleForm, number: Mapping[Edge, int]) -> Iterator[Clause]:
    """Yield clauses by which a used edge, in either direction, implies all of its orbit."""
    if not any(isinstance(each, Symmetry) for each in form.problem.conditions):
        return
    members: dict[int, list[Edge]] = {}
    for edge, orbit in zip(form.graph.pairs(), form_orbits(form).tolist(), strict=True):
        members.setdefault(orbit, []).append(edge)
    for u, v in members.pop(-1, ()):
        yield from ([-number[u, v]], [-number[v, u]])
    for edges in members.values():
        for one, other in zip(edges, [*edges[1:], edges[0]], strict=True):
            used = [number[other], number[other[::-1]]]
            if one != other:
                yield from ([-number[one], *used], [-number[one[::-1]], *used])


def breadth_first_edges(
    form: CycleForm, start: int, neighbours: Sequence[Sequence[int]]
) -> list[Edge]:
    """Return the edges from the start outwards, nearer end first; then those of the depot.

    Distance counts in the graph of these neighbours; other edges come last.

    >>> import networkx as nx
    >>> from kt_cp.model.cycle import cycle_form
    >>> from kt_cp.model.problem import Problem
    >>> form = cycle_form(Problem(graph=nx.cycle_graph(5), closed=True))
    >>> breadth_first_edges(form, 0, form.graph.neighbours)
    [(0, 1), (0, 4), (1, 2), (4, 3), (2, 3)]
    """
    order: list[int] = []
    distance = [-1] * len(form)
    if form.depot is not None:
        distance[form.depot] = 0
    for root in (start, *range(len(form))):
        if distance[root] < 0:
            distance[root] = 0
            order += extend_distances(distance, [root], neighbours.__getitem__)
    place = {vertex: step for step, vertex in enumerate(order)}
    if form.depot is not None:
        place[form.depot] = len(order)

    def key(edge: Edge) -> tuple[bool, int, int]:
        near, far = edge
        return far not in inside[near], place[far], place[near]

    inside = [set(others) for others in neighbours]
    edges = [(u, v) if place[u] < place[v] else (v, u) for u, v in form.graph.pairs()]
    return sorted(edges, key=key)


def cycles_of_model(shared: Successors, true: Sequence[bool]) -> list[list[int]]:
    """Return the cycles of a model."""
    size = len(shared)
    chosen = [arc for arc, literal in shared.number.items() if true[abs(literal)] == (literal > 0)]
    following = dict(chosen)
    if not len(chosen) == len(following) == len(set(following.values())) == size:
        raise EngineFailedError("a model has a vertex without its one successor")
    cycles = []
    while following:
        cycle = [min(following)]
        while (vertex := following.pop(cycle[-1])) != cycle[0]:
            cycle.append(vertex)
        cycles.append(cycle)
    return cycles


def tour_of(cnf: Cnf, true: Sequence[bool]) -> Tour:
    """Return the tour of a model of an encoding that allows a single cycle only."""
    cycles = cycles_of_model(cnf.key, true)
    if len(cycles) > 1:
        raise EngineFailedError(f"a model has {len(cycles)} cycles, not one")
    form: CycleForm = cnf.key.form
    return form.tour(cycles[0])


def tour_or_cuts(cnf: Cnf, true: Sequence[bool]) -> Tour | Cuts:
    """Return the tour of a model, or cuts: an arc leaves each smaller cycle, and one enters it."""
    shared: Successors = cnf.key
    cycles = cycles_of_model(shared, true)
    if len(cycles) == 1:
        return shared.form.tour(cycles[0])
    tails, heads = np.array(shared.arcs, dtype=np.int64).T
    cuts: list[Clause] = []
    for cycle in sorted(cycles, key=len)[:-1]:
        inside = np.zeros(len(shared), dtype=bool)
        inside[cycle] = True
        for leaving in (inside[tails] & ~inside[heads], ~inside[tails] & inside[heads]):
            cuts.append((np.flatnonzero(leaving) + shared.first).tolist())
    return Cuts(cuts, len(cycles))

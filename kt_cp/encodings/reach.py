"""Reach encoding: one-sided clauses on which vertex precedes which, swept by the solver.

A vertex *reaches* another if the tour goes from the one to the other without passing the start.  No
two vertices reach each other.  On a cycle that misses the start they all would.  As in
:mod:`kt_cp.encodings.relative`, the edges and triangles of a chordal completion suffice: the first
vertex of a cycle to be eliminated leaves its two neighbours on the cycle joined, and one of them
reaches the other.  Two things make the difference to relative.

- *One-sided clauses.*  Each ordered pair of neighbours has a variable, and the clauses state only
  when a vertex does reach another.  Two pieces of a path that have not met need no order, where
  relative must guess one.
- *The order of the variables* (:mod:`kt_cp.encodings.successor`).  The solver lays the tour
  from the far corner towards the start.  An arc that would close a cycle is false at once, by unit
  propagation, because no other arc of that cycle is open.  The variables are negations ("does not
  reach"), so that the solver's first guess, true, fits once all arcs are decided.

The start and the ends are those of :mod:`kt_cp.encodings.numbering`.  It distinguishes the ends of
an open tour where colours can.  A solver that sweeps decides about the depot first, and could
choose ends of colours that no tour has; only counting over the whole board would refute them.  One
vertex of least degree, the *exempt*, takes no part in reaching; the sweep ends there.

Source: The transitivity on a chordal graph is that of relative; the one-sided form and the order of
variables are this project's.

Cost: With N vertices, A arcs, a of them at the exempt vertex, and d_v neighbours of v when it is
eliminated: 2 Σ d_v variables beside the shared ones, and A - a + Σ d_v + Σ d_v (d_v - 1) clauses. A
whole rectangle is eliminated in the better of two orders by lines; elsewhere minimum degree is
tried as well (:mod:`kt_cp.encodings.chordal_completion`).

When it loses: By its size on large boards.  It wins on finding over all complete encodings but
:mod:`kt_cp.encodings.corridor`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from kt_cp.encodings.chordal_completion import (
    adjacency,
    eliminate,
    line_by_line,
    minimum_degree,
    nested_dissection,
)
from kt_cp.encodings.cnf import MOST_IN_TABLE, ClauseTable, Cnf, Encoding, shape_of
from kt_cp.encodings.numbering import numbering_of, rooted_successors
from kt_cp.encodings.successor import TAKES, breadth_first_edges, tour_of
from kt_cp.model.cycle import CycleForm, cycle_form
from kt_cp.model.problem import Problem
from kt_cp.model.surface import Surface

COUNTED = 3_600
"""Most squares of a rectangle that is counted, in about two seconds; larger ones are estimated."""

WIDE, NARROW = 130, 4
"""Σ d_v (d_v - 1) for each square and shorter side m, or for each square and (m + 3)²: measured at
most 122 and 3.4, up to 70x70, 40x70, 30x90, 20x140 and 3x900."""


Elimination = list[tuple[int, list[int]]]
"""Vertices in the order of their elimination, each with its neighbours then."""


class Reach:
    """Pairs of neighbours in the chordal supergraph, and the variable of each ordered pair.

    ``rank`` is the place of each vertex but the exempt one in the order of elimination.  ``later``
    has the neighbours of each rank that are eliminated later, by rank, ascending.  For neighbour i
    of a rank, variable ``first + 2 i`` means that the rank does not reach it, and the next that it
    does not reach the rank.  ``variables`` and ``pairs`` count Σ d_v (d_v - 1) ordered pairs.
    """

    def __init__(self, exempt: int, gone: Elimination) -> None:
        self.exempt = exempt
        self.rank = {vertex: rank for rank, (vertex, _) in enumerate(gone)}
        self.later = [
            np.array(sorted(map(self.rank.__getitem__, others)), dtype=np.int64)
            for _, others in gone
        ]
        bounds = np.cumsum([0, *map(len, self.later)])
        self.first: list[int] = (2 * bounds[:-1] + 1).tolist()
        self.variables = 2 * int(bounds[-1])
        self.pairs = _pairs(gone)

    def unreached(self, u: int, v: int) -> int:
        """Return the variable that is true if vertex u does not reach v."""
        low, high = sorted((self.rank[u], self.rank[v]))
        place = int(np.searchsorted(self.later[low], high))
        return self.first[low] + 2 * place + (low != self.rank[u])

    def clauses(self, arcs: Mapping[tuple[int, int], int]) -> Iterator[NDArray[np.int64]]:
        """Yield clauses: a vertex reaches its successor; reaching is asymmetric and transitive.

        The arcs are those of neighbours, or at the exempt vertex.
        """
        along = [
            [-follows, -self.unreached(u, v)]
            for (u, v), follows in arcs.items()
            if self.exempt not in (u, v)
        ]
        yield np.array(along, dtype=np.int64).reshape(-1, 2)
        yield np.arange(1, self.variables + 1).reshape(-1, 2)
        for first, others in zip(self.first, self.later, strict=True):
            away = first + 2 * np.arange(len(others))
            across = self._pair_variables(others)
            crossing = across > 0
            into = np.broadcast_to(away[:, None] + 1, across.shape)
            onward = np.broadcast_to(away, across.shape)
            yield np.stack((into[crossing], onward[crossing], -across[crossing]), axis=1)

    def _pair_variables(self, others: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the variable of each ordered pair of joined ranks; 0 for no pair."""
        across = np.zeros((len(others), len(others)), dtype=np.int64)
        for i, other in enumerate(others.tolist()):
            variables = self.first[other] + 2 * np.searchsorted(self.later[other], others[i + 1 :])
            across[i, i + 1 :] = variables
            across[i + 1 :, i] = variables + 1
        return across


def reach_of(form: CycleForm) -> Reach:
    """Return the pairs of a graph in the best order; a vertex of least degree is exempt."""
    exempt = int(form.graph.degrees.argmin())
    return Reach(exempt, min(map(list, _orders(form, exempt)), key=_pairs))


def _orders(form: CycleForm, exempt: int) -> Iterator[Iterator[tuple[int, list[int]]]]:
    """Yield orders of elimination: minimum degree, and on a plane board those by its lines."""
    adjacent = adjacency(form.graph)
    for other in adjacent.pop(exempt):
        adjacent[other].remove(exempt)
    problem, index = form.problem, form.problem.indexed.index
    if problem.board is not None and problem.board.surface is Surface.PLANE:
        squares = list(problem.board)
        for order in (nested_dissection(squares, problem.piece.reach), line_by_line(squares)):
            vertices = [index[square] for square in order]
            vertices += range(problem.size, len(form))
            vertices.remove(exempt)
            yield eliminate({v: set(others) for v, others in adjacent.items()}, vertices)
    if problem.whole_rectangle is None:
        yield minimum_degree(adjacent)


def _pairs(gone: Elimination) -> int:
    return sum(len(others) * (len(others) - 1) for _, others in gone)


def encode(problem: Problem) -> Cnf:
    """State a problem in the reach encoding.

    >>> from kt_cp.model.board import Board
    >>> cnf = encode(Problem(Board(5, 6), closed=True))
    >>> cnf.variables, len(cnf.clauses)
    (468, 1340)
    """
    form = cycle_form(problem)
    reach = reach_of(form)
    edges = breadth_first_edges(form, reach.exempt, form.graph.neighbours)
    numbering = numbering_of(form, windows=False)
    shared = rooted_successors(numbering, edges=edges, before=reach.variables)
    clauses = ClauseTable(chain([shared.clauses], reach.clauses(shared.number)))
    return Cnf(problem, max(shared.fresh.top, 1), clauses, replace(shared, clauses=[]))


def clauses_of(problem: Problem) -> int:
    """Bound the clauses by counting, or by an estimate for a large whole rectangle."""
    shape, board = shape_of(problem), problem.whole_rectangle
    if shape.shared > MOST_IN_TABLE:
        return shape.shared
    if board is None or problem.size <= COUNTED:
        form = cycle_form(problem)
        orders = _orders(form, int(form.graph.degrees.argmin()))
        return shape.shared + shape.arcs + min(map(count_pairs, orders))
    shorter = min(board.rows, board.columns)
    pairs = min(WIDE * shorter, NARROW * (shorter + 3) ** 2) * shape.vertices
    return shape.shared + 3 * shape.arcs + pairs


def count_pairs(gone: Iterable[tuple[int, list[int]]]) -> int:
    """Count clauses about pairs of neighbours and triangles, Σ d_v², up to the size limit."""
    total = 0
    for _, others in gone:
        total += len(others) ** 2
        if total > MOST_IN_TABLE:
            break
    return total


ENCODING = Encoding(
    name="reach",
    summary="which square reaches which, cut by cut; the solver sweeps over the board; for finding",
    clauses_of=clauses_of,
    encode=encode,
    decode=tour_of,
    takes=TAKES,
    in_table=True,
)

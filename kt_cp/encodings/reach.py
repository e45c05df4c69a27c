"""Reach encoding: who comes before whom, said one-sidedly along a dissection; swept by the solver.

On top of the successor variables, a vertex may *reach* another: v reaches w if the tour goes from v
to w without passing the start.  That is an order, so no two vertices reach each other, and a cycle
that misses the start would have all its vertices reach each other.  As in
:mod:`kt_cp.encodings.relative` it suffices to look at the edges and triangles of a chordal
supergraph, made by taking the vertices out one by one and joining what was around each: of a cycle,
whichever vertex goes first leaves its two neighbours on it joined, one reaching the other.

Two things make the difference.

- Each *ordered pair* of neighbours has a variable, and there are clauses only by which a vertex
  reaches another, none by which it does not.  Two pieces of a path that have not met have no order,
  where relative has to guess one; elimination takes a new variable for a pair whenever a vertex
  goes, here it is the same one all the time.
- *The order of the variables*: see :mod:`kt_cp.encodings.sweep`.  The solver lays the tour from the
  far corner towards the start.  Whatever arc would close a cycle is false at once, by propagation
  alone, since no other arc of that cycle is open.  When all arcs are decided the rest is free to be
  false; the variables are the negations, so that "true" means "does not reach".

Start and ends are those of :mod:`kt_cp.encodings.seam`, which tells the ends of an open tour apart
where colours can: a solver that sweeps begins with the depot, and would choose ends of colours that
no tour has, which only counting over the whole board could tell it.  The vertex that is left out,
the *exempt*, is one of least degree; there the sweep ends.

With N vertices, A arcs, a arcs at the exempt vertex, and d_v neighbours of v among those that go
later (the exempt left out): 2 Σ d_v variables beside the shared ones, and A - a + Σ d_v +
Σ d_v (d_v - 1) clauses.  Boards go by the better order of :mod:`kt_cp.encodings.dissection`, where
the last sum is 54 to 90 k³ on sides k of 20 to 46; other graphs with least degree first.

Measured with CaDiCaL 1.9.5, seconds of loading and solving: closed 20x20 0.2 (460,164 clauses),
30x30 0.8 (1,906,563), 40x40 1.9 (5,550,290), 44x44 2.9 (7,741,070), each with at most 5 conflicts;
building takes twice as long, and 46x46 is over the limit on clauses.  Keeping only pairs within a
window of the board leaves cycles: on 40x40 within 4 squares 19 of them (560,959 clauses), within 8
seven (2,061,824), within 12 none (3,867,028).  Refuting closed 4x10 takes 318 conflicts.  It wins
on finding over all encodings that are complete at once but :mod:`kt_cp.encodings.corridor`; it
loses by its size on large boards.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial

import numpy as np
from numpy.typing import NDArray

from kt_cp.cycle import CycleForm, cycle_form
from kt_cp.encodings.cnf import Clause, Cnf, Encoding
from kt_cp.encodings.dissection import along, dissection
from kt_cp.encodings.fill import adjacency, eliminations, in_order
from kt_cp.encodings.seam import seam, shape_of
from kt_cp.encodings.successor import tour_of
from kt_cp.encodings.sweep import outwards
from kt_cp.problem import Problem

COUNTED = 2_500
"""Boards of up to so many squares are counted, in about a second; larger ones judged."""

WIDE, NARROW = 130, 4
"""Σ d_v (d_v - 1) for each square and shorter side m, or for each square and (m + 3)²: measured at
most 122 and 3.4, up to 70x70, 40x70, 30x90, 20x140 and 3x900."""


Gone = list[tuple[int, list[int]]]
"""Vertices in the order in which they go, each with its neighbours then."""


class Reach:
    """Pairs of neighbours in the chordal supergraph, and the variable of each ordered pair.

    Attributes
    ----------
    exempt : int
        The vertex that has no part in it.
    rank : dict
        Place of each other vertex in the order in which they go.
    later : list of arrays
        Neighbours that go later, by rank, of each rank in ascending order.
    first : list of int
        Of a rank's neighbour number i, variable ``first + 2 i`` says that the rank does not reach
        it, and the next that it does not reach the rank.
    variables, pairs : int
        Σ d_v (d_v - 1) ordered pairs of neighbours.
    """

    def __init__(self, exempt: int, gone: Gone) -> None:
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
        """Variable by which vertex u does not reach v."""
        low, high = sorted((self.rank[u], self.rank[v]))
        place = int(np.searchsorted(self.later[low], high))
        return self.first[low] + 2 * place + (low != self.rank[u])

    def clauses(self, arcs: Mapping[tuple[int, int], int]) -> Iterator[list[Clause]]:
        """Who is followed reaches; no two reach each other; and reaching is transitive.

        Parameters
        ----------
        arcs : mapping
            Variables of arcs, some at the exempt vertex, the others of neighbours.
        """
        yield [
            [-follows, -self.unreached(u, v)]
            for (u, v), follows in arcs.items()
            if self.exempt not in (u, v)
        ]
        yield [[variable, variable + 1] for variable in range(1, self.variables, 2)]
        for first, others in zip(self.first, self.later, strict=True):
            away = first + 2 * np.arange(len(others))
            across = self._between(others)
            apart = across > 0
            into = np.broadcast_to(away[:, None] + 1, across.shape)
            onward = np.broadcast_to(away, across.shape)
            triples: list[Clause] = np.stack(
                (into[apart], onward[apart], -across[apart]), axis=1
            ).tolist()
            yield triples

    def _between(self, others: NDArray[np.int64]) -> NDArray[np.int64]:
        """For ranks that are all joined: the variable of each ordered pair; 0 for no pair."""
        across = np.zeros((len(others), len(others)), dtype=np.int64)
        for i, other in enumerate(others.tolist()):
            variables = self.first[other] + 2 * np.searchsorted(self.later[other], others[i + 1 :])
            across[i, i + 1 :] = variables
            across[i + 1 :, i] = variables + 1
        return across


def reach_of(form: CycleForm) -> Reach:
    """All of a graph, a vertex of least degree exempt, in the better of the orders."""
    exempt = int(form.graph.degrees.argmin())
    return Reach(exempt, min(_orders(form, exempt), key=_pairs))


def _orders(form: CycleForm, exempt: int) -> Iterator[Gone]:
    adjacent = adjacency(form.graph)
    for other in adjacent.pop(exempt):
        adjacent[other].remove(exempt)
    problem = form.problem
    if problem.board is None:
        yield list(eliminations(adjacent))
        return
    index = problem.indexed.index
    for order in (dissection, along):
        vertices = [index[square] for square in order(list(problem.board))]
        vertices += range(problem.size, len(form))
        vertices.remove(exempt)
        yield list(in_order({v: set(others) for v, others in adjacent.items()}, vertices))


def _pairs(gone: Gone) -> int:
    return sum(len(others) * (len(others) - 1) for _, others in gone)


def encode(problem: Problem) -> Cnf:
    """State a problem in the reach encoding.

    Examples
    --------
    >>> from kt_cp.board import Board
    >>> cnf = encode(Problem(Board(5, 6), closed=True))
    >>> cnf.variables, len(cnf.clauses)
    (468, 1340)
    """
    form = cycle_form(problem)
    reach = reach_of(form)
    edges = outwards(form, reach.exempt, form.graph.neighbours)
    shared = seam(problem, windows=False, edges=edges, before=reach.variables).shared
    clauses = shared.clauses
    for part in reach.clauses(shared.number):
        clauses += part
    return Cnf(problem, max(shared.fresh.top, 1), clauses, shared)


def clauses_of(problem: Problem) -> int:
    """Bound: counted for graphs and small boards, judged from the sides of large boards."""
    shape = shape_of(problem)
    if problem.board is None or problem.size <= COUNTED:
        reach = reach_of(cycle_form(problem))
        return shape.shared + shape.arcs + reach.variables // 2 + reach.pairs
    shorter = min(problem.board.rows, problem.board.columns)
    pairs = min(WIDE * shorter, NARROW * (shorter + 3) ** 2) * shape.vertices
    return shape.shared + 3 * shape.arcs + pairs


ENCODING = Encoding(
    name="reach",
    summary="which square reaches which, cut by cut; the solver sweeps over the board; for finding",
    clauses_of=clauses_of,
    encode=encode,
    decode=partial(tour_of, encoding="reach"),
    solver="cadical195",
)

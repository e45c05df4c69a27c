"""What the successor encodings share: which vertex follows which.

The problem is stated as a Hamiltonian cycle (:func:`kt_cp.cycle.cycle_form`: an open tour through a
depot, or through a virtual edge between its ends).  A variable per arc, h(u, v), says that v
follows u; every vertex has exactly one arc out and one in, and no two vertices follow each other.
A model is then a set of disjoint cycles of three vertices and more.  What keeps it to a single one
is what the encodings differ in: all of them give the vertices some order that only the arc back
into one vertex, the *start*, may break.

The start is a vertex of least degree.  On a board that is a corner of degree 2, both of whose edges
are forced in a closed tour.  Every cycle would be there twice, once in each direction; with the
neighbours of the start in some order, the one that follows it comes before the one that it follows,
which leaves one of the two.  (N.-F. Zhou, "In pursuit of an efficient SAT encoding for the
Hamiltonian cycle problem", CP 2020.)

With N vertices and A arcs: A variables; N at-least-ones out and N in; at-most-ones, by pairs up to
degree ``PAIRWISE`` and with 3 clauses a literal above it; A / 2 clauses against 2-cycles; and as
many as the start has neighbours for the direction.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from kt_cp.cycle import CycleForm, cycle_form
from kt_cp.encodings.cardinality import Fresh, exactly_one
from kt_cp.encodings.cnf import Clause, Cnf, Cuts
from kt_cp.errors import EngineFailedError
from kt_cp.problem import Problem
from kt_cp.tour import Tour


@dataclass(frozen=True)
class Successors:
    """Arcs of a problem's cycle form, and the formula about them.

    Attributes
    ----------
    form : CycleForm
    start : int
        The vertex at which orders may break.
    arcs : list of (int, int)
        Arc i is variable i + 1; both directions of every edge, that of the edge (u, v) with
        u < v first.
    number : mapping
        Variable of each arc.
    out, into : list of list of int
        Variables of the arcs that leave each vertex, and that enter it.
    clauses : list of clauses
    fresh : Fresh
        For further variables.
    """

    form: CycleForm
    start: int
    arcs: list[tuple[int, int]]
    number: dict[tuple[int, int], int]
    out: list[list[int]]
    into: list[list[int]]
    clauses: list[Clause]
    fresh: Fresh

    def __len__(self) -> int:
        return len(self.form)


def successors(problem: Problem, *, directed: bool = True) -> Successors:
    """The formula that the encodings have in common.

    Parameters
    ----------
    directed : bool
        Whether to keep one of the two directions of every cycle.

    Examples
    --------
    >>> from kt_cp.board import Board
    >>> shared = successors(Problem(Board(5, 6), closed=True))
    >>> len(shared.arcs), shared.start, shared.fresh.top
    (124, 0, 212)
    """
    form = cycle_form(problem)
    graph = form.graph
    arcs = [arc for u, v in graph.pairs() for arc in ((u, v), (v, u))]
    number = {arc: variable for variable, arc in enumerate(arcs, start=1)}
    out: list[list[int]] = [[] for _ in range(len(graph))]
    into: list[list[int]] = [[] for _ in range(len(graph))]
    for (u, v), variable in number.items():
        out[u].append(variable)
        into[v].append(variable)
    fresh = Fresh(len(arcs))
    clauses: list[Clause] = []
    for literals in (*out, *into):
        # A vertex without edges: an empty clause, which solvers do not take, as two.
        clauses += exactly_one(literals, fresh) if literals else ([1], [-1])
    clauses += [[-number[u, v], -number[v, u]] for u, v in graph.pairs()]
    clauses += [[number[u, v], number[v, u]] for u, v in form.forced]
    start = int(graph.degrees.argmin())
    if directed:
        before: list[int] = []
        for neighbour in graph.neighbours[start]:
            # Who is followed by the start must not come before who follows it.
            clauses.append([*before, -number[neighbour, start]])
            before.append(number[start, neighbour])
    return Successors(form, start, arcs, number, out, into, clauses, fresh)


def cycle_of(shared: Successors, true: Sequence[bool], encoding: str) -> list[list[int]]:
    """The cycles of a model.

    Raises
    ------
    EngineFailedError
        If some vertex is not followed by exactly one, or does not follow exactly one.
    """
    size = len(shared)
    chosen = [arc for variable, arc in enumerate(shared.arcs, start=1) if true[variable]]
    following = dict(chosen)
    if not len(chosen) == len(following) == len(set(following.values())) == size:
        raise EngineFailedError(
            f"a model of the {encoding} encoding has a vertex without its one successor"
        )
    cycles = []
    left = set(range(size))
    while left:
        first = vertex = min(left)
        cycle = []
        while vertex in left:
            left.remove(vertex)
            cycle.append(vertex)
            vertex = following[vertex]
        assert vertex == first
        cycles.append(cycle)
    return cycles


def tour_of(cnf: Cnf, true: Sequence[bool], encoding: str) -> Tour:
    """Tour of a model of an encoding that allows a single cycle only.

    Raises
    ------
    EngineFailedError
        If the model is none.
    """
    cycles = cycle_of(cnf.key, true, encoding)
    if len(cycles) > 1:
        raise EngineFailedError(f"a model of the {encoding} encoding has {len(cycles)} cycles")
    form: CycleForm = cnf.key.form
    return form.tour(cycles[0])


def tour_or_cuts(cnf: Cnf, true: Sequence[bool], encoding: str) -> Tour | Cuts:
    """Tour of a model, or for each cycle but the largest: one arc leaves it, and one enters."""
    cycles = cycle_of(cnf.key, true, encoding)
    if len(cycles) == 1:
        return tour_of(cnf, true, encoding)
    shared: Successors = cnf.key
    tails, heads = np.array(shared.arcs, dtype=np.int64).T
    cuts: list[Clause] = []
    for cycle in sorted(cycles, key=len)[:-1]:
        inside = np.zeros(len(shared), dtype=bool)
        inside[cycle] = True
        cuts.append((np.flatnonzero(inside[tails] & ~inside[heads]) + 1).tolist())
        cuts.append((np.flatnonzero(~inside[tails] & inside[heads]) + 1).tolist())
    return Cuts(cuts, len(cycles))

"""Lazy encoding: choose two edges at every square, and cut off sub-tours as they appear.

A variable per undirected edge, and exactly two chosen edges at every vertex of the problem's cycle
form.  A model is a set of disjoint cycles.  If there is more than one, every cycle with vertex set
S but the largest gives a cut: at least one chosen edge leaves S.  Every tour satisfies it and this
model does not, so solving again on the same solver makes progress and ends, with a single cycle or
with a formula that has no model.  (T. Soh, D. Le Berre, S. Roussel, M. Banbara and N. Tamura,
"Incremental SAT-based method with native Boolean cardinality handling for the Hamiltonian cycle
problem", JELIA 2014; SAT 2025, LIPIcs.SAT.2025.24.)

How "exactly two" is stated matters, and so does the order of the variables (medians over seeds on
closed 100 × 100, CaDiCaL 1.9.5):

- Up to ``DIRECT`` edges at a vertex, clause by clause: any d - 1 of them hold one that is chosen,
  any three hold one that is not.  Done at every vertex this takes 1.2 s.
- Up to ``HALVED`` edges, in two halves, with two auxiliary variables each: "one of this half" and
  "two of this half".  44 clauses instead of 64 in the middle of a board: 0.7 s.
- Above that (the depot of an open tour, dense graphs) a sequential counter.
- Auxiliary variables come first, then the edges in the order of the squares, so that the solver
  sweeps the board.  With the auxiliaries last: more than 8 s.  With the edges shuffled: 15 to 20 s.

A board of side k has 4(k-1)(k-2) edges.  It is the encoding of choice for finding.  It loses where
a refutation needs counting over the whole board, which no cut can supply: closed 7 × 7 does not
end, though its colours settle it at once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from kt_cp.cycle import CycleForm, cycle_form, cycles_of
from kt_cp.encodings.anchor import Anchor, cycle_labels
from kt_cp.encodings.cnf import Clause, Cnf, Cuts, Encoding
from kt_cp.errors import EngineFailedError
from kt_cp.problem import Problem
from kt_cp.tour import Tour

Literals = NDArray[np.int64]

DIRECT = 5
HALVED = 12
"""Degrees up to which a vertex is stated directly, and in halves: twelve edges make 104 clauses."""

CLAUSES_PER_SQUARE = 44
CLAUSES_PER_END = 20
"""In the middle of a board, and what its edge to the depot adds there and in the counter."""


@dataclass(frozen=True)
class Key:
    """What a model is read with: edge i of the form's graph is variable ``first_edge + i``."""

    form: CycleForm
    first_edge: int


def encode(problem: Problem) -> Cnf:
    """Base formula of a problem, without cuts.

    Examples
    --------
    >>> from kt_cp.board import Board
    >>> cnf = encode(Problem(Board(3, 10), closed=True))
    >>> len(cnf.key.form.graph.tails), len(cnf.clauses)
    (50, 176)
    """
    form = cycle_form(problem)
    graph = form.graph
    auxiliaries = sum(map(_auxiliaries, graph.degrees.tolist()))
    key = Key(form, auxiliaries + 1)
    variables = auxiliaries + len(graph.tails)
    if graph.degrees.min() < 2:
        return Cnf(problem, max(variables, 1), [[1], [-1]], key)
    clauses: list[Clause] = []
    used = 0
    for degree, incident in _by_degree(form, key.first_edge):
        if degree <= DIRECT:
            clauses += _rows(incident[:, _choices(degree, degree - 1)])
            clauses += _rows(-incident[:, _choices(degree, 3)])
        elif degree <= HALVED:
            clauses += _halves(incident, used)
        else:
            for row, literals in enumerate(incident.tolist()):
                clauses += _counter(literals, used + row * _auxiliaries(degree))
        used += len(incident) * _auxiliaries(degree)
    return Cnf(problem, variables, clauses + _forced(key), key)


def native(problem: Problem) -> Cnf:
    """The same in cardinality constraints, without auxiliary variables.

    Examples
    --------
    >>> from kt_cp.board import Board
    >>> cnf = native(Problem(Board(3, 10), closed=True))
    >>> cnf.variables, len(cnf.clauses), sum(map(len, cnf.exactly_two))
    (50, 0, 30)
    """
    form = cycle_form(problem)
    key = Key(form, 1)
    variables = len(form.graph.tails)
    if form.graph.degrees.min() < 2:
        return Cnf(problem, max(variables, 1), [[1], [-1]], key)
    rows = tuple(incident for _, incident in _by_degree(form, key.first_edge))
    return Cnf(problem, variables, _forced(key), key, rows)


def _forced(key: Key) -> list[Clause]:
    """The edges that have to be chosen, a clause each."""
    graph = key.form.graph
    if not key.form.forced:
        return []
    wanted = np.array(key.form.forced, dtype=np.int64) @ [len(graph), 1]
    edges = np.searchsorted(graph.tails * len(graph) + graph.heads, wanted)
    return _rows(edges[:, None] + key.first_edge)


def _auxiliaries(degree: int) -> int:
    """Auxiliary variables of a vertex."""
    if degree <= DIRECT:
        return 0
    return 4 if degree <= HALVED else 2 * (degree - 2)


def _rows(literals: Literals) -> list[Clause]:
    """Clauses from an array whose last axis is a clause."""
    clauses: list[Clause] = literals.reshape(-1, literals.shape[-1]).tolist()
    return clauses


def _by_degree(form: CycleForm, first_edge: int) -> Iterator[tuple[int, Literals]]:
    """For each degree: variables of the edges at its vertices, shape (vertices, degree)."""
    graph = form.graph
    ends = np.concatenate([graph.tails, graph.heads])
    variable = np.tile(np.arange(first_edge, first_edge + len(graph.tails)), 2)
    variable = variable[np.argsort(ends, kind="stable")]
    first = np.cumsum(graph.degrees) - graph.degrees
    for degree in np.unique(graph.degrees).tolist():
        vertices = np.flatnonzero(graph.degrees == degree)
        yield degree, variable[first[vertices][:, None] + np.arange(degree)]


@cache
def _choices(degree: int, size: int) -> NDArray[np.int64]:
    chosen = list(combinations(range(degree), size))
    return np.array(chosen, dtype=np.int64).reshape(len(chosen), size)


def _halves(incident: Literals, used: int) -> Iterator[Clause]:
    """Exactly two of each row, through "one" and "two" of its left and of its right half."""
    vertices, degree = incident.shape
    extra = np.arange(used + 1, used + 4 * vertices + 1).reshape(4, vertices, 1)
    sides = (incident[:, : degree // 2], incident[:, degree // 2 :])
    for side, one, two in zip(sides, extra[:2], extra[2:], strict=True):
        width = side.shape[1]
        pairs, most = _choices(width, 2), _choices(width, width - 1)
        implied = np.repeat(one, width, axis=1)
        yield from _rows(np.stack([-side, implied], axis=2))
        yield from _rows(np.hstack([-one, side]))
        both = np.broadcast_to(two[:, None], (vertices, len(pairs), 1))
        yield from _rows(np.concatenate([-side[:, pairs], both], axis=2))
        both = np.broadcast_to(-two[:, None], (vertices, len(most), 1))
        yield from _rows(np.concatenate([both, side[:, most]], axis=2))
        yield from _rows(-side[:, _choices(width, 3)])
    left, right, left_two, right_two = extra
    for clause in (
        (-left_two, -right),
        (-right_two, -left),
        (left, right_two),
        (right, left_two),
        (-left_two, left),
        (-right_two, right),
    ):
        yield from _rows(np.hstack(clause))


def _counter(literals: list[int], used: int) -> Iterator[Clause]:
    """Exactly two by a sequential counter (Sinz 2005).

    The auxiliary variables say that at least one, and at least two, of the first i are chosen.
    """
    one, two = literals[0], 0
    for literal in literals[1:-1]:
        new_one, new_two = used + 1, used + 2
        used += 2
        yield from ([-one, new_one], [-literal, new_one], [-new_one, one, literal])
        yield from ([-one, -literal, new_two], [-new_two, one])
        if two:
            yield from ([-two, -literal], [-two, new_two], [-new_two, two, literal])
        else:
            yield [-new_two, literal]
        one, two = new_one, new_two
    yield from ([one], [-two, -literals[-1]], [two, literals[-1]])


def decode(cnf: Cnf, true: Sequence[bool]) -> Tour | Cuts:
    """Tour of a model, or the cuts which separate its cycles.

    Raises
    ------
    EngineFailedError
        If the model does not choose two edges at every vertex.
    """
    key: Key = cnf.key
    graph = key.form.graph
    chosen = np.asarray(true, dtype=bool)[key.first_edge : key.first_edge + len(graph.tails)]
    edges = np.flatnonzero(chosen)
    tails, heads = graph.tails[edges], graph.heads[edges]
    ends = np.concatenate([tails, heads])
    if len(ends) != 2 * len(graph) or (np.bincount(ends, minlength=len(graph)) != 2).any():
        raise EngineFailedError("a model of the lazy encoding has not two edges at every square")
    label = cycle_labels(tails, heads)
    if label.any():
        return _leaving(key, edges, label)
    others = np.concatenate([heads, tails])[np.argsort(ends, kind="stable")].reshape(-1, 2)
    return key.form.tour(cycles_of(others.tolist())[0])


def _leaving(key: Key, edges: Literals, label: Literals) -> Cuts:
    """A clause for each cycle but the largest: one of the edges that leave it is chosen."""
    graph = key.form.graph
    between = np.flatnonzero(label[graph.tails] != label[graph.heads])
    sides = np.concatenate([label[graph.tails[between]], label[graph.heads[between]]])
    leaving = np.tile(between, 2)[np.argsort(sides, kind="stable")]
    sizes = np.bincount(label)
    to = np.cumsum(np.bincount(sides, minlength=len(sizes)))
    bounds = np.stack([np.concatenate([[0], to[:-1]]), to], axis=1)
    bounds = np.delete(bounds, sizes.argmax(), axis=0)
    variables = (leaving + key.first_edge).tolist()
    clauses = [variables[first:last] for first, last in bounds.tolist()]
    anchor = Anchor(graph, key.first_edge, edges, leaving, bounds)
    return Cuts(clauses, len(sizes), anchor)


def clauses_of(problem: Problem) -> int:
    """Estimate, exact to the border of the board; for general graphs from the degrees."""
    if problem.board is not None:
        depot = not problem.closed and (problem.start is None or problem.end is None)
        return (CLAUSES_PER_SQUARE + CLAUSES_PER_END * depot) * problem.size
    degrees = problem.indexed.degrees
    return int(9 * degrees.sum())


ENCODING = Encoding(
    name="lazy",
    summary="two edges at every square, sub-tours cut off as they appear; for finding",
    clauses_of=clauses_of,
    encode=encode,
    decode=decode,
    solver="gluecard4",
    native=native,
)

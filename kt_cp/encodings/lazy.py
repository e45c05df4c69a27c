"""Lazy encoding: choose two edges at every square, and cut off sub-tours as they appear.

There is a variable for each undirected edge, and exactly two chosen edges at every vertex of the
cycle form.  A model is a set of disjoint cycles.  If there are several, every cycle but the largest
gives a cut: some chosen edge leaves its vertices.  Every tour satisfies the cut and this model does
not.  So the same solver goes on, and ends with a single cycle or without a model.

There are two forms.  In *cardinality constraints*, for solvers that take them: one row of literals
for each vertex, of which exactly two are true, and nothing else.  In *clauses*, for all other
solvers, for files and for proofs (:mod:`kt_cp.encodings.cardinality`).  There the auxiliary
variables come first and then the edges in the order of the squares, so that the solver sweeps the
board.  The other way round it takes ten times as long and more.

Source: T. Soh, D. Le Berre, S. Roussel, M. Banbara and N. Tamura, "Incremental SAT-based method
with native Boolean cardinality handling for the Hamiltonian cycle problem", JELIA 2014; SAT 2025,
LIPIcs.SAT.2025.24.

Cost: A board of side k has 4 (k - 1) (k - 2) edges.  Each search after the first stays near the
last model (:mod:`kt_cp.encodings.neighbourhood`), which decides on large boards.

When it loses: It is the encoding of choice for finding.  It loses where a refutation needs counting
over the whole board, which no cut can supply: closed 7 × 7 does not end, though its colours settle
it at once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from kt_cp.encodings.cardinality import (
    Literals,
    as_clauses,
    auxiliaries_of,
    clauses_at,
    exactly_two,
)
from kt_cp.encodings.cnf import Clause, Cnf, Cuts, Encoding
from kt_cp.encodings.neighbourhood import Neighbourhood, cycle_labels
from kt_cp.model.cycle import CycleForm, cycle_form, cycles_of
from kt_cp.model.errors import EngineFailedError
from kt_cp.model.problem import Problem
from kt_cp.model.tour import Tour

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
    >>> from kt_cp.model.board import Board
    >>> cnf = encode(Problem(Board(3, 10), closed=True))
    >>> len(cnf.key.form.graph.tails), len(cnf.clauses)
    (50, 176)
    """
    form = cycle_form(problem)
    graph = form.graph
    auxiliaries = sum(map(auxiliaries_of, graph.degrees.tolist()))
    key = Key(form, auxiliaries + 1)
    variables = auxiliaries + len(graph.tails)
    if graph.degrees.min() < 2:
        return Cnf(problem, max(variables, 1), [[1], [-1]], key)
    clauses: list[Clause] = []
    used = 0
    for degree, incident in _by_degree(form, key.first_edge):
        clauses += exactly_two(incident, used)
        used += len(incident) * auxiliaries_of(degree)
    return Cnf(problem, variables, clauses + _forced_clauses(key), key)


def native(problem: Problem) -> Cnf:
    """The same in cardinality constraints, without auxiliary variables.

    Examples
    --------
    >>> from kt_cp.model.board import Board
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
    return Cnf(problem, variables, _forced_clauses(key), key, rows)


def _forced_clauses(key: Key) -> list[Clause]:
    return as_clauses(_forced_edges(key)[:, None] + key.first_edge)


def _forced_edges(key: Key) -> Literals:
    graph = key.form.graph
    pairs = np.array(key.form.forced, dtype=np.int64).reshape(-1, 2)
    if not len(pairs):
        return pairs.ravel()
    return np.searchsorted(graph.tails * len(graph) + graph.heads, pairs @ [len(graph), 1])


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


def decode(cnf: Cnf, true: Sequence[bool]) -> Tour | Cuts:
    """Tour of a model, or the cuts which separate its cycles."""
    key: Key = cnf.key
    graph = key.form.graph
    chosen = np.asarray(true, dtype=bool)[key.first_edge : key.first_edge + len(graph.tails)]
    edges = np.flatnonzero(chosen)
    tails, heads = graph.tails[edges], graph.heads[edges]
    ends = np.concatenate([tails, heads])
    if len(ends) != 2 * len(graph) or (np.bincount(ends, minlength=len(graph)) != 2).any():
        raise EngineFailedError("a model has not two edges at every square")
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
    forced = _forced_edges(key)
    near = Neighbourhood(graph, key.first_edge, edges, label, leaving, bounds, forced)
    return Cuts(clauses, len(sizes), near)


def clauses_of(problem: Problem) -> int:
    """Estimate: from the degrees, or for a whole rectangle exact to the border of the board."""
    if problem.whole_rectangle is not None:
        depot = not problem.closed and (problem.start is None or problem.end is None)
        return (CLAUSES_PER_SQUARE + CLAUSES_PER_END * depot) * problem.size
    form = cycle_form(problem)
    vertices: list[int] = np.bincount(form.graph.degrees).tolist()
    return len(form.forced) + sum(many * clauses_at(d) for d, many in enumerate(vertices))


ENCODING = Encoding(
    name="lazy",
    summary="two edges at every square, sub-tours cut off as they appear; for finding",
    clauses_of=clauses_of,
    encode=encode,
    decode=decode,
    solver="gluecard4",
    native=native,
    two_factors=True,
)

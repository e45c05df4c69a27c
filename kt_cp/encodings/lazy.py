"""Lazy encoding: choose two edges at every square, and cut off sub-tours as they appear.

A variable per undirected edge, and exactly two chosen edges at every vertex of the problem's cycle
form.  A model is a set of disjoint cycles.  If there is more than one, every cycle with vertex set
S but the largest gives a cut: at least one chosen edge leaves S.  Every tour satisfies it and this
model does not, so solving again on the same solver makes progress and ends, with a single cycle or
with a formula that has no model.  (T. Soh, D. Le Berre, S. Roussel, M. Banbara and N. Tamura,
"Incremental SAT-based method with native Boolean cardinality handling for the Hamiltonian cycle
problem", JELIA 2014; SAT 2025, LIPIcs.SAT.2025.24.)

There are two forms.  In *cardinality constraints*, for the solvers that take them: one row of
literals for each vertex, of which exactly two are true, and nothing else.  In *clauses*, for all
others, for files and for proofs (:mod:`kt_cp.encodings.two`).  There auxiliary variables come
first, then the edges in the order of the squares, so that the solver sweeps the board.  With the
auxiliaries last CaDiCaL takes ten times as long and more.

What was tried on closed boards (seconds of CPU, building included, seed 0 where none is named):

- The next search held near the last model (:mod:`kt_cp.encodings.anchor`) decides.  Gluecard 4 in
  constraints, five seeds: 100 × 100 takes 0.10 to 0.12 s, 200 × 200 0.30 to 0.38 s, 500 × 500 2.2
  to 2.5 s, 1000 × 1000 9.0 to 10.1 s and 1.8 GB, in four or five rounds.  Gluecard 3 and Minicard
  find as fast; CaDiCaL 1.9.5, in clauses, takes 0.6 and 2.4 s for the first two, mostly building.
- Without it, 100 × 100: Minicard 2.2 s, Gluecard 3 3.3 s, Gluecard 4 over 40 s, and 200 × 200 over
  40 s (Minicard).  Edges false first: 4.8, 7.8 and 0.1 s.  Phases by chance: 1.3, 8.2, over 40 s.
- In clauses, without it: CaDiCaL 1.9.5 needs 37 conflicts at 100 × 100 and 73 at 200 × 200 (0.3 and
  2.5 s, nearly all of it building), but at 500 × 500 did not end in three minutes, nor with edges
  renumbered around every square, nor without inprocessing; without restarts or bumping not even
  the first model came in 40 s.  Its own seed changes nothing.
- Lingeling, likewise: two cycles and three rounds on sides divisible by four (500 × 500: 12 s,
  1000 × 1000: 52 s and 4.6 GB, nearly all of it building), and over 15 s at 98 and 102 a side.
  Order is luck, so two solvers side by side were not built.
- Glucose, Maple, MergeSat and MiniSat in clauses, without it: over 18 s at 100 × 100.
- Other cuts, with anchors, closed 100 × 100 and 200 × 200 and open 101 × 101 (medians of seeds 1
  to 5 and more; as it is 0.09, 0.39 and 0.10 s in 4, 4 and 3 rounds).  All 4-cycles banned
  beforehand (56,452, 232,852 and 57,622 clauses): 0.11, 0.46, 0.12 s besides listing them, in as
  many rounds.  The largest cycle cut off too: 0.09, 0.40, 0.11 s, the same rounds.  At least two
  leaving edges, as a cardinality constraint: 5 conflicts in place of 27 and 9 of 52, but 0.08,
  0.39, 0.10 s in as many rounds.  Only the ten smallest cycles: 0.09, 0.46, 0.09 s in 5, 8, 3
  rounds; only the smallest: 0.21, 1.41, 0.13 s in 26, 51, 5.  None gains; the first is a
  switch that is off.
- Refuting closed 4 × 20 and 4 × 24: Gluecard 4 0.4 and 0.8 s, CaDiCaL 0.2 and 0.6, Minicard 1.1 and
  8.8.  Hence Gluecard 4.

A board of side k has 4(k-1)(k-2) edges.  It is the encoding of choice for finding.  It loses where
a refutation needs counting over the whole board, which no cut can supply: closed 7 × 7 does not
end, though its colours settle it at once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from kt_cp.cycle import CycleForm, cycle_form, cycles_of
from kt_cp.encodings.anchor import Anchor, cycle_labels
from kt_cp.encodings.cnf import Clause, Cnf, Cuts, Encoding
from kt_cp.encodings.four_cycles import four_cycles as cycles_of_four
from kt_cp.encodings.two import Literals, as_clauses, auxiliaries_of, two_of_each
from kt_cp.errors import EngineFailedError
from kt_cp.problem import Problem
from kt_cp.tour import Tour

CLAUSES_PER_SQUARE = 44
CLAUSES_PER_END = 20
"""In the middle of a board, and what its edge to the depot adds there and in the counter."""


@dataclass(frozen=True)
class Key:
    """What a model is read with: edge i of the form's graph is variable ``first_edge + i``."""

    form: CycleForm
    first_edge: int


def encode(problem: Problem, *, four_cycles: bool = False) -> Cnf:
    """Base formula of a problem, without cuts.

    Parameters
    ----------
    four_cycles : bool
        Whether cycles of four edges are forbidden beforehand.

    Examples
    --------
    >>> from kt_cp.board import Board
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
        clauses += two_of_each(incident, used)
        used += len(incident) * auxiliaries_of(degree)
    return Cnf(problem, variables, clauses + _beforehand(key, four_cycles), key)


def native(problem: Problem, *, four_cycles: bool = False) -> Cnf:
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
    return Cnf(problem, variables, _beforehand(key, four_cycles), key, rows)


def _beforehand(key: Key, four_cycles: bool) -> list[Clause]:
    """The edges that have to be chosen, a clause each; and, if asked for, the shortest cycles."""
    graph = key.form.graph
    clauses = as_clauses(_forced_edges(key)[:, None] + key.first_edge)
    if four_cycles and len(graph) > 4:  # of four vertices that cycle is the tour
        clauses += as_clauses(-(cycles_of_four(graph) + key.first_edge))
    return clauses


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
    anchor = Anchor(graph, key.first_edge, edges, label, leaving, bounds, _forced_edges(key))
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
    two_factors=True,
)

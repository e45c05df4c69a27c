"""Lazy encoding: choose two edges at every square, and cut off sub-tours as they appear.

There is a variable for each undirected edge, and exactly two chosen edges at every vertex of the
cycle form.  A model is a set of disjoint cycles.  If there are several, they give cuts: some chosen
edge leaves the vertices of a set of them (:mod:`kt_cp.encodings.lazy`).  Every tour satisfies
a cut and this model does not.  So the same solver continues, and ends with one cycle or without
a model.  For a solver with cardinality constraints, a cut states that at least two edges leave.

There are two forms.  In *cardinality constraints*, for solvers that take them: one row of literals
for each vertex, with exactly two true, and nothing else.  In *clauses*, for all other
solvers, for files and for proofs (:mod:`kt_cp.encodings.cardinality`).  There the auxiliary
variables come first and then the edges in the order of the squares, so that the solver sweeps the
board.  The other way round it takes ten times as long and more.

A symmetry makes one variable of all edges of an orbit (:mod:`kt_cp.model.orbits`), and one
constraint of all vertices of one.  A model is then symmetric cycles and cycles that are carried to
others; a cut is of a cycle with its images.

Source: T. Soh, D. Le Berre, S. Roussel, M. Banbara and N. Tamura, "Incremental SAT-based method
with native Boolean cardinality handling for the Hamiltonian cycle problem", JELIA 2014; SAT 2025,
LIPIcs.SAT.2025.24.

Cost: A board of side k has 4 (k - 1) (k - 2) edges.  Each search after the first stays near the
last model (:mod:`kt_cp.encodings.neighbourhood`), which decides on large boards.

When it loses: It is the best encoding for finding tours.  It loses if a refutation needs counting
over the whole board, which cuts cannot express: closed 7 × 7 does not end, although its colours
decide it at once.

A cut of a model of several cycles is a small set of edges that contains two edges of every tour.

The edges that leave a cycle are such a set.  But if the other cycles are disconnected without it,
the edges to each component are a smaller set, and together these sets are stronger.  Both sides of
these cuts are connected, and a component may have many cycles.  Contract each cycle to one vertex.
A cycle that is then an articulation point gives a cut for each component, and any other cycle gives
one.  The largest cycle gives none unless it is such a point, because the same edges leave the
others.

Source: cuts of several components beside those of one are from SAT 2025, LIPIcs.SAT.2025.24; that a
cut follows from smaller ones unless both its sides are connected is a fact of graph theory (R.
Diestel, Graph Theory, 1.9).

Cost: linear in the edges between cycles, and once more for each articulation point.  When it loses:
on a board where the largest cycle surrounds all others, which then have their own cuts as before.
``benchmarks/MEASURED.md`` has its gain, with cuts that require two edges.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from kt_cp.encodings.cardinality import (
    Literals,
    as_clauses,
    auxiliaries_of,
    by_degree,
    clauses_at,
    exactly_two,
)
from kt_cp.encodings.cnf import Clause, Cnf, Cuts, Encoding
from kt_cp.encodings.neighbourhood import Neighbourhood, cycle_labels, walk_cycle
from kt_cp.model.conditions import EDGES, Symmetry
from kt_cp.model.cycle import CycleForm, cycle_form, form_orbits
from kt_cp.model.errors import EngineFailedError
from kt_cp.model.graph import IndexedGraph
from kt_cp.model.orbits import images, motion_of, orbits
from kt_cp.model.problem import Problem
from kt_cp.model.tour import Tour
from kt_cp.search.depth_first import Articulation

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Numbers = NDArray[np.int64]


def cut_sets(
    graph: IndexedGraph, label: Numbers, leaving: Numbers, bounds: Numbers, largest: int
) -> list[Numbers]:
    """Return cuts as sets of edges of the graph, each once, in the order of the cycles.

    ``label``, ``leaving`` and ``bounds`` are those of a :class:`Neighbourhood`; the largest cycle
    needs no set.

    Three triangles in a row, the middle one with two edges to each of the others:

    >>> ends = [(0, 1), (0, 2), (0, 3), (1, 2), (1, 4), (3, 4), (3, 5), (4, 5), (4, 6), (5, 7)]
    >>> graph = IndexedGraph(range(9), *np.array([*ends, (6, 7), (6, 8), (7, 8)]).T)
    >>> label, leaving = np.arange(9) // 3, np.array([2, 4, 2, 4, 8, 9, 8, 9])
    >>> bounds = np.array([[0, 2], [2, 6], [6, 8]])
    >>> [edges.tolist() for edges in cut_sets(graph, label, leaving, bounds, largest=0)]
    [[2, 4], [8, 9]]
    """
    many = len(bounds)
    between = np.unique(leaving)
    one, other = label[graph.tails[between]], label[graph.heads[between]]
    pairs = np.unique(np.minimum(one, other) * many + np.maximum(one, other))
    ends = np.divmod(pairs, many)
    cycles = IndexedGraph(range(many), *ends)
    held = Articulation(many, cycles.neighbours.__getitem__, lambda: False)
    found: dict[bytes, Numbers] = {}
    for cycle, (first, last) in enumerate(bounds.tolist()):
        edges = leaving[first:last]
        if held.left[cycle] > held.components:
            sets = _split_orbits(cycles, cycle, edges, label[graph.tails] + label[graph.heads])
        else:
            sets = [] if cycle == largest else [edges]
        for each in map(np.sort, sets):
            found[each.tobytes()] = each
    return list(found.values())


def _split_orbits(cycles: IndexedGraph, cycle: int, edges: Numbers, both: Numbers) -> list[Numbers]:
    """Group the edges that leave a cycle by the components, without the cycle, that they reach."""
    outside = (cycles.tails != cycle) & (cycles.heads != cycle)
    rest = IndexedGraph(cycles.nodes, cycles.tails[outside], cycles.heads[outside])
    piece = np.empty(len(cycles), dtype=np.int64)
    for number, members in enumerate(rest.components):
        piece[members] = number
    to = piece[both[edges] - cycle]
    return [edges[to == number] for number in np.unique(to)]


CLAUSES_PER_SQUARE = 44
CLAUSES_PER_END = 20
"""Clauses in the middle of a board, and those that the edge to the depot adds."""


@dataclass(frozen=True)
class Key:
    """The data for reading a model: edge i of the graph is variable ``first_edge + orbit[i]``.

    ``image`` has the image of each vertex under a symmetry; None without one.
    """

    form: CycleForm
    first_edge: int
    orbit: Literals
    image: Literals | None = None


def encode(problem: Problem) -> Cnf:
    """Return the base formula of a problem, without cuts.

    >>> from kt_cp.model.board import Board
    >>> cnf = encode(Problem(Board(3, 10), closed=True))
    >>> len(cnf.key.form.graph.tails), len(cnf.clauses)
    (50, 176)
    """
    key = _key(problem)
    rows = [*_by_degree(key)]
    auxiliaries = sum(len(each) * auxiliaries_of(degree) for degree, each in rows)
    key = replace(key, first_edge=auxiliaries + 1)
    variables = auxiliaries + _orbits(key)
    if _hopeless(key):
        return Cnf(problem, max(variables, 1), [[1], [-1]], key)
    clauses: list[Clause] = []
    used = 0
    for degree, incident in rows:
        clauses += exactly_two(incident + key.first_edge, used)
        used += len(incident) * auxiliaries_of(degree)
    return Cnf(problem, variables, clauses + _forced_clauses(key), key)


def native(problem: Problem) -> Cnf:
    """Return the base formula in cardinality constraints, without auxiliary variables.

    >>> from kt_cp.model.board import Board
    >>> cnf = native(Problem(Board(3, 10), closed=True))
    >>> cnf.variables, len(cnf.clauses), sum(map(len, cnf.exactly_two))
    (50, 0, 30)
    """
    key = _key(problem)
    used = _orbits(key)
    if _hopeless(key):
        return Cnf(problem, max(used, 1), [[1], [-1]], key)
    clauses = _forced_clauses(key)
    constraints = []
    for degree, incident in _by_degree(key):
        # An edge and its image at one vertex are one variable that counts twice.
        twice = (np.diff(np.sort(incident)) == 0).any(axis=1)
        clauses += exactly_two(incident[twice] + 1, used)
        used += int(twice.sum()) * auxiliaries_of(degree)
        constraints += [incident[~twice] + 1]
    return Cnf(problem, used, clauses, key, tuple(constraints))


def _key(problem: Problem) -> Key:
    """Return the key of the cycle form, without the edges that no symmetric tour uses."""
    form = cycle_form(problem)
    motion = motion_of(problem)
    if motion is None:
        return Key(form, 1, np.arange(len(form.graph.tails)))
    graph, orbit = form.graph, form_orbits(form)
    free = orbit >= 0
    left = IndexedGraph(graph.nodes, graph.tails[free], graph.heads[free])
    assert problem.board is not None
    image = images(graph, problem.board, motion)
    return Key(replace(form, graph=left), 1, np.unique(orbit[free], return_inverse=True)[1], image)


def _orbits(key: Key) -> int:
    return int(key.orbit.max(initial=-1)) + 1


def _hopeless(key: Key) -> bool:
    """Return whether a vertex has fewer than two edges or a required edge is impossible."""
    graph = key.form.graph
    lost = key.image is not None and not {*key.form.forced} <= {*graph.pairs()}
    return bool(graph.degrees.min() < 2) or lost


def _forced_clauses(key: Key) -> list[Clause]:
    return as_clauses(np.unique(key.orbit[forced_edges(key.form)])[:, None] + key.first_edge)


def forced_edges(form: CycleForm) -> Literals:
    """Return the numbers of the required edges."""
    graph = form.graph
    pairs = np.array(form.forced, dtype=np.int64).reshape(-1, 2)
    if not len(pairs):
        return pairs.ravel()
    return np.searchsorted(graph.tails * len(graph) + graph.heads, pairs @ [len(graph), 1])


def _by_degree(key: Key) -> Iterator[tuple[int, Literals]]:
    """Yield for each degree the orbits of the edges at its vertices, shape (vertices, degree)."""
    graph = key.form.graph
    ends = np.concatenate([graph.tails, graph.heads])
    for degree, rows in by_degree(ends, np.tile(key.orbit, 2), len(graph)):
        if key.image is not None:
            _, which = np.unique(np.sort(rows), axis=0, return_index=True)
            rows = rows[np.sort(which)]
        yield degree, rows


def decode(cnf: Cnf, true: Sequence[bool]) -> Tour | Cuts:
    """Return the tour of a model, or the cuts that separate its cycles."""
    key: Key = cnf.key
    graph = key.form.graph
    edges = np.flatnonzero(np.asarray(true, dtype=bool)[key.first_edge + key.orbit])
    tails, heads = graph.tails[edges], graph.heads[edges]
    ends = np.concatenate([tails, heads])
    if len(ends) != 2 * len(graph) or (np.bincount(ends, minlength=len(graph)) != 2).any():
        raise EngineFailedError("a model has not two edges at every square")
    label = cycle_labels(tails, heads)
    if label.any():
        return _leaving(key, edges, label)
    return key.form.tour(walk_cycle(tails, heads))


def _leaving(key: Key, edges: Literals, label: Literals) -> Cuts:
    """Return sets of edges that leave a set of cycles; a tour has two edges of each.

    Under a symmetry, a cycle and its images form one set, unless there are no others.  An edge and
    its image are then one variable, so one is enough.
    """
    graph, cycles = key.form.graph, int(label.max()) + 1
    if key.image is not None:
        first = np.unique(label, return_index=True)[1]
        together = orbits(label[key.image[first]])
        label = together[label] if together.any() else label
    between = np.flatnonzero(label[graph.tails] != label[graph.heads])
    sides = np.concatenate([label[graph.tails[between]], label[graph.heads[between]]])
    leaving = np.tile(between, 2)[np.argsort(sides, kind="stable")]
    sizes = np.bincount(label)
    to = np.cumsum(np.bincount(sides, minlength=len(sizes)))
    bounds = np.stack([np.concatenate([[0], to[:-1]]), to], axis=1)
    largest = int(sizes.argmax())
    if key.image is None:
        sets = cut_sets(graph, label, leaving, bounds, largest)
    else:
        sets = [leaving[first:last] for first, last in np.delete(bounds, largest, axis=0).tolist()]
    clauses = [(key.orbit[each] + key.first_edge).tolist() for each in sets]
    if key.image is not None:
        clauses = [list(each) for each in dict.fromkeys(tuple(sorted({*c})) for c in clauses)]
    forced, small = forced_edges(key.form), np.delete(bounds, largest, axis=0)
    near = Neighbourhood(
        graph, key.first_edge, edges, label, leaving, small, forced, key.orbit, key.image
    )
    return Cuts(clauses, cycles, near, two=key.image is None)


def clauses_of(problem: Problem) -> int:
    """Estimate the clauses from the degrees, or from the sides of a whole rectangle."""
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
    takes=EDGES | {Symmetry},
)

"""All models of successor encodings, compared with the tours of an oracle."""

from __future__ import annotations

import random
from itertools import product

import networkx as nx
import pytest
from pysat.solvers import Solver

from kt_cp import Board, Problem
from kt_cp.encodings import Cuts
from kt_cp.encodings.numbering import numbering_of, rooted_successors
from kt_cp.model.cycle import cycle_form
from kt_cp.model.errors import EngineFailedError
from kt_cp.testing import oracle
from kt_cp.testing.encoding import edges_of
from kt_cp.testing.engine import is_tour


def tours_of_models(encoding, problem, encode=None):
    """Return a tour for each assignment of the arc variables that some model has."""
    cnf = (encode or encoding.encode)(problem)
    arcs = range(cnf.key.first, cnf.key.first + len(cnf.key.arcs))
    tours = []
    with Solver(name="glucose4", bootstrap_with=cnf.clauses) as solver:
        while solver.solve():
            true = [False] * (cnf.variables + 1)
            for literal in solver.get_model():
                if 0 < literal <= cnf.variables:
                    true[literal] = True
            tours.append(encoding.decode(cnf, true))
            solver.add_clause([-v if true[v] else v for v in arcs])
    return tours


def undirected(tour):
    """Return one value for a tour and its reverse, wherever a closed tour begins."""
    squares = list(tour)
    if tour.closed:
        turn = squares.index(min(squares))
        squares = squares[turn:] + squares[:turn]
        return tuple(min(squares, squares[:1] + squares[:0:-1]))
    return tuple(min(squares, squares[::-1]))


def has_as_many_tours(encoding, encode, rows, columns, conditions, count):
    """Assert that an encoding has this number of tours of a board, each once."""
    problem = Problem(Board(rows, columns), **conditions)
    tours = tours_of_models(encoding, problem, encode)
    graph = oracle.knight_graph(rows, columns)
    for tour in tours:
        is_tour(problem, graph, tour)
    assert len(tours) == len({undirected(tour) for tour in tours}) == count


def has_the_tours_of_a_random_graph(encoding, encode, seed):
    """Assert that an encoding has the tours of a random graph, for all kinds of ends."""
    rng = random.Random(1000 + seed)
    size = rng.randint(3, 7 if seed % 10 else 8)
    graph = nx.gnp_random_graph(size, rng.choice([0.4, 0.6, 0.8]), seed=seed)
    start, end = rng.sample(list(graph), 2)
    for more in ({}, {"closed": True}, {"start": start}, {"end": end},
                 {"start": start, "end": end}, {"closed": True, "start": start}):  # fmt: skip
        problem = Problem(graph=graph, **more)
        tours = tours_of_models(encoding, problem, encode)
        for tour in tours:
            is_tour(problem, graph, tour)
        found = {undirected(tour) for tour in tours}
        ends = (None, None) if problem.closed else (problem.start, problem.end)
        known = list(oracle.tours(graph, problem.closed, *ends))
        if problem.closed:
            known = [kt for kt in known if kt[0] == min(graph) and kt[1] < kt[-1]]
        note = f"seed {seed}, {problem.label}"
        assert found == {kt if problem.closed else min(kt, kt[::-1]) for kt in known}, note
        assert len(tours) == len(found), f"{note}: a tour twice"


def has_no_tour_of_nonsense(encoding, encode):
    """Assert that a decoder rejects flags that are no model, and two triangles."""
    cnf = encode(Problem(Board(5, 6), closed=True))
    for true in ([False] * (cnf.variables + 1), [True] * (cnf.variables + 1)):
        with pytest.raises(
            EngineFailedError, match="a model has a vertex without its one successor"
        ):
            encoding.decode(cnf, true)
    cnf = encode(Problem(graph=nx.complete_graph(6), closed=True))
    chosen = {(0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3)}  # each node has a successor
    flags = [False, *(arc in chosen for arc in cnf.key.arcs)] + [False] * cnf.variables
    with pytest.raises(EngineFailedError, match="2 cycles"):
        encoding.decode(cnf, flags)


def cycle_graph(problem):
    """Return the graph of a problem's cycle form, for networkx."""
    form = cycle_form(problem)
    graph = nx.Graph()
    graph.add_nodes_from(range(len(form)))
    graph.add_edges_from(form.graph.pairs())
    return graph


def least(graph):
    """Return the vertex to remove next: of least degree, then of least number."""
    return min(graph, key=lambda vertex: (graph.degree(vertex), vertex))


def take_out(graph, vertex):
    """Remove a vertex, join its neighbours, and return them."""
    others = list(graph[vertex])
    graph.remove_node(vertex)
    graph.add_edges_from((u, w) for u in others for w in others if u < w)
    return others


def one_of(literals):
    """Return the numbers of clauses and auxiliary variables of exactly-one."""
    if literals <= 5:
        return 1 + literals * (literals - 1) // 2, 0
    return 3 * literals - 3, literals - 1


SWITCHES = ("orientation", "parity", "windows", "corners")
ENDS = (
    lambda first, last: {},
    lambda first, last: {"closed": True},
    lambda first, last: {"start": first},
    lambda first, last: {"end": last},
    lambda first, last: {"start": first, "end": last},
)

CORNER = (5, 5, {"start": (0, 0)}, 304)
COUNTED = (
    (5, 6, {"closed": True}, 8), (3, 10, {"closed": True}, 16), (3, 4, {}, 8), (4, 5, {}, 82),
    (3, 8, {"closed": True}, 0), (4, 6, {"closed": True}, 0), (5, 5, {"closed": True}, 0),
    (4, 4, {}, 0), (3, 5, {}, 0), (3, 6, {}, 0),
)  # fmt: skip
"""Rows, columns, conditions, numbers of models: undirected tours, OEIS A175855, A070030, A169696,
A079137.  Open 3x4 has 16 directed tours; each of them and its reverse are one cycle through the
depot.  With a given start, each directed tour is one cycle: 304 of the 1728 directed tours of 5x5
(A165134) begin in each corner (A290961)."""


def every_combination(switches):
    """Yield keywords with each switch on and off."""
    for values in product([True, False], repeat=len(switches)):
        yield dict(zip(switches, values, strict=True))


def models(encoding, problem, encode=None):
    """Return the edges of the tour of each assignment of the arcs that a model has."""
    cnf = (encode or encoding.encode)(problem)
    arcs = range(cnf.key.first, cnf.key.first + len(cnf.key.arcs))
    found = []
    with Solver(name="glucose4", bootstrap_with=cnf.clauses) as solver:
        while solver.solve():
            true = [False] * (cnf.variables + 1)
            for literal in solver.get_model():
                true[abs(literal)] = literal > 0
            decoded = encoding.decode(cnf, true)
            if isinstance(decoded, Cuts):
                for cut in decoded.clauses:
                    assert not any(true[variable] for variable in cut)
                    solver.append_formula([cut] if cut else [[1], [-1]])
                continue
            found.append(edges_of(decoded, problem))
            solver.add_clause([-arc if true[arc] else arc for arc in arcs])
    return found


def wanted(graph, problem):
    """Return the edges of every tour that the oracle finds."""
    first = next(iter(graph)) if problem.closed else problem.start
    tours = oracle.tours if len(graph) < 9 else walks
    return {edges_of(tour, problem) for tour in tours(graph, problem.closed, first, problem.end)}


def walks(graph, closed, start, end):
    """Yield the oracle's tours by plain recursion, for boards that are too large for the oracle."""

    def longer(walk):
        if len(walk) == len(graph):
            if (not closed or graph.has_edge(walk[-1], walk[0])) and end in (None, walk[-1]):
                yield walk
            return
        for other in graph[walk[-1]]:
            if other not in walk:
                yield from longer([*walk, other])

    for first in graph if start is None else [start]:
        yield from longer([first])


def numbered(problem, *, corners=True, **known):
    """Return a problem's numbering, and the successor formula with what is known of arcs."""
    numbering = numbering_of(cycle_form(problem), **known)
    return numbering, rooted_successors(numbering, corners=corners)


def numbering_clauses(numbering, switches):
    """Return how many clauses the numbering adds, according to its essay."""
    form, graph = numbering.form, numbering.form.graph
    unused = 2 * len(graph.neighbours[numbering.start]) - len(numbering.first) - len(numbering.last)
    at_two = [
        edge for edge in graph.pairs()
        if 2 in (graph.degrees[edge[0]], graph.degrees[edge[1]]) and edge not in form.forced
    ]  # fmt: skip
    empty = switches["windows"] and numbering.windows is None
    return unused + len(at_two) * switches["corners"] + 2 * empty


def true_of(cnf, arcs):
    """Return the flags of a model with exactly these arcs."""
    true = [False] * (cnf.variables + 1)
    for arc in arcs:
        true[cnf.key.number[arc]] = True
    return true


def leave_the_same_tours(seed, ways):
    """Assert that encodings have the tours of a random graph, which is bipartite for odd seeds.

    Each of ``ways`` is an encoding, its ``encode``, and whether each cycle must be one model.
    """
    rng = random.Random(seed)
    graph = nx.gnp_random_graph(rng.randint(3, 7), rng.choice([0.4, 0.6, 0.8]), seed=seed)
    if seed % 2:
        graph.remove_edges_from([edge for edge in graph.edges if sum(edge) % 2 == 0])
    first, last = rng.sample(list(graph), 2)
    for ends in ENDS:
        problem = Problem(graph=graph, **ends(first, last))
        expected = wanted(graph, problem)
        for encoding, encode, once in ways:
            found = models(encoding, problem, encode)
            note = f"{encoding.name}, seed {seed}, {problem.label}, {encode}"
            assert set(found) == expected, note
            if once:
                assert len(found) == len(expected), note

"""For tests of successor encodings: all their models, and what was written twice, once more."""

from __future__ import annotations

import random

import networkx as nx
import pytest
from pysat.solvers import Solver

from kt_cp import Board, Problem
from kt_cp.model.cycle import cycle_form
from kt_cp.model.errors import EngineFailedError
from kt_cp.testing import oracle
from kt_cp.testing.engine import is_tour


def tours_of_models(encoding, problem, encode=None):
    """A tour for each assignment of the arc variables that some model has."""
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
    """A tour and the same one backwards, from wherever it is written, as one value."""
    squares = list(tour)
    if tour.closed:
        turn = squares.index(min(squares))
        squares = squares[turn:] + squares[:turn]
        return tuple(min(squares, squares[:1] + squares[:0:-1]))
    return tuple(min(squares, squares[::-1]))


def has_as_many_tours(encoding, encode, rows, columns, conditions, count):
    """Hold an encoding to the number of tours of a board, each of them once."""
    problem = Problem(Board(rows, columns), **conditions)
    tours = tours_of_models(encoding, problem, encode)
    graph = oracle.knight_graph(rows, columns)
    for tour in tours:
        is_tour(problem, graph, tour)
    assert len(tours) == len({undirected(tour) for tour in tours}) == count


def has_the_tours_of_a_random_graph(encoding, encode, seed):
    """Hold it to the very tours of a graph of at most eight nodes, in all ways of asking."""
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
    """Hold its decoder to refusing what is no model, and two triangles."""
    cnf = encode(Problem(Board(5, 6), closed=True))
    for true in ([False] * (cnf.variables + 1), [True] * (cnf.variables + 1)):
        with pytest.raises(EngineFailedError, match=encoding.name):
            encoding.decode(cnf, true)
    cnf = encode(Problem(graph=nx.complete_graph(6), closed=True))
    chosen = {(0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3)}  # a successor for everyone
    flags = [False, *(arc in chosen for arc in cnf.key.arcs)] + [False] * cnf.variables
    with pytest.raises(EngineFailedError, match="2 cycles"):
        encoding.decode(cnf, flags)


def cycle_graph(problem):
    """The graph of a problem's cycle form, for networkx."""
    form = cycle_form(problem)
    graph = nx.Graph()
    graph.add_nodes_from(range(len(form)))
    graph.add_edges_from(form.graph.pairs())
    return graph


def least(graph):
    """The vertex that goes next: of least degree, then of least number."""
    return min(graph, key=lambda vertex: (graph.degree(vertex), vertex))


def take_out(graph, vertex):
    """Remove a vertex and join its neighbours; the neighbours."""
    others = list(graph[vertex])
    graph.remove_node(vertex)
    graph.add_edges_from((u, w) for u in others for w in others if u < w)
    return others


def one_of(literals):
    """Clauses and auxiliary variables of exactly-one."""
    if literals <= 5:
        return 1 + literals * (literals - 1) // 2, 0
    return 3 * literals - 3, literals - 1

"""For tests of successor encodings: all their models, and what was written twice, once more."""

from __future__ import annotations

import networkx as nx
from pysat.solvers import Solver

from kt_cp.model.cycle import cycle_form


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

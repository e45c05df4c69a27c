"""Cycles of four edges, found and forbidden."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from pysat.solvers import Solver

from kt_cp import Board, Problem
from kt_cp.encodings import lazy
from kt_cp.encodings.cnf import Cuts
from kt_cp.encodings.four_cycles import four_cycles

BOARDS = ["1x1", "2x3", "3x3", "3x4", "4x5", "8x8", "5x9"]


def as_sets(graph, rows):
    pairs = graph.pairs()
    return [frozenset(frozenset(pairs[edge]) for edge in row) for row in rows.tolist()]


def by_networkx(graph):
    cycles = nx.simple_cycles(nx.Graph(graph.pairs()), length_bound=4)
    return {
        frozenset(frozenset((u, v)) for u, v in zip(cycle, [*cycle[1:], cycle[0]], strict=True))
        for cycle in cycles
        if len(cycle) == 4
    }


@pytest.mark.parametrize("board", BOARDS)
def test_all_of_a_board_and_each_once(board):
    graph = Problem(Board.parse(board)).indexed
    found = as_sets(graph, four_cycles(graph))
    assert len(set(found)) == len(found)
    assert set(found) == by_networkx(graph)


@pytest.mark.parametrize("seed", range(12))
def test_all_of_a_graph_and_each_once(seed):
    graph = Problem(graph=nx.gnp_random_graph(9, 0.25 + seed / 20, seed=seed)).indexed
    found = as_sets(graph, four_cycles(graph))
    assert len(set(found)) == len(found)
    assert set(found) == by_networkx(graph)


TOURS = [
    (Problem(Board(5, 6), closed=True), 8),
    (Problem(Board(3, 4)), 8),
    (Problem(Board(5, 5), start=(0, 0)), 304),
    (Problem(graph=nx.cycle_graph(4), closed=True), 1),
    (Problem(graph=nx.complete_graph(4), closed=True), 3),
    (Problem(graph=nx.complete_graph(5), closed=True), 12),
    (Problem(graph=nx.path_graph(3)), 1),
]
"""Tours without regard to their direction, of complete graphs (n - 1)! / 2."""


@pytest.mark.parametrize(("problem", "many"), TOURS, ids=lambda it: getattr(it, "label", ""))
@pytest.mark.parametrize("encode", [lazy.encode, lazy.native], ids=["clauses", "constraints"])
def test_forbidding_them_leaves_every_tour(problem, many, encode):
    cnf = encode(problem, four_cycles=True)
    plain = encode(problem)
    short = len(four_cycles(plain.key.form.graph)) if len(plain.key.form) > 4 else 0
    assert len(cnf.clauses) == len(plain.clauses) + short
    edges = range(cnf.key.first_edge, cnf.variables + 1)
    tours = 0
    with Solver(name="gluecard4", bootstrap_with=cnf.clauses) as solver:
        for rows in cnf.exactly_two:
            for row in rows.tolist():
                solver.add_atmost(row, 2)
                solver.add_atmost([-edge for edge in row], len(row) - 2)
        while solver.solve():
            true = np.zeros(cnf.variables + 1, dtype=bool)
            model = np.array(solver.get_model())
            true[model[model > 0]] = True
            decoded = lazy.decode(cnf, true)
            if isinstance(decoded, Cuts):
                assert decoded.cycles > 1
            else:
                tours += 1
            solver.add_clause([-edge if true[edge] else edge for edge in edges])
    assert tours == many

"""Reach and corridor: exactly the tours, the sizes that the essays state, propagation."""

from __future__ import annotations

import random
from itertools import pairwise, product

import networkx as nx
import pytest
from pysat.solvers import Solver

from kt_cp import Board, Problem, solve
from kt_cp.encodings import corridor, get_encoding, reach
from kt_cp.encodings.chordal_completion import line_by_line, nested_dissection
from kt_cp.encodings.cnf import ClauseTable
from kt_cp.encodings.counter import allot, count, count_in_arrays
from kt_cp.encodings.lfsr import bits_for, shift_register
from kt_cp.model.cycle import cycle_form
from kt_cp.model.errors import EngineFailedError
from kt_cp.testing import oracle
from kt_cp.testing.engine import is_tour
from tests.encodings.test_elimination import PROBLEMS
from tests.support.exhaustive import exhaustive
from tests.support.successor_models import (
    cycle_graph,
    numbered,
    take_out,
    tours_of_models,
    undirected,
)

REACH = get_encoding("reach")


@pytest.mark.parametrize(
    ("rows", "columns", "more", "count"),
    # OEIS A070030; from the corner of 5x5 A290961 (see test_reference); none: see test_theorems.
    [(5, 5, {"start": (0, 0)}, 304), (4, 10, {"closed": True}, 0), (4, 6, {"closed": True}, 0),
     (7, 7, {"closed": True}, 0), (3, 12, {"closed": True}, 176)],
)  # fmt: skip
def test_as_many_models_as_tours(rows, columns, more, count):
    problem = Problem(Board(rows, columns), **more)
    tours = tours_of_models(REACH, problem)
    graph = oracle.knight_graph(rows, columns)
    for tour in tours:
        is_tour(problem, graph, tour)
    assert len(tours) == len({undirected(tour) for tour in tours}) == count


@pytest.mark.parametrize("size", [3, 4, 5])
def test_all_graphs_of_few_vertices(size):
    pairs = [(u, v) for u in range(size) for v in range(u)]
    for present in product([False, True], repeat=len(pairs)):
        graph = nx.empty_graph(size)
        graph.add_edges_from(pair for pair, here in zip(pairs, present, strict=True) if here)
        known = sum(1 for _ in oracle.tours(graph, closed=True)) // (2 * size)
        assert len(tours_of_models(REACH, Problem(graph=graph, closed=True))) == known, graph.edges


@pytest.mark.parametrize(
    "problem",
    [*PROBLEMS, Problem(Board(3, 40), closed=True), Problem(Board(12, 13)),
     Problem(Board(9, 8, missing={(0, 0), (4, 4)}), closed=True)],
    ids=lambda problem: problem.label,
)  # fmt: skip
def test_sizes_are_those_of_the_essay(problem):
    graph = cycle_graph(problem)
    arcs = 2 * graph.number_of_edges()
    exempt = min(graph, key=lambda vertex: (graph.degree(vertex), vertex))
    arcs -= 2 * graph.degree(exempt)
    graph.remove_node(exempt)

    def least(graph):
        return min(graph, key=lambda vertex: (graph.degree(vertex), vertex))

    def degrees(order):
        left = graph.copy()
        return [
            len(take_out(left, least(left) if order is None else order[step]))
            for step in range(len(graph))
        ]

    orders = [None]
    if problem.board is not None:
        squares = list(problem.board)
        by_lines = [
            [squares.index(s) for s in cut(squares)] for cut in (nested_dissection, line_by_line)
        ]
        by_lines = [[v for v in [*order, problem.size] if v in graph] for order in by_lines]
        orders = by_lines if problem.whole_rectangle else [None, *by_lines]
    counted = min(map(degrees, orders), key=lambda ds: sum(d * (d - 1) for d in ds))
    _, shared = numbered(problem, windows=False)
    cnf = REACH.encode(problem)
    assert cnf.variables == max(1, shared.fresh.top + 2 * sum(counted))
    pairs = sum(d * (d - 1) for d in counted)
    assert len(cnf.clauses) == len(shared.clauses) + arcs + sum(counted) + pairs
    assert REACH.clauses_of(problem) >= len(cnf.clauses)


LARGE = [
    (*sides, closed)
    for sides in [(61, 61), (70, 70), (30, 121), (20, 181), (3, 1_201)]
    for closed in (False, True)
]


@exhaustive("estimates of reach on large boards", LARGE, sample=1, batches=2)
def test_large_boards_are_not_judged_too_low(cases):
    for rows, columns, closed in cases:
        problem = Problem(Board(rows, columns), closed=closed)
        counted = reach.reach_of(cycle_form(problem))
        true = counted.pairs + counted.variables // 2 + 40 * problem.size
        assert true <= REACH.clauses_of(problem) <= 4 * true


@pytest.mark.slow
@pytest.mark.parametrize("side", [6, 7, 8])
def test_an_arc_that_would_close_a_cycle_is_false_by_propagation(side):
    rng = random.Random(side)
    problem = Problem(Board(side, 8), closed=True)
    cnf = REACH.encode(problem)
    shared = cnf.key
    graph = cycle_graph(problem)
    graph.remove_node(reach.reach_of(shared.form).exempt)
    cycles = [c for c in nx.simple_cycles(graph, 8) if len(c) > 2]
    closures = 0
    with Solver(name="glucose4", bootstrap_with=cnf.clauses) as solver:
        for cycle in rng.sample(cycles, 200):
            arcs = [shared.number[arc] for arc in pairwise([*cycle, cycle[0]])]
            closing = arcs.pop(rng.randrange(len(arcs)))
            consistent, implied = solver.propagate(assumptions=arcs)
            if consistent and solver.propagate(assumptions=[closing])[0]:
                assert -closing in implied
                closures += 1
    assert closures >= 30


def test_arcs_are_the_last_variables_and_the_farthest_the_very_last():
    cnf = REACH.encode(Problem(Board(8, 8), closed=True))
    shared = cnf.key
    assert max(shared.number.values()) == cnf.variables
    assert min(shared.number.values()) == cnf.variables - len(shared.arcs) + 1
    distance = nx.single_source_shortest_path_length(cycle_graph(cnf.problem), shared.start)
    farthest = [
        max(distance[u], distance[v]) for u, v in sorted(shared.arcs, key=shared.number.get)
    ]
    assert farthest == sorted(farthest)


@pytest.mark.slow
@pytest.mark.parametrize(("side", "closed"), [(20, True), (20, False), (21, False)])
def test_a_board_is_swept_with_hardly_a_conflict(side, closed):
    # Other orders of the variables end by chance or not at all.
    cnf = REACH.encode(Problem(Board(side, side), closed=closed))
    with Solver(name="cadical195", bootstrap_with=cnf.clauses) as solver:
        assert solver.solve()
        assert solver.accum_stats()["conflicts"] < 500
        true = [False, *(literal > 0 for literal in solver.get_model())]
    is_tour(cnf.problem, oracle.knight_graph(side, side), REACH.decode(cnf, true))


def test_nonsense_is_no_tour():
    cnf = REACH.encode(Problem(graph=nx.complete_graph(6), closed=True))
    chosen = {(0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3)}
    flags = [False] * (cnf.variables + 1)
    for arc, variable in cnf.key.number.items():
        flags[variable] = arc in chosen
    with pytest.raises(EngineFailedError, match="2 cycles"):
        REACH.decode(cnf, flags)


CORRIDOR = get_encoding("corridor")

CONDITIONS = [{"closed": True}, {}, {"start": (0, 0)}, {"start": (5, 6)},
              {"start": (0, 0), "end": (0, 1)}]  # fmt: skip


@pytest.mark.parametrize("turn", [2, 3])
@pytest.mark.parametrize(
    ("rows", "columns", "more", "count"),
    # As in test_encodings: OEIS A175855, A070030, A169696, A079137, A290961.
    [(5, 6, {"closed": True}, 8), (4, 5, {}, 82), (5, 5, {"start": (0, 0)}, 304),
     (4, 6, {"closed": True}, 0), (4, 10, {"closed": True}, 0), (4, 4, {}, 0)],
)  # fmt: skip
def test_tours_outside_the_corridor_are_models(monkeypatch, rows, columns, more, count, turn):
    # Bands so narrow that small boards have a corridor, whether or not it has a tour.
    monkeypatch.setattr(corridor, "measures", lambda piece: (2, turn))
    monkeypatch.setattr(corridor, "_is_passable", lambda neighbours, problem: True)
    problem = Problem(Board(rows, columns), **more)
    cnf = CORRIDOR.encode(problem)
    assert cnf.key.number[0, 2 * columns + 1] < 0 < cnf.key.number[0, columns + 2]
    tours = tours_of_models(CORRIDOR, problem)
    graph = oracle.knight_graph(rows, columns)
    for tour in tours:
        is_tour(problem, graph, tour)
    assert len(tours) == len({undirected(tour) for tour in tours}) == count


@exhaustive(
    "tours satisfy the corridor",
    product([(12, 12), (13, 14), (24, 15)], CONDITIONS),
    sample=1,
    batches=2,
)
def test_any_tour_satisfies_the_formula(cases):
    for (rows, columns), more in cases:
        problem = Problem(Board(rows, columns), **more)
        cnf = CORRIDOR.encode(problem)
        index = problem.indexed.index
        for seed in range(3):
            tour = solve(problem, "warnsdorff", seed=seed, own_process=False).tour
            walk = [index[square] for square in tour]
            walk += [] if cnf.key.form.depot is None else [cnf.key.form.depot]
            pairs = list(zip(walk, [*walk[1:], walk[0]], strict=True))
            with Solver(name="cadical153", bootstrap_with=cnf.clauses) as solver:
                # One direction of the two has a model, unless prescribed ends distinguish them.
                ways = [
                    [cnf.key.number[u, v] for u, v in pairs],
                    [cnf.key.number[v, u] for u, v in pairs],
                ]
                assert sum(solver.solve(assumptions=way) for way in ways) == 1
            assert any(cnf.key.number[pair] < 0 for pair in pairs)


@exhaustive(
    "corridors are swept with hardly a conflict",
    product([(12, 12), (13, 15), (20, 20), (27, 16)], CONDITIONS),
    sample=1,
    batches=2,
)
def test_a_tour_within_the_corridor_is_found_with_hardly_a_conflict(cases):
    for (rows, columns), more in cases:
        if rows * columns % 2 and "end" in more:
            more = {"start": (0, 0), "end": (0, 2)}
        if rows * columns % 2 and more in ({"closed": True}, {"start": (5, 6)}):
            more = {"end": (6, 6)}
        problem = Problem(Board(rows, columns), **more)
        cnf = CORRIDOR.encode(problem)
        with Solver(name="cadical195", bootstrap_with=cnf.clauses) as solver:
            assert solver.solve()
            assert solver.accum_stats()["conflicts"] < 1_000
            true = [False, *(literal > 0 for literal in solver.get_model())]
        tour = CORRIDOR.decode(cnf, true)
        is_tour(problem, oracle.knight_graph(rows, columns), tour)


@pytest.mark.parametrize("more", CONDITIONS, ids=str)
def test_corridor_sizes(more):
    problem = Problem(Board(13, 14), **more)
    form = cycle_form(problem)
    numbering, shared = numbered(problem, windows=False)
    register = shift_register(bits_for(numbering.values))
    bits = allot(numbering, register, shared.fresh)
    counting = len(list(count(numbering, shared.number, register, bits)))
    inside = nx.Graph()
    inside.add_nodes_from(range(len(form)))
    for u, v in form.graph.pairs():
        if max(u, v) < problem.size and (u, v) not in form.forced:
            (r, f), (s, g) = form.graph.nodes[u], form.graph.nodes[v]
            if (r < 6) != (s < 6) and min(f, g) < 10:
                continue
        inside.add_edge(u, v)
    exempt = min(range(len(form)), key=lambda vertex: (form.graph.degrees[vertex], vertex))
    inner_clauses = 2 * (inside.number_of_edges() - inside.degree(exempt))
    inside.remove_node(exempt)

    def far(vertex):
        row, file = form.graph.nodes[vertex]
        return (row >= 6, 13 - file if row >= 6 else file, -vertex)

    squares = sorted((v for v in inside if v < problem.size), key=far, reverse=True)
    gone = [len(take_out(inside, v)) for v in [*squares, *([problem.size] * (len(form) > 182))]]
    cnf = CORRIDOR.encode(problem)
    assert cnf.variables == shared.fresh.top + 2 * sum(gone)
    reaching = inner_clauses + sum(gone) + sum(d * (d - 1) for d in gone)
    assert len(cnf.clauses) == len(shared.clauses) + counting + reaching


@pytest.mark.parametrize("more", CONDITIONS, ids=str)
def test_counting_in_arrays_is_that_in_lists(more):
    numbering, shared = numbered(Problem(Board(6, 7), **more))
    register = shift_register(bits_for(numbering.values))
    bits = allot(numbering, register, shared.fresh)
    parts = (numbering, shared.number, register, bits)
    assert sorted(ClauseTable(count_in_arrays(*parts))) == sorted(count(*parts))


LARGE_CORRIDORS = [
    (*sides, closed)
    for sides in [(15, 15), (15, 90), (21, 22), (27, 28), (40, 40)]
    for closed in (False, True)
]


@exhaustive("estimates of corridor on large boards", LARGE_CORRIDORS, sample=1, batches=2)
def test_corridor_estimates_of_large_boards(cases):
    for rows, columns, closed in cases:
        problem = Problem(Board(rows, columns), closed=closed)
        true = len(CORRIDOR.encode(problem).clauses)
        assert true <= CORRIDOR.clauses_of(problem) <= 1.5 * true


def test_holes_that_cut_the_corridor_leave_reach():
    # Nothing is left where the bands meet: the corridor is in pieces, the board is not.
    holes = {(row, column) for row in range(4, 8) for column in range(8, 12)}
    problem = Problem(Board(12, 12, missing=holes), closed=True)
    assert corridor.corridor(cycle_form(problem)) is None
    assert CORRIDOR.encode(problem).clauses == get_encoding("reach").encode(problem).clauses
    random_graph = Problem(graph=nx.gnp_random_graph(9, 0.5, seed=1), closed=True)
    assert (
        CORRIDOR.encode(random_graph).clauses == get_encoding("reach").encode(random_graph).clauses
    )

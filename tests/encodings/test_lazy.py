"""Lazy cuts: cut sets, cardinality constraints of native solvers, anchors."""

from __future__ import annotations

import random
from itertools import pairwise, product

import networkx as nx
import numpy as np
import pytest
from pysat.solvers import Solver

from kt_cp import Board, Problem, Verdict, solve
from kt_cp.encodings import get_encoding
from kt_cp.encodings.cnf import Cuts
from kt_cp.encodings.lazy import cut_sets
from kt_cp.encodings.neighbourhood import TRIES, cycle_labels
from kt_cp.engines.sat import CARDINALITY, SOLVERS, add_cuts, flags_of, load
from kt_cp.model.graph import IndexedGraph
from kt_cp.testing import oracle
from kt_cp.testing.encoding import graph_problems
from kt_cp.testing.engine import is_tour
from tests.encodings.test_common import expected
from tests.support.exhaustive import exhaustive, more


def cycles_and_edges(rng):
    """Some cycles in a row, and edges between them that join most."""
    graph, label, first = nx.Graph(), [], 0
    for number in range(rng.randint(2, 7)):
        size = rng.randint(3, 5)
        nx.add_cycle(graph, range(first, first + size))
        label += [number] * size
        first += size
    for _ in range(rng.randint(1, 3 * (label[-1] + 1))):
        u, v = rng.sample(range(first), 2)
        if abs(label[u] - label[v]) in (1, 2):
            graph.add_edge(u, v)
    return graph, np.array(label)


def sets_of(graph, label, largest):
    edges = sorted(tuple(sorted(edge)) for edge in graph.edges)
    indexed = IndexedGraph(range(len(graph)), *np.array(edges).T)
    out = [
        [
            number
            for number, (u, v) in enumerate(edges)
            if (label[u] == which) != (label[v] == which)
        ]
        for which in range(label.max() + 1)
    ]
    to = np.cumsum([len(each) for each in out])
    bounds = np.stack([to - [len(each) for each in out], to], axis=1)
    leaving = np.array([number for each in out for number in each], dtype=np.int64)
    return edges, out, cut_sets(indexed, label, leaving, bounds, largest)


@pytest.mark.parametrize("seed", range(60))
def test_each_is_a_least_cut_and_says_what_the_cycles_say(seed):
    graph, label = cycles_and_edges(random.Random(seed))
    largest = int(np.bincount(label).argmax())
    edges, out, sets = sets_of(graph, label, largest)
    parts = nx.number_connected_components(graph)
    assert len({tuple(each.tolist()) for each in sets}) == len(sets) > 0
    for each in sets:
        cut = [edges[number] for number in each.tolist()]
        rest = graph.copy()
        rest.remove_edges_from(cut)
        assert all(label[u] != label[v] for u, v in cut)
        assert nx.number_connected_components(rest) == parts + bool(cut)
        for edge in cut:  # without any one of them it is none
            assert nx.has_path(nx.Graph([*rest.edges, edge]), *edge)
    for which, leaving in enumerate(out):
        within = [set(each.tolist()) <= set(leaving) for each in sets]
        assert any(within) or which == largest


class RecordingSolver:
    """A solver that says what it is given."""

    def __init__(self):
        self.rows, self.clauses = [], []

    def add_atmost(self, literals, most):
        self.rows.append((literals, most))

    def add_clause(self, clause):
        self.clauses.append(clause)


def test_two_edges_leave_where_the_solver_takes_cardinalities():
    prism = Problem(graph=nx.circular_ladder_graph(3), closed=True)
    lazy = get_encoding("lazy")
    cnf = lazy.native(prism)
    triangles = [False] + [
        abs(u - v) != 3 for u, v in zip(*(each.tolist() for each in (
            prism.indexed.tails, prism.indexed.heads)), strict=True)
    ]  # fmt: skip
    cuts = lazy.decode(cnf, triangles)
    assert cuts.two and len(cuts.clauses) == 1 and len(cuts.clauses[0]) == 3
    solver = RecordingSolver()
    assert add_cuts(solver, cuts, in_rows=True) == 1
    assert solver.rows == [([-x for x in cuts.clauses[0]], 1)] and solver.clauses == []
    add_cuts(solver, cuts)
    assert solver.clauses == cuts.clauses
    for clause in ([], [5]):  # no way out, or a bridge
        solver = RecordingSolver()
        add_cuts(solver, Cuts([clause], two=True), in_rows=True)
        assert solver.clauses == [[1], [-1]] and solver.rows == []
    add_cuts(solver, Cuts([[5]]))
    assert solver.clauses[2:] == [[5]]


LAZY = get_encoding("lazy")


def tours_of(problem, name, seed=0):
    """Every tour for which the constraints have a model, with the anchors tried on the way."""
    cnf = (LAZY.native if name in CARDINALITY else LAZY.encode)(problem)
    edges = range(cnf.key.first_edge, cnf.variables + 1)
    rng = np.random.default_rng(seed)
    tours = []
    with Solver(name=name) as solver:
        load(solver, name, cnf, seed)
        while solver.solve():
            model = solver.get_model()
            # What was learnt under assumptions must not rule out a tour.
            while isinstance(decoded := LAZY.decode(cnf, flags_of(model, cnf.variables)), Cuts):
                for cut in decoded.clauses:
                    assert not set(cut) & set(model), "the model satisfies its cut"
                    if not cut:
                        return tours
                    solver.add_clause(cut)
                assumptions = decoded.neighbourhood.assumptions(rng.integers(TRIES), rng)
                assert set(assumptions) <= set(model)
                if not solver.solve(assumptions=assumptions):
                    break
                model = solver.get_model()
                assert set(assumptions) <= set(model)
            else:
                tours.append(decoded)
                true = set(model)
                solver.add_clause([-edge if edge in true else edge for edge in edges])
    return tours


@pytest.mark.parametrize("name", CARDINALITY)
@pytest.mark.parametrize(
    ("rows", "columns", "closed", "undirected"),
    # As in test_encodings.
    [(5, 6, True, 8), (3, 10, True, 16), (3, 4, False, 8), (4, 5, False, 82), (4, 4, False, 0)],
)
def test_as_many_models_as_tours(name, rows, columns, closed, undirected):
    problem = Problem(Board(rows, columns), closed=closed)
    tours = tours_of(problem, name)
    for tour in tours:
        is_tour(problem, oracle.knight_graph(rows, columns), tour)
    assert len({tuple(tour) for tour in tours}) == len(tours) == undirected


@exhaustive(
    "native solvers have the tours of random graphs",
    product(SOLVERS, range(10)),
    sample=30,
    batches=2,
)
def test_as_many_models_as_the_oracle_has_tours(cases):
    for name, seed in cases:
        for problem, true in graph_problems(seed):
            tours = tours_of(problem, name, seed)
            wanted = expected("lazy", problem, len(true))
            assert len(tours) == wanted, f"{name}, seed {seed}, {problem.label}"


@pytest.mark.parametrize("seed", range(20))
def test_cycles_are_numbered_as_networkx_finds_them(seed):
    rng = random.Random(seed)
    order = rng.sample(range(60), 60)
    lengths = [3, 4, 5, 6, 7, 8, 27] if seed % 2 else [60]
    edges = []
    for length in rng.sample(lengths, len(lengths)):
        cycle, order = order[:length], order[length:]
        edges += [sorted(pair) for pair in pairwise([*cycle, cycle[0]])]
    tails, heads = np.array(sorted(edges)).T
    label = cycle_labels(tails, heads)
    pieces = list(nx.connected_components(nx.Graph(edges)))
    assert len(set(label.tolist())) == len(pieces)
    assert all(len(set(label[list(piece)].tolist())) == 1 for piece in pieces)


@pytest.mark.slow
@pytest.mark.parametrize("closed", [True, False])
@pytest.mark.parametrize("board", ["60x60", "98x98", "50x120", "9x300"])
def test_large_boards_take_few_conflicts(board, closed):
    # Counts, not seconds.  Without anchors it is some ten thousand, and so it was for open tours
    # when the windows had all neighbours of the depot.
    for seed in more((1,), (1, 2)):
        problem = Problem(Board.parse(board), closed=closed)
        outcome = solve(problem, "sat", seed=seed, time_limit=60)
        assert outcome.verdict is Verdict.FOUND
        assert outcome.engine == "sat:lazy:gluecard4"
        assert outcome.statistics["conflicts"] < 1_000, f"seed {seed}: {outcome.statistics}"


def test_a_seed_gives_the_same_tour_again():
    problem = Problem(Board(40, 40), closed=True)
    tours = [solve(problem, "sat", seed=seed, own_process=False).tour for seed in (1, 1, 2)]
    assert tours[0] == tours[1] != tours[2]


@pytest.mark.slow
def test_a_large_board_within_its_memory():
    side = more(250, 500)
    outcome = solve(Problem(Board(side, side), closed=True), "sat", memory_limit=1500, seed=1)
    assert outcome.verdict is Verdict.FOUND and outcome.verified and outcome.replayed

"""Encodings: as many models as tours, cuts that cut nothing else, estimates, and every solver."""

from __future__ import annotations

import random
import time
from itertools import pairwise, product

import networkx as nx
import pytest
from pysat.solvers import Solver, SolverNames

from kt_cp import Board, Problem, Verdict, solve
from kt_cp.encodings import ENCODING_NAMES, FOR_PROOFS, Cuts, get_encoding
from kt_cp.encodings.cnf import MOST_CLAUSES, MOST_ROWS
from kt_cp.encodings.successor import Successors
from kt_cp.engines.sat import SOLVERS
from kt_cp.model.errors import EngineFailedError, TooLargeError
from tests import oracle
from tests.engines.test_contract import is_tour
from tests.exhaustive import exhaustive

EVERY = (*ENCODING_NAMES, FOR_PROOFS)


def flags(model, variables):
    true = [False] * (variables + 1)
    for literal in model:
        if 0 < literal <= variables:
            true[literal] = True
    return true


def tour_variables(name, cnf):
    """The variables that say what the tour is; the others are determined or do not matter."""
    if name == "position":
        return [int(variable) for variable in cnf.key.flat if variable]
    if isinstance(cnf.key, Successors):
        return list(range(cnf.key.first, cnf.key.first + len(cnf.key.arcs)))
    return list(range(cnf.key.first_edge, cnf.key.first_edge + len(cnf.key.form.graph.tails)))


def all_tours(name, problem):
    """Every tour an encoding has a model for, one for each assignment of its tour variables."""
    encoding = get_encoding(name)
    cnf = encoding.encode(problem)
    own = tour_variables(name, cnf)
    tours = []
    with Solver(name="glucose4", bootstrap_with=[c for c in cnf.clauses if c]) as solver:
        if [] in cnf.clauses:
            return []
        while solver.solve():
            true = flags(solver.get_model(), cnf.variables)
            decoded = encoding.decode(cnf, true)
            if isinstance(decoded, Cuts):
                assert decoded.clauses
                for cut in decoded.clauses:
                    assert not any(true[variable] for variable in cut), (
                        "the model satisfies its cut"
                    )
                    if not cut:
                        return tours
                    solver.add_clause(cut)
            else:
                tours.append(decoded)
                solver.add_clause([-v if true[v] else v for v in own])
    return tours


def expected(name, problem, graph):
    """How many models the tours of a graph make, and why not one each.

    lazy chooses undirected edges: a tour and the same backwards are one model, unless start or end
    tells them apart.  A closed tour is one cycle whatever square it is written from.  The successor
    encodings choose arcs, and of the two directions of every cycle only one.

    position numbers the squares: a closed tour is written from one fixed square, in two
    directions.  An open one without prescribed ends, on a connected bipartite graph of even order,
    begins with colour 0 while its reverse begins with colour 1: of the two one is left.
    """
    if problem.closed:
        first = problem.start if problem.start is not None else next(iter(graph))
        directed = sum(1 for _ in oracle.tours(graph, closed=True, start=first))
        return directed if name == "position" else directed // 2
    directed = sum(1 for _ in oracle.tours(graph, False, problem.start, problem.end))
    free = problem.start is None and problem.end is None
    halved = nx.is_connected(graph) and nx.is_bipartite(graph) and len(graph) % 2 == 0
    return directed // 2 if free and (name != "position" or halved) else directed


@pytest.mark.parametrize("name", EVERY)
@pytest.mark.parametrize(
    ("rows", "columns", "closed", "undirected"),
    # Undirected: OEIS A175855, A070030, A169696, A079137; see test_theorems for no tours at all.
    [(5, 6, True, 8), (3, 10, True, 16), (3, 4, False, 8), (4, 5, False, 82), (3, 7, False, 52),
     (4, 4, False, 0), (3, 8, True, 0)],
)  # fmt: skip
def test_as_many_models_as_tours(name, rows, columns, closed, undirected):
    problem = Problem(Board(rows, columns), closed=closed)
    tours = all_tours(name, problem)
    graph = oracle.knight_graph(rows, columns)
    for tour in tours:
        is_tour(problem, graph, tour)
    assert len({tuple(tour) for tour in tours}) == len(tours)
    # position: closed tours in both directions from a1; open ones in both where the order is odd.
    doubled = name == "position" and (closed or rows * columns % 2 == 1)
    assert len(tours) == undirected * (2 if doubled else 1)


@exhaustive(
    "encodings have the tours of random graphs",
    product(EVERY, range(40)),
    sample=120,
    batches=4,
)
def test_as_many_models_as_the_oracle_has_tours(cases):
    for name, seed in cases:
        rng = random.Random(seed)
        graph = nx.gnp_random_graph(rng.randint(3, 7), rng.choice([0.4, 0.6, 0.8]), seed=seed)
        if seed % 4 == 0:
            graph.remove_edges_from([edge for edge in graph.edges if sum(edge) % 2 == 0])
        start, end = rng.sample(list(graph), 2)
        for conditions in (
            {}, {"closed": True}, {"start": start}, {"end": end}, {"start": start, "end": end},
            {"closed": True, "start": start},
        ):  # fmt: skip
            problem = Problem(graph=graph, **conditions)
            tours = all_tours(name, problem)
            for tour in tours:
                is_tour(problem, graph, tour)
            wanted = expected(name, problem, graph)
            assert len(tours) == wanted, f"{name}, seed {seed}, {problem.label}"


def edges_of(cnf, tour):
    """The edge variables that a tour makes true in the lazy encoding."""
    form = cnf.key.form
    walk = [form.problem.indexed.index[square] for square in tour]
    walk += [] if form.depot is None else [form.depot]
    number = {edge: v for v, edge in enumerate(form.graph.pairs(), start=cnf.key.first_edge)}
    return {number[min(u, v), max(u, v)] for u, v in pairwise([*walk, walk[0]])}


@pytest.mark.parametrize(
    "problem",
    [
        Problem(Board(6, 6), closed=True),
        Problem(Board(8, 8), closed=True),
        Problem(Board(7, 7)),
        Problem(Board(6, 6), start=(0, 0)),
        Problem(Board(6, 6), start=(0, 0), end=(2, 3)),
    ],
    ids=lambda problem: problem.label,
)
def test_cuts_are_satisfied_by_every_tour(problem):
    cnf = get_encoding("lazy").encode(problem)
    tours = [
        edges_of(cnf, solve(problem, engine, seed=seed, own_process=False).tour)
        for engine in ("backtrack", "warnsdorff")
        for seed in range(8)
    ]
    seen = 0
    for seed in range(5):
        clauses = random.Random(seed).sample(cnf.clauses, len(cnf.clauses))
        with Solver(name="glucose4", bootstrap_with=clauses) as solver:
            for _ in range(200):
                assert solver.solve()
                decoded = get_encoding("lazy").decode(cnf, flags(solver.get_model(), cnf.variables))
                if not isinstance(decoded, Cuts):
                    break
                for cut in decoded.clauses:
                    assert all(tour & set(cut) for tour in tours), f"seed {seed}"
                    solver.add_clause(cut)
                    seen += 1
    assert seen >= 5


@pytest.mark.parametrize("name", EVERY)
def test_no_model_is_not_a_tour(name):
    encoding = get_encoding(name)
    cnf = encoding.encode(Problem(Board(3, 4)))
    with pytest.raises(EngineFailedError, match="model"):
        encoding.decode(cnf, [False] * (cnf.variables + 1))


@pytest.mark.parametrize("name", EVERY)
def test_clauses_are_well_formed(name):
    for problem in (
        Problem(Board(5, 6), closed=True),
        Problem(Board(5, 5)),
        Problem(graph=nx.star_graph(20)),
    ):
        cnf = get_encoding(name).encode(problem)
        literals = [literal for clause in cnf.clauses for literal in clause]
        assert all(
            type(literal) is int and 0 < abs(literal) <= cnf.variables for literal in literals
        )
        assert get_encoding(name).encode(problem).clauses == cnf.clauses


# Solvers


@pytest.mark.parametrize("solver", SOLVERS)
def test_every_solver_is_known_and_solves(solver):
    assert any(solver in names for names in vars(SolverNames).values() if isinstance(names, tuple))
    for seed in (0, 1):
        outcome = solve(
            Problem(Board(6, 6), closed=True), f"sat:lazy:{solver}", seed=seed, own_process=False
        )
        assert outcome.verdict is Verdict.FOUND
        is_tour(outcome.problem, oracle.knight_graph(6, 6), outcome.tour)
        assert outcome.engine == f"sat:lazy:{solver}"
    assert (
        solve(Problem(Board(4, 5)), f"sat:position:{solver}", own_process=False).verdict
        is Verdict.FOUND
    )
    # In pieces: the empty clause, in whichever way the solver takes it.
    for graph in (nx.disjoint_union(nx.cycle_graph(4), nx.cycle_graph(4)), nx.empty_graph(3)):
        for encoding in ENCODING_NAMES:
            problem = Problem(graph=graph, closed=True)
            outcome = solve(problem, f"sat:{encoding}:{solver}", own_process=False)
            assert outcome.verdict is Verdict.IMPOSSIBLE


# Estimates


BOARDS = [
    (3, 4),
    (4, 5),
    (5, 5),
    (5, 6),
    (6, 6),
    (3, 20),
    (8, 8),
    (9, 9),
    (12, 12),
    (15, 16),
    (20, 20),
]
CONDITIONS = [{}, {"closed": True}, {"start": (0, 0)}, {"start": (0, 0), "end": (2, 1)}]


ESTIMATED = [
    (name, Problem(Board(rows, columns), **conditions))
    for name in EVERY
    for rows, columns in BOARDS
    for conditions in CONDITIONS
    if name != "position" or rows * columns < 200 or conditions == {"closed": True}
]


@exhaustive("estimates of encodings are not too low", ESTIMATED, sample=12)
def test_estimates_are_not_too_low(cases):
    for name, problem in cases:
        encoding = get_encoding(name)
        true = len(encoding.encode(problem).clauses)
        assert encoding.clauses_of(problem) >= 0.9 * true, f"{name}, {problem.label}: {true}"


GRAPHS = [
    nx.complete_graph(30), nx.star_graph(60), nx.path_graph(80), nx.petersen_graph(),
    nx.wheel_graph(50),
    nx.complete_bipartite_graph(5, 20), nx.random_regular_graph(8, 60, seed=1),
    nx.random_regular_graph(12, 60, seed=1), nx.random_regular_graph(5, 60, seed=1),
]  # fmt: skip


@exhaustive(
    "estimates of encodings on graphs are not too low",
    product(EVERY, GRAPHS, [False, True]),
    sample=50,
    batches=2,
)
def test_estimates_on_graphs_are_not_too_low(cases):
    for name, graph, closed in cases:
        encoding = get_encoding(name)
        problem = Problem(graph=graph, closed=closed)
        true = len(encoding.encode(problem).clauses)
        assert encoding.clauses_of(problem) >= 0.9 * true, f"{name}, {problem.label}: {true}"


@pytest.mark.parametrize(
    ("name", "side", "advice"),
    [
        ("position", 40, "use --engine sat:lazy"),
        ("lazy", 1500, "use --engine warnsdorff"),
        ("lazy:cadical195", 600, "use --engine warnsdorff"),
        *((name, 400, "use --engine sat:lazy") for name in ENCODING_NAMES[2:]),
    ],
)
def test_what_is_too_large_is_refused_without_building_it(name, side, advice, monkeypatch):
    problem = Problem(Board(side, side), closed=True)
    monkeypatch.setattr(Problem, "indexed", property(lambda _: pytest.fail("the graph was built")))
    began = time.process_time()
    with pytest.raises(TooLargeError) as refused:
        solve(problem, f"sat:{name}")
    assert time.process_time() - began < 0.2
    limit = MOST_ROWS if name == "lazy" else MOST_CLAUSES
    assert f"{limit:,}" in str(refused.value) and advice in str(refused.value)
    assert "\n" not in str(refused.value)

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
from kt_cp.engines.sat import SOLVERS, flags_of
from kt_cp.model.errors import TooLargeError
from kt_cp.testing import encoding as contract
from kt_cp.testing import oracle
from kt_cp.testing.engine import is_tour
from tests.support.exhaustive import exhaustive

STEPS = ("position", "channel")
"""Those whose variables are steps: a closed tour in two directions is two models."""

EVERY = (*ENCODING_NAMES, FOR_PROOFS)


def expected(name, problem, directed):
    """How many models so many directed tours make, and why not one each.

    lazy chooses undirected edges: a tour and the same backwards are one model, unless start or end
    tells them apart.  A closed tour is one cycle whatever square it is written from.  The successor
    encodings choose arcs, and of the two directions of every cycle only one.

    position numbers the squares: a closed tour is written from one fixed square, in two
    directions.  An open one without prescribed ends, on a connected bipartite graph of even order,
    begins with colour 0 while its reverse begins with colour 1: of the two one is left.
    """
    if problem.closed:
        return directed if name in STEPS else directed // 2
    graph = nx.Graph(problem.graph)
    graph.remove_edges_from(problem.forbid)
    free = problem.start is None and problem.end is None
    halved = nx.is_connected(graph) and nx.is_bipartite(graph) and len(graph) % 2 == 0
    return directed // 2 if free and (name not in STEPS or halved) else directed


def hold(name, problem, tours):
    """All models are these tours, and there are as many as expected."""
    made = contract.held(name, problem, tours)
    assert len(made) == expected(name, problem, len(tours)), f"{name}, {problem.label}"


# Random graphs and questions are drawn from many, below and in test_conditions.
ELSEWHERE = {"random graphs", "known counts", "estimates"}


@pytest.mark.parametrize("name", EVERY)
@pytest.mark.parametrize("promise", sorted({*contract.PROMISES} - ELSEWHERE))
def test_contract(name, promise):
    contract.PROMISES[promise](name)


@pytest.mark.parametrize("name", EVERY)
def test_as_many_models_as_tours(name):
    counts = [len(tours) for tours in contract.known_counts(name)]
    for (rows, columns, closed, undirected), count in zip(contract.KNOWN, counts, strict=True):
        # position: closed tours in both directions from a1; open ones in both if the order is odd.
        doubled = name in STEPS and (closed or rows * columns % 2 == 1)
        assert count == undirected * (2 if doubled else 1)


@exhaustive(
    "encodings have the tours of random graphs",
    product(EVERY, range(40)),
    sample=60,
    batches=4,
)
def test_as_many_models_as_the_oracle_has_tours(cases):
    for name, seed in cases:
        for problem, tours in contract.graph_problems(seed):
            hold(name, problem, tours)


def edge_variables(cnf, tour):
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
        edge_variables(cnf, solve(problem, engine, seed=seed, own_process=False).tour)
        for engine in ("backtrack", "warnsdorff")
        for seed in range(8)
    ]
    seen = 0
    for seed in range(5):
        clauses = random.Random(seed).sample(cnf.clauses, len(cnf.clauses))
        with Solver(name="glucose4", bootstrap_with=clauses) as solver:
            for _ in range(200):
                assert solver.solve()
                decoded = get_encoding("lazy").decode(
                    cnf, flags_of(solver.get_model(), cnf.variables)
                )
                if not isinstance(decoded, Cuts):
                    break
                for cut in decoded.clauses:
                    assert all(tour & set(cut) for tour in tours), f"seed {seed}"
                    solver.add_clause(cut)
                    seen += 1
    assert seen >= 5


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
    if name not in STEPS or rows * columns < 200 or conditions == {"closed": True}
]


@exhaustive("estimates of encodings are not too low", ESTIMATED, sample=3)
def test_estimates_are_not_too_low(cases):
    for name, problem in cases:
        contract.estimates(name, [problem])


GRAPHS = [
    nx.complete_graph(30), nx.star_graph(60), nx.path_graph(80), nx.petersen_graph(),
    nx.wheel_graph(50),
    nx.complete_bipartite_graph(5, 20), nx.random_regular_graph(8, 60, seed=1),
    nx.random_regular_graph(12, 60, seed=1), nx.random_regular_graph(5, 60, seed=1),
]  # fmt: skip


@exhaustive(
    "estimates of encodings on graphs are not too low",
    product(EVERY, GRAPHS, [False, True]),
    sample=25,
    batches=2,
)
def test_estimates_on_graphs_are_not_too_low(cases):
    for name, graph, closed in cases:
        contract.estimates(name, [Problem(graph=graph, closed=closed)])


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

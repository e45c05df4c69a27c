"""One contract over every registered engine: to register is to be tested."""

from __future__ import annotations

import random
from itertools import pairwise, product

import networkx as nx
import pytest

from kt_cp import Board, Problem, Verdict, engine_names, get_engine, solve
from kt_cp.encodings import ENCODING_NAMES
from kt_cp.trust.judge import defects
from tests import oracle
from tests.exhaustive import exhaustive

VARIANTS = [
    *(f"sat:{name}" for name in ENCODING_NAMES[1:]),
    "sat:lazy:glucose4",
    "sat:lazy::patch",
    "sat:position:glucose4",
]
ENGINES = [*engine_names(), *VARIANTS]
COMPLETE = [name for name in ENGINES if get_engine(name).complete]
KINDS = ("open", "closed", "start", "end", "both", "closed from start")

every_engine = pytest.mark.parametrize("engine", ENGINES)
# Of any graph and board; construct is for whole rectangles.
SEARCHING = [name for name in ENGINES if name != "construct"]
every_search = pytest.mark.parametrize("engine", SEARCHING)


def conditions(kind, first, last):
    """The keywords of a kind of problem."""
    return {
        "open": {},
        "closed": {"closed": True},
        "start": {"start": first},
        "end": {"end": last},
        "both": {"start": first, "end": last},
        "closed from start": {"closed": True, "start": first},
    }[kind]


def held_to_the_oracle(engine, problem, graph, note="", seed=0):
    """Solve, and compare everything that comes back with what the naive oracle says."""
    exists = oracle.exists(graph, problem.closed, problem.start, problem.end)
    outcome = solve(problem, engine, seed=seed, own_process=False)
    note = f"{engine}, {problem.label}, seed {seed}: {note}"
    if get_engine(engine).complete:
        assert outcome.verdict is (Verdict.FOUND if exists else Verdict.IMPOSSIBLE), note
    else:
        assert outcome.verdict is not Verdict.IMPOSSIBLE, note
        assert exists or outcome.verdict is Verdict.UNKNOWN, note
    well_formed(outcome, note)
    if outcome.verdict is Verdict.FOUND:
        is_tour(problem, graph, outcome.tour, note)
        assert outcome.verified and outcome.replayed and outcome.checks.agrees, note
    return outcome


def is_tour(problem, graph, tour, note=""):
    """The judge's word, and edges looked up in a graph made without the package."""
    squares = list(tour)
    assert defects(problem, squares) == [], note
    assert len(squares) == len(graph) and set(squares) == set(graph), note
    assert all(graph.has_edge(u, v) for u, v in pairwise(squares)), note
    assert tour.closed is problem.closed and tour.board is problem.board, note
    if problem.closed:
        assert len(squares) > 2 and graph.has_edge(squares[-1], squares[0]), note
    assert problem.start is None or squares[0] == problem.start, note
    assert problem.end is None or squares[-1] == problem.end, note


def well_formed(outcome, note=""):
    for name, number in outcome.statistics.items():
        assert isinstance(name, str) and isinstance(number, int | float), note
        assert number >= 0 and number == number, f"{note}: {name} is {number}"
    assert outcome.versions["python"] and "kt_cp" in outcome.versions
    assert outcome.verdict is Verdict.FOUND or outcome.reason, note


# Tiny problems


BOARDS = [
    (1, 1, ()), (1, 2, ()), (2, 2, ()), (2, 3, ()), (3, 2, ((0, 0),)), (3, 3, ((1, 1),)),
    (2, 4, ()), (3, 3, ((0, 0), (1, 1), (2, 2))), (1, 3, ((0, 1),)),
    (3, 2, ((0, 0), (2, 1), (1, 0), (1, 1))),
]  # fmt: skip
GRAPHS = [
    nx.empty_graph(1), nx.path_graph(2), nx.empty_graph(2), nx.path_graph(3), nx.cycle_graph(3),
    nx.empty_graph(3), nx.Graph([(3, 4), (4, 5)]), nx.star_graph(3), nx.complete_graph(4),
    nx.disjoint_union(nx.cycle_graph(4), nx.cycle_graph(4)), nx.complete_bipartite_graph(3, 4),
]  # fmt: skip


@every_engine
@pytest.mark.parametrize("kind", KINDS)
def test_tiny_boards(engine, kind):
    for rows, columns, missing in BOARDS:
        board = Board(rows, columns, missing=missing)
        first, *_, last = [*board, *board]
        graph = oracle.knight_graph(rows, columns, set(missing))
        problem = Problem(board, **conditions(kind, first, last))
        held_to_the_oracle(engine, problem, graph, problem.label)


@every_engine
@pytest.mark.parametrize("kind", KINDS)
def test_tiny_graphs(engine, kind):
    for graph in GRAPHS:
        # Labels 3, 4, 5 of three nodes are also what a depot would be numbered.
        first, last = min(graph), max(graph)
        problem = Problem(graph=graph, **conditions(kind, first, last))
        held_to_the_oracle(engine, problem, graph, str(graph))


def test_start_and_end_may_be_the_one_square_there_is():
    for engine in ENGINES:
        outcome = solve(Problem(Board(1, 1), start=(0, 0), end=(0, 0)), engine, own_process=False)
        assert list(outcome.tour) == [(0, 0)]


# Random ones

LABELS = (
    *range(8), -1, 2.5, "a", "b", "", "long name", (0, 0), (1, 2, 3), frozenset({1}), b"q",
    Verdict.FOUND,
)  # fmt: skip


def random_graph(rng, most):
    """Connected or not, thin or dense, with labels of any hashable sort in any order."""
    size = rng.randint(1, most)
    graph = nx.gnp_random_graph(size, rng.choice([0.25, 0.4, 0.55, 0.8]), seed=rng.randrange(10**6))
    return nx.relabel_nodes(graph, dict(enumerate(rng.sample(LABELS, size))))


@exhaustive(
    "engines answer truly on random graphs", product(ENGINES, range(40)), sample=60, batches=4
)
def test_random_graphs_against_the_oracle(cases):
    for engine, seed in cases:
        rng = random.Random(seed)
        graph = random_graph(rng, 8 if seed % 8 == 0 else 7)
        nodes = list(graph)
        first = rng.choice(nodes)
        last = rng.choice([node for node in nodes if node != first] or nodes)
        for kind in KINDS:
            problem = Problem(graph=graph, **conditions(kind, first, last))
            held_to_the_oracle(engine, problem, graph, f"graph of seed {seed}", seed)


@exhaustive(
    "engines answer truly on random boards", product(ENGINES, range(12)), sample=26, batches=2
)
def test_random_boards_against_the_oracle(cases):
    for engine, seed in cases:
        rng = random.Random(100 + seed)
        rows, columns = rng.choice([(3, 3), (3, 4), (4, 3), (4, 4), (2, 6)])
        squares = [(row, column) for row in range(rows) for column in range(columns)]
        missing = set(rng.sample(squares, len(squares) - rng.randint(3, 8)))
        graph = oracle.knight_graph(rows, columns, missing)
        first, last = rng.sample(list(graph), 2)
        for kind in KINDS:
            problem = Problem(Board(rows, columns, missing), **conditions(kind, first, last))
            held_to_the_oracle(engine, problem, graph, f"board of seed {seed}", seed)


# Boards of some size


@every_engine
@pytest.mark.parametrize(
    ("rows", "columns", "more"),
    [
        (5, 6, {"closed": True}),
        (5, 6, {"closed": True, "start": (2, 3)}),
        (5, 5, {}),
        (5, 5, {"start": (2, 2)}),
        (5, 6, {"end": (3, 3)}),
        (5, 6, {"start": (0, 0), "end": (0, 5)}),
        (3, 4, {"start": (0, 0)}),
    ],
)
def test_boards_with_a_tour(engine, rows, columns, more):
    problem = Problem(Board(rows, columns), **more)
    outcome = solve(problem, engine, seed=1, own_process=False)
    assert outcome.verdict is Verdict.FOUND, f"{engine}, {problem.label}, seed 1"
    is_tour(problem, oracle.knight_graph(rows, columns), outcome.tour)
    assert (outcome.seed, outcome.problem) == (1, problem)


@every_search
def test_missing_squares(engine):
    board = Board.parse("5x6", "c3")
    outcome = solve(Problem(board), engine, own_process=False)
    assert outcome.verdict is Verdict.FOUND
    is_tour(outcome.problem, oracle.knight_graph(5, 6, {(2, 2)}), outcome.tour)


def test_construct_says_what_it_is_for():
    for problem, word in [
        (Problem(Board.parse("50x60", "c3")), "without missing squares"),
        (Problem(graph=nx.cycle_graph(50), closed=True), "not for other graphs"),
        (Problem(Board(2, 9)), "boards of one and two rows"),
        (Problem(Board(9, 1), closed=True), "boards of one and two rows"),
        (Problem(Board(7, 7), closed=True), "odd number"),
        (Problem(Board(8, 8), start=(0, 0), end=(7, 7)), "different colours"),
    ]:
        outcome = solve(problem, "construct")
        assert outcome.verdict is Verdict.UNKNOWN and word in outcome.reason


@every_engine
@pytest.mark.parametrize("seed", [0, 7])
@pytest.mark.parametrize("closed", [False, True])
def test_same_seed_and_one_worker_give_the_same_tour(engine, seed, closed):
    problem = Problem(Board(5, 6), closed=closed)
    first, second = (
        solve(problem, engine, seed=seed, workers=1, own_process=False) for _ in range(2)
    )
    assert first.tour == second.tour
    counted = [
        {name: value for name, value in outcome.statistics.items() if "seconds" not in name}
        for outcome in (first, second)
    ]
    assert counted[0] == counted[1], f"{engine}, seed {seed}"


@pytest.mark.parametrize("engine", ["warnsdorff", "backtrack", "sat", "cpsat", "construct"])
def test_an_own_process_gives_the_same_tour(engine):
    problem = Problem(Board(6, 6), closed=True)
    here, there = (solve(problem, engine, seed=3, own_process=own) for own in (False, True))
    assert here.tour == there.tour
    assert there.statistics["peak_mb"] > 1
    assert there.problem is problem


@every_engine
def test_progress_is_harmless(engine):
    problem = (
        Problem(Board(6, 6), closed=True) if "position" not in engine else Problem(Board(4, 5))
    )
    reports = []
    silent = solve(problem, engine, own_process=False)
    watched = solve(problem, engine, own_process=False, progress=reports.append)
    assert silent.tour == watched.tour
    for report in reports:
        assert all(number >= 0 for number in report.values())


def test_progress_crosses_from_an_own_process():
    reports = []
    problem = Problem(Board(20, 20), closed=True)
    assert solve(problem, "sat", progress=reports.append).verdict is Verdict.FOUND
    assert reports and set(reports[0]) == {"rounds", "cuts"}

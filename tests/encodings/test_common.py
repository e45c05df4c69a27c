"""All encodings: as many models as tours, conditions, clues, estimates, every solver."""

from __future__ import annotations

import random
import time
from functools import cache
from itertools import pairwise, product

import networkx as nx
import pytest
from pysat.solvers import Solver, SolverNames

from kt_cp import Board, Piece, Problem, Verdict, get_engine, solve
from kt_cp.encodings import ENCODING_NAMES, FOR_PROOFS, Cuts, corridor, get_encoding
from kt_cp.encodings.cnf import MOST_ROWS
from kt_cp.encodings.meaning import explanation, meaning
from kt_cp.engines.sat import SOLVERS, flags_of
from kt_cp.model.conditions import Given, Symmetry
from kt_cp.model.cycle import cycle_form
from kt_cp.model.errors import TooLargeError
from kt_cp.model.limits import Limits
from kt_cp.proofs.theorems import theorem
from kt_cp.testing import encoding as contract
from kt_cp.testing import oracle
from kt_cp.testing.encoding import all_tours, edges_of
from kt_cp.testing.engine import is_tour
from tests.examples.random_problems import with_clues
from tests.support.exhaustive import exhaustive, more

STEPS = ("position", "channel")
"""Encodings with a variable for each step: a closed tour is two models, one per direction."""

EVERY = (*ENCODING_NAMES, FOR_PROOFS)


def expected(name, problem, directed):
    """Return the number of models of ``directed`` directed tours, which may be fewer.

    lazy chooses undirected edges: a tour and its reverse are one model, unless start or end
    distinguishes them.  A closed tour is one cycle from whatever square it begins.  The successor
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
    cuts = 0
    for seed in range(5):
        clauses = random.Random(seed).sample(list(cnf.clauses), len(cnf.clauses))
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
                    cuts += 1
    assert cuts >= 5


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
        ("position", 40, "use engine sat:lazy"),
        ("lazy", 2001, "use engine construct"),
        ("lazy:cadical195", 600, "use engine warnsdorff"),
        *((name, 400, "use engine sat:lazy") for name in ENCODING_NAMES[2:]),
    ],
)
def test_what_is_too_large_is_refused_without_building_it(name, side, advice, monkeypatch):
    problem = Problem(Board(side, side), closed=True)
    monkeypatch.setattr(Problem, "indexed", property(lambda _: pytest.fail("the graph was built")))
    began = time.process_time()
    with pytest.raises(TooLargeError) as refused:
        solve(problem, f"sat:{name}")
    assert time.process_time() - began < 0.2
    limit = MOST_ROWS if name == "lazy" else get_encoding(name.partition(":")[0]).most
    assert f"{limit:,}" in str(refused.value) and advice in str(refused.value)
    assert "\n" not in str(refused.value)


WITHIN = [(5, 5), (3, 8), (4, 8)]
NONE = [
    problem
    for rows, columns in sorted(
        {
            (r, c)
            for most, longest in WITHIN
            for r in range(1, most + 1)
            for c in range(r, longest + 1)
        }
    )
    for closed in (False, True)
    if rows * columns > 2
    and theorem(problem := Problem(Board(rows, columns), closed=closed)) is not None
]
"""Every board within those sizes that has no tour, open or closed, as the theorems say."""


def test_there_are_such_boards():
    labels = {problem.label for problem in NONE}
    assert {"3x3, open", "4x4, open", "3x5, open", "3x8, closed", "4x8, closed"} <= labels
    assert "3x4, open" not in labels


@pytest.mark.parametrize("name", ENCODING_NAMES)
@pytest.mark.parametrize("problem", NONE, ids=lambda problem: problem.label)
def test_all_encodings_agree_that_there_is_no_tour(problem, name):
    engine = get_engine(f"sat:{name}")
    outcome = engine.solve(problem, limits=Limits(), seed=0, progress=None)
    assert outcome.verdict is Verdict.IMPOSSIBLE
    assert get_encoding(name).solver in outcome.reason


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(6))
def test_graphs_of_eight_vertices(seed):
    graph = nx.gnp_random_graph(8, (0.35, 0.5, 0.6)[seed % 3], seed=seed)
    conditions = ({}, {"closed": True}, {"start": 0, "end": 5})[seed // 2]
    problem = Problem(graph=graph, **conditions)
    first = 0 if problem.closed else problem.start
    tours = list(oracle.tours(graph, problem.closed, first, problem.end))
    for name in ENCODING_NAMES:
        hold(name, problem, tours)


def fits(name, problem):
    return {type(each) for each in problem.conditions} <= get_encoding(name).takes


def model_count(name, query, tours):
    """Return the number of models of the tours; most encodings have one of two directions.

    position and channel write an open tour without clues and ends from colour 0 where the order is
    even and the graph is bipartite, so there is one direction of these as well.
    """
    problem = query.problem()
    walks = {tuple(tour) for tour in tours}
    if problem.closed and problem.start is None and not query.given:
        walks = {walk for walk in walks if walk[0] == min(walks)[0]}
    one_each = len({frozenset(edges_of(walk, problem)) for walk in walks})
    if name in STEPS:
        free = not (query.given or query.start or query.end or query.closed)
        colours = problem.indexed.colours
        return one_each if free and colours is not None and problem.size % 2 == 0 else len(walks)
    return one_each


def compare_random_clues(name, seed):
    query = with_clues(seed, 10)
    problem = query.problem()
    if not fits(name, problem):
        return False
    tours = list(query.tours())
    made = all_tours(name, problem)
    note = f"{name}, seed {seed}: {problem.label}"
    assert {edges_of(tour, problem) for tour in made} == {edges_of(t, problem) for t in tours}, note
    assert len(made) == model_count(name, query, tours), note
    if query.given:
        assert {*map(tuple, made)} <= {*map(tuple, tours)}, note
    return bool(tours)


@pytest.mark.parametrize("name", (*ENCODING_NAMES, FOR_PROOFS))
def test_as_many_models_with_clues(name):
    solvable = [compare_random_clues(name, seed) for seed in range(more(24, 400))]
    assert sum(solvable) >= 3


def test_who_takes_what():
    steps = {name for name in ENCODING_NAMES if Given in get_encoding(name).takes}
    assert steps == {"position", "channel", "adder", "lfsr", "remainder"}
    turned = {name for name in ENCODING_NAMES if Symmetry in get_encoding(name).takes}
    assert turned == {*ENCODING_NAMES} - {"position"}


every_encoding = pytest.mark.parametrize("name", ENCODING_NAMES)
label = pytest.mark.parametrize


def walks(problem):
    """Every directed tour by plain search, a closed one from its start or the first square."""
    graph, required = nx.Graph(problem.graph), {frozenset(move) for move in problem.require}
    graph.remove_edges_from(problem.forbid)
    first = next(iter(graph)) if problem.closed and problem.start is None else problem.start

    def longer(walk):
        if len(walk) == len(graph):
            ended = not problem.closed or graph.has_edge(walk[-1], walk[0])
            if ended and problem.end in (None, walk[-1]) and required <= edges_of(walk, problem):
                yield tuple(walk)
            return
        for other in graph[walk[-1]]:
            if other not in walk:
                yield from longer([*walk, other])

    for root in graph if first is None else [first]:
        yield from longer([root])


@cache  # every encoding is asked the same
def tours_of(problem):
    return list(walks(problem))


@cache
def random_problem(seed):
    """A random graph, ends of every kind, some edges forbidden, some of the others required."""
    rng = random.Random(seed)
    graph = nx.gnp_random_graph(rng.randint(3, 7), rng.choice([0.5, 0.7, 0.9]), seed=seed)
    if seed % 3 == 0:
        graph.remove_edges_from([edge for edge in graph.edges if sum(edge) % 2 == 0])
    start, end = rng.sample(list(graph), 2)
    ends = ({}, {"closed": True}, {"start": start}, {"end": end}, {"start": start, "end": end},
            {"closed": True, "start": start})[seed % 6]  # fmt: skip
    edges = rng.sample(list(graph.edges), graph.number_of_edges())
    base = Problem(graph=graph, **ends)
    tours = list(walks(base)) if seed % 4 else []
    if tours:  # what is required is of this tour, and what is forbidden is not
        used = edges_of(rng.choice(tours), base)
        edges.sort(key=lambda edge: frozenset(edge) in used)
    forbid, require = edges[: seed % 4], nx.Graph()
    if seed % 5 == 0 and graph.has_edge(start, end):
        require.add_edge(start, end)  # for an open tour between these two: none, or only this move
    for u, v in edges[: seed % 4 - 4 : -1]:
        if max((require.degree[end] for end in (u, v) if end in require), default=0) < 2:
            require.add_edge(u, v)
    forbid = [edge for edge in forbid if not require.has_edge(*edge)]
    return Problem(graph=graph, require=require.edges, forbid=forbid, **ends)


# Of 120 graphs that were once tried with every encoding; sixteen take a minute.
@every_encoding
@label("seed", range(16))
def test_as_many_models_as_tours_of_random_graphs(name, seed):
    problem = random_problem(seed)
    hold(name, problem, tours_of(problem))


def test_the_random_graphs_are_of_every_kind():
    kinds = [(bool(tours_of(p)), p.closed, bool(p.require), bool(p.forbid)) for p in
            map(random_problem, range(120))]  # fmt: skip
    assert {(True, closed, True, True) for closed in (True, False)} < set(kinds)
    assert sum(found for found, *_ in kinds) > 30


def on(board, piece, surface, **conditions):
    return Problem(Board.parse(board, surface=surface), piece=piece, **conditions)


PROBLEMS_WITH_CONDITIONS = [
    on("3x3", "king", "plane", closed=True),
    on(
        "3x3", "knight", "torus", closed=True, require=[((0, 0), (1, 2))], forbid=[((0, 1), (1, 0))]
    ),
    on("3x4", "knight", "cylinder", start=(0, 0), require=[((0, 0), (1, 2))]),
    on("3x5", "knight", "plane"),
    on("4x3", "knight", "moebius", closed=True, forbid=[((0, 0), (1, 2))]),
    on("3x3", "knight", "klein", start=(1, 1), end=(0, 0)),
    on("2x5", "camel", "torus", closed=True, require=[((0, 0), (1, 3))]),
    on("4x4", "wazir", "torus", closed=True, require=[((0, 0), (0, 3)), ((0, 0), (3, 0))]),
    on("3x4", "wazir", "plane", forbid=[((0, 0), (0, 1))]),
    on("3x4", "0,1+1,2", "plane", closed=True, require=[((0, 0), (1, 2)), ((0, 1), (0, 0))]),
    on("2x5", "1,4", "cylinder"),
]  # fmt: skip


@pytest.mark.slow
@every_encoding
@label("problem", PROBLEMS_WITH_CONDITIONS, ids=lambda problem: problem.label)
def test_as_many_models_as_tours_of_pieces_and_surfaces(name, problem):
    hold(name, problem, tours_of(problem))


@every_encoding
@label("moves", [1, 2])
@label("more", [{}, {"closed": True}, {"start": (0, 0)}, {"start": (0, 0), "end": (2, 3)}], ids=str)
def test_squares_without_moves(name, moves, more):
    # b1 keeps one move of three, or none: as an end of an open tour that may be enough.
    forbid = [((0, 1), other) for other in ((2, 0), (2, 2), (1, 3))[: moves + 1]]
    problem = Problem(Board(3, 4), forbid=forbid, **more)
    tours = list(walks(problem))
    hold(name, problem, tours)
    verdict = Verdict.FOUND if tours else Verdict.IMPOSSIBLE
    for engine in (f"sat:{name}", "propagator"):
        assert solve(problem, engine, own_process=False).verdict is verdict


# --- sizes ----------------------------------------------------------------------------------------

SIZED = [
    on("8x8", "knight", "torus", closed=True), on("7x7", "0,1+1,2+1,3", "cylinder", start="a1"),
    Problem(Board(12, 11, missing={(0, 0), (7, 8)}), closed=True, require=[((1, 1), (2, 3))],
            forbid=[((row, 5), (row + 1, 7)) for row in range(11)]),
]  # fmt: skip


@pytest.mark.slow
@every_encoding
@label("problem", SIZED, ids=lambda problem: problem.label)
def test_estimates_with_conditions(name, problem):
    encoding = get_encoding(name)
    estimate = encoding.clauses_of(problem)
    if estimate > encoding.most:
        with pytest.raises(TooLargeError):
            encoding.refuse(problem)
        return
    true = len(encoding.encode(problem).clauses)
    assert 0.99 * true <= estimate <= 12 * true


@every_encoding
def test_what_is_enormous_is_refused_without_its_graph(name, monkeypatch):
    monkeypatch.setattr(Problem, "indexed", property(lambda _: pytest.fail("the graph was built")))
    began = time.perf_counter()
    for board in (Board(10**5, 10**5, surface="torus"), Board(3000, 3000, missing={(1, 1)})):
        with pytest.raises(TooLargeError):
            get_encoding(name).refuse(Problem(board, piece="zebra"))
    assert time.perf_counter() - began < 0.2


# --- corridors, and what variables say ------------------------------------------------------------


@pytest.mark.slow
@label(
    "problem",
    [
        on("20x20", "knight", "torus", closed=True, require=[((0, 0), (1, 2))]),
        on("20x21", "zebra", "plane", closed=True),
        on("15x16", "king", "moebius", start=(0, 0)),
        Problem(Board(20, 20, missing={(7, 7), (3, 12)}), closed=True),
    ],
    ids=lambda problem: problem.label,
)
def test_a_corridor_of_any_piece_on_any_surface(problem):
    assert corridor.corridor(cycle_form(problem)) is not None
    cnf = get_encoding("corridor").encode(problem)
    with Solver(name="cadical195", bootstrap_with=cnf.clauses) as solver:
        assert solver.solve()
        assert solver.accum_stats()["conflicts"] < 1_000
        tour = get_encoding("corridor").decode(cnf, flags_of(solver.get_model(), cnf.variables))
    assert sorted(tour) == sorted(problem.board)
    moves = edges_of(tour, problem)
    assert {frozenset(move) for move in problem.require} <= moves
    assert all(problem.is_move(*move) for move in moves)


def test_there_is_no_corridor_where_no_tour_could_keep_to_it_or_none_would_be_found():
    for problem in (
        on("21x21", "knight", "torus", closed=True),  # without moves over its edges bipartite
        on("20x20", "wazir", "plane", closed=True),
        on("20x20", "camel", "torus", closed=True),  # which keeps its colour
        on("20x20", "knight", "torus", closed=True, require=[((0, 0), (19, 18))]),
        on("20x20", "knight", "plane", closed=True, require=[((5, 5), (7, 6))]),
    ):
        assert corridor.corridor(cycle_form(problem)) is None


def test_measures_of_a_corridor():
    assert corridor.measures(Piece.leaper(1, 4)) == (12, 8)


@every_encoding
@label("more", [{"closed": True}, {}, {"start": (0, 0), "end": (0, 1)}], ids=str)
def test_variables_are_explained_where_moves_are_required(name, more):
    problem = Problem(Board(5, 6), require=[((0, 0), (1, 2))], **more)
    cnf = get_encoding(name).encode(problem)
    text = " ".join(explanation(cnf))
    assert ("goes back to its start a1" in text) == (len(more) == 2 and name not in STEPS)
    assert "None" not in text and all("None" not in what for _, what in meaning(cnf))

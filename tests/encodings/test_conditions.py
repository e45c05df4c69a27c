"""Required and forbidden moves, any piece and surface: as many models as a naive count of tours."""

from __future__ import annotations

import random
import time
from functools import cache

import networkx as nx
import pytest
from pysat.solvers import Solver

from kt_cp import Board, Piece, Problem, Verdict, solve
from kt_cp.encodings import ENCODING_NAMES, corridor, get_encoding
from kt_cp.encodings.cnf import MOST_CLAUSES
from kt_cp.encodings.meaning import explanation, meaning
from kt_cp.engines.sat import flags_of
from kt_cp.model.cycle import cycle_form
from kt_cp.model.errors import TooLargeError
from kt_cp.testing.encoding import edges_of
from tests.encodings.test_common import STEPS, hold

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
    plain = Problem(graph=graph, **ends)
    tours = list(walks(plain)) if seed % 4 else []
    if tours:  # what is required is of this tour, and what is forbidden is not
        used = edges_of(rng.choice(tours), plain)
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
    seen = [(bool(tours_of(p)), p.closed, bool(p.require), bool(p.forbid)) for p in
            map(random_problem, range(120))]  # fmt: skip
    assert {(True, closed, True, True) for closed in (True, False)} < set(seen)
    assert sum(found for found, *_ in seen) > 30


def on(board, piece, surface, **conditions):
    return Problem(Board.parse(board, surface=surface), piece=piece, **conditions)


BOARDS = [
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
@label("problem", BOARDS, ids=lambda problem: problem.label)
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
def test_estimates_are_not_too_low(name, problem):
    encoding = get_encoding(name)
    estimate = encoding.clauses_of(problem)
    if estimate > MOST_CLAUSES:
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
def test_variables_are_told_where_moves_are_required(name, more):
    problem = Problem(Board(5, 6), require=[((0, 0), (1, 2))], **more)
    cnf = get_encoding(name).encode(problem)
    said = " ".join(explanation(cnf))
    assert ("goes back to its start a1" in said) == (len(more) == 2 and name not in STEPS)
    assert "None" not in said and all("None" not in what for _, what in meaning(cnf))

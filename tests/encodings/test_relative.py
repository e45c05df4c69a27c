"""Relative encoding: exactly the tours, a chordal supergraph, and the sizes the essay tells."""

from __future__ import annotations

import random
from functools import partial
from itertools import combinations, product

import networkx as nx
import pytest

from kt_cp import Board, Problem
from kt_cp.encodings import chordal_completion, get_encoding, relative
from kt_cp.encodings.cnf import shape_of
from kt_cp.encodings.successor import successors
from kt_cp.model.cycle import cycle_form
from kt_cp.model.errors import EngineFailedError
from tests import oracle
from tests.arcs import cycle_graph, least, take_out, tours_of_models, undirected
from tests.counting import CORNER, COUNTED
from tests.engines.test_contract import is_tour
from tests.exhaustive import exhaustive

RELATIVE = get_encoding("relative")
WAYS = [relative.encode, partial(relative.encode, tight=False)]
every_way = pytest.mark.parametrize("encode", WAYS, ids=["tight", "plain"])

slow = pytest.mark.slow


@every_way
@pytest.mark.parametrize(
    ("rows", "columns", "more", "count"),
    [*COUNTED, pytest.param(*CORNER, marks=slow)],
)
def test_as_many_models_as_tours(encode, rows, columns, more, count):
    problem = Problem(Board(rows, columns), **more)
    tours = tours_of_models(RELATIVE, problem, encode)
    graph = oracle.knight_graph(rows, columns)
    for tour in tours:
        is_tour(problem, graph, tour)
    assert len(tours) == len({undirected(tour) for tour in tours}) == count


@exhaustive(
    "relative orders have the tours of random graphs",
    product(WAYS, range(60)),
    sample=40,
    batches=2,
)
def test_the_tours_of_random_graphs(cases):
    for encode, seed in cases:
        rng = random.Random(1000 + seed)
        size = rng.randint(3, 7 if seed % 10 else 8)
        graph = nx.gnp_random_graph(size, rng.choice([0.4, 0.6, 0.8]), seed=seed)
        start, end = rng.sample(list(graph), 2)
        for more in ({}, {"closed": True}, {"start": start}, {"end": end},
                     {"start": start, "end": end}, {"closed": True, "start": start}):  # fmt: skip
            problem = Problem(graph=graph, **more)
            tours = tours_of_models(RELATIVE, problem, encode)
            for tour in tours:
                is_tour(problem, graph, tour)
            found = {undirected(tour) for tour in tours}
            ends = (None, None) if problem.closed else (problem.start, problem.end)
            known = list(oracle.tours(graph, problem.closed, *ends))
            if problem.closed:
                known = [kt for kt in known if kt[0] == min(graph) and kt[1] < kt[-1]]
            assert found == {kt if problem.closed else min(kt, kt[::-1]) for kt in known}
            assert len(tours) == len(found), f"seed {seed}, {problem.label}: a tour twice"


def chordal_supergraph(graph):
    """By the definition: all edges that were there at any time."""
    reduced, chordal = graph.copy(), graph.copy()
    while reduced:
        vertex = least(reduced)
        chordal.add_edges_from((vertex, other) for other in take_out(reduced, vertex))
    return chordal


PROBLEMS = [
    Problem(Board(4, 5)), Problem(Board(5, 5), start=(0, 0)), Problem(Board(6, 6), closed=True),
    Problem(Board(8, 8), closed=True), Problem(Board(5, 6), start=(0, 0), end=(0, 5)),
    Problem(Board(6, 6, missing={(0, 0), (2, 3)}), closed=True),
    Problem(graph=nx.petersen_graph(), closed=True), Problem(graph=nx.star_graph(5)),
    Problem(graph=nx.empty_graph(4), closed=True), Problem(graph=nx.cycle_graph(3), closed=True),
    Problem(graph=nx.random_regular_graph(4, 30, seed=3)), Problem(graph=nx.path_graph(3)),
]  # fmt: skip
every_problem = pytest.mark.parametrize("problem", PROBLEMS, ids=lambda problem: problem.label)


@every_problem
def test_the_supergraph_is_chordal(problem):
    graph = cycle_graph(problem)
    chordal = graph.copy()
    gone = []
    for vertex, others in chordal_completion.minimum_degree(
        chordal_completion.adjacency(successors(cycle_form(problem)).form.graph)
    ):
        assert not set(others) & set(gone)
        chordal.add_edges_from((vertex, other) for other in others)
        gone.append(vertex)
    assert sorted(gone) == sorted(graph)
    assert nx.is_chordal(chordal)
    assert nx.utils.graphs_equal(chordal, chordal_supergraph(graph))


def triangles_of(graph):
    return [
        (u, v, w) for u, v in graph.edges for w in sorted(nx.common_neighbors(graph, u, v))
        if max(u, v) < w
    ]  # fmt: skip


@every_problem
def test_sizes_are_those_of_the_essay(problem):
    shared = successors(cycle_form(problem))
    variables, clauses = shared.fresh.top, len(shared.clauses)
    graph = cycle_graph(problem)
    arcs_of_start = 2 * graph.degree(shared.start)
    rest = graph.copy()
    rest.remove_node(shared.start)
    chordal = chordal_supergraph(rest)
    triangles = triangles_of(chordal)
    sides = sum(rest.has_edge(*side) for each in triangles for side in combinations(each, 2))
    plain = relative.encode(problem, tight=False)
    assert plain.variables == max(1, variables + chordal.number_of_edges())
    order = 2 * graph.number_of_edges() - arcs_of_start
    assert len(plain.clauses) == clauses + order + 2 * len(triangles)
    tight = relative.encode(problem)
    assert tight.variables == plain.variables
    assert len(tight.clauses) == len(plain.clauses) + 2 * sides
    assert relative.clauses_of(problem) >= len(tight.clauses)


def test_triangles_are_as_good_as_all_triples():
    # Every orientation of a small chordal graph without directed triangles has no directed cycle.
    chordal = chordal_supergraph(nx.cycle_graph(6))
    edges = list(chordal.edges)
    triangles = triangles_of(chordal)
    orders = 0
    for choice in range(2 ** len(edges)):
        turned = [edge if choice >> i & 1 else edge[::-1] for i, edge in enumerate(edges)]
        oriented = nx.DiGraph(turned)
        around = any(len(set(dict(oriented.subgraph(t).out_degree).values())) == 1
                     for t in triangles)  # fmt: skip
        assert around is not nx.is_directed_acyclic_graph(oriented)
        orders += not around
    assert orders == 2 * 3**4  # an edge two ways, and each of four triangles on it three


LARGE = [
    (*sides, closed)
    for sides in [(32, 32), (25, 41), (20, 60), (15, 100), (9, 150), (8, 200), (3, 400)]
    for closed in (False, True)
]


@exhaustive("estimates of relative on large boards", LARGE, sample=3, batches=2)
def test_large_boards_are_not_judged_too_low(cases):
    for rows, columns, closed in cases:
        problem = Problem(Board(rows, columns), closed=closed)
        graph = cycle_form(problem).graph
        degrees = [
            len(others)
            for _, others in chordal_completion.minimum_degree(chordal_completion.adjacency(graph))
        ]
        true = sum(degree * (degree - 1) // 2 for degree in degrees)
        judged, _ = chordal_completion.completion_size(problem)
        assert true <= judged <= 12 * true and shape_of(problem).arcs >= 2 * len(graph.tails)


def test_nonsense_is_no_tour():
    cnf = RELATIVE.encode(Problem(Board(5, 6), closed=True))
    for true in ([False] * (cnf.variables + 1), [True] * (cnf.variables + 1)):
        with pytest.raises(EngineFailedError, match="relative"):
            RELATIVE.decode(cnf, true)
    # Two triangles: a successor for everyone, but no tour.
    cnf = RELATIVE.encode(Problem(graph=nx.complete_graph(6), closed=True))
    chosen = {(0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3)}
    flags = [False, *(arc in chosen for arc in cnf.key.arcs)] + [False] * cnf.variables
    with pytest.raises(EngineFailedError, match="2 cycles"):
        RELATIVE.decode(cnf, flags)


@pytest.mark.parametrize("graph", [nx.cycle_graph(3), nx.complete_graph(3)], ids=str)
def test_a_triangle_is_a_tour(graph):
    assert len(tours_of_models(RELATIVE, Problem(graph=graph, closed=True))) == 1

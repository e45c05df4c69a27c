"""Relative encoding: exactly the tours, a chordal supergraph, and the sizes the essay tells."""

from __future__ import annotations

from functools import partial
from itertools import combinations, product

import networkx as nx
import pytest

from kt_cp import Board, Problem
from kt_cp.encodings import chordal_completion, get_encoding, relative
from kt_cp.encodings.cnf import shape_of
from kt_cp.encodings.successor import successors
from kt_cp.model.cycle import cycle_form
from tests.support.exhaustive import exhaustive
from tests.support.successor_models import (
    CORNER,
    COUNTED,
    cycle_graph,
    has_as_many_tours,
    has_no_tour_of_nonsense,
    has_the_tours_of_a_random_graph,
    least,
    take_out,
    tours_of_models,
)

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
    has_as_many_tours(RELATIVE, encode, rows, columns, more, count)


@exhaustive(
    "relative orders have the tours of random graphs",
    product(WAYS, range(60)),
    sample=20,
    batches=2,
)
def test_the_tours_of_random_graphs(cases):
    for encode, seed in cases:
        has_the_tours_of_a_random_graph(RELATIVE, encode, seed)


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


@exhaustive("estimates of relative on large boards", LARGE, sample=1, batches=2)
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
    has_no_tour_of_nonsense(RELATIVE, relative.encode)


@pytest.mark.parametrize("graph", [nx.cycle_graph(3), nx.complete_graph(3)], ids=str)
def test_a_triangle_is_a_tour(graph):
    assert len(tours_of_models(RELATIVE, Problem(graph=graph, closed=True))) == 1

"""Elimination and relative orders: exactly the tours, and the sizes that the essays state."""

from __future__ import annotations

from itertools import combinations, permutations, product

import networkx as nx
import pytest

from kt_cp import Board, Problem
from kt_cp.encodings import chordal_completion, elimination, get_encoding, hybrid, relative
from kt_cp.encodings.cnf import shape_of
from kt_cp.encodings.successor import successors
from kt_cp.model.cycle import cycle_form
from kt_cp.testing import oracle
from tests.support.exhaustive import exhaustive
from tests.support.successor_models import (
    CORNER,
    COUNTED,
    cycle_graph,
    has_as_many_tours,
    has_no_tour_of_nonsense,
    has_the_tours_of_a_random_graph,
    least,
    one_of,
    take_out,
    tours_of_models,
)

RELATIVE = get_encoding("relative")


@pytest.mark.parametrize(
    ("rows", "columns", "more", "count"),
    [*COUNTED, pytest.param(*CORNER, marks=pytest.mark.slow)],
)
def test_relative_as_many_models_as_tours(rows, columns, more, count):
    has_as_many_tours(RELATIVE, relative.encode, rows, columns, more, count)


@exhaustive(
    "relative orders have the tours of random graphs",
    range(60),
    sample=20,
    batches=2,
)
def test_relative_tours_of_random_graphs(cases):
    for seed in cases:
        has_the_tours_of_a_random_graph(RELATIVE, relative.encode, seed)


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
def test_relative_sizes(problem):
    shared = successors(cycle_form(problem))
    variables, clauses = shared.fresh.top, len(shared.clauses)
    graph = cycle_graph(problem)
    arcs_of_start = 2 * graph.degree(shared.start)
    rest = graph.copy()
    rest.remove_node(shared.start)
    chordal = chordal_supergraph(rest)
    triangles = triangles_of(chordal)
    sides = sum(rest.has_edge(*side) for each in triangles for side in combinations(each, 2))
    cnf = relative.encode(problem)
    assert cnf.variables == max(1, variables + chordal.number_of_edges())
    order = 2 * graph.number_of_edges() - arcs_of_start
    assert len(cnf.clauses) == clauses + order + 2 * len(triangles) + 2 * sides
    assert relative.clauses_of(problem) >= len(cnf.clauses)


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


LARGE_RELATIVE = [
    (*sides, closed)
    for sides in [(32, 32), (25, 41), (20, 60), (15, 100), (9, 150), (8, 200), (3, 400)]
    for closed in (False, True)
]


@exhaustive("estimates of relative on large boards", LARGE_RELATIVE, sample=1, batches=2)
def test_relative_estimates_of_large_boards(cases):
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


def test_relative_rejects_nonsense():
    has_no_tour_of_nonsense(RELATIVE, relative.encode)


@pytest.mark.parametrize("graph", [nx.cycle_graph(3), nx.complete_graph(3)], ids=str)
def test_a_triangle_is_a_tour(graph):
    assert len(tours_of_models(RELATIVE, Problem(graph=graph, closed=True))) == 1


WAYS = {
    name: (get_encoding(name), module.encode)
    for name, module in (("elimination", elimination), ("hybrid", hybrid))
}
every_way = pytest.mark.parametrize("way", WAYS)


@every_way
@pytest.mark.parametrize(
    ("rows", "columns", "more", "count"),
    [*COUNTED, pytest.param(*CORNER, marks=pytest.mark.slow)],
)
def test_as_many_models_as_tours(way, rows, columns, more, count):
    has_as_many_tours(*WAYS[way], rows, columns, more, count)


@exhaustive(
    "eliminations have the tours of random graphs", product(WAYS, range(60)), sample=35, batches=2
)
def test_the_tours_of_random_graphs(cases):
    for way, seed in cases:
        has_the_tours_of_a_random_graph(*WAYS[way], seed)


@pytest.mark.slow
@every_way
@pytest.mark.parametrize("size", [3, 4, 5])
def test_all_graphs_of_few_vertices(way, size):
    pairs = [(u, v) for u in range(size) for v in range(u)]
    for present in product([False, True], repeat=len(pairs)):
        graph = nx.empty_graph(size)
        graph.add_edges_from(pair for pair, here in zip(pairs, present, strict=True) if here)
        problem = Problem(graph=graph, closed=True)
        tours = tours_of_models(WAYS[way][0], problem, WAYS[way][1])
        known = sum(1 for _ in oracle.tours(graph, closed=True)) // (2 * size)
        assert len(tours) == known, graph.edges


def sizes(problem, stops):
    """Variables, clauses, and the graph that is left: by the formulas of the essay."""
    shared = successors(cycle_form(problem))
    variables, clauses = shared.fresh.top, len(shared.clauses)
    graph = cycle_graph(problem)
    total, changed, gone = len(graph), set(), 0

    def counted(vertex):
        nonlocal variables, clauses
        degree = graph.degree(vertex)
        of_one, auxiliaries = one_of(degree) if degree else (2, 0)
        variables += 2 * auxiliaries
        clauses += 2 * of_one + degree

    while len(graph) > 3:
        vertex = least(graph)
        degree = graph.degree(vertex)
        if stops and degree * gone > total:
            break
        if vertex in changed:
            counted(vertex)
        joined = sum(graph.has_edge(*pair) for pair in permutations(graph[vertex], 2))
        pairs = degree * (degree - 1)
        variables += pairs
        clauses += pairs + joined
        changed |= set(take_out(graph, vertex))
        gone += 1
    for vertex in changed & set(graph):
        counted(vertex)
    return variables, clauses, graph


@every_way
@pytest.mark.parametrize("problem", PROBLEMS, ids=lambda problem: problem.label)
def test_sizes_are_those_of_the_essay(way, problem):
    encoding, encode = WAYS[way]
    cnf = encode(problem)
    variables, clauses, left = sizes(problem, encoding.name == "hybrid")
    if len(left) > 3:
        bits = (len(left) - 1).bit_length()
        at_origin = min(degree for _, degree in left.degree)
        variables += bits * (len(left) - 1)
        arcs = 2 * left.number_of_edges()
        clauses += (arcs - 2 * at_origin) * bits * (bits + 1) + 2 * at_origin * bits
    assert (cnf.variables, len(cnf.clauses)) == (max(variables, 1), clauses)
    assert encoding.clauses_of(problem) >= clauses


@pytest.mark.parametrize(("side", "gone"), [(8, 17), (20, 76)])
def test_as_many_vertices_go_as_published(side, gone):
    # Zhou, CP 2024.
    problem = Problem(Board(side, side), closed=True)
    assert len(sizes(problem, True)[2]) == side * side - gone


LARGE = [
    (*sides, closed)
    for sides in [(32, 32), (45, 45), (20, 60), (9, 150), (3, 400)]
    for closed in (False, True)
]


@exhaustive("estimates of hybrid on large boards", LARGE, sample=0, batches=2)
def test_large_boards_are_not_judged_too_low(cases):
    for rows, columns, closed in cases:
        problem = Problem(Board(rows, columns), closed=closed)
        true = len(hybrid.encode(problem).clauses)
        assert true <= hybrid.clauses_of(problem) <= 4 * true


@every_way
def test_nonsense_is_no_tour(way):
    has_no_tour_of_nonsense(*WAYS[way])


def test_breaking_off_leaves_the_reduced_graph():
    adjacent = chordal_completion.adjacency(Problem(graph=nx.cycle_graph(6)).indexed)
    for vertex, _ in chordal_completion.minimum_degree(adjacent):
        if vertex == 2:
            break
    assert adjacent == {2: {3, 5}, 3: {2, 4}, 4: {3, 5}, 5: {2, 4}}

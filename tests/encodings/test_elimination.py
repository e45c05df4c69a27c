"""Elimination and hybrid: exactly the tours, and the sizes that the essays tell."""

from __future__ import annotations

from functools import partial
from itertools import permutations, product

import networkx as nx
import pytest

from kt_cp import Board, Problem
from kt_cp.encodings import chordal_completion, elimination, get_encoding, hybrid
from kt_cp.encodings.successor import successors
from kt_cp.model.cycle import cycle_form
from kt_cp.testing import oracle
from tests.encodings.test_elimination import PROBLEMS
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

WAYS = {
    name + exact * " exact": (get_encoding(name), partial(module.encode, exact=exact))
    for name, module in (("elimination", elimination), ("hybrid", hybrid))
    for exact in (False, True)
}
every_way = pytest.mark.parametrize("way", WAYS)
slow = pytest.mark.slow


@every_way
@pytest.mark.parametrize(
    ("rows", "columns", "more", "count"),
    [*COUNTED, pytest.param(*CORNER, marks=slow)],
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


def sizes(problem, exact, stops):
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
        clauses += pairs + joined + exact * (2 * pairs + joined)
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
    variables, clauses, left = sizes(problem, "exact" in way, encoding.name == "hybrid")
    if len(left) > 3:
        bits = (len(left) - 1).bit_length()
        at_origin = min(degree for _, degree in left.degree)
        variables += bits * (len(left) - 1)
        arcs = 2 * left.number_of_edges()
        clauses += (arcs - 2 * at_origin) * bits * (bits + 1) + 2 * at_origin * bits
    assert (cnf.variables, len(cnf.clauses)) == (max(variables, 1), clauses)
    if "exact" not in way:
        assert encoding.clauses_of(problem) >= clauses


@pytest.mark.parametrize(("side", "gone"), [(8, 17), (20, 76)])
def test_as_many_vertices_go_as_published(side, gone):
    # Zhou, CP 2024.
    problem = Problem(Board(side, side), closed=True)
    assert len(sizes(problem, False, True)[2]) == side * side - gone


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


def test_whoever_breaks_off_is_left_with_the_reduced_graph():
    adjacent = chordal_completion.adjacency(Problem(graph=nx.cycle_graph(6)).indexed)
    for vertex, _ in chordal_completion.minimum_degree(adjacent):
        if vertex == 2:
            break
    assert adjacent == {2: {3, 5}, 3: {2, 4}, 4: {3, 5}, 5: {2, 4}}

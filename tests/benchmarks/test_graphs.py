"""The graphs of the benchmarks: what each family is said to be, counted on its smallest members."""

from __future__ import annotations

import doctest
import random
from itertools import pairwise

import networkx as nx
import pytest
import typer
from typer.testing import CliRunner

from benchmarks import exact_cover, graphs, non_hamiltonian, planted, regular, uniquely_hamiltonian
from benchmarks.graphs import LARGEST, SMALLEST, acyclic, catalogue
from benchmarks.planted import (
    around,
    glue_at_cubic,
    glue_at_edges,
    glue_at_pairs,
    is_cycle,
    plant,
)
from kt_cp import Enumeration, Problem
from tests.support.exhaustive import more

FAMILIES = {it.family: it for it in reversed(catalogue().values())}


def cycles(graph):
    return Enumeration(Problem(graph=graph, closed=True)).count()


def degrees(graph):
    return {*dict(graph.degree).values()}


@pytest.mark.parametrize(
    "module", [exact_cover, graphs, non_hamiltonian, regular, uniquely_hamiltonian, planted]
)
def test_examples_are_true(module):
    failed, tried = doctest.testmod(module)
    assert tried and not failed


def test_graphs_are_written_for_other_solvers(tmp_path):
    app = typer.Typer()
    app.command()(graphs.main)
    ran = CliRunner().invoke(app, [str(tmp_path), "petersen-1", "coxeter"])
    assert ran.exit_code == 0, ran.output
    text = (tmp_path / "petersen-1.hcp").read_text()
    assert "TYPE : HCP" in text and "DIMENSION : 66" in text
    assert (tmp_path / "graphs.csv").read_text().splitlines()[1:] == [
        'petersen-1,"generalized Petersen",66,99,yes', 'coxeter,"Coxeter",28,42,no',
    ]  # fmt: skip
    assert CliRunner().invoke(app, [str(tmp_path), "petersen-0"]).exit_code == 2


def test_there_are_as_many_as_are_said_and_each_is_made_again():
    families = [it.family for it in catalogue().values()]
    assert len(families) == 220 and families.count("combined") == 82
    for it in (catalogue()["combined-1"], catalogue()["queens-1"]):
        first, second = it.make(), it.make()
        assert first.cycle == second.cycle and nx.utils.graphs_equal(first.graph, second.graph)


@pytest.mark.parametrize("family", FAMILIES)
def test_the_smallest_of_a_family_has_its_cycle_and_no_number_tells_it(family):
    graph, cycle = FAMILIES[family].make()
    assert is_cycle(graph, cycle) and sorted(graph) == list(range(len(graph)))
    assert SMALLEST <= len(graph) <= LARGEST
    assert nx.number_of_selfloops(graph) == 0 and type(graph) is nx.Graph
    assert sum(abs(u - v) == 1 for u, v in pairwise(cycle)) < len(graph) / 4


@pytest.mark.slow
def test_the_largest_of_each_family_has_the_cycle_that_was_planted():
    largest = {it.family: it for it in catalogue().values()}
    # Of those that take seconds to make one by itself.
    left = more({"combined", "Fleischner", "Sheehan"}, set())
    for family, it in largest.items():
        if family in left:
            continue
        graph, cycle = it.make()
        assert is_cycle(graph, cycle) and SMALLEST <= len(graph) <= LARGEST, family


@pytest.mark.parametrize("n", [9, 15])
def test_generalized_petersen_graphs_have_three_cycles_or_none(n):
    assert cycles(regular.petersen(n).graph) == 3
    assert cycles(non_hamiltonian.petersen(n - 4)) == 0
    assert degrees(regular.petersen(n).graph) == {3}


@pytest.mark.parametrize(("n", "many"), [(5, 4), (7, 12), (9, 20)])
def test_a_flower_snark_has_cycles_with_one_edge_more(n, many):
    graph, _ = regular.flower(n)
    assert cycles(graph) == many and graph.size() == 6 * n + 1
    assert sorted(dict(graph.degree).values()) == [3] * (4 * n - 2) + [4, 4]
    assert cycles(non_hamiltonian.flower_snark(n)) == 0


@pytest.mark.parametrize("n", [4, 5, 6, 9, 12])
def test_sheehans_graph_has_one_cycle_and_no_edge_can_be_added(n):
    graph, _ = uniquely_hamiltonian.sheehan(n)
    assert cycles(graph) == 1 and graph.size() == n * n // 4 + 1
    for u, v in list(nx.non_edges(graph))[:6]:
        assert cycles(nx.Graph([*graph.edges, (u, v)])) > 1


def test_nearly_cubic_graphs_have_one_cycle():
    for size in (18, 40, 60):
        graph = uniquely_hamiltonian.nearly_cubic(size, random.Random(size)).graph
        assert cycles(graph) == 1
        assert sorted(dict(graph.degree).values()) == [3] * (len(graph) - 2) + [4, 4]


def test_fleischners_gadgets_have_two_cycles_and_one_through_an_edge():
    for copies in (0, 1):
        graph, through, other = uniquely_hamiltonian.gadget(copies)
        assert len(graph) == 15 + 14 * copies and graph.size() == 24 + 34 * copies
        assert cycles(graph) == 2
        for cycle in (through, other):
            assert is_cycle(*plant(graph.edges, cycle))


@pytest.mark.slow
def test_half_of_fleischners_graph_has_one_cycle_through_its_last_edge():
    graph, cycle = uniquely_hamiltonian.half((0, 0, 0))
    through = Problem(graph=graph, closed=True, require=[(cycle[-1], cycle[0])])
    assert Enumeration(through).count() == 1


def test_fleischners_graph_has_the_sizes_that_are_published():
    graph, cycle = uniquely_hamiltonian.fleischner([(3, 3, 3)] * 2)
    assert len(graph) == 338 and is_cycle(graph, cycle)
    found = sorted(dict(graph.degree).values())
    assert found == [3] * 4 + [4] * 312 + [8] * 4 + [14] * 18


@pytest.mark.parametrize("glue", [glue_at_edges, glue_at_pairs])
def test_glued_at_two_edges_there_are_as_many_cycles_as_pairs_through_them(glue):
    rng = random.Random(3)
    for _ in range(4):
        one, other = rng.sample(
            [regular.petersen(9), uniquely_hamiltonian.royle(), regular.flower(5)], 2
        )
        i, j = rng.randrange(len(one.cycle)), rng.randrange(len(other.cycle))
        through = [
            cycles(it.graph) - cycles(nx.Graph(nx.restricted_view(it.graph, [], [edge])))
            for it, edge in zip((one, other), (_edge(one, i), _edge(other, j)), strict=True)
        ]
        graph, cycle = glue(one, other, i, j)
        assert is_cycle(graph, cycle) and cycles(graph) == through[0] * through[1]


def _edge(it, place):
    return it.cycle[place], it.cycle[(place + 1) % len(it.cycle)]


def test_glued_at_cubic_nodes_three_times_three_cycles_are_three():
    graph, cycle = glue_at_cubic(regular.petersen(9), regular.petersen(15), 4, 7)
    assert is_cycle(graph, cycle) and cycles(graph) == 3 and degrees(graph) == {3}


def test_what_is_no_cycle_is_told():
    for edges in ([(0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3)], [(0, 1), (1, 2)]):
        with pytest.raises(ValueError, match="expected"):
            around(edges)
    square = nx.cycle_graph(4)
    for wrong in ((0, 1, 2), (0, 1, 2, 2), (0, 2, 1, 3), ()):
        assert not is_cycle(square, wrong)


@pytest.mark.parametrize(
    ("sets", "covers"),
    [
        ([{1, 2}, {3}, {2, 3}, {1}], 2),
        ([{1}, {1}, {1}, {2}], 3),
        ([{1, 2, 3}, {1}, {2}, {3}, {1, 2}], 3),
        ([{1, 2}, {3, 4}, {1, 3}, {2, 4}, {2, 3}, {1, 4}], 3),
    ],
)
def test_there_are_as_many_cycles_as_exact_covers(sets, covers):
    chosen = {0, 3} if len(sets[0]) == 1 else {0} if len(sets[0]) == 3 else {0, 1}
    graph, cycle = exact_cover.exact_cover(sets, chosen)
    assert is_cycle(graph, cycle) and cycles(graph) == covers


def test_sets_that_are_no_exact_cover_are_refused():
    for chosen in ({0, 1}, {0}, set()):
        with pytest.raises(ValueError, match="every item exactly once"):
            exact_cover.exact_cover([{1, 2}, {2, 3}, {1, 3}], chosen)


@pytest.mark.parametrize("seed", range(3))
def test_puzzles_have_the_solution_that_was_planted(seed):
    rng = random.Random(seed)
    made = [
        exact_cover.queens(5, rng, 0.3),
        exact_cover.insanity(2, rng),
        exact_cover.sudoku(70, rng),
    ]
    for graph, cycle in (*made, exact_cover.domination(8, 2, 4, rng)):
        assert is_cycle(graph, cycle)
    for n in (2, 3, 8):
        with pytest.raises(ValueError, match="modulo 6"):
            exact_cover.queens(n, rng)


def test_bells_are_rung_by_swaps_of_neighbours():
    graph, cycle = regular.bells(4, 2)
    assert degrees(graph) == {4} and is_cycle(graph, cycle) and len(graph) == 24


@pytest.mark.parametrize("name", [name for name in acyclic() if name.endswith(("-0", "er", "J7"))])
def test_named_graphs_have_no_cycle(name):
    assert cycles(acyclic()[name].make().graph) == 0


def test_graphs_without_a_cycle_are_what_they_are_said_to_be():
    for graph, size, all_degrees in (
        (non_hamiltonian.tutte(), 69, {3}), (non_hamiltonian.coxeter(), 42, {3}),
        (non_hamiltonian.meredith(), 140, {4}),
        (non_hamiltonian.horton(), 144, {3}), (non_hamiltonian.ellingham_horton(), 81, {3}),
    ):  # fmt: skip
        assert graph.size() == size and degrees(graph) == all_degrees
        assert nx.node_connectivity(graph) == all_degrees.pop()
    assert nx.is_bipartite(non_hamiltonian.horton()) and nx.is_bipartite(
        non_hamiltonian.ellingham_horton()
    )
    assert nx.girth(non_hamiltonian.coxeter()) == 7
    for graph in (
        non_hamiltonian.tough(1),
        non_hamiltonian.tough(3),
        non_hamiltonian.grid(3, 3),
        non_hamiltonian.rooms(4, 2),
    ):
        assert cycles(graph) == 0
    assert cycles(non_hamiltonian.tutte(3)) == 0 and nx.is_planar(non_hamiltonian.tutte(3))


def test_tough_graphs_break_into_no_more_parts_than_nodes_are_removed():
    graph = non_hamiltonian.tough(1)
    for mask in range(1, 1 << len(graph)):
        removed = [v for v in graph if mask >> v & 1]
        left = graph.subgraph(set(graph) - set(removed))
        assert nx.number_connected_components(left) <= max(1, len(removed))

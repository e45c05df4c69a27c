"""A Hamiltonian cycle by dynamic programming over a tree decomposition."""

import random
from itertools import pairwise, permutations

import networkx as nx
import pytest

from kt_cp import Problem, solve
from kt_cp.model.cycle import cycle_form
from kt_cp.model.outcome import Verdict
from kt_cp.search import tree_decomposition
from kt_cp.search.tree_decomposition import cycle_by_decomposition, decompose
from kt_cp.trust.judge import defects
from tests.support.steps import change_step, give_up

SEED = 20261129


def search(problem, most=100_000, should_stop=lambda: False):
    form = cycle_form(problem)
    decomposition = decompose(form.graph.neighbours)
    cycle, exhausted, _ = cycle_by_decomposition(
        form, decomposition, most=most, should_stop=should_stop
    )
    return None if cycle is None else form.tour(cycle), exhausted


def has_tour(problem):
    """Try all orders of the nodes."""
    graph = problem.graph
    for order in permutations(graph):
        moves = [*pairwise(order), *([(order[-1], order[0])] if problem.closed else [])]
        edges = {frozenset(move) for move in moves}
        ends = (problem.start in (None, order[0])) and problem.end in (None, order[-1])
        required = {frozenset(move) for move in problem.require}
        if ends and required <= edges and all(graph.has_edge(*move) for move in moves):
            return True
    return False


def random_problem(rng):
    size = rng.randint(3, 7)
    graph = nx.gnm_random_graph(
        size, rng.randint(size - 1, 2 * size + 2), seed=rng.randrange(2**32)
    )
    if rng.random() < 0.5:
        edges = sorted(graph.edges)
        require = rng.sample(edges, min(len(edges), rng.randint(0, 2)))
        return Problem(graph=graph, closed=True, require=require)
    start, end = rng.sample(range(size), 2)
    return Problem(graph=graph, start=start, end=rng.choice([end, None]))


def test_small_graphs_are_decided_as_by_all_orders():
    print("seed", SEED)
    rng = random.Random(SEED)
    answers = {True: 0, False: 0}
    for _ in range(400):
        problem = random_problem(rng)
        tour, exhausted = search(problem)
        assert exhausted
        assert (tour is not None) == has_tour(problem), (problem.graph.edges, problem)
        if tour is not None:
            assert not defects(problem, tour.squares)
        answers[tour is not None] += 1
    assert min(answers.values()) > 50


def ladders_with_hubs(links, hubs):
    """Return a ring of ladders, each with a hub that is joined to one side of it."""
    graph = nx.Graph()
    ends = []
    for hub in range(hubs):
        rungs = [((hub, at, 0), (hub, at, 1)) for at in range(links)]
        graph.add_edges_from(rungs)
        for before, after in pairwise(rungs):
            graph.add_edges_from(zip(before, after, strict=True))
        graph.add_edges_from(((hub,), rung[0]) for rung in rungs[1:])
        ends.append((rungs[0][0], rungs[0][1]))
        if hub:
            graph.add_edge(ends[-2][1], ends[-1][0])
    graph.add_edge(ends[-1][1], ends[0][0])
    return graph


def test_a_cycle_through_hubs():
    problem = Problem(graph=ladders_with_hubs(40, 4), closed=True)
    decomposition = decompose(cycle_form(problem).graph.neighbours)
    assert decomposition.width <= 8
    tour, exhausted = search(problem)
    assert exhausted and tour is not None and not defects(problem, tour.squares)


def test_several_cycles_are_no_answer():
    triangles = nx.disjoint_union(nx.cycle_graph(3), nx.cycle_graph(3))
    triangles.add_edge(0, 3)  # a bridge
    assert search(Problem(graph=triangles, closed=True)) == (None, True)
    petersen = Problem(graph=nx.petersen_graph(), closed=True)
    assert search(petersen) == (None, True)


def test_it_gives_up(monkeypatch):
    problem = Problem(graph=nx.circular_ladder_graph(30), closed=True)
    assert search(problem, most=3) == (None, False)
    assert search(problem, should_stop=lambda: True) == (None, False)
    with monkeypatch.context() as limits:
        limits.setattr(tree_decomposition, "MOST_PAIRS", 3)
        assert search(problem) == (None, False)
    assert decompose(cycle_form(Problem(graph=nx.complete_graph(20))).graph.neighbours) is None


@pytest.mark.parametrize("closes", [True, False])
def test_auto_takes_it_for_graphs_of_small_treewidth(closes, monkeypatch):
    graph = ladders_with_hubs(40, 4)
    if not closes:  # a node with one neighbour
        graph.add_edge((0, 5, 0), "end")
    earlier = (
        "few cases",
        "short backtracking",
        "short frontier search",
        "bounded SAT",
        "decomposition",
    )
    later = ("linear program", "frontier search", "backtracking", "portfolio")
    for name in (*earlier, *later):
        change_step(monkeypatch, name, run=give_up)
    change_step(monkeypatch, "obstructions", run=lambda _: None)
    outcome = solve(Problem(graph=graph, closed=True), seed=1)
    assert outcome.verdict is (Verdict.FOUND if closes else Verdict.IMPOSSIBLE)
    assert "tree decomposition" in [step.name for step in outcome.steps]

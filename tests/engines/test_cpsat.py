"""The CP-SAT engine and the propagator."""

from __future__ import annotations

import random
from itertools import pairwise, permutations

import networkx as nx
import pytest

from kt_cp import Board, Problem, Verdict, solve
from kt_cp.engines import propagator
from kt_cp.engines.cpsat import RESTART_PERIOD, circuit_model
from kt_cp.engines.propagator import LinearForest, SubTours
from kt_cp.model.errors import ProblemError
from kt_cp.model.graph import index_board


def test_a_seed_shuffles_the_arcs_of_each_square_and_nothing_else():
    problem = Problem(Board(6, 6), start=(0, 0))
    ordered, shuffled = (circuit_model(problem, seed)[1] for seed in (0, 3))
    assert ordered != shuffled
    assert [tail for tail, _ in ordered] == [tail for tail, _ in shuffled]
    assert sorted(ordered) == sorted(shuffled)


def test_seeds_give_tours_of_their_own():
    problem = Problem(Board(12, 12), closed=True)
    tours = {tuple(solve(problem, "cpsat", seed=seed).tour) for seed in range(5)}
    assert len(tours) == 5


@pytest.mark.slow
def test_side_190_is_one_sweep():
    """With restarts after about fifty conflicts, this takes more than a minute."""
    outcome = solve(Problem(Board(190, 190), closed=True), "cpsat", time_limit=120)
    assert outcome.verdict is Verdict.FOUND
    assert outcome.statistics["conflicts"] < RESTART_PERIOD
    assert outcome.statistics["decisions"] < 3 * 190 * 190


def arcs_and_conditions(rng):
    """Return a small digraph, and conditions on its tours as keywords."""
    size = rng.randint(1, 6)
    arcs = [(u, v) for u in range(size) for v in range(size) if u != v and rng.random() < 0.5]
    digraph = nx.DiGraph(arcs)
    digraph.add_nodes_from(range(size))
    conditions = {"closed": rng.random() < 0.5}
    if rng.random() < 0.3:
        conditions["start"] = rng.randrange(size)
    if not conditions["closed"] and rng.random() < 0.3:
        conditions["end"] = rng.choice(
            [v for v in range(size) if v != conditions.get("start")] or [0]
        )
    if len(arcs) > 2 and rng.random() < 0.5:
        conditions["require"], conditions["forbid"] = ([arc] for arc in rng.sample(arcs, 2))
    if size > 2 and rng.random() < 0.3:
        conditions["given"] = {rng.randrange(size): rng.randint(1, size)}
    return digraph, conditions


def has_tour(digraph, conditions):
    """Return whether there is a tour, by trying all orders of the nodes."""
    for walk in permutations(digraph):
        arcs = {*pairwise(walk), *([(walk[-1], walk[0])] if conditions["closed"] else [])}
        if (
            (len(walk) > 1 or not conditions["closed"])
            and arcs <= {*digraph.edges}
            and conditions.get("start", walk[0]) == walk[0]
            and conditions.get("end", walk[-1]) == walk[-1]
            and arcs >= {*conditions.get("require", ())}
            and not arcs & {*conditions.get("forbid", ())}
            and all(walk[step - 1] == node for node, step in conditions.get("given", {}).items())
        ):
            return True
    return False


@pytest.mark.parametrize("seed", range(5))
def test_arcs_are_taken_as_they_are(seed):
    rng, tried = random.Random(seed), 0
    while tried < 12:
        digraph, conditions = arcs_and_conditions(rng)
        try:
            problem = Problem(graph=digraph, **conditions)
        except ProblemError:
            continue
        tried += 1
        outcome = solve(problem, "cpsat", seed=tried % 2)
        assert (outcome.verdict is Verdict.FOUND) == has_tour(digraph, conditions), (
            seed,
            conditions,
        )
        assert outcome.statistics["arcs"] <= digraph.size() + 2 * len(digraph)


def naive(forest, chosen):
    """Return the other end and the length of the piece of each vertex with fewer than two edges."""
    graph = nx.Graph()
    graph.add_nodes_from(range(forest.size))
    graph.add_edges_from((forest.tails[edge], forest.heads[edge]) for edge in chosen)
    known = {}
    for piece in nx.connected_components(graph):
        ends = [vertex for vertex in piece if graph.degree[vertex] < 2]
        for end in ends:
            known[end] = (ends[0] + ends[-1] - end if len(piece) > 1 else end, len(piece))
    return known


@pytest.mark.parametrize("seed", range(5))
def test_linear_forest_against_a_naive_count(seed):
    rng = random.Random(seed)
    indexed = index_board(Board(5, 6))
    number = {pair: edge for edge, pair in enumerate(indexed.pairs())}
    forest = LinearForest(indexed)
    chosen = []
    for _ in range(300):
        if chosen and rng.random() < 0.1:
            left = rng.randrange(len(chosen))
            forest.undo(left)
            del chosen[left:]
        known = naive(forest, chosen)
        fitting = [
            edge
            for (u, v), edge in number.items()
            if u in known and v in known and known[u][0] != v and edge not in chosen
        ]
        if not fitting:
            forest.undo(0)
            chosen.clear()
            continue
        edge = rng.choice(fitting)
        u, v = indexed.pairs()[edge]
        first, last = sorted((known[u][0], known[v][0]))
        total = known[u][1] + known[v][1]
        expected = number.get((first, last)) if 2 < total < 30 else None
        assert forest.choose(edge) == expected
        chosen.append(edge)
        if expected is not None:
            path = forest.path_edges(expected)
            graph = nx.Graph(indexed.pairs()[each] for each in path)
            assert set(path) <= set(chosen) and len(path) == total - 1
            assert nx.shortest_path_length(graph, first, last) == total - 1
        known = naive(forest, chosen)
        assert {end: (forest.far[end], forest.length[end]) for end in known} == known


def cycle_of(clause, forest, first):
    """Return the graph of the edges that a clause forbids together."""
    assert all(literal < 0 for literal in clause)
    edges = [-literal - first for literal in clause]
    assert len(set(edges)) == len(edges)
    return nx.Graph((forest.tails[edge], forest.heads[edge]) for edge in edges)


@pytest.mark.parametrize(
    ("problem", "verdict"),
    [
        (Problem(Board(4, 12), closed=True), Verdict.IMPOSSIBLE),
        (Problem(Board(4, 8), closed=True), Verdict.IMPOSSIBLE),
        (Problem(Board(4, 4)), Verdict.IMPOSSIBLE),
        (Problem(Board(40, 40), closed=True), Verdict.FOUND),
        (Problem(graph=nx.petersen_graph(), closed=True), Verdict.IMPOSSIBLE),
    ],
    ids=lambda value: getattr(value, "label", ""),
)
def test_every_clause_is_a_cycle_too_short(monkeypatch, problem, verdict):
    added = []

    class Recording(SubTours):
        def provide_reason(self, lit):
            clause = super().provide_reason(lit)
            assert lit in clause
            added.append((clause, self._forest, self._first))
            return clause

        def add_clause(self):
            clause = super().add_clause()
            if clause:
                added.append((clause, self._forest, self._first))
            return clause

    monkeypatch.setattr(propagator, "SubTours", Recording)
    assert solve(problem, "propagator", own_process=False).verdict is verdict
    assert added
    for clause, forest, first in added:
        cycle = cycle_of(clause, forest, first)
        assert nx.is_connected(cycle) and {degree for _, degree in cycle.degree} == {2}
        assert len(clause) == len(cycle) < forest.size


def test_a_model_of_two_cycles_is_refused():
    graph = nx.disjoint_union(nx.cycle_graph(4), nx.cycle_graph(5))
    graph.add_edge(0, 4)
    forest = LinearForest(Problem(graph=graph, closed=True).indexed)
    apart = [edge for edge in range(10) if (forest.tails[edge], forest.heads[edge]) != (0, 4)]
    propagated = SubTours(forest, first=11)
    assert not propagated.check_model([3, -4, -21, *(edge + 11 for edge in apart)])
    assert len(cycle_of(propagated.add_clause(), forest, 11)) in (4, 5)
    assert propagated.add_clause() == []


def test_a_step_back_to_an_unknown_level_changes_nothing():
    forest = LinearForest(index_board(Board(3, 3)))
    propagated = SubTours(forest, first=1)
    propagated.on_assignment(1)
    propagated.on_new_level()
    propagated.on_assignment(2)
    propagated.on_backtrack(3)
    assert len(forest) == 2
    propagated.on_backtrack(0)
    assert len(forest) == 1


@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.slow)])
def test_side_100_takes_next_to_no_conflicts(seed):
    outcome = solve(Problem(Board(100, 100), closed=True), "propagator", seed=seed)
    assert outcome.verdict is Verdict.FOUND
    assert outcome.statistics["conflicts"] < 100
    assert outcome.statistics["cuts"] < 10

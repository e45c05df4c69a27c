"""Engine ``cpsat``: what its seed changes, and that a long sweep is not thrown away."""

from __future__ import annotations

import random
from itertools import pairwise, permutations

import networkx as nx
import pytest

from kt_cp import Board, Problem, Verdict, solve
from kt_cp.engines.cpsat import RESTART_PERIOD, circuit_model
from kt_cp.model.errors import ProblemError


def test_a_seed_shuffles_the_arcs_of_each_square_and_nothing_else():
    problem = Problem(Board(6, 6), start=(0, 0))
    plain, shuffled = (circuit_model(problem, seed)[1] for seed in (0, 3))
    assert plain != shuffled
    assert [tail for tail, _ in plain] == [tail for tail, _ in shuffled]
    assert sorted(plain) == sorted(shuffled)


def test_seeds_give_tours_of_their_own():
    problem = Problem(Board(12, 12), closed=True)
    tours = {tuple(solve(problem, "cpsat", seed=seed).tour) for seed in range(5)}
    assert len(tours) == 5


@pytest.mark.slow
def test_side_190_is_one_sweep():
    """With restarts after some fifty conflicts this does not end within a minute."""
    outcome = solve(Problem(Board(190, 190), closed=True), "cpsat", time_limit=120)
    assert outcome.verdict is Verdict.FOUND
    assert outcome.statistics["conflicts"] < RESTART_PERIOD
    assert outcome.statistics["decisions"] < 3 * 190 * 190


def arcs_and_conditions(rng):
    """A small digraph and what is asked of its tours, as keywords."""
    size = rng.randint(1, 6)
    arcs = [(u, v) for u in range(size) for v in range(size) if u != v and rng.random() < 0.5]
    digraph = nx.DiGraph(arcs)
    digraph.add_nodes_from(range(size))
    asked = {"closed": rng.random() < 0.5}
    if rng.random() < 0.3:
        asked["start"] = rng.randrange(size)
    if not asked["closed"] and rng.random() < 0.3:
        asked["end"] = rng.choice([v for v in range(size) if v != asked.get("start")] or [0])
    if len(arcs) > 2 and rng.random() < 0.5:
        asked["require"], asked["forbid"] = ([arc] for arc in rng.sample(arcs, 2))
    if size > 2 and rng.random() < 0.3:
        asked["given"] = {rng.randrange(size): rng.randint(1, size)}
    return digraph, asked


def has_tour(digraph, asked):
    """Every order of the nodes, tried."""
    for walk in permutations(digraph):
        arcs = {*pairwise(walk), *([(walk[-1], walk[0])] if asked["closed"] else [])}
        if (
            (len(walk) > 1 or not asked["closed"])
            and arcs <= {*digraph.edges}
            and asked.get("start", walk[0]) == walk[0]
            and asked.get("end", walk[-1]) == walk[-1]
            and arcs >= {*asked.get("require", ())}
            and not arcs & {*asked.get("forbid", ())}
            and all(walk[step - 1] == node for node, step in asked.get("given", {}).items())
        ):
            return True
    return False


@pytest.mark.parametrize("seed", range(5))
def test_arcs_are_taken_as_they_are(seed):
    rng, posed = random.Random(seed), 0
    while posed < 12:
        digraph, asked = arcs_and_conditions(rng)
        try:
            problem = Problem(graph=digraph, **asked)
        except ProblemError:
            continue
        posed += 1
        outcome = solve(problem, "cpsat", seed=posed % 2)
        assert (outcome.verdict is Verdict.FOUND) == has_tour(digraph, asked), (seed, asked)
        assert outcome.statistics["arcs"] <= digraph.size() + 2 * len(digraph)

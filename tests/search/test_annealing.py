"""Walks that are annealed: what they end in is a tour with all the given steps."""

from __future__ import annotations

import numpy as np
import pytest

from kt_cp import Board, Enumeration, Problem, Verdict, defects, solve
from kt_cp.engines import step_domains
from kt_cp.search import annealing
from kt_cp.search.annealing import Annealing, start_annealing

QUESTIONS = [
    Problem("6x6", closed=True, given={"a1": 1, "f2": 17, "c4": 20}),
    Problem("6x6", closed=True, start="c3", forbid=["c3-d5"]),
    Problem("5x5", given={"c3": 25}),
    Problem("5x5", start="a1", end="e5"),
    Problem(Board(5, 5, missing={(2, 2)}, surface="torus"), closed=True, given={"a1": 7}),
    Problem("4x4", piece="wazir"),
]


@pytest.mark.parametrize("problem", QUESTIONS, ids=lambda problem: problem.label)
def test_it_ends_in_tours(problem) -> None:
    found = []
    for seed in (1, 1, 2):
        search = Annealing(problem, seed)
        walk = search.next(draws=5_000_000)
        found.append((walk, search.drawn))
        squares = [problem.indexed.nodes[vertex] for vertex in walk]
        assert not defects(problem, squares), seed
        assert search.lacking == 0 and 0 < search.drawn <= 5_000_000
    assert found[0] == found[1]  # the same seed, the same tour


def test_it_goes_on_to_other_tours() -> None:
    search = Annealing(QUESTIONS[0], 3)
    seen = {tuple(search.next(draws=500_000)) for _ in range(20)}
    every = {tuple(map(QUESTIONS[0].indexed.index.get, tour)) for tour in Enumeration(QUESTIONS[0])}
    assert len(seen - {()}) > 1 and seen - {()} <= every


@pytest.mark.parametrize(
    "given", [{"a1": 1, "b1": 3}, {"a1": 1, "b1": 2}, {"a1": 30, "f5": 1}, {"a1": 1, "a2": 3}]
)
def test_without_a_walk_there_is_none(given) -> None:
    search = Annealing(Problem("5x6", closed=True, given=given), 1)
    assert search.hopeless and search.next(draws=10) == [] and search.drawn == 0


def test_other_walks_are_begun_in_turns_of_lubys_lengths(monkeypatch) -> None:
    problem = Problem("4x4", closed=True, given={"a1": 1, "b3": 4})  # it has no tour
    began, begin = [], Annealing._begin
    monkeypatch.setattr(annealing, "FIRST_RUN", 1)
    monkeypatch.setattr(Annealing, "_begin", lambda self: began.append(self.drawn) or begin(self))
    search = Annealing(problem, 1)
    assert search.next(draws=16 * 8) == search.next(draws=16 * 4) == []
    assert (np.diff(began) // 16).tolist() == [1, 1, 2, 1, 1, 2]


@pytest.mark.parametrize("seed", range(1, 6))
def test_what_is_refused_is_put_back(seed) -> None:
    """The walk is one at any time, and its visits are counted."""
    problem = Problem("4x4", closed=True, given={"a1": 1, "b3": 4})
    search = Annealing(problem, seed)
    for draws in (1, 2, 3, 50, 1000):
        assert search.next(draws=draws) == []
        walk = search._walk.tolist()
        assert (walk[0], problem.indexed.nodes[walk[3]]) == (0, (2, 1)), seed
        pairs = zip(walk, walk[1:] + walk[:1], strict=True)
        assert all(v in problem.indexed.neighbours[u] for u, v in pairs), seed
        assert search._visits.tolist() == np.bincount(walk, minlength=16).tolist(), seed
        assert search.lacking == 16 - len(set(walk)) > 0, seed


def test_what_it_does_not_take() -> None:
    assert start_annealing(Problem("5x6", require=["a1-b3"])) is None
    assert start_annealing(Problem("6x6", symmetry="half-turn")) is None
    assert start_annealing(Problem("1x2", piece="wazir")) is None


def test_the_engine_takes_turns_with_it(monkeypatch) -> None:
    monkeypatch.setattr(step_domains, "PATIENCE", 1)
    monkeypatch.setattr(step_domains, "STEPS", 1)
    monkeypatch.setattr(step_domains, "SHARE", 1000)
    outcome = solve(QUESTIONS[0], "windows", seed=1)
    assert outcome.verdict is Verdict.FOUND and outcome.statistics["pieces"] > 0
    none = solve(Problem("4x4", closed=True, given={"a1": 1}), "windows", time_limit=20)
    assert none.verdict is Verdict.IMPOSSIBLE

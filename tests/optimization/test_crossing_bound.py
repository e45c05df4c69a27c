"""Bounds of crossings from windows: never beyond a tour, whatever the prices are."""

from __future__ import annotations

import json
import random
from itertools import combinations

import numpy as np
import pytest

from kt_cp import Board, Problem, optimize, solve
from kt_cp.optimization.crossing_bound import STAGES, UNIT, CrossingProgram, Window, find_patterns
from kt_cp.optimization.crossing_sweep import as_sweep
from tests.support.exhaustive import more
from tests.support.measure_histograms import crossings_of_all_tours

PROBLEMS = [
    Problem("5x6", closed=True),
    Problem("4x5", start="a1"),
    Problem("3x7"),
    Problem("5x6", closed=True, require=["c3-d5"], forbid=["c3-a2"]),
    Problem(Board(4, 5, missing={(0, 0), (3, 4)})),
    Problem("3x3", piece="king", closed=True),
    Problem("3x4", piece="king", start="b2", require=["a1-a2"]),
]


def program_of(problem, objective, look=lambda _: False):
    sweep, squares = as_sweep(problem, objective)
    number = {square: index for index, square in enumerate(squares)}
    path = [number[square] for square in solve(problem).tour]
    moves = zip(path, path[1:] + path[:1] * problem.closed, strict=False)
    return CrossingProgram(sweep, [(min(move), max(move)) for move in moves], look)


OBJECTIVES = ("fewest-crossings", "most-crossings")


def cases():
    """Each problem with both objectives; those of 30 squares take seconds, and have one each."""
    for number, problem in enumerate(PROBLEMS):
        size = problem.board.size
        few = OBJECTIVES[number % 2 :][:1] if size == 30 else OBJECTIVES
        for objective in more(few, OBJECTIVES):
            marks = [pytest.mark.slow] * (size in (18, 30))
            yield pytest.param(problem, objective, marks=marks, id=f"{objective}-{problem.label}")


@pytest.mark.parametrize(("problem", "objective"), [*cases()])
def test_no_tour_is_better_than_a_bound(problem, objective, monkeypatch):
    stages = STAGES if problem.board.size == 30 else STAGES[:2]
    monkeypatch.setattr("kt_cp.optimization.crossing_bound.STAGES", stages)
    sign = -1 if objective.startswith("most") else 1
    best = min(sign * value for value in crossings_of_all_tours(problem))
    bounds = []

    def look(bound):
        bounds.append(bound)
        return len(bounds) > 30

    program = program_of(problem, objective, look)
    program.run()
    assert bounds == sorted(bounds) and program.bound == bounds[-1]
    assert program.bound <= best
    for seed in range(3):  # any prices show a bound
        rng = np.random.default_rng(seed)
        program.dual = [
            prices / UNIT + rng.normal(0, rng.choice([0.01, 1]), len(prices))
            for prices in program.prices
        ]
        program.total = -(10**15)
        program._price(0.0)
        assert program.bound <= best


def test_patterns_by_their_definition():
    rng = random.Random(seed := random.randrange(10**6))
    print("seed", seed)
    for _ in range(30):
        squares = rng.randint(3, 7)
        moves = rng.sample([*combinations(range(squares), 2)], rng.randint(2, min(9, squares)))
        least = [rng.choice((0, 0, 0, 1, 2)) for _ in range(squares)]
        most = [rng.choice((2, 2, 1)) if number < 2 else 2 for number in least]
        required = [rng.random() < 0.1 for _ in moves]
        spare = rng.randint(0, 2)
        wanted = []
        for bits in range(1 << len(moves)):
            used = [move for bit, move in enumerate(moves) if bits >> bit & 1]
            degrees = [sum(square in move for move in used) for square in range(squares)]
            touched = [degrees[v] for v in range(squares) if any(v in move for move in moves)]
            limits = [(least[v], most[v]) for v in range(squares) if any(v in m for m in moves)]
            fits = all(low <= n <= high for n, (low, high) in zip(touched, limits, strict=True))
            ends = [n for n, (low, high) in zip(touched, limits, strict=True) if low == 1 < high]
            forced = all(bits >> bit & 1 for bit, must in enumerate(required) if must)
            if fits and forced and ends.count(1) <= spare and not has_cycle(used, squares):
                wanted.append(bits)
        found = find_patterns(moves, least, most, required, spare=spare)
        assert sorted(found.tolist()) == wanted


def has_cycle(moves, squares):
    part = [*range(squares)]
    for u, v in moves:
        if part[u] == part[v]:
            return True
        part = [part[u] if each == part[v] else each for each in part]
    return False


@pytest.mark.parametrize("moves", [1, 7, 8, 9, 16, 17, 24, 31, 32, 40])
def test_costs_of_patterns(moves):
    rng = np.random.default_rng(moves)
    pairs = [pair for pair in combinations(range(moves), 2) if rng.random() < 0.3]
    window = Window([*range(moves)], pairs, rng.integers(0, 1 << moves, 100), np.zeros(0))
    prices = rng.integers(-9, 9, moves + len(pairs))
    wanted = [int(np.dot(window.held(bits), prices)) for bits in window.patterns.tolist()]
    assert window.costs(prices).tolist() == wanted


@pytest.mark.clock
def test_the_method_of_a_bound_is_stated(kt_cp, tmp_path):
    file = tmp_path / "best.json"
    line = ["optimize", "8x8", "--closed", "--objective", "fewest-crossings"]
    result = kt_cp(*line, "--time-limit", "20", "-o", file)
    found = json.loads(file.read_text())
    assert result.code == 3 and not found["proved"]
    assert found["bound_by"] == "windows" and found["certificate"] is None
    value, bound = found["value"], found["bound"]
    assert 0 < bound < value <= 80 and value == found["measures"]["crossings"]
    text = f"{value} crossings; no tour has fewer than {bound}, by windows of the board"
    assert text in result.err
    on = optimize("8x8", "fewest-crossings", closed=True, resume=found, time_limit=5)
    assert on.value <= value

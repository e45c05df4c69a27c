"""The compiled twin places and takes back the same squares as the recursion, step for step."""

from __future__ import annotations

import random

import networkx as nx
import pytest

from kt_cp import Board, Problem, Verdict
from kt_cp.model.errors import TooLargeError
from kt_cp.model.move_order import ORDERS, fewest_ways_first, fixed_order, move_table
from kt_cp.trust.reference import Pause, Run, search, search_compiled
from tests.support.exhaustive import more


def steps_of_the_recursion(problem, start, candidates, most, every_tour):
    steps, tours = [], []

    def on_tour(squares):
        tours.append(squares)
        return not every_tour

    walk = search(
        problem, start, candidates, budget=most, on_tour=on_tour,
        watch=lambda placed, square: steps.append((placed, square)),
    )  # fmt: skip
    return steps, tours, walk


def steps_of_the_twin(problem, start, candidates, chunk, most, every_tour):
    run, steps, tours = Run(problem, start, candidates), [], []
    while True:
        made, pause = run.steps(chunk)
        steps += made
        if pause is Pause.TOUR:
            tours.append(run.squares)
        if pause is Pause.EXHAUSTED or (pause is Pause.TOUR and not every_tour):
            return steps, tours, run
        if sum(placed for placed, _ in steps) > most:
            return steps, tours, run


def random_problem(rng):
    if rng.random() < 0.25:
        graph = nx.gnp_random_graph(rng.randint(1, 9), 0.6, seed=rng.randrange(1000))
        nodes = list(graph)
        board = None
    else:
        rows, columns = rng.randint(1, 6), rng.randint(1, 6)
        squares = [(r, c) for r in range(rows) for c in range(columns)]
        board = Board(rows, columns, rng.sample(squares, rng.randint(0, len(squares) // 5)))
        nodes = list(board)
    start, end = rng.choice(nodes), rng.choice(nodes)
    kinds = [{}, {"closed": True}] + ([{"end": end}] if end != start else [])
    conditions = {"start": start, **rng.choice(kinds)}
    problem = Problem(graph=graph, **conditions) if board is None else Problem(board, **conditions)
    order = rng.choice([None, *ORDERS, "fewest"])
    candidates = (
        None
        if order is None
        else fewest_ways_first(problem)
        if order == "fewest"
        else fixed_order(problem, ORDERS[order])
    )
    return problem, start, candidates


@pytest.mark.parametrize(
    "seed",
    [*range(9), *(pytest.param(n, marks=pytest.mark.slow) for n in range(9, more(40, 100)))],
)
def test_step_for_step(seed):
    rng = random.Random(seed)
    problem, start, candidates = random_problem(rng)
    every_tour = rng.random() < 0.5
    chunk, most = rng.choice([1, 7, 1000]), 3000
    steps, tours, walk = steps_of_the_recursion(problem, start, candidates, most, every_tour)
    twin, found, run = steps_of_the_twin(problem, start, candidates, chunk, most, every_tour)
    note = f"seed {seed}, {problem.label}, chunk {chunk}"
    if walk.exhausted or walk.squares:
        assert twin == steps, note
        assert (run.placed, run.taken_back) == (walk.placed, walk.taken_back), note
    else:
        assert twin[: len(steps)] == steps, note
        assert len(twin) >= len(steps) > most, note
    assert found[: len(tours)] == tours, note


@pytest.mark.parametrize("seed", range(60))
def test_the_same_walk_under_a_budget(seed):
    rng = random.Random(seed)
    problem, start, candidates = random_problem(rng)
    for budget in (0, 1, rng.randint(2, 50), 2000):
        expected = search(problem, start, candidates, budget=budget)
        compiled = search_compiled(problem, start, candidates, budget=budget)
        assert compiled == expected, f"seed {seed}, {problem.label}, budget {budget}"
        tours, twins = [], []
        options = {"budget": budget}
        whole = search(problem, start, candidates, on_tour=tours.append, **options)
        assert search_compiled(problem, start, candidates, on_tour=twins.append, **options) == whole
        assert twins == tours, f"seed {seed}, {problem.label}, budget {budget}"


def test_a_budget_that_just_suffices_is_no_limit():
    problem = Problem(Board(4, 4))
    whole = search_compiled(problem, (0, 0))
    assert whole.verdict is Verdict.IMPOSSIBLE
    assert search_compiled(problem, (0, 0), budget=whole.placed) == whole
    walk = search_compiled(problem, (0, 0), budget=whole.placed - 1)
    assert (walk.verdict, walk.placed) == (Verdict.UNKNOWN, whole.placed - 1)


def test_it_stops_when_asked_and_refuses_another_start():
    asked = []
    walk = search_compiled(
        Problem(Board(9, 9)), (0, 1), should_stop=lambda: asked.append(1) or len(asked) > 2
    )
    assert walk.verdict is Verdict.UNKNOWN
    assert walk.placed > 1_000_000
    assert search_compiled(Problem(Board(5, 5), start=(0, 0)), (2, 2)).exhausted


def test_every_tour_of_5x5_from_the_corner():
    """Document 004 speaks of its four printed boards and 300 others."""
    problem = Problem(Board(5, 5))
    run = Run(problem, (0, 0), fixed_order(problem, ORDERS["004"]))
    tours = 0
    while run.advance() is Pause.TOUR:
        tours += 1
    assert tours == 304
    assert run.placed == run.taken_back
    assert run.advance() is Pause.EXHAUSTED


def test_a_run_can_be_looked_at_anywhere():
    problem = Problem(Board(6, 6))
    run, steps = Run(problem, (0, 0)), []
    ahead = Run(problem, (0, 0))
    ahead.advance(100_000)
    while len(steps) < 100_000:
        steps += run.steps(min(997, 100_000 - len(steps)))[0]
    assert run.squares == ahead.squares
    path = []
    for placed, square in steps:
        assert placed or path[-1] == square
        path = [*path, square] if placed else path[:-1]
    assert path == ahead.squares


def test_boards_beyond_memory_are_refused():
    with pytest.raises(TooLargeError, match="at most 1,000,000 squares"):
        search_compiled(Problem(Board(1000, 1001)), (0, 0))


def test_the_table_keeps_the_order():
    problem = Problem(Board(5, 4, missing={(2, 2)}))
    candidates = fixed_order(problem, ORDERS["002"])
    table = move_table(problem, candidates)
    for vertex, row in enumerate(table.heads.tolist()):
        expected = candidates(table.nodes[vertex])
        assert [table.nodes[v] for v in row if v >= 0] == expected

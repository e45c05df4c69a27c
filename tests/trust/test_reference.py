"""The reference recursion: what the sources print, what the oracles say, and replays."""

from __future__ import annotations

import gc
import random
import re
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kt_cp import Board, Problem, Verdict, solve
from kt_cp.model.move_order import ORDERS, counting_sort, fewest_ways_first, fixed_order
from kt_cp.testing import oracle
from kt_cp.trust import reference
from kt_cp.trust.reference import decide, replay, search, search_compiled
from tests.oracles import held_karp
from tests.support.command_line import DATA, printed_matrices
from tests.support.exhaustive import exhaustive, more

# What document 001 prints: x to the right and y upwards, both from 1.
RUNS = {
    (5, 3, 3): "001-modula-5x5-at-3,3.txt",
    (5, 1, 1): "001-modula-5x5-at-1,1.txt",
    (6, 1, 1): "001-modula-6x6-at-1,1.txt",
    (7, 4, 4): "001-modula-7x7-at-4,4.txt",
}


@pytest.mark.parametrize(
    ("run", "recursion"),
    [
        *((run, search_compiled) for run in RUNS),
        *((run, search) for run in RUNS if run[0] < 7),
    ],
)
def test_the_boards_that_document_001_prints(run, recursion):
    side, x, y = run
    problem = Problem(Board(side, side))
    walk = recursion(problem, (y - 1, x - 1), fixed_order(problem, ORDERS["001"]))
    steps = {square: step for step, square in enumerate(walk.squares, start=1)}
    rows = [[steps[row, column] for column in range(side)] for row in reversed(range(side))]
    assert [rows] == printed_matrices(DATA / RUNS[run])
    assert walk.placed - walk.taken_back == side * side
    if side == 7:
        assert (walk.placed, walk.taken_back) == (12_040_482, 12_040_433)


@exhaustive("document 001 on 7x7 by the readable recursion", [(7, 4, 4)], sample=0, batches=1)
def test_the_largest_board_that_document_001_prints(cases):
    for run in cases:
        test_the_boards_that_document_001_prints(run, search)


@pytest.mark.parametrize("document", sorted(ORDERS))
def test_every_order_is_the_eight_moves(document):
    assert sorted(ORDERS[document]) == sorted(
        (a, b) for a in (-2, -1, 1, 2) for b in (-2, -1, 1, 2) if abs(a) != abs(b)
    )
    problem = Problem(Board(5, 5))
    walk = search(problem, (2, 2), fixed_order(problem, ORDERS[document]))
    assert len(set(walk.squares)) == 25


@pytest.mark.parametrize("order", [fixed_order, fewest_ways_first])
def test_orders_offer_the_neighbours(order):
    board = Board(4, 5, missing={(1, 1)})
    graph = oracle.knight_graph(4, 5, {(1, 1)})
    for problem in (Problem(board), Problem(graph=graph)):
        candidates = order(problem)
        assert all(set(candidates(square)) == set(graph[square]) for square in graph)
    ways = [len(graph[square]) for square in fewest_ways_first(Problem(board))((0, 2))]
    assert ways == sorted(ways)


def test_fewest_ways_first_keeps_the_order_of_the_moves_among_equals():
    problem = Problem(Board(5, 6))
    usual = fixed_order(problem, ORDERS["003"])
    for square in problem.board:
        expected = sorted(usual(square), key=lambda other: len(usual(other)))
        assert fewest_ways_first(problem, ORDERS["003"])(square) == expected


@given(st.lists(st.integers(0, 9)))
def test_counting_sort_is_stable(keys):
    items = list(enumerate(keys))
    assert counting_sort(items, lambda item: item[1]) == sorted(items, key=lambda item: item[1])


def test_work_is_counted_as_the_plain_recursion_does():
    placed = taken_back = 0
    graph = oracle.knight_graph(3, 3)

    def visit(square, path):
        nonlocal placed, taken_back
        placed += 1
        path = [*path, square]
        done = len(path) == 9 or any(visit(o, path) for o in graph[square] if o not in path)
        taken_back += not done
        return done

    assert not visit((0, 0), [])
    walk = search(Problem(Board(3, 3)), (0, 0))
    assert (walk.placed, walk.taken_back, walk.exhausted) == (placed, taken_back, True)
    assert walk.verdict is Verdict.IMPOSSIBLE


@pytest.mark.parametrize("seed", range(80))
def test_decides_as_the_oracle_on_graphs(seed):
    rng = random.Random(seed)
    size = rng.randint(1, 7)
    graph = nx.gnp_random_graph(size, rng.choice([0.3, 0.5, 0.8]), seed=seed)
    start, end = rng.randrange(size), rng.randrange(size)
    asked = [{}, {"closed": True}, {"start": start}, {"end": end}, {"closed": True, "start": start}]
    asked += [{"start": start, "end": end}] if start != end or size == 1 else []
    for conditions in asked:
        problem = Problem(graph=graph, **conditions)
        walk = decide(problem)
        exists = oracle.exists(graph, problem.closed, problem.start, problem.end)
        assert walk.verdict is (Verdict.FOUND if exists else Verdict.IMPOSSIBLE), problem.label
        assert walk.exhausted is not exists
        plain = [search(problem, node).verdict for node in graph]
        assert (Verdict.FOUND in plain) is exists, f"seed {seed}, {problem.label}"


@pytest.mark.parametrize("seed", range(40))
def test_decides_as_dynamic_programming_on_boards(seed):
    rng = random.Random(seed)
    rows, columns = rng.choice([(3, 4), (4, 4), (3, 5), (4, 5)])
    graph = oracle.knight_graph(rows, columns)
    missing = set(rng.sample(list(graph), max(len(graph) - 16, rng.randint(0, 3))))
    graph.remove_nodes_from(missing)
    start, end = rng.sample(list(graph), 2)
    table = held_karp.pairs(graph)
    for conditions in ({}, {"closed": True}, {"start": start}, {"start": start, "end": end}):
        problem = Problem(Board(rows, columns, missing), **conditions)
        exists = held_karp.exists(graph, **{"closed": False, **conditions}, table=table)
        verdict = decide(problem).verdict
        assert verdict is (Verdict.FOUND if exists else Verdict.IMPOSSIBLE), (seed, problem.label)


# Budget and stopping


def test_the_budget_bounds_the_squares_placed():
    problem = Problem(Board(4, 4))
    whole = decide(problem)
    assert whole.verdict is Verdict.IMPOSSIBLE
    for budget in (0, 1, 10, whole.placed - 1):
        walk = decide(problem, budget=budget)
        assert (walk.verdict, walk.placed) == (Verdict.UNKNOWN, budget)
        assert not walk.exhausted and walk.squares is None
    assert decide(problem, budget=whole.placed) == whole
    walk = search(Problem(Board(8, 8)), (0, 0), budget=1000)
    assert (walk.verdict, walk.placed) == (Verdict.UNKNOWN, 1000)


def test_it_stops_when_asked():
    asked = []

    def should_stop():
        asked.append(1)
        return len(asked) > 3

    walk = search(Problem(Board(8, 8)), (0, 0), should_stop=should_stop)
    assert (walk.verdict, walk.placed, len(asked)) == (Verdict.UNKNOWN, 4000, 4)
    assert decide(Problem(Board(4, 4)), should_stop=lambda: True).verdict is Verdict.UNKNOWN
    starts = []
    decide(Problem(graph=nx.empty_graph(50)), should_stop=lambda: starts.append(1))
    assert len(starts) == 50


# Replay


def replayed(problem, squares):
    walk = replay(problem, squares)
    return walk.squares == list(squares) and walk.taken_back == 0


TOURS = [
    Problem(Board(1, 1)),
    Problem(Board(3, 4)),
    Problem(Board(6, 6), closed=True),
    Problem(Board(6, 6), closed=True, start=(3, 2)),
    Problem(Board(8, 8), start=(0, 0), end=(7, 0)),
    Problem(Board(5, 6, missing={(2, 2)})),
    Problem(graph=nx.petersen_graph()),
    Problem(graph=nx.complete_graph(7), closed=True),
]


@pytest.mark.parametrize("problem", TOURS, ids=lambda problem: problem.label)
def test_replay_accepts_tours(problem):
    squares = list(solve(problem, "backtrack").tour)
    assert replayed(problem, squares)
    if not (problem.start or problem.end):
        assert replayed(problem, squares[::-1])
    walk = replay(problem, squares)
    assert (walk.placed, walk.taken_back) == (len(squares), 0)


@pytest.mark.parametrize("problem", TOURS[1:], ids=lambda problem: problem.label)
def test_replay_detects_what_is_wrong_and_does_not_search(problem):
    squares = list(solve(problem, "backtrack").tour)
    rng = random.Random(1)
    wrong = [squares[:-1], [*squares, squares[0]], [*squares[:3], *squares[2:]]]
    wrong += [squares[: len(squares) // 2] * 2, [squares[0]] * len(squares), [], [None], ["a1"]]
    wrong += [[*squares[:-1], "nowhere"], ["nowhere", *squares[1:]]]
    graph = problem.graph
    while len(wrong) < 30:
        i, j = sorted(rng.sample(range(len(squares)), 2))
        walk = list(squares)
        walk[i], walk[j] = walk[j], walk[i]
        steps = list(pairwise(walk)) + ([(walk[-1], walk[0])] if problem.closed else [])
        bad = not all(graph.has_edge(*step) for step in steps)
        bad |= problem.start not in (None, walk[0]) or problem.end not in (None, walk[-1])
        if bad:
            wrong.append(walk)
        elif len(problem) == 7:
            wrong.append([squares[0], *squares[:-1]])
    for walk in wrong:
        assert not replayed(problem, walk), walk
        assert replay(problem, walk).placed <= len(problem)


def test_replay_of_a_tour_that_does_not_close():
    open_tour = list(solve(Problem(Board(3, 4)), "backtrack").tour)
    assert not replayed(Problem(Board(3, 4), closed=True), open_tour)


# The recursion limit


def test_the_recursion_limit_is_put_back():
    before = sys.getrecursionlimit()
    problem = Problem(Board(50, 50))
    squares = list(solve(problem, "warnsdorff").tour)
    assert replayed(problem, squares)
    assert sys.getrecursionlimit() == before

    def failing(square):
        if len(seen) > 2000:
            raise ZeroDivisionError
        seen.append(sys.getrecursionlimit())
        return [following[square]]

    seen: list[int] = []
    following = dict(pairwise(squares))
    with pytest.raises(ZeroDivisionError):
        search(problem, squares[0], failing)
    assert min(seen) > 2500
    assert sys.getrecursionlimit() == before
    search(problem, squares[0], budget=10)
    search(problem, squares[0], should_stop=lambda: True)
    assert sys.getrecursionlimit() == before


def test_threads_share_the_recursion_limit():
    # The comparison cross-checks in threads; each must leave the others the depth they need.
    before = sys.getrecursionlimit()
    tours = []
    for side in (31, 40, 50, 60):
        problem = Problem(Board(side, side))
        tours.append((problem, list(solve(problem, "warnsdorff").tour)))
    barrier = threading.Barrier(4)

    def work(number):
        barrier.wait()
        return all(replayed(*tours[(number + turn) % 4]) for turn in range(8))

    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(work, range(4)))
    assert sys.getrecursionlimit() == before


@pytest.mark.parametrize("closed", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_replay_of_a_hundred_thousand_nodes(closed):
    graph = (nx.cycle_graph if closed else nx.path_graph)(10**5)
    problem = Problem(graph=graph, closed=closed)
    assert replayed(problem, range(10**5))
    assert not replayed(problem, [*range(50_000), *range(50_001, 10**5)])


LARGE = """
import sys
from kt_cp import Board, Problem, solve
from kt_cp.processes.worker import peak_megabytes
before, side = sys.getrecursionlimit(), int(sys.argv[1])
outcome = solve(Problem(Board(side, side), start=(0, 0)), "warnsdorff")
assert outcome.verified and outcome.replayed and len(outcome.tour) == side**2
assert sys.getrecursionlimit() == before
print(f"peak {peak_megabytes():.0f} MB")
"""


@pytest.mark.slow
@pytest.mark.parametrize("side", [more(400, 1000)])
def test_a_board_of_up_to_a_million_squares_is_verified_and_replayed(side, record_property):
    import subprocess

    command = [sys.executable, "-c", LARGE, str(side)]
    ended = subprocess.run(command, capture_output=True, text=True)
    assert ended.returncode == 0, ended.stderr
    peak = int(re.search(r"peak (\d+) MB", ended.stdout)[1])
    record_property("peak_megabytes", peak)
    print(ended.stdout)
    assert peak < 3000


def test_what_is_too_long_is_not_replayed(monkeypatch):
    monkeypatch.setattr(reference, "REPLAY_LIMIT", 20)
    outcome = solve(Problem(Board(6, 6)), "backtrack")
    assert outcome.verified is True and outcome.replayed is None
    assert outcome.checks.remarks["replayed"] == "judged but not replayed: more than 20 squares"


@pytest.mark.parametrize("before", [True, False])
def test_a_replay_leaves_the_collector_of_garbage_as_it_was(before, monkeypatch):
    problem = Problem(Board(3, 4))
    squares = decide(problem).squares
    (gc.enable if before else gc.disable)()
    try:
        replay(problem, squares)
        assert gc.isenabled() is before
        monkeypatch.setattr(sys.modules[replay.__module__], "search", lambda *_, **__: 1 // 0)
        with pytest.raises(ZeroDivisionError):
            replay(problem, squares)
        assert gc.isenabled() is before
    finally:
        gc.enable()

"""The reference recursion: sources, oracles, given walks, and its compiled twin."""

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

from kt_cp import Board, Problem, Tour, Verdict, defects, solve
from kt_cp.engines.engine import found
from kt_cp.model.errors import InputError, TooLargeError
from kt_cp.model.move_order import ORDERS, fewest_ways_first, fixed_order, move_table
from kt_cp.testing import oracle
from kt_cp.trust import reference
from kt_cp.trust.crosscheck import cross_check, reference_verdict
from kt_cp.trust.reference import Ending, Pause, Run, Trace, decide, replay, search, search_compiled
from kt_cp.trust.reference.trace import GivenRun, walk_steps
from tests.examples import random_problems
from tests.oracles import held_karp, naive
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
    candidates = fixed_order(problem, ORDERS["003"])
    for square in problem.board:
        expected = sorted(candidates(square), key=lambda other: len(candidates(other)))
        assert fewest_ways_first(problem, ORDERS["003"])(square) == expected


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
    cases = [{}, {"closed": True}, {"start": start}, {"end": end}, {"closed": True, "start": start}]
    cases += [{"start": start, "end": end}] if start != end or size == 1 else []
    for conditions in cases:
        problem = Problem(graph=graph, **conditions)
        walk = decide(problem)
        exists = oracle.exists(graph, problem.closed, problem.start, problem.end)
        assert walk.verdict is (Verdict.FOUND if exists else Verdict.IMPOSSIBLE), problem.label
        assert walk.exhausted is not exists
        verdicts = [search(problem, node).verdict for node in graph]
        assert (Verdict.FOUND in verdicts) is exists, f"seed {seed}, {problem.label}"


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
    unlimited = decide(problem)
    assert unlimited.verdict is Verdict.IMPOSSIBLE
    for budget in (0, 1, 10, unlimited.placed - 1):
        walk = decide(problem, budget=budget)
        assert (walk.verdict, walk.placed) == (Verdict.UNKNOWN, budget)
        assert not walk.exhausted and walk.squares is None
    assert decide(problem, budget=unlimited.placed) == unlimited
    walk = search(Problem(Board(8, 8)), (0, 0), budget=1000)
    assert (walk.verdict, walk.placed) == (Verdict.UNKNOWN, 1000)


def test_it_stops_when_asked():
    polls = []

    def should_stop():
        polls.append(1)
        return len(polls) > 3

    walk = search(Problem(Board(8, 8)), (0, 0), should_stop=should_stop)
    assert (walk.verdict, walk.placed, len(polls)) == (Verdict.UNKNOWN, 4000, 4)
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
    walks = [squares[:-1], [*squares, squares[0]], [*squares[:3], *squares[2:]]]
    walks += [squares[: len(squares) // 2] * 2, [squares[0]] * len(squares), [], [None], ["a1"]]
    walks += [[*squares[:-1], "nowhere"], ["nowhere", *squares[1:]]]
    graph = problem.graph
    while len(walks) < 30:
        i, j = sorted(rng.sample(range(len(squares)), 2))
        walk = list(squares)
        walk[i], walk[j] = walk[j], walk[i]
        steps = list(pairwise(walk)) + ([(walk[-1], walk[0])] if problem.closed else [])
        bad = not all(graph.has_edge(*step) for step in steps)
        bad |= problem.start not in (None, walk[0]) or problem.end not in (None, walk[-1])
        if bad:
            walks.append(walk)
        elif len(problem) == 7:
            walks.append([squares[0], *squares[:-1]])
    for walk in walks:
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
        if len(limits) > 2000:
            raise ZeroDivisionError
        limits.append(sys.getrecursionlimit())
        return [following[square]]

    limits: list[int] = []
    following = dict(pairwise(squares))
    with pytest.raises(ZeroDivisionError):
        search(problem, squares[0], failing)
    assert min(limits) > 2500
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
        walk = search(problem, start, candidates, on_tour=tours.append, **options)
        assert search_compiled(problem, start, candidates, on_tour=twins.append, **options) == walk
        assert twins == tours, f"seed {seed}, {problem.label}, budget {budget}"


def test_a_budget_that_just_suffices_is_no_limit():
    problem = Problem(Board(4, 4))
    unlimited = search_compiled(problem, (0, 0))
    assert unlimited.verdict is Verdict.IMPOSSIBLE
    assert search_compiled(problem, (0, 0), budget=unlimited.placed) == unlimited
    walk = search_compiled(problem, (0, 0), budget=unlimited.placed - 1)
    assert (walk.verdict, walk.placed) == (Verdict.UNKNOWN, unlimited.placed - 1)


def test_it_stops_when_asked_and_refuses_another_start():
    polls = []
    walk = search_compiled(
        Problem(Board(9, 9)), (0, 1), should_stop=lambda: polls.append(1) or len(polls) > 2
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


def test_a_run_can_be_examined_anywhere():
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


MOST = 400


def frames(problem, start, *, walk=(), every=False, first=1):
    trace = Trace(problem, start, walk=walk, every=every, first=first, last=MOST)
    return [(each.number, each.placed, each.square, each.path) for each in trace], trace


def walk_of(steps):
    """A walk that makes the given steps: where it goes back, the square that it comes to."""
    path, squares = [], []
    for placed, square in steps:
        if placed:
            path.append(square)
        else:
            path.pop()
        squares += path[-1:]
    return squares


@pytest.mark.parametrize("seed", range(40))
def test_a_walk_that_the_recursion_makes_itself_changes_nothing(seed):
    rng = random.Random(seed)
    problem, start = random_problem(rng)[:2]
    if problem.start not in (None, start):
        problem, start = Problem(Board(4, 4)), (1, 1)
    boards, expected = frames(problem, start, every=True)
    for length in {1, rng.randint(1, len(boards)), rng.randint(1, len(boards))}:
        steps = [(placed, square) for _, placed, square, _ in boards[:length]]
        if not boards[length - 1][3]:
            continue  # back to nothing: a walk has a square at least
        ours, trace = frames(problem, start, walk=walk_of(steps), every=True)
        assert trace.given == length
        assert ours == boards
        assert (trace.ending, trace.tours) == (expected.ending, expected.tours)
        assert (trace.placed, trace.taken_back) == (expected.placed, expected.taken_back)
        later = rng.randint(1, len(boards))
        ours, trace = frames(problem, start, walk=walk_of(steps), every=True, first=later)
        assert ours == boards[later - 1 :]
        assert trace.tours == expected.tours


@pytest.mark.parametrize("closed", [False, True])
@pytest.mark.parametrize("walk", [(), ((0, 0),)])
def test_every_tour_is_counted_on_its_board(closed, walk):
    problem = Problem(Board(3, 4) if not closed else Board(4, 4, surface="torus"), closed=closed)
    start = next(iter(problem.board))
    walk = walk and (start,)
    tours = []

    def on_tour(squares):
        tours.append(tuple(squares))
        return len(tours) == 3

    search(problem, start, on_tour=on_tour)
    paths = []
    trace = Trace(problem, start, walk=walk, every=True)
    for frame in trace:
        if frame.tour:
            assert frame.tour == len(paths) + 1 == trace.tours
            paths.append(frame.path)
            if len(paths) == 3:
                break
    assert paths == tours
    if len(paths) < 3:
        assert (trace.ending, trace.tours) == (Ending.EXHAUSTED, len(tours))


def test_a_move_that_was_tried_on_one_way_is_tried_again_on_another():
    problem = Problem(Board(3, 3))
    # From a1 by c2 and a3; back to c2, a1; then by b3, from where c2's moves are all new.
    trace = Trace(problem, (0, 0), walk=[(0, 0), (1, 2), (2, 0), (0, 0), (2, 1)])
    after = list(trace)[trace.given :]
    assert after[0].path[:3] == ((0, 0), (2, 1), (0, 2))
    assert ((0, 0), (1, 2)) not in [frame.path[:2] for frame in after]
    assert any(frame.path[-2:] == (((1, 2)), (2, 0))[::-1] for frame in after)


def test_a_step_that_is_no_move_is_marked_and_makes_no_tour():
    problem = Problem(Board(3, 4))
    tour = search(problem, (0, 0)).squares
    walk = [tour[0], *tour[2:], tour[1]]
    boards = list(Trace(problem, (0, 0), walk=walk, last=12))
    assert [frame.legal for frame in boards[:3]] == [True, False, True]
    assert not any(frame.tour for frame in boards)
    assert list(Trace(problem, (0, 0), walk=tour))[-1].tour == 1


def test_a_walk_must_be_one_of_squares():
    problem = Problem(Board(3, 3, {(1, 1)}))
    for walk, words in (
        ([(0, 0), (1, 1)], "square 2 of the walk: expected one of 3x3 without b2, open, got b2"),
        ([(0, 0), (9, 9)], "got j10"),
        ([(0, 0), (0, 0)], "expected another one than the last, got a1 again"),
        ([None], "square 1 of the walk"),
    ):
        with pytest.raises(InputError) as refused:
            GivenRun(problem, walk)
        assert words in str(refused.value)
    assert walk_steps(problem, []) == []


SEEDS = range(80)


@pytest.mark.parametrize("surface", naive.JOINED)
def test_candidates_are_the_moves_of_the_oracle_in_the_order_of_the_steps(surface):
    rng = random.Random(surface)
    for _ in range(30):
        rows, columns = rng.randint(1, 6), rng.randint(1, 6)
        piece = random_problems.random_piece(rng, most=8)
        problem = Problem(Board(rows, columns, surface=surface), piece=piece)
        expected, order = naive.beside(problem), fixed_order(problem)
        for square in problem.board:
            offered = order(square)
            assert set(offered) == expected[square], (problem.label, square)
            assert len(offered) == len(expected[square])
            if surface == "plane" and piece.name != "knight":
                assert offered == sorted(offered)


@pytest.mark.parametrize("seed", SEEDS)
def test_verdicts_and_tours_are_those_of_the_oracle(seed):
    rng = random.Random(seed)
    problem = random_problems.random_problem(rng, largest=12)
    expected = naive.tours(problem, most=30_000)
    if expected is None:
        return  # too many to try; the seeds that are left are counted below
    note = f"seed {seed}, {problem.label}"
    walk = decide(problem)
    assert (walk.verdict is Verdict.FOUND) == bool(expected), note
    if expected:
        assert tuple(walk.squares) in {*expected, *turned(problem, expected)}, note
        assert defects(problem, walk.squares) == [], note
        outcome = found("naive", problem, Tour(expected[-1], problem.closed, problem.board), {}, 0)
        assert cross_check(outcome).replayed, note
    for tour in expected[:20]:
        assert defects(problem, tour) == [], note
        assert replay(problem, tour).taken_back == 0, note
    starts = sorted(problem.board)[:1] if problem.closed else sorted(problem.board)
    tours = []
    for start in starts if problem.start is None else [problem.start]:
        run, steps = Run(problem, start), []
        while True:
            made, pause = run.steps(1000)
            steps += made
            if pause is Pause.TOUR:
                tours.append(tuple(run.squares))
            elif pause is Pause.EXHAUSTED:
                break
        watched, again = [], []
        search(
            problem, start, on_tour=lambda squares, into=again: into.append(tuple(squares)),
            watch=lambda placed, square, into=watched: into.append((placed, square)),
        )  # fmt: skip
        assert watched == steps, note
        assert again == tours[len(tours) - len(again) :], note
    assert sorted(tours) == sorted(expected), note


def turned(problem, tours):
    """The same closed tours from every square, if none is prescribed."""
    if problem.closed and problem.start is None:
        yield from (tour[i:] + tour[:i] for tour in tours for i in range(len(tour)))


def test_enough_of_the_seeds_are_questions_worth_asking():
    kinds = []
    for seed in SEEDS:
        problem = random_problems.random_problem(random.Random(seed), largest=12)
        tours = naive.tours(problem, most=30_000)
        kinds.append((bool(tours), tours is None, bool(problem.require or problem.forbid)))
    assert sum(unknown for _, unknown, _ in kinds) < len(kinds) // 4
    assert sum(solvable for solvable, *_ in kinds) > len(kinds) // 4
    assert sum(solvable and constrained for solvable, _, constrained in kinds) > len(kinds) // 10


def test_forbidden_moves_are_in_no_table():
    problem = Problem(Board(3, 4), forbid=[((0, 0), (1, 2))])
    table = move_table(problem)
    assert [table.nodes[vertex] for vertex in table.heads[0] if vertex >= 0] == [(2, 1)]


def test_required_moves_leave_no_choice():
    tour = decide(Problem(Board(5, 6), closed=True)).squares
    every = list(zip(tour, [*tour[1:], tour[0]], strict=True))
    walk = decide(Problem(Board(5, 6), closed=True, require=every))
    assert len(walk.squares) == 30
    assert walk.taken_back < 8  # squares beside the first that do not belong there


def test_what_the_reference_does_not_take():
    problem = Problem(Board(4, 4), symmetry="half-turn")
    remark = "the reference does not take symmetry"
    assert reference_verdict(problem, Verdict.IMPOSSIBLE) == (None, remark)

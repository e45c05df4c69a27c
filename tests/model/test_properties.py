"""Properties: mirrored and rotated boards keep their verdict; planted tours are found.

Hypothesis runs derandomised: the same examples every time, and a failing one is printed.
"""

from __future__ import annotations

import random
from itertools import pairwise, product

import networkx as nx
import pytest
from hypothesis import HealthCheck, given, note, settings
from hypothesis import strategies as st

from kt_cp import Board, Problem, Verdict, engine_names, get_engine, solve
from kt_cp.engines.run import run
from kt_cp.model.request import Request
from kt_cp.testing import oracle
from kt_cp.testing.engine import is_tour
from kt_cp.trust.judge import defects
from tests.oracles import held_karp
from tests.support.exhaustive import more

ENGINES = [*engine_names(), "sat:position"]
COMPLETE = [name for name in ENGINES if get_engine(name).complete]
fixed = settings(
    derandomize=True, deadline=None, max_examples=more(6, 25), database=None,
    suppress_health_check=[HealthCheck.too_slow],
)  # fmt: skip

# The eight symmetries of the rectangle: turn rows, turn columns, exchange the two.
SYMMETRIES = list(product((False, True), repeat=3))


def turned(problem, which):
    """The same problem seen in a mirror or from another side."""
    board, (upside_down, mirrored, transposed) = problem.board, SYMMETRIES[which]

    def image(square):
        if square is None:
            return None
        row, column = square
        row = board.rows - 1 - row if upside_down else row
        column = board.columns - 1 - column if mirrored else column
        return (column, row) if transposed else (row, column)

    sides = (board.columns, board.rows) if transposed else (board.rows, board.columns)
    missing = {image(square) for square in board.missing}
    return Problem(
        Board(*sides, missing),
        closed=problem.closed,
        start=image(problem.start),
        end=image(problem.end),
    )


@st.composite
def problems(draw):
    """Boards of at most 24 squares with holes, and any conditions."""
    rows, columns = draw(st.sampled_from([(3, 4), (3, 5), (4, 4), (4, 5), (3, 7), (4, 6), (5, 5)]))
    squares = [(row, column) for row in range(rows) for column in range(columns)]
    missing = draw(st.sets(st.sampled_from(squares), max_size=3))
    left = [square for square in squares if square not in missing]
    closed = draw(st.booleans())
    ends = draw(st.lists(st.sampled_from(left), min_size=2, max_size=2, unique=True))
    start = draw(st.sampled_from([None, ends[0]]))
    end = None if closed else draw(st.sampled_from([None, ends[1]]))
    return Problem(Board(rows, columns, missing), closed=closed, start=start, end=end)


@pytest.mark.parametrize("engine", COMPLETE)
@fixed
@given(problem=problems(), which=st.integers(1, 7))
def test_symmetries_keep_the_verdict(engine, problem, which):
    verdicts = []
    for each in (problem, turned(problem, which)):
        outcome = solve(each, engine, own_process=False)
        verdicts.append(outcome.verdict)
        if outcome.verdict is Verdict.FOUND:
            board = each.board
            is_tour(
                each, oracle.knight_graph(board.rows, board.columns, board.missing), outcome.tour
            )
    note(f"{problem.label}, seen as {turned(problem, which).label}: {verdicts}")
    assert verdicts[0] is verdicts[1] is not Verdict.UNKNOWN


def backtracked(problem):
    """The verdict alone: the reference's own would take most of the time."""
    return run("backtrack", Request.begin(problem)).verdict


@pytest.mark.slow
@settings(fixed, max_examples=more(5, 15))
@given(problem=problems())
def test_all_eight_views_by_auto_and_the_table(problem):
    graph = oracle.knight_graph(problem.board.rows, problem.board.columns, problem.board.missing)
    if len(graph) > 17:
        expected = backtracked(problem)
    else:
        found = held_karp.exists(graph, problem.closed, problem.start, problem.end)
        expected = Verdict.FOUND if found else Verdict.IMPOSSIBLE
    for which in range(8):
        view = turned(problem, which)
        outcome = run("auto", Request.begin(view), own_process=False)
        assert outcome.verdict is expected
        assert outcome.tour is None or not defects(view, outcome.tour.squares)


@pytest.mark.slow
@settings(fixed, max_examples=60)
@given(problem=problems())
def test_an_open_tour_reads_backwards(problem):
    if not problem.closed:
        backwards = Problem(problem.board, start=problem.end, end=problem.start)
        assert backtracked(problem) is backtracked(backwards)


# Planted tours


def self_avoiding_walk(rng, length):
    """A random walk of a knight that never comes back, in a rectangle around it."""
    walk = [(0, 0)]
    moves = [(a, b) for a in (-2, -1, 1, 2) for b in (-2, -1, 1, 2) if abs(a) != abs(b)]
    side = max(3, int(length**0.5) + 1)
    while len(walk) < length:
        row, column = walk[-1]
        free = [
            (row + up, column + right)
            for up, right in moves
            if (row + up, column + right) not in walk
            and abs(row + up) <= side >= abs(column + right)
        ]
        if not free:
            return walk
        walk.append(rng.choice(free))
    return walk


def planted(seed):
    """The walk's own squares as a board, moved to the corner; its ends prescribed."""
    rng = random.Random(seed)
    walk = []
    while len(walk) < 3:
        walk = self_avoiding_walk(rng, rng.randint(3, 26))
    low = min(row for row, _ in walk), min(column for _, column in walk)
    walk = [(row - low[0], column - low[1]) for row, column in walk]
    rows, columns = (1 + max(square[axis] for square in walk) for axis in (0, 1))
    missing = {(row, column) for row in range(rows) for column in range(columns)} - set(walk)
    return Board(rows, columns, missing), walk


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(more(10, 25)))
@pytest.mark.parametrize("engine", COMPLETE)
def test_planted_walks_are_found(engine, seed):
    board, walk = planted(seed)
    graph = oracle.knight_graph(board.rows, board.columns, board.missing)
    assert set(graph) == set(walk) and all(graph.has_edge(u, v) for u, v in pairwise(walk))
    for problem in (
        Problem(board, start=walk[0], end=walk[-1]),
        Problem(board, start=walk[-1]),
        Problem(board, end=walk[0]),
        Problem(board),
    ):
        outcome = solve(problem, engine, seed=seed, own_process=False)
        assert outcome.verdict is Verdict.FOUND, f"{engine}, seed {seed}, {problem.label}"
        is_tour(problem, graph, outcome.tour)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("engine", ENGINES)
def test_planted_cycles_are_found(engine, seed):
    rng = random.Random(seed)
    size = rng.randint(3, 24)
    order = rng.sample(range(100), size)
    graph = nx.Graph(pairwise([*order, order[0]]))
    graph.add_edges_from(rng.sample(order, 2) for _ in range(rng.choice([0, size // 2, 2 * size])))
    for problem in (
        Problem(graph=graph, closed=True),
        Problem(graph=graph, closed=True, start=order[1]),
        Problem(graph=graph, start=order[0], end=order[-1]),
        Problem(graph=graph, end=order[0]),
    ):
        outcome = solve(problem, engine, seed=seed, own_process=False)
        if engine not in ("warnsdorff", "construct"):
            assert outcome.verdict is Verdict.FOUND, f"{engine}, seed {seed}, {problem.label}"
        assert outcome.verdict is not Verdict.IMPOSSIBLE
        if outcome.verdict is Verdict.FOUND:
            is_tour(problem, graph, outcome.tour)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("engine", ["auto", "backtrack", "cpsat", "sat"])
def test_larger_planted_cycles_are_found(engine, seed):
    rng = random.Random(seed)
    order = rng.sample(range(1000), 300)
    graph = nx.Graph(pairwise([*order, order[0]]))
    graph.add_edges_from(rng.sample(order, 2) for _ in range(450))
    outcome = solve(Problem(graph=graph, closed=True), engine, seed=seed, own_process=False)
    assert outcome.verdict is Verdict.FOUND, f"{engine}, seed {seed}"
    is_tour(outcome.problem, graph, outcome.tour)


@pytest.mark.parametrize("seed", range(20))
def test_one_square_too_many_of_a_colour_is_none(seed):
    # Parity broken: an even board from which two squares of one colour are cut.
    rng = random.Random(seed)
    rows, columns = rng.choice([(4, 5), (5, 4), (3, 6)])
    shade = rng.randrange(2)
    squares = [s for s in oracle.knight_graph(rows, columns) if sum(s) % 2 == shade]
    board = Board(rows, columns, set(rng.sample(squares, 2)))
    for engine in ("auto", "backtrack"):
        outcome = solve(Problem(board), engine, own_process=False)
        assert outcome.verdict is Verdict.IMPOSSIBLE, f"{engine}, seed {seed}, {board.label}"

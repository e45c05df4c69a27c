"""Constructed tours of whole boards: against the theorems, the judge, and their own arithmetic."""

import random
from itertools import combinations, combinations_with_replacement, product

import numpy as np
import pytest

from kt_cp import Board, Problem, Tour, Verdict, solve
from kt_cp.construction.construct import construct
from kt_cp.construction.tiles import NoTileError
from kt_cp.engines.run import run
from kt_cp.model.limits import Limits
from kt_cp.proofs.obstructions import obstruction
from kt_cp.proofs.theorems import closed_impossible, open_impossible
from kt_cp.trust.judge import defects
from kt_cp.trust.judge.array import array_defects
from tests.support.exhaustive import exhaustive


def judged(problem):
    """The tour that is constructed, judged as an array; None where nothing is constructed."""
    try:
        squares = construct(problem)
    except NoTileError:
        return None
    tour = Tour(squares, problem.closed, problem.board)
    found = array_defects(problem, tour.to_array())
    assert not found, (problem.label, list(map(str, found)))
    return tour


def compatible(rows, columns, one, two):
    """Whether the colours allow a tour between two squares."""
    shades = sum(one) % 2, sum(two) % 2
    return one != two and (shades == (0, 0) if rows * columns % 2 else shades[0] != shades[1])


def refuted(problem):
    """Whether there is evidence that no tour exists: a quick reason, or a search that is over."""
    if obstruction(problem) is not None:
        return True
    return run("backtrack", problem, limits=Limits(20), seed=1).verdict is Verdict.IMPOSSIBLE


def drawn(rng, least, most):
    """A random question about a rectangle which has an answer if both sides are from six."""
    while True:
        rows, columns = rng.randint(least, most), rng.randint(least, most)
        here, there = ((rng.randrange(rows), rng.randrange(columns)) for _ in range(2))
        kind = rng.choice(("closed", "closed from", "open", "from", "to", "between", "between"))
        ends = {
            "from": {"start": here},
            "to": {"end": here},
            "between": {"start": here, "end": there},
            "closed from": {"closed": True, "start": here},
            "closed": {"closed": True},
        }.get(kind, {})
        odd = rows * columns % 2
        shades = [sum(ends[which]) % 2 for which in ("start", "end") if which in ends]
        if odd and ("closed" in kind or any(shades)):
            continue
        if kind == "between" and not compatible(rows, columns, here, there):
            continue
        return Problem(Board(rows, columns), **ends)


@pytest.mark.parametrize("seed", range(60))
def test_one_order_however_it_is_asked_for(seed):
    rng = random.Random(seed)
    problem = drawn(rng, 6, 30)
    squares = construct(problem)
    order = list(squares)
    assert not defects(problem, order), (seed, problem.label)
    assert [squares[place] for place in range(len(order))] == order, (seed, problem.label)
    assert [squares.index(square) for square in order] == list(range(len(order)))
    rows, columns = problem.board.rows, problem.board.columns
    grid = np.zeros((rows, columns), dtype=np.int64)
    for step, square in enumerate(order, start=1):
        grid[square] = step
    assert np.array_equal(Tour(squares, problem.closed, problem.board).to_array(), grid)
    for dtype in (np.int32, np.int64):
        # Any window, cut anywhere, also into the middle of tiles.
        row, column = rng.randrange(rows), rng.randrange(columns)
        height, width = rng.randint(1, rows - row), rng.randint(1, columns - column)
        window = np.empty((height, width), dtype=dtype)
        squares.fill(window, row, column)
        assert np.array_equal(window, grid[row : row + height, column : column + width])
    low, high = sorted(rng.choices(range(len(order)), k=2))
    assert squares[low:high] == tuple(order[low:high])


@pytest.mark.parametrize("seed", range(12))
def test_long_boards(seed):
    # Large parts are written one by one, small ones many at once: every way of writing is taken.
    rng = random.Random(seed)
    long = rng.randint(3_000, 60_000)
    rows, columns = rng.choice([(rng.randint(6, 40), long), (long, rng.randint(6, 40))])
    ends = {}
    if rng.random() < 0.7:
        ends["start"] = rng.randrange(0, rows, 2), rng.randrange(0, columns, 2)
        ends["end"] = rng.randrange(0, rows, 2), rng.randrange(0, columns, 2)
        if rows * columns % 2 == 0:
            row, column = ends["end"]
            ends["end"] = (row, column + 1) if column + 1 < columns else (row, column - 1)
    problem = Problem(Board(rows, columns), **ends)
    tour = judged(problem)
    assert tour is not None, (seed, problem.label)


@pytest.mark.parametrize("columns", [10**9, 10**9 + 1])
@pytest.mark.parametrize("ends", [{"closed": True}, {}, {"start": (77, 10**8)}, {"both": True}])
def test_boards_that_no_memory_holds(columns, ends):
    if "both" in ends:
        ends = {"start": (10**9 - 1, 5), "end": (3, 10**9 - 4)}
        if sum(ends["start"]) % 2 == sum(ends["end"]) % 2:
            ends["end"] = (4, 10**9 - 4)
    problem = Problem(Board(10**9, columns), **ends)
    outcome = solve(problem, seed=1)
    assert (outcome.verdict, outcome.engine) == (Verdict.FOUND, "construct")
    assert outcome.verified is None
    assert outcome.checks.remarks["verified"].endswith("judged at 10,000 random places")


SIDES = product(range(1, 61), repeat=2)


@exhaustive("rectangles to sixty", SIDES, sample=75, batches=4)
def test_every_rectangle_to_sixty(cases):
    for rows, columns in cases:
        short, long = sorted((rows, columns))
        for closed, none in ((False, open_impossible), (True, closed_impossible)):
            problem = Problem(Board(rows, columns), closed=closed)
            if problem.size > 2:
                assert (judged(problem) is None) is none(short, long), problem.label


TO_TWELVE = [
    (rows, columns, start)
    for rows, columns in combinations_with_replacement(range(3, 13), 2)
    for start in Board(rows, columns)
]


@exhaustive("starts of rectangles to twelve", TO_TWELVE, sample=100, batches=4)
def test_every_start_to_twelve(cases):
    for rows, columns, start in cases:
        for closed in (False, True):
            problem = Problem(Board(rows, columns), closed=closed, start=start)
            if judged(problem) is None:
                assert refuted(problem), problem.label


TO_EIGHT = [
    (rows, columns, *ends)
    for rows, columns in combinations_with_replacement(range(3, 9), 2)
    for ends in combinations(Board(rows, columns), 2)
]


@exhaustive("pairs of ends of rectangles to eight", TO_EIGHT, sample=200, batches=4)
def test_every_pair_of_ends_to_eight(cases):
    for rows, columns, start, end in cases:
        problem = Problem(Board(rows, columns), start=start, end=end)
        if judged(problem) is None:
            assert refuted(problem), problem.label
        elif min(rows, columns) >= 6:
            assert compatible(rows, columns, start, end)


@exhaustive("pairs of ends of rectangles to sixty", range(4000), sample=75, batches=4)
def test_random_pairs_of_ends_to_sixty(cases):
    for seed in cases:
        rng = random.Random(seed)
        rows, columns = rng.randint(3, 60), rng.randint(3, 60)
        one, two = rng.sample([*product(range(rows), range(columns))], 2)
        problem = Problem(Board(rows, columns), start=one, end=two)
        if judged(problem) is None:
            assert refuted(problem), (seed, problem.label)
            assert min(rows, columns) < 6 or not compatible(rows, columns, one, two)


def test_what_is_not_constructed_says_why():
    with pytest.raises(NoTileError, match="without missing squares"):
        construct(Problem(Board(8, 8, missing={(3, 3)})))
    with pytest.raises(NoTileError, match="both ends have the colour of the corners"):
        construct(Problem(Board(7, 7), start=(0, 1)))
    with pytest.raises(NoTileError, match="the ends have different colours"):
        construct(Problem(Board(8, 8), start=(0, 0), end=(7, 7)))
    outcome = solve(Problem(Board(7, 9), closed=True), "construct")
    assert outcome.verdict is Verdict.UNKNOWN
    assert outcome.reason.startswith("nothing was constructed: on an odd number of squares")


SEEDED = [(6, 6), (8, 8), (7, 9), (12, 30), (3, 30), (4, 40), (5, 33), (33, 5)]


@pytest.mark.parametrize("rows, columns", SEEDED)
def test_a_seed_draws_what_is_not_asked_for(rows, columns):
    board, seeds = Board(rows, columns), range(1, 25)
    kinds = [{}, {"start": (0, 0)}, {"end": (0, 0)}]
    if rows * columns % 2 == 0 and 4 not in (rows, columns):
        kinds += [{"closed": True}, {"closed": True, "start": (0, 0)}]
    for asked in kinds:
        problem = Problem(board, **asked)
        plain = construct(problem)
        assert list(plain) == list(construct(problem, 0))
        made = [construct(problem, seed) for seed in seeds]
        for squares in made:
            assert not defects(problem, list(squares))
            assert all(squares.index(squares[step]) == step for step in (0, 7, -1 % len(squares)))
        if asked.keys() <= {"closed"}:  # anywhere, and all but a few of them differ
            assert len({squares[0] for squares in made}) > 8
            assert len({tuple(squares) for squares in made}) > 20
        assert [list(construct(problem, seed)) for seed in seeds] == [*map(list, made)]


@pytest.mark.parametrize(
    ("board", "ends", "least"),
    [("8x8", ("a1", "h7"), 6), ("30x21", ("u9", "a30"), 8), ("7x9", ("e5", "i1"), 6),
     ("4x10", ("a1", "j1"), 2)],
)  # fmt: skip
def test_a_seed_draws_another_tour_between_two_squares(board, ends, least):
    problem = Problem(board, start=ends[0], end=ends[1])
    made = [construct(problem, seed) for seed in range(1, 9)]
    for squares in made:
        assert not defects(problem, list(squares))
        assert all(squares.index(squares[step]) == step for step in (0, 7, len(squares) - 1))
    assert len({tuple(squares) for squares in made}) >= least
    assert list(construct(problem, 3)) == list(made[2])


def test_a_seed_draws_a_tour_of_any_size_at_once():
    problem = Problem(Board(10**9, 10**9), closed=True)
    one, other = construct(problem, 1), construct(problem, 2)
    assert one[0] != other[0]
    for squares in (one, other):
        assert all(squares.index(squares[step]) == step for step in (0, 10**17, 10**18 - 1))

"""The judge of arrays: corruptions, the judge of walks as an oracle, time and memory."""

from __future__ import annotations

import random
import time
import tracemalloc
from functools import partial

import networkx as nx
import numpy as np
import pytest

from kt_cp import Board, Problem
from kt_cp.model.errors import InputError
from kt_cp.sources.structured import divide_and_conquer
from kt_cp.testing import oracle
from kt_cp.trust.judge import Rule, array, defects
from kt_cp.trust.judge.array import ArrayJudge, array_defects
from tests.examples.arrays import (
    array_of,
    rules,
    spoilt,
    streamed,
    tiled,
    tour_array,
    tour_squares,
    walk_of,
)
from tests.support.exhaustive import more

DTYPES = ["i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", ">i4", ">u2"]


# --- tours pass -----------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", DTYPES)
def test_tours_pass_in_every_type(dtype):
    numbers = tour_array(6, 6, closed=True, dtype=dtype)
    squares = tour_squares(6, 6, closed=True)
    for layout in (numbers, np.asfortranarray(numbers), numbers[::-1][::-1], numbers.T.copy().T):
        assert array_defects(Problem(Board(6, 6), closed=True), layout) == []
        assert array_defects(Problem(Board(6, 6), start=squares[0], end=squares[-1]), layout) == []


@pytest.mark.parametrize(
    ("rows", "columns", "missing"),
    [(1, 1, ()), (3, 4, ()), (4, 3, ()), (30, 5, ()), (5, 30, ()), (3, 40, ()), (40, 3, ()),
     (6, 6, ((2, 2), (3, 2))), (5, 6, ((0, 0), (0, 5))), (8, 8, ((0, 0), (7, 7), (0, 1), (4, 3)))],
    ids=str,
)  # fmt: skip
def test_tours_pass_on_every_board(rows, columns, missing):
    numbers = tour_array(rows, columns, missing=missing)
    problem = Problem(Board(rows, columns, frozenset(missing)))
    assert array_defects(problem, numbers) == []
    for by_columns in (False, True):
        judge = streamed(problem, numbers, [1], by_columns=by_columns)
        squares = tour_squares(rows, columns, missing=missing)
        assert (judge.defects(), judge.first, judge.last) == ([], squares[0], squares[-1])
    turned = frozenset((column, row) for row, column in missing)
    assert array_defects(Problem(Board(columns, rows, turned)), numbers.T) == []


@pytest.mark.slow
def test_sixty_thousand_squares():
    squares = divide_and_conquer(250, 250).squares
    least = [min(part) for part in zip(*squares, strict=True)]
    numbers = array_of(250, 250, [(x - least[0], y - least[1]) for x, y in squares])
    problem = Problem(Board(250, 250), closed=True)
    assert array_defects(problem, numbers) == []
    judge = streamed(problem, numbers, [1, 7, 100])
    assert (judge.defects(), judge.closes) == ([], True)
    numbers[125, 125], numbers[0, 249] = numbers[0, 249], numbers[125, 125]
    found = array_defects(problem, numbers)
    assert {defect.rule for defect in found} == {Rule.ILLEGAL_MOVE}
    assert sorted(defect.step for defect in streamed(problem, numbers, [3]).defects()) == sorted(
        defect.step for defect in found
    )


def test_closed_tours_say_so():
    problem = Problem(Board(6, 6))
    assert streamed(problem, tour_array(6, 6, closed=True), [6]).closes
    assert not streamed(Problem(Board(3, 4)), tour_array(3, 4), [3]).closes


# --- one corruption per rule ----------------------------------------------------------------------


@pytest.fixture
def closed():
    return tour_array(6, 6, closed=True)


def test_repeated(closed):
    last = tuple(np.argwhere(closed == 36)[0])
    closed[last] = 1  # the walk of 35 is whole, and its first step stands twice
    problem = Problem(Board(6, 6))
    found = array_defects(problem, closed)
    assert [defect.rule for defect in found] == [Rule.REPEATED]
    assert str(found[0]).startswith("step 1 repeated: ")
    found = streamed(problem, closed, [2]).defects()
    assert [str(defect).split(":")[0] for defect in found] == [
        "some step repeated",
        "step 1 repeated",
    ]
    assert {defect.rule for defect in found} == {Rule.REPEATED}


def test_two_walks_in_one_array():
    # Every number is in range and linked; only the highest is not there.
    half = tour_array(6, 6, closed=True)
    both = np.hstack([half, half])
    found = array_defects(Problem(Board(6, 12)), both)
    assert {defect.rule for defect in found} == {Rule.REPEATED}
    assert str(found[0]).startswith("step 1 repeated: ")
    assert len(found) == 6
    assert str(found[-1]) == "31 more of this kind: square repeated"
    # A ring without beginning or end: no number is 1, and the lowest is not linked.
    assert Rule.ILLEGAL_MOVE in rules(Problem(Board(6, 12)), both + 1)


def test_a_highest_step_that_is_not_there():
    half = tour_array(6, 6, closed=True)
    both = np.hstack([half, half])
    both[both == 1] = 2
    found = streamed(Problem(Board(6, 12)), both, [4]).defects()
    assert Rule.ILLEGAL_MOVE in {defect.rule for defect in found}
    assert "some step repeated: 72 squares, and no step 72" in [str(defect) for defect in found]


@pytest.mark.parametrize("number", [0, -1, -36, 37, 1000, np.iinfo("i4").min, np.iinfo("i4").max])
def test_unvisited(closed, number):
    square = tuple(int(part) for part in np.argwhere(closed == 36)[0])
    closed[square] = number
    problem = Problem(Board(6, 6))
    assert rules(problem, closed) == [Rule.UNVISITED]
    judge = streamed(problem, closed, [1])
    assert [defect.rule for defect in judge.defects()] == [Rule.UNVISITED]
    assert f"its number is {number}, expected 1 to 36" in str(judge.defects()[0])
    assert judge.last != square


def test_illegal_move(closed):
    ends = [tuple(np.argwhere(closed == step)[0]) for step in (35, 36)]
    closed[ends[0]], closed[ends[1]] = 36, 35
    problem = Problem(Board(6, 6))
    assert rules(problem, closed) == [Rule.ILLEGAL_MOVE]
    found = streamed(problem, closed, [2]).defects()
    assert [(defect.rule, defect.step) for defect in found] == [(Rule.ILLEGAL_MOVE, 35)]
    assert str(found[0]).endswith("at step 35: no square a knight's move away holds 34")


def test_missing_square_used():
    squares = tour_squares(3, 4)
    numbers = tour_array(3, 4)
    problem = Problem(Board(3, 4, missing={squares[-1]}))
    assert rules(problem, numbers) == [Rule.MISSING]
    assert [each.rule for each in streamed(problem, numbers, [1]).defects()] == [Rule.MISSING]
    numbers[squares[-1]] = -1
    assert rules(problem, numbers) == [Rule.MISSING]
    numbers[squares[-1]] = 0
    assert rules(problem, numbers) == []


def test_a_number_on_a_missing_square_does_not_make_up_for_one_that_lacks():
    # As many 0s as there are missing squares, but not on them.
    squares = tour_squares(3, 4)
    numbers = tour_array(3, 4)
    numbers[squares[-2]] = 0
    problem = Problem(Board(3, 4, missing={squares[-1]}))
    assert {Rule.MISSING, Rule.UNVISITED} <= set(rules(problem, numbers))


def test_a_tour_that_goes_over_a_missing_square_instead_of_one_in_its_row(small_blocks):
    # All links hold and each row has as many 0s as missing squares; the ends of the tour, which
    # are always checked, are in other rows.
    small_blocks(8, 100)
    missing = ((2, 2), (3, 2))
    numbers = tour_array(6, 6, missing=missing)
    numbers[3, 2], numbers[3, 0] = numbers[3, 0], 0
    assert not {1, 34} & set(numbers[3])
    problem = Problem(Board(6, 6, frozenset(missing)))
    found = streamed(problem, numbers, [6]).defects()
    assert [defect.rule for defect in found] == [Rule.MISSING, Rule.UNVISITED]


def test_wrong_start_and_wrong_end(closed):
    squares = tour_squares(6, 6, closed=True)
    problem = Problem(Board(6, 6), start=squares[1])
    assert rules(problem, closed) == [Rule.WRONG_START]
    assert [each.rule for each in streamed(problem, closed, [6]).defects()] == [Rule.WRONG_START]
    problem = Problem(Board(6, 6), end=squares[1])
    assert rules(problem, closed) == [Rule.WRONG_END]
    found = streamed(problem, closed, [6]).defects()
    assert [(defect.rule, defect.step) for defect in found] == [(Rule.WRONG_END, 36)]


def test_not_closed():
    # Schwenk: 3x4 has no closed tour, so no open one closes.
    problem = Problem(Board(3, 4), closed=True)
    assert rules(problem, tour_array(3, 4)) == [Rule.NOT_CLOSED]
    found = streamed(problem, tour_array(3, 4), [2]).defects()
    assert [defect.rule for defect in found] == [Rule.NOT_CLOSED]
    assert rules(Problem(Board(1, 1), closed=True), np.array([[1]])) == [Rule.NOT_CLOSED]


def test_two_squares_are_no_cycle():
    ring = [(0, 0), (0, 1), (1, 0), (1, 1), (0, 2), (1, 2)]
    board = Board(2, 3, missing={square for square in ring if square not in {(0, 0), (1, 2)}})
    numbers = array_of(2, 3, [(0, 0), (1, 2)])
    assert rules(Problem(board), numbers) == []
    assert rules(Problem(board, closed=True), numbers) == [Rule.NOT_CLOSED]


def test_nothing_visited():
    nothing = np.zeros((3, 4), np.int16)
    assert rules(Problem(Board(3, 4)), nothing) == [Rule.UNVISITED]
    problem = Problem(Board(3, 4), closed=True, start=(0, 0))
    assert rules(problem, nothing) == [Rule.UNVISITED, Rule.NOT_CLOSED]
    found = streamed(problem, nothing, [1]).defects()
    assert {defect.rule for defect in found} == {Rule.UNVISITED, Rule.NOT_CLOSED}
    assert str(found[5]) == "7 more of this kind: square unvisited"


# --- what numbers overflow ------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", ["u1", "i2", "u2", "i8", "u8"])
def test_the_highest_number_of_a_type_is_a_number_like_any_other(dtype):
    numbers = tour_array(15, 17).astype(dtype)  # 255 squares
    problem = Problem(Board(15, 17))
    for layout in (numbers, numbers.T.copy().T):
        assert array_defects(problem, layout) == []
    assert array_defects(Problem(Board(17, 15)), numbers.T) == []
    for step, instead in ((255, 0), (1, 0), (1, 255), (255, 1), (128, 0), (128, 255)):
        changed = numbers.copy()
        changed[changed == step] = instead
        assert array_defects(problem, changed), (step, instead)
        assert streamed(problem, changed, [1]).defects()


def test_numbers_that_a_type_cannot_hold_do_not_come_round():
    numbers = tour_array(16, 17).astype("u1")  # 272 squares: from 256 on it counts from 0 again
    assert Rule.REPEATED in rules(Problem(Board(16, 17)), numbers)
    assert streamed(Problem(Board(16, 17)), numbers, [5]).defects()
    numbers = tour_array(12, 12).astype("i1")  # 128 is -128
    assert Rule.UNVISITED in rules(Problem(Board(12, 12)), numbers)
    # Seen as unsigned, -1 would be 65535, which a board of 300x300 has.
    changed = tour_array(6, 6).astype("i2")
    changed[0, 0] = -1
    part = np.tile(changed, (50, 50))
    found = streamed(Problem(Board(300, 300)), part, [300]).defects()
    assert "a1 unvisited: its number is -1, expected 1 to 90000" in [str(each) for each in found]


def test_numbers_beyond_int64():
    numbers = tour_array(6, 6, dtype="u8")
    numbers[0, 0] = 2**64 - 1
    assert Rule.UNVISITED in rules(Problem(Board(6, 6)), numbers)
    assert "18446744073709551615" in str(streamed(Problem(Board(6, 6)), numbers, [6]).defects()[0])


# --- the judge of walks is the oracle -------------------------------------------------------------

BOARDS = [
    (3, 4, False, ()),
    (5, 5, False, ()),
    (6, 6, True, ()),
    (7, 3, False, ()),
    (3, 10, True, ()),
    (6, 6, False, ((2, 2), (3, 2))),
    (5, 6, False, ((0, 0), (0, 5))),
]


MORE = ((8, 1), (64, 4), (40, 2), (400, 5))


@pytest.mark.parametrize(
    "blocks",
    [(320_000, 16_384), *(pytest.param(each, marks=pytest.mark.slow) for each in MORE)],
    ids=str,
)
@pytest.mark.parametrize(("rows", "columns", "closed", "missing"), BOARDS, ids=str)
def test_corrupted_at_random(small_blocks, rows, columns, closed, missing, blocks):
    small_blocks(*blocks)
    rng = random.Random(f"{rows} {columns} {missing} {blocks}")
    board = Board(rows, columns, frozenset(missing))
    squares = tour_squares(rows, columns, closed=closed, missing=missing)
    good = tour_array(rows, columns, closed=closed, missing=missing)
    kinds = set()
    for turn in range(more(30, 150)):
        numbers = spoilt(good.astype(rng.choice(DTYPES)), rng)
        if rng.random() < 0.3:
            numbers = spoilt(numbers, rng)
        start = rng.choice([None, None, squares[0], squares[-1], squares[3]])
        end = rng.choice([None, None, squares[-1], squares[0], squares[5]])
        if turn == 0:
            numbers, start, end = good, None, None
        for problem in (
            Problem(board, start=start, end=end if end != start else None),
            Problem(board, start=start, closed=True),
        ):
            found = array_defects(problem, numbers.T.copy().T if turn % 3 == 0 else numbers)
            heights = [rng.randint(0, 3), rng.randint(1, 6)]
            judge = streamed(problem, numbers, heights, by_columns=rng.random() < 0.5)
            local = judge.defects()
            walk = walk_of(numbers)
            context = (turn, problem.label, numbers.tolist(), heights)
            assert bool(found) == bool(local), context
            if walk is None:
                assert {each.rule for each in found} & {
                    Rule.REPEATED, Rule.UNVISITED, Rule.MISSING,
                }, context  # fmt: skip
                continue
            expected = defects(problem, walk)
            assert found == expected, context
            if not any(numbers[square] for square in missing):
                assert {each.rule for each in local} == {each.rule for each in expected}, context
                assert not walk or (judge.first, judge.last) == (walk[0], walk[-1]), context
            kinds |= {each.rule for each in expected} or {None}
    assert kinds >= {None, Rule.UNVISITED, Rule.ILLEGAL_MOVE, Rule.WRONG_START, Rule.NOT_CLOSED}


def _paths(graph, path):
    if len(path) == len(graph):
        yield tuple(path)
    for other in sorted(graph[path[-1]]):
        if other not in path:
            yield from _paths(graph, [*path, other])


@pytest.mark.slow
def test_exactly_the_tours_of_3x4_pass():
    graph = oracle.knight_graph(3, 4)
    tours = {path for first in graph for path in _paths(graph, [first])}
    assert len(tours) == 16
    problem = Problem(Board(3, 4))
    assert all(array_defects(problem, array_of(3, 4, tour)) == [] for tour in tours)
    rng = random.Random(34)
    squares = sorted(graph)
    for turn in range(more(1000, 4000)):
        # Two squares exchanged, or three, of a tour; now and then any order at all.
        walk = list(rng.choice(sorted(tours))) if turn % 4 else rng.sample(squares, 12)
        for _ in range(turn % 3):
            one, two = rng.sample(range(12), 2)
            walk[one], walk[two] = walk[two], walk[one]
        found = array_defects(problem, array_of(3, 4, walk, "u1"))
        assert (not found) == (tuple(walk) in tours)
        assert found == defects(problem, walk)


@pytest.mark.slow
def test_all_arrays_of_numbers_on_a_tiny_board():
    # Six numbers, or seven, some of them nonsense: four squares of the ring of 3x3, or five.
    ring = [(0, 0), (1, 2), (2, 0), (0, 1), (2, 2)][: more(4, 5)]
    value_count = len(ring) + 2
    missing = {(row, column) for row in range(3) for column in range(3)} - set(ring)
    problem = Problem(Board(3, 3, frozenset(missing)))
    passed = 0
    for code in range(value_count ** len(ring)):
        numbers = np.zeros((3, 3), np.int8)
        for place, square in enumerate(ring):
            numbers[square] = code // value_count**place % value_count - 1  # from -1 on
        walk = walk_of(numbers)
        is_tour = walk is not None and defects(problem, walk) == []
        judge = ArrayJudge(problem)
        judge.add(numbers)
        assert (judge.defects() == []) == is_tour, numbers
        passed += is_tour
    assert passed == 2  # there and back


# --- blocks, memory, and what is no array of steps ------------------------------------------------


@pytest.mark.parametrize("shape", [(600, 600), (6, 60_000), (60_000, 6)], ids=str)
def test_memory_stays_within_a_block(shape):
    numbers = tiled(*shape)  # 1.4 MB
    judge = ArrayJudge(Problem(Board(*shape)))
    tracemalloc.start()
    judge.add(numbers)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    # The numbers of a block, those before them, two flags for each; more where it looks closer.
    assert peak < 8 * array.BLOCK_BYTES
    assert judge.defects()


@pytest.mark.slow
def test_judging_takes_at_most_ten_times_as_long_as_filling_and_copying():
    def seconds(work):
        began = time.process_time()
        work()
        return time.process_time() - began

    def filled_and_copied():
        np.arange(side**2, dtype=np.int32).reshape(side, side).copy()

    side = 3_000  # 36 MB, more than what is cached
    problem = Problem(Board(side, side), closed=True)
    rising = np.arange(1, side**2 + 1, dtype=np.int32).reshape(side, side)  # all of it wrong
    linked = np.ascontiguousarray(tiled(side + 60, side + 60)[:side, :side])
    works = [
        filled_and_copied,
        partial(array_defects, problem, rising),
        partial(array_defects, problem, linked),
    ]
    rounds = [[seconds(work) for work in works] for _ in range(3)]
    filling, *judged = (min(times) for times in zip(*rounds, strict=True))
    assert max(judged) <= 10 * filling, (filling, judged)


def test_only_a_few_squares_are_named():
    numbers = np.zeros((1200, 1000), np.int32)
    found = array_defects(Problem(Board(1200, 1000)), numbers)
    assert [str(defect) for defect in found[-2:]] == [
        "e1 unvisited: its number is 0, expected 1 to 1200000",
        "1199995 more of this kind: square unvisited",
    ]
    found = array_defects(Problem(Board(1200, 1000)), numbers + 1)
    assert [defect.rule for defect in found] == [Rule.REPEATED] * 2
    assert str(found[0]) == "some step repeated: 1200000 squares, and no step 1200000"
    assert str(found[1]) == "step 1 repeated: a1, b1, c1, d1, e1, …"


def test_the_moves_of_a_knight():
    assert len(array.MOVES) == 8
    assert {frozenset((abs(a), abs(b))) for a, b in array.MOVES} == {frozenset((1, 2))}


def test_what_is_no_array_of_steps():
    problem = Problem(Board(3, 4))
    good = tour_array(3, 4)
    for value, words in (
        (good.astype(float), "float64"),
        (good.astype(object), "object"),
        (good.astype(bool), "bool"),
        (good.astype("m8[s]"), "timedelta"),
        (good.T, r"shape \(3, 4\), got \(4, 3\)"),
        (good[:2], r"shape \(3, 4\), got \(2, 4\)"),
        (good.ravel(), r"got \(12,\)"),
        (good[None], r"got \(1, 3, 4\)"),
        (good.tolist(), "got list"),
        (None, "got NoneType"),
    ):
        with pytest.raises(InputError, match=words):
            array_defects(problem, value)
    with pytest.raises(InputError, match="expected a problem on a board, got graph"):
        array_defects(Problem(graph=nx.path_graph(12)), good)


def test_streams_that_do_not_fit():
    good = tour_array(3, 4)
    judge = ArrayJudge(Problem(Board(3, 4)))
    judge.add(good[:2])
    with pytest.raises(InputError, match="expected 3 rows in all, got 2"):
        judge.defects()
    with pytest.raises(InputError, match="expected 3 rows in all, got at least 4"):
        judge.add(good[:2])
    with pytest.raises(InputError, match="expected rows of 4 squares"):
        judge.add(good[2:, :3])
    with pytest.raises(InputError, match="expected dtype int32 as before, got int64"):
        judge.add(good[2:].astype("i8"))
    judge.add(good[:0])
    judge.add(good[2:].astype(">i4"))
    assert judge.defects() == judge.defects() == []
    columns = ArrayJudge(Problem(Board(3, 4)), by_columns=True)
    with pytest.raises(InputError, match="expected columns of 3 squares"):
        columns.add(good)


def test_what_one_judge_refuses_the_other_cannot_pass(monkeypatch):
    monkeypatch.setattr(array, "defects", lambda problem, walk: [])
    numbers = tour_array(3, 4)[::-1, ::-1] % 12 + 1
    assert rules(Problem(Board(3, 4)), numbers) == [Rule.ILLEGAL_MOVE]


def test_files_that_are_mapped(tmp_path):
    good = tour_array(6, 6, closed=True)
    np.save(tmp_path / "tour.npy", good)
    mapped = np.load(tmp_path / "tour.npy", mmap_mode="r")
    assert array_defects(Problem(Board(6, 6), closed=True), mapped) == []

"""The judge of arrays: tours pass, and one corruption per rule is refused by that rule."""

from __future__ import annotations

import numpy as np
import pytest

from kt_cp import Board, Problem
from kt_cp.sources.divide import divide_and_conquer
from kt_cp.trust.judge import Rule
from kt_cp.trust.judge.array import array_defects
from tests.examples.arrays import array_of, rules, streamed, tour_array, tour_squares

DTYPES = ["i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", ">i4", ">u2"]


# --- tours pass -----------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", DTYPES)
def test_tours_pass_in_every_type(dtype):
    numbers = tour_array(6, 6, closed=True, dtype=dtype)
    squares = tour_squares(6, 6, closed=True)
    for shown in (numbers, np.asfortranarray(numbers), numbers[::-1][::-1], numbers.T.copy().T):
        assert array_defects(Problem(Board(6, 6), closed=True), shown) == []
        assert array_defects(Problem(Board(6, 6), start=squares[0], end=squares[-1]), shown) == []


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
    # are always looked at, are in other rows.
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
    for shown in (numbers, numbers.T.copy().T):
        assert array_defects(problem, shown) == []
    assert array_defects(Problem(Board(17, 15)), numbers.T) == []
    for step, instead in ((255, 0), (1, 0), (1, 255), (255, 1), (128, 0), (128, 255)):
        wrong = numbers.copy()
        wrong[wrong == step] = instead
        assert array_defects(problem, wrong), (step, instead)
        assert streamed(problem, wrong, [1]).defects()


def test_numbers_that_a_type_cannot_hold_do_not_come_round():
    numbers = tour_array(16, 17).astype("u1")  # 272 squares: from 256 on it counts from 0 again
    assert Rule.REPEATED in rules(Problem(Board(16, 17)), numbers)
    assert streamed(Problem(Board(16, 17)), numbers, [5]).defects()
    numbers = tour_array(12, 12).astype("i1")  # 128 is -128
    assert Rule.UNVISITED in rules(Problem(Board(12, 12)), numbers)
    # Seen as unsigned, -1 would be 65535, which a board of 300x300 has.
    wrong = tour_array(6, 6).astype("i2")
    wrong[0, 0] = -1
    part = np.tile(wrong, (50, 50))
    found = streamed(Problem(Board(300, 300)), part, [300]).defects()
    assert "a1 unvisited: its number is -1, expected 1 to 90000" in [str(each) for each in found]


def test_numbers_beyond_int64():
    numbers = tour_array(6, 6, dtype="u8")
    numbers[0, 0] = 2**64 - 1
    assert Rule.UNVISITED in rules(Problem(Board(6, 6)), numbers)
    assert "18446744073709551615" in str(streamed(Problem(Board(6, 6)), numbers, [6]).defects()[0])

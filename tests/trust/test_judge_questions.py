"""The judge over pieces, surfaces and conditions: moves as an oracle has them, one lie per rule."""

from __future__ import annotations

import random
from itertools import product

import numpy as np
import pytest

from kt_cp import Board, Problem, Tour
from kt_cp.model.conditions import KINDS, MOTIONS
from kt_cp.model.errors import TooLargeError
from kt_cp.model.piece import Piece
from kt_cp.trust.judge import Rule, array, conditions, defects, place_defects
from kt_cp.trust.judge.array import ArrayJudge, array_defects
from kt_cp.trust.judge.rules import is_move
from tests.examples import random_problems
from tests.examples.arrays import array_of, streamed, tour_squares
from tests.oracles import naive

CLOSED = tour_squares(6, 6, closed=True)
BOARD = Board(6, 6)


def after(square):
    return CLOSED[(CLOSED.index(square) + 1) % 36]


# --- moves ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("surface", naive.JOINED)
def test_moves_are_those_of_the_oracle(surface):
    rng = random.Random(surface)
    for rows, columns in product(range(1, 6), repeat=2):
        piece = random_problems.random_piece(rng, most=7)
        problem = Problem(Board(rows, columns, surface=surface), piece=piece)
        expected = naive.beside(problem)
        for here, there in product(problem.board, repeat=2):
            made = is_move(problem, here, there)
            assert made == (there in expected[here]), (problem.label, here, there)
            assert made == is_move(problem, there, here)


def test_moves_of_enormous_leaps_and_off_the_board():
    far = Piece.leaper(1, 10**18)
    torus = Problem(Board(3, 7, surface="torus"), piece=far)
    assert is_move(torus, (0, 0), (1, 10**18 % 7))
    assert not is_move(torus, (0, 0), (1, (10**18 + 1) % 7))
    assert is_move(Problem(Board(3, 3)), (0, 0), (-1, 2))  # which is off the board, no more
    stranger = [(0, 0), (0, 7)]
    assert defects(Problem(Board(1, 1)), stranger)[0].rule is Rule.OFF_BOARD


def test_a_move_back_to_its_own_square_is_none():
    board = Board(1, 2, surface="torus")
    assert not is_move(Problem(board, piece="dabbaba"), (0, 0), (0, 0))
    assert is_move(Problem(board, piece="knight"), (0, 0), (0, 1))


# --- conditions: one corruption per rule ----------------------------------------------------------

TWO, OTHER = CLOSED[4], CLOSED[20]
NOT_MADE = next(
    (one, other)
    for one, others in sorted(naive.beside(Problem(BOARD)).items())
    for other in sorted(others)
    if other != after(one) and one != after(other)
)
MADE = (CLOSED[10], CLOSED[11])
KEPT = {
    Rule.WRONG_START: {"start": CLOSED[0]},
    Rule.WRONG_END: {"end": CLOSED[-1]},
    Rule.REQUIRED_MISSING: {"require": [MADE, (CLOSED[30], CLOSED[31])]},
    Rule.FORBIDDEN_USED: {"forbid": [NOT_MADE]},
    Rule.WRONG_STEP: {"given": {TWO: 5, OTHER: 21}},
}
BROKEN = {
    Rule.WRONG_START: ({"start": CLOSED[1]}, "wrong start: "),
    Rule.WRONG_END: ({"end": CLOSED[0]}, "wrong end: "),
    Rule.REQUIRED_MISSING: ({"require": [MADE, NOT_MADE]}, "required move "),
    Rule.FORBIDDEN_USED: ({"forbid": [NOT_MADE, MADE]}, "made between steps 11 and 12"),
    Rule.WRONG_STEP: ({"given": {TWO: 5, OTHER: 22}}, "at step 21, expected at step 22"),
    Rule.NOT_SYMMETRIC: ({"symmetry": "diagonal"}, "not symmetric under the diagonal: "),
}


def judgements(problem, squares):
    """What each judge says of the same walk."""
    board = problem.board
    numbers = array_of(board.rows, board.columns, squares)
    yield defects(problem, squares)
    yield place_defects(problem, Tour(squares, problem.closed, board), range(1, len(squares) + 1))
    for by_columns in (False, True):
        yield streamed(problem, numbers, [1, 4], by_columns=by_columns).defects()
    yield array_defects(problem, numbers)


def test_every_kind_of_condition_has_a_rule():
    assert set(conditions.RULES) == set(KINDS)
    assert set(conditions.MOTIONS) == set(MOTIONS)
    assert set(BROKEN) | set(KEPT) == {
        Rule.WRONG_START, Rule.WRONG_END, Rule.REQUIRED_MISSING, Rule.FORBIDDEN_USED,
        Rule.WRONG_STEP, Rule.NOT_SYMMETRIC,
    }  # fmt: skip


@pytest.mark.parametrize("rule", KEPT, ids=lambda rule: rule.name)
def test_conditions_that_are_kept(rule):
    for found in judgements(Problem(BOARD, **KEPT[rule]), CLOSED):
        assert found == []


@pytest.mark.parametrize("rule", BROKEN, ids=lambda rule: rule.name)
def test_one_corruption_per_rule(rule):
    asked, words = BROKEN[rule]
    for found in judgements(Problem(BOARD, **asked), CLOSED):
        assert [defect.rule for defect in found] == [rule]
        assert words in str(found[0])


def test_the_way_back_is_a_move_of_a_closed_tour_alone():
    back = (CLOSED[-1], CLOSED[0])
    for closed, asked, expected in (
        (True, {"require": [back]}, []),
        (False, {"require": [back]}, [Rule.REQUIRED_MISSING]),
        (True, {"forbid": [back]}, [Rule.FORBIDDEN_USED]),
        (False, {"forbid": [back]}, []),
    ):
        for found in judgements(Problem(BOARD, closed=closed, **asked), CLOSED):
            assert [defect.rule for defect in found] == expected


def test_conditions_of_squares_that_are_not_visited():
    asked = {"require": [MADE], "given": {CLOSED[10]: 11}}
    found = defects(Problem(BOARD, **asked), CLOSED[:10])
    assert [defect.rule for defect in found] == [
        Rule.UNVISITED, Rule.REQUIRED_MISSING, Rule.WRONG_STEP,
    ]  # fmt: skip
    assert "at no step, expected at step 11" in str(found[-1])


SYMMETRIC = {
    # Once around the board.
    "half-turn": (Board(2, 2), "king", [(0, 0), (0, 1), (1, 1), (1, 0)]),
    "quarter-turn": (Board(2, 2), "king", [(0, 0), (0, 1), (1, 1), (1, 0)]),
    "left-right": (Board(2, 3), "wazir", [(0, 0), (0, 1), (0, 2), (1, 2), (1, 1), (1, 0)]),
    "top-bottom": (Board(2, 3), "wazir", [(0, 0), (0, 1), (0, 2), (1, 2), (1, 1), (1, 0)]),
    "diagonal": (Board(2, 2), "king", [(0, 0), (0, 1), (1, 1), (1, 0)]),
}


@pytest.mark.parametrize("motion", MOTIONS)
def test_symmetric_tours(motion):
    board, piece, squares = SYMMETRIC[motion]
    problem = Problem(board, piece=piece, closed=True, symmetry=motion)
    for found in judgements(problem, squares):
        assert found == []
    # Along both diagonals and two sides: the motions that exchange the other two sides are out.
    crossing = [(0, 0), (1, 1), (0, 1), (1, 0)]
    problem = Problem(Board(2, 2), piece="king", closed=True, symmetry=motion)
    assert bool(defects(problem, crossing)) == (motion in {"quarter-turn", "diagonal"})


def test_no_quarter_turn_carries_a_long_board_to_itself():
    problem = Problem(Board(2, 3), piece="wazir", closed=True, symmetry="quarter-turn")
    assert [each.rule for each in defects(problem, SYMMETRIC["left-right"][2])] == [
        Rule.NOT_SYMMETRIC
    ]


# --- arrays of other pieces and surfaces ----------------------------------------------------------


@pytest.mark.parametrize("surface", naive.JOINED)
def test_arrays_say_what_lists_say(surface):
    rng = random.Random(surface)
    board = Board(3, 3, missing={(2, 2)} if surface == "plane" else (), surface=surface)
    problem = Problem(board, piece="king", require=[((0, 0), (0, 1))])
    ways = rng.sample(naive.tours(Problem(board, piece="king", start=(0, 0))), 5)
    ways += [rng.sample(sorted(board), board.size) for _ in range(20)]
    for walk in ways:
        numbers = array_of(3, 3, walk)
        expected = defects(problem, walk)
        assert array_defects(problem, numbers) == expected
        judge = streamed(problem, numbers, [3], by_columns=rng.random() < 0.5)
        assert judge.defects() == expected
        assert (judge.first, judge.last) == (walk[0], walk[-1])
        assert judge.closes == is_move(problem, walk[-1], walk[0])


def test_arrays_that_are_no_walk():
    problem = Problem(Board(3, 3, missing={(1, 1)}), piece="king")
    good = np.array([[1, 2, 3], [8, 0, 4], [7, 6, 5]])
    assert array_defects(problem, good) == []
    for change, rule in (
        ({(1, 1): 9}, Rule.MISSING),
        ({(0, 0): 0}, Rule.UNVISITED),
        ({(0, 0): 9}, Rule.UNVISITED),
        ({(0, 0): -1}, Rule.UNVISITED),
        ({(0, 0): 8}, Rule.REPEATED),
    ):
        numbers = good.copy()
        for square, number in change.items():
            numbers[square] = number
        assert rule in {each.rule for each in array_defects(problem, numbers)}
        assert rule in {each.rule for each in streamed(problem, numbers, [2]).defects()}
    with pytest.raises(ValueError, match="expected dtype int64 as before, got int8"):
        judge = ArrayJudge(problem)
        judge.add(good[:1])
        judge.add(good[1:].astype("i1"))


def test_arrays_too_large_to_be_gathered(monkeypatch):
    monkeypatch.setattr(array, "GATHERED_SQUARES", 35)
    with pytest.raises(TooLargeError, match="at most 35 squares to judge square by square"):
        ArrayJudge(Problem(BOARD, piece="camel"))
    assert array_defects(Problem(BOARD, require=[MADE]), array_of(6, 6, CLOSED)) == []

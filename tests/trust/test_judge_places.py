"""The judge of single places: one corruption per rule, each refused with exactly its own defect."""

from __future__ import annotations

import random

import pytest

from kt_cp import Board, Problem, Tour, defects
from kt_cp.trust.judge import Rule, place_defects
from tests.examples.computed_tours import LARGE, PROBLEMS, Lying, built, exchanged

OPEN_PROBLEM = Problem(Board(8, 9))
CLOSED = Problem(Board(8, 9), closed=True)
TRUE = {problem: built(problem).squares for problem in (OPEN_PROBLEM, CLOSED)}


def told(problem, squares, steps):
    tour = Tour(squares, problem.closed, problem.board)
    return [
        (defect.rule, defect.step, str(defect)) for defect in place_defects(problem, tour, steps)
    ]


@pytest.mark.parametrize("problem", [*PROBLEMS, *LARGE], ids=lambda problem: problem.label)
def test_tours_pass_everywhere(problem):
    tour, rng = built(problem), random.Random(1)
    steps = [1, 2, tour.size - 1, tour.size, *(rng.randint(1, tour.size) for _ in range(50))]
    assert place_defects(problem, tour, steps) == []
    assert place_defects(problem, tour, []) == []


@pytest.mark.parametrize("problem", PROBLEMS, ids=lambda problem: problem.label)
def test_held_tours_are_judged_as_well(problem):
    held = Tour(list(built(problem)), problem.closed, problem.board)
    assert place_defects(problem, held, range(1, problem.size + 1)) == []


def test_off_the_board():
    lie = Lying(TRUE[OPEN_PROBLEM], {4: (8, 0)})
    assert told(OPEN_PROBLEM, lie, [5]) == [
        (Rule.OFF_BOARD, 5, "a9 at step 5 is off the 8x9 board")
    ]
    for square in ((-1, 3), "a1", None, (1, 2, 3), [0, 0]):
        assert [
            rule for rule, *_ in told(OPEN_PROBLEM, Lying(TRUE[OPEN_PROBLEM], {4: square}), [5])
        ] == [Rule.OFF_BOARD]


def test_a_missing_square():
    holed = Problem(Board(8, 9, missing={TRUE[OPEN_PROBLEM][4]}))
    shorter = Lying(TRUE[OPEN_PROBLEM], lengthened=-1)
    ((rule, step, text),) = told(holed, shorter, [5])
    assert (rule, step) == (Rule.MISSING, 5) and text.startswith("missing square ")


def test_repeated():
    square = TRUE[OPEN_PROBLEM][4]
    lie = Lying(TRUE[OPEN_PROBLEM], places={square: 60})
    ((rule, step, text),) = told(OPEN_PROBLEM, lie, [5])
    assert (rule, step) == (Rule.REPEATED, 5)
    assert text.endswith("at step 5 and, when it is asked for, at 61")
    # Nobody has asked for that one.
    assert told(OPEN_PROBLEM, lie, [4, 6]) == []


def test_unvisited():
    lie = Lying(TRUE[OPEN_PROBLEM], places={TRUE[OPEN_PROBLEM][4]: None})
    ((rule, step, text),) = told(OPEN_PROBLEM, lie, [5])
    assert (rule, step) == (Rule.UNVISITED, 5)
    assert text.endswith("at step 5 is unvisited when it is asked for")
    for more in (-1, 1):
        lie = Lying(TRUE[OPEN_PROBLEM], lengthened=more)
        assert told(OPEN_PROBLEM, lie, [1, 2]) == [
            (Rule.UNVISITED, None, f"{72 + more} steps, expected 72")
        ]


def test_illegal_moves():
    lie = exchanged(TRUE[OPEN_PROBLEM], 30, 51)  # of two colours; told alike whoever asks
    for steps, at in [([31], [31, 32]), ([30], [31]), ([32], [32]), ([51, 53], [52, 53])]:
        found = told(OPEN_PROBLEM, lie, steps)
        assert [(rule, step) for rule, step, _ in found] == [(Rule.ILLEGAL_MOVE, n) for n in at]
    # Asked twice, told once.
    assert len(told(OPEN_PROBLEM, lie, [30, 31, 32, 31])) == 2
    assert told(OPEN_PROBLEM, lie, [10, 29, 33, 50, 54, 72]) == []


@pytest.mark.parametrize("end", [{"start": (1, 1)}, {"end": (1, 1)}])
def test_wrong_ends(end):
    (which,) = end
    rule, at = (Rule.WRONG_START, 1) if which == "start" else (Rule.WRONG_END, 72)
    problem = Problem(Board(8, 9), **end)
    # Refused whatever places are asked about.
    for steps in ([], [20], [at]):
        ((found, step, text),) = told(problem, TRUE[OPEN_PROBLEM], steps)
        assert (found, step) == (rule, at)
        assert text.startswith(f"wrong {which}: ") and text.endswith("expected b2")


@pytest.mark.parametrize("step", [1, 72])
def test_not_closed(step):
    assert [rule for rule, *_ in told(CLOSED, TRUE[OPEN_PROBLEM], [step])] == [Rule.NOT_CLOSED]
    assert told(CLOSED, TRUE[OPEN_PROBLEM], [40]) == []
    two = Problem(Board(3, 2, missing={(0, 1), (1, 0), (1, 1), (2, 0)}), closed=True)
    assert [rule for rule, *_ in told(two, [(0, 0), (2, 1)], [1])] == [Rule.NOT_CLOSED]


@pytest.mark.parametrize("seed", range(60))
def test_at_all_places_it_says_what_the_judge_of_squares_says(seed):
    rng = random.Random(seed)
    problem = rng.choice(PROBLEMS[:5])
    squares = list(built(problem))
    for _ in range(rng.randint(0, 2)):
        one, two = rng.sample(range(len(squares)), 2)
        if rng.random() < 0.5:
            squares[one], squares[two] = squares[two], squares[one]
        else:
            squares[one] = squares[two]
    if rng.random() < 0.3:
        squares.reverse()
    found = place_defects(
        problem, Tour(squares, problem.closed, problem.board), range(1, len(squares) + 1)
    )
    wanted = {defect.rule for defect in defects(problem, squares)} - {Rule.UNVISITED}
    assert {defect.rule for defect in found} == wanted, f"{problem.label}, seed {seed}"

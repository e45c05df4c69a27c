"""Where no puzzle is made, or not the best one: what is refused, limits, budgets."""

from __future__ import annotations

import pytest

from kt_cp import Problem, Verdict, make_puzzle
from kt_cp.model.board import Board
from kt_cp.model.errors import InputError, NotTakenError, TooLargeError
from kt_cp.puzzles import Grade, NoPuzzleError, generator, second_tours
from tests.puzzles.test_make import clues_of
from tests.support.fakes import Failing


def test_time_ends_what_others_are_asked(monkeypatch) -> None:
    monkeypatch.setattr(second_tours, "DECISIONS", 0)
    monkeypatch.setattr(generator, "PATIENCE", (0, 1))
    monkeypatch.setattr(generator.Maker, "_fits", lambda *_: None)
    over = iter([False] * 20 + [True] * 10**4)
    monkeypatch.setattr("kt_cp.model.limits.Clock.expired", lambda _: next(over))
    with pytest.raises(NoPuzzleError, match="time limit of 100 s"):
        make_puzzle("3x4", time_limit=100, executor=Failing())


def test_a_budget_that_is_spent_is_told(monkeypatch) -> None:
    whole = make_puzzle("6x6", closed=True, seed=1)
    assert not whole.needless
    monkeypatch.setattr(second_tours, "DECISIONS", 0)
    monkeypatch.setattr(second_tours, "CONFLICTS", 0)
    puzzle = make_puzzle("6x6", closed=True, seed=1)
    assert puzzle.needless and set(puzzle.needless) <= set(clues_of(puzzle))
    assert puzzle.tour == whole.tour and puzzle.clues > whole.clues


def test_no_tour() -> None:
    with pytest.raises(NoPuzzleError) as refused:
        make_puzzle("4x4")
    assert refused.value.outcome.verdict is Verdict.IMPOSSIBLE
    with pytest.raises(NoPuzzleError, match="tried everything"):
        make_puzzle("5x5", given={"a1": 1, "b1": 2})


@pytest.mark.parametrize(
    ("asked", "error", "said"),
    [
        ({"clues": 0}, InputError, "expected from 1 to 36 clues, got 0"),
        ({"clues": 37}, InputError, "expected from 1 to 36 clues, got 37"),
        ({"clues": 13, "symmetry": "half-turn"}, InputError, "can be symmetric, got 13"),
        ({"grade": "fiendish"}, InputError, "one of easy, medium, hard, expert; got 'fiendish'"),
        ({"symmetry": "whirl"}, InputError, "got 'whirl'"),
        ({"clues": 3, "tries": 3}, NoPuzzleError, "none needs so few clues as 3; the fewest: "),
        ({"grade": "easy", "clues": 36, "tries": 2}, None, ""),
        ({"grade": "expert", "clues": 36, "tries": 2}, NoPuzzleError, "2 seeds none made"),
        ({"time_limit": 1e-9}, NoPuzzleError, "the time limit of 1e-09 s was reached"),
    ],
)
def test_what_cannot_be_had(asked, error, said) -> None:
    problem = Problem("6x6", closed=True)
    if error is None:
        assert make_puzzle(problem, **asked).grade is Grade.EASY
        return
    with pytest.raises(error, match=said):
        make_puzzle(problem, **asked)


def test_the_fewest_clues_are_told_where_time_ends() -> None:
    clock = iter(range(100))
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(generator.Maker, "puzzle", lambda *_: _late() if next(clock) > 1 else None)
        with pytest.raises(NoPuzzleError, match=r"2 seeds tried; the fewest clues: [0-9]"):
            make_puzzle("5x5", clues=1, time_limit=100)


def _late():
    raise TimeoutError


def test_questions_that_are_not_taken() -> None:
    with pytest.raises(InputError, match="at least 2 clues, as many as are given; got 1"):
        make_puzzle("5x5", given={"a1": 1, "c3": 25}, clues=1)
    with pytest.raises(NotTakenError, match="puzzles do not take symmetry"):
        make_puzzle(Problem("6x6", closed=True, symmetry="half-turn"))
    with pytest.raises(TooLargeError, match="at most 1,600 squares of a puzzle, got 1,640"):
        make_puzzle("40x41")
    with pytest.raises(InputError, match="the quarter-turn carries to itself, got 5x6"):
        make_puzzle("5x6", symmetry="quarter-turn")
    with pytest.raises(InputError, match="the half-turn carries to itself"):
        make_puzzle(Board(5, 6, missing={(0, 0)}), symmetry="half-turn")

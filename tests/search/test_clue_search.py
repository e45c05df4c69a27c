"""The short search for tours with given steps: held to the list of all tours."""

import random

import pytest

from kt_cp import Board, Problem, Verdict, solve
from kt_cp.model.errors import ProblemError
from kt_cp.puzzles import make_puzzle
from kt_cp.search.clue_search import search_clues, takes
from kt_cp.search.step_domains import StepDomains


def tours_of(problem):
    """Up to two tours by the search on step domains."""
    return {tuple(walk) for walk in StepDomains(problem).next(limit=2, steps=10**9).tolist()}


def random_problem(rng):
    """A question about a small board with given steps, most of them of a tour."""
    rows, columns = rng.choice([(3, 4), (4, 4), (4, 5), (5, 5), (2, 6)])
    squares = [(row, column) for row in range(rows) for column in range(columns)]
    board = Board(rows, columns, rng.sample(squares, rng.choice((0, 0, 1))))
    piece, closed = rng.choice(("knight", "king", "wazir")), rng.random() < 0.4
    tour = solve(Problem(board, piece=piece, closed=closed), time_limit=5).tour
    order = list(tour or rng.sample(list(board), len(board)))
    steps = rng.sample(range(len(order)), rng.randrange(1, 7))
    given = {order[step]: step + 1 for step in steps}
    if rng.random() < 0.4:
        given[rng.choice(order)] = rng.randrange(len(order)) + 1
    forbid = [(order[0], order[1])] if rng.random() < 0.2 and tour else []
    return Problem(board, piece=piece, closed=closed, given=given, forbid=forbid)


@pytest.mark.parametrize("seed", range(4))
def test_it_agrees_with_step_domains(seed):
    rng = random.Random(seed)
    verdicts = set()
    for _ in range(60):
        try:
            problem = random_problem(rng)
        except ProblemError:
            continue  # two steps for a square, or a step for two
        if not takes(problem):
            continue
        found = search_clues(problem)
        wanted = tours_of(problem)
        if found.exhausted:
            assert set(found.tours) == wanted
            assert solve(problem).verdict is (Verdict.FOUND if wanted else Verdict.IMPOSSIBLE)
        else:
            assert len(found.tours) <= len(wanted)
        verdicts.add((found.exhausted, len(found.tours)))
    assert {(True, 0), (True, 1), (False, 2)} <= verdicts


def test_an_easy_puzzle_needs_no_decisions():
    puzzle = make_puzzle("6x6", seed=1, grade="easy")
    found = search_clues(puzzle.problem)
    assert found.exhausted and found.decisions == 0 and len(found.tours) == 1
    answer = solve(puzzle.problem)
    assert answer.engine == "auto" and answer.tour == puzzle.tour


def test_hard_puzzles_go_on():
    problem = Problem("8x8", given={"a1": 1, "h8": 41})
    assert not search_clues(problem).exhausted
    assert solve(problem).tour is not None


def test_what_it_does_not_take():
    assert not takes(Problem("6x6", start="a1"))
    assert not takes(Problem("15x15", given={"a1": 1}))
    assert not takes(Problem("6x6", given={"a1": 1}, require=["a1-b3"]))
    assert not takes(Problem("6x6", closed=True, given={"a1": 1}, symmetry="half-turn"))

"""The reference over pieces, surfaces and conditions, against an oracle that tries everything."""

from __future__ import annotations

import random

import pytest

from kt_cp import Board, Problem, Tour, Verdict, defects
from kt_cp.engines.engine import found
from kt_cp.model.move_order import fixed_order, move_table
from kt_cp.trust.crosscheck import cross_check, reference_verdict
from kt_cp.trust.reference import Pause, Run, decide, replay, search
from tests.examples import random_problems
from tests.oracles import naive

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
    told = []
    for seed in SEEDS:
        problem = random_problems.random_problem(random.Random(seed), largest=12)
        tours = naive.tours(problem, most=30_000)
        told.append((bool(tours), tours is None, bool(problem.require or problem.forbid)))
    assert sum(unknown for _, unknown, _ in told) < len(told) // 4
    assert sum(some for some, *_ in told) > len(told) // 4
    assert sum(some and asked for some, _, asked in told) > len(told) // 10


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

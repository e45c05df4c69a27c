"""Engine ``cpsat``: what its seed changes, and that a long sweep is not thrown away."""

from __future__ import annotations

import pytest

from kt_cp import Board, Problem, Verdict, solve
from kt_cp.engines.cpsat import RESTART_PERIOD, circuit_model


def test_a_seed_shuffles_the_arcs_of_each_square_and_nothing_else():
    problem = Problem(Board(6, 6), start=(0, 0))
    plain, shuffled = (circuit_model(problem, seed)[1] for seed in (0, 3))
    assert plain != shuffled
    assert [tail for tail, _ in plain] == [tail for tail, _ in shuffled]
    assert sorted(plain) == sorted(shuffled)


def test_seeds_give_tours_of_their_own():
    problem = Problem(Board(12, 12), closed=True)
    tours = {tuple(solve(problem, "cpsat", seed=seed).tour) for seed in range(5)}
    assert len(tours) == 5


@pytest.mark.slow
def test_side_190_is_one_sweep():
    """With restarts after some fifty conflicts this does not end within a minute."""
    outcome = solve(Problem(Board(190, 190), closed=True), "cpsat", time_limit=120)
    assert outcome.verdict is Verdict.FOUND
    assert outcome.statistics["conflicts"] < RESTART_PERIOD
    assert outcome.statistics["decisions"] < 3 * 190 * 190

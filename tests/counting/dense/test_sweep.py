"""The dense sweep equals its readable twin after every step."""

from __future__ import annotations

import random

import pytest

from kt_cp.counting.dense.half_sweep import HalfSweep
from kt_cp.counting.dense.halves import Half, HalvedProblem, Turn, sweep_steps
from kt_cp.counting.dense.matchings import MatchingTables
from kt_cp.counting.dense.state_array import Threads
from kt_cp.model.problem import Problem
from tests.oracles.dense_twin import Twin, live_states


def random_half(chance, width, rows, life):
    """Return a half board with holes, forbidden and required moves, and squares for ends."""
    holes = {
        (row, column)
        for row in range(rows + 1)
        for column in range(width)
        if chance.random() < 0.15 * (1 - life)
    }
    moves, ends = {}, {}

    def square(row, column):
        inside = 0 <= row <= rows and 0 <= column < width
        return (row, column) if inside and (row, column) not in holes else None

    def drawn(known, key, often):
        weights = [often * (1 - life), 1, often * (1 - life)]
        return known.setdefault(key, chance.choices([None, False, True], weights)[0])

    return Half(
        width,
        rows,
        square,
        lambda here, there: drawn(moves, frozenset([here, there]), 0.1),
        lambda square: drawn(ends, square, 0.2),
    )


def compare(seed, width, rows, ends, life):
    chance = random.Random(seed)
    half = random_half(chance, width, rows, life)
    threads = Threads(chance.choice([1, 2]))
    sweep = HalfSweep(half, ends, 0, threads, MatchingTables(width))
    twin = Twin(half, ends)
    most, changes = 0, 0
    for step in (step for row in sweep_steps(half) for step in row):
        sweep.take(step)
        twin.take(step)
        ours = {
            key: found for key, states in sweep.states.items() if (found := live_states(states))
        }
        twins = {
            key: found
            for key, states in twin.states.items()
            if (found := {state: count for state, count in states.items() if count})
        }
        assert ours == twins, (seed, step)
        for key, found in ours.items():
            assert max(found.values()) <= max(sweep.states[key].largest), (seed, step)
        most = max([most, *map(len, ours.values())])
        changes += isinstance(step, Turn) and step.change is not None
    return most, changes


@pytest.mark.parametrize("ends", [(0, 0), (1, 1), (2, 0), (0, 2)], ids=str)
def test_every_step_is_that_of_the_twin(ends):
    for width, rows in ((4, 2), (5, 1)):
        assert compare(1, width, rows, ends, life=1)[0] > 3


def test_an_array_that_rests_holds_the_same():
    half = HalvedProblem(Problem("4x4")).half(lower=False)
    threads = Threads(1)
    shared = threads, MatchingTables(4)
    sweep, other = HalfSweep(half, (1, 1), 0, *shared, True), HalfSweep(half, (1, 1), 0, *shared)
    rested = set()
    for row in sweep_steps(half):
        for each in (sweep, other):
            each.take(*row)
        for key, states in sweep.states.items():
            if states.packed is not None:
                rested.add((key, len(states.pending)))
                assert not len(states.values)
                states.unpack(*shared[::-1])
            assert live_states(states) == live_states(other.states[key]), key
            assert (states.largest == other.states[key].largest).all()
    assert rested == {((0, 0), 0), ((1, 1), 2)} and len(sweep.states) == 3


@pytest.mark.parametrize("seed", range(6))
def test_with_holes_and_required_and_forbidden_moves(seed):
    compare(seed, 3 + seed % 2, 3, ((0, 0), (1, 1), (0, 2))[seed % 3], life=0.5)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(16))
def test_with_holes_and_required_and_forbidden_moves_on_more_boards(seed):
    compare(seed, 2 + seed % 3, 1 + seed % 5, ((0, 0), (1, 1), (2, 0))[seed % 3], life=seed % 3 / 2)

"""The states of a sweep: those of the twin, merged, in words of several lengths."""

from __future__ import annotations

import random

import numpy as np
import pytest

from kt_cp import Problem
from kt_cp.counting.frontier import METHOD, ranking, sweep
from kt_cp.counting.frontier import transitions as plan_module
from kt_cp.counting.frontier.frontier import graph_form
from kt_cp.counting.frontier.ranking import FrontierTables
from kt_cp.counting.frontier.sweep import (
    FrontierSweep,
    count_cycles,
    join_words,
    merge_parts,
    merge_states,
)
from kt_cp.counting.frontier.transitions import SweepPlan
from kt_cp.model.cycle import cycle_form
from kt_cp.search.frontier_order import best_order
from tests.counting.test_frontier import enumerated
from tests.oracles import frontier_twin


def layers(plan):
    """States with their numbers after each step, as the twin has them."""
    made, slot_of = FrontierSweep(plan), {}
    for step in plan.steps:
        slot_of.update(zip(step.others, step.near[:, 0].tolist(), strict=True))
        slot_of.pop(step.vertex, None)
        made.advance()
        states = {}
        for row in made.table.T:
            fields = {}
            for vertex, slot in slot_of.items():
                word, shift = plan.places[slot].tolist()
                fields[vertex] = int(row[word]) >> shift & plan.full
            vertex_of = {slot: vertex for vertex, slot in slot_of.items()}
            degrees = {v: 2 if m == plan.full else int(m != slot_of[v]) for v, m in fields.items()}
            paths = {tuple(sorted((v, vertex_of[fields[v]]))) for v in fields if degrees[v] == 1}
            met = frozenset(each for each in degrees.items() if each[1])
            states[met, frozenset(paths)] = join_words(row[plan.words :])
        yield states, made.tours


def same_as_the_twin(graph, forced, order):
    plan = SweepPlan(graph, forced, order)
    wanted = frontier_twin.layers(graph, forced, order)
    for (states, tours), (expected, closed) in zip(layers(plan), wanted, strict=True):
        assert {**expected} == states and closed == tours
    return closed


def test_every_state_of_the_twin():
    form = cycle_form(Problem("3x4", start="a1", require=["b1-d2"]))
    assert same_as_the_twin(form.graph, form.forced, best_order(form.graph)) == 2
    graph = cycle_form(Problem("4x4", piece="wazir", closed=True)).graph
    assert same_as_the_twin(graph, [], range(16)) == 6


def sums(table):
    """Each state's number, as the rows of a table of two words a state have them."""
    found = {}
    for *state, low, middle, high in table.T.tolist():
        found[tuple(state)] = found.get(tuple(state), 0) + join_words([low, middle, high])
    return found


def test_equal_states_become_one(monkeypatch):
    seed = random.randrange(10**6)
    print(f"{seed=}")
    rng = np.random.default_rng(seed)
    numbers = rng.integers(2**64, size=(3, 500), dtype=np.uint64)
    numbers[2] >>= np.uint64(9)
    numbers[:, ::3] = [[2**64 - 1], [2**64 - 1], [1]]
    table = np.vstack([rng.integers(9, size=(2, 500), dtype=np.uint64), numbers])
    monkeypatch.setattr(sweep, "CHUNK", 128)
    parts = [merge_states(table[:, at : at + 100], 2) for at in range(0, 500, 100)]
    for found in (merge_states(table, 2), merge_parts(parts, 2)):
        assert sums(found) == sums(table)
        states = [tuple(state) for state in found[:2].T.tolist()]
        assert states == sorted({*states})


def test_short_words_and_few_states_at_a_time(monkeypatch):
    monkeypatch.setattr(plan_module, "FIELDS", {4: 3, 5: 3})
    for module in (sweep, ranking):
        monkeypatch.setattr(module, "CHUNK", 64)
    # No other test has these: their plans are kept.
    for asked in ({"start": "e4"}, {"end": "d3", "require": ["a2-b4"]}):
        problem = Problem("4x5", forbid=["a1-b3"], **asked)
        assert graph_form(problem).plan.words > 1
        tables = FrontierTables(problem)
        assert tables.size == METHOD.count(problem) == enumerated(problem)
        assert [tables.number(tables.tour(at)) for at in range(tables.size)] == [
            *range(tables.size)
        ]


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_states_of_several_words(seed):
    # A bad order has a wide frontier: two and three words.
    rng = random.Random(seed)
    grid = Problem(["3x8", "4x8", "2x20", "2x26"][seed % 4], piece="wazir", closed=True)
    bad = sorted(range(grid.size), key=lambda v: (rng.random() < 0.7, rng.random()))
    many = enumerated(grid)
    plan = SweepPlan(grid.indexed, [], bad)
    assert plan.words > 1 or seed % 4 == 0
    assert count_cycles(plan) == many


@pytest.mark.slow
def test_numbers_of_several_words():
    problem = Problem("6x6", closed=True)
    many = 1
    for words in range(1, 4):
        made = FrontierSweep(graph_form(problem).plan)
        first = 2**64 - 3
        made.table = np.array([[0]] + [[first]] * words, dtype=np.uint64)
        many = join_words([first] * words)
        while made.at < 36:
            made.advance()
        assert made.tours == 9862 * many
        assert made.limbs > words

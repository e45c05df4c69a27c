"""The benchmark of puzzles with given steps: its puzzles, its counts, its table."""

from __future__ import annotations

import random

import pytest

from benchmarks.case import Run
from benchmarks.jobs.clues import clues, counter
from benchmarks.jobs.planted import KINDS, drawn, minimal, puzzles, tours
from benchmarks.ladder import Ladder
from benchmarks.measure import Results
from benchmarks.parts import clues as part
from benchmarks.plan import QUICK, Plan
from kt_cp import Problem, defects
from kt_cp.model.cycle import as_tour


def test_every_kind_has_its_puzzles():
    for name, kind in KINDS.items():
        kept = puzzles(name)
        assert len(kept) == kind.puzzles and len({*kept}) == len(kept), name
        assert all(problem.closed == kind.closed for problem in kept)


def test_no_step_of_a_minimal_puzzle_can_be_left_out():
    problem = puzzles("Hidato 8x8")[0]
    given = {each.square: each.step for each in problem.conditions}
    assert tours(problem) == 1
    for square in sorted(given)[::3]:
        fewer = {other: step for other, step in given.items() if other != square}
        assert tours(Problem(problem.board, piece=problem.piece, given=fewer)) == 2


@pytest.mark.parametrize("name", ["Hidato 8x8", "closed knight 8x8"])
def test_tours_are_drawn_at_random(name):
    kind = KINDS[name]
    first, second = (drawn(kind, random.Random(seed)) for seed in (1, 2))
    assert first != second
    for walk in (first, second):
        assert defects(kind.problem(), as_tour(kind.problem(), walk)) == []


def test_a_puzzle_is_made_again_from_its_seed():
    kind = KINDS["Hidato 8x8"]
    rng = random.Random("Hidato 8x8 0")
    nodes = kind.problem().indexed.nodes
    made = {nodes[v]: step + 1 for v, step in minimal(kind, drawn(kind, rng), rng).items()}
    (kept, *_) = puzzles("Hidato 8x8")
    assert made == {each.square: each.step for each in kept.conditions}


SMALL = (
    ({"b1": 2, "c3": 5}, {"piece": "king"}),
    ({"a1": 1, "c3": 9, "b2": 4}, {"piece": "king"}),
    ({"a1": 1, "a2": 9, "b2": 8}, {"piece": "wazir"}),
    ({"a1": 1, "a2": 2, "c3": 9}, {"piece": "wazir"}),
)


@pytest.mark.parametrize("who", part.CANDIDATES)
def test_everyone_counts_as_many_tours(who):
    if who == "clingo":
        pytest.importorskip("clingo")
    count = counter(who)
    counted = [count(Problem("3x3", given=given, **more)) for given, more in SMALL]
    assert counted == [tours(Problem("3x3", given=given, **more)) for given, more in SMALL]
    assert {0, 1, 2} == {*counted}


def test_a_job_tells_all_its_seconds_or_that_it_has_no_share():
    told = clues("Hidato 8x8", "windows", "2")
    assert told["status"] == "FOUND" and len(told["each"]) == 8 and told["seconds"] > 0
    assert clues("closed knight 40x40, a fifth given", "windows", "2") == {"status": "NONE"}


def test_the_table():
    plan = Plan(seeds=(1, 2), time_limit=10)
    found = []
    for ladder in part.ladders(plan):
        (case,) = ladder.cases
        runs = {
            (case, 1): Run("FOUND", {"seconds": 0.002, "each": [0.002, 0.5]}),
            (case, 2): Run("TIMEOUT"),
        }
        found.append(Ladder((case,), ladder.seeds, runs=runs))
    lines = [*part.report(plan, Results({"clues": found}))]
    assert any("Numbrix 9x9" in line and "251 (> 10,000)" in line for line in lines)
    assert any("0 of them with a wrong number" in line for line in lines)
    assert len(part.ladders(QUICK)) == 2

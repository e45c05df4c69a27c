"""What a question shows while it is answered: steps, walks, paths, states, now and then."""

from __future__ import annotations

import pytest

import kt_cp as package
from kt_cp import Board, Problem
from kt_cp.counting.api import run_plan
from kt_cp.counting.plan import plan_count
from kt_cp.model.request import Request
from kt_cp.processes import isolate
from kt_cp.search import meter
from kt_cp.web import handlers, progress, request_schema
from tests.web.test_jobs import NAMES, answered, board


@pytest.mark.slow
@pytest.mark.parametrize("number", ["000", "001", "002", "003", "004"])
def test_a_source_shows_every_step(number):
    *steps, told = answered("source", problem=board("3x4"), source=number)
    walk, seen = [], []
    for event in steps:
        for what, *square in event["moves"]:
            walk = [*walk, *square] if what == "+" else walk[:-1]
            seen.append(walk)
    outcome = told["outcome"]
    placed = sum(len(now) > len(before) for before, now in zip([[], *seen], seen, strict=False))
    assert (placed, len(seen) - placed) == (
        outcome["statistics"]["placed"], outcome["statistics"]["taken_back"],
    )  # fmt: skip
    assert outcome["tour"] in seen and outcome["verified"] and outcome["replayed"]
    tours = []
    call = told["python"].replace("lambda tour: True", "lambda tour: not tours.append(tour)")
    account = eval(call, {**NAMES, "tours": tours})
    assert account.placed >= placed - (number == "004") * placed
    assert told["command"] == f"kt-cp trace 3x4 --start a1 --source {number}"


@pytest.mark.slow
def test_a_long_search_is_told_by_its_walk(monkeypatch):
    monkeypatch.setattr(handlers, "RECORDED", 100)
    monkeypatch.setattr(handlers, "STEPS_IN_EVENT", 30)
    monkeypatch.setattr(handlers, "CHUNK", 400)
    monkeypatch.setattr(handlers, "EVERY_SECONDS", 0.0)
    *steps, told = answered("source", problem=board("4x4"), source="002")
    assert sum(len(each["moves"]) for each in steps) == 100
    walks = [each["walk"] for each in steps if "walk" in each]
    assert len(walks) > 5 and told["outcome"]["verdict"] == "IMPOSSIBLE"
    assert told["outcome"]["agrees"] is True


@pytest.mark.slow
def test_the_sweep_of_the_frontier_is_shown():
    events = []
    watch = handlers._report_sweep(Problem("4x5"), "frontier", events.append)
    (sweep,) = events
    assert sorted(filter(None, sweep["order"])) == sorted(Problem("4x5").tour([*Board(4, 5)]).names)
    request = Request.begin(Problem("4x5"), progress=watch)
    assert run_plan(plan_count(request, "frontier"), request).tours == 164
    fractions = [each["fraction"] for each in events[1:]]
    assert fractions == sorted(fractions) and fractions[-1] <= 1


def test_counts_are_told_now_and_then_and_what_begins_at_once(monkeypatch):
    monkeypatch.setattr(progress, "EVERY_SECONDS", 3600)
    told = progress.ProgressReporter(Problem("3x4"), events := [])
    for number in range(1000):
        told({"step": number, "steps": 1000})
    told({"the way back": None})
    assert [each["text"] for each in events] == ["step 0 of 1,000", "the way back"]


@pytest.mark.slow
def test_a_board_that_takes_long_to_lay_out_is_told_of_too(monkeypatch):
    monkeypatch.setattr(meter, "POLLS_PER_REPORT", 1)
    monkeypatch.setattr(meter, "STEPS_PER_POLL", 1)
    shown = answered("solve", problem=board("5x6"), engine="backtrack")
    assert {"event": "paths", "paths": []} in shown  # before anything is chosen


@pytest.mark.slow
@pytest.mark.parametrize("engine", ["backtrack", "sat:lazy"])
def test_what_is_chosen_is_shown(engine, monkeypatch):
    """Paths and cycles are moves of the piece, each square at most once."""
    question = board("8x8", closed=True) if engine == "sat:lazy" else board("5x9", closed=False)
    monkeypatch.setattr(meter, "POLLS_PER_REPORT", 1)
    monkeypatch.setattr(meter, "STEPS_PER_POLL", 5)
    monkeypatch.setattr(isolate, "in_child", lambda: True)  # as where a page's questions run
    events = answered("solve", problem=question, engine=engine)
    shown = [each for each in events if each["event"] in ("paths", "cycles")]
    problem = request_schema.read_problem(question)
    assert shown
    for event in shown:
        walks = event.get("cycles") or event["paths"]
        squares = [package.parse_square(name) for walk in walks for name in walk]
        assert len(set(squares)) == len(squares)
        for walk in walks:
            here = [package.parse_square(name) for name in walk]
            pairs = zip(here, here[1:] + here[: event["event"] == "cycles"], strict=False)
            assert all(problem.is_move(*pair) for pair in pairs)
        if event["event"] == "cycles":
            assert len(squares) == 64 and len(walks) > 1
    assert progress.is_transient(shown[0])

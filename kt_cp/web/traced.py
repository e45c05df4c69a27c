"""The search of one of the five source programs: step by step at first, then as it runs.

From some step on the compiled recursion runs at full speed, and the walk that it is at is told some
times a second.  004 goes through all tours, and the first of them is its answer here.
"""

from __future__ import annotations

import time
from typing import Any

from kt_cp.model.board import square_name
from kt_cp.model.problem import Problem, changed
from kt_cp.model.terms import counted
from kt_cp.sources.registry import EVERY_TOUR, find_source
from kt_cp.trust.reference import Pause, Run
from kt_cp.web.asks import Asked, exhausted, outcome_event
from kt_cp.web.said import command, stated
from kt_cp.web.watch import BATCH, EVERY_SECONDS, Emit, steps_told

RECORDED = 20_000
"""Steps that are told one by one."""

CHUNK = 500_000
"""Steps between two looks at the clock: some hundredths of a second."""


def source(problem: Problem, asked: Asked, emit: Emit) -> None:
    """What a source program does, and the tour that it finds."""
    began = time.perf_counter()
    order = find_source(asked["source"])
    problem = problem if problem.start is not None else changed(problem, start=(0, 0))
    run = Run(problem, problem.start, order.candidates(problem))
    every, first, tours, due = order.number == EVERY_TOUR, None, 0, 0.0
    pause = Pause.STEPS
    while pause is Pause.STEPS:
        done = run.placed + run.taken_back
        if done < RECORDED:
            steps, pause = run.steps(min(BATCH, RECORDED - done))
            emit(steps_told(steps, run.placed, run.taken_back))
        else:
            pause = run.advance(CHUNK)
        if pause is Pause.TOUR:
            tours += 1
            first = first or run.squares
            pause = Pause.STEPS if every else pause
        now = time.perf_counter()
        if run.placed + run.taken_back > RECORDED and now >= due:
            due = now + EVERY_SECONDS
            emit(_walk(run, tours if every else 0))
    if first is not None and not every and run.placed + run.taken_back > RECORDED:
        emit(_walk(run, 0))
    work: dict[str, Any] = {"placed": run.placed, "taken_back": run.taken_back}
    work |= {"tours": tours} if every else {}
    text = f"source {order.number} tried everything: {counted(run.placed, 'square')} placed"
    outcome = exhausted(problem, f"source:{order.number}", first, text, work)
    program = f"find_source({order.number!r})"
    said = {
        "command": command("trace", problem, source=order.number),
        "python": f"run_source({program}, {stated(problem)}, lambda tour: True)",
    }
    emit(outcome_event(outcome, time.perf_counter() - began, **said))


def _walk(run: Run, tours: int) -> dict[str, Any]:
    """Where it is."""
    told = {"placed": run.placed, "taken_back": run.taken_back}
    more = {"tours": tours} if tours else {}
    walk = [square_name(square) for square in run.squares]
    return {"event": "moves", "moves": [], "walk": walk, **told, **more}

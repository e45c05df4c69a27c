"""What each kind of question runs, in the child process that a job has for itself.

A kind is a function of the problem, of what else was asked, and of a callable that is told events.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from kt_cp.formats.write import outcome_json
from kt_cp.model.limits import Limits
from kt_cp.model.problem import Problem

if TYPE_CHECKING:
    from kt_cp.model.outcome import Outcome
    from kt_cp.processes.isolate import Ended

Event = dict[str, Any]
Emit = Callable[[Event], None]

PASSING = frozenset({"progress", "moves", "cycles"})
"""Events that a later one makes up for."""


def ready(emit: object) -> None:  # noqa: ARG001
    """Load what most questions need."""
    from kt_cp.engines import solve

    solve(Problem("5x5"))


def answer(kind: str, asked: Mapping[str, Any], *, emit: Emit) -> None:
    """Answer a question, and tell what is to be told on the way."""
    KINDS[kind](asked["problem"], asked, emit)


def _solve(problem: Problem, asked: Mapping[str, Any], emit: Emit) -> None:
    from kt_cp.engines import solve

    def told(work: Mapping[str, float | None]) -> None:
        words = (name if value is None else f"{name} {value:,.0f}" for name, value in work.items())
        emit({"event": "progress", "text": ", ".join(words), "fraction": None})

    began = time.perf_counter()
    outcome = solve(
        problem, asked["engine"], seed=asked["seed"], time_limit=asked["time_limit"], progress=told
    )
    emit(outcome_event(outcome, time.perf_counter() - began))


def outcome_event(outcome: Outcome, seconds: float) -> Event:
    """An answer as the page is told it."""
    certificate = outcome.certificate
    return {
        "event": "outcome",
        "outcome": json.loads(outcome_json(outcome)),
        "seconds": round(seconds, 4),
        "command": "",
        "python": "",
        "argument": None,
        "certificate": None if certificate is None else certificate.document,
        "svg": None,
    }


def cut_off(kind: str, asked: Mapping[str, Any], ended: Ended) -> Event:
    """What is told where the child was ended, by its limits or by somebody."""
    from kt_cp.engines.engine import out_of_memory, out_of_time

    if kind == "solve" and ended.how in ("timeout", "memory"):
        limits = Limits(asked["time_limit"])
        over = out_of_time if ended.how == "timeout" else out_of_memory
        outcome = over(asked["engine"], asked["problem"], limits, {}, asked["seed"])
        return outcome_event(outcome, ended.seconds)
    return {"event": "error", "text": f"unknown: {ended.how} {ended.detail}".strip(), "code": 3}


KINDS: dict[str, Callable[[Problem, Mapping[str, Any], Emit], None]] = {"solve": _solve}

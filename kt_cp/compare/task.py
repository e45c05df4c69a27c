"""Work other than a search that is timed beside engines: a count, a proof, another program."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from kt_cp.compare.row import Run
from kt_cp.engines.engine import Engine
from kt_cp.model.errors import TooLargeError
from kt_cp.model.limits import Limits
from kt_cp.model.problem import Problem
from kt_cp.processes import isolate


@dataclass(frozen=True)
class Task:
    """A function that measures something on a problem, in place of an engine.

    Attributes
    ----------
    name : str
        What the row is called.
    measure : callable
        Called with the problem and a seed, in a process of its own, which imports it from its
        module.  It returns figures by name, or None if it gives up.  ``build_seconds`` and
        ``solve_seconds`` are counted as those of an engine.
    """

    name: str
    measure: Callable[[Problem, int], Mapping[str, float] | None]


Contestant = str | Engine | Task
"""What a comparison runs: the name of an engine, an engine that has no name yet, or a task."""


def name_of(contestant: Contestant) -> str:
    """Return the name of a row."""
    return contestant if isinstance(contestant, str) else contestant.name


def run_task(
    task: Task, problem: Problem, limits: Limits, seed: int, cancelled: Callable[[], bool]
) -> Run:
    """Measure a task within limits; only ``cancelled`` makes this raise."""
    row = Run(problem, task.name, seed, "CRASH")
    try:
        ended = isolate.call(
            "kt_cp.compare.task:measure_in_child",
            task.measure,
            problem,
            seed,
            limits=limits,
            cancelled=cancelled,
        )
    except TooLargeError as error:
        return replace(row, verdict="REFUSED", reason=str(error))
    except Exception as error:  # a bug in a task is a row as well
        return replace(row, reason=f"{type(error).__name__}: {error}")
    if ended.how != "done":
        verdict = {"timeout": "TIMEOUT", "memory": "MEMORY", "killed": "KILLED"}
        statistics = {"solve_seconds": ended.seconds, "peak_mb": ended.peak_megabytes}
        return replace(
            row,
            verdict=verdict.get(ended.how, "CRASH"),
            reason=ended.detail or None,
            statistics=statistics,
        )
    if ended.value is None:
        return replace(row, verdict="UNKNOWN", reason="gave up")
    return replace(row, verdict="DONE", statistics={"peak_mb": ended.peak_megabytes, **ended.value})


def measure_in_child(
    measure: Callable[[Problem, int], Mapping[str, float] | None],
    problem: Problem,
    seed: int,
    **_: object,
) -> dict[str, float] | None:
    """Call the function of a task: what the child process does."""
    figures = measure(problem, seed)
    return None if figures is None else dict(figures)

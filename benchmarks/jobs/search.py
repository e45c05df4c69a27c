"""Tours: solvers are loaded before any clock starts, for every candidate alike."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import ortools.sat.python.cp_model  # noqa: F401  loaded here, like pysat, and used by the engines
import pysat.solvers  # noqa: F401

from benchmarks.memory import most_memory
from benchmarks.plan import YARDSTICKS
from benchmarks.yardsticks import yardstick
from kt_cp import Board, Problem, Tour, Verdict, defects, get_engine
from kt_cp.engines.run import run
from kt_cp.formats.table import Format
from kt_cp.formats.write import written
from kt_cp.model.errors import TooLargeError
from kt_cp.model.limits import Limits
from kt_cp.model.outcome import Outcome
from kt_cp.trust.reference import recursion

COUNTS = ("variables", "clauses", "rounds")
RENDERINGS = (Format.GRID, Format.SVG, Format.JSON)
WALK_SECONDS = 10.0
"""Most time for one walk by Warnsdorff's rule."""


def timed(function: Callable[..., Any], *args: Any, **options: Any) -> tuple[float, Any]:
    """Seconds, and what the function returns."""
    began = time.perf_counter()
    value = function(*args, **options)
    return time.perf_counter() - began, value


def search(candidate: str, side: str, seed: str) -> dict[str, Any]:
    """A closed tour by the plain script or an engine: seconds to build and to solve."""
    problem = Problem(Board(int(side), int(side)), closed=True)
    counts: dict[str, float] = {}
    try:
        if candidate in YARDSTICKS:
            said, seconds, squares = yardstick(candidate)(int(side), int(seed))
            tour = Tour(squares, closed=True, board=problem.board) if squares else None
        else:
            engine = get_engine(candidate)
            if engine.refuse is not None:
                engine.refuse(problem)
            seconds, outcome = timed(
                engine.solve, problem, limits=Limits(), seed=int(seed), progress=None
            )
            said, tour = outcome.verdict.value, outcome.tour
            counts = {name: outcome.statistics.get(name) for name in COUNTS}
    except TooLargeError:
        return {"status": "REFUSED"}
    except MemoryError:
        return {"status": "MEMORY"}
    held = most_memory() + most_memory(children=True)
    if tour is not None:
        said = "WRONG" if defects(problem, tour) else "FOUND"
    return {"status": said, "seconds": seconds, "megabytes": held / 1e6, **counts}


def front_door(side: str, seed: str) -> dict[str, Any]:
    """Search by ``sat`` as the front door runs it, and each thing that it does afterwards."""
    problem = Problem(Board(int(side), int(side)), closed=True)
    wall, outcome = timed(run, "sat", problem, limits=Limits(), seed=int(seed))
    assert outcome.verdict is Verdict.FOUND, outcome.reason
    took = outcome.statistics
    seconds = {"search": took["build_seconds"] + took["solve_seconds"]}
    seconds["child"] = wall - seconds["search"]
    seconds["verify"], found = timed(lambda: defects(problem, outcome.tour))
    seconds["replay"], walk = timed(lambda: recursion(problem, outcome.tour.squares))
    for shape in RENDERINGS:
        seconds[shape.value], _ = timed(written, outcome, shape)
    right = not found and walk.squares is not None and not walk.taken_back
    return {"status": "FOUND" if right else "WRONG", **seconds}


def warnsdorff(first: str, last: str, seed: str) -> dict[str, Any]:
    """Open tours from a corner by Warnsdorff's rule, one for each side: seconds, or None."""
    engine = get_engine("warnsdorff")
    limits = Limits(seconds=WALK_SECONDS)
    sides: dict[int, float | None] = {}
    for side in range(int(first), int(last) + 1):
        problem = Problem(Board(side, side), start=(0, 0))
        seconds, outcome = timed(
            engine.solve, problem, limits=limits, seed=int(seed), progress=None
        )
        sides[side] = seconds if _right(outcome) else None
    return {"status": "FOUND", "sides": sides}


def _right(outcome: Outcome) -> bool:
    return outcome.tour is not None and not defects(outcome.problem, outcome.tour)

"""Every tour, enumerated and counted, compared with plain recursion; other counts."""

from __future__ import annotations

import time
from collections.abc import Mapping
from functools import partial

from benchmarks.runner import Measurement, Row, Table, figure, seconds
from benchmarks.search import board
from benchmarks.wide import measure_keys
from benchmarks.yardsticks import count_by_graphillion, installed
from kt_cp import Enumeration, Problem, count
from kt_cp.compare import Task
from kt_cp.counting.dense.halves import HalvedProblem
from kt_cp.model.move_order import ORDERS, fixed_order
from kt_cp.processes.executors import open_executor
from kt_cp.trust.reference import Pause, Run

ORDER = "004"
"""The source text that defines the order of moves."""


def enumerate_tours(listed: bool, problem: Problem, _seed: int) -> Mapping[str, float]:
    """Enumerate all tours on one thread, or count them on all processors."""
    Enumeration(_warm(problem)).count()
    began = time.perf_counter()
    order = fixed_order(problem, ORDERS[ORDER])
    everything = Enumeration(problem, order, directed=not problem.closed)
    tours = sum(1 for _ in everything.tours()) if listed else everything.count()
    taken = time.perf_counter() - began
    return {"tours": tours, "placed": everything.placed, "solve_seconds": taken}


def recurse(problem: Problem, _seed: int) -> Mapping[str, float]:
    """Count open tours by the compiled reference recursion, which prunes nothing."""
    _recurse(_warm(problem))
    began = time.perf_counter()
    tours, placed = _recurse(problem)
    return {"tours": tours, "placed": placed, "solve_seconds": time.perf_counter() - began}


def _recurse(problem: Problem) -> tuple[int, int]:
    tours = placed = 0
    assert problem.board is not None
    for start in problem.board if problem.start is None else (problem.start,):
        run = Run(problem, start, fixed_order(problem, ORDERS[ORDER]))
        while run.advance() is Pause.TOUR:
            tours += 1
        placed += run.placed
    return tours, placed


def _warm(problem: Problem) -> Problem:
    """Return a small problem that compiles the same code."""
    return Problem("3x4", symmetry="half-turn") if problem.conditions else Problem("3x4")


def count_tours(method: str, problem: Problem, _seed: int) -> Mapping[str, float]:
    """Count closed tours by a method."""
    count(Problem("3x10", closed=True), method=method)
    began = time.perf_counter()
    tours = count(problem, method=method).tours
    return {"tours": tours, "solve_seconds": time.perf_counter() - began}


EVERY = (
    Row("3x4 open", board("3x4", closed=False), tours=16),
    Row("5x5 open from a1", partial(Problem, "5x5", start="a1"), tours=304),
    Row("5x5 open", board("5x5", closed=False), tours=1_728),
    Row("5x6 open from a1", partial(Problem, "5x6", start="a1"), tours=4_542),
    Row("6x6 closed", board("6x6"), tours=9_862),
    Row("6x6 open", board("6x6", closed=False), tours=6_637_920),
    Row("6x7 closed", board("6x7"), tours=1_067_638),
    Row(
        "8x8 closed, half-turn",
        partial(Problem, "8x8", closed=True, symmetry="half-turn"),
        tours=2_432_932,
    ),
)

ENUMERATION = Measurement(
    lambda: EVERY,
    {
        "recursion": Task("recursion", recurse),
        "listed": Task("listed", partial(enumerate_tours, True)),
        "counted": Task("counted", partial(enumerate_tours, False)),
    },
    (
        Table(
            "Every tour",
            {"tours": figure("tours"), "squares placed": figure("placed"), "seconds": seconds},
        ),
    ),
    seeds=5,
    last={"recursion": "5x6 open from a1", "listed": "6x6 closed"},
    most={("6x6 open", "counted"): 60.0, ("8x8 closed, half-turn", "counted"): 60.0},
)

KNOWN = {
    "5x6": 8, "6x6": 9_862, "6x7": 1_067_638, "6x8": 55_488_142, "6x10": 239_187_240_144,
    "7x8": 34_524_432_316, "8x8": 13_267_364_410_532,
}  # fmt: skip
"""Closed tours, undirected: OEIS A175881 (six ranks), A001230 (8x8); 7x8 by two of our methods."""

METHODS = {
    name: Task(name, partial(count_tours, name)) for name in ("dense", "frontier", "enumerate")
}
if installed("graphillion"):
    METHODS["Graphillion"] = Task("Graphillion", count_by_graphillion)

WORKERS = 2


def count_on_cluster(workers: int, problem: Problem, _seed: int) -> Mapping[str, float]:
    """Count closed tours by a dense array, on a local Dask cluster or in this process."""
    count(Problem("3x10", closed=True), method="dense")
    work: dict[str, float | None] = {}
    with open_executor("dask" if workers else None, workers or None) as executor:
        began = time.perf_counter()
        found = count(problem, method="dense", executor=executor, progress=work.update)
        taken = time.perf_counter() - began
    return {"tours": found.tours, "solve_seconds": taken, "MB": work.get("MB written") or 0.0}


KEYS = {8: (4, 70), 9: (6, 12), 10: (6, 12)}
"""For each width: ends of paths in each key of a group, and its keys; width 10 takes 1.5 GB."""


def take_keys(problem: Problem, _seed: int) -> Mapping[str, float]:
    """Process a group of keys of a board in one phase of the dense array."""
    question = HalvedProblem(problem)
    measure_keys(4, 4, 2, 1)
    return measure_keys(question.rows, question.width, *KEYS.get(question.width, (2, 12)))


CLUSTER = Measurement(
    lambda: [
        *(Row(name, board(name), tours=KNOWN[name]) for name in ("6x10", "7x8", "8x8")),
        *(Row(name, board(name)) for name in ("9x8", "9x10", "10x10")),
    ],
    {
        "one process": Task("one process", partial(count_on_cluster, 0)),
        **(
            {
                f"{workers} worker{'s' * (workers > 1)}": Task(
                    "workers", partial(count_on_cluster, workers)
                )
                for workers in (1, WORKERS)
            }
            if installed("distributed")
            else {}
        ),
        "keys": Task("keys", take_keys),
    },
    (
        Table("Closed tours counted, on a local Dask cluster", {"seconds": seconds}),
        Table("The same: most memory of this process, MB", {"MB": figure("peak_mb")}),
        Table("The same: blocks written, MB", {"MB": figure("MB")}),
        Table("A group of keys: ns for each addition", {"ns": figure("nanoseconds", ".2f")}),
    ),
    seeds=5,
    last={"one process": "8x8", "1 worker": "8x8", f"{WORKERS} workers": "8x8"},
    note="The start of the cluster is not in the time.  One process uses all cores.  `keys` takes a"
    " group of keys through one phase, in one thread, in seconds of the processor.",
)

COUNTING = Measurement(
    lambda: [Row(name, board(name), tours=tours) for name, tours in KNOWN.items()],
    METHODS,
    (
        Table("Closed tours counted: seconds", {"seconds": seconds}),
        Table("Closed tours counted: most memory, MB", {"MB": figure("peak_mb")}),
    ),
    seeds=5,
    last={"frontier": "7x8", "enumerate": "6x8", "Graphillion": "6x7"},
)

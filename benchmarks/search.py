"""Closed tours on growing boards, limits of formulas without cuts, and boards without a tour."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial

from benchmarks.runner import Measurement, Row, Table, figure, seconds
from benchmarks.yardsticks import YARDSTICKS
from kt_cp import Outcome, Problem
from kt_cp.encodings import ENCODING_NAMES
from kt_cp.engines.engine import Engine
from kt_cp.engines.registry import get_engine
from kt_cp.proofs.theorems import theorem

ENGINES = (
    "cpsat", "propagator", "sat:lazy", "sat:lazy:cadical195", "sat:lazy::patch",
)  # fmt: skip


def loaded(name: str) -> Engine:
    """Return an engine that loads all solvers before it checks the clock."""
    return replace(get_engine(name), solve=partial(solve_loaded, name))


def solve_loaded(name: str, problem: Problem, **options: object) -> Outcome:
    """Solve a problem by an engine."""
    import ortools.sat.python.cp_model  # noqa: F401
    import pysat.solvers  # noqa: F401

    return get_engine(name).solve(problem, **options)  # type: ignore[arg-type]


def board(name: str, *, closed: bool = True) -> Callable[[], Problem]:
    """Return a function that makes the problem of a board."""
    return partial(Problem, name, closed=closed)


def _squares(*sides: int) -> list[Row]:
    return [Row(f"{it}x{it}", board(f"{it}x{it}"), tour=True) for it in sides]


SEARCH = Measurement(
    partial(_squares, 6, 20, 40, 60, 100, 200, 500, 1000),
    {**YARDSTICKS, **{name: loaded(name) for name in ENGINES}},
    (
        Table("Closed tours: seconds to build and solve", {"seconds": seconds}),
        Table("Closed tours: most memory of a run, MB", {"MB": figure("peak_mb")}),
    ),
    seeds=5,
    climbs=True,
    last={"plain": "100x100", "clingo": "100x100"},
    most={("500x500", "sat:lazy"): 60.0, ("1000x1000", "sat:lazy"): 600.0},
    note="Medians with the fastest and the slowest seed. A dash: not run, as most seeds of a"
    " smaller board failed,\nor as the limit is known to be too short. `plain` uses all cores.",
    plot=True,
)

LARGE = Measurement(
    partial(_squares, 100, 300, 500, 1000, 2000),
    {name: loaded(name) for name in ("cpsat", "sat:lazy")},
    (
        Table("Large boards, closed: seconds to build and solve", {"seconds": seconds}),
        Table("Large boards, closed: most memory of a run, MB", {"MB": figure("peak_mb")}),
    ),
    seeds=5,
    seconds=600.0,
    last={"cpsat": "300x300"},
    note="Memory is that of the engine's process, without the judge.",
)

ONESHOT = Measurement(
    partial(_squares, *range(6, 51, 2), *range(60, 201, 10)),
    {name: loaded(f"sat:{name}:cadical195") for name in ENCODING_NAMES if name != "lazy"},
    (
        Table("One formula, closed, by cadical195: seconds to build and solve", {"s": seconds}),
        Table("One formula, closed: clauses", {"clauses": figure("clauses")}),
    ),
    seeds=5,
    seconds=60.0,
    climbs=True,
    note="REFUSED: more clauses than kt_cp allows a formula.",
    plot=True,
)


def boards_without_a_tour() -> Iterator[Row]:
    """Yield the boards within 5x5 and 4x12 that have no tour, as the theorems say."""
    sizes = {
        (rows, columns)
        for most, longest in ((5, 5), (4, 12))
        for rows in range(3, most + 1)
        for columns in range(rows, longest + 1)
    }
    for closed, kind in ((False, "open"), (True, "closed")):
        for rows, columns in sorted(sizes, key=lambda size: (size[0] * size[1], size)):
            problem = Problem(f"{rows}x{columns}", closed=closed)
            if theorem(problem) is not None:
                name = f"{rows}x{columns}"
                yield Row(f"{name} {kind}", board(name, closed=closed), tour=False)


REFUTATIONS = Measurement(
    boards_without_a_tour,
    {name: loaded(f"sat:{name}:cadical153") for name in ENCODING_NAMES},
    (
        Table("No tour, by cadical153: seconds to build and solve", {"seconds": seconds}),
        Table("No tour, by cadical153: conflicts", {"conflicts": figure("conflicts")}),
    ),
    seeds=5,
    seconds=20.0,
    plot=True,
)

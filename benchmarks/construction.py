"""Constructed tours of large boards: the plan, the array, and its check."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import numpy as np

from benchmarks.runner import Measurement, Row, Table, figure
from kt_cp import Board, Problem
from kt_cp.compare import Task
from kt_cp.construction.construct import construct
from kt_cp.construction.tiles import NoTileError, find_tile
from kt_cp.model.arrays import fill_window
from kt_cp.trust.judge.array import array_defects

SQUARES = 5_000_000
"""Squares in a measurement; on smaller boards it is repeated."""

KINDS = ("closed", "open", "start", "ends")
BOARDS = (
    "100x100", "1000x1000", "10000x10000", "20000x20000", "7x1000000", "1000000x7", "12x1000000",
    "1000x100000", "100000x1000", "3x1000000", "1000000x3", "5x1000000",
)  # fmt: skip


def question(board: str, kind: str) -> Problem:
    """Return the problem of a kind: closed, open, from the middle, or between distant squares.

    Examples
    --------
    >>> question("100x100", "ends").label
    '100x100, open, from z26 to bw76'
    """
    it = Board.parse(board)
    rows, columns = it.rows, it.columns
    if kind in ("closed", "open"):
        return Problem(it, closed=kind == "closed")
    if kind == "start":
        return Problem(it, start=_of_corner_colour(rows // 2, columns // 2))
    start = _of_corner_colour(rows // 4, columns // 4)
    row, column = _of_corner_colour(3 * rows // 4, 3 * columns // 4)
    return Problem(it, start=start, end=(row, column - 1 + rows * columns % 2))


def _of_corner_colour(row: int, column: int) -> tuple[int, int]:
    return row, column - (row + column) % 2


def measure_construction(problem: Problem, _seed: int) -> Mapping[str, float] | None:
    """Return milliseconds for the plan, and nanoseconds per square for the other tasks."""
    _fill(construct(Problem("12x12", closed=True)), np.empty((12, 12), np.int32))
    find_tile.cache_clear()
    try:
        plan, squares = _timed(lambda: construct(problem))
    except NoTileError:
        return None
    times, shape = max(1, SQUARES // problem.size), (squares.rows, squares.columns)
    # The first use of memory is slow in a virtual machine that has returned it.
    np.empty(problem.size, np.int32).fill(1)
    numbers, _ = _timed(lambda: np.arange(problem.size, dtype=np.int32).copy(), times)
    new, array = _timed(lambda: _fill(squares, np.empty(shape, np.int32)), times)
    again, _ = _timed(lambda: _fill(squares, array), times)
    judge, defects = _timed(lambda: array_defects(problem, array), times)
    if defects:
        raise RuntimeError(f"{problem.label}: {defects[0]}")
    each = {"numpy": numbers, "new": new, "again": again, "judge": judge}
    return {
        "plan": 1e3 * plan,
        **{name: 1e9 * taken / problem.size for name, taken in each.items()},
    }


def _fill(squares: Any, array: Any) -> Any:
    fill_window(squares, array, 0, 0)
    return array


def _timed(function: Callable[[], Any], times: int = 1) -> tuple[float, Any]:
    """Return seconds per call, and the last result."""
    began = time.perf_counter()
    for _ in range(times):
        value = function()
    return (time.perf_counter() - began) / times, value


CONSTRUCTION = Measurement(
    lambda: [
        Row(f"{board} {kind}", partial(question, board, kind)) for board in BOARDS for kind in KINDS
    ],
    {"construct": Task("construct", measure_construction)},
    (
        Table(
            "Constructed tours: milliseconds for a plan, nanoseconds a square for the rest",
            {
                "plan": figure("plan", ".1f"),
                "NumPy": figure("numpy", ".2f"),
                "new array": figure("new", ".2f"),
                "array used before": figure("again", ".2f"),
                "judge": figure("judge", ".2f"),
            },
        ),
    ),
    seeds=5,
    note="`NumPy`: to number the squares and to copy the numbers. A dash: there is no such tour.",
)

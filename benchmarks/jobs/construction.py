"""Constructed tours: nothing but the package is loaded, since memory counts as well."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from statistics import median
from typing import Any

import numpy as np
import psutil

from benchmarks.memory import most_memory
from kt_cp import Board, Problem, Tour
from kt_cp.construction.construct import construct
from kt_cp.construction.tiles import NoTileError, find_tile
from kt_cp.model.arrays import fill_window
from kt_cp.model.tour import ComputedSquares
from kt_cp.trust.judge.array import array_defects

SQUARES = 5_000_000
"""On smaller boards a measurement is repeated until it has gone over so many squares."""

CALLS = 500


def cost(board: str, kind: str) -> dict[str, Any]:
    """Seconds to build the plan, and nanoseconds a square to fill an array and to judge it."""
    _warm_up()
    problem = question(board, kind)
    try:
        plan, squares = _timed(lambda: construct(problem))
    except NoTileError:
        return {"status": "NONE"}
    times = max(1, SQUARES // problem.size)
    shape = (squares.rows, squares.columns)
    _touch(problem.size)
    fresh, array = _timed(lambda: _filled(squares, np.empty(shape, np.int32)), times)
    again, _ = _timed(lambda: _filled(squares, array), times)
    judge, defects = _timed(lambda: array_defects(problem, array), times)
    each = {"fresh": fresh, "again": again, "judge": judge}
    return {
        "status": "WRONG" if defects else "FOUND",
        "plan": plan,
        **{name: 1e9 * seconds / problem.size for name, seconds in each.items()},
    }


def whole(board: str, repeats: str) -> dict[str, Any]:
    """Seconds for NumPy to number and copy, and for a closed tour's array and for judging it."""
    _warm_up()
    problem = question(board, "closed")
    assert problem.board is not None
    shape = problem.board.rows, problem.board.columns
    seconds: dict[str, list[float]] = {"numpy": [], "array": [], "judge": []}

    def numbers() -> None:
        np.arange(problem.size, dtype=np.int32).reshape(shape).copy()

    def ours() -> None:
        find_tile.cache_clear()
        took, array = _timed(lambda: _tour(problem).to_array())
        seconds["array"].append(took)
        took, defects = _timed(lambda: array_defects(problem, array))
        seconds["judge"].append(took)
        assert not defects

    _touch(2 * problem.size)
    for _ in range(int(repeats)):
        took, _ = _timed(numbers)
        seconds["numpy"].append(took)
        ours()
    return {"status": "FOUND", **seconds}


def peak(board: str) -> dict[str, Any]:
    """Memory held before a closed tour is made an array, and most held until after it, in bytes."""
    _warm_up()
    before = psutil.Process().memory_info().rss
    array = _tour(question(board, "closed")).to_array()
    return {"status": "FOUND", "before": before, "after": most_memory(), "array": array.nbytes}


def calls(*arguments: str) -> dict[str, Any]:
    """Microseconds a call of ``step`` and ``square``: a number of repeats, then boards."""
    _warm_up()
    repeats, boards = int(arguments[0]), arguments[1:]
    tours = {board: _tour(question(board, "closed")) for board in boards}
    taken: dict[str, dict[str, list[float]]] = {it: {"step": [], "square": []} for it in boards}
    rng = random.Random(1)
    for _ in range(repeats):
        for board, tour in tours.items():
            steps = [rng.randint(1, tour.size) for _ in range(CALLS)]
            seconds, squares = _timed(lambda: [tour.square(it) for it in steps])  # noqa: B023  called here
            taken[board]["square"].append(1e6 * seconds / CALLS)
            seconds, back = _timed(lambda: [tour.step(it) for it in squares])  # noqa: B023
            taken[board]["step"].append(1e6 * seconds / CALLS)
            assert back == steps
    medians = {
        board: {name: median(it) for name, it in each.items()} for board, each in taken.items()
    }
    return {"status": "FOUND", "boards": medians}


def _tour(problem: Problem) -> Tour:
    return Tour(construct(problem), problem.closed, problem.board)


def _touch(size: int) -> None:
    """Use memory for so many numbers, and give it back.

    In a virtual machine that has done nothing with it for a while its first use is many times as
    slow as the next, and would be laid to whoever comes first.
    """
    np.empty(size, np.int32).fill(1)


def _filled(squares: ComputedSquares, array: Any) -> Any:
    fill_window(squares, array, 0, 0)
    return array


def _timed(function: Callable[[], Any], times: int = 1) -> tuple[float, Any]:
    """Seconds a call, and what the last one returns."""
    began = time.perf_counter()
    for _ in range(times):
        value = function()
    return (time.perf_counter() - began) / times, value


def _warm_up() -> None:
    """Load everything, and forget the tiles that were found for it."""
    problem = question("12x12", "closed")
    assert not array_defects(problem, _tour(problem).to_array())
    find_tile.cache_clear()


def question(board: str, kind: str) -> Problem:
    """The problem of a kind on a board.

    Examples
    --------
    >>> question("100x100", "ends").label
    '100x100 open from z26 to cx76'
    """
    it = Board.parse(board)
    rows, columns = it.rows, it.columns
    if kind in ("closed", "open"):
        return Problem(it, closed=kind == "closed")
    if kind == "start":
        return Problem(it, start=_of_corners_colour(rows // 2, columns // 2))
    start = _of_corners_colour(rows // 4, columns // 4)
    row, column = _of_corners_colour(3 * rows // 4, 3 * columns // 4)
    return Problem(it, start=start, end=(row, column - 1 + rows * columns % 2))


def _of_corners_colour(row: int, column: int) -> tuple[int, int]:
    return row, column - (row + column) % 2

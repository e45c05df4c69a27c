"""One count of closed tours, everything loaded beforehand."""

from __future__ import annotations

import time
from typing import Any

from benchmarks.memory import most_memory
from benchmarks.parts.counting import BOARDS
from benchmarks.yardsticks import GRAPHILLION
from kt_cp import Problem, count


def counting(who: str, board: str) -> dict[str, Any]:
    """``FOUND`` if the number is the known one; seconds, and the process's most memory."""
    tours = _graphillion if who == GRAPHILLION else _method
    tours(who, Problem("3x10", closed=True))
    began = time.perf_counter()
    number = tours(who, Problem(board, closed=True))
    seconds = time.perf_counter() - began
    status = "FOUND" if number == BOARDS[board] else "WRONG"
    return {"status": status, "seconds": seconds, "tours": number, "megabytes": most_memory() / 1e6}


def _method(who: str, problem: Problem) -> int:
    return count(problem, method=who).tours


def _graphillion(_who: str, problem: Problem) -> int:
    from graphillion import GraphSet

    number = {square: at for at, square in enumerate(problem.graph, start=1)}
    GraphSet.set_universe([(number[u], number[v]) for u, v in problem.graph.edges])
    return int(GraphSet.cycles(is_hamilton=True).len())

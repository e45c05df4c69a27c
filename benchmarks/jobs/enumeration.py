"""One enumeration, everything compiled beforehand."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from typing import Any

from benchmarks.parts.enumeration import COUNTING, FIRST, LISTING, TWIN
from kt_cp import Board, Problem, Verdict
from kt_cp.enumeration import Enumeration
from kt_cp.model.board import parse_square
from kt_cp.trust.reference import ORDERS, Pause, Run, fixed_order

WARMED_BY = Board(3, 4)


def enumeration(
    candidate: str, board: str, start: str, kind: str, unit: str, order: str, symmetry: str = ""
) -> dict[str, Any]:
    """Tours, squares placed and seconds, from the bare problem on."""
    function = CANDIDATES[candidate]
    where = None if start == "all" else parse_square(start)
    function(Problem(WARMED_BY), order, True)
    closed, asked = kind == "closed", symmetry or None
    if asked:  # it has more to compile
        function(Problem(WARMED_BY, symmetry="half-turn"), order, True)
    problem = Problem(Board.parse(board), closed=closed, start=where, symmetry=asked)
    began = time.perf_counter()
    tours, placed = function(problem, order, unit == "directed")
    seconds = time.perf_counter() - began
    return {"status": Verdict.FOUND.value, "seconds": seconds, "tours": tours, "placed": placed}


def _listing(problem: Problem, order: str, directed: bool) -> tuple[int, int]:
    everything = Enumeration(problem, fixed_order(problem, ORDERS[order]), directed=directed)
    return sum(1 for _ in everything.tours()), everything.placed


def _counting(problem: Problem, order: str, directed: bool) -> tuple[int, int]:
    everything = Enumeration(problem, fixed_order(problem, ORDERS[order]), directed=directed)
    return everything.count(), everything.placed


def _twin(problem: Problem, order: str, _directed: bool) -> tuple[int, int]:
    """All tours without pruning, every direction by itself as the C++ program counts."""
    tours = placed = 0
    for run in _runs(problem, order):
        while run.advance() is Pause.TOUR:
            tours += 1
        placed += run.placed
    return tours, placed


def _first(problem: Problem, order: str, _directed: bool) -> tuple[int, int]:
    """The first tour without pruning, from the first start that has any."""
    placed = 0
    for run in _runs(problem, order):
        came = run.advance()
        placed += run.placed
        if came is Pause.TOUR:
            return 1, placed
    return 0, placed


def _runs(problem: Problem, order: str) -> Iterable[Run]:
    assert problem.board is not None
    starts = problem.board if problem.start is None else (problem.start,)
    return (Run(problem, start, fixed_order(problem, ORDERS[order])) for start in starts)


CANDIDATES: dict[str, Callable[[Problem, str, bool], tuple[int, int]]] = {
    LISTING: _listing,
    COUNTING: _counting,
    TWIN: _twin,
    FIRST: _first,
}

"""No search but for tiles: a tour of any rectangle at once, whatever its size.

The squares of its tours are computed when they are asked for (:mod:`kt_cp.construction`), so that
a tour of 10^18 squares takes no more time and memory than one of a thousand.  It draws nothing at
random: every seed gives the same tour.  That there is no tour is for others to say.
"""

from __future__ import annotations

from kt_cp.construction.construct import construct
from kt_cp.construction.tiles import NoTileError
from kt_cp.engines.engine import Engine, Progress, found, unknown
from kt_cp.limits import Limits
from kt_cp.outcome import Outcome
from kt_cp.problem import Problem
from kt_cp.tour import Tour

NAME = "construct"


def solve(problem: Problem, *, limits: Limits, seed: int, progress: Progress | None) -> Outcome:
    """Build a tour, or say why none was built."""
    del progress  # it is done before anyone could look
    clock = limits.clock()
    try:
        squares = construct(problem)
    except NoTileError as why:
        statistics = {"solve_seconds": clock.elapsed}
        return unknown(NAME, problem, f"nothing was constructed: {why}", statistics, seed)
    tour = Tour(squares, problem.closed, problem.board)
    return found(NAME, problem, tour, {"solve_seconds": clock.elapsed}, seed)


def constructs(problem: Problem) -> bool:
    """Whether the problem is of the kind that is constructed: a whole rectangle."""
    return problem.board is not None and not problem.board.missing


def engine() -> Engine:
    """The registry's factory."""
    return Engine(
        NAME,
        "whole rectangles of any size, of tiles, in linear time; squares computed on demand",
        complete=False,
        solve=solve,
    )

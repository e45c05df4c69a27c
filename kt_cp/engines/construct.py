"""Construction as an engine: it builds a tour of a whole rectangle of any size without search.

The squares of the tour are computed on demand (:mod:`kt_cp.construction`), so a tour of 10^18
squares takes no more time and memory than one of a thousand.  Only small tiles are found by search.
A seed other than 0 chooses the start, mirror images and the direction at random, unless they are
prescribed.  When it loses: it never proves that there is no tour.
"""

from __future__ import annotations

from kt_cp.engines.engine import Engine, found, unknown
from kt_cp.model.conditions import ENDS
from kt_cp.model.limits import Limits
from kt_cp.model.outcome import Outcome
from kt_cp.model.problem import Problem
from kt_cp.model.request import Progress

NAME = "construct"


def solve(problem: Problem, *, limits: Limits, seed: int, progress: Progress | None) -> Outcome:
    """Build a tour, or explain why none was built."""
    del progress  # construction is too fast to report progress
    from kt_cp.construction.construct import construct
    from kt_cp.construction.tiles import NoTileError

    clock = limits.clock()
    try:
        squares = construct(problem, seed)
    except NoTileError as why:
        statistics = {"solve_seconds": clock.elapsed}
        return unknown(NAME, problem, f"nothing was constructed: {why}", statistics, seed)
    tour = problem.tour(squares)
    return found(NAME, problem, tour, {"solve_seconds": clock.elapsed}, seed)


def is_constructible(problem: Problem) -> bool:
    """Return whether the board is a whole rectangle and the only conditions are ends."""
    return problem.whole_rectangle is not None and ENDS.issuperset(map(type, problem.conditions))


ENGINE = Engine(
    NAME,
    "whole rectangles of any size, of tiles, in linear time; squares computed on demand",
    complete=False,
    solve=solve,
    at_once=is_constructible,
)

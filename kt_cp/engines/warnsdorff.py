"""Warnsdorff's rule as an engine: finds a tour at once, or gives up.

:mod:`kt_cp.search.warnsdorff` has the rule, its tie-breaks and its restarts.  On boards the
distance from the centre breaks ties (Roth's tie-break); on other graphs the degrees of the
neighbours do.
"""

from __future__ import annotations

import random
from math import hypot

from kt_cp.engines.engine import Engine, found, out_of_time, square_limit, unknown
from kt_cp.model.conditions import EDGES
from kt_cp.model.cycle import allowed_ends, as_tour
from kt_cp.model.limits import MOST_SQUARES, Limits
from kt_cp.model.outcome import Outcome
from kt_cp.model.problem import Problem
from kt_cp.model.request import Progress
from kt_cp.proofs.obstructions import obstruction
from kt_cp.search.warnsdorff import hamiltonian_path

NAME = "warnsdorff"

MAX_RESTARTS = 1000
"""Most restarts: the narrowest boards with prescribed ends need up to 42."""


def solve(
    problem: Problem,
    *,
    limits: Limits,
    seed: int,
    progress: Progress | None,  # noqa: ARG001  too fast for progress reports
    max_restarts: int = MAX_RESTARTS,
) -> Outcome:
    """Repeat walks by the rule until a tour is found or the restarts are used up."""
    clock = limits.clock()
    evidence = obstruction(problem)
    if evidence is not None:
        # This engine does not prove that, but further walks would be useless.
        return unknown(
            NAME,
            problem,
            f"{NAME} only finds tours, but there is an obstruction: {evidence.text}",
            {},
            seed,
        )
    graph = problem.indexed
    neighbours, ties = graph.neighbours, _distances_from_centre(problem, seed)
    build_seconds = clock.elapsed
    path, work = hamiltonian_path(
        neighbours,
        starts=allowed_ends(problem),
        start=_first_vertex(problem),
        end=None if problem.end is None else graph.index[problem.end],
        closed=problem.closed,
        tie_key=ties,
        seed=seed,
        max_restarts=max_restarts,
        should_stop=clock.expired,
        required=problem.forced,
    )
    statistics = {
        "build_seconds": build_seconds,
        "solve_seconds": clock.elapsed - build_seconds,
        "nodes": work.placed,
        "restarts": work.restarts,
        "rotations": work.rotations,
    }
    if path is not None:
        return found(NAME, problem, as_tour(problem, path), statistics, seed)
    if clock.expired():
        return out_of_time(NAME, problem, limits, statistics, seed)
    reason = f"Warnsdorff's rule gave up after {work.restarts} restarts, which proves nothing"
    return unknown(NAME, problem, reason, statistics, seed)


def _first_vertex(problem: Problem) -> int | None:
    """Return the first vertex of the written tour; a1 if a closed tour may begin anywhere."""
    if problem.start is not None:
        return int(problem.indexed.index[problem.start])
    return 0 if problem.closed else None


def _distances_from_centre(problem: Problem, seed: int) -> list[float] | None:
    """Return the distance of each square from the board's centre, or None on other graphs.

    A seed other than 0 changes each distance by up to a square, so that other seeds give other
    tours.  No walk from the corner of squares of side 5 to 100 failed because of that
    (``make bench``).
    """
    board = problem.board
    if board is None:
        return None
    row_centre, column_centre = (board.rows - 1) / 2, (board.columns - 1) / 2
    exact = [hypot(row - row_centre, column - column_centre) for row, column in board]
    if seed == 0:
        return exact
    blur = random.Random(seed)
    return [distance + blur.random() for distance in exact]


ENGINE = Engine(
    NAME,
    "Warnsdorff's rule with Roth's tie-break, Posa rotations and seeded restarts",
    complete=False,
    takes=EDGES,
    solve=solve,
    refuse=square_limit(NAME, MOST_SQUARES),
    capacity=f"{MOST_SQUARES:,} squares",
)

"""Crossings, and the longest uncrossed path: two sweeps, or local search and a bound."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from threading import Event
from typing import TYPE_CHECKING, Any

from kt_cp.engines import solve_request
from kt_cp.model.board import parse_square
from kt_cp.model.errors import TooLargeError, UnsoundEngineError
from kt_cp.model.limits import TimeLimitReachedError
from kt_cp.model.measures import path_crossings
from kt_cp.model.outcome import Verdict
from kt_cp.model.request import Request
from kt_cp.optimization.optimum import Optimum
from kt_cp.optimization.search import (
    FIRST_SHARE,
    LARGE,
    LOCAL_SHARE,
    cycle_of,
    share_spent,
    tour_of,
)
from kt_cp.trust.check.bound import fault_of_paths
from kt_cp.trust.check.frame import frame_of
from kt_cp.trust.judge import defects

if TYPE_CHECKING:
    from kt_cp.model.tour import Tour
    from kt_cp.optimization.local_search import Layout

SWEPT = ("fewest-crossings", "most-crossings", "longest-uncrossed")
"""Objectives of two frontier sweeps, which no certificate proves."""

MOST_SWEPT = 7
"""The shorter side of the largest board that is swept for crossings."""

SWEEP_SHARE, SMALL_SWEEP_SHARE = 0.6, 0.95
"""The share of a time limit that sweeps for crossings get; a bound from windows gets the rest."""

SMALL_SWEPT = 40
"""Boards of up to this many squares are swept within a minute, so sweeps get the larger share."""

RESTARTS, DRAWS = 6, 10_000_000
"""Annealing runs for crossings, and draws of each, on boards of up to ``MOST_BOUNDED`` squares."""

FEW_DRAWS = 200_000
"""Draws of the only run before a sweep, which finds the best tour itself if it completes."""

SWEEP_MEMORY_SHARE = 0.15
"""The share of a memory limit for the states of each of two sweeps, which copy them to grow."""

MOST_BOUNDED = 200
"""Squares of the largest board that gets a bound of crossings from windows."""


def optimize_crossings(
    request: Request, objective: str, resume: Mapping[str, Any] | None
) -> Optimum:
    """Find the best tour or path by two sweeps at once, from both ends of the board."""
    from kt_cp.optimization.crossing_sweep import MOST_BYTES, as_sweep, order_path, sweep_crossings
    from kt_cp.optimization.uncrossed_sweep import UncrossedSweep

    problem = request.problem
    is_path = objective == "longest-uncrossed"
    best = Optimum(problem, objective)
    if resume is not None:
        from kt_cp.optimization.resume import read_earlier

        (path,) = read_earlier(resume, problem, objective).paths
        tour = problem.tour([parse_square(name) for name in path])
    elif not is_path:
        answer = solve_request(request.within(share=FIRST_SHARE), "auto")
        best = Optimum.from_outcome(answer, objective)
        if answer.tour is None:
            return replace(best, statistics={"seconds": request.clock.elapsed})
        tour = answer.tour
    if not is_path:
        best = replace(best, verdict=Verdict.FOUND, certificate=None)
        assert problem.board is not None
        is_swept = min(problem.board.rows, problem.board.columns) <= MOST_SWEPT
        best = _improve_crossings(request, best, tour, before_sweep=is_swept)
        if best.limit is not None:
            return replace(best, statistics={"seconds": request.clock.elapsed})
        if not is_swept:
            return _bound_crossings(request, best)
    share = SMALL_SWEEP_SHARE if problem.size <= SMALL_SWEPT else SWEEP_SHARE
    clock = request.within(share=1.0 if is_path else share).clock
    forward, squares = as_sweep(problem, objective)
    megabytes = request.limits.megabytes
    most = MOST_BYTES if megabytes is None else SWEEP_MEMORY_SHARE * 1e6 * megabytes
    stopped = Event()

    def look(done: int, states: int) -> None:
        if stopped.is_set() or clock.expired():
            raise TimeLimitReachedError("the sweep was stopped")
        request.report({"squares": done, "states": states})

    request.announce("sweeping")
    try:
        with ThreadPoolExecutor(2) as pool:
            try:
                sweeps = (forward, forward.reversed())
                if is_path:
                    halves = [*pool.map(lambda sweep: UncrossedSweep(sweep, look, most), sweeps)]
                    others = halves[::-1]
                    waiting = [*map(pool.submit, [half.longest for half in halves], others)]
                else:
                    waiting = [
                        pool.submit(sweep_crossings, sweep, look, most, outer_first=outer_first)
                        for sweep, outer_first in zip(sweeps, (False, True), strict=True)
                    ]
                found, again = (each.result() for each in waiting)
            finally:
                stopped.set()
    except (KeyboardInterrupt, TimeLimitReachedError, TooLargeError) as stop:
        limit = "interrupted" if isinstance(stop, KeyboardInterrupt) else "time"
        limit = "memory" if isinstance(stop, TooLargeError) else limit
        reason = str(stop) if best.tour is None else None
        if best.tour is not None and limit != "interrupted" and not request.expired():
            best = _improve_crossings(request, best, best.tour, before_sweep=False)
            return _bound_crossings(request, replace(best, limit=best.limit or limit))
        return replace(
            best, limit=limit, reason=reason, statistics={"seconds": request.clock.elapsed}
        )
    if (found is None) != (again is None) or (found and again and found[0] != again[0]):
        raise UnsoundEngineError(f"two sweeps of {problem.label} disagree: {found} and {again}")
    statistics = {"seconds": request.clock.elapsed}
    if found is None:
        reason = "no path fits: two sweeps tried all"
        return replace(best, verdict=Verdict.IMPOSSIBLE, reason=reason, statistics=statistics)
    value, edges = found
    path = [squares[vertex] for vertex in order_path(edges)]
    is_reversed = problem.start not in (None, path[0]) or problem.end not in (None, path[-1])
    if not problem.closed and is_reversed:
        path.reverse()
    if problem.closed and problem.start is not None:
        first = path.index(problem.start)
        path = path[first:] + path[:first]
    tour = problem.tour(path)
    if is_path:
        frame = frame_of(problem, partial=True)
        wrong = fault_of_paths(frame, [[frame.number[square] for square in path]], cover=False)
    else:
        wrong = next(iter(map(str, defects(problem, tour))), None)
    measured = path_crossings(tour)
    moves = len(path) - (not problem.closed)
    if wrong is not None or (moves if is_path else measured) != value or (is_path and measured):
        raise UnsoundEngineError(f"the sweep of {problem.label} found no such path: {wrong}")
    return replace(
        best,
        tour=tour,
        value=value,
        bound=value,
        bound_by="sweeps",
        verdict=Verdict.FOUND,
        statistics=statistics,
    )


def _bound_crossings(request: Request, best: Optimum) -> Optimum:
    """Add a bound from windows of the board to a tour."""
    from kt_cp.optimization.crossing_bound import CrossingProgram
    from kt_cp.optimization.crossing_sweep import as_sweep

    problem, tour = request.problem, best.tour
    assert tour is not None
    if problem.size > MOST_BOUNDED:
        return replace(best, statistics={"seconds": request.clock.elapsed})
    sweep, squares = as_sweep(problem, best.objective)
    number = {square: index for index, square in enumerate(squares)}
    path = [number[square] for square in tour]
    moves = zip(path, [*path[1:], *path[:1]][: len(path) - (not problem.closed)], strict=False)
    request.announce("bounding by windows")
    limit = best.limit if best.limit == "memory" else None

    def look(bound: int) -> bool:
        request.report({"value": best.value, "bound": sweep.sign * bound})
        return request.expired() or sweep.sign * bound == best.value

    program = CrossingProgram(sweep, {(min(move), max(move)) for move in moves}, look)
    try:
        program.run()
    except (KeyboardInterrupt, TimeLimitReachedError) as stop:
        limit = "interrupted" if isinstance(stop, KeyboardInterrupt) else "time"
    if request.expired():
        limit = limit or "time"
    bound = None if program.bound is None else sweep.sign * program.bound
    return replace(
        best,
        bound=bound,
        bound_by=None if bound is None else "windows",
        limit=limit,
        statistics={"seconds": request.clock.elapsed},
    )


def _improve_crossings(
    request: Request, best: Optimum, tour: Tour, *, before_sweep: bool
) -> Optimum:
    """Improve a tour by local search; with ``most-crossings`` that means more."""
    from kt_cp.optimization.large_boards import improve_tour
    from kt_cp.optimization.local_search import layout_of

    problem = request.problem
    frame = frame_of(problem)
    weight = -1 if best.objective.startswith("most") else 1
    found = [cycle_of(frame, [frame.number[square] for square in tour])]
    clock = request.within(share=FIRST_SHARE if problem.size <= LARGE else LOCAL_SHARE).clock
    limit = None

    def spent(least: int) -> float:
        request.report({"value": weight * least})
        return share_spent(clock)

    request.announce("searching")
    layout = layout_of(frame, None, weight)
    try:
        if problem.size > MOST_BOUNDED:
            improve_tour(frame, layout, found[0], request.seed, spent, found.append)
        else:
            runs = (1, FEW_DRAWS) if before_sweep else (RESTARTS, DRAWS)
            _anneal_often(layout, found, request.seed, spent, *runs)
    except (KeyboardInterrupt, TimeLimitReachedError) as stop:
        limit = "interrupted" if isinstance(stop, KeyboardInterrupt) else "time"
    tour = tour_of(frame, found[-1])
    if wrong := defects(problem, tour):
        raise UnsoundEngineError(f"the tour of {problem.label} by local search: {wrong[0]}")
    return replace(best, tour=tour, value=tour.measures()["crossings"], limit=limit)


def _anneal_often(
    layout: Layout,
    found: list[list[int]],
    seed: int,
    spent: Callable[[int], float],
    restarts: int,
    draws: int,
) -> None:
    """Anneal the first cycle several times, and append each cycle that is the best so far.

    On 8x8, ten million draws take two seconds, and three of five such runs end at the best value.
    """
    from kt_cp.optimization.local_search import LocalSearch

    best = LocalSearch(layout, found[0], seed).best_cost
    for number in range(restarts):
        search = LocalSearch(layout, found[0], seed + number)
        try:
            search.anneal(draws, partial(spent, best))
        finally:
            if search.best_cost < best:
                best = search.best_cost
                found.append(search.best.tolist())
        if spent(best) >= 1.0:
            return

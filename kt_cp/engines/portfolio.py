"""A portfolio of several engines in parallel and in turn, for :mod:`kt_cp.engines.auto`.

No engine is the best on all graphs.  A SAT solver may find in a second a cycle that backtracking
misses for an hour, and the other way round.  The success of backtracking depends on its seed, and
the formulas that refute best are not those that find cycles best.  So a few processes run at a
time.  One of them runs the first formula without interruption, because a SAT solver that is stopped
loses its learnt clauses.  The others take short turns: backtracking with a new seed each time, and
the formulas that refute, then all of them again with twice the time.  The first tour, or the first
"none" of a complete engine, ends all of them.

Source: B. A. Huberman, R. M. Lukose and T. Hogg, "An economics approach to hard computational
problems", Science 275 (1997), for portfolios; M. Luby, A. Sinclair and D. Zuckerman, "Optimal
speedup of Las Vegas algorithms", IPL 47 (1993), for growing turns.

Cost: With doubling turns, at most a constant times the time of the best engine alone, plus half a
second for each process.

When it loses: On a single core, and if it is known which engine is the best.  The engines run
concurrently, so the same seed may give other tours.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Collection, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, replace
from itertools import count

from kt_cp.engines.engine import out_of_time, unknown
from kt_cp.engines.registry import get_engine
from kt_cp.engines.run import check, run
from kt_cp.model.directed import undirected_tour
from kt_cp.model.errors import EngineFailedError, TooLargeError
from kt_cp.model.outcome import Outcome, Verdict
from kt_cp.model.problem import Problem
from kt_cp.model.request import Request
from kt_cp.processes.executors import SIGNAL_SECONDS

FIRST = "sat:lazy"
"""The engine that runs all the time, if two processes can run at a time."""

TURNS = (
    ("backtrack", 1.0, 100_000),
    ("sat:elimination", 4.0, 10_000),
    ("backtrack", 1.0, 100_000),
    ("sat:lazy::patch", 2.0, 1_000_000),
    ("cpsat", 2.0, 20_000),
    ("sat:reach", 2.0, 10_000),
)
"""Engines that take turns, their shares of the time and their most vertices.  On larger graphs, an
engine takes longer than its turn to start or to refuse the problem."""

FIRST_SECONDS, GROWTH = 2.0, 2.0
"""Processor time of a whole share in the first round, and its growth from round to round."""

MOST_AT_ONCE = 4
"""Most processes at a time, on any number of cores: each holds the problem, and some a formula of
millions of clauses."""


@dataclass(frozen=True)
class Turn:
    """An engine, its seed and its limit of processor time."""

    engine: str
    seed: int
    seconds: float | None


def turns(
    problem: Problem, seed: int, at_once: int, refused: Collection[str] = ()
) -> Iterator[Turn]:
    """Yield turns in order, until all engines but the first are among ``refused``, which may grow.

    Conditions are checked here.  The process of a turn checks the size of the problem, because that
    takes some engines seconds.

    >>> from itertools import islice
    >>> [turn.engine for turn in islice(turns(Problem("5x5"), seed=1, at_once=2), 4)]
    ['sat:lazy', 'backtrack', 'sat:elimination', 'backtrack']
    """
    candidates = [
        (name, share)
        for name, share, most in TURNS
        if _form_for(name, problem).size <= most and _supports_conditions(name, problem)
    ]
    candidates.sort(key=lambda each: _form_for(each[0], problem) is problem)  # arcs are far quicker
    first = _supports_conditions(FIRST, problem)
    if first and at_once > 1:
        yield Turn(FIRST, seed, None)
    elif first:
        candidates.insert(1, (FIRST, 2.0))
    if not candidates and not first:
        check(FIRST, problem)  # raises the error with the reason
    seeds = count(seed)
    seconds = FIRST_SECONDS
    while {name for name, _ in candidates} - {*refused}:
        for name, share in candidates:
            if name not in refused:
                yield Turn(name, next(seeds), seconds * share)
        seconds *= GROWTH


def _form_for(name: str, problem: Problem) -> Problem:
    """Return the original digraph of an undirected form, if the engine takes arcs."""
    return problem._of if problem._of and get_engine(name).directed else problem


def _supports_conditions(name: str, problem: Problem) -> bool:
    return {*map(type, _form_for(name, problem).conditions)} <= get_engine(name).takes


def run_side_by_side(name: str, request: Request) -> Outcome:
    """Run engines until one has the answer or the time is over.

    EngineFailedError is raised if all engines crashed, NotTakenError or TooLargeError if no engine
    takes the problem.
    """
    problem = request.problem
    at_once = request.limits.workers or min(os.cpu_count() or 1, MOST_AT_ONCE)
    if request.limits.megabytes is not None:
        at_once = 1
    refused: dict[str, TooLargeError] = {}
    waiting = turns(problem, request.seed, at_once, refused)
    started: list[Turn] = []
    failed: list[EngineFailedError] = []
    running: dict[Future[Outcome], Turn] = {}
    over = threading.Event()
    with ThreadPoolExecutor(at_once) as pool:
        try:
            while not request.expired():
                while len(running) < at_once and (turn := next(waiting, None)) is not None:
                    started.append(turn)
                    request.announce(", ".join(each.engine for each in [*running.values(), turn]))
                    running[pool.submit(take_turn, turn, request, over)] = turn
                if not running:
                    break
                left = request.clock.left
                most = SIGNAL_SECONDS if left is None else min(left, SIGNAL_SECONDS)
                done, _ = wait(running, timeout=most, return_when=FIRST_COMPLETED)
                for each in done:
                    engine = running.pop(each).engine
                    try:
                        outcome = each.result()
                    except TooLargeError as error:
                        refused[engine] = error
                        continue
                    except EngineFailedError as error:  # the others continue
                        failed.append(error)
                        continue
                    if outcome.verdict is not Verdict.UNKNOWN:
                        statistics = {**outcome.statistics, "turns": len(started)}
                        return replace(outcome, statistics=statistics)
        finally:
            over.set()
    if failed and not request.expired():
        raise failed[0]
    if {turn.engine for turn in started} <= refused.keys() and not request.expired():
        raise refused[FIRST]
    statistics = {"solve_seconds": request.clock.elapsed, "turns": len(started)}
    return out_of_time(name, problem, request.limits, statistics, request.seed)


def take_turn(turn: Turn, request: Request, over: threading.Event) -> Outcome:
    """Run the engine of a turn in a process that ends with it."""
    problem, form = request.problem, _form_for(turn.engine, request.problem)
    step = replace(request.about(form).within(turn.seconds), seed=turn.seed, progress=None)
    try:
        outcome = run(turn.engine, step, own_process=True, cancelled=over.is_set, refuse_there=True)
    except KeyboardInterrupt:  # another engine has the answer
        return unknown(turn.engine, problem, "not needed any more", {}, turn.seed)
    tour = outcome.tour
    if tour is not None and form is not problem:
        tour = problem.tour(undirected_tour(form, tour.squares))
    return replace(outcome, problem=problem, tour=tour)

"""Several engines side by side and in turn, for :mod:`kt_cp.engines.auto`.

No engine is the best on all graphs.  What a SAT solver finds in a second, backtracking may miss for
an hour, and the other way round; what backtracking finds depends on its seed; and a "no" is found
by other formulas than a cycle.  So a few processes work at a time.  One of them is given to the
first formula for good, because a SAT solver that is ended forgets what it has learnt.  The others
take short turns: backtracking with a new seed each time, and the formulas that refute, then all of
them again with twice the time.  The first tour ends all; so does the first "none" of a complete
engine.

Source: B. A. Huberman, R. M. Lukose and T. Hogg, "An economics approach to hard computational
problems", Science 275 (1997), for portfolios; M. Luby, A. Sinclair and D. Zuckerman, "Optimal
speedup of Las Vegas algorithms", IPL 47 (1993), for growing turns.

Cost: With turns that double, at most a constant times what the best of them takes alone, plus half
a second for each process.

When it loses: On a single core; and to the best engine alone, where it is known which one that is.
The engines race, so the same seed may give other tours.
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
"""What works all the time, where two can work at a time."""

TURNS = (
    ("backtrack", 1.0, 100_000),
    ("sat:elimination", 4.0, 10_000),
    ("backtrack", 1.0, 100_000),
    ("sat:lazy::patch", 2.0, 1_000_000),
    ("cpsat", 2.0, 20_000),
    ("sat:reach", 2.0, 10_000),
)
"""What takes turns, its share of the time, and the most vertices: on larger graphs it takes longer
than this to say that it would not fit, or to begin."""

FIRST_SECONDS, GROWTH = 2.0, 2.0
"""Processor time of a whole share in the first round, and its growth from round to round."""

MOST_AT_ONCE = 4
"""Processes at a time, however many cores there are: each holds the problem, and some its formula
in millions of clauses."""


@dataclass(frozen=True)
class Turn:
    """An engine, its seed, and how much processor time it may take."""

    engine: str
    seed: int
    seconds: float | None


def turns(
    problem: Problem, seed: int, at_once: int, refused: Collection[str] = ()
) -> Iterator[Turn]:
    """Yield turns in order, until all engines but the first are among ``refused``, which may grow.

    Conditions are looked at here.  Whether a problem fits takes some engines seconds to find out,
    and is for the process of the turn.

    >>> from itertools import islice
    >>> [turn.engine for turn in islice(turns(Problem("5x5"), seed=1, at_once=2), 4)]
    ['sat:lazy', 'backtrack', 'sat:elimination', 'backtrack']
    """
    taking = [
        (name, share)
        for name, share, most in TURNS
        if _form_for(name, problem).size <= most and _takes(name, problem)
    ]
    taking.sort(key=lambda each: _form_for(each[0], problem) is problem)  # arcs are far quicker
    first = _takes(FIRST, problem)
    if first and at_once > 1:
        yield Turn(FIRST, seed, None)
    elif first:
        taking.insert(1, (FIRST, 2.0))
    if not taking and not first:
        check(FIRST, problem)  # which says why
    seeds = count(seed)
    seconds = FIRST_SECONDS
    while {name for name, _ in taking} - {*refused}:
        for name, share in taking:
            if name not in refused:
                yield Turn(name, next(seeds), seconds * share)
        seconds *= GROWTH


def _form_for(name: str, problem: Problem) -> Problem:
    """Return the digraph for which the problem stands, if the engine takes arcs."""
    return problem._of if problem._of and get_engine(name).directed else problem


def _takes(name: str, problem: Problem) -> bool:
    return {*map(type, _form_for(name, problem).conditions)} <= get_engine(name).takes


def run_side_by_side(name: str, request: Request) -> Outcome:
    """Run engines until one has the answer or the time is over.

    EngineFailedError is raised if all crashed, NotTakenError or TooLargeError if none takes the
    problem.
    """
    problem = request.problem
    at_once = request.limits.workers or min(os.cpu_count() or 1, MOST_AT_ONCE)
    if request.limits.megabytes is not None:
        at_once = 1
    refused: dict[str, TooLargeError] = {}
    waiting = turns(problem, request.seed, at_once, refused)
    taken: list[Turn] = []
    failed: list[EngineFailedError] = []
    running: dict[Future[Outcome], Turn] = {}
    over = threading.Event()
    with ThreadPoolExecutor(at_once) as pool:
        try:
            while not request.expired():
                while len(running) < at_once and (turn := next(waiting, None)) is not None:
                    taken.append(turn)
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
                    except EngineFailedError as error:  # the others go on
                        failed.append(error)
                        continue
                    if outcome.verdict is not Verdict.UNKNOWN:
                        done_by = {**outcome.statistics, "turns": len(taken)}
                        return replace(outcome, statistics=done_by)
        finally:
            over.set()
    if failed and not request.expired():
        raise failed[0]
    if {turn.engine for turn in taken} <= refused.keys() and not request.expired():
        raise refused[FIRST]
    statistics = {"solve_seconds": request.clock.elapsed, "turns": len(taken)}
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

"""The reference recursion as an engine: what the five source texts would do, counted.

It tries every allowed start and looks one move ahead, as the cross-check does.  It serves for
comparison on small boards; :mod:`kt_cp.engines.backtrack` is the search to use.
"""

from __future__ import annotations

from collections.abc import Callable

from kt_cp.engines.engine import Engine, found, impossible, out_of_time, square_limit
from kt_cp.model.limits import Limits
from kt_cp.model.outcome import EvidenceKind, Outcome, Verdict
from kt_cp.model.problem import Problem
from kt_cp.model.progress import Progress
from kt_cp.model.terms import counted, terms
from kt_cp.trust.reference import REPLAY_LIMIT, TAKES, decide

NAME = "reference"


def solve(
    problem: Problem,
    *,
    limits: Limits,
    seed: int,
    progress: Progress | None,
) -> Outcome:
    """Run the recursion from every allowed start; the seed plays no part."""
    clock = limits.clock()
    walk = decide(problem, should_stop=clock.expired, progress=telling(progress))
    statistics = {
        "solve_seconds": clock.elapsed,
        "nodes": walk.placed,
        "placed": walk.placed,
        "taken_back": walk.taken_back,
    }
    if walk.squares is not None:
        tour = problem.tour(walk.squares)
        return found(NAME, problem, tour, statistics, seed)
    if walk.verdict is Verdict.IMPOSSIBLE:
        placed = counted(walk.placed, terms(problem).square)
        text = f"the reference recursion tried everything: {placed} placed"
        return impossible(NAME, problem, EvidenceKind.EXHAUSTED, text, statistics, seed)
    return out_of_time(NAME, problem, limits, statistics, seed)


def telling(progress: Progress | None) -> Callable[[int, int, int], None] | None:
    """What tells how far the recursion is, where somebody wants to know."""
    if progress is None:
        return None

    def tell(start: int, starts: int, placed: int) -> None:
        which: dict[str, float | None] = {} if starts == 1 else {f"start {start} of {starts}": None}
        progress({**which, "squares placed": placed})

    return tell


ENGINE = Engine(
    NAME,
    "the plain recursion of the source texts, every start, one move of look-ahead",
    complete=True,
    takes=TAKES,
    solve=solve,
    refuse=square_limit(NAME, REPLAY_LIMIT),
    capacity=f"{REPLAY_LIMIT:,} squares",
)

"""Search on step domains as an engine, for puzzles with given steps.

:mod:`kt_cp.search.step_domains` has the search.  If it finds nothing for a while, it alternates
with simulated annealing (:mod:`kt_cp.search.annealing`), which finds a tour on large boards with
few given steps, because there are many.
"""

from __future__ import annotations

from kt_cp.engines.engine import (
    Engine,
    found,
    impossible,
    out_of_time,
    square_limit,
)
from kt_cp.model.conditions import EDGES, Given
from kt_cp.model.limits import Limits
from kt_cp.model.outcome import EvidenceKind, Outcome
from kt_cp.model.problem import Problem
from kt_cp.model.request import Progress

NAME = "windows"

MOST_SQUARES = 1_600
"""Most squares.  Each open decision stores three tables of sets: a megabyte on 40×40, and 1.5 GB
for as many decisions as there are squares."""

STEPS = 1_000_000
"""Steps of work between two time checks: some hundredths of a second."""

PATIENCE, SHARE = 10, 4
"""Turns of the search before annealing starts; then, turns for each turn of the search."""


def load(problem: Problem) -> None:
    """Compile the search in advance, so that no time limit includes the compilation."""
    from kt_cp.search import step_domains

    step_domains.load(-(-problem.size // 64))


def solve(problem: Problem, *, limits: Limits, seed: int, progress: Progress | None) -> Outcome:
    """Search until the problem is decided or a limit is reached."""
    from kt_cp.search.annealing import DRAWS_PER_POLL, Annealing, start_annealing
    from kt_cp.search.step_domains import StepDomains

    clock = limits.clock()
    search = StepDomains(problem, seed)
    annealing: Annealing | None = None
    turns = 0
    build_seconds = clock.elapsed

    def statistics() -> dict[str, float]:
        return {
            "build_seconds": build_seconds,
            "solve_seconds": clock.elapsed - build_seconds,
            "decisions": search.placed,
            "pieces": 0 if annealing is None else annealing.drawn,
        }

    while not search.exhausted and not clock.expired():
        walk: list[int] | None = None
        if annealing is None or turns % SHARE == 0:
            walk = next(iter(search.next(limit=1, steps=STEPS).tolist()), None)
        turns += 1
        if turns == PATIENCE and not search.exhausted:
            annealing = start_annealing(problem, seed)
        if not walk and annealing is not None and not search.exhausted:
            walk = annealing.next(draws=DRAWS_PER_POLL)
        if walk:
            nodes = problem.indexed.nodes
            tour = problem.tour([nodes[vertex] for vertex in walk])
            return found(NAME, problem, tour, statistics(), seed)
        if progress is not None:
            progress({"decisions": search.placed})
    if search.exhausted:
        text = f"the search tried everything: {search.placed:,} decisions"
        return impossible(NAME, problem, EvidenceKind.EXHAUSTED, text, statistics(), seed)
    return out_of_time(NAME, problem, limits, statistics(), seed)


ENGINE = Engine(
    NAME,
    "exact search on the squares that each step may have: for puzzles with given steps",
    complete=True,
    takes=EDGES | {Given},
    solve=solve,
    refuse=square_limit(NAME, MOST_SQUARES, instead="cpsat"),
    capacity=f"{MOST_SQUARES:,} squares",
)
"""The engine of the registry."""

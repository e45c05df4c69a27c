"""Search on which square each step may have, as an engine: for puzzles with given steps.

The search is in :mod:`kt_cp.search.step_domains`.  Where it has found nothing for a while it takes
turns with a walk that is annealed (:mod:`kt_cp.search.annealing`): on a large board with few given
steps there are many tours, and that finds one.
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
"""A decision under way holds three tables of sets: a megabyte on 40×40, one and a half gigabytes
for as many decisions as there are squares."""

STEPS = 1_000_000
"""Between two looks at the clock: some hundredths of a second."""

PATIENCE, SHARE = 10, 4
"""Turns of the search before the walk has the first of its own, and then one in how many."""


def load(problem: Problem) -> None:
    """Compile the search beforehand, so that no time limit includes it."""
    from kt_cp.search import step_domains

    step_domains.load(-(-problem.size // 64))


def solve(problem: Problem, *, limits: Limits, seed: int, progress: Progress | None) -> Outcome:
    """Search to the end, or to the limit."""
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

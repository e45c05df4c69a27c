"""Exact backtracking as an engine: finds a tour, or has tried everything that could be one.

The search is in :mod:`kt_cp.search.backtrack`: Warnsdorff's order, forced edges, connectivity and
colour balance, on the problem's cycle form.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import asdict

from kt_cp.engines.engine import (
    Engine,
    found,
    impossible,
    out_of_time,
    proved,
    square_limit,
)
from kt_cp.model.conditions import EDGES
from kt_cp.model.cycle import cycle_form
from kt_cp.model.limits import Clock, Limits
from kt_cp.model.outcome import Evidence, EvidenceKind, Outcome
from kt_cp.model.problem import Problem
from kt_cp.model.progress import Progress, showing
from kt_cp.search.backtrack import Work, hamiltonian_cycle

NAME = "backtrack"

ARGUMENTS = ("colours", "degrees", "connectivity", "cut", "tight", "forced")
"""Evidence of the kinds that the search itself uses before it decides anything."""

MOST_SQUARES = 250_000
"""Some three kilobytes of sets a square: below a gigabyte."""


def solve(problem: Problem, *, limits: Limits, seed: int, progress: Progress | None) -> Outcome:
    """Search to the end, or to the limit."""
    clock = limits.clock()
    form = cycle_form(problem)
    neighbours = form.graph.neighbours
    build_seconds = clock.elapsed

    def report(work: Work, links: Sequence[Collection[int]]) -> None:
        if progress is not None:
            progress({"nodes": work.nodes, "backtracks": work.backtracks})
        nodes = form.graph.nodes
        pairs = ((nodes[u], nodes[v]) for u, others in enumerate(links) for v in others if u < v)
        showing(progress, lambda: pairs)

    cycle, exhausted, work = hamiltonian_cycle(
        neighbours, form.forced, seed=seed, should_stop=clock.expired, progress=report
    )
    statistics = {
        "build_seconds": build_seconds,
        "solve_seconds": clock.elapsed - build_seconds,
        **asdict(work),
    }
    if cycle is not None:
        return found(NAME, problem, form.tour(cycle), statistics, seed)
    if exhausted:
        argued = None if work.nodes else _argument(problem, clock)
        if argued is not None:
            return proved(NAME, problem, argued, statistics, seed)
        text = (
            f"the search tried everything: {work.nodes:,} decisions, "
            f"{work.backtracks:,} contradictions"
        )
        return impossible(NAME, problem, EvidenceKind.EXHAUSTED, text, statistics, seed)
    return out_of_time(NAME, problem, limits, statistics, seed)


def _argument(problem: Problem, clock: Clock) -> Evidence | None:
    """What refuted a problem before the first decision, written down."""
    # Loaded here: the finders take longer to load than most tours to be found.
    from kt_cp.proofs.certify import certify

    made = certify(problem, ARGUMENTS, limits=clock.limits()).certificate
    return None if made is None else made.evidence


ENGINE = Engine(
    NAME,
    "exact search: Warnsdorff order, forced edges, connectivity, colour balance, restarts",
    complete=True,
    takes=EDGES,
    solve=solve,
    refuse=square_limit(NAME, MOST_SQUARES),
    capacity=f"{MOST_SQUARES:,} squares",
)

"""Exact backtracking as two engines: each finds a tour or exhausts the search.

``backtrack`` runs the search of :mod:`kt_cp.search.backtrack` on the problem's cycle form:
Warnsdorff's order, forced edges, connectivity and colour balance.

The other engine runs the reference recursion of the five source texts and counts its work.  It
tries every allowed start and looks one move ahead, as the cross-check does.  It is meant for
comparison on small boards; use ``backtrack`` for anything else.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import asdict

from kt_cp.engines.engine import Engine, found, impossible, out_of_time, proved, square_limit
from kt_cp.model.conditions import EDGES
from kt_cp.model.cycle import cycle_form
from kt_cp.model.limits import Clock, Limits
from kt_cp.model.outcome import Evidence, EvidenceKind, Outcome, Verdict
from kt_cp.model.problem import Problem
from kt_cp.model.request import Progress, Request, show_edges
from kt_cp.model.terms import counted, terms
from kt_cp.search.backtrack import hamiltonian_cycle
from kt_cp.search.meter import Work
from kt_cp.trust.reference import REPLAY_LIMIT, TAKES, decide

NAME = "backtrack"

ARGUMENTS = ("colours", "degrees", "connectivity", "cut", "tight", "forced")
"""Kinds of evidence that the search uses before its first decision."""

MOST_SQUARES = 250_000
"""Most squares: the search takes about three kilobytes a square, so less than a gigabyte."""


def solve(problem: Problem, *, limits: Limits, seed: int, progress: Progress | None) -> Outcome:
    """Search until the problem is decided or a limit is reached."""
    clock = limits.clock()
    form = cycle_form(problem)
    neighbours = form.graph.neighbours
    build_seconds = clock.elapsed

    def report(work: Work, links: Sequence[Collection[int]]) -> None:
        if progress is not None:
            progress({"nodes": work.nodes, "backtracks": work.backtracks})
        nodes = form.graph.nodes
        pairs = ((nodes[u], nodes[v]) for u, others in enumerate(links) for v in others if u < v)
        show_edges(progress, lambda: pairs)

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
        evidence = None if work.nodes else _find_evidence(problem, clock)
        if evidence is not None:
            return proved(NAME, problem, evidence, statistics, seed)
        text = (
            f"the search tried everything: {work.nodes:,} decisions, "
            f"{work.backtracks:,} contradictions"
        )
        return impossible(NAME, problem, EvidenceKind.EXHAUSTED, text, statistics, seed)
    return out_of_time(NAME, problem, limits, statistics, seed)


def _find_evidence(problem: Problem, clock: Clock) -> Evidence | None:
    """Return evidence for a problem that was refuted before the first decision."""
    # Imported here, because loading the finders takes longer than finding most tours.
    from kt_cp.proofs.certify import certify

    certificate = certify(Request(problem, Limits(), clock), ARGUMENTS).certificate
    return None if certificate is None else certificate.evidence


ENGINE = Engine(
    NAME,
    "exact search: Warnsdorff order, forced edges, connectivity, colour balance, restarts",
    complete=True,
    takes=EDGES,
    solve=solve,
    refuse=square_limit(NAME, MOST_SQUARES),
    capacity=f"{MOST_SQUARES:,} squares",
)


REFERENCE = "reference"


def solve_by_reference(
    problem: Problem, *, limits: Limits, seed: int, progress: Progress | None
) -> Outcome:
    """Run the recursion from every allowed start; the seed has no effect."""
    clock = limits.clock()
    walk = decide(problem, should_stop=clock.expired, progress=report_recursion(progress))
    statistics = {
        "solve_seconds": clock.elapsed,
        "nodes": walk.placed,
        "placed": walk.placed,
        "taken_back": walk.taken_back,
    }
    if walk.squares is not None:
        tour = problem.tour(walk.squares)
        return found(REFERENCE, problem, tour, statistics, seed)
    if walk.verdict is Verdict.IMPOSSIBLE:
        placed = counted(walk.placed, terms(problem).square)
        text = f"the reference recursion tried everything: {placed} placed"
        return impossible(REFERENCE, problem, EvidenceKind.EXHAUSTED, text, statistics, seed)
    return out_of_time(REFERENCE, problem, limits, statistics, seed)


def report_recursion(progress: Progress | None) -> Callable[[int, int, int], None] | None:
    """Return the progress report of the recursion, if there is a callback."""
    if progress is None:
        return None

    def report(start: int, starts: int, placed: int) -> None:
        which: dict[str, float | None] = {} if starts == 1 else {f"start {start} of {starts}": None}
        progress({**which, "squares placed": placed})

    return report


REFERENCE_ENGINE = Engine(
    REFERENCE,
    "the plain recursion of the source texts, every start, one move of look-ahead",
    complete=True,
    takes=TAKES,
    solve=solve_by_reference,
    refuse=square_limit(REFERENCE, REPLAY_LIMIT),
    capacity=f"{REPLAY_LIMIT:,} squares",
)

"""Frontier search on a narrow graph, as a step of ``auto``: a tour, or a proof that none exists.

Long regular graphs are the hardest for backtracking, because a wrong step shows only at the other
end.  They are the easiest for a sweep from end to end
(:mod:`kt_cp.counting.frontier.frontier_sweep`).  A greedy order of the vertices shows whether a
graph is narrow, and gives up early if it is not.

Small graphs are swept early.  If the bound on their states is low, the checker sweeps first: a
proof needs its sweep anyway, and if it refuses, there is a cycle.  Others are swept up to
``QUICK_STATES``, which decides most narrow ones within hundredths of a second.  On large graphs,
plain search runs for a short time before the sweep, because it finds most cycles sooner
(``benchmarks/MEASURED.md``).
"""

from __future__ import annotations

from kt_cp.engines.engine import found, impossible, proved
from kt_cp.model.cycle import cycle_form
from kt_cp.model.errors import EndedError
from kt_cp.model.limits import Clock
from kt_cp.model.outcome import Certificate, EvidenceKind, Outcome
from kt_cp.model.problem import Problem
from kt_cp.model.request import Request
from kt_cp.proofs.certificate import as_certificate, rename_nodes, try_certificate
from kt_cp.proofs.sweep import sweep
from kt_cp.search.frontier_order import frontier_widths, order_cost, state_bounds, sweep_order

WIDEST = 18
"""Most vertices on the frontier; with more, there are soon too many states."""

CERTIFIED_STATES = 1_000_000
"""Most states of a sweep that the checker repeats, which takes some seconds."""

QUICK_SQUARES, QUICK_STATES = 450, 40_000
"""Most vertices of a graph that is swept early, and most states of that sweep: about 0.02 s.  A
digraph of 150 nodes has 450 vertices in its undirected form."""

CHECKED_SQUARES, CHECKED_STATES = 150, 40_000
"""Most vertices, and highest bound on the states, for which the checker sweeps first.  It takes
5 µs a state, and cubic graphs have a sixth of the bound.  On longer graphs with a cycle, more of
this time is wasted."""

MOST_BOUND = 2e10
"""Highest estimate of a small graph's states, from its frontier widths, for which a sweep comes
before SAT.  With 7e9, a cubic graph of 130 nodes has 600,000 states and takes 0.15 s.  With 5e10,
one of 138 nodes has 2,500,000 and takes a second."""

LIGHT_STATES = 100_000
"""Most states of a sweep that the checker repeats without a trial: half a second at most."""

MOST_STATES = 16_000_000
"""Most states of a sweep: about four seconds and 130 to 260 megabytes."""


def find_order(problem: Problem) -> list[int] | None:
    """Return the order in which to sweep a narrow graph, or None if the graph is wide."""
    return sweep_order(cycle_form(problem).graph, WIDEST) if problem.size > 2 else None


def is_wide(problem: Problem) -> bool:
    """Return whether SAT is likely to decide a small graph sooner than a sweep does."""
    order = find_order(problem)
    if order is None:
        return True
    return order_cost(frontier_widths(cycle_form(problem).graph, order)) > MOST_BOUND


def sweep_briefly(name: str, request: Request) -> Outcome | None:
    """Return the outcome of a short sweep of a small graph, by the checker if the bound is low."""
    problem, clock = request.problem, request.within().clock
    order = find_order(problem)
    if order is None:
        return None
    graph = problem.indexed
    is_checked = problem.closed and problem.size <= CHECKED_SQUARES
    if is_checked and sum(state_bounds(graph, order, graph.colours)) <= CHECKED_STATES:
        named = rename_nodes(problem)
        evidence = sweep(named, None, order, try_out=False)
        certificate = None if evidence is None else try_certificate(named, evidence)
        if certificate is not None:
            statistics = {"solve_seconds": clock.elapsed}
            return proved(name, problem, certificate.evidence, statistics, request.seed)
    return search_frontier(name, request, order, QUICK_STATES)


def search_frontier(
    name: str, request: Request, order: list[int], most: int | None = None
) -> Outcome | None:
    """Return the outcome of a sweep, or None if it gives up after ``most`` states."""
    from kt_cp.counting.frontier.frontier_sweep import one_cycle

    problem, seed, clock = request.problem, request.seed, request.within().clock
    form = cycle_form(problem)
    try:
        cycle, exhausted, states = one_cycle(
            form, order, most=most or MOST_STATES, should_stop=clock.expired
        )
    except (EndedError, MemoryError):
        return None
    statistics = {"states": states, "solve_seconds": clock.elapsed}
    if cycle is not None:
        return found(name, problem, form.tour(cycle), statistics, seed)
    if not exhausted:
        return None
    certificate = _certify(problem, order, states, clock)
    if certificate is not None:
        return proved(name, problem, certificate.evidence, statistics, seed)
    text = f"the sweep tried everything: {states:,} states of the frontier"
    return impossible(name, problem, EvidenceKind.EXHAUSTED, text, statistics, seed)


def _certify(problem: Problem, order: list[int], states: int, clock: Clock) -> Certificate | None:
    """Return the certificate of the sweep, or None if it has too many states for the checker."""
    if states > CERTIFIED_STATES:
        return None
    named = rename_nodes(problem)
    squares = [vertex for vertex in order if vertex < problem.size]
    seconds = None if clock.work_left is None else clock.work_left / 3
    evidence = sweep(named, seconds, squares, try_out=states > LIGHT_STATES)
    return None if evidence is None else as_certificate(named, evidence)

"""What ``auto`` does with graphs, and with boards that are no whole rectangle for a knight.

1. A dense graph gets a cycle by closing gaps (:mod:`kt_cp.search.palmer`).
2. A sparse graph is decomposed (:mod:`kt_cp.engines.decomposition`), and a narrow one is searched
   by its frontier (:mod:`kt_cp.engines.frontier_search`).  For a board, and for a large graph that
   hardly has parts, this comes after the third step, if that gives no answer.
3. Warnsdorff's rule and a short exact search.  The search comes first where there are few edges:
   the rule has few choices then, and what the search finds, it finds at once.  A large graph with
   few edges goes to lazy cuts for a while instead.
4. Several engines side by side (:mod:`kt_cp.engines.portfolio`), to the end.
"""

from __future__ import annotations

import random
from dataclasses import replace

from kt_cp.engines import backtrack, decomposition, frontier_search, warnsdorff
from kt_cp.engines.engine import found, out_of_time, proved
from kt_cp.engines.portfolio import side_by_side
from kt_cp.engines.run import run
from kt_cp.model.cycle import cycle_form
from kt_cp.model.limits import Clock, Limits
from kt_cp.model.outcome import Outcome, Verdict
from kt_cp.model.problem import Problem
from kt_cp.model.request import Progress, report_step
from kt_cp.proofs.obstructions import obstruction
from kt_cp.search.palmer import dense_cycle

ATTEMPTS = 60
"""Restarts of Warnsdorff's rule: more than the hardest case met (``benchmarks/MEASURED.md``)."""

DENSE_SHARE = 16
"""A graph is dense if so many times its edges are the square of its vertices: an eighth of all
pairs."""

DENSE_NODES = 100
MOST_DENSE = 10_000
"""Of fewer nodes any search is quick, and of more the matrix takes too much memory."""

SPARSE = 2
"""Edges a vertex up to which the search comes before the rule."""

WALK_SECONDS, SPARSE_WALK_SECONDS = 20.0, 0.5
"""Most time for the rule: on cubic graphs of some thousand nodes its walks seldom close."""

TRY_SECONDS, TRY_SQUARES_A_SECOND = 1.0, 5_000
"""Time for the search, and what it gets more for the size."""

TRY_SPARSE = 25_000
"""Up to so many vertices it takes seconds on sparse graphs; lazy cuts are quicker above."""

ALONE, PART_SECONDS, LARGE_SECONDS = "sat:lazy", 10.0, 30.0
"""Who is asked first for a part, in one process for all of them, because many are small and hard;
and for a large sparse graph, of which every other process would need a copy."""

QUICK_SECONDS, SWEEP_SECONDS = 0.3, 30.0
"""Of a narrow graph: for the search, before it is swept, and for the sweep."""

CERTIFY_SECONDS = 20.0
"""Most time for the certificate of a part."""

TRY_SQUARES = 2_500
"""Where there are many edges, it has no advantage over SAT above: it needs luck there."""


def any_graph(
    name: str,
    problem: Problem,
    limits: Limits,
    clock: Clock,
    seed: int,
    progress: Progress | None,
    parts: bool = True,
) -> Outcome:
    """The answer of the first that has one; ``name`` is the engine that has none when time is over.

    Without ``parts`` the graph is neither divided nor swept: it is a part itself.
    """
    if clock.expired():
        return out_of_time(name, problem, limits, {"solve_seconds": clock.elapsed}, seed)
    outcome = dense(name, problem, clock, seed)
    edges, size = len(problem.indexed.tails), problem.size
    sparse = edges <= SPARSE * size
    most = TRY_SPARSE if sparse else TRY_SQUARES
    late = problem.board is not None or (sparse and size > most and decomposition.compact(problem))
    if outcome is None and parts and not late:
        outcome = _looked_at(name, problem, clock, seed, progress)
    if outcome is not None:
        return outcome
    searched = TRY_SECONDS + size / TRY_SQUARES_A_SECOND
    if sparse and size <= most:
        outcome = tried(problem, slice_of(clock, searched), seed, progress)
    elif sparse:
        report_step(progress, "SAT")
        share = replace(slice_of(clock, LARGE_SECONDS), megabytes=limits.megabytes)
        outcome = _alone(problem, share, seed)
    if clock.expired() and (outcome is None or outcome.verdict is Verdict.UNKNOWN):
        return out_of_time(name, problem, limits, {"solve_seconds": clock.elapsed}, seed)
    if outcome is None or outcome.verdict is Verdict.UNKNOWN:
        walk = SPARSE_WALK_SECONDS if sparse else WALK_SECONDS
        outcome = walked(problem, slice_of(clock, walk), seed, progress)
    if outcome.verdict is Verdict.UNKNOWN and parts and late:
        outcome = _looked_at(name, problem, clock, seed, progress) or outcome
    if outcome.verdict is Verdict.UNKNOWN and not sparse and size <= most:
        outcome = tried(problem, slice_of(clock, searched), seed, progress)
    if outcome.verdict is not Verdict.UNKNOWN:
        return outcome
    return side_by_side(name, problem, limits=limits, clock=clock, seed=seed, progress=progress)


def _looked_at(
    name: str, problem: Problem, clock: Clock, seed: int, progress: Progress | None
) -> Outcome | None:
    """What comes of its shape: of parts, or of a narrow frontier."""
    outcome = None
    if decomposition.worth_looking(problem):
        outcome = _in_parts(name, problem, clock, seed, progress)
    order = None if outcome or clock.expired() else frontier_search.order_of(problem)
    if order is not None:
        outcome = tried(problem, slice_of(clock, QUICK_SECONDS), seed, progress)
        if outcome.verdict is Verdict.UNKNOWN:
            return _swept(name, problem, order, clock, seed, progress)
    return outcome


def _swept(
    name: str,
    problem: Problem,
    order: list[int],
    clock: Clock,
    seed: int,
    progress: Progress | None,
) -> Outcome | None:
    report_step(progress, "sweeping")
    return frontier_search.search_frontier(
        name, problem, order, slice_of(clock, SWEEP_SECONDS), seed
    )


def _in_parts(
    name: str, problem: Problem, clock: Clock, seed: int, progress: Progress | None
) -> Outcome | None:
    """What comes of solving it in parts, if that helps."""

    def answer(part: Problem, clock: Clock) -> Outcome:
        why = obstruction(part)
        if why is not None:
            return proved(name, part, why, {}, seed)
        order = frontier_search.order_of(part)
        outcome = order and _swept(name, part, order, clock, seed, progress)
        outcome = outcome or _alone(part, slice_of(clock, PART_SECONDS), seed)
        if outcome.verdict is not Verdict.UNKNOWN:
            return outcome
        return any_graph(name, part, clock.limits(), clock, seed, progress, parts=False)

    report_step(progress, "parts")
    return decomposition.solve_by_parts(name, problem, answer, clock, CERTIFY_SECONDS, seed)


def _alone(problem: Problem, share: Limits, seed: int) -> Outcome:
    """Lazy cuts for a while, in the one process that is kept for them."""
    return run(ALONE, problem, limits=share, seed=seed, warm=True)


def slice_of(clock: Clock, most: float) -> Limits:
    """So much time, but at most a quarter of what is left."""
    return clock.step(most, 1 / 4).limits()


def walked(problem: Problem, within: Limits, seed: int, progress: Progress | None) -> Outcome:
    """A few attempts by Warnsdorff's rule."""
    report_step(progress, "Warnsdorff's rule")
    return warnsdorff.solve(problem, limits=within, seed=seed, progress=None, max_restarts=ATTEMPTS)


def tried(problem: Problem, within: Limits, seed: int, progress: Progress | None) -> Outcome:
    """Exact search for a while."""
    report_step(progress, "backtracking")
    return backtrack.solve(problem, limits=within, seed=seed, progress=progress)


def dense(name: str, problem: Problem, clock: Clock, seed: int) -> Outcome | None:
    """A tour of a graph with a good share of all edges, nearly always at once; else None."""
    if problem.board is not None or not DENSE_NODES <= problem.size <= MOST_DENSE:
        return None
    if DENSE_SHARE * len(problem.indexed.tails) < problem.size**2:
        return None
    started, form = clock.elapsed, cycle_form(problem)
    order = list(range(len(form)))
    random.Random(seed).shuffle(order)
    tails, heads = form.graph.tails, form.graph.heads
    stop = clock.expired
    cycle = dense_cycle(len(form), tails, heads, form.forced, order=order, should_stop=stop)
    if cycle is None:
        return None
    spent = {"solve_seconds": clock.elapsed - started}
    return found(name, problem, form.tour(cycle), spent, seed)

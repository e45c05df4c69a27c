"""What ``auto`` does with graphs, and with boards that are no whole rectangle for a knight.

1. A graph with a good share of all edges is closed up (:mod:`kt_cp.search.palmer`).
2. A sparse graph is solved in parts (:mod:`kt_cp.engines.parted`), and a board that the third step
   leaves open.
3. Warnsdorff's rule and a short exact search, the search first where there are few edges: the rule
   then has few ways to go, and the search finds at once what it finds at all.  A large graph with
   few edges goes to lazy cuts for a while instead.
4. Several engines side by side (:mod:`kt_cp.engines.portfolio`), to the end.
"""

from __future__ import annotations

import random
from dataclasses import replace

from kt_cp.engines import backtrack, parted, warnsdorff
from kt_cp.engines.engine import found, proved
from kt_cp.engines.portfolio import side_by_side
from kt_cp.engines.run import run
from kt_cp.model.cycle import cycle_form
from kt_cp.model.limits import Clock, Limits
from kt_cp.model.outcome import Outcome, Verdict
from kt_cp.model.problem import Problem
from kt_cp.model.progress import Progress, doing
from kt_cp.proofs.obstructions import obstruction
from kt_cp.search.palmer import dense_cycle

ATTEMPTS = 60
"""Restarts of Warnsdorff's rule: more than the hardest case met (``benchmarks/MEASURED.md``)."""

DENSE_SHARE = 16
"""One edge in so many pairs of nodes (u, v), each counted twice, is dense: an eighth of all."""

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
    """The answer of whoever has it first; ``name`` is who has none when time is over.

    A part is not looked at for parts again.
    """
    outcome = dense(name, problem, clock, seed)
    parts = parts and parted.worth_looking(problem)
    if outcome is None and parts and problem.board is None:
        outcome = _in_parts(name, problem, clock, seed, progress)
    if outcome is not None:
        return outcome
    edges, size = len(problem.indexed.tails), problem.size
    sparse = edges <= SPARSE * size
    most = TRY_SPARSE if sparse else TRY_SQUARES
    searched = slice_of(clock, TRY_SECONDS + size / TRY_SQUARES_A_SECOND)
    if sparse and size <= most:
        outcome = tried(problem, searched, seed, progress)
    elif sparse:
        doing(progress, "SAT")
        share = replace(slice_of(clock, LARGE_SECONDS), megabytes=limits.megabytes)
        outcome = _alone(problem, share, seed)
    if outcome is None or outcome.verdict is Verdict.UNKNOWN:
        walk = SPARSE_WALK_SECONDS if sparse else WALK_SECONDS
        outcome = walked(problem, slice_of(clock, walk), seed, progress)
    if outcome.verdict is Verdict.UNKNOWN and parts and problem.board is not None:
        outcome = _in_parts(name, problem, clock, seed, progress) or outcome
    if outcome.verdict is Verdict.UNKNOWN and not sparse and size <= most:
        outcome = tried(problem, searched, seed, progress)
    if outcome.verdict is not Verdict.UNKNOWN:
        return outcome
    return side_by_side(name, problem, limits=limits, clock=clock, seed=seed, progress=progress)


def _in_parts(
    name: str, problem: Problem, clock: Clock, seed: int, progress: Progress | None
) -> Outcome | None:
    """What comes of solving it in parts, if that helps."""

    def answer(part: Problem, within: Limits) -> Outcome:
        why = obstruction(part)
        if why is not None:
            return proved(name, part, why, {}, seed)
        outcome = _alone(part, slice_of(within.clock(), PART_SECONDS), seed)
        if outcome.verdict is not Verdict.UNKNOWN:
            return outcome
        return any_graph(name, part, within, within.clock(), seed, progress, parts=False)

    doing(progress, "parts")
    return parted.parted(name, problem, answer, clock, slice_of(clock, CERTIFY_SECONDS), seed)


def _alone(problem: Problem, share: Limits, seed: int) -> Outcome:
    """Lazy cuts for a while, in the one process that is kept for them."""
    return run(ALONE, problem, limits=share, seed=seed, warm=True)


def slice_of(clock: Clock, most: float) -> Limits:
    """So much time, but at most a quarter of what is left."""
    left = clock.left
    return Limits(seconds=most if left is None else max(0.001, min(most, left / 4)))


def walked(problem: Problem, within: Limits, seed: int, progress: Progress | None) -> Outcome:
    """A few attempts by Warnsdorff's rule."""
    doing(progress, "Warnsdorff's rule")
    return warnsdorff.solve(problem, limits=within, seed=seed, progress=None, max_restarts=ATTEMPTS)


def tried(problem: Problem, within: Limits, seed: int, progress: Progress | None) -> Outcome:
    """Exact search for a while."""
    doing(progress, "backtracking")
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

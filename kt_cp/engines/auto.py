"""What a user gets without asking: the quickest way to an answer.

1. Quick reasons why there is none (:mod:`kt_cp.proofs.obstructions`): colours, degrees,
   connectivity and the two theorems.
2. Warnsdorff's rule, a few attempts.  It answers nearly every board with a tour at once.  On dense
   graphs Palmer's algorithm comes before it (:mod:`kt_cp.search.palmer`).
3. Construction (:mod:`kt_cp.construction`): whole rectangles of any size.  From
   ``CONSTRUCT_SQUARES`` on it comes before everything else.
4. Exact backtracking for a while, or where steps are given a search of their own
   (:mod:`kt_cp.search.windows`).  It finds what the rule misses, and on small or odd-shaped boards
   it is the quickest to know that there is none.
5. SAT to the end: with lazy cuts, or where steps are given the encoding ``channel``.

Under a symmetry the second to fourth step are left out, and where steps are given the second and
third.

The first three cost less than loading a solver, so solvers come last.  Where the answer is
"none", by a theorem, an exhausted search or a solver's claim, it is then turned into a certificate
(:mod:`kt_cp.proofs.certify`), if that takes no more than ``CERTIFY_SECONDS``.
"""

from __future__ import annotations

import random
from dataclasses import replace

from kt_cp.encodings import encoding_for
from kt_cp.engines import backtrack, construct, warnsdorff, windows
from kt_cp.engines.engine import Engine, found, out_of_time, proved, square_limit
from kt_cp.engines.run import check, run
from kt_cp.model.conditions import EDGES, KINDS
from kt_cp.model.cycle import cycle_form
from kt_cp.model.errors import TooLargeError
from kt_cp.model.limits import MOST_SQUARES, Clock, Limits
from kt_cp.model.outcome import Outcome, Verdict
from kt_cp.model.problem import Problem
from kt_cp.model.progress import Progress, doing
from kt_cp.proofs.obstructions import obstruction
from kt_cp.search.palmer import dense_cycle

NAME = "auto"

CONSTRUCT_SQUARES = 10_000
"""From here on construction is faster than Warnsdorff's rule (``benchmarks/MEASURED.md``); below,
the rule's tours are less regular."""

ATTEMPTS = 60
"""Restarts of Warnsdorff's rule: more than the hardest case met (``benchmarks/MEASURED.md``)."""

SPARSE, SPARSE_SECONDS = 2, 0.5
"""The second step's on a graph with fewer edges than this for each node: on cubic graphs of more
than some thousand nodes the walk never closes, and SAT finds a tour within seconds."""

WALK_SECONDS = 20.0
BACKTRACK_SECONDS = 10.0
WINDOWS_SECONDS = 2.0
"""Most time for the second and the fourth step; under a time limit a quarter of what is left."""

DENSE_SHARE = 16
"""One edge in so many pairs of nodes (u, v), each counted twice, is dense: an eighth of all."""

DENSE_NODES = 100
MOST_DENSE = 10_000
"""Of fewer nodes any search is quick, and of more the matrix takes too much memory."""

CERTIFY_SECONDS = 20.0
"""Most time for a certificate, once it is known that there is no tour."""

BACKTRACK_SQUARES = 2_500
"""Above, backtracking has no advantage over SAT: either finds at once or needs luck."""


def solve(problem: Problem, *, limits: Limits, seed: int, progress: Progress | None) -> Outcome:
    """Try one thing after the other; the outcome names the engine that answered."""
    clock = limits.clock()
    outcome = _answer(problem, limits, clock, seed, progress)
    outcome = _backed(outcome, clock, limits, progress)
    return replace(outcome, statistics={**outcome.statistics, "total_seconds": clock.elapsed})


def _answer(
    problem: Problem, limits: Limits, clock: Clock, seed: int, progress: Progress | None
) -> Outcome:
    built = _built(problem, limits, seed) if problem.size >= CONSTRUCT_SQUARES else None
    if built is not None and built.verdict is Verdict.FOUND:
        return built
    why = obstruction(problem)
    if why is not None:
        return proved(NAME, problem, why, {"solve_seconds": clock.elapsed}, seed)
    if built is not None and problem.size > MOST_SQUARES:
        return built
    if not _of_edges(problem):
        return _beyond_edges(problem, clock, limits, seed, progress)
    closed_up = _dense(problem, clock, seed)
    if closed_up is not None:
        return closed_up
    sparse = problem.board is None and len(problem.indexed.tails) < SPARSE * problem.size
    share = _slice(clock, SPARSE_SECONDS if sparse else WALK_SECONDS)
    doing(progress, "Warnsdorff's rule")
    outcome = warnsdorff.solve(
        problem, limits=share, seed=seed, progress=None, max_restarts=ATTEMPTS
    )
    if outcome.verdict is Verdict.UNKNOWN and problem.size < CONSTRUCT_SQUARES:
        outcome = _built(problem, limits, seed) or outcome
    if outcome.verdict is Verdict.UNKNOWN and problem.size <= BACKTRACK_SQUARES:
        share = _slice(clock, BACKTRACK_SECONDS)
        doing(progress, "backtracking")
        outcome = backtrack.solve(problem, limits=share, seed=seed, progress=progress)
    if outcome.verdict is Verdict.UNKNOWN:
        outcome = _sat(problem, limits, clock, seed, progress)
    return outcome


def _dense(problem: Problem, clock: Clock, seed: int) -> Outcome | None:
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
    return found(NAME, problem, form.tour(cycle), spent, seed)


def _of_edges(problem: Problem) -> bool:
    return set(map(type, problem.conditions)) <= EDGES


def _on_windows(problem: Problem) -> bool:
    takes = set(map(type, problem.conditions)) <= windows.ENGINE.takes
    return takes and problem.size <= windows.MOST_SQUARES


def _beyond_edges(
    problem: Problem, clock: Clock, limits: Limits, seed: int, progress: Progress | None
) -> Outcome:
    """Given steps by search on windows for a while, or to the end if too many for SAT; by SAT."""
    if _on_windows(problem):
        alone, left = _too_large_for_sat(problem), clock.left
        share = Limits(left and max(0.001, left)) if alone else _slice(clock, WINDOWS_SECONDS)
        outcome = windows.solve(problem, limits=share, seed=seed, progress=progress)
        if alone and outcome.limit == "time":
            return out_of_time(windows.NAME, problem, limits, outcome.statistics, seed)
        if alone or outcome.verdict is not Verdict.UNKNOWN:
            return outcome
    return _sat(problem, limits, clock, seed, progress)


def _too_large_for_sat(problem: Problem) -> bool:
    try:
        check("sat", problem)
    except TooLargeError:
        return True
    return False


def _built(problem: Problem, limits: Limits, seed: int) -> Outcome | None:
    """What construction says, or None where it has nothing to say."""
    if not construct.constructs(problem):
        return None
    return construct.solve(problem, limits=limits, seed=seed, progress=None)


def _backed(outcome: Outcome, clock: Clock, limits: Limits, progress: Progress | None) -> Outcome:
    """With a certificate where it is a "no" and one is found soon."""
    share = CERTIFY_SECONDS if clock.left is None else min(CERTIFY_SECONDS, clock.left)
    if outcome.verdict is not Verdict.IMPOSSIBLE or share <= 0:
        return outcome
    doing(progress, "no tour, looking for a certificate")
    from kt_cp.proofs.certify import backed  # the finders take longer to load than most tours

    return backed(outcome, Limits(share, limits.megabytes))


def _slice(clock: Clock, most: float) -> Limits:
    left = clock.left
    return Limits(seconds=most if left is None else max(0.001, min(most, left / 4)))


def _sat(
    problem: Problem, limits: Limits, clock: Clock, seed: int, progress: Progress | None
) -> Outcome:
    """The last resort, in a process of its own."""
    doing(progress, "SAT")
    if clock.expired():
        return out_of_time(NAME, problem, limits, {"solve_seconds": clock.elapsed}, seed)
    outcome = run(
        f"sat:{encoding_for(problem)}",
        problem,
        limits=Limits(clock.left, None, limits.workers),
        seed=seed,
        progress=progress,
    )
    if outcome.limit == "time":
        return out_of_time(outcome.engine, problem, limits, outcome.statistics, seed)
    return outcome


def refuse(problem: Problem) -> None:
    """Refuse what warnsdorff refuses; but nothing is too large for constructions and theorems."""
    if not _of_edges(problem):
        if not _on_windows(problem) and obstruction(problem) is None:
            check("sat", problem)
        return
    if construct.constructs(problem) or problem.size <= MOST_SQUARES:
        return
    if obstruction(problem) is None:
        square_limit(NAME, MOST_SQUARES)(problem)


ENGINE = Engine(
    NAME,
    "quick impossibility checks, Warnsdorff, construction, backtracking, SAT: the first answer",
    complete=True,
    takes=frozenset(KINDS),
    solve=solve,
    refuse=refuse,
    capacity=f"any whole rectangle, else {MOST_SQUARES:,} squares",
)

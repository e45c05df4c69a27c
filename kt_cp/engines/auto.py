"""What a user gets without asking: the quickest way to an answer.

1. Quick reasons why there is none (:mod:`kt_cp.proofs.obstructions`): colours, degrees,
   connectivity and the two theorems.
2. Warnsdorff's rule, a few attempts.  It answers nearly every board with a tour at once.
3. Construction (:mod:`kt_cp.construction`): whole rectangles of any size.  From
   ``CONSTRUCT_SQUARES`` on it comes before everything else.
4. Exact backtracking for a while, or where steps are given a search of their own
   (:mod:`kt_cp.search.step_domains`).  It finds what the rule misses, and on small or odd-shaped
   boards it is the quickest to know that there is none.
5. SAT to the end: with lazy cuts, or where steps are given the encoding ``channel``.  CP-SAT takes
   boards with given steps that are too large for both.

On graphs, and on boards that are no whole rectangle for a knight, :mod:`kt_cp.engines.any_graph`
is in the place of the second to last step.

Under a symmetry the second to fourth step are left out, and where steps are given the second and
third.

The first three cost less than loading a solver, so solvers come last.  Where the answer is
"none", by a theorem, an exhausted search or a solver's claim, it is then turned into a certificate
(:mod:`kt_cp.proofs.certify`), if that takes no more than ``CERTIFY_SECONDS``.
"""

from __future__ import annotations

from dataclasses import replace

from kt_cp.encodings import encoding_for
from kt_cp.engines import construct, step_domains
from kt_cp.engines.any_graph import any_graph, slice_of, tried, walked
from kt_cp.engines.engine import Engine, out_of_time, proved, square_limit
from kt_cp.engines.run import check, run
from kt_cp.model.conditions import EDGES, KINDS, Given
from kt_cp.model.errors import TooLargeError
from kt_cp.model.limits import MOST_SQUARES, Clock, Limits, TimeLimitReachedError
from kt_cp.model.outcome import Outcome, Verdict
from kt_cp.model.problem import Problem
from kt_cp.model.request import Progress, Request, report_step
from kt_cp.proofs.obstructions import obstruction

NAME = "auto"

CONSTRUCT_SQUARES = 10_000
"""From here on construction is faster than Warnsdorff's rule (``benchmarks/MEASURED.md``); below,
the rule's tours are less regular."""

WALK_SECONDS = 20.0
BACKTRACK_SECONDS = 10.0
WINDOWS_SECONDS = 2.0
"""Most time for the second and the fourth step; under a time limit a quarter of what is left."""

MANY_SQUARES, FEW_GIVEN = 150, 8
"""Where at most one of so many squares is given, on a board of so many, the search on windows has
as long as the second step: a walk is annealed beside it (``benchmarks/MEASURED.md``)."""

CERTIFY_SECONDS = 45.0
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
    if problem.whole_rectangle is None:
        return any_graph(NAME, problem, limits, clock, seed, progress)
    outcome = walked(problem, slice_of(clock, WALK_SECONDS), seed, progress)
    if outcome.verdict is Verdict.UNKNOWN and problem.size < CONSTRUCT_SQUARES:
        outcome = _built(problem, limits, seed) or outcome
    if outcome.verdict is Verdict.UNKNOWN and problem.size <= BACKTRACK_SQUARES:
        outcome = tried(problem, slice_of(clock, BACKTRACK_SECONDS), seed, progress)
    if outcome.verdict is Verdict.UNKNOWN:
        outcome = _last(problem, limits, clock, seed, progress)
    return outcome


def _of_edges(problem: Problem) -> bool:
    return set(map(type, problem.conditions)) <= EDGES


def _on_windows(problem: Problem) -> bool:
    takes = set(map(type, problem.conditions)) <= step_domains.ENGINE.takes
    return takes and problem.size <= step_domains.MOST_SQUARES


def _beyond_edges(
    problem: Problem, clock: Clock, limits: Limits, seed: int, progress: Progress | None
) -> Outcome:
    """Given steps by search on windows for a while, or to the end if too many for SAT; then SAT."""
    if _on_windows(problem):
        step_domains.load(problem)
        alone = _too_large_for_sat(problem)
        most = WALK_SECONDS if _few_given(problem) else WINDOWS_SECONDS
        share = clock.limits() if alone else slice_of(clock, most)
        outcome = step_domains.solve(problem, limits=share, seed=seed, progress=progress)
        if alone and outcome.limit == "time":
            return out_of_time(step_domains.NAME, problem, limits, outcome.statistics, seed)
        if alone or outcome.verdict is not Verdict.UNKNOWN:
            return outcome
    return _last(problem, limits, clock, seed, progress)


def _few_given(problem: Problem) -> bool:
    """Whether there are likely to be so many tours that a walk finds one before SAT does."""
    given = sum(type(each) is Given for each in problem.conditions)
    return problem.size >= MANY_SQUARES and FEW_GIVEN * given <= problem.size


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
    if outcome.verdict is not Verdict.IMPOSSIBLE or clock.expired():
        return outcome
    report_step(progress, "no tour, looking for a certificate")
    from kt_cp.proofs.certify import (
        add_certificate,  # the finders take longer to load than most tours
    )

    try:
        request = Request(outcome.problem, limits, clock, outcome.seed)
        return add_certificate(outcome, request.within(CERTIFY_SECONDS))
    except TimeLimitReachedError:  # the answer is known all the same
        return outcome


def _resort(problem: Problem) -> str:
    """The engine that comes last."""
    if not _of_edges(problem) and _too_large_for_sat(problem):
        return "cpsat"
    return f"sat:{encoding_for(problem)}"


def _last(
    problem: Problem, limits: Limits, clock: Clock, seed: int, progress: Progress | None
) -> Outcome:
    """The last resort, in a process of its own."""
    engine = _resort(problem)
    report_step(progress, "CP-SAT" if engine == "cpsat" else "SAT")
    if clock.expired():
        return out_of_time(NAME, problem, limits, {"solve_seconds": clock.elapsed}, seed)
    outcome = run(
        engine,
        problem,
        limits=clock.limits(workers=limits.workers),
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
            check(_resort(problem), problem)
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
    at_once=lambda problem: problem.size >= CONSTRUCT_SQUARES and construct.constructs(problem),
    capacity=f"any whole rectangle, else {MOST_SQUARES:,} squares",
)

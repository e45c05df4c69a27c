"""The default engine: a list of steps that tries the fastest methods first.

``STEPS`` is the whole strategy.  One loop runs the steps, skips those that do not apply to the
problem, and stops at the first answer.  Steps that cost less than loading a solver come first;
solvers run last.

- A knight on a whole rectangle: Warnsdorff's rule finds nearly every tour at once, and construction
  finds the others.  Above ``CONSTRUCT_SQUARES`` construction is faster.
- Small graphs: a few cases decide those in which one choice determines most others.  Short
  backtracking finds most cycles.  A sweep of few states decides nearly all other narrow graphs,
  with a certificate.  SAT in this process decides most of the rest.
- Graphs, and all other boards: a graph may be dense, have a small treewidth, fall into parts or be
  narrow, and there is a method for each of these.  On sparse graphs, backtracking comes before
  Warnsdorff's rule.  Several engines run in parallel on the remaining hard problems.
- Given steps have their own search; SAT solves problems with symmetries.

A "no" from a theorem, an exhausted search or a solver is then turned into a certificate
(:mod:`kt_cp.proofs.certify`), if that takes no more than ``CERTIFY_SECONDS``.  With given steps,
a refutation within a budget of conflicts is tried first, and other evidence only for as long as
the answer took.

The budgets of the steps are processor time (:class:`kt_cp.model.limits.Clock`).  A busy machine
takes longer, but gives the same answer.

Each step imports its engine when it runs, because loading all of them takes longer than finding
most tours.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace

from kt_cp.engines.construct import constructs
from kt_cp.engines.engine import (
    Engine,
    call,
    found,
    impossible,
    out_of_time,
    proved,
    square_limit,
)
from kt_cp.engines.run import check, run
from kt_cp.model.conditions import EDGES, KINDS
from kt_cp.model.errors import TooLargeError
from kt_cp.model.limits import MOST_SQUARES, Limits, TimeLimitReachedError
from kt_cp.model.outcome import EvidenceKind, Outcome, StepReport, Verdict
from kt_cp.model.problem import Problem
from kt_cp.model.request import Progress, Request
from kt_cp.proofs.obstructions import obstruction

NAME = "auto"


@dataclass(frozen=True)
class Step:
    """A method that the strategy tries on a problem."""

    name: str  # shown in progress reports
    applies: Callable[[Problem], bool]  # whether the step suits a problem
    run: Callable[[Request], Outcome | None]  # returns None if the step decides nothing
    seconds: float | Callable[[Problem], float | None] | None = None
    """Most processor time in seconds, or a function of the problem that returns it.  Under a time
    limit, the step gets at most a quarter of the remaining time.  None means no such bound."""
    prepare: Callable[[Problem], None] | None = None  # called before the step's time starts
    instant: bool = False  # takes no time, so it runs even after the time limit

    def time_for(self, problem: Problem) -> float | None:
        """Return the most seconds that the step may take, or None if there is no bound."""
        return self.seconds(problem) if callable(self.seconds) else self.seconds

    def take(self, request: Request) -> Outcome | None:
        """Run the step within its time limit."""
        if self.prepare is not None:
            self.prepare(request.problem)
        most = self.time_for(request.problem)
        return self.run(request if most is None else request.within(most, 1 / 4))


# Predicates: does a step suit a problem?

CONSTRUCT_SQUARES = 10_000
"""Squares from which construction is faster than Warnsdorff's rule (``benchmarks/MEASURED.md``).
On smaller boards the rule is used, because its tours are less regular."""

SPARSE = 2
"""Most edges per vertex at which backtracking comes before Warnsdorff's rule."""

BACKTRACK_SPARSE = 25_000
"""Most vertices of sparse graphs on which backtracking takes seconds; above, lazy cuts are faster.
"""

BACKTRACK_SQUARES = 2_500
"""Most vertices for backtracking on graphs with more edges.  Above, it has no advantage over SAT:
either finds a tour at once or only by luck."""

MOST_LINEAR_EDGES = 10_000
"""Most edges of a graph whose linear program is tried."""

DENSE_SHARE = 16
"""A graph is dense if this many times its edges is at least the square of its vertices, that is, if
it has an eighth of all possible edges."""

DENSE_NODES, MOST_DENSE = 100, 10_000
"""Least and most nodes.  With fewer, any search is fast; with more, the matrix is too large."""

FEW_NODES = 150
"""On larger graphs backtracking takes as long as the sweep that follows."""

LEAST_DECOMPOSED, MOST_DECOMPOSED = 100, 20_000
"""Least and most nodes for a tree decomposition.  Smaller graphs are searched in less time than its
compiled code takes to load.  On larger graphs it takes seconds to find that the treewidth is large.
"""


def has_edge_conditions_only(problem: Problem) -> bool:
    """Return whether all conditions are about edges and ends."""
    return set(map(type, problem.conditions)) <= EDGES


def is_rectangle(problem: Problem) -> bool:
    """Return whether the board is a knight's whole rectangle that fits into memory."""
    whole = problem.whole_rectangle is not None and problem.size <= MOST_SQUARES
    return whole and has_edge_conditions_only(problem)


def is_small_rectangle(problem: Problem) -> bool:
    """Return whether Warnsdorff's rule comes before construction."""
    return problem.size < CONSTRUCT_SQUARES and constructs(problem)


def is_large_rectangle(problem: Problem) -> bool:
    """Return whether construction comes first."""
    return problem.size >= CONSTRUCT_SQUARES and constructs(problem)


def is_graph(problem: Problem) -> bool:
    """Return whether it is a graph, or any board except a knight's whole rectangle."""
    return problem.whole_rectangle is None and has_edge_conditions_only(problem)


def is_sparse(problem: Problem) -> bool:
    """Return whether it is a graph with few edges."""
    return is_graph(problem) and len(problem.indexed.tails) <= SPARSE * problem.size


def is_small_sparse(problem: Problem) -> bool:
    """Return whether backtracking is the first search."""
    return problem.size <= BACKTRACK_SPARSE and is_sparse(problem)


def is_large_sparse(problem: Problem) -> bool:
    """Return whether lazy cuts are the first search."""
    return problem.size > BACKTRACK_SPARSE and is_sparse(problem)


def is_small(problem: Problem) -> bool:
    """Return whether backtracking comes after Warnsdorff's rule."""
    small = problem.size <= BACKTRACK_SQUARES and has_edge_conditions_only(problem)
    return small and not is_sparse(problem)


def has_linear_program(problem: Problem) -> bool:
    """Return whether it is a graph whose linear program takes seconds at most."""
    if problem.board is not None or not has_edge_conditions_only(problem):
        return False
    return len(problem.indexed.tails) <= MOST_LINEAR_EDGES


def is_dense(problem: Problem) -> bool:
    """Return whether it is a graph with a large share of all possible edges."""
    if problem.board is not None or not DENSE_NODES <= problem.size <= MOST_DENSE:
        return False
    dense = DENSE_SHARE * len(problem.indexed.tails) >= problem.size**2
    return dense and has_edge_conditions_only(problem)


def may_have_small_treewidth(problem: Problem) -> bool:
    """Return whether it is a graph for which a tree decomposition is tried."""
    if problem.board is not None or not LEAST_DECOMPOSED <= problem.size <= MOST_DECOMPOSED:
        return False
    return has_edge_conditions_only(problem)


def is_divided_late(problem: Problem) -> bool:
    """Return whether searches come before decomposition: on boards and if parts are unlikely."""
    if problem.board is not None or not is_large_sparse(problem):
        return problem.board is not None and is_graph(problem)
    from kt_cp.engines.decomposition import compact

    return compact(problem)


def is_divided_early(problem: Problem) -> bool:
    """Return whether decomposition comes before searches."""
    return is_graph(problem) and not is_divided_late(problem)


def has_parts_early(problem: Problem) -> bool:
    """Return whether a graph is likely to have parts."""
    return is_graph(problem) and _is_worth_dividing(problem) and is_divided_early(problem)


def has_parts_late(problem: Problem) -> bool:
    """Return whether a board, or a graph of small diameter, may have parts."""
    return is_graph(problem) and _is_worth_dividing(problem) and is_divided_late(problem)


def _is_worth_dividing(problem: Problem) -> bool:
    from kt_cp.engines.decomposition import worth_looking

    return worth_looking(problem)


def is_small_graph(problem: Problem) -> bool:
    """Return whether it is a graph that a short sweep may decide."""
    if problem.board is not None or not is_graph(problem):
        return False
    from kt_cp.engines.frontier_search import QUICK_SQUARES

    return problem.size <= QUICK_SQUARES


def has_few_nodes(problem: Problem) -> bool:
    """Return whether it is a small graph that short backtracking is likely to decide."""
    return problem.size <= FEW_NODES and is_small_graph(problem)


def is_small_and_wide(problem: Problem) -> bool:
    """Return whether it is a small graph that SAT is likely to decide before a sweep."""
    if not is_small_graph(problem):
        return False
    from kt_cp.engines.frontier_search import is_wide

    return is_wide(problem)


def fits_bounded_sat(problem: Problem) -> bool:
    """Return whether steps are given and their formula is fast to build."""
    if not problem.given:
        return False
    from kt_cp.engines.bounded_sat import takes

    return takes(problem)


def fits_step_domains(problem: Problem) -> bool:
    """Return whether steps are given and the board is small enough to search on step domains."""
    if has_edge_conditions_only(problem):
        return False
    from kt_cp.engines import step_domains

    takes = set(map(type, problem.conditions)) <= step_domains.ENGINE.takes
    return takes and problem.size <= step_domains.MOST_SQUARES


def is_too_large_for_sat(problem: Problem) -> bool:
    """Return whether no encoding of the given steps fits."""
    if has_edge_conditions_only(problem):
        return False
    try:
        check("sat", problem)
    except TooLargeError:
        return True
    return False


def is_for_sat(problem: Problem) -> bool:
    """Return whether SAT is the last step."""
    if has_edge_conditions_only(problem):
        return is_rectangle(problem)
    return not is_too_large_for_sat(problem)


def is_for_cpsat(problem: Problem) -> bool:
    """Return whether steps are given and the problem is too large for the other two engines."""
    return is_too_large_for_sat(problem) and not fits_step_domains(problem)


# Time limits of the steps.

MANY_SQUARES, FEW_GIVEN = 150, 8
"""Least squares of a board, and least squares per given step, at which a board likely has
enough tours for annealing to find one before SAT does (``benchmarks/MEASURED.md``)."""


def step_domain_seconds(problem: Problem) -> float | None:
    """Return a short time; more for few given steps; no bound if no other step can follow."""
    if is_too_large_for_sat(problem):
        return None
    given = len(problem.given)
    few = problem.size >= MANY_SQUARES and FEW_GIVEN * given <= problem.size
    return 20.0 if few else 2.0


def walk_seconds(problem: Problem) -> float:
    """Return less time for sparse graphs: on large cubic graphs, walks seldom close."""
    return 0.5 if is_sparse(problem) else 20.0


def backtrack_seconds(problem: Problem) -> float:
    """Return more time for rectangles, because no decomposition or portfolio follows."""
    return 10.0 if is_rectangle(problem) else 1.0 + problem.size / 5_000


# Functions that run the steps.

ATTEMPTS = 60
"""Restarts of Warnsdorff's rule: more than any measured case needs (``benchmarks/MEASURED.md``)."""

POLLS, VERTICES_A_POLL = 3, 12
"""Vertices per additional poll of short backtracking; a poll takes about 0.3 ms.  Cubic graphs with
a cycle need half as many polls (``benchmarks/MEASURED.md``)."""

MOMENT_SECONDS = 0.05
"""Seconds of backtracking before a linear program is loaded."""

QUICK_SECONDS = 0.3
"""Seconds of backtracking before a frontier search, because it finds most cycles sooner."""

MOST_TABLE_STATES = 200_000
"""Most states of one bag of a tree decomposition.  With more, each join takes seconds."""

PART_CERTIFY_SECONDS = 20.0
"""Most seconds for the certificate of a part."""


def find_obstruction(request: Request) -> Outcome | None:
    """Return a reason why there is no tour, if a fast test finds one."""
    why = obstruction(request.problem)
    if why is None:
        return None
    spent = {"solve_seconds": request.clock.elapsed}
    return proved(NAME, request.problem, why, spent, request.seed)


def refute_few_cases(request: Request) -> Outcome | None:
    """Refute a graph by a few cases, if each decides half of the open moves."""
    from kt_cp.proofs.certificate import accepted, nameable
    from kt_cp.proofs.forced import few_cases

    problem = nameable(request.problem)
    evidence = few_cases(problem)
    made = None if evidence is None else accepted(problem, evidence)
    if made is None:
        return None
    spent = {"solve_seconds": request.clock.elapsed}
    return proved(NAME, request.problem, made.evidence, spent, request.seed)


def construct_tour(request: Request) -> Outcome:
    """Build a tour from tiles."""
    from kt_cp.engines.construct import solve

    return call(solve, request)


def load_step_domains(problem: Problem) -> None:
    """Load the compiled search on step domains."""
    from kt_cp.engines.step_domains import load

    load(problem)


def run_bounded_sat(request: Request) -> Outcome | None:
    """Run SAT in this process, within a budget of conflicts."""
    from kt_cp.engines import bounded_sat

    problem, started = request.problem, request.clock.elapsed
    given = bool(problem.given)
    sat = (bounded_sat.find_two_tours if given else bounded_sat.find_cycle)(problem, request.seed)
    spent = {"solve_seconds": request.clock.elapsed - started, "conflicts": sat.conflicts}
    if sat.tours:
        return found(NAME, problem, sat.tours[0], spent, request.seed)
    if not sat.exhausted:
        return None
    text = f"claimed by a SAT solver on the {'channel' if given else 'lazy'} encoding"
    return impossible(NAME, problem, EvidenceKind.CLAIMED, text, spent, request.seed)


def search_step_domains(request: Request) -> Outcome:
    """Search on step domains: the squares that are possible at each step."""
    from kt_cp.engines.step_domains import solve

    return call(solve, request)


def refute_by_potentials(request: Request) -> Outcome | None:
    """Backtrack briefly, then try to refute the graph by a linear program."""
    outcome = search_by_backtracking(request.within(MOMENT_SECONDS, 1 / 4))
    if outcome.verdict is Verdict.FOUND or outcome.certificate is not None:
        return outcome
    from kt_cp.proofs.certificate import accepted, nameable
    from kt_cp.proofs.potentials import MOST_CASES, potentials

    problem = nameable(request.problem)
    cases = 1 if outcome.verdict is Verdict.UNKNOWN else MOST_CASES
    evidence = potentials(problem, request.expired, cases)
    made = None if evidence is None else accepted(problem, evidence, ("ortools",))
    if made is None:
        return None if outcome.verdict is Verdict.UNKNOWN else outcome
    spent = {"solve_seconds": request.clock.elapsed}
    return proved(NAME, request.problem, made.evidence, spent, request.seed)


def close_gaps(request: Request) -> Outcome | None:
    """Find a cycle of a dense graph by Palmer's algorithm."""
    from kt_cp.model.cycle import cycle_form
    from kt_cp.search.palmer import dense_cycle

    form, started = cycle_form(request.problem), request.clock.elapsed
    order = list(range(len(form)))
    random.Random(request.seed).shuffle(order)
    tails, heads = form.graph.tails, form.graph.heads
    cycle = dense_cycle(
        len(form), tails, heads, form.forced, order=order, should_stop=request.expired
    )
    if cycle is None:
        return None
    spent = {"solve_seconds": request.clock.elapsed - started}
    return found(NAME, request.problem, form.tour(cycle), spent, request.seed)


def solve_parts(request: Request) -> Outcome | None:
    """Decompose a graph, and solve each part by the steps for parts."""
    from kt_cp.engines.decomposition import solve_by_parts

    return solve_by_parts(
        NAME, request, lambda part: take_steps(part, PART_STEPS), PART_CERTIFY_SECONDS
    )


def search_tree_decomposition(request: Request) -> Outcome | None:
    """Search a graph of small treewidth by dynamic programming."""
    from kt_cp.model.cycle import cycle_form
    from kt_cp.search.tree_decomposition import cycle_by_decomposition, decompose

    problem, started = request.problem, request.clock.elapsed
    form = cycle_form(problem)
    decomposition = decompose(form.graph.neighbours)
    if decomposition is None:
        return None
    cycle, exhausted, states = cycle_by_decomposition(
        form, decomposition, most=MOST_TABLE_STATES, should_stop=request.expired
    )
    spent = {"solve_seconds": request.clock.elapsed - started, "states": states}
    if cycle is not None:
        return found(NAME, problem, form.tour(cycle), spent, request.seed)
    if not exhausted:
        return None
    text = f"dynamic programming over a tree decomposition tried everything: {states:,} states"
    return impossible(NAME, problem, EvidenceKind.EXHAUSTED, text, spent, request.seed)


def search_frontier(request: Request) -> Outcome | None:
    """Sweep a narrow graph from end to end."""
    from kt_cp.engines import frontier_search

    order = frontier_search.order_of(request.problem)
    return None if order is None else frontier_search.search_frontier(NAME, request, order)


def sweep_briefly(request: Request) -> Outcome | None:
    """Sweep a small narrow graph for a short time."""
    from kt_cp.engines import frontier_search

    return frontier_search.sweep_briefly(NAME, request)


def try_and_search_frontier(request: Request) -> Outcome | None:
    """Search by backtracking for a short time, then sweep the narrow graph."""
    from kt_cp.engines import frontier_search

    order = frontier_search.order_of(request.problem)
    if order is None:
        return None
    outcome = search_by_backtracking(request.within(QUICK_SECONDS, 1 / 4))
    if outcome.verdict is not Verdict.UNKNOWN:
        return outcome
    return frontier_search.search_frontier(NAME, request, order)


def walk(request: Request) -> Outcome:
    """Make a few attempts by Warnsdorff's rule."""
    from kt_cp.engines.warnsdorff import solve

    return call(solve, request, max_restarts=ATTEMPTS)


def search_by_backtracking(request: Request) -> Outcome:
    """Search exactly, with propagation."""
    from kt_cp.engines.backtrack import solve

    return call(solve, request)


def backtrack_briefly(request: Request) -> Outcome | None:
    """Search a small graph for a fixed number of polls, independent of time."""
    from kt_cp.model.cycle import cycle_form
    from kt_cp.search.backtrack import hamiltonian_cycle

    form, started = cycle_form(request.problem), request.clock.elapsed
    polls = iter(range(POLLS + len(form) // VERTICES_A_POLL))
    cycle, _, work = hamiltonian_cycle(
        form.graph.neighbours,
        form.forced,
        seed=request.seed,
        should_stop=lambda: next(polls, None) is None or request.expired(),
    )
    if cycle is None:
        return None
    spent = {"solve_seconds": request.clock.elapsed - started, **asdict(work)}
    return found(NAME, request.problem, form.tour(cycle), spent, request.seed)


def add_lazy_cuts(request: Request) -> Outcome:
    """Run SAT with lazy cuts, in one process for all parts, because many parts are small."""
    return run("sat:lazy", replace(request, progress=None), warm=True)


def run_sat(request: Request) -> Outcome:
    """Run SAT on the encoding that supports the conditions."""
    from kt_cp.encodings import encoding_for

    return run(f"sat:{encoding_for(request.problem)}", request)


def run_cpsat(request: Request) -> Outcome:
    """Run CP-SAT on the circuit model."""
    return run("cpsat", request)


def run_portfolio(request: Request) -> Outcome:
    """Run several engines in parallel."""
    from kt_cp.engines.portfolio import run_side_by_side

    return run_side_by_side(NAME, request)


STEPS = (
    Step("construction", is_large_rectangle, construct_tour, instant=True),
    Step("obstructions", lambda _: True, find_obstruction, instant=True),
    Step("bounded SAT", fits_bounded_sat, run_bounded_sat),
    Step("few cases", is_small_graph, refute_few_cases, instant=True),
    Step("short backtracking", has_few_nodes, backtrack_briefly),
    Step("short frontier search", is_small_graph, sweep_briefly),
    Step(
        "step domains",
        fits_step_domains,
        search_step_domains,
        step_domain_seconds,
        prepare=load_step_domains,
    ),
    Step("closing gaps", is_dense, close_gaps),
    Step("tree decomposition", may_have_small_treewidth, search_tree_decomposition, 30.0),
    Step("decomposition", has_parts_early, solve_parts),
    Step("linear program", has_linear_program, refute_by_potentials, 3.0),
    Step("bounded SAT", is_small_and_wide, run_bounded_sat),
    Step("frontier search", is_divided_early, try_and_search_frontier, 30.0),
    Step("backtracking", is_small_sparse, search_by_backtracking, backtrack_seconds),
    Step("lazy cuts", is_large_sparse, add_lazy_cuts, 30.0),
    Step("Warnsdorff's rule", lambda p: is_rectangle(p) or is_graph(p), walk, walk_seconds),
    Step("construction", is_small_rectangle, construct_tour, instant=True),
    Step("decomposition", has_parts_late, solve_parts),
    Step("frontier search", is_divided_late, try_and_search_frontier, 30.0),
    Step("backtracking", is_small, search_by_backtracking, backtrack_seconds),
    Step("SAT", is_for_sat, run_sat),
    Step("CP-SAT", is_for_cpsat, run_cpsat),
    Step("portfolio", is_graph, run_portfolio),
)
"""The strategy: the steps in the order in which they run."""

SEARCHES = {
    "linear program",
    "closing gaps",
    "backtracking",
    "lazy cuts",
    "Warnsdorff's rule",
    "portfolio",
}

PART_STEPS = (
    Step("obstructions", lambda _: True, find_obstruction, instant=True),
    Step("frontier search", is_graph, search_frontier, 30.0),
    Step("lazy cuts", is_graph, add_lazy_cuts, 10.0),
    *(step for step in STEPS if step.name in SEARCHES),
)
"""The steps for a part of a graph, which is neither divided nor swept again."""

CERTIFY_SECONDS = 45.0
"""Most seconds of processor time for a certificate after a search has shown that no tour exists."""

LEAST_CERTIFY_SECONDS = 1.0
"""Seconds.  With given steps, an answer that took less than this gets only the fast refutation;
``kt-cp prove`` tries other kinds of evidence."""


RESULTS = {Verdict.FOUND: "a tour", Verdict.IMPOSSIBLE: "no tour"}


def plan(problem: Problem) -> list[Step]:
    """Return the steps that apply to a problem.

    >>> [step.name for step in plan(Problem("8x8"))]
    ['obstructions', "Warnsdorff's rule", 'construction', 'backtracking', 'SAT']
    """
    return [step for step in STEPS if step.applies(problem)]


def take_steps(request: Request, steps: Sequence[Step]) -> Outcome:
    """Run the steps that apply, in order, until one decides the problem."""
    outcome: Outcome | None = None
    reports: list[StepReport] = []
    for step in steps:
        if request.expired() and not step.instant:
            spent = {"solve_seconds": request.clock.elapsed}
            outcome = out_of_time(NAME, request.problem, request.limits, spent, request.seed)
            continue
        if not step.applies(request.problem):
            continue
        request.announce(step.name)
        began = request.clock.elapsed
        latest = step.take(request)
        result = RESULTS.get(latest.verdict, latest.reason) if latest is not None else None
        seconds = request.clock.elapsed - began
        reports.append(StepReport(step.name, seconds, result or "nothing"))
        outcome = outcome if latest is None else latest
        if outcome is not None and outcome.verdict is not Verdict.UNKNOWN:
            break
    assert outcome is not None, "the last step that applies always has an outcome"
    return replace(outcome, steps=tuple(reports))


def certify_no(outcome: Outcome, request: Request) -> Outcome:
    """Add a certificate to a "no", if one is found in time."""
    impossible = outcome.verdict is Verdict.IMPOSSIBLE
    if not impossible or outcome.certificate is not None or request.expired():
        return outcome
    request.announce("no tour, looking for a certificate")
    from kt_cp.proofs.certify import add_certificate  # slow to load

    began, given = request.clock.elapsed, bool(request.problem.given)
    spent = request.clock.processor_elapsed
    seconds = min(CERTIFY_SECONDS, spent) if given else CERTIFY_SECONDS
    with suppress(TimeLimitReachedError):  # the answer is known without a certificate
        if given:
            outcome = add_certificate(outcome, request, quick=True)
        if seconds > LEAST_CERTIFY_SECONDS:
            outcome = add_certificate(outcome, request.within(seconds))
    result = "none was found" if outcome.certificate is None else outcome.certificate.kind
    report = StepReport("certificate", request.clock.elapsed - began, result)
    return replace(outcome, steps=(*outcome.steps, report))


def solve(problem: Problem, *, limits: Limits, seed: int, progress: Progress | None) -> Outcome:
    """Run the steps; the outcome names the engine that answered."""
    request = Request.begin(problem, limits, seed=seed, progress=progress)
    outcome = certify_no(take_steps(request, STEPS), request)
    statistics = {**outcome.statistics, "total_seconds": request.clock.elapsed}
    return replace(outcome, statistics=statistics)


def refuse(problem: Problem) -> None:
    """Raise TooLargeError if the last steps would; constructions and theorems have no limit."""
    if not has_edge_conditions_only(problem):
        if not fits_step_domains(problem) and obstruction(problem) is None:
            from kt_cp.encodings import encoding_for

            check("cpsat" if is_for_cpsat(problem) else f"sat:{encoding_for(problem)}", problem)
        return
    if constructs(problem) or problem.size <= MOST_SQUARES:
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
    at_once=is_large_rectangle,
    capacity=f"any whole rectangle, else {MOST_SQUARES:,} squares",
)

"""One contract over every registered engine: limits end it, and what is too large is refused."""

from __future__ import annotations

import time

import networkx as nx
import pytest

from kt_cp import Board, Problem, Verdict, get_engine, solve
from kt_cp.model.errors import TooLargeError
from kt_cp.testing.engine import time_limits
from kt_cp.testing.problems import flower_snark
from tests.engines.test_contract import ENGINES, SEARCHING, every_engine, every_search


def hard(engine):
    """A problem which no engine settles within a second: each was seen to run on for three."""
    # A thousand restarts take a while, and so does a sweep from end to end, if it is long.
    petals = {"warnsdorff": 1001, "auto": 3001}.get(engine, 25)
    return Problem(graph=flower_snark(petals), closed=True)


@pytest.mark.parametrize("petals", [3, 5])
def test_a_flower_snark_has_no_cycle(petals):
    problem = Problem(graph=flower_snark(petals), closed=True)
    assert set(dict(problem.graph.degree).values()) == {3}
    for engine in ("backtrack", "cpsat", "sat"):
        assert solve(problem, engine, own_process=False).verdict is Verdict.IMPOSSIBLE


QUICK = ("auto", "backtrack", "cpsat", "propagator", "reference", "sat", "warnsdorff", "construct")


def the_rest_slowly(engines):
    marked = [e if e in QUICK else pytest.param(e, marks=pytest.mark.slow) for e in engines]
    return pytest.mark.parametrize("engine", marked)


@pytest.mark.clock
@the_rest_slowly(SEARCHING)
def test_time_limits_end_it(engine):
    began = time.perf_counter()
    (outcome,) = time_limits(engine, hard(engine), [0.2])
    elapsed = time.perf_counter() - began
    # The limit, the start of a child process, and room for a machine with other work to do.  Those
    # that end by themselves are timed within the child.
    assert get_engine(engine).interruptible or elapsed < 0.2 + 2.5
    assert (outcome.verdict, outcome.limit) == (Verdict.UNKNOWN, "time"), outcome.reason
    assert "time limit of 0.2 s" in outcome.reason


def test_what_is_ended_from_outside_says_that_nothing_was_checked():
    outcome = solve(hard("sat"), "sat", time_limit=0.2)
    assert outcome.checks.remarks["verified"] == "there is no answer to check"


@every_engine
@pytest.mark.parametrize("limit", [1e-6, 0.01])
def test_a_very_short_limit_is_a_limit_and_no_crash(engine, limit):
    outcome = solve(Problem(Board(8, 8), closed=True), engine, time_limit=limit, own_process=False)
    if outcome.verdict is Verdict.UNKNOWN:
        assert outcome.limit == "time", outcome.reason


@pytest.mark.parametrize("milliseconds", range(1, 40, 4))
def test_cpsat_stops_at_its_own_time_a_hair_early(milliseconds):
    outcome = solve(Problem(Board(7, 7), closed=True), "cpsat", time_limit=milliseconds / 1000)
    assert outcome.verdict is Verdict.IMPOSSIBLE or outcome.limit == "time"


def test_the_recursion_asks_for_the_time_between_starts():
    # From every leaf of a star it gives up at once, before the count at which it asks.
    problem = Problem(graph=nx.star_graph(3000))
    began = time.process_time()
    outcome = solve(problem, "reference", time_limit=0.2)
    assert outcome.limit == "time" or outcome.verdict is Verdict.IMPOSSIBLE
    assert time.process_time() - began < 2


@the_rest_slowly(ENGINES)
def test_memory_limits_end_it(engine):
    problem = Problem(Board(20, 20), closed=True)
    outcome = solve(problem, engine, memory_limit=20)  # the interpreter alone takes more
    assert (outcome.verdict, outcome.limit) == (Verdict.UNKNOWN, "memory"), outcome.reason
    assert "20 MB" in outcome.reason
    assert outcome.statistics["peak_mb"] >= 20


@every_search
def test_what_is_too_large_is_refused_at_once(engine):
    problems = [Problem(Board(3000, 3000, missing={(0, 0), (0, 1)}))]
    if engine != "auto":  # which hands whole rectangles to construct
        problems.append(Problem(Board(3000, 3000)))
    for problem in problems:
        began = time.process_time()
        with pytest.raises(TooLargeError, match=r"(limit|limited).*use --engine construct"):
            solve(problem, engine)
        assert time.process_time() - began < 0.5


@pytest.mark.parametrize(("engine", "closed"), [("auto", False), ("construct", True)])
def test_no_whole_rectangle_is_too_large(engine, closed):
    board = Board(10**9, 10**9 + 1)
    began = time.process_time()
    outcome = solve(Problem(board, closed=closed), engine)
    assert (outcome.verdict, outcome.engine) == (Verdict.FOUND, "construct")
    assert time.process_time() - began < 5
    assert (outcome.verified, outcome.replayed) == (None, None)
    assert "judged at 10,000 random places" in outcome.checks.remarks["verified"]


@pytest.mark.clock
@pytest.mark.slow
@pytest.mark.parametrize("side", [140, 300])
def test_building_a_large_model_is_ended_as_well(side):
    # Nobody looks at the clock while it is built, which takes two seconds.
    began = time.perf_counter()
    outcome = solve(Problem(Board(side, side), closed=True), "cpsat", time_limit=0.3)
    elapsed = time.perf_counter() - began
    assert (outcome.verdict, outcome.limit) == (Verdict.UNKNOWN, "time"), outcome.reason
    # The start of a child process, and room for a machine with other work to do.
    assert elapsed < 0.3 + 2.0

"""The steps of ``auto``, and several engines side by side."""

from __future__ import annotations

import pickle
import threading
import time
from itertools import count, islice
from math import inf
from random import Random
from types import SimpleNamespace

import networkx as nx
import psutil
import pytest

from kt_cp import Problem, Verdict, prove, solve
from kt_cp.engines import auto, decomposition, frontier_search, portfolio
from kt_cp.engines.engine import call
from kt_cp.engines.portfolio import Turn, run_side_by_side, turns
from kt_cp.engines.registry import get_engine
from kt_cp.model import limits
from kt_cp.model.directed import directed_tour, undirected
from kt_cp.model.errors import EngineFailedError, TooLargeError
from kt_cp.model.limits import Limits
from kt_cp.model.request import Request
from kt_cp.trust.judge import defects
from tests.support.steps import change_step, give_up

LIMIT, USED = 8.0, 0.3
SHORT = "short frontier search"
PETERSEN = Problem(graph=nx.petersen_graph(), closed=True)


def rings_of_petersens(number=4):
    """Return Petersen graphs in a ring, each without an edge: none of them has a cycle."""
    graph = nx.Graph()
    for place in range(0, 10 * number, 10):
        petersen = nx.petersen_graph()
        petersen.remove_edge(0, 1)
        graph.update(nx.relabel_nodes(petersen, lambda node, place=place: node + place))
        graph.add_edge(place + 1, (place + 10) % (10 * number))
    return Problem(graph=graph, closed=True)


@pytest.fixture
def unhurried(monkeypatch):
    """Disable searches and sweeps of parts, and make one step for a part slow and unsuccessful."""

    def cut(request):
        time.sleep(USED)
        return give_up(request)

    monkeypatch.setattr(
        "kt_cp.engines.decomposition.hamiltonian_cycle", lambda *_, **__: (None, False, 0)
    )
    monkeypatch.setattr(frontier_search, "find_order", lambda _: None)
    change_step(monkeypatch, "lazy cuts", run=cut)
    change_step(monkeypatch, "short backtracking", run=give_up)


def test_the_last_step_for_a_part_has_what_the_others_have_left(unhurried, monkeypatch):
    left = []

    def last(request):
        left.append(request.clock.left)
        return give_up(request)

    for step in ("linear program", "backtracking", "Warnsdorff's rule"):
        change_step(monkeypatch, step, run=give_up)
    change_step(monkeypatch, "portfolio", run=last)
    solve(rings_of_petersens(), time_limit=LIMIT)
    assert left and left[0] <= LIMIT - USED


def test_the_certificate_of_a_part_has_a_share_of_what_the_search_has_left(unhurried, monkeypatch):
    left = []

    def written(_whole, _refuted, request, _evidence):
        left.append(request.clock.left)

    def cut(request):
        time.sleep(USED)
        return solve(request.problem, "backtrack", own_process=False)

    change_step(monkeypatch, "lazy cuts", run=cut)
    monkeypatch.setattr("kt_cp.proofs.split.as_evidence", written)
    monkeypatch.setattr(decomposition, "PLAIN", None)
    outcome = solve(rings_of_petersens(), time_limit=LIMIT)
    assert outcome.verdict is Verdict.IMPOSSIBLE
    assert left and left[0] <= (LIMIT - USED) / 4


def test_sides_are_not_divided_once_time_is_over(unhurried, monkeypatch):
    limit, divided = 0.2, []
    real = decomposition.divide

    def division(part, whole):
        divided.append(time.perf_counter() - began)
        return real(part, whole)

    monkeypatch.setattr(decomposition, "divide", division)
    # Each vertex of a cubic graph becomes a Petersen graph without a vertex: a side of three edges.
    graph, stubs = nx.Graph(), {}
    base = nx.petersen_graph()
    for place in base:
        petersen = nx.relabel_nodes(nx.petersen_graph(), lambda v, place=place: 10 * place + v)
        stubs[place] = [*petersen[10 * place]]
        petersen.remove_node(10 * place)
        graph.update(petersen)
    graph.add_edges_from((stubs[u].pop(), stubs[v].pop()) for u, v in base.edges)
    monkeypatch.setattr("kt_cp.engines.decomposition.SMALL", 0)
    problem = Problem(graph=graph, closed=True)
    assert problem.indexed.components  # laid out before the clock starts
    began = time.perf_counter()
    solve(problem, time_limit=limit)
    assert divided and all(each < limit + 0.1 for each in divided)


def test_whether_a_problem_fits_is_found_out_by_the_process_of_a_turn(monkeypatch):
    """The check takes some engines seconds, during which no limit is checked."""

    def check(engine, problem):
        raise AssertionError(f"{engine} was asked about {problem.label}")

    monkeypatch.setattr(portfolio, "check", check)
    assert len([*islice(turns(PETERSEN, 1, 2), 20)]) == 20
    outcome = run_side_by_side("auto", Request.begin(PETERSEN, Limits(60, None, 2), seed=3))
    assert outcome.verdict is Verdict.IMPOSSIBLE


def test_engines_that_a_problem_does_not_fit_get_no_second_turn(monkeypatch):
    engines = []

    def run(engine, request, **_):
        engines.append(engine)
        if engine == "backtrack" and engines.count(engine) > 2:
            return solve(request.problem, engine, own_process=False)
        if engine == "backtrack":
            return give_up(request)
        raise TooLargeError(f"too large for {engine}")

    monkeypatch.setattr(portfolio, "run", run)
    request = Request.begin(PETERSEN, Limits(60, None, 1), seed=3)
    assert run_side_by_side("auto", request).verdict is Verdict.IMPOSSIBLE
    others = [engine for engine in engines if engine != "backtrack"]
    assert sorted(others) == sorted({*others}) and portfolio.FIRST in others

    def refuse(engine, _problem, **_):
        raise TooLargeError(f"too large for {engine}")

    monkeypatch.setattr(portfolio, "run", refuse)
    with pytest.raises(TooLargeError, match=f"too large for {portfolio.FIRST}"):
        run_side_by_side("auto", request)


def answer(problem, seconds=60.0, workers=2):
    """Return the outcome, and assert that every process that it started has ended."""
    before = psutil.Process().children(recursive=True)
    request = Request.begin(problem, Limits(seconds, None, workers), seed=3)
    outcome = run_side_by_side("auto", request)
    assert {*psutil.Process().children(recursive=True)} <= {*before}
    return outcome


def test_the_first_answer_ends_all_of_them():
    outcome = answer(PETERSEN)
    assert outcome.verdict is Verdict.IMPOSSIBLE and outcome.statistics["turns"] >= 2
    path = answer(Problem(graph=nx.petersen_graph()))
    assert path.verdict is Verdict.FOUND and len(path.tour.squares) == 10


def test_on_one_core_they_take_turns():
    alone = list(islice(turns(PETERSEN, 5, 1), 20))
    assert [turn.engine for turn in alone[:2]] == ["backtrack", "sat:lazy"]
    assert len({turn.seed for turn in alone}) == len(alone)
    assert all(turn.seconds < inf for turn in alone)
    rounds = len(portfolio.TURNS) + 1
    assert alone[rounds] == Turn("backtrack", 5 + rounds, alone[0].seconds * portfolio.GROWTH)
    assert answer(PETERSEN, workers=1).verdict is Verdict.IMPOSSIBLE


def test_a_limit_ends_all_of_them():
    outcome = answer(PETERSEN, seconds=0.01)  # too short for any process to begin
    assert (outcome.verdict, outcome.limit, outcome.engine) == (Verdict.UNKNOWN, "time", "auto")


def test_one_that_crashes_does_not_stop_the_others(monkeypatch):
    def run(engine, request, **_):
        if engine == portfolio.FIRST:
            raise EngineFailedError("it crashed")
        return give_up(request)

    monkeypatch.setattr(portfolio, "run", run)
    assert answer(PETERSEN, seconds=0.3).limit == "time"


def test_auto_comes_to_them_where_it_is_no_rectangle(monkeypatch):
    problems = []

    def noted(request):
        problems.append(request.problem)
        return auto.run_portfolio(request)

    monkeypatch.setattr(decomposition, "may_have_parts", lambda _: False)
    monkeypatch.setattr(frontier_search, "find_order", lambda _: None)
    for name in ("linear program", "bounded SAT"):
        change_step(monkeypatch, name, run=give_up)
    for name in ("backtracking", "Warnsdorff's rule"):
        change_step(monkeypatch, name, seconds=1e-6)
    change_step(monkeypatch, "portfolio", run=noted)
    around = [(i, (i + 1) % 11) for i in range(11)]
    inside = [(11 + i, 11 + (i + 2) % 11) for i in range(11)]
    without = nx.Graph([*around, *inside, *((i, 11 + i) for i in range(11))])  # GP(11, 2)
    outcome = solve(Problem(graph=without, closed=True), seed=1)
    assert problems and outcome.verdict is Verdict.IMPOSSIBLE and outcome.certificate is not None


@pytest.mark.slow
def test_a_flower_snark_is_swept_or_refuted():
    edges = [(f"a{i}", f"{x}{i}") for i in range(9) for x in "bcd"]
    edges += [(f"b{i}", f"b{(i + 1) % 9}") for i in range(9)]
    around = [f"c{i}" for i in range(9)] + [f"d{i}" for i in range(9)]
    edges += zip(around, [*around[1:], around[0]], strict=True)
    problem = Problem(graph=nx.Graph(edges), closed=True)
    assert solve(problem).certificate.kind == "sweep"
    assert prove(problem, "refutation").certificate.kind == "refutation"


def test_a_busy_machine_gives_the_same_answer(monkeypatch):
    for name in (SHORT, "bounded SAT", "frontier search", "linear program", "decomposition"):
        change_step(monkeypatch, name, run=give_up)
    quiet = solve(PETERSEN, seed=3)
    clock, hours = time.perf_counter, count(step=3600.0)
    monkeypatch.setattr(limits, "time", SimpleNamespace(
        perf_counter=lambda: clock() + next(hours), process_time=time.process_time
    ))  # fmt: skip
    busy = solve(PETERSEN, seed=3)
    assert busy.statistics["total_seconds"] > 3600.0
    assert busy.statistics["nodes"] == quiet.statistics["nodes"]
    assert busy.certificate.document == quiet.certificate.document
    assert [step.name for step in busy.steps] == [step.name for step in quiet.steps]


def test_small_graphs_are_settled_without_long_backtracking_or_a_process(monkeypatch):
    def fail(*_, **__):
        pytest.fail("searched")

    monkeypatch.setattr(auto, "search_by_backtracking", fail)
    monkeypatch.setattr(auto, "run", fail)
    outcome = solve(PETERSEN)
    assert outcome.certificate and outcome.steps[-1].name == SHORT
    monkeypatch.setattr(frontier_search, "find_order", lambda _: None)  # as if it were wide
    change_step(monkeypatch, "linear program", run=give_up)
    outcome = solve(PETERSEN)
    assert outcome.verdict is Verdict.IMPOSSIBLE
    assert "bounded SAT" in [step.name for step in outcome.steps]


def test_a_short_sweep_gives_up_after_few_states(monkeypatch):
    monkeypatch.setattr(frontier_search, "CHECKED_STATES", 0)
    monkeypatch.setattr(frontier_search, "QUICK_STATES", 5)
    steps = [(step.name, step.result) for step in solve(PETERSEN).steps]
    assert (SHORT, "nothing") in steps and ("linear program", "no tour") in steps


@pytest.mark.parametrize("closed", [True, False])
def test_who_takes_arcs_is_handed_the_digraph(closed, monkeypatch):
    problems = []

    def run(engine, request, **_):
        problems.append(request.problem)
        return call(get_engine(engine).solve, request)

    monkeypatch.setattr(portfolio, "run", run)
    rng = Random(5)
    digraph = nx.DiGraph((u, (u + 1) % 40) for u in range(40))
    digraph.add_edges_from(rng.sample(range(40), 2) for _ in range(40))
    problem = Problem(graph=digraph, closed=closed, start=7)
    made = undirected(problem)
    made = pickle.loads(pickle.dumps(made))  # as a process receives it
    order = [turn.engine for turn in islice(turns(made, 1, 2), 3)]
    assert order == ["sat:lazy", "cpsat", "backtrack"]
    request = Request.begin(made, Limits(20))
    for engine in ("cpsat", "backtrack"):
        turn = Turn(engine, 0, 20.0)
        outcome = portfolio.take_turn(turn, request, threading.Event())
        assert outcome.problem is made and not defects(made, outcome.tour.squares)
        assert not defects(problem, directed_tour(problem, outcome.tour).squares)
    assert problems == [problem, made]

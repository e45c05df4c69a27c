"""The steps of ``auto`` under a time limit: what one has used, the next one lacks."""

from __future__ import annotations

import time
from itertools import islice

import networkx as nx
import pytest

from kt_cp import Problem, Verdict, solve
from kt_cp.engines import any_graph, decomposition, portfolio
from kt_cp.engines.engine import out_of_time, unknown
from kt_cp.engines.portfolio import side_by_side, turns
from kt_cp.model.errors import TooLargeError
from kt_cp.model.limits import Limits

LIMIT, USED = 8.0, 0.3
PETERSEN = Problem(graph=nx.petersen_graph(), closed=True)


def rings_of_petersens(many=4):
    """Petersen graphs in a ring, each without an edge: none of them has a cycle."""
    graph = nx.Graph()
    for place in range(0, 10 * many, 10):
        petersen = nx.petersen_graph()
        petersen.remove_edge(0, 1)
        graph.update(nx.relabel_nodes(petersen, lambda node, place=place: node + place))
        graph.add_edge(place + 1, (place + 10) % (10 * many))
    return Problem(graph=graph, closed=True)


@pytest.fixture
def unhurried(monkeypatch):
    """Parts are neither searched nor swept, and what is asked for one takes a while in vain."""

    def alone(part, share, seed):
        time.sleep(USED)
        return unknown("alone", part, "nothing was found", {}, seed)

    monkeypatch.setattr(
        "kt_cp.engines.decomposition.hamiltonian_cycle", lambda *_, **__: (None, False, 0)
    )
    monkeypatch.setattr(any_graph.frontier_search, "order_of", lambda _: None)
    monkeypatch.setattr(any_graph, "_alone", alone)


def test_the_last_step_for_a_part_has_what_the_others_have_left(unhurried, monkeypatch):
    left = []

    def last(name, problem, *, limits, clock, seed, **_):
        left.append(clock.left)
        return out_of_time(name, problem, limits, {}, seed)

    monkeypatch.setattr(any_graph, "side_by_side", last)
    for step in ("tried", "walked"):
        monkeypatch.setattr(any_graph, step, lambda part, *_: unknown("", part, "none", {}, 0))
    solve(rings_of_petersens(), time_limit=LIMIT)
    assert left and left[0] <= LIMIT - USED


def test_the_certificate_of_a_part_has_a_share_of_what_the_search_has_left(unhurried, monkeypatch):
    left = []

    def written(_whole, _refuted, clock, _evidence):
        left.append(clock.left)

    real = any_graph._alone

    def alone(part, share, seed):
        real(part, share, seed)
        return solve(part, "backtrack", own_process=False)

    monkeypatch.setattr(any_graph, "_alone", alone)
    monkeypatch.setattr("kt_cp.proofs.split.written", written)
    monkeypatch.setattr(decomposition, "PLAIN", None)
    outcome = solve(rings_of_petersens(), time_limit=LIMIT)
    assert outcome.verdict is Verdict.IMPOSSIBLE
    assert left and left[0] <= (LIMIT - USED) / 4


def test_sides_are_not_divided_once_time_is_over(unhurried, monkeypatch):
    limit, divided = 0.2, []
    real = decomposition.division

    def division(part, whole):
        divided.append(time.perf_counter() - began)
        return real(part, whole)

    monkeypatch.setattr(decomposition, "division", division)
    # Each vertex of a cubic graph is a Petersen graph without a vertex: a side of three edges.
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
    """It takes some engines seconds, in which nobody would look at the clock."""

    def check(engine, problem):
        raise AssertionError(f"{engine} was asked about {problem.label}")

    monkeypatch.setattr(portfolio, "check", check)
    assert len([*islice(turns(PETERSEN, 1, 2), 20)]) == 20
    limits = Limits(60, None, 2)
    outcome = side_by_side(
        "auto", PETERSEN, limits=limits, clock=limits.clock(), seed=3, progress=None
    )
    assert outcome.verdict is Verdict.IMPOSSIBLE


def test_engines_that_a_problem_does_not_fit_get_no_second_turn(monkeypatch):
    asked = []

    def run(engine, problem, *, seed, **_):
        asked.append(engine)
        if engine == "backtrack" and asked.count(engine) > 2:
            return solve(problem, engine, own_process=False)
        if engine == "backtrack":
            return unknown(engine, problem, "gave up", {}, seed)
        raise TooLargeError(f"too large for {engine}")

    monkeypatch.setattr(portfolio, "run", run)
    limits = Limits(60, None, 1)
    asking = {"limits": limits, "clock": limits.clock(), "seed": 3, "progress": None}
    assert side_by_side("auto", PETERSEN, **asking).verdict is Verdict.IMPOSSIBLE
    others = [engine for engine in asked if engine != "backtrack"]
    assert sorted(others) == sorted({*others}) and portfolio.FIRST in others

    def refuse(engine, _problem, **_):
        raise TooLargeError(f"too large for {engine}")

    monkeypatch.setattr(portfolio, "run", refuse)
    with pytest.raises(TooLargeError, match=f"too large for {portfolio.FIRST}"):
        side_by_side("auto", PETERSEN, **asking)

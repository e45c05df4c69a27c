"""Several engines side by side: the first answer counts, and nobody is left behind."""

from __future__ import annotations

import pickle
import threading
from itertools import islice
from math import inf
from random import Random

import networkx as nx
import psutil
import pytest

from kt_cp import Problem, Verdict, prove, solve
from kt_cp.engines import any_graph, portfolio
from kt_cp.engines.portfolio import Turn, side_by_side, turns
from kt_cp.engines.registry import get_engine
from kt_cp.model.directed import directed_tour, undirected
from kt_cp.model.errors import EngineFailedError
from kt_cp.model.limits import Limits
from kt_cp.trust.judge import defects

PETERSEN = Problem(graph=nx.petersen_graph(), closed=True)


def answer(problem, seconds=60.0, workers=2):
    """What comes of it; every process that it has started has ended."""
    limits = Limits(seconds, None, workers)
    clock = limits.clock()
    before = psutil.Process().children(recursive=True)
    outcome = side_by_side("auto", problem, limits=limits, clock=clock, seed=3, progress=None)
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
    outcome = answer(PETERSEN, seconds=0.01)  # which no process can begin in
    assert (outcome.verdict, outcome.limit, outcome.engine) == (Verdict.UNKNOWN, "time", "auto")


def test_one_that_crashes_does_not_stop_the_others(monkeypatch):
    def run(engine, problem, **asked):
        if engine == portfolio.FIRST:
            raise EngineFailedError("it crashed")
        return portfolio.unknown(engine, problem, "gave up", {}, asked["seed"])

    monkeypatch.setattr(portfolio, "run", run)
    assert answer(PETERSEN, seconds=0.3).limit == "time"


def test_auto_comes_to_them_where_it_is_no_rectangle(monkeypatch):
    asked = []

    def noted(name, problem, **more):
        asked.append(problem)
        return side_by_side(name, problem, **more)

    monkeypatch.setattr(any_graph, "side_by_side", noted)
    monkeypatch.setattr(any_graph.decomposition, "worth_looking", lambda _: False)
    monkeypatch.setattr(any_graph.frontier_search, "order_of", lambda _: None)
    monkeypatch.setattr(any_graph, "TRY_SECONDS", 1e-6)
    monkeypatch.setattr(any_graph, "TRY_SQUARES_A_SECOND", 1e9)
    monkeypatch.setattr(any_graph, "SPARSE_WALK_SECONDS", 1e-6)
    around = [(i, (i + 1) % 11) for i in range(11)]
    inside = [(11 + i, 11 + (i + 2) % 11) for i in range(11)]
    without = nx.Graph([*around, *inside, *((i, 11 + i) for i in range(11))])  # GP(11, 2)
    outcome = solve(Problem(graph=without, closed=True), seed=1)
    assert asked and outcome.verdict is Verdict.IMPOSSIBLE and outcome.certificate is not None


@pytest.mark.slow
def test_a_flower_snark_is_swept_or_refuted():
    edges = [(f"a{i}", f"{x}{i}") for i in range(9) for x in "bcd"]
    edges += [(f"b{i}", f"b{(i + 1) % 9}") for i in range(9)]
    around = [f"c{i}" for i in range(9)] + [f"d{i}" for i in range(9)]
    edges += zip(around, [*around[1:], around[0]], strict=True)
    problem = Problem(graph=nx.Graph(edges), closed=True)
    assert solve(problem).certificate.kind == "sweep"
    assert prove(problem, "refutation").certificate.kind == "refutation"


@pytest.mark.parametrize("closed", [True, False])
def test_who_takes_arcs_is_handed_the_digraph(closed, monkeypatch):
    asked = []

    def run(engine, problem, *, limits, seed, **_):
        asked.append(problem)
        return get_engine(engine).solve(problem, limits=limits, seed=seed, progress=None)

    monkeypatch.setattr(portfolio, "run", run)
    rng = Random(5)
    digraph = nx.DiGraph((u, (u + 1) % 40) for u in range(40))
    digraph.add_edges_from(rng.sample(range(40), 2) for _ in range(40))
    problem = Problem(graph=digraph, closed=closed, start=7)
    made = undirected(problem)
    made = pickle.loads(pickle.dumps(made))  # as processes get it
    order = [turn.engine for turn in islice(turns(made, 1, 2), 3)]
    assert order == ["sat:lazy", "cpsat", "backtrack"]
    limits = Limits(20)
    for engine in ("cpsat", "backtrack"):
        turn = Turn(engine, 0, 20.0)
        outcome = portfolio._work(made, turn, limits, limits.clock(), threading.Event())
        assert outcome.problem is made and not defects(made, outcome.tour.squares)
        assert not defects(problem, directed_tour(problem, outcome.tour).squares)
    assert asked == [problem, made]

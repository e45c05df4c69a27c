"""A narrow graph swept: what it is answered, where a sweep comes in, and when it gives up."""

from __future__ import annotations

import networkx as nx
import pytest

from kt_cp import Board, Problem, Verdict, check, prove, solve
from kt_cp.engines import any_graph, decomposition, frontier_search
from kt_cp.engines.engine import unknown
from kt_cp.model.errors import EndedError
from kt_cp.model.limits import Limits
from kt_cp.model.outcome import EvidenceKind
from kt_cp.trust.judge import defects


def petersen(length):
    """GP(n, 2): three cycles if n is 3 modulo 6, none if it is 5."""
    around = [(i, (i + 1) % length) for i in range(length)]
    inside = [(length + i, length + (i + 2) % length) for i in range(length)]
    return nx.Graph([*around, *inside, *((i, length + i) for i in range(length))])


def swept(problem):
    return frontier_search.search_frontier(
        "auto", problem, frontier_search.order_of(problem), Limits(60), 1
    )


def test_its_answers(monkeypatch):
    outcome = swept(Problem(graph=petersen(15), closed=True))
    assert not defects(outcome.problem, outcome.tour.squares)
    path = Problem(graph=petersen(11), start=3, end=9, require=[(4, 5)])
    assert not defects(path, swept(path).tour.squares)
    without = swept(Problem(graph=petersen(11), closed=True))
    assert without.verdict is Verdict.IMPOSSIBLE and without.certificate.kind == "sweep"
    monkeypatch.setattr(frontier_search, "CERTIFIED_STATES", 10)
    without = swept(Problem(graph=petersen(11), closed=True))
    assert without.verdict is Verdict.IMPOSSIBLE and without.evidence.kind is EvidenceKind.EXHAUSTED
    assert frontier_search.order_of(Problem(graph=nx.complete_graph(30))) is None
    assert frontier_search.order_of(Problem(graph=nx.path_graph(2))) is None


@pytest.mark.parametrize("error", [EndedError, MemoryError])
def test_it_gives_up(error, monkeypatch):
    problem = Problem(graph=petersen(11), closed=True)
    monkeypatch.setattr(frontier_search, "MOST_STATES", 10)
    assert swept(problem) is None

    def ended(*_, **__):
        raise error("there is no room")

    monkeypatch.setattr("kt_cp.counting.frontier.sweep.one_cycle", ended)
    assert swept(problem) is None


GRAPH = Problem(graph=petersen(21), closed=True)
BOARD = Problem(Board(4, 12, missing=[(1, 4), (2, 6)]), piece="wazir", closed=True)


@pytest.mark.parametrize("problem", [GRAPH, BOARD], ids=["graph", "board"])
def test_auto_sweeps_before_others_work(problem, monkeypatch):
    def never(*_, **__):
        raise AssertionError("it is narrow")

    monkeypatch.setattr(any_graph.decomposition, "worth_looking", lambda _: False)
    monkeypatch.setattr(any_graph, "tried", lambda p, *_: unknown("", p, "gave up", {}, 1))
    monkeypatch.setattr(any_graph, "walked", lambda p, *_: unknown("", p, "gave up", {}, 1))
    monkeypatch.setattr(any_graph, "side_by_side", never)
    outcome = solve(problem)
    assert outcome.engine == "auto" and outcome.statistics["states"] > 0


def test_so_is_a_part(monkeypatch):
    chain = nx.Graph()
    for at in range(2):
        link = nx.relabel_nodes(petersen(15), lambda v, at=at: (at, v))
        link.remove_edge((at, 0), (at, 1))
        chain.update(link)
    chain.add_edges_from([((0, 0), (1, 1)), ((0, 1), (1, 0))])
    monkeypatch.setattr(decomposition.Division, "searched", lambda *_: 0)
    monkeypatch.setattr(decomposition, "hamiltonian_cycle", lambda *_, **__: (None, False, None))
    asked = []
    real = frontier_search.search_frontier

    def noted(*given):
        asked.append(given[1])
        return real(*given)

    monkeypatch.setattr(frontier_search, "search_frontier", noted)
    assert solve(Problem(graph=chain, closed=True), seed=1).verdict is Verdict.FOUND
    assert asked and max(part.size for part in asked) < len(chain)


@pytest.mark.parametrize(("length", "chords", "first"), [(40, 20, "alone"), (400, 0, "looked")])
def test_a_large_graph_whose_nodes_are_near_is_searched_first(length, chords, first, monkeypatch):
    graph = nx.cycle_graph(length)
    graph.add_edges_from((i, i + chords) for i in range(0, chords, 2))
    graph.add_edges_from((0, i) for i in range(5, chords, 5))
    problem, asked = Problem(graph=graph, closed=True), []

    def noted(word):
        return lambda *given: asked.append(word) or (unknown("", problem, "gave up", {}, 1))

    monkeypatch.setattr(any_graph, "TRY_SPARSE", 30)
    monkeypatch.setattr(any_graph, "_alone", noted("alone"))
    monkeypatch.setattr(any_graph, "walked", noted("walked"))
    monkeypatch.setattr(any_graph, "_looked_at", lambda *given: asked.append("looked"))
    monkeypatch.setattr(any_graph, "side_by_side", lambda *_, **__: noted("last")())
    solve(problem)
    late = ["looked"] if first == "alone" else []
    assert asked == ["looked", "alone", "walked", *late, "last"][first == "alone" :]


@pytest.mark.parametrize("length", [11, 401], ids=["GP(11, 2)", "GP(401, 2)"])
def test_solve_and_prove_agree(length):
    problem = Problem(graph=petersen(length), closed=True)
    solved, proved = solve(problem), prove(problem)
    assert solved.verdict is proved.verdict is Verdict.IMPOSSIBLE
    assert check(solved.certificate.document) == check(proved.certificate.document)

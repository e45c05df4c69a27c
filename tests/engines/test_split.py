"""Graphs solved in parts: what is said of them is true, and put together again it is a tour."""

from __future__ import annotations

from random import Random

import networkx as nx
import pytest

from kt_cp import Board, Problem, Verdict, prove, solve
from kt_cp.engines import decomposition
from kt_cp.engines.decomposition import decompose
from kt_cp.model.limits import Clock
from kt_cp.proofs.certificate import certified, nameable
from kt_cp.proofs.certify import evidence_of_part
from kt_cp.proofs.split import Whole, written
from kt_cp.trust.judge import defects
from tests.examples.certificates import accepts
from tests.examples.glued_graphs import glued, small
from tests.oracles import held_karp
from tests.support.exhaustive import exhaustive


def never(problem, limits):
    raise AssertionError(f"plain backtracking decides {problem.label}")


def whole_too(monkeypatch):
    """A part is asked even if it is the whole."""
    monkeypatch.setattr(decomposition, "WORTH", 1.0)


def held(problem, exists, note, proofs=True):
    """The answer in parts is true, with a tour or a certificate; how many parts were asked."""
    answer = decompose(problem, never, Clock(None), 1)
    assert (answer.tour is not None) == exists, note
    if exists:
        assert not defects(problem, answer.tour.squares), note
    elif proofs:
        evidence = written(Whole(problem), answer.refuted, Clock(None), evidence_of_part)
        if evidence["kind"] == "split":
            document = certified(nameable(problem), evidence).document
            assert accepts(document), note
    return answer.asked


def meagre(rng):
    """A graph that has no cycle, or hardly one."""
    return nx.Graph(rng.choice((nx.complete_bipartite_graph(2, 3), nx.wheel_graph(4))))


def random_problem(rng, most):
    """A question about a glued graph of few nodes, with conditions."""
    graph = glued(rng, rng.randrange(8, most + 1), [small, meagre])
    graph.remove_edges_from(rng.sample(list(graph.edges), rng.randrange(3)))
    nodes, edges = list(graph), list(graph.edges)
    asked = {"closed": rng.random() < 0.7}
    if rng.random() < 0.3:
        asked["require"] = rng.sample(edges, 1)
    if rng.random() < 0.3:
        asked["start"] = rng.choice(nodes)
    return Problem(graph=graph, **asked)


def compared(cases, most, proofs):
    yes = asked = 0
    for seed in cases:
        problem = random_problem(Random(seed), most)
        exists = held_karp.of_problem(problem)
        asked += held(problem, exists, seed, proofs)
        yes += exists
    return yes, asked


def test_parts_say_what_an_oracle_says(monkeypatch):
    whole_too(monkeypatch)
    yes, asked = compared(range(40), 10, proofs=True)
    assert 5 < yes < 35 and asked > 20


@exhaustive("graphs in parts have the tours of the whole", range(10_000, 15_000), sample=30)
def test_parts_of_many_graphs(cases, monkeypatch):
    whole_too(monkeypatch)
    yes, asked = compared(cases, 10, proofs=False)
    assert len(cases) // 6 < yes < 9 * len(cases) // 10 and asked > len(cases) // 3


def petersen(rng):
    """The Petersen graph, now and then with an edge that gives it a cycle."""
    graph = nx.petersen_graph()
    if rng.random() < 0.8:
        graph.add_edge(*rng.choice(list(nx.non_edges(graph))))
    return graph


@pytest.mark.parametrize("seed", range(3))
def test_sides_of_three_edges(seed):
    """Whatever parts say of larger graphs is what search without them says."""
    graph = glued(Random(seed), 26, [small, petersen], ways="vve")
    problem = Problem(graph=graph, closed=True)
    exists = solve(problem, "backtrack", time_limit=20).verdict is Verdict.FOUND
    held(problem, exists, seed)


def test_auto_solves_in_parts():
    graph = nx.Graph()
    for place in range(0, 60, 6):  # a ring of prisms, each of which lacks an edge
        prism = nx.circular_ladder_graph(3)
        prism.remove_edge(0, 3)
        graph.update(nx.relabel_nodes(prism, lambda node, place=place: node + place))
        graph.add_edge(place + 3, (place + 6) % 60)
    outcome = solve(Problem(graph=graph, closed=True))
    assert outcome.verdict is Verdict.FOUND and outcome.statistics["parts"] == 10
    opened = solve(Problem(graph=graph, start=0, end=1))
    assert opened.verdict is Verdict.FOUND and opened.tour.squares[0] == 0


def glued_petersens():
    """Two of them, each without a vertex."""
    graph = nx.disjoint_union(nx.petersen_graph(), nx.petersen_graph())
    ends = list(graph[0]), list(graph[10])
    graph.remove_nodes_from([0, 10])
    graph.add_edges_from(zip(*ends, strict=True))
    return graph


def test_auto_certifies_a_part_without_a_cycle():
    outcome = solve(Problem(graph=glued_petersens(), closed=True))
    assert outcome.verdict is Verdict.IMPOSSIBLE and outcome.certificate.kind == "split"
    assert "a graph of 10 nodes is left" in outcome.reason
    assert accepts(outcome.certificate.document)
    assert prove(Problem(graph=nx.petersen_graph(), closed=True), "split").certificate is None


def test_boards_with_holes():
    """Boards that are looked at in parts, against a naive oracle."""
    asked = 0
    for seed in range(25):
        rng = Random(seed)
        squares = [(row, column) for row in range(4) for column in range(4)]
        board = Board(4, 4, missing=frozenset(rng.sample(squares, rng.randrange(2, 6))))
        problem = Problem(board, piece="king", closed=rng.random() < 0.5)
        assert decomposition.worth_looking(problem)
        answer = decompose(problem, never, Clock(None), 1)
        if answer is None:
            continue
        exists = held_karp.of_problem(problem)
        assert (answer.tour is not None) == exists, seed
        asked += answer.asked
    assert asked


def test_what_is_not_looked_at():
    assert not decomposition.worth_looking(Problem("8x8", closed=True))
    assert not decomposition.worth_looking(Problem(graph=nx.complete_graph(30), closed=True))
    assert decompose(Problem(graph=nx.petersen_graph(), closed=True), never, Clock(None), 1) is None

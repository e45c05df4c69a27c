"""The decomposition of graphs, and frontier searches of narrow ones."""

from __future__ import annotations

from itertools import combinations
from random import Random

import networkx as nx
import pytest

from kt_cp import Board, Problem, Verdict, check, prove, solve
from kt_cp.engines import auto, decomposition, frontier_search
from kt_cp.engines.decomposition import decompose
from kt_cp.model.errors import EndedError
from kt_cp.model.limits import Limits
from kt_cp.model.outcome import EvidenceKind
from kt_cp.model.request import Request
from kt_cp.proofs.certificate import build_certificate, rename_nodes
from kt_cp.proofs.certify import evidence_of_part
from kt_cp.proofs.split import Whole, as_evidence
from kt_cp.trust.judge import defects
from tests.examples.certificates import accepts
from tests.examples.glued_graphs import glued, small
from tests.oracles import held_karp
from tests.support.exhaustive import exhaustive
from tests.support.steps import change_step, give_up


def never(request):
    raise AssertionError(f"plain backtracking decides {request.problem.label}")


def whole_too(monkeypatch):
    """Solve a part even if it is the whole graph."""
    monkeypatch.setattr(decomposition, "WORTH", 1.0)


def check_parts(problem, exists, note, proofs=True):
    """Check the answer in parts and its tour or certificate; return how many parts it solved."""
    answer = decompose(Request.begin(problem, seed=1), never)
    assert (answer.tour is not None) == exists, note
    if exists:
        assert not defects(problem, answer.tour.squares), note
    elif proofs:
        evidence = as_evidence(
            Whole(problem), answer.refuted, Request.begin(problem), evidence_of_part
        )
        if evidence["kind"] == "split":
            document = build_certificate(rename_nodes(problem), evidence).document
            assert accepts(document), note
    return answer.solved_parts


def meagre(rng):
    """Return a graph with no cycle, or with few cycles."""
    return nx.Graph(rng.choice((nx.complete_bipartite_graph(2, 3), nx.wheel_graph(4))))


def random_problem(rng, most):
    """Return a question about a glued graph of few nodes, with conditions."""
    graph = glued(rng, rng.randrange(8, most + 1), [small, meagre])
    graph.remove_edges_from(rng.sample(list(graph.edges), rng.randrange(3)))
    nodes, edges = list(graph), list(graph.edges)
    conditions = {"closed": rng.random() < 0.7}
    if rng.random() < 0.3:
        conditions["require"] = rng.sample(edges, 1)
    if rng.random() < 0.3:
        conditions["start"] = rng.choice(nodes)
    return Problem(graph=graph, **conditions)


def compared(cases, most, proofs):
    yes = parts = 0
    for seed in cases:
        problem = random_problem(Random(seed), most)
        exists = held_karp.of_problem(problem)
        parts += check_parts(problem, exists, seed, proofs)
        yes += exists
    return yes, parts


def test_parts_say_what_an_oracle_says(monkeypatch):
    whole_too(monkeypatch)
    yes, parts = compared(range(40), 10, proofs=True)
    assert 5 < yes < 35 and parts > 20


@exhaustive("graphs in parts have the tours of the whole", range(10_000, 15_000), sample=30)
def test_parts_of_many_graphs(cases, monkeypatch):
    whole_too(monkeypatch)
    yes, parts = compared(cases, 10, proofs=False)
    assert len(cases) // 6 < yes < 9 * len(cases) // 10 and parts > len(cases) // 3


def petersen(rng):
    """Return the Petersen graph, mostly with an edge that gives it a cycle."""
    graph = nx.petersen_graph()
    if rng.random() < 0.8:
        graph.add_edge(*rng.choice(list(nx.non_edges(graph))))
    return graph


@pytest.mark.parametrize("seed", range(3))
def test_sides_of_three_edges(seed):
    """Answers in parts for larger graphs equal those of search without parts."""
    graph = glued(Random(seed), 26, [small, petersen], ways="vve")
    problem = Problem(graph=graph, closed=True)
    exists = solve(problem, "backtrack", time_limit=20).verdict is Verdict.FOUND
    check_parts(problem, exists, seed)


@pytest.fixture
def no_short_steps(monkeypatch):
    """Treat small graphs as large ones."""
    for name in ("short backtracking", "short frontier search", "bounded SAT"):
        change_step(monkeypatch, name, run=give_up)


@pytest.mark.usefixtures("no_short_steps")
def test_auto_solves_in_parts():
    graph = nx.Graph()
    for place in range(0, 60, 6):  # a ring of prisms without one edge each
        prism = nx.circular_ladder_graph(3)
        prism.remove_edge(0, 3)
        graph.update(nx.relabel_nodes(prism, lambda node, place=place: node + place))
        graph.add_edge(place + 3, (place + 6) % 60)
    outcome = solve(Problem(graph=graph, closed=True))
    assert outcome.verdict is Verdict.FOUND and outcome.statistics["parts"] == 10
    opened = solve(Problem(graph=graph, start=0, end=1))
    assert opened.verdict is Verdict.FOUND and opened.tour.squares[0] == 0


def glued_petersens():
    """Return two Petersen graphs, each without a vertex, joined at their neighbours."""
    graph = nx.disjoint_union(nx.petersen_graph(), nx.petersen_graph())
    ends = list(graph[0]), list(graph[10])
    graph.remove_nodes_from([0, 10])
    graph.add_edges_from(zip(*ends, strict=True))
    return graph


@pytest.mark.usefixtures("no_short_steps")
def test_auto_certifies_a_part_without_a_cycle():
    outcome = solve(Problem(graph=glued_petersens(), closed=True))
    assert outcome.verdict is Verdict.IMPOSSIBLE and outcome.certificate.kind == "split"
    assert "a graph of 10 nodes is left" in outcome.reason
    assert accepts(outcome.certificate.document)
    assert prove(Problem(graph=nx.petersen_graph(), closed=True), "split").certificate is None


def test_boards_with_holes():
    """Boards with holes are answered in parts, and agree with a naive oracle."""
    parts = 0
    for seed in range(25):
        rng = Random(seed)
        squares = [(row, column) for row in range(4) for column in range(4)]
        board = Board(4, 4, missing=frozenset(rng.sample(squares, rng.randrange(2, 6))))
        problem = Problem(board, piece="king", closed=rng.random() < 0.5)
        assert decomposition.may_have_parts(problem)
        answer = decompose(Request.begin(problem, seed=1), never)
        if answer is None:
            continue
        exists = held_karp.of_problem(problem)
        assert (answer.tour is not None) == exists, seed
        parts += answer.solved_parts
    assert parts


def test_problems_that_are_not_decomposed():
    assert not decomposition.may_have_parts(Problem("8x8", closed=True))
    assert not decomposition.may_have_parts(Problem(graph=nx.complete_graph(30), closed=True))
    petersen = Problem(graph=nx.petersen_graph(), closed=True)
    assert decompose(Request.begin(petersen, seed=1), never) is None


@pytest.mark.usefixtures("no_short_steps")
def test_small_graphs_are_decomposed_though_they_have_many_edges():
    """Three cliques at a triangle, and a node joined to all: search alone finds no reason."""
    graph = nx.complete_graph("abc")
    for corner in "abc":
        members = [corner, *(f"{corner}{each}" for each in range(11))]
        graph.add_edges_from([*combinations(members, 2), *(("top", each) for each in members)])
    problem = Problem(graph=graph, closed=True)
    assert len(problem.indexed.tails) > 6 * problem.size
    outcome = solve(problem)
    assert outcome.certificate is not None
    assert outcome.certificate.kind == "split"


def generalized_petersen(length):
    """Return GP(n, 2), which has three cycles if n is 3 modulo 6, and none if n is 5 modulo 6."""
    around = [(i, (i + 1) % length) for i in range(length)]
    inside = [(length + i, length + (i + 2) % length) for i in range(length)]
    return nx.Graph([*around, *inside, *((i, length + i) for i in range(length))])


def swept(problem):
    request = Request.begin(problem, Limits(60), seed=1)
    return frontier_search.search_frontier("auto", request, frontier_search.find_order(problem))


def test_its_answers(monkeypatch):
    outcome = swept(Problem(graph=generalized_petersen(15), closed=True))
    assert not defects(outcome.problem, outcome.tour.squares)
    path = Problem(graph=generalized_petersen(11), start=3, end=9, require=[(4, 5)])
    assert not defects(path, swept(path).tour.squares)
    without = swept(Problem(graph=generalized_petersen(11), closed=True))
    assert without.verdict is Verdict.IMPOSSIBLE and without.certificate.kind == "sweep"
    monkeypatch.setattr(frontier_search, "CERTIFIED_STATES", 10)
    without = swept(Problem(graph=generalized_petersen(11), closed=True))
    assert without.verdict is Verdict.IMPOSSIBLE and without.evidence.kind is EvidenceKind.EXHAUSTED
    assert frontier_search.find_order(Problem(graph=nx.complete_graph(30))) is None
    assert frontier_search.find_order(Problem(graph=nx.path_graph(2))) is None


@pytest.mark.parametrize("error", [EndedError, MemoryError])
def test_it_gives_up(error, monkeypatch):
    problem = Problem(graph=generalized_petersen(11), closed=True)
    monkeypatch.setattr(frontier_search, "MOST_STATES", 10)
    assert swept(problem) is None

    def ended(*_, **__):
        raise error("there is no room")

    monkeypatch.setattr("kt_cp.counting.frontier.frontier_sweep.one_cycle", ended)
    assert swept(problem) is None


def fail(*_, **__):
    raise AssertionError("it is decided before that")


@pytest.mark.parametrize("problem", [
    Problem(graph=nx.random_regular_graph(3, 60, seed=1), closed=True),
    Problem(graph=nx.grid_2d_graph(5, 8), start=(0, 0)),
])  # fmt: skip
def test_a_small_graph_with_a_tour_is_not_swept(problem, monkeypatch):
    monkeypatch.setattr(frontier_search, "find_order", fail)
    assert not defects(problem, solve(problem).tour.squares)


def briefly(problem):
    return frontier_search.sweep_briefly("auto", Request.begin(problem, Limits(60), seed=1))


def test_a_low_bound_lets_the_checker_sweep(monkeypatch):
    without, problem = (Problem(graph=generalized_petersen(n), closed=True) for n in (11, 15))
    outcome = briefly(without)
    assert outcome.certificate.kind == "sweep" and "states" not in outcome.statistics
    checked = []
    real = frontier_search.try_certificate

    def noted(named, evidence):
        checked.append(real(named, evidence))
        return checked[-1]

    monkeypatch.setattr(frontier_search, "try_certificate", noted)
    assert not defects(problem, briefly(problem).tour.squares) and checked == [None]
    monkeypatch.setattr(frontier_search, "CHECKED_STATES", 10)
    monkeypatch.setattr(frontier_search, "try_certificate", fail)
    outcome = briefly(without)
    assert outcome.certificate.kind == "sweep" and outcome.statistics["states"] > 0


GRAPH = Problem(graph=generalized_petersen(21), closed=True)
BOARD = Problem(Board(4, 12, missing=[(1, 4), (2, 6)]), piece="wazir", closed=True)


@pytest.mark.usefixtures("no_short_steps")
@pytest.mark.parametrize("problem", [GRAPH, BOARD], ids=["graph", "board"])
def test_auto_sweeps_before_others_work(problem, monkeypatch):
    def never(*_, **__):
        raise AssertionError("it is narrow")

    monkeypatch.setattr(decomposition, "may_have_parts", lambda _: False)
    monkeypatch.setattr(auto, "search_by_backtracking", give_up)
    change_step(monkeypatch, "Warnsdorff's rule", run=give_up)
    change_step(monkeypatch, "backtracking", run=give_up)
    change_step(monkeypatch, "portfolio", run=never)
    outcome = solve(problem)
    assert outcome.engine == "auto" and outcome.statistics["states"] > 0


@pytest.mark.usefixtures("no_short_steps")
def test_so_is_a_part(monkeypatch):
    chain = nx.Graph()
    for at in range(2):
        link = nx.relabel_nodes(generalized_petersen(15), lambda v, at=at: (at, v))
        link.remove_edge((at, 0), (at, 1))
        chain.update(link)
    chain.add_edges_from([((0, 0), (1, 1)), ((0, 1), (1, 0))])
    monkeypatch.setattr(decomposition.Division, "search_small_parts", lambda *_: 0)
    monkeypatch.setattr(decomposition, "hamiltonian_cycle", lambda *_, **__: (None, False, None))
    problems = []
    real = frontier_search.search_frontier

    def noted(name, request, order):
        problems.append(request.problem)
        return real(name, request, order)

    monkeypatch.setattr(frontier_search, "search_frontier", noted)
    assert solve(Problem(graph=chain, closed=True), seed=1).verdict is Verdict.FOUND
    assert problems and max(part.size for part in problems) < len(chain)


@pytest.mark.usefixtures("no_short_steps")
@pytest.mark.parametrize(
    ("length", "chords", "first"), [(40, 20, "lazy cuts"), (400, 0, "decomposition")]
)
def test_a_large_graph_whose_nodes_are_near_is_searched_first(length, chords, first, monkeypatch):
    graph = nx.cycle_graph(length)
    graph.add_edges_from((i, i + chords) for i in range(0, chords, 2))
    graph.add_edges_from((0, i) for i in range(5, chords, 5))
    problem, steps = Problem(graph=graph, closed=True), []

    def noted(name):
        return lambda request: steps.append(name) or give_up(request)

    monkeypatch.setattr(auto, "BACKTRACK_SPARSE", 30)
    for name in ("decomposition", "frontier search", "lazy cuts", "Warnsdorff's rule", "portfolio"):
        change_step(monkeypatch, name, run=noted(name))
    for name in ("linear program", "tree decomposition"):
        change_step(monkeypatch, name, run=give_up)
    solve(problem)
    shape, searches = ["decomposition", "frontier search"], ["lazy cuts", "Warnsdorff's rule"]
    late = first == "lazy cuts"
    assert steps == [*([] if late else shape), *searches, *(shape if late else []), "portfolio"]


@pytest.mark.usefixtures("no_short_steps")
@pytest.mark.parametrize("length", [11, 401], ids=["GP(11, 2)", "GP(401, 2)"])
def test_solve_and_prove_agree(length):
    problem = Problem(graph=generalized_petersen(length), closed=True)
    solved, proved = solve(problem), prove(problem)
    assert solved.verdict is proved.verdict is Verdict.IMPOSSIBLE
    assert check(solved.certificate.document) == check(proved.certificate.document)

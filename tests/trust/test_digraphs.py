"""Directed graphs: judge, reference, engines, enumeration and certificates against an oracle."""

from __future__ import annotations

import random
from itertools import islice, pairwise, permutations

import networkx as nx
import pytest

from kt_cp import (
    Enumeration,
    Problem,
    Verdict,
    certify_list,
    check,
    engine_names,
    get_engine,
    prove,
    solve,
)
from kt_cp.model.document import problem_document
from kt_cp.model.errors import InputError
from kt_cp.proofs.certificate import rerun
from kt_cp.testing import engine
from kt_cp.trust import reference
from kt_cp.trust.check import Refusal
from kt_cp.trust.judge import Rule, defects
from tests.examples.certificates import accepts, certificate, undirected
from tests.support.bound_checks import both_accept
from tests.support.exhaustive import more


def digraphs(size):
    """Yield every digraph on ``size`` nodes."""
    pairs = [*permutations(range(size), 2)]
    for bits in range(1 << len(pairs)):
        graph = nx.DiGraph()
        graph.add_nodes_from(range(size))
        graph.add_edges_from(pair for place, pair in enumerate(pairs) if bits >> place & 1)
        yield graph


def tours(problem):
    """Every tour by trying all orders; a closed one from its start, or the first node."""
    graph, steps = problem.graph, steps_of(problem)
    for order in permutations(graph):
        arcs = [*pairwise(order), *([(order[-1], order[0])] if problem.closed else [])]
        free = problem.closed and problem.start is None and not steps
        if (
            all(graph.has_edge(*arc) for arc in arcs)
            and (problem.start in (None, order[0]) and problem.end in (None, order[-1]))
            and not (free and order[0] != next(iter(graph)))
            and {*problem.require} <= {*arcs}
            and not {*problem.forbid} & {*arcs}
            and all(order[step - 1] == node for node, step in steps.items())
        ):
            yield order


def same(made):
    """The checker takes it, and reads the problem that was written."""
    return problem_document(check(made.to_json()).problem) == made.document["problem"]


def steps_of(problem):
    return dict(each.values() for each in problem.conditions if each.key == "given")


def random_problem(rng, graph):
    """A random question about a graph."""
    nodes, closed = [*graph], rng.random() < 0.5
    start, end = (rng.choice([None, None, *nodes]) for _ in range(2))
    end = None if closed or end == start else end
    arcs = rng.sample([*graph.edges()], min(3, graph.number_of_edges()))
    require = arcs[:1] if rng.random() < 0.3 else []
    forbid = arcs[1:] if rng.random() < 0.3 else []
    given = {rng.choice(nodes): rng.randint(1, len(nodes))} if rng.random() < 0.15 else {}
    return Problem(
        graph=graph, closed=closed, start=start, end=end,
        require=require, forbid=forbid, given=given,
    )  # fmt: skip


def random_digraph(rng, size):
    """With nodes of any sort, and often with a planted cycle."""
    graph = nx.gnp_random_graph(size, rng.choice([0.2, 0.35, 0.5]), rng.randrange(10**6), True)
    if size > 1 and rng.random() < 0.5:
        nx.add_cycle(graph, rng.sample([*graph], size))
    names = [0, "0", (1, 2), "in 0", "", "at 1", "out out", frozenset({1}), "source"]
    return nx.relabel_nodes(graph, dict(enumerate(rng.sample(names, size))))


def check_outcome(problem, engine="auto"):
    """The answer, with what the oracle says of it."""
    outcome, true = solve(problem, engine, own_process=False), [*tours(problem)]
    note = f"{problem.label} {[*problem.graph.edges()]} {outcome}"
    if outcome.verdict is Verdict.FOUND:
        walk = tuple(outcome.tour)
        if problem.closed and problem.start is None and not steps_of(problem):
            turn = walk.index(next(iter(problem.graph)))
            walk = walk[turn:] + walk[:turn]
        assert walk in true, note
        assert outcome.verified and outcome.checks.agrees is not False, note
    assert not (true and outcome.verdict is Verdict.IMPOSSIBLE), note
    assert true or outcome.verdict is not Verdict.FOUND, note
    assert (outcome.verdict is Verdict.FOUND) == bool(true), note
    return outcome


@pytest.mark.parametrize("size", [1, 2, 3])
def test_all_small_digraphs(size):
    for number, graph in enumerate(digraphs(size)):
        closed = Problem(graph=graph, closed=True)
        mixed = [{}, {"start": 0}, {"end": 0}, {"start": 0, "end": size - 1}][number % 4]
        for problem in (closed, Problem(graph=graph, **mixed)):
            outcome = check_outcome(problem)
            if outcome.verdict is Verdict.IMPOSSIBLE:
                assert same(outcome.certificate)
                assert accepts(outcome.certificate.document), problem.label


@pytest.mark.slow
def test_the_reference_decides_all_of_four_nodes():
    for number, graph in islice(enumerate(digraphs(4)), 0, None, more(3, 1)):
        asked_for = [{"closed": True}, {}, {"start": 0}, {"start": 1, "end": 2}][number % 4]
        problem = Problem(graph=graph, **asked_for)
        walk, true = reference.decide(problem).squares, next(tours(problem), None)
        assert (walk is None) == (true is None), f"{problem.label} {[*graph.edges()]}"
        assert walk is None or defects(problem, walk) == []


def test_counted_and_listed():
    rng = random.Random(3)
    for _ in range(25):
        problem = random_problem(rng, random_digraph(rng, rng.randint(1, 5)))
        true = {*tours(problem)}
        everything = Enumeration(problem)
        listed = [tour.squares for tour in everything]
        assert everything.unit == "directed: a tour follows the arcs"
        assert len(listed) == len(set(listed)) == len(true) == Enumeration(problem).count()
        assert problem.closed or set(listed) == true
        assert all(defects(problem, walk) == [] for walk in listed)


NAMES = [name for name in engine_names() if name not in ("construct", "sat")]


@pytest.mark.parametrize("name", [*NAMES, "sat:lazy", "sat:lazy:cadical153:patch", "sat:reach"])
def test_every_engine(name):
    """On random questions; what an engine does not take it refuses before it starts."""
    rng = random.Random(f"16 {name}")
    for _ in range(4):
        problem = random_problem(rng, random_digraph(rng, rng.randint(3, 6)))
        outcome = engine.answer(name, problem)
        if outcome is not None:
            exists = next(tours(problem), None) is not None
            note = f"{name} {problem.label} {[*problem.graph.edges()]} {outcome}"
            assert exists or outcome.verdict is not Verdict.FOUND, note
            assert not (exists and outcome.verdict is Verdict.IMPOSSIBLE), note
            complete = get_engine(name).complete
            assert not complete or outcome.verdict is not Verdict.UNKNOWN, note


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(more(2, 4)))
def test_random_questions(seed):
    rng = random.Random(seed)
    for _ in range(40):
        problem = random_problem(rng, random_digraph(rng, rng.randint(5, 7)))
        engines = ["auto", "cpsat"] if steps_of(problem) else ["auto", "backtrack", "sat:lazy"]
        outcome = check_outcome(problem, rng.choice(engines))
        if outcome.certificate is not None:
            assert same(outcome.certificate)
            assert accepts(outcome.certificate.document), problem.label


CYCLE = [("a", "b"), ("b", "c"), ("c", "d"), ("d", "a")]


@pytest.mark.parametrize(
    ("walk", "asked_for", "rule"),
    [
        ("dcba", {}, Rule.ILLEGAL_MOVE),
        ("abdc", {}, Rule.ILLEGAL_MOVE),
        ("abc", {}, Rule.UNVISITED),
        ("abcd", {"require": [("d", "a")]}, None),
        ("abcd", {"require": [("b", "a")]}, Rule.REQUIRED_MISSING),
        ("abcd", {"forbid": [("d", "a")]}, Rule.FORBIDDEN_USED),
        ("abcd", {"forbid": [("b", "a")]}, None),
        ("abcd", {"closed": False, "require": [("d", "a")]}, Rule.REQUIRED_MISSING),
        ("abcd", {"closed": False, "forbid": [("d", "a")]}, None),
        ("bcda", {"start": "a"}, Rule.WRONG_START),
        ("bcda", {"given": {"a": 4, "b": 1}}, None),
        ("bcda", {"given": {"a": 1}}, Rule.WRONG_STEP),
    ],
)
def test_the_judge_follows_arcs(walk, asked_for, rule):
    graph = nx.DiGraph([*CYCLE, ("b", "a")])
    problem = Problem(graph=graph, **{"closed": True, **asked_for})
    assert {defect.rule for defect in defects(problem, [*walk])} >= ({rule} if rule else set())
    assert rule is not None or defects(problem, [*walk]) == []


def test_two_nodes_with_two_arcs_are_a_closed_tour():
    both, one = nx.DiGraph([(1, 2), (2, 1)]), nx.DiGraph([(1, 2)])
    assert solve(both, closed=True).tour.squares == (1, 2)
    assert [str(each) for each in defects(Problem(graph=one, closed=True), [1, 2])] == [
        "not closed: no way back from 2 to 1 by an arc not used yet"
    ]
    assert solve(one, closed=True).verdict is Verdict.IMPOSSIBLE
    assert solve(nx.Graph(both), closed=True).verdict is Verdict.IMPOSSIBLE


def test_lists_of_tours_are_certified():
    graph = nx.DiGraph([*CYCLE, ("a", "c"), ("d", "b"), ("b", "d"), ("c", "a"), ("a", "d")])
    problem = Problem(graph=graph, closed=True)
    found = [*Enumeration(problem)]
    made = certify_list(problem, found)
    assert accepts(made.document) and made.claim == f"all {len(found)} tours"
    turned = {tuple(tour[tour.index("a") :] + tour[: tour.index("a")])
              for tour in check(made.to_json()).tours}  # fmt: skip
    assert turned == {tour.squares for tour in found} == {*tours(problem)}
    with pytest.raises(InputError, match="got 1; another is"):
        certify_list(problem, found[:1])


def test_changed_certificates_of_digraphs():
    graph = nx.DiGraph([*CYCLE[:3], ("b", "a"), ("d", "b"), ("c", "a")])
    made = prove(Problem(graph=graph, closed=True, start="b")).certificate
    document, problem = made.document, made.document["problem"]
    assert document["schema_version"] == 5 and accepts(document)
    back = [["d", "a"], *problem["edges"]]
    bare = {key: value for key, value in problem.items() if key != "directed"}
    for changed in (
        {"problem": {**problem, "edges": back}},  # now there is a tour
        {"problem": {**problem, "edges": [edge[::-1] for edge in back]}},
        {"problem": {**problem, "directed": False}},
        {"problem": {**problem, "directed": 1}},
        {"problem": {**problem, "directed": None}},
        {"problem": {**problem, "edges": [*problem["edges"], ["a", "b"]]}},
        {"problem": {**problem, "edges": [*problem["edges"], ["a", "a"]]}},
        {"problem": {**problem, "require": [["a", "b"], ["c", "b"]]}},
        {"problem": {**problem, "require": [["b", "a"], ["b", "c"]]}},
        {"problem": bare},
        {"schema_version": 4},
    ):
        forged = {key: value for key, value in {**document, **changed}.items() if key != "digest"}
        forged.pop("argument")
        with pytest.raises(Refusal):
            check(forged)
        assert not accepts(forged), changed
    assert check({**document, "argument": made.argument, "digest": document["digest"]})
    with pytest.raises(Refusal, match="expected the argument: "):
        check({**{k: v for k, v in document.items() if k != "digest"}, "argument": "so it is"})


def test_a_search_that_ended_is_reported():
    graph = nx.DiGraph([("a", "b"), ("b", "c"), ("c", "b"), ("c", "a"), ("b", "d"), ("d", "b")])
    report = prove(Problem(graph=graph, closed=True), "exhausted").certificate
    assert rerun(report.document).argument == report.argument


def two_way(graph):
    return nx.DiGraph([*graph.edges, *(edge[::-1] for edge in graph.edges)])


@pytest.mark.parametrize("seed", range(40))
def test_arcs_that_all_have_their_reverse(seed):
    """They are solved as an undirected graph, and certificates carry over."""
    rng = random.Random(seed)
    graph = two_way(nx.gnp_random_graph(rng.randint(3, 7), 0.5, seed=seed))
    if len(graph) < 2:
        return
    closed = rng.random() < 0.5
    start = rng.choice([None, next(iter(graph))])
    problem = Problem(graph=graph, closed=closed, start=start)
    outcome = check_outcome(problem)
    if outcome.verdict is Verdict.IMPOSSIBLE and nx.is_connected(graph.to_undirected()):
        assert outcome.certificate.kind == ("undirected" if len(graph) > 2 else "degrees")
        assert same(outcome.certificate)
        assert accepts(outcome.certificate.document)
        assert both_accept(outcome.certificate.document)


def test_the_tour_of_a_large_two_way_digraph():
    outcome = solve(two_way(nx.circular_ladder_graph(400)), closed=True)
    assert outcome.problem.directed and outcome.tour.closed and len(outcome.tour) == 800


PATH, DEGREES = undirected()[0]
SIZE = {"kind": "undirected", "then": {"kind": "size"}}
TWO = {**PATH, "nodes": ["a", "b"], "edges": [["a", "b"], ["b", "a"]]}


@pytest.mark.parametrize(
    ("problem", "evidence"),
    [
        ({**PATH, "edges": PATH["edges"][:3]}, DEGREES),
        ({**PATH, "directed": False, "edges": PATH["edges"][::2]}, DEGREES),
        ({**PATH, "require": [["a", "b"]]}, DEGREES),
        ({**PATH, "forbid": [["a", "b"]]}, DEGREES),
        (TWO, SIZE),
        (TWO, DEGREES),
        (PATH, SIZE),
        (PATH, {"kind": "undirected", "then": DEGREES}),
        (PATH, {"kind": "undirected", "then": {"kind": "list", "tours": []}}),
        (PATH, {"kind": "undirected", "then": {"kind": "degrees", "squares": ["in a"]}}),
        (PATH, {"kind": "undirected", "then": {"kind": "degrees", "squares": ["b"]}}),
        (PATH, {"kind": "undirected", "then": None}),
        (PATH, {"kind": "undirected"}),
        (PATH, {**DEGREES, "squares": []}),
    ],
)
def test_evidence_about_the_undirected_graph_is_refused(problem, evidence):
    assert not both_accept(certificate(problem, evidence))


def test_evidence_about_the_undirected_graph_is_of_version_7():
    document = certificate(PATH, DEGREES)
    assert both_accept(document)
    assert not both_accept({**document, "schema_version": 6})

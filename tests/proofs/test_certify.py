"""The order of evidence, what happens when it is refused, and refutations end to end."""

from __future__ import annotations

import random

import networkx as nx
import pytest

from kt_cp import Board, Enumeration, Problem, Verdict, check, defects, prove, solve
from kt_cp.model.errors import InputError, UnsoundEngineError
from kt_cp.model.limits import Limits
from kt_cp.model.outcome import Certificate
from kt_cp.proofs import certificate as making
from kt_cp.proofs import certify as certifying
from kt_cp.proofs.certify import KINDS, Finding, certify
from kt_cp.proofs.refutation import refutation, refute
from kt_cp.trust.check import Reason, Refusal
from tests.proofs.test_certify import random_problem
from tests.support.exhaustive import exhaustive


def nowhere(_work):
    pass


@pytest.mark.parametrize(
    ("problem", "kinds"),
    [
        (Problem(Board(1, 2), closed=True), {"size", "degrees"}),
        (Problem(Board(5, 5), closed=True), {"colours", "removal", "forced"}),
        (Problem(Board(3, 3)), {"degrees", "connectivity", "forced", "refutation"}),
        (Problem(Board(4, 4)), {"removal", "forced", "refutation"}),
        (Problem(Board(3, 8), closed=True), {"forced", "refutation"}),
        (Problem(Board(4, 6), closed=True), {"removal", "tight", "forced", "refutation"}),
        (Problem(graph=nx.petersen_graph(), closed=True), {"forced", "refutation"}),
        (Problem(graph=nx.complete_bipartite_graph(2, 5)), {"removal", "refutation"}),
    ],
    ids=lambda value: value.label if isinstance(value, Problem) else "",
)
def test_kinds_that_settle_a_problem(problem, kinds):
    """Every kind that is found is of its name, and the front door takes the first of them."""
    made = {kind: certify(problem, (kind,), limits=Limits(20)).certificate for kind in KINDS}
    settled = [kind for kind in KINDS if made[kind] is not None]
    assert kinds <= set(settled)
    for kind in settled:
        assert made[kind].kind == kind == check(made[kind].to_json()).kind
    assert certify(problem).certificate.kind == settled[0]


@pytest.mark.parametrize(
    ("names", "told"),
    [
        ({0: "1"}, ["'1'"]),
        ({0: "end"}, ["'end'"]),
        ({0: "a\nb"}, [r"'a\nb'"]),
        ({0: "x" * 2000, 1: "node 1"}, ["node 2", "node 1"]),
        ({0: ("a", 1), 1: "('a', 1)"}, ["('a', 1)", """"('a', 1)\""""]),
    ],
)
def test_nodes_that_no_certificate_can_name_have_other_names(names, told):
    petersen = nx.relabel_nodes(nx.petersen_graph(), names)
    outcome = prove(Problem(graph=petersen, closed=True))
    assert outcome.verdict is Verdict.IMPOSSIBLE
    nodes = outcome.certificate.document["problem"]["nodes"]
    assert nodes == told + [str(number) for number in range(len(told), 10)]
    first, *_, last = list(petersen)[:7]
    open_ = Problem(graph=petersen, start=first, end=last)
    tour = certify(open_, ("refutation",)).tour
    assert not defects(open_, tour.squares)
    star = nx.relabel_nodes(nx.star_graph(3), names)
    assert solve(Problem(graph=star)).certificate.kind == "degrees"
    assert prove(Problem(graph=star), "exhausted").certificate.kind == "exhausted"


def test_nodes_that_another_process_writes_otherwise_keep_their_names():
    """A set is written in an order that each process has for itself, also within a tuple."""
    triangle = nx.Graph([("x", frozenset("abcdefgh")), ("x", (1, frozenset("pqrstuvw")))])
    triangle.add_edge(*[node for node in triangle if node != "x"])
    assert Enumeration(Problem(graph=triangle)).certificate().claim == "all 3 tours"


def test_nothing_is_found_where_there_is_a_tour():
    for kind in set(KINDS) - {"refutation"}:
        assert certify(Problem(Board(5, 6), closed=True), (kind,), limits=Limits(5)) == Finding()
    tour = certify(Problem(Board(5, 6), closed=True), ("refutation",)).tour
    assert not defects(Problem(Board(5, 6), closed=True), tour.squares)
    assert certify(Problem(Board(1, 1))) == Finding()


def test_evidence_that_the_checker_refuses_is_a_bug(monkeypatch):
    monkeypatch.setitem(
        certifying._STRUCTURAL, "cut", lambda problem, clock: {"kind": "cut", "squares": ["a1"]}
    )
    with pytest.raises(UnsoundEngineError, match="evidence of kind cut on 4x4, open is refused"):
        certify(Problem(Board(4, 4)))


def test_evidence_too_long_for_the_checker_is_none(monkeypatch):
    def refuse(*_arguments):
        raise Refusal(Reason.TOO_LARGE, "too long for a test")

    monkeypatch.setattr(making, "certified", refuse)
    assert certify(Problem(Board(4, 4)), ("removal",)) == Finding()
    outcome = prove(Problem(Board(4, 4)), "removal")
    assert outcome.verdict is Verdict.UNKNOWN


def test_a_kind_that_does_not_do_is_named_with_one_that_does():
    outcome = prove(Problem(Board(4, 4)), "colours")
    assert outcome.verdict is Verdict.UNKNOWN
    assert "no evidence of kind colours was found; of kind removal there is" in outcome.reason
    with pytest.raises(InputError, match="expected evidence, one of size, colours"):
        prove(Problem(Board(4, 4)), "magic")


BOARDS = [
    ("1x1", "knight"),
    ("1x2", "knight"),
    ("1x3", "knight"),
    ("2x7", "3,3"),
    ("3x3", "knight"),
]
GRAPHS = [
    *(nx.empty_graph(nodes, kind) for nodes in (1, 2, 3) for kind in (nx.Graph, nx.DiGraph)),
    nx.path_graph(2),
    nx.MultiDiGraph([(0, 0), (0, 1), (0, 1)]),
]


@pytest.mark.parametrize("kind", [None, *KINDS, "exhausted"])
def test_problems_with_hardly_a_move_have_evidence_or_a_reason_why_not(kind):
    problems = [Problem(graph=graph, closed=closed) for graph in GRAPHS for closed in (False, True)]
    for sides, piece in BOARDS:
        for more in ({}, {"closed": True}, {"symmetry": "half-turn"}):
            problems.append(Problem(sides, piece=piece, **more))
    for problem in problems:
        edges = len({edge for edge in problem.graph.edges() if len({*edge}) == 2})
        exists = not problem.closed and problem.size < 3 and problem.size == 1 + edges
        outcome = prove(problem, kind)
        note = f"{problem.label}: {outcome.verdict}, {outcome.reason}"
        if exists or kind is None:
            assert outcome.verdict is (Verdict.FOUND if exists else Verdict.IMPOSSIBLE), note
        else:
            assert outcome.verdict is not Verdict.FOUND and outcome.reason, note


def test_a_search_for_symmetric_tours_is_no_evidence():
    """The recursion knows nothing of symmetries: it found a tour that is not symmetric."""
    there = Problem(Board(3, 3, surface="klein"), symmetry="half-turn", closed=True)
    assert prove(there, "exhausted").verdict is Verdict.FOUND
    outcome = prove(Problem("3x4", symmetry="left-right"), "exhausted")
    assert outcome.verdict is Verdict.UNKNOWN
    assert "no evidence of kind exhausted was found; of kind symmetry" in outcome.reason


@exhaustive("random boards have a tour or a refutation", range(1000, 1150), sample=5, batches=2)
def test_refutations_of_random_boards_and_tours_found_on_the_way(cases):
    verdicts = {"tour": 0, "none": 0}
    for seed in cases:
        problem = random_problem(random.Random(seed))
        print(f"seed {seed}: {problem.label}")
        found = refute(problem, seed, [], None, emit=nowhere)
        if found.tour is not None:
            verdicts["tour"] += 1
            assert not defects(problem, found.tour)
            continue
        verdicts["none"] += 1
        assert isinstance(making.certified(problem, found.evidence), Certificate)
    assert len(cases) < 75 or min(verdicts.values()) > len(cases) // 15, verdicts


def test_sets_that_settle_nothing_join_a_refutation(monkeypatch):
    """They do where other kinds were tried before; asked for alone, it is the bare formula's."""
    problem = Problem(Board(6, 6, missing={(0, 2), (1, 1), (4, 1), (5, 2)}), closed=True)
    for kind in ("removal", "forced", "sweep"):
        monkeypatch.setitem(certifying._STRUCTURAL, kind, lambda problem, clock: None)
    joined = certify(problem).certificate.document["evidence"]
    alone = certify(problem, ("refutation",)).certificate.document["evidence"]
    assert joined["kind"] == alone["kind"] == "refutation"
    assert len(joined["tight"]) > 0
    assert alone["tight"] == []


def test_a_refutation_ends_at_its_time_limit():
    found = refutation(Problem(Board(7, 7), closed=True), limits=Limits(1.0))
    assert found.tour is None and found.evidence is None


def test_every_engine_gets_a_certificate_at_the_front_door():
    outcome = solve(Problem(Board(4, 4)), "auto")
    assert outcome.certificate.kind == "removal"
    assert outcome.reason == outcome.certificate.argument

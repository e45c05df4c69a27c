"""Certificates of boards, pieces and surfaces: the order of evidence, complete refutations."""

from __future__ import annotations

import json
import os
import random
import time
from collections import Counter
from itertools import product

import networkx as nx
import pytest

from kt_cp import Board, Enumeration, Problem, Verdict, check, defects, prove, solve
from kt_cp.formats.refutation import formula_text, hinted_text
from kt_cp.model import limits
from kt_cp.model.errors import InputError, UnsoundEngineError
from kt_cp.model.limits import Limits
from kt_cp.model.outcome import Certificate
from kt_cp.model.piece import NAMED
from kt_cp.model.request import Request
from kt_cp.model.surface import Surface
from kt_cp.proofs import certificate as making
from kt_cp.proofs import certify as certifying
from kt_cp.proofs.certify import KINDS, Finding, certify
from kt_cp.proofs.refutation import find_refutation, refute
from kt_cp.proofs.theorems import has_no_closed_tour, has_no_open_tour
from kt_cp.testing.problems import flower_snark
from kt_cp.trust import reference
from kt_cp.trust.check import Reason, Refusal
from tests.examples.certificates import accepts
from tests.support.exhaustive import exhaustive, more

STRUCTURE = ("colours", "degrees", "connectivity", "cut", "removal", "tight", "forced")
FIND_SECONDS, CHECK_SECONDS = 10.0, 2.0


def processor_seconds():
    """Return the processor time of this process and of its children that have ended."""
    return sum(os.times()[:4])


def certificate_of(problem, kinds=STRUCTURE, find=FIND_SECONDS, seconds=CHECK_SECONDS):
    """Prove a problem, check the text of the certificate, and assert limits of processor time."""
    began = processor_seconds()
    outcome = prove(problem)
    found = processor_seconds() - began
    assert outcome.verdict is Verdict.IMPOSSIBLE, (problem.label, outcome.reason)
    text = outcome.certificate.to_json()
    began = processor_seconds()
    checked = check(text)
    took = processor_seconds() - began
    assert checked.kind in kinds, (problem.label, checked)
    assert checked.problem.label == problem.label
    assert checked.argument == outcome.reason
    assert found < find and took < seconds, (problem.label, checked.kind, found, took)
    return outcome.certificate


SMALL = [(rows, columns) for rows in range(1, 9) for columns in range(1, 9)]


@pytest.mark.parametrize(
    "sides", [s for s in SMALL if has_no_open_tour(*sorted(s))], ids=lambda s: f"{s[0]}x{s[1]}"
)
def test_every_small_board_without_an_open_tour(sides):
    certificate_of(Problem(Board(*sides)))


@pytest.mark.slow
@pytest.mark.parametrize(
    "sides", [s for s in SMALL if has_no_closed_tour(*sorted(s))], ids=lambda s: f"{s[0]}x{s[1]}"
)
def test_every_small_board_without_a_closed_tour(sides):
    certificate_of(Problem(Board(*sides), closed=True), ("size", *STRUCTURE))


NARROW = [
    (rows, columns)
    for rows in (3, 4)
    for columns in range(3, 61)
    if has_no_closed_tour(*sorted((rows, columns)))
]


@exhaustive("narrow boards have proofs", NARROW, sample=1, batches=4)
def test_narrow_boards_without_a_closed_tour(cases):
    for rows, columns in cases:
        certificate_of(Problem(Board(rows, columns), closed=True))


@pytest.mark.slow
@pytest.mark.parametrize("side", more([1, 5, 21, 101], [1, 3, 5, 7, 21, 51, 101]))
def test_odd_sides_have_no_closed_tour_by_colours_alone(side):
    for other in (side, more(51, 101)):
        if side * other > 2:
            made = certificate_of(Problem(Board(side, other), closed=True), ("colours",))
            assert len(made.to_json()) < 1000


INNER = [(columns, row, column) for columns in range(4, 13) for row in (1, 2)
         for column in range(columns) if columns > 4]  # fmt: skip
INNER += [(columns, row, column) for columns in (20, 30) for row, column in ((1, 0), (2, 7))]
INNER += [(30, 1, 29), (30, 2, 15), (60, 1, 31)]


@exhaustive("starts within four ranks have proofs", INNER, sample=1)
def test_four_ranks_have_no_tour_from_an_inner_square(cases):
    for columns, row, column in cases:
        problem = Problem(Board(4, columns), start=(row, column))
        certificate_of(problem, ("tight", "removal", "forced"))


def fixed_ends():
    """Yield the lemmas on prescribed ends, except by colours, for 3 and 5 ranks to 30 files."""
    for columns in (5, 6, 9, 14, 19, 24, 29, 30):
        common_neighbour, corners = (2, 1), {(0, 0), (4, 0)}
        for end in [(0, columns - 1), (4, columns - 2), (3, columns - 1), (2, columns - 3)]:
            if end not in corners:
                yield Board(5, columns), common_neighbour, end
    for columns in (7, 8, 9, 10, 15, 16, 21, 22, 29, 30):
        for end in [(0, columns - 1), (2, columns - 2), (1, columns - 1), (1, columns - 2)]:
            yield Board(3, columns), (1, 2), end
        yield Board(3, columns), (0, 2), (2, 2)
        yield Board(3, columns), (2, 2), (1, 3)
        yield Board(3, columns), (0, 2), (1, 3)


@exhaustive("ends of three and five ranks have proofs", fixed_ends(), sample=4, batches=2)
def test_ends_that_three_and_five_ranks_do_not_allow(cases):
    for board, start, end in cases:
        problem = Problem(board, start=start, end=end)
        certificate_of(problem, ("colours", "forced", "removal", "tight"))


def random_problem(rng):
    rows, columns = rng.randint(3, 6), rng.randint(3, 6)
    squares = [(row, column) for row in range(rows) for column in range(columns)]
    missing = set(rng.sample(squares, rng.choice([0, 1, 2, 2, 3, 4, 6])))
    left = [square for square in squares if square not in missing]
    start, end = rng.sample(left, 2)
    conditions = rng.choice(
        [{}, {"closed": True}, {"start": start}, {"end": end}, {"start": start, "end": end}]
    )
    return Problem(Board(rows, columns, missing), **conditions)


def naive_verdict(problem):
    """Return the naive recursion's verdict or, if it gives up, that of exhaustive backtracking."""
    walk = reference.decide(problem, budget=300_000)
    if walk.verdict is not Verdict.UNKNOWN:
        return walk.verdict
    return solve(problem, "backtrack").verdict


@exhaustive("random small boards have a tour or a proof", range(500), sample=15, batches=4)
def test_random_boards_against_the_naive_recursion(cases):
    verdicts = []
    for seed in cases:
        problem = random_problem(random.Random(seed))
        print(f"seed {seed}: {problem.label}")
        outcome = prove(problem, seed=seed)
        verdicts.append(outcome.verdict)
        assert outcome.verdict is naive_verdict(problem)
        if outcome.verdict is Verdict.FOUND:
            assert not defects(problem, outcome.tour.squares)
        else:
            assert check(outcome.certificate.to_json()).kind == outcome.certificate.kind
    assert len(cases) < 100 or len(set(verdicts)) == 2, (
        "there should be boards with and without tours"
    )


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
    """Every kind of evidence has its name, and the front door uses the first kind that is found."""
    made = {
        kind: certify(Request.begin(problem, Limits(20)), (kind,)).certificate for kind in KINDS
    }
    settled = [kind for kind in KINDS if made[kind] is not None]
    assert kinds <= set(settled)
    for kind in settled:
        assert made[kind].kind == kind == check(made[kind].to_json()).kind
    assert certify(Request.begin(problem)).certificate.kind == settled[0]


@pytest.mark.parametrize(
    ("names", "renamed"),
    [
        ({0: "1"}, ["'1'"]),
        ({0: "end"}, ["'end'"]),
        ({0: "a\nb"}, [r"'a\nb'"]),
        ({0: "x" * 2000, 1: "node 1"}, ["node 2", "node 1"]),
        ({0: ("a", 1), 1: "('a', 1)"}, ["('a', 1)", """"('a', 1)\""""]),
    ],
)
def test_nodes_that_no_certificate_can_name_have_other_names(names, renamed):
    petersen = nx.relabel_nodes(nx.petersen_graph(), names)
    outcome = prove(Problem(graph=petersen, closed=True))
    assert outcome.verdict is Verdict.IMPOSSIBLE
    nodes = outcome.certificate.document["problem"]["nodes"]
    assert nodes == renamed + [str(number) for number in range(len(renamed), 10)]
    first, *_, last = list(petersen)[:7]
    open_ = Problem(graph=petersen, start=first, end=last)
    tour = certify(Request.begin(open_), ("refutation",)).tour
    assert not defects(open_, tour.squares)
    star = nx.relabel_nodes(nx.star_graph(3), names)
    assert solve(Problem(graph=star)).certificate.kind == "degrees"
    assert prove(Problem(graph=star), "exhausted").certificate.kind == "exhausted"


def test_nodes_that_another_process_writes_otherwise_keep_their_names():
    """The order of a set differs between processes, also within a tuple."""
    triangle = nx.Graph([("x", frozenset("abcdefgh")), ("x", (1, frozenset("pqrstuvw")))])
    triangle.add_edge(*[node for node in triangle if node != "x"])
    assert Enumeration(Problem(graph=triangle)).certificate().claim == "all 3 tours"


def test_nothing_is_found_where_there_is_a_tour():
    for kind in set(KINDS) - {"refutation"}:
        assert (
            certify(Request.begin(Problem(Board(5, 6), closed=True), Limits(5)), (kind,))
            == Finding()
        )
    tour = certify(Request.begin(Problem(Board(5, 6), closed=True)), ("refutation",)).tour
    assert not defects(Problem(Board(5, 6), closed=True), tour.squares)
    assert certify(Request.begin(Problem(Board(1, 1)))) == Finding()


BUSY = [
    (Problem("4x4"), "removal"),
    (Problem("4x10", closed=True), "removal"),
    (Problem(Board(5, 8), start=(2, 1), end=(3, 7)), "removal"),
    (Problem(Board(6, 6, missing={(0, 2), (1, 1), (4, 1), (5, 2)}), closed=True), "forced"),
    (Problem(graph=nx.petersen_graph(), closed=True), "forced"),
    (Problem(graph=flower_snark(9), closed=True), "sweep"),
]


@pytest.mark.parametrize(("problem", "kind"), BUSY, ids=[problem.label for problem, _ in BUSY])
def test_a_busy_machine_gives_the_same_argument(problem, kind, monkeypatch):
    """The clock runs as if this process had a thousandth of a processor."""
    own = certify(Request.begin(problem)).certificate
    real = time.perf_counter
    monkeypatch.setattr(limits.time, "perf_counter", lambda: 1_000 * real())
    assert certify(Request.begin(problem)).certificate.to_json() == own.to_json()
    assert own.kind == kind


def test_evidence_that_the_checker_refuses_is_a_bug(monkeypatch):
    monkeypatch.setitem(
        certifying._STRUCTURAL, "cut", lambda *_: {"kind": "cut", "squares": ["a1"]}
    )
    with pytest.raises(UnsoundEngineError, match="evidence of kind cut on 4x4, open is refused"):
        certify(Request.begin(Problem(Board(4, 4))))


def test_evidence_too_long_for_the_checker_is_none(monkeypatch):
    def refuse(*_arguments):
        raise Refusal(Reason.TOO_LARGE, "too long for a test")

    monkeypatch.setattr(making, "build_certificate", refuse)
    assert certify(Request.begin(Problem(Board(4, 4))), ("removal",)) == Finding()
    outcome = prove(Problem(Board(4, 4)), "removal")
    assert outcome.verdict is Verdict.UNKNOWN


def test_a_kind_that_does_not_do_is_named_with_one_that_does():
    outcome = prove(Problem(Board(4, 4)), "colours")
    assert outcome.verdict is Verdict.UNKNOWN
    assert "no evidence of kind colours was found, but evidence of kind removal" in outcome.reason
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
        for options in ({}, {"closed": True}, {"symmetry": "half-turn"}):
            problems.append(Problem(sides, piece=piece, **options))
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
    """The recursion ignores symmetries: it finds a tour that is not symmetric."""
    there = Problem(Board(3, 3, surface="klein"), symmetry="half-turn", closed=True)
    assert prove(there, "exhausted").verdict is Verdict.FOUND
    outcome = prove(Problem("3x4", symmetry="left-right"), "exhausted")
    assert outcome.verdict is Verdict.UNKNOWN
    assert (
        "no evidence of kind exhausted was found, but evidence of kind symmetry" in outcome.reason
    )


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
        assert isinstance(making.build_certificate(problem, found.evidence), Certificate)
    assert len(cases) < 75 or min(verdicts.values()) > len(cases) // 15, verdicts


def test_sets_that_settle_nothing_join_a_refutation(monkeypatch):
    """Sets join a refutation only after other kinds fail, not if it is the requested kind."""
    problem = Problem(Board(6, 6, missing={(0, 2), (1, 1), (4, 1), (5, 2)}), closed=True)
    for kind in ("removal", "forced", "potentials", "sweep"):
        monkeypatch.setitem(certifying._STRUCTURAL, kind, lambda *_: None)
    joined = certify(Request.begin(problem)).certificate.document["evidence"]
    alone = certify(Request.begin(problem), ("refutation",)).certificate.document["evidence"]
    assert joined["kind"] == alone["kind"] == "refutation"
    assert len(joined["tight"]) > 0
    assert alone["tight"] == []


def test_a_refutation_ends_at_its_time_limit():
    found = find_refutation(Request.begin(Problem(Board(7, 7), closed=True), Limits(1.0)))
    assert found.tour is None and found.evidence is None


def test_every_engine_gets_a_certificate_at_the_front_door():
    outcome = solve(Problem(Board(4, 4)), "auto")
    assert outcome.certificate.kind == "removal"
    assert outcome.reason == outcome.certificate.argument


SIDES = [(r, c) for r, c in product(range(1, 6), repeat=2) if 1 < r * c <= 20]
ALL_SMALL = list(product(SIDES, Surface, NAMED, (False, True)))


@exhaustive("small boards of all pieces and surfaces have a tour or a proof", ALL_SMALL, sample=40)
def test_every_small_board_of_every_piece_on_every_surface(cases, monkeypatch):
    def here(request, *, sets=(), order=()):
        left = request.clock.left
        return refute(request.problem, 0, sets, left, (), order, emit=lambda _work: None)

    monkeypatch.setattr("kt_cp.proofs.refutation.find_refutation", here)
    counted = Counter()
    for (rows, columns), surface, name, closed in cases:
        problem = Problem(Board(rows, columns, surface=surface), piece=name, closed=closed)
        found = certify(Request.begin(problem, Limits(120)))
        if found.certificate is None:
            assert not defects(problem, found.tour.squares), problem.label
            counted["tour"] += 1
        else:
            document = json.loads(found.certificate.to_json())
            assert check(document).problem == problem
            assert accepts(document), problem.label
            counted[found.certificate.kind] += 1
    print(counted)
    assert counted["tour"] > len(cases) // 10
    assert counted["degrees"]


A1, B2, C2, B3, D2 = (0, 0), (1, 1), (1, 2), (2, 1), (1, 3)
PROBLEM_OF_KIND = [
    # Two required moves use up b3, and a1 needs it.
    ("forced", Problem(Board(5, 6), closed=True, require=[(B3, D2), (B3, (4, 0))])),
    ("degrees", Problem(Board(5, 6), closed=True, forbid=[(A1, C2)])),
    ("degrees", Problem(Board(8, 8), start=D2, forbid=[(A1, C2), (A1, B3)])),
    ("connectivity", Problem(Board(2, 3), piece="wazir", forbid=[(A1, (0, 1)), ((1, 0), B2)])),
    ("colours", Problem(Board(3, 4, {A1}, "moebius"), closed=True, require=[((0, 1), (2, 2))])),
    ("cut", Problem(Board(2, 3), piece="wazir", closed=True, forbid=[((1, 0), B2)])),
    ("removal", Problem(Board(4, 4), require=[(A1, B3)], forbid=[((3, 3), (1, 2))])),
    ("tight", Problem(Board(4, 10), closed=True, require=[((0, 4), (2, 5))], forbid=[(B3, D2)])),
    ("refutation", Problem(Board(3, 8), closed=True, require=[((0, 3), (2, 4))])),
    ("refutation", Problem(Board(3, 3), piece="king", closed=True, require=[
        ((0, 0), (0, 1)), ((0, 1), (0, 2)), ((2, 0), (2, 1)), ((2, 1), (2, 2)), ((0, 0), (1, 0)),
        ((0, 2), (1, 1)),
    ], forbid=[((1, 2), (2, 2))])),
]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "problem"), PROBLEM_OF_KIND, ids=lambda value: str(value))
def test_required_and_forbidden_moves_with_every_kind(kind, problem):
    outcome = prove(problem, kind)
    assert outcome.verdict is Verdict.IMPOSSIBLE, outcome.reason
    document = json.loads(outcome.certificate.to_json())
    assert document["evidence"]["kind"] == kind
    assert check(document).problem == problem
    assert accepts(document)
    assert outcome.reason == outcome.certificate.argument
    first = prove(problem)
    assert first.verdict is Verdict.IMPOSSIBLE and first.certificate is not None


def test_required_moves_that_contradict_each_other_are_found_at_once():
    ring = [(A1, (0, 1)), ((0, 1), B2), (B2, (1, 0)), ((1, 0), A1)]
    huge = Problem(Board(100, 100), piece="wazir", require=ring)
    outcome = prove(huge)
    assert outcome.certificate.document["evidence"] == {"kind": "forced", "tree": {}}
    assert "close a circle" in outcome.reason and "before every square is visited" in outcome.reason
    ends = Problem(Board(5, 6), piece="king", start=A1, end=B2, require=[(A1, B2)])
    assert prove(ends).reason == "forced moves rule out the end that the tour has at b2"


def test_a_tour_with_required_and_forbidden_moves_is_one():
    problem = Problem(Board(6, 6), closed=True, require=[(D2, (2, 5))], forbid=[(B2, (3, 2))])
    found = certify(Request.begin(problem), ("refutation",))
    assert found.certificate is None and not defects(problem, found.tour.squares)
    assert not defects(problem, prove(problem, "refutation").tour.squares)


def test_tours_with_given_steps_and_a_symmetry_are_what_was_asked_for():
    for conditions in ({"given": {A1: 12}}, {"symmetry": "half-turn"}):
        problem = Problem(Board(3, 4), **conditions)
        found = certify(Request.begin(problem), ("refutation",))
        assert found.certificate is None and not defects(problem, found.tour.squares)
    odd = Problem(Board(3, 3), given={A1: 2}, symmetry="half-turn")
    assert certify(Request.begin(odd)).certificate.kind == "degrees"
    assert check(certify(Request.begin(odd)).certificate.to_json()).problem == odd


def test_an_enormous_board_is_asked_where_moves_are_forbidden():
    far = (500_000, 499_999)
    moves = [(far, (far[0] + up, far[1] + right)) for up in (1, -1) for right in (2, -2)]
    moves += [(far, (far[0] + up, far[1] + right)) for up in (2, -2) for right in (1, -1)]
    outcome = prove(Problem(Board(10**6, 10**6), closed=True, forbid=moves[1:]))
    assert outcome.certificate.kind == "degrees"
    assert outcome.reason.startswith(
        "with the forbidden moves left out, a closed tour needs two moves"
    )


def test_where_cuts_take_too_long(monkeypatch):
    monkeypatch.setattr("kt_cp.proofs.certify.CUTS_SECONDS", 1e-6)
    problem = Problem(graph=nx.petersen_graph(), closed=True)
    made = certify(Request.begin(problem, Limits(60)), ("refutation",)).certificate
    evidence = made.document["evidence"]
    assert made.document["schema_version"] == 5 and evidence["order"] and not evidence["cuts"]
    assert check(made.document).kind == "refutation"
    lines = formula_text(made).splitlines()
    assert any(line.endswith("the successors form one cycle") for line in lines)
    assert hinted_text(made).splitlines()[-1].split()[1] == "0"

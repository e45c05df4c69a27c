"""Lists of tours get a certificate exactly if they are complete; conflicting clues are named."""

from __future__ import annotations

import itertools
import json
from collections import Counter

import networkx as nx
import pytest

from kt_cp import Board, Enumeration, Problem, Verdict, certify_list, check, prove
from kt_cp.enumeration import listing
from kt_cp.model.errors import InputError, TooLargeError, UnsoundEngineError
from kt_cp.model.request import Request
from kt_cp.proofs import certify as certifying
from kt_cp.proofs import complete as completing
from kt_cp.proofs.certify import certify
from kt_cp.proofs.complete import certify_tours
from kt_cp.proofs.cuts import Claim, find_cuts_or_tour
from kt_cp.proofs.refutation import find_conflict, refute, try_refute
from kt_cp.trust.check.frame import frame_of
from kt_cp.trust.judge import defects
from tests.examples.certificates import accepts
from tests.examples.random_problems import problems_with_clues
from tests.support.exhaustive import exhaustive


@pytest.fixture(autouse=True)
def here(monkeypatch):
    """Refute in this process: starting another one takes longer than a refutation."""

    def refutation(request, *, sets=(), tours=(), order=()):
        left = request.clock.left
        return refute(request.problem, 0, sets, left, tours, order, emit=lambda _work: None)

    monkeypatch.setattr("kt_cp.proofs.refutation.find_refutation", refutation)
    monkeypatch.setattr(completing, "find_refutation", refutation)
    monkeypatch.setattr("kt_cp.proofs.refutation.ATTEMPTS", 1)  # a shorter proof is no better here


def moves(tour, closed):
    walk = [*tour, *tour[: bool(closed)]]
    return frozenset(map(frozenset, itertools.pairwise(walk)))


def hold(seeds):
    """Assert that a list has a certificate exactly if it lacks no tour."""
    counted = Counter()
    for seed, question, problem in problems_with_clues(seeds, most=9):
        tours = {moves(tour, question.closed): tour for tour in question.tours()}
        context = seed, problem.label
        if len(tours) > 40:
            continue
        made = certify_list(problem, tours.values())
        assert made is not None, context
        document = json.loads(made.to_json())
        assert accepts(document), context
        checked = check(document)
        assert {moves(tour, question.closed) for tour in checked.tours} == set(tours), context
        counted[min(len(tours), 2)] += 1
        if tours:
            listed = [*tours.values()][1:]
            found = certify_tours(Request.begin(problem), listed)
            assert found.certificate is None and not defects(problem, found.tour.squares), context
            assert moves(found.tour.squares, question.closed) in set(tours), context
            assert found.tour.squares not in listed
    return counted


def test_a_list_is_certified_just_where_there_is_no_further_tour():
    counted = hold(range(30))
    assert min(counted[number] for number in range(3)) > 1


@pytest.mark.slow
@exhaustive("lists are certified where they are complete", range(40, 600), sample=10, batches=4)
def test_a_list_is_certified_just_where_there_is_no_further_tour_many_times(cases):
    counted = hold(cases)
    assert min(counted[number] for number in range(3)) > 10 or len(cases) < 100


def test_an_enumeration_certifies_itself(monkeypatch):
    made = Enumeration("3x4").certificate()
    assert made.claim == "all 8 tours" and check(made.to_json()).tours
    assert Enumeration("3x4", given={"a1": 1, "d3": 12}).certificate().claim == "the only tour"
    assert Enumeration("3x4", symmetry="half-turn").certificate().claim == "all 4 tours"
    assert Enumeration("3x4", closed=True).certificate().kind == "removal"
    with pytest.raises(InputError, match="got one of classes"):
        Enumeration("3x4", unique=True).certificate()
    with monkeypatch.context() as patched, pytest.raises(TooLargeError, match="at most 3 tours"):
        for module in (completing, listing):
            patched.setattr(module, "MOST_TOURS", 3)
        Enumeration("3x4").certificate()
    assert Enumeration("8x8", closed=True).certificate(time_limit=0.2) is None
    monkeypatch.setattr(completing, "certify_tours", lambda *_, **__: certifying.Finding(tour=tour))
    tour = next(iter(Enumeration("3x4")))
    with pytest.raises(UnsoundEngineError, match="has missed a tour: "):
        Enumeration("3x4").certificate()


def test_open_tours_listed_in_both_directions_are_one():
    problem = Problem("3x4")
    made = certify_list(problem, Enumeration(problem))
    assert made.claim == "all 8 tours" and made.kind == "list"
    assert made.argument.startswith(
        "with all 8 tours excluded, in both directions, the formula of "
    )
    assert certify_list("3x4", [*Enumeration(problem)][::-1]).claim == "all 8 tours"


def test_a_puzzle_with_one_solution():
    given = {"a1": 1, "c2": 2, "b3": 6, "d3": 12}
    (only,) = Enumeration(Problem("3x4", given=given))
    made = certify_list("3x4", [only.names], given=given)
    assert made.claim == "the only tour" and check(made.document).tours == [list(only.squares)]
    with pytest.raises(InputError, match=r"expected all tours of .*, got 1; another is a1 c2 "):
        certify_list("3x4", [only], start="a1")


def test_what_is_not_refuted_at_once_is_refuted_later(monkeypatch):
    problem = Problem("5x6", closed=True, given={"a1": 1, "b3": 2})
    tours = [*Enumeration(problem)]
    assert len(tours) > 1
    walks = [list(tour.names) for tour in tours]
    evidence = try_refute(problem, walks).evidence
    assert evidence == certify_list(problem, tours).document["evidence"]
    assert try_refute(problem, walks[1:]) is None  # there is another tour
    assert try_refute(Problem("5x6", closed=True), walks) is None
    assert certify_list(problem, tours, time_limit=60).claim == f"all {len(tours)} tours"
    for name, most in (("SQUARES", 29), ("TOURS", len(tours) - 1)):
        with monkeypatch.context() as patched:
            patched.setattr(f"kt_cp.proofs.refutation.{name}", most)
            assert try_refute(problem, walks) is None
    monkeypatch.setattr("kt_cp.proofs.refutation.QUICK_CONFLICTS", 1)
    assert try_refute(problem, walks) is None
    assert certify_list(problem, tours).claim == f"all {len(tours)} tours"


def test_no_tours_are_certified_as_none():
    assert certify_list("3x4", [], given={"a1": 1, "b1": 3}).kind == "clash"
    with pytest.raises(InputError, match="got none; another is "):
        certify_list("3x4", [], given={"a1": 1})


def test_graphs_whose_nodes_have_no_names():
    ring = nx.relabel_nodes(nx.cycle_graph(5), {0: "end", 1: ("a", 1), 2: "b\nc"})
    problem = Problem(graph=ring, closed=True)
    made = certify_list(problem, [["end", ("a", 1), "b\nc", 3, 4]])
    assert made.document["evidence"]["tours"] == [["'end'", "('a', 1)", r"'b\nc'", "3", "4"]]
    ring.add_edge(3, "end")
    opened = Problem(graph=ring, start=4)
    with pytest.raises(InputError, match="another is "):
        certify_list(opened, [[4, 3, "b\nc", ("a", 1), "end"]])


def test_what_is_no_list_of_tours(monkeypatch):
    tour = next(iter(Enumeration("3x4")))
    with pytest.raises(InputError, match="expected tours of 3x4, open, got one \\(2\\) with "):
        certify_list("3x4", [tour, tour.names[:-1]])
    with pytest.raises(InputError, match="at least 2 squares to certify a list of tours, got 1"):
        certify_list("1x1", [["a1"]])
    monkeypatch.setattr(completing, "MOST_TOURS", 2)
    with pytest.raises(TooLargeError, match="at most 2 tours"):
        certify_list("3x4", Enumeration("3x4"))
    monkeypatch.setattr(completing, "REFUTATION_SQUARES", 11)
    with pytest.raises(TooLargeError, match="at most 11 squares"):
        certify_list("3x4", [tour])


def claim_of(problem):
    frame = frame_of(problem)
    given = [(each.square, each.step) for each in problem.conditions if each.key == "given"]
    return Claim(frame, None, [(frame.number[square], step) for square, step in given])


CONFLICT = Problem("3x4", given={"a1": 1, "c2": 2, "d3": 10, "b2": 9})
"""From a1 there are two tours, which visit d3 at steps 8 and 12; no two clues conflict."""


def test_clues_in_conflict():
    claim = claim_of(CONFLICT)
    assert find_cuts_or_tour(claim).tour is None
    few = find_conflict(claim, [], lambda: False)
    assert few.needed and 0 < len(few.claim.clues) < len(claim.clues)
    assert find_cuts_or_tour(few.claim).tour is None
    for place in range(len(few.claim.clues)):
        less = [*few.claim.clues[:place], *few.claim.clues[place + 1 :]]
        assert find_cuts_or_tour(Claim(claim.frame, None, less)).tour is not None
    # Without time, all clues remain and none is marked as needed.
    hurried = find_conflict(claim, [], lambda: True)
    assert len(hurried.claim.clues) == len(claim.clues) and not hurried.needed


def test_a_trial_without_an_end_settles_nothing(monkeypatch):
    claim = claim_of(CONFLICT)
    monkeypatch.setattr("kt_cp.proofs.refutation._try_clues", lambda _claim: None)
    smaller = find_conflict(claim, [], lambda: False)
    assert sorted(smaller.claim.clues) == sorted(claim.clues) and not smaller.needed


def test_the_reason_names_the_clues_in_conflict():
    outcome = prove(CONFLICT)
    assert outcome.verdict is Verdict.IMPOSSIBLE and outcome.certificate.kind == "refutation"
    clues = outcome.certificate.document["evidence"]["clues"]
    for square, step in clues:
        assert f"{square} at step {step}" in outcome.reason
    assert outcome.reason.endswith("; none of these clues can be left out")
    assert outcome.reason.startswith(outcome.certificate.argument)
    assert check(outcome.certificate.to_json()).problem == CONFLICT


def test_clues_that_are_not_needed_at_all():
    """The board itself has no tour; its refutation uses no steps, but cuts."""
    problem = Problem(Board(3, 5), given={"a1": 5})
    made = certify(Request.begin(problem), ("refutation",)).certificate
    assert made.document["evidence"]["clues"] == []
    assert "at step" not in made.argument and check(made.to_json())


def test_a_symmetric_problem_without_a_tour():
    half = Problem("3x4", symmetry="half-turn")
    assert not defects(half, certify(Request.begin(half), ("refutation",)).tour.squares)
    turned = Problem("3x4", symmetry="quarter-turn")
    assert certify(Request.begin(turned), ("refutation",)).certificate.kind == "refutation"
    assert certify(Request.begin(turned)).certificate.kind == "symmetry"


def test_a_formula_that_is_too_large_finds_nothing(monkeypatch):
    monkeypatch.setattr("kt_cp.trust.check.formula.MOST_LITERALS", 2_000)
    problem = Problem("5x6", given={"a1": 1})
    assert certify(Request.begin(problem), ("refutation",)) == certifying.Finding()
    assert certify_list(problem, [next(iter(Enumeration(problem)))]) is None


@exhaustive("all closed tours of 6x6 are certified", [9_862], sample=0, batches=1)
def test_all_closed_tours_of_6x6(cases):
    for tours in cases:
        made = certify_list(Problem("6x6", closed=True), Enumeration("6x6", closed=True))
        assert made.claim == f"all {tours:,} tours"

"""The kind ``sweep``: any order proves what is true, and none proves what is false."""

from __future__ import annotations

from itertools import combinations, permutations
from random import Random

import pytest

from kt_cp.trust.check import Reason, check
from kt_cp.trust.check.certificate import since
from kt_cp.trust.check.instance import BUDGET
from tests.examples.certificates import (
    CLOSED_BOWTIE,
    OPEN,
    PETERSEN,
    certificate,
    on_board,
    on_graph,
    reason,
    reason_of,
    sweep,
    sweeps,
    use,
)
from tests.examples.certificates import split as split_of
from tests.support.exhaustive import exhaustive

RING = on_graph(["ab", "bc", "cd", "da", "ac"], closed=True)


@pytest.mark.parametrize(("problem", "evidence"), sweeps())
def test_examples_are_accepted_from_version_6(problem, evidence):
    document = certificate(problem, evidence)
    check(document)
    expected = Reason.UNKNOWN_KIND if evidence["kind"] == "sweep" else Reason.WRONG_SHAPE
    assert reason_of({**document, "schema_version": 5}) is expected


def test_the_argument():
    said = check(certificate(on_graph(PETERSEN, closed=True), sweep("bcdeghijfx"))).argument
    assert said.startswith("a sweep node by node, with at most 5 nodes on its frontier, follows")
    assert said.endswith("becomes a closed tour")


@pytest.mark.parametrize(
    ("problem", "evidence", "expected"),
    [
        (OPEN, sweep("bcd"), Reason.WRONG_SHAPE),
        (OPEN, sweep("bcdaa"), Reason.BAD_SQUARE),
        (OPEN, sweep("b c d end"), Reason.BAD_SQUARE),
        (OPEN, {"kind": "sweep"}, Reason.WRONG_SHAPE),
        (OPEN, {"kind": "sweep", "order": "bcda"}, Reason.WRONG_SHAPE),
        (OPEN, {**sweep("bcda"), "squares": []}, Reason.WRONG_SHAPE),
        (RING, sweep("abcd"), Reason.NOT_PROVED),
        ({**RING, "closed": False}, sweep("abcd"), Reason.NOT_PROVED),
        ({**RING, "require": [["a", "b"]]}, sweep("abcd"), Reason.NOT_PROVED),
        ({**RING, "forbid": [["a", "c"]]}, sweep("abcd"), Reason.NOT_PROVED),
        (on_board(3, 4), sweep("a1 b1 c1 d1 a2 b2 c2 d2 a3 b3 c3 d3"), Reason.NOT_PROVED),
        (on_board(1, 2, piece=[[0, 1]], closed=True), sweep("a1 b1"), Reason.WRONG_QUESTION),
        (CLOSED_BOWTIE, split_of(use("ab", sweep("abcd")), "plain"), Reason.WRONG_SHAPE),
    ],
)
def test_what_is_refused(problem, evidence, expected):
    assert reason(problem, evidence) is expected


def test_its_cost_is_bounded_in_all(monkeypatch):
    kite, order = sweeps()[0]
    for most, expected in ((40, None), (5, Reason.TOO_LARGE)):
        monkeypatch.setitem(BUDGET, "choices of a sweep", most)
        assert reason(kite, order) is expected
    # Two sweeps of a split share what there is.
    once = split_of(use("ab", sweep("edcba")), "plain")
    twice = split_of(use("ab", sweep("edcba")), use("ac", sweep("edcba")), "plain")
    least = [cost(monkeypatch, each) for each in (once, twice)]
    assert 1 < least[0] < least[1]


def cost(monkeypatch, evidence):
    """The least budget that suffices."""
    for most in range(100):
        monkeypatch.setitem(BUDGET, "choices of a sweep", most)
        if reason(CLOSED_BOWTIE, evidence) is None:
            return most
    raise AssertionError


def test_the_version_of_evidence_within_evidence():
    inside = split_of(use("ab", split_of(use("ac", sweep("abcde")), "plain")), "plain")
    assert [since(each) for each in (split_of("plain"), inside)] == [5, 6]


def has_tour(problem):
    """Whether a small graph has a tour, by trying every order of its nodes."""
    edges = {frozenset(edge) for edge in problem["edges"]}
    edges -= {frozenset(edge) for edge in problem["forbid"]}
    for walk in permutations(problem["nodes"]):
        ends = {"start": walk[0], "end": walk[-1]}
        if any(problem[key] not in (None, ends[key]) for key in ends if not problem["closed"]):
            continue
        following = [*walk[1:], *walk[:1]] if problem["closed"] else walk[1:]
        moves = {frozenset(pair) for pair in zip(walk, following, strict=False)}
        if moves <= edges and all(frozenset(edge) in moves for edge in problem["require"]):
            return True
    return False


def random_graph(rng):
    nodes = "abcdef"[: rng.randint(3, 6)]
    edges = [pair for pair in combinations(nodes, 2) if rng.random() < rng.choice([0.4, 0.6])]
    rng.shuffle(edges)
    closed, few = rng.random() < 0.5, rng.randrange(3) if edges else 0
    ends = [None, None] if closed else rng.choice([[None, None], [*rng.sample(nodes, 2)]])
    return {
        **on_graph([], closed=closed, nodes=[*nodes], start=ends[0], end=ends[1]),
        "edges": [[*edge] for edge in edges],
        "require": [[*edge] for edge in edges[: min(few, 1)]],
        "forbid": [[*edge] for edge in edges[-1:] if few == 2 and len(edges) > 1],
    }


@exhaustive("sweeps prove what is true", range(4_000), sample=250)
def test_any_order_proves_just_what_is_true(cases):
    found = {True: 0, False: 0}
    for seed in cases:
        rng = Random(seed)
        problem = random_graph(rng)
        order = rng.sample(problem["nodes"], len(problem["nodes"]))
        true = not has_tour(problem)
        found[true] += 1
        expected = None if true else Reason.NOT_PROVED
        assert reason(problem, {"kind": "sweep", "order": order}) is expected, (seed, problem)
    assert min(found.values()) > len(cases) // 10

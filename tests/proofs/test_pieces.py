"""Pieces, surfaces and conditions: what has no tour gets a certificate, of every kind there is."""

from __future__ import annotations

import json
from collections import Counter
from itertools import product

import pytest

from kt_cp import Board, Problem, Verdict, check, prove
from kt_cp.model.limits import Limits
from kt_cp.model.piece import NAMED
from kt_cp.model.surface import Surface
from kt_cp.proofs import certify as certifying
from kt_cp.proofs.certify import certify
from kt_cp.proofs.refutation import refute
from kt_cp.trust.judge import defects
from tests.examples.certificates import accepts
from tests.support.exhaustive import exhaustive

SIDES = [(r, c) for r, c in product(range(1, 6), repeat=2) if 1 < r * c <= 20]
SMALL = list(product(SIDES, Surface, NAMED, (False, True)))


@exhaustive("small boards of all pieces and surfaces have a tour or a proof", SMALL, sample=40)
def test_every_small_board_of_every_piece_on_every_surface(cases, monkeypatch):
    def here(problem, *, limits, seed=0, sets=(), order=(), progress=None):
        return refute(problem, seed, sets, limits.seconds, (), order, emit=lambda _work: None)

    monkeypatch.setattr(certifying, "refutation", here)
    counted = Counter()
    for (rows, columns), surface, name, closed in cases:
        problem = Problem(Board(rows, columns, surface=surface), piece=name, closed=closed)
        found = certify(problem, limits=Limits(120))
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
    # b3 is used up by two moves that are required, and a1 needs it.
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


def test_required_moves_that_contradict_each_other_are_told_at_once():
    ring = [(A1, (0, 1)), ((0, 1), B2), (B2, (1, 0)), ((1, 0), A1)]
    huge = Problem(Board(100, 100), piece="wazir", require=ring)
    outcome = prove(huge)
    assert outcome.certificate.document["evidence"] == {"kind": "forced", "tree": {}}
    assert "close a circle" in outcome.reason and "before every square is visited" in outcome.reason
    ends = Problem(Board(5, 6), piece="king", start=A1, end=B2, require=[(A1, B2)])
    assert prove(ends).reason == "forced moves rule out the end that the tour has at b2"


def test_a_tour_with_required_and_forbidden_moves_is_one():
    problem = Problem(Board(6, 6), closed=True, require=[(D2, (2, 5))], forbid=[(B2, (3, 2))])
    found = certify(problem, ("refutation",))
    assert found.certificate is None and not defects(problem, found.tour.squares)
    assert not defects(problem, prove(problem, "refutation").tour.squares)


def test_tours_with_given_steps_and_a_symmetry_are_what_was_asked_for():
    for conditions in ({"given": {A1: 12}}, {"symmetry": "half-turn"}):
        problem = Problem(Board(3, 4), **conditions)
        found = certify(problem, ("refutation",))
        assert found.certificate is None and not defects(problem, found.tour.squares)
    odd = Problem(Board(3, 3), given={A1: 2}, symmetry="half-turn")
    assert certify(odd).certificate.kind == "degrees"
    assert check(certify(odd).certificate.to_json()).problem == odd


def test_an_enormous_board_is_asked_where_moves_are_forbidden():
    far = (500_000, 499_999)
    moves = [(far, (far[0] + up, far[1] + right)) for up in (1, -1) for right in (2, -2)]
    moves += [(far, (far[0] + up, far[1] + right)) for up in (2, -2) for right in (1, -1)]
    outcome = prove(Problem(Board(10**6, 10**6), closed=True, forbid=moves[1:]))
    assert outcome.certificate.kind == "degrees"
    assert outcome.reason.startswith(
        "with the forbidden moves left out, a closed tour needs two moves"
    )

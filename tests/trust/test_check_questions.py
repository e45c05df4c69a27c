"""Whole questions at random: what is certified has no tour, whatever piece, surface and conditions.

Truth comes from dynamic programming over the naive oracle's moves.  Certificates are then altered,
one key of the problem at a time: what the checker still accepts must be true as well.
"""

from __future__ import annotations

import json
from collections import Counter
from copy import deepcopy
from random import Random

import pytest

from kt_cp.model.limits import Limits
from kt_cp.proofs import certify as certifying
from kt_cp.proofs.certify import KINDS, certify
from kt_cp.proofs.elimination import narrow_order
from kt_cp.proofs.refutation import refute
from kt_cp.trust.check import Reason, check
from kt_cp.trust.check.shape import problem_of
from kt_cp.trust.judge import defects
from tests.examples import random_problems
from tests.examples.certificates import (
    CAMEL,
    DABBABA,
    FERZ,
    KING,
    KNIGHT,
    WAZIR,
    accepts,
    certificate,
    examples_2,
    reason_of,
    signed,
)
from tests.oracles import held_karp, naive
from tests.support.exhaustive import exhaustive

MOST = 11
"""Squares of a random question; a required move or an open tour costs the oracle one node more."""


@pytest.fixture
def here(monkeypatch):
    """Refutations in this process: to start another one for each takes longer than they do.

    Half of them take vertices out of the cycle, though cuts would be quick enough.
    """

    def refutation(problem, *, limits, seed=0, sets=(), order=(), progress=None):
        taken = narrow_order(problem) if problem.size % 2 else order
        return refute(problem, seed, sets, limits.seconds, (), taken, emit=lambda _work: None)

    monkeypatch.setattr(certifying, "refutation", refutation)


def kinds_tried(rng):
    """All, as anybody asks, or one that would not be reached otherwise."""
    return rng.choice([KINDS, KINDS, ("removal",), ("tight",), ("forced",), ("refutation",)])


@exhaustive("whole questions are answered truly", range(3_000), sample=75)
def test_a_question_has_a_tour_or_a_certificate(cases, here):
    counted = Counter()
    for seed in cases:
        rng = Random(seed)
        problem, kinds = random_problems.random_problem(rng, MOST), kinds_tried(rng)
        found = certify(problem, kinds, limits=Limits(30))
        told = seed, problem.label, kinds
        if held_karp.of_problem(problem):
            assert found.certificate is None, told
            if "refutation" in kinds and problem.size > 1:
                assert not defects(problem, found.tour.squares), told
            counted["tour"] += 1
        elif found.certificate is None:
            assert kinds != KINDS and found.tour is None, told
        else:
            document = json.loads(found.certificate.to_json())
            assert check(document).problem == problem, told
            assert accepts(document), told
            counted[found.certificate.kind] += 1
    print(counted)
    assert counted["tour"] > len(cases) // 10
    assert counted["degrees"] and counted["forced"] and counted["refutation"]


SQUARES = [f"{file}{rank}" for file in "abcd" for rank in "1234"]


def altered(document, rng):
    """Another problem under the same evidence: one key of it says something else."""
    problem = document["problem"]
    key = rng.choice(["piece", "surface", "require", "forbid", "closed", "start", "end", "rows"])
    if key == "piece":
        problem[key] = rng.choice([KNIGHT, CAMEL, KING, WAZIR, FERZ, DABBABA, [[0, 1], [1, 2]]])
    elif key == "surface":
        problem[key] = rng.choice(sorted(naive.JOINED))
    elif key == "rows":
        problem["rows"], problem["columns"] = rng.randint(1, 3), rng.randint(1, 4)
    elif key in ("start", "end"):
        problem[key] = rng.choice([None, *SQUARES])
    elif key == "closed":
        problem[key] = not problem[key]
    elif problem[key] and rng.random() < 0.5:
        problem[key].pop(rng.randrange(len(problem[key])))
    elif problem["require"] and rng.random() < 0.3:
        problem["forbid"].append(problem["require"].pop())
    else:
        problem[key].append(rng.sample(SQUARES, 2))
    return document


@exhaustive("altered questions are not proved falsely", range(30_000), sample=400)
def test_altered_certificates(cases):
    boards = [
        certificate(p, e) for p, e in examples_2() if "rows" in p and p["rows"] * p["columns"] < 13
    ]
    counted = Counter()
    for seed in cases:
        rng = Random(seed)
        document = deepcopy(rng.choice(boards))
        for _ in range(rng.choice([1, 1, 2, 3])):
            document = altered(document, rng)
        why, second = reason_of(signed(document)), accepts(document)
        counted[why] += 1
        assert second == (why is None), (seed, why, document)
        if why is None:
            problem = problem_of(document["problem"])
            assert not held_karp.of_problem(problem), (seed, document)
    print(counted)
    assert counted[None] > len(cases) // 20
    for each in (Reason.NOT_PROVED, Reason.WRONG_PROBLEM, Reason.BAD_SQUARE, Reason.WRONG_DIGEST):
        assert counted[each] > len(cases) // 100, each

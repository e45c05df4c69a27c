"""Certificates changed at random: the checker only accepts or refuses, and accepts nothing false.

Values are changed under a digest that is made to fit, so that the rules themselves are reached, and
bytes are changed too.  Whatever is accepted is decided again, by an oracle or the reference.
"""

from __future__ import annotations

import json
from collections import Counter
from functools import cache
from random import Random

from kt_cp import Verdict
from kt_cp.trust.check import Checked, Refusal, check
from kt_cp.trust.check.shape import problem_of
from kt_cp.trust.reference import decide
from tests.examples.certificate_changes import MOST, SEEDS, Changes
from tests.examples.certificates import board as board_of
from tests.examples.certificates import certificate, examples_1, formula, packed
from tests.oracles import held_karp
from tests.oracles.naive import is_true
from tests.support.exhaustive import exhaustive

SEARCHED = 12
"""Squares up to which all tours are searched for."""

BUDGET = 400_000
"""Squares that the reference places at most to decide one problem: a second."""


@cache
def has_tour(text):
    """Whether a problem, given as JSON, has a tour; None where that takes too long."""
    problem = problem_of(json.loads(text))
    if problem.size < 14:
        return held_karp.of_problem(problem)
    verdict = decide(problem, budget=BUDGET).verdict
    return {Verdict.FOUND: True, Verdict.IMPOSSIBLE: False, Verdict.UNKNOWN: None}[verdict]


def whole(document):
    return document if isinstance(document, dict) else json.loads(document)


def asks_for_more(document):
    """Whether clues, a symmetry or listed tours play a part in what was accepted."""
    problem, kind = document["problem"], document["evidence"]["kind"]
    stepwise = bool(problem.get("given") or problem.get("symmetry"))
    return kind in ("clash", "symmetry", "list") or (
        kind == "refutation" and document["schema_version"] > 3 and stepwise
    )


def held(document):
    """What the checker says, and that it is true: accepted, refused or undecided."""
    try:
        checked = check(document)
    except Refusal as refusal:
        assert str(refusal).isprintable()
        return refusal.reason.name
    assert isinstance(checked, Checked)
    problem = whole(document)["problem"]
    if checked.problem.size > MOST:
        return "accepted, not decided"
    if asks_for_more(document := whole(document)):
        if checked.problem.size > SEARCHED:
            return "accepted, not decided"
        assert is_true(document), f"{checked.argument}: {json.dumps(document)}"
        return "accepted"
    found = has_tour(json.dumps(problem, sort_keys=True))
    assert not found, f"{checked.argument}: {json.dumps(document)}"
    return "accepted" if found is False else "accepted, not decided"


@exhaustive("changed values prove nothing false", range(162_000), sample=500)
def test_changed_values(cases):
    counted, number = Counter(), len(cases)
    for seed in cases:
        document = Changes(seed).changed()
        try:
            counted[held(document)] += 1
        except Exception as error:
            raise AssertionError(f"seed {seed}: {json.dumps(document)}") from error
    print(counted)
    assert counted["accepted"] > number // 20
    assert counted["accepted, not decided"] < counted["accepted"] // 20
    # A small sample may miss what comes once in a hundred or two.
    rare = ("WRONG_QUESTION",) if number > 10_000 else ()
    for deep in ("NOT_PROVED", "BAD_LEMMA", "BAD_SQUARE", "OUT_OF_RANGE", *rare):
        assert counted[deep] > number // 1000, deep


@exhaustive("changed bytes prove nothing false", range(312_000), sample=3_000)
def test_changed_bytes(cases):
    texts = [json.dumps(seed).encode() for seed in SEEDS]
    texts += [json.dumps(certificate(*each)).encode() for each in examples_1()]
    counted, number = Counter(), len(cases)
    for seed in cases:
        rng = Random(seed)
        data = bytearray(rng.choice(texts))
        for _ in range(rng.choice([1, 1, 2, 4])):
            place = rng.randrange(len(data))
            change = rng.randrange(5)
            if change == 0:
                data[place] = rng.randrange(256)
            elif change == 1:
                data[place] ^= 1 << rng.randrange(8)
            elif change == 2:
                del data[place : place + rng.choice([1, 1, 3, 30])]
            elif change == 3:
                data[place:place] = data[place : place + rng.choice([1, 2, 10])]
            else:
                data[place] = rng.choice(b'0123456789abcdef"[]{},:- ')
            data = data or bytearray(b"{}")
        try:
            counted[held(bytes(data))] += 1
        except Exception as error:
            raise AssertionError(f"seed {seed}: {bytes(data)!r}") from error
    print(counted)
    assert counted["NOT_JSON"] > number // 10
    assert counted["accepted"] > number // 200


@exhaustive("changed proofs prove nothing false", range(5_400), sample=200, batches=1)
def test_packed_proofs(cases):
    problem = board_of(3, 8, closed=True)
    (evidence,) = (
        each for other, each in examples_1() if other == problem and each["kind"] == "refutation"
    )
    counted = Counter()
    for seed in cases:
        rng = Random(seed)
        text = list(evidence["proof"])
        for _ in range(rng.randint(1, 3)):
            text[rng.randrange(len(text))] = rng.choice("ABCabc012+/=")
        counted[held(certificate(problem, {**evidence, "proof": "".join(text)}))] += 1
    assert counted["WRONG_SHAPE"] > len(cases) // 2


def test_seeds_are_true_and_formulas_small():
    for document in SEEDS:
        assert held(document) == "accepted"
        if document["evidence"]["kind"] == "refutation":
            cuts = document["evidence"]["cuts"]
            assert len(formula(document["problem"], cuts)[1]) < 1000
    assert packed("") != ""

"""The page on the format is right: its examples are valid, its numbers are those of the code, and a
second checker that was written from it agrees with the first."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path

import pytest

from kt_cp.model import conditions, surface
from kt_cp.trust.check import (
    RULES,
    Reason,
    certificate,
    check,
    formula,
    parsing,
    refutation,
)
from tests.examples.certificate_changes import Changes
from tests.examples.certificates import accepts, examples_1, reason_of
from tests.examples.certificates import certificate as certificate_of
from tests.support.exhaustive import exhaustive

PAGE = (Path(certificate.__file__).with_name("FORMAT.md")).read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```json\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize("text", BLOCKS)
def test_examples_are_valid(text):
    check(text)
    assert accepts(json.loads(text))


def test_there_is_an_example_of_every_kind():
    kinds = Counter(json.loads(text)["evidence"]["kind"] for text in BLOCKS)
    assert set(kinds) == set(RULES)
    for kind in RULES:
        assert re.search(rf"^##+ `{kind}`$", PAGE, re.MULTILINE), kind


def test_every_reason_is_named():
    last = PAGE[PAGE.index("## What is refused") :]
    assert {*re.findall(r"`([A-Z_]+)`", last)} == {reason.name for reason in Reason}


def test_numbers_beside_the_table_of_limits_are_those_of_the_code():
    assert parsing.MOST_SIDE == 10**18
    assert f"2 ≤ d ≤ {formula.DIRECT}" in PAGE


def test_surfaces_and_symmetries_are_all_named():
    for name in (*surface.Surface, *conditions.MOTIONS):
        assert f"`{name}`" in PAGE, name


def test_the_formula_in_the_page():
    (given,) = re.findall(r"^```\n(p cnf.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
    documents = [json.loads(text) for text in BLOCKS]
    digests = [document["evidence"].get("digests", {}) for document in documents]
    assert refutation.digest(given) in [each.get("formula") for each in digests]


@pytest.mark.parametrize(("problem", "evidence"), examples_1())
def test_the_second_checker_accepts_the_examples(problem, evidence):
    assert accepts(certificate_of(problem, evidence))


@exhaustive("the two checkers agree", range(5 * 10**6, 5 * 10**6 + 40_000), sample=400)
def test_the_two_checkers_agree(cases):
    counted, number = Counter(), len(cases)
    for seed in cases:
        document = Changes(seed).changed()
        reason, second = reason_of(document), accepts(document)
        counted[reason] += 1
        assert second == (reason is None), (seed, reason, json.dumps(document))
    print(counted)
    assert counted[None] > number // 10

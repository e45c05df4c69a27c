"""Certificates changed at random: the checker only accepts or refuses, and accepts nothing false.

Values are changed under a digest that is made to fit, so that the rules themselves are reached, and
bytes are changed too.  Whatever is accepted is decided again by the reference backtracker.
"""

from __future__ import annotations

import json
from collections import Counter
from copy import deepcopy
from functools import cache
from random import Random

import pytest

from kt_cp import Verdict
from kt_cp.board import square_name
from kt_cp.proofs.check import Checked, Refusal, check
from kt_cp.proofs.check.certificate import problem_of
from kt_cp.reference import decide
from tests.certificates import board as board_of
from tests.certificates import certificate, examples, formula, packed, refutation, signed

BUDGET = 400_000
"""Squares that the reference places at most to decide one problem: a second."""

MOST = 30
"""Squares of a changed board, so that it can be decided."""

WORDS = [
    None,
    True,
    False,
    0,
    1,
    -1,
    2,
    10**18,
    10**30,
    1.5,
    "",
    "a1",
    "end",
    "z99",
    [],
    {},
    ["a1"],
]


@cache
def has_tour(text):
    """Whether a problem, given as JSON, has a tour; None where that takes too long."""
    verdict = decide(problem_of(json.loads(text)), budget=BUDGET).verdict
    return {Verdict.FOUND: True, Verdict.IMPOSSIBLE: False, Verdict.UNKNOWN: None}[verdict]


def seeds():
    """Valid certificates to start from; proofs as lists of lines, so that they can be changed."""
    found = []
    for problem, evidence in examples():
        if evidence["kind"] == "refutation" and isinstance(evidence["proof"], str):
            continue
        found.append(certificate(problem, evidence))
    return found


SEEDS = seeds()


class Changes:
    """Ways to change a certificate's values at random."""

    def __init__(self, seed):
        self.rng = Random(seed)

    def changed(self):
        """A certificate after some changes; mostly few, so that much of it still makes sense."""
        document = deepcopy(self.rng.choice(SEEDS))
        for _ in range(self.rng.choice([1, 1, 1, 2, 2, 3, 5])):
            self.rng.choice(
                [self.any_value, self.a_list, self.a_square, self.problem, self.ends, self.evidence]
            )(document)
        self.refit(document)
        return signed(document)

    def places(self, value):
        """Every (container, key) within a value."""
        found, waiting = [], [value]
        while waiting:
            inside = waiting.pop()
            keys = inside if isinstance(inside, dict) else range(len(inside))
            for key in keys:
                found.append((inside, key))
                if isinstance(inside[key], dict | list):
                    waiting.append(inside[key])
        return found

    def any_value(self, document):
        places = self.places({key: document[key] for key in ("problem", "evidence")})
        container, key = self.rng.choice(places)
        value = container[key]
        if type(value) is int:
            container[key] = value + self.rng.choice([-2, -1, 1, 2])
        elif isinstance(value, str) and " " in value:
            container[key] = self.line(value)
        elif isinstance(value, bool):
            container[key] = not value
        elif self.rng.random() < 0.5:
            container[key] = deepcopy(self.rng.choice(WORDS))
        else:
            other, place = self.rng.choice(places)
            container[key] = deepcopy(other[place])

    def line(self, text):
        numbers = text.split(" ")
        place = self.rng.randrange(len(numbers))
        number = numbers[place]
        change = self.rng.randrange(6)
        if change == 0:
            del numbers[place]
        elif change == 1:
            numbers.insert(place, number)
        elif change == 2:
            self.rng.shuffle(numbers)
        elif change == 3:
            numbers[place] = number[1:] if number.startswith("-") else f"-{number}"
        elif number.lstrip("-").isdigit():
            numbers[place] = str(int(number) + self.rng.choice([-1, 1, 2, 7]))
        return " ".join(numbers)

    def a_list(self, document):
        lists = [
            container[key]
            for container, key in self.places({key: document[key] for key in document})
            if isinstance(container[key], list) and container[key]
        ]
        if not lists:
            return
        chosen, other = self.rng.choice(lists), self.rng.choice(lists)
        change = self.rng.randrange(5)
        place = self.rng.randrange(len(chosen))
        if change == 0:
            del chosen[place]
        elif change == 1:
            chosen.append(deepcopy(chosen[place]))
        elif change == 2:
            self.rng.shuffle(chosen)
        elif change == 3:
            chosen.insert(place, deepcopy(self.rng.choice(other)))
        else:
            chosen[place] = deepcopy(self.rng.choice(other))

    def a_square(self, document):
        """One square for another, anywhere in the evidence."""
        squares = self.squares(document["problem"])
        places = [
            (container, key)
            for container, key in self.places(document["evidence"])
            if isinstance(container, list) and container[key] in squares
        ]
        if places and squares:
            container, key = self.rng.choice(places)
            container[key] = self.rng.choice(squares)

    def squares(self, problem):
        if not isinstance(problem, dict):
            return []
        rows, columns = problem.get("rows"), problem.get("columns")
        if type(rows) is int and type(columns) is int and 0 < rows < 9 and 0 < columns < 9:
            names = [square_name((row, file)) for row in range(rows) for file in range(columns)]
            missing = problem.get("missing")
            return [name for name in names if not isinstance(missing, list) or name not in missing]
        nodes = problem.get("nodes")
        return nodes if isinstance(nodes, list) else []

    def problem(self, document):
        problem = document["problem"]
        if not isinstance(problem, dict):
            return
        squares = self.squares(problem)
        change = self.rng.randrange(5)
        if change == 0 and type(problem.get("rows")) is int:
            problem["rows"], problem["columns"] = problem.get("columns"), problem["rows"]
        elif change == 1 and type(problem.get("rows")) is int:
            problem[self.rng.choice(["rows", "columns"])] = self.rng.randint(1, 7)
        elif change == 2 and squares and isinstance(problem.get("missing"), list):
            problem["missing"].append(self.rng.choice(squares))
        elif change == 3 and len(squares) > 1 and isinstance(problem.get("edges"), list):
            problem["edges"].append(self.rng.sample(squares, 2))
        else:
            problem["closed"] = not problem.get("closed")

    def ends(self, document):
        problem = document["problem"]
        squares = [*self.squares(problem), None]
        if isinstance(problem, dict):
            problem[self.rng.choice(["start", "end"])] = self.rng.choice(squares)

    def evidence(self, document):
        """Evidence of another certificate, or the same under another kind."""
        other = deepcopy(self.rng.choice(SEEDS)["evidence"])
        mine = document["evidence"]
        change = self.rng.randrange(4)
        if change == 0 or not isinstance(mine, dict):
            document["evidence"] = other
        elif change == 1:
            mine["kind"] = other["kind"]
        elif isinstance(mine.get("squares"), list):
            squares = mine["squares"]
            document["evidence"] = self.rng.choice(
                [
                    {"kind": "tight", "sets": [squares]},
                    {"kind": "forced", "tree": {"remove": squares}},
                    {"kind": "forced", "tree": {"remove": squares, "then": {}}},
                    {"kind": self.rng.choice(["removal", "degrees"]), "squares": squares},
                    {"kind": "forced", "tree": {"move": squares[:2], "used": {}, "unused": {}}},
                ]
            )
        elif isinstance(mine.get("sets"), list) and mine["sets"]:
            document["evidence"] = {"kind": "removal", "squares": mine["sets"][0]}

    def refit(self, document):
        """Digests of a refutation that fit again, where it has the parts."""
        evidence = document["evidence"]
        if not isinstance(evidence, dict) or evidence.get("kind") != "refutation":
            return
        parts = (evidence.get(part) for part in ("proof", "cuts", "tight"))
        try:
            document["evidence"] = refutation(document["problem"], *parts, pack=False)
        except Exception:  # there is nothing that could be refuted; the checker shall say so
            return


def held(document):
    """What the checker says, and that it is true: accepted, refused or undecided."""
    try:
        checked = check(document)
    except Refusal as refusal:
        assert str(refusal).isprintable()
        return refusal.reason.name
    assert isinstance(checked, Checked)
    problem = (document if isinstance(document, dict) else json.loads(document))["problem"]
    if checked.problem.size > MOST:
        return "accepted, not decided"
    found = has_tour(json.dumps(problem, sort_keys=True))
    assert not found, f"{checked.argument}: {json.dumps(document)}"
    return "accepted" if found is False else "accepted, not decided"


@pytest.mark.parametrize(
    ("first", "number"), [(0, 12_000), pytest.param(10**6, 150_000, marks=pytest.mark.slow)]
)
def test_changed_values(first, number):
    counted = Counter()
    for seed in range(first, first + number):
        document = Changes(seed).changed()
        try:
            counted[held(document)] += 1
        except Exception as error:
            raise AssertionError(f"seed {seed}: {json.dumps(document)}") from error
    print(counted)
    assert counted["accepted"] > number // 20
    assert counted["accepted, not decided"] < counted["accepted"] // 20
    for deep in ("NOT_PROVED", "BAD_LEMMA", "BAD_SQUARE", "WRONG_QUESTION", "OUT_OF_RANGE"):
        assert counted[deep] > number // 1000, deep


@pytest.mark.parametrize(
    ("first", "number"), [(0, 12_000), pytest.param(10**6, 300_000, marks=pytest.mark.slow)]
)
def test_changed_bytes(first, number):
    texts = [json.dumps(seed).encode() for seed in SEEDS]
    texts += [json.dumps(certificate(*each)).encode() for each in examples()]
    counted = Counter()
    for seed in range(first, first + number):
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
    assert counted["accepted"] > number // 100


@pytest.mark.parametrize("number", [400, pytest.param(5_000, marks=pytest.mark.slow)])
def test_packed_proofs(number):
    problem = board_of(3, 8, closed=True)
    (evidence,) = (
        each for other, each in examples() if other == problem and each["kind"] == "refutation"
    )
    counted = Counter()
    for seed in range(number):
        rng = Random(seed)
        text = list(evidence["proof"])
        for _ in range(rng.randint(1, 3)):
            text[rng.randrange(len(text))] = rng.choice("ABCabc012+/=")
        counted[held(certificate(problem, {**evidence, "proof": "".join(text)}))] += 1
    assert counted["WRONG_SHAPE"] > number // 2


def test_seeds_are_true_and_formulas_small():
    for document in SEEDS:
        assert held(document) == "accepted"
        if document["evidence"]["kind"] == "refutation":
            cuts = document["evidence"]["cuts"]
            assert len(formula(document["problem"], cuts)[1]) < 1000
    assert packed("") != ""

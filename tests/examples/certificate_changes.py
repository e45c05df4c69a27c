"""Random changes to the values of a certificate; a checker must survive each of them."""

from __future__ import annotations

from copy import deepcopy
from random import Random

from kt_cp.model.board import square_name
from tests.examples.certificates import (
    bounds,
    certificate,
    examples_1,
    examples_2,
    examples_4,
    examples_5,
    refutation,
    signed,
    sweeps,
)

MOST = 30
"""Most squares of a changed board, so that it can be decided."""

WORDS = [
    None, True, False, 0, 1, -1, 2, 10**18, 10**30, 1.5, "", "a1", "end", "z99", [], {}, ["a1"],
]  # fmt: skip


def seeds():
    """Return valid certificates to change; their proofs are lists of lines."""
    found = []
    small = [
        each for each in examples_2() if each[0].get("rows", 1) * each[0].get("columns", 1) < 13
    ]
    for problem, evidence in [
        *examples_1(),
        *small,
        *examples_4(),
        *examples_5(),
        *sweeps(),
        *bounds(),
    ]:
        if isinstance(evidence.get("proof"), str):
            continue
        found.append(certificate(problem, evidence))
    return found


SEEDS = seeds()


class Changes:
    """Random changes to the values of a certificate."""

    def __init__(self, seed):
        self.rng = Random(seed)

    def changed(self):
        """Return a certificate after some changes, mostly few, so that much of it stays valid."""
        document = deepcopy(self.rng.choice(SEEDS))
        for _ in range(self.rng.choice([1, 1, 1, 2, 2, 3, 5])):
            self.rng.choice(
                [self.any_value, self.a_list, self.a_square, self.problem, self.ends, self.evidence]
            )(document)
        self.refit(document)
        return signed(document)

    def places(self, value):
        """Return every (container, key) within a value."""
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
        """Replace a square by another anywhere in the evidence."""
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
        return deepcopy(nodes) if isinstance(nodes, list) else []  # or one came to hold itself

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
        """Take the evidence of another certificate, or change the kind of the evidence."""
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
        """Update the digests of a refutation, if it has all parts."""
        evidence = document["evidence"]
        if not isinstance(evidence, dict) or evidence.get("kind") not in ("refutation", "list"):
            return
        parts = (evidence.get(part) for part in ("proof", "cuts", "tight"))
        more = {key: evidence[key] for key in ("clues", "tours") if key in evidence}
        try:
            document["evidence"] = refutation(document["problem"], *parts, pack=False, **more)
        except Exception:  # there is nothing to refute; the checker must report it
            return

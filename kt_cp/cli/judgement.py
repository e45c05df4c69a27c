"""What ``kt-cp check`` says of a tour, for people and for programs."""

from __future__ import annotations

import json
from dataclasses import dataclass

from kt_cp.model.problem import Problem
from kt_cp.trust.judge import Defect


@dataclass(frozen=True)
class Judgement:
    """What is wrong with a claimed tour, and what it is.

    ``squares`` is the length of the claim, ``start`` and ``end`` are the names of its first and
    last square, and ``closes`` says whether it would be a closed tour as well.
    """

    problem: Problem
    found: list[Defect]
    squares: int
    start: str | None
    end: str | None
    closes: bool

    def words(self) -> str:
        """All in lines of text."""
        label = self.problem.label
        if self.found:
            many = f"{len(self.found)} defect{'s' * (len(self.found) > 1)}"
            return "\n  ".join([f"Not a tour ({label}): {many}", *map(str, self.found)]) + "\n"
        many = f"{self.squares} square{'s' * (self.squares > 1)}"
        both = self.closes and not self.problem.closed and self.problem.end is None
        return f"A tour ({label}): {many}{', closed as well' * both}\n"

    def to_json(self) -> str:
        """The same as JSON."""
        from kt_cp.formats.json import SCHEMA_VERSION, problem_document

        document = {
            "schema_version": SCHEMA_VERSION,
            "problem": problem_document(self.problem),
            "squares": self.squares,
            "start": self.start,
            "end": self.end,
            "valid": not self.found,
            "defects": [
                {"rule": defect.rule.value, "step": defect.step, "text": defect.text}
                for defect in self.found
            ],
        }
        return json.dumps(document, indent=2, ensure_ascii=False) + "\n"

"""A puzzle: given steps of a tour that no other tour has."""

from __future__ import annotations

import json
import warnings
from dataclasses import dataclass
from typing import Any

from kt_cp.model.board import describe, shorten
from kt_cp.model.document import problem_document
from kt_cp.model.errors import KtCpError
from kt_cp.model.outcome import Outcome
from kt_cp.model.problem import Problem, changed
from kt_cp.model.terms import counted
from kt_cp.model.tour import Tour
from kt_cp.puzzles.grades import Grade
from kt_cp.search.step_domains import given_vertices


@dataclass(frozen=True, repr=False)
class Puzzle:
    """Given steps, and the only tour that has them.

    Attributes
    ----------
    problem : Problem
        The problem, with the clues as its given steps.
    tour : Tour
        The only solution.
    grade : Grade
    seed : int
        The seed that reproduces the puzzle.
    needless : tuple of squares
        Clues that may be needless: without such a clue, the search found neither a second solution
        nor a proof that there is none within its budget.  Usually empty on boards of 100 squares.
        Requested clues (``clues``, or given steps of the problem) are not tested.
    """

    problem: Problem
    tour: Tour
    grade: Grade
    seed: int
    needless: tuple[Any, ...] = ()

    @property
    def base_problem(self) -> Problem:
        """The problem without its given steps."""
        return changed(self.problem, given=())

    @property
    def asked(self) -> Problem:
        """The former name of ``base_problem``."""
        warnings.warn("use Puzzle.base_problem", DeprecationWarning, stacklevel=2)
        return self.base_problem

    @property
    def clues(self) -> int:
        """Number of given steps."""
        return len(self.problem.given)

    @property
    def numbers(self) -> dict[Any, int]:
        """The step of each square with a known step: given steps, and those of start and end."""
        nodes = self.problem.indexed.nodes
        return {nodes[vertex]: step + 1 for step, vertex in given_vertices(self.problem)}

    def __repr__(self) -> str:
        label = f"{shorten(self.base_problem.label, 60)}, {counted(self.clues, 'clue')}"
        return f"<Puzzle: {label}, {self.grade}, seed {self.seed}>"

    def to_json(self, indent: int | None = 2) -> str:
        """Return JSON, on one line if ``indent`` is None.

        Its keys are ``schema_version``, ``problem``, ``tour``, ``grade``, ``seed``, ``needless``.
        """
        from kt_cp.formats.write import SCHEMA_VERSION

        document = {
            "schema_version": SCHEMA_VERSION,
            "problem": None,
            "tour": None,
            "grade": self.grade.value,
            "seed": self.seed,
            "needless": [describe(square) for square in self.needless],
        }
        text = json.dumps(document, indent=indent, ensure_ascii=False)
        for name, value in (("problem", problem_document(self.problem)), ("tour", self.tour.names)):
            line = json.dumps(value, ensure_ascii=False)
            text = text.replace(f'"{name}": null', f'"{name}": {line}', 1)
        return text


class NoPuzzleError(KtCpError):
    """The error if no puzzle was made, because there is no tour or a limit was reached.

    ``outcome`` is that of the search for a tour, if this is the reason.
    """

    def __init__(self, reason: str, outcome: Outcome | None = None) -> None:
        super().__init__(reason)
        self.outcome = outcome

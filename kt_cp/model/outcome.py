"""The answer of an engine: verdict, tour or evidence, and the work that was done.

Evidence that anyone can check is a certificate: a problem, evidence that it has no tour, and the
JSON object of both.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from enum import Enum
from os import PathLike
from typing import Any

from kt_cp.model.board import shorten
from kt_cp.model.document import format_json
from kt_cp.model.errors import InputError
from kt_cp.model.problem import Problem
from kt_cp.model.terms import claim_of
from kt_cp.model.tour import SHOWN_SQUARES, Tour
from kt_cp.model.views import NotebookDisplay, call_by_name

EXHAUSTED = "exhausted"
"""The one kind of evidence that is no certificate: a search that can be run again."""


class Verdict(Enum):
    """Answer to a problem; never a bare boolean, since a timeout is not a "no"."""

    FOUND = "FOUND"
    IMPOSSIBLE = "IMPOSSIBLE"
    UNKNOWN = "UNKNOWN"

    def __bool__(self) -> bool:
        raise TypeError("a verdict has three values; compare it with Verdict.FOUND")


class EvidenceKind(Enum):
    """How well a "no" is backed, from an argument anyone can follow down to a bare claim."""

    ARGUMENT = "argument"
    REFUTATION = "refutation"
    THEOREM = "theorem"
    EXHAUSTED = "exhausted search"
    CLAIMED = "claimed"


@dataclass(frozen=True, repr=False)
class Evidence:
    """Backing of an ``IMPOSSIBLE``: its kind, one sentence, and a certificate where there is one.

    The certificate has passed the checker.
    """

    kind: EvidenceKind
    text: str
    certificate: Certificate | None = None

    def __repr__(self) -> str:
        return f"<Evidence: {self.kind.value}, {shorten(self.text, 68)}>"


@dataclass(frozen=True, repr=False)
class Certificate:
    """Evidence, accepted by the checker, that a problem has no tour, or no others than a list.

    (Or, of the kind ``"exhausted"``, the report of a search, which no checker accepts.)

    Attributes
    ----------
    kind : str
        Of the evidence, such as ``"removal"``.
    argument : str
        The evidence as one sentence, without a full stop.
    document : mapping
        The JSON object that anyone can check.

    Examples
    --------
    >>> from kt_cp.model.board import Board
    >>> from kt_cp.proofs.certificate import certified
    >>> made = certified(Problem(Board(3, 3)), {"kind": "degrees", "squares": ["b2"]})
    >>> made.argument, made.document["problem"]["rows"]
    ('b2 has no moves at all', 3)
    """

    problem: Problem
    kind: str
    argument: str
    document: Mapping[str, Any]

    def __repr__(self) -> str:
        label, argument = shorten(self.problem.label), shorten(self.argument, 32)
        return f"<Certificate: {self.kind}, {label}: {argument}>"

    @property
    def claim(self) -> str:
        """What is proved: ``"no tour"``, ``"the only tour"``, ``"all 9,862 tours"``."""
        return claim_of(self.document["evidence"])

    @property
    def evidence(self) -> Evidence:
        """How an outcome describes it."""
        refuted = dict.fromkeys(("refutation", "list"), EvidenceKind.REFUTATION)
        kinds = {EXHAUSTED: EvidenceKind.EXHAUSTED, **refuted}
        end = self.document["evidence"].get("then", {}) if self.kind == "split" else {}
        kind = kinds.get(end.get("kind", self.kind), EvidenceKind.ARGUMENT)
        return Evidence(kind, self.argument, self)

    def save(self, path: str | PathLike[str]) -> None:
        """Write it to a file, whatever stood there.

        ``.json`` is the certificate that anyone can check, ``.svg``, ``.png`` and ``.pdf`` are its
        argument as a picture, and ``.txt`` is it in a sentence.

        Raises
        ------
        InputError
            If the name ends with nothing of these, or a graph is to be drawn.
        TooLargeError
            If the board is too large to be drawn.
        """
        call_by_name("save_certificate", self, path)

    def to_json(self) -> str:
        """The certificate's text: lists of squares on one line each."""
        return format_json(self.document) + "\n"


@dataclass(frozen=True)
class StepReport:
    """What a step of the engine ``auto`` did.

    Attributes
    ----------
    name : str
        Such as ``"Warnsdorff's rule"``.
    seconds : float
        Time that it took.
    result : str
        ``"a tour"``, ``"no tour"``, or why it settled nothing.
    """

    name: str
    seconds: float
    result: str


@dataclass(frozen=True)
class Checks:
    """What the front door did with an answer.

    Each of the three is True, False, or None where the check was not made; ``remarks`` then says
    why, under the same name.
    """

    verified: bool | None = None
    replayed: bool | None = None
    agrees: bool | None = None
    remarks: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, repr=False)
class Outcome(NotebookDisplay):
    """Answer of one engine to one problem.

    Attributes
    ----------
    reason : str or None
        Why there is no tour, or why it is unknown.
    evidence : Evidence or None
        Only with ``IMPOSSIBLE``.
    statistics : mapping
        Work counted: ``build_seconds``, ``solve_seconds``, ``variables``, ``clauses``, ``arcs``,
        ``conflicts``, ``nodes``, ``rounds`` …, whichever the engine has.  With the checks made,
        ``seconds`` in total, ``check_seconds`` for the checks.
    engine : str
        Full name of the engine that answered, under ``auto`` the one it chose.
    limit : str or None
        ``"time"`` or ``"memory"`` where that is why it is unknown.
    measures : mapping or None
        Measures of the tour, where JSON is to have them.
    steps : tuple of StepReport
        What ``auto`` tried, in order; empty for other engines, and where a process was ended.
    """

    verdict: Verdict
    problem: Problem
    engine: str
    tour: Tour | None = None
    reason: str | None = None
    evidence: Evidence | None = None
    statistics: Mapping[str, float] = field(default_factory=dict)
    limit: str | None = None
    seed: int = 0
    versions: Mapping[str, str] = field(default_factory=dict)
    checks: Checks = field(default_factory=Checks)
    steps: tuple[StepReport, ...] = ()
    measures: Mapping[str, int] | None = None

    def __post_init__(self) -> None:
        consistent = {
            Verdict.FOUND: self.tour is not None and self.evidence is None,
            Verdict.IMPOSSIBLE: self.tour is None and self.evidence is not None,
            Verdict.UNKNOWN: self.tour is None and self.evidence is None and bool(self.reason),
        }
        if not consistent[self.verdict]:
            raise ValueError(
                f"an outcome {self.verdict.value} needs a tour, evidence or a reason, and only that"
            )

    def __bool__(self) -> bool:
        """Return whether there is a tour, so that ``if solve(...)`` means what it says."""
        return self.verdict is Verdict.FOUND

    def __repr__(self) -> str:
        label = shorten(self.problem.label)
        why = f": {shorten(self.reason, 30)}" if self.reason else ""
        return f"<Outcome: {self.verdict.value} by {shorten(self.engine, 22)}, {label}{why}>"

    @property
    def seconds(self) -> float:
        """Seconds of the search and the checks; of an engine's own answer, of the search alone."""
        counted = self.statistics
        parts = counted.get("build_seconds", 0.0) + counted.get("solve_seconds", 0.0)
        return counted.get("seconds", counted.get("total_seconds", parts))

    @property
    def verified(self) -> bool | None:
        """Whether the judge passed the tour."""
        return self.checks.verified

    @property
    def replayed(self) -> bool | None:
        """Whether the reference walked the tour without one step back."""
        return self.checks.replayed

    @property
    def certificate(self) -> Certificate | None:
        """The checked certificate of an ``IMPOSSIBLE``, if there is one."""
        return None if self.evidence is None else self.evidence.certificate

    def save(self, path: str | PathLike[str]) -> None:
        """Write the answer to a file in the format of its name; an existing file is replaced.

        Parameters
        ----------
        path : path
            A tour is written as a picture (``.svg``, ``.png``, ``.pdf``), as step numbers in a
            grid (``.txt``) or an array (``.npy``), as ``.csv`` or ``.names``.  Where there is none,
            the argument is written, as a picture or as ``.txt``.  ``.json`` holds either.

        Raises
        ------
        InputError
            If the name ends with nothing of these, or there is nothing of that kind to write.
        TooLargeError
            If the board is too large for that.
        """
        call_by_name("save_outcome", self, path)

    def _repr_svg_(self) -> str | None:
        """Picture for notebooks: the tour, or the argument that there is none."""
        if self.verdict is Verdict.UNKNOWN or self.problem.size > SHOWN_SQUARES:
            return None
        with suppress(InputError):
            return str(call_by_name("outcome_picture", self))
        return None

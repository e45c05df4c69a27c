"""The answer of an engine: verdict, tour or evidence, and statistics.

Evidence that anyone can check is a certificate: a problem, evidence that it has no tour, and a JSON
object of both.
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
"""The only kind of evidence that is not a certificate: a search that can be run again."""


class Verdict(Enum):
    """Answer to a problem; it is not a boolean, since a timeout is not a "no"."""

    FOUND = "FOUND"
    IMPOSSIBLE = "IMPOSSIBLE"
    UNKNOWN = "UNKNOWN"

    def __bool__(self) -> bool:
        raise TypeError("a verdict has three values; compare it with Verdict.FOUND")


class EvidenceKind(Enum):
    """Kind of evidence for a "no", from an argument that anyone can follow to a bare claim."""

    ARGUMENT = "argument"
    REFUTATION = "refutation"
    THEOREM = "theorem"
    EXHAUSTED = "exhausted search"
    CLAIMED = "claimed"


@dataclass(frozen=True, repr=False)
class Evidence:
    """Evidence for ``IMPOSSIBLE``: its kind, one sentence, and a certificate if there is one.

    The certificate has passed the checker.
    """

    kind: EvidenceKind
    text: str
    certificate: Certificate | None = None

    def __repr__(self) -> str:
        return f"<Evidence: {self.kind.value}, {shorten(self.text, 68)}>"


@dataclass(frozen=True, repr=False)
class Certificate:
    """Evidence, accepted by the checker, that a problem has no tour, or only listed tours.

    (With the kind ``"exhausted"`` it is the report of a search, which no checker accepts.)

    Attributes
    ----------
    kind : str
        Kind of the evidence, such as ``"removal"``.
    argument : str
        The evidence as one sentence, without a full stop.
    document : mapping
        The JSON object that anyone can check.

    Examples
    --------
    >>> from kt_cp.model.board import Board
    >>> from kt_cp.proofs.certificate import build_certificate
    >>> made = build_certificate(Problem(Board(3, 3)), {"kind": "degrees", "squares": ["b2"]})
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
        """The proved claim: ``"no tour"``, ``"the only tour"``, ``"all 9,862 tours"``."""
        return claim_of(self.document["evidence"])

    @property
    def evidence(self) -> Evidence:
        """The evidence of an outcome with this certificate."""
        refuted = dict.fromkeys(("refutation", "list"), EvidenceKind.REFUTATION)
        kinds = {EXHAUSTED: EvidenceKind.EXHAUSTED, **refuted}
        end = self.document["evidence"].get("then", {}) if self.kind == "split" else {}
        kind = kinds.get(end.get("kind", self.kind), EvidenceKind.ARGUMENT)
        return Evidence(kind, self.argument, self)

    def save(self, path: str | PathLike[str]) -> None:
        """Write the certificate to a file, and replace an existing file.

        ``.json`` contains the certificate, which anyone can check; ``.svg``, ``.png`` and ``.pdf``
        contain its argument as a picture, and ``.txt`` contains it as a sentence.

        Raises
        ------
        InputError
            If the name ends with nothing of these, or a graph is to be drawn.
        TooLargeError
            If the board is too large to be drawn.
        """
        call_by_name("save_certificate", self, path)

    def to_json(self) -> str:
        """Return the JSON text of the certificate, with a line for each list of squares."""
        return format_json(self.document) + "\n"


@dataclass(frozen=True)
class StepReport:
    """Report of one step of the engine ``auto``.

    Attributes
    ----------
    name : str
        Name of the step, such as ``"Warnsdorff's rule"``.
    seconds : float
        Duration of the step.
    result : str
        ``"a tour"``, ``"no tour"``, or the reason why there is no answer.
    """

    name: str
    seconds: float
    result: str


@dataclass(frozen=True)
class Checks:
    """Results of the checks of an answer.

    Each of the three is True, False, or None if the check was not made.  Then ``remarks`` has the
    reason under the same name.
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
        Reason why there is no tour, or why the answer is unknown.
    evidence : Evidence or None
        Only with ``IMPOSSIBLE``.
    statistics : mapping
        Figures of the engine: ``build_seconds``, ``solve_seconds``, ``variables``, ``clauses``,
        ``arcs``, ``conflicts``, ``nodes``, ``rounds`` …  After the checks, also ``seconds`` in
        total and ``check_seconds`` for the checks.
    engine : str
        Full name of the engine that answered; for ``auto``, of the engine that it chose.
    limit : str or None
        ``"time"`` or ``"memory"`` if that limit is the reason why the answer is unknown.
    measures : mapping or None
        Measures of the tour, for JSON.
    steps : tuple of StepReport
        Steps of ``auto`` in order; empty for other engines, and if a process was ended.
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
        """Return whether there is a tour."""
        return self.verdict is Verdict.FOUND

    def __repr__(self) -> str:
        label = shorten(self.problem.label)
        why = f": {shorten(self.reason, 30)}" if self.reason else ""
        return f"<Outcome: {self.verdict.value} by {shorten(self.engine, 22)}, {label}{why}>"

    @property
    def seconds(self) -> float:
        """Seconds of the search and the checks; without checks, of the search alone."""
        counted = self.statistics
        parts = counted.get("build_seconds", 0.0) + counted.get("solve_seconds", 0.0)
        return counted.get("seconds", counted.get("total_seconds", parts))

    @property
    def verified(self) -> bool | None:
        """Whether the judge accepted the tour."""
        return self.checks.verified

    @property
    def replayed(self) -> bool | None:
        """Whether the reference recursion followed the tour without backtracking."""
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
            grid (``.txt``) or an array (``.npy``), as ``.csv`` or ``.names``.  Without a tour, the
            argument is written as a picture or as ``.txt``.  ``.json`` contains either.

        Raises
        ------
        InputError
            If the name has another extension, or the answer has no content in that format.
        TooLargeError
            If the board is too large for the format.
        """
        call_by_name("save_outcome", self, path)

    def _repr_svg_(self) -> str | None:
        """Return a picture for notebooks: of the tour, or of the argument that there is none."""
        if self.verdict is Verdict.UNKNOWN or self.problem.size > SHOWN_SQUARES:
            return None
        with suppress(InputError):
            return str(call_by_name("outcome_picture", self))
        return None

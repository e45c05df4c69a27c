"""What comes back from an engine: verdict, tour or evidence, and the work that was done."""

from __future__ import annotations

import platform
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING

from kt_cp.model.problem import Problem
from kt_cp.model.tour import Tour

if TYPE_CHECKING:
    from kt_cp.model.certificate import Certificate


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


@dataclass(frozen=True)
class Evidence:
    """Backing of an ``IMPOSSIBLE``: its kind, one sentence, and a certificate where there is one.

    The certificate has passed the checker.
    """

    kind: EvidenceKind
    text: str
    certificate: Certificate | None = None


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


@dataclass(frozen=True)
class Outcome:
    """Answer of one engine to one problem.

    Attributes
    ----------
    reason : str or None
        Why there is no tour, or why it is unknown.
    evidence : Evidence or None
        Only with ``IMPOSSIBLE``.
    statistics : mapping
        Work counted: ``build_seconds``, ``solve_seconds``, ``variables``, ``clauses``, ``arcs``,
        ``conflicts``, ``nodes``, ``rounds`` …, whichever the engine has.
    engine : str
        Full name of the engine that answered, under ``auto`` the one it chose.
    limit : str or None
        ``"time"`` or ``"memory"`` where that is why it is unknown.
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

    def _repr_svg_(self) -> str | None:
        return None if self.tour is None else self.tour._repr_svg_()


def versions_of(packages: tuple[str, ...] = ()) -> dict[str, str]:
    """Versions of Python, this package and the given distributions."""
    known = {"python": platform.python_version()}
    for package in ("kt_cp", *packages):
        try:
            known[package] = version(package)
        except PackageNotFoundError:  # run from a source tree that was never installed
            known[package] = "unknown"
    return known

"""One row of a comparison."""

from __future__ import annotations

from dataclasses import dataclass, field

from kt_cp.compare.cases import Case
from kt_cp.outcome import Checks, Evidence


@dataclass(frozen=True)
class Run:
    """One row: a board, a kind of tour, an engine, one seed.

    ``verdict`` is that of the outcome, or ``TIMEOUT``, ``MEMORY``, ``CRASH``, ``REFUSED`` (too
    large for the engine, by estimate) or ``UNSOUND`` (the answer is wrong).  ``evidence`` is what
    a "no" came with, and ``backed`` says in a word what stands behind it, see
    :mod:`kt_cp.compare.backing`.
    """

    case: Case
    engine: str
    seed: int
    verdict: str
    reason: str | None = None
    statistics: dict[str, float] = field(default_factory=dict)
    checks: Checks = field(default_factory=Checks)
    versions: dict[str, str] = field(default_factory=dict)
    evidence: Evidence | None = None
    backed: str | None = None

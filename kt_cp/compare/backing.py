"""How every "none" of a comparison is backed, in a word.

``certified``
    A certificate of the problem was checked: the engine's own, or one found here.
``exhausted``
    The engine searched to the end, or the reference did, which agrees.
``theorem``
    A theorem is cited.
``claimed``
    The engine says so, and that is all.

A certificate belongs to a problem and not to an engine, so each problem is certified once, after
all runs.  Should that come upon a tour, every "none" is wrong.
"""

from __future__ import annotations

from dataclasses import replace

from kt_cp.compare.row import Run
from kt_cp.model.certificate import Certificate
from kt_cp.model.limits import Limits
from kt_cp.model.outcome import EvidenceKind, Outcome, Verdict
from kt_cp.model.problem import Problem
from kt_cp.proofs.certify import Finding, certify
from kt_cp.trust.check import Refusal, check
from kt_cp.trust.crosscheck import cross_check

NAME = "certify"

CERTIFY_SECONDS = 10.0
"""Most time for the certificate of one problem, and never more than a run may take."""


class CertificateMemory:
    """A certificate, a tour or neither for each problem, looked for once."""

    def __init__(self, limits: Limits, seed: int) -> None:
        seconds = min(CERTIFY_SECONDS, limits.seconds or CERTIFY_SECONDS)
        self._limits = Limits(seconds, limits.megabytes)
        self._seed = seed
        self._known: dict[Problem, Finding] = {}

    def __call__(self, problem: Problem) -> Finding:
        """What comes of certifying; a tour has passed the judge.

        Raises
        ------
        UnsoundEngineError
            If what came of it is no tour.
        """
        if problem not in self._known:
            found = self._found(problem)
            if found.tour is not None:
                cross_check(Outcome(Verdict.FOUND, problem, NAME, tour=found.tour, seed=self._seed))
            self._known[problem] = found
        return self._known[problem]

    def _found(self, problem: Problem) -> Finding:
        try:
            return certify(problem, limits=self._limits, seed=self._seed)
        except MemoryError:
            return Finding()


def with_backing(rows: list[Run], memory: CertificateMemory) -> list[Run]:
    """The rows; those that say that there is no tour, with how that is backed."""
    found = {row.problem for row in rows if row.verdict == Verdict.FOUND.value}
    none = Verdict.IMPOSSIBLE.value
    return [
        # Where another engine has a tour, that is what there is to tell.
        _backed(row, None if row.problem in found else memory) if row.verdict == none else row
        for row in rows
    ]


def _backed(row: Run, memory: CertificateMemory | None) -> Run:
    assert row.evidence is not None
    if _accepted(row.evidence.certificate, row.problem):
        return replace(row, backed="certified")
    found = Finding() if memory is None else memory(row.problem)
    if found.tour is not None:
        what = (
            f"engine {row.engine} says IMPOSSIBLE on {row.problem.label}, seed {row.seed}, "
            f"but looking for a certificate found a tour: {' '.join(found.tour.names)}"
        )
        return replace(row, verdict="UNSOUND", reason=what)
    if found.certificate is not None:
        return replace(row, backed="certified")
    if row.evidence.kind is EvidenceKind.EXHAUSTED or row.checks.agrees:
        return replace(row, backed="exhausted")
    return replace(row, backed=_WITHOUT.get(row.evidence.kind, "claimed"))


def _accepted(own: Certificate | None, problem: Problem) -> bool:
    """Whether an engine's own certificate holds here as well: it comes from another process."""
    if own is None:
        return False
    try:
        return check(own.document).problem == problem
    except Refusal:
        return False


_WITHOUT = {EvidenceKind.THEOREM: "theorem"}
"""What is left to say of evidence that nobody checked."""

"""A "no" of any engine, with a certificate where one is found."""

from __future__ import annotations

from dataclasses import replace

from kt_cp.crosscheck import contradiction
from kt_cp.limits import Limits
from kt_cp.outcome import Outcome, Verdict
from kt_cp.proofs.certificate import Certificate
from kt_cp.proofs.find.certify import Progress, certify
from kt_cp.tour import Tour


def backed(outcome: Outcome, limits: Limits, progress: Progress | None = None) -> Outcome:
    """The outcome; where it is a "no" without a certificate, with one if one is found.

    Raises
    ------
    UnsoundEngineError
        If a tour was found on the way.
    """
    problem = outcome.problem
    if outcome.verdict is not Verdict.IMPOSSIBLE or outcome.certificate is not None:
        return outcome
    try:
        found = certify(problem, limits=limits, seed=outcome.seed, progress=progress)
    except MemoryError:  # the answer stands, as well backed as it was
        return outcome
    if found is None:
        return outcome
    if not isinstance(found, Certificate):
        tour = Tour(found, problem.closed, problem.board)
        raise contradiction(outcome, f"a tour was found: {' '.join(tour.names)}")
    return replace(outcome, reason=found.argument, evidence=found.evidence)

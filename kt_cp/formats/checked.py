"""What was done to check an answer, and what a certificate that was accepted says, in words."""

from __future__ import annotations

from kt_cp.model.outcome import Outcome
from kt_cp.model.problem import Problem
from kt_cp.model.terms import claim_of


def checks_made(outcome: Outcome) -> str:
    """The checks of an answer that were made and passed."""
    checks = outcome.checks
    agrees = "the reference agrees"
    if outcome.evidence is not None:
        backing = outcome.evidence.kind.value
        if outcome.certificate is not None:
            backing = f"{outcome.certificate.kind}, a checked certificate"
        return f"backed by: {backing}; {agrees}" if checks.agrees else f"backed by: {backing}"
    named = (("verified", checks.verified), ("replayed", checks.replayed), (agrees, checks.agrees))
    made = ", ".join(name for name, made in named if made)
    # Of a tour too large for a check, what was done instead is worth a word.
    which = "replayed" if checks.verified else "verified"
    return made if checks.replayed else f"{made}; {checks.remarks[which]}".removeprefix("; ")


def proof_words(problem: Problem, kind: str, argument: str, tours: int = 0) -> str:
    """What a certificate proves, in a line."""
    return f"A proof ({problem.label}): {claim_of(tours)}, by {kind}: {argument}."

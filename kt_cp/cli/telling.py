"""What a remark says of an outcome: how it was checked, and how a "no" is backed."""

from __future__ import annotations

from kt_cp.outcome import Outcome


def took(outcome: Outcome) -> str:
    """The time of a search in words, or nothing where it was not measured."""
    counted = outcome.statistics
    parts = counted.get("build_seconds", 0.0) + counted.get("solve_seconds", 0.0)
    seconds = counted.get("total_seconds", parts)
    return f" in {seconds:.3g} s" if seconds else ""


def checks_made(outcome: Outcome) -> str:
    """The checks of an answer that were made and passed."""
    checks = outcome.checks
    agrees = "the reference agrees"
    if outcome.evidence is not None:
        return f"{backing(outcome)}; {agrees}" if checks.agrees else backing(outcome)
    named = (("verified", checks.verified), ("replayed", checks.replayed), (agrees, checks.agrees))
    made = ", ".join(name for name, made in named if made)
    # Of a tour too large for a check, what was done instead is worth a word.
    which = "replayed" if checks.verified else "verified"
    return made if checks.replayed else f"{made}; {checks.remarks[which]}".removeprefix("; ")


def backing(outcome: Outcome) -> str:
    """What stands behind a "no"."""
    assert outcome.evidence is not None
    if outcome.certificate is not None:
        return f"backed by: {outcome.certificate.kind}, a checked certificate"
    return f"backed by: {outcome.evidence.kind.value}"

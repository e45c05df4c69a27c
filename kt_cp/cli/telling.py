"""What is said of an outcome: a "no", how it is backed, and how the answer was checked."""

from __future__ import annotations

from kt_cp.cli.output import remark, show
from kt_cp.outcome import Outcome, Verdict


def tell(outcome: Outcome, *, answered: bool, hint: str = "") -> None:
    """What there is to say beside a tour: a "no", and how the answer was checked.

    Parameters
    ----------
    answered : bool
        Whether the outcome stands on stdout already.
    hint : str
        What to do where the answer is unknown.
    """
    problem = outcome.problem
    if outcome.verdict is Verdict.IMPOSSIBLE and not answered:
        show(f"No tour ({problem.label}): {outcome.reason}.\n")
    if outcome.verdict is Verdict.UNKNOWN:
        remark(f"kt-cp: unknown whether there is a tour: {outcome.reason}{hint}")
        return
    said = f"{outcome.verdict.value} by {outcome.engine}{took(outcome)}; {checks_made(outcome)}"
    remark(f"{problem.label}: {said}")


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

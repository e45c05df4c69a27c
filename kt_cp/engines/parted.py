"""Solving in parts as a step of ``auto``: when it is tried, and the outcome that it gives.

Graphs are looked at before any search, if they are sparse; where all vertices have many neighbours
parts are rare, and looking for them is dear.  Boards are looked at late, for nearly all of them
have a tour that is found at once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kt_cp.engines.engine import found, impossible, proved
from kt_cp.model.limits import Clock, Limits
from kt_cp.model.outcome import EvidenceKind, Outcome
from kt_cp.model.problem import Problem
from kt_cp.proofs.certificate import accepted, nameable
from kt_cp.trust.check.refusal import Refusal
from kt_cp.trust.check.split import PLAIN
from kt_cp.trust.check.state import Contradiction

if TYPE_CHECKING:
    from kt_cp.engines.split import Answer
    from kt_cp.proofs.parts import Refuted

MOST_SQUARES = 250_000
"""Of a graph: what the checker lays out, and some seconds (``benchmarks/MEASURED.md``)."""

MOST_BOARD = 2_500
MOST_EDGES = 6
"""For each vertex."""


def worth_looking(problem: Problem) -> bool:
    """Whether parts are likely enough for what it costs to look."""
    most = MOST_SQUARES if problem.board is None else MOST_BOARD
    if problem.whole_rectangle is not None or not 3 < problem.size <= most:
        return False
    return len(problem.indexed.tails) <= MOST_EDGES * problem.size


def parted(
    name: str, problem: Problem, answer: Answer, clock: Clock, limits: Limits, seed: int
) -> Outcome | None:
    """The outcome of solving in parts, or None where it came to nothing.

    Parameters
    ----------
    limits : Limits
        For a certificate.
    """
    from kt_cp.engines.split import in_parts  # boards with a tour never need it

    try:
        result = in_parts(problem, answer, clock, seed)
    except (Refusal, Contradiction):
        return None
    if result is None:
        return None
    work = {"parts": result.asked, "solve_seconds": clock.elapsed}
    if result.tour is not None:
        return found(name, problem, result.tour, work, seed)
    if result.refuted is not None:
        return _refuted(name, problem, result.refuted, limits, work, seed)
    return None


def _refuted(
    name: str,
    problem: Problem,
    refuted: Refuted,
    limits: Limits,
    work: dict[str, float],
    seed: int,
) -> Outcome:
    from kt_cp.proofs.certify import evidence_of_part  # takes longer to load than most tours
    from kt_cp.proofs.parts import Whole
    from kt_cp.proofs.split import written

    evidence, made = None, None
    if any(step != PLAIN for step in refuted.steps):  # else other kinds do by themselves
        evidence = written(Whole(problem), refuted, limits.clock(), evidence_of_part)
    if evidence is not None:
        made = accepted(nameable(problem), evidence, ("python-sat",))
    if made is not None:
        return proved(name, problem, made.evidence, work, seed)
    text = "claimed by search in parts: one of them has no cycle"
    return impossible(name, problem, EvidenceKind.CLAIMED, text, work, seed)

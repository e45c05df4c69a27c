"""Measurements behind the README's figures; ``python -m benchmarks`` runs them all."""

from __future__ import annotations

from dataclasses import dataclass, field

from benchmarks.cases import ALONE, COMPARED, QUICK_ALONE, QUICK_COMPARED, Case
from benchmarks.construction_cases import QUICK_SIZES, Sizes
from benchmarks.proofs_cases import CLAIMS, QUICK_CLAIMS, Claim

PLAIN = "plain"
CANDIDATES = (PLAIN, "cpsat", "sat")
"""What is compared on closed boards; the plain script, then engines by name."""

PARTS = ("search", "door", "commands", "walks", "enumeration", "proofs", "construction")
"""What is measured, in order: closed tours, the front door, whole processes, Warnsdorff's rule,
every tour, evidence that there is none, tours that are constructed."""


@dataclass(frozen=True)
class Plan:
    """What to run.

    Attributes
    ----------
    parts : tuple of str
        Of :data:`PARTS`.
    sides, seeds : tuple of int
        Of the closed boards; each pair once with each candidate.
    time_limit : float
        Seconds for one process.
    door_sides : tuple of int
        Closed boards on which the front door is taken apart.
    repeats : int
        Of each command.
    walks : (int, int)
        Shortest and longest side for Warnsdorff's rule.
    compared, alone : tuple of Case
        Enumerations, with the plain C++ recursion or without it.
    enumeration_repeats : int
        Of each enumeration, and of each command that enumerates.
    claims : tuple of Claim
        Questions without a tour.
    claim_repeats : int
        Of each kind of evidence on each.
    sizes : Sizes
        Of constructed tours.
    """

    parts: tuple[str, ...] = PARTS
    sides: tuple[int, ...] = (8, 20, 30, 40, 50, 60, 100)
    seeds: tuple[int, ...] = (1, 2, 3)
    time_limit: float = 180.0
    door_sides: tuple[int, ...] = (60, 100, 200)
    repeats: int = 10
    walks: tuple[int, int] = (5, 100)
    compared: tuple[Case, ...] = COMPARED
    alone: tuple[Case, ...] = ALONE
    enumeration_repeats: int = 5
    claims: tuple[Claim, ...] = CLAIMS
    claim_repeats: int = 3
    sizes: Sizes = field(default_factory=Sizes)


QUICK = Plan(
    sides=(6, 8),
    seeds=(1,),
    door_sides=(8,),
    repeats=1,
    walks=(5, 12),
    compared=QUICK_COMPARED,
    alone=QUICK_ALONE,
    enumeration_repeats=1,
    claims=QUICK_CLAIMS,
    claim_repeats=1,
    sizes=QUICK_SIZES,
)
"""Everything once, in a few seconds: shows that the benchmarks run, and measures nothing."""

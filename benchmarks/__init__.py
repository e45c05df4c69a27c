"""Measurements behind the README's figures; ``python -m benchmarks`` runs them all."""

from __future__ import annotations

from dataclasses import dataclass, field

from benchmarks.cases import ALONE, COMPARED, QUICK_ALONE, QUICK_COMPARED, Case
from benchmarks.construction_cases import QUICK_SIZES, Sizes
from benchmarks.limits import Climb, Refuting
from benchmarks.proofs_cases import CLAIMS, QUICK_CLAIMS, Claim
from kt_cp.encodings import ENCODING_NAMES

PLAIN, CLINGO, LKH = YARDSTICKS = ("plain", "clingo", "lkh")
"""What others have: the plain AddCircuit script, reachability by clingo, round trips by LKH."""

SAT = "sat:lazy"
CANDIDATES = (*YARDSTICKS, "cpsat", "propagator", SAT, "sat:lazy:cadical195", "sat:lazy::patch")
"""What is compared on closed boards: the yardsticks, then engines by name; the last joins cycles by
exchanging edges, which is no longer the encoding's own doing."""

ONE_SHOT = tuple(name for name in ENCODING_NAMES if name != "lazy")
"""The encodings that state everything at once."""

PARTS = (
    "search", "oneshot", "door", "commands", "walks", "enumeration", "proofs", "refutations",
    "construction",
)  # fmt: skip
"""What is measured, in order: closed tours, how far one-shot formulas come, the front door, whole
processes, Warnsdorff's rule, every tour, evidence that there is none, refutations by encoding,
tours that are constructed."""


@dataclass(frozen=True)
class Plan:
    """What to run.

    Attributes
    ----------
    parts : tuple of str
        Of :data:`PARTS`.
    candidates : tuple of str
        Of the search on closed boards: of the yardsticks, and engines by name.
    sides, seeds : tuple of int
        Of the closed boards; each pair once with each candidate.
    time_limit : float
        Seconds for one process, unless its part has a limit of its own.
    search_limit : float
        Seconds for one process of the search on closed boards.
    jobs : int
        Searches and refutations at a time.
    oneshot : Climb
        Encodings and how far they are to climb.
    refuting : Refuting
        Encodings, and boards without a tour.
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
    plots : str
        Name of the directory that the report's pictures are in; empty if there are none.
    """

    parts: tuple[str, ...] = PARTS
    candidates: tuple[str, ...] = CANDIDATES
    sides: tuple[int, ...] = (8, 20, 30, 40, 50, 60, 100, 200, 500, 1000)
    seeds: tuple[int, ...] = (1, 2, 3, 4, 5)
    time_limit: float = 180.0
    search_limit: float = 600.0
    jobs: int = 1
    oneshot: Climb = field(default_factory=lambda: Climb(ONE_SHOT))
    refuting: Refuting = field(default_factory=lambda: Refuting(ENCODING_NAMES))
    door_sides: tuple[int, ...] = (60, 100, 200)
    repeats: int = 10
    walks: tuple[int, int] = (5, 100)
    compared: tuple[Case, ...] = COMPARED
    alone: tuple[Case, ...] = ALONE
    enumeration_repeats: int = 5
    claims: tuple[Claim, ...] = CLAIMS
    claim_repeats: int = 3
    sizes: Sizes = field(default_factory=Sizes)
    plots: str = ""


QUICK = Plan(
    sides=(6, 8),
    seeds=(1,),
    oneshot=Climb(("remainder-short", "hybrid"), most=6),
    refuting=Refuting(("lazy", "hybrid"), within=((3, 3),)),
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

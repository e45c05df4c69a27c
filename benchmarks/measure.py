"""The runs: each in a process of its own, one after the other, candidates interleaved."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from benchmarks import Plan
from benchmarks.construction import Constructed, constructions
from benchmarks.enumeration import Enumerated, enumerations
from benchmarks.oneshot import Climbed, climbs
from benchmarks.process import HARMLESS, Run, command, job
from benchmarks.proofs import Proved, proofs
from benchmarks.refutations import Refuted, refutations
from benchmarks.search import Searched, searches

COMMANDS: dict[str, list[str]] = {
    "python -c pass": ["-c", "pass"],
    "kt-cp --help": ["-m", "kt_cp", "--help"],
    "kt-cp solve 8x8": ["-m", "kt_cp", "solve", "8x8"],
}


@dataclass
class Results:
    """Everything that was measured."""

    search: Searched = field(default_factory=Searched)
    oneshot: Climbed = field(default_factory=Climbed)
    refutations: Refuted = field(default_factory=Refuted)
    front_door: dict[tuple[int, int], Run] = field(default_factory=dict)
    """By side, seed."""
    commands: dict[str, list[float]] = field(default_factory=dict)
    walks: dict[int, Run] = field(default_factory=dict)
    """By seed."""
    enumeration: Enumerated = field(default_factory=Enumerated)
    proofs: Proved = field(default_factory=Proved)
    construction: Constructed = field(default_factory=Constructed)

    @property
    def broken(self) -> list[str]:
        """What ended neither with a right answer nor by the time limit."""
        runs = [*self.front_door.items(), *self.walks.items()]
        bad = [f"{key}: {run.status}" for key, run in runs if run.status not in HARMLESS]
        bad += [f"{name}: failed" for name, it in self.commands.items() if math.inf in it]
        for part in (
            self.search, self.oneshot, self.enumeration, self.proofs, self.refutations,
            self.construction,
        ):  # fmt: skip
            bad += part.broken
        return bad


def measure(plan: Plan) -> Results:
    """Run the chosen parts of a plan; a line to stderr for every run."""
    results = Results()
    parts = {
        "search": _search,
        "oneshot": _oneshot,
        "door": _door,
        "commands": _commands,
        "walks": _walks,
        "enumeration": _enumeration,
        "proofs": _proofs,
        "refutations": _refutations,
        "construction": _construction,
    }
    for name in plan.parts:
        parts[name](plan, results)
    return results


def _search(plan: Plan, results: Results) -> None:
    results.search = searches(plan.candidates, plan.sides, plan.seeds, plan.search_limit, plan.jobs)


def _oneshot(plan: Plan, results: Results) -> None:
    results.oneshot = climbs(plan.oneshot, plan.seeds, plan.jobs)


def _refutations(plan: Plan, results: Results) -> None:
    results.refutations = refutations(plan.refuting, plan.seeds, plan.jobs)


def _door(plan: Plan, results: Results) -> None:
    for seed in plan.seeds:
        for side in plan.door_sides:
            run = job("front_door", side, seed, time_limit=plan.time_limit)
            results.front_door[side, seed] = run


def _commands(plan: Plan, results: Results) -> None:
    for _ in range(plan.repeats):
        for name, arguments in COMMANDS.items():
            results.commands.setdefault(name, []).append(command(arguments))


def _walks(plan: Plan, results: Results) -> None:
    for seed in plan.seeds:
        run = job("warnsdorff", *plan.walks, seed, time_limit=plan.time_limit)
        results.walks[seed] = run


def _enumeration(plan: Plan, results: Results) -> None:
    results.enumeration = enumerations(plan)


def _proofs(plan: Plan, results: Results) -> None:
    results.proofs = proofs(plan.claims, plan.claim_repeats)


def _construction(plan: Plan, results: Results) -> None:
    results.construction = constructions(plan.sizes, plan.time_limit)

"""The runs: each in a process of its own, one after the other, candidates interleaved."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from statistics import median

from benchmarks import CANDIDATES, Plan
from benchmarks.construction import Constructed, constructions
from benchmarks.enumeration import Enumerated, enumerations
from benchmarks.process import HARMLESS, Run, command, job
from benchmarks.proofs import Proved, proofs

COMMANDS: dict[str, list[str]] = {
    "python -c pass": ["-c", "pass"],
    "kt-cp --help": ["-m", "kt_cp", "--help"],
    "kt-cp solve 8x8": ["-m", "kt_cp", "solve", "8x8"],
}


@dataclass
class Results:
    """Everything that was measured."""

    search: dict[tuple[str, int, int], Run] = field(default_factory=dict)
    """By candidate, side, seed."""
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
        runs = [*self.search.items(), *self.front_door.items(), *self.walks.items()]
        bad = [f"{key}: {run.status}" for key, run in runs if run.status not in HARMLESS]
        bad += [f"{name}: failed" for name, it in self.commands.items() if math.inf in it]
        return bad + self.enumeration.broken + self.proofs.broken + self.construction.broken

    def search_seconds(self, candidate: str, side: int) -> float:
        """Median over the seeds, runs without a tour counted as infinite."""
        runs = self.search.items()
        return median(run.seconds for key, run in runs if key[:2] == (candidate, side))


def measure(plan: Plan) -> Results:
    """Run the chosen parts of a plan; a line to stderr for every run."""
    results = Results()
    parts = {
        "search": _search,
        "door": _door,
        "commands": _commands,
        "walks": _walks,
        "enumeration": _enumeration,
        "proofs": _proofs,
        "construction": _construction,
    }
    for name in plan.parts:
        parts[name](plan, results)
    return results


def _search(plan: Plan, results: Results) -> None:
    for side in plan.sides:
        for seed in plan.seeds:
            for candidate in CANDIDATES:
                run = job("search", candidate, side, seed, time_limit=plan.time_limit)
                results.search[candidate, side, seed] = run


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

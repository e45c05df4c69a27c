"""The runs: each in a process of its own, one after the other, candidates interleaved."""

from __future__ import annotations

import json
import math
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks import CANDIDATES, Plan

ROOT = Path(__file__).parent.parent

COMMANDS: dict[str, list[str]] = {
    "python -c pass": ["-c", "pass"],
    "kt-cp --help": ["-m", "kt_cp", "--help"],
    "kt-cp solve 8x8": ["-m", "kt_cp", "solve", "8x8"],
}


HARMLESS = ("FOUND", "TIMEOUT")


@dataclass(frozen=True)
class Run:
    """What came of one process, and its numbers.

    The status is ``FOUND``, ``TIMEOUT``, ``CRASH``, ``WRONG`` (the judge refuses the tour), or
    what the solver said in place of a tour.
    """

    status: str
    values: dict[str, Any] = field(default_factory=dict)

    @property
    def seconds(self) -> float:
        """Seconds to build and solve; infinite without a tour."""
        return self.values["seconds"] if self.status == "FOUND" else math.inf


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

    @property
    def broken(self) -> list[str]:
        """What ended neither with a right answer nor by the time limit."""
        runs = [*self.search.items(), *self.front_door.items(), *self.walks.items()]
        bad = [f"{key}: {run.status}" for key, run in runs if run.status not in HARMLESS]
        return bad + [f"{name}: failed" for name, it in self.commands.items() if math.inf in it]

    def search_seconds(self, candidate: str, side: int) -> float:
        """Median over the seeds, runs without a tour counted as infinite."""
        runs = self.search.items()
        return median(run.seconds for key, run in runs if key[:2] == (candidate, side))


def measure(plan: Plan) -> Results:
    """Run the whole plan; a line to stderr for every run."""
    results = Results()
    for side in plan.sides:
        for seed in plan.seeds:
            for candidate in CANDIDATES:
                run = job("search", candidate, side, seed, time_limit=plan.time_limit)
                results.search[candidate, side, seed] = run
    for seed in plan.seeds:
        for side in plan.door_sides:
            run = job("front_door", side, seed, time_limit=plan.time_limit)
            results.front_door[side, seed] = run
    for _ in range(plan.repeats):
        for name, arguments in COMMANDS.items():
            results.commands.setdefault(name, []).append(command(arguments))
    for seed in plan.seeds:
        run = job("warnsdorff", *plan.walks, seed, time_limit=plan.time_limit)
        results.walks[seed] = run
    return results


def job(*arguments: object, time_limit: float) -> Run:
    """Run :mod:`benchmarks.job`; it is ended when its time, counted from its start, is over."""
    texts = [str(argument) for argument in arguments]
    try:
        ended = subprocess.run(
            [sys.executable, "-m", "benchmarks.job", *texts],
            cwd=ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, timeout=time_limit,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        run = Run("TIMEOUT")
    else:
        # A crash may have printed anything, so what it printed counts only without one.
        values = {} if ended.returncode else json.loads(ended.stdout.splitlines()[-1])
        run = Run(values.pop("status", "CRASH"), values)
    took = f" {run.seconds:.3f} s" if "seconds" in run.values else ""
    print(f"{' '.join(texts)}: {run.status}{took}", file=sys.stderr, flush=True)
    return run


def command(arguments: list[str]) -> float:
    """Wall time of a whole Python process; infinite if it fails."""
    began = time.perf_counter()
    ended = subprocess.run(
        [sys.executable, *arguments], cwd=ROOT, stdin=subprocess.DEVNULL, capture_output=True
    )
    return math.inf if ended.returncode else time.perf_counter() - began

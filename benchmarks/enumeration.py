"""The part ``enumeration``: every case by each of its candidates, in turn, again and again."""

from __future__ import annotations

import math
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

from benchmarks import Plan
from benchmarks.cases import FIRST, RECURSION, TWIN, Case
from benchmarks.cplusplus import OPTIONS, build, compiler, recursion, version
from benchmarks.process import HARMLESS, Run, command, job

COMMANDS: dict[str, list[str]] = {
    "python -c pass": ["-c", "pass"],
    "kt-cp enumerate 5x5 --count": ["-m", "kt_cp", "enumerate", "5x5", "--count"],
    "kt-cp enumerate 5x5": ["-m", "kt_cp", "enumerate", "5x5"],
    "kt-cp enumerate 6x6 --closed --count": [
        "-m", "kt_cp", "enumerate", "6x6", "--closed", "--count",
    ],
}  # fmt: skip
COLD = "kt-cp enumerate 5x5 --count"
"""What is run with an empty compile cache, and so fills it for the others."""
FIRST_TIME = f"{COLD}, nothing compiled yet"


@dataclass
class Enumerated:
    """What came of the enumerations."""

    runs: dict[tuple[Case, str], list[Run]] = field(default_factory=dict)
    """By case and candidate; without a compiler nothing by the C++ recursion."""
    commands: dict[str, list[float]] = field(default_factory=dict)
    compiler: str | None = None
    """What the C++ compiler says of itself, and its options."""
    failed_build: bool = False

    def seconds(self, case: Case, candidate: str) -> float:
        """Median; infinite where a run did not end, or there is none."""
        return median([run.seconds for run in self.runs.get((case, candidate), ())] or [math.inf])

    def numbers(self, case: Case, candidate: str, name: str) -> set[int]:
        """All the numbers that came out, of which there should be one."""
        runs = self.runs.get((case, candidate), ())
        return {run.values[name] for run in runs if run.status == "FOUND"}

    @property
    def broken(self) -> list[str]:
        """What crashed, and what does not agree."""
        bad = ["the C++ recursion: not compiled"] if self.failed_build else []
        for (case, candidate), runs in self.runs.items():
            statuses = {run.status for run in runs} - set(HARMLESS)
            bad += [f"{case.label}, {candidate}: {status}" for status in sorted(statuses)]
        for case in dict.fromkeys(case for case, _ in self.runs):
            bad += [f"{case.label}: {what}" for what in self._contradictions(case)]
        return bad + [f"{name}: failed" for name, it in self.commands.items() if math.inf in it]

    def _contradictions(self, case: Case) -> Iterator[str]:
        candidates = [candidate for it, candidate in self.runs if it == case]
        tours = set().union(*(self.numbers(case, it, "tours") for it in candidates))
        if len(tours | ({case.tours} - {None})) > 1:
            expected = "" if case.tours is None else f", expected {case.tours}"
            yield f"{sorted(tours)} tours{expected}"
        # Those that prune place fewer squares; the twin takes the C++ recursion's very steps.
        unpruned = [it for it in candidates if it in (RECURSION, TWIN, FIRST)]
        placed = set().union(*(self.numbers(case, it, "placed") for it in unpruned))
        if len(placed | ({case.placed} - {None})) > 1:
            expected = "" if case.placed is None else f", expected {case.placed}"
            yield f"{sorted(placed)} squares placed{expected}"


def enumerations(plan: Plan) -> Enumerated:
    """Run the whole part; a line to stderr for every run."""
    results = Enumerated()
    with tempfile.TemporaryDirectory(prefix="kt_cp-benchmark-") as directory:
        program = _program(results, Path(directory))
        for _ in range(plan.enumeration_repeats):
            for case in (*plan.compared, *plan.alone):
                for candidate in case.candidates:
                    _once(plan, results, case, candidate, program)
        for repeat in range(plan.enumeration_repeats):
            # The first command compiles into a fresh directory; those after it find it filled.
            cache = {"NUMBA_CACHE_DIR": str(Path(directory) / f"cache{repeat}")}
            for name, arguments in ((FIRST_TIME, COMMANDS[COLD]), *COMMANDS.items()):
                took = command(arguments, cache)
                print(f"{name}: {took:.3f} s", file=sys.stderr, flush=True)
                results.commands.setdefault(name, []).append(took)
    return results


def _program(results: Enumerated, directory: Path) -> Path | None:
    path = compiler()
    if path is None:
        return None
    results.compiler = f"{version(path)}, {' '.join(OPTIONS)}"
    try:
        return build(path, directory)
    except subprocess.CalledProcessError:
        results.failed_build = True
        return None


def _once(
    plan: Plan, results: Enumerated, case: Case, candidate: str, program: Path | None
) -> None:
    runs = results.runs.setdefault((case, candidate), [])
    if any(run.status == "TIMEOUT" for run in runs):
        return  # once is enough
    if candidate != RECURSION:
        runs.append(
            job(
                "enumeration", candidate, case.board, case.start,
                "closed" if case.closed else "open",
                "directed" if case.directed else "undirected", case.order,
                time_limit=plan.time_limit,
            )
        )  # fmt: skip
    elif program is not None:
        runs.append(recursion(program, case, plan.time_limit))

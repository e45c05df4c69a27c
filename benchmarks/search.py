"""The part ``search``: closed boards of growing sides, by all who have something to find tours."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from statistics import median

from benchmarks import PLAIN, YARDSTICKS
from benchmarks.ladder import Ladder, climb, faults
from benchmarks.process import Run, job
from benchmarks.yardsticks import installed

MOST = {PLAIN: 100, "clingo": 100, "lkh": 40}
"""The largest side for those who would only run into the limit, or out of memory, above it."""

LIMIT, LONG_LIMIT, LONG = 120.0, 600.0, 1000
"""Most seconds of an engine, from side ``LONG`` on more; the yardsticks have the plan's limit."""


@dataclass
class Searched:
    """What came of the searches."""

    ladders: dict[str, Ladder] = field(default_factory=dict)
    """By candidate, in order; those that are not installed have none."""
    missing: list[str] = field(default_factory=list)

    @property
    def broken(self) -> list[str]:
        """What ended neither with a tour nor by a limit."""
        return faults(self.ladders)

    def runs(self, candidate: str, side: int) -> list[Run]:
        """In the order of the seeds; empty where the candidate did not come so far."""
        ladder = self.ladders.get(candidate)
        if ladder is None:
            return []
        return [ladder.runs[side, it] for it in ladder.seeds if (side, it) in ladder.runs]

    def seconds(self, candidate: str, side: int) -> float:
        """Median over the seeds, runs without a tour counted as infinite."""
        return median(run.seconds for run in self.runs(candidate, side))


def limit(candidate: str, side: int, most: float) -> float:
    """Seconds that one run may take."""
    if candidate in YARDSTICKS:
        return most
    return min(most, LONG_LIMIT if side >= LONG else LIMIT)


def searches(
    candidates: Sequence[str],
    sides: Sequence[int],
    seeds: Sequence[int],
    time_limit: float,
    jobs: int = 1,
) -> Searched:
    """Run them all; a line to stderr for every run."""
    results = Searched(missing=[name for name in candidates if not installed(name)])
    for name in candidates:
        if name not in results.missing:
            own = [side for side in sides if side <= MOST.get(name, side)]

            def run(side: int, seed: int, stop: threading.Event, name: str = name) -> Run:
                most = limit(name, side, time_limit)
                return job("search", name, side, seed, time_limit=most, stop=stop)

            results.ladders[name] = Ladder(name, own, seeds, run, all_cores=name == PLAIN)
    climb(list(results.ladders.values()), jobs)
    return results

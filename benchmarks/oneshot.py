"""The part ``oneshot``: how far each encoding comes that states everything at once.

The solver is the same for all, CaDiCaL 1.9.5 as PySAT has it, so that encodings are compared and
not solvers.  One whose models need a check runs with its cuts, as its engine does.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from benchmarks.ladder import Ladder, climb, faults
from benchmarks.limits import Climb
from benchmarks.markdown import outcome, table, target, title
from benchmarks.process import Run, job

SOLVER = "cadical195"
AIM = 40
"""Side that the best one is to reach; in the SAT Race of 2019 nothing came beyond 20."""


@dataclass
class Climbed:
    """How far each encoding came."""

    ladders: dict[str, Ladder] = field(default_factory=dict)

    @property
    def broken(self) -> list[str]:
        """What ended neither with a tour nor by a limit."""
        return faults(self.ladders)


def climbs(plan: Climb, seeds: Sequence[int], jobs: int = 1) -> Climbed:
    """Run them all; a line to stderr for every run."""
    results = Climbed()
    for name in plan.encodings:

        def run(side: int, seed: int, stop: threading.Event, name: str = name) -> Run:
            engine = f"sat:{name}:{SOLVER}"
            return job("search", engine, side, seed, time_limit=plan.seconds, stop=stop)

        results.ladders[name] = Ladder(name, plan.sides, seeds, run, thrifty=True)
    climb(list(results.ladders.values()), jobs)
    return results


def report(plan: Climb, results: Climbed) -> Iterator[str]:
    """The table, and how far the best one came."""
    yield from title(
        f"One-shot formulas, closed, {SOLVER}: the largest side within {plan.seconds:g} s"
    )
    rows = [_row(plan, ladder) for ladder in results.ladders.values()]
    headings = ["encoding", "largest side", "seconds there", "variables", "clauses", "failed at"]
    yield from table(headings, rows)
    yield ""
    yield "Even sides from 6 to 50, then 60, 70, …, until most of the seeds fail; seeds that change"
    yield "nothing any more are left out, but for the largest side. In brackets the fastest and the"
    yield "slowest seed. REFUSED: more clauses than kt_cp allows a formula."
    yield ""
    reached = {name: ladder.highest or 0 for name, ladder in results.ladders.items()}
    if plan.most >= AIM and reached:
        best = max(reached.values())
        names = ", ".join(name for name, side in reached.items() if side == best)
        yield target(f"{names}: side {best} (at least {AIM})", best >= AIM)


def _row(plan: Climb, ladder: Ladder) -> list[str]:
    side, fell = ladder.highest, ladder.fell
    failed = "–"
    if fell is not None:
        runs = [ladder.runs[fell, seed] for seed in ladder.seeds if (fell, seed) in ladder.runs]
        failed = f"{fell} ({outcome(runs, plan.seconds)})"
    if side is None:
        return [ladder.name, "–", "", "", "", failed]
    runs = [ladder.runs[side, seed] for seed in ladder.seeds if (side, seed) in ladder.runs]
    sizes = next(run.values for run in runs if run.status == "FOUND")
    counts = [f"{sizes[name]:,.0f}" for name in ("variables", "clauses")]
    return [ladder.name, f"{side}", outcome(runs, plan.seconds), *counts, failed]

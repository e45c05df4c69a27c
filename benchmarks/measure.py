"""The runs of a plan, and what came of them."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path

from benchmarks.case import HARMLESS, Run
from benchmarks.kept import Kept
from benchmarks.ladder import Ladder, Runner, climb
from benchmarks.plan import Plan
from benchmarks.process import Processes

TOGETHER = ("search", "oneshot", "refutations")
"""Parts that may have several runs at a time."""


@dataclass
class Results:
    """Everything that was measured: the ladders of each part."""

    ladders: dict[str, list[Ladder]] = field(default_factory=dict)
    contradictions: list[str] = field(default_factory=list)

    def by_seed(self, part: str, row: str, who: str) -> dict[int, Run]:
        """The runs of a case by their seeds; empty if there are none."""
        for ladder in self.ladders.get(part, ()):
            for case in ladder.cases:
                if (case.row, case.who) == (row, who):
                    return ladder.by_seed(case)
        return {}

    def runs(self, part: str, row: str, who: str) -> list[Run]:
        """The same, in the order of the seeds."""
        return list(self.by_seed(part, row, who).values())

    def names(self, part: str) -> tuple[list[str], list[str]]:
        """All rows and all columns of a part, in the order of its cases."""
        cases = [case for ladder in self.ladders.get(part, ()) for case in ladder.cases]
        rows, columns = ([getattr(case, it) for case in cases] for it in ("row", "who"))
        return list(dict.fromkeys(rows)), list(dict.fromkeys(columns))

    @property
    def broken(self) -> list[str]:
        """What ended neither with a right answer nor by a limit."""
        faults = [
            f"{case.row}, {case.who}, seed {seed}: {run.status}"
            for part in self.ladders.values()
            for ladder in part
            for (case, seed), run in ladder.runs.items()
            if run.status not in HARMLESS
        ]
        return faults + self.contradictions


def measure(plan: Plan, run: Runner | None = None) -> Results:
    """Run the chosen parts of a plan, each case in a process of its own unless told how."""
    results = Results()
    with ExitStack() as opened:
        runner = run or opened.enter_context(Processes())
        if plan.kept:
            runner = Kept(runner, Path(plan.kept))
        for part in plan.parts:
            module = import_module(f"benchmarks.parts.{part}")
            results.ladders[part] = module.ladders(plan)
            climb(results.ladders[part], runner, plan.jobs if part in TOGETHER else 1)
            if hasattr(module, "contradictions"):
                results.contradictions += module.contradictions(plan, results)
    return results

"""Puzzles with given steps, by every engine that takes them.

A table of the seconds in which a puzzle is solved and shown to have no other tour, or another one.
"""

from __future__ import annotations

from collections.abc import Iterator
from statistics import median

from benchmarks.case import LIMITS, Run, job
from benchmarks.jobs.planted import KINDS
from benchmarks.ladder import Ladder
from benchmarks.markdown import table, target, title
from benchmarks.measure import Results
from benchmarks.plan import CLINGO, Plan
from benchmarks.yardsticks import installed

SMALL = 100
"""Squares up to which every engine is tried; those of ``LARGE`` are tried on all boards."""

LARGE = ("windows", "sat:channel", "sat:channel:cadical195", CLINGO)
CANDIDATES = (
    "windows", "sat:channel", "sat:channel:glucose4", "sat:channel:cadical195", "sat:position",
    "sat:lfsr", "cpsat", CLINGO,
)  # fmt: skip


def ladders(plan: Plan) -> list[Ladder]:
    """Each kind of puzzle by each engine."""
    found = []
    for place, (name, kind) in enumerate(KINDS.items()):
        small = kind.problem().size <= SMALL
        if plan.quick and place:
            continue
        for who in filter(installed, CANDIDATES if small else LARGE):
            if not plan.quick or who in LARGE[:2]:
                words = ("clues", name, who, "{seed}")
                case = job(name, who, words, plan.time_limit, place)
                found.append(Ladder((case,), plan.seeds[: kind.puzzles]))
    return found


def report(plan: Plan, results: Results) -> Iterator[str]:
    """The table, and whether every answer was right."""
    rows, names = results.names("clues")
    yield from title("Puzzles with given steps: solved, and a second tour found or refuted")
    by = {row: [results.runs("clues", row, name) for name in names] for row in rows}
    cells = [[row, *(_cell(plan, runs) for runs in each)] for row, each in by.items()]
    yield from table(["puzzles", *names], cells)
    yield ""
    yield "Median and slowest, in milliseconds of the processor, building included."
    yield ""
    statuses = [run.status for each in by.values() for runs in each for run in runs]
    wrong = statuses.count("WRONG")
    text = f"{len(statuses)} runs, {wrong} of them with a wrong number of tours"
    yield target(f"{text} (none)", not wrong)


def _cell(plan: Plan, runs: list[Run]) -> str:
    each = [second for run in runs for second in run.values.get("each", ())]
    failed = [run for run in runs if run.status in LIMITS]
    if not each:
        return _told(plan.time_limit, "> ") if failed else ""
    slowest = _told(plan.time_limit, "> ") if failed else _told(max(each))
    return f"{_told(median(each))} ({slowest})"


def _told(seconds: float, more: str = "") -> str:
    """In milliseconds, with two digits or so."""
    return f"{more}{1000 * seconds:,.{1 if seconds < 0.01 else 0}f}"

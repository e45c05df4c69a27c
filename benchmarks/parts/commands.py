"""Whole processes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from benchmarks.case import KT_CP, Case
from benchmarks.ladder import Ladder, ladders_of
from benchmarks.markdown import in_seconds, spread, table, target, title
from benchmarks.measure import Results
from benchmarks.plan import Plan

PASS: dict[str, tuple[str, ...]] = {"python -c pass": ("{python}", "-c", "pass")}
COMMANDS = {
    **PASS,
    "kt-cp --help": (*KT_CP, "--help"),
    "kt-cp solve 8x8": (*KT_CP, "solve", "8x8"),
}
MOST_SECONDS = {"`kt-cp --help`": 0.3, "`kt-cp solve 8x8`": 1.0}


def ladders(plan: Plan) -> list[Ladder]:
    """The commands, in turn."""
    return ladders_of(commands(COMMANDS, plan), range(plan.repeats))


def commands(named: Mapping[str, tuple[str, ...]], plan: Plan, cache: str = "") -> list[Case]:
    """Cases of whole processes, by name."""
    return [
        Case(f"`{name}`", "command", words, plan.time_limit, place=-1, whole=True, cache=cache)
        for name, words in named.items()
    ]


def spreads(
    results: Results, part: str, most: Mapping[str, float], note: str = ""
) -> Iterator[str]:
    """The table of a part's commands, and a target for each that has one."""
    rows, targets, many = [], [], 0
    for name in results.names(part)[0]:
        if runs := results.runs(part, name, "command"):
            figures = spread([run.seconds for run in runs])
            rows.append([name, *map(in_seconds, figures)])
            many = len(runs)
            if name in most:
                text = f"{name} takes {in_seconds(figures[0])} s (less than {most[name]:g})"
                targets.append(target(text, figures[0] < most[name]))
    yield from table(["command", "median", "fastest", "slowest"], rows)
    yield ""
    yield f"Runs of each, interleaved: {many}.{note}"
    yield from ["", *targets] if targets else []


def report(_: Plan, results: Results) -> Iterator[str]:
    """The table and its targets."""
    yield from title("Whole processes, seconds")
    yield from spreads(results, "commands", MOST_SECONDS)

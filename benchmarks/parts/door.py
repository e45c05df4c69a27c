"""The front door, taken apart: what comes after a closed search by ``sat``."""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.case import job, middle
from benchmarks.ladder import Ladder, ladders_of
from benchmarks.markdown import in_seconds, table, target, title
from benchmarks.measure import Results
from benchmarks.plan import Plan

RENDERINGS = ("grid", "svg", "json")
NAMES = ("search", "child", "verify", "replay", *RENDERINGS)
MOST_SECONDS = 0.3


def ladders(plan: Plan) -> list[Ladder]:
    """Each board by itself."""
    cases = [
        job(f"{it}x{it}", "sat", ("front_door", it, "{seed}"), plan.time_limit, it)
        for it in plan.door_sides
    ]
    return ladders_of(cases, plan.seeds)


def report(_: Plan, results: Results) -> Iterator[str]:
    """The table, and whether the door takes less than the search."""
    yield from title("The front door after a closed search by sat, seconds")
    rows, targets = [], []
    for board in results.names("door")[0]:
        runs = results.runs("door", board, "sat")
        failed = [run.status for run in runs if run.status != "FOUND"]
        if failed:
            rows.append([board, ", ".join(failed), *[""] * len(NAMES)])
            targets.append(target(f"{board}: no figures", False))
            continue
        took = {name: middle(runs, name) for name in NAMES}
        total = took["verify"] + took["replay"] + max(took[name] for name in RENDERINGS)
        rows.append([board, *map(in_seconds, (*took.values(), total))])
        said = f"{board}: {in_seconds(total)} s after {in_seconds(took['search'])} s of search"
        targets.append(target(said, total < max(took["search"], MOST_SECONDS)))
    yield from table(["board", *NAMES, "door"], rows)
    yield ""
    yield "`child` is the price of a process of its own.  `door` is verify + replay + the slowest"
    yield f"rendering, and is to take less than the search, or less than {MOST_SECONDS} s."
    yield ""
    yield from targets

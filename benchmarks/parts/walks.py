"""Warnsdorff's rule, all its boards in one process for each seed."""

from __future__ import annotations

from collections.abc import Iterator
from statistics import median

from benchmarks.case import job
from benchmarks.ladder import Ladder, ladders_of
from benchmarks.markdown import table, target, title
from benchmarks.measure import Results
from benchmarks.plan import Plan

MOST_SECONDS = 1.0


def _sides(plan: Plan) -> str:
    first, last = plan.walks
    return f"{first}x{first} to {last}x{last}"


def ladders(plan: Plan) -> list[Ladder]:
    """One case, with each seed."""
    words = ("warnsdorff", *plan.walks, "{seed}")
    return ladders_of([job(_sides(plan), "warnsdorff", words, plan.time_limit)], plan.seeds)


def report(plan: Plan, results: Results) -> Iterator[str]:
    """A row for each seed."""
    first, last = plan.walks
    yield from title(f"Warnsdorff's rule, open, from a corner, {_sides(plan)}")
    rows, failures, slowest = [], 0, 0.0
    for seed, run in results.by_seed("walks", _sides(plan), "warnsdorff").items():
        times = run.values.get("sides", {}).values()
        found = [seconds for seconds in times if seconds is not None]
        failed = last - first + 1 - len(found)
        failures += failed
        slowest = max(slowest, *found, 0.0)
        spread = [f"{1000 * it:.1f}" for it in (median(found), max(found))] if found else ["", ""]
        ended = "ended" if run.status == "FOUND" else run.status
        rows.append([f"{seed}", *spread, f"{failed}", ended])
    yield from table(["seed", "median ms", "slowest ms", "failures", "process"], rows)
    yield ""
    met = not failures and slowest < MOST_SECONDS
    text = f"{failures} failures, the slowest walk {1000 * slowest:.0f} ms"
    yield target(f"{text} (no failure, each under {MOST_SECONDS:g} s)", met)

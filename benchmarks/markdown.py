"""Pieces of a report."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from statistics import median

from benchmarks.case import Run


def title(text: str) -> Iterator[str]:
    """A heading between blank lines."""
    yield from ("", f"### {text}", "")


def table(headings: list[str], rows: list[list[str]]) -> Iterator[str]:
    """A table; the first column to the left, all others to the right."""
    yield f"| {' | '.join(headings)} |"
    yield f"|---|{'---:|' * (len(headings) - 1)}"
    for row in rows:
        yield f"| {' | '.join(row)} |"


def target(text: str, met: bool) -> str:
    """A line that says whether a target was met."""
    return f"- {text}: {'met' if met else '**missed**'}."


def in_seconds(value: float) -> str:
    """Seconds with two digits or so; ``failed`` if infinite."""
    if math.isinf(value):
        return "failed"
    return f"{value:.1f}" if value >= 10 else f"{value:.2f}" if value >= 0.1 else f"{value:.3f}"


def spread(values: Sequence[float]) -> tuple[float, float, float]:
    """Median, least and greatest."""
    return median(values), min(values), max(values)


def outcome(runs: Sequence[Run], limit: float) -> str:
    """Median seconds with the fastest and the slowest, and what the runs without a tour said."""
    seconds = [run.seconds for run in runs]
    failed = [run.status for run in runs if run.status != "FOUND"]
    if math.isinf(median(seconds)):
        text = f"> {limit:g}" if "TIMEOUT" in failed else "none"
    elif failed:
        text = f"{in_seconds(median(seconds))} (from {in_seconds(min(seconds))})"
    elif len(runs) > 1:
        spread = f"{in_seconds(min(seconds))}–{in_seconds(max(seconds))}"
        text = f"{in_seconds(median(seconds))} ({spread})"
    else:
        text = in_seconds(seconds[0])
    counts = ", ".join(f"{failed.count(status)} {status}" for status in dict.fromkeys(failed))
    return f"{text}, {counts} of {len(runs)}" if failed else text

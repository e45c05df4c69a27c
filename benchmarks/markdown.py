"""Pieces of a report."""

from __future__ import annotations

import math
from collections.abc import Iterator


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

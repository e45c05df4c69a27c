"""What is measured: cases, each run again and again in a process of its own.

A case is one cell of a table: *what* is run, its row, beside *whom*, its column.  Cases of growing
size by the same candidate form a ladder.  It is climbed until most of the seeds of a rung fail; a
case that nobody is to climb past is a ladder of one rung.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import Any

JOB = ("{python}", "-m", "benchmarks.jobs")
KT_CP = ("{python}", "-m", "kt_cp")

LIMITS = ("TIMEOUT", "MEMORY", "REFUSED")
"""What a run ran into that was not done."""

HARMLESS = ("FOUND", *LIMITS, "NONE")
"""What is no fault; ``NONE``: there is no such tour, or no such evidence."""


@dataclass(frozen=True)
class Case:
    """One thing that is run.

    Attributes
    ----------
    row, who : str
        What is run, and by whom.
    words : tuple of str
        The process.  ``{python}``, ``{recursion}`` (the compiled C++ program), ``{seed}``,
        ``{directory}`` and ``{file}`` in it are filled in.
    limit : float
        Most seconds.
    place : int
        When it is run: the lowest first, and of equal ones one after the other.
    whole : bool
        Whether its seconds are those of the whole process, and not those that it prints.
    cache : str
        Where Numba keeps what it compiles, if not where it always does.
    size : int
        Bytes of the ``{file}`` that it is to write; it is removed at once.
    pause : float
        Seconds of rest before it.
    """

    row: str
    who: str
    words: tuple[str, ...]
    limit: float
    place: int = 0
    whole: bool = False
    cache: str = ""
    size: int = 0
    pause: float = 0.0


@dataclass(frozen=True)
class Run:
    """What came of one process, and its numbers.

    The status is ``FOUND``, one of :data:`LIMITS` (``REFUSED``: too large, by estimate), ``NONE``,
    ``CRASH``, ``WRONG`` (the judge refuses the tour), or what the solver said in place of a tour.
    """

    status: str
    values: dict[str, Any] = field(default_factory=dict)

    @property
    def seconds(self) -> float:
        """Seconds to build and solve, or to enumerate; infinite where it was not done."""
        return float(self.values["seconds"]) if self.status == "FOUND" else math.inf


def job(row: str, who: str, words: Iterable[object], limit: float, place: int = 0) -> Case:
    """A case of :mod:`benchmarks.jobs`."""
    return Case(row, who, (*JOB, *map(str, words)), limit, place)


def middle(runs: Sequence[Run], name: str = "seconds") -> float:
    """Median of a figure; infinite if some run has none."""
    if not runs or any(run.status != "FOUND" for run in runs):
        return math.inf
    return float(median(run.values[name] for run in runs))

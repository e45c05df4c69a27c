"""How much an engine may use, and the clock that tells it when to stop."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass

from kt_cp.model.errors import InputError

MOST_SQUARES = 4_000_000
"""Most that any search takes: Warnsdorff's rule takes some 300 bytes a square."""


def advice(squares: int, engine: str = "warnsdorff") -> str:
    """What to do with a problem that is too large for some engine but that one."""
    if squares > MOST_SQUARES:
        return "for so many, on a whole rectangle, use --engine construct"
    return f"use --engine {engine}"


@dataclass(frozen=True)
class Limits:
    """Bounds on one search; None means none.

    Attributes
    ----------
    seconds : float or None
        Wall time of the search.
    megabytes : float or None
        Resident memory of the process that searches; it is then a process of its own.
    workers : int or None
        Threads, for engines that have any; None leaves the choice to the engine.
    """

    seconds: float | None = None
    megabytes: float | None = None
    workers: int | None = None

    def __post_init__(self) -> None:
        for value, what in ((self.seconds, "time limit"), (self.megabytes, "memory limit")):
            if value is not None and not (math.isfinite(value) and value > 0):
                raise InputError(f"expected a {what} above 0, got {value!r}")
        if self.workers is not None and self.workers < 1:
            raise InputError(f"expected at least 1 worker, got {self.workers!r}")

    def clock(self) -> Clock:
        """Start the clock for these limits."""
        return Clock(self.seconds)


class Clock:
    """Time since a search began, and what is left of its limit."""

    def __init__(self, seconds: float | None) -> None:
        self._seconds = seconds
        self._began = time.perf_counter()

    @property
    def seconds(self) -> float | None:
        """The limit; None without one."""
        return self._seconds

    @property
    def elapsed(self) -> float:
        """Seconds since the start."""
        return time.perf_counter() - self._began

    @property
    def left(self) -> float | None:
        """Seconds left, at least 0; None without a limit."""
        return None if self._seconds is None else max(0.0, self._seconds - self.elapsed)

    def expired(self) -> bool:
        """Whether the limit is over."""
        return self._seconds is not None and self.elapsed >= self._seconds

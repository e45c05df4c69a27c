"""Limits of an engine, and the clock that it checks."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass
from numbers import Integral, Real
from typing import Any

from kt_cp.model.errors import InputError

MOST_SQUARES = 4_000_000
"""Most that any search takes: Warnsdorff's rule takes some 300 bytes a square."""


def advice(squares: int, engine: str = "warnsdorff") -> str:
    """What to do with a problem that is too large for some engine but that one."""
    if squares > MOST_SQUARES:
        return "for so many, on a whole rectangle, use engine construct"
    return f"use engine {engine}"


@dataclass(frozen=True)
class Limits:
    """Bounds on one search; None or infinity means no bound.

    Attributes
    ----------
    seconds : float or None
        Wall time of the search.
    megabytes : float or None
        Resident memory of the process that searches; it is then a process of its own.
    workers : int or None
        Threads, for engines that have any; None leaves the choice to the engine.
    spent : float
        Seconds of the limit that are over already, before the search begins.
    """

    seconds: float | None = None
    megabytes: float | None = None
    workers: int | None = None
    spent: float = 0.0

    def __post_init__(self) -> None:
        for name in ("seconds", "megabytes"):
            if getattr(self, name) == math.inf:
                object.__setattr__(self, name, None)
        for value, what in ((self.seconds, "time limit"), (self.megabytes, "memory limit")):
            if value is None:
                continue
            if not isinstance(value, Real) or isinstance(value, bool):
                raise InputError(f"expected a {what} as a number, got {value!r:.40}")
            if not (math.isfinite(value) and value > 0):
                raise InputError(f"expected a {what} above 0, got {value!r:.40}")
        if self.workers is not None and not (is_whole(self.workers) and self.workers >= 1):
            raise InputError(f"expected at least 1 worker, got {self.workers!r:.40}")

    def clock(self) -> Clock:
        """Start the clock for these limits."""
        return Clock(self.seconds, self.spent)


def is_whole(value: object) -> bool:
    """Return whether a value is a whole number, of Python or NumPy, and not a truth value."""
    return isinstance(value, Integral) and not isinstance(value, bool)


def check_seed(seed: Any) -> int:
    """Return a seed; raise InputError unless it is a whole number of 0 or more."""
    if not is_whole(seed) or seed < 0:
        raise InputError(f"expected a seed, a whole number of 0 or more, got {seed!r:.40}")
    return int(seed)


class StoppedError(Exception):
    """A search stopped before its end: the caller requested it, or its budget is spent."""


class TimeLimitReachedError(BaseException):
    """The time limit of a command was reached.

    An alarm raises it, at any point of the program, like KeyboardInterrupt.
    """


LEAST_SECONDS = 1e-6
"""What a step gets for which no time is left: a limit is above 0."""


class Clock:
    """Time since a search began, and what is left of its limit, in seconds.

    Seconds that were spent before count against the limit, and not as time of the search.

    Examples
    --------
    >>> step = Clock(2.0).step(10.0)
    >>> step.seconds <= 2.0, step.expired()
    (True, False)
    """

    def __init__(self, seconds: float | None, spent: float = 0.0) -> None:
        self._seconds = seconds
        self._spent = spent
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
        spent = self._spent + self.elapsed
        return None if self._seconds is None else max(0.0, self._seconds - spent)

    def expired(self) -> bool:
        """Whether the limit is over."""
        return self.left == 0.0

    def step(self, most: float | None = None, share: float = 1.0) -> Clock:
        """Start the clock of a step, of so many seconds and that share of what is left at most."""
        bounds = (most, None if self.left is None else share * self.left)
        return Clock(min((each for each in bounds if each is not None), default=None))

    def limits(self, megabytes: float | None = None, workers: int | None = None) -> Limits:
        """Return what is left as limits, for a call that starts a clock of its own."""
        left = self.left
        return Limits(None if left is None else max(left, LEAST_SECONDS), megabytes, workers)

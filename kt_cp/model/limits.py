"""Limits of a search, and the clock that checks them."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass
from numbers import Integral, Real
from typing import Any

from kt_cp.model.errors import InputError

MOST_SQUARES = 4_000_000
"""Largest problem of any search: Warnsdorff's rule needs about 300 bytes per square."""


def advice(squares: int, engine: str = "warnsdorff") -> str:
    """Return advice for a problem that is too large for an engine but not for ``engine``."""
    if squares > MOST_SQUARES:
        return "on a whole rectangle, use engine construct"
    return f"use engine {engine}"


@dataclass(frozen=True)
class Limits:
    """Bounds on one search; None or infinity means no bound.

    Attributes
    ----------
    seconds : float or None
        Wall time of the search.
    megabytes : float or None
        Resident memory of the search, which then runs in its own process.
    workers : int or None
        Threads, for engines with threads; None lets the engine choose.
    spent : float
        Seconds of the limit that have passed before the search begins.
    processor_seconds : float or None
        Processor time of the process that searches, with its threads.
    """

    seconds: float | None = None
    megabytes: float | None = None
    workers: int | None = None
    spent: float = 0.0
    processor_seconds: float | None = None

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
        return Clock(self.seconds, self.spent, self.processor_seconds)


def is_whole(value: object) -> bool:
    """Return whether a value is an integer of Python or NumPy, and not a boolean."""
    return isinstance(value, Integral) and not isinstance(value, bool)


def check_seed(seed: Any) -> int:
    """Return a seed; raise InputError unless it is a whole number of 0 or more."""
    if not is_whole(seed) or seed < 0:
        raise InputError(f"expected a seed, a whole number of 0 or more, got {seed!r:.40}")
    return int(seed)


class StoppedError(Exception):
    """A search stopped before its end, at the caller's request or because its budget is spent."""


class TimeLimitReachedError(BaseException):
    """The time limit of a command was reached.

    Like KeyboardInterrupt, it may be raised at any point of the program, by an alarm.
    """


LEAST_SECONDS = 1e-6
"""Time limit of a step if no time is left, since a limit must be above 0."""


class Clock:
    """The time since a search began and the rest of its limits, in seconds.

    The user's limit is wall time.  The budget of a step is processor time, so a busy machine
    changes the duration of a search but not its answer.  The processor time is that of this process
    with its threads, and of the child processes that :meth:`add_processor` adds.

    Seconds spent before the start count towards the limit, but not as time of the search.

    Examples
    --------
    >>> step = Clock(2.0).step(10.0)
    >>> step.seconds <= 2.0, step.work_left <= 2.0, step.expired()
    (True, True, False)
    """

    def __init__(
        self,
        seconds: float | None,
        spent: float = 0.0,
        processor_seconds: float | None = None,
        whole: Clock | None = None,
    ) -> None:
        self.seconds = seconds
        self._spent = spent
        self._budget = processor_seconds
        self._whole = whole
        self._children: list[float] = []  # several threads may append
        self._began, self._processor_began = time.perf_counter(), time.process_time()

    @property
    def elapsed(self) -> float:
        """Seconds since the start."""
        return time.perf_counter() - self._began

    @property
    def left(self) -> float | None:
        """Seconds left, at least 0; None without a limit."""
        spent = self._spent + self.elapsed
        return None if self.seconds is None else max(0.0, self.seconds - spent)

    @property
    def processor_elapsed(self) -> float:
        """Seconds of processor time since the start."""
        return time.process_time() - self._processor_began + sum(self._children)

    @property
    def processor_left(self) -> float | None:
        """Seconds left of the budget, at least 0; None without one."""
        return None if self._budget is None else max(0.0, self._budget - self.processor_elapsed)

    @property
    def work_left(self) -> float | None:
        """Smaller of the remaining time and the remaining budget, or None."""
        return _least(self.left, self.processor_left)

    def add_processor(self, seconds: float) -> None:
        """Add the processor time of a child process to this clock and those that contain it."""
        self._children.append(seconds)
        if self._whole is not None:
            self._whole.add_processor(seconds)

    def expired(self) -> bool:
        """Return whether the limit or the budget is used up."""
        return self.left == 0.0 or self.processor_left == 0.0

    def step(self, most: float | None = None, share: float = 1.0) -> Clock:
        """Start the clock of a step.

        The step has at most ``most`` seconds of processor time, and that share of the time left.
        """
        left, budget = self.left, self.processor_left
        return Clock(
            None if left is None else share * left,
            processor_seconds=_least(most, None if budget is None else share * budget),
            whole=self,
        )

    def limits(self, megabytes: float | None = None, workers: int | None = None) -> Limits:
        """Return the remaining limits, for a call that starts its own clock."""
        left = self.left
        seconds = None if left is None else max(left, LEAST_SECONDS)
        return Limits(seconds, megabytes, workers, processor_seconds=self.processor_left)


def _least(*bounds: float | None) -> float | None:
    return min((each for each in bounds if each is not None), default=None)

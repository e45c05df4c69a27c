"""The time limit of a command, which covers all from its start to the last byte written.

The steps of a search look at clocks of their own.  What does not, such as reading a large graph or
drawing a picture, is ended by an alarm, as Ctrl-C would end it: with an exception, so that child
processes and half-written files are cleared away.  The alarm comes ``GRACE_SECONDS`` after the
limit, for a search that has ended just in time has yet to print its answer.

Where the system has no such alarm (Windows), the clocks of the steps have to do.
"""

from __future__ import annotations

import signal
import threading
import time
from types import FrameType, TracebackType
from typing import Any, NoReturn, Self

from kt_cp.model.limits import Limits, TimeLimitReachedError

GRACE_SECONDS = 0.4
"""Time beyond the limit to print what was found: together with the end of Python below a second."""

MOST_SECONDS = 1e8
"""Three years; some systems take no alarm beyond."""

STARTUP_SHARE = 0.5
"""Most of the limit that the start of Python counts for: on a busy machine it takes seconds."""

_beginnings: list[float] = []
"""When the command that runs now began, of ``time.perf_counter``."""


def begin(began: float | None = None) -> None:
    """Count time from here on, or from a moment of ``time.perf_counter``."""
    _beginnings[:] = [time.perf_counter() if began is None else began]


class Deadline:
    """The time limit of a command, used in a ``with``; None sets no alarm.

    Raises
    ------
    TimeLimitReachedError
        Anywhere within the ``with``, soon after the limit.
    """

    def __init__(self, seconds: float | None) -> None:
        now = time.perf_counter()
        self.seconds = seconds
        self._began = _beginnings[0] if _beginnings else now
        if seconds is not None:
            self._began = max(self._began, now - STARTUP_SHARE * seconds)
        self._before: Any = None
        self._armed = False

    def __enter__(self) -> Self:
        main = threading.current_thread() is threading.main_thread()
        if self.seconds is not None:
            Limits(self.seconds)  # which refuses what is no time limit
        timed = self.seconds is not None and self.seconds < MOST_SECONDS
        if timed and main and hasattr(signal, "setitimer"):
            assert self.seconds is not None
            left = self.seconds - self.spent + GRACE_SECONDS
            self._before = signal.signal(signal.SIGALRM, self._over)
            signal.setitimer(signal.ITIMER_REAL, max(left, 1e-3))
            self._armed = True
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.lift()

    @property
    def spent(self) -> float:
        """Seconds of the limit that are over."""
        return time.perf_counter() - self._began

    def limits(self, megabytes: float | None = None, workers: int | None = None) -> Limits:
        """Return the limits of a search that begins now."""
        return Limits(self.seconds, megabytes, workers, self.spent)

    def check(self) -> None:
        """Raise TimeLimitReachedError if the limit is over."""
        if self.seconds is not None and self.spent > self.seconds + GRACE_SECONDS:
            self._over(0, None)

    def lift(self) -> None:
        """Take the alarm back: from here on the command ends as it would without a limit."""
        if self._armed:
            self._armed = False
            signal.setitimer(signal.ITIMER_REAL, 0.0)
            signal.signal(signal.SIGALRM, self._before)

    def _over(self, _number: int, _frame: FrameType | None) -> NoReturn:
        raise TimeLimitReachedError(f"the time limit of {self.seconds:g} s was reached")

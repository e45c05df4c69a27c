"""The time limit of a command, from its start to the last byte written.

The steps of a search check clocks of their own.  Other work, such as reading a large graph or
drawing a picture, is ended by an alarm, which raises an exception as Ctrl-C does: child processes
and half-written files are removed.  The alarm fires ``GRACE_SECONDS`` after the limit, because a
search that ends just in time still has to print its answer.

Where the system has no alarm (Windows), only the clocks of the steps apply.
"""

from __future__ import annotations

import signal
import threading
import time
from types import FrameType, TracebackType
from typing import Any, NoReturn, Self

from kt_cp.model.limits import Limits, TimeLimitReachedError

GRACE_SECONDS = 0.4
"""Time to print a result after the limit; with the end of Python it stays below a second."""

MOST_SECONDS = 1e8
"""About three years; some systems refuse longer alarms."""

STARTUP_SHARE = 0.5
"""Largest share of the limit that starting Python uses: on a busy machine it takes seconds."""

_starts: list[float] = []
"""When the running command started, by ``time.perf_counter``."""


def start_clock(started: float | None = None) -> None:
    """Count time limits from now, or from a moment of ``time.perf_counter``."""
    _starts[:] = [time.perf_counter() if started is None else started]


class Deadline:
    """The time limit of a command, used in a ``with``; None sets no alarm.

    Soon after the limit, :class:`TimeLimitReachedError` is raised anywhere within the ``with``.
    """

    def __init__(self, seconds: float | None) -> None:
        now = time.perf_counter()
        self.seconds = seconds
        self._started = _starts[0] if _starts else now
        if seconds is not None:
            self._started = max(self._started, now - STARTUP_SHARE * seconds)
        self._handler: Any = None
        self._armed = False

    def __enter__(self) -> Self:
        main = threading.current_thread() is threading.main_thread()
        if self.seconds is not None:
            Limits(self.seconds)  # raises InputError for an invalid limit
        timed = self.seconds is not None and self.seconds < MOST_SECONDS
        if timed and main and hasattr(signal, "setitimer"):
            assert self.seconds is not None
            left = self.seconds - self.spent + GRACE_SECONDS
            self._handler = signal.signal(signal.SIGALRM, self._expire)
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
        """Seconds of the limit that have passed."""
        return time.perf_counter() - self._started

    def limits(self, megabytes: float | None = None, workers: int | None = None) -> Limits:
        """Return the limits of a search that starts now."""
        return Limits(self.seconds, megabytes, workers, self.spent)

    def check(self) -> None:
        """Raise TimeLimitReachedError if the limit has passed."""
        if self.seconds is not None and self.spent > self.seconds + GRACE_SECONDS:
            self._expire(0, None)

    def lift(self) -> None:
        """Cancel the alarm: from here on the command ends as it would without a limit."""
        if self._armed:
            self._armed = False
            signal.setitimer(signal.ITIMER_REAL, 0.0)
            signal.signal(signal.SIGALRM, self._handler)

    def _expire(self, _number: int, _frame: FrameType | None) -> NoReturn:
        raise TimeLimitReachedError(f"the time limit of {self.seconds:g} s was reached")

"""Run one function in a process of its own, and really end it.

Native solvers cannot be interrupted from Python, may crash, and may eat all memory.  So they run in
a child: a fresh interpreter, without a fork of this process and its threads, and without a second
import of the user's ``__main__``.  The child reads one pickled job from its standard input and
answers with pickled frames on its standard output.  The parent watches clock and resident memory.
It kills the child when either is over, or when it is itself interrupted.  The child asks the system
to be killed when its parent dies, so that not even a killed parent leaves it behind.
"""

from __future__ import annotations

import math
import queue
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from kt_cp.model.limits import Limits
from kt_cp.processes.child import Child, keep, kept_child

if TYPE_CHECKING:
    import psutil  # which takes as long to load as a tour

STARTUP_SECONDS = 60.0
"""Most time for the child to start and load its job; the time limit counts from then on."""

LEAST_STARTUP = 1.0
"""What a child gets to start when somebody waits, however short the time limit."""

MOST_KEPT_MEGABYTES = 500.0
"""A child that has needed more is not kept: memory that was freed is not always given back."""

POLL_SECONDS = 0.02
"""How often memory is looked at; a solver fills at most some tens of megabytes in that time."""

FROM_OUTSIDE = tuple(
    -getattr(signal, name)
    for name in ("SIGKILL", "SIGTERM", "SIGHUP", "SIGINT", "SIGXCPU")
    if hasattr(signal, name)
)
"""Exit codes of a child that somebody ended, or the system for want of memory or time: nothing in
a process sends it one of these signals by mistake, as it does SIGSEGV or SIGABRT."""


NO_MEMORY = (b"std::bad_alloc", b"OpenBLAS error: Memory", b"MemoryError", b"OutOfMemoryException")
"""What a child says on its error output that ended for want of memory, whatever its exit code."""


@dataclass(frozen=True)
class Ended:
    """How a child process ended."""

    how: str  # "done", "timeout", "memory", "crash" or, by a signal of somebody else, "killed"
    value: Any  # what the function returned, if it is done
    seconds: float  # wall time from the start of the function
    peak_megabytes: float  # highest resident memory of the child
    detail: str = ""  # for a crash: the signal, or the last line of the child's error output


def call(
    target: str,
    *args: Any,
    limits: Limits,
    grace: float = 0.0,
    progress: Callable[[Any], None] | None = None,
    cancelled: Callable[[], bool] | None = None,
    warm: bool = False,
    since: float | None = None,
) -> Ended:
    """Call ``"package.module:function"`` in a child process, within limits.

    Parameters
    ----------
    grace : float
        Seconds beyond the time limit, for functions that keep it by themselves.
    progress : callable, optional
        The function is called with a keyword ``emit``; what it emits arrives here.
    cancelled : callable, optional
        Polled; when true, the child is ended and ``KeyboardInterrupt`` raised.
    warm : bool
        Whether the child may be one that has done an earlier call of this thread, and is kept for
        the next; what it holds from before counts against a memory limit.
    since : float, optional
        When somebody began to wait, of ``time.perf_counter``: the time limit counts from then, but
        leaves the child ``LEAST_STARTUP`` to start and the function half of it at least.  Without
        it, from when the function begins.

    Raises
    ------
    Exception
        Whatever the function raises.
    """
    child, job = kept_child() if warm else None, (target, args, limits, warm)
    if child is not None:
        ended = _call(child, job, limits, grace, progress, cancelled, since, True)
        if ended is not None:
            return ended
    ended = _call(Child(), job, limits, grace, progress, cancelled, since)
    assert ended is not None
    return ended


def _call(
    child: Child,
    job: tuple[str, tuple[Any, ...], Limits, bool],
    limits: Limits,
    grace: float,
    progress: Callable[[Any], None] | None,
    cancelled: Callable[[], bool] | None,
    since: float | None,
    again: bool = False,
) -> Ended | None:
    """What a child makes of a job; None if it was kept and ended before it could begin."""
    reusable = False
    try:
        child.send(job)
        ended, begun = _watch(child, limits, grace, progress, cancelled or (lambda: False), since)
        reusable = ended.how == "done" and job[3] and ended.peak_megabytes < MOST_KEPT_MEGABYTES
        return ended if begun or not again or ended.how not in ("crash", "killed") else None
    finally:
        if reusable:
            keep(child)
        else:
            child.end()


def in_child() -> bool:
    """Whether this process is such a child."""
    spec = getattr(sys.modules.get("__main__"), "__spec__", None)
    return spec is not None and spec.name == "kt_cp.processes.worker"


def _watch(
    child: Child,
    limits: Limits,
    grace: float,
    progress: Callable[[Any], None] | None,
    cancelled: Callable[[], bool],
    since: float | None,
) -> tuple[Ended, bool]:
    """How a job ends, and whether it has begun."""
    process = _process(child)
    began = time.perf_counter()
    deadline = began + STARTUP_SECONDS
    if since is not None and limits.seconds is not None:
        soon = max(since + limits.seconds + grace, began + LEAST_STARTUP)
        deadline = min(deadline, soon)
    peak, begun = 0.0, False
    while True:
        try:
            kind, value = child.frames.get(timeout=POLL_SECONDS)
        except queue.Empty:
            kind, value = "", None
        now = time.perf_counter()
        peak = max(peak, _resident(process))
        if kind == "started":
            began, begun = now, True
            seconds = limits.seconds or math.inf
            counted = now if since is None else max(since, now - seconds / 2)
            deadline = counted + seconds + grace
        elif kind == "progress" and progress is not None:
            progress(value)
        elif kind == "done":
            return Ended("done", value[0], now - began, max(peak, value[1])), begun
        elif kind == "raised":
            if isinstance(value, MemoryError):
                return Ended("memory", None, now - began, peak), begun
            raise value
        elif kind == "end":
            detail = value or _last_words(child)
            if any(word in line for line in child.errors for word in NO_MEMORY):
                return Ended("memory", None, now - began, peak), begun
            killed = not value and child.process.poll() in FROM_OUTSIDE
            how = "killed" if killed else "crash"
            return Ended(how, None, now - began, peak, detail), begun
        if limits.megabytes is not None and peak > limits.megabytes:
            return Ended("memory", None, now - began, peak), begun
        if cancelled():
            raise KeyboardInterrupt
        if now > deadline:
            return Ended("timeout", None, now - began, peak), begun


def _process(child: Child) -> psutil.Process | None:
    import psutil

    try:
        return psutil.Process(child.process.pid)
    except psutil.Error:  # it has ended already; its frames will tell
        return None


def _resident(process: psutil.Process | None) -> float:
    if process is None:
        return 0.0
    import psutil

    try:
        return float(process.memory_info().rss) / 1e6
    except psutil.Error:
        return 0.0


def _last_words(child: Child) -> str:
    try:
        child.process.wait(1)
    except subprocess.TimeoutExpired:  # alive, but nothing more will come; the caller ends it
        return "closed its output and went on"
    child.hearing.join(1)
    return _post_mortem(child.process.returncode, child.errors)


def _post_mortem(code: int, errors: list[bytes]) -> str:
    if code < 0:
        try:
            return f"ended by {signal.Signals(-code).name}"
        except ValueError:
            return f"ended by signal {-code}"
    lines = [line.decode(errors="replace").strip() for line in errors]
    last = next((line for line in reversed(lines) if line), "")
    return f"exit code {code}" + (f": {last}" if last else "")

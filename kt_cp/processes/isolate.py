"""Run one function in a child process within limits, and kill the process when a limit is reached.

Python cannot interrupt native solvers, and they may crash or use up all memory.  So they run in a
child: a fresh interpreter, without a fork of this process and its threads, and without a second
import of the user's ``__main__``.  The child reads one pickled job from its standard input and
writes pickled frames to its standard output.  The parent watches the clock, the processor time of
the child and its resident memory.  It kills the child when a limit is reached, or when the parent
itself is interrupted.  The system (Linux) kills the child when its parent dies, so even a killed
parent leaves no child behind.

A child takes half a second to start an interpreter, NumPy and a solver.  So a child that has
finished its job may stay for the next call.  Only the thread that has started it uses it: Linux
kills a child (:mod:`kt_cp.processes.worker`) when that *thread* ends, and an object of one thread
needs no lock.  A thread that ends also ends its child, and the interpreter ends all children.
After a fork the new process has no children.  A child that receives no job ends by itself.
"""

from __future__ import annotations

import atexit
import contextlib
import io
import math
import os
import pickle
import queue
import signal
import subprocess
import sys
import threading
import time
import weakref
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from kt_cp.model.limits import Limits

PIPE_BYTES = 1 << 14
"""Capacity of a pipe on any system: a write of at most this size returns at once."""

OUTPUT_SECONDS = 0.2
"""Longest wait for each thread of a child that has ended."""


class Child:
    """A fresh interpreter that waits for jobs, in this environment and this folder."""

    def __init__(self) -> None:
        self.environment = environment()
        self.owner, self.ended = os.getpid(), False
        self.process = subprocess.Popen(
            # -P: do not import modules, such as a random.py, from the user's current folder
            [sys.executable, "-P", "-m", "kt_cp.processes.worker", str(self.owner)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,  # a buffer has a lock, which could be locked during a fork
            start_new_session=True,  # Ctrl-C reaches only the parent, which then ends the child
            env=self.environment[1],
        )
        self.frames: queue.SimpleQueue[tuple[str, Any]] = queue.SimpleQueue()
        self.errors: list[bytes] = []
        self.job_writer: threading.Thread | None = None
        process, frames, errors = self.process, self.frames, self.errors
        assert process.stdout is not None and process.stderr is not None
        # The threads have no reference to this object, so they do not prevent its collection.
        self.frame_reader = threading.Thread(
            target=_read_frames, args=(process.stdout, frames), daemon=True
        )
        self.error_reader = threading.Thread(
            target=_read_errors, args=(process.stderr, errors), daemon=True
        )
        self.frame_reader.start()
        self.error_reader.start()
        _ALL.add(self)

    def send(self, job: Any) -> None:
        """Send a job to the child; if the child has died, its frames end.

        A thread writes a large job, so this method does not wait until the child has started.
        """
        assert self.process.stdin is not None
        rest = pickle.dumps(job)
        if len(rest) <= PIPE_BYTES:
            _write(self.process.stdin, rest)
        else:
            self.job_writer = threading.Thread(
                target=_write_large, args=(self.process, rest), daemon=True
            )
            self.job_writer.start()
        # The pipe stays open: the child reads the end of the file when the parent dies.

    def interrupt(self) -> None:
        """Raise ``KeyboardInterrupt`` in a function that allows it; not available on Windows."""
        with contextlib.suppress(OSError, ValueError):
            self.process.send_signal(signal.SIGINT)

    def end(self) -> None:
        """End the process and close its pipes; after a fork, only close this process's copies.

        No pipe is closed while a thread may still use it.  The system could reuse its number for
        the pipe of a new child, and the thread would then read from that pipe or write a job to it.
        """
        if self.ended:
            return
        self.ended = True
        if self.owner == os.getpid():
            self.process.kill()
            self.process.wait()
            for thread in (self.job_writer, self.frame_reader, self.error_reader):
                # Garbage collection may run this in one of them.  A grandchild may hold the pipe.
                if thread and thread.is_alive() and thread is not threading.current_thread():
                    thread.join(OUTPUT_SECONDS)
            if self.job_writer is None or not self.job_writer.is_alive():
                _close(self.process.stdin)
        else:
            self.process.returncode = 0  # so that Popen does not wait for it; no thread reads here
            for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
                _close(stream)

    def __del__(self) -> None:
        if hasattr(self, "frame_reader") and hasattr(self, "error_reader"):
            self.end()


def _write(stream: IO[bytes], content: bytes) -> None:
    rest = memoryview(content)
    with contextlib.suppress(OSError, ValueError):  # the child has ended
        while rest:
            rest = rest[stream.write(rest) or 0 :]


def _write_large(process: subprocess.Popen[bytes], content: bytes) -> None:
    assert process.stdin is not None
    _write(process.stdin, content)
    if process.returncode is not None:  # the child has ended, and this thread must close the pipe
        _close(process.stdin)


def _close(stream: IO[bytes] | None) -> None:
    if stream is not None:
        with contextlib.suppress(OSError):
            stream.close()


_ALL: weakref.WeakSet[Child] = weakref.WeakSet()


class _IdleChild(threading.local):
    """The idle child of this thread, if there is one."""

    child: Child | None = None


_IDLE = _IdleChild()


def take_idle_child() -> Child | None:
    """Return the idle child of this thread, if it is alive and its environment is unchanged."""
    child, _IDLE.child = _IDLE.child, None
    if child is None:
        return None
    if child.process.poll() is None and child.environment == environment():
        return child
    child.end()
    return None


def environment() -> tuple[str, dict[str, str]]:
    """Return the folder and environment for a child; the latter has the paths of this process."""
    paths = os.pathsep.join(path or str(Path.cwd()) for path in sys.path)
    folder = ""
    with contextlib.suppress(OSError):  # it may have been removed
        folder = str(Path.cwd())
    return folder, {**os.environ, "PYTHONPATH": paths}


def end_all() -> None:
    """End all children, idle or busy; after a fork, forget those of the other process."""
    for child in list(_ALL):
        child.end()
    _IDLE.child = None


atexit.register(end_all)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=end_all)


def _read_frames(raw: Any, frames: queue.SimpleQueue[tuple[str, Any]]) -> None:
    try:
        with io.BufferedReader(raw) as stream:
            while True:
                frames.put(pickle.load(stream))
    except (EOFError, OSError):
        frames.put(("end", ""))
    except Exception as error:  # a value that the child can load but this process cannot
        frames.put(("end", f"its answer does not load: {type(error).__name__}: {error}"))


def _read_errors(raw: Any, errors: list[bytes]) -> None:
    try:
        with io.BufferedReader(raw) as stream:
            for line in stream:
                errors[:] = [*errors[-20:], line]
    except (OSError, ValueError):
        return  # the pipe is closed


STARTUP_SECONDS = 60.0
"""Longest time for the child to start and load its job; the time limit counts from then on."""

INTERRUPT_SECONDS = 10.0
"""Time for an interrupted function to return its result so far."""

LEAST_STARTUP = 1.0
"""Shortest time for a child to start if ``since`` is given, even if the time limit is shorter."""

MOST_IDLE_MEGABYTES = 500.0
"""Peak memory above which a child is not reused: freed memory may not return to the system."""

POLL_SECONDS = 0.02
"""Seconds between two checks of memory; a solver allocates at most tens of megabytes meanwhile."""

EXTERNAL_SIGNALS = tuple(
    -getattr(signal, name)
    for name in ("SIGKILL", "SIGTERM", "SIGHUP", "SIGINT", "SIGXCPU")
    if hasattr(signal, name)
)
"""Exit codes of a child that a user has ended, or the system for lack of memory or time.  A faulty
process does not send itself these signals, unlike SIGSEGV or SIGABRT."""


NO_MEMORY = (b"std::bad_alloc", b"OpenBLAS error: Memory", b"MemoryError", b"OutOfMemoryException")
"""Error output of a child that ran out of memory, with any exit code."""


@dataclass(frozen=True)
class Ended:
    """The end of a child process."""

    how: str  # "done", "timeout", "memory", "crash" or, by a signal from outside, "killed"
    value: Any  # the function's result if ``how`` is "done"
    seconds: float  # wall time from the start of the function
    peak_megabytes: float  # highest resident memory of the child
    detail: str = ""  # for a crash: the signal, or the last line of the child's error output
    processor_seconds: float = 0.0  # used by the child since the start of the function


def call(
    target: str,
    *args: Any,
    limits: Limits,
    grace: float = 0.0,
    progress: Callable[[Any], None] | None = None,
    cancelled: Callable[[], bool] | None = None,
    interrupted: Callable[[], bool] | None = None,
    warm: bool = False,
    since: float | None = None,
) -> Ended:
    """Call ``"package.module:function"`` in a child process, within limits.

    Parameters
    ----------
    grace : float
        Seconds beyond the time limit, for functions that enforce it themselves.
    progress : callable, optional
        Called with each item that the function passes to its keyword argument ``emit``.
    cancelled : callable, optional
        Polled; if true, the child is ended and ``KeyboardInterrupt`` is raised.
    interrupted : callable, optional
        Polled; if true, ``KeyboardInterrupt`` is raised in the function inside
        :func:`kt_cp.processes.worker.interruptible`, and the function may still return.
    warm : bool
        Whether to reuse the child of this thread's earlier call, and to store it for the next one.
        Memory that it already holds counts towards a memory limit.
    since : float, optional
        Time at which the caller began to wait, by ``time.perf_counter``.  The time limit counts
        from then, but the child has at least ``LEAST_STARTUP`` to start and the function at least
        half of the limit.  By default it counts from the start of the function.

    Raises
    ------
    Exception
        Any exception of the function.
    """
    idle = take_idle_child() if warm else None
    while True:
        child, reusable = idle or Child(), False
        try:
            child.send((target, args, limits, warm))
            ended, begun = _watch(child, limits, grace, progress, cancelled, interrupted, since)
            reusable = ended.how == "done" and warm and ended.peak_megabytes < MOST_IDLE_MEGABYTES
        finally:
            if reusable:
                _IDLE.child = child
            else:
                child.end()
        if begun or idle is None or ended.how not in ("crash", "killed"):
            return ended
        idle = None  # it ended before it could begin


def in_child() -> bool:
    """Return whether this process is a child of this module."""
    spec = getattr(sys.modules.get("__main__"), "__spec__", None)
    return spec is not None and spec.name == "kt_cp.processes.worker"


def _watch(
    child: Child,
    limits: Limits,
    grace: float,
    progress: Callable[[Any], None] | None,
    cancelled: Callable[[], bool] | None,
    interrupted: Callable[[], bool] | None,
    since: float | None,
) -> tuple[Ended, bool]:
    """Return how a job ended, and whether it had begun."""
    began, before, used = time.perf_counter(), 0.0, 0.0
    budget = math.inf if limits.processor_seconds is None else limits.processor_seconds + grace
    deadline = began + STARTUP_SECONDS
    if since is not None and limits.seconds is not None:
        soon = max(since + limits.seconds + grace, began + LEAST_STARTUP)
        deadline = min(deadline, soon)
    peak, begun = 0.0, False

    def ended(how: str, value: Any = None, detail: str = "") -> tuple[Ended, bool]:
        return Ended(how, value, now - began, peak, detail, used), begun

    while True:
        try:
            kind, value = child.frames.get(timeout=POLL_SECONDS)
        except queue.Empty:
            kind, value = "", None
        now = time.perf_counter()
        megabytes, processor_seconds = _usage(child.process.pid)
        peak, used = max(peak, megabytes), max(used, processor_seconds - before)
        if kind == "started":
            began, begun, before, used = now, True, before + used, 0.0
            seconds = limits.seconds or math.inf
            counted = now if since is None else max(since, now - seconds / 2)
            deadline = counted + seconds + grace
        elif kind == "progress" and progress is not None:
            progress(value)
        elif kind == "done":
            peak = max(peak, value[1])
            return ended("done", value[0])
        elif kind == "raised":
            if isinstance(value, MemoryError):
                return ended("memory")
            raise value
        elif kind == "end":
            detail = value or _describe_end(child)
            if any(word in line for line in child.errors for word in NO_MEMORY):
                return ended("memory")
            killed = not value and child.process.poll() in EXTERNAL_SIGNALS
            how = "killed" if killed else "crash"
            return ended(how, detail=detail)
        if limits.megabytes is not None and peak > limits.megabytes:
            return ended("memory")
        if cancelled is not None and cancelled():
            raise KeyboardInterrupt
        if begun and interrupted is not None and interrupted():
            child.interrupt()  # only once: a second interrupt would disturb the function's cleanup
            interrupted, deadline = None, min(deadline, now + INTERRUPT_SECONDS)
        if now > deadline or (begun and used > budget):
            return ended("timeout")


def _usage(number: int) -> tuple[float, float]:
    """Return the resident megabytes of a process, and its seconds with those of ended children."""
    import psutil  # loading it takes as long as finding a tour

    try:
        process = psutil.Process(number)
        return float(process.memory_info().rss) / 1e6, float(sum(process.cpu_times()[:4]))
    except psutil.Error:  # it has already ended; its frames contain the reason
        return 0.0, 0.0


def _describe_end(child: Child) -> str:
    try:
        child.process.wait(1)
    except subprocess.TimeoutExpired:  # it is alive but sends nothing more; the caller ends it
        return "closed its output and went on"
    child.error_reader.join(1)
    return _describe_exit(child.process.returncode, child.errors)


def _describe_exit(code: int, errors: list[bytes]) -> str:
    if code < 0:
        try:
            return f"ended by {signal.Signals(-code).name}"
        except ValueError:
            return f"ended by signal {-code}"
    lines = [line.decode(errors="replace").strip() for line in errors]
    last = next((line for line in reversed(lines) if line), "")
    return f"exit code {code}" + (f": {last}" if last else "")

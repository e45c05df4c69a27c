"""Run one function in a process of its own, and really end it.

Native solvers cannot be interrupted from Python, may crash, and may eat all memory.  So they run in
a child: a fresh interpreter, without a fork of this process and its threads, and without a second
import of the user's ``__main__``.  The child reads one pickled job from its standard input and
answers with pickled frames on its standard output.  The parent watches clock and resident memory.
It kills the child when either is over, or when it is itself interrupted.  The child asks the system
to be killed when its parent dies, so that not even a killed parent leaves it behind.
"""

from __future__ import annotations

import contextlib
import math
import os
import pickle
import queue
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import psutil

from kt_cp.model.limits import Limits

STARTUP_SECONDS = 60.0
"""Most time for the child to start and load its job; the time limit counts from then on."""

POLL_SECONDS = 0.02
"""How often memory is looked at; a solver fills at most some tens of megabytes in that time."""


@dataclass(frozen=True)
class Ended:
    """How a child process ended."""

    how: str  # "done", "timeout", "memory" or "crash"
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

    Raises
    ------
    Exception
        Whatever the function raises.
    """
    child = subprocess.Popen(
        # -P: a random.py where the user happens to stand is none of our business
        [sys.executable, "-P", "-m", "kt_cp.processes.worker", str(os.getpid())],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,  # Ctrl-C reaches the parent alone, which then ends the child
        env={
            **os.environ,
            "PYTHONPATH": os.pathsep.join(path or str(Path.cwd()) for path in sys.path),
        },
    )
    try:
        job = pickle.dumps((target, args, limits))
        return _watch(child, job, limits, grace, progress, cancelled or (lambda: False))
    finally:
        child.kill()
        child.wait()
        for stream in (child.stdin, child.stdout, child.stderr):
            if stream is not None:
                with contextlib.suppress(OSError):  # what the child never read cannot be flushed
                    stream.close()


def in_child() -> bool:
    """Whether this process is such a child."""
    spec = getattr(sys.modules.get("__main__"), "__spec__", None)
    return spec is not None and spec.name == "kt_cp.processes.worker"


def _watch(
    child: subprocess.Popen[bytes],
    job: bytes,
    limits: Limits,
    grace: float,
    progress: Callable[[Any], None] | None,
    cancelled: Callable[[], bool],
) -> Ended:
    assert child.stdin is not None and child.stdout is not None and child.stderr is not None
    frames: queue.SimpleQueue[tuple[str, Any]] = queue.SimpleQueue()
    errors: list[bytes] = []
    threads = [
        threading.Thread(target=_read_frames, args=(child.stdout, frames), daemon=True),
        threading.Thread(target=_read_errors, args=(child.stderr, errors), daemon=True),
    ]
    for thread in threads:
        thread.start()
    try:
        child.stdin.write(job)
        child.stdin.flush()  # left open: its end tells the child that the parent is gone
    except BrokenPipeError:
        pass  # the child died at once; its end is seen below
    process = psutil.Process(child.pid)
    began = time.perf_counter()
    deadline = began + STARTUP_SECONDS
    peak = 0.0
    while True:
        try:
            kind, value = frames.get(timeout=POLL_SECONDS)
        except queue.Empty:
            kind, value = "", None
        now = time.perf_counter()
        peak = max(peak, _resident(process))
        if kind == "started":
            began = now
            deadline = now + (math.inf if limits.seconds is None else limits.seconds + grace)
        elif kind == "progress" and progress is not None:
            progress(value)
        elif kind == "done":
            return Ended("done", value[0], now - began, max(peak, value[1]))
        elif kind == "raised":
            if isinstance(value, MemoryError):
                return Ended("memory", None, now - began, peak)
            raise value
        elif kind == "end":
            detail = value or _last_words(child, threads[1], errors)
            return Ended("crash", None, now - began, peak, detail)
        if limits.megabytes is not None and peak > limits.megabytes:
            return Ended("memory", None, now - began, peak)
        if cancelled():
            raise KeyboardInterrupt
        if now > deadline:
            return Ended("timeout", None, now - began, peak)


def _read_frames(stream: IO[bytes], frames: queue.SimpleQueue[tuple[str, Any]]) -> None:
    try:
        while True:
            frames.put(pickle.load(stream))
    except (EOFError, OSError):
        frames.put(("end", ""))
    except Exception as error:  # a value that loads there and not here
        frames.put(("end", f"its answer does not load: {type(error).__name__}: {error}"))


def _read_errors(stream: IO[bytes], errors: list[bytes]) -> None:
    try:
        for line in stream:
            errors[:] = [*errors[-20:], line]
    except (OSError, ValueError):
        return  # closed when the child was ended


def _resident(process: psutil.Process) -> float:
    try:
        return float(process.memory_info().rss) / 1e6
    except psutil.Error:
        return 0.0


def _last_words(
    child: subprocess.Popen[bytes], reader: threading.Thread, errors: list[bytes]
) -> str:
    try:
        child.wait(1)
    except subprocess.TimeoutExpired:  # alive, but nothing more will come; the caller ends it
        return "closed its output and went on"
    reader.join(1)
    return _post_mortem(child.returncode, errors)


def _post_mortem(code: int, errors: list[bytes]) -> str:
    if code < 0:
        try:
            return f"ended by {signal.Signals(-code).name}"
        except ValueError:
            return f"ended by signal {-code}"
    lines = [line.decode(errors="replace").strip() for line in errors]
    last = next((line for line in reversed(lines) if line), "")
    return f"exit code {code}" + (f": {last}" if last else "")

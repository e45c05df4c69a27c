"""The child of :mod:`kt_cp.processes.isolate`: ``python -m kt_cp.processes.worker PARENT_PID``."""

from __future__ import annotations

import contextlib
import ctypes
import importlib
import os
import pickle
import queue
import signal
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

from kt_cp.processes.memory import require_memory_for_numpy

_PR_SET_PDEATHSIG = 1

_bounded: list[int] = []
"""Limit of the address space before the first job with its own limit; empty without such a job."""

IDLE_SECONDS = 60.0
"""Time after which an idle child ends: it holds about a hundred megabytes."""


def main(parent: int) -> None:
    """Read a job, run it and send the result; repeat if the process is reusable."""
    _die_with(parent)
    # Solvers may print to the standard output.  So frames get their own channel, and the standard
    # output is redirected to the error output.
    channel = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    lock = threading.Lock()

    def send(kind: str, value: Any = None) -> None:
        frame = pickle.dumps((kind, value))  # if it fails, nothing has been written
        with lock:
            channel.write(frame)
            channel.flush()

    jobs: queue.SimpleQueue[Any] = queue.SimpleQueue()
    threading.Thread(target=_read_jobs, args=(sys.stdin.buffer, jobs), daemon=True).start()
    reusable = True
    while reusable:
        try:
            job = jobs.get(timeout=IDLE_SECONDS)
        except queue.Empty:
            break
        reusable = not isinstance(job, BaseException) and job[3]
        reusable = _done(job, send) and reusable and _forget_peak()
    os._exit(0)  # a normal exit would wait for the thread that reads


def _done(job: Any, send: Any) -> bool:
    """Run a job; return whether it ended without an error."""
    try:
        if isinstance(job, BaseException):
            raise job
        target, args, limits, _ = job
        _bound_memory(limits.megabytes)
        if "numpy" not in sys.modules:
            require_memory_for_numpy()
        module, _, name = target.partition(":")
        function = getattr(importlib.import_module(module), name)
        send("started")
        value = function(*args, emit=lambda item: send("progress", item))
        send("done", (value, peak_megabytes()))
    except BaseException as error:
        _send_error(send, error)
        return False
    return True


@contextlib.contextmanager
def interruptible() -> Iterator[None]:
    """Raise ``KeyboardInterrupt`` in this block if the parent interrupts; elsewhere ignore it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _send_error(send: Any, error: BaseException) -> None:
    try:
        if not isinstance(error, Exception):
            raise TypeError("SystemExit and its like would end the parent")
        pickle.loads(pickle.dumps(error))
    except Exception:
        error = RuntimeError(f"{type(error).__name__}: {error}")
    with contextlib.suppress(OSError):
        send("raised", error)


def peak_megabytes() -> float:
    """Return the highest resident memory of this process so far.

    ``ru_maxrss`` is only a fallback: on Linux it starts from the size of the parent.
    """
    try:
        with open("/proc/self/status", encoding="ascii") as status:
            for line in status:
                if line.startswith("VmHWM:"):
                    return int(line.split()[1]) * 1024 / 1e6
    except OSError:
        pass
    import resource

    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 1e6


def _forget_peak() -> bool:
    """Reset the highest resident memory; return whether the system supports that."""
    try:
        Path("/proc/self/clear_refs").write_text("5")
    except OSError:
        return False
    return True


def _bound_memory(megabytes: float | None) -> None:
    """Limit the address space: polling is too slow for a single huge allocation."""
    try:
        import resource
    except ImportError:  # not on Windows, which relies on polling
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    if megabytes is None:
        if _bounded:  # by an earlier job
            resource.setrlimit(resource.RLIMIT_AS, (_bounded.pop(), hard))
        return
    _bounded[:] = _bounded or [soft]
    # The limit is generous: threads and libraries reserve much more address space than they use.
    address_space = int(min(megabytes * 2e6, 2.0**60)) + (4 << 30)
    if hard != resource.RLIM_INFINITY:
        address_space = min(address_space, hard)
    with contextlib.suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_AS, (address_space, hard))


def _die_with(parent: int) -> None:
    """Let the system (Linux) kill this process when its parent dies."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if sys.platform != "linux":
        return
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)  # the parent died before this call


def _read_jobs(stream: IO[bytes], jobs: queue.SimpleQueue[Any]) -> None:
    """Queue jobs as they arrive; exit as soon as the parent closes the pipe."""
    while True:
        try:
            jobs.put(pickle.load(stream))
        except EOFError:
            os._exit(1)
        except BaseException as error:  # a job that this process cannot load
            jobs.put(error)


if __name__ == "__main__":
    main(int(sys.argv[1]))

"""The child of :mod:`kt_cp.processes.isolate`: ``python -m kt_cp.processes.worker PARENT_PID``."""

from __future__ import annotations

import contextlib
import ctypes
import importlib
import os
import pickle
import signal
import sys
import threading
from typing import IO, Any

_PR_SET_PDEATHSIG = 1


def main(parent: int) -> None:
    """Read one job, run it, send what comes of it."""
    _die_with(parent)
    # Solvers print where they like: the frames get a channel of their own, and everything that
    # is printed goes to the error output.
    channel = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    lock = threading.Lock()

    def send(kind: str, value: Any = None) -> None:
        frame = pickle.dumps((kind, value))  # whole or not at all: it may turn out not to pickle
        with lock:
            channel.write(frame)
            channel.flush()

    try:
        target, args, limits = pickle.load(sys.stdin.buffer)
        threading.Thread(target=_end_with, args=(sys.stdin.buffer,), daemon=True).start()
        _bound_memory(limits.megabytes)
        module, _, name = target.partition(":")
        function = getattr(importlib.import_module(module), name)
        send("started")
        value = function(*args, emit=lambda item: send("progress", item))
        send("done", (value, peak_megabytes()))
    except BaseException as error:
        _send_error(send, error)


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
    """Highest resident memory of this process so far.

    Not ``ru_maxrss`` where it can be avoided: on Linux that starts from the size of the parent.
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


def _bound_memory(megabytes: float | None) -> None:
    """Bound the address space too: a single huge allocation is over before anyone polls."""
    if megabytes is None:
        return
    try:
        import resource
    except ImportError:  # not on Windows; polling alone has to do
        return
    # Generously: threads and libraries reserve far more address space than they use memory.
    wanted = int(min(megabytes * 2e6, 2.0**60)) + (4 << 30)
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    if hard != resource.RLIM_INFINITY:
        wanted = min(wanted, hard)
    with contextlib.suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_AS, (wanted, hard))


def _die_with(parent: int) -> None:
    """Ask the system (Linux) to kill this process when its parent dies."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if sys.platform != "linux":
        return
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)  # it died before the system was asked


def _end_with(stream: IO[bytes]) -> None:
    """Elsewhere: leave when the parent's end of the pipe is gone, as soon as Python may run."""
    stream.read()
    os._exit(1)


if __name__ == "__main__":
    main(int(sys.argv[1]))

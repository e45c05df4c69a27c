"""Child processes that run jobs, and those of them that are kept for the next one.

A child costs half a second to start: an interpreter, NumPy, a solver.  So one that has done its job
may be kept for the next call.  It is kept by the thread that has started it and used by no other:
Linux kills a child (:mod:`kt_cp.processes.worker`) with the *thread* that has started it, and what
only one thread has needs no lock.  A thread that ends takes its child with it, the interpreter all
of them.  After a fork the new process has none.  A child that waits in vain ends by itself.
"""

from __future__ import annotations

import atexit
import contextlib
import io
import os
import pickle
import queue
import subprocess
import sys
import threading
import weakref
from pathlib import Path
from typing import IO, Any

PIPE_BYTES = 1 << 14
"""What any pipe holds before it is read: a write of no more returns at once."""

LAST_WORDS_SECONDS = 0.2
"""How long the end of a child waits for the threads that read what it said."""


class Child:
    """A fresh interpreter that waits for jobs, in this environment and this folder."""

    def __init__(self) -> None:
        self.surroundings = surroundings()
        self.owner, self.ended = os.getpid(), False
        self.process = subprocess.Popen(
            # -P: a random.py where the user happens to stand is none of our business
            [sys.executable, "-P", "-m", "kt_cp.processes.worker", str(self.owner)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,  # nothing here has a lock that a fork could find taken
            start_new_session=True,  # Ctrl-C reaches the parent alone, which then ends the child
            env=self.surroundings[1],
        )
        self.frames: queue.SimpleQueue[tuple[str, Any]] = queue.SimpleQueue()
        self.errors: list[bytes] = []
        self.writing: threading.Thread | None = None
        process, frames, errors = self.process, self.frames, self.errors
        assert process.stdout is not None and process.stderr is not None
        # The threads know nothing of this object: it is to end when nobody else does either.
        self.reading = threading.Thread(
            target=_read_frames, args=(process.stdout, frames), daemon=True
        )
        self.hearing = threading.Thread(
            target=_read_errors, args=(process.stderr, errors), daemon=True
        )
        self.reading.start()
        self.hearing.start()
        _ALL.add(self)

    def send(self, job: Any) -> None:
        """Hand it a job; a child that has died meanwhile tells so by the end of its frames.

        A large job is read once the child has started, and nobody waits for that here.
        """
        assert self.process.stdin is not None
        rest = pickle.dumps(job)
        if len(rest) <= PIPE_BYTES:
            _write(self.process.stdin, rest)
        else:
            self.writing = threading.Thread(
                target=_write_large, args=(self.process, rest), daemon=True
            )
            self.writing.start()
        # It is left open: its end tells the child that the parent is gone.

    def end(self) -> None:
        """End the process and close its pipes; after a fork it belongs to the other process.

        No pipe is closed while a thread may still use it.  The system could give its number to the
        pipe of a new child, and the thread would then read from that pipe or write a job into it.
        """
        if self.ended:
            return
        self.ended = True
        if self.owner == os.getpid():
            self.process.kill()
            self.process.wait()
            for thread in (self.writing, self.reading, self.hearing):
                # Garbage may be collected in one of them; and a grandchild may hold the pipe.
                if thread and thread.is_alive() and thread is not threading.current_thread():
                    thread.join(LAST_WORDS_SECONDS)
            if self.writing is None or not self.writing.is_alive():
                _close(self.process.stdin)
        else:
            self.process.returncode = 0  # nobody here waits for it, and no thread reads
            for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
                _close(stream)

    def __del__(self) -> None:
        if hasattr(self, "reading") and hasattr(self, "hearing"):
            self.end()


def _write(stream: IO[bytes], content: bytes) -> None:
    rest = memoryview(content)
    with contextlib.suppress(OSError, ValueError):  # it has died, or was ended
        while rest:
            rest = rest[stream.write(rest) or 0 :]


def _write_large(process: subprocess.Popen[bytes], content: bytes) -> None:
    assert process.stdin is not None
    _write(process.stdin, content)
    if process.returncode is not None:  # ended meanwhile, and the pipe was left to this thread
        _close(process.stdin)


def _close(stream: IO[bytes] | None) -> None:
    if stream is not None:
        with contextlib.suppress(OSError):
            stream.close()


_ALL: weakref.WeakSet[Child] = weakref.WeakSet()


class _Kept(threading.local):
    """The child that this thread keeps, if it keeps any."""

    child: Child | None = None


_KEPT = _Kept()


def kept_child() -> Child | None:
    """The child that this thread has kept, if it still lives in the same surroundings."""
    child, _KEPT.child = _KEPT.child, None
    if child is None:
        return None
    if child.process.poll() is None and child.surroundings == surroundings():
        return child
    child.end()
    return None


def keep(child: Child) -> None:
    """Keep a child that is done for this thread's next call."""
    _KEPT.child = child


def surroundings() -> tuple[str, dict[str, str]]:
    """What a child is started in: a folder, and an environment with the paths of this process."""
    paths = os.pathsep.join(path or str(Path.cwd()) for path in sys.path)
    folder = ""
    with contextlib.suppress(OSError):  # it may have been removed
        folder = str(Path.cwd())
    return folder, {**os.environ, "PYTHONPATH": paths}


def end_all() -> None:
    """End all children, kept or at work; after a fork, let go of those of the other process."""
    for child in list(_ALL):
        child.end()
    _KEPT.child = None


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
    except Exception as error:  # a value that loads there and not here
        frames.put(("end", f"its answer does not load: {type(error).__name__}: {error}"))


def _read_errors(raw: Any, errors: list[bytes]) -> None:
    try:
        with io.BufferedReader(raw) as stream:
            for line in stream:
                errors[:] = [*errors[-20:], line]
    except (OSError, ValueError):
        return  # what cannot be read any more has nothing to add

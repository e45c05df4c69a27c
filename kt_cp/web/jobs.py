"""Searches in child processes that are started ahead.

What a page asks becomes a job.  Jobs wait in line for a thread that is free, and each thread has a
child process (:mod:`kt_cp.processes.isolate`), which is there before anything is asked: an answer
is not to wait for an interpreter and its libraries.  Whoever stops a job ends the child, whatever
it does; the thread then starts another one ahead.
"""

from __future__ import annotations

import os
import queue
import threading
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from kt_cp.model.errors import EndedError, InputError, KtCpError
from kt_cp.model.limits import Limits
from kt_cp.processes.isolate import call
from kt_cp.processes.memory import is_out_of_memory
from kt_cp.web import asks
from kt_cp.web.guard import in_a_line
from kt_cp.web.watch import Event

AHEAD, AT_ONCE = 2, max(4, min(8, os.cpu_count() or 4))
"""Children that are started before anything is asked, and searches at a time: others wait in line,
and a long search is not to keep a short one waiting."""

SOON_SECONDS = 1.0
"""How long the first child has nothing to do before it loads what only some questions need."""

STILL_SECONDS = 20.0
"""How often a child that waits is asked whether it is there: it would end after a minute."""

SOMEBODY_SECONDS = 600.0
"""How long after somebody has come or asked children are kept for the next question."""

WAKE, WAIT_IS_OVER = "wake", "wait is over"
"""In place of a job: somebody is likely to ask soon; nobody has asked for a while."""

GRACE_SECONDS = 1.0
"""Beyond the time limit, for what keeps it by itself."""


@dataclass(eq=False)
class Job:
    """One question, and whether somebody still wants the answer."""

    number: int
    kind: str
    asked: dict[str, Any]
    tell: Callable[[Event], None]
    stopped: threading.Event = field(default_factory=threading.Event)


@dataclass(eq=False)
class Worker:
    """A thread, what it is told, and when it has done its last job."""

    inbox: queue.SimpleQueue[Job | str | None]
    last: float
    thread: threading.Thread = field(init=False)


class Pool:
    """Threads that do jobs in children of theirs.

    A job is for the thread that was the last to end one: its child has the most loaded already.
    """

    def __init__(self, at_once: int = AT_ONCE) -> None:
        self._at_once = at_once
        self._lock = threading.Lock()
        self._line: deque[Job] = deque()
        self._workers: list[Worker] = []
        self._idle: list[Worker] = []
        self._ended = threading.Event()
        self._until = 0.0
        self._waiting = 0  # jobs that are in line or at work

    def put(self, job: Job) -> None:
        """Have a job done."""
        self._waiting += 1
        self.start(max(AHEAD, self._waiting))
        with self._lock:
            if self._idle:
                worker = max(self._idle, key=_last)
                self._idle.remove(worker)
                worker.inbox.put(job)
            else:
                self._line.append(job)

    def stop(self, job: Job) -> None:
        """End a job: at once where it waits in line, for which no thread is needed."""
        job.stopped.set()
        with self._lock:
            if job not in self._line:
                return
            self._line.remove(job)
        _stopped(job)

    def done(self) -> None:
        """Note that a job is done, or has been given up."""
        self._waiting -= 1

    @property
    def wanted(self) -> bool:
        """Whether somebody is likely to ask."""
        return time.monotonic() < self._until

    def start(self, many: int = AHEAD) -> None:
        """Start so many threads, and with them their children: somebody has come."""
        wanted, self._until = self.wanted, time.monotonic() + SOMEBODY_SECONDS
        if not wanted:
            for worker in self._workers:  # whose children may have ended meanwhile
                worker.inbox.put(WAKE)
        while (had := len(self._workers)) < min(many, self._at_once) and not self._ended.is_set():
            worker = Worker(queue.SimpleQueue(), -float(had))
            worker.thread = threading.Thread(target=self._work, args=(worker,), daemon=True)
            self._workers.append(worker)
            worker.thread.start()

    def end(self) -> None:
        """End all children, and wait for their threads."""
        self._ended.set()
        for worker in self._workers:
            worker.inbox.put(None)
        for worker in self._workers:
            worker.thread.join(1.0)

    def _work(self, worker: Worker) -> None:
        self._ready()
        patience = SOON_SECONDS
        while not self._ended.is_set():
            job = self._next(worker, patience)
            if job is None:
                return
            if isinstance(job, str):
                first = worker is max(self._workers, key=_last)
                over = job is WAIT_IS_OVER
                self._ready("all_ready" if over and first else "ready")
                patience = STILL_SECONDS if over else patience
                continue
            if job.stopped.is_set():
                _stopped(job)
            else:
                self._do(job)
                worker.last, patience = time.monotonic(), SOON_SECONDS
            if not self._line:
                self._ready()

    def _next(self, worker: Worker, patience: float) -> Job | str | None:
        """What is to be done next, if it comes in time.

        Whoever gives this worker a job takes it from those that are idle, under the same lock.
        """
        with self._lock:
            if self._line:
                return self._line.popleft()
            self._idle.append(worker)
        said: Job | str | None = WAIT_IS_OVER
        with suppress(queue.Empty):
            said = worker.inbox.get(timeout=patience)
        with self._lock:
            if worker in self._idle:
                self._idle.remove(worker)
                return said
        while isinstance(said, str):  # a job came at the same moment, and is in there
            said = worker.inbox.get()
        return said

    def _ready(self, what: str = "ready") -> None:
        """Have a child there that has loaded what it is likely to need."""
        if self.wanted:
            ended, target = self._ended.is_set, f"kt_cp.web.asks:{what}"
            with suppress(KeyboardInterrupt, Exception):  # the next job will tell what is wrong
                call(target, limits=Limits(), warm=True, cancelled=ended)

    def _do(self, job: Job) -> None:
        began = time.perf_counter()
        try:
            ended = call(
                "kt_cp.web.asks:answer", job.kind, job.asked,
                limits=Limits(job.asked["seconds"], job.asked["megabytes"]),
                grace=GRACE_SECONDS, progress=job.tell, warm=True,
                cancelled=lambda: job.stopped.is_set() or self._ended.is_set(),
            )  # fmt: skip
            if ended.how != "done":
                job.tell(asks.cut_off(job.kind, job.asked, ended))
        except KeyboardInterrupt:
            job.tell({"event": "stopped"})
        except Exception as error:
            job.tell(failed(error))
        job.tell({"event": "end", "seconds": round(time.perf_counter() - began, 4)})


def _stopped(job: Job) -> None:
    job.tell({"event": "stopped"})
    job.tell({"event": "end", "seconds": 0})


def _last(worker: Worker) -> float:
    return worker.last


def failed(error: Exception) -> Event:
    """What is told of an exception, with the exit code that the command line has for it.

    Examples
    --------
    >>> failed(InputError("expected a board, got none"))["code"], failed(KeyError("a"))["text"]
    (2, "a bug, please report it: KeyError: 'a'")
    """
    text, code = str(error), 70
    if isinstance(error, InputError):
        code = 2
    elif isinstance(error, EndedError) or is_out_of_memory(error):
        text, code = f"unknown: {'memory ran out' if is_out_of_memory(error) else error}", 3
    elif not isinstance(error, KtCpError):
        text = f"a bug, please report it: {type(error).__name__}: {error}"
    return {"event": "error", "text": in_a_line(text), "code": code}

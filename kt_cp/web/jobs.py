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
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from kt_cp.model.errors import EndedError, InputError, KtCpError
from kt_cp.model.limits import Limits
from kt_cp.processes.isolate import call
from kt_cp.processes.room import of_memory
from kt_cp.web import asks
from kt_cp.web.guard import in_a_line
from kt_cp.web.watch import Event

AHEAD, AT_ONCE = 2, max(4, min(8, os.cpu_count() or 4))
"""Children that are started before anything is asked, and searches at a time: others wait in line,
and a long search is not to keep a short one waiting."""

SOON_SECONDS = 1.0
"""How long a child has nothing to do before it loads what only some questions need."""

STILL_SECONDS = 20.0
"""How often a child that waits is asked whether it is there: it would end after a minute."""

WAKE = "wake"
"""In place of a job: somebody is likely to ask soon."""

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


class Pool:
    """Threads that do jobs in children of theirs."""

    def __init__(self, at_once: int = AT_ONCE) -> None:
        self._at_once = at_once
        self._line: queue.SimpleQueue[Job | str | None] = queue.SimpleQueue()
        self._ended = threading.Event()
        self.wanted = threading.Event()  # somebody is likely to ask
        self._threads: list[threading.Thread] = []
        self._waiting = 0  # jobs that are in line or at work

    def put(self, job: Job) -> None:
        """Have a job done."""
        self._waiting += 1
        self.start(max(AHEAD, self._waiting))
        self._line.put(job)

    def done(self) -> None:
        """Note that a job is done, or has been given up."""
        self._waiting -= 1

    def start(self, many: int = AHEAD) -> None:
        """Start so many threads, and with them their children."""
        if not self.wanted.is_set():
            self.wanted.set()
            for _ in self._threads:  # whose children may have ended meanwhile
                self._line.put(WAKE)
        while len(self._threads) < min(many, self._at_once) and not self._ended.is_set():
            thread = threading.Thread(target=self._work, daemon=True)
            self._threads.append(thread)
            thread.start()

    def end(self) -> None:
        """End all children, and wait for their threads."""
        self._ended.set()
        for _ in self._threads:
            self._line.put(None)
        for thread in self._threads:
            thread.join(1.0)

    def _work(self) -> None:
        self._ready()
        patience = SOON_SECONDS
        while not self._ended.is_set():
            try:
                job = self._line.get(timeout=patience)
            except queue.Empty:
                patience = STILL_SECONDS
                self._ready("all_ready")
                continue
            if job is None:
                return
            if isinstance(job, str):
                self._ready()
                continue
            if job.stopped.is_set():
                job.tell({"event": "stopped"})
                job.tell({"event": "end", "seconds": 0})
            else:
                self._do(job)
                patience = SOON_SECONDS
            if self._line.empty():
                self._ready()

    def _ready(self, what: str = "ready") -> None:
        """Have a child there that has loaded what it is likely to need."""
        if self.wanted.is_set():
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
    elif isinstance(error, EndedError) or of_memory(error):
        text, code = f"unknown: {'memory ran out' if of_memory(error) else error}", 3
    elif not isinstance(error, KtCpError):
        text = f"a bug, please report it: {type(error).__name__}: {error}"
    return {"event": "error", "text": in_a_line(text), "code": code}

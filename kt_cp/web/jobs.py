"""The queue of jobs, the child processes that do them, and the event streams of pages.

Each request of a page becomes a job.  Jobs wait in line for a free thread.  Each thread has a child
process (:mod:`kt_cp.processes.isolate`) that is started ahead, so that an answer need not wait for
an interpreter and its libraries.  Stopping a job ends the child; the thread then starts another
one.

A page opens one stream, on which all its requests are answered.  Streams run on the server's event
loop.
"""

from __future__ import annotations

import asyncio
import json
import os
import queue
import threading
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import count
from operator import attrgetter
from typing import Any

from kt_cp.model.errors import EndedError, InputError, KtCpError
from kt_cp.model.limits import Limits
from kt_cp.processes.isolate import call
from kt_cp.processes.memory import is_out_of_memory
from kt_cp.web.guard import RefusedError, one_line
from kt_cp.web.handlers import limit_event
from kt_cp.web.progress import Event, is_transient

AHEAD, AT_ONCE = 2, max(4, min(8, os.cpu_count() or 4))
"""Child processes that are started ahead, and searches at a time: several, so that a long search
does not block a short one."""

SOON_SECONDS = 1.0
"""Idle time after which the first child loads the libraries of rarer requests."""

STILL_SECONDS = 20.0
"""Time between two calls of an idle child, which would otherwise end after a minute."""

VISITOR_SECONDS = 600.0
"""Time after a visit or a request during which children stay alive for the next one."""

WAKE, WAIT_IS_OVER = "wake", "wait is over"
"""Items of an inbox that are not jobs: a request is likely soon; there was none for a while."""

STOPPED: Event = {"event": "stopped"}
QUEUED: Event = {"event": "queued"}
BEGUN: Event = {"event": "begun"}
"""A job waits in line; a job that waited has begun."""

GRACE_SECONDS = {"optimize": 20.0}
"""Time beyond the limit for functions that observe the limit themselves, by kind; one second for
others.  Large models and steps of a sweep overrun it, and their best tour is worth the wait."""


@dataclass(eq=False)
class Job:
    """A request in the queue, and whether it was stopped, or interrupted for its best so far."""

    number: int
    kind: str
    request: dict[str, Any]
    send_event: Callable[[Event], None]
    stopped: threading.Event = field(default_factory=threading.Event)
    interrupted: threading.Event = field(default_factory=threading.Event)


@dataclass(eq=False)
class Worker:
    """A thread, its inbox, and when it ended its last job."""

    inbox: queue.SimpleQueue[Job | str | None]
    last: float
    thread: threading.Thread = field(init=False)


class WorkerPool:
    """Threads that do jobs in child processes.

    A job goes to the thread that ended one last: its child has the most libraries loaded.
    """

    def __init__(self, at_once: int = AT_ONCE) -> None:
        self._at_once = at_once
        self._lock = threading.Lock()
        self._line: deque[Job] = deque()
        self._workers: list[Worker] = []
        self._idle: list[Worker] = []
        self._ended = threading.Event()
        self._until = 0.0
        self._waiting = 0  # jobs that are queued or running

    def put(self, job: Job) -> None:
        """Queue a job."""
        self._waiting += 1
        self.start(max(AHEAD, self._waiting))
        with self._lock:
            if self._idle:
                worker = max(self._idle, key=attrgetter("last"))
                self._idle.remove(worker)
                worker.inbox.put(job)
            else:
                self._line.append(job)
                job.send_event(QUEUED)

    def stop(self, job: Job) -> None:
        """End a job; at once if it still waits in line."""
        job.stopped.set()
        with self._lock:
            if job not in self._line:
                return
            self._line.remove(job)
        _emit_stopped(job)

    def interrupt(self, job: Job) -> None:
        """Let a job return its best so far; end it if it still waits in line."""
        with self._lock:
            waits = job in self._line
        if waits:
            self.stop(job)
        else:
            job.interrupted.set()

    def done(self) -> None:
        """Note that a job has ended."""
        self._waiting -= 1

    @property
    def has_recent_page(self) -> bool:
        """Whether a page was open or sent a request recently."""
        return time.monotonic() < self._until

    def start(self, many: int = AHEAD) -> None:
        """Start up to `many` threads with their children, and note the visit."""
        has_recent_page, self._until = self.has_recent_page, time.monotonic() + VISITOR_SECONDS
        if not has_recent_page:
            for worker in self._workers:  # their children may have ended meanwhile
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
                first = worker is max(self._workers, key=attrgetter("last"))
                over = job is WAIT_IS_OVER
                self._ready("load_compiled_code" if over and first else "load_libraries")
                patience = STILL_SECONDS if over else patience
                continue
            if job.stopped.is_set():
                _emit_stopped(job)
            else:
                self._do(job)
                worker.last, patience = time.monotonic(), SOON_SECONDS
            if not self._line:
                self._ready()

    def _next(self, worker: Worker, patience: float) -> Job | str | None:
        """Return the next item of a worker, or ``WAIT_IS_OVER`` after `patience` seconds.

        A job that is given to an idle worker removes it from the idle ones, under the same lock.
        """
        with self._lock:
            if self._line:
                job = self._line.popleft()
                job.send_event(BEGUN)
                return job
            self._idle.append(worker)
        item: Job | str | None = WAIT_IS_OVER
        with suppress(queue.Empty):
            item = worker.inbox.get(timeout=patience)
        with self._lock:
            if worker in self._idle:
                self._idle.remove(worker)
                return item
        while isinstance(item, str):  # a job arrived at the same moment
            item = worker.inbox.get()
        return item

    def _ready(self, what: str = "load_libraries") -> None:
        """Start a child ahead, and load the libraries that it is likely to need."""
        if self.has_recent_page:
            ended, target = self._ended.is_set, f"kt_cp.web.handlers:{what}"
            with suppress(KeyboardInterrupt, Exception):  # the next job reports the error
                call(target, limits=Limits(), warm=True, cancelled=ended)

    def _do(self, job: Job) -> None:
        began = time.perf_counter()
        try:
            ended = call(
                "kt_cp.web.handlers:answer", job.kind, job.request,
                limits=Limits(job.request["seconds"], job.request["megabytes"]),
                grace=GRACE_SECONDS.get(job.kind, 1.0), progress=job.send_event, warm=True,
                cancelled=lambda: job.stopped.is_set() or self._ended.is_set(),
                interrupted=job.interrupted.is_set,
            )  # fmt: skip
            if ended.how != "done":
                stopped = job.interrupted.is_set()
                job.send_event(STOPPED if stopped else limit_event(job.kind, job.request, ended))
        except KeyboardInterrupt:
            job.send_event(STOPPED)
        except Exception as error:
            job.send_event(STOPPED if job.interrupted.is_set() else error_event(error))
        job.send_event({"event": "end", "seconds": round(time.perf_counter() - began, 4)})


def _emit_stopped(job: Job) -> None:
    job.send_event(STOPPED)
    job.send_event({"event": "end", "seconds": 0})


def error_event(error: Exception) -> Event:
    """Return the event for an exception, with the exit code of the command line.

    Examples
    --------
    >>> error_event(KeyError("a"))["text"]
    "a bug, please report it: KeyError: 'a'"
    """
    text, code = str(error), 70
    if isinstance(error, InputError):
        code = 2
    elif isinstance(error, EndedError) or is_out_of_memory(error):
        text, code = f"unknown: {'memory ran out' if is_out_of_memory(error) else error}", 3
    elif not isinstance(error, KtCpError):
        text = f"a bug, please report it: {type(error).__name__}: {error}"
    return {"event": "error", "text": one_line(text), "code": code}


MOST_JOBS_OF_STREAM, MOST_JOBS = 16, 512
"""Unfinished jobs of one page, and of all pages."""

MOST_STREAMS = 128
"""Open streams."""

BEHIND = 200
"""Unread events of a slow page, above which it gets only results."""


class EventStream:
    """An open stream, and the jobs whose events it carries."""

    def __init__(self) -> None:
        self.events: asyncio.Queue[str | None] = asyncio.Queue()
        self.jobs: dict[int, Job] = {}


class EventStreams:
    """All open streams."""

    def __init__(self, pool: WorkerPool | None = None) -> None:
        self.pool = pool or WorkerPool()
        self.open: dict[str, EventStream] = {}
        self._numbers, self._alone = count(1), 0

    def enter(self, name: str) -> EventStream:
        """Open the stream of a page, and close its previous one."""
        self.leave(name, self.open.get(name))
        if len(self.open) >= MOST_STREAMS:
            raise RefusedError(429, f"expected at most {MOST_STREAMS} pages at once")
        page = self.open[name] = EventStream()
        self.pool.start()
        return page

    def leave(self, name: str, page: EventStream | None) -> None:
        """Close a stream, and end its jobs."""
        if page is None:
            return
        for job in page.jobs.values():
            self.pool.stop(job)
        page.events.put_nowait(None)
        if self.open.get(name) is page:
            del self.open[name]

    def submit(
        self, name: str, kind: str, request: dict[str, Any], number: int | None = None
    ) -> int:
        """Queue a request of a page, and return the number of its job: the page's or a new one."""
        page = self.open.get(name)
        if page is None:
            raise RefusedError(400, "expected a page whose stream is open")
        number = next(self._numbers) if number is None else number
        if number in page.jobs:
            raise RefusedError(400, f"expected a new number of a job, got {number}")
        if sum(not job.stopped.is_set() for job in page.jobs.values()) >= MOST_JOBS_OF_STREAM:
            raise RefusedError(
                429, f"expected at most {MOST_JOBS_OF_STREAM} searches of a page at once"
            )
        if sum(len(each.jobs) for each in self.open.values()) >= MOST_JOBS:
            raise RefusedError(429, f"expected at most {MOST_JOBS} searches at once")
        loop = asyncio.get_running_loop()

        def send_event(event: Event) -> None:
            with suppress(RuntimeError):  # the loop has ended
                loop.call_soon_threadsafe(self._deliver, page, number, event)

        job = page.jobs[number] = Job(number, kind, request, send_event)
        self.pool.put(job)
        return number

    async def once(self, kind: str, request: dict[str, Any]) -> Event:
        """Return the one event that answers a request outside a stream."""
        if self._alone >= MOST_JOBS_OF_STREAM:
            raise RefusedError(429, f"expected at most {MOST_JOBS_OF_STREAM} files at once")
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[Event] = loop.create_future()

        def receive(event: Event) -> None:
            if event["event"] == "end":
                self.pool.done()
            elif event not in (QUEUED, BEGUN) and not answer.done():
                answer.set_result(event)

        def send_event(event: Event) -> None:
            with suppress(RuntimeError):
                loop.call_soon_threadsafe(receive, event)

        job = Job(0, kind, request, send_event)
        self._alone += 1
        self.pool.put(job)
        try:
            return await answer
        finally:
            self._alone -= 1
            if answer.cancelled():  # otherwise the child is about to end the job, and is reused
                self.pool.stop(job)

    def _deliver(self, page: EventStream, number: int, event: Event) -> None:
        if event["event"] == "end":
            page.jobs.pop(number, None)
            self.pool.done()
        elif is_transient(event) and page.events.qsize() > BEHIND:
            return
        page.events.put_nowait(json.dumps({"job": number, **event}, ensure_ascii=False))

    def stop(self, name: str, number: int, *, keep: bool = False) -> None:
        """End a job, if it is not done; with `keep` it may answer with its best so far."""
        page = self.open.get(name)
        job = None if page is None else page.jobs.get(number)
        if job is not None:
            (self.pool.interrupt if keep else self.pool.stop)(job)

    def end(self) -> None:
        """End everything."""
        for name, page in list(self.open.items()):
            self.leave(name, page)

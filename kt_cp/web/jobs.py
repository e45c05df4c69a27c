"""Searches in child processes that are started ahead.

What a page asks becomes a job.  Jobs wait in line for a thread that is free, and each thread has a
child process (:mod:`kt_cp.processes.isolate`), which is there before anything is asked: an answer
is not to wait for an interpreter and its libraries.  Whoever stops a job ends the child, whatever
it does; the thread then starts another one ahead.

The streams of pages: what is told to whom, what is ended with them, and how much is taken.

A page opens one stream, and what it asks is answered there.  Everything here runs on the loop of
the server.
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
from typing import Any

from kt_cp.model.errors import EndedError, InputError, KtCpError
from kt_cp.model.limits import Limits
from kt_cp.processes.isolate import call
from kt_cp.processes.memory import is_out_of_memory
from kt_cp.web.guard import RefusedError, one_line
from kt_cp.web.handlers import limit_event
from kt_cp.web.progress import Event, is_transient

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


class WorkerPool:
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
                worker = max(self._idle, key=_last_used)
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
        _emit_stopped(job)

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
                first = worker is max(self._workers, key=_last_used)
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

    def _ready(self, what: str = "load_libraries") -> None:
        """Have a child there that has loaded what it is likely to need."""
        if self.wanted:
            ended, target = self._ended.is_set, f"kt_cp.web.handlers:{what}"
            with suppress(KeyboardInterrupt, Exception):  # the next job will tell what is wrong
                call(target, limits=Limits(), warm=True, cancelled=ended)

    def _do(self, job: Job) -> None:
        began = time.perf_counter()
        try:
            ended = call(
                "kt_cp.web.handlers:answer", job.kind, job.asked,
                limits=Limits(job.asked["seconds"], job.asked["megabytes"]),
                grace=GRACE_SECONDS, progress=job.tell, warm=True,
                cancelled=lambda: job.stopped.is_set() or self._ended.is_set(),
            )  # fmt: skip
            if ended.how != "done":
                job.tell(limit_event(job.kind, job.asked, ended))
        except KeyboardInterrupt:
            job.tell({"event": "stopped"})
        except Exception as error:
            job.tell(error_event(error))
        job.tell({"event": "end", "seconds": round(time.perf_counter() - began, 4)})


def _emit_stopped(job: Job) -> None:
    job.tell({"event": "stopped"})
    job.tell({"event": "end", "seconds": 0})


def _last_used(worker: Worker) -> float:
    return worker.last


def error_event(error: Exception) -> Event:
    """What is told of an exception, with the exit code that the command line has for it.

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
"""Jobs of one page, and of all, that are not done."""

MOST_STREAMS = 128
"""Streams at a time."""

BEHIND = 200
"""Events that a slow page has not taken yet, from which on it is told of results alone."""


class EventStream:
    """A stream that is open, and the jobs whose events it tells."""

    def __init__(self) -> None:
        self.events: asyncio.Queue[str | None] = asyncio.Queue()
        self.jobs: dict[int, Job] = {}


class EventStreams:
    """All that are open."""

    def __init__(self, pool: WorkerPool | None = None) -> None:
        self.pool = pool or WorkerPool()
        self.open: dict[str, EventStream] = {}
        self._numbers, self._alone = count(1), 0

    def enter(self, name: str) -> EventStream:
        """Open the stream of a page; one that it had before is over."""
        self.leave(name, self.open.get(name))
        self._check_room()
        page = self.open[name] = EventStream()
        self.pool.start()
        return page

    def _check_room(self) -> None:
        if len(self.open) >= MOST_STREAMS:
            raise RefusedError(429, f"expected at most {MOST_STREAMS} pages at once")

    def leave(self, name: str, page: EventStream | None) -> None:
        """Close a stream, and end its jobs."""
        if page is None:
            return
        for job in page.jobs.values():
            self.pool.stop(job)
        page.events.put_nowait(None)
        if self.open.get(name) is page:
            del self.open[name]

    def ask(self, name: str, kind: str, asked: dict[str, Any]) -> int:
        """Have a question answered on the stream of a page; the number of the job."""
        page = self.open.get(name)
        if page is None:
            self._check_room()  # a browser does not tell a page why its stream was refused
            raise RefusedError(400, "expected a page whose stream is open")
        if sum(not job.stopped.is_set() for job in page.jobs.values()) >= MOST_JOBS_OF_STREAM:
            raise RefusedError(
                429, f"expected at most {MOST_JOBS_OF_STREAM} searches of a page at once"
            )
        if sum(len(each.jobs) for each in self.open.values()) >= MOST_JOBS:
            raise RefusedError(429, f"expected at most {MOST_JOBS} searches at once")
        loop, number = asyncio.get_running_loop(), next(self._numbers)

        def tell(event: Event) -> None:
            with suppress(RuntimeError):  # the loop is over, and nobody listens
                loop.call_soon_threadsafe(self._told, page, number, event)

        job = page.jobs[number] = Job(number, kind, asked, tell)
        self.pool.put(job)
        return number

    async def once(self, kind: str, asked: dict[str, Any]) -> Event:
        """The one event that a question of no page comes to."""
        if self._alone >= MOST_JOBS_OF_STREAM:
            raise RefusedError(429, f"expected at most {MOST_JOBS_OF_STREAM} files at once")
        loop = asyncio.get_running_loop()
        came: asyncio.Future[Event] = loop.create_future()

        def told(event: Event) -> None:
            if event["event"] == "end":
                self.pool.done()
            elif not came.done():
                came.set_result(event)

        def tell(event: Event) -> None:
            with suppress(RuntimeError):
                loop.call_soon_threadsafe(told, event)

        job = Job(0, kind, asked, tell)
        self._alone += 1
        self.pool.put(job)
        try:
            return await came
        finally:
            self._alone -= 1
            if came.cancelled():  # otherwise the child is as good as done, and is kept
                self.pool.stop(job)

    def _told(self, page: EventStream, number: int, event: Event) -> None:
        if event["event"] == "end":
            page.jobs.pop(number, None)
            self.pool.done()
        elif is_transient(event) and page.events.qsize() > BEHIND:
            return
        page.events.put_nowait(json.dumps({"job": number, **event}, ensure_ascii=False))

    def stop(self, name: str, number: int) -> None:
        """End a job, if it is not done."""
        page = self.open.get(name)
        job = None if page is None else page.jobs.get(number)
        if job is not None:
            self.pool.stop(job)

    def end(self) -> None:
        """End everything."""
        for name, page in list(self.open.items()):
            self.leave(name, page)

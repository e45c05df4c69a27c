"""Searches in child processes that are started ahead, and the streams that tell of them.

A page opens one stream.  What it asks becomes a job; jobs wait in line for a thread that is free,
and each thread has a child process (:mod:`kt_cp.processes.isolate`), which is there before anything
is asked: an answer is not to wait for an interpreter and its libraries.  *Stop* and the end of a
stream end the child, whatever it does; the thread then starts another one ahead.

Everything here but the threads' own work runs on the loop of the server.
"""

from __future__ import annotations

import asyncio
import json
import os
import queue
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import count
from typing import Any

from kt_cp.model.errors import KtCpError
from kt_cp.model.limits import Limits
from kt_cp.processes.isolate import call
from kt_cp.web import asks
from kt_cp.web.guard import RefusedError
from kt_cp.web.watch import Event, passing

AHEAD, AT_ONCE = 2, max(4, min(8, os.cpu_count() or 4))
"""Children that are started before anything is asked, and searches at a time: others wait in line,
and a long search is not to keep a short one waiting."""

MOST_OF_A_PAGE, MOST = 16, 512
"""Jobs of one page, and of all, that are not done."""

MOST_PAGES = 128
"""Streams at a time."""

BEHIND = 200
"""Events that a slow page has not taken yet, from which on it is told of results alone."""

SOON_SECONDS = 1.0
"""How long a child has nothing to do before it loads what only some questions need."""

STILL_SECONDS = 20.0
"""How often a child that waits is asked whether it is there: it would end after a minute."""

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
        self._line: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
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
        self.wanted.set()
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
        except KtCpError as error:
            job.tell({"event": "error", "text": " ".join(str(error).split()), "code": 2})
        except Exception as error:
            what = f"a bug, please report it: {type(error).__name__}: {error}"
            job.tell({"event": "error", "text": " ".join(what.split()), "code": 70})
        job.tell({"event": "end", "seconds": round(time.perf_counter() - began, 4)})


class Page:
    """A stream that is open, and the jobs whose events it tells."""

    def __init__(self) -> None:
        self.events: asyncio.Queue[str | None] = asyncio.Queue()
        self.jobs: dict[int, Job] = {}


class Pages:
    """All that are open."""

    def __init__(self, pool: Pool | None = None) -> None:
        self.pool = pool or Pool()
        self.open: dict[str, Page] = {}
        self._numbers, self._alone = count(1), 0

    def enter(self, name: str) -> Page:
        """Open the stream of a page; one that it had before is over."""
        self.leave(name, self.open.get(name))
        if len(self.open) >= MOST_PAGES:
            raise RefusedError(429, f"expected at most {MOST_PAGES} pages at once")
        page = self.open[name] = Page()
        self.pool.start()
        return page

    def leave(self, name: str, page: Page | None) -> None:
        """Close a stream, and end its jobs."""
        if page is None:
            return
        for job in page.jobs.values():
            job.stopped.set()
        page.events.put_nowait(None)
        if self.open.get(name) is page:
            del self.open[name]
        if not self.open:
            self.pool.wanted.clear()

    def ask(self, name: str, kind: str, asked: dict[str, Any]) -> int:
        """Have a question answered on the stream of a page; the number of the job."""
        page = self.open.get(name)
        if page is None:
            raise RefusedError(400, "expected a page whose stream is open")
        if len(page.jobs) >= MOST_OF_A_PAGE:
            raise RefusedError(429, f"expected at most {MOST_OF_A_PAGE} searches of a page at once")
        if sum(len(each.jobs) for each in self.open.values()) >= MOST:
            raise RefusedError(429, f"expected at most {MOST} searches at once")
        loop, number = asyncio.get_running_loop(), next(self._numbers)

        def tell(event: Event) -> None:
            with suppress(RuntimeError):  # the loop is over, and nobody listens
                loop.call_soon_threadsafe(self._told, page, number, event)

        job = page.jobs[number] = Job(number, kind, asked, tell)
        self.pool.put(job)
        return number

    async def once(self, kind: str, asked: dict[str, Any]) -> Event:
        """The one event that a question of no page comes to."""
        if self._alone >= MOST_OF_A_PAGE:
            raise RefusedError(429, f"expected at most {MOST_OF_A_PAGE} files at once")
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
            job.stopped.set()

    def _told(self, page: Page, number: int, event: Event) -> None:
        if event["event"] == "end":
            page.jobs.pop(number, None)
            self.pool.done()
        elif passing(event) and page.events.qsize() > BEHIND:
            return
        page.events.put_nowait(json.dumps({"job": number, **event}, ensure_ascii=False))

    def stop(self, name: str, number: int) -> None:
        """End a job, if it is not done."""
        page = self.open.get(name)
        job = None if page is None else page.jobs.get(number)
        if job is not None:
            job.stopped.set()

    def end(self) -> None:
        """End everything."""
        for name, page in list(self.open.items()):
            self.leave(name, page)

"""The streams of pages: what is told to whom, what is ended with them, and how much is taken.

A page opens one stream, and what it asks is answered there.  Everything here runs on the loop of
the server.
"""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress
from itertools import count
from typing import Any

from kt_cp.web.guard import RefusedError
from kt_cp.web.jobs import Job, Pool
from kt_cp.web.watch import Event, passing

MOST_OF_A_PAGE, MOST = 16, 512
"""Jobs of one page, and of all, that are not done."""

MOST_PAGES = 128
"""Streams at a time."""

BEHIND = 200
"""Events that a slow page has not taken yet, from which on it is told of results alone."""


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
        self._check_room()
        page = self.open[name] = Page()
        self.pool.start()
        return page

    def _check_room(self) -> None:
        if len(self.open) >= MOST_PAGES:
            raise RefusedError(429, f"expected at most {MOST_PAGES} pages at once")

    def leave(self, name: str, page: Page | None) -> None:
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
        if sum(not job.stopped.is_set() for job in page.jobs.values()) >= MOST_OF_A_PAGE:
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
            if came.cancelled():  # otherwise the child is as good as done, and is kept
                self.pool.stop(job)

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
            self.pool.stop(job)

    def end(self) -> None:
        """End everything."""
        for name, page in list(self.open.items()):
            self.leave(name, page)

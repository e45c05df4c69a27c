"""Streams and jobs: what is told to whom, what is ended, how much is taken; no child is real."""

from __future__ import annotations

import asyncio
import json
import queue
import threading

import pytest

from kt_cp.model.errors import EndedError, InputError, UnsoundEngineError
from kt_cp.processes.isolate import Ended
from kt_cp.web import jobs, request_schema
from kt_cp.web.guard import RefusedError
from kt_cp.web.jobs import BEHIND, MOST_JOBS_OF_STREAM, MOST_STREAMS, EventStreams, WorkerPool
from tests.support.asgi import NoPool
from tests.support.command_line import PATIENCE

QUESTION = request_schema.read_request("solve", {"problem": {"rows": 3, "columns": 4}})


@pytest.fixture
def pool(monkeypatch):
    """A pool whose children are functions of this process, by the kind of question."""
    called = []

    def call(target, *args, progress=None, cancelled=None, **_limits):
        called.append((target, threading.current_thread(), *args[:1]))
        if args:
            ANSWERS[args[0]](progress, cancelled)
        return ENDED.get(args[0] if args else "", Ended("done", None, 0.1, 1.0))

    monkeypatch.setattr(jobs, "call", call)
    made = WorkerPool(2)
    made.called = called
    yield made
    made.end()
    assert not any(each.thread.is_alive() for each in made._workers)


def until_cancelled(progress, cancelled):
    progress({"event": "progress", "text": "at work", "fraction": None})
    for _ in range(int(PATIENCE / 0.01)):
        if cancelled():
            raise KeyboardInterrupt
        threading.Event().wait(0.01)
    pytest.fail("nobody ended it")


def wrong(_progress, _cancelled):
    raise InputError("expected a board,\n  got none")


def given_up(_progress, _cancelled):
    raise EndedError("the time limit of 1 s was reached")


def unsound(_progress, _cancelled):
    raise UnsoundEngineError("engine fake: the judge refuses its tour")


def full(_progress, _cancelled):
    raise MemoryError


def broken(_progress, _cancelled):
    raise ZeroDivisionError("by zero")


def quick(progress, _cancelled):
    progress({"event": "outcome", "outcome": {}})


def talks(progress, _cancelled):
    for number in range(3 * BEHIND):
        progress({"event": "cycles", "round": number, "cycles": []})
        progress({"event": "moves", "moves": [["+", "a1"]]})
    progress({"event": "outcome", "outcome": {}})


ANSWERS = {
    "given up": given_up, "unsound": unsound, "full": full, "long": until_cancelled, "ended": quick,
    "wrong": wrong, "broken": broken, "quick": quick, "talks": talks,
}  # fmt: skip
ENDED = {"ended": Ended("crash", None, 0.1, 1.0, "ended by SIGSEGV")}


async def told(page, last="end"):
    """Events of a page up to one of a name."""
    events = []
    while not events or events[-1]["event"] != last:
        text = await asyncio.wait_for(page.events.get(), PATIENCE)
        assert text is not None
        events.append(json.loads(text))
    return events


def running(pool, act):
    async def main():
        pages = EventStreams(pool)
        return await act(pages, pages.enter("page-one"))

    return asyncio.run(main())


def test_an_answer_comes_on_the_stream_of_its_page_alone(pool):
    async def act(pages, page):
        other = pages.enter("page-two")
        number = pages.ask("page-one", "quick", QUESTION)
        events = await told(page)
        assert [(each["job"], each["event"]) for each in events] == [
            (number, "outcome"), (number, "end"),
        ]  # fmt: skip
        assert other.events.empty() and page.jobs == {}

    running(pool, act)


def test_stop_ends_what_is_at_work_and_nothing_else(pool):
    async def act(pages, page):
        first, second = (pages.ask("page-one", "long", QUESTION) for _ in range(2))
        await told(page, "progress")
        pages.stop("page-one", 999)
        pages.stop("page-two", first)
        pages.stop("page-one", first)
        events = [each for each in await told(page) if each["event"] != "progress"]
        assert [(each["job"], each["event"]) for each in events] == [
            (first, "stopped"), (first, "end"),
        ]  # fmt: skip
        assert list(page.jobs) == [second]
        pages.stop("page-one", second)
        await told(page)

    running(pool, act)


def test_what_waits_in_line_is_never_begun_once_its_page_is_gone(pool):
    async def act(pages, page):
        for _ in range(2):
            pages.ask("page-one", "long", QUESTION)
            await told(page, "progress")
        other = pages.enter("page-two")
        pages.ask("page-two", "quick", QUESTION)
        for _ in range(2 * MOST_JOBS_OF_STREAM):  # those that were stopped do not count
            pages.stop("page-two", pages.ask("page-two", "quick", QUESTION))
        assert not [job for job in pool._line if job.stopped.is_set()]
        pages.leave("page-two", other)
        assert not pool._line
        pages.leave("page-one", page)
        while pool._waiting:
            await asyncio.sleep(0.01)
        assert not pages.open

    running(pool, act)
    assert [kind for _, _, *kinds in pool.called for kind in kinds] == ["long", "long"]


def test_a_stream_that_comes_again_takes_the_place_of_the_old(pool):
    async def act(pages, page):
        pages.ask("page-one", "long", QUESTION)
        await told(page, "progress")
        again = pages.enter("page-one")
        while (event := await asyncio.wait_for(page.events.get(), PATIENCE)) is not None:
            assert json.loads(event)["event"] in ("stopped", "end")
        pages.leave("page-one", page)  # the old connection closes later
        assert pages.open == {"page-one": again} and again.jobs == {}

    running(pool, act)


@pytest.mark.parametrize(
    ("kind", "event"),
    [
        ("wrong", {"code": 2, "text": "expected a board, got none"}),
        ("given up", {"code": 3, "text": "unknown: the time limit of 1 s was reached"}),
        ("full", {"code": 3, "text": "unknown: memory ran out"}),
        ("unsound", {"code": 70, "text": "engine fake: the judge refuses its tour"}),
        ("broken", {"code": 70,
                    "text": "a bug, please report it: ZeroDivisionError: by zero"}),
        ("ended", {"code": 3,
                   "text": "unknown: the process of the search was ended by SIGSEGV"}),
    ],
)  # fmt: skip
def test_what_goes_wrong_is_told_in_one_line(pool, kind, event):
    async def act(pages, page):
        pages.ask("page-one", kind, QUESTION)
        events = await told(page)
        assert {"job": 1, "event": "error", **event} in events and events[-1]["event"] == "end"

    running(pool, act)


def test_a_slow_page_misses_states_but_no_steps(pool):
    async def act(pages, page):
        pages.ask("page-one", "talks", QUESTION)
        while page.jobs:  # nothing is taken from the stream meanwhile
            await asyncio.sleep(0.01)
        events = await told(page)
        kinds = [each["event"] for each in events]
        assert kinds.count("moves") == 3 * BEHIND and kinds[-2:] == ["outcome", "end"]
        assert 0 < kinds.count("cycles") <= BEHIND

    running(pool, act)


def test_pages_and_their_searches_are_limited():
    async def act(pages, page):
        for number in range(MOST_STREAMS - 1):
            pages.enter(f"page-{number:04}")
        for refused in (pages.enter, lambda name: pages.ask(name, "quick", QUESTION)):
            with pytest.raises(RefusedError, match="pages at once"):
                refused("one-more")
        pages.pool.put = lambda _job: None
        for _ in range(MOST_JOBS_OF_STREAM):
            pages.ask("page-one", "quick", QUESTION)
        with pytest.raises(RefusedError, match="of a page"):
            pages.ask("page-one", "quick", QUESTION)
        with pytest.raises(RefusedError, match="searches at once"):
            for number in range(MOST_STREAMS):
                for _ in range(MOST_JOBS_OF_STREAM):
                    pages.ask(f"page-{number:04}", "quick", QUESTION)
        for refused in (asyncio.create_task(pages.once("quick", QUESTION)) for _ in range(2)):
            await asyncio.sleep(0)
            refused.cancel()

    running(NoPool(), act)


def test_a_file_needs_no_stream(pool):
    async def act(pages, _page):
        assert (await pages.once("quick", QUESTION))["event"] == "outcome"
        assert "by zero" in (await pages.once("broken", QUESTION))["text"]
        while pool._waiting:
            await asyncio.sleep(0.01)

    running(pool, act)


def test_a_job_is_for_the_child_that_has_done_the_last(pool):
    async def act(pages, page):
        while len(pool._idle) < 2:
            await asyncio.sleep(0.01)
        for _ in range(6):
            pages.ask("page-one", "quick", QUESTION)
            await told(page)
            while len(pool._idle) < 2:
                await asyncio.sleep(0.01)

    running(pool, act)
    assert len({thread for _, thread, *kinds in pool.called if kinds}) == 1


@pytest.mark.parametrize("said", [jobs.WAKE, None])
def test_a_job_that_comes_as_the_wait_ends_is_taken_at_once(said):
    class Inbox(queue.SimpleQueue):
        def get(self, *, timeout=None):
            if timeout is None:
                return super().get()
            nobodys.put(job)
            if said is None:
                raise queue.Empty
            return said

    nobodys, job = WorkerPool(0), jobs.Job(1, "quick", QUESTION, print)
    worker = jobs.Worker(Inbox(), 0.0)
    assert nobodys._next(worker, 0.0) is job
    assert worker.inbox.empty() and not nobodys._idle and not nobodys._line


def test_children_are_there_again_when_a_page_comes_back(pool):
    async def act(pages, page):
        wait = [0]

        async def ready(more):
            wait[0] += more
            while (
                len([1 for target, *_ in pool.called if target.endswith(":load_libraries")])
                < wait[0]
            ):
                await asyncio.sleep(0.01)

        await ready(jobs.AHEAD)
        pages.leave("page-one", page)
        assert pool.wanted
        pool._until = 0.0  # ten minutes later
        pages.enter("page-one")
        await ready(jobs.AHEAD)  # without anything being asked

    running(pool, act)


def test_children_are_there_ahead_and_no_more_than_are_asked_for(pool, monkeypatch):
    many = WorkerPool(5)
    many.start()
    assert len(many._workers) == jobs.AHEAD
    many.end()
    many.start(5)  # after its end there are no more
    assert len(many._workers) == jobs.AHEAD
    targets = {target for target, *_ in pool.called}
    assert targets <= {"kt_cp.web.handlers:load_libraries", "kt_cp.web.handlers:load_compiled_code"}

"""What the page shows belongs to its question, and work is not lost."""

from __future__ import annotations

import asyncio
import json

import pytest

from kt_cp.web.jobs import BEGUN, EventStreams, Job, WorkerPool

browser_test = pytest.mark.slow


@browser_test
def test_results_of_another_board_are_dropped(page):
    page.open(part="explore")
    page.fill("Ranks", 5)
    page.click("Gallery")
    page.part_sees(".state.found", "3 classes, and no others")
    assert len(page.all(".gallery li")) == 3
    page.fill("Ranks", 3)
    page.part_sees(".title", "3×6, closed")
    assert not page.all(".gallery li")
    assert not page.part_has(".told details")
    assert page.text(".state") == ""
    page.fill("Files", 10)
    page.click("How many?")
    page.part_sees(".state.found", "16 closed tours")
    page.fill("Tour", "open")
    assert page.text(".state") == ""


@browser_test
def test_a_puzzle_outlives_a_reload(page):
    page.open(part="puzzle")
    page.fill("Ranks", 5)
    page.fill("Seed", 3)
    page.click("Make a puzzle")
    page.part_sees(".about h2", "seed 3,")
    document = json.loads(page.run("return localStorage.getItem('puzzle')"))["told"]
    right = {name: step for step, name in enumerate(document["puzzle"]["tour"], 1)}
    clues = dict(document["puzzle"]["problem"]["given"])
    name = next(name for name in right if name not in clues)
    page.put(name, *str(right[name]))
    shown = page.numbers()
    assert shown == {**clues, name: right[name]}
    page.driver.refresh()
    page.see("#puzzle .playing .state", " to go")
    assert page.numbers() == shown
    page.click("Solution")
    page.part_sees(".playing .state", "The solution.")


@browser_test
@pytest.mark.parametrize(
    ("part", "label", "value", "before"),
    [
        ("explore", "Ranks", "1000", "6"),
        ("explore", "Files", "-3", "6"),
        ("puzzle", "Ranks", "2.7", "6"),
        ("explore", "Seed", "-1", "1"),
        ("explore", "Tours", "61", "12"),
    ],
)
def test_a_field_refuses_what_does_not_fit(page, part, label, value, before):
    page.open(part=part)
    control = page.fill(label, value)
    page.see("#said", f"{label}: expected a whole number from ")
    assert control.get_attribute("value") == before


@browser_test
@pytest.mark.parametrize("value", ["-5", "abc", "1.5"])
def test_a_number_that_is_none_has_no_tour(page, value):
    page.open(part="explore")
    page.fill("Number, from 0", value)
    page.click("Show")
    page.part_sees(".state.wrong", "expected the number of a tour, 0 or more, got ")


@browser_test
def test_the_skip_link_keeps_the_board(page):
    page.open("#board=5x6&missing=c3")
    before = page.run("return location.hash")
    page.run("document.querySelector('.skip').click()")
    assert page.run("return location.hash") == before
    assert page.run("return document.activeElement.id") == "main"


@browser_test
@pytest.mark.parametrize("name", ["constructor", "toString", "__proto__"])
def test_names_of_the_language_are_no_surfaces_and_no_parts(page, name):
    page.open(f"#board=4x5&surface={name}&tab={name}")
    assert len(page.cells()) == 20
    page.click("Find a tour")
    page.part_sees(".state.found")


@browser_test
def test_a_link_says_what_does_not_fit(page):
    page.open("#board=4x5&missing=z9&require=a1-b2&given=a1=99")
    page.see("#said", "The link has what does not fit on its board: z9, a1-b2, a1=99")
    page.open("#board=4x5&piece=99999999999999999999,1")
    page.see("#said", "does not fit on its board: piece=99999999999999999999,1")


@browser_test
@pytest.mark.parametrize(
    ("link", "words"),
    [
        ("start=a1&given=b3=1", "a1 is the start, and b3 has the number 1"),
        ("start=a1&given=a1=7", "a1 is the start, and has the number 7"),
        ("end=a1&given=b3=20", "a1 is the end, and b3 has the number 20"),
        ("require=a1-b3&forbid=b3-a1", "a1-b3 is required and forbidden"),
    ],
)
def test_contradictions_are_flagged(page, link, words):
    page.open(f"#board=4x5&{link}")
    page.see("#said", words)


@browser_test
def test_a_server_that_was_started_again_is_named(page):
    page.open("#board=4x5")
    page.run("document.querySelector('meta[name=token]').content = 'old'")
    page.driver.get(f"{page.address.partition('?')[0]}?token=old#board=4x5")
    page.run("localStorage.setItem('token', 'old')")
    page.driver.refresh()
    page.see("#draw .question")
    page.click("Find a tour")
    page.see("#draw .state.wrong", "kt-cp web was started again: open the address that it printed")
    page.driver.get(page.address)
    page.see("#draw .question")
    page.complaints()


def test_an_answer_outside_a_stream_may_wait_in_line():
    async def ask():
        pages = EventStreams(WorkerPool(at_once=0))
        waiting = asyncio.ensure_future(pages.once("measures", {}))
        await asyncio.sleep(0.01)
        (job,) = pages.pool._line
        job.send_event(BEGUN)
        job.send_event({"event": "measures"})
        job.send_event({"event": "end"})
        return await waiting

    assert asyncio.run(ask()) == {"event": "measures"}


def test_a_job_that_waits_in_line_says_so():
    events = []
    pool = WorkerPool(at_once=0)
    job = Job(1, "solve", {}, events.append)
    pool.put(job)
    assert events == [{"event": "queued"}]
    pool.stop(job)
    assert [event["event"] for event in events] == ["queued", "stopped", "end"]

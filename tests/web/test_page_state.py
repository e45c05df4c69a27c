"""The page shows the answer to its question, and work is not lost."""

from __future__ import annotations

import asyncio
import io
import json

import numpy as np
import pytest
from PIL import Image

from kt_cp.web.jobs import BEGUN, EventStreams, Job, WorkerPool
from tests.support.command_line import wait_until

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
    assert not page.part_has(".details details")
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
    document = json.loads(page.run("return localStorage.getItem('puzzle')"))["event"]
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
    page.see("#message", f"{label}: expected a whole number from ")
    assert control.get_attribute("value") == before


@browser_test
def test_an_announcement_does_not_hide_an_error(page):
    page.open(part="explore")
    page.fill("Files", "-3")
    page.see("#message", "Files: expected a whole number from ")
    script = """
    const [words, kind, done] = arguments;
    import("/static/elements.js").then(({ notify }) => done(notify(words, kind)));
    """
    page.driver.execute_async_script(script, "The puzzle of the day is ready.", "announced")
    page.see("#message.wrong", "Files: expected a whole number from ")
    page.driver.execute_async_script(script, "The puzzle is ready.", "")
    page.see("#message", "The puzzle is ready.")


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
def test_back_and_links_show_the_part_of_the_address(page):
    page.open("#board=4x5")
    page.go("explore")
    page.run("location.hash = 'board=3x4&closed=1'")
    page.see("#draw .question")
    assert not page.part_has(".title")
    page.run("history.back()")
    page.see("#explore .work")


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
    page.see("#message", "The link has what does not fit on its board: z9, a1-b2, a1=99")
    page.open("#board=4x5&piece=99999999999999999999,1")
    page.see("#message", "does not fit on its board: piece=99999999999999999999,1")


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
    page.see("#message", words)


@browser_test
def test_a_server_that_was_started_again_is_named(page):
    page.open("#board=4x5")
    page.run("localStorage.setItem('token', 'old')")  # as if the server had another one now
    page.driver.refresh()
    page.see("#draw .question")
    page.click("Find a tour")
    page.see("#draw .state.wrong", "kt-cp web was started again: open the address that it printed")
    assert all("403" in each for each in page.complaints())
    current = page.address.partition("token=")[2]
    page.run("localStorage.setItem('token', arguments[0])", current)  # by a tab of the new address
    page.click("Find a tour")
    page.part_sees(".state.found")


def address(page):
    return page.run("return location.href")


@browser_test
def test_the_token_leaves_the_address_and_is_in_no_other(page):
    page.open("#board=3x4&start=a1")
    here = page.address.partition("?")[0]
    assert "token" not in address(page) and address(page).endswith("#board=3x4&start=a1")
    assert page.run("return history.state") is None
    page.click("Find a tour")
    page.part_sees(".state.found")
    page.driver.refresh()
    page.see("#draw .question")
    page.run("""
      const known = window.fetch;
      window.requested = [];
      window.fetch = (path, options) => {
        window.requested.push(path);
        return known(path, options);
      };
    """)
    page.click("Find a tour")
    page.part_sees(".state.found")
    paths = [each.partition("?")[0] for each in page.run("return window.requested")]
    paths = [each for each in paths if each != "/api/objectives"]  # it may come at any time
    assert paths[:2] == ["/api/events", "/api/ask"]
    assert not [each for each in page.run("return window.requested") if "token" in each]

    # A link without the token in another tab; and a stale token in the address, which is not used.
    first = page.driver.current_window_handle
    page.driver.switch_to.new_window("tab")
    for link in (f"{here}#board=3x4", f"{here}?token=stale#board=3x4"):
        page.driver.get(link)
        page.see("#draw .question")
        page.click("Find a tour")
        page.part_sees(".state.found")
        assert address(page) == f"{here}#board=3x4"
        page.driver.get("about:blank")
    page.driver.close()
    page.driver.switch_to.window(first)


@browser_test
def test_a_browser_that_stores_nothing_keeps_the_token_in_the_address(page):
    script = "Object.defineProperty(window, 'localStorage', { get() { throw new Error('off'); } });"
    command = "Page.addScriptToEvaluateOnNewDocument"
    added = page.driver.execute_cdp_cmd(command, {"source": script})
    try:
        page.driver.get(f"{page.address}&visit=none#board=3x4")
        for _ in range(2):
            page.see("#draw .question")
            page.click("Find a tour")
            page.part_sees(".state.found")
            page.driver.refresh()
        assert page.address in address(page)
        page.driver.get(f"{page.address.partition('?')[0]}#board=3x4")
        page.see("#draw .wrong", "This address has no token")
    finally:
        page.driver.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", added)


@browser_test
def test_a_lost_stream_is_reported_and_opened_again(page):
    page.open("#board=5x5")
    page.run("""
      const known = window.fetch;
      window.streams = [];
      window.fetch = async (path, options) => {
        const answer = await known(path, options);
        if (!path.startsWith("/api/events")) return answer;
        const line = new TransformStream();
        const cut = new AbortController();
        answer.body.pipeTo(line.writable, { signal: cut.signal }).catch(() => {});
        window.streams.push(cut);
        return new Response(line.readable, answer);
      };
    """)
    page.fill("Ranks (rows)", 7)
    page.fill("Files (columns)", 7)
    page.part_sees(".either", "closed").find_elements("css selector", "span")[1].click()
    page.part_sees(".engines summary").click()
    for box in page.all(".chip input"):
        if box.is_selected() != (box.get_attribute("value") == "sat"):
            box.find_element("xpath", "..").click()
    page.click("Find a tour")
    wait_until(lambda: page.run("return window.streams.length") == 1)
    page.part_sees(".state.busy", " s")
    page.run("window.streams[0].abort()")
    page.part_sees(".state.wrong", "the connection to the program was lost")
    page.turn("#board=3x4")
    page.click("Find a tour")
    page.part_sees(".state.found")
    assert page.run("return window.streams.length") == 2


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


def coloured_pixels(page, words):
    """Return the number of pixels around a square's words with a colour of the tour's line."""
    script = """
    const [kind, words] = arguments;
    const text = [...document.querySelectorAll(`#draw .kt-texts ${kind}`)].find(
      (each) => each.textContent === words);
    const { x, y, width, height } = text.getBoundingClientRect();
    return [x, y, width, height];
    """
    x, y, width, height = page.run(script, "text", words)
    image = Image.open(io.BytesIO(page.driver.get_screenshot_as_png())).convert("RGB")
    inside = image.crop(
        (round(x), round(y + 0.2 * height), round(x + width), round(y + 0.8 * height))
    )
    colours = np.asarray(inside).astype(int)
    return int((colours.max(axis=2) - colours.min(axis=2) > 60).sum())


@browser_test
def test_no_line_shows_between_the_digits_of_a_number(page):
    page.look((1024, 768), calm=True)
    page.open("#board=6x6")
    page.click("Find a tour")
    page.part_sees(".answer .state.found")
    assert [coloured_pixels(page, words) for words in ("11", "12", "17", "21")] == [0] * 4


@browser_test
@pytest.mark.parametrize("size", [(1024, 768), (1440, 900), (390, 844)])
def test_tools_fit_in_a_row_and_the_player_is_on_the_screen(page, size):
    page.look(size)
    page.open("#board=8x8")
    tools = page.all(".tools label")
    assert len({tool.rect["y"] for tool in tools}) == 1
    assert len({tool.rect["height"] for tool in tools}) == 1  # a word that wraps is higher
    page.click("Find a tour")
    page.part_sees(".answer .state.found")
    script = "return document.querySelector('#draw .kt-player').getBoundingClientRect().bottom"
    assert page.run(script) <= size[1] and page.run("return scrollY") == 0
    assert page.wide() == 0


@browser_test
@pytest.mark.parametrize("size", [(1024, 768), (390, 844)])
def test_an_answer_moves_nothing_under_the_finger(page, size):
    places = """
    const found = ["#draw .kt-svg", "#draw .question", "#draw .asking", "#ask", "#stop"];
    return found.map((css) => document.querySelector(css)).filter((each) => !each.hidden).map(
      (each) => each.getBoundingClientRect()).map(({ x, y }) => [x, y]);
    """
    page.look(size)
    page.open("#board=7x7")
    before = page.run(places)
    page.click("Find a tour")
    page.part_sees(".answer .state.found")
    page.part_sees(".measures button")
    assert page.run(places) == before

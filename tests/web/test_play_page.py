"""The Board tab: first screen, methods, a tour by hand, races, shapes, and a telephone."""

from __future__ import annotations

import pytest

from kt_cp import Board, Problem
from kt_cp.trust.judge import defects
from tests.support.browser import VISITS
from tests.support.command_line import wait_until
from tests.web.test_page import engines, link_of, tool, tour_on

pytestmark = pytest.mark.slow

PHONE = (390, 844)


def test_the_first_screen_needs_no_answer_of_the_server(page) -> None:
    page.driver.execute_cdp_cmd("Network.enable", {})
    page.driver.execute_cdp_cmd("Network.setBlockedURLs", {"urls": ["*/api/*"]})
    try:
        page.driver.get(f"{page.address}&visit=first")
        page.see("#draw .kt-texts text", "64")
        page.see("#draw .wrong", "does not answer")
        assert not defects(Problem("8x8"), tour_on(page))
    finally:
        page.driver.execute_cdp_cmd("Network.setBlockedURLs", {"urls": []})
    assert page.complaints()  # the requests that were refused


def test_the_first_tour_runs_unless_motion_is_unwanted(page) -> None:
    page.look(motion=True)
    page.driver.get(f"{page.address}&visit={next(VISITS)}")
    page.part_sees(".kt-player button[aria-label=Pause]")  # for eight seconds
    wait_until(lambda: len(page.numbers()) == 64)  # readers of screens have it at once
    page.look()
    page.open()
    assert not page.all(".kt-player button[aria-label=Pause]")
    # It is dropped with its question.
    page.fill("Ranks (rows)", 7)
    assert page.numbers() == {}


def test_three_examples_are_a_click_away(page) -> None:
    page.open()
    page.click("5×5 closed: why not?")
    page.part_sees(".answer .state.impossible", "There is no tour")
    page.part_sees(".check.yes", "certificate accepted")
    page.click("A knight on a torus")
    page.part_sees(".answer .state.found")
    assert not defects(Problem(Board(5, 5, surface="torus"), closed=True), tour_on(page))
    page.click("Solve a puzzle")
    page.see("#puzzle .work")


def test_methods_and_marks_are_explained(page) -> None:
    page.open("#board=6x6")
    assert page.text(".engines summary").split("\n")[:2] == ["Method", "auto"]
    page.part_sees(".engines summary").click()
    lines = [each.text for each in page.all(".engines .chip small")]
    assert len(lines) >= 14 and all(lines)
    page.click("Find a tour")
    page.part_sees(".answer .state.found")
    marks = {each.text.split("\n")[1]: each.text.split("\n")[2] for each in page.all(".check")}
    assert marks["judged"].startswith("The judge, which shares no code")
    assert "Not done: more than 30 squares" in marks["not compared"]
    assert page.violations() == []


def test_a_tour_is_drawn_by_hand(page) -> None:
    page.open("#board=3x4")
    tool(page, "Draw")
    complete = "return document.querySelector('#draw .complete').disabled"
    assert page.run(complete)
    page.square("a1").click()
    assert page.marks("reach") == {"b3", "c2"}
    page.square("d3").click()
    page.see("#message", "a1 to d3 is no move of the piece")
    page.square("c2").click()
    assert page.numbers() == {"a1": 1, "c2": 2}
    assert page.text(".hint") == "2 placed, 10 left."
    page.square("c2").click()  # takes it back
    assert page.numbers() == {"a1": 1}
    page.square("c2").click()
    page.put("c2", "BACKSPACE")
    assert page.numbers() == {"a1": 1}
    page.chord("z")
    assert page.numbers() == {"a1": 1, "c2": 2}
    assert link_of(page) == {"board": "3x4", "given": "a1=1,c2=2"}  # a link keeps what is drawn

    # The beginning can be completed; the next move makes that answer an earlier one.
    page.turn("#board=3x4")
    tool(page, "Draw")
    tour = ["a1", "c2", "a3", "b1", "d2", "b3", "c1", "a2", "c3", "d1", "b2", "d3"]
    assert not defects(Problem("3x4"), tour)
    page.square("a1").click()
    page.square("c2").click()
    page.click("Can this be completed?")
    page.part_sees(".answer .state.found", "A tour")
    assert tour_on(page)[:2] == ["a1", "c2"] and not defects(Problem("3x4"), tour_on(page))
    for name in tour[2:]:
        page.square(name).click()
    page.part_sees(".answer:not(.past) .state.found")  # a whole one is judged by itself
    assert tour_on(page) == tour

    # One that does not, with the reason.
    page.turn("#board=3x4")
    tool(page, "Draw")
    for name in ("b1", "a3", "c2", "a1"):
        page.square(name).click()
    page.click("Can this be completed?")
    page.part_sees(".answer .state.impossible", "There is no tour")
    assert page.part_sees(".reason").text
    page.square("a1").click()
    page.part_sees(".answer.past")
    assert page.violations() == []


def line_colours(page) -> set[str]:
    script = """
    return [...document.querySelectorAll("#draw .kt-line")].filter(
      (each) => each.getAttribute("d")).map((each) => getComputedStyle(each).stroke);
    """
    return {*page.run(script)}


def test_colours_go_along_the_path_and_large_boards_have_no_numbers(page) -> None:
    drawn = "return document.querySelectorAll('#draw .kt-texts .step').length"
    for side, numbers in ((5, 25), (20, 400), (21, 0)):
        page.turn(f"#board={side}x{side}")
        page.click("Find a tour")
        page.part_sees(".answer:not(.past) .state.found")
        assert len(line_colours(page)) > 10
        assert page.run(drawn) == numbers
    page.label("numbers").click()  # for users who want them
    assert page.run(drawn) == 441
    page.label("numbers").click()


def test_a_race_has_standings_and_each_engine_a_stop(page) -> None:
    page.turn("#board=6x6")
    engines(page, "backtrack", "warnsdorff", "000")
    page.click("Find a tour")
    page.part_sees(".answer:has(.found) ~ .answer:has(.found)")
    page.run("document.querySelector('#stop:not([hidden])')?.click()")  # they may have ended
    page.part_sees("#ask")
    standings = [each.text for each in page.all(".standings li")]
    assert len(standings) >= 2 and all("A tour · " in each for each in standings)
    winner = page.text(".standings li").split(" ")[0]
    assert page.text(".answer.winner").split("\n")[0] == winner
    assert page.violations() == []


def test_one_engine_of_a_race_is_stopped_alone(page) -> None:
    page.turn("#board=8x8&closed=1")
    engines(page, "000", "backtrack")
    page.click("Find a tour")
    page.click("Stop boolean")
    page.part_sees(".answer .state.unknown", "stopped")
    page.part_sees("#ask")
    assert len(page.all(".answer .state.found")) == 1
    assert [each.text.split(" ")[0] for each in page.all(".standings li")] == ["backtrack"]


def test_answers_of_a_visit_are_kept_and_shown_again(page) -> None:
    page.open("#board=5x5")
    page.click("Find a tour")
    page.part_sees(".answer .state.found")
    first = tour_on(page)
    page.fill("Name of answer 1", "small")
    page.turn("#board=4x4")
    page.click("Find a tour")
    page.part_sees(".answer .state.impossible")
    page.turn("#board=3x4")
    page.click("Find a tour")
    page.part_sees(".answer .state.found")
    rows = [each.text for each in page.all(".kept tbody tr")]
    assert [row.split(",")[0].split(" ")[-1] for row in rows] == ["3×4", "4×4", "5×5"]
    wait_until(lambda: "–" not in page.all(".kept tbody tr")[2].text)
    measures = Problem("5x5").tour(first).measures()
    assert f" {measures['turns']} {measures['crossings']} " in page.all(".kept tbody tr")[2].text
    page.all(".kept tbody button")[2].click()
    assert link_of(page) == {"board": "5x5"} and tour_on(page) == first
    assert not page.all(".answer.past")
    page.all(".kept tbody button")[1].click()
    assert link_of(page) == {"board": "4x4"} and page.marks("argued")
    assert page.label("Name of answer 1").get_attribute("value") == "small"
    assert page.violations() == []


def test_a_board_is_flipped_rotated_shifted_and_cut_to_a_shape(page) -> None:
    page.open("#board=4x5&missing=a1&start=b1&require=b1-c3&given=e4=7")
    page.part_sees(".shaping summary").click()
    steps = {
        "Flip left and right": ("4x5", "e1", "d1", "c3-d1", "a4=7"),
        "Flip top and bottom": ("4x5", "e4", "d4", "c2-d4", "a1=7"),
        "Rotate": ("5x4", "d1", "d2", "b3-d2", "a5=7"),
        "Shift right": ("5x4", "a1", "a2", "a2-c3", "b5=7"),
    }
    for words, (board, *rest) in steps.items():
        page.click(words)
        now = link_of(page)
        moves = "-".join(sorted(now["require"].split("-"))) if "require" in now else ""
        assert (now["board"], [now["missing"], now["start"], moves, now["given"]]) == (board, rest)
    page.turn("#board=8x8")
    page.fill("Shape", "ring")
    page.click("Cut to shape")
    assert len(page.marks("cut out")) == 4
    page.fill("Shape", "rectangle")
    page.click("Cut to shape")
    assert page.marks("cut out") == set()
    page.fill("Symmetric holes", "both")
    page.square("b2").click()
    assert page.marks("cut out") == {"b2", "g2", "b7", "g7"}
    page.square("g7").click()
    assert page.marks("cut out") == set()
    page.turn("#board=5x6&surface=cylinder")
    page.click("Rotate")
    page.see("#message", "a cylinder cannot be rotated")
    assert page.violations() == []


def test_a_question_mark_shows_the_keys(page) -> None:
    page.turn("#board=5x5")
    page.put("a1", "?")
    page.see("dialog[open] dt", "Ctrl+Z")
    assert page.violations() == []
    page.click("Close")


def touch(page, kind, *points) -> None:
    fingers = [{"x": x, "y": y, "id": number} for number, (x, y) in enumerate(points)]
    event = {"type": kind, "touchPoints": fingers}
    page.driver.execute_cdp_cmd("Input.dispatchTouchEvent", event)


@pytest.fixture
def phone(page):
    page.look(PHONE)
    page.driver.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": True})
    yield page
    page.driver.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": False})


def middle(page, name):
    script = """
    const { x, y, width, height } = arguments[0].getBoundingClientRect();
    return [x + width / 2, y + height / 2];
    """
    return page.run(script, page.square(name))


def test_a_thumb_reaches_everything(phone) -> None:
    phone.open("#board=8x8")
    bar = phone.run("return document.getElementById('ask').getBoundingClientRect().toJSON()")
    assert bar["bottom"] <= 844 and bar["top"] > 700
    small = """
    const targets = "button, select, summary, input, label:has(input), [role=tab]";
    const excepted = "[type=range], label *"; // a label is the target of its box
    return [...document.querySelectorAll(targets)].filter(
      (each) => each.checkVisibility({ visibilityProperty: true }) && !each.matches(excepted)
    ).filter((each) => each.getBoundingClientRect().height < 44).map((each) => each.outerHTML);
    """
    assert phone.run(small) == []
    phone.click("Find a tour")
    phone.part_sees(".answer .state.found")
    assert phone.run(small) == []
    assert phone.wide() == 0 and phone.violations() == []
    phone.look(PHONE, dark=True)
    assert phone.violations("color-contrast") == []


def test_fingers_pinch_a_board_and_paint_holes(phone) -> None:
    phone.open("#board=30x30")
    width = "return document.querySelector('#draw .kt-svg').getBoundingClientRect().width"
    before, (x, y) = phone.run(width), middle(phone, "k20")
    touch(phone, "touchStart", (x - 30, y), (x + 30, y))
    touch(phone, "touchMove", (x - 60, y), (x + 60, y))
    touch(phone, "touchEnd")
    assert phone.run(width) == pytest.approx(2 * before, rel=0.02)
    assert phone.run("return visualViewport.scale") == 1
    left = "return document.querySelector('#draw .kt-board').scrollLeft"
    scrolled = phone.run(left)
    touch(phone, "touchStart", (x, y))
    for step in range(1, 8):
        touch(phone, "touchMove", (x - 15 * step, y))
    touch(phone, "touchEnd")
    wait_until(lambda: phone.run(left) > scrolled + 50)
    assert phone.marks("cut out") == set()

    phone.open("#board=6x6")
    start, end = middle(phone, "b3"), middle(phone, "e3")
    touch(phone, "touchStart", start)
    touch(phone, "touchMove", end)
    touch(phone, "touchEnd")
    assert phone.marks("cut out") == set()  # a finger scrolls
    phone.part_sees(".paint").click()
    touch(phone, "touchStart", start)
    touch(phone, "touchMove", end)
    touch(phone, "touchEnd")
    wait_until(lambda: phone.marks("cut out") == {"b3", "c3", "d3", "e3"})
    phone.tap("c3")
    wait_until(lambda: phone.marks("cut out") == {"b3", "d3", "e3"})

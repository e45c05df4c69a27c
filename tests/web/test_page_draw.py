"""The question that is drawn: by clicks, drags and keys, pasted, undone, kept in the address."""

from __future__ import annotations

from urllib.parse import unquote

import pytest

from tests.support.command_line import wait_until

pytestmark = pytest.mark.slow


def told(page):
    """The question as the address of the page has it, once it is written there."""

    def parts():
        text = unquote(page.run("return location.hash")).removeprefix("#")
        return dict(part.split("=", 1) for part in text.split("&")) if text else {}

    before = None
    while before != (before := parts()) or not before:
        page.run("return new Promise((done) => setTimeout(done, 260))")
    return before


def tool(page, words):
    page.click(words, css="[role=radio]")


def test_a_board_is_drawn_by_mouse_and_keys(page) -> None:
    page.open()
    page.fill("Ranks (rows)", 5)
    page.fill("Files (columns)", 6)
    assert len(page.cells()) == 30
    page.square("c3").click()
    page.drag(page.square("e4"), page.square("e4").rect["width"], 0)
    assert page.marks("cut out") == {"c3", "e4", "f4"}
    page.square("f4").click()
    tool(page, "Start")
    page.square("a1").click()
    tool(page, "End")
    page.square("f5").click()
    tool(page, "Number")
    page.fill("Next number", 29)
    page.square("d5").click()
    page.see("#said", "expected a number from 1 to 28")
    page.fill("Next number", 9)
    page.square("d5").click()
    page.square("b4").click()
    tool(page, "Require")
    page.square("a1").click()
    assert page.marks("reach") == {"b3", "c2"}
    page.square("b3").click()
    tool(page, "Forbid")
    page.square("a5").click()
    page.square("c4").click()
    assert page.marks("start") == {"a1"} and page.marks("end") == {"f5"}
    assert page.numbers() == {"d5": 9, "b4": 10}
    asked = {
        "board": "5x6", "missing": "c3,e4", "start": "a1", "end": "f5", "require": "a1-b3",
        "forbid": "a5-c4", "given": "d5=9,b4=10",
    }  # fmt: skip
    assert told(page) == asked
    page.chord("z")
    assert "forbid" not in told(page)
    page.click("Redo (Ctrl+Y)")
    assert told(page) == asked

    # The address can be sent to a friend, who has a page open there; it has no token.
    here, _, _ = page.driver.current_url.partition("?")
    page.driver.get(f"{here}#" + "&".join(f"{key}={value}" for key, value in asked.items()))
    page.see("#draw .question")
    assert told(page) == asked and page.marks("cut out") == {"c3", "e4"}
    page.click("Clear")
    assert told(page) == {"board": "5x6"}

    # The same from the keyboard alone.
    page.run("arguments[0].focus()", page.part_sees("button[aria-label='Larger']"))
    page.keys("TAB")
    assert page.run("return document.activeElement.dataset.square") == "a1"
    page.put("c3", "x", "ARROW_RIGHT", "s", "ARROW_UP", "e", "ARROW_RIGHT", "1", "2")
    page.keys("HOME", "r", "PAGE_UP", "ARROW_RIGHT", "ARROW_RIGHT", "r")
    assert told(page) == {
        "board": "5x6", "missing": "c3", "start": "d3", "end": "d4", "given": "e4=12",
        "require": "a4-c5",
    }  # fmt: skip
    page.keys("ESCAPE")
    page.put("e4", "BACKSPACE")
    page.put("a1", "f", "ARROW_RIGHT", "ARROW_UP", "ARROW_UP", "f")
    assert told(page)["forbid"] == "a1-b3" and "given" not in told(page)


def test_size_piece_surface_symmetry_and_kind(page) -> None:
    page.turn("#board=8x8")
    corner = page.part_sees(".corner")
    side = page.square("a1").rect["width"]
    page.drag(corner, round(2.2 * side), round(-1.2 * side))
    assert told(page)["board"] == "7x10"
    page.run("arguments[0].focus()", corner)
    page.keys("ARROW_DOWN", "ARROW_LEFT")
    assert told(page)["board"] == "8x9"
    page.fill("Piece", "camel")
    page.fill("Surface", "torus")
    page.fill("Symmetry", "half-turn")
    page.part_sees(".either", "closed").find_elements("css selector", "span")[1].click()
    assert told(page) == {
        "board": "8x9", "piece": "1,3", "surface": "torus", "symmetry": "half-turn", "closed": "1",
    }  # fmt: skip
    page.fill("Piece", "other")
    page.fill("Steps", "4,1+2,3")
    assert told(page)["piece"] == "1,4+2,3"
    page.fill("Ranks (rows)", 90)
    assert len(page.cells()) == 810
    page.put("a1", "1", "2")
    assert page.text(".kt-texts .given") == "12"
    page.click("Larger")
    page.click("Larger")
    board = page.part_sees(".kt-board")
    assert page.run("return arguments[0].scrollHeight > arguments[0].clientHeight", board) or (
        page.run("return arguments[0].scrollWidth > arguments[0].clientWidth", board)
    )


def test_a_board_is_pasted(page) -> None:
    page.turn("#board=8x8")
    page.click("Paste…")
    page.see("dialog textarea").send_keys("5 . .\n. # .\n. . 1\n. . .")
    page.click("Use it")
    wait_until(lambda: page.marks("cut out") == {"b3"})
    assert told(page) == {"board": "4x3", "missing": "b3", "given": "c2=1,a4=5"}
    page.click("Paste…")
    page.label("Board as text").clear()
    page.see("dialog textarea").send_keys("? ?")
    page.click("Use it")
    page.see("dialog [role=alert]", "expected")
    for unread in ("board=8x8&given=%", "board=201x200", "board=0x5"):
        page.label("Board as text").clear()
        page.see("dialog textarea").send_keys(f"http://127.0.0.1/#{unread}")
        page.click("Use it")
        page.see("dialog [role=alert]", "expected the link of a board of at most 40,000 squares")
    page.click("Cancel")
    assert any("400" in each for each in page.complaints())

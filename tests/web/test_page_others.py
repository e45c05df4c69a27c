"""Compare and explore on the page; and what holds for all its parts: light, width, axe-core."""

from __future__ import annotations

import json

import pytest

from kt_cp import Numbering
from tests.support.command_line import wait_until

pytestmark = pytest.mark.slow


def test_a_comparison_fills_row_by_row_and_is_plotted(page) -> None:
    page.open(part="compare")
    page.fill("Boards, with spaces between", "3x3 4x5, 3x3")
    page.fill("Tours", "o")
    for box in page.all(".chip input"):
        if box.is_selected() != (box.get_attribute("value") in ("backtrack", "warnsdorff")):
            box.find_element("xpath", "..").click()
    page.run("""
      window.waited = false;
      const cells = () => [...document.querySelectorAll("#compare td")];
      new MutationObserver(() => { waited ||= cells().some((each) => each.textContent === "…"); })
        .observe(document.getElementById("compare"), { childList: true, subtree: true });
    """)
    page.click("Compare")
    page.part_sees(".state.found", "4 runs in ")
    assert page.run("return waited")
    lines = [row.find_elements("css selector", "th, td") for row in page.all("tr")]
    heads, *rows = ([each.text for each in line] for line in lines)
    assert heads == ["Board", "backtrack", "warnsdorff"]
    assert [row[0] for row in rows] == ["3x3 open", "4x5 open"]
    assert "no tour, certified" in rows[0][1] and "gave up" in rows[0][2]
    assert all("✓" in cell and "a tour" in cell for cell in rows[1][1:])
    assert len(page.all("td.best")) == 2
    assert page.run("return arguments[0].naturalWidth > 300", page.part_sees(".plot img"))
    page.click("rows as JSON")
    assert json.loads(page.saved(".json"))["runs"][0]["verdict"] == "IMPOSSIBLE"
    page.click("plot as SVG")
    assert b"<svg" in page.saved(".svg")
    page.fill("Boards, with spaces between", "3by3")
    page.click("Compare")
    page.part_sees(".state.wrong", "expected")
    assert any("400" in each for each in page.complaints())  # the refusal, and nothing else


def test_tours_by_their_numbers_at_random_and_by_classes(page) -> None:
    page.open(part="explore")
    page.fill("Ranks", 5)
    page.click("How many?")
    page.part_sees(".state.found", "8 closed tours, by ")
    tours = Numbering("5x6", closed=True)
    page.fill("Number, from 0", 3)
    page.part_sees(".title", "Number 3 of 8 closed tours")
    assert sorted(page.numbers(), key=page.numbers().get) == tours[3].names
    page.click("Tour after")
    page.part_sees(".title", "Number 4 of 8")
    page.click("Last tour")
    page.part_sees(".title", "Number 7 of 8")
    page.fill("Tours", 3)
    page.fill("Seed", 2)
    page.click("Draw at random")
    page.part_sees(".state.found", "3 drawn from 8 closed tours")
    assert len(page.all(".gallery li")) == 3
    page.click("Gallery")
    page.part_sees(".state.found", "3 classes, and no others")
    pictures = page.all(".gallery button")
    told = ["Class 1: 4 tours", "Class 2: 2 tours", "Class 3: 2 tours"]
    assert [each.text for each in pictures] == told
    pictures[2].click()
    page.part_sees(".title", "Class 3")
    assert pictures[2].get_attribute("aria-pressed") == "true"
    page.click("The same elsewhere", css="summary")
    assert "kt-cp enumerate 5x6 --closed --unique" in page.text("code")
    page.fill("Files", 4)
    page.fill("Ranks", 3)
    page.fill("Tour", "open")
    page.click("How many?")
    page.part_sees(".told", "Directed: a tour and its reverse are two;")
    page.part_sees(".state.found", "16 open tours, by ")
    page.click("Last tour")  # of those that have numbers, in which both are one
    page.part_sees(".title", "Number 7 of 8 open tours")
    page.fill("Ranks", 4)
    page.click("Last tour")
    page.part_sees(".state.wrong", "there is no tour (4x4, open)")
    page.click("Draw at random")
    page.part_sees(".state.none", "There is no tour")


def test_the_number_of_the_tour_on_the_drawn_board(page) -> None:
    page.turn("#board=3x4", part="explore")
    page.click("Number of the tour on the drawn board")
    page.part_sees(".state.wrong", "There is no tour on the drawn board yet")
    page.go("draw")
    page.fill("Ranks (rows)", 3)
    page.fill("Files (columns)", 4)
    page.click("Find a tour")
    page.part_sees(".state.found")
    walk = page.numbers()
    page.go("explore")
    page.click("Number of the tour on the drawn board")
    page.part_sees(".title", " of 8 open tours")
    number = int(page.label("Number, from 0").get_attribute("value"))
    names = sorted(walk, key=walk.get)
    assert Numbering("3x4").index(names) == number


def test_the_frontier_is_seen_to_sweep(page) -> None:
    page.open("#board=4x5&surface=cylinder&closed=1", part="explore")
    page.label("the board that is drawn, with all that is asked of it").click()
    page.part_sees(".title", "4×5, cylinder, closed")
    page.run(
        """
        window.swept = new Set();
        const note = () => swept.add(document.querySelectorAll("#explore .chosen").length);
        new MutationObserver(note).observe(document.querySelector("#explore .stage"), {
          childList: true, subtree: true });
        """
    )
    page.click("How many?")
    page.part_sees(".state.found", "closed tours, by frontier")
    wait_until(lambda: not page.all(".chosen"))  # the end is told after the answer
    wait_until(lambda: set(page.run("return [...swept]")) == {0, 1})


def test_nothing_is_in_the_way_of_anybody(page) -> None:
    from tests.support.browser import TELEPHONE

    page.open("#board=5x6&closed=1")
    page.look(calm=True)
    for part in ("draw", "puzzle", "compare", "explore"):
        page.go(part)
        if part == "puzzle":  # one that is being played
            page.fill("Ranks", 5)
            page.click("Make a puzzle")
            page.part_sees(".playing .state", "to go")
            page.click("Hint")
            page.part_sees(".why:not(:empty)")
        elif part == "explore":  # what fills it
            page.fill("Ranks", 5)
            page.click("Gallery")
            page.part_sees(".state.found", "3 classes, and no others")
        assert page.violations() == []
        page.look(dark=True, calm=True)
        assert page.violations("color-contrast") == []
        page.look(TELEPHONE, calm=True)
        assert page.wide() == 0
        page.look(calm=True)

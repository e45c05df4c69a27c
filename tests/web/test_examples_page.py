"""Compare and Explore: their examples, the plot that grows, columns that sort; saved animations."""

from __future__ import annotations

from io import BytesIO

import pytest
from PIL import Image

from tests.support.command_line import wait_until

pytestmark = pytest.mark.slow


def compare(page, boards="3x4 4x5 5x5"):
    """Compare two engines on open tours, and stop the example."""
    page.open(part="compare")
    page.fill("Boards, with spaces between", boards)
    page.fill("Tours", "o")
    for box in page.all(".chip input"):
        if box.is_selected() != (box.get_attribute("value") in ("backtrack", "warnsdorff")):
            box.find_element("xpath", "..").click()
    page.click("Compare")


def test_explore_opens_with_an_example(page):
    page.open(part="explore")
    page.part_sees(".state.found", "The first 6 classes; there are more (an example)")
    assert len(page.all(".gallery li")) == 6 and len(page.numbers()) == 36
    page.fill("Ranks", 5)
    assert page.text(".state") == "" and not page.all(".gallery li")


def test_compare_opens_with_an_example(page):
    page.open(part="compare")
    page.part_sees(".state.found", "6 runs in ")
    assert "(an example)" in page.text(".state.found")
    assert len(page.all(".plot [role=img]")) == 6


def test_the_plot_grows_while_runs_finish(page):
    page.open(part="compare")
    page.run("""
      window.grown = [];
      const count = () => document.querySelectorAll("#compare .plot [role=img]").length;
      new MutationObserver(() => { if (grown.at(-1) !== count()) grown.push(count()); })
        .observe(document.getElementById("compare"), { childList: true, subtree: true });
    """)
    page.part_sees(".state.found", "6 runs in ")
    grown = page.run("return grown")
    assert grown == sorted(grown) and len(grown) > 3


def test_a_run_is_shown_by_mouse_and_keys(page):
    compare(page)
    page.part_sees(".state.found", "6 runs in ")
    names = [each.get_attribute("aria-label") for each in page.all(".plot [role=img]")]
    assert "backtrack, 5x5 open: a tour, " in " ".join(names)
    first = page.part_sees(".plot [role=img]")
    page.run("arguments[0].dispatchEvent(new PointerEvent('pointerenter'))", first)
    assert page.text(".readout") == names[0] and len(page.all("td.shown")) == 1
    page.run("arguments[0].dispatchEvent(new PointerEvent('pointerleave'))", first)
    assert not page.all("td.shown")
    page.run("arguments[0].focus()", first)
    page.keys("ARROW_RIGHT")
    assert page.text(".readout") == names[1]
    page.keys("ARROW_LEFT", "ARROW_LEFT")
    assert page.text(".readout") == names[-1]
    (cell,) = page.all("td.shown")
    assert cell.get_attribute("data-engine") == names[-1].partition(",")[0]


def test_columns_sort(page):
    compare(page)
    page.part_sees(".state.found", "6 runs in ")

    def rows():
        return [each.text for each in page.all("tbody th")]

    def sorts():
        return [each.get_attribute("aria-sort") for each in page.all("thead th")]

    def milliseconds():
        text = [each.text.split("\n")[0] for each in page.all("td[data-engine=backtrack]")]
        return [float(each.split()[1]) * (1 if each.endswith("ms") else 1000) for each in text]

    boards = ["3x4 open", "4x5 open", "5x5 open"]
    assert rows() == boards and sorts() == ["ascending", "none", "none"]
    page.click("Board")
    assert rows() == boards[::-1] and sorts()[0] == "descending"
    page.click("backtrack")
    assert milliseconds() == sorted(milliseconds())
    assert sorts() == ["none", "ascending", "none"]
    page.click("backtrack")
    assert milliseconds() == sorted(milliseconds(), reverse=True)
    assert sorts() == ["none", "descending", "none"]
    wait_until(lambda: page.violations() == [])


def test_a_tour_is_saved_as_an_animation(page):
    page.open("#board=3x4")
    page.click("GIF")
    page.see("#message", "expected a tour to write as gif")
    assert any("400" in each for each in page.complaints())
    page.click("Find a tour")
    page.part_sees(".answer .state.found")
    page.click("GIF")
    page.see("#message", "making the GIF…")
    data = page.saved(".gif")
    assert data.startswith(b"GIF89a") and Image.open(BytesIO(data)).n_frames == 12

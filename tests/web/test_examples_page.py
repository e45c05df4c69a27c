"""Compare and Explore: their examples, the plot that grows, columns that sort; saved animations."""

from __future__ import annotations

from io import BytesIO

import pytest
from PIL import Image

pytestmark = pytest.mark.slow


def test_explore_opens_with_an_example(page):
    page.open(part="explore")
    assert page.text(".state") == "The first 6 classes; there are more (an example)"
    assert len(page.all(".gallery li")) == 6 and len(page.numbers()) == 36
    page.fill("Ranks", 5)
    assert page.text(".state") == "" and not page.all(".gallery li")


def test_the_plot_of_an_example_grows_while_runs_finish(page):
    page.open(part="compare")
    page.run("""
      window.grown = [];
      const count = () => document.querySelectorAll("#compare .plot [role=img]").length;
      new MutationObserver(() => { if (grown.at(-1) !== count()) grown.push(count()); })
        .observe(document.getElementById("compare"), { childList: true, subtree: true });
    """)
    page.part_sees(".state.found", "6 runs in ")
    grown = page.run("return grown")
    assert grown == sorted(grown) and len(grown) > 3 and grown[-1] == 6


@pytest.fixture
def compared(page):
    """The Compare tab with its example, which the test before may have run."""
    if "6 runs in " not in page.run("return document.querySelector('#compare')?.textContent ?? ''"):
        page.open(part="compare")
    page.go("compare")
    page.part_sees(".state.found", "6 runs in ")
    return page


def test_a_run_is_shown_by_mouse_and_keys(compared):
    page = compared
    names = [each.get_attribute("aria-label") for each in page.all(".plot [role=img]")]
    assert "sat:lazy, 6x6 closed: a tour, " in " ".join(names)
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


def test_columns_sort(compared):
    page = compared

    def rows():
        return [each.text for each in page.all("tbody th")]

    def sorts():
        return [each.get_attribute("aria-sort") for each in page.all("thead th")]

    def milliseconds():
        text = [each.text.split("\n")[0] for each in page.all("td[data-engine='sat:lazy']")]
        return [float(each.split()[1]) * (1 if each.endswith("ms") else 1000) for each in text]

    boards = ["5x6 closed", "6x6 closed", "8x8 closed"]
    assert rows() == boards and sorts() == ["ascending", "none", "none"]
    page.click("Board")
    assert rows() == boards[::-1] and sorts()[0] == "descending"
    page.click("sat:lazy")
    assert milliseconds() == sorted(milliseconds())
    assert sorts() == ["none", "none", "ascending"]
    page.click("sat:lazy")
    assert milliseconds() == sorted(milliseconds(), reverse=True)
    assert sorts() == ["none", "none", "descending"]
    assert page.violations() == []


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

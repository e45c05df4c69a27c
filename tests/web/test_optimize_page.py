"""The page in a browser: measures of a tour, and the best tour with its plot."""

from __future__ import annotations

import json
import re

import pytest

from kt_cp import Problem
from kt_cp.model.measures import MEASURES, counted_squares
from kt_cp.trust.check import check
from kt_cp.trust.judge import defects
from tests.support.command_line import wait_until
from tests.web.test_page import link_of, tour_on

pytestmark = pytest.mark.slow


def count_marks(page):
    """The numbers of dots, of rings and of thick moves on the board."""
    script = """
    const all = (css) => [...document.querySelectorAll(`#${arguments[0]} ${css}`)];
    const moves = all(".kt-thick").map((each) => each.getAttribute("d")).join("").split("M");
    return [all(".kt-dots circle").length, all(".kt-rings circle").length, moves.length - 1];
    """
    return page.run(script, page.part)


def shown_measures(page):
    page.part_sees(".measures button")
    words = [each.text.rsplit(" ", 1) for each in page.all(".measures button")]
    return {name.replace(" ", "-"): int(count) for name, count in words}


def test_a_tour_is_measured_and_what_is_counted_is_marked(page) -> None:
    page.open("#board=6x6&closed=1")
    assert not page.all(".measures button")
    page.click("Find a tour")
    page.part_sees(".answer .state.found")
    measures = shown_measures(page)
    tour = Problem("6x6", closed=True).tour(tour_on(page))
    assert measures == tour.measures() and list(measures) == list(MEASURES)
    assert count_marks(page) == [0, 0, 0]
    for name, kind in (("turns", 0), ("crossings", 1), ("steep", 2), ("uncrossed-moves", 2)):
        page.part_sees(f"[data-measure={name}]").click()
        expected = [measures[name] if place == kind else 0 for place in range(3)]
        wait_until(lambda marks=expected: count_marks(page) == marks)
        page.part_sees(f"[data-measure={name}][aria-pressed=true]")
    page.part_sees("[data-measure=turns]").click()
    wait_until(lambda: len(page.marks("counted")) == measures["turns"])
    assert page.marks("counted") == {*tour_names(counted_squares(tour, "turns"))}
    assert page.violations() == []
    page.part_sees("[data-measure=turns]").click()
    wait_until(lambda: count_marks(page) == [0, 0, 0])

    # Another question has no measures yet; a surface without segments has none at all.
    page.fill("Surface", "torus")
    wait_until(lambda: not page.part_has(".measures"))
    page.click("Find a tour")
    page.part_sees(".answer .state.found")
    assert not page.part_has(".measures")

    page.go("explore")
    page.fill("Ranks", 5)
    page.click("Show")
    page.part_sees(".title", "Number 0 of ")
    assert shown_measures(page)["turns"] > 0
    page.run("""
      const known = window.fetch;
      const isSlow = (path) => path === "/api/measures";
      window.fetch = (path, ...more) => isSlow(path) ? new Promise(() => {}) : known(path, ...more);
    """)
    page.click("Tour after")
    page.part_sees(".title", "Number 1 of ")
    assert {each.text for each in page.all(".measures b")} == {"…"}  # not those of number 0


def tour_names(squares):
    return Problem("6x6").tour(squares).names


def test_the_best_tour_comes_with_plot_marks_and_certificate(page) -> None:
    page.open("#board=6x6&closed=1")
    # Objectives that make no sense here are not offered.
    offered = "return [...arguments[0].options].filter((e) => !e.disabled).map((e) => e.value)"
    wait_until(lambda: "path-cover" not in page.run(offered, page.label("Objective")))
    assert "fewest-turns" in page.run(offered, page.label("Objective"))
    page.fill("Objective", "fewest-turns")
    page.fill("Most seconds", 50)
    page.click("Optimize")
    page.part_sees(".answer .state.found", "32 turns; no tour has fewer")
    plot = page.part_sees(".progress-plot svg")
    label = plot.get_attribute("aria-label")
    assert re.fullmatch(r"value 32, bound 32, after [0-9.]+ s", label), label
    wait_until(lambda: count_marks(page) == [32, 0, 0])
    page.part_sees("[data-measure=turns][aria-pressed=true]", "32")
    tour = tour_on(page)
    assert not defects(Problem("6x6", closed=True), tour)
    page.click("The same elsewhere", css="summary")
    line, python = (each.text for each in page.all("code"))
    assert line == "kt-cp optimize 6x6 --closed --objective fewest-turns --time-limit 50"
    assert python == "optimize('6x6', 'fewest-turns', closed=True, time_limit=50.0)"
    page.click("Check it again")
    page.part_sees(".checked", "32 turns, and no tour has fewer")
    page.click("Certificate")
    saved = page.saved(".json")
    assert check(saved).claim == "32 turns, and no tour has fewer"
    assert json.loads(saved)["evidence"]["tour"] == tour
    page.click("Picture")
    assert page.saved(".svg").count(b"<circle") >= 32
    page.click("Watch the search")
    page.part_sees(".kt-where", "value ")
    assert page.violations() == []

    # The link has the objective, and another question makes the answer one of before.
    page.fill("Objective", "most-steep")
    assert link_of(page) == {"board": "6x6", "closed": "1", "objective": "most-steep"}
    assert not page.all(".answer.past")
    page.square("a1").click()
    page.part_sees(".answer.past")
    page.turn("#board=5x5")  # a link without an objective leaves none of before
    wait_until(lambda: link_of(page) == {"board": "5x5"})
    page.turn("#board=4x4&closed=1&objective=fewest-straight")
    assert page.label("Objective").get_attribute("value") == "fewest-straight"
    page.click("Optimize")
    page.part_sees(".answer .state.impossible", "There is no tour")
    assert page.all(".step")


def test_stop_keeps_the_best_tour(page) -> None:
    from tests.support.browser import TELEPHONE

    page.look(TELEPHONE)
    page.open("#board=12x12&closed=1&objective=fewest-turns")
    page.fill("Most seconds", 600)
    page.click("Optimize")
    # On a busy machine either comes first.
    page.part_sees('.progress-plot svg[aria-label^="value "][aria-label*=", bound "]')
    assert page.wide() == 0
    page.click("Stop")
    page.part_sees(".answer .state.unknown", " turns; no tour has fewer than ")
    page.part_sees(".reason", "Stopped: this is the best so far.")
    turns = int(page.text(".answer .state").split()[0])
    wait_until(lambda: count_marks(page) == [turns, 0, 0])
    assert not defects(Problem("12x12", closed=True), tour_on(page))
    assert page.wide() == 0 and page.violations() == []
    page.look(TELEPHONE, dark=True)
    assert page.violations("color-contrast") == []


def test_a_result_of_an_earlier_question_is_marked_as_one(page) -> None:
    page.open("#board=6x6&closed=1&objective=fewest-turns")
    page.click("Optimize")
    page.square("a1").click()
    page.part_sees(".answer.past .state.found", "32 turns; no tour has fewer")
    assert page.numbers() == {} and count_marks(page) == [0, 0, 0]
    page.click("Show the tour")
    wait_until(lambda: count_marks(page) == [32, 0, 0])
    assert link_of(page)["board"] == "6x6" and "missing" not in link_of(page)


def test_paths_of_a_cover_are_drawn(page) -> None:
    page.open("#board=4x4&objective=path-cover")
    page.click("Optimize")
    page.part_sees(".answer .state.found", "2 paths; no cover has fewer")
    assert len(page.all(".kt-loop")) == 2
    page.square("a1").click()
    wait_until(lambda: not page.all(".kt-loop"))
    page.click("Show the paths")
    assert len(page.all(".kt-loop")) == 2


def test_an_objective_that_makes_no_sense_is_refused(page, kt_cp) -> None:
    page.open("#board=5x6&surface=torus&objective=fewest-turns")
    page.click("Optimize")
    page.part_sees(".answer .state.wrong")
    result = kt_cp("optimize", "5x6", "--surface", "torus", "--objective", "fewest-turns")
    assert result.err == f"kt-cp: {page.text('.answer .state')}\n"
    assert any("400" in each for each in page.complaints())

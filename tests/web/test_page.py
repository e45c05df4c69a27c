"""The page in a browser: draw, solve, compare, explore, puzzles."""

from __future__ import annotations

import io
import json
import re
from itertools import count
from urllib.parse import unquote

import numpy as np
import pytest

from kt_cp import Numbering, Problem
from kt_cp.formats.read import read_tour
from kt_cp.model.board import parse_square, square_name
from kt_cp.puzzles import Grade
from kt_cp.trust.check import check
from kt_cp.trust.judge import defects
from tests.support.command_line import wait_until

pytestmark = pytest.mark.slow


def link_of(page):
    """The question as the address of the page has it, once it is written there."""

    def parts():
        text = unquote(page.run("return location.hash")).removeprefix("#")
        return dict(part.split("=", 1) for part in text.split("&")) if text else {}

    before = None
    while before != (before := parts()) or not before:
        page.run("return new Promise((done) => setTimeout(done, 260))")
    return before


def tool(page, words):
    page.click(words, css=".tools label")


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
    page.see("#message", "expected a number from 1 to 28")
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
    query = {
        "board": "5x6", "missing": "c3,e4", "start": "a1", "end": "f5", "require": "a1-b3",
        "forbid": "a5-c4", "given": "d5=9,b4=10",
    }  # fmt: skip
    assert link_of(page) == query
    page.chord("z")
    assert "forbid" not in link_of(page)
    page.click("Redo (Ctrl+Y)")
    assert link_of(page) == query

    # The address can be sent to a friend, who has a page open there; it has no token.
    here, _, _ = page.driver.current_url.partition("?")
    page.driver.get(f"{here}#" + "&".join(f"{key}={value}" for key, value in query.items()))
    page.see("#draw .question")
    assert link_of(page) == query and page.marks("cut out") == {"c3", "e4"}
    page.click("Clear")
    assert link_of(page) == {"board": "5x6"}

    # The same from the keyboard alone.
    page.run("arguments[0].focus()", page.part_sees("button[aria-label='Larger']"))
    page.keys("TAB")
    assert page.run("return document.activeElement.dataset.square") == "a1"
    page.put("c3", "x", "ARROW_RIGHT", "s", "ARROW_UP", "e", "ARROW_RIGHT", "1", "2")
    page.keys("HOME", "r", "PAGE_UP", "ARROW_RIGHT", "ARROW_RIGHT", "r")
    assert link_of(page) == {
        "board": "5x6", "missing": "c3", "start": "d3", "end": "d4", "given": "e4=12",
        "require": "a4-c5",
    }  # fmt: skip
    page.keys("ESCAPE")
    page.put("e4", "BACKSPACE")
    page.put("a1", "f", "ARROW_RIGHT", "ARROW_UP", "ARROW_UP", "f")
    assert link_of(page)["forbid"] == "a1-b3" and "given" not in link_of(page)


def test_size_piece_surface_symmetry_and_kind(page) -> None:
    page.turn("#board=8x8")
    page.fill("Ranks (rows)", 0)
    page.see("#message", "Ranks (rows): expected a whole number from 1 to 5,000, got 0")
    page.fill("Files (columns)", 9)
    assert link_of(page)["board"] == "8x9"
    page.fill("Piece", "camel")
    page.fill("Surface", "torus")
    page.fill("Symmetry", "half-turn")
    page.part_sees(".either", "closed").find_elements("css selector", "span")[1].click()
    assert link_of(page) == {
        "board": "8x9", "piece": "1,3", "surface": "torus", "symmetry": "half-turn", "closed": "1",
    }  # fmt: skip
    page.fill("Piece", "other")
    page.fill("Steps", "4,1+2,3")
    assert link_of(page)["piece"] == "1,4+2,3"
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
    assert link_of(page) == {"board": "4x3", "missing": "b3", "given": "c2=1,a4=5"}
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


def engines(page, *names):
    """Choose these engines, or programs of the documents."""
    if not page.all(".engines[open]"):
        page.part_sees(".engines summary").click()
    for box in page.all(".chip input"):
        if box.is_selected() != (box.get_attribute("value") in names):
            box.find_element("xpath", "..").click()


def tour_on(page):
    found = page.numbers()
    return sorted(found, key=found.get)


def test_an_answer_comes_with_its_checks_how_to_ask_again_and_files(page) -> None:
    page.open("#board=5x6&closed=1")
    page.click("Find a tour")
    page.part_sees(".answer .state.found", "A tour · ")
    assert page.text(".answer .state").endswith("s")
    checks = [each.text.split("\n")[:2] for each in page.all(".check")]
    assert checks == [["✓", "judged"], ["✓", "replayed"], ["✓", "agrees"]]
    assert not defects(Problem("5x6", closed=True), tour_on(page))
    page.click("The same elsewhere", css="summary")
    line, python = (each.text for each in page.all("code"))
    assert line.startswith("kt-cp solve 5x6 --closed") and "closed=True" in python

    # The tour is saved in every format.
    names = tour_on(page)
    began = {"SVG": b"<svg", "PNG": b"\x89PNG", "PDF": b"%PDF"}
    for words, first in began.items():
        page.click(words)
        assert page.saved(f".{words.lower()}").startswith(first)
    page.click("JSON")
    assert json.loads(page.saved(".json"))["tour"] == names
    page.click("text")
    assert [*Problem("5x6").tour(read_tour(page.saved(".txt")).squares).names] == names
    page.click(".npy")
    assert np.load(io.BytesIO(page.saved(".npy"))).size


def test_several_engines_answer_side_by_side_and_the_knight_runs(page) -> None:
    page.turn("#board=5x5")
    engines(page, "backtrack", "warnsdorff")
    page.click("Find a tour")
    page.part_sees("#ask")
    assert len(page.all(".answer .state.found")) == 2
    names = {each.text.split("\n")[0] for each in page.all(".answer")}
    assert names == {"backtrack", "warnsdorff"}
    page.click("Show on the large board")
    assert not defects(Problem("5x5"), tour_on(page))

    # The knight runs along the tour, slowly at first, so that it is seen to.
    page.fill("Speed", 1)
    page.click("Play")
    page.part_sees("button[aria-label=Pause]")
    page.fill("Speed", 25)
    wait_until(lambda: page.text(".kt-where").startswith("25 / 25"))
    page.part_sees("button[aria-label=Play]")
    bar = page.label("Step")
    page.run("arguments[0].focus()", bar)
    page.keys("HOME", *["ARROW_RIGHT"] * 4)
    assert page.text(".kt-where").startswith("4 / 25")
    drawn = (
        "return [...document.querySelectorAll('#draw .kt-texts text')].map((e) => e.textContent)"
    )
    assert sorted(page.run(drawn)) == ["1", "2", "3", "4"]
    page.click("One step on")
    assert len(page.run(drawn)) == 5
    page.label("numbers").click()
    assert page.run(drawn) == []


def test_a_search_is_seen_and_stopped(page) -> None:
    page.turn("#board=8x8&closed=1")
    engines(page, "000")
    page.click("Find a tour")
    wait_until(lambda: len(page.numbers()) > 20)
    page.part_sees(".kt-where")
    before = page.text(".kt-where")
    wait_until(lambda: page.text(".kt-where") != before)
    page.click("Stop")
    page.part_sees(".answer .state.unknown", "stopped")
    # What it did is kept: placed one by one, and taken back.
    bar = page.label("Step")
    page.run("arguments[0].focus()", bar)
    page.keys("HOME", "ARROW_RIGHT", "ARROW_RIGHT", "ARROW_RIGHT")
    assert len(page.numbers()) == 3
    page.click("One step back")
    assert len(page.numbers()) == 2


def test_a_fifth_page_of_a_browser_waits_for_its_turn(page) -> None:
    """Six connections are all that a browser has: six streams, and no page could load or stop."""
    page.open("#board=5x5")
    page.run("""
      window.others = [];
      for (const number of [0, 1, 2, 3])
        navigator.locks.request(`stream ${number}`, () => new Promise((end) => others.push(end)));
    """)
    page.click("Find a tour")
    page.part_sees(".answer .state.busy", "waiting, for 4 other pages are searching")
    page.click("Stop")
    page.part_sees(".answer .state.unknown", "stopped")
    page.click("Find a tour")
    page.part_sees(".answer .state.busy", "waiting")
    page.run("others[2]()")
    page.part_sees(".answer .state.found")


def test_cycles_join_round_by_round(page) -> None:
    page.turn("#board=10x10&closed=1")
    engines(page, "sat")
    page.run("""
      window.loops = 0;
      // From the records: several rounds may be drawn before this is called.
      new MutationObserver((records) => {
        const drawn = records.map(({ addedNodes }) => [...addedNodes].filter(
          (each) => each instanceof Element && each.matches(".kt-loop")).length);
        window.loops = Math.max(window.loops, ...drawn);
      }).observe(document.querySelector("#draw .kt-loops"), { childList: true });
    """)
    page.click("Find a tour")
    page.part_sees(".answer .state.found")
    assert page.run("return window.loops") > 1
    wait_until(lambda: not page.all(".kt-loop"))
    page.run("window.loops = 0")
    page.click("Watch the search")
    wait_until(lambda: page.run("return window.loops"))


def test_why_there_is_none(page) -> None:
    page.turn("#board=4x5&closed=1")
    page.click("Prove there is none")
    page.part_sees(".answer .state.impossible", "There is no tour")
    page.part_sees(".check.yes", "certificate accepted by the checker")
    steps = page.all(".step")
    assert len(steps) > 1 and steps[0].text and steps[0].get_attribute("aria-current") == "step"
    # Which of two, that a half turn carries to each other, is the solver's choice.
    two = {"b2", "d2", "a3", "c3", "e3"}, {"b3", "d3", "a2", "c2", "e2"}
    assert page.marks("argued") in two
    steps[1].click()
    assert steps[1].get_attribute("aria-current") == "step"
    assert len(page.all(".kt-mark.part")) == 6
    page.click("Check it again")
    page.part_sees(".checked", "Checked by kt-cp check: A valid proof (4x5, closed): no tour")
    page.click("Certificate")
    checked = check(page.saved(".json"))
    assert checked.problem == Problem("4x5", closed=True) and not checked.tours
    assert not page.violations()


def test_refusals_have_the_words_of_the_command_line(page, kt_cp) -> None:
    page.turn("#board=5x6&given=a1=1,c2=1")
    page.click("Find a tour")
    page.part_sees(".answer .state.wrong")
    message = page.text(".answer .state")
    assert message in kt_cp("solve", "5x6", "--given", "a1=1,c2=1").err
    assert any("400" in each for each in page.complaints())


def test_a_first_visit_without_the_command_line(page) -> None:
    """A board with a hole, why it has no closed tour, one without the hole, a puzzle to print."""
    page.open()
    page.fill("Ranks (rows)", 6)
    page.fill("Files (columns)", 6)
    page.part_sees(".either", "closed").find_elements("css selector", "span")[1].click()
    page.square("b2").click()
    page.click("Find a tour")
    page.part_sees(".answer .state.impossible", "There is no tour")
    assert page.part_sees(".reason").text
    page.part_sees(".check.yes", "accepted")
    page.square("b2").click()
    page.click("Find a tour")
    page.part_sees(".answer .state.found")
    page.click("Play")
    page.part_sees(".kt-piece *")
    page.go("puzzle")
    page.fill("Seed", 3)
    page.run("window.print = () => { window.printed = true; }")
    page.click("Make a puzzle")
    page.part_sees(".about h2", "seed 3,")  # not the puzzle of the day
    solution = page.label("with the solution")
    solution.click()
    page.part_sees(".check.yes", "The only solution")
    assert solution.is_selected()  # the certificate, which comes later, replaces no control
    page.click("Print")
    assert page.run("return window.printed")


@pytest.mark.clock
def test_it_is_quick(page) -> None:
    """In some try: the machine has other things to do."""

    def painted():
        page.open("#board=20x20")
        first = "return performance.getEntriesByName('first-contentful-paint')[0].startTime"
        return page.run(first)

    within(500, painted)
    clicked = """
    const [square, done] = arguments;
    const { x, y, width, height } = square.getBoundingClientRect();
    const middle = { clientX: x + width / 2, clientY: y + height / 2 };
    const at = { ...middle, bubbles: true, pointerType: "mouse" };
    const began = performance.now();
    square.dispatchEvent(new PointerEvent("pointerdown", at));
    square.dispatchEvent(new PointerEvent("pointerup", at));
    requestAnimationFrame(() => setTimeout(() => done(performance.now() - began)));
    """
    square = page.square("k10")
    within(50, lambda: page.driver.execute_async_script(clicked, square))
    drawn = """
    const [side, done] = arguments;
    const began = performance.now();
    location.hash = `board=${side}x100`;
    window.addEventListener("hashchange", () => requestAnimationFrame(() => setTimeout(
      () => done(performance.now() - began))), { once: true });
    """
    sides = count(100)
    within(1000, lambda: page.driver.execute_async_script(drawn, next(sides)))
    page.turn("#board=8x8&closed=1")
    answered = """
    const [done] = arguments;
    const began = performance.now();
    document.getElementById("ask").click();
    const look = () => (document.querySelector(".answer .state.found")
      ? done(performance.now() - began) : setTimeout(look, 5));
    look();
    """

    def answer():
        page.run("return new Promise((done) => setTimeout(done, 700))")  # a child is started ahead
        return page.driver.execute_async_script(answered)

    within(300, answer)


def within(most, tried, times=8):
    """Assert that one of the tries takes less than ``most`` milliseconds."""
    took = []
    while min(took, default=most) >= most:
        assert len(took) < times, took
        took.append(tried())


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
      const waits = (cell) => getComputedStyle(cell, "::after").content === '"…"';
      new MutationObserver(() => { waited ||= cells().some(waits); })
        .observe(document.getElementById("compare"), { childList: true, subtree: true });
    """)
    page.click("Compare")
    page.part_sees(".state.found", "4 runs in ")
    assert page.run("return waited")
    lines = [row.find_elements("css selector", "th, td") for row in page.all("tr")]
    heads, *rows = ([each.text for each in line] for line in lines)
    assert heads == ["Board", "warnsdorff", "backtrack"]
    assert [row[0] for row in rows] == ["3x3 open", "4x5 open"]
    assert "gave up" in rows[0][1] and "no tour, certified" in rows[0][2]
    assert all("✓" in cell and "a tour" in cell for cell in rows[1][1:])
    assert len(page.all("td.best")) == 2
    assert len(page.all(".plot [role=img]")) == 4
    page.click("rows as JSON")
    assert json.loads(page.saved(".json"))["runs"][1]["verdict"] == "IMPOSSIBLE"
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
    titles = ["Class 1: 4 tours", "Class 2: 2 tours", "Class 3: 2 tours"]
    assert [each.text for each in pictures] == titles
    pictures[2].click()
    page.part_sees(".title", "Class 3")
    assert pictures[2].get_attribute("aria-pressed") == "true"
    page.click("The same elsewhere", css="summary")
    assert "kt-cp enumerate 5x6 --closed --unique" in page.text("code")
    page.fill("Files", 4)
    page.fill("Ranks", 3)
    page.fill("Tour", "open")
    page.click("How many?")
    page.part_sees(".details", "Directed: a tour and its reverse are two;")
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
    page.label("the drawn board with its conditions").click()
    page.part_sees(".title", "4×5, cylinder, closed")
    page.run(
        """
        window.swept = [];
        // From the records: several events may be drawn before this is called.
        new MutationObserver((records) => {
          const drawn = records.map(({ addedNodes }) => [...addedNodes].filter(
            (each) => each instanceof Element && each.matches(".chosen")).length);
          swept.push(...drawn.filter(Boolean));
        }).observe(document.querySelector("#explore .stage"), { childList: true, subtree: true });
        """
    )
    page.click("How many?")
    page.part_sees(".state.found", "closed tours, by frontier")
    wait_until(lambda: not page.all(".chosen"))  # the end comes after the answer
    swept = page.run("return swept")
    assert swept[0] == 1 and swept == sorted(swept)  # one more each time, however many are shown


def make_puzzle_on(page, **fields):
    """A puzzle of 5x6 by its seed, and its solution as the saved file has it."""
    page.open("#board=5x6", part="puzzle")
    defaults = {"Ranks": 5, "Files": 6, "Seed": 3, "Grade": "easy", "Tour": "closed"}
    for words, value in (defaults | fields).items():
        page.fill(words, value)
    page.click("Make a puzzle")
    page.part_sees(".about h2", f"seed {(defaults | fields)['Seed']},")
    page.part_sees(".check.yes", "The only solution")
    page.click("JSON")
    document = json.loads(page.saved(".json"))
    return document, {name: step for step, name in enumerate(document["tour"], start=1)}


def climb(page):
    """Take all rungs of a hint."""
    for words in ("Hint", "Which squares?", "Which number?"):
        page.click(words)


def visibility(page, css):
    """Return whether each element is visible; a picture must also have loaded."""
    script = """
    return [...document.querySelectorAll(arguments[0])].map(
      (each) => each.checkVisibility() && each.naturalWidth !== 0);
    """
    return page.run(script, css)


def test_a_puzzle_is_played_to_its_end(page) -> None:
    document, solution = make_puzzle_on(page)
    clues = dict(document["problem"]["given"])
    assert document["grade"] == "easy" and page.numbers() == clues
    assert page.marks("given " + str(min(clues.values())))
    assert page.text(".playing .state") == f"{30 - len(clues)} to go"

    # A click enters the next number, and shows where the one after may go.
    at = min(set(range(min(clues.values()), 31)) - set(clues.values()))
    assert page.label("Number to enter").get_attribute("value") == str(at)
    places = {step: name for name, step in solution.items()}
    assert places[at] in page.marks("reach")
    page.square(places[at]).click()
    assert page.numbers() == {**clues, places[at]: at}
    page.square(places[at]).click()  # and takes it back
    assert page.numbers() == clues

    # Two digits from the keyboard; the arrow keys lead there.
    free = sorted(set(solution) - set(clues), key=lambda name: (solution[name] < 10, name))
    name = next(each for each in free if solution[each] > 9 and each[0] != "f")
    row, column = parse_square(name)
    page.square(square_name((row, column + 1))).click()
    page.click("Start again")
    page.put(square_name((row, column + 1)), "ARROW_LEFT", *str(solution[name]))
    assert page.numbers() == {**clues, name: solution[name]}
    page.keys("BACKSPACE")
    assert page.numbers() == clues
    page.chord("z")
    assert page.numbers() == {**clues, name: solution[name]}
    page.click("Undo (Ctrl+Z)")
    page.click("Redo (Ctrl+Y)")
    assert page.numbers() == {**clues, name: solution[name]}

    # A mistake is shown if that is requested, and a hint names it in any case.
    wrong = next(each for each in free if each != name)
    known = {*clues.values(), solution[name], solution[wrong]}
    bad = next(step for step in range(1, 31) if step not in known)
    page.put(wrong, *str(bad))
    assert page.marks("wrong") == {wrong}
    page.part_sees(".playing .state", "1 wrong")
    page.label("show mistakes").click()
    assert page.marks("wrong") == set()
    climb(page)
    page.part_sees(".why", f"{bad} is not at {wrong}: ")
    assert page.marks("wrong") == {wrong}
    page.label("show mistakes").click()
    page.put(wrong, "DELETE")
    assert page.marks("wrong") == set()

    # Hints say why, and lead to the end.
    climb(page)
    explanation = page.part_sees(".why", " can only be ").text
    (hinted,) = page.marks("hint")
    assert hinted in explanation and str(solution[hinted]) in explanation
    page.click("Enter it")
    assert page.numbers()[hinted] == solution[hinted]
    for each in set(solution) - set(page.numbers()):
        page.put(each, *str(solution[each]))
    page.part_sees(".state.found", "Solved in ")
    assert ", with 2 hints." in page.text(".playing .state")
    page.part_sees(".kt-player button[aria-label=Pause]")  # the tour runs
    assert page.numbers() == solution


def test_the_only_solution_is_certified_and_printed(page) -> None:
    document, _ = make_puzzle_on(page, Seed=4, Grade="", Tour="open")
    page.click("Check it again")
    page.part_sees(".checked", "A valid proof (5x6, open, ")
    assert "the only tour" in page.text(".checked")
    page.click("Certificate")
    (tour,) = check(page.saved("-certificate.json")).tours
    assert list(map(square_name, tour)) == document["tour"]
    page.click("The same elsewhere", css="summary")
    assert "kt-cp puzzle 5x6 --seed 4" in page.text("code")

    page.run("window.print = () => { window.printed = true; }")
    page.click("Print")
    assert page.run("return window.printed")
    page.look(media="print")
    page.part_sees(".paper", "Write 1 to 30 into the squares")
    assert not page.part_sees(".paper .page").find_elements("css selector", "button")
    shown = {css: visibility(page, css) for css in ("header", "#puzzle .work", ".paper img")}
    # The solution is printed only on request.
    assert shown == {"header": [False], "#puzzle .work": [False], ".paper img": [True, False]}
    page.look()
    page.label("with the solution").click()
    page.look(media="print")
    assert visibility(page, ".paper img") == [True, True]
    page.look()
    page.click("SVG")
    assert page.saved(".svg").startswith(b"<svg")
    page.click("PDF")
    assert len(re.findall(rb"/Type /Page\b", page.saved(".pdf"))) == 2

    page.click("Solution")
    page.part_sees(".state.found", "The solution.")


def test_a_finger_plays_on_a_telephone(page) -> None:
    from tests.support.browser import TELEPHONE

    page.look(TELEPHONE)
    document, solution = make_puzzle_on(page, Seed=5)
    clues = dict(document["problem"]["given"])
    at = int(page.label("Number to enter").get_attribute("value"))
    (name,) = (name for name, step in solution.items() if step == at)
    page.run("arguments[0].scrollIntoView({block: 'center'})", page.square(name))
    page.tap(name)
    page.part_sees(".playing .state", f"{29 - len(clues)} to go")
    assert page.numbers() == {**clues, name: at} and page.wide() == 0


def test_a_puzzle_of_the_drawn_board(page) -> None:
    """With its hole and its start, whose number is a clue as well; a hint and a number by keys."""
    page.open("#board=5x6&missing=a1,b1&start=e3")
    page.go("puzzle")
    page.label("the drawn board with its conditions").click()
    page.fill("Seed", 2)
    page.click("Make a puzzle")
    page.part_sees(".about h2", "seed 2,")
    clues = page.numbers()
    assert clues["e3"] == 1 and "a1" in page.marks("cut out")
    stop = "return document.activeElement.dataset.square"
    assert clues[page.run(stop)]  # the keyboard is on a clue, to go on from there
    page.put("e3", "h")
    page.part_sees("button", "Which squares?")
    page.put("e3", "h", "h")
    page.part_sees(".why", " can only be ")
    (hinted,) = page.marks("hint")
    before = int(page.label("Number to enter").get_attribute("value"))
    page.keys("+", "-")
    assert int(page.label("Number to enter").get_attribute("value")) == before
    page.put(hinted, "ENTER")
    assert page.numbers() == {**clues, hinted: before}


def test_what_cannot_be_made_is_reported(page) -> None:
    page.open(part="puzzle")
    options = [each.text for each in page.label("Grade").find_elements("css selector", "option")]
    assert options == ["any", *(f"{grade} ({grade.method})" for grade in Grade)]
    page.fill("Ranks", 4)
    page.fill("Files", 4)
    page.click("Make a puzzle")
    page.part_sees(".state.wrong", "There is no tour: ")
    page.fill("Ranks", 60)
    page.fill("Files", 60)
    page.click("Make a puzzle")
    page.part_sees(".state.wrong", "at most 1,600 squares")
    page.fill("Ranks", 30)
    page.fill("Files", 30)
    page.click("Make a puzzle")
    page.click("Stop")
    page.part_sees(".state.wrong", "stopped")

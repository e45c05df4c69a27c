"""Puzzles on the page: made, played by mouse, keys and touch, hinted at, certified and printed."""

from __future__ import annotations

import json
import re

import pytest

from kt_cp.model.board import parse_square, square_name
from kt_cp.puzzles import Grade
from kt_cp.trust.check import check

pytestmark = pytest.mark.slow


def made(page, **asked):
    """A puzzle of 5x6 by its seed, and its solution as the saved file has it."""
    page.turn("#board=5x6", part="puzzle")
    usual = {"Ranks": 5, "Files": 6, "Seed": 3, "Grade": "easy", "Tour": "closed"}
    for words, value in (usual | asked).items():
        page.fill(words, value)
    page.click("Make a puzzle")
    page.part_sees(".about h2", f"seed {(usual | asked)['Seed']},")
    page.part_sees(".check.yes", "The only solution")
    page.click("JSON")
    document = json.loads(page.saved(".json"))
    return document, {name: step for step, name in enumerate(document["tour"], start=1)}


def seen(page, css):
    """Whether each is to be seen, a picture only if it is one."""
    script = """
    return [...document.querySelectorAll(arguments[0])].map(
      (each) => each.checkVisibility() && each.naturalWidth !== 0);
    """
    return page.run(script, css)


def test_a_puzzle_is_played_to_its_end(page) -> None:
    document, right = made(page)
    clues = dict(document["problem"]["given"])
    assert document["grade"] == "easy" and page.numbers() == clues
    assert page.marks("given " + str(min(clues.values())))
    assert page.text(".playing .state") == f"{30 - len(clues)} to go"

    # A click enters the next number, and shows where the one after may go.
    at = min(set(range(min(clues.values()), 31)) - set(clues.values()))
    assert page.label("Number to enter").get_attribute("value") == str(at)
    places = {step: name for name, step in right.items()}
    assert places[at] in page.marks("reach")
    page.square(places[at]).click()
    assert page.numbers() == {**clues, places[at]: at}
    page.square(places[at]).click()  # and takes it back
    assert page.numbers() == clues

    # Two digits from the keyboard; the arrow keys lead there.
    free = sorted(set(right) - set(clues), key=lambda name: (right[name] < 10, name))
    name = next(each for each in free if right[each] > 9 and each[0] != "f")
    row, column = parse_square(name)
    page.square(square_name((row, column + 1))).click()
    page.click("Start again")
    page.put(square_name((row, column + 1)), "ARROW_LEFT", *str(right[name]))
    assert page.numbers() == {**clues, name: right[name]}
    page.keys("BACKSPACE")
    assert page.numbers() == clues
    page.chord("z")
    assert page.numbers() == {**clues, name: right[name]}
    page.click("Undo (Ctrl+Z)")
    page.click("Redo (Ctrl+Y)")
    assert page.numbers() == {**clues, name: right[name]}

    # A mistake is shown if that is wished, and told by a hint in any case.
    wrong = next(each for each in free if each != name)
    known = {*clues.values(), right[name], right[wrong]}
    bad = next(step for step in range(1, 31) if step not in known)
    page.put(wrong, *str(bad))
    assert page.marks("wrong") == {wrong}
    page.part_sees(".playing .state", "1 wrong")
    page.label("show mistakes").click()
    assert page.marks("wrong") == set()
    page.click("Hint")
    page.part_sees(".why", f"{bad} is not at {wrong}: ")
    assert page.marks("wrong") == {wrong}
    page.label("show mistakes").click()
    page.put(wrong, "DELETE")
    assert page.marks("wrong") == set()

    # Hints say why, and lead to the end.
    page.click("Hint")
    said = page.part_sees(".why", " can only be ").text
    (hinted,) = page.marks("hint")
    assert hinted in said and str(right[hinted]) in said
    page.click("Enter it")
    assert page.numbers()[hinted] == right[hinted]
    for each in set(right) - set(page.numbers()):
        page.put(each, *str(right[each]))
    page.part_sees(".state.found", "Solved in ")
    assert ", with 2 hints." in page.text(".playing .state")
    page.part_sees(".kt-player button[aria-label=Pause]")  # the tour runs
    assert page.numbers() == right


def test_the_only_solution_is_certified_and_printed(page) -> None:
    document, _ = made(page, Seed=4, Grade="", Tour="open")
    page.click("Check it")
    page.part_sees(".checked", "A proof (5x6, open, ")
    assert "the only tour" in page.text(".checked")
    page.click("Save the certificate")
    (tour,) = check(page.saved(".certificate.json")).tours
    assert list(map(square_name, tour)) == document["tour"]
    page.click("The same elsewhere", css="summary")
    assert "kt-cp puzzle 5x6 --seed 4" in page.text("code")

    page.run("window.print = () => { window.printed = true; }")
    page.click("Print")
    assert page.run("return window.printed")
    page.look(media="print")
    page.part_sees(".paper", "Write 1 to 30 into the squares")
    assert not page.part_sees(".paper .page").find_elements("css selector", "button")
    shown = {css: seen(page, css) for css in ("header", "#puzzle .work", ".paper img")}
    # The solution only if it is asked for.
    assert shown == {"header": [False], "#puzzle .work": [False], ".paper img": [True, False]}
    page.look()
    page.label("with the solution").click()
    page.look(media="print")
    assert seen(page, ".paper img") == [True, True]
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
    document, right = made(page, Seed=5)
    clues = dict(document["problem"]["given"])
    at = int(page.label("Number to enter").get_attribute("value"))
    (name,) = (name for name, step in right.items() if step == at)
    page.run("arguments[0].scrollIntoView({block: 'center'})", page.square(name))
    page.tap(name)
    page.part_sees(".playing .state", f"{29 - len(clues)} to go")
    assert page.numbers() == {**clues, name: at} and page.wide() == 0


def test_a_puzzle_of_the_drawn_board(page) -> None:
    """With its hole and its start, whose number is a clue as well; a hint and a number by keys."""
    page.open("#board=5x6&missing=a1,b1&start=e3")
    page.go("puzzle")
    page.label("the board that is drawn, with all that is asked of it").click()
    page.fill("Seed", 2)
    page.click("Make a puzzle")
    page.part_sees(".playing")
    clues = page.numbers()
    assert clues["e3"] == 1 and "a1" in page.marks("cut out")
    stop = "return document.activeElement.dataset.square"
    assert clues[page.run(stop)]  # the keyboard is on a clue, to go on from there
    page.put("e3", "h")
    page.part_sees(".why", " can only be ")
    (hinted,) = page.marks("hint")
    before = int(page.label("Number to enter").get_attribute("value"))
    page.keys("+", "-")
    assert int(page.label("Number to enter").get_attribute("value")) == before
    page.put(hinted, "ENTER")
    assert page.numbers() == {**clues, hinted: before}


def test_what_cannot_be_made_is_said(page) -> None:
    page.open(part="puzzle")
    told = [each.text for each in page.label("Grade").find_elements("css selector", "option")]
    assert told == ["any", *(f"{grade} ({grade.method})" for grade in Grade)]
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

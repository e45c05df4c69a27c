"""The puzzles of the page: the one of the day, rare grades, links, pencil marks, hints."""

from __future__ import annotations

import datetime
import json

import pytest

from kt_cp import make_puzzle
from kt_cp.model.board import square_name
from kt_cp.puzzles import Grade
from kt_cp.puzzles.generator import NoPuzzleError
from kt_cp.web.handlers import answer
from kt_cp.web.request_schema import read_request
from tests.support.browser import VISITS
from tests.support.command_line import wait_until

browser_test = pytest.mark.slow

BOARD = {"rows": 6, "columns": 6}


def events(**body):
    """The events of a request for a puzzle."""
    found = []
    answer("puzzle", read_request("puzzle", body), emit=found.append)
    return found


def solution(page):
    """The puzzle that the page keeps, and its solution by squares."""
    puzzle = json.loads(page.run("return localStorage.getItem('puzzle')"))["event"]["puzzle"]
    return puzzle, {name: step for step, name in enumerate(puzzle["tour"], 1)}


def visit(page, link):
    """Open a link in a window without storage."""
    page.open()
    page.driver.get(f"{page.address}&visit={next(VISITS)}{link}")
    page.see("#puzzle .playing .state", " to go")
    page.part = "puzzle"


def make(page, seed, grade="easy", tour="closed"):
    page.fill("Seed", seed)
    page.fill("Grade", grade)
    page.fill("Tour", tour)
    page.click("Make a puzzle")


def test_puzzles_of_other_grades_are_reported():
    others = []
    with pytest.raises(NoPuzzleError, match="none made a puzzle of grade expert"):
        make_puzzle("5x6", grade="expert", tries=3, other_grade=others.append)
    assert [each.seed for each in others] == [0, 1, 2]
    assert Grade.EXPERT not in {each.grade for each in others}


def test_the_likely_grade_is_known_before_a_rare_one_is_found():
    answers = events(problem=BOARD, seed=330, grade="expert")
    kinds = [each["event"] for each in answers]
    # There are two where the first seed takes long.
    estimate = [each for each in answers if each["event"] == "estimate"][-1]
    assert kinds.index("estimate") < kinds.index("puzzle")
    likely = events(problem=BOARD, seed=estimate["seed"], grade=estimate["grade"])
    assert likely[-1]["puzzle"]["seed"] == estimate["seed"]
    progress = [each for each in answers if each.get("fraction")]
    assert "none expert" in progress[-1]["text"]
    assert [each["fraction"] for each in progress] == sorted(each["fraction"] for each in progress)
    assert answers[-1]["puzzle"]["grade"] == "expert" and answers[-1]["certificate"]


def test_a_likely_grade_needs_no_estimate():
    assert "estimate" not in {each["event"] for each in events(problem=BOARD, grade="easy")}


def test_a_puzzle_is_made_again_from_its_clues():
    puzzle = make_puzzle("6x6", closed=True, seed=8, grade="medium")
    given = [[square_name(square), step] for square, step in puzzle.problem.given.items()]
    last = events(problem={**BOARD, "closed": True, "given": given}, seed=8)[-1]
    assert last["puzzle"] == json.loads(puzzle.to_json())


@browser_test
def test_a_puzzle_of_the_day_is_ready(page):
    page.open(part="puzzle")
    now = datetime.datetime.now()
    page.part_sees(".about h2", f"seed {now:%Y%m%d}, ")
    page.part_sees(".playing .state", " to go")
    expected = make_puzzle("6x6", closed=True, seed=int(f"{now:%Y%m%d}"), grade="easy")
    clues = {square_name(each): step for each, step in expected.problem.given.items()}
    assert page.numbers() == clues
    assert page.text(".clock") == "0:00"  # it runs from the first number on
    # Tomorrow there is another one: a puzzle that was not touched is not kept.
    assert page.run("return localStorage.getItem('puzzle')") is None


@browser_test
def test_a_rare_puzzle_leaves_the_one_in_play(page):
    page.open(part="puzzle")
    free = next(name for name in page.cells() if name not in page.numbers())
    page.put(free, *page.label("Number to enter").get_attribute("value"))
    shown = page.numbers()
    assert free in shown
    make(page, 200, "expert", "open")
    page.part_sees(".offer", "The expert puzzle is ready.")
    assert page.numbers() == shown


@browser_test
def test_a_rare_grade_is_looked_for_in_the_background(page):
    page.open(part="puzzle")
    make(page, 200, "expert", "open")
    page.part_sees(".offer", "Few seeds of this board make an expert puzzle; most make a hard one.")
    wait_until(lambda: float(page.part_sees("progress").get_attribute("value")) > 0)
    page.click("Play a hard puzzle meanwhile")
    page.part_sees(".about h2", "hard puzzle seed 20")
    shown = page.numbers()
    page.part_sees(".offer", "The expert puzzle is ready.")
    assert page.numbers() == shown  # the chosen puzzle stays
    page.click("Play the expert puzzle")
    page.part_sees(".about h2", "expert puzzle ")
    page.part_sees(".check.yes", "The only solution")
    assert page.run("return document.querySelector('.offer').textContent") == ""


@browser_test
def test_a_search_for_a_rare_grade_stops(page):
    page.open(part="puzzle")
    page.fill("Ranks", 5)
    make(page, 0, "expert", "closed")
    page.part_sees(".offer", "Few seeds")
    page.click("Stop")
    page.part_sees(".state.wrong", "stopped")
    assert not page.part_has("progress")


@browser_test
def test_the_address_has_the_whole_puzzle(page):
    page.open(part="puzzle")
    make(page, 5, "hard")
    page.part_sees(".about h2", "seed 5, ")
    _, right = solution(page)
    free = [name for name in right if name not in page.numbers()][:2]
    for name in free:
        page.put(name, *str(right[name]))
    page.click("Hint")
    page.part_sees(".why", ".")
    wait_until(lambda: "clock=" in page.run("return location.hash"))
    shown, link = page.numbers(), page.run("return location.hash")
    assert len(link) < 250
    visit(page, link)
    page.part_sees(".about h2", "hard puzzle seed 5, ")
    assert page.numbers() == shown
    minutes, seconds = map(int, page.text(".clock").split(":"))
    assert 60 * minutes + seconds >= int(link.partition("clock=")[2].partition(";")[0])
    page.part_sees(".check.yes", "The only solution")
    page.click("Solution")
    page.part_sees(".state.found", "The solution.")


@browser_test
@pytest.mark.parametrize(
    "link",
    ["board=6x6;given=a1=1,c2=36;entered=x=y,a1=7,b3=99", "board=constructor;given=a1=1"],
)
def test_a_link_that_is_no_puzzle_does_no_harm(page, link):
    visit(page, f"#tab=puzzle&play={link}")
    assert len(page.cells()) == 36


@browser_test
def test_pencil_marks(page):
    page.open(part="puzzle")
    make(page, 3)
    page.part_sees(".about h2", "seed 3, ")
    _, right = solution(page)
    name, other = [each for each in right if each not in page.numbers() and right[each] > 3][:2]
    step = right[name]
    page.click("Pencil")
    page.put(name, *str(step))
    page.put(other, *str(step))
    assert page.cells()[name] == page.cells()[other] == [f"{step} pencil"]
    page.put(other, *str(step))
    assert page.cells()[other] == []
    page.chord("z")
    assert page.cells()[other] == [f"{step} pencil"]
    page.driver.refresh()
    page.see("#puzzle .playing .state", " to go")
    assert page.cells()[name] == [f"{step} pencil"]
    page.put(name, *str(step))  # numbers again
    assert f"{step} entered" in page.cells()[name]
    assert page.cells()[other] in ([], ["reach"])  # the mark of the same number is gone


@browser_test
def test_impossible_numbers_are_refused_on_request(page):
    page.open(part="puzzle")
    make(page, 3)
    page.part_sees(".about h2", "seed 3, ")
    clues, (_, right) = page.numbers(), solution(page)
    clue = next(step for step in clues.values() if step + 1 not in clues.values() and step < 36)
    beside = next(name for name, step in right.items() if step == clue + 1)
    far = next(
        name for name, step in right.items()
        if name not in clues and (step - clue) % 2 == 0
    )  # fmt: skip
    page.put(far, *str(clue + 1))
    assert page.numbers()[far] == clue + 1
    page.keys("BACKSPACE")
    page.label("refuse impossible numbers").click()
    page.put(far, *str(clue + 1))
    page.see("#message", f"{clue + 1} cannot stand on {far}: ")
    assert page.numbers() == clues
    page.put(beside, *str(clue + 1))
    assert page.numbers() == {**clues, beside: clue + 1}


@browser_test
def test_a_hint_is_a_ladder(page):
    page.open(part="puzzle")
    make(page, 3)
    page.part_sees(".about h2", "seed 3, ")
    right = solution(page)[1]
    page.click("Hint")
    page.part_sees(".why", "Count the moves between numbers")
    assert not page.marks("hint")
    assert not any(name in page.text(".why") for name in right)
    page.click("Which squares?")
    page.part_sees(".why", "It is about ")
    assert not page.marks("hint") and page.marks("chosen")
    page.click("Which number?")
    (name,) = page.marks("hint")
    page.part_sees(".why", f"{right[name]} can only be at {name}")
    page.click("Enter it")
    assert page.numbers()[name] == right[name]
    page.part_sees("button", "Hint")

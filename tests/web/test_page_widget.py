"""The script of the notebook's board in a browser, held against its Python side."""

from __future__ import annotations

import pytest
from selenium.webdriver.common.by import By

from kt_cp import Problem, board_widget

pytestmark = pytest.mark.slow

MODEL = """
const done = arguments[arguments.length - 1];
const [text, css, state] = arguments;
document.body.replaceChildren();
document.head.append(Object.assign(document.createElement("style"), { textContent: css }));
const heard = {}, sent = [];
window.model = {
  state, sent,
  get: (name) => state[name],
  set(name, value) {
    state[name] = value;
    for (const act of heard[`change:${name}`] ?? []) act();
  },
  save_changes() {}, on: (event, act) => (heard[event] ??= []).push(act),
  off: (event, act) => (heard[event] = (heard[event] ?? []).filter((each) => each !== act)),
  send: (content) => sent.push(content),
};
const el = document.body.appendChild(document.createElement("main"));
import(URL.createObjectURL(new Blob([text], { type: "text/javascript" })))
  .then((module) => { window.gone = module.default.render({ model, el }); done(""); })
  .catch((error) => done(String(error.stack)));
"""
NAMES = ("problem", "tour", "argued", "words", "busy")


class Notebook:
    """A board in Python and its view in the browser, with what passes between them."""

    def __init__(self, driver, board) -> None:
        from kt_cp.web.widget import script  # which takes long to load

        self.driver, self.board = driver, board
        driver.get("about:blank")
        failed = driver.execute_async_script(MODEL, script(), board._css, self.state())
        assert not failed, failed

    def state(self):
        return {name: getattr(self.board, name) for name in NAMES}

    def to_browser(self):
        for name, value in self.state().items():
            self.driver.execute_script("model.set(arguments[0], arguments[1])", name, value)

    def to_python(self):
        told = self.driver.execute_script("return [model.state, model.sent.splice(0)]")
        self.board.set_state({"problem": told[0]["problem"]})
        for content in told[1]:
            self.board._heard(self.board, content, [])

    def press(self, words):
        every = self.driver.find_elements(By.TAG_NAME, "button")
        (found,) = (b for b in every if words in (b.text, b.get_attribute("aria-label")))
        found.click()

    def square(self, name):
        return self.driver.find_element(By.CSS_SELECTOR, f"[data-square={name}]")

    def words(self):
        return self.driver.find_element(By.CSS_SELECTOR, "[role=status].kt-words").text


def test_what_is_clicked_there_is_asked_here_and_shown_there(browser):
    driver, _ = browser
    view = Notebook(driver, board_widget("5x5"))
    assert len(cells(driver)) == 25
    view.square("c3").click()
    view.press("Start")
    view.square("a1").click()
    view.to_python()
    assert view.board.question == Problem(view.board.question.board, start="a1")
    assert view.board.question.label == "5x5 without c3, open, from a1"
    view.press("Undo")
    view.press("Find a tour")
    view.to_python()
    assert view.board.outcome.problem.label == "5x5 without c3, open"
    view.to_browser()
    assert view.words() == view.board.words
    view.press("Find a tour")
    driver.execute_script("model.set('busy', true)")
    (ask,) = (b for b in driver.find_elements(By.TAG_NAME, "button") if b.text == "Find a tour")
    assert not ask.is_enabled()
    driver.execute_script("window.gone()")  # the cell is deleted: nothing is heard any more
    driver.execute_script("model.set('words', 'unheard')")
    assert view.words() == view.board.words
    assert not [e for e in driver.get_log("browser") if e["level"] == "SEVERE"]


def test_a_tour_and_an_argument_are_drawn(browser):
    driver, _ = browser
    view = Notebook(driver, board_widget("5x5"))
    plain = driver.execute_script("return document.querySelector('svg').outerHTML.length")
    view.board.solve()
    view.to_browser()
    drawn = driver.execute_script("return document.querySelector('svg').outerHTML.length")
    assert drawn > plain and view.words().startswith("A tour (5x5, open)")
    none = Notebook(driver, board_widget("4x4"))
    none.board.solve()
    none.to_browser()
    labels = (each.accessible_name for each in cells(driver))
    marked = {label.split(",")[0] for label in labels if "argued" in label}
    assert none.words().startswith("No tour (4x4, open)")
    assert marked == set(none.board.argued)


def cells(driver):
    return driver.find_elements(By.CSS_SELECTOR, "[role=gridcell]")

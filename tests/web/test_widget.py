"""The notebook widget: its Python side, and its script in a browser."""

from __future__ import annotations

import re
import sys
from types import SimpleNamespace

import nbformat
import networkx as nx
import pytest
from selenium.webdriver.common.by import By

from kt_cp import Board, Problem, board_widget, solve
from kt_cp.model.errors import InputError
from kt_cp.web import notebook
from tests.support.command_line import PATIENCE, environment

VIEW = "application/vnd.jupyter.widget-view+json"


@pytest.fixture
def widget():
    """Return a module that only some of these tests need, and that takes long to load."""
    from kt_cp.web import widget

    return widget


def test_what_is_drawn_is_asked_and_the_answer_is_shown():
    board = board_widget(Problem("5x6", closed=True))
    drawn = {**board.problem, "missing": ["a1", "b1"], "closed": False}
    board.set_state({"problem": drawn})  # as from the browser
    assert board.question == Problem(Board(5, 6, "a1,b1"))
    board._heard(board, {"ask": "solve"}, [])
    assert board.outcome.verified and board.outcome.problem == board.question
    assert board.tour == board.outcome.tour.names and "replayed" in board.words
    assert not board.busy
    board.set_state({"problem": {**drawn, "missing": ["a1"]}})
    assert board.outcome is None and board.tour is None and board.words == ""


@pytest.mark.slow
def test_a_no_points_at_its_squares():
    board = board_widget("4x4")
    outcome = board.solve(time_limit=30)
    assert outcome.certificate.kind and board.tour is None
    assert board.words.startswith("No tour (4x4, open): ") and board.argued
    assert outcome.certificate is not None
    assert {*board.argued} <= {*outcome.problem.tour([*Board(4, 4)]).names}


@pytest.mark.parametrize(
    ("drawn", "words"),
    [
        ({"missing": ["z9"]}, "expected missing squares on the 5x5 board"),
        ({"rows": 0}, "expected rows to be a whole number"),
        ({"closed": True, "end": "a1"}, "A closed tour returns to its start"),
        ({"rows": 10**9}, "expected a board of at most"),
        ({"piece": "unicorn"}, "--piece: expected a piece"),
    ],
)
def test_an_impossible_query_is_reported_and_not_sent(drawn, words):
    board = board_widget("5x5")
    board.problem = {**board.problem, **drawn}
    board._heard(board, {"ask": "solve"}, [])
    assert words.lower() in board.words.lower() and board.outcome is None and not board.busy
    board._heard(board, {"ask": "anything"}, [])
    with pytest.raises(InputError):
        assert board.question


def test_an_outcome_begins_with_its_answer():
    outcome = solve("3x4", start="a1")
    board = board_widget(outcome)
    assert board.outcome is outcome and board.tour == outcome.tour.names
    assert board.question == outcome.problem


def test_readers_without_a_kernel_see_a_picture():
    board = board_widget(Problem("3x4", start="a1", given={"c3": 5}, require=["b1-d2"]))
    empty = board._repr_mimebundle_()[0]["image/svg+xml"]
    assert empty.startswith("<svg") and ">5<" in empty
    board.problem = {**board.problem, "given": [], "require": []}
    board.solve()
    solved = board._repr_mimebundle_()[0]["image/svg+xml"]
    assert "polyline" in solved
    board.problem = {**board.problem, "rows": 0}
    data, _ = board._repr_mimebundle_()
    assert "image/svg+xml" not in data and VIEW in data


def test_what_is_no_board_is_refused(monkeypatch):
    for wrong in (Problem(graph=nx.path_graph(3)), 7, Board(50, 50), "8y8"):
        with pytest.raises(InputError):
            board_widget(wrong)
    monkeypatch.setattr(notebook, "find_spec", lambda _name: None)
    with pytest.raises(InputError, match=r"pip install '\.\[notebook\]'"):
        board_widget("3x4")


def test_without_a_kernel_or_the_package_everything_is_shown_as_before(monkeypatch, widget):
    values = [Board(3, 4), Problem("3x4"), solve("3x4")]
    assert [each._repr_mimebundle_() for each in values] == [None] * 3
    assert all(hasattr(each, "_display_") for each in values)  # marimo has no kernel of Jupyter's
    assert all(isinstance(each._display_(), widget.BoardWidget) for each in values)
    monkeypatch.setattr(notebook, "find_spec", lambda _name: None)
    shell = SimpleNamespace(get_ipython=lambda: SimpleNamespace(kernel=1))
    monkeypatch.setitem(sys.modules, "IPython", shell)
    assert [each._repr_mimebundle_() for each in values] == [None] * 3
    assert not any(hasattr(each, "_display_") for each in values)
    assert "<svg" in values[2]._repr_svg_()


def test_its_script_is_one_module(widget):
    text = widget.script()
    assert not re.search(r"(?m)^\s*import\b|\bimport\(", text)
    assert text.count("export default") == 1 and "innerHTML" not in text
    names = re.findall(r"(?m)^(?:export )?(?:function|class|const|let) (\w+)", text)
    assert len(names) == len(set(names))  # what two files call the same would clash


CELLS = [
    "from kt_cp import Board, solve\nboard = Board(3, 4)\nboard",
    "outcome = solve('3x4')\noutcome",
    "solve('3x3')",
    "Board(60, 60)",
    "from kt_cp import board_widget\nshown = board_widget(board)\n"
    "shown.problem = {**shown.problem, 'missing': ['a1'], 'rows': 5}\nshown.solve()\nshown.words",
]


@pytest.mark.slow
def test_a_notebook_shows_boards_to_work_with(tmp_path):
    from nbclient import NotebookClient

    cells = [nbformat.v4.new_code_cell(text) for text in CELLS]
    book = nbformat.v4.new_notebook(cells=cells)
    client = NotebookClient(book, timeout=PATIENCE, kernel_name="python3", store_widget_state=True)
    client.execute(cwd=str(tmp_path), env=environment())
    bundles = [cell.outputs[-1].data for cell in book.cells]
    assert [VIEW in each for each in bundles] == [True, True, True, False, False]
    assert ["image/svg+xml" in each for each in bundles] == [True, True, True, False, False]
    assert bundles[0]["text/plain"] == repr(Board(3, 4))
    assert "image/svg+xml" in bundles[1]  # for readers without a kernel
    states = book.metadata.widgets["application/vnd.jupyter.widget-state+json"]["state"]
    state = states[bundles[1][VIEW]["model_id"]]["state"]
    assert state["tour"] == solve("3x4").tour.names and state["problem"]["columns"] == 4
    none = states[bundles[2][VIEW]["model_id"]]["state"]
    assert none["tour"] is None and none["argued"] == ["b2"]
    assert "5x4 without a1" in bundles[4]["text/plain"]


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
        message = self.driver.execute_script("return [model.state, model.sent.splice(0)]")
        self.board.set_state({"problem": message[0]["problem"]})
        for content in message[1]:
            self.board._heard(self.board, content, [])

    def press(self, words):
        every = self.driver.find_elements(By.TAG_NAME, "button")
        (found,) = (b for b in every if words in (b.text, b.get_attribute("aria-label")))
        found.click()

    def square(self, name):
        return self.driver.find_element(By.CSS_SELECTOR, f"[data-square={name}]")

    def words(self):
        return self.driver.find_element(By.CSS_SELECTOR, "[role=status].kt-words").text


@pytest.mark.slow
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


@pytest.mark.slow
def test_a_tour_and_an_argument_are_drawn(browser):
    driver, _ = browser
    view = Notebook(driver, board_widget("5x5"))
    length = driver.execute_script("return document.querySelector('svg').outerHTML.length")
    view.board.solve()
    view.to_browser()
    drawn = driver.execute_script("return document.querySelector('svg').outerHTML.length")
    assert drawn > length and view.words().startswith("A tour (5x5, open)")
    none = Notebook(driver, board_widget("4x4"))
    none.board.solve()
    none.to_browser()
    labels = (each.accessible_name for each in cells(driver))
    marked = {label.split(",")[0] for label in labels if "argued" in label}
    assert none.words().startswith("No tour (4x4, open)")
    assert marked == set(none.board.argued)


def cells(driver):
    return driver.find_elements(By.CSS_SELECTOR, "[role=gridcell]")

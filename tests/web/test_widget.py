"""The board of a notebook: what is drawn is a problem here, what is answered is shown there."""

from __future__ import annotations

import re
import sys
from types import SimpleNamespace

import nbformat
import networkx as nx
import pytest

from kt_cp import Board, Problem, board_widget, solve
from kt_cp.model.errors import InputError
from kt_cp.web import notebook
from tests.support.command_line import PATIENCE, environment

VIEW = "application/vnd.jupyter.widget-view+json"


@pytest.fixture
def widget():
    """What only some of these tests need, and takes long to load."""
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
        ({"closed": True, "end": "a1"}, "A closed tour ends beside its start"),
        ({"rows": 10**9}, "expected a board of at most"),
        ({"piece": "unicorn"}, "--piece: expected a piece"),
    ],
)
def test_what_makes_no_question_is_said_and_not_asked(drawn, words):
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


def test_what_is_no_board_is_refused(monkeypatch):
    for wrong in (Problem(graph=nx.path_graph(3)), 7, Board(50, 50), "8y8"):
        with pytest.raises(InputError):
            board_widget(wrong)
    monkeypatch.setattr(notebook, "find_spec", lambda _name: None)
    with pytest.raises(InputError, match=r"kt_cp\[notebook\]"):
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
    assert bundles[0]["text/plain"] == repr(Board(3, 4))
    assert "image/svg+xml" in bundles[1]  # for whoever opens it without a kernel
    states = book.metadata.widgets["application/vnd.jupyter.widget-state+json"]["state"]
    state = states[bundles[1][VIEW]["model_id"]]["state"]
    assert state["tour"] == solve("3x4").tour.names and state["problem"]["columns"] == 4
    none = states[bundles[2][VIEW]["model_id"]]["state"]
    assert none["tour"] is None and none["argued"] == ["b2"]
    assert "5x4 without a1" in bundles[4]["text/plain"]

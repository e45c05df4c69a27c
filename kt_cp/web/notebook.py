"""Boards and outcomes in notebooks, as interactive boards if anywidget is installed.

Jupyter requests a bundle of a value's views.  With a kernel and anywidget, the bundle contains the
widget; the picture stays in it for readers without a kernel.  marimo calls ``_display_``.
"""

from __future__ import annotations

import sys
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from kt_cp.model.board import Board, describe
from kt_cp.model.errors import InputError
from kt_cp.model.outcome import Outcome
from kt_cp.model.problem import Problem

if TYPE_CHECKING:
    from kt_cp.web.widget import BoardWidget

MOST_SQUARES = 1_600
"""Most squares of an interactive board: 40 × 40."""


def board_widget(shown: Board | Problem | Outcome | str) -> BoardWidget:
    """Show an interactive board in a notebook; its answers are available in Python.

    Parameters
    ----------
    shown : Board, Problem, Outcome or str
        The first content; a text gives the sides of a board.

    Returns
    -------
    BoardWidget
        Its ``question`` is the problem as it is drawn now, its ``outcome`` the last answer.

    Raises
    ------
    InputError
        If anywidget is not installed, or ``shown`` is not a board of at most 40×40 squares.

    Examples
    --------
    >>> board = board_widget("3x4")
    >>> board.question.label, board.outcome
    ('3x4, open', None)
    >>> board.solve().tour is not None, board.tour[0], len(board.tour)
    (True, 'a1', 12)
    """
    if find_spec("anywidget") is None:
        raise InputError(
            "expected anywidget, got none; in the folder of kt_cp, pip install '.[notebook]' "
            "installs it"
        )
    problem = _problem(shown)
    if problem is None or problem.board is None:
        raise InputError(f"expected a board to work with, got {describe(shown)}")
    if problem.size > MOST_SQUARES:
        raise InputError(f"expected at most {MOST_SQUARES:,} squares, got {problem.size:,}")
    from kt_cp.web.widget import BoardWidget

    return BoardWidget.of(problem, shown if isinstance(shown, Outcome) else None)


def notebook_view(shown: Board | Problem | Outcome) -> Any:
    """Return the views of a value in a Jupyter kernel; None without an interactive one."""
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    if getattr(shell, "kernel", None) is None or not live(shown):
        return None
    data, more = board_widget(shown)._repr_mimebundle_()
    return {**data, "text/plain": repr(shown)}, more


def live(shown: Board | Problem | Outcome) -> bool:
    """Return whether a value is shown as an interactive board."""
    problem = _problem(shown)
    small = problem is not None and problem.board is not None and problem.size <= MOST_SQUARES
    return small and find_spec("anywidget") is not None


def _problem(shown: Any) -> Problem | None:
    if isinstance(shown, Outcome):
        return shown.problem
    if isinstance(shown, Board | str):
        return Problem(shown)
    return shown if isinstance(shown, Problem) else None

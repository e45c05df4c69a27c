"""The board of the page as a widget of notebooks, through anywidget.

The browser runs the files of the page that draw and edit a board, joined to a single module.  The
drawn board is ``problem`` here.  A request in the browser is answered here by
:func:`kt_cp.solve`, and the answer is shown there.

Source: T. Manz, N. Abdennur and N. Gehlenborg, "anywidget: reusable widgets for interactive
analysis and visualization in computational notebooks", Journal of Open Source Software 9 (2024).
"""

from __future__ import annotations

import re
from contextlib import suppress
from importlib.resources import files
from typing import Any

import anywidget
import traitlets

from kt_cp.formats.write import describe_checks
from kt_cp.model.board import parse_square
from kt_cp.model.document import problem_document
from kt_cp.model.errors import KtCpError
from kt_cp.model.outcome import Outcome, Verdict
from kt_cp.model.problem import Problem
from kt_cp.web.request_schema import read_problem

_IMPORT = re.compile(r'(?m)^import .* from "\./(\w+)\.js";\n')

SECONDS = 60.0
"""Time limit of a search that is started in the browser."""


def script() -> str:
    """Return the widget's file and all files that it imports as one module."""
    static = files("kt_cp.web").joinpath("static")
    modules: dict[str, str] = {}

    def add(name: str) -> None:
        text = static.joinpath(f"{name}.js").read_text("utf-8")
        for other in _IMPORT.findall(text):
            if other not in modules:
                add(other)
        modules[name] = _IMPORT.sub("", text)

    add("widget")
    return "\n".join(modules.values())


class BoardWidget(anywidget.AnyWidget):
    """An interactive board in a notebook; :func:`kt_cp.board_widget` makes one.

    Attributes
    ----------
    problem : dict
        The drawn problem as in JSON; the browser sets it too.
    tour : list of str or None
        Names of the squares in order.
    argued : list of str or None
        Squares that the argument against a tour names.
    words : str
        The known answer, in a sentence.
    outcome : Outcome or None
        The answer to the drawn problem, if it has been solved.
    """

    _esm = script()
    _css = files("kt_cp.web").joinpath("static/board.css").read_text("utf-8")
    problem: Any = traitlets.Dict().tag(sync=True)
    tour: Any = traitlets.List(allow_none=True, default_value=None).tag(sync=True)
    argued: Any = traitlets.List(allow_none=True, default_value=None).tag(sync=True)
    words: Any = traitlets.Unicode().tag(sync=True)
    busy: Any = traitlets.Bool(False).tag(sync=True)
    outcome: Outcome | None = None

    @classmethod
    def of(cls, problem: Problem, outcome: Outcome | None = None) -> BoardWidget:
        """Return the widget of a problem, with its answer if there is one."""
        made = cls(problem=problem_document(problem))
        if outcome is not None:
            made._show(outcome)
        made.observe(made._forget, "problem")
        made.on_msg(made._heard)
        return made

    @property
    def question(self) -> Problem:
        """The problem as it is drawn now.

        Raises
        ------
        InputError
            If the drawing is not a valid problem.
        """
        return read_problem(self.problem)

    def solve(self, engine: str = "auto", **options: Any) -> Outcome:
        """Solve the drawn problem like :func:`kt_cp.solve`, and show the answer."""
        from kt_cp.engines import solve

        outcome = solve(self.question, engine, **options)
        self._show(outcome)
        return outcome

    def _repr_mimebundle_(self, **options: Any) -> Any:
        """Return the widget, and a picture of the board for readers without a kernel."""
        data, more = super()._repr_mimebundle_(**options) or ({}, {})
        with suppress(KtCpError):  # the drawing may not be a valid problem
            data["image/svg+xml"] = self._static_picture()
        return data, more

    def _static_picture(self) -> str:
        problem = self.question
        board = problem.board
        assert board is not None
        piece, closed = problem.piece, problem.closed
        moves: dict[str, Any] = {"require": [*problem.require], "forbid": [*problem.forbid]}
        if self.tour is not None:
            from kt_cp.render.tour import tour_svg

            squares = [parse_square(name) for name in self.tour]
            return tour_svg(board, squares, piece=piece, closed=closed, **moves)
        from kt_cp.render.sheet import Drawing, puzzle_svg

        return puzzle_svg(Drawing(board, piece, closed, problem.given, (), problem.label, **moves))

    def _heard(self, _widget: Any, content: Any, _buffers: Any) -> None:
        if content != {"ask": "solve"} or self.busy:
            return
        self.busy = True
        try:
            self.solve(time_limit=SECONDS)
        except KtCpError as error:
            self.words = f"{str(error)[:1].upper()}{str(error)[1:]}."
        finally:
            self.busy = False

    def _forget(self, _change: Any) -> None:
        self.outcome = None
        with self.hold_sync():
            self.tour, self.argued, self.words = None, None, ""

    def _show(self, outcome: Outcome) -> None:
        self.outcome = outcome
        tour, certificate = outcome.tour, outcome.certificate
        label = outcome.problem.label
        with self.hold_sync():
            self.tour = None if tour is None else tour.names
            self.argued = None
            if tour is not None:
                self.words = f"A tour ({label}) by {outcome.engine}: {describe_checks(outcome)}."
            elif outcome.verdict is Verdict.IMPOSSIBLE:
                self.words = f"No tour ({label}): {outcome.reason}."
            else:
                self.words = f"Unknown whether there is a tour: {outcome.reason}."
            if certificate is not None:
                from kt_cp.render.argument_steps import argument_steps

                self.argued = sorted(
                    {name for each in argument_steps(certificate) for name in each["squares"]}
                )

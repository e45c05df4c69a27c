"""The options that state a problem: declared once here, in every command that asks for one.

A command takes a ``question`` and is decorated with :func:`asks`, which puts the fields of
:class:`Question` in its place, as arguments and options of the command line.  So a field that is
added here, with a line in :meth:`Question.told` and in ``OPTIONS``, is an option of every command.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, TypeVar

import typer

from kt_cp.cli.files import shown
from kt_cp.cli.output import read_bytes
from kt_cp.cli.words import completed
from kt_cp.formats.drawing import read_board
from kt_cp.model.board import Board, Square, parse_square, parse_squares, shorten
from kt_cp.model.conditions import MOTIONS
from kt_cp.model.consistency import changed
from kt_cp.model.errors import InputError
from kt_cp.model.piece import NAMED, Piece
from kt_cp.model.problem import Problem
from kt_cp.model.square import number_of
from kt_cp.model.surface import Surface

T = TypeVar("T")

_PLACE = r"(?:[A-Za-z]+[0-9]+|[0-9]+\s*,\s*[0-9]+)"
_MOVES = re.compile(rf"(?:[\s,;]*{_PLACE}\s*-\s*{_PLACE})*[\s,;]*")
_STEPS = re.compile(rf"[\s,;]*({_PLACE})\s*=\s*([0-9]+)(?=[\s,;]|$)[\s,;]*")
_SIDES = re.compile(r"\s*[0-9]*\s*[xX×*]\s*[0-9]*\s*")


@dataclass(frozen=True)
class Question:
    """What was said of a problem on the command line; None or nothing where it was not."""

    board: str | None
    closed: bool | None = None
    start: str | None = None
    end: str | None = None
    missing: list[str] | None = None
    piece: str | None = None
    surface: str | None = None
    require: list[str] | None = None
    forbid: list[str] | None = None
    given: list[str] | None = None
    symmetry: str | None = None

    @cached_property
    def drawn(self) -> tuple[Board, dict[Square, int]] | None:
        """The board and the given steps of a drawing, if a file was named in place of sides."""
        if not self.board or _SIDES.fullmatch(self.board):
            return None
        path = Path(self.board)
        if self.board != "-" and not path.exists():
            raise InputError(
                "expected a board as ROWSxCOLUMNS, such as 8x10, or a file with a drawn one; "
                f"got {shown(path)!r}, and there is no such file"
            )
        data = read_bytes(path, "a drawing of a board")
        try:
            return read_board(data)
        except InputError as error:
            raise InputError(f"{shown(path)}: {error}") from None

    def told(self) -> dict[str, Any]:
        """What was said, as arguments of a problem, but for its board."""
        said = {
            "closed": self.closed,
            "start": square_of(self.start, "start"),
            "end": square_of(self.end, "end"),
            "piece": _read(Piece.parse, self.piece, "piece"),
            "require": _moves(self.require, "require"),
            "forbid": _moves(self.forbid, "forbid"),
            "given": self._given(),
            "symmetry": self.symmetry,
        }
        return {name: value for name, value in said.items() if value is not None}

    def _given(self) -> list[tuple[Square, int]] | None:
        """The steps of a drawing and of the option."""
        said = list(self.drawn[1].items()) if self.drawn else []
        for text in self.given or ():
            said += _read(_steps_in, text, "given") or []
        return list(dict.fromkeys(said)) or None

    def on(self, known: Board | None = None) -> Board:
        """The board: as it was said, and what was not said as on a known one."""
        surface = _read(Surface.of, self.surface, "surface")
        surface = surface or (Surface.PLANE if known is None else known.surface)
        if self.drawn:
            board = self.drawn[0]
            missing = board.missing | set(parse_squares(",".join(self.missing or ())))
            return Board(board.rows, board.columns, missing, surface)
        if self.board is not None:
            return Board.parse(self.board, ",".join(self.missing or ()), surface)
        if known is None:
            raise InputError("expected a board, got none")
        missing = frozenset(parse_squares(",".join(self.missing or ()))) or known.missing
        return Board(known.rows, known.columns, missing, surface)

    def problem(self, board: Board | None = None, **usual: Any) -> Problem:
        """The problem, and what was not said as is usual."""
        return Problem(self.on(board), **{**usual, **self.told()})

    def over(self, problem: Problem) -> Problem:
        """Another problem, but for what was said; if that is closed, the other's end is dropped."""
        no_end = {"end": None} if self.closed else {}
        return changed(problem, **{**no_end, **self.told(), "board": self.on(problem.board)})

    def fits(self, problem: Problem) -> bool:
        """Whether a problem is the one that is asked about."""
        told = self.told()
        if self.board or self.missing or self.surface:
            if not self.board and problem.board is None:
                return False
            told["board"] = self.on(problem.board)
        try:
            return changed(problem, **told) == problem
        except InputError:  # it has no such square, or no such move
            return False


OPTIONS = {
    "board": typer.Argument(
        metavar="BOARD",
        help="ROWSxCOLUMNS, such as 8x10, or a file in which it is drawn; - for stdin",
        show_default=False,
    ),
    "closed": typer.Option(
        "--closed/--open", help="Whether a tour must come back to its start", show_default="open"
    ),
    "start": typer.Option(metavar="SQUARE", help="First square, such as a1 or 1,1"),
    "end": typer.Option(metavar="SQUARE", help="Last square of an open tour"),
    "missing": typer.Option(
        metavar="SQUARES", help="Squares cut out, such as c3,d4", show_default=False
    ),
    "piece": typer.Option(
        metavar="NAME|STEPS",
        help=f"What moves: {', '.join(NAMED)}, or steps such as 1,4 or 0,1+1,1",
        show_default="knight",
        autocompletion=completed(lambda: NAMED),
    ),
    "surface": typer.Option(
        metavar="NAME",
        help=f"What the board lies on: {', '.join(Surface)}",
        show_default="plane",
        autocompletion=completed(lambda: list(Surface)),
    ),
    "require": typer.Option(metavar="MOVES", help="Moves that the tour makes, such as a1-c2,b1-d2"),
    "forbid": typer.Option(metavar="MOVES", help="Moves that it does not make, such as a1-b3"),
    "given": typer.Option(metavar="STEPS", help="Steps of squares, such as e4=17,c3=2"),
    "symmetry": typer.Option(
        metavar="MOTION",
        help=f"What carries the tour to itself: {', '.join(MOTIONS)}",
        autocompletion=completed(lambda: MOTIONS),
    ),
}
"""How the command line asks for each field of a question."""


def asks(
    *names: str, but: str = "", **otherwise: Any
) -> Callable[[Callable[..., int]], Callable[..., int]]:
    """Give a command the options that state a problem, in place of its ``question``.

    Parameters
    ----------
    *names : str
        Which of them, where it does not take all.
    but : str
        One that it does not take.
    **otherwise : option
        How the command declares one of them itself; it may then be left out.
    """
    declared = {
        each.name: each.replace(
            kind=inspect.Parameter.KEYWORD_ONLY,
            annotation=Annotated[each.annotation, {**OPTIONS, **otherwise}[each.name]],
            default=None if each.name in otherwise else each.default,
        )
        for each in inspect.signature(Question, eval_str=True).parameters.values()
        if (not names or each.name in names) and each.name != but
    }

    def decorate(command: Callable[..., int]) -> Callable[..., int]:
        parameters: list[inspect.Parameter] = []
        for each in inspect.signature(command, eval_str=True).parameters.values():
            if each.name == "question":
                parameters += declared.values()
            else:
                parameters.append(each.replace(kind=inspect.Parameter.KEYWORD_ONLY))

        def asking(**given: Any) -> int:
            said = {name: given.pop(name) for name in declared if name in given}
            return command(question=Question(**{"board": None, **said}), **given)

        asking.__doc__ = command.__doc__
        asking.__annotations__ = {each.name: each.annotation for each in parameters}
        asking.__dict__["__signature__"] = inspect.Signature(parameters)
        return asking

    return decorate


def square_of(text: str | None, what: str) -> Square | None:
    """Square of an option, or None where it was not given."""
    return _read(parse_square, text, what)


def _moves(texts: list[str] | None, what: str) -> list[tuple[Square, Square]] | None:
    """The moves of an option, however often it was given; None where it was not."""
    if not texts:
        return None
    listed = (_read(_moves_in, text, what) or [] for text in texts)
    return [move for moves in listed for move in moves]


def _moves_in(text: str) -> list[tuple[Square, Square]]:
    if not _MOVES.fullmatch(text):
        raise InputError(f"expected moves such as a1-c2,b1-d2; got {shorten(text)!r}")
    squares = parse_squares(text.replace("-", " "))
    return list(zip(squares[::2], squares[1::2], strict=True))


def _steps_in(text: str) -> list[tuple[Square, int]]:
    found = []
    place = 0
    while place < len(text):
        match = _STEPS.match(text, place)
        if match is None:
            raise InputError(f"expected steps such as e4=17,c3=2; got {shorten(text)!r}")
        found.append((parse_square(match[1]), number_of(match[2]) or 0))
        place = match.end()
    return found


def _read(parse: Callable[[str], T], text: str | None, what: str) -> T | None:
    """What the text of an option says; its name in front of what is wrong with it."""
    if text is None:
        return None
    try:
        return parse(text)
    except InputError as error:
        raise InputError(f"--{what}: {error}") from None

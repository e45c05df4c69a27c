"""The conditions of a problem as options of the command line, on the first line of a drawing.

A drawn board shows squares and steps.  It does not show whether the tour is closed, the piece, or
the surface of the board.  So the text of a puzzle begins with a line such as::

    Options: --closed --piece camel

Options with their default value are omitted, and so is a line without options.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from typing import Any

from kt_cp.model.board import shorten
from kt_cp.model.document import problem_document
from kt_cp.model.errors import BoardError
from kt_cp.model.piece import KNIGHT, NAMED, Piece
from kt_cp.model.problem import Problem
from kt_cp.model.surface import Surface

_PREFIX = "options:"
_EXPECTED = "expected options such as --closed or --piece camel"


def board_options(problem: Problem) -> dict[str, str]:
    """Return the options for the piece and the surface of a problem on a board.

    >>> from kt_cp.model.board import Board
    >>> board_options(Problem(Board(5, 5, surface=Surface.TORUS), piece="1,4"))
    {'piece': 'giraffe', 'surface': 'torus'}
    """
    board, piece, options = problem.board, problem.piece, {}
    assert board is not None
    if piece != KNIGHT:
        leaps = "+".join(f"{a},{b}" for a, b in piece.leaps)
        options["piece"] = piece.name if piece.name in NAMED else leaps
    if board.surface is not Surface.PLANE:
        options["surface"] = str(board.surface)
    return options


def move_options(problem: Problem) -> dict[str, str]:
    """Return the options for required and forbidden moves.

    >>> move_options(Problem("5x6", forbid=["a1-b3", "a1-c2"]))
    {'forbid': 'a1-c2,a1-b3'}
    """
    fields = problem_document(problem)
    moves = {name: fields[name] for name in ("require", "forbid") if fields[name]}
    return {name: ",".join(map("-".join, each)) for name, each in moves.items()}


def option_line(problem: Problem) -> str:
    r"""Return the line of options that a drawing does not show; empty if all have the default.

    >>> option_line(Problem("6x6", closed=True, piece="camel"))
    'Options: --closed --piece camel\n'
    """
    options = {**board_options(problem), **move_options(problem)}
    if symmetry := problem_document(problem)["symmetry"]:
        options["symmetry"] = symmetry
    words = ["--closed"] if problem.closed else []
    for name, value in options.items():
        words += [f"--{name}", value]
    return f"Options: {shlex.join(words)}\n" if words else ""


def is_option_line(line: str) -> bool:
    """Return whether a line states options.

    >>> is_option_line("Options: --closed"), is_option_line("1 . .")
    (True, False)
    """
    return line.lstrip().lower().startswith(_PREFIX)


def parse_option_line(line: str) -> dict[str, Any]:
    """Return the options of a line as arguments of ``Problem``, and the surface.

    >>> parse_option_line("Options: --closed --piece=camel --forbid a1-b4,a1-d2")
    {'closed': True, 'piece': Piece(leaps=((1, 3),)), 'forbid': ['a1-b4', 'a1-d2']}

    Raise BoardError for any other option or a missing value, and InputError for an unknown piece
    or surface.
    """
    try:
        words = iter(shlex.split(line.lstrip()[len(_PREFIX) :]))
    except ValueError as error:
        raise BoardError(f"{_EXPECTED}; got {shorten(line.strip())!r}: {error}") from None
    options: dict[str, Any] = {}
    for word in words:
        name, value = word, None
        if word.startswith("--") and "=" in word:
            name, _, value = word.partition("=")
        match name:
            case "--closed" | "--open" if value is None:
                options["closed"] = name == "--closed"
            case "--piece":
                options["piece"] = Piece.parse(_value(name, value, words))
            case "--surface":
                options["surface"] = Surface.of(_value(name, value, words))
            case "--symmetry":
                options["symmetry"] = _value(name, value, words)
            case "--require" | "--forbid":
                moves = re.split(r"[\s,]+", _value(name, value, words).strip(", "))
                options.setdefault(name[2:], []).extend(moves)
            case _:
                raise BoardError(f"{_EXPECTED}; got {shorten(word)!r}")
    return options


def _value(name: str, value: str | None, words: Iterator[str]) -> str:
    found = next(words, None) if value is None else value
    if not found:
        raise BoardError(f"{_EXPECTED}; got {name} without a value")
    return found

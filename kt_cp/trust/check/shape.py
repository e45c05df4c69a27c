"""Reading the parts of a certificate: exactly the keys, numbers and squares that it may hold."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kt_cp.model.board import parse_square, shorten, square_name
from kt_cp.model.errors import InputError
from kt_cp.model.problem import Problem
from kt_cp.trust.check.frame import MOST_SQUARES, Frame
from kt_cp.trust.check.refusal import Reason, Refusal

MOST_NAME = 1_000
"""Characters of a node's name, or a square's."""


def keys_of(value: object, *keys: str, optional: tuple[str, ...] = ()) -> Mapping[str, Any]:
    """The value as an object with exactly these keys.

    Raises
    ------
    Refusal
        If it is no object, or a key is missing, or one is there that plays no part.
    """
    if not isinstance(value, Mapping):
        raise Refusal(Reason.WRONG_SHAPE, f"expected an object, got {shown(value)}")
    for key in keys:
        if key not in value:
            raise Refusal(Reason.WRONG_SHAPE, f"expected the key {key!r}")
    for key in value:
        if key not in keys and key not in optional:
            raise Refusal(Reason.WRONG_SHAPE, f"the key {shorten(key)!r} plays no part")
    return value


def list_of(value: object, what: str) -> list[Any]:
    """The value as a list."""
    if not isinstance(value, list):
        raise Refusal(Reason.WRONG_SHAPE, f"expected a list of {what}, got {shown(value)}")
    return value


def number_of(value: object, least: int, most: int, what: str) -> int:
    """The value as a whole number within bounds."""
    if type(value) is not int:
        raise Refusal(Reason.WRONG_SHAPE, f"expected {what} as a whole number, got {shown(value)}")
    if not least <= value <= most:
        came = str(value) if abs(value) < 10**18 else "a longer one"
        raise Refusal(Reason.OUT_OF_RANGE, f"expected {what} from {least} to {most:,}, got {came}")
    return value


def text_of(value: object, what: str, most: int = 10_000) -> str:
    """The value as a text of bounded length, and fit to be printed."""
    if not isinstance(value, str):
        raise Refusal(Reason.WRONG_SHAPE, f"expected {what} as a text, got {shown(value)}")
    if len(value) > most:
        raise Refusal(Reason.TOO_LARGE, f"expected {what} of at most {most:,} characters")
    if not value.isprintable():  # which half of a surrogate pair is not, nor a terminal's command
        raise Refusal(Reason.WRONG_SHAPE, f"expected {what} in printable characters")
    return value


def square_of(problem: Problem, value: object) -> Any:
    """A square of the problem from its name, or a node of its graph."""
    name = text_of(value, "a square", MOST_NAME)
    if problem.board is None:
        if not problem.has_square(name):
            raise Refusal(Reason.BAD_SQUARE, f"{shorten(name)!r} is not a node of the graph")
        return name
    try:
        square = parse_square(name)
    except InputError as error:
        raise Refusal(Reason.BAD_SQUARE, str(error)) from None
    if square not in problem.board or square_name(square) != name:
        raise Refusal(Reason.BAD_SQUARE, f"{shorten(name)!r} is not on {problem.board.label}")
    return square


def squares_of(problem: Problem, value: object) -> list[Any]:
    """Different squares of the problem, from a list of their names."""
    names = list_of(value, "squares")
    if len(names) > MOST_SQUARES:
        raise Refusal(Reason.TOO_LARGE, f"expected at most {MOST_SQUARES:,} squares in one list")
    squares = [square_of(problem, each) for each in names]
    if len(set(squares)) < len(squares):
        raise Refusal(Reason.BAD_SQUARE, "a square stands twice in one list")
    return squares


def vertices_of(frame: Frame, value: object) -> set[int]:
    """The same as vertices of the frame."""
    squares = squares_of(frame.problem, value)
    return {frame.number[square] for square in squares}


def shown(value: object) -> str:
    """What came, short enough for a message however large it is."""
    if isinstance(value, list | Mapping):
        return f"{'a list' if isinstance(value, list) else 'an object'} of {len(value)}"
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) > 10**18:
        return "a very long number"
    return shorten(repr(value))

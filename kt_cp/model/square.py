"""Squares: their names, and how both are read from text.

A *square* is a pair ``(row, column)`` counted from 0.  Row 0 is rank 1 and column 0 is file a, so
``a1 == (0, 0)`` and lies bottom left.  A *name* is algebraic: file letters, then the rank number;
past z the files go on as spreadsheet columns do (``z1``, ``aa1``, ``ab1``).  On input the pair
``rank,file`` (counted from 1) is understood as well.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import lru_cache
from operator import index
from typing import Any

from kt_cp.model.errors import SquareError

Square = tuple[int, int]

DIGITS = 18
"""Most of a side or rank: longer numbers are refused before Python's own limit is met."""

_SQUARE = re.compile(r"([A-Za-z]+)([0-9]+)|([0-9]+)\s*,\s*([0-9]+)")
_SQUARES = re.compile(rf"(?:{_SQUARE.pattern})?[\s,;]*")


@lru_cache(1 << 12)
def file_name(column: int) -> str:
    """Letters of a file, as spreadsheets name columns.

    Examples
    --------
    >>> file_name(0), file_name(25), file_name(26), file_name(27)
    ('a', 'z', 'aa', 'ab')
    """
    letters = ""
    column += 1
    while column:
        column, letter = divmod(column - 1, 26)
        letters = chr(ord("a") + letter) + letters
    return letters


def square_name(square: Square) -> str:
    """Algebraic name of a square.

    Examples
    --------
    >>> square_name((0, 0)), square_name((7, 7)), square_name((11, 27))
    ('a1', 'h8', 'ab12')
    """
    row, column = square
    return f"{file_name(column)}{row + 1}"


def parse_square(text: str) -> Square:
    """Square from its name (``"c5"``) or from ``"rank,file"`` counted from 1 (``"5,3"``).

    Raises
    ------
    SquareError
        If the text is neither.

    Examples
    --------
    >>> parse_square("c5") == parse_square("5,3") == (4, 2)
    True
    """
    match = _SQUARE.fullmatch(text.strip())
    square = _square(*match.groups()) if match else None
    if square is None:
        raise SquareError(
            f"expected a square such as c5, or rank,file such as 5,3; got {shorten(text.strip())!r}"
        )
    return square


def _square(letters: str | None, digits: str, rank: str, file: str) -> Square | None:
    """The square of a name or a pair, if it is one."""
    if letters is not None:
        row, column = number_of(digits), _column(letters)
    else:
        row, column = number_of(rank), number_of(file)
    return (row - 1, column - 1) if row and column else None


@lru_cache(1 << 12)
def _column(letters: str) -> int | None:
    column = 0  # as a number from 1, None where it is absurdly far
    for letter in letters.lower() if len(letters) <= DIGITS else "":
        column = column * 26 + ord(letter) - ord("a") + 1
    return column or None


def parse_squares(text: str) -> list[Square]:
    """Squares from a list of names or ``rank,file`` pairs, in any mixture of blanks , and ;

    Examples
    --------
    >>> parse_squares("c3,d4; 1,2")
    [(2, 2), (3, 3), (0, 1)]
    """
    return list(squares_in_text(text))


def squares_in_text(text: str) -> Iterator[Square]:
    """The squares of :func:`parse_squares`, one by one."""
    position = 0
    while position < len(text):
        match = _SQUARES.match(text, position)
        if match is None or match.end() == position:
            raise SquareError(f"expected squares such as c3,d4; got {shorten(text[position:])!r}")
        if match.lastindex:
            yield _square(*match.groups()) or parse_square(match[0].rstrip(",; \t\n"))
        position = match.end()


def describe(square: object) -> str:
    """A square as its name where it has one, otherwise as Python shows it."""
    if isinstance(square, tuple) and len(square) == 2:
        row, column = square
        if isinstance(row, int) and isinstance(column, int) and row >= 0 and column >= 0:
            return square_name((row, column))
    return shorten(repr(square))


def square_of(value: Any) -> Any:
    """A square however it is given: its name, or any pair of whole numbers, NumPy's as well.

    What is none of these comes back as it is, for whoever knows the board to refuse.

    Raises
    ------
    SquareError
        If a text names no square.

    Examples
    --------
    >>> square_of("c5"), square_of([4, 2]), square_of(None)
    ((4, 2), (4, 2), None)
    """
    if isinstance(value, str):
        return parse_square(value)
    if isinstance(value, Iterable):
        parts = tuple(value)
        if len(parts) == 2 and not any(isinstance(part, bool) for part in parts):
            with suppress(TypeError):
                return index(parts[0]), index(parts[1])
    return value


def shorten(text: str, most: int = 40) -> str:
    """Text cut to a length that fits into a one-line message."""
    return text if len(text) <= most else text[: most - 1] + "…"


def number_of(digits: str) -> int | None:
    """Value of a digit string, or None where it is absurdly long."""
    return int(digits) if len(digits) <= DIGITS else None

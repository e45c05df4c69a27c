"""Boards and their squares: rectangles, possibly with missing squares, on a surface.

A *square* is a pair ``(row, column)`` counted from 0.  Row 0 is rank 1 and column 0 is file a, so
``a1 == (0, 0)`` is at the bottom left.  A *name* is algebraic: file letters, then the rank number.
After z, files are named like spreadsheet columns (``z1``, ``aa1``, ``ab1``).  Input may also be a
pair ``rank,file`` (counted from 1).
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property, lru_cache
from operator import index
from typing import TYPE_CHECKING, Any

from kt_cp.model.errors import BoardError, SquareError
from kt_cp.model.surface import Surface
from kt_cp.model.views import NotebookDisplay

if TYPE_CHECKING:
    from numpy.typing import NDArray


Square = tuple[int, int]

DIGITS = 18
"""Most digits of a side or rank: longer numbers are rejected, as Python has a limit too."""

_SQUARE = re.compile(r"([A-Za-z]+)([0-9]+)|([0-9]+)\s*,\s*([0-9]+)")
_SQUARES = re.compile(rf"(?:{_SQUARE.pattern})?[\s,;]*")


@lru_cache(1 << 12)
def file_name(column: int) -> str:
    """Return the letters of a file, which are those of a spreadsheet column."""
    letters = ""
    column += 1
    while column:
        column, letter = divmod(column - 1, 26)
        letters = chr(ord("a") + letter) + letters
    return letters


def square_name(square: Square) -> str:
    """Return the algebraic name of a square.

    Examples
    --------
    >>> square_name((0, 0)), square_name((7, 7)), square_name((11, 27))
    ('a1', 'h8', 'ab12')
    """
    row, column = square
    return f"{file_name(column)}{row + 1}"


def parse_square(text: str) -> Square:
    """Return the square with a name (``"c5"``) or with ``"rank,file"`` counted from 1 (``"5,3"``).

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
    """Return the square of a name or a pair, or None."""
    if letters is not None:
        row, column = number_of(digits), _column(letters)
    else:
        row, column = number_of(rank), number_of(file)
    return (row - 1, column - 1) if row and column else None


@lru_cache(1 << 12)
def _column(letters: str) -> int | None:
    column = 0  # counted from 1
    for letter in letters.lower() if len(letters) <= DIGITS else "":
        column = column * 26 + ord(letter) - ord("a") + 1
    return column or None


def parse_squares(text: str) -> list[Square]:
    """Return the squares of a list of names or ``rank,file`` pairs, separated by blanks, , or ;"""
    return list(squares_in_text(text))


def squares_in_text(text: str) -> Iterator[Square]:
    """Yield the squares of :func:`parse_squares` one by one."""
    position = 0
    while position < len(text):
        match = _SQUARES.match(text, position)
        if match is None or match.end() == position:
            raise SquareError(
                f"expected squares such as c3,d4; got {shorten(text[position:].strip())!r}"
            )
        if match.lastindex:
            yield _square(*match.groups()) or parse_square(match[0].rstrip(",; \t\n"))
        position = match.end()


def describe(square: object) -> str:
    """Return the name of a square; for any other value, its ``repr``."""
    if isinstance(square, tuple) and len(square) == 2:
        row, column = square
        if isinstance(row, int) and isinstance(column, int) and row >= 0 and column >= 0:
            return square_name((row, column))
    return shorten(repr(square))


def square_of(value: Any) -> Any:
    """Return the square of a name or of any pair of whole numbers, including NumPy's.

    Any other value is returned unchanged; the caller, which knows the board, rejects it.

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
    """Return a text cut to a length that fits into a one-line message."""
    return text if len(text) <= most else text[: most - 1] + "…"


def number_of(digits: str) -> int | None:
    """Return the value of a string of digits, or None if it is too long."""
    return int(digits) if len(digits) <= DIGITS else None


class ComputedSquares(Sequence[Square], ABC):
    """The squares of a tour of a whole rectangle, computed on demand.

    It has the methods of a sequence, including ``index``, a ``size`` that cannot overflow, unlike
    ``len()``, and writes step numbers into arrays.
    """

    @property
    @abstractmethod
    def size(self) -> int:
        """Number of squares, however large."""

    @abstractmethod
    def fill(self, out: NDArray[Any], row: int, column: int) -> None:
        """Write the step numbers, from 1, of the window that starts at a row and a column."""


_BOARD = re.compile(r"([0-9]+)\s*[xX×*]\s*([0-9]+)")


def parse_sides(text: str) -> tuple[int, int]:
    """Return the rows and columns of a text such as ``"8x10"`` (8 rows, 10 columns)."""
    match = _BOARD.fullmatch(text.strip())
    rows, columns = (number_of(match[1]), number_of(match[2])) if match else (None, None)
    if not rows or not columns:
        raise BoardError(
            "expected a board as ROWSxCOLUMNS, such as 8x10, each side at least 1 and of at most "
            f"{DIGITS} digits; got {shorten(text)!r}"
        )
    return rows, columns


@dataclass(frozen=True)
class Board(NotebookDisplay):
    """A rectangular board, possibly with missing squares.

    Parameters
    ----------
    rows, columns : int
        Sides, each at least 1.
    missing : iterable of squares, or their names
        Squares cut out of the rectangle; at least one square must remain.
    surface : Surface or str
        Joined sides: ``"plane"`` for none, ``"cylinder"``, ``"torus"`` and so on.

    Raises
    ------
    BoardError
        If a side is not a positive whole number, no square remains, or the surface is unknown.
    SquareError
        If a missing square is not on the rectangle.

    Examples
    --------
    >>> board = Board(5, 6, missing={(2, 2)})
    >>> len(board), (2, 2) in board, (4, 5) in board, str(board)
    (29, False, True, '5x6')
    >>> Board(5, 6, missing=["c3"]) == Board(5, 6, missing="c3") == board
    True
    """

    rows: int
    columns: int
    missing: frozenset[Square] = frozenset()
    surface: Surface = Surface.PLANE

    if TYPE_CHECKING:  # parameters accept more types than the attributes have

        def __init__(
            self,
            rows: int,
            columns: int,
            missing: Iterable[Any] | str = ...,
            surface: Surface | str = ...,
        ) -> None: ...

    def __post_init__(self) -> None:
        object.__setattr__(self, "surface", Surface.of(self.surface))
        for side, what in ((self.rows, "rows"), (self.columns, "columns")):
            if not isinstance(side, int) or isinstance(side, bool) or side < 1:
                raise BoardError(
                    f"expected {what} to be a whole number of at least 1, got {side!r:.60}"
                )
        named = self.missing
        if not isinstance(named, Iterable):
            raise BoardError(f"expected missing squares such as 'c3,d4', got {named!r:.60}")
        listed = parse_squares(named) if isinstance(named, str) else map(square_of, named)
        missing = frozenset(map(_checked, listed))
        object.__setattr__(self, "missing", missing)
        for square in missing:
            if not self.on_rectangle(square):
                raise SquareError(
                    f"expected missing squares on the {self} board, got {describe(square)}"
                )
        if self.size == 0:
            raise BoardError(f"expected at least one square to remain on the {self} board")

    @classmethod
    def parse(cls, text: str, missing: str = "", surface: str = "plane") -> Board:
        """Return the board of ``"8x10"``, missing squares such as ``"c3,d4"``, and a surface."""
        rows, columns = parse_sides(text)
        return cls(rows, columns, frozenset(parse_squares(missing)), Surface.of(surface))

    @property
    def size(self) -> int:
        """Number of squares, which may exceed the largest ``len()``."""
        return self.rows * self.columns - len(self.missing)

    def __len__(self) -> int:
        return self.size

    def __contains__(self, square: object) -> bool:
        return self.on_rectangle(square) and square not in self.missing

    def on_rectangle(self, square: object) -> bool:
        """Return whether a square lies on the rectangle, missing or not."""
        return (
            isinstance(square, tuple)
            and len(square) == 2
            and isinstance(square[0], int)
            and isinstance(square[1], int)
            and 0 <= square[0] < self.rows
            and 0 <= square[1] < self.columns
        )

    def __iter__(self) -> Iterator[Square]:
        """Iterate over the squares rank by rank from a1."""
        for row in range(self.rows):
            for column in range(self.columns):
                if (row, column) not in self.missing:
                    yield row, column

    def __str__(self) -> str:
        return f"{self.rows}x{self.columns}"

    @cached_property
    def label(self) -> str:
        """Description of the board with its missing squares: ``8x8 torus without c3, d4``."""
        whole = str(self) if self.surface is Surface.PLANE else f"{self} {self.surface.words}"
        if not self.missing:
            return whole
        names = [square_name(square) for square in sorted(self.missing)]
        more = f" and {len(names) - 8} more" if len(names) > 8 else ""
        return f"{whole} without {', '.join(names[:8])}{more}"


def _checked(value: object) -> Square:
    if isinstance(value, tuple) and len(value) == 2 and all(type(part) is int for part in value):
        return value
    text = shorten(repr(value))
    raise SquareError(f"expected a square as its name or a (row, column) pair, got {text}")

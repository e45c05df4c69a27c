"""Boards: rectangles of squares, less any missing ones, on a surface.

Squares and their names are told in ``square``, whose words are found here as well.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from kt_cp.model.board import (
    DIGITS,
    Square,
    describe,
    file_name,
    number_of,
    parse_square,
    parse_squares,
    shorten,
    square_name,
    square_of,
)
from kt_cp.model.errors import BoardError, SquareError
from kt_cp.model.surface import Surface
from kt_cp.model.views import NotebookDisplay

__all__ = [
    "Board",
    "Square",
    "describe",
    "file_name",
    "parse_sides",
    "parse_square",
    "parse_squares",
    "shorten",
    "square_name",
    "square_of",
]

_BOARD = re.compile(r"([0-9]+)\s*[xX×*]\s*([0-9]+)")


def parse_sides(text: str) -> tuple[int, int]:
    """Rows and columns from ``"8x10"`` (8 rows, 10 columns).

    Raises
    ------
    BoardError
        If the text is not of this form or a side is zero.
    """
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
    """Rectangular board, less any missing squares.

    Parameters
    ----------
    rows, columns : int
        Sides, each at least 1.
    missing : iterable of squares, or their names
        Squares cut out of the rectangle; at least one square must remain.
    surface : Surface or str
        Which sides are joined; ``"plane"`` for none, ``"cylinder"``, ``"torus"`` and so on.

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

    if TYPE_CHECKING:  # what is taken is more than what is held

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
                    f"expected {what} to be a whole number of at least 1, got {side!r}"
                )
        named = self.missing
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
        """Board from ``"8x10"``, a list of missing squares such as ``"c3,d4"``, and a surface."""
        rows, columns = parse_sides(text)
        return cls(rows, columns, frozenset(parse_squares(missing)), Surface.of(surface))

    @property
    def size(self) -> int:
        """Number of squares; unlike ``len()``, also where it is beyond the machine's integers."""
        return self.rows * self.columns - len(self.missing)

    def __len__(self) -> int:
        return self.size

    def __contains__(self, square: object) -> bool:
        return self.on_rectangle(square) and square not in self.missing

    def on_rectangle(self, square: object) -> bool:
        """Whether a square lies within the sides, missing or not."""
        return (
            isinstance(square, tuple)
            and len(square) == 2
            and isinstance(square[0], int)
            and isinstance(square[1], int)
            and 0 <= square[0] < self.rows
            and 0 <= square[1] < self.columns
        )

    def __iter__(self) -> Iterator[Square]:
        """Squares rank by rank from a1."""
        for row in range(self.rows):
            for column in range(self.columns):
                if (row, column) not in self.missing:
                    yield row, column

    def __str__(self) -> str:
        return f"{self.rows}x{self.columns}"

    @cached_property
    def label(self) -> str:
        """The board in words, missing squares named: ``8x8 torus without c3, d4``."""
        whole = str(self) if self.surface is Surface.PLANE else f"{self} {self.surface.words}"
        if not self.missing:
            return whole
        names = [square_name(square) for square in sorted(self.missing)]
        more = f" and {len(names) - 8} more" if len(names) > 8 else ""
        return f"{whole} without {', '.join(names[:8])}{more}"


def _checked(value: object) -> Square:
    if isinstance(value, tuple) and len(value) == 2 and all(type(part) is int for part in value):
        return value
    told = shorten(repr(value))
    raise SquareError(f"expected a square as its name or a (row, column) pair, got {told}")

"""A part laid onto a board: mirrored, transposed or in the opposite order, square by square."""

from __future__ import annotations

import operator
from collections.abc import Iterator
from dataclasses import dataclass
from numbers import Integral
from typing import Any, overload

import numpy as np

from kt_cp.construction.part import Array, Part
from kt_cp.model.board import Square
from kt_cp.model.computed_squares import ComputedSquares

COPIED = 1 << 19
"""Squares of a window that is computed aside and copied: enough to make calls cheap, few enough to
stay in the cache (``benchmarks/MEASURED.md``)."""

LINE = 1 << 6
"""Its width, unless the board is lower than that takes (``benchmarks/MEASURED.md``)."""


@dataclass(frozen=True)
class Oriented(ComputedSquares):
    """A part on a board, mirrored or with its sides exchanged, in its order or the opposite one.

    Attributes
    ----------
    rows, columns : int
        Of the board.
    mirror_rows, mirror_columns : bool
        Whether the part begins at the last row, or column, of the board.
    exchange : bool
        Whether the rows of the part are columns of the board.
    backwards : bool
        Whether the tour begins where the order of the part ends.

    Examples
    --------
    >>> from kt_cp.construction.part import Tile
    >>> line = Tile(1, 3, [(0, 2), (0, 0), (0, 1)])
    >>> squares = Oriented(line, 3, 1, exchange=True, backwards=True)
    >>> list(squares), squares.index((2, 0)), squares[1:]
    ([(1, 0), (0, 0), (2, 0)], 2, ((0, 0), (2, 0)))
    """

    part: Part
    rows: int
    columns: int
    mirror_rows: bool = False
    mirror_columns: bool = False
    exchange: bool = False
    backwards: bool = False

    @property
    def size(self) -> int:
        return self.rows * self.columns

    def __len__(self) -> int:
        return self.size

    @overload
    def __getitem__(self, place: int) -> Square: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[Square, ...]: ...
    def __getitem__(self, place: int | slice) -> Any:
        if isinstance(place, slice):
            low, high, step = place.indices(self.size)
            if step == 1:
                return tuple(self._walk(low, max(low, high)))
            return tuple(self[each] for each in range(low, high, step))
        place = operator.index(place)
        if not -self.size <= place < self.size:
            raise IndexError(f"expected a place from 0 to {self.size - 1}, got {place}")
        return self._onto(self.part.square(self._turned(place % self.size)))

    def __iter__(self) -> Iterator[Square]:
        return self._walk(0, self.size)

    def __contains__(self, square: object) -> bool:
        return (
            isinstance(square, tuple)
            and len(square) == 2
            and all(isinstance(part, Integral) for part in square)
            and 0 <= square[0] < self.rows
            and 0 <= square[1] < self.columns
        )

    def index(self, square: Any, start: int = 0, stop: int | None = None) -> int:
        """Place of a square, from 0; found by arithmetic.

        Raises
        ------
        ValueError
            If it is not on the board, or its place not within the bounds.
        """
        if square in self:
            place = self._turned(self.part.step(self._from(square)))
            low, high, _ = slice(start, stop).indices(self.size)
            if low <= place < high:
                return place
        raise ValueError(f"{square!r} is not among the squares")

    def count(self, square: Any) -> int:
        return int(square in self)

    def fill(self, out: Array, row: int, column: int) -> None:
        """Write the step numbers, from 1, of a window of the board, in integers of any type."""
        height, width = out.shape
        if self.mirror_rows:
            out, row = out[::-1], self.rows - row - height
        if self.mirror_columns:
            out, column = out[:, ::-1], self.columns - column - width
        if self.exchange:
            out, row, column = out.T, column, row
        if out.dtype in (np.int32, np.int64) and abs(out.strides[1]) == out.itemsize:
            self._fill(out, row, column)
            return
        # Other types are too small for what is added up on the way, other orders are slow.
        width = min(out.shape[1], LINE)
        height = min(len(out), COPIED // width)
        width = COPIED // height
        kind = out.dtype if out.dtype in (np.int32, np.int64) else np.int64
        for up in range(0, len(out), height):
            for right in range(0, out.shape[1], width):
                window = out[up : up + height, right : right + width]
                copied = np.empty(window.shape, dtype=kind)
                self._fill(copied, row + up, column + right)
                window[...] = copied

    def _fill(self, out: Array, row: int, column: int) -> None:
        """The same for a window of the part, in an array whose rows lie together."""
        if self.backwards:
            self.part.fill(out, row, column, sign=-1, summand=self.size)
        else:
            self.part.fill(out, row, column, summand=1)

    def _walk(self, low: int, high: int) -> Iterator[Square]:
        if self.backwards:
            low, high = self.size - high, self.size - low
        for squares in self.part.walk(low, high, ahead=not self.backwards):
            yield from map(self._onto, squares)

    def _turned(self, place: int) -> int:
        return self.size - 1 - place if self.backwards else place

    def _onto(self, square: Square) -> Square:
        """Square of the board for one of the part."""
        row, column = (square[1], square[0]) if self.exchange else square
        if self.mirror_rows:
            row = self.rows - 1 - row
        if self.mirror_columns:
            column = self.columns - 1 - column
        return row, column

    def _from(self, square: Square) -> Square:
        """Square of the part for one of the board."""
        row, column = map(int, square)  # whatever NumPy calls an integer
        if self.mirror_rows:
            row = self.rows - 1 - row
        if self.mirror_columns:
            column = self.columns - 1 - column
        return (column, row) if self.exchange else (row, column)

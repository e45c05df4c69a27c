"""Parts of a constructed tour: rectangles whose squares come in an order that can be computed.

A *part* covers a rectangle of rows × columns squares and gives each its place in an order of its
own, 0 to ``size`` - 1.  A :class:`Tile` keeps that order as a table; a
:class:`~kt_cp.construction.strip.Strip` puts parts in a line and computes it.  Boards are strips
of strips of tiles, so a place is found by arithmetic at a handful of levels.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from kt_cp.board import Square

Array = NDArray[Any]


class Part(Protocol):
    """A rectangle and an order of its squares."""

    @property
    def rows(self) -> int:
        """Height."""

    @property
    def columns(self) -> int:
        """Width."""

    @property
    def size(self) -> int:
        """Number of squares, however large."""

    def step(self, square: Square) -> int:
        """Place of a square of the rectangle in the order, from 0."""

    def square(self, step: int) -> Square:
        """Square at a place."""

    def walk(self, low: int, high: int, *, ahead: bool = True) -> Iterator[list[Square]]:
        """Squares at the places from ``low`` to before ``high``, some at a time.

        In order, or where not ``ahead``, backwards.
        """

    def fill(self, out: Array, row: int, column: int, *, sign: int = 1, summand: int = 0) -> None:
        """Write ``sign * place + summand`` for a window, its least square at row and column."""


class Value:
    """Equal to everything of its kind that was made of the same."""

    made_of: tuple[Any, ...]

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and vars(other)["made_of"] == self.made_of

    def __hash__(self) -> int:
        return hash(self.made_of)


class Tile(Value):
    """A part small enough to be found by search and kept as a table.

    Parameters
    ----------
    rows, columns : int
    order : sequence of squares
        Every square of the rectangle once.  Consecutive squares need not be a move apart where a
        strip cuts the order.

    Examples
    --------
    >>> tile = Tile(1, 3, [(0, 2), (0, 0), (0, 1)])
    >>> tile.step((0, 1)), tile.square(0)
    (2, (0, 2))
    """

    def __init__(self, rows: int, columns: int, order: Sequence[Square]) -> None:
        self.rows, self.columns, self.size = rows, columns, rows * columns
        self.order = tuple(order)
        self.made_of = (rows, columns, self.order)
        self._step_of = {square: step for step, square in enumerate(self.order)}
        self._grid = np.empty((rows, columns), dtype=np.int64)
        for square, step in self._step_of.items():
            self._grid[square] = step

    def step(self, square: Square) -> int:
        """Place of a square."""
        return self._step_of[square]

    def square(self, step: int) -> Square:
        """Square at a place."""
        return self.order[step]

    def walk(self, low: int, high: int, *, ahead: bool = True) -> Iterator[list[Square]]:
        """Squares at some places, all at once."""
        squares = list(self.order[low:high])
        yield squares if ahead else squares[::-1]

    def fill(self, out: Array, row: int, column: int, *, sign: int = 1, summand: int = 0) -> None:
        """Write the places of a window."""
        height, width = out.shape
        out[...] = self._grid[row : row + height, column : column + width] * sign + summand


def is_move(here: Square, there: Square) -> bool:
    """Whether two squares are a knight's move apart."""
    return {abs(here[0] - there[0]), abs(here[1] - there[1])} == {1, 2}

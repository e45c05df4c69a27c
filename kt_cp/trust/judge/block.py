"""A block of step numbers within walls, small enough for the cache, and which are linked.

A number is *linked* if it is 1 or if some square a knight's move away holds the number before it.
The block lies in one flat buffer, line after line, with two lines of its surroundings above and
below, and two walls, which hold 0, at the end of every line.  Then a knight's move is one distance
in the buffer for all squares alike, and a move over an edge ends in a wall: so the eight moves are
eight comparisons of whole vectors, without a word about edges, on narrow blocks as on wide ones.

Numbers are compared as unsigned integers of the array's own width.  The number before v is v - 1,
which overflows only at 0, and a 0 is no step: nothing is asked of it here.  A negative number
becomes one beyond every board, which the highest number shows.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

MOVES = tuple((a, b) for a in (-2, -1, 1, 2) for b in (-2, -1, 1, 2) if abs(a) != abs(b))

Lines = tuple[int, NDArray[Any]]
"""Consecutive lines of the board: the index of the first, and an array of whole lines."""


class Block:
    """Buffers for one block after another; nothing is allocated for each.

    Parameters
    ----------
    dtype : numpy.dtype
        Of the numbers: an integer type.
    shape : (int, int)
        Lines of the board and places in a line.
    most_bytes, widest : int
        How large a block may be, and how wide.  Blocks narrower than a line also hold two places
        on either side.
    """

    def __init__(
        self, dtype: np.dtype[Any], shape: tuple[int, int], most_bytes: int, widest: int
    ) -> None:
        self.dtype = dtype
        self._shape = shape
        # Equal blocks, since a narrower one takes as long as the others.
        self._width = -(-shape[1] // -(-shape[1] // widest))
        self._margin = 2 if self._width < shape[1] else 0
        self._stride = self._width + 2 * self._margin + 2
        self._height = min(shape[0], max(1, most_bytes // dtype.itemsize // self._stride))
        cells = self._height * self._stride
        numbers = np.zeros(cells + 4 * self._stride + 4, dtype)
        self._flat: NDArray[Any] = numbers.view(np.dtype(f"u{dtype.itemsize}"))
        self._grid = numbers[2:-2].reshape(self._height + 4, self._stride)
        self._before = np.empty(cells, self._flat.dtype)
        self._linked = np.empty(cells, np.bool_)
        self._same = np.empty(cells, np.bool_)
        self._lines = self._places = range(0)

    def parts(self, lines: range) -> Iterator[tuple[range, range]]:
        """Lines and places of one block after another."""
        for top in range(lines.start, lines.stop, self._height):
            for left in range(0, self._shape[1], self._width):
                yield (
                    range(top, min(top + self._height, lines.stop)),
                    range(left, min(left + self._width, self._shape[1])),
                )

    def load(self, pieces: Iterable[Lines], lines: range, places: range) -> None:
        """Copy the numbers of a part of the board, and of its surroundings, into the buffer."""
        self._lines, self._places = lines, places
        top, left = lines.start - 2, places.start - self._margin
        low, high = max(0, top), min(self._shape[0], lines.stop + 2)
        near, far = max(0, left), min(self._shape[1], places.stop + self._margin)
        grid = self._grid[: len(lines) + 4]
        if (high - low, far - near) != (len(grid), self._stride - 2):
            grid.fill(0)
        for first, piece in pieces:
            start, stop = max(low, first), min(high, first + len(piece))
            if start < stop:
                part = piece[start - first : stop - first, near:far]
                grid[start - top : stop - top, near - left : far - left] = part

    def link(self) -> tuple[int, int, bool]:
        """How many numbers are 0 or 1, the highest here or beside, and whether all are linked."""
        cells = len(self._lines) * self._stride
        own = 2 + 2 * self._stride
        flat = self._flat
        numbers = flat[own : own + cells]
        before, linked, same = self._before[:cells], self._linked[:cells], self._same[:cells]
        np.less_equal(numbers, 1, out=linked)
        if self._margin:  # walls are linked by their 0s, and the surroundings by decree
            across = linked.reshape(-1, self._stride)
            across[:, : self._margin] = True
            across[:, self._margin + len(self._places) :] = True
        beside = cells - len(self._lines) * len(self._places)
        ends = int(np.count_nonzero(linked)) - beside
        np.subtract(numbers, 1, out=before)
        for lines, places in MOVES:
            there = own + lines * self._stride + places
            np.equal(flat[there : there + cells], before, out=same)
            np.logical_or(linked, same, out=linked)
        return ends, int(numbers.max()), bool(linked.all())

    @property
    def numbers(self) -> NDArray[Any]:
        """The numbers of the block itself, in two dimensions."""
        across = slice(self._margin, self._margin + len(self._places))
        return self._grid[2 : 2 + len(self._lines), across]

    @property
    def linked(self) -> NDArray[np.bool_]:
        """Which of them are linked."""
        lines = len(self._lines)
        across = self._linked[: lines * self._stride].reshape(lines, self._stride)
        return across[:, self._margin : self._margin + len(self._places)]


def tail(pieces: list[Lines], start: int) -> Lines:
    """A copy of the lines from one on."""
    return start, np.concatenate([piece[max(0, start - first) :] for first, piece in pieces])

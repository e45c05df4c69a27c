"""Choose the construction of a tour and orient it: mirrored, transposed or reversed.

Low boards are stretched, and all others are tiled.  A seed other than 0 draws the free choices: the
start, which determines the position of the tile of odd sides, the tiles of both ends, the mirror
images and the direction.  If both ends are given, it draws a tour from the other end or of the
board with its sides exchanged.  The cost of a tour does not depend on its start.
"""

from __future__ import annotations

import operator
import random
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from numbers import Integral
from typing import Any, overload

import numpy as np

from kt_cp.construction.parts import Array, Part
from kt_cp.construction.rectangle import construct_rectangle
from kt_cp.construction.thin_boards import construct_thin_board
from kt_cp.construction.tiles import LEAST, NoTileError
from kt_cp.model.board import Board, ComputedSquares, Square
from kt_cp.model.problem import Problem

WINDOW, WIDTH = 1 << 19, 1 << 6
"""Squares of a window that is computed in a buffer and copied, and its width on boards that are
high enough: calls are cheap and the buffer stays in the cache (``benchmarks/MEASURED.md``)."""


@dataclass(frozen=True)
class OrientedTour(ComputedSquares):
    """A part on a board, mirrored or with its sides exchanged, in its order or the opposite one.

    ``rows`` and ``columns`` are those of the board.  With ``mirror_rows`` the part begins at the
    last row; with ``exchange`` its rows are columns of the board.

    >>> from kt_cp.construction.parts import Tile
    >>> line = Tile(1, 3, [(0, 2), (0, 0), (0, 1)])
    >>> squares = OrientedTour(line, 3, 1, exchange=True, backwards=True)
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
        """Return the place of a square, from 0; raise ValueError as ``list.index`` does."""
        if square in self:
            row, column = map(int, square)  # they may be integers of NumPy
            orientation = self.mirror_rows, self.mirror_columns, self.exchange
            here = _to_part(self.rows, self.columns, (row, column), *orientation)
            place = self._turned(self.part.step(here))
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
        # Other types are too small for intermediate sums, and other memory orders are slow.
        height = min(len(out), WINDOW // min(out.shape[1], WIDTH))
        width = WINDOW // height
        kind = out.dtype if out.dtype in (np.int32, np.int64) else np.int64
        for up in range(0, len(out), height):
            for right in range(0, out.shape[1], width):
                window = out[up : up + height, right : right + width]
                copied = np.empty(window.shape, dtype=kind)
                self._fill(copied, row + up, column + right)
                window[...] = copied

    def _fill(self, out: Array, row: int, column: int) -> None:
        """Write a window of the part into an array with contiguous rows."""
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
        """Return the square of the board for one of the part."""
        row, column = (square[1], square[0]) if self.exchange else square
        if self.mirror_rows:
            row = self.rows - 1 - row
        if self.mirror_columns:
            column = self.columns - 1 - column
        return row, column


STARTS = 4
"""Draws of the start of a tour of a low board, because some squares have no tour."""


def construct(problem: Problem, seed: int = 0) -> OrientedTour:
    """Return a tour of a whole rectangle without storing its squares.

    Seed 0 gives the usual tour, any other seed a random one.  Raise
    :class:`~kt_cp.construction.tiles.NoTileError` with the reason if there is no construction; a
    tour may exist nevertheless.

    >>> from kt_cp.model.board import Board
    >>> problem = Problem(Board(10**9, 10**9 + 1), closed=True)
    >>> squares = construct(problem)
    >>> squares[0], squares.index((5000, 776)) < squares.size
    ((0, 0), True)
    >>> construct(problem, seed=1)[0]
    (144272509, 611178002)
    """
    board = problem.whole_rectangle
    if board is None:
        raise NoTileError(
            "only a knight's tours of a whole rectangle, without missing squares, are constructed"
        )
    if min(board.rows, board.columns) < 3:
        raise NoTileError("boards of one and two rows have no tours to be constructed")
    if min(board.rows, board.columns) >= LEAST:
        _check_colours(problem)
    rng = random.Random(seed) if seed else None
    if rng is not None and problem.end is not None:
        with suppress(NoTileError):  # the usual construction never fails where a tour exists
            return _construct(board, problem, rng)
        rng = None
    return _construct(board, problem, rng)


def _construct(board: Board, problem: Problem, rng: random.Random | None) -> OrientedTour:
    """Construct the usual tour, or draw the free choices."""
    start, end, sides = problem.start, problem.end, (board.rows, board.columns)
    backwards = start is None and end is not None
    if rng is not None and end is not None and start is not None:
        backwards = rng.random() < 0.5
    if backwards:
        start, end = end, start
    if min(board.rows, board.columns) < LEAST:
        return _construct_low(board, problem.closed, start, end, backwards, rng)
    up_down = left_right = exchange = False
    tile = 0
    if rng is not None:
        if start is None:
            start = _square(board, rng)
            backwards = rng.random() < 0.5
        up_down, left_right = rng.random() < 0.5, rng.random() < 0.5
        exchange = end is not None and rng.random() < 0.5
        tile = rng.randrange(1 << 16)
    start = start or (0, 0)
    if end is not None:  # the construction needs it to the right of the start, and above it
        up_down, left_right = end[0] < start[0], end[1] < start[1]
    orientation = up_down, left_right, exchange
    begin = _to_part(*sides, start, *orientation)
    finish = None if end is None else _to_part(*sides, end, *orientation)
    part_sides = sides[::-1] if exchange else sides
    whole = construct_rectangle(
        *part_sides, closed=problem.closed, start=begin, end=finish, seed=tile
    )
    return OrientedTour(whole, *sides, *orientation, backwards)


def _construct_low(
    board: Board,
    closed: bool,
    start: Square | None,
    end: Square | None,
    backwards: bool,
    rng: random.Random | None,
) -> OrientedTour:
    """Construct a tour of a board with a side below six."""
    exchange = board.rows > board.columns
    mirrors = (False, False)
    if rng is not None:
        if start is None:
            backwards = rng.random() < 0.5
        mirrors = rng.random() < 0.5, rng.random() < 0.5
    short, long = sorted((board.rows, board.columns))
    starts = [start]
    if rng is not None and start is None:
        starts = [*(_square(board, rng) for _ in range(STARTS)), None]  # some have no tour
    for begin in starts:
        one, other = (
            square and _to_part(board.rows, board.columns, square, *mirrors, exchange)
            for square in (begin, end)
        )
        try:
            part = construct_thin_board(short, long, closed=closed, start=one, end=other)
            break
        except NoTileError:
            if begin is starts[-1]:
                raise
    return OrientedTour(part, board.rows, board.columns, *mirrors, exchange, backwards)


def _square(board: Board, rng: random.Random) -> Square:
    """Return a random square of the corners' colour, or any square if both colours can begin."""
    row, column = rng.randrange(board.rows), rng.randrange(board.columns)
    if board.rows * board.columns % 2 and (row + column) % 2:
        column += 1 if column == 0 else -1
    return row, column


def _to_part(
    rows: int, columns: int, square: Square, up_down: bool, left_right: bool, exchange: bool
) -> Square:
    """Return the square of an oriented part for one of the board."""
    row = rows - 1 - square[0] if up_down else square[0]
    column = columns - 1 - square[1] if left_right else square[1]
    return (column, row) if exchange else (row, column)


def _check_colours(problem: Problem) -> None:
    """Raise an error for ends that the colours exclude, before searches for tiles fail."""
    odd = problem.size % 2
    shades = [sum(square) % 2 for square in (problem.start, problem.end) if square is not None]
    if odd and (problem.closed or any(shades)):
        raise NoTileError("on an odd number of squares both ends have the colour of the corners")
    if not odd and len(shades) == 2 and shades[0] == shades[1]:
        raise NoTileError("on an even number of squares the ends have different colours")

"""Which construction answers which problem, and how its tour is turned to fit.

Low boards are stretched, all others tiled; the tour is mirrored, transposed or reversed.

A seed other than 0 draws what is not asked for: the start, which says where the tile of odd sides
lies, the tiles of both ends, the mirror images and the direction.  Where both ends are asked for,
a tour is drawn from the other end or of the board with its sides exchanged.  A tour costs the same
wherever it begins.

A part laid onto a board: mirrored, transposed or in the opposite order, square by square.
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

COPIED = 1 << 19
"""Squares of a window that is computed aside and copied: enough to make calls cheap, few enough to
stay in the cache (``benchmarks/MEASURED.md``)."""

LINE = 1 << 6
"""Its width, unless the board is lower than that takes (``benchmarks/MEASURED.md``)."""


@dataclass(frozen=True)
class OrientedTour(ComputedSquares):
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


BEGINS = 4
"""Squares drawn for the start of a tour of a low board, where not every one has a tour."""


def construct(problem: Problem, seed: int = 0) -> OrientedTour:
    """A tour of a whole rectangle, none of its squares held.

    Parameters
    ----------
    seed : int
        0 for the usual tour; any other for one that is drawn.

    Raises
    ------
    NoTileError
        Saying why nothing can be constructed, or was; that there is no tour is not said.

    Examples
    --------
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
            "constructions are for knights on whole plane rectangles, without missing squares, "
            "not for other graphs"
        )
    if min(board.rows, board.columns) < 3:
        raise NoTileError("boards of one and two rows have no tours to be constructed")
    if min(board.rows, board.columns) >= LEAST:
        _check_colours(problem)
    drawn = random.Random(seed) if seed else None
    if drawn is not None and problem.end is not None:
        with suppress(NoTileError):  # the usual tour is found wherever there is one
            return _laid(board, problem, drawn)
        drawn = None
    return _laid(board, problem, drawn)


def _laid(board: Board, problem: Problem, drawn: random.Random | None) -> OrientedTour:
    """A tour; what is not asked for as it is drawn, or as usual."""
    start, end = problem.start, problem.end
    backwards = start is None and end is not None
    if drawn is not None and end is not None and start is not None:
        backwards = drawn.random() < 0.5
    if backwards:
        start, end = end, start
    if min(board.rows, board.columns) < LEAST:
        return _stretched(board, problem.closed, start, end, backwards, drawn)
    up_down = left_right = exchange = False
    tile = 0
    if drawn is not None:
        if start is None:
            start = _square(board, drawn)
            backwards = drawn.random() < 0.5
        up_down, left_right = drawn.random() < 0.5, drawn.random() < 0.5
        exchange = end is not None and drawn.random() < 0.5
        tile = drawn.randrange(1 << 16)
    start = start or (0, 0)
    if end is not None:  # it must lie to the right of the start, and above it
        up_down, left_right = end[0] < start[0], end[1] < start[1]
    begin, finish = (_mirrored(board, one, up_down, left_right) for one in (start, end))
    sides = board.rows, board.columns
    if exchange:
        begin, finish, sides = _exchanged(begin), _exchanged(finish), sides[::-1]
    assert begin is not None
    whole = construct_rectangle(*sides, closed=problem.closed, start=begin, end=finish, seed=tile)
    return OrientedTour(whole, board.rows, board.columns, up_down, left_right, exchange, backwards)


def _stretched(
    board: Board,
    closed: bool,
    start: Square | None,
    end: Square | None,
    backwards: bool,
    drawn: random.Random | None,
) -> OrientedTour:
    """A tour of a board with a side below six."""
    exchange = board.rows > board.columns
    mirrors = (False, False)
    if drawn is not None:
        if start is None:
            backwards = drawn.random() < 0.5
        mirrors = drawn.random() < 0.5, drawn.random() < 0.5
    short, long = sorted((board.rows, board.columns))
    begins = [start]
    if drawn is not None and start is None:
        begins = [*(_square(board, drawn) for _ in range(BEGINS)), None]  # some have no tour
    for last, begin in enumerate(begins, start=1 - len(begins)):
        ends = [_mirrored(board, square, *mirrors) for square in (begin, end)]
        one, other = map(_exchanged, ends) if exchange else ends
        try:
            part = construct_thin_board(short, long, closed=closed, start=one, end=other)
        except NoTileError:
            if last == 0:
                raise
            continue
        break
    return OrientedTour(part, board.rows, board.columns, *mirrors, exchange, backwards)


def _square(board: Board, drawn: random.Random) -> Square:
    """A square on which a tour may begin: of the corners' colour, unless both colours may."""
    row, column = drawn.randrange(board.rows), drawn.randrange(board.columns)
    if board.rows * board.columns % 2 and (row + column) % 2:
        column += 1 if column == 0 else -1
    return row, column


def _mirrored(board: Board, square: Square | None, rows: bool, columns: bool) -> Square | None:
    if square is None:
        return None
    row, column = square
    return (
        board.rows - 1 - row if rows else row,
        board.columns - 1 - column if columns else column,
    )


def _check_colours(problem: Problem) -> None:
    """Refuse what no tour can fulfil, before tiles are looked for in vain."""
    odd = problem.size % 2
    shades = [sum(square) % 2 for square in (problem.start, problem.end) if square is not None]
    if odd and (problem.closed or any(shades)):
        raise NoTileError("on an odd number of squares both ends have the colour of the corners")
    if not odd and len(shades) == 2 and shades[0] == shades[1]:
        raise NoTileError("on an even number of squares the ends have different colours")


def _exchanged(square: Square | None) -> Square | None:
    return None if square is None else (square[1], square[0])

"""Tours as NumPy arrays of step numbers: whole, or in bands if they are larger than memory.

Element ``[row, column]`` is the step, from 1, at which that square is visited.  It is 0 if the
board has no such square or the walk does not visit it.  Row 0 is rank 1.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from kt_cp.model.board import Board, ComputedSquares, Square, describe
from kt_cp.model.errors import InputError, TooLargeError

if TYPE_CHECKING:
    from numpy.typing import DTypeLike, NDArray

    from kt_cp.model.tour import Tour

MOST_STEPS = int(np.iinfo(np.int64).max)
"""Largest step: numbers are computed in int64, whatever the type of the array."""

BAND_BYTES = 1 << 24
"""Default size of a band: large enough to write at the speed of the disk, and a twentieth of the
memory that streaming may use."""

WINDOW = 1 << 16
"""Columns written at a time, so that data stay in the cache; chosen by measurement
(``benchmarks/MEASURED.md``)."""


def step_type(size: int, dtype: DTypeLike | None = None) -> np.dtype[Any]:
    """Return the given integer type, or the smaller of int32 and int64 that holds the steps."""
    if dtype is None:
        dtype = np.int32 if size <= np.iinfo(np.int32).max else np.int64
    try:
        chosen = np.dtype(dtype)
    except TypeError:
        raise InputError(f"expected a type of integers such as int32, got {dtype!r:.60}") from None
    if chosen.kind not in "iu":
        raise InputError(f"expected a type of integers such as int32, got {chosen}")
    if size > MOST_STEPS:
        raise TooLargeError(
            f"the tour has {size:,} steps, and arrays hold numbers to {MOST_STEPS:,}: use step "
            "and square (kt-cp locate)"
        )
    most = int(np.iinfo(chosen).max)
    if size > most:
        raise TooLargeError(
            f"{chosen} holds numbers to {most:,}, and the tour has {size:,} steps: "
            f"expected {step_type(size)}"
        )
    return chosen


def step_array(tour: Tour, dtype: DTypeLike | None = None) -> NDArray[Any]:
    """Return the array of :meth:`kt_cp.model.tour.Tour.to_array`."""
    board, kind = _board(tour), step_type(tour.size, dtype)
    size = board.rows * board.columns * kind.itemsize
    if size > memory():
        raise TooLargeError(
            f"an array of the {board} board takes {size / 1e9:,.1f} GB of memory, and there are "
            f"{memory() / 1e9:,.1f}: use bands, a file (kt-cp solve -o FILE.npy), or step and "
            "square (kt-cp locate)"
        )
    out = np.zeros((board.rows, board.columns), dtype=kind)
    if isinstance(tour.squares, ComputedSquares):
        fill_window(tour.squares, out, 0, 0)
    else:
        for step, square in enumerate(tour.squares, start=1):
            if not board.on_rectangle(square):
                raise InputError(f"expected squares of the {board} board, got {describe(square)}")
            out[square] = step
    return out


def step_bands(
    tour: Tour, dtype: DTypeLike | None = None, rows: int | None = None, *, by_columns: bool = False
) -> Iterator[NDArray[Any]]:
    """Yield the bands of :meth:`kt_cp.model.tour.Tour.bands`, or transposed bands of columns."""
    board, kind = _board(tour), step_type(tour.size, dtype)
    lines, length = (board.rows, board.columns)[:: -1 if by_columns else 1]
    if rows is None:
        rows = max(1, min(lines, BAND_BYTES // (length * kind.itemsize)))
    if rows < 1:
        raise InputError(f"expected bands of at least 1 row, got {rows}")
    if rows * length * kind.itemsize > memory():
        raise TooLargeError(
            f"{rows} rows of the {board} board do not fit into memory: use kt-cp locate, or "
            "step and square"
        )
    return _bands(tour, (lines, length), kind, rows, by_columns)


def step_pieces(tour: Tour, dtype: DTypeLike | None = None) -> Iterator[NDArray[Any]]:
    """Yield the same numbers row by row, in contiguous pieces of a few megabytes at most.

    A piece consists of whole rows, or is a part of a longer row.  So every board needs little
    memory.
    """
    board, kind = _board(tour), step_type(tour.size, dtype)
    most = BAND_BYTES // kind.itemsize
    squares = tour.squares
    if board.columns <= most or not isinstance(squares, ComputedSquares):
        yield from step_bands(tour, kind)
        return
    for row in range(board.rows):
        for column in range(0, board.columns, most):
            piece = np.empty((1, min(most, board.columns - column)), dtype=kind)
            fill_window(squares, piece, row, column)
            yield piece


def squares_in(array: NDArray[Any]) -> list[Square]:
    """Return the squares of a whole rectangle in the order of their step numbers."""
    order = np.empty(array.size, dtype=np.int64)
    order[array.reshape(-1) - 1] = np.arange(array.size)
    rows, columns = np.divmod(order, array.shape[1])
    return list(zip(rows.tolist(), columns.tolist(), strict=True))


def memory() -> int:
    """Return the size of the machine's memory in bytes."""
    import psutil

    return int(psutil.virtual_memory().total)


def _bands(
    tour: Tour, shape: tuple[int, int], kind: np.dtype[Any], rows: int, by_columns: bool
) -> Iterator[NDArray[Any]]:
    lines, length = shape
    squares = tour.squares
    if not isinstance(squares, ComputedSquares):
        whole = step_array(tour, kind)
        whole = whole.T if by_columns else whole
        yield from (whole[line : line + rows] for line in range(0, lines, rows))
        return
    for line in range(0, lines, rows):
        band = np.empty((min(rows, lines - line), length), dtype=kind)
        window = (band.T, 0, line) if by_columns else (band, line, 0)
        fill_window(squares, *window)
        yield band


def fill_window(squares: ComputedSquares, out: NDArray[Any], row: int, column: int) -> None:
    """Write a window of any size in parts that fit into the cache."""
    for left in range(0, out.shape[1], WINDOW):
        squares.fill(out[:, left : left + WINDOW], row, column + left)


def _board(tour: Tour) -> Board:
    if tour.board is None:
        raise InputError("expected a tour on a board, got one on a graph")
    return tour.board

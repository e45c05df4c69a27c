"""Tours as NumPy files of step numbers, written piece by piece: no board is too large for it."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from numpy.lib import format as npy

from kt_cp.arrays import step_pieces, step_type
from kt_cp.errors import InputError
from kt_cp.tour import Tour

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import DTypeLike


def npy_pieces(tour: Tour, dtype: DTypeLike | None = None) -> Iterator[bytes | memoryview]:
    """The bytes of a ``.npy`` file, some megabytes at a time.

    Parameters
    ----------
    tour : Tour
        On a board.
    dtype : integer type, optional
        By default int32, or int64 where that cannot hold the steps.

    Raises
    ------
    InputError, TooLargeError
        If the tour is not on a board, or the type cannot hold its steps.

    Examples
    --------
    >>> import io
    >>> import numpy as np
    >>> from kt_cp import Board
    >>> tour = Tour([(0, 0), (2, 1), (0, 2)], board=Board(3, 3))
    >>> np.load(io.BytesIO(b"".join(npy_pieces(tour)))).tolist()
    [[1, 0, 3], [0, 0, 0], [0, 2, 0]]
    """
    if tour.board is None:
        raise InputError("expected a tour on a board, got one on a graph")
    yield _header(tour.board.rows, tour.board.columns, step_type(tour.size, dtype))
    for piece in step_pieces(tour, dtype):
        yield piece.data


def npy_size(rows: int, columns: int, dtype: np.dtype[Any]) -> int:
    """Bytes of the file."""
    return len(_header(rows, columns, dtype)) + rows * columns * dtype.itemsize


def _header(rows: int, columns: int, dtype: np.dtype[Any]) -> bytes:
    out = io.BytesIO()
    fields = {
        "descr": npy.dtype_to_descr(dtype), "fortran_order": False, "shape": (rows, columns),
    }  # fmt: skip
    npy.write_array_header_1_0(out, fields)
    return out.getvalue()

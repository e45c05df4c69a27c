"""Arrays of step numbers in NumPy's format ``.npy``, read and written in bands.

A file of several gigabytes goes through one buffer.  Its header is not trusted: it must describe a
two-dimensional array of integers that fills the file exactly, and Python objects are never loaded.
Both byte orders are read, in C and Fortran order; ``array[0, 0]`` is a1.  The judge checks whether
the array is a tour.  Boards of any size are written.
"""

from __future__ import annotations

import io
import warnings
from collections.abc import Iterator
from typing import Any, BinaryIO

import numpy as np
from numpy.lib import format as npy
from numpy.typing import DTypeLike, NDArray

from kt_cp.model.arrays import step_pieces, step_type
from kt_cp.model.board import shorten
from kt_cp.model.errors import InputError, TourFileError
from kt_cp.model.tour import Tour

BAND_BYTES = 1 << 23
"""Bytes of the buffer: large enough for quick reading, small compared with everything else."""

LONGEST_LINE = 1 << 24
"""Bytes of a row, or of a column in Fortran order, beyond which bands cross these lines.  The judge
stores a few whole lines in the direction of the bands."""

_HEADER = 1 << 16
_LARGEST = 10**18  # of a side, so that products fit into messages


class ArrayFile:
    """An open file with an array of step numbers.

    ``by_columns`` states that the bands are whole columns, for
    :class:`kt_cp.trust.judge.array.ArrayJudge`.  ``zeros`` and ``highest`` are the number of zeros
    and the highest number in the bands that were read last.

    >>> file = io.BytesIO()
    >>> np.save(file, np.array([[1, 4, 7, 10], [12, 9, 2, 5], [3, 6, 11, 8]], dtype=">i2"))
    >>> array = ArrayFile(file)
    >>> array.shape, [band.tolist() for band in array.bands()], array.highest
    ((3, 4), [[[1, 4, 7, 10], [12, 9, 2, 5], [3, 6, 11, 8]]], 12)
    """

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        file.seek(0)
        head = io.BytesIO(file.read(_HEADER))
        shape, fortran, self._dtype = _read_header(head)
        self._start = head.tell()
        if len(shape) != 2 or not all(0 < side < _LARGEST for side in shape):
            shown = shorten(str(shape))
            raise TourFileError(f"expected an array of rows and columns, got shape {shown}")
        self.shape = int(shape[0]), int(shape[1])
        if self._dtype.kind not in "iu":
            kind = shorten(str(self._dtype))
            raise TourFileError(f"expected an array of whole numbers, got dtype {kind}")
        expected = self.shape[0] * self.shape[1] * self._dtype.itemsize
        size = file.seek(0, io.SEEK_END) - self._start
        if size != expected:
            what = f"an array of shape {shorten(str(self.shape), 80)} and dtype {self._dtype}"
            raise TourFileError(f"expected {expected} bytes of numbers for {what}, got {size}")
        self._lines, self._length = reversed(self.shape) if fortran else self.shape
        self._across = self._length * self._dtype.itemsize > LONGEST_LINE
        self.by_columns = fortran != self._across
        self.zeros = self.highest = 0

    @property
    def counts_from_0(self) -> bool:
        """Return whether the bands number the squares from 0, if all squares have a number."""
        return self.zeros == 1 and self.highest < self.shape[0] * self.shape[1]

    def bands(self, *, add: int = 0) -> Iterator[NDArray[Any]]:
        """Yield bands of rows or columns, valid until the next one, with ``add`` added."""
        self.zeros = self.highest = 0
        for band in self._slabs() if self._across else self._strips():
            self.zeros += band.size - int(np.count_nonzero(band))
            self.highest = max(self.highest, int(band.max()))
            # The sum may exceed the file's type.
            wide = np.uint64 if self._dtype.kind == "u" else np.int64
            yield band + np.asarray(add, wide) if add else band

    def whole(self, *, add: int = 0) -> NDArray[Any]:
        """Return a small array."""
        array = np.concatenate([band.copy() for band in self.bands(add=add)])
        return array.T if self.by_columns else array

    def _strips(self) -> Iterator[NDArray[Any]]:
        """Yield whole lines, as in the file."""
        many = max(1, BAND_BYTES // (self._length * self._dtype.itemsize))
        buffer = np.empty((min(many, self._lines), self._length), self._dtype)
        for first in range(0, self._lines, many):
            band = buffer[: min(many, self._lines - first)]
            self._read(band, first * self._length)
            yield band

    def _slabs(self) -> Iterator[NDArray[Any]]:
        """Yield pieces of all lines, transposed, for files with few long lines."""
        many = max(1, BAND_BYTES // (self._lines * self._dtype.itemsize))
        for first in range(0, self._length, many):
            slab = np.empty((self._lines, min(many, self._length - first)), self._dtype)
            for line in range(self._lines):
                self._read(slab[line], line * self._length + first)
            yield slab.T

    def _read(self, numbers: NDArray[Any], first: int) -> None:
        """Fill an array with the numbers of the file from index ``first`` on."""
        self._file.seek(self._start + first * self._dtype.itemsize)
        got = self._file.readinto(numbers.view(np.uint8))  # type: ignore[attr-defined]
        if got != numbers.nbytes:
            raise TourFileError("the file has become shorter while it was read")


def _read_header(head: BinaryIO) -> tuple[tuple[int, ...], bool, np.dtype[Any]]:
    """Read the shape, order and type of the numbers from the first bytes of a file."""
    try:
        version = npy.read_magic(head)
        if version not in ((1, 0), (2, 0)):
            raise TourFileError(f"expected NumPy's format 1.0 or 2.0, got {version}")
        read = npy.read_array_header_1_0 if version == (1, 0) else npy.read_array_header_2_0
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about headers by Python 2, which are read
            shape, fortran, dtype = read(head)
    except TourFileError:
        raise
    except Exception as error:  # NumPy's parser, on arbitrary bytes
        words = shorten(" ".join(str(error).split()) or type(error).__name__, 100)
        raise TourFileError(f"expected the header of a NumPy file: {words}") from None
    return shape, bool(fortran), dtype


def npy_pieces(tour: Tour, dtype: DTypeLike | None = None) -> Iterator[bytes | memoryview]:
    """Yield the bytes of a ``.npy`` file: int32, or int64 if steps need it.

    >>> from kt_cp import Board
    >>> tour = Tour([(0, 0), (2, 1), (0, 2)], board=Board(3, 3))
    >>> np.load(io.BytesIO(b"".join(npy_pieces(tour)))).tolist()
    [[1, 0, 3], [0, 0, 0], [0, 2, 0]]
    """
    if tour.board is None:
        raise InputError("expected a tour on a board, got one on a graph")
    yield _encode_header(tour.board.rows, tour.board.columns, step_type(tour.size, dtype))
    for piece in step_pieces(tour, dtype):
        yield piece.data


def npy_size(rows: int, columns: int, dtype: np.dtype[Any]) -> int:
    """Return the size of a file in bytes."""
    return len(_encode_header(rows, columns, dtype)) + rows * columns * dtype.itemsize


def _encode_header(rows: int, columns: int, dtype: np.dtype[Any]) -> bytes:
    out = io.BytesIO()
    fields = {
        "descr": npy.dtype_to_descr(dtype), "fortran_order": False, "shape": (rows, columns),
    }  # fmt: skip
    npy.write_array_header_1_0(out, fields)
    return out.getvalue()

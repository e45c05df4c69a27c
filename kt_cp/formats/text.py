"""Long texts and what they hold, in little memory: line by line, squares as numbers.

What would take more than half a minute or a gigabyte is refused as soon as it is seen to.
"""

from __future__ import annotations

import io
from array import array
from collections.abc import Iterable, Iterator, Sequence
from typing import overload

from kt_cp.formats.write import MOST_SQUARES
from kt_cp.model.board import Square, shorten
from kt_cp.model.errors import TooLargeError

MOST_BYTES = 1 << 27
"""Of text: a tour of the most squares, in the longest format, takes a hundred megabytes."""

MOST_LINES = 3 * MOST_SQUARES
LONGEST_LINE = 1 << 26  # all squares in one line


class SquareList(Sequence[Square]):
    """Squares in order, held as numbers side by side: pairs of Python's would take ten times that.

    Examples
    --------
    >>> squares = SquareList([(0, 0), (2, 1)])
    >>> len(squares), squares[-1], squares == [(0, 0), (2, 1)]
    (2, (2, 1), True)
    """

    def __init__(self, squares: Iterable[Square] = ()) -> None:
        self._numbers = array("q")
        self.extend(squares)

    def extend(self, squares: Iterable[Square]) -> None:
        """Add squares; a ``TooLargeError`` if they are too many or too far out."""
        try:
            for square in squares:
                self._numbers.extend(square)
                if len(self._numbers) > 2 * MOST_SQUARES:
                    raise too_many()
        except OverflowError:
            raise TooLargeError("expected ranks and files below 2^63, got more") from None

    def __len__(self) -> int:
        return len(self._numbers) // 2

    @overload
    def __getitem__(self, place: int) -> Square: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[Square]: ...
    def __getitem__(self, place: int | slice) -> Square | Sequence[Square]:
        if isinstance(place, slice):
            return [self[each] for each in range(*place.indices(len(self)))]
        at = 2 * range(len(self))[place]
        return self._numbers[at], self._numbers[at + 1]

    def __iter__(self) -> Iterator[Square]:
        numbers = iter(self._numbers)
        return zip(numbers, numbers, strict=True)

    def __eq__(self, other: object) -> bool:
        return list(self) == list(other) if isinstance(other, Sequence) else NotImplemented

    __hash__ = None  # type: ignore[assignment]  # it grows

    def __repr__(self) -> str:
        return f"SquareList({shorten(repr(list(self[:9])))})"


def too_many() -> TooLargeError:
    """What is said of a text of more squares than are read."""
    return TooLargeError(
        f"expected a tour of at most {MOST_SQUARES:,} squares as text, got more: a larger one is "
        "read from .npy"
    )


def lines_of(data: bytes) -> Iterator[tuple[int, str]]:
    """Lines with their numbers, one at a time."""
    text = io.TextIOWrapper(io.BytesIO(data), encoding="utf-8-sig")
    number = 0
    while line := text.readline(LONGEST_LINE):
        number += 1
        if number > MOST_LINES or len(line) == LONGEST_LINE:
            what = f"lines of at most {LONGEST_LINE >> 20} MB, and at most {MOST_LINES:,}"
            raise TooLargeError(f"line {number}: expected {what}")
        yield number, line


def no_utf8(data: bytes) -> str:
    """Where the first byte is that cannot be read; what was read line by line knew no place."""
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        line, byte = data.count(b"\n", 0, error.start) + 1, data[error.start]
        return f"line {line}: expected UTF-8 text, got byte 0x{byte:02x}"
    return "expected UTF-8 text"

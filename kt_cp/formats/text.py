"""Long texts and what they hold, in little memory: line by line, squares as numbers.

What would take more than half a minute or a gigabyte is refused as soon as it is seen to.
"""

from __future__ import annotations

import codecs
import json
import re
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


class Lines(Iterator[tuple[int, str]]):
    r"""Lines with their numbers, one at a time; or all those at once that are of a shape.

    Attributes
    ----------
    number : int
        Of the last line that was read, from 1.

    Examples
    --------
    >>> lines = Lines(b"# two\n1 2\n2 3\n-1\n")
    >>> next(lines), lines.run(re.compile(rb"(?:\d \d\n)*+")), next(lines)
    ((1, '# two\n'), b'1 2\n2 3\n', (4, '-1\n'))
    """

    def __init__(self, data: bytes) -> None:
        if b"\r" in data:
            data = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        self._data = data.removeprefix(codecs.BOM_UTF8)
        self._at = self.number = 0

    def __next__(self) -> tuple[int, str]:
        begin = self._at
        self._at = self._data.find(b"\n", begin) + 1 or len(self._data)
        if begin == self._at:
            raise StopIteration
        self.number += 1
        if self.number > MOST_LINES or self._at - begin > LONGEST_LINE:
            what = f"lines of at most {LONGEST_LINE >> 20} MB, and at most {MOST_LINES:,}"
            raise TooLargeError(f"line {self.number}: expected {what}")
        return self.number, self._data[begin : self._at].decode()

    def run(self, shape: re.Pattern[bytes]) -> bytes:
        """The lines that come next and are matched by a shape, which ends where a line does."""
        found = shape.match(self._data, self._at)
        return self._moved(found[0], 1) if found else b""

    def back(self, run: bytes) -> None:
        """Leave these lines, the last ones that were read, to be read again."""
        self._moved(run, -1)

    def _moved(self, run: bytes, way: int) -> bytes:
        self._at += way * len(run)
        self.number += way * run.count(b"\n")
        return run


_NAME = re.compile(r'"(?:[^"\\]|\\.)*+"(?=[\s,]|$)|[^\s,]\S*')


def names_in(line: str) -> list[str]:
    r"""Names of a line, separated by blanks; commas at their ends are no part of them.

    One in double quotes stands as in JSON.

    Examples
    --------
    >>> names_in('x, y "New York" 5"')
    ['x', 'y', 'New York', '5"']
    """
    return [_unquoted(name) for name in _NAME.findall(line)]


def _unquoted(name: str) -> str:
    try:
        told = json.loads(name) if name[0] == '"' else None
    except ValueError:
        told = None
    return told if isinstance(told, str) else name.strip(",")


def line_of_names(names: Iterable[str]) -> str:
    """Names of nodes in a line, in quotes where :func:`names_in` takes them for something else.

    Examples
    --------
    >>> line_of_names(["x", "New York", "{y}"])
    'x "New York" "{y}"'
    """
    return " ".join(
        name if names_in(name) == [name] and name[0] not in "{[" else
        json.dumps(name, ensure_ascii=False)
        for name in names
    )  # fmt: skip


def no_utf8(data: bytes) -> str:
    """Where the first byte is that cannot be read; what was read line by line knew no place."""
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        line, byte = data.count(b"\n", 0, error.start) + 1, data[error.start]
        return f"line {line}: expected UTF-8 text, got byte 0x{byte:02x}"
    return "expected UTF-8 text"

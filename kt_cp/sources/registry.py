"""The five source programs by number and by name: order of moves and coordinates.

The documents are told apart by number; the plain names say what each is about.  They differ in
which axis comes first and where counting begins.  Square a1 of the board is the first corner of
every document: (0, 0) in 000 and 004, (1, 1) in 001 and 003, and the lower left square of 002.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from kt_cp.model.board import Board, Square, describe, shorten
from kt_cp.model.errors import SourceNameError, SquareError
from kt_cp.model.problem import Problem
from kt_cp.trust.reference import ORDERS, Candidates, fewest_ways_first, fixed_order


@dataclass(frozen=True)
class Source:
    """One source program.

    Attributes
    ----------
    number, name : str
        ``"000"`` to ``"004"``, and a plain word.
    summary : str
    fewest_first : bool
        Whether it sorts the moves of a square, those with fewest ways on first.
    downwards : bool
        Whether it shows its first rank on top.
    """

    number: str
    name: str
    summary: str
    fewest_first: bool = False
    downwards: bool = False

    def candidates(self, problem: Problem) -> Candidates:
        """Where the knight may go from a square, in this program's order.

        Examples
        --------
        >>> from kt_cp.model.board import Board
        >>> find_source("modula").candidates(Problem(Board(5, 5)))((0, 0))
        [(2, 1), (1, 2)]
        """
        order = ORDERS[self.number]
        return (
            fewest_ways_first(problem, order) if self.fewest_first else fixed_order(problem, order)
        )


SOURCES = (
    Source("000", "boolean", "a Boolean recursion; prints its path last square first"),
    Source("001", "modula", "a Modula-2 program of 1994; prints the matrix with y upwards"),
    Source("002", "decision", "the decision TRUE or FALSE, from the lower left square"),
    Source("003", "ordered", "ranks and files, moves with fewest ways on first", True, True),
    Source("004", "all", "a C++ program that prints every tour as a matrix", False, True),
)
"""In the order of their numbers."""

EVERY_TOUR = "004"
"""The one source that does not stop at its first tour."""

_BY_NAME = {key: source for source in SOURCES for key in (source.number, source.name)}


def find_source(name: str) -> Source:
    """The source program with a number or plain name.

    Raises
    ------
    SourceNameError
        If there is none.

    Examples
    --------
    >>> find_source("004").name
    'all'
    """
    source = _BY_NAME.get(name.strip().lower())
    if source is None:
        known = ", ".join(f"{source.number} ({source.name})" for source in SOURCES)
        raise SourceNameError(f"expected a source, one of {known}, got {describe(name)}")
    return source


_PAIR = re.compile(r"\(?\s*([0-9]{1,18})\s*,\s*([0-9]{1,18})\s*\)?")


@dataclass(frozen=True)
class Coordinates:
    """How a document writes a square as two numbers.

    Attributes
    ----------
    axes : tuple of str
        What it calls the two, in its order.
    first : int
        Number of the first row and column.
    column_first : bool
        Whether the file comes before the rank.
    """

    axes: tuple[str, str]
    first: int
    column_first: bool = False

    def of(self, square: Square) -> tuple[int, int]:
        """The document's two numbers for a square.

        Examples
        --------
        >>> COORDINATES["001"].of((3, 1)), COORDINATES["004"].of((3, 1))
        ((2, 4), (3, 1))
        """
        row, column = square[0] + self.first, square[1] + self.first
        return (column, row) if self.column_first else (row, column)

    def square(self, numbers: tuple[int, int]) -> Square:
        """The square that two of the document's numbers mean, on the board or not."""
        row, column = numbers[::-1] if self.column_first else numbers
        return row - self.first, column - self.first


COORDINATES = {
    "000": Coordinates(("x", "y"), 0, column_first=True),
    "001": Coordinates(("x", "y"), 1, column_first=True),
    "002": Coordinates(("row", "column"), 1),
    "003": Coordinates(("rank", "file"), 1),
    "004": Coordinates(("x", "y"), 0),
}
"""By the number of the document."""


def parse_at(source: Source, board: Board, text: str) -> Square:
    """The square of a board that two numbers, such as ``3,3``, mean in a document.

    Raises
    ------
    SquareError
        If they are not two numbers, or not on the board; the message has the document's range.

    Examples
    --------
    >>> from kt_cp.sources.registry import find_source
    >>> parse_at(find_source("modula"), Board(5, 5), "2,4")
    (3, 1)
    """
    kind = COORDINATES[source.number]
    match = _PAIR.fullmatch(text.strip())
    numbers = (int(match[1]), int(match[2])) if match else (-1, -1)
    last = kind.of((board.rows - 1, board.columns - 1))
    if not all(kind.first <= number <= end for number, end in zip(numbers, last, strict=True)):
        ranges = (
            f"{axis} from {kind.first} to {end}" for axis, end in zip(kind.axes, last, strict=True)
        )
        raise SquareError(
            f"expected {','.join(kind.axes)} with {' and '.join(ranges)}, as document "
            f"{source.number} counts on the {board} board; got {shorten(text)!r}"
        )
    return kind.square(numbers)

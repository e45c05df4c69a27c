"""The five source programs: order of moves, coordinates, and tours as each document prints them.

The documents have numbers and plain names.  They differ in which axis comes first, where counting
begins and which way is up.  Square a1 of the board is the first corner of every document: (0, 0) in
000 and 004, (1, 1) in 001 and 003, and the lower left square of 002.

Squares that are missing from the board, which no document has, are printed as full stops.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from kt_cp.model.board import Board, Square, describe, shorten, square_name
from kt_cp.model.errors import SourceNameError, SquareError, suggestion
from kt_cp.model.move_order import ORDERS, Candidates, fewest_ways_first, fixed_order
from kt_cp.model.problem import Problem


@dataclass(frozen=True)
class Source:
    """A source program."""

    number: str
    name: str
    summary: str
    fewest_first: bool = False  # it sorts moves, those with fewest onward moves first
    downwards: bool = False  # its first rank is on top

    def candidates(self, problem: Problem) -> Candidates:
        """Return the moves from a square, in this program's order."""
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
"""The programs by number."""

EVERY_TOUR = "004"
"""The one source that does not stop at its first tour."""

SOURCE_NAMES = ", ".join(f"{source.number} or {source.name}" for source in SOURCES)

_BY_NAME = {key: source for source in SOURCES for key in (source.number, source.name)}


def find_source(name: str) -> Source:
    """Return the source program with a number or plain name, or raise ``SourceNameError``.

    Examples
    --------
    >>> find_source("004").name
    'all'
    """
    source = _BY_NAME.get(name.strip().lower())
    if source is None:
        known = ", ".join(f"{source.number} ({source.name})" for source in SOURCES)
        hint = suggestion(name, _BY_NAME)
        raise SourceNameError(f"expected a source, one of {known}, got {describe(name)}{hint}")
    return source


_PAIR = re.compile(r"\(?\s*([0-9]{1,18})\s*,\s*([0-9]{1,18})\s*\)?")


@dataclass(frozen=True)
class Coordinates:
    """The two numbers by which a document writes a square."""

    axes: tuple[str, str]  # their names, in the document's order
    first: int  # number of the first row and column
    column_first: bool = False

    def of(self, square: Square) -> tuple[int, int]:
        """Return the document's two numbers for a square."""
        row, column = square[0] + self.first, square[1] + self.first
        return (column, row) if self.column_first else (row, column)

    def square(self, numbers: tuple[int, int]) -> Square:
        """Return the square of two of the document's numbers, on the board or not."""
        row, column = numbers[::-1] if self.column_first else numbers
        return row - self.first, column - self.first


COORDINATES = {
    "000": Coordinates(("x", "y"), 0, column_first=True),
    "001": Coordinates(("x", "y"), 1, column_first=True),
    "002": Coordinates(("row", "column"), 1),
    "003": Coordinates(("rank", "file"), 1),
    "004": Coordinates(("x", "y"), 0),
}
"""The coordinates of each document."""


def parse_at(source: Source, board: Board, text: str) -> Square:
    """Return the square of a board for two numbers of a document, such as ``3,3``.

    Raises ``SquareError``, with the document's range, if they are not a square of the board.

    Examples
    --------
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


FOUND_000, NONE_000 = "A solution has been found", "No solution was found"
"""Text 000's words for a tour, and for none, for which its program prints nothing."""

_A_LINE = 10  # pairs of text 003


def tour_text(source: Source, board: Board, squares: Sequence[Square]) -> str:
    """Return one tour as text, without a newline at the end.

    It is a matrix of step numbers as in 001, 003 and 004; the path in reverse as in 000; or names
    of squares for 002, which draws its walk on a board with letters and prints no tour.
    """
    every = range(board.rows)
    if source.number == "001":  # y upwards, five columns a number, a blank line after every row
        rows = _matrix(board, squares, reversed(every))
        return "\n\n".join("".join(cell.rjust(5) for cell in row) for row in rows)
    if source.number == "002":
        return " ".join(map(square_name, squares))
    if source.number == "003":  # rank 1 on top
        width = len(str(len(squares)))
        rows = _matrix(board, squares, every)
        return "\n".join(" ".join(cell.rjust(width) for cell in row) for row in rows)
    if source.number == "004":  # row 0 on top, a blank after every number
        rows = _matrix(board, squares, every)
        return "\n".join("".join(f"{cell} " for cell in row) for row in rows)
    # Pairs as the recursion of 000 returns, so the last square comes first.
    return "\n".join("{}, {}".format(*COORDINATES["000"].of(each)) for each in reversed(squares))


def answer_text(
    source: Source, board: Board, start: Square | None, squares: Sequence[Square] | None
) -> str:
    """Return all that a document's program prints for one tour, or for none.

    Without a start, the prompt for it is already printed.
    """
    tour = None if squares is None else tour_text(source, board, squares)
    if source.number == "001":
        numbers = () if start is None else COORDINATES["001"].of(start)
        prompt = "".join(
            f"Start at {axis} = {n}\n\n" for axis, n in zip("xy", numbers, strict=False)
        )
        return prompt + ("no path found\n" if tour is None else f"{tour}\n\npath found!\n")
    if source.number == "002":
        return "FALSE\n" if tour is None else "TRUE\n"
    if source.number == "003":  # the four attributes of its Tour object
        if squares is None:
            return "Solved: False\nSteps: 0\n"
        pairs = ["{},{}".format(*COORDINATES["003"].of(square)) for square in squares]
        path = "\n".join(" ".join(pairs[i : i + _A_LINE]) for i in range(0, len(pairs), _A_LINE))
        return f"Board:\n{tour}\nPath:\n{path}\nSolved: True\nSteps: {len(squares)}\n"
    if source.number == "004":  # a blank line after every matrix, nothing without a tour
        return "" if tour is None else f"{tour}\n\n"
    return f"{NONE_000}\n" if tour is None else f"{FOUND_000}\n{tour}\n"


def moves_text(source: Source) -> str:
    """Return a drawing of a document's eight moves, numbered as it tries them.

    Examples
    --------
    >>> print(moves_text(find_source("001")), end="")
    001 (modula): x to the right, y upwards
      . 5 . 1 .
      6 . . . 2
      . . K . .
      8 . . . 4
      . 7 . 3 .
      1 (1,2)  2 (2,1)  3 (1,-2)  4 (2,-1)  5 (-1,2)  6 (-2,1)  7 (-1,-2)  8 (-2,-1)
    """
    kind, order = COORDINATES[source.number], ORDERS[source.number]
    up = "downwards" if source.downwards else "upwards"
    first, second = kind.axes
    axes = f"{first} to the right, {second} {up}"
    if not kind.column_first:
        axes = f"{first} {up}, {second} to the right"
    if source.fewest_first:
        axes += "; then fewest moves on first"
    at = {move: str(number) for number, move in enumerate(order, start=1)} | {(0, 0): "K"}
    rows = range(-2, 3) if source.downwards else range(2, -3, -1)
    lines = [" ".join(at.get((row, column), ".") for column in range(-2, 3)) for row in rows]
    pairs = (move[::-1] if kind.column_first else move for move in order)
    lines.append("  ".join(f"{n} ({a},{b})" for n, (a, b) in enumerate(pairs, start=1)))
    return "\n  ".join([f"{source.number} ({source.name}): {axes}", *lines]) + "\n"


def _matrix(board: Board, squares: Sequence[Square], rows: Iterable[int]) -> list[list[str]]:
    """Return step numbers row by row; 0 for squares not visited, as in all three documents."""
    steps = {square: str(step) for step, square in enumerate(squares, start=1)}
    steps.update((square, ".") for square in board.missing)
    return [[steps.get((row, column), "0") for column in range(board.columns)] for row in rows]

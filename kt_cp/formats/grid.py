"""Grids of step numbers in text, with or without the labels at their edges, rank 1 at the bottom.

A grid may count from 1 or from 0, as many programs do.  Cells without a number are missing squares.
"""

from __future__ import annotations

import re
from array import array

from kt_cp.formats.text import Lines, SquareList, too_many
from kt_cp.formats.write import HOLE, MOST_SQUARES
from kt_cp.model.board import Board, Square, shorten
from kt_cp.model.errors import TooLargeError, TourFileError

MOST_MISSING = 1_000_000
"""Holes of a grid: each is a square of the board's own, of some three hundred bytes."""

_HOLES = {HOLE, ".", "-", "x", "X", "#", "*"}
_NO_CELL = re.compile(r"(?<!\S)(?!\d+(?!\S)|[-·.xX#*](?!\S))\S")
_FRAME = "│|┃"
_RULE = re.compile(r"[─━┌┐└┘+=_-]{2,}")


def is_row(line: str) -> bool:
    """Whether it is a row of cells: numbers and holes, or framed."""
    if any(bar in line for bar in _FRAME):
        return True
    return not _NO_CELL.search(line) and not line.isspace()


def read_grid(data: bytes) -> tuple[SquareList, Board]:
    """Squares in the order of their step numbers; holes are missing squares."""
    steps = array("q")  # row by row from the top, -1 for a hole
    lines = array("q")  # of the rows
    promised: dict[int, str] = {}  # by how many rows a label promises, what is wrong if it lies
    columns = 0
    for number, line in Lines(data):
        labels: list[str] = []
        if any(bar in line for bar in _FRAME):
            before, line, *after = re.split(f"[{_FRAME}]", line, maxsplit=3)
            labels = [label for part in (before, *after) for label in part.split(None, 3)]
        cells = line.split(None, MOST_SQUARES)
        if all(map(_is_edge, cells)) and not all(cell in _HOLES for cell in cells):
            continue
        if not cells:
            continue
        for label in labels:
            rows = int(label) + len(lines) if label.isdecimal() and len(label) < 19 else -1
            if len(promised) < 2:
                promised.setdefault(rows, f"{number} {len(lines)} {' '.join(labels)}")
        columns = columns or len(cells)
        if len(cells) != columns:
            raise TourFileError(
                f"line {number}: expected {columns} squares as in the first row, got {len(cells)}"
            )
        lines.append(number)
        for cell in cells:
            step = int(cell) if cell.isdecimal() and len(cell) < 19 else -1
            if step < 0 and cell not in _HOLES:
                raise TourFileError(f"line {number}: expected a step number, got {shorten(cell)!r}")
            steps.append(step)
        if len(steps) > MOST_SQUARES:
            raise too_many()
    for rows, told in promised.items():
        if rows != len(lines):
            line, down, shown = told.split(" ", 2)
            raise TourFileError(
                f"line {line}: expected rank {len(lines) - int(down)} beside the bars, and "
                f"squares separated by blanks; got {shorten(shown)!r}"
            )
    return _placed(steps, lines, columns)


def _is_edge(cell: str) -> bool:
    """Whether it belongs to a rule or is a file's letters."""
    return bool(_RULE.fullmatch(cell)) or (cell.isascii() and cell.isalpha())


def _placed(steps: array[int], lines: array[int], columns: int) -> tuple[SquareList, Board]:
    holes = steps.count(-1)
    size = len(steps) - holes
    if not size:
        raise TourFileError("expected a grid of step numbers, got none")
    if holes > MOST_MISSING:
        raise TooLargeError(
            f"expected at most {MOST_MISSING:,} squares of a grid without a number, got {holes:,}"
        )
    at = array("q", [-1]) * (size + 1)
    for place, step in enumerate(steps):
        if 0 <= step <= size:
            if at[step] >= 0:
                line = lines[place // columns]
                raise TourFileError(f"line {line}: step {step} stands twice in the grid")
            at[step] = place
    first = 0 if at[0] >= 0 else 1
    for step in range(first, first + size):
        if at[step] < 0:
            raise TourFileError(f"step {step} is not in the grid, and step {max(steps)} is")

    def square(place: int) -> Square:
        down, column = divmod(place, columns)
        return len(lines) - 1 - down, column

    missing = frozenset(square(place) for place, step in enumerate(steps) if step < 0)
    board = Board(len(lines), columns, missing)
    return SquareList(square(at[step]) for step in range(first, first + size)), board

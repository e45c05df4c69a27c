"""A tour as plain text: a grid of step numbers, names of squares, comma-separated values."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from itertools import repeat

from kt_cp.model.board import Board, Square, file_name
from kt_cp.model.tour import Tour

HOLE = "·"
"""Stands where a square is missing, or not visited."""

_LABELS_ON_BOTH_SIDES = 24


def tour_grid(board: Board, squares: Sequence[Square]) -> str:
    """Numbered grid, rank 1 at the bottom; ranks and files stand on all four edges if it is large.

    Examples
    --------
    >>> print(tour_grid(Board(3, 4), [(0, 0), (1, 2), (2, 0)]))
    3 │  3  ·  ·  ·
    2 │  ·  ·  2  ·
    1 │  1  ·  ·  ·
      └────────────
         a  b  c  d
    """
    cells = [[HOLE] * board.columns for _ in range(board.rows)]
    for step, (row, column) in enumerate(squares, start=1):
        cells[row][column] = str(step)
    files = [file_name(column) for column in range(board.columns)]
    width = 1 + max(2, len(str(len(squares))), len(files[-1]))
    edge = len(str(board.rows))
    both = max(board.rows, board.columns) > _LABELS_ON_BOTH_SIDES
    margin = " " * edge
    named = f"{margin}  " + "".join(name.rjust(width) for name in files)
    rule = "─" * (width * board.columns)
    lines = [named, f"{margin} ┌{rule}" + "┐" * both] if both else []
    for row in reversed(range(board.rows)):
        rank = str(row + 1)
        line = f"{rank.rjust(edge)} │" + "".join(cell.rjust(width) for cell in cells[row])
        lines.append(line + (f" │ {rank}" if both else ""))
    lines += [f"{margin} └{rule}" + "┘" * both, named]
    return "\n".join(line.rstrip() for line in lines)


def tour_names(tour: Tour) -> str:
    """Names in order, separated by blanks, ten a line.

    Examples
    --------
    >>> print(tour_names(Tour([(0, 0), (1, 2)])))
    (0, 0) (1, 2)
    """
    names = tour.names
    return "\n".join(" ".join(names[i : i + 10]) for i in range(0, len(names), 10))


def tour_csv(tour: Tour) -> str:
    """Rows of step (from 1), name, row and column (from 0).

    Examples
    --------
    >>> from kt_cp.model.board import Board
    >>> print(tour_csv(Tour([(0, 0), (1, 2)], board=Board(3, 4))), end="")
    step,square,row,column
    1,a1,0,0
    2,c2,1,2
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["step", "square", "row", "column"])
    places = tour if tour.board is not None else repeat(("", ""), tour.size)
    named = enumerate(zip(tour.names, places, strict=True), start=1)
    writer.writerows((step, name, *place) for step, (name, place) in named)
    return text.getvalue()

"""A tour as a grid of step numbers, rank 1 at the bottom, as a chess player sees the board."""

from __future__ import annotations

from collections.abc import Sequence

from kt_cp.board import Board, Square, file_name

HOLE = "·"
"""Stands where a square is missing, or not visited."""

_LABELS_ON_BOTH_SIDES = 24


def tour_grid(board: Board, squares: Sequence[Square]) -> str:
    """Numbered grid with ranks and files on the edges, on all four where the board is large.

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

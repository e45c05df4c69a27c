"""A problem on its board laid another way: the same tours under other names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kt_cp.model.board import Board, Square
from kt_cp.model.conditions import Symmetry
from kt_cp.model.orbits import MOVED
from kt_cp.model.problem import Problem
from kt_cp.model.surface import Surface

if TYPE_CHECKING:
    from kt_cp.model.conditions import Condition

_OTHER = {"left-right": "top-bottom", "top-bottom": "left-right"}


def moved(problem: Problem, motion: str) -> Problem | None:
    """The problem with every square carried by a motion; None but for boards on the plane.

    Examples
    --------
    >>> moved(Problem("3x4", start="a3"), "diagonal").label
    '4x3, open, from c1'
    >>> moved(Problem("3x4", start="a3"), "left-right").label
    '3x4, open, from d3'
    """
    board = problem.board
    if board is None or board.surface is not Surface.PLANE:
        return None
    turns = motion in {"diagonal", "quarter-turn"}
    rows, columns = board.rows, board.columns

    def image(square: Square) -> Square:
        row, column = MOVED[motion](*square, rows, columns)  # type: ignore[arg-type]
        return int(row), int(column)

    def carried(condition: Condition) -> Condition:
        if isinstance(condition, Symmetry):  # a mirror stands the other way on a board on its side
            mirror = condition.motion
            return Symmetry(_OTHER.get(mirror, mirror) if turns else mirror)
        return condition.mapped(image)

    sides = (columns, rows) if turns else (rows, columns)
    laid = Board(*sides, {image(square) for square in board.missing})
    conditions = [carried(each) for each in problem.conditions]
    return Problem(laid, piece=problem.piece, closed=problem.closed, conditions=conditions)

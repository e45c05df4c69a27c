"""The rules by name, the defects that report a broken rule, and the judge's arithmetic of moves.

If no sides of the board are joined, the differences of two squares decide about a move.  If some
sides are joined, every square lies at many places: copies of the board lie side by side.  If the
join is reversed, every second copy lies upside down.  A step leads from one square to another if it
ends at some copy of the other.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from enum import Enum
from typing import Any

from kt_cp.model.board import Board
from kt_cp.model.piece import Piece
from kt_cp.model.problem import Problem
from kt_cp.model.surface import Join, Surface

FEW = 5
"""Defects of each rule that are reported one by one; the others are counted."""


class Rule(Enum):
    """A rule that a tour can break."""

    OFF_BOARD = "square off the board"
    MISSING = "missing square used"
    REPEATED = "square repeated"
    UNVISITED = "square unvisited"
    ILLEGAL_MOVE = "illegal move"
    WRONG_START = "wrong start"
    WRONG_END = "wrong end"
    REQUIRED_MISSING = "required move not made"
    FORBIDDEN_USED = "forbidden move made"
    WRONG_STEP = "given step not kept"
    NOT_SYMMETRIC = "not symmetric"
    NOT_CLOSED = "not closed"


@dataclass(frozen=True)
class Defect:
    """One broken rule, its step (counted from 1, None for the whole tour), and a sentence.

    ``many`` is above 1 if it stands for that number of defects, not reported one by one.
    """

    rule: Rule
    step: int | None
    text: str
    many: int = 1

    def __str__(self) -> str:
        return self.text


def more(rule: Rule, many: int) -> list[Defect]:
    """Return a defect that stands for those that are not reported one by one, if there are any."""
    return [Defect(rule, None, f"{many} more of this kind: {rule.value}", many)] if many > 0 else []


def is_move(problem: Problem, here: Hashable, there: Hashable) -> bool:
    """Return whether one step leads from here to there; both may be any values."""
    board = problem.board
    if board is None:
        # The graph is searched for nodes alone: an unhashable value has no edges.
        known = problem.has_square(here) and problem.has_square(there)
        return known and bool(problem.graph.has_edge(here, there))
    if not (isinstance(here, tuple) and isinstance(there, tuple) and len(here) == len(there) == 2):
        return False
    if not (isinstance(here[0], int) and isinstance(here[1], int)):
        return False
    if not (isinstance(there[0], int) and isinstance(there[1], int)):
        return False
    if board.surface is Surface.PLANE:
        up, right = abs(here[0] - there[0]), abs(here[1] - there[1])
        return ((up, right) if up < right else (right, up)) in problem.piece.leaps
    return here != there and _ends_at_a_copy(board, problem.piece, here, there)


def _ends_at_a_copy(board: Board, piece: Piece, here: Any, there: Any) -> bool:
    for up, right in piece.steps:
        copies, beside = divmod(here[1] + right - there[1], board.columns)
        if beside or (copies and board.surface.files is Join.OPEN):
            continue
        turned = copies % 2 and board.surface.files is Join.REVERSED
        row = board.rows - 1 - there[0] if turned else there[0]
        off = here[0] + up - row
        if off == 0 or (board.surface.ranks is Join.PLAIN and off % board.rows == 0):
            return True
    return False

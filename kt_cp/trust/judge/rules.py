"""The rules by name, what a broken one is told as, and the judge's own arithmetic of moves.

Where no sides of the board are joined, a move is a matter of differences.  Where some are, a square
lies at many places: beside the board lies the same board again, and again, and where the join is
turned over, every second of these copies lies upside down.  A step leads from one square to the
other if it ends at some copy of it.
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
"""Defects of each rule that are told one by one; the others are counted."""


class Rule(Enum):
    """What a tour must not do."""

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
    """One broken rule: which, at which step (counted from 1, None for the whole), in words.

    ``many`` is above 1 where it stands for so many that are not told one by one.
    """

    rule: Rule
    step: int | None
    text: str
    many: int = 1

    def __str__(self) -> str:
        return self.text


def more(rule: Rule, many: int) -> list[Defect]:
    """A defect that stands for those which are not told one by one, if there are any."""
    return [Defect(rule, None, f"{many} more of this kind: {rule.value}", many)] if many > 0 else []


def is_move(problem: Problem, here: Hashable, there: Hashable) -> bool:
    """Whether one step may lead from here to there, wherever the two may lie."""
    board = problem.board
    if board is None:
        # Asked only of nodes: an unhashable stranger has no edges.
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

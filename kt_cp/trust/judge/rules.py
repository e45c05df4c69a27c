"""The rules by name, and what a broken one is told as."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


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
    """One broken rule: which, at which step (counted from 1, None for the whole), in words."""

    rule: Rule
    step: int | None
    text: str

    def __str__(self) -> str:
        return self.text

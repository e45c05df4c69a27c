"""Which boards and engines are compared when nobody says otherwise."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from kt_cp.board import Board
from kt_cp.problem import Problem

DEFAULT_ENGINES = ("backtrack", "warnsdorff", "cpsat", "sat:lazy", "sat:position")

# "o" open, "c" closed.  Boards without a tour of either kind come first; closed tours are left out
# where an odd number of squares makes the question trivial.
_DEFAULT = (
    ("3x3", "oc"),
    ("4x4", "oc"),
    ("3x4", "oc"),
    ("3x10", "oc"),
    ("4x5", "oc"),
    ("5x5", "o"),
    ("5x6", "oc"),
    ("6x6", "oc"),
    ("7x7", "o"),
    ("8x8", "oc"),
    ("12x12", "oc"),
    ("20x20", "oc"),
    ("30x30", "oc"),
)


@dataclass(frozen=True)
class Case:
    """One board and one kind of tour, without prescribed ends."""

    board: Board
    closed: bool

    @property
    def problem(self) -> Problem:
        """The question to put to every engine."""
        return Problem(self.board, closed=self.closed)


def default_cases(kinds: str = "oc") -> list[Case]:
    """The default boards, open (``"o"``), closed (``"c"``) or both."""
    return [
        Case(Board.parse(name), kind == "c")
        for name, both in _DEFAULT
        for kind in both
        if kind in kinds
    ]


def cases_of(boards: Iterable[Board], kinds: str = "oc") -> list[Case]:
    """The given boards, each in each kind."""
    return [Case(board, kind == "c") for board in boards for kind in "oc" if kind in kinds]

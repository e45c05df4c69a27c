"""What is wrong with an array of step numbers: a few squares of each kind, and how many there are.

An array can be wrong on every square of a hundred million.  Only the first few of each kind are
remembered, so that a judge needs no more memory for a bad array than for a good one.
"""

from __future__ import annotations

from collections.abc import Callable

from kt_cp.board import Square, square_name
from kt_cp.verify.rules import Defect, Rule

FEW = 5
"""Squares of each kind that are named."""

LOCAL = (Rule.MISSING, Rule.UNVISITED, Rule.ILLEGAL_MOVE)
"""Kinds that a square and its neighbours show."""


class Findings:
    """Squares that break a rule, each with its number.

    Parameters
    ----------
    steps : int
        How many squares the board has: the numbers should be 1 to this.

    Examples
    --------
    >>> findings = Findings(64)
    >>> findings.add(Rule.ILLEGAL_MOVE, 7, [((4, 2), 17)])
    >>> for defect in findings.defects():
    ...     print(defect)
    illegal move to c5 at step 17: no square a knight's move away holds 16
    6 more of this kind: illegal move
    """

    def __init__(self, steps: int) -> None:
        self._steps = steps
        self._many = dict.fromkeys(LOCAL, 0)
        self._named: dict[Rule, list[tuple[Square, int]]] = {rule: [] for rule in LOCAL}

    def room(self, rule: Rule) -> int:
        """How many more squares of a kind will be named."""
        return FEW - len(self._named[rule])

    def add(self, rule: Rule, many: int, named: list[tuple[Square, int]]) -> None:
        """Count some squares, and name as many of them as there is room for."""
        self._many[rule] += many
        self._named[rule] += named[: self.room(rule)]

    def many(self, rule: Rule) -> int:
        """How many squares of a kind there are."""
        return self._many[rule]

    def defects(self) -> list[Defect]:
        """All in words."""
        words: dict[Rule, Callable[[Square, int], Defect]] = {
            Rule.MISSING: self._missing,
            Rule.UNVISITED: self._unvisited,
            Rule.ILLEGAL_MOVE: self._illegal_move,
        }
        found = []
        for rule, told in words.items():
            found += [told(square, number) for square, number in self._named[rule]]
            found += more(rule, self._many[rule] - len(self._named[rule]))
        return found

    def _missing(self, square: Square, number: int) -> Defect:
        text = f"missing square {square_name(square)} used at step {number}"
        return Defect(Rule.MISSING, number, text)

    def _unvisited(self, square: Square, number: int) -> Defect:
        expected = f"its number is {number}, expected 1 to {self._steps}"
        return Defect(Rule.UNVISITED, None, f"{square_name(square)} unvisited: {expected}")

    def _illegal_move(self, square: Square, number: int) -> Defect:
        text = f"illegal move to {square_name(square)} at step {number}"
        where = f"no square a knight's move away holds {number - 1}"
        return Defect(Rule.ILLEGAL_MOVE, number, f"{text}: {where}")


def more(rule: Rule, many: int) -> list[Defect]:
    """A defect that stands for those which are not named, if there are any."""
    return [Defect(rule, None, f"{many} more of this kind: {rule.value}")] if many > 0 else []

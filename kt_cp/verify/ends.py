"""The two ends of an array of step numbers: where step 1 stands, and where the highest one."""

from __future__ import annotations

from kt_cp.board import Square, describe
from kt_cp.problem import Problem
from kt_cp.verify.block import MOVES
from kt_cp.verify.exact import repeated
from kt_cp.verify.findings import FEW
from kt_cp.verify.rules import Defect, Rule


class Ends:
    """Squares of step 1, of which there should be one, and the square of the highest step.

    Examples
    --------
    >>> ends = Ends()
    >>> ends.add_firsts(1, [(0, 0)])
    >>> ends.add_last(12, (1, 2))
    >>> ends.first, ends.last, ends.highest, ends.close
    ((0, 0), (1, 2), 12, True)
    """

    def __init__(self) -> None:
        self.highest = 0
        self.last: Square | None = None
        self._firsts: list[Square] = []
        self._many = 0

    @property
    def first(self) -> Square | None:
        """The square of step 1, the first of them if there are several."""
        return self._firsts[0] if self._firsts else None

    @property
    def close(self) -> bool:
        """Whether a knight comes from the last square back to the first, by a new move."""
        if self.first is None or self.last is None or self.highest < 3:
            return False
        return (self.first[0] - self.last[0], self.first[1] - self.last[1]) in MOVES

    @property
    def room(self) -> int:
        """How many more squares of step 1 will be named."""
        return FEW - len(self._firsts)

    def add_firsts(self, many: int, named: list[Square]) -> None:
        """Count some squares of step 1, and name as many as there is room for."""
        self._many += many
        self._firsts += named

    def add_last(self, step: int, square: Square) -> None:
        """A higher step than any before."""
        self.highest, self.last = step, square

    def defects(self, problem: Problem) -> list[Defect]:
        """What is wrong with the ends of an answer to a problem."""
        found = []
        if self._many > 1:
            found.append(repeated(1, self._firsts, self._many))
        if problem.start is not None and self._firsts and problem.start not in self._firsts:
            text = f"wrong start: {describe(self.first)}, expected {describe(problem.start)}"
            found.append(Defect(Rule.WRONG_START, 1, text))
        if problem.end is not None and self.last not in (None, problem.end):
            text = f"wrong end: {describe(self.last)}, expected {describe(problem.end)}"
            found.append(Defect(Rule.WRONG_END, self.highest, text))
        if problem.closed and not self.close:
            walk = self.first is not None and self.last is not None
            where = f"{describe(self.last)} to {describe(self.first)}" if walk else "an empty walk"
            text = f"not closed: no way back from {where} by a move not used yet"
            found.append(Defect(Rule.NOT_CLOSED, self.highest, text))
        return found

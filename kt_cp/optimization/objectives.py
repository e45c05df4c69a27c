"""Objectives: what the best tour has the fewest or the most of.

An objective is a measure that is a sum over squares, each of which adds a cost that depends on its
two moves.  The direction that most moves have is the largest of several such sums, one for each
line of movement.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from math import gcd
from typing import TYPE_CHECKING

from kt_cp.model.conditions import Given, Symmetry
from kt_cp.model.errors import InputError, NotTakenError, suggestion
from kt_cp.model.measures import MEASURES
from kt_cp.model.surface import Surface
from kt_cp.trust.check.bound import OBJECTIVES

if TYPE_CHECKING:
    from kt_cp.model.problem import Problem
    from kt_cp.trust.check.frame import Frame

Step = tuple[int, int]
PairCost = Callable[[Step | None, Step | None], int]
"""The cost of a square, by the steps to its two neighbours; None for the end of an open tour."""


@dataclass(frozen=True)
class Objective:
    """The fewest or the most of a measure.

    Attributes
    ----------
    name : str
        Such as ``"fewest-turns"``.
    sign : int
        1 for the fewest, -1 for the most: what is minimized is this times the measure.
    """

    name: str

    @property
    def measure(self) -> str:
        """The name of the measure."""
        return self.name.partition("-")[2]

    @property
    def sign(self) -> int:
        """1 for the fewest, -1 for the most."""
        return 1 if self.name.startswith("fewest") else -1

    def sums(self, frame: Frame) -> list[PairCost]:
        """The sums whose largest is the measure, in the order of the checker's trees."""
        if self.measure == "direction":
            lines = {_line(a, b) for a, b in frame.problem.piece.steps}
            return [_moves(partial(_is_along, line)) for line in sorted(lines)]
        if self.measure == "steep":
            return [_moves(lambda step: abs(step[0]) > abs(step[1]))]
        return [_angle(self.measure)]


def parse_objective(name: object, problem: Problem) -> Objective:
    """Return the objective of this name.

    Raises
    ------
    InputError
        If there is none of this name.
    NotTakenError
        If it makes no sense for the problem, or a condition is not supported.

    Examples
    --------
    >>> from kt_cp import Problem
    >>> parse_objective("fewest-turns", Problem("6x6", closed=True)).measure
    'turns'
    """
    if not isinstance(name, str) or name not in OBJECTIVES:
        hint = suggestion(name, OBJECTIVES)
        known = ", ".join(OBJECTIVES)
        raise InputError(f"expected an objective, one of {known}; got {name!r:.60}{hint}")
    if problem.board is None:
        raise NotTakenError(f"{name} is for boards: expected one, got a graph")
    if problem.board.surface is not Surface.PLANE:
        surface = problem.board.surface
        raise NotTakenError(f"{name} is for boards on the plane: got the surface {surface}")
    for each in problem.conditions:
        if isinstance(each, Given | Symmetry):
            raise NotTakenError(f"optimize does not support {each.words}: expected none")
    return Objective(name)


def measure_names() -> tuple[str, ...]:
    """The measures that an objective can have."""
    return tuple(name for name in MEASURES if any(each.endswith(name) for each in OBJECTIVES))


def _line(row: int, column: int) -> Step:
    """The direction of a step, the same for a step and its opposite."""
    row, column = row // gcd(row, column), column // gcd(row, column)
    return (row, column) if (row, column) > (0, 0) else (-row, -column)


def _is_along(line: Step, step: Step) -> bool:
    return _line(*step) == line


def _moves(counts: Callable[[Step], bool]) -> PairCost:
    """Counts moves that pass a test, each at its lower square."""
    return lambda *steps: sum(step is not None and step > (0, 0) and counts(step) for step in steps)


def _angle(measure: str) -> PairCost:
    def cost(one: Step | None, other: Step | None) -> int:
        if one is None or other is None:
            return 0
        dot = one[0] * other[0] + one[1] * other[1]
        straight = one[0] * other[1] == one[1] * other[0] and dot < 0
        found = {
            "turns": not straight,
            "straight": straight,
            "right-angles": dot == 0,
            "acute-angles": dot > 0,
            "obtuse-angles": dot < 0 and not straight,
        }
        return int(found[measure])

    return cost

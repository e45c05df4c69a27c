"""A second, exact look at a small array of step numbers that was refused.

Where every step from 1 on has just one square, the array is a walk, and the judge of walks says
what is wrong with it.  Otherwise the steps that stand on several squares are found by sorting.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from kt_cp.board import Square, square_name
from kt_cp.problem import Problem
from kt_cp.verify.findings import FEW, more
from kt_cp.verify.rules import Defect, Rule
from kt_cp.verify.squares import defects


def exact_defects(problem: Problem, array: NDArray[Any], found: list[Defect]) -> list[Defect]:
    """What is wrong with an array, where the neighbourhoods have shown that something is.

    Time and memory are those of sorting the array, and of a list of its squares.
    """
    places = np.argwhere(array != 0)
    numbers = array[array != 0]
    order = np.argsort(numbers, kind="stable")
    numbers, places = numbers[order], places[order]
    if np.array_equal(numbers, np.arange(1, len(numbers) + 1)):
        walk = [(int(row), int(column)) for row, column in places]
        return defects(problem, walk) or found  # what one judge refuses, the other cannot pass
    again = np.flatnonzero((numbers[1:] == numbers[:-1]) & (numbers[1:] > 0))
    steps = np.unique(numbers[again])
    told = [defect for defect in found if defect.rule is not Rule.REPEATED]
    for step in steps[:FEW]:
        first, end = np.searchsorted(numbers, step), np.searchsorted(numbers, step, side="right")
        squares = [(int(row), int(column)) for row, column in places[first : min(end, first + FEW)]]
        told.append(repeated(int(step), squares, int(end - first)))
    return told + more(Rule.REPEATED, len(steps) - FEW)


def repeated(step: int, squares: list[Square], many: int) -> Defect:
    """A step that stands on several squares, some of which are named."""
    listed = ", ".join(square_name(square) for square in squares)
    listed += ", …" * (many > len(squares))
    return Defect(Rule.REPEATED, step, f"step {step} repeated: {listed}")

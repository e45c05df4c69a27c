"""Classes of tours up to rotation and reflection, from the numbers of symmetric tours.

A board's symmetries that keep the question as it is are a group, and it permutes the tours.  The
number of classes is the mean, over the group, of how many tours a symmetry leaves as they are.  So
beside all tours only the symmetric ones are counted, as cycles of a quotient, on half or
a fourth of the squares: for closed 8×8 these are 2,432,932 with a half turn and none with any other
symmetry, and (13,267,364,410,532 + 2,432,932) / 8 = 1,658,420,855,433.

Source: the lemma that is not Burnside's: G. Frobenius, Journal für die reine und angewandte
Mathematik 101 (1887), 273-299.  Cost: that of all tours, and as much at most by the frontier for
each symmetry.

Two ends make the group smaller: what carries the pair to itself.  With one end given, a symmetry
carries some tours to tours of the question and others not; these are listed, class by class.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from kt_cp.counting.plan import moved
from kt_cp.enumeration.symmetry import symmetries
from kt_cp.model.conditions import MOTIONS, Given, Symmetry
from kt_cp.model.orbits import images
from kt_cp.model.problem import changed

if TYPE_CHECKING:
    from kt_cp.model.problem import Problem

Weighed = tuple[Fraction, "Problem"]
"""How much a problem's tours count, and the problem."""


def weighed(problem: Problem) -> list[Weighed] | None:
    """Problems whose tours, weighed and added, are the classes; None where they must be listed.

    Examples
    --------
    >>> from kt_cp.model.problem import Problem
    >>> [(str(part), each.label) for part, each in weighed(Problem("3x4"))]  # doctest: +ELLIPSIS
    [('1/4', '3x4, open'), ('1/4', '3x4, open, symmetric under the left-right'), ...
    """
    ends = {each for each in (problem.start, problem.end) if each is not None}
    if problem.board is None:
        return [(Fraction(1), problem)]
    if {Given, Symmetry} & {type(each) for each in problem.conditions}:
        return None
    if not problem.closed and len(ends) == 1 < problem.size:
        return None
    index = problem.indexed.index
    group = [image for image, _ in symmetries(problem, index, directed=True)]
    if not problem.closed:
        group = [
            image
            for image in group
            if {image[index[end]] for end in ends} == {index[end] for end in ends}
        ]
    found: dict[Problem, int] = {}
    for image in group:
        fixed = _symmetric(problem, np.array(image))
        if fixed is None:
            return None
        found[fixed] = found.get(fixed, 0) + 1
    return [(Fraction(many, len(group)), fixed) for fixed, many in found.items()]


def _symmetric(problem: Problem, image: np.ndarray) -> Problem | None:
    """The question for the tours that a symmetry leaves as they are."""
    if np.array_equal(image, np.arange(len(image))):
        return problem
    for motion, either in _motions(problem):
        if np.array_equal(image, either) or np.array_equal(np.argsort(image), either):
            return changed(problem, symmetry=motion)
    # What is left is the other diagonal, which is the first one of the board seen in a mirror.
    mirrored = moved(problem, "left-right")
    return None if mirrored is None else changed(mirrored, symmetry="diagonal")


def _motions(problem: Problem) -> Iterator[tuple[str, np.ndarray]]:
    board = problem.board
    assert board is not None
    square = board.rows == board.columns
    for motion in MOTIONS:
        if square or motion not in {"diagonal", "quarter-turn"}:
            yield motion, images(problem.indexed, board, motion)

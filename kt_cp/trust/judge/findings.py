"""What is wrong with an array of step numbers: a few squares of each kind, and how many there are.

An array can be wrong on every square of a hundred million.  Only the first few of each kind are
remembered, so that a judge needs no more memory for a bad array than for a good one.  A small array
that was refused is looked at once more, exactly: where every step from 1 on has just one square, it
is a walk, and the judge of walks says what is wrong with it; otherwise the steps that stand on
several squares are found by sorting.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from kt_cp.model.board import Square, describe, square_name
from kt_cp.model.problem import Problem
from kt_cp.trust.judge.conditions import TourView
from kt_cp.trust.judge.rules import FEW, Defect, Rule, is_move, more
from kt_cp.trust.judge.squares import defects

LOCAL = (Rule.MISSING, Rule.UNVISITED, Rule.ILLEGAL_MOVE)
"""Kinds that a square and its neighbours show."""


class Findings:
    """Squares that break a rule, each with its number, which should be from 1 to ``steps``.

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
        self.steps = steps
        self.many = dict.fromkeys(LOCAL, 0)
        self._named: dict[Rule, list[tuple[Square, int]]] = {rule: [] for rule in LOCAL}

    def room(self, rule: Rule) -> int:
        """How many more squares of a kind will be named."""
        return FEW - len(self._named[rule])

    def add(self, rule: Rule, many: int, named: list[tuple[Square, int]]) -> None:
        """Count some squares, and name as many of them as there is room for."""
        self.many[rule] += many
        self._named[rule] += named[: self.room(rule)]

    def defects(self) -> list[Defect]:
        """All in words."""
        found = []
        for rule, named in self._named.items():
            found += [self._told(rule, square, number) for square, number in named]
            found += more(rule, self.many[rule] - len(named))
        return found

    def _told(self, rule: Rule, square: Square, number: int) -> Defect:
        name = square_name(square)
        if rule is Rule.MISSING:
            return Defect(rule, number, f"missing square {name} used at step {number}")
        if rule is Rule.UNVISITED:
            expected = f"its number is {number}, expected 1 to {self.steps}"
            return Defect(rule, None, f"{name} unvisited: {expected}")
        where = f"no square a knight's move away holds {number - 1}"
        return Defect(rule, number, f"illegal move to {name} at step {number}: {where}")


class Ends:
    """Squares of step 1 and of the highest step, and numbers of squares that conditions name.

    Examples
    --------
    >>> from kt_cp.model.board import Board
    >>> ends = Ends(Problem(Board(3, 4)))
    >>> ends.add_firsts(1, [(0, 0)])
    >>> ends.highest, ends.last = 12, (1, 2)
    >>> ends.first, ends.close
    ((0, 0), True)
    """

    def __init__(self, problem: Problem) -> None:
        self._problem = problem
        self.highest = 0
        self.last: Square | None = None
        self.numbers: dict[Square, int] = {}
        self._firsts: list[Square] = []
        self._many = 0

    @property
    def first(self) -> Square | None:
        """The square of step 1, the first of them if there are several."""
        return self._firsts[0] if self._firsts else None

    @property
    def close(self) -> bool:
        """Whether a move leads from the last square back to the first, and a new one."""
        if self.first is None or self.last is None or self.highest < 3:
            return False
        return is_move(self._problem, self.last, self.first)

    @property
    def room(self) -> int:
        """How many more squares of step 1 will be named."""
        return FEW - len(self._firsts)

    def add_firsts(self, many: int, named: list[Square]) -> None:
        """Count some squares of step 1, and name as many as there is room for."""
        self._many += many
        self._firsts += named

    def defects(self) -> list[Defect]:
        """What is wrong with the ends of the tour, and which conditions it does not satisfy."""
        found = []
        if self._many > 1:
            found.append(repeated(1, self._firsts, self._many))

        def steps(square: Square) -> list[int]:
            number = self.numbers.get(square, 0)
            return [number] if number > 0 else []

        lasts = [] if self.last is None else [self.last]
        found += TourView(self._problem, self.highest, self._firsts, lasts, steps, tuple).defects()
        if self._problem.closed and not self.close:
            walk = self.first is not None and self.last is not None
            where = f"{describe(self.last)} to {describe(self.first)}" if walk else "an empty walk"
            text = f"not closed: no way back from {where} by a move not used yet"
            found.append(Defect(Rule.NOT_CLOSED, self.highest, text))
        return found


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


def look(
    findings: Findings,
    ends: Ends,
    by_columns: bool,
    numbers: NDArray[Any],
    linked: NDArray[np.bool_] | None,
    missing: NDArray[Any],
    corner: tuple[int, int],
) -> None:
    """Look closer at a block: remember the ends of the tour in it, and all that is wrong.

    Parameters
    ----------
    linked : array, optional
        Which numbers are linked; left out where links are judged elsewhere.
    missing : int64 array of shape (squares, 2)
        Missing squares, as places in the block.
    corner : (int, int)
        The line and the place at which the block begins.
    """
    largest = min(findings.steps, np.iinfo(numbers.dtype).max)
    there = np.ones(numbers.shape, np.bool_)
    there[tuple(missing.T)] = False
    steps = there & (numbers >= 1) & (numbers <= largest)

    def named(mask: NDArray[np.bool_], most: int) -> list[tuple[Square, int]]:
        found = []
        for at in np.flatnonzero(mask)[:most] if most else ():
            line, place = divmod(int(at), mask.shape[1])
            where = turned((corner[0] + line, corner[1] + place), by_columns)
            found.append((where, int(numbers[line, place])))
        return found

    broken = [(Rule.MISSING, ~there & (numbers != 0)), (Rule.UNVISITED, there & ~steps)]
    if linked is not None:
        broken.append((Rule.ILLEGAL_MOVE, steps & ~linked))
    for rule, where in broken:
        if many := int(np.count_nonzero(where)):
            findings.add(rule, many, named(where, findings.room(rule)))
    firsts = steps & (numbers == 1)
    if many := int(np.count_nonzero(firsts)):
        ends.add_firsts(many, [square for square, _ in named(firsts, ends.room)])
    top = int(np.max(np.where(steps, numbers, 0)))
    if top > ends.highest:
        [(ends.last, ends.highest)] = named(steps & (numbers == top), 1)


def turned(pair: tuple[int, int], by_columns: bool) -> tuple[int, int]:
    """A square from line and place, or the other way about."""
    return (pair[1], pair[0]) if by_columns else pair

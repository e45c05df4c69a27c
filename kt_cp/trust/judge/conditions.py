"""One rule for each kind of condition.

The judges of lists, of arrays and of single places read a tour in three ways.  :class:`TourView`
has what the rules need of it.  A new kind of condition is one function and one line of ``RULES``.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from kt_cp.model.board import Square, describe
from kt_cp.model.conditions import Condition, End, Forbidden, Given, Required, Start, Symmetry
from kt_cp.model.problem import Problem
from kt_cp.model.terms import terms
from kt_cp.trust.judge.rules import Defect, Rule

Move = tuple[Any, Any]


@dataclass(frozen=True)
class TourView:
    """The parts of a walk that the rules for conditions need.

    Attributes
    ----------
    length : int
        Highest step of the walk.
    firsts, lasts : sequence of squares
        Squares at step 1 and at the highest step: one each in a walk, or none; more in a faulty
        array.
    steps : callable
        Return the steps, ascending, at which a square that a condition names is visited; in a tour
        it is one.
    moves : callable
        Return the moves to judge for a condition on all moves.
    """

    problem: Problem
    length: int
    firsts: Sequence[Any]
    lasts: Sequence[Any]
    steps: Callable[[Any], Sequence[int]]
    moves: Callable[[], Iterable[Move]]

    def steps_of_move(self, here: Any, there: Any) -> tuple[int, int] | None:
        """Return the two steps of a move, or None if the walk does not make it.

        The direction matters only in a directed graph.
        """
        if self.problem.directed:
            after = {step: step + 1 for step in self.steps(here)}
            if self.problem.closed and self.length in after:
                after[self.length] = 1
            made = (pair for pair in after.items() if _contains(self.steps(there), pair[1]))
            return next(made, None)
        few, many = sorted((self.steps(here), self.steps(there)), key=len)
        for one in few:
            for other in (one - 1, one + 1):
                if _contains(many, other):
                    return min(one, other), max(one, other)
        if self.problem.closed and self.length > 2:
            for one, other in ((1, self.length), (self.length, 1)):
                if _contains(few, one) and _contains(many, other):
                    return 1, self.length
        return None

    def defects(self) -> Iterator[Defect]:
        """Yield a defect for every condition of the problem that the walk does not satisfy."""
        for condition in self.problem.conditions:
            yield from RULES[type(condition)](condition, self)


def _contains(steps: Sequence[int], step: int) -> bool:
    place = bisect_left(steps, step)
    return place < len(steps) and steps[place] == step


def named_squares(problem: Problem) -> set[Any]:
    """Return the squares that conditions name.  A symmetry concerns all squares and names none."""
    return {square for condition in problem.conditions for square in condition.squares()}


def concerns_all_moves(problem: Problem) -> bool:
    """Return whether some condition concerns all moves of a tour."""
    return any(isinstance(condition, Symmetry) for condition in problem.conditions)


def _start(condition: Start, seen: TourView) -> Iterator[Defect]:
    if seen.firsts and condition.square not in seen.firsts:
        text = f"wrong start: {describe(seen.firsts[0])}, expected {describe(condition.square)}"
        yield Defect(Rule.WRONG_START, 1, text)


def _end(condition: End, seen: TourView) -> Iterator[Defect]:
    if seen.lasts and condition.square not in seen.lasts:
        text = f"wrong end: {describe(seen.lasts[0])}, expected {describe(condition.square)}"
        yield Defect(Rule.WRONG_END, seen.length, text)


def _required(condition: Required, seen: TourView) -> Iterator[Defect]:
    if seen.steps_of_move(*condition.move) is None:
        text = f"required {terms(seen.problem).move} {condition.move_text(describe)} not made"
        yield Defect(Rule.REQUIRED_MISSING, None, text)


def _forbidden(condition: Forbidden, seen: TourView) -> Iterator[Defect]:
    made = seen.steps_of_move(*condition.move)
    if made is not None:
        move = f"{terms(seen.problem).move} {condition.move_text(describe)}"
        text = f"forbidden {move} made between steps {made[0]} and {made[1]}"
        yield Defect(Rule.FORBIDDEN_USED, made[1], text)


def _given(condition: Given, seen: TourView) -> Iterator[Defect]:
    steps = seen.steps(condition.square)
    if condition.step not in steps:
        where = f"at step {steps[0]}" if steps else "at no step"
        text = f"{describe(condition.square)} {where}, expected at step {condition.step}"
        yield Defect(Rule.WRONG_STEP, condition.step, text)


def _symmetry(condition: Symmetry, seen: TourView) -> Iterator[Defect]:
    board = seen.problem.board
    assert board is not None  # a graph cannot have a symmetry condition
    motion = MOTIONS[condition.motion]
    checked: set[Move] = set()  # of the moves that may occur again
    for here, there in seen.moves():
        if (here, there) in checked:
            continue
        if len(seen.steps(here)) > 1:
            checked.add((here, there))
        image = [motion(board.rows, board.columns, square) for square in (here, there)]
        if not all(square in board for square in image) or seen.steps_of_move(*image) is None:
            text = f"{_move_text((here, there))} is made and {_move_text(image)} is not"
            text = f"not symmetric under the {condition.motion}: {text}"
            yield Defect(Rule.NOT_SYMMETRIC, None, text)
            return


def _move_text(move: Iterable[Any]) -> str:
    return "-".join(sorted(map(describe, move)))


RULES: dict[type[Condition], Callable[[Any, TourView], Iterator[Defect]]] = {
    Start: _start,
    End: _end,
    Required: _required,
    Forbidden: _forbidden,
    Given: _given,
    Symmetry: _symmetry,
}

MOTIONS: dict[str, Callable[[int, int, Square], Square]] = {
    "half-turn": lambda rows, columns, at: (rows - 1 - at[0], columns - 1 - at[1]),
    "quarter-turn": lambda rows, _, at: (rows - 1 - at[1], at[0]),
    "left-right": lambda _, columns, at: (at[0], columns - 1 - at[1]),
    "top-bottom": lambda rows, _, at: (rows - 1 - at[0], at[1]),
    "diagonal": lambda _, __, at: (at[1], at[0]),
}
"""The image of a square under each motion, by rows, columns and the square.  It may lie off the
board."""

"""The judge of single places: tours of boards that nobody can look at as a whole.

Such a tour answers two questions, which square is at a step and at which step a square is.  At
each place asked about it must answer them consistently, with a square of the board, and be a
move away from the places before and after.  That is evidence for these places and no proof for the
others.  Conditions are judged in full, whatever places are asked about: they speak of few squares,
whose places are looked at with the others.  A symmetry alone speaks of all moves, and is judged by
those at the places.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from kt_cp.model.board import describe
from kt_cp.model.errors import SquareError
from kt_cp.model.problem import Problem
from kt_cp.trust.judge.conditions import Seen, named
from kt_cp.trust.judge.moves import is_move
from kt_cp.trust.judge.rules import Defect, Rule
from kt_cp.trust.judge.squares import stranger

if TYPE_CHECKING:
    from kt_cp.model.tour import Tour


def place_defects(problem: Problem, tour: Tour, steps: Iterable[int]) -> list[Defect]:
    """Every rule that a tour breaks at some of its steps, or between them and their neighbours.

    Parameters
    ----------
    problem : Problem
        On a board.
    tour : Tour
        Of any size.
    steps : iterable of int
        Counted from 1.

    Examples
    --------
    >>> from kt_cp.model.board import Board
    >>> from kt_cp.model.tour import Tour
    >>> tour = Tour([(0, 0), (0, 1)], board=Board(1, 2))
    >>> [str(defect) for defect in place_defects(Problem(Board(1, 2)), tour, [1, 2])]
    ['illegal move from a1 to b1 at step 2']
    """
    if tour.size != problem.size:
        text = f"{tour.size:,} steps, expected {problem.size:,}"
        return [Defect(Rule.UNVISITED, None, text)]
    found: list[Defect] = []

    def visited(square: Any) -> list[int]:
        try:
            return [tour.step(square)]
        except SquareError:
            return []

    places = list(steps)
    for square in sorted(named(problem)):
        places += visited(square)
    for step in places:
        square = tour.square(step)
        if not problem.has_square(square):
            found.append(stranger(problem, square, step))
            continue
        found += _told_otherwise(tour, step, square)
        found += _moves(problem, tour, step)

    def moves() -> Iterator[tuple[Any, Any]]:
        around = (
            (tour.square(step), tour.square(step % tour.size + 1))
            for step in places
            if problem.closed or step < tour.size
        )
        return (move for move in around if all(map(problem.has_square, move)))

    ends = [tour.square(1)], [tour.square(tour.size)]
    found += Seen(problem, tour.size, *ends, visited, moves).defects()
    return list(dict.fromkeys(found))


def _told_otherwise(tour: Tour, step: int, square: Any) -> list[Defect]:
    """What is wrong if the square at a step is not at that step when it is asked for itself."""
    try:
        place = tour.step(square)
    except SquareError:
        text = f"{describe(square)} at step {step} is unvisited when it is asked for"
        return [Defect(Rule.UNVISITED, step, text)]
    if place == step:
        return []
    text = f"{describe(square)} at step {step} and, when it is asked for, at {place}"
    return [Defect(Rule.REPEATED, step, text)]


def _moves(problem: Problem, tour: Tour, step: int) -> list[Defect]:
    """The moves to a step and from it, if they are none."""
    found = []
    for before in (step - 1, step):
        if 1 <= before < problem.size:
            here, there = tour.square(before), tour.square(before + 1)
            if not is_move(problem, here, there):
                text = f"illegal move from {describe(here)} to {describe(there)}"
                text = f"{text} at step {before + 1}"
                found.append(Defect(Rule.ILLEGAL_MOVE, before + 1, text))
    ends = step in (1, problem.size) and problem.closed
    # Two squares joined by one move are no cycle: the way back would be the same move.
    if ends and not (
        problem.size > 2 and is_move(problem, tour.square(problem.size), tour.square(1))
    ):
        text = "not closed: no way back from the last square to the first"
        found.append(Defect(Rule.NOT_CLOSED, problem.size, text))
    return found

"""The judge of squares: every rule that a claimed tour breaks, by name.

It does its own arithmetic of moves (``rules``), knows no engine, no solver and no graph of a board,
and is meant to be read in one sitting.  On a problem that is a general graph the rules are the same
and a move is legal when the graph has that edge.  Time and memory are linear in the length of the
sequence and the size of the board.

Tours of boards that nobody can look at as a whole are judged at single places.  Such a tour answers
two questions, which square is at a step and at which step a square is.  At each place asked about
it must answer them consistently, with a square of the board, and be a move away from the places
before and after.  That is evidence for these places and no proof for the others.  Conditions are
judged in full: they speak of few squares, whose places are looked at with the others.  A symmetry
alone speaks of all moves, and is judged by those at the places.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from contextlib import suppress
from itertools import islice, pairwise
from typing import TYPE_CHECKING, Any

from kt_cp.model.board import describe, parse_square
from kt_cp.model.errors import SquareError
from kt_cp.model.problem import Problem
from kt_cp.model.terms import terms
from kt_cp.trust.judge.conditions import Seen, named
from kt_cp.trust.judge.rules import Defect, Rule, is_move

if TYPE_CHECKING:
    from kt_cp.model.tour import Tour


def defects(problem: Problem, squares: Iterable[Hashable]) -> list[Defect]:
    """Every rule of a problem that a sequence of squares breaks; an empty list means a tour.

    The squares are nodes on a graph, and on a board may be names; a closed tour does not repeat its
    first one.

    Examples
    --------
    >>> from kt_cp.model.board import Board
    >>> problem = Problem(Board(3, 4), start=(0, 0))
    >>> [str(defect) for defect in defects(problem, [(0, 0), (1, 1)])][:2]
    ['illegal move from a1 to b2 at step 2', '10 squares unvisited: b1, c1, d1, a2, c2, …']
    """
    walk = list(squares if problem.board is None else map(_unnamed, squares))
    found: list[Defect] = []
    move = terms(problem).move
    no_move = "illegal move" if problem.board is not None else "no edge"
    first_visit: dict[Hashable, int] = {}
    again: dict[Hashable, list[int]] = {}
    for step, square in enumerate(walk, start=1):
        if not problem.has_square(square):
            found.append(stranger(problem, square, step))
        elif square in first_visit:
            text = f"{describe(square)} repeated at step {step}, first at {first_visit[square]}"
            found.append(Defect(Rule.REPEATED, step, text))
            again.setdefault(square, []).append(step)
        else:
            first_visit[square] = step
        if step > 1 and not is_move(problem, walk[step - 2], square):
            text = f"{no_move} from {describe(walk[step - 2])} to {describe(square)}"
            found.append(Defect(Rule.ILLEGAL_MOVE, step, f"{text} at step {step}"))
    found += _unvisited(problem, first_visit)

    def steps(square: Hashable) -> list[int]:
        return [first_visit[square], *again.get(square, ())] if square in first_visit else []

    def moves() -> Iterator[tuple[Hashable, Hashable]]:
        around = [*walk, walk[0]] if problem.closed and walk else walk
        return (move for move in pairwise(around) if all(map(problem.has_square, move)))

    found += Seen(problem, len(walk), walk[:1], walk[-1:], steps, moves).defects()
    # Two squares joined by one move are no cycle: the way back would be the same move.
    if problem.closed and not (len(walk) > 2 and is_move(problem, walk[-1], walk[0])):
        where = f"{describe(walk[-1])} to {describe(walk[0])}" if walk else "an empty walk"
        by = f"a{'n' * (move == 'edge')} {move}"
        text = f"not closed: no way back from {where} by {by} not used yet"
        found.append(Defect(Rule.NOT_CLOSED, len(walk), text))
    return found


def _unnamed(square: Hashable) -> Hashable:
    """The square of a name; what is none stays, to be found off the board."""
    if isinstance(square, str):
        with suppress(SquareError):
            return parse_square(square)
    return square


def stranger(problem: Problem, square: Hashable, step: int) -> Defect:
    """What is wrong with a square that is none of the problem's."""
    if problem.board is not None and problem.board.on_rectangle(square):
        return Defect(Rule.MISSING, step, f"missing square {describe(square)} used at step {step}")
    where = "the graph" if problem.board is None else f"the {problem.board} board"
    return Defect(Rule.OFF_BOARD, step, f"{describe(square)} at step {step} is off {where}")


def _unvisited(problem: Problem, visited: dict[Hashable, int]) -> list[Defect]:
    lacking = problem.size - len(visited)
    if not lacking:
        return []
    squares = problem.graph if problem.board is None else problem.board
    names = [*map(describe, islice((each for each in squares if each not in visited), 6))]
    listed = ", ".join(names[:5]) + (", …" if len(names) > 5 else "")
    what = f"{lacking} {terms(problem).square}{'s' * (lacking != 1)}"
    return [Defect(Rule.UNVISITED, None, f"{what} unvisited: {listed}")]


def place_defects(problem: Problem, tour: Tour, steps: Iterable[int]) -> list[Defect]:
    """Every rule that a tour breaks at some of its steps, or between them and their neighbours.

    The problem is one on a board, the tour may have any size, and steps are counted from 1.

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
    if ends and not (
        problem.size > 2 and is_move(problem, tour.square(problem.size), tour.square(1))
    ):
        text = "not closed: no way back from the last square to the first"
        found.append(Defect(Rule.NOT_CLOSED, problem.size, text))
    return found

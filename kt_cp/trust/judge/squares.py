"""The judge of squares: every rule that a claimed tour breaks, by name.

It has its own arithmetic of moves (``rules``), and uses no engine, no solver and no graph of a
board.  You can read it in one sitting.  If the problem is a general graph, the rules are the same
and a move is legal if the graph has that edge.  The judge reports the first few defects of each
rule, and the number of the others.  Time is linear in the length of the sequence.  A bad sequence
takes no more memory than a good one: eight bytes for each square of the board, or a dictionary of
the visited squares if the board is far larger than the sequence.

Tours that are too long to be read as a whole are judged at single places.  Such a tour computes the
square at a step and the step of a square.  At each judged place the two must agree, the square must
be on the board, and a move must lead to it from the place before and from it to the place after.
This is evidence for these places and no proof for the others.  Conditions are judged in full: they
name few squares, and the places of these are judged as well.  Only a symmetry concerns all moves.
It is judged by the moves at the places.
"""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import chain, islice, pairwise
from typing import TYPE_CHECKING, Any

from kt_cp.model.board import describe, parse_square
from kt_cp.model.errors import SquareError
from kt_cp.model.problem import Problem
from kt_cp.model.terms import terms
from kt_cp.trust.judge.conditions import TourView, concerns_all_moves, named_squares
from kt_cp.trust.judge.rules import FEW, Defect, Rule, is_move, more

if TYPE_CHECKING:
    from kt_cp.model.tour import Tour


SPARSE = 16
"""Ratio of the board's squares to the walk's above which a dictionary takes less memory."""


def defects(problem: Problem, squares: Iterable[Hashable]) -> list[Defect]:
    """Return every rule that a sequence of squares breaks; an empty list means a tour.

    The squares of a graph are its nodes; those of a board may be names.  A closed tour does not
    repeat its first square.  For each rule, the list has the first few defects, then one that
    counts the others.

    Examples
    --------
    >>> from kt_cp.model.board import Board
    >>> problem = Problem(Board(3, 4), start=(0, 0))
    >>> [str(defect) for defect in defects(problem, [(0, 0), (1, 1)])][:2]
    ['illegal move from a1 to b2 at step 2', '10 squares unvisited: b1, c1, d1, a2, c2, …']
    """
    walk = squares if isinstance(squares, Sequence) else list(squares)
    if problem.board is not None and any(isinstance(each, str) for each in walk):
        walk = [*map(_unnamed, walk)]
    found: list[Defect] = []
    move = terms(problem).move
    no_move = "illegal move" if problem.board is not None else f"no {move}"
    place, first_visit = _first_visits(problem, len(walk))
    on_board = problem.has_square if problem.board is None else problem.board.__contains__
    named, all_named = named_squares(problem), concerns_all_moves(problem)
    again: dict[Hashable, list[int]] = {}  # of squares that conditions name
    off = missing = repeated = illegal = 0
    before: Hashable = None
    for step, square in enumerate(walk, start=1):
        if not on_board(square):
            if _is_missing(problem, square):
                missing += 1
                listed = missing <= FEW
            else:
                off += 1
                listed = off <= FEW
            if listed:
                found.append(off_board_defect(problem, square, step))
        elif first := first_visit[place(square)]:
            repeated += 1
            if repeated <= FEW:
                text = f"{describe(square)} repeated at step {step}, first at {first}"
                found.append(Defect(Rule.REPEATED, step, text))
            if all_named or square in named:
                again.setdefault(square, [first]).append(step)
        else:
            first_visit[place(square)] = step
        if step > 1 and not is_move(problem, before, square):
            illegal += 1
            if illegal <= FEW:
                text = f"{no_move} from {describe(before)} to {describe(square)} at step {step}"
                found.append(Defect(Rule.ILLEGAL_MOVE, step, text))
        before = square
    found += more(Rule.OFF_BOARD, off - FEW)
    found += more(Rule.MISSING, missing - FEW)
    found += more(Rule.REPEATED, repeated - FEW)
    found += more(Rule.ILLEGAL_MOVE, illegal - FEW)
    visited = len(walk) - off - missing - repeated
    unvisited = (square for square in _squares(problem) if not first_visit[place(square)])
    found += _unvisited(problem, problem.size - visited, unvisited)

    def steps(square: Hashable) -> list[int]:
        first = problem.has_square(square) and first_visit[place(square)]
        return again.get(square, [first]) if first else []

    def moves() -> Iterator[tuple[Hashable, Hashable]]:
        back = [walk[0]] if problem.closed and walk else []
        return (move for move in pairwise(chain(walk, back)) if all(map(problem.has_square, move)))

    ends = ([walk[0]], [walk[-1]]) if walk else ([], [])
    found += TourView(problem, len(walk), *ends, steps, moves).defects()
    # Two squares joined by one edge are not a cycle, since the way back is the same edge.  Two
    # opposite arcs are one.
    fewest = 2 if problem.directed else 3
    if problem.closed and not (len(walk) >= fewest and is_move(problem, walk[-1], walk[0])):
        where = f"{describe(walk[-1])} to {describe(walk[0])}" if walk else "an empty walk"
        by = f"a{'n' * (move != 'move')} {move}"
        text = f"not closed: no way back from {where} by {by} not used yet"
        found.append(Defect(Rule.NOT_CLOSED, len(walk), text))
    return found


def _unnamed(square: Hashable) -> Hashable:
    """Return the square of a name; other texts are returned as they are, to be found off board."""
    if isinstance(square, str):
        with suppress(SquareError):
            return parse_square(square)
    return square


def off_board_defect(problem: Problem, square: Hashable, step: int) -> Defect:
    """Return the defect of a square that the problem does not have."""
    if _is_missing(problem, square):
        return Defect(Rule.MISSING, step, f"missing square {describe(square)} used at step {step}")
    where = "the graph" if problem.board is None else f"the {problem.board} board"
    return Defect(Rule.OFF_BOARD, step, f"{describe(square)} at step {step} is off {where}")


def _is_missing(problem: Problem, square: Hashable) -> bool:
    """Return whether a square that the problem does not have lies in the board's rectangle."""
    return problem.board is not None and problem.board.on_rectangle(square)


def _first_visits(problem: Problem, length: int) -> tuple[Callable[[Any], Any], Any]:
    """Return an index for each square, and an array for the steps of first visits; 0 means none."""
    board = problem.board
    if board is None:
        return (lambda node: node), defaultdict(int)
    columns, area = board.columns, board.rows * board.columns
    steps = array("q", bytes(8 * area)) if area <= SPARSE * length else defaultdict(int)
    return (lambda square: square[0] * columns + square[1]), steps


def _squares(problem: Problem) -> Iterable[Hashable]:
    squares: Iterable[Hashable] = problem.graph if problem.board is None else problem.board
    return squares


def _unvisited(problem: Problem, lacking: int, squares: Iterator[Hashable]) -> list[Defect]:
    if not lacking:
        return []
    names = [*map(describe, islice(squares, 6))]
    listed = ", ".join(names[:5]) + (", …" if len(names) > 5 else "")
    what = f"{lacking} {terms(problem).square}{'s' * (lacking != 1)}"
    return [Defect(Rule.UNVISITED, None, f"{what} unvisited: {listed}")]


def place_defects(problem: Problem, tour: Tour, steps: Iterable[int]) -> list[Defect]:
    """Return every rule that a tour breaks at some of its steps, or between these and the next.

    The problem is on a board, the tour may have any size, and steps are counted from 1.
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
    for square in sorted(named_squares(problem)):
        places += visited(square)
    for step in places:
        square = tour.square(step)
        if not problem.has_square(square):
            found.append(off_board_defect(problem, square, step))
            continue
        found += _inconsistent_places(tour, step, square)
        found += _moves(problem, tour, step)

    def moves() -> Iterator[tuple[Any, Any]]:
        around = (
            (tour.square(step), tour.square(step % tour.size + 1))
            for step in places
            if problem.closed or step < tour.size
        )
        return (move for move in around if all(map(problem.has_square, move)))

    ends = [tour.square(1)], [tour.square(tour.size)]
    found += TourView(problem, tour.size, *ends, visited, moves).defects()
    return list(dict.fromkeys(found))


def _inconsistent_places(tour: Tour, step: int, square: Any) -> list[Defect]:
    """Return the defect if the computed step of the square at a step is another step."""
    try:
        place = tour.step(square)
    except SquareError:
        text = f"{describe(square)} at step {step}, but it has no computed step"
        return [Defect(Rule.UNVISITED, step, text)]
    if place == step:
        return []
    text = f"{describe(square)} at step {step}, but its computed step is {place}"
    return [Defect(Rule.REPEATED, step, text)]


def _moves(problem: Problem, tour: Tour, step: int) -> list[Defect]:
    """Return the defects of the moves to a step and from it."""
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

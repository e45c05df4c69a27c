"""Which problems the dense array takes, and a problem as two halves of a board.

It takes a knight on a plane board whose shorter side is at most eight, with squares missing, a
start, an end, and moves required and forbidden; and closed tours of whole boards of width nine.
The shorter side becomes the width; of two equal ones that which makes the halves mirror images of
each other, if there is one: then a single half is swept.  Rows and columns without squares play no
part.
"""

from __future__ import annotations

from collections import Counter
from functools import cached_property
from typing import TYPE_CHECKING

from kt_cp.counting.dense.halves import Half, Square, light
from kt_cp.model.conditions import EDGES
from kt_cp.model.piece import KNIGHT
from kt_cp.model.surface import Surface

if TYPE_CHECKING:
    from kt_cp.model.board import Board
    from kt_cp.model.problem import Problem

WIDEST = 8
ON_DISK = 9
NARROWEST = 3
SHORTEST = 4
"""Sides of boards that are taken: the width, that of whole boards, and the fewest rows."""

MOST_SQUARES = 4096


def refusal(problem: Problem) -> str | None:
    """Why a problem is not taken, or None."""
    board = _board(problem)
    if board is None:
        return "it takes a knight on a plane board alone"
    other = next((each for each in problem.conditions if type(each) not in EDGES), None)
    if other is not None:
        return f"it does not take {other.words}"
    narrow = min(board.rows, board.columns)
    if narrow > ON_DISK:
        return f"it takes boards with a side of at most {ON_DISK}"
    if narrow > WIDEST and not (problem.closed and not board.missing and not problem.conditions):
        return f"beyond a side of {WIDEST} it takes closed tours of whole boards alone"
    if board.size > MOST_SQUARES:
        return f"it takes boards of at most {MOST_SQUARES:,} squares"
    sides = Question(problem).sides
    if min(sides) < NARROWEST or max(sides) < SHORTEST:
        return f"it takes boards of at least {NARROWEST}x{SHORTEST}"
    return None


def _board(problem: Problem) -> Board | None:
    """As ``Problem.whole_rectangle`` has it, but squares may be missing."""
    board = problem.board
    plane = board is not None and board.surface is Surface.PLANE
    return board if plane and problem.piece == KNIGHT else None


class Question:
    """A problem that is taken, as rows to be swept.

    Parameters
    ----------
    problem : Problem
        One of a knight on a plane board.
    lower : int
        How many rows further down than in the middle the board is cut.
    """

    def __init__(self, problem: Problem, lower: int = 0) -> None:
        board = _board(problem)
        assert board is not None
        self.problem = problem
        self._squares = set(board)
        rows, columns = ({square[side] for square in self._squares} for side in range(2))
        self._first = min(rows), min(columns)
        self.sides = max(rows) - self._first[0] + 1, max(columns) - self._first[1] + 1
        self.turned = self.sides[0] < self.sides[1]
        if self.sides[0] == self.sides[1] and not self._mirrored(False):
            self.turned = self._mirrored(True)
        self.cut = max(2, min(self.rows // 2 + lower, self.rows - 2))

    @property
    def rows(self) -> int:
        """Rows that are swept, the cut's both sides together."""
        return max(self.sides)

    @property
    def width(self) -> int:
        """Squares in a row."""
        return min(self.sides)

    @cached_property
    def single(self) -> bool:
        """Whether the lower half is the upper one's mirror image."""
        return self.rows == 2 * self.cut and self._mirrored(self.turned)

    @cached_property
    def twofold(self) -> bool:
        """Whether the board is its own mirror image the other way, on an even width."""
        return self.width % 2 == 0 and self._mirrored(not self.turned)

    @property
    def open_twofold(self) -> bool:
        """Whether the array of the light end can be left out, as a mirror image."""
        return not self.problem.closed and self.single and self.twofold

    def _mirrored(self, turned: bool) -> bool:
        """Whether the mirror that turns rows (or columns) over keeps all that is asked."""
        side = int(turned)

        def image(square: Square) -> Square:
            at = list(square)
            at[side] = 2 * self._first[side] + self.sides[side] - 1 - at[side]
            return at[0], at[1]

        squares = self._squares
        moves = self._moves
        return (
            {image(square) for square in squares} == squares
            and {frozenset(map(image, move)): must for move, must in moves.items()} == moves
            and all(self.end(square) == self.end(image(square)) for square in squares)
        )

    @cached_property
    def _moves(self) -> dict[frozenset[Square], bool]:
        """The moves that conditions speak of, and whether they are required."""
        forbidden = dict.fromkeys(map(frozenset, self.problem.forbid), False)
        return {**dict.fromkeys(map(frozenset, self.problem.require), True), **forbidden}

    def move(self, here: Square, there: Square) -> bool | None:
        """Whether a tour must have a move; None if it cannot."""
        if not self._moves:
            return False
        told = self._moves.get(frozenset((here, there)))
        return False if told is None else (told or None)

    @cached_property
    def ends(self) -> tuple[int, int] | None:
        """How many ends a tour has on dark and on light squares; None if there is no tour."""
        if set(self.problem.require) & set(self.problem.forbid):
            return None
        colours = Counter(map(light, self._squares))
        more = colours[False] - colours[True]
        if self.problem.closed:
            return (0, 0) if more == 0 else None
        return (1 + more, 1 - more) if abs(more) <= 1 else None

    def end(self, square: Square) -> bool | None:
        """Whether a tour must begin or end at a square; None if it cannot."""
        if self.problem.closed or self.ends is None:
            return None
        told = [each for each in (self.problem.start, self.problem.end) if each is not None]
        if square in told:
            return True
        left = self.ends[light(square)] - sum(light(each) == light(square) for each in told)
        return False if left > 0 and len(told) < 2 else None

    def half(self, *, lower: bool) -> Half:
        """One side of the cut, from the board's edge on."""

        def square(row: int, column: int) -> Square | None:
            if not 0 <= row < self.rows:
                return None
            at = (self.rows - 1 - row if lower else row), column
            first, second = at[::-1] if self.turned else at
            found = first + self._first[0], second + self._first[1]
            return found if found in self._squares else None

        rows = self.rows - self.cut if lower else self.cut
        return Half(self.width, rows, square, self.move, self.end, self.open_twofold)

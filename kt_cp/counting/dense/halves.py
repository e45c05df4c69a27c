"""A problem as two halves of a board, the steps of a sweep, and which problems are supported.

**Problems.**  The dense array supports a knight on a plane board with a shorter side of at most
eight, with missing squares, a start, an end, and required and forbidden moves.  It also supports
closed tours of whole boards of width nine.  The shorter side becomes the width.  If the sides are
equal, the side that makes the halves mirror images is chosen, so that a single half is swept.  Rows
and columns without squares are ignored.

**Steps.**  A board is swept from its first row, with two rows of slots.  While row r is the older
of them, edges to row r + 1 come first, then those to row r + 2.  The latter form two paths,

    (r,0)-(r+2,1)-(r,2)-(r+2,3)-...    and    (r+2,0)-(r,1)-(r+2,2)-(r,3)-...

and along them a square of row r gets its last edge when its neighbour on the path is the only
square of row r + 2 that it still lacks.  Then the square is done, and this neighbour takes over its
slot.  If the square has degree 2, the edge to the neighbour is not chosen; if it has degree 1, the
edge is chosen, and the end of the path moves to the neighbour.  The two have different colours, so
their digits are the same (see ``matchings``): the step drops states with too few edges, and moves
nothing.  So no more than two rows have slots at a time.  On odd widths the first path ends in row
r and the second begins in row r + 2 with a square of the same colour.  Then a digit changes and the
array is laid out anew, once a row.

A hole is a waiting slot: it has the digit of the last finished square there, until the next square.
If that has the other colour, nothing happens; otherwise the digit changes as before.  Holes before
the first square may have any digit.  Cost: 36 steps of edges for each two rows of width 8.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from kt_cp.model.conditions import EDGES
from kt_cp.model.piece import KNIGHT
from kt_cp.model.surface import Surface

if TYPE_CHECKING:
    from kt_cp.model.board import Board
    from kt_cp.model.problem import Problem


Square = tuple[int, int]


class Edge(NamedTuple):
    """Add an edge between a dark slot and a light one; ``optional`` is false if it is required."""

    u: int
    v: int
    optional: bool
    move: tuple[Square, Square]


class End(NamedTuple):
    """Let an open tour end in a slot; with ``must``, drop states in which it does not."""

    slot: int
    light: bool
    must: bool
    square: Square


class Turn(NamedTuple):
    """Assign a slot to the next square, and drop states with digits that may not stay.

    In states in which the degree of ``before`` is 1, the tour has the move to ``after``.
    """

    slot: int
    stay: tuple[int, ...]
    change: tuple[int, int] | None  # the only digit that stays, and the one that it becomes
    before: Square | None
    after: Square | None


Step = Edge | End | Turn


class Half(NamedTuple):
    """The rows of a board up to a cut, and two more in the slots."""

    width: int
    rows: int  # all their edges are taken, except half of those from the last row
    square: Callable[[int, int], Square | None]  # at a row and column, or None
    move: Callable[[Square, Square], bool | None]  # None if forbidden, else whether required
    end: Callable[[Square], bool | None]  # None if no open tour may end there, else whether it must
    twofold: bool = False  # whether light ends precede the dark ones of a row and follow them


def is_light(square: Square) -> bool:
    """Return whether a square has the colour of b1."""
    return bool(sum(square) & 1)


def slot_of(half: Half, row: int, column: int) -> int:
    """Return the slot of a square: the last row in the first slots, the next one in the others.

    So a half and the mirror image of the other half meet with their slots in opposite order.
    """
    width = half.width
    while row < half.rows - 1:
        row += 2
        column = column ^ 1 if width % 2 == 0 else (column + 1) % width
    return column if row == half.rows - 1 else 2 * width - 1 - column


def first_digits(half: Half) -> list[int]:
    """Return the digits of the initial state."""
    digits = [0] * (2 * half.width)
    for row in range(2):
        for column in range(half.width):
            square = half.square(row, column)
            if square is not None and is_light(square):
                digits[slot_of(half, row, column)] = 2
    return digits


def sweep_steps(half: Half) -> Iterator[list[Step]]:
    """Yield the steps of each row of the half; the last are half of those between the last rows.

    Examples
    --------
    >>> squares = {(row, column) for row in range(4) for column in range(3)}
    >>> half = Half(
    ...     3, 2, lambda *at: at if at in squares else None, lambda *_: False, lambda _: None
    ... )
    >>> [[type(step).__name__ for step in row] for row in sweep_steps(half)]
    [['Edge', 'Edge', 'Turn', 'Edge', 'Turn', 'Edge', 'Turn'], ['Edge']]
    """
    width = half.width
    waiting: dict[int, int] = {}
    for slot, digit in enumerate(first_digits(half)):
        row_column = first_square_in(half, slot)
        if half.square(*row_column) is None:
            waiting[slot] = digit

    def edge(row: int, column: int, other: int, beside: int) -> list[Step]:
        here, there = half.square(row, column), half.square(other, beside)
        must = None if here is None or there is None else half.move(here, there)
        if here is None or there is None or must is None:
            return []
        slots = slot_of(half, row, column), slot_of(half, other, beside)
        u, v = slots[::-1] if is_light(here) else slots
        return [Edge(u, v, not must, (here, there))]

    def ends(row: int) -> list[Step]:
        made: list[Step] = []
        for column in range(width):
            square = half.square(row, column)
            must = None if square is None else half.end(square)
            if square is not None and must is not None:
                made.append(End(slot_of(half, row, column), is_light(square), must, square))
        if half.twofold:
            lights = [step for step in made if isinstance(step, End) and step.light]
            return lights + [step for step in made if step not in lights] + lights
        return made

    def turn(row: int, column: int, beside: int) -> list[Step]:
        here, there = half.square(row, column), half.square(row + 2, beside)
        slot = slot_of(half, row, column)
        stay: tuple[int, ...]
        if here is None:
            digit = waiting.pop(slot)
            stay = (digit,)
        else:
            digit = 0 if is_light(here) else 2
            must = (
                None
                if there is None or is_light(here) == is_light(there)
                else half.move(here, there)
            )
            stay = (digit,) if must is None else (1,) if must else (digit, 1)
        if there is None:
            waiting[slot] = digit
            return [] if here is None else [Turn(slot, stay, None, here, None)]
        allowed = 2 if is_light(there) else 0
        change = None if allowed == digit else (digit, allowed)
        return [Turn(slot, stay, change, here, there)]

    def between(row: int, columns: range) -> list[Step]:
        return [
            step
            for column in columns
            for step in edge(row, column, row + 1, column + 2)
            + edge(row, column + 2, row + 1, column)
        ]

    for row in range(half.rows - 1):
        made = ends(0) if row == 0 else []
        made += between(row, range(0, width - 2, 2))
        made += turn(row, 0, 1 % width)
        for column in range(2, width - 1, 2):
            made += edge(row, column, row + 2, column - 1) + turn(row, column, column + 1)
        if width % 2:
            made += edge(row, width - 1, row + 2, width - 2) + turn(row, width - 1, 0)
            made += between(row, range(1, width - 2, 2))
            for column in range(1, width, 2):
                made += edge(row, column, row + 2, column - 1) + turn(row, column, column + 1)
        else:
            made += between(row, range(1, width - 2, 2)) + turn(row, width - 1, width - 2)
            for column in range(width - 3, 0, -2):
                made += edge(row, column, row + 2, column + 1) + turn(row, column, column - 1)
        yield made + ends(row + 1)
    last = half.rows - 1
    crossing = [
        step for column in range(width - 2) for step in edge(last, column, last + 1, column + 2)
    ]
    yield (ends(0) if last == 0 else []) + crossing


def first_square_in(half: Half, slot: int) -> Square:
    """Return the row and column of the first square of a slot, in the first two rows."""
    return next(
        (row, column)
        for row in range(2)
        for column in range(half.width)
        if slot_of(half, row, column) == slot
    )


WIDEST = 8
ON_DISK = 9
NARROWEST = 3
SHORTEST = 4
"""Sides of boards: the greatest width, that of whole boards, the least width, the fewest rows."""

MOST_SQUARES = 4096


def refusal(problem: Problem) -> str | None:
    """Return why a problem is not supported, or None."""
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
    sides = HalvedProblem(problem).sides
    if min(sides) < NARROWEST or max(sides) < SHORTEST:
        return f"it takes boards of at least {NARROWEST}x{SHORTEST}"
    return None


def _board(problem: Problem) -> Board | None:
    """Return the plane board of a knight, like ``Problem.whole_rectangle``, but with holes."""
    board = problem.board
    plane = board is not None and board.surface is Surface.PLANE
    return board if plane and problem.piece == KNIGHT else None


class HalvedProblem:
    """A problem as rows to sweep; the board is cut ``lower`` rows below the middle."""

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
        """The rows of both halves."""
        return max(self.sides)

    @property
    def width(self) -> int:
        """The squares in a row."""
        return min(self.sides)

    @cached_property
    def single(self) -> bool:
        """Return whether the lower half is the upper one's mirror image."""
        return self.rows == 2 * self.cut and self._mirrored(self.turned)

    @cached_property
    def twofold(self) -> bool:
        """Return whether the width is even and the problem its own mirror image left to right."""
        return self.width % 2 == 0 and self._mirrored(not self.turned)

    @property
    def open_twofold(self) -> bool:
        """Return whether the array of the light end can be omitted, as a mirror image."""
        return not self.problem.closed and self.single and self.twofold

    def _mirrored(self, turned: bool) -> bool:
        """Return whether the problem is its own mirror image, by columns if ``turned``."""
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
        """The required and forbidden moves, and whether they are required."""
        forbidden = dict.fromkeys(map(frozenset, self.problem.forbid), False)
        return {**dict.fromkeys(map(frozenset, self.problem.require), True), **forbidden}

    def move(self, here: Square, there: Square) -> bool | None:
        """Return whether a tour must have a move; None if it cannot."""
        if not self._moves:
            return False
        required = self._moves.get(frozenset((here, there)))
        return False if required is None else (required or None)

    @cached_property
    def ends(self) -> tuple[int, int] | None:
        """The ends of a tour on dark and on light squares; None if there is no tour."""
        if set(self.problem.require) & set(self.problem.forbid):
            return None
        colours = Counter(map(is_light, self._squares))
        more = colours[False] - colours[True]
        if self.problem.closed:
            return (0, 0) if more == 0 else None
        return (1 + more, 1 - more) if abs(more) <= 1 else None

    def end(self, square: Square) -> bool | None:
        """Return whether a tour must begin or end at a square; None if it cannot."""
        if self.problem.closed or self.ends is None:
            return None
        given = [each for each in (self.problem.start, self.problem.end) if each is not None]
        if square in given:
            return True
        light = is_light(square)
        left = self.ends[light] - sum(is_light(each) == light for each in given)
        return False if left > 0 and len(given) < 2 else None

    def half(self, *, lower: bool) -> Half:
        """Return the half on one side of the cut, from the board's edge on."""

        def square(row: int, column: int) -> Square | None:
            if not 0 <= row < self.rows:
                return None
            at = (self.rows - 1 - row if lower else row), column
            first, second = at[::-1] if self.turned else at
            found = first + self._first[0], second + self._first[1]
            return found if found in self._squares else None

        rows = self.rows - self.cut if lower else self.cut
        return Half(self.width, rows, square, self.move, self.end, self.open_twofold)

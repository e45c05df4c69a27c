"""The order of the steps: a board swept from its first row, with two rows of slots.

While row r is the older of two rows in the slots, first come edges to row r + 1, then those to row
r + 2.  These make two paths,

    (r,0)-(r+2,1)-(r,2)-(r+2,3)-...    and    (r+2,0)-(r,1)-(r+2,2)-(r,3)-...

and along them a square of row r gets its last edge when its neighbour on the path is the only
square of row r + 2 that it still lacks.  Then the square is done, and this neighbour takes over its
slot.  If the square has degree 2, the edge to the neighbour is not chosen; if it has degree 1, the
edge is chosen, and the end of the path moves to the neighbour.  The two have different colours, so
their digits are the same (see ``patterns``): the step drops states with too few edges, and moves
nothing.  So at no time do more than two rows have slots.  On odd widths the first path ends in row
r and the second begins in row r + 2 with a square of the same colour.  Then a digit changes and the
array is laid out anew, once a row.

A hole is a slot that waits: it has the digit of the square that was done there, until a square
comes.  If that is of the other colour nothing happens; else the digit changes as before.  Holes
before the first square wait with any digit.

Cost: 36 steps of edges for each two rows of width 8.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

Square = tuple[int, int]


class Edge(NamedTuple):
    """Add an edge between a dark slot and a light one; ``keep`` is false if it is required."""

    u: int
    v: int
    keep: bool
    move: tuple[Square, Square]


class End(NamedTuple):
    """Let an open tour end in a slot; with ``must``, drop states where it does not."""

    slot: int
    light: bool
    must: bool
    square: Square


class Turn(NamedTuple):
    """Give a slot to the next square, dropping states with other digits than those that stay.

    ``change`` has the digit before and after where it changes.  Then it is the only one that
    stays.  In states where the degree of ``before`` is 1, the tour has the move to ``after``.
    """

    slot: int
    stay: tuple[int, ...]
    change: tuple[int, int] | None
    before: Square | None
    after: Square | None


Step = Edge | End | Turn


class Half(NamedTuple):
    """The rows of a board up to a cut, and two more in the slots.

    Attributes
    ----------
    width, rows : int
        Rows whose edges among themselves, and from all but the last of them, are taken.
    square : callable
        The square at a row and column of the half, or None: outside and where one is missing.
    move : callable
        Of two squares, None if a tour cannot have the move, else whether it must.
    end : callable
        Of a square, None if no open tour may end there, else whether it must.
    twofold : bool
        Whether light ends come before the dark ones of a row and once more after them.
    """

    width: int
    rows: int
    square: Callable[[int, int], Square | None]
    move: Callable[[Square, Square], bool | None]
    end: Callable[[Square], bool | None]
    twofold: bool = False


def light(square: Square) -> bool:
    """Whether a square is of the colour that b1 has."""
    return bool(sum(square) & 1)


def slot_of(half: Half, row: int, column: int) -> int:
    """The slot of a square: the last row lies in the first slots, the one after it in the others.

    So a half and the mirror image of the other half meet with their slots in opposite order.
    """
    width = half.width
    while row < half.rows - 1:
        row += 2
        column = column ^ 1 if width % 2 == 0 else (column + 1) % width
    return column if row == half.rows - 1 else 2 * width - 1 - column


def beginning(half: Half) -> list[int]:
    """The digits of the only state before the first step."""
    digits = [0] * (2 * half.width)
    for row in range(2):
        for column in range(half.width):
            square = half.square(row, column)
            if square is not None and light(square):
                digits[slot_of(half, row, column)] = 2
    return digits


def steps(half: Half) -> Iterator[list[Step]]:
    """The steps of each row of the half, and at last half of those between the two rows there are.

    Examples
    --------
    >>> squares = {(row, column) for row in range(4) for column in range(3)}
    >>> half = Half(
    ...     3, 2, lambda *at: at if at in squares else None, lambda *_: False, lambda _: None
    ... )
    >>> [[type(step).__name__ for step in row] for row in steps(half)]
    [['Edge', 'Edge', 'Turn', 'Edge', 'Turn', 'Edge', 'Turn'], ['Edge']]
    """
    width = half.width
    waiting: dict[int, int] = {}
    for slot, digit in enumerate(beginning(half)):
        row_column = first_in(half, slot)
        if half.square(*row_column) is None:
            waiting[slot] = digit

    def edge(row: int, column: int, other: int, beside: int) -> list[Step]:
        here, there = half.square(row, column), half.square(other, beside)
        must = None if here is None or there is None else half.move(here, there)
        if here is None or there is None or must is None:
            return []
        slots = slot_of(half, row, column), slot_of(half, other, beside)
        u, v = slots[::-1] if light(here) else slots
        return [Edge(u, v, not must, (here, there))]

    def ends(row: int) -> list[Step]:
        made: list[Step] = []
        for column in range(width):
            square = half.square(row, column)
            must = None if square is None else half.end(square)
            if square is not None and must is not None:
                made.append(End(slot_of(half, row, column), light(square), must, square))
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
            digit = 0 if light(here) else 2
            must = None if there is None or light(here) == light(there) else half.move(here, there)
            stay = (digit,) if must is None else (1,) if must else (digit, 1)
        if there is None:
            waiting[slot] = digit
            return [] if here is None else [Turn(slot, stay, None, here, None)]
        wanted = 2 if light(there) else 0
        change = None if wanted == digit else (digit, wanted)
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


def first_in(half: Half, slot: int) -> Square:
    """The row and column, of the first two rows, of the square that has a slot first."""
    return next(
        (row, column)
        for row in range(2)
        for column in range(half.width)
        if slot_of(half, row, column) == slot
    )

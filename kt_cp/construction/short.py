"""Short boards with a tour that passes through blocks: what long thin ones are stretched from.

The search (:mod:`kt_cp.construction.tiles`) is given the moves of a block in every long gap.
Their propagation settles most of the board, whether the blocks fit or not.  From a third to a
hundredth of the choices fit.  So nothing clever chooses blocks: combinations of them and their
columns are tried in a random order.  Without gaps there is one search only, of boards up to 47
columns, and its "none" is a proof.

Cost: milliseconds for a board (``benchmarks/MEASURED.md``).  When it loses: a search on 4 rows may
go astray for seconds where another order of ties takes a millisecond.  Therefore no search goes on
for long, and what is undecided begins anew with other ties.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from kt_cp.construction.blocks import PERIOD, Edge, blocks
from kt_cp.construction.tiles import some, tour_through
from kt_cp.model.board import Square

LEAST = {3: 16, 4: 11, 5: 12}
"""Columns of the narrowest gap that gets a block, by rows.  Narrower ones leave too few choices;
wider ones, above all on 4 rows, too much to be searched without a block."""

MARGIN = 2
"""Least columns between a block and an end, or a side of the board: as far as a move reaches."""

CAPS = {3: (4, 8), 4: (4, 5), 5: (4, 6)}
"""Columns that may lie between a block and a side of the board, by rows: the least two for which
there are walks that join the block's lanes there.  On 3 and 5 rows an odd number has none."""

CHOICES = 300
"""Combinations of blocks and their columns that are tried."""

FIRST = 12
"""How long a search may go on at first, in polls of about a third of a millisecond."""

ROUNDS = 6
"""How often what is undecided is searched anew, each time for twice as long."""

AGAIN = 10
"""How much of it is."""


class Gap(NamedTuple):
    """Columns without an end, enough of them for a block; ``between`` the ends or beside them."""

    low: int
    columns: int
    between: bool

    def shortened(self, rows: int) -> int:
        """Columns that are left of it on the short board."""
        return LEAST[rows] + (self.columns - LEAST[rows]) % PERIOD


class Question(NamedTuple):
    """A board, and the ends of an open tour from left to right; fewer than two, of a closed one."""

    rows: int
    columns: int
    ends: tuple[Square, ...]

    def gaps(self) -> list[Gap]:
        """Where blocks are to be, from left to right."""
        marks = sorted({column for _, column in self.ends})
        return [
            Gap(left + 1, right - left - 1, left >= 0 and right < self.columns)
            for left, right in pairwise([-1, *marks, self.columns])
            if right - left - 1 >= LEAST[self.rows]
        ]

    def shortened(self) -> Question:
        """The same question about a short board.

        Examples
        --------
        >>> Question(4, 1000, ((0, 3), (3, 901))).shortened()
        Question(rows=4, columns=32, ends=((0, 3), (3, 17)))
        """

        def nearer(column: int) -> int:
            before = [gap for gap in self.gaps() if gap.low < column]
            return column - sum(gap.columns - gap.shortened(self.rows) for gap in before)

        ends = tuple((row, nearer(column)) for row, column in self.ends)
        return Question(self.rows, nearer(self.columns), ends)

    def reflected(self, turned: bool, mirrored: bool) -> Question:
        """The question upside down, or with left and right exchanged."""
        ends = [self.reflect(square, turned, mirrored) for square in self.ends]
        return Question(self.rows, self.columns, left_to_right(ends))

    def reflect(self, square: Square, turned: bool, mirrored: bool) -> Square:
        """Where a square of the board comes to lie."""
        row, column = square
        return (
            self.rows - 1 - row if turned else row,
            self.columns - 1 - column if mirrored else column,
        )


def left_to_right(ends: Sequence[Square]) -> tuple[Square, ...]:
    """Ends in the order in which questions hold them."""
    return tuple(sorted(ends, key=lambda square: (square[1], square[0])))


def short_tour(short: Question) -> tuple[list[Square], list[int]] | None:
    """A tour from the first of the ends, and the columns where its blocks begin; None if none.

    Of reflected questions only one is searched: the first end is the nearer one to a side, in the
    lower half of the board.

    Examples
    --------
    >>> order, columns = short_tour(Question(4, 20, ((0, 0), (3, 2))))
    >>> order[0], order[-1], len(order), len(columns)
    ((0, 0), (3, 2), 80, 1)
    """
    rows, columns, ends = short
    mirrored = bool(ends) and ends[0][1] > columns - 1 - ends[-1][1]
    first = short.reflected(False, mirrored).ends[:1]
    turned = bool(first) and first[0][0] > rows - 1 - first[0][0]
    found = _found(short.reflected(turned, mirrored))
    if found is None:
        return None
    order = [short.reflect(square, turned, mirrored) for square in found[0]]
    begins = [columns - PERIOD - at for at in reversed(found[1])] if mirrored else found[1]
    return (order if order[:1] == list(ends[:1]) or not ends else order[::-1]), begins


@lru_cache(maxsize=256)
def _found(short: Question) -> tuple[list[Square], list[int]] | None:
    waiting = _choices(short)
    for number in range(ROUNDS):
        undecided = []
        for forced, begins in waiting:
            order, settled = tour_through(*short, forced, seed=number, polls=FIRST << number)
            if order is not None:
                return order, begins
            if not settled:
                undecided.append((forced, begins))
        waiting = undecided[:AGAIN]
    return None


def _choices(short: Question) -> list[tuple[list[Edge], list[int]]]:
    """Moves to be forced, and the columns of their blocks."""
    options = [
        [
            (block, gap.low + before)
            for block in blocks(short.rows, between=gap.between)
            for before in _places(short.rows, gap)
        ]
        for gap in short.gaps()
    ]
    return [
        (
            [move for block, column in chosen for move in block.moves(column)],
            [column for _, column in chosen],
        )
        for chosen in some(options, CHOICES)
    ]


def _places(rows: int, gap: Gap) -> list[int]:
    """Columns of a gap that may come before its block."""
    free = gap.columns - PERIOD
    if gap.between:
        return list(range(MARGIN, free - MARGIN + 1))
    caps = [cap for cap in CAPS[rows] if free - cap >= MARGIN]
    return [cap if gap.low == 0 else free - cap for cap in caps]

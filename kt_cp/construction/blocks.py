"""Blocks of four columns that can be repeated for ever, for boards 3, 4 and 5 squares high.

A tour of a long thin board crosses every cut between two columns by a few moves.  In a *block* it
does so in *lanes*: walks from its left side to its right, which cover it, and each of which goes
on in the same lane of an equal block to the right.  So wherever a tour passes through one block it
passes through a thousand just as well, whatever its lanes are joined to at either end, and which
way it walks them.

A lane closed to a ring by letting the block's right side be its left is a cycle around a
cylinder.  So the blocks are the spanning sets of disjoint cycles, each once around, of the
knight's graph on a cylinder of four columns; a test enumerates them.  On one of two columns there
are none with one crossing for each lane, and with three the colours would change from block to
block.  Beside the two ends of a tour the number of lanes is even, between them it is odd.

Which of them were taken: of the fewest lanes, one that fits nearly everywhere (see
:mod:`kt_cp.construction.thin` for how that is tested).  Between the ends of a tour on 3 or 5 rows
it takes two, for there the colours of the squares to the left and right of a cut fix how many
lanes are walked from which colour.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from kt_cp.board import Square, parse_squares

Edge = tuple[Square, Square]

PERIOD = 4
"""Columns of a block."""

BESIDE = {
    3: ["a2 c3 d1 b2 d3 c1 / a3 b1 d2 b3 a1 c2"],
    4: ["a1 b3 c1 d3 / a2 b4 c2 d4 / a3 b1 c3 d1 / a4 b2 c4 d2"],
    5: ["a2 c1 d3 c5 b3 a1 c2 a3 b5 d4 / a4 b2 d1 c3 b1 d2 / b4 d5 / a5 c4"],
}
"""Blocks for the parts of a board to the left and right of both ends, by rows."""

BETWEEN = {
    3: ["b1 d2 / b2 d3 / a3 c2 a1 b3 c1 a2 c3 d1", "b1 d2 / a2 c3 / a3 c2 a1 b3 c1 d3 b2 d1"],
    4: ["a2 c1 d3 b4 c2 a1 b3 d4 / a3 c4 / a4 b2 d1 c3 b1 d2"],
    5: [
        "a3 b5 d4 c2 a1 b3 c1 a2 b4 d5 / a4 c5 d3 b2 d1 c3 b1 d2 / a5 c4",
        "a2 c1 / a4 b2 d1 c3 d5 b4 d3 c5 b3 a1 c2 d4 b5 a3 b1 d2 / a5 c4",
    ],
}
"""Blocks for the part between the ends."""


@dataclass(frozen=True)
class Block:
    """Lanes that cover a rectangle of ``PERIOD`` columns.

    Attributes
    ----------
    rows : int
    lanes : tuple of tuples of squares
        Each from left to right: its last square is a move away from its first, ``PERIOD`` columns
        further on.
    """

    rows: int
    lanes: tuple[tuple[Square, ...], ...]

    @classmethod
    def parse(cls, rows: int, text: str) -> Block:
        """A block written as above: names of squares, lanes apart."""
        return cls(rows, tuple(tuple(parse_squares(lane)) for lane in text.split("/")))

    def turned(self) -> Block:
        """The block upside down."""
        top = self.rows - 1
        return Block(
            self.rows,
            tuple(tuple((top - row, column) for row, column in lane) for lane in self.lanes),
        )

    def mirrored(self) -> Block:
        """The block with left and right exchanged."""
        far = PERIOD - 1
        return Block(
            self.rows,
            tuple(
                tuple((row, far - column) for row, column in reversed(lane)) for lane in self.lanes
            ),
        )

    def moves(self, column: int) -> list[Edge]:
        """Moves in a block that begins at a column, and those to its neighbours.

        Examples
        --------
        >>> Block.parse(3, "a2 c1 / b1").moves(8)[:3]
        [((0, 6), (1, 8)), ((1, 8), (0, 10)), ((0, 10), (1, 12))]
        """
        found: list[Edge] = []
        for lane in self.lanes:
            (row, into), (last, out) = lane[0], lane[-1]
            way = [(last, out - PERIOD), *lane, (row, into + PERIOD)]
            shifted = [(across, along + column) for across, along in way]
            found += pairwise(shifted)
        return found


@cache
def blocks(rows: int, *, between: bool) -> tuple[Block, ...]:
    """Blocks for boards of a height, as they are written above and reflected.

    Examples
    --------
    >>> len(blocks(3, between=False)), len(blocks(3, between=True))
    (4, 8)
    """
    found: dict[Block, None] = {}
    for text in (BETWEEN if between else BESIDE)[rows]:
        block = Block.parse(rows, text)
        for one in (block, block.turned()):
            found |= {one: None, one.mirrored(): None}
    return tuple(found)

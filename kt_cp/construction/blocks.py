"""Blocks of four columns that can be repeated for ever, for boards 3, 4 and 5 squares high.

A tour of a long thin board crosses every cut between two columns by a few moves.  In a *block* it
does so in *lanes*.  A lane is a walk from the left side of the block to its right, and goes on in
the same lane of an equal block to the right; the lanes together cover the block.  So a tour that
passes through one block passes through a thousand just as well, whatever its lanes are joined to at
either end, and in whichever direction it walks them.

Join the block's right side to its left.  Then a lane closes to a cycle around a cylinder.  So the
blocks are the spanning sets of disjoint cycles, each once around, of the knight's graph on a
cylinder of four columns; a test enumerates them.  On a cylinder of two columns there are none with
one crossing for each lane, and with three columns the colours would change from block to block.
Beside the two ends of a tour the number of lanes is even, between them it is odd.

The blocks below have the fewest lanes, and of those they fit nearly everywhere (a test of
:mod:`kt_cp.construction.thin` shows where).  Between the ends of a tour on 3 or 5 rows two blocks
are needed: there the colours of the squares to the left and right of a cut fix how many lanes are
walked from which colour.

A tour is stretched so: where it passes through a block lane by lane, let it pass through more of
them.  The tour of a short board is cut at both sides of every such block.  Each part between two
cuts becomes a tile, whose order is that of the tour's walks in it, one after the other.  Each block
becomes a zone of a strip.  The moves over the cuts are the strip's links.  Cost: one pass over the
short tour, whatever the length of the long one.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import accumulate, groupby, pairwise
from typing import NamedTuple

from kt_cp.construction.part import Part, Tile
from kt_cp.construction.strip import LaneError, Strip, Zone
from kt_cp.model.board import Square, parse_squares

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

    Each goes from left to right: its last square is a move away from its first, ``PERIOD`` columns
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


class Stretch(NamedTuple):
    """A block of a short board, by its first column and its columns; and how many to add."""

    column: int
    columns: int
    more: int


def stretched(rows: int, order: Sequence[Square], stretches: Sequence[Stretch]) -> Part:
    """The order of a tour in which blocks are repeated.

    Parameters
    ----------
    order : sequence of squares
        The tour of the short board; where it is closed it may begin anywhere but in a block.
    stretches : sequence of Stretch
        From left to right, apart from each other and from the ends of an open tour.

    Raises
    ------
    LaneError
        If one of the blocks is not passed lane by lane.

    Examples
    --------
    >>> short = [(0, 0), (0, 1), (0, 2), (0, 3)]
    >>> long = stretched(1, short, [Stretch(1, 1, 10**6)])
    >>> long.columns, long.square(10**6 + 3), long.step((0, 1000))
    (1000004, (0, 1000003), 1000)
    """
    if not stretches:
        return Tile(rows, len(order) // rows, order)
    cuts = [cut for one in stretches for cut in (one.column, one.column + one.columns)]
    begins = [0, *cuts]
    widths = [end - begin for begin, end in pairwise([*begins, len(order) // rows])]
    more = [stretches[zone // 2].more if zone % 2 else 0 for zone in range(len(begins))]
    shifts = [
        sum(more[before] * widths[before] for before in range(zone)) for zone in range(len(begins))
    ]

    def zone_of(square: Square) -> int:
        return bisect_right(cuts, square[1])

    def placed(square: Square, towards: int) -> Square:
        """On the long board: of equal blocks, in the last if the move leads to the right."""
        zone = zone_of(square)
        last = more[zone] * widths[zone] if towards > zone else 0
        return square[0], square[1] + shifts[zone] + last

    walks = [(zone, list(walk)) for zone, walk in groupby(order, key=zone_of)]
    _check(walks, widths)
    links: dict[Square, Square] = {}
    for (zone, walk), (following, onwards) in pairwise(walks):
        here, there = placed(walk[-1], following), placed(onwards[0], zone)
        if here in links or there in links:
            raise LaneError(f"two moves over cuts at {here} or {there}")
        links |= {here: there, there: here}
    zones = []
    for zone, (begin, width) in enumerate(zip(begins, widths, strict=True)):
        lanes = [walk for number, walk in walks if number == zone]
        squares = [(row, column - begin) for lane in lanes for row, column in lane]
        lengths = accumulate(len(lane) for lane in lanes[:-1])
        zones.append(Zone(Tile(rows, width, squares), 1 + more[zone], tuple(lengths)))
    return Strip(zones, links, placed(order[0], -1))


def _check(walks: Sequence[tuple[int, Sequence[Square]]], widths: Sequence[int]) -> None:
    """Refuse a block in which a walk does not lead straight to where it would begin in the next."""
    nowhere: tuple[int, Sequence[Square]] = (-1, [])
    around = [nowhere, *walks, nowhere]
    for (_, before), (zone, walk), (following, after) in zip(
        around, walks, around[2:], strict=False
    ):
        if zone % 2:
            width = widths[zone] if following > zone else -widths[zone]
            into, out = (walk[0][0], walk[0][1] + width), (walk[-1][0], walk[-1][1] - width)
            if after[:1] != [into] or before[-1:] != [out]:
                raise LaneError(f"the walk from {walk[0]} to {walk[-1]} is not a lane")

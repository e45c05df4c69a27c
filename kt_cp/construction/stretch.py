"""Stretch a tour: where it passes through a block lane by lane, let it pass through more of them.

The tour of a short board is cut at both sides of every such block.  Between the cuts lie pieces;
each becomes a tile whose order is that of the tour's walks in it, one after the other, and each
block a zone of a strip.  The moves over the cuts are the strip's links.  Cost: one pass over the
short tour, whatever the length of the long one.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate, groupby, pairwise
from typing import NamedTuple

from kt_cp.board import Square
from kt_cp.construction.part import Part, Tile
from kt_cp.construction.strip import JointError, Strip, Zone


class Stretch(NamedTuple):
    """A block of a tour's board, and how often it is to be repeated.

    Attributes
    ----------
    column : int
        Where the block begins, on the short board.
    columns : int
        Of the block.
    more : int
        How many to add.
    """

    column: int
    columns: int
    more: int


def stretched(rows: int, order: Sequence[Square], stretches: Sequence[Stretch]) -> Part:
    """The order of a tour in which blocks are repeated.

    Parameters
    ----------
    rows : int
    order : sequence of squares
        The tour of the short board; where it is closed it may begin anywhere but in a block.
    stretches : sequence of Stretch
        From left to right, apart from each other and from the ends of an open tour.

    Raises
    ------
    JointError
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
            raise JointError(f"two moves over cuts at {here} or {there}")
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
                raise JointError(f"the walk from {walk[0]} to {walk[-1]} is not a lane")

"""Stretch a tour: where it passes through a block lane by lane, let it pass through more of them.

The tour of a short board is cut at both sides of every such block.  Between the cuts lie pieces;
each becomes a tile whose order is that of the tour's walks in it, one after the other, and each
block a zone of a strip.  The moves over the cuts are the strip's links.  Cost: one pass over the
short tour, whatever the length of the long one.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from itertools import pairwise
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
    counts = [1 + stretches[zone // 2].more if zone % 2 else 1 for zone in range(len(begins))]
    widths = [end - begin for begin, end in pairwise([*begins, len(order) // rows])]
    walks: list[list[list[Square]]] = [[] for _ in begins]
    links: dict[Square, Square] = {}

    def placed(square: Square, zone: int, block: int) -> Square:
        before = sum(stretches[number].more * widths[2 * number + 1] for number in range(zone // 2))
        row, column = square
        return row, column + before + block * widths[zone]

    here = None
    for square in order:
        zone = bisect_right(cuts, square[1])
        if here is None or here[1] != zone:
            walks[zone].append([])
            if here is not None:
                last, one = here
                # Of a block that is repeated, the move to its right leaves the last one.
                left = placed(last, one, counts[one] - 1 if one < zone else 0)
                right = placed(square, zone, counts[zone] - 1 if zone < one else 0)
                if left in links or right in links:
                    raise JointError(f"two moves over cuts at {left} or {right}")
                links |= {left: right, right: left}
        walks[zone][-1].append((square[0], square[1] - begins[zone]))
        here = square, zone
    zones = []
    for width, count, lanes in zip(widths, counts, walks, strict=True):
        places = [0]
        for lane in lanes[:-1]:
            places.append(places[-1] + len(lane))
        tile = Tile(rows, width, [square for lane in lanes for square in lane])
        zones.append(Zone(tile, count, tuple(places[1:])))
    return Strip(zones, links, placed(order[0], bisect_right(cuts, order[0][1]), 0))

"""Where tiles meet: the moves over a seam by which a tour goes there and comes back, or goes on.

Two kinds of joints lie on a vertical seam between tiles, columns below 0 left of it:

* a :class:`Port` exchanges two edges: the left tile gives up ``left[0]``-``left[1]``, the right
  one ``right[0]``-``right[1]``, and ``left[0]``-``right[0]`` and ``left[1]``-``right[1]`` take
  their place.  The right tile, until then a closed tour, hangs on the left one.
* a :class:`Crossing` is one move, by which an open tour of the left tile goes on in the right one.

Both lie in the lowest six rows, which every tile has.  On horizontal seams the same serve with
rows and columns exchanged.
"""

from __future__ import annotations

from functools import cache
from itertools import product
from typing import NamedTuple

from kt_cp.board import Square
from kt_cp.construction.part import is_move

LEAST = 6
"""Rows, and columns, of the smallest tile."""


class Port(NamedTuple):
    """Two moves over a seam in exchange for an edge on each side."""

    left: tuple[Square, Square]
    right: tuple[Square, Square]


class Crossing(NamedTuple):
    """One move over a seam."""

    left: Square
    right: Square


@cache
def ports() -> list[Port]:
    """All ports.

    Examples
    --------
    >>> len(ports()), ports()[0]
    (12, Port(left=((0, -2), (2, -1)), right=((1, 0), (3, 1))))
    """
    found = []
    for one, two in product(_beside(-2, -1), repeat=2):
        # Either square may be called the first: that of the corner's colour is.
        if is_move(one, two) and sum(one) % 2 == 0:
            found += [
                Port((one, two), (three, four))
                for three, four in product(_beside(0, 1), repeat=2)
                if is_move(one, three) and is_move(two, four) and is_move(three, four)
            ]
    return found


@cache
def crossings() -> list[Crossing]:
    """All crossings.

    Examples
    --------
    >>> len(crossings()), crossings()[0]
    (28, Crossing(left=(0, -2), right=(1, 0)))
    """
    pairs = product(_beside(-2, -1), _beside(0, 1))
    return [Crossing(left, right) for left, right in pairs if is_move(left, right)]


def _beside(*columns: int) -> list[Square]:
    return [(row, column) for row in range(LEAST) for column in columns]

"""Tiles in a line, and moves across the border of two: forth and back, or on.

There are two ways across a vertical border, with columns below 0 to the left of it:

* a :class:`Port` exchanges two edges: the left tile gives up ``left[0]``-``left[1]``, the right
  tile ``right[0]``-``right[1]``, and ``left[0]``-``right[0]`` and ``left[1]``-``right[1]`` take
  their place.  The right tile, until then a closed tour, hangs on the left one.
* a :class:`Crossing` is one move, by which an open tour of the left tile goes on in the right one.

Both lie in the lowest six rows, which every tile has.  On horizontal borders the same serve with
rows and columns exchanged.

Source: joining tours by exchanging edges is the method of A. J. Schwenk, "Which rectangular
chessboards have a knight's tour?", Mathematics Magazine 64 (1991).

A strip is laid out so: the sides of the board are cut into tiles, zones are put in a line, and
their borders are joined.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import NamedTuple

from kt_cp.construction.part import Part, is_move
from kt_cp.construction.strip import Strip, Zone
from kt_cp.model.board import Square

LEAST = 6
"""Rows, and columns, of the smallest tile."""


class Port(NamedTuple):
    """Two moves across a border in exchange for an edge on each side."""

    left: tuple[Square, Square]
    right: tuple[Square, Square]


class Crossing(NamedTuple):
    """One move across a border."""

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


@dataclass(frozen=True)
class Cuts:
    """A side of the board cut into ``count`` pieces of six, and one of six to eleven.

    That one is number ``odd``, from 0, and its length is ``length``.
    """

    count: int
    odd: int
    length: int

    @classmethod
    def around(cls, side: int, place: int) -> Cuts:
        """The cuts for which the piece of another length holds a place.

        Examples
        --------
        >>> Cuts.around(20, 9), Cuts.around(20, 19)
        (Cuts(count=3, odd=1, length=8), Cuts(count=3, odd=2, length=8))
        """
        count = side // LEAST
        return cls(count, min(place // LEAST, count - 1), LEAST + side % LEAST)

    def piece(self, place: int) -> int:
        """Number of the piece that holds a place."""
        beyond = place - self.begin(self.odd) - self.length
        return min(place // LEAST, self.odd) if beyond < 0 else self.odd + 1 + beyond // LEAST

    def begin(self, piece: int) -> int:
        """Place where a piece begins."""
        return LEAST * piece + (self.length - LEAST if piece > self.odd else 0)

    def extent(self, piece: int) -> int:
        """Length of a piece."""
        return self.length if piece == self.odd else LEAST

    def runs(self, low: int, high: int) -> list[tuple[int, int]]:
        """Lengths of the pieces from ``low`` to before ``high``, each with how often it comes.

        Examples
        --------
        >>> Cuts.around(44, 20).runs(0, 7)
        [(6, 3), (8, 1), (6, 3)]
        """
        if not low <= self.odd < high or self.length == LEAST:
            return [(LEAST, high - low)] if high > low else []
        runs = [(LEAST, self.odd - low), (self.length, 1), (LEAST, high - self.odd - 1)]
        return [(length, count) for length, count in runs if count]


class Line:
    """A strip that is being laid out, from left to right or upwards; ``length`` squares so far."""

    def __init__(self, *, upwards: bool = False) -> None:
        self.length = 0
        self._upwards = upwards
        self._zones: list[Zone] = []
        self._links: dict[Square, Square] = {}

    def add(self, part: Part, count: int = 1, cuts: Iterable[int] = ()) -> None:
        """Put a zone at the end."""
        self._zones.append(Zone(part, count, tuple(sorted(cuts))))
        self.length += count * (part.rows if self._upwards else part.columns)

    def hang(self, port: Port, across: int = 0) -> None:
        """Join what was added last and what comes next by a port.

        The tiles with the port begin at the place ``across`` the line.
        """
        for left, right in zip(port.left, port.right, strict=True):
            self.cross(Crossing(left, right), across)

    def cross(self, crossing: Crossing, across: int = 0) -> None:
        """The same by a single move."""
        here, there = (self._at(square, across) for square in crossing)
        self._links[here] = there
        self._links[there] = here

    def strip(self, start: Square) -> Strip:
        """The strip, its order beginning at a square."""
        return Strip(self._zones, self._links, start, upwards=self._upwards)

    def _at(self, square: Square, across: int) -> Square:
        row, column = square
        if self._upwards:
            return column + self.length, row + across
        return row + across, column + self.length

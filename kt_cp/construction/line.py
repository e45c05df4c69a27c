"""Lay out a strip: the sides of the board cut into tiles, zones put in a line, seams joined."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from kt_cp.board import Square
from kt_cp.construction.joints import LEAST, Crossing, Port
from kt_cp.construction.part import Part
from kt_cp.construction.strip import Strip, Zone


@dataclass(frozen=True)
class Cuts:
    """A side of the board cut into pieces of six, and one of six to eleven.

    Attributes
    ----------
    count : int
        Number of pieces.
    odd : int
        Number, from 0, of the one whose length is ``length``.
    length : int
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
    """A strip that is being laid out, from left to right or upwards.

    Attributes
    ----------
    length : int
        Squares along the line so far.
    """

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

        Parameters
        ----------
        across : int
            Where the tiles with the port begin, across the line.
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

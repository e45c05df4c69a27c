"""Where the tiles of a rectangle lie, and which of them hang on which."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kt_cp.board import Square
from kt_cp.construction.joints import Crossing
from kt_cp.construction.line import Cuts
from kt_cp.construction.tiles import ABOVE, BELOW, LEFT, RIGHT, Found


@dataclass(frozen=True)
class Core:
    """Tiles of one row that are crossed one after the other, the last of them on the trunk.

    Attributes
    ----------
    tiles : sequence of (Found, int)
        From left to right, with how often each comes.
    crossing : Crossing or None
        The move from each to the next.
    """

    tiles: Sequence[tuple[Found, int]]
    crossing: Crossing | None = None

    @property
    def on_trunk(self) -> Found:
        """The last tile."""
        return self.tiles[-1][0]


@dataclass(frozen=True)
class Plan:
    """The board cut into tiles.

    Attributes
    ----------
    high, wide : Cuts
        Tile rows and tile columns; the start lies in those that are called odd.
    top, trunk : int
        Tile row and tile column of the end.
    """

    high: Cuts
    wide: Cuts
    top: int
    trunk: int

    @classmethod
    def between(cls, rows: int, columns: int, start: Square, end: Square | None) -> Plan:
        """Cut a board so that the start lies in the odd tile."""
        high, wide = Cuts.around(rows, start[0]), Cuts.around(columns, start[1])
        if end is None:
            return cls(high, wide, high.odd, wide.odd)
        return cls(high, wide, high.piece(end[0]), wide.piece(end[1]))

    @property
    def low(self) -> int:
        """Tile row of the start."""
        return self.high.odd

    @property
    def near(self) -> int:
        """Tile column of the start."""
        return self.wide.odd

    @property
    def across(self) -> int:
        """Column where the trunk begins."""
        return self.wide.begin(self.trunk)

    @property
    def width(self) -> int:
        """Width of the trunk."""
        return self.wide.extent(self.trunk)

    @property
    def left(self) -> list[str]:
        """Where the first tile of a row on the trunk needs a port: nowhere at the border."""
        return [LEFT] if self.trunk > 0 else []

    @property
    def right(self) -> list[str]:
        """The same for the last."""
        return [RIGHT] if self.trunk + 1 < self.wide.count else []

    @property
    def below(self) -> list[str]:
        """The same for the lowest tile of the trunk that is crossed."""
        return [BELOW] if self.low > 0 else []

    @property
    def above(self) -> list[str]:
        """The same for the highest."""
        return [ABOVE] if self.top + 1 < self.high.count else []

    def local(self, square: Square, row: int, column: int) -> Square:
        """Square of a tile for one of the board."""
        return square[0] - self.high.begin(row), square[1] - self.wide.begin(column)

"""Where the tiles of a rectangle lie, and which of them hang on which.

The tiles on the way from the start to the end of the tour are found one after the other.  They must
fit together: where the way leaves one tile it enters the next, and all tiles on the trunk need
ports for what hangs on them.  Crossings are tried in turn until every tile is found.  A test shows
that the first one of the right colour nearly always does.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import product
from typing import TypeVar

from kt_cp.construction.line import LEAST, Crossing, Cuts, crossings
from kt_cp.construction.part import is_move
from kt_cp.construction.tiles import (
    ABOVE,
    BELOW,
    LEFT,
    RIGHT,
    Found,
    NoTileError,
    border_square,
    choose,
    through,
)
from kt_cp.model.board import Square


@dataclass(frozen=True)
class Core:
    """Tiles of one row that are crossed one after the other, the last of them on the trunk.

    They come from left to right, each so often as is said; ``crossing`` leads from one to the next.
    """

    tiles: Sequence[tuple[Found, int]]
    crossing: Crossing | None = None

    @property
    def on_trunk(self) -> Found:
        """The last tile."""
        return self.tiles[-1][0]


@dataclass(frozen=True)
class Plan:
    """The board cut into tile rows and tile columns; the start lies in those that are called odd.

    The end lies in tile row ``top`` and tile column ``trunk``.
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

    def inner(self, *sides: str) -> list[str]:
        """Those sides of the way over the trunk that need a port: none at the border."""
        beyond = {
            LEFT: self.trunk > 0,
            RIGHT: self.trunk + 1 < self.wide.count,
            BELOW: self.low > 0,
            ABOVE: self.top + 1 < self.high.count,
        }
        return [side for side in sides if beyond[side]]

    def local(self, square: Square, row: int, column: int) -> Square:
        """Square of a tile for one of the board."""
        return square[0] - self.high.begin(row), square[1] - self.wide.begin(column)


Result = TypeVar("Result")


def route(
    plan: Plan, start: Square, end: Square | None, closed: bool, seed: int = 0
) -> tuple[list[tuple[Core, int]], Crossing | None]:
    """Rows of tiles on the way, from below, with how often each comes; and how the trunk goes on.

    NoTileError is raised if some tile is not found.
    """
    here = plan.local(start, plan.low, plan.near)
    there = None if end is None else plan.local(end, plan.top, plan.trunk)
    if plan.top > plan.low:
        assert there is not None
        return _first(lambda up: _climb(plan, here, there, up, seed))
    sides = plan.inner(BELOW, RIGHT, ABOVE)
    if plan.trunk > plan.near:
        assert there is not None
        return [(_along(plan, here, there, sides, seed), 1)], None
    height = plan.high.length
    ends = _ends(height, plan.width, here, there, closed)
    tile = choose(height, plan.width, ends, [*plan.inner(LEFT), *sides], seed=seed)
    return [(Core([(tile, 1)]), 1)], None


def _climb(
    plan: Plan, here: Square, there: Square, up: Crossing, seed: int
) -> tuple[list[tuple[Core, int]], Crossing]:
    """From the row of the start up to that of the end."""
    width, sides = plan.width, plan.inner(LEFT, RIGHT)
    into = border_square(up.right, BELOW, LEAST, width)
    out = border_square(up.left, ABOVE, plan.high.length, width)
    last = choose(LEAST, width, [(into, there)], [*sides, *plan.inner(ABOVE)], seed=seed)
    rows = [(Core([(last, 1)]), 1)]
    between = plan.top - plan.low - 1
    if between:
        ends = through(up, LEAST, width, upwards=True)
        rows.insert(0, (Core([(choose(LEAST, width, [ends], sides), 1)]), between))
    if plan.trunk == plan.near:
        root = choose(
            plan.high.length, width, [(here, out)], [*plan.inner(BELOW), *sides], seed=seed
        )
        return [(Core([(root, 1)]), 1), *rows], up
    return [(_along(plan, here, out, plan.inner(BELOW, RIGHT), seed), 1), *rows], up


def _along(plan: Plan, here: Square, there: Square, sides: list[str], seed: int) -> Core:
    """From the tile of the start to the trunk, in one row."""
    height, width = plan.high.length, plan.wide.length
    between = plan.trunk - plan.near - 1
    left = [LEFT] if plan.near > 0 else []

    def attempt(crossing: Crossing) -> Core:
        out = border_square(crossing.left, RIGHT, height, width)
        into = border_square(crossing.right, LEFT, height, LEAST)
        tiles = [(choose(height, width, [(here, out)], left, seed=seed), 1)]
        if between:
            tiles.append((choose(height, LEAST, [through(crossing, height, LEAST)], []), between))
        tiles.append((choose(height, LEAST, [(into, there)], sides, seed=seed), 1))
        return Core(tiles, crossing)

    return _first(attempt)


def _ends(
    rows: int, columns: int, here: Square, there: Square | None, closed: bool
) -> list[tuple[Square, Square]]:
    """Ends of a tour of one tile, as far as they are given."""
    if there is not None:
        return [(here, there)]
    squares = product(range(rows), range(columns))
    return [(here, square) for square in squares if not closed or is_move(here, square)]


def _first(attempt: Callable[[Crossing], Result]) -> Result:
    """The first success of any crossing."""
    for crossing in crossings():
        try:
            return attempt(crossing)
        except NoTileError:
            continue
    raise NoTileError("no crossing leads from start to end")

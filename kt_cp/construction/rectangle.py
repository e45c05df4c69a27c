"""Tours of all rectangles with both sides from 6, between any two squares of fitting colours.

The board is cut into tiles of 6 × 6, but for one tile row and one tile column that are up to 11
high and wide and contain the start: whatever is odd about the board is there.  The tour goes from
the tile of the start along its tile row to the tile column of the end (the *trunk*), and up the
trunk to the tile of the end.  It crosses the tiles on the way one after the other.  All others hang
on it: tile rows on the trunk, to its left and right, and the rest of the trunk, with its own rows,
above and below.  Where start and end share a tile, or the tour is closed, only the trunk is left::

    ── ── ── ║ ──        ──  hangs to the left or right: entered by a port, and left by it
    ── ── ── T ──        ║   hangs above or below, and so does all that hangs on it
    ── ── ── ↑ ──        ↑→  crossed: an open tour from one side to another
    ── S → → ↑ ──
    ── ── ── ║ ──

A board has at most ten kinds of tiles, whatever its size.  Where the area is odd the start's tile
is odd both ways, so that it alone has more squares of one colour, as the whole board does.

It never fails: there are finitely many kinds of tiles (by size, ends and ports), and a test finds
all of them.  So every rectangle with sides from 6 has a tour between any two squares which the
colours allow, which for squares was shown by A. Conrad, T. Hindrichs, H. Morsy and I. Wegener,
"Solution of the knight's Hamiltonian path problem on chessboards", Discrete Applied Mathematics 50
(1994).  Cutting off tiles of bounded size is P. Cull and J. De Curtins, "Knight's tour revisited",
Fibonacci Quarterly 16 (1978).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import product
from typing import TypeVar

from kt_cp.board import Square
from kt_cp.construction.joints import LEAST, Crossing, Port, crossings
from kt_cp.construction.line import Cuts, Line
from kt_cp.construction.part import is_move
from kt_cp.construction.strip import Strip
from kt_cp.construction.tiles import (
    ABOVE,
    BELOW,
    LEFT,
    RIGHT,
    Found,
    NoTileError,
    choose,
    edge,
    hung,
    joint,
    through,
)

Result = TypeVar("Result")


def rectangle(rows: int, columns: int, *, closed: bool, start: Square, end: Square | None) -> Strip:
    """Order of a tour of a board with both sides from 6.

    Parameters
    ----------
    rows, columns : int
    closed : bool
    start : square
    end : square or None
        Not lower than the start and not to its left, counted in tiles.  None for any.

    Raises
    ------
    NoTileError
        If a tile is not found; for ends of the right colours that never happens.

    Examples
    --------
    >>> tour = rectangle(10**9, 10**9 + 1, closed=True, start=(0, 0), end=None)
    >>> tour.square(0), tour.square(10**18), tour.step((5000, 776))
    """
    return _Plan.between(rows, columns, start, end).board(start, end, closed)


@dataclass(frozen=True)
class _Core:
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
class _Plan:
    """The board cut into tiles, and which of them lie on the trunk.

    ``low`` and ``top`` are the tile rows of start and end, ``near`` and ``trunk`` their columns.
    """

    high: Cuts
    wide: Cuts
    top: int
    trunk: int

    @classmethod
    def between(cls, rows: int, columns: int, start: Square, end: Square | None) -> _Plan:
        """Cut a board so that the start lies in the odd tile."""
        high, wide = Cuts.around(rows, start[0]), Cuts.around(columns, start[1])
        if end is None:
            return cls(high, wide, high.odd, wide.odd)
        return cls(high, wide, high.piece(end[0]), wide.piece(end[1]))

    @property
    def low(self) -> int:
        return self.high.odd

    @property
    def near(self) -> int:
        return self.wide.odd

    def board(self, start: Square, end: Square | None, closed: bool) -> Strip:
        """The whole board, row by row upwards."""
        across = self.wide.begin(self.trunk)
        cores, up = self._cores(start, end, closed)
        line = Line(upwards=True)
        if self.low > 0:
            below = cores[0][0].on_trunk.ports[BELOW]
            self._spine(line, below, self.low)
            line.hang(below, across)
        for number, (core, count) in enumerate(cores):
            if number and up is not None:
                line.cross(up, across)
            row = self._row(core)
            used = {BELOW, ABOVE} & set(core.on_trunk.ports)
            line.add(row, count, [self._cut(row, core.on_trunk, side) for side in used])
        beyond = self.high.count - 1 - self.top
        if beyond:
            above = cores[-1][0].on_trunk.ports[ABOVE]
            line.hang(above, across)
            self._spine(line, above, beyond)
        return line.strip(start)

    def _spine(self, line: Line, port: Port, count: int) -> None:
        """Add rows that hang above or below one another."""
        width = self.wide.extent(self.trunk)
        found = hung(port, LEAST, width, ABOVE, self._sides())
        core = _Core([(found, 1)])
        row = self._row(core)
        line.add(row, count, [self._cut(row, found, ABOVE)])

    def _row(self, core: _Core) -> Strip:
        """A whole row of tiles: the core, and what hangs to its left and right."""
        (first, _), height = core.tiles[0], core.on_trunk.tile.rows
        begin = self.trunk + 1 - sum(count for _, count in core.tiles)
        line = Line()
        if begin > 0:
            self._chain(line, first.ports[LEFT], height, 0, begin)
            line.hang(first.ports[LEFT])
        start = (first.tile.order[0][0], first.tile.order[0][1] + line.length)
        for number, (found, count) in enumerate(core.tiles):
            if number and core.crossing is not None:
                line.cross(core.crossing)
            # Ports to the left and right are used here; those above and below, when rows meet.
            used = {LEFT, RIGHT} & set(found.ports)
            line.add(found.tile, count, [found.cut(side) for side in used])
        if self.trunk + 1 < self.wide.count:
            line.hang(core.on_trunk.ports[RIGHT])
            self._chain(line, core.on_trunk.ports[RIGHT], height, self.trunk + 1, self.wide.count)
        return line.strip(start)

    def _chain(self, line: Line, port: Port, height: int, low: int, high: int) -> None:
        """Add tiles that hang one beside the other."""
        for number, (width, count) in enumerate(self.wide.runs(low, high)):
            if number:
                line.hang(port)
            found = hung(port, height, width, RIGHT)
            line.add(found.tile, count, [found.cut(RIGHT)])

    def _cut(self, row: Strip, found: Found, side: str) -> int:
        """Place before which the order of a row is cut at a port of its tile on the trunk."""
        across = self.wide.begin(self.trunk)
        squares = edge(found.ports[side], side, found.tile.rows, found.tile.columns)
        return max(row.step((line, column + across)) for line, column in squares)

    def _cores(
        self, start: Square, end: Square | None, closed: bool
    ) -> tuple[list[tuple[_Core, int]], Crossing | None]:
        """The tiles on the way from start to end, row by row with how often each row comes."""
        height, width = self.high.length, self.wide.length
        here = self._local(start, self.low, self.near)
        sides = [BELOW] * (self.low > 0)
        if self.top == self.low:
            sides += self._above()
        if end is None or (self.top, self.trunk) == (self.low, self.near):
            there = None if end is None else self._local(end, self.low, self.near)
            ends = _ends(height, width, here, there, closed)
            root = choose(height, width, ends, [*sides, *self._sides()])
            return [(_Core([(root, 1)]), 1)], None
        there = self._local(end, self.top, self.trunk)
        if self.top == self.low:
            return [(self._across(here, there, [*sides, *self._right()]), 1)], None
        return _first(lambda up: self._climb(here, there, up, sides))

    def _climb(
        self, here: Square, there: Square, up: Crossing, sides: list[str]
    ) -> tuple[list[tuple[_Core, int]], Crossing]:
        """Way from the row of the start up to that of the end."""
        width = self.wide.extent(self.trunk)
        between = self.top - self.low - 1
        last = choose(
            LEAST,
            width,
            [(joint(up.right, BELOW, LEAST, width), there)],
            [*self._sides(), *self._above()],
        )
        cores = [(_Core([(last, 1)]), 1)]
        if between:
            crossed = choose(LEAST, width, [through(up, LEAST, width, upwards=True)], self._sides())
            cores.insert(0, (_Core([(crossed, 1)]), between))
        exit_ = joint(up.left, ABOVE, self.high.length, width)
        if self.trunk == self.near:
            root = choose(self.high.length, width, [(here, exit_)], [*sides, *self._sides()])
            base = _Core([(root, 1)])
        else:
            base = self._across(here, exit_, [*sides, *self._right()])
        return [(base, 1), *cores], up

    def _across(self, here: Square, there: Square, sides: list[str]) -> _Core:
        """Way from the start to a square of the trunk in the same row."""
        height = self.high.length
        left = [LEFT] * (self.near > 0)
        between = self.trunk - self.near - 1

        def attempt(crossing: Crossing) -> _Core:
            out = joint(crossing.left, RIGHT, height, self.wide.length)
            into = joint(crossing.right, LEFT, height, LEAST)
            tiles = [(choose(height, self.wide.length, [(here, out)], left), 1)]
            if between:
                crossed = choose(height, LEAST, [through(crossing, height, LEAST)], [])
                tiles.append((crossed, between))
            tiles.append((choose(height, LEAST, [(into, there)], sides), 1))
            return _Core(tiles, crossing)

        return _first(attempt)

    def _sides(self) -> list[str]:
        """Where tiles of the trunk need ports beside it."""
        return [LEFT] * (self.trunk > 0) + self._right()

    def _right(self) -> list[str]:
        return [RIGHT] * (self.trunk + 1 < self.wide.count)

    def _above(self) -> list[str]:
        return [ABOVE] * (self.top + 1 < self.high.count)

    def _local(self, square: Square, row: int, column: int) -> Square:
        return square[0] - self.high.begin(row), square[1] - self.wide.begin(column)


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

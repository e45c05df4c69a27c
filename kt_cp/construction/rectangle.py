"""Tours of all rectangles with both sides from 6, between any two squares of fitting colours.

The board is cut into tiles of 6 × 6.  Only one tile row and one tile column are up to 11 high and
wide.  They contain the start, so all odd sides are there.  The tour goes from the tile of the start
along its tile row to the tile column of the end (the *trunk*), and up the trunk to the tile of the
end.  It crosses the tiles on this way one after the other.  All others hang on it: tile rows hang
on the trunk, to its left and right, and the rest of the trunk, with its own rows, hangs above and
below.  Where start and end share a tile, or the tour is closed, only the trunk is left::

    ── ── ── ║ ──        ──  hangs to the left or right: entered by a port, and left by it
    ── ── ── T ──        ║   hangs above or below, and so does all that hangs on it
    ── ── ── ↑ ──        ↑→  crossed: an open tour from one side to another
    ── S → → ↑ ──
    ── ── ── ║ ──

Tiles on the way from start to end must fit together: each is entered where the last one is left,
and all tiles on the trunk need ports for what hangs on them.  Crossings are tried in turn until
every tile is found; nearly always the first one of the right colour succeeds.

A board has at most ten kinds of tiles, whatever its size.  If the area is odd, both sides of the
start's tile are odd, so that it alone has more squares of one colour, as the whole board does.

It never fails: there are finitely many kinds of tiles (by size, ends and ports), and a test finds
all of them (``tests/construction/test_rectangle.py``).  So every rectangle with sides from 6 has a
tour between any two squares that the colours allow.

Sources: for square boards this was shown by A. Conrad, T. Hindrichs, H. Morsy and I. Wegener,
"Solution of the knight's Hamiltonian path problem on chessboards", Discrete Applied Mathematics 50
(1994).  Cutting off tiles of bounded size is P. Cull and J. De Curtins, "Knight's tour revisited",
Fibonacci Quarterly 16 (1978).  The division into four quadrants of text 003 is in
``kt_cp/sources/structured.py``; it serves even sides only, and closed tours.  Cost: a plan takes
milliseconds, whatever the size.  When it loses: its tours are regular, and few of a board's many.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import product
from typing import TypeVar

from kt_cp.construction.parts import Part, Strip, Zone, is_move
from kt_cp.construction.tiles import (
    ABOVE,
    BELOW,
    LEAST,
    LEFT,
    RIGHT,
    Crossing,
    NoTileError,
    Port,
    PortedTile,
    border_square,
    choose_tile,
    crossing_ends,
    crossings,
    hanging_tile,
    port_edge,
)
from kt_cp.model.board import Square


@dataclass(frozen=True)
class Cuts:
    """A side of the board cut into ``count`` intervals of six, except one of six to eleven.

    The exceptional interval has the number ``odd``, from 0, and the length ``length``.
    """

    count: int
    odd: int
    length: int

    @classmethod
    def around(cls, side: int, place: int) -> Cuts:
        """Cut a side so that the interval of another length contains a place.

        >>> Cuts.around(20, 9), Cuts.around(20, 19)
        (Cuts(count=3, odd=1, length=8), Cuts(count=3, odd=2, length=8))
        """
        count = side // LEAST
        return cls(count, min(place // LEAST, count - 1), LEAST + side % LEAST)

    def interval(self, place: int) -> int:
        """Return the number of the interval that contains a place."""
        beyond = place - self.begin(self.odd) - self.length
        return min(place // LEAST, self.odd) if beyond < 0 else self.odd + 1 + beyond // LEAST

    def begin(self, interval: int) -> int:
        """Return the place where an interval begins."""
        return LEAST * interval + (self.length - LEAST if interval > self.odd else 0)

    def extent(self, interval: int) -> int:
        """Return the length of an interval."""
        return self.length if interval == self.odd else LEAST

    def runs(self, low: int, high: int) -> list[tuple[int, int]]:
        """Return the lengths of intervals from ``low`` to before ``high``, each with its repeats.

        >>> Cuts.around(44, 20).runs(0, 7)
        [(6, 3), (8, 1), (6, 3)]
        """
        if not low <= self.odd < high or self.length == LEAST:
            return [(LEAST, high - low)] if high > low else []
        runs = [(LEAST, self.odd - low), (self.length, 1), (LEAST, high - self.odd - 1)]
        return [(length, count) for length, count in runs if count]


class Line:
    """A strip under construction, from left to right or upwards; ``length`` squares so far."""

    def __init__(self, *, upwards: bool = False) -> None:
        self.length = 0
        self._upwards = upwards
        self._zones: list[Zone] = []
        self._links: dict[Square, Square] = {}

    def add(self, part: Part, count: int = 1, cuts: Iterable[int] = ()) -> None:
        """Append a zone."""
        self._zones.append(Zone(part, count, tuple(sorted(cuts))))
        self.length += count * (part.rows if self._upwards else part.columns)

    def hang(self, port: Port, across: int = 0) -> None:
        """Join the last zone and the next one by a port.

        The tiles with the port begin at the place ``across`` the line.
        """
        for left, right in zip(port.left, port.right, strict=True):
            self.cross(Crossing(left, right), across)

    def cross(self, crossing: Crossing, across: int = 0) -> None:
        """Join the last zone and the next one by a single move."""
        here, there = (self._at(square, across) for square in crossing)
        self._links[here] = there
        self._links[there] = here

    def strip(self, start: Square) -> Strip:
        """Return the strip, its order beginning at a square."""
        return Strip(self._zones, self._links, start, upwards=self._upwards)

    def _at(self, square: Square, across: int) -> Square:
        row, column = square
        if self._upwards:
            return column + self.length, row + across
        return row + across, column + self.length


@dataclass(frozen=True)
class Core:
    """Tiles of one row that are crossed from left to right, the last of them on the trunk.

    Each has the number of its copies; ``crossing`` leads from one to the next.
    """

    tiles: Sequence[tuple[PortedTile, int]]
    crossing: Crossing | None = None

    @property
    def on_trunk(self) -> PortedTile:
        """The last tile."""
        return self.tiles[-1][0]


@dataclass(frozen=True)
class Plan:
    """The board cut into tile rows and tile columns; the start lies in the odd ones.

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
        return cls(high, wide, high.interval(end[0]), wide.interval(end[1]))

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
        """Return the sides of the trunk that need a port, which are not at the border."""
        beyond = {
            LEFT: self.trunk > 0,
            RIGHT: self.trunk + 1 < self.wide.count,
            BELOW: self.low > 0,
            ABOVE: self.top + 1 < self.high.count,
        }
        return [side for side in sides if beyond[side]]

    def local(self, square: Square, row: int, column: int) -> Square:
        """Return the square of a tile for one of the board."""
        return square[0] - self.high.begin(row), square[1] - self.wide.begin(column)


Result = TypeVar("Result")


def plan_route(
    plan: Plan, start: Square, end: Square | None, closed: bool, seed: int
) -> tuple[list[tuple[Core, int]], Crossing | None]:
    """Return the rows of tiles on the way, from below, with their copies; and the trunk's crossing.

    Raise NoTileError if a tile is not found.
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
    squares = product(range(height), range(plan.width)) if there is None else [there]
    ends = [(here, last) for last in squares if not closed or is_move(here, last)]
    tile = choose_tile(height, plan.width, ends, [*plan.inner(LEFT), *sides], seed=seed)
    return [(Core([(tile, 1)]), 1)], None


def _climb(
    plan: Plan, here: Square, there: Square, up: Crossing, seed: int
) -> tuple[list[tuple[Core, int]], Crossing]:
    """Plan the way from the row of the start up to that of the end."""
    width, sides = plan.width, plan.inner(LEFT, RIGHT)
    into = border_square(up.right, BELOW, LEAST, width)
    out = border_square(up.left, ABOVE, plan.high.length, width)
    last = choose_tile(LEAST, width, [(into, there)], [*sides, *plan.inner(ABOVE)], seed=seed)
    rows = [(Core([(last, 1)]), 1)]
    between = plan.top - plan.low - 1
    if between:
        ends = crossing_ends(up, LEAST, width, upwards=True)
        rows.insert(0, (Core([(choose_tile(LEAST, width, [ends], sides), 1)]), between))
    if plan.trunk == plan.near:
        root = choose_tile(
            plan.high.length, width, [(here, out)], [*plan.inner(BELOW), *sides], seed=seed
        )
        return [(Core([(root, 1)]), 1), *rows], up
    return [(_along(plan, here, out, plan.inner(BELOW, RIGHT), seed), 1), *rows], up


def _along(plan: Plan, here: Square, there: Square, sides: list[str], seed: int) -> Core:
    """Plan the way from the tile of the start to the trunk, in one row."""
    height, width = plan.high.length, plan.wide.length
    between = plan.trunk - plan.near - 1
    left = [LEFT] if plan.near > 0 else []

    def attempt(crossing: Crossing) -> Core:
        out = border_square(crossing.left, RIGHT, height, width)
        into = border_square(crossing.right, LEFT, height, LEAST)
        tiles = [(choose_tile(height, width, [(here, out)], left, seed=seed), 1)]
        if between:
            tiles.append(
                (choose_tile(height, LEAST, [crossing_ends(crossing, height, LEAST)], []), between)
            )
        tiles.append((choose_tile(height, LEAST, [(into, there)], sides, seed=seed), 1))
        return Core(tiles, crossing)

    return _first(attempt)


def _first(attempt: Callable[[Crossing], Result]) -> Result:
    """Return the first successful result for any crossing."""
    for crossing in crossings():
        try:
            return attempt(crossing)
        except NoTileError:
            continue
    raise NoTileError("no crossing leads from start to end")


def construct_rectangle(
    rows: int, columns: int, *, closed: bool, start: Square, end: Square | None, seed: int = 0
) -> Strip:
    """Return the order of a tour of a board with both sides from 6.

    The end, if any, is not lower than the start and not to its left, counted in tiles.  The seed
    chooses the tiles in which the tour begins and ends.  Raise NoTileError if a tile is not found,
    which never happens for ends of the right colours.

    >>> tour = construct_rectangle(10**9, 10**9 + 1, closed=True, start=(0, 0), end=None)
    >>> tour.square(0), tour.square(tour.step((5000, 776)))
    ((0, 0), (5000, 776))
    """
    plan = Plan.between(rows, columns, start, end)
    rows_of_tiles, up = plan_route(plan, start, end, closed, seed)
    line = Line(upwards=True)
    if plan.low > 0:
        below = rows_of_tiles[0][0].on_trunk.ports[BELOW]
        _spine(plan, line, below, plan.low)
        line.hang(below, plan.across)
    for number, (core, count) in enumerate(rows_of_tiles):
        if number and up is not None:
            line.cross(up, plan.across)
        _add_row(plan, line, core, count, {BELOW, ABOVE})
    beyond = plan.high.count - 1 - plan.top
    if beyond:
        above = rows_of_tiles[-1][0].on_trunk.ports[ABOVE]
        line.hang(above, plan.across)
        _spine(plan, line, above, beyond)
    return line.strip(start)


def _spine(plan: Plan, line: Line, port: Port, count: int) -> None:
    """Add rows that hang above or below one another."""
    found = hanging_tile(port, LEAST, plan.width, ABOVE, plan.inner(LEFT, RIGHT))
    _add_row(plan, line, Core([(found, 1)]), count, {ABOVE})


def _add_row(plan: Plan, line: Line, core: Core, count: int, sides: set[str]) -> None:
    """Add rows, cut at the ports of their tile on the trunk."""
    row, found = _row(plan, core), core.on_trunk
    cuts = []
    for side in sides & set(found.ports):
        squares = port_edge(found.ports[side], side, found.tile.rows, found.tile.columns)
        cuts.append(max(row.step((down, column + plan.across)) for down, column in squares))
    line.add(row, count, cuts)


def _row(plan: Plan, core: Core) -> Strip:
    """Return a whole row of tiles: the core, and the tiles that hang to its left and right."""
    (first, _), height = core.tiles[0], core.on_trunk.tile.rows
    begin, beyond = plan.trunk + 1 - sum(count for _, count in core.tiles), plan.trunk + 1
    line = Line()
    if begin > 0:
        _chain(plan, line, first.ports[LEFT], height, 0, begin)
        line.hang(first.ports[LEFT])
    row, column = first.tile.order[0]
    start = row, column + line.length
    for number, (found, count) in enumerate(core.tiles):
        if number and core.crossing is not None:
            line.cross(core.crossing)
        # Ports to the left and right are used here; those above and below, when rows meet.
        line.add(found.tile, count, _cuts(found))
    if beyond < plan.wide.count:
        line.hang(core.on_trunk.ports[RIGHT])
        _chain(plan, line, core.on_trunk.ports[RIGHT], height, beyond, plan.wide.count)
    return line.strip(start)


def _chain(plan: Plan, line: Line, port: Port, height: int, low: int, high: int) -> None:
    """Add tiles that hang one beside the other."""
    for number, (width, count) in enumerate(plan.wide.runs(low, high)):
        if number:
            line.hang(port)
        found = hanging_tile(port, height, width, RIGHT)
        line.add(found.tile, count, _cuts(found))


def _cuts(found: PortedTile) -> list[int]:
    return [found.cut(side) for side in (LEFT, RIGHT) if side in found.ports]

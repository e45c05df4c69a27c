"""Tours of all rectangles with both sides from 6, between any two squares of fitting colours.

The board is cut into tiles of 6 × 6.  Only one tile row and one tile column are up to 11 high and
wide.  They contain the start, so whatever is odd about the board is there.  The tour goes from the
tile of the start along its tile row to the tile column of the end (the *trunk*), and up the trunk
to the tile of the end.  It crosses the tiles on this way one after the other.  All others hang on
it: tile rows hang on the trunk, to its left and right, and the rest of the trunk, with its own
rows, hangs above and below.  Where start and end share a tile, or the tour is closed, only the
trunk is left::

    ── ── ── ║ ──        ──  hangs to the left or right: entered by a port, and left by it
    ── ── ── T ──        ║   hangs above or below, and so does all that hangs on it
    ── ── ── ↑ ──        ↑→  crossed: an open tour from one side to another
    ── S → → ↑ ──
    ── ── ── ║ ──

A board has at most ten kinds of tiles, whatever its size.  Where the area is odd the start's tile
is odd both ways, so that it alone has more squares of one colour, as the whole board does.

It never fails: there are finitely many kinds of tiles (by size, ends and ports), and a test finds
all of them (``tests/construction/test_tiles.py``).  So every rectangle with sides from 6 has a tour
between any two squares which the colours allow.

Sources: for square boards that was shown by A. Conrad, T. Hindrichs, H. Morsy and I. Wegener,
"Solution of the knight's Hamiltonian path problem on chessboards", Discrete Applied Mathematics 50
(1994).  Cutting off tiles of bounded size is P. Cull and J. De Curtins, "Knight's tour revisited",
Fibonacci Quarterly 16 (1978).  The division into four quadrants, of which this package's third
source text writes, is in ``kt_cp/sources/divide.py`` as it stands there; it serves even sides only,
and closed tours.  Cost: a plan takes milliseconds, whatever the size.  When it loses: its tours are
regular, and of the many of a board it finds few.
"""

from __future__ import annotations

from kt_cp.construction.line import LEAST, Line, Port
from kt_cp.construction.plan import Core, Plan, route
from kt_cp.construction.strip import Strip
from kt_cp.construction.tiles import ABOVE, BELOW, LEFT, RIGHT, Found, edge, hung
from kt_cp.model.board import Square


def rectangle(
    rows: int, columns: int, *, closed: bool, start: Square, end: Square | None, seed: int = 0
) -> Strip:
    """Order of a tour of a board with both sides from 6.

    Parameters
    ----------
    end : square or None
        Not lower than the start and not to its left, counted in tiles.  None for any.
    seed : int
        Of the tiles in which the tour begins and ends.

    Raises
    ------
    NoTileError
        If a tile is not found; for ends of the right colours that never happens.

    Examples
    --------
    >>> tour = rectangle(10**9, 10**9 + 1, closed=True, start=(0, 0), end=None)
    >>> tour.square(0), tour.square(tour.step((5000, 776)))
    ((0, 0), (5000, 776))
    """
    plan = Plan.between(rows, columns, start, end)
    rows_of_tiles, up = route(plan, start, end, closed, seed)
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
    found = hung(port, LEAST, plan.width, ABOVE, plan.inner(LEFT, RIGHT))
    _add_row(plan, line, Core([(found, 1)]), count, {ABOVE})


def _add_row(plan: Plan, line: Line, core: Core, count: int, sides: set[str]) -> None:
    """Add rows, cut at the ports of their tile on the trunk."""
    row, found = _row(plan, core), core.on_trunk
    cuts = []
    for side in sides & set(found.ports):
        squares = edge(found.ports[side], side, found.tile.rows, found.tile.columns)
        cuts.append(max(row.step((down, column + plan.across)) for down, column in squares))
    line.add(row, count, cuts)


def _row(plan: Plan, core: Core) -> Strip:
    """A whole row of tiles: the core, and what hangs to its left and right."""
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
        found = hung(port, height, width, RIGHT)
        line.add(found.tile, count, _cuts(found))


def _cuts(found: Found) -> list[int]:
    return [found.cut(side) for side in (LEFT, RIGHT) if side in found.ports]

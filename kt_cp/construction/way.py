"""The tiles on the way from the start to the end of a rectangle's tour, found one after the other.

They must fit together: where the way leaves one tile it enters the next, and on the trunk all need
ports for what hangs on them.  Crossings are tried in turn until every tile is found; a test shows
that the first one of the right colour nearly always does.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import TypeVar

from kt_cp.board import Square
from kt_cp.construction.joints import LEAST, Crossing, crossings
from kt_cp.construction.part import is_move
from kt_cp.construction.plan import Core, Plan
from kt_cp.construction.tiles import (
    ABOVE,
    BELOW,
    LEFT,
    RIGHT,
    NoTileError,
    choose,
    joint,
    through,
)

Result = TypeVar("Result")


def way(
    plan: Plan, start: Square, end: Square | None, closed: bool
) -> tuple[list[tuple[Core, int]], Crossing | None]:
    """Rows of tiles on the way, from below, with how often each comes; and how the trunk goes on.

    Raises
    ------
    NoTileError
        If some tile is not found.
    """
    here = plan.local(start, plan.low, plan.near)
    there = None if end is None else plan.local(end, plan.top, plan.trunk)
    if plan.top > plan.low:
        assert there is not None
        return _first(lambda up: _climb(plan, here, there, up))
    sides = [*plan.below, *plan.right, *plan.above]
    if plan.trunk > plan.near:
        assert there is not None
        return [(_along(plan, here, there, sides), 1)], None
    height = plan.high.length
    ends = _ends(height, plan.width, here, there, closed)
    return [(Core([(choose(height, plan.width, ends, [*plan.left, *sides]), 1)]), 1)], None


def _climb(
    plan: Plan, here: Square, there: Square, up: Crossing
) -> tuple[list[tuple[Core, int]], Crossing]:
    """From the row of the start up to that of the end."""
    width, sides = plan.width, [*plan.left, *plan.right]
    into = joint(up.right, BELOW, LEAST, width)
    out = joint(up.left, ABOVE, plan.high.length, width)
    rows = [(Core([(choose(LEAST, width, [(into, there)], [*sides, *plan.above]), 1)]), 1)]
    between = plan.top - plan.low - 1
    if between:
        ends = through(up, LEAST, width, upwards=True)
        rows.insert(0, (Core([(choose(LEAST, width, [ends], sides), 1)]), between))
    if plan.trunk == plan.near:
        root = choose(plan.high.length, width, [(here, out)], [*plan.below, *sides])
        return [(Core([(root, 1)]), 1), *rows], up
    return [(_along(plan, here, out, [*plan.below, *plan.right]), 1), *rows], up


def _along(plan: Plan, here: Square, there: Square, sides: list[str]) -> Core:
    """From the tile of the start to the trunk, in one row."""
    height, width = plan.high.length, plan.wide.length
    between = plan.trunk - plan.near - 1
    left = [LEFT] if plan.near > 0 else []

    def attempt(crossing: Crossing) -> Core:
        out = joint(crossing.left, RIGHT, height, width)
        into = joint(crossing.right, LEFT, height, LEAST)
        tiles = [(choose(height, width, [(here, out)], left), 1)]
        if between:
            tiles.append((choose(height, LEAST, [through(crossing, height, LEAST)], []), between))
        tiles.append((choose(height, LEAST, [(into, there)], sides), 1))
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

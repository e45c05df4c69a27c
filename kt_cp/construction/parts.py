"""Parts of a constructed tour: rectangles with an order of squares that is computed.

A *part* covers a rectangle of rows × columns squares and gives each its place in an order of its
own, 0 to ``size`` - 1.  A :class:`Tile` stores that order as a table.  A :class:`Strip` puts parts
in a line and computes its order.  Boards are strips of strips of tiles, so arithmetic at a handful
of levels finds a place.

A tour through a line of parts crosses the border between two of them by a few moves.  These moves
divide every part into *lanes*, intervals of its own order that are walked without a break.  A
closed tour that hangs on its neighbour by one edge has two lanes, out and back; a part that is only
crossed has one.  Equal parts in a row form a *zone* if each lane leads into the same lane of the
next part.  One pass over a lane of a zone is ``count`` times that lane, so the place of a square is

    beginning of the pass + number of parts passed before × length of the lane + place in the lane

with "before" and "place" counted from the other end if the pass runs the other way.  The order
of the passes is found once, by walking from end to end of lanes.  There are as many passes as zones
have lanes, a handful, however large the board.  So the place of one square takes constant time, and
a whole board takes a few array operations for each zone.

Arrays are written in windows.  The first part of each zone is written in its own order and changed
lane by lane.  Each further part is the one before, still in the cache, plus a constant for each
square, so memory limits the speed.  The constant depends on the lane.  In large parts nearly every
column lies in one lane, so a run of columns takes one number.  The other columns, and small parts,
have an array of constants.  Small parts are doubled until they are large enough for a call.

Source: parts joined by exchanging one edge for another is the method of A. J. Schwenk, "Which
rectangular chessboards have a knight's tour?", Mathematics Magazine 64 (1991), and of I. Parberry,
"An efficient algorithm for the knight's tour problem", Discrete Applied Mathematics 73 (1997).
Lanes and zones, which make it arithmetic, are ours.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, pairwise
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from kt_cp.model.board import Square

Array = NDArray[Any]


class Part(Protocol):
    """A rectangle and an order of its squares."""

    rows: int
    columns: int
    size: int

    def step(self, square: Square) -> int:
        """Return the place of a square of the rectangle in the order, from 0."""

    def square(self, step: int) -> Square:
        """Return the square at a place."""

    def walk(self, low: int, high: int, *, ahead: bool = True) -> Iterator[list[Square]]:
        """Yield batches of the squares from ``low`` to before ``high``, or backwards."""

    def fill(self, out: Array, row: int, column: int, *, sign: int = 1, summand: int = 0) -> None:
        """Write ``sign * place + summand`` for a window, its least square at row and column."""


class Value:
    """A base class of objects that are equal if their classes and definitions are."""

    definition: tuple[Any, ...]

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and vars(other)["definition"] == self.definition

    def __hash__(self) -> int:
        return hash(self.definition)


class Tile(Value):
    """A part small enough to be found by search and stored as a table.

    The order has every square of the rectangle once.  Consecutive squares need not be a move apart
    where a strip cuts it.

    >>> tile = Tile(1, 3, [(0, 2), (0, 0), (0, 1)])
    >>> tile.step((0, 1)), tile.square(0)
    (2, (0, 2))
    """

    def __init__(self, rows: int, columns: int, order: Sequence[Square]) -> None:
        self.rows, self.columns, self.size = rows, columns, rows * columns
        self.order = tuple(order)
        self.definition = (rows, columns, self.order)
        self._step_of = {square: step for step, square in enumerate(self.order)}
        self._grid = np.empty((rows, columns), dtype=np.int64)
        for square, step in self._step_of.items():
            self._grid[square] = step

    def step(self, square: Square) -> int:
        return self._step_of[square]

    def square(self, step: int) -> Square:
        return self.order[step]

    def walk(self, low: int, high: int, *, ahead: bool = True) -> Iterator[list[Square]]:
        squares = list(self.order[low:high])
        yield squares if ahead else squares[::-1]

    def fill(self, out: Array, row: int, column: int, *, sign: int = 1, summand: int = 0) -> None:
        height, width = out.shape
        out[...] = self._grid[row : row + height, column : column + width] * sign + summand


def is_move(here: Square, there: Square) -> bool:
    """Return whether two squares are a knight's move apart."""
    return {abs(here[0] - there[0]), abs(here[1] - there[1])} == {1, 2}


AT_ONCE = 1 << 14
"""Squares written in one call, and the size from which parts are written column by column: a
compromise between the cache and the number of calls (``benchmarks/MEASURED.md``)."""


class Change(NamedTuple):
    """New numbers of a lane: ``sign * place + summand``; ``stride`` more in each further part."""

    sign: int
    summand: int
    stride: int


def repeat(
    target: Array, count: int, axis: int, cuts: Sequence[int], changes: Sequence[Change]
) -> None:
    """Change the first part in an array, which holds its places, and write the others after it.

    ``target`` has ``count`` parts, upwards (``axis`` 0) or to the right (1).  New lanes, each with
    its change, begin before the places ``cuts``, ascending.

    >>> target = np.array([[0, 1, 2, 0, 0, 0, 0, 0, 0]])
    >>> repeat(target, 3, 1, [1], [Change(1, 10, 1), Change(-1, 90, -2)])
    >>> target.tolist()
    [[10, 89, 88, 11, 87, 86, 12, 85, 84]]
    """
    depth = target.shape[axis] // count
    first = target[:depth] if axis == 0 else target[:, :depth]
    # The numbers wrap like arithmetic in the type; intermediate sums may overflow.
    modulus = 1 << 8 * target.itemsize
    unsigned = [[each % modulus for each in one] for one in changes]
    table = np.array(unsigned, f"u{target.itemsize}").view(target.dtype)
    if axis == 0 and first.size >= AT_ONCE:
        for low, high, lane in _runs(first, cuts):
            _write(target[:, low:high], depth, _constants(first[:, low:high], cuts, table, lane))
        return
    constants = _constants(first, cuts, table, None if cuts else 0)
    if axis == 0:
        _write(target, depth, constants)
    else:
        _write(target.T, depth, [each.T for each in constants])


def _write(target: Array, depth: int, constants: Sequence[Array]) -> None:
    """Change the lowest part and write the others above it."""
    sign, summand, stride = constants
    target[:depth] *= sign
    target[:depth] += summand
    done = depth
    while done < len(target):
        more = min(depth, len(target) - done)
        before = target[done - depth : done - depth + more]
        np.add(before, stride[:more], out=target[done : done + more])
        done += more
        if done == 2 * depth and target[:depth].size < AT_ONCE:
            # From here on two parts count as one.
            stride = 2 * (stride if len(stride) == 1 else np.concatenate([stride, stride]))
            depth = done


def _constants(first: Array, cuts: Sequence[int], table: Array, lane: int | None) -> list[Array]:
    """Return sign, summand and stride of a lane, or of each square of the first part."""
    if lane is not None:
        return [each.reshape(1, 1) for each in table[lane]]
    lanes = np.searchsorted(np.array(cuts, dtype=first.dtype), first, side="right")
    return list(table.T[:, lanes])


def _runs(first: Array, cuts: Sequence[int]) -> Iterator[tuple[int, int, int | None]]:
    """Yield runs of columns with their lane, or None where columns have squares of several."""
    least, most = first.min(axis=0), first.max(axis=0)
    lane = bisect_right(cuts, least.min())
    if lane == bisect_right(cuts, most.max()):
        yield 0, len(least), lane
        return
    lanes = np.searchsorted(np.array(cuts, dtype=first.dtype), [least, most], side="right")
    lane_of = np.where(lanes[0] == lanes[1], lanes[0], -1)
    bounds = [0, *(np.flatnonzero(np.diff(lane_of)) + 1).tolist(), len(least)]
    for low, high in pairwise(bounds):
        yield low, high, None if lane_of[low] < 0 else int(lane_of[low])


class LaneError(Exception):
    """The error if lanes do not join to one walk; another choice of tiles may give a tour."""


@dataclass(frozen=True)
class Zone:
    """The same part several times in a line, its order cut into lanes before the places ``cuts``.

    If there are several parts, each lane must lead into the same lane of the next.
    """

    part: Part
    count: int = 1
    cuts: tuple[int, ...] = ()

    @cached_property
    def lanes(self) -> list[tuple[int, int]]:
        """First place and end of each lane."""
        return list(pairwise((0, *self.cuts, self.part.size)))


@dataclass(frozen=True)
class Pass:
    """One walk over a lane of all parts of a zone.

    With ``up`` it leads from the first part to the last, with ``ahead`` in the order of the part.
    """

    zone: int
    lane: int
    begin: int
    up: bool
    ahead: bool


class Strip(Value):
    """Zones in a line, from left to right or from bottom to top.

    ``links`` are the moves across borders of zones, both ways: from the square at the end of a lane
    to the square at the end of another.  The order begins at ``start``, the end of a lane.  Raises
    :class:`LaneError` if the lanes do not join to one walk over all of them.
    """

    def __init__(
        self,
        zones: Sequence[Zone],
        links: Mapping[Square, Square],
        start: Square,
        *,
        upwards: bool = False,
    ) -> None:
        self.zones = tuple(zones)
        self._axis = 0 if upwards else 1
        self._depth = [zone.part.rows if upwards else zone.part.columns for zone in zones]
        lengths = [zone.count * depth for zone, depth in zip(zones, self._depth, strict=True)]
        self._offsets = [0, *accumulate(lengths)]
        first = zones[0].part
        self.rows = self._offsets[-1] if upwards else first.rows
        self.columns = first.columns if upwards else self._offsets[-1]
        self.size = sum(zone.count * zone.part.size for zone in zones)
        self._passes = self._walk(dict(links), start)
        self.definition = (self.zones, upwards, tuple(self._passes))
        self._begins = [one.begin for one in self._passes]
        self._pass_of = {(one.zone, one.lane): one for one in self._passes}

    def step(self, square: Square) -> int:
        index, block, local = self._locate(square)
        zone = self.zones[index]
        place = zone.part.step(local)
        lane = bisect_right(zone.cuts, place)
        one = self._pass_of[index, lane]
        low, high = zone.lanes[lane]
        before = block if one.up else zone.count - 1 - block
        inside = place - low if one.ahead else high - 1 - place
        return one.begin + before * (high - low) + inside

    def square(self, step: int) -> Square:
        one = self._passes[bisect_right(self._begins, step) - 1]
        zone = self.zones[one.zone]
        low, high = zone.lanes[one.lane]
        before, inside = divmod(step - one.begin, high - low)
        block = before if one.up else zone.count - 1 - before
        local = zone.part.square(low + inside if one.ahead else high - 1 - inside)
        return self._placed(one.zone, block, local)

    def walk(self, low: int, high: int, *, ahead: bool = True) -> Iterator[list[Square]]:
        for one in self._passes if ahead else reversed(self._passes):
            zone = self.zones[one.zone]
            first, end = zone.lanes[one.lane]
            length = end - first
            begin = max(low, one.begin) - one.begin
            most = min(high, one.begin + zone.count * length) - one.begin
            parts = range(begin // length, -(-most // length)) if begin < most else range(0)
            for before in parts if ahead else reversed(parts):
                left = max(0, begin - before * length)
                right = min(length, most - before * length)
                near, far = (
                    (first + left, first + right) if one.ahead else (end - right, end - left)
                )
                block = before if one.up else zone.count - 1 - before
                down, across = self._placed(one.zone, block, (0, 0))
                for squares in zone.part.walk(near, far, ahead=ahead == one.ahead):
                    yield [(row + down, column + across) for row, column in squares]

    def fill(self, out: Array, row: int, column: int, *, sign: int = 1, summand: int = 0) -> None:
        # In int32 or int64.
        low, far = (row, column)[self._axis], out.shape[self._axis]
        for index, (depth, zone) in enumerate(zip(self._depth, self.zones, strict=True)):
            offset = self._offsets[index]
            begin, end = max(low, offset), min(low + far, offset + zone.count * depth)
            while begin < end:
                # Whole parts at once, except for parts at the edges of the window.
                first, skipped = divmod(begin - offset, depth)
                count = 1 if skipped else max(1, (end - begin) // depth)
                reach = min(end, begin - skipped + count * depth)
                target = self._between(out, begin - low, reach - low)
                corner = (skipped, column) if self._axis == 0 else (row, skipped)
                zone.part.fill(self._between(target, 0, (reach - begin) // count), *corner)
                changes = self._changes(index, first, sign, summand)
                repeat(target, count, self._axis, zone.cuts, changes)
                begin = reach

    def _changes(self, index: int, first: int, sign: int, summand: int) -> list[Change]:
        """Return the change of each lane of a zone, from the part ``first`` on."""
        zone, changes = self.zones[index], []
        for lane, (low, high) in enumerate(zone.lanes):
            one = self._pass_of[index, lane]
            length = high - low
            before = first if one.up else zone.count - 1 - first
            begin = one.begin + before * length + (-low if one.ahead else high - 1)
            stride = length if one.up else -length
            ahead = sign if one.ahead else -sign
            changes.append(Change(ahead, sign * begin + summand, sign * stride))
        return changes

    def _between(self, out: Array, low: int, high: int) -> Array:
        return out[low:high] if self._axis == 0 else out[:, low:high]

    def _locate(self, square: Square) -> tuple[int, int, Square]:
        """Return the zone, the number of the part in it, and the square of the part."""
        along = square[self._axis]
        index = bisect_right(self._offsets, along) - 1
        block, inside = divmod(along - self._offsets[index], self._depth[index])
        local = (inside, square[1]) if self._axis == 0 else (square[0], inside)
        return index, block, local

    def _placed(self, index: int, block: int, local: Square) -> Square:
        shift = self._offsets[index] + block * self._depth[index]
        row, column = local
        return (row + shift, column) if self._axis == 0 else (row, column + shift)

    def _walk(self, links: dict[Square, Square], start: Square) -> list[Pass]:
        """Return the passes in the order of the walk."""
        total = sum(len(zone.lanes) for zone in self.zones)
        passes: list[Pass] = []
        visited: set[tuple[int, int]] = set()
        here: Square | None = start
        begin = 0
        while here is not None:
            index, block, local = self._locate(here)
            zone = self.zones[index]
            place = zone.part.step(local)
            lane = bisect_right(zone.cuts, place)
            low, high = zone.lanes[lane]
            if place not in (low, high - 1) or block not in (0, zone.count - 1):
                raise LaneError(f"{here} is not the end of a lane")
            if (index, lane) in visited:
                break
            visited.add((index, lane))
            ahead, up = place == low, block == 0
            passes.append(Pass(index, lane, begin, up, ahead))
            begin += zone.count * (high - low)
            last = (zone.count - 1 - block) if zone.count > 1 else 0
            end = self._placed(index, last, zone.part.square(high - 1 if ahead else low))
            here = links[end] if end in links else self._turn(index, last, lane, ahead)
        if len(passes) < total:
            raise LaneError(f"{len(passes)} of {total} lanes joined")
        return passes

    def _turn(self, index: int, block: int, lane: int, ahead: bool) -> Square | None:
        """Return the next square if no link leads over a border; the tour uses the cut edge."""
        zone = self.zones[index]
        low, high = zone.lanes[lane]
        place = high - 1 if ahead else low
        following = (place + (1 if ahead else -1)) % zone.part.size
        there = zone.part.square(following)
        if following == place or not is_move(zone.part.square(place), there):
            return None
        return self._placed(index, block, there)

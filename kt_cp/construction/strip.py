"""Parts in a line, entered and left where they meet, and the order that comes of it by arithmetic.

A tour through a line of parts crosses the border between two of them by a few moves.  Cut there,
and every part falls into *lanes*: intervals of its own order, each walked in one go.  A closed tour
that hangs on its neighbour by one edge has two lanes, out and back; a part that is only crossed has
one.  Equal parts in a row, where each lane leads into the same lane of the next, make a *zone*.
One pass over a lane of a zone is ``count`` times that lane, so the place of a square is

    beginning of the pass + number of parts passed before × length of the lane + place in the lane

with "before" and "place" counted from the other end where the pass runs the other way.  The order
of the passes is found once, by walking from end to end of lanes.  There are as many passes as zones
have lanes, a handful, however large the board.  So every question about one square takes constant
time, and a whole board takes a few array operations for each zone.

Whole boards are written in windows.  Of each zone the first part is written, in its own order, and
changed lane by lane; every further part is one addition to the one before.

Source: parts joined by exchanging one edge for another is the method of A. J. Schwenk, "Which
rectangular chessboards have a knight's tour?", Mathematics Magazine 64 (1991), and of I. Parberry,
"An efficient algorithm for the knight's tour problem", Discrete Applied Mathematics 73 (1997).
Lanes and zones, which make it arithmetic, are this package's own.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, pairwise

from kt_cp.construction.part import Array, Change, Part, Value, is_move, repeat
from kt_cp.model.board import Square


class LaneError(Exception):
    """Lanes that do not join to one walk: not a tour, and another choice of tiles is needed."""


@dataclass(frozen=True)
class Zone:
    """The same part several times in a line, its order cut into lanes.

    If more than once, each lane must lead into the same lane of the next.  The order is cut before
    the places ``cuts``, ascending, none of them 0.
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
    """One walk over a lane of all parts of a zone: where it begins, and which ways it runs.

    ``up``: from the first part to the last; ``ahead``: in the order of the part.
    """

    zone: int
    lane: int
    begin: int
    up: bool
    ahead: bool


class Strip(Value):
    """Zones in a line, from left to right or from bottom to top.

    Parameters
    ----------
    zones : sequence of Zone
        Parts of equal height, or where ``upwards``, of equal width.
    links : mapping
        Moves across the borders of zones: from the square at the end of a lane to the square at
        the end of another, both ways.  Squares are those of the strip.
    start : square
        Where the order begins: the end of a lane.
    upwards : bool

    Raises
    ------
    LaneError
        If the lanes do not join to one walk over all of them.
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
        self.made_of = (self.zones, upwards, tuple(self._passes))
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
                # Whole parts at once, but for pieces of one at the edges of the window.
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
        """What becomes of the places of a zone's part, lane by lane, from some part on."""
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
        """Zone, number of the part in it, and square of the part."""
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
        """Passes in the order of the walk."""
        total = sum(len(zone.lanes) for zone in self.zones)
        passes: list[Pass] = []
        seen: set[tuple[int, int]] = set()
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
            if (index, lane) in seen:
                break
            seen.add((index, lane))
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
        """The next square where no move leads over a border: the cut edge is walked after all."""
        zone = self.zones[index]
        low, high = zone.lanes[lane]
        place = high - 1 if ahead else low
        following = (place + (1 if ahead else -1)) % zone.part.size
        there = zone.part.square(following)
        if following == place or not is_move(zone.part.square(place), there):
            return None
        return self._placed(index, block, there)

"""Tours of boards 3, 4 and 5 squares high, of any length, between any two squares that allow one.

The board is shortened: from every long gap, a stretch of columns without a start or an end, columns
are removed four at a time until 11 to 19 are left.  A search finds a tour of the short board
that passes through a *block* in each of these gaps lane by lane.  Then every block is repeated as
often as columns are missing::

    ░░░░▓▓▓▓░░░░░S░░░░▓▓▓▓░░░░E░░░             ▓ a block     ░ found by search
    ░░░░▓▓▓▓▓▓▓▓▓▓▓▓░░░░░S░░░░▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓░░░░E░░░

The short board has at most 59 columns, and the moves of its blocks are forced, which leaves little
to search: a few milliseconds, on 3 × 20 as on 3 × 10⁹ squares.

There are finitely many short boards, 23,253 up to reflections and without the smallest, and a test
builds a tour on each.  So the pairs of ends that have a tour are known for boards of every length.
All pairs that the colours allow have one, except these and their mirror images:

* 3 rows, even length: c2 and any square but a1 and a3;
* 3 rows, odd length: c1 and c3; c1 and d2; c3 and d2;
* 4 rows: any pair with a square of the inner rows;
* 5 rows, even length: b3 and any square but a1 and a5;
* some more on 3x3 to 3x10, 3x13 (c1 or c3 and k1 or k3), 4x4 to 4x6, 5x5 and 5x6.

:mod:`kt_cp.proofs.theorems` proves that these have none.

A tour of a long thin board crosses every cut between two columns by a few moves.  In a *block* of
four columns it does so in *lanes*.  A lane is a walk from the left side of the block to its right,
and continues in the same lane of an equal block to the right; the lanes together cover the block.
So a tour that passes through one block can also pass through a thousand, whatever the connections
of its lanes at either end and their directions.

Join the block's right side to its left.  Then a lane closes to a cycle around a cylinder.  So the
blocks are the spanning sets of disjoint cycles, each once around, of the knight's graph on a
cylinder of four columns; a test enumerates them.  On a cylinder of two columns there are none with
one crossing for each lane, and with three columns the colours would change from block to block.
Beside the two ends of a tour the number of lanes is even, between them it is odd.  The blocks below
have the fewest lanes, and of those they fit nearly everywhere (a test shows where).  Between the
ends of a tour on 3 or 5 rows two blocks are needed: the colours of the squares to the left and
right of a cut fix the number of lanes from each colour.

The search (:mod:`kt_cp.construction.tiles`) is given the moves of a block in every long gap.  Their
propagation decides most of the board, whether the blocks fit or not.  From a third to a hundredth
of the choices fit, so combinations of blocks and their columns are simply tried in a random order.
Without gaps there is only one search, of boards up to 47 columns, and a negative result is a proof.

The tour of the short board is cut at both sides of every block.  Each part between two cuts becomes
a tile, in the order of the tour's walks in it, one after the other.  Each block becomes a
zone of a strip, and the moves over the cuts are the strip's links.

Sources: which boards have a tour at all, A. J. Schwenk, "Which rectangular chessboards have a
knight's tour?", Mathematics Magazine 64 (1991), and G. L. Chia and S.-H. Ong, "Generalized knight's
tours on rectangular chessboards", Discrete Applied Mathematics 150 (2005); lengthening boards by
blocks is an old idea.  The list of pairs of ends, and blocks made of lanes, are ours.

Cost: milliseconds for a board (``benchmarks/MEASURED.md``), whatever its length.  When it loses:
its tours are regular, and few of a long board's many.  A search on 4 rows may take seconds where
another order of ties takes a millisecond, so searches are short, and undecided ones are restarted
with other ties.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import accumulate, groupby, pairwise
from typing import NamedTuple

from kt_cp.construction.parts import LaneError, Part, Strip, Tile, Zone
from kt_cp.construction.tiles import NoTileError, sample_combinations, tour_through
from kt_cp.model.board import Square, parse_squares
from kt_cp.proofs.theorems import refute_ends

Edge = tuple[Square, Square]

PERIOD = 4
"""Columns of a block."""

BESIDE = {
    3: ["a2 c3 d1 b2 d3 c1 / a3 b1 d2 b3 a1 c2"],
    4: ["a1 b3 c1 d3 / a2 b4 c2 d4 / a3 b1 c3 d1 / a4 b2 c4 d2"],
    5: ["a2 c1 d3 c5 b3 a1 c2 a3 b5 d4 / a4 b2 d1 c3 b1 d2 / b4 d5 / a5 c4"],
}
"""Blocks for the parts of a board to the left and right of both ends, by rows."""

BETWEEN = {
    3: ["b1 d2 / b2 d3 / a3 c2 a1 b3 c1 a2 c3 d1", "b1 d2 / a2 c3 / a3 c2 a1 b3 c1 d3 b2 d1"],
    4: ["a2 c1 d3 b4 c2 a1 b3 d4 / a3 c4 / a4 b2 d1 c3 b1 d2"],
    5: [
        "a3 b5 d4 c2 a1 b3 c1 a2 b4 d5 / a4 c5 d3 b2 d1 c3 b1 d2 / a5 c4",
        "a2 c1 / a4 b2 d1 c3 d5 b4 d3 c5 b3 a1 c2 d4 b5 a3 b1 d2 / a5 c4",
    ],
}
"""Blocks for the part between the ends."""


@dataclass(frozen=True)
class Block:
    """Lanes that cover a rectangle of ``PERIOD`` columns.

    Each goes from left to right: its last square is a move away from its first, ``PERIOD`` columns
    further on.
    """

    rows: int
    lanes: tuple[tuple[Square, ...], ...]

    @classmethod
    def parse(cls, rows: int, text: str) -> Block:
        """Read a block from names of squares, with lanes separated by slashes."""
        return cls(rows, tuple(tuple(parse_squares(lane)) for lane in text.split("/")))

    def turned(self) -> Block:
        """Return the block upside down."""
        lanes = [[(self.rows - 1 - row, column) for row, column in lane] for lane in self.lanes]
        return Block(self.rows, tuple(map(tuple, lanes)))

    def mirrored(self) -> Block:
        """Return the block with left and right exchanged."""
        lanes = [[(row, PERIOD - 1 - column) for row, column in lane] for lane in self.lanes]
        return Block(self.rows, tuple(tuple(reversed(lane)) for lane in lanes))

    def moves(self, column: int) -> list[Edge]:
        """Return the moves in a block that begins at a column, and those to its neighbours."""
        moves: list[Edge] = []
        for lane in self.lanes:
            (row, into), (last, out) = lane[0], lane[-1]
            walk = [(last, out - PERIOD), *lane, (row, into + PERIOD)]
            moves += pairwise([(across, along + column) for across, along in walk])
        return moves


@cache
def blocks(rows: int, *, between: bool) -> tuple[Block, ...]:
    """Return the blocks for boards of a height, as they are written above and reflected."""
    found: dict[Block, None] = {}
    for text in (BETWEEN if between else BESIDE)[rows]:
        block = Block.parse(rows, text)
        for one in (block, block.turned()):
            found |= {one: None, one.mirrored(): None}
    return tuple(found)


class Stretch(NamedTuple):
    """A block of a short board, by its first column and width, and the number of copies to add."""

    column: int
    columns: int
    more: int


def stretch(rows: int, order: Sequence[Square], stretches: Sequence[Stretch]) -> Part:
    """Return the order of a tour in which blocks are repeated.

    A closed tour may begin anywhere except in a block.  Blocks are ordered from left to right, and
    touch neither each other nor the ends of an open tour.  Raise
    :class:`~kt_cp.construction.parts.LaneError` if the tour does not pass a block lane by lane.

    >>> short = [(0, 0), (0, 1), (0, 2), (0, 3)]
    >>> long = stretch(1, short, [Stretch(1, 1, 10**6)])
    >>> long.columns, long.square(10**6 + 3), long.step((0, 1000))
    (1000004, (0, 1000003), 1000)
    """
    if not stretches:
        return Tile(rows, len(order) // rows, order)
    cuts = [cut for one in stretches for cut in (one.column, one.column + one.columns)]
    begins = [0, *cuts]
    widths = [end - begin for begin, end in pairwise([*begins, len(order) // rows])]
    more = [stretches[zone // 2].more if zone % 2 else 0 for zone in range(len(begins))]
    shifts = [
        sum(more[before] * widths[before] for before in range(zone)) for zone in range(len(begins))
    ]

    def zone_of(square: Square) -> int:
        return bisect_right(cuts, square[1])

    def placed(square: Square, towards: int) -> Square:
        """Return the square on the long board, in the last block if the move leads to the right."""
        zone = zone_of(square)
        last = more[zone] * widths[zone] if towards > zone else 0
        return square[0], square[1] + shifts[zone] + last

    walks = [(zone, list(walk)) for zone, walk in groupby(order, key=zone_of)]
    _check(walks, widths)
    links: dict[Square, Square] = {}
    for (zone, walk), (following, onwards) in pairwise(walks):
        here, there = placed(walk[-1], following), placed(onwards[0], zone)
        if here in links or there in links:
            raise LaneError(f"two moves over cuts at {here} or {there}")
        links |= {here: there, there: here}
    zones = []
    for zone, (begin, width) in enumerate(zip(begins, widths, strict=True)):
        lanes = [walk for number, walk in walks if number == zone]
        squares = [(row, column - begin) for lane in lanes for row, column in lane]
        lengths = accumulate(len(lane) for lane in lanes[:-1])
        zones.append(Zone(Tile(rows, width, squares), 1 + more[zone], tuple(lengths)))
    return Strip(zones, links, placed(order[0], -1))


def _check(walks: Sequence[tuple[int, Sequence[Square]]], widths: Sequence[int]) -> None:
    """Raise LaneError for a block in which a walk does not end where it begins in the next."""
    nowhere: tuple[int, Sequence[Square]] = (-1, [])
    around = [nowhere, *walks, nowhere]
    for (_, before), (zone, walk), (following, after) in zip(
        around, walks, around[2:], strict=False
    ):
        if zone % 2:
            width = widths[zone] if following > zone else -widths[zone]
            into, out = (walk[0][0], walk[0][1] + width), (walk[-1][0], walk[-1][1] - width)
            if after[:1] != [into] or before[-1:] != [out]:
                raise LaneError(f"the walk from {walk[0]} to {walk[-1]} is not a lane")


LEAST = {3: 16, 4: 11, 5: 12}
"""Columns of the narrowest gap that gets a block, by rows.  Narrower ones leave too few choices;
wider ones, above all on 4 rows, leave too much to search without a block."""

MARGIN = 2
"""Least columns between a block and an end, or a side of the board: as far as a move reaches."""

CAPS = {3: (4, 8), 4: (4, 5), 5: (4, 6)}
"""Columns that may lie between a block and a side of the board, by rows: the least two for which
there are walks that join the block's lanes there.  On 3 and 5 rows an odd number has none."""

CHOICES = 300
"""Combinations of blocks and their columns that are tried."""

FIRST = 12
"""Limit of a search in the first round, in polls of about a third of a millisecond."""

ROUNDS, AGAIN = 6, 10
"""Rounds, each with twice the limit, and the number of undecided searches that are repeated."""


class Gap(NamedTuple):
    """Columns without an end that fit a block, ``between`` the ends or beside them."""

    low: int
    columns: int
    between: bool

    def shortened(self, rows: int) -> int:
        """Return the number of its columns that remain on the short board."""
        return LEAST[rows] + (self.columns - LEAST[rows]) % PERIOD


class ThinBoard(NamedTuple):
    """A board, and the ends of an open tour from left to right; fewer for a closed tour."""

    rows: int
    columns: int
    ends: tuple[Square, ...]

    def gaps(self) -> list[Gap]:
        """Return the gaps that get a block, from left to right."""
        marks = sorted({column for _, column in self.ends})
        return [
            Gap(left + 1, right - left - 1, left >= 0 and right < self.columns)
            for left, right in pairwise([-1, *marks, self.columns])
            if right - left - 1 >= LEAST[self.rows]
        ]

    def shortened(self) -> ThinBoard:
        """Return the same question about a short board.

        >>> ThinBoard(4, 1000, ((0, 3), (3, 901))).shortened()
        ThinBoard(rows=4, columns=32, ends=((0, 3), (3, 17)))
        """

        def nearer(column: int) -> int:
            before = [gap for gap in self.gaps() if gap.low < column]
            return column - sum(gap.columns - gap.shortened(self.rows) for gap in before)

        ends = tuple((row, nearer(column)) for row, column in self.ends)
        return ThinBoard(self.rows, nearer(self.columns), ends)

    def reflected(self, turned: bool, mirrored: bool) -> ThinBoard:
        """Return the question upside down, or with left and right exchanged."""
        ends = [self.reflect(square, turned, mirrored) for square in self.ends]
        return ThinBoard(self.rows, self.columns, left_to_right(ends))

    def reflect(self, square: Square, turned: bool, mirrored: bool) -> Square:
        """Return the image of a square under the same reflection."""
        row, column = square
        return (
            self.rows - 1 - row if turned else row,
            self.columns - 1 - column if mirrored else column,
        )


def left_to_right(ends: Sequence[Square]) -> tuple[Square, ...]:
    """Return ends from left to right, and from below in a column."""
    return tuple(sorted(ends, key=lambda square: (square[1], square[0])))


def short_tour(short: ThinBoard) -> tuple[list[Square], list[int]] | None:
    """Return a tour from the first end, and the columns where its blocks begin; or None.

    Reflected questions have reflected tours, so only one of them is searched: its first end is in
    the lower half of the board, and nearer to a side than the last end.
    """
    rows, columns, ends = short
    mirrored = bool(ends) and ends[0][1] > columns - 1 - ends[-1][1]
    first = short.reflected(False, mirrored).ends[:1]
    turned = bool(first) and first[0][0] > rows - 1 - first[0][0]
    found = _search(short.reflected(turned, mirrored))
    if found is None:
        return None
    order = [short.reflect(square, turned, mirrored) for square in found[0]]
    begins = [columns - PERIOD - at for at in reversed(found[1])] if mirrored else found[1]
    return (order if order[:1] == list(ends[:1]) or not ends else order[::-1]), begins


@lru_cache(maxsize=256)
def _search(short: ThinBoard) -> tuple[list[Square], list[int]] | None:
    """Search the combinations of blocks for a tour; return it and the columns of its blocks."""
    options = [
        [
            (block, gap.low + before)
            for block in blocks(short.rows, between=gap.between)
            for before in _places(short.rows, gap)
        ]
        for gap in short.gaps()
    ]
    choices = list(sample_combinations(options, CHOICES))
    for number in range(ROUNDS):
        undecided = []
        for chosen in choices:
            forced = [move for block, column in chosen for move in block.moves(column)]
            order, decided = tour_through(*short, forced, seed=number, polls=FIRST << number)
            if order is not None:
                return order, [column for _, column in chosen]
            if not decided:
                undecided.append(chosen)
        choices = undecided[:AGAIN]
    return None


def _places(rows: int, gap: Gap) -> list[int]:
    """Return the numbers of columns of a gap that may precede its block."""
    free = gap.columns - PERIOD
    if gap.between:
        return list(range(MARGIN, free - MARGIN + 1))
    caps = [cap for cap in CAPS[rows] if free - cap >= MARGIN]
    return [cap if gap.low == 0 else free - cap for cap in caps]


NEAR = 6
"""Most columns between a side of the board and an end that is not prescribed."""


def construct_thin_board(
    rows: int, columns: int, *, closed: bool, start: Square | None = None, end: Square | None = None
) -> Part:
    """Return the order of a tour of a board 3, 4 or 5 squares high, and at least as long.

    Raise :class:`~kt_cp.construction.tiles.NoTileError` with the reason if there is no tour.

    >>> tour = construct_thin_board(3, 10**9, closed=False, start=(1, 2), end=(0, 0))
    >>> tour.square(0), tour.square(1), tour.square(3 * 10**9 - 1)
    ((1, 2), (2, 0), (0, 0))
    >>> tour.step(tour.square(776_000_000))
    776000000
    """
    reason = why_impossible(rows, columns, closed, start, end)
    if reason:
        raise NoTileError(reason)
    for ends in _ends(rows, columns, closed, start, end):
        whole = ThinBoard(rows, columns, left_to_right(ends))
        found = short_tour(whole.shortened())
        if found is None:
            continue
        order, begins = found
        if len(ends) == 2 and ends[0] != whole.ends[0]:
            order = order[::-1]
        stretches = [
            Stretch(at, PERIOD, (gap.columns - gap.shortened(rows)) // PERIOD)
            for at, gap in zip(begins, whole.gaps(), strict=True)
        ]
        return stretch(rows, order, stretches)
    raise NoTileError("searches of the board, shortened where it is long, found none")


def why_impossible(
    rows: int, columns: int, closed: bool, start: Square | None, end: Square | None
) -> str:
    """Return why there is no tour between these ends on boards of any length, or "".

    >>> why_impossible(4, 1000, False, (1, 7), None)
    'no tour of four rows begins or ends on an inner one, as h2 is'
    >>> why_impossible(5, 1000, False, (2, 1), (0, 0))
    ''
    """
    odd = rows * columns % 2
    if closed:
        if rows == 4:
            return "on 4 rows no tour is closed"
        return "a closed tour has an even number of squares" if odd else ""
    ends = [square for square in (start, end) if square is not None]
    colours = [sum(square) % 2 for square in ends]
    if (1 in colours) if odd else (len(colours) == 2 and colours[0] == colours[1]):
        return "the colours of the ends do not fit"
    if start == end and len(ends) == 2:
        return "the ends are the same square"
    return refute_ends(rows, columns, start, end)


def _ends(
    rows: int, columns: int, closed: bool, start: Square | None, end: Square | None
) -> Iterator[tuple[Square, ...]]:
    """Yield the prescribed ends, and for free ends some squares near the sides of the board."""
    if closed:
        yield () if start is None else (start,)
        return
    along = [*range(min(columns, NEAR)), *range(max(NEAR, columns - NEAR), columns)]
    some = [(row, column) for column in along for row in range(rows)]
    for one in some if start is None else [start]:
        for other in some if end is None else [end]:
            if not why_impossible(rows, columns, False, one, other):
                yield one, other

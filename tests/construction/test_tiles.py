"""The finite question behind every rectangle: whether each tile that a plan may ask for exists."""

from itertools import combinations, product

import pytest

from kt_cp.construction.parts import is_move
from kt_cp.construction.rectangle import Cuts
from kt_cp.construction.tiles import (
    ABOVE,
    BELOW,
    LEAST,
    LEFT,
    RIGHT,
    NoTileError,
    border_square,
    choose_tile,
    crossing_ends,
    crossings,
    find_tile,
    hanging_tile,
    port_edge,
    ports,
)
from kt_cp.model.board import Board
from kt_cp.model.problem import Problem
from kt_cp.trust.judge import defects
from tests.support.exhaustive import exhaustive

LENGTHS = range(LEAST, 2 * LEAST)
SOME = [n if n in (6, 9) else pytest.param(n, marks=pytest.mark.slow) for n in LENGTHS]
CLASSES = {
    colour: list({one.left: one for one in crossings() if sum(one.right) % 2 == colour}.values())[
        :3
    ]
    for colour in (0, 1)
}
"""Three crossings into a square of each colour, none from the same square.  Where the tile of the
start can be left by two of them, and that of the end entered by two, one of them does for both."""


def squares(rows, columns):
    return list(product(range(rows), range(columns)))


def exists(*wanted):
    try:
        return choose_tile(*wanted)
    except NoTileError:
        return None


def is_tour(found, first, last, sides):
    """Judge a tile, and its ports."""
    tile = found.tile
    board = Board(tile.rows, tile.columns)
    assert not defects(Problem(board, start=first, end=last), tile.order)
    for side in sides:
        here, there = port_edge(found.ports[side], side, tile.rows, tile.columns)
        assert abs(tile.step(here) - tile.step(there)) == 1
    return True


def test_ways_across_a_border_are_moves():
    for port in ports():
        assert is_move(*port.left) and is_move(*port.right)
        assert is_move(port.left[0], port.right[0]) and is_move(port.left[1], port.right[1])
    assert all(is_move(*crossing) for crossing in crossings())
    assert len(set(ports())) == len(ports()) and len(set(crossings())) == len(crossings())


@pytest.mark.parametrize("side", range(6, 60))
def test_cuts_cover_a_side(side):
    for place in range(side):
        cuts = Cuts.around(side, place)
        begins = [cuts.begin(piece) for piece in range(cuts.count)]
        ends = [begin + cuts.extent(piece) for piece, begin in enumerate(begins)]
        assert begins == [0, *ends[:-1]] and ends[-1] == side
        assert begins[cuts.odd] <= place < ends[cuts.odd], "the start lies in the odd piece"
        for any_place in range(side):
            assert begins[cuts.interval(any_place)] <= any_place < ends[cuts.interval(any_place)]
        runs = cuts.runs(0, cuts.count)
        assert [length for length, count in runs for _ in range(count)] == [
            cuts.extent(piece) for piece in range(cuts.count)
        ]


@pytest.mark.parametrize("length", SOME)
def test_tiles_that_hang(length):
    # Beside one another, of the height of the odd row or of the width of the odd column; and
    # above one another, with ports for their own rows or at the border without.
    for port in ports():
        for rows, columns in {(length, LEAST), (LEAST, length)}:
            found = hanging_tile(port, rows, columns, RIGHT)
            first, last = port_edge(port, LEFT, rows, columns)
            assert is_tour(found, first, last, [RIGHT]) and is_move(first, last)
            one, two = port_edge(port, RIGHT, rows, columns)
            assert found.tile.step(one) < found.tile.step(two)
        for sides in ([], [LEFT], [RIGHT], [LEFT, RIGHT]):
            found = hanging_tile(port, LEAST, length, ABOVE, sides)
            assert is_tour(found, *port_edge(port, BELOW, LEAST, length), [ABOVE, *sides])


@pytest.mark.parametrize("length", SOME)
@pytest.mark.parametrize("colour", CLASSES)
def test_tiles_that_are_crossed(length, colour):
    for crossing in CLASSES[colour]:
        ends = crossing_ends(crossing, length, LEAST)
        assert is_tour(choose_tile(length, LEAST, [ends], []), *ends, [])
        ends = crossing_ends(crossing, LEAST, length, upwards=True)
        found = choose_tile(LEAST, length, [ends], [LEFT, RIGHT])
        assert is_tour(found, *ends, [LEFT, RIGHT])
        for up in CLASSES[colour]:
            ends = (
                border_square(crossing.right, LEFT, length, LEAST),
                border_square(up.left, ABOVE, length, LEAST),
            )
            corner = exists(length, LEAST, [ends], [RIGHT, BELOW])
            if sum(ends[0]) % 2 != sum(ends[1]) % 2:
                assert corner and is_tour(corner, *ends, [RIGHT, BELOW]), (crossing, up)


def ways(rows, columns, square, colour, side, sides, *, leaving):
    """How many crossings of three lead out of a tile that holds the start, or into the end's."""
    many = 0
    for crossing in CLASSES[colour]:
        other = border_square(crossing.left if leaving else crossing.right, side, rows, columns)
        ends = (square, other) if leaving else (other, square)
        found = exists(rows, columns, [ends], sides)
        many += found is not None and is_tour(found, *ends, sides)
    return many


@pytest.mark.parametrize("length", SOME)
def test_tiles_of_the_end(length):
    for rows, columns, side, sides in (
        (length, LEAST, LEFT, [RIGHT, BELOW, ABOVE]),
        (LEAST, length, BELOW, [LEFT, RIGHT, ABOVE]),
    ):
        for square in squares(rows, columns):
            colour = (sum(square) + 1) % 2
            many = ways(rows, columns, square, colour, side, sides, leaving=False)
            assert many >= 2, (rows, columns, square, side)


STARTS = [
    (rows, columns, square)
    for rows, columns in product(LENGTHS, repeat=2)
    for square in squares(rows, columns)
    if rows * columns % 2 == 0 or sum(square) % 2 == 0
]


@exhaustive("tiles of the start", STARTS, sample=30)
def test_tiles_of_the_start(cases):
    for rows, columns, square in cases:
        odd = rows * columns % 2
        for side, sides, along in ((RIGHT, [LEFT], columns), (ABOVE, [LEFT, RIGHT, BELOW], rows)):
            # The way out ends on the other colour, of an odd tile on the same; the crossing's
            # other square has one more change of colour, and is counted in the next tile.
            out = (sum(square) + 1 - odd) % 2
            colour = (out + 1 + along) % 2
            many = ways(rows, columns, square, colour, side, sides, leaving=True)
            assert many >= 2, (rows, columns, square, side)


ALL = [LEFT, RIGHT, BELOW, ABOVE]


def pairs(rows, columns):
    """Ends that the colours allow."""
    odd = rows * columns % 2
    for one, two in combinations(squares(rows, columns), 2):
        if (sum(one) + sum(two)) % 2 != odd and not (odd and sum(one) % 2):
            yield one, two


BOTH = [
    (rows, columns, ends)
    for rows in LENGTHS
    for columns in range(rows, 12)
    for ends in pairs(rows, columns)
]


@exhaustive("tiles of both ends", BOTH, sample=125)
def test_tiles_of_both_ends(cases):
    # With ports on all sides, so with any fewer; for wide tiles, as joints on horizontal seams
    # are those on vertical ones transposed.
    for rows, columns, ends in cases:
        found = exists(rows, columns, [ends], ALL)
        assert found is not None and is_tour(found, *ends, ALL), (rows, columns, ends)


@pytest.mark.parametrize("rows", SOME)
@pytest.mark.parametrize("columns", LENGTHS)
def test_tiles_of_closed_tours(rows, columns):
    if rows * columns % 2:
        return
    for square in squares(rows, columns):
        ends = [(square, other) for other in squares(rows, columns) if is_move(square, other)]
        found = choose_tile(rows, columns, ends, ALL)
        first, last = found.tile.order[0], found.tile.order[-1]
        assert first == square and is_move(first, last) and is_tour(found, first, last, ALL)


def test_no_tile_where_the_colours_forbid_it():
    with pytest.raises(NoTileError, match="no 6x6 tile with ports left, above"):
        choose_tile(6, 6, [((0, 0), (2, 0))], [LEFT, ABOVE])
    assert find_tile(3, 3, (0, 0), (2, 2), frozenset()) is None

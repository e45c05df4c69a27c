"""Constructed tours of rectangles: tiles, theorems, the judge, their own arithmetic."""

from __future__ import annotations

import random
from itertools import combinations, combinations_with_replacement, product

import numpy as np
import pytest

from kt_cp import Tour, Verdict, solve
from kt_cp.construction.construct import construct
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
from kt_cp.engines.run import run
from kt_cp.model.board import Board
from kt_cp.model.limits import Limits
from kt_cp.model.problem import Problem
from kt_cp.model.request import Request
from kt_cp.proofs.obstructions import obstruction
from kt_cp.proofs.theorems import closed_impossible, open_impossible
from kt_cp.trust.judge import defects
from kt_cp.trust.judge.array import array_defects
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
    """Return how many of three crossings lead out of the tile of the start, or into the end's."""
    count = 0
    for crossing in CLASSES[colour]:
        other = border_square(crossing.left if leaving else crossing.right, side, rows, columns)
        ends = (square, other) if leaving else (other, square)
        found = exists(rows, columns, [ends], sides)
        count += found is not None and is_tour(found, *ends, sides)
    return count


@pytest.mark.parametrize("length", SOME)
def test_tiles_of_the_end(length):
    for rows, columns, side, sides in (
        (length, LEAST, LEFT, [RIGHT, BELOW, ABOVE]),
        (LEAST, length, BELOW, [LEFT, RIGHT, ABOVE]),
    ):
        for square in squares(rows, columns):
            colour = (sum(square) + 1) % 2
            count = ways(rows, columns, square, colour, side, sides, leaving=False)
            assert count >= 2, (rows, columns, square, side)


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
            count = ways(rows, columns, square, colour, side, sides, leaving=True)
            assert count >= 2, (rows, columns, square, side)


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


def judged(problem):
    """The tour that is constructed, judged as an array; None where nothing is constructed."""
    try:
        squares = construct(problem)
    except NoTileError:
        return None
    tour = Tour(squares, problem.closed, problem.board)
    found = array_defects(problem, tour.to_array())
    assert not found, (problem.label, list(map(str, found)))
    return tour


def compatible(rows, columns, one, two):
    """Return whether the colours allow a tour between two squares."""
    shades = sum(one) % 2, sum(two) % 2
    return one != two and (shades == (0, 0) if rows * columns % 2 else shades[0] != shades[1])


def refuted(problem):
    """Return whether there is evidence that no tour exists: a quick reason or a complete search."""
    if obstruction(problem) is not None:
        return True
    return (
        run("backtrack", Request.begin(problem, Limits(20), seed=1)).verdict is Verdict.IMPOSSIBLE
    )


def drawn(rng, least, most):
    """A random question about a rectangle which has an answer if both sides are from six."""
    while True:
        rows, columns = rng.randint(least, most), rng.randint(least, most)
        here, there = ((rng.randrange(rows), rng.randrange(columns)) for _ in range(2))
        kind = rng.choice(("closed", "closed from", "open", "from", "to", "between", "between"))
        ends = {
            "from": {"start": here},
            "to": {"end": here},
            "between": {"start": here, "end": there},
            "closed from": {"closed": True, "start": here},
            "closed": {"closed": True},
        }.get(kind, {})
        odd = rows * columns % 2
        shades = [sum(ends[which]) % 2 for which in ("start", "end") if which in ends]
        if odd and ("closed" in kind or any(shades)):
            continue
        if kind == "between" and not compatible(rows, columns, here, there):
            continue
        return Problem(Board(rows, columns), **ends)


@pytest.mark.parametrize("seed", range(60))
def test_one_order_however_it_is_asked_for(seed):
    rng = random.Random(seed)
    problem = drawn(rng, 6, 30)
    squares = construct(problem)
    order = list(squares)
    assert not defects(problem, order), (seed, problem.label)
    assert [squares[place] for place in range(len(order))] == order, (seed, problem.label)
    assert [squares.index(square) for square in order] == list(range(len(order)))
    rows, columns = problem.board.rows, problem.board.columns
    grid = np.zeros((rows, columns), dtype=np.int64)
    for step, square in enumerate(order, start=1):
        grid[square] = step
    assert np.array_equal(Tour(squares, problem.closed, problem.board).to_array(), grid)
    for dtype in (np.int32, np.int64):
        # Any window, cut anywhere, also into the middle of tiles.
        row, column = rng.randrange(rows), rng.randrange(columns)
        height, width = rng.randint(1, rows - row), rng.randint(1, columns - column)
        window = np.empty((height, width), dtype=dtype)
        squares.fill(window, row, column)
        assert np.array_equal(window, grid[row : row + height, column : column + width])
    low, high = sorted(rng.choices(range(len(order)), k=2))
    assert squares[low:high] == tuple(order[low:high])


@pytest.mark.parametrize("seed", range(12))
def test_long_boards(seed):
    # Large parts are written one by one, small ones many at once: every way of writing is taken.
    rng = random.Random(seed)
    long = rng.randint(3_000, 60_000)
    rows, columns = rng.choice([(rng.randint(6, 40), long), (long, rng.randint(6, 40))])
    ends = {}
    if rng.random() < 0.7:
        ends["start"] = rng.randrange(0, rows, 2), rng.randrange(0, columns, 2)
        ends["end"] = rng.randrange(0, rows, 2), rng.randrange(0, columns, 2)
        if rows * columns % 2 == 0:
            row, column = ends["end"]
            ends["end"] = (row, column + 1) if column + 1 < columns else (row, column - 1)
    problem = Problem(Board(rows, columns), **ends)
    tour = judged(problem)
    assert tour is not None, (seed, problem.label)


@pytest.mark.parametrize("columns", [10**9, 10**9 + 1])
@pytest.mark.parametrize("ends", [{"closed": True}, {}, {"start": (77, 10**8)}, {"both": True}])
def test_boards_that_no_memory_holds(columns, ends):
    if "both" in ends:
        ends = {"start": (10**9 - 1, 5), "end": (3, 10**9 - 4)}
        if sum(ends["start"]) % 2 == sum(ends["end"]) % 2:
            ends["end"] = (4, 10**9 - 4)
    problem = Problem(Board(10**9, columns), **ends)
    outcome = solve(problem, seed=1)
    assert (outcome.verdict, outcome.engine) == (Verdict.FOUND, "construct")
    assert outcome.verified is None
    assert outcome.checks.remarks["verified"].endswith("judged at 10,000 random places")


SIDES = product(range(1, 61), repeat=2)


@exhaustive("rectangles to sixty", SIDES, sample=75, batches=4)
def test_every_rectangle_to_sixty(cases):
    for rows, columns in cases:
        short, long = sorted((rows, columns))
        for closed, none in ((False, open_impossible), (True, closed_impossible)):
            problem = Problem(Board(rows, columns), closed=closed)
            if problem.size > 2:
                assert (judged(problem) is None) is none(short, long), problem.label


TO_TWELVE = [
    (rows, columns, start)
    for rows, columns in combinations_with_replacement(range(3, 13), 2)
    for start in Board(rows, columns)
]


@exhaustive("starts of rectangles to twelve", TO_TWELVE, sample=100, batches=4)
def test_every_start_to_twelve(cases):
    for rows, columns, start in cases:
        for closed in (False, True):
            problem = Problem(Board(rows, columns), closed=closed, start=start)
            if judged(problem) is None:
                assert refuted(problem), problem.label


TO_EIGHT = [
    (rows, columns, *ends)
    for rows, columns in combinations_with_replacement(range(3, 9), 2)
    for ends in combinations(Board(rows, columns), 2)
]


@exhaustive("pairs of ends of rectangles to eight", TO_EIGHT, sample=200, batches=4)
def test_every_pair_of_ends_to_eight(cases):
    for rows, columns, start, end in cases:
        problem = Problem(Board(rows, columns), start=start, end=end)
        if judged(problem) is None:
            assert refuted(problem), problem.label
        elif min(rows, columns) >= 6:
            assert compatible(rows, columns, start, end)


@exhaustive("pairs of ends of rectangles to sixty", range(4000), sample=75, batches=4)
def test_random_pairs_of_ends_to_sixty(cases):
    for seed in cases:
        rng = random.Random(seed)
        rows, columns = rng.randint(3, 60), rng.randint(3, 60)
        one, two = rng.sample([*product(range(rows), range(columns))], 2)
        problem = Problem(Board(rows, columns), start=one, end=two)
        if judged(problem) is None:
            assert refuted(problem), (seed, problem.label)
            assert min(rows, columns) < 6 or not compatible(rows, columns, one, two)


def test_what_is_not_constructed_says_why():
    with pytest.raises(NoTileError, match="without missing squares"):
        construct(Problem(Board(8, 8, missing={(3, 3)})))
    with pytest.raises(NoTileError, match="both ends have the colour of the corners"):
        construct(Problem(Board(7, 7), start=(0, 1)))
    with pytest.raises(NoTileError, match="the ends have different colours"):
        construct(Problem(Board(8, 8), start=(0, 0), end=(7, 7)))
    outcome = solve(Problem(Board(7, 9), closed=True), "construct")
    assert outcome.verdict is Verdict.UNKNOWN
    assert outcome.reason.startswith("nothing was constructed: on an odd number of squares")


SEEDED = [(6, 6), (8, 8), (7, 9), (12, 30), (3, 30), (4, 40), (5, 33), (33, 5)]


@pytest.mark.parametrize("rows, columns", SEEDED)
def test_a_seed_draws_what_is_not_asked_for(rows, columns):
    board, seeds = Board(rows, columns), range(1, 25)
    kinds = [{}, {"start": (0, 0)}, {"end": (0, 0)}]
    if rows * columns % 2 == 0 and 4 not in (rows, columns):
        kinds += [{"closed": True}, {"closed": True, "start": (0, 0)}]
    for conditions in kinds:
        problem = Problem(board, **conditions)
        unseeded = construct(problem)
        assert list(unseeded) == list(construct(problem, 0))
        made = [construct(problem, seed) for seed in seeds]
        for squares in made:
            assert not defects(problem, list(squares))
            assert all(squares.index(squares[step]) == step for step in (0, 7, -1 % len(squares)))
        if conditions.keys() <= {"closed"}:  # anywhere, and all but a few of them differ
            assert len({squares[0] for squares in made}) > 8
            assert len({tuple(squares) for squares in made}) > 20
        assert [list(construct(problem, seed)) for seed in seeds] == [*map(list, made)]


@pytest.mark.parametrize(
    ("board", "ends", "least"),
    [("8x8", ("a1", "h7"), 6), ("30x21", ("u9", "a30"), 8), ("7x9", ("e5", "i1"), 6),
     ("4x10", ("a1", "j1"), 2)],
)  # fmt: skip
def test_a_seed_draws_another_tour_between_two_squares(board, ends, least):
    problem = Problem(board, start=ends[0], end=ends[1])
    made = [construct(problem, seed) for seed in range(1, 9)]
    for squares in made:
        assert not defects(problem, list(squares))
        assert all(squares.index(squares[step]) == step for step in (0, 7, len(squares) - 1))
    assert len({tuple(squares) for squares in made}) >= least
    assert list(construct(problem, 3)) == list(made[2])


def test_a_seed_draws_a_tour_of_any_size_at_once():
    problem = Problem(Board(10**9, 10**9), closed=True)
    one, other = construct(problem, 1), construct(problem, 2)
    assert one[0] != other[0]
    for squares in (one, other):
        assert all(squares.index(squares[step]) == step for step in (0, 10**17, 10**18 - 1))

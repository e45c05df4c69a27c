"""Tours of boards 3, 4 and 5 squares high: blocks, strips, every pair of ends, every length."""

from __future__ import annotations

import random
import time
from itertools import combinations, pairwise, product

import numpy as np
import pytest

from kt_cp import Board, Problem, Verdict, get_engine
from kt_cp.construction import construct as module
from kt_cp.construction import parts as repeating
from kt_cp.construction import thin_boards
from kt_cp.construction.construct import construct
from kt_cp.construction.parts import Change, LaneError, Strip, Tile, Zone, is_move, repeat
from kt_cp.construction.thin_boards import (
    BESIDE,
    BETWEEN,
    LEAST,
    PERIOD,
    Block,
    Stretch,
    blocks,
    construct_thin_board,
    stretch,
    why_impossible,
)
from kt_cp.construction.tiles import NoTileError
from kt_cp.model.limits import Limits
from kt_cp.model.request import Request
from kt_cp.proofs.certify import certify
from kt_cp.proofs.obstructions import obstruction
from kt_cp.proofs.theorems import has_no_closed_tour, has_no_open_tour
from kt_cp.trust.judge import defects
from tests.support.exhaustive import exhaustive, more

HEIGHTS = (3, 4, 5)
GIGA = 10**9


def squares(rows, columns):
    return list(product(range(rows), range(columns)))


@pytest.mark.parametrize("rows", HEIGHTS)
def test_blocks_are_lanes_over_all_their_squares(rows):
    for between in (False, True):
        for block in blocks(rows, between=between):
            assert len(block.lanes) % 2 == between
            lanes = [square for lane in block.lanes for square in lane]
            assert sorted(lanes) == squares(rows, PERIOD)
            for lane in block.lanes:
                assert all(is_move(*move) for move in pairwise(lane))
                assert is_move(lane[-1], (lane[0][0], lane[0][1] + PERIOD))
            moves = block.moves(0)
            assert len({frozenset(move) for move in moves}) == len(moves)
            ends = [square for move in moves for square in move if 0 <= square[1] < PERIOD]
            assert all(ends.count(square) == 2 for square in lanes)


def cylinder(rows):
    """Sets of disjoint cycles, each once around a cylinder of four columns, as sets of moves."""
    todo, found = squares(rows, PERIOD), []
    free, walks = set(todo), []

    def onwards(walk):
        row, column = walk[-1]
        for up, along in product((-2, -1, 1, 2), repeat=2):
            there = row + up, column + along
            home = there[0], there[1] % PERIOD
            if abs(up) == abs(along):
                continue
            if there == (walk[0][0], walk[0][1] + PERIOD):
                walks.append([*walk, there])
                begin()
                walks.pop()
            elif home in free:
                free.remove(home)
                onwards([*walk, there])
                free.add(home)

    def begin():
        first = min(free, default=None)
        if first is None:
            found.append({move for walk in walks for move in map(around, pairwise(walk))})
            return
        free.remove(first)
        onwards([first])
        free.add(first)

    begin()
    return found


def around(move):
    (row, column), (other, along) = sorted(move, key=lambda square: square[1])
    shift = column - column % PERIOD
    return (row, column - shift), (other, along - shift)


@pytest.mark.parametrize(("rows", "count"), [(3, 410), *more([], [(4, 2304)])])
def test_the_blocks_are_found_by_enumeration(rows, count):
    found = cylinder(rows)
    assert len(found) == count
    for text in BESIDE[rows] + BETWEEN[rows]:
        assert {around(move) for move in Block.parse(rows, text).moves(0)} in found


@pytest.mark.parametrize(
    "order, block",
    [
        ([0, 1, 3, 2], Stretch(1, 2, 5)),  # ends in the block
        ([2, 1, 0, 3], Stretch(1, 2, 5)),  # begins there
        ([0, 3, 2, 1, 4], Stretch(2, 2, 5)),  # goes in from the right and comes out on the left
        ([0, 1, 2, 4, 3, 5], Stretch(2, 2, 5)),  # goes round in it
        ([1, 0, 2], Stretch(1, 1, 0)),
        ([0, 2, 1, 3], Stretch(1, 1, 5)),
    ],
)
def test_what_does_not_pass_lane_by_lane_is_not_stretched(order, block):
    with pytest.raises(LaneError):
        stretch(1, [(0, column) for column in order], [block])


# Two lanes, there in the lower row and back in the upper one; moves play no part here.
LOOP = Tile(2, 2, [(0, 0), (0, 1), (1, 1), (1, 0)])
LINE = Tile(1, 2, [(0, 0), (0, 1)])


def order(strip):
    return [strip.square(place) for place in range(strip.size)]


def consistent(strip):
    squares = order(strip)
    assert [strip.step(square) for square in squares] == list(range(strip.size))
    for low in range(strip.size + 1):
        for high in range(low, strip.size + 1):
            ahead = [square for some in strip.walk(low, high) for square in some]
            back = [square for some in strip.walk(low, high, ahead=False) for square in some]
            assert ahead == squares[low:high] and back == ahead[::-1]
    grid = np.empty((strip.rows, strip.columns), dtype=np.int32)
    strip.fill(grid, 0, 0)
    assert all(grid[square] == place for place, square in enumerate(squares))
    strip.fill(grid, 0, 0, sign=-1, summand=strip.size)
    assert all(grid[square] == strip.size - place for place, square in enumerate(squares))
    return squares


def test_lanes_run_both_ways_through_a_zone():
    end = Tile(2, 1, [(0, 0), (1, 0)])
    links = {(0, 5): (0, 6), (0, 6): (0, 5), (1, 6): (1, 5), (1, 5): (1, 6)}
    strip = Strip([Zone(LOOP, 3, (2,)), Zone(end)], links, (0, 0))
    assert consistent(strip) == [(0, c) for c in range(7)] + [(1, c) for c in reversed(range(7))]


def test_strips_lie_upwards_too():
    tile = Tile(2, 1, [(0, 0), (1, 0)])
    strip = Strip([Zone(tile, 4)], {}, (0, 0), upwards=True)
    assert consistent(strip) == [(row, 0) for row in range(8)]
    assert consistent(Strip([Zone(tile, 4)], {}, (7, 0), upwards=True))[0] == (7, 0)


def test_a_strip_may_be_a_part_of_one():
    row = Strip([Zone(LINE, 2)], {}, (0, 0))
    links = {(0, 3): (1, 0), (1, 0): (0, 3)}
    strip = Strip([Zone(row), Zone(row)], links, (0, 0), upwards=True)
    assert consistent(strip) == [(0, 0), (0, 1), (0, 2), (0, 3), (1, 0), (1, 1), (1, 2), (1, 3)]


def test_lanes_that_do_not_join_are_refused():
    with pytest.raises(LaneError, match="1 of 2 lanes joined"):
        Strip([Zone(LOOP, 3, (2,))], {}, (0, 0))  # and no move leads from one to the other
    with pytest.raises(LaneError, match="not the end of a lane"):
        Strip([Zone(LOOP)], {}, (0, 1))
    with pytest.raises(LaneError, match="not the end of a lane"):
        Strip([Zone(LINE, 3)], {}, (0, 2))


@pytest.mark.parametrize("at_once", [1, 4, 1 << 15])
@pytest.mark.parametrize("axis", [0, 1])
@pytest.mark.parametrize("count", [1, 2, 7])
@pytest.mark.parametrize("turned", [False, True])
def test_equal_parts_are_written(monkeypatch, at_once, axis, count, turned):
    monkeypatch.setattr(repeating, "AT_ONCE", at_once)
    places = np.random.default_rng(count).permutation(18).reshape(3, 6)
    places[:, :2], places[:, 5] = [[0, 1], [2, 3], [4, 5]], [15, 16, 17]  # columns in one lane
    cuts = [6, 11]
    changes = [Change(1, 100, 7), Change(-1, -3, 0), Change(1, 2**31 + 5, -4)]
    lane = np.digitize(places, cuts)
    signs, summands, strides = (np.array(it)[lane] for it in zip(*changes, strict=True))
    parts = [signs * places + summands + strides * number for number in range(count)]
    wanted = np.concatenate(parts, axis=axis).astype(np.int32)  # sums wrap around
    target = np.zeros(wanted.shape[::-1], dtype=np.int32).T if turned else np.zeros_like(wanted)
    target[:3, :6] = places
    repeat(target, count, axis, cuts, changes)
    assert np.array_equal(target, wanted)


@pytest.mark.parametrize("dtype", [np.int32, np.int64, np.int16, np.uint32, ">i8"])
@pytest.mark.parametrize("copied", [40, 1 << 19])
@pytest.mark.parametrize(
    "ends", [(None, None), ((8, 1), (1, 29)), ((1, 29), (9, 0)), ((9, 30), (0, 0)), (None, (0, 0))]
)
def test_arrays_of_any_type_and_order_are_filled(monkeypatch, dtype, copied, ends):
    monkeypatch.setattr(module, "WINDOW", copied)
    monkeypatch.setattr(module, "WIDTH", 8)
    squares = construct(Problem(Board(10, 31), start=ends[0], end=ends[1]))
    steps = [[squares.index((row, column)) + 1 for column in range(5, 27)] for row in range(2, 9)]
    shapes = np.zeros((7, 22), dtype), np.zeros((22, 7), dtype).T, np.zeros((7, 44), dtype)
    for out in (*shapes[:2], shapes[0][:, ::-1], shapes[2][:, ::2]):
        squares.fill(out, 2, 5)
        assert out.tolist() == steps


def test_boards_of_almost_two_to_the_31_squares_fit_into_int32():
    # No step is too large, but sums on the way to some of them are.
    squares = construct(Problem(Board(46_340, 46_340), start=(23_170, 23_170)))
    for row in (0, 23_000, 46_330):
        out = np.empty((10, 46_340), dtype=np.int32)
        squares.fill(out, row, 0)
        for column in (0, 1, 6, 23_000, 46_338, 46_339):
            assert out[9, column] == squares.index((row + 9, column)) + 1


def built(rows, columns, **ends):
    """The tour's squares, judged, and compared with the part's other two faces; None if none."""
    ends = {"closed": False, "start": None, "end": None, **ends}
    try:
        part = construct_thin_board(rows, columns, **ends)
    except NoTileError:
        return None
    assert (part.rows, part.columns, part.size) == (rows, columns, rows * columns)
    order = [part.square(step) for step in range(part.size)]
    problem = Problem(Board(rows, columns), **ends)
    assert defects(problem, order) == [], (rows, columns, ends)
    out = np.empty((rows, columns), dtype=np.int64)
    part.fill(out, 0, 0)
    for step, square in enumerate(order):
        assert part.step(square) == out[square] == step
    return order


def proven_none(rows, columns, start, end):
    """Return whether a certificate proves that there is no open tour."""
    problem = Problem(Board(rows, columns), start=start, end=end)
    if obstruction(problem) is not None:
        return True
    return certify(Request.begin(problem, Limits(60.0))).certificate is not None


def judge(rows, columns, start, end, *, proof=True):
    """A tour is built, or there is none, which is shown by a proof or by search to the end."""
    if built(rows, columns, start=start, end=end):
        return
    problem = Problem(Board(rows, columns), start=start, end=end)
    known = bool(why_impossible(rows, columns, False, start, end))
    assert known or columns <= (13 if rows == 3 else 6), problem.label
    if proof:
        assert proven_none(rows, columns, start, end), problem.label
    else:
        # The engine alone: the reference's cross-check would take a second for each.
        outcome = get_engine("backtrack").solve(problem, limits=Limits(), seed=0, progress=None)
        assert outcome.verdict is Verdict.IMPOSSIBLE, problem.label


def fitting(rows, columns):
    """Pairs of ends that colours allow, either of them first."""
    for one, two in combinations(squares(rows, columns), 2):
        same = (sum(one) + sum(two)) % 2 == 0
        if same if rows * columns % 2 and sum(one) % 2 == 0 else not (same or rows * columns % 2):
            yield one, two


def test_the_same_question_gives_the_same_tour():
    def tour():
        thin_boards._search.cache_clear()
        part = construct_thin_board(5, 48, closed=False, start=(2, 3), end=(0, 30))
        return [part.square(step) for step in range(part.size)]

    assert tour() == tour()


@pytest.mark.parametrize("rows", HEIGHTS)
def test_boards_with_tours_are_those_of_the_theorems(rows):
    for columns in range(rows, 61):
        assert bool(built(rows, columns)) is not has_no_open_tour(rows, columns), columns
        closed = built(rows, columns, closed=True)
        assert bool(closed) is not has_no_closed_tour(rows, columns), columns


STARTS = [
    (rows, length, square)
    for rows in HEIGHTS
    for length in range(rows, 25)
    for square in squares(rows, length)
]


@exhaustive("starts and ends of low boards", STARTS, sample=50)
def test_every_start_and_every_end_that_has_a_tour(cases):
    for rows, length, square in cases:
        begun, ended = built(rows, length, start=square), built(rows, length, end=square)
        assert bool(begun) is bool(ended)
        if not begun and length * rows % 2 == 0 and not (rows == 4 and square[0] in (1, 2)):
            assert proven_none(rows, length, square, None), (rows, length, square)
        if not has_no_closed_tour(rows, length):
            assert built(rows, length, closed=True, start=square)[0] == square


PAIRS = [
    (rows, columns, *pair)
    for rows in HEIGHTS
    for columns in range(rows, 17)
    for pair in fitting(rows, columns)
]


@exhaustive("pairs of ends of low boards", PAIRS, sample=200)
def test_every_pair_has_a_tour_or_search_finds_none(cases):
    for case in cases:
        judge(*case, proof=False)


EXCEPTIONS = [
    (rows, columns, start, end)
    for rows, columns, start, end in PAIRS
    if columns < (14 if rows == 3 else 7)
    # One of each four that are mirror images.
    if start[0] <= rows // 2 and sum(one[1] for one in (start, end)) < columns
]


@exhaustive("exceptions of low boards", EXCEPTIONS, sample=20)
def test_the_exceptions_of_small_boards_are_proven(cases):
    for rows, columns, start, end in cases:
        if not why_impossible(rows, columns, False, start, end):
            judge(rows, columns, start, end)


def kinds():
    """Short boards and pairs of ends, one of each kind."""
    # Widths of the three gaps; the widest four stand for all that are wider.  A gap of -1
    # between the ends: they lie in one column.  Reflected boards are searched as one.
    for rows in HEIGHTS:
        widths = range(LEAST[rows] + PERIOD)
        for left, between, right in product(widths, [-1, *widths], widths):
            columns = left + between + right + 2
            if left <= right and columns >= (14 if rows == 3 else 7):
                for one, two in product(range((rows + 1) // 2), range(rows)):
                    yield rows, columns, (one, left), (two, left + between + 1)


@exhaustive("kinds of short boards", kinds(), sample=200)
def test_every_kind_of_short_board(cases):
    slowest = 0.0
    for rows, columns, start, end in cases:
        if not why_impossible(rows, columns, False, start, end):
            began = time.process_time()
            part = construct_thin_board(rows, columns, closed=False, start=start, end=end)
            slowest = max(slowest, time.process_time() - began)
            assert (part.square(0), part.square(part.size - 1)) == (start, end)
    assert slowest < 5


@pytest.mark.parametrize("rows", [3, 5])
def test_every_kind_of_short_board_for_closed_tours(rows):
    widths = range(LEAST[rows] + PERIOD)
    for left, right, row in product(widths, widths, range(rows)):
        columns = left + 1 + right
        if not has_no_closed_tour(*sorted((rows, columns))):
            part = construct_thin_board(rows, columns, closed=True, start=(row, left))
            assert part.square(0) == (row, left)
            assert is_move(part.square(part.size - 1), (row, left))


def drawn(rng):
    """A board and a pair of ends that colours allow."""
    rows = rng.choice(HEIGHTS)
    while True:
        columns = rng.randrange(rows, 61)
        start, end = rng.sample(squares(rows, columns), 2)
        refused = why_impossible(rows, columns, False, start, end)
        # Where there is none for another reason, a proof takes longer than a tour: one in ten.
        if "fit" not in refused and (not refused or rng.random() < 0.1):
            return rows, columns, start, end


@exhaustive("pairs of ends of longer boards", range(4500), sample=60)
def test_many_pairs_of_longer_boards(cases):
    for seed in cases:
        judge(*drawn(random.Random(seed)))


REFUSED = [(rows, columns) for rows in HEIGHTS for columns in range(rows, 61)]


@exhaustive("refusals of low boards", REFUSED, sample=5, batches=4)
def test_what_is_refused_is_refuted(cases):
    for rows, columns in cases:
        rng = random.Random(100 * rows + columns)
        if rows == 4:
            inner = [rng.choice([1, 2]), rng.randrange(columns)]
            pairs = [(tuple(inner), end) for end in rng.choices(squares(4, columns), k=3)]
        elif rows == 5:
            pairs = [((2, 1), end) for end in rng.choices(squares(5, columns), k=3)]
        else:
            ends = rng.choices(squares(3, columns), k=3) if columns > 3 else []
            pairs = [((1, columns - 3), end) for end in ends]
            if columns > 4:
                pairs += [((0, 2), (2, 2)), ((0, columns - 3), (1, columns - 4)), ((2, 2), (1, 3))]
        for start, end in pairs:
            if start != end and why_impossible(rows, columns, False, start, end):
                assert proven_none(rows, columns, start, end), (columns, start, end)


@pytest.mark.parametrize("rows, columns", [(3, 1000), (5, 1001), (4, 999), (3, 1001), (5, 1000)])
def test_boards_of_a_thousand_columns(rows, columns):
    rng = random.Random(columns)
    places = squares(rows, columns)
    for _ in range(3):
        pair = None
        while pair is None or why_impossible(rows, columns, False, *pair):
            pair = rng.sample(places, 2)
        order = built(rows, columns, start=pair[0], end=pair[1])
        assert order and [order[0], order[-1]] == pair


@pytest.mark.parametrize("rows", HEIGHTS)
@pytest.mark.parametrize("columns", [GIGA, GIGA + 1])
def test_enormous_boards(rows, columns):
    rng = random.Random(columns)
    near = [*range(20), *range(GIGA // 2, GIGA // 2 + 20), *range(columns - 20, columns)]
    places = list(product(range(rows), near))
    for _ in range(25):
        start, end = rng.sample(places, 2)
        if why_impossible(rows, columns, False, start, end):
            continue
        began = time.process_time()
        part = construct_thin_board(rows, columns, closed=False, start=start, end=end)
        assert time.process_time() - began < 5
        check_anywhere(part, rng)
        assert (part.square(0), part.square(part.size - 1)) == (start, end)
        if not has_no_closed_tour(rows, columns):
            ring = construct_thin_board(rows, columns, closed=True, start=start)
            check_anywhere(ring, rng)
            assert ring.square(0) == start
            assert is_move(ring.square(ring.size - 1), start)


def check_anywhere(part, rng):
    """Steps and squares agree, and following squares are a move apart, at some places."""
    for step in [0, part.size - 2, *(rng.randrange(part.size - 1) for _ in range(20))]:
        here, there = part.square(step), part.square(step + 1)
        assert is_move(here, there)
        assert (part.step(here), part.step(there)) == (step, step + 1)
        assert 0 <= here[0] < part.rows and 0 <= here[1] < part.columns


def test_a_long_closed_tour_is_written_at_once():
    part = construct_thin_board(3, 100_000, closed=True)
    out = np.empty((3, 100_000), dtype=np.int32)
    began = time.process_time()
    part.fill(out, 0, 0)
    assert time.process_time() - began < 2
    order = np.empty((300_000, 2), dtype=np.int64)
    order[out.ravel()] = np.argwhere(out >= 0)
    steps = np.abs(order - np.roll(order, 1, axis=0))
    assert sorted(np.unique(out)[[0, -1]]) == [0, 299_999] and len(np.unique(out)) == 300_000
    assert (np.sort(steps, axis=1) == [1, 2]).all()


@pytest.mark.parametrize(
    "rows, columns, ends, reason",
    [
        (4, 10**9, {"closed": True}, "no tour is closed"),
        (3, 10**9 + 1, {"closed": True}, "even number"),
        (4, 10**9, {"closed": False, "start": (2, 5)}, "an inner one, as f3 is"),
        (
            5,
            10**9,
            {"closed": False, "start": (2, 1), "end": (0, 2)},
            "b3 is the neighbour that two corners share",
        ),
        (3, 10**9, {"closed": False, "start": (1, 2), "end": (2, 5)}, "fit"),
        (
            3,
            10**9,
            {"closed": False, "start": (0, 1), "end": (1, 10**9 - 3)},
            "is the neighbour that two corners share",
        ),
        (
            3,
            10**9 + 1,
            {"closed": False, "start": (0, 2), "end": (2, 2)},
            "between c1 and c3 lies a square",
        ),
        (3, 11, {"closed": False, "start": (0, 0), "end": (0, 0)}, "same square"),
        (3, 8, {"closed": True}, "searches"),
        (3, 6, {"closed": False}, "searches"),
    ],
)
def test_the_reason(rows, columns, ends, reason):
    with pytest.raises(NoTileError, match=reason):
        construct_thin_board(rows, columns, **ends)

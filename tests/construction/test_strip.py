"""Strips: lanes that join to one walk, and those that do not; equal parts written into arrays."""

import numpy as np
import pytest

from kt_cp import Board, Problem
from kt_cp.construction import construct as module
from kt_cp.construction import parts as repeating
from kt_cp.construction.construct import construct
from kt_cp.construction.parts import Change, LaneError, Strip, Tile, Zone, repeat

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
    whole = Strip([Zone(row), Zone(row)], links, (0, 0), upwards=True)
    assert consistent(whole) == [(0, 0), (0, 1), (0, 2), (0, 3), (1, 0), (1, 1), (1, 2), (1, 3)]


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

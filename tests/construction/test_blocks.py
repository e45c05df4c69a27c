"""Blocks of low boards: lanes through four columns, found again by enumeration."""

from __future__ import annotations

from itertools import pairwise, product

import pytest

from kt_cp.construction.parts import LaneError, is_move
from kt_cp.construction.thin_boards import (
    BESIDE,
    BETWEEN,
    PERIOD,
    Block,
    Stretch,
    blocks,
    stretch,
)
from tests.support.exhaustive import more

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


@pytest.mark.parametrize(("rows", "many"), [(3, 410), *more([], [(4, 2304)])])
def test_the_blocks_are_found_by_enumeration(rows, many):
    found = cylinder(rows)
    assert len(found) == many
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

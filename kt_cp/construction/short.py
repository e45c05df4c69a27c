"""Short boards with a tour that passes through blocks: what long thin ones are stretched from.

The search is the exact backtracking of :mod:`kt_cp.search.backtrack`, with a virtual edge between
the ends, and the moves of a block in every long gap as forced edges.  Propagation of those settles
most of the board: a search takes 0.1 to 3 ms, whether the blocks fit or not.  So blocks are not
chosen by thought: combinations of them and their columns are tried in a random order.  Without
gaps there is but one search, of boards up to 47 columns, and its "none" is a proof.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import lru_cache
from itertools import product
from math import prod
from typing import NamedTuple

from kt_cp.board import Board, Square
from kt_cp.construction.blocks import PERIOD, Block, Edge, blocks
from kt_cp.graph import index_board
from kt_cp.search.backtrack import hamiltonian_cycle

Choice = tuple[Block, int]
"""A block, and the column where it begins."""

MARGIN = 2
"""Least columns between a block and an end, or a side of the board: as far as a move reaches."""

CAPS = {3: (4, 8), 4: (4, 5), 5: (4, 6)}
"""Columns that may lie between a block and a side of the board, by rows."""

CHOICES = 300
"""Combinations of blocks and their columns that are tried."""

PATIENCE = (12, 2000)
"""How long a search may go on, in polls of about a third of a millisecond; and without blocks, a
second time.  None of the searches without blocks needed the second time to find a tour."""


class Gap(NamedTuple):
    """Columns without an end, in which a block is to be; ``between`` the ends or beside them."""

    low: int
    columns: int
    between: bool


class Short(NamedTuple):
    """A question about a short board; without an end, for a closed tour."""

    rows: int
    columns: int
    start: Square | None
    end: Square | None
    gaps: tuple[Gap, ...]


@lru_cache(maxsize=256)
def short_tour(short: Short, seed: int = 0) -> tuple[list[Square], list[int]] | None:
    """A tour, and the columns where its blocks begin; None where there is none.

    Examples
    --------
    >>> order, columns = short_tour(Short(4, 20, (0, 0), (3, 2), (Gap(3, 17, False),)))
    >>> order[0], order[-1], len(order), len(columns)
    ((0, 0), (3, 2), 80, 1)
    """
    waiting = _choices(short, seed)
    for polls in PATIENCE[:1] if short.gaps else PATIENCE:
        undecided = []
        for forced, columns in waiting:
            order, settled = _search(short, forced, seed, polls)
            if order is not None:
                return order, columns
            if not settled:
                undecided.append((forced, columns))
            elif not forced:
                return None
        waiting = undecided
    return None


def _choices(short: Short, seed: int) -> list[tuple[list[Edge], list[int]]]:
    """Moves to be forced, and the columns of their blocks."""
    if not short.gaps:
        return [([], []), *(([move], []) for move in _inner(short))]
    options = [
        [
            (block, gap.low + before)
            for block in blocks(short.rows, between=gap.between)
            for before in _places(short, gap)
        ]
        for gap in short.gaps
    ]
    return [
        (
            [move for block, column in chosen for move in block.moves(column)],
            [column for _, column in chosen],
        )
        for chosen in _some(options, seed)
    ]


def _inner(short: Short) -> list[Edge]:
    """On 4 rows, where a tour has one move between inner squares: those at the board's sides."""
    if short.rows != 4:
        return []
    return [
        ((row, one), (3 - row, two))
        for row in (1, 2)
        for one, two in ((0, 2), (short.columns - 1, short.columns - 3))
    ]


def _places(short: Short, gap: Gap) -> list[int]:
    """Columns of a gap that may come before its block."""
    free = gap.columns - PERIOD
    if gap.between:
        return list(range(MARGIN, free - MARGIN + 1))
    caps = [cap for cap in CAPS[short.rows] if free - cap >= MARGIN]
    return [cap if gap.low == 0 else free - cap for cap in caps]


def _search(
    short: Short, forced: Sequence[Edge], seed: int, polls: int
) -> tuple[list[Square] | None, bool]:
    """A tour with given moves, or None; and whether that is settled.

    A closed tour begins at the start, if there is one.
    """
    rows, columns, start, end, _ = short
    neighbours = [list(near) for near in _neighbours(rows, columns)]
    edges = [
        (row * columns + column, last * columns + out) for (row, column), (last, out) in forced
    ]
    if start is not None and end is not None:
        one, two = start[0] * columns + start[1], end[0] * columns + end[1]
        edges.append((one, two))
        if two not in neighbours[one]:
            neighbours[one].append(two)
            neighbours[two].append(one)
    left = iter(range(polls))
    cycle, settled, _ = hamiltonian_cycle(
        neighbours, edges, seed=seed, should_stop=lambda: next(left, None) is None
    )
    if cycle is None:
        return None, settled
    order = [divmod(vertex, columns) for vertex in cycle]
    turn = 0 if start is None else order.index(start)
    order = order[turn:] + order[:turn]
    if end is not None and order[-1] != end:
        order = [order[0], *reversed(order[1:])]
    return order, True


def _some(options: Sequence[Sequence[Choice]], seed: int) -> list[tuple[Choice, ...]]:
    """Combinations in a random order that is always the same; of very many, some."""
    rng = random.Random(seed)
    if prod(len(some) for some in options) > 10 * CHOICES:
        return [tuple(rng.choice(some) for some in options) for _ in range(CHOICES)]
    choices = list(product(*options))
    rng.shuffle(choices)
    return choices[:CHOICES]


@lru_cache(maxsize=256)
def _neighbours(rows: int, columns: int) -> list[list[int]]:
    return index_board(Board(rows, columns)).neighbours

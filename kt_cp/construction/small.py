"""Tours of small boards through given moves, found by search.

The search is the exact backtracking of :mod:`kt_cp.search.backtrack`.  The ends of an open tour are
joined by a virtual edge, and that edge and the given moves are forced.  Their propagation leaves
little to search.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from kt_cp.model.board import Board, Square
from kt_cp.model.graph import index_board
from kt_cp.search.backtrack import hamiltonian_cycle

Edge = tuple[Square, Square]


def tour_through(
    rows: int,
    columns: int,
    ends: Sequence[Square],
    moves: Iterable[Edge],
    *,
    seed: int,
    polls: int,
) -> tuple[list[Square] | None, bool]:
    """A tour with the given moves, or None; and whether that is settled.

    Parameters
    ----------
    ends : sequence of squares
        Both ends of an open tour; the first square of a closed one, or nothing.
    polls : int
        How long to search, in polls of a third of a millisecond to one.

    Examples
    --------
    >>> order, settled = tour_through(3, 4, [(0, 0), (2, 3)], [], seed=0, polls=100)
    >>> order[0], order[-1], len(order), settled
    ((0, 0), (2, 3), 12, True)
    """
    neighbours = [list(near) for near in _neighbours(rows, columns)]
    forced = []
    for here, there in [*moves, (ends[0], ends[1])] if len(ends) == 2 else moves:
        one, two = (row * columns + column for row, column in (here, there))
        forced.append((one, two))
        if two not in neighbours[one]:
            neighbours[one].append(two)
            neighbours[two].append(one)
    left = iter(range(polls))
    cycle, settled, _ = hamiltonian_cycle(
        neighbours, forced, seed=seed, should_stop=lambda: next(left, None) is None
    )
    if cycle is None:
        return None, settled
    order = [divmod(vertex, columns) for vertex in cycle]
    first = order.index(ends[0]) if ends else 0
    order = order[first:] + order[:first]
    if len(ends) == 2 and order[-1] != ends[1]:
        order = [order[0], *reversed(order[1:])]
    return order, True


@lru_cache(maxsize=256)
def _neighbours(rows: int, columns: int) -> list[list[int]]:
    return index_board(Board(rows, columns)).neighbours

"""In which order the recursion tries its moves: as the five source texts do, or fewest ways first.

The move arithmetic here is the reference's own; it does not use the knight graph.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import Any

from kt_cp.problem import Problem

MoveOrder = tuple[tuple[int, int], ...]
Candidates = Callable[[Any], Iterable[Any]]

# The sources' fixed orders as (rows up, columns right), by the number of the document.
ORDERS: dict[str, MoveOrder] = {
    "000": ((1, 2), (-1, 2), (1, -2), (-1, -2), (2, 1), (-2, 1), (2, -1), (-2, -1)),
    "001": ((2, 1), (1, 2), (-2, 1), (-1, 2), (2, -1), (1, -2), (-2, -1), (-1, -2)),
    "002": ((-1, -2), (1, -2), (2, -1), (2, 1), (-2, -1), (-2, 1), (-1, 2), (1, 2)),
    "003": ((2, 1), (2, -1), (-2, 1), (-2, -1), (1, 2), (1, -2), (-1, 2), (-1, -2)),
    "004": ((2, 1), (1, 2), (-1, 2), (-2, 1), (-2, -1), (-1, -2), (1, -2), (2, -1)),
}
DEFAULT_ORDER = ORDERS["001"]


def fixed_order(problem: Problem, moves: MoveOrder = DEFAULT_ORDER) -> Candidates:
    """Where the knight may go from a square, in a fixed order of moves.

    On a general graph the order is that of the graph's own adjacency.
    """
    board = problem.board
    if board is None:
        return lambda node: problem.graph[node]
    rows, columns, missing = board.rows, board.columns, board.missing

    def candidates(square: tuple[int, int]) -> list[tuple[int, int]]:
        row, column = square
        return [
            (row + up, column + right)
            for up, right in moves
            if 0 <= row + up < rows
            and 0 <= column + right < columns
            and (row + up, column + right) not in missing
        ]

    return candidates


def fewest_ways_first(problem: Problem, moves: MoveOrder = DEFAULT_ORDER) -> Candidates:
    """Where the knight may go, squares with few moves first, as text 003 orders them.

    Ways on are counted on the empty board, so the order of each square is made once; squares with
    equally many keep the given order of moves.
    """
    usual = fixed_order(problem, moves)

    @cache
    def ways(square: Any) -> int:
        return len(list(usual(square)))

    @cache
    def candidates(square: Any) -> list[Any]:
        return counting_sort(list(usual(square)), ways)

    return candidates


def counting_sort(items: Sequence[Any], key: Callable[[Any], int]) -> list[Any]:
    """Items by a small key, least first, equal ones in their old order.

    One pass counts, one places: so text 003 sorts the moves of a square.

    Examples
    --------
    >>> counting_sort(["ccc", "a", "bb", "d"], len)
    ['a', 'd', 'bb', 'ccc']
    """
    keys = [key(item) for item in items]
    begins = [0] * (max(keys, default=0) + 2)
    for value in keys:
        begins[value + 1] += 1
    for value in range(1, len(begins)):
        begins[value] += begins[value - 1]
    placed: list[Any] = [None] * len(keys)
    for item, value in zip(items, keys, strict=True):
        placed[begins[value]] = item
        begins[value] += 1
    return placed

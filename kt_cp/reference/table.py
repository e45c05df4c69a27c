"""The moves of a problem as a table of numbers, for compiled kernels.

Vertices are numbered in the order of the board, from a1 in reading order, or of the graph.  Every
row lists where the knight may go from one vertex, in the order in which it is tried.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from kt_cp.errors import TooLargeError
from kt_cp.problem import Problem
from kt_cp.reference.orders import Candidates, fixed_order

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MOST_SQUARES = 1_000_000
"""Half a gigabyte of lists while the table is made."""


@dataclass(frozen=True)
class MoveTable:
    """Where the knight may go from each vertex, in order.

    Attributes
    ----------
    nodes : list
        Square or node of each vertex.
    heads : int32 array of shape (vertices, width)
        Vertices to try from each, -1 after the last.
    """

    nodes: list[Any]
    heads: NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.nodes)

    @cached_property
    def index(self) -> dict[Any, int]:
        """Vertex of each square or node."""
        return {node: vertex for vertex, node in enumerate(self.nodes)}


def move_table(problem: Problem, candidates: Candidates | None = None) -> MoveTable:
    """Table of a problem's moves.

    Parameters
    ----------
    candidates : callable, optional
        Squares to try from a square, in order, always the same ones; ``fixed_order(problem)`` by
        default.

    Raises
    ------
    TooLargeError
        Above a million squares.

    Examples
    --------
    >>> from kt_cp.board import Board
    >>> table = move_table(Problem(Board(3, 4)))
    >>> [table.nodes[vertex] for vertex in table.heads[0] if vertex >= 0]
    [(2, 1), (1, 2)]
    """
    import numpy as np

    if problem.size > MOST_SQUARES:
        raise TooLargeError(
            f"expected at most {MOST_SQUARES:,} squares for the compiled recursion,"
            f" got {problem.size:,}"
        )
    order = candidates or fixed_order(problem)
    nodes = list(problem.graph if problem.board is None else problem.board)
    index = {node: vertex for vertex, node in enumerate(nodes)}
    rows = [[index[other] for other in order(node)] for node in nodes]
    heads = np.full((len(nodes), max(1, *map(len, rows)) if rows else 1), -1, dtype=np.int32)
    for vertex, row in enumerate(rows):
        heads[vertex, : len(row)] = row
    return MoveTable(nodes, heads)

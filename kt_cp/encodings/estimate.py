"""Estimates: upper bounds on the size of a formula, told before anything is built.

A formula that is too large must be refused at once.  The bounds here need the numbers of vertices
and of arcs, and whether the graph is bipartite.  A knight on a whole rectangle tells all three by
its sides; any other problem tells them by its numbered graph.
"""

from __future__ import annotations

from dataclasses import dataclass

from kt_cp.encodings.cnf import MOST_CLAUSES
from kt_cp.model.problem import Problem


@dataclass(frozen=True)
class Shape:
    """What the size of a formula follows from.

    Attributes
    ----------
    vertices, arcs : int
        Of the cycle form.
    stride : int
        Steps to one advance of a counter: see :mod:`kt_cp.encodings.numbering`.
    """

    vertices: int
    arcs: int
    stride: int

    @property
    def values(self) -> int:
        """How many values a counter has to tell apart."""
        return (self.vertices - 1) // self.stride + 1

    @property
    def shared(self) -> int:
        """Clauses of the successor formula: at most three a literal in each of two constraints."""
        return 7 * self.arcs + 4 * self.vertices + 2


def shape_of(problem: Problem) -> Shape:
    """Shape of a problem.

    Examples
    --------
    >>> from kt_cp.model.board import Board
    >>> shape_of(Problem(Board(8, 8), closed=True))
    Shape(vertices=64, arcs=336, stride=2)
    """
    board, size = problem.whole_rectangle, problem.size
    if board is not None:
        across = max(0, board.rows - 1) * max(0, board.columns - 2)
        along = max(0, board.rows - 2) * max(0, board.columns - 1)
        edges, stride = min(2 * (across + along), 4 * size), 2
    else:
        edges = len(problem.indexed.tails)
        # Where the formula is too large already, nobody has to look for colours.
        stride = 1 if 14 * edges > MOST_CLAUSES or problem.indexed.colours is None else 2
    if problem.closed:
        return Shape(size, 2 * edges, stride)
    if problem.start is not None and problem.end is not None:
        return Shape(size, 2 * edges + 2, stride)
    return Shape(size + 1, 2 * (edges + size), stride)

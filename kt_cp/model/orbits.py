"""Motions of a board, and the orbits of vertices and edges under one of them.

A motion maps squares to squares, and a symmetric tour's set of moves to itself.  So such a tour has
all moves of an *orbit* (a move, its image, the image of that, …) or none, and a search for such
tours decides whole orbits.  If the image of a move is not a move of the graph or leaves the board,
no symmetric tour contains the move, and its whole orbit is marked -1.  This applies to every
surface: with joined sides a motion need not map the graph to itself, and the images of forbidden
moves need not be forbidden.

A motion fixes a vertex that is not a square (the depot of :mod:`kt_cp.model.cycle`), because it
maps the ends of a symmetric open tour to each other or to themselves.

The judge and the checker compute motions independently.  Cost: linear, with NumPy.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from kt_cp.model.board import Board
from kt_cp.model.conditions import Symmetry
from kt_cp.model.graph import IndexedGraph
from kt_cp.model.problem import Problem

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Numbers = NDArray[np.int64]

MOVED: dict[str, Callable[[Numbers, Numbers, int, int], tuple[Numbers, Numbers]]] = {
    "half-turn": lambda row, column, rows, columns: (rows - 1 - row, columns - 1 - column),
    "quarter-turn": lambda row, column, rows, _: (rows - 1 - column, row),
    "left-right": lambda row, column, _, columns: (row, columns - 1 - column),
    "top-bottom": lambda row, column, rows, _: (rows - 1 - row, column),
    "diagonal": lambda row, column, _, __: (column, row),
}
"""For each motion, the new rows and columns of squares on a board with these sides."""


def motion_of(problem: Problem) -> str | None:
    """Return the motion under which a tour must be symmetric, or None."""
    return next((each.motion for each in problem.conditions if isinstance(each, Symmetry)), None)


def images(graph: IndexedGraph, board: Board, motion: str) -> Numbers:
    """Return the image of each vertex under a motion; -1 if there is no such square."""
    size, rows, columns = board.size, board.rows, board.columns
    row, column = np.array(graph.nodes[:size], dtype=np.int64).reshape(size, 2).T
    number = np.full((rows, columns), -1, dtype=np.int64)
    number[row, column] = np.arange(size)
    to_row, to_column = MOVED[motion](row, column, rows, columns)
    on = (to_row >= 0) & (to_row < rows) & (to_column >= 0) & (to_column < columns)
    image = np.arange(len(graph))
    image[:size] = np.where(on, number[np.where(on, to_row, 0), np.where(on, to_column, 0)], -1)
    return image


def edge_images(graph: IndexedGraph, image: Numbers) -> Numbers:
    """Return the number of each edge's image; -1 if the image is not an edge."""
    ends = np.sort(np.stack([image[graph.tails], image[graph.heads]]), axis=0)
    codes = graph.tails * len(graph) + graph.heads
    sought = np.where(ends[0] < 0, -1, ends[0] * len(graph) + ends[1])
    place = np.minimum(np.searchsorted(codes, sought), len(codes) - 1)
    return np.where(codes[place] == sought, place, -1) if len(codes) else sought


def orbits(image: Numbers) -> Numbers:
    """Return the orbit of each element of a permutation, numbered from 0 by least members.

    The orbit is -1 if repeated images of the element include -1.
    """
    beyond = np.append(image, -1)  # index -1 refers to this last entry, a missing image
    least = ahead = np.arange(len(beyond))
    lost = np.zeros(len(beyond), dtype=bool)
    for _ in range(4):  # a quarter turn has order 4, and all other motions less
        ahead = beyond[ahead]
        least, lost = np.minimum(least, ahead), lost | (ahead < 0)
    lowest = least[:-1][~lost[:-1]]
    orbit = np.full(len(image), -1, dtype=np.int64)
    orbit[~lost[:-1]] = np.unique(lowest, return_inverse=True)[1]
    return orbit


def move_orbits(problem: Problem, graph: IndexedGraph | None = None) -> Numbers:
    """Return the orbit of each edge under a problem's symmetry; without one, each edge is its own.

    The edges are those of ``problem.indexed`` or of a graph with more vertices and edges.
    """
    graph = graph or problem.indexed
    motion = motion_of(problem)
    if motion is None:
        return np.arange(len(graph.tails))
    assert problem.board is not None  # graphs have no symmetry conditions
    return orbits(edge_images(graph, images(graph, problem.board, motion)))

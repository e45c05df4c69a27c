"""Motions of a board, and the orbits of vertices and edges under one of them.

A motion carries squares to squares, and a symmetric tour's set of moves to itself.  So such a tour
has all moves of an *orbit* (a move, its image, the image of that, …) or none, and a search that
for one decides orbits.  A move with an image that is no move of the graph, or goes off the board,
is in no symmetric tour: its whole orbit is marked -1.  That holds on every surface: over joined
sides a motion need not carry the graph to itself, and forbidden moves need not have forbidden
images.

A vertex that is no square (the depot of :mod:`kt_cp.model.cycle`) stays where it is: the ends of a
symmetric open tour are carried to each other or to themselves.

The judge and the checker have their own arithmetic.  Cost: linear, with NumPy.
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
"""Rows and columns after each motion, of squares on a board of so many rows and columns."""


def motion_of(problem: Problem) -> str | None:
    """The motion under which a tour must be symmetric, or None."""
    return next((each.motion for each in problem.conditions if isinstance(each, Symmetry)), None)


def images(graph: IndexedGraph, board: Board, motion: str) -> Numbers:
    """The vertex that a motion carries each vertex to; -1 where there is no such square."""
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
    """Number of the edge that each edge is carried to; -1 where that is no edge."""
    ends = np.sort(np.stack([image[graph.tails], image[graph.heads]]), axis=0)
    codes = graph.tails * len(graph) + graph.heads
    sought = np.where(ends[0] < 0, -1, ends[0] * len(graph) + ends[1])
    place = np.minimum(np.searchsorted(codes, sought), len(codes) - 1)
    return np.where(codes[place] == sought, place, -1) if len(codes) else sought


def orbits(image: Numbers) -> Numbers:
    """Orbit of each of the things that a motion permutes, numbered from 0 by their least members.

    Those with an image that is none (-1), or an image of an image, and so on, are -1.
    """
    beyond = np.append(image, -1)  # the last one, which -1 finds, stands for what is not there
    least = ahead = np.arange(len(beyond))
    lost = np.zeros(len(beyond), dtype=bool)
    for _ in range(4):  # a quarter turn comes back after so many; all others sooner
        ahead = beyond[ahead]
        least, lost = np.minimum(least, ahead), lost | (ahead < 0)
    lowest = least[:-1][~lost[:-1]]
    orbit = np.full(len(image), -1, dtype=np.int64)
    orbit[~lost[:-1]] = np.unique(lowest, return_inverse=True)[1]
    return orbit


def edge_orbits(graph: IndexedGraph, board: Board, motion: str) -> Numbers:
    """Orbit of each edge under a motion, from 0; -1 for edges that no symmetric tour uses."""
    return orbits(edge_images(graph, images(graph, board, motion)))


def move_orbits(problem: Problem, graph: IndexedGraph | None = None) -> Numbers:
    """Orbit of each edge under the symmetry of a problem; without one, each edge is its own.

    The edges are those of ``problem.indexed`` or of a graph that has more vertices and edges.
    """
    graph = graph or problem.indexed
    motion = motion_of(problem)
    if motion is None:
        return np.arange(len(graph.tails))
    assert problem.board is not None  # a symmetry of a graph is no condition
    return edge_orbits(graph, problem.board, motion)

"""Graphs of moves.

Users see a plain networkx graph.  Engines use :class:`IndexedGraph`: vertices numbered from 0, and
edges as two NumPy arrays.  For boards, one vectorised rule computes these arrays from the piece's
steps and the board's surface.  :func:`piece_graph` uses it too, so a board of a million squares
takes a second instead of a minute.  On a small board plain Python takes milliseconds, and loading
NumPy takes longer than most searches.  So plain Python lists the neighbours there, and the arrays
are created on first use.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, Any

from kt_cp.model.board import Board, Square
from kt_cp.model.errors import NotTakenError
from kt_cp.model.piece import KNIGHT, Piece, Step
from kt_cp.model.surface import Join, Surface
from kt_cp.model.terms import FullProblemLike

if TYPE_CHECKING:
    import networkx as nx
    import numpy as np
    from numpy.typing import NDArray

    Ends = tuple[NDArray[np.int64], NDArray[np.int64]]


DENSE = 16
"""Edges per vertex from which on a graph is traversed by whole levels."""

LISTED_SQUARES = 1_000
"""Most squares of a plane board whose moves plain Python lists.  That takes 1 ms more than NumPy,
but loading NumPy takes 70 ms."""


def knight_graph(board: Board) -> nx.Graph:
    """Return the graph with the squares of a board as nodes and knight's moves as edges.

    Nodes are in reading order from a1 and have no attributes.

    Examples
    --------
    >>> graph = knight_graph(Board(8, 8))
    >>> graph.number_of_nodes(), graph.number_of_edges(), sorted(graph[0, 0])
    (64, 168, [(1, 2), (2, 1)])
    """
    return piece_graph(board, KNIGHT)


def piece_graph(board: Board, piece: Piece) -> nx.Graph:
    """Return the graph of a board and any piece: an edge joins two different squares of a step.

    >>> graph = piece_graph(Board(5, 5, surface="torus"), Piece.parse("king"))
    >>> {degree for _, degree in graph.degree}
    {8}
    """
    import networkx as nx

    indexed = index_board(board, piece)
    graph = nx.Graph()
    graph.add_nodes_from(indexed.nodes)
    nodes = indexed.nodes
    graph.add_edges_from((nodes[u], nodes[v]) for u, v in indexed.pairs())
    return graph


class IndexedGraph:
    """A simple undirected graph with vertices 0 … n - 1.

    Attributes
    ----------
    nodes : sequence
        Label of each vertex, a square or any node of a networkx graph.
    tails, heads : int64 arrays of shape (edges,)
        Ends of each edge, with ``tails[i] < heads[i]``, in lexicographic order.
    """

    def __init__(
        self, nodes: Sequence[Hashable], tails: NDArray[np.int64], heads: NDArray[np.int64]
    ) -> None:
        self.nodes = nodes
        self.tails, self.heads = tails, heads

    @classmethod
    def from_neighbours(
        cls, nodes: Sequence[Hashable], neighbours: list[list[int]]
    ) -> IndexedGraph:
        """Return the graph with these neighbours of each vertex, which are in ascending order."""
        graph = cls.__new__(cls)
        graph.nodes, graph.neighbours = nodes, neighbours
        return graph

    def __len__(self) -> int:
        return len(self.nodes)

    @property
    def _is_listed(self) -> bool:
        """Whether the neighbours have been computed, even if the arrays have not."""
        return "neighbours" in self.__dict__

    @cached_property
    def tails(self) -> NDArray[np.int64]:
        """Smaller end of each edge."""
        import numpy as np

        greater = [sum(other > v for other in row) for v, row in enumerate(self.neighbours)]
        return np.repeat(np.arange(len(self)), np.array(greater, dtype=np.int64))

    @cached_property
    def heads(self) -> NDArray[np.int64]:
        """Greater end of each edge."""
        import numpy as np

        greater = (other for v, row in enumerate(self.neighbours) for other in row if other > v)
        return np.fromiter(greater, dtype=np.int64)

    def pairs(self) -> list[tuple[int, int]]:
        """Return the edges as pairs of Python integers."""
        return list(zip(self.tails.tolist(), self.heads.tolist(), strict=True))

    def without(self, edges: Iterable[tuple[Hashable, Hashable]]) -> IndexedGraph:
        """Return the same graph without some edges, given by their labels."""
        index = self.index
        codes = [
            min(u, v) * len(self) + max(u, v) for u, v in ((index[a], index[b]) for a, b in edges)
        ]
        if not codes:
            return self
        import numpy as np

        remaining = ~np.isin(self.tails * len(self) + self.heads, codes)
        return IndexedGraph(self.nodes, self.tails[remaining], self.heads[remaining])

    @cached_property
    def index(self) -> dict[Hashable, int]:
        """Vertex number of each label."""
        return {node: vertex for vertex, node in enumerate(self.nodes)}

    @cached_property
    def degrees(self) -> NDArray[np.int64]:
        """Degree of each vertex."""
        import numpy as np

        ends = np.concatenate([self.tails, self.heads])
        return np.bincount(ends, minlength=len(self)).astype(np.int64)

    def vertices_below(self, degree: int) -> list[int]:
        """Return the vertices with a smaller degree, in ascending order."""
        degrees = map(len, self.neighbours) if self._is_listed else self.degrees.tolist()
        return [vertex for vertex, its in enumerate(degrees) if its < degree]

    @cached_property
    def neighbours(self) -> list[list[int]]:
        """Neighbours of each vertex in ascending order."""
        import numpy as np

        sources = np.concatenate([self.tails, self.heads])
        targets = np.concatenate([self.heads, self.tails])
        targets = targets[np.lexsort((targets, sources))].tolist()
        bounds = [0, *np.cumsum(self.degrees).tolist()]
        return [targets[bounds[v] : bounds[v + 1]] for v in range(len(self))]

    @cached_property
    def _walked(self) -> tuple[list[list[int]], list[int]]:
        """Components, breadth first from their least vertices, and distances from these."""
        if not self._is_listed and len(self.tails) > DENSE * len(self):
            return self._walked_by_levels()
        distance = [-1] * len(self)
        found = []
        for root in range(len(self)):
            if distance[root] < 0:
                distance[root] = 0
                found.append([root])
                for vertex in found[-1]:
                    for other in self.neighbours[vertex]:
                        if distance[other] < 0:
                            distance[other] = distance[vertex] + 1
                            found[-1].append(other)
        return found, distance

    def _walked_by_levels(self) -> tuple[list[list[int]], list[int]]:
        """Return the same by whole levels with NumPy, as a dense graph has few levels."""
        import numpy as np

        ends = np.concatenate([self.tails, self.heads])
        others = np.concatenate([self.heads, self.tails])[np.argsort(ends, kind="stable")]
        bounds = [0, *np.cumsum(self.degrees).tolist()]
        distance = np.full(len(self), -1)
        found = []
        for root in range(len(self)):
            if distance[root] < 0:
                level, far = np.array([root]), 0
                distance[root] = 0
                found.append([root])
                while len(level):
                    far += 1
                    rows = [others[bounds[v] : bounds[v + 1]] for v in level.tolist()]
                    near = np.concatenate(rows)
                    level = np.unique(near[distance[near] < 0])
                    distance[level] = far
                    found[-1] += level.tolist()
        return found, distance.tolist()

    @cached_property
    def components(self) -> list[list[int]]:
        """Connected components, each in ascending order, by least vertex."""
        return [sorted(component) for component in self._walked[0]]

    @cached_property
    def colours(self) -> list[int] | None:
        """A two-colouring by 0 and 1, or None if there is an odd cycle.

        The least vertex of each component has colour 0; on a whole board that is a1, so 0 is the
        colour of the corner.
        """
        colours = [distance % 2 for distance in self._walked[1]]
        if self._is_listed:
            rows = zip(colours, self.neighbours, strict=True)
            return None if any(colours[v] == here for here, row in rows for v in row) else colours
        import numpy as np

        colour = np.array(colours, dtype=np.int64)
        return None if np.any(colour[self.tails] == colour[self.heads]) else colours


def index_board(board: Board, piece: Piece = KNIGHT) -> IndexedGraph:
    """Return the graph of a board and a piece, with squares numbered in reading order from a1.

    >>> graph = index_board(Board(3, 4))
    >>> len(graph), graph.pairs()[:2], graph.nodes[6]
    (12, [(0, 6), (0, 9)], (1, 2))
    """
    squares: list[Square] = list(board)
    if len(squares) <= LISTED_SQUARES and board.surface is Surface.PLANE:
        index = {square: vertex for vertex, square in enumerate(squares)}
        steps = sorted(piece.steps)  # so that their ends are in ascending order
        reached = ([(row + up, column + right) for up, right in steps] for row, column in squares)
        rows = [[index[square] for square in each if square in index] for each in reached]
        return IndexedGraph.from_neighbours(squares, rows)
    import numpy as np

    present = np.ones((board.rows, board.columns), dtype=bool)
    for square in board.missing:
        present[square] = False
    number = np.cumsum(present, dtype=np.int64).reshape(present.shape) - 1
    if board.surface is Surface.PLANE:
        # Use one of each pair of opposite steps, so that each undirected edge is listed once.
        ends = [_shifted(present, number, step) for step in piece.steps if step > (0, 0)]
    else:
        # Use all steps: across a reversed join, the way back is not the opposite step.
        ends = [_landed(board, present, number, step) for step in piece.steps]
    tail = np.concatenate([tails for tails, _ in ends])
    head = np.concatenate([heads for _, heads in ends])
    order = np.lexsort((head, tail))
    tail, head = tail[order], head[order]
    if board.surface is not Surface.PLANE and len(tail):  # two steps to one square are one move
        new = np.ones(len(tail), dtype=bool)
        new[1:] = (tail[1:] != tail[:-1]) | (head[1:] != head[:-1])
        tail, head = tail[new], head[new]
    return IndexedGraph(squares, tail, head)


def _shifted(present: NDArray[np.bool_], number: NDArray[np.int64], step: Step) -> Ends:
    """Return both ends of every move by one step upwards (or along a rank) on the plane."""
    (rows, columns), (up, right) = present.shape, step
    shift = abs(right)
    left = slice(0, max(0, columns - shift)), slice(shift, None)
    from_columns, to_columns = left if right > 0 else left[::-1]
    here = slice(0, max(0, rows - up)), from_columns
    there = slice(up, None), to_columns
    both = present[here] & present[there]
    return number[here][both], number[there][both]


def _landed(
    board: Board, present: NDArray[np.bool_], number: NDArray[np.int64], step: Step
) -> Ends:
    """Return the same on a surface with joined sides, smaller vertex first and without loops."""
    import numpy as np

    rows, columns = np.indices(present.shape)
    row: Any = rows + step[0]
    turns, column = np.divmod(columns + step[1], board.columns)
    on = present.copy()
    if board.surface.files is Join.OPEN:
        on &= turns == 0
    if board.surface.ranks is Join.PLAIN:
        row = row % board.rows
    else:
        on &= (row >= 0) & (row < board.rows)
    if board.surface.files is Join.REVERSED:
        row = np.where(turns % 2 == 1, board.rows - 1 - row, row)
    row = np.where(on, row, 0)
    on &= present[row, column] & ((row != rows) | (column != columns))
    ends = np.sort(np.stack([number[on], number[row, column][on]]), axis=0)
    return ends[0], ends[1]


def index_problem(problem: FullProblemLike) -> IndexedGraph:
    """Return all moves of a problem with numbered vertices, including forbidden moves."""
    if problem.board is not None:
        return index_board(problem.board, problem.piece)
    if problem.directed:
        raise NotTakenError(f"expected a board or an undirected graph, got a {problem.label}")
    return index_graph(problem.graph)


def index_graph(graph: nx.Graph) -> IndexedGraph:
    """Number the nodes of a simple undirected networkx graph in the graph's own order."""
    import numpy as np

    number = {node: vertex for vertex, node in enumerate(graph)}
    ends = map(number.__getitem__, chain.from_iterable(graph.edges()))
    pairs = np.sort(np.fromiter(ends, dtype=np.int64).reshape(-1, 2), axis=1)
    tails, heads = np.ascontiguousarray(pairs[np.lexsort((pairs[:, 1], pairs[:, 0]))].T)
    return IndexedGraph(list(number), tails, heads)

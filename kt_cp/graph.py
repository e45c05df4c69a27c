"""The knight graph, and nothing about solving.

This is the only place, beside the judge, that knows how a knight moves.  The graph that users see
is a plain networkx graph.  Engines read it through :class:`IndexedGraph`: vertices numbered from
0, edges as two NumPy arrays.  For boards these arrays come from one vectorised rule, which
:func:`knight_graph` uses too, so that a board of a million squares costs a second and not a
minute; for any other networkx graph they are read off the graph.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from kt_cp.board import Board, Square

if TYPE_CHECKING:
    import networkx as nx
    from numpy.typing import NDArray

# One of each pair of opposite moves: an undirected edge is listed once.
_MOVES = ((1, 2), (2, 1), (2, -1), (1, -2))


def knight_graph(board: Board) -> nx.Graph:
    """Graph whose nodes are the squares of a board and whose edges are knight's moves.

    Nodes come in reading order from a1 and carry no attributes.

    Examples
    --------
    >>> graph = knight_graph(Board(8, 8))
    >>> graph.number_of_nodes(), graph.number_of_edges(), sorted(graph[0, 0])
    (64, 168, [(1, 2), (2, 1)])
    """
    import networkx as nx

    indexed = index_board(board)
    graph = nx.Graph()
    graph.add_nodes_from(indexed.nodes)
    nodes = indexed.nodes
    graph.add_edges_from((nodes[u], nodes[v]) for u, v in indexed.pairs())
    return graph


@dataclass(frozen=True)
class IndexedGraph:
    """Simple undirected graph with vertices 0 … n - 1.

    Attributes
    ----------
    nodes : sequence
        Label of each vertex, a square or any node of a networkx graph.
    tails, heads : int64 arrays of shape (edges,)
        Ends of each edge, ``tails[i] < heads[i]``, every edge once, in lexicographic order.
    """

    nodes: Sequence[Hashable]
    tails: NDArray[np.int64]
    heads: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.nodes)

    def pairs(self) -> list[tuple[int, int]]:
        """Edges as pairs of Python integers."""
        return list(zip(self.tails.tolist(), self.heads.tolist(), strict=True))

    @cached_property
    def index(self) -> dict[Hashable, int]:
        """Vertex number of each label."""
        return {node: vertex for vertex, node in enumerate(self.nodes)}

    @cached_property
    def degrees(self) -> NDArray[np.int64]:
        """Degree of each vertex."""
        ends = np.concatenate([self.tails, self.heads])
        return np.bincount(ends, minlength=len(self)).astype(np.int64)

    @cached_property
    def neighbours(self) -> list[list[int]]:
        """Neighbours of each vertex in ascending order."""
        sources = np.concatenate([self.tails, self.heads])
        targets = np.concatenate([self.heads, self.tails])
        targets = targets[np.lexsort((targets, sources))].tolist()
        bounds = [0, *np.cumsum(self.degrees).tolist()]
        return [targets[bounds[v] : bounds[v + 1]] for v in range(len(self))]

    @cached_property
    def components(self) -> list[list[int]]:
        """Connected components, each in ascending order, by least vertex."""
        seen = [False] * len(self)
        found = []
        for root in range(len(self)):
            if seen[root]:
                continue
            seen[root] = True
            component = [root]
            for vertex in component:
                for other in self.neighbours[vertex]:
                    if not seen[other]:
                        seen[other] = True
                        component.append(other)
            found.append(sorted(component))
        return found

    @cached_property
    def colours(self) -> list[int] | None:
        """A two-colouring by 0 and 1, or None where an odd cycle forbids one.

        The least vertex of each component has colour 0; on a whole board that is a1, so 0 is the
        colour of the corner.
        """
        colour = [-1] * len(self)
        for component in self.components:
            colour[component[0]] = 0
            queue = [component[0]]
            for vertex in queue:
                for other in self.neighbours[vertex]:
                    if colour[other] < 0:
                        colour[other] = 1 - colour[vertex]
                        queue.append(other)
                    elif colour[other] == colour[vertex]:
                        return None
        return colour


def index_board(board: Board) -> IndexedGraph:
    """The knight graph of a board with numbered squares, in reading order from a1.

    Examples
    --------
    >>> graph = index_board(Board(3, 4))
    >>> len(graph), graph.pairs()[:2], graph.nodes[6]
    (12, [(0, 6), (0, 9)], (1, 2))
    """
    present = np.ones((board.rows, board.columns), dtype=bool)
    for square in board.missing:
        present[square] = False
    number = np.cumsum(present, dtype=np.int64).reshape(present.shape) - 1
    tails, heads = [], []
    for down, across in _MOVES:
        rows = slice(0, max(0, board.rows - down)), slice(down, None)
        shift = abs(across)
        left, right = slice(0, max(0, board.columns - shift)), slice(shift, None)
        columns = (left, right) if across > 0 else (right, left)
        here, there = (rows[0], columns[0]), (rows[1], columns[1])
        both = present[here] & present[there]
        tails.append(number[here][both])
        heads.append(number[there][both])
    tail, head = np.concatenate(tails), np.concatenate(heads)
    order = np.lexsort((head, tail))
    squares: list[Square] = list(board)
    return IndexedGraph(squares, tail[order], head[order])


def index_graph(graph: nx.Graph) -> IndexedGraph:
    """Any simple undirected networkx graph with numbered nodes, in the graph's own order."""
    nodes: list[Any] = list(graph)
    index = {node: vertex for vertex, node in enumerate(nodes)}
    pairs = sorted(sorted((index[u], index[v])) for u, v in graph.edges())
    ends = np.array(pairs, dtype=np.int64).reshape(len(pairs), 2)
    return IndexedGraph(nodes, ends[:, 0], ends[:, 1])

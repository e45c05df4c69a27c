"""Graphs of the user's own: a copy that does not change, and the same with numbered vertices.

A tour goes once to every node.  So loops and parallel edges play no part in it: they are left out
of the copy, and a remark says how many there were.  Attributes are left behind as well.

Both are made from whole rows of the adjacency, with NumPy: a call of networkx for every edge takes
ten times as long on a dense graph.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np

from kt_cp.model.errors import NotTakenError, ProblemError
from kt_cp.model.graph import IndexedGraph, index_board
from kt_cp.model.terms import counted

if TYPE_CHECKING:
    import networkx as nx
    from numpy.typing import NDArray

    from kt_cp.model.problem import Problem


def simple_copy(graph: Any) -> tuple[nx.Graph, tuple[str, ...]]:
    """A frozen simple copy of any networkx graph, directed if it is, and what was left out.

    Neighbours stand in the order in which networkx would add the graph's edges one by one.  So a
    graph that was written by its edges and read again has them in the same order.

    Raises
    ------
    ProblemError
        If it is no networkx graph, or has no nodes.

    Examples
    --------
    >>> import networkx as nx
    >>> copy, remarks = simple_copy(nx.MultiGraph([(1, 2), (2, 1), (2, 3), (3, 3)]))
    >>> list(copy.edges()), remarks
    ([(1, 2), (2, 3)], ('1 self-loop and 1 parallel edge play no part in a tour',))
    """
    import networkx as nx

    if not isinstance(graph, nx.Graph):
        raise ProblemError(f"expected a networkx graph, got {type(graph).__name__}")
    if graph.number_of_nodes() == 0:
        raise ProblemError("expected a graph with at least one node")
    copy: nx.Graph = nx.DiGraph() if graph.is_directed() else nx.Graph()
    nodes: list[Any] = list(graph)
    rows, others = _rows(graph, nodes)
    places = np.arange(len(rows))
    # As networkx would add the edges, a node gets those of the nodes before it first.
    earlier = others < rows if not graph.is_directed() else np.zeros(len(rows), dtype=bool)
    order = np.lexsort((np.where(earlier, others, len(nodes) + places), rows))
    order = order[rows[order] != others[order]]
    ends = np.cumsum(np.bincount(rows[order], minlength=len(nodes))).tolist()
    named = [nodes[other] for other in others[order].tolist()]
    copy.add_nodes_from(nodes)
    nothing: dict[str, Any] = {}  # the attributes of every edge, of a graph that is frozen
    begin = 0
    for node, end in zip(nodes, ends, strict=True):
        copy._adj[node].update(dict.fromkeys(named[begin:end], nothing))
        begin = end
    if graph.is_directed():
        for node, row in copy._adj.items():
            for other in row:
                copy._pred[other][node] = nothing
    return nx.freeze(copy), _remarks(graph, len(order) // (1 if graph.is_directed() else 2))


def _remarks(graph: nx.Graph, kept: int) -> tuple[str, ...]:
    """What is left out of a graph of which so many edges are kept."""
    import networkx as nx

    loops = nx.number_of_selfloops(graph)
    parallel = graph.number_of_edges() - loops - kept if graph.is_multigraph() else 0
    move = "arc" if graph.is_directed() else "edge"
    told = [(loops, "self-loop"), (parallel, f"parallel {move}")]
    what = " and ".join(counted(number, each) for number, each in told if number)
    play = "plays" if loops + parallel == 1 else "play"
    return (f"{what} {play} no part in a tour",) if what else ()


def index_problem(problem: Problem) -> IndexedGraph:
    """All moves of a problem with numbered vertices, before any are forbidden.

    Raises
    ------
    NotTakenError
        If its graph is directed: engines are handed it in the form of :mod:`kt_cp.model.directed`.
    """
    if problem.board is not None:
        return index_board(problem.board, problem.piece)
    if problem.directed:
        raise NotTakenError(f"expected a board or an undirected graph, got a {problem.label}")
    return index_graph(problem.graph)


def index_graph(graph: nx.Graph) -> IndexedGraph:
    """Any simple undirected networkx graph with numbered nodes, in the graph's own order."""
    nodes: list[Any] = list(graph)
    rows, others = _rows(graph, nodes)
    once = rows < others
    tails, heads = rows[once], others[once]
    order = np.lexsort((heads, tails))
    return IndexedGraph(nodes, tails[order], heads[order])


def _rows(graph: nx.Graph, nodes: list[Any]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Both ends of every entry of the adjacency, as numbers of nodes, row by row."""
    index = {node: vertex for vertex, node in enumerate(nodes)}
    adjacency = [row for _, row in graph.adjacency()]
    lengths = np.fromiter(map(len, adjacency), dtype=np.int64, count=len(nodes))
    others = map(index.__getitem__, chain.from_iterable(adjacency))
    ends = np.fromiter(others, dtype=np.int64, count=int(lengths.sum()))
    return np.repeat(np.arange(len(nodes)), lengths), ends

"""Graphs of the user's own: a copy that does not change, and the same with numbered vertices.

A tour goes once to every node.  So loops and parallel edges play no part in it: they are left out
of the copy, and a remark says how many there were.  Attributes are left behind as well.

Both are made from whole rows of the adjacency, with NumPy: a call of networkx for every edge takes
ten times as long on a dense graph.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from kt_cp.model.errors import NotTakenError, ProblemError
from kt_cp.model.garbage import uncollected
from kt_cp.model.graph import IndexedGraph, index_board
from kt_cp.model.places import attributes_kept
from kt_cp.model.terms import FullProblemLike, counted

if TYPE_CHECKING:
    import networkx as nx
    from numpy.typing import NDArray


class Simple(NamedTuple):
    """A graph that does not change.

    Attributes
    ----------
    graph : networkx.Graph
        Frozen and simple, directed if the graph is of which it is a copy.
    remarks : tuple of str
        What was left out.
    indexed : IndexedGraph or None
        The same with numbered nodes; of a directed graph none.
    """

    graph: nx.Graph
    remarks: tuple[str, ...]
    indexed: IndexedGraph | None


def simple_copy(graph: Any) -> Simple:
    """A simple copy of any networkx graph, with what is known of where its nodes lie.

    Neighbours stand in the order in which networkx would add the graph's edges one by one.  So a
    graph that was written by its edges and read again has them in the same order.

    Raises
    ------
    ProblemError
        If it is no networkx graph, or has no nodes.

    Examples
    --------
    >>> import networkx as nx
    >>> copy = simple_copy(nx.MultiGraph([(1, 2), (2, 1), (2, 3), (3, 3)]))
    >>> list(copy.graph.edges()), copy.remarks
    ([(1, 2), (2, 3)], ('1 self-loop and 1 parallel edge play no part in a tour',))
    """
    import networkx as nx

    if not isinstance(graph, nx.Graph):
        raise ProblemError(f"expected a networkx graph, got {type(graph).__name__}")
    if graph.number_of_nodes() == 0:
        raise ProblemError("expected a graph with at least one node")
    with uncollected():
        return _copied(graph)


def _copied(graph: nx.Graph) -> Simple:
    import networkx as nx

    nodes: list[Any] = list(graph)
    directed = graph.is_directed()
    copy: nx.Graph = nx.DiGraph() if directed else nx.Graph()
    copy.add_nodes_from(nodes)
    rows, others = _rows(graph, nodes)
    real = rows != others
    # As networkx would add the edges, a node gets those of the nodes before it first.
    later = 0 if directed else np.where(others < rows, others, len(nodes) + np.arange(len(rows)))
    key = rows * (len(nodes) + len(rows)) + later
    if np.all(real) and (directed or np.all(key[1:] > key[:-1])):
        for node, row in graph.adjacency():
            copy._adj[node].update(dict.fromkeys(row, _NOTHING))
    else:
        order = np.flatnonzero(real)
        order = order if directed else order[np.argsort(key[order])]
        fill(copy._adj, nodes, rows[order], others[order])
    indexed = None
    if directed:
        for node, row in copy._adj.items():
            for other in row:
                copy._pred[other][node] = _NOTHING
    else:
        indexed = _indexed(nodes, rows, others)
    kept = int(np.count_nonzero(real)) // (1 if directed else 2)
    copy.graph.update(attributes_kept(graph))
    return Simple(nx.freeze(copy), _remarks(graph, kept), indexed)


_NOTHING: dict[str, Any] = {}
"""The attributes of every edge of a copy, which is frozen."""


def fill(
    adjacency: dict[Any, dict[Any, Any]],
    nodes: list[Any],
    tails: NDArray[np.int64],
    heads: NDArray[np.int64],
) -> None:
    """Add edges to the rows of an adjacency, each as numbers of its nodes, in the order of tails.

    Examples
    --------
    >>> rows = {"a": {}, "b": {}}
    >>> fill(rows, ["a", "b"], np.array([0, 1]), np.array([1, 0]))
    >>> rows
    {'a': {'b': {}}, 'b': {'a': {}}}
    """
    ends = np.cumsum(np.bincount(tails, minlength=len(nodes))).tolist()
    named: Any = heads
    if not _numbered(nodes):
        named = np.fromiter(nodes, dtype=object, count=len(nodes))[heads]
    named = named.tolist()
    for row, begin, end in zip(adjacency.values(), [0, *ends], ends, strict=False):
        row.update(dict.fromkeys(named[begin:end], _NOTHING))


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


def index_problem(problem: FullProblemLike) -> IndexedGraph:
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
    return problem.__dict__.get("_indexed") or index_graph(problem.graph)


def index_graph(graph: nx.Graph) -> IndexedGraph:
    """Any simple undirected networkx graph with numbered nodes, in the graph's own order."""
    nodes: list[Any] = list(graph)
    return _indexed(nodes, *_rows(graph, nodes))


def _indexed(nodes: list[Any], rows: NDArray[np.int64], others: NDArray[np.int64]) -> IndexedGraph:
    once = rows < others
    tails, heads = rows[once], others[once]
    order = tails * len(nodes) + heads
    if np.any(order[1:] <= order[:-1]):
        order.sort()
        tails, heads = np.divmod(order, len(nodes))
    return IndexedGraph(nodes, tails, heads)


def _rows(graph: nx.Graph, nodes: list[Any]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Both ends of every entry of the adjacency, as numbers of nodes, row by row."""
    adjacency = [row for _, row in graph.adjacency()]
    lengths = np.fromiter(map(len, adjacency), dtype=np.int64, count=len(nodes))
    others: Iterator[Any] = chain.from_iterable(adjacency)
    if not _numbered(nodes):
        others = map({node: at for at, node in enumerate(nodes)}.__getitem__, others)
    ends = np.fromiter(others, dtype=np.int64, count=int(lengths.sum()))
    return np.repeat(np.arange(len(nodes)), lengths), ends


def _numbered(nodes: list[Any]) -> bool:
    """Whether nodes are called by their numbers already, as networkx's generators do."""
    return all(type(node) is int for node in nodes) and nodes == list(range(len(nodes)))

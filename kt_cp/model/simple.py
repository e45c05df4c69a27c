"""Graphs of the user's own: a copy that does not change, and the same with numbered vertices.

A tour visits every node once, so loops and parallel edges play no part in it: the copy leaves them
out, and a remark says how many there were.  It leaves out attributes as well.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from kt_cp.model.errors import NotTakenError, ProblemError
from kt_cp.model.gc_pause import gc_paused
from kt_cp.model.graph import IndexedGraph, index_board
from kt_cp.model.places import attributes_kept
from kt_cp.model.terms import FullProblemLike, counted

if TYPE_CHECKING:
    import networkx as nx


class SimpleGraph(NamedTuple):
    """A frozen graph without loops and parallel edges, and remarks on what was left out."""

    graph: nx.Graph
    remarks: tuple[str, ...]


def simple_copy(graph: Any) -> SimpleGraph:
    """Copy any networkx graph as a simple one, with its file's name and its nodes' places.

    Raises
    ------
    ProblemError
        If it is not a networkx graph, or has no nodes.

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
    copy: nx.Graph = nx.DiGraph() if graph.is_directed() else nx.Graph()
    with gc_paused():
        copy.add_nodes_from(graph)
        copy.add_edges_from((u, v) for u, v in graph.edges() if u != v)
    copy.graph.update(attributes_kept(graph))
    return SimpleGraph(nx.freeze(copy), _remarks(graph, copy.number_of_edges()))


def _remarks(graph: nx.Graph, edges: int) -> tuple[str, ...]:
    """Return what a copy with this many edges leaves out of a graph."""
    import networkx as nx

    loops = nx.number_of_selfloops(graph)
    parallel = graph.number_of_edges() - loops - edges
    move = "arc" if graph.is_directed() else "edge"
    counts = [(loops, "self-loop"), (parallel, f"parallel {move}")]
    what = " and ".join(counted(number, each) for number, each in counts if number)
    play = "plays" if loops + parallel == 1 else "play"
    return (f"{what} {play} no part in a tour",) if what else ()


def index_problem(problem: FullProblemLike) -> IndexedGraph:
    """Return all moves of a problem with numbered vertices, the forbidden ones included.

    Raises
    ------
    NotTakenError
        If its graph is directed: engines take it in the form of :mod:`kt_cp.model.directed`.
    """
    if problem.board is not None:
        return index_board(problem.board, problem.piece)
    if problem.directed:
        raise NotTakenError(f"expected a board or an undirected graph, got a {problem.label}")
    return index_graph(problem.graph)


def index_graph(graph: nx.Graph) -> IndexedGraph:
    """Number the nodes of a simple undirected networkx graph in the graph's own order."""
    number = {node: vertex for vertex, node in enumerate(graph)}
    ends = map(number.__getitem__, chain.from_iterable(graph.edges()))
    pairs = np.sort(np.fromiter(ends, dtype=np.int64).reshape(-1, 2), axis=1)
    tails, heads = np.ascontiguousarray(pairs[np.lexsort((pairs[:, 1], pairs[:, 0]))].T)
    return IndexedGraph(list(number), tails, heads)

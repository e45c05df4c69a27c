"""A naive oracle that shares no code with the package: try every order of the nodes.

It serves graphs of at most nine nodes; it is slow, short, and hard to get wrong.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterator
from functools import cache
from itertools import pairwise, permutations
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import networkx as nx


def tours(
    graph: nx.Graph, closed: bool, start: Hashable | None = None, end: Hashable | None = None
) -> Iterator[tuple[Any, ...]]:
    """Yield the directed Hamiltonian paths, or cycles from each first node, with given ends."""
    for order in permutations(graph):
        if start is not None and order[0] != start:
            continue
        if end is not None and order[-1] != end:
            continue
        if closed and (len(order) < 3 or not graph.has_edge(order[-1], order[0])):
            continue
        if all(graph.has_edge(u, v) for u, v in pairwise(order)):
            yield order


def exists(
    graph: nx.Graph, closed: bool, start: Hashable | None = None, end: Hashable | None = None
) -> bool:
    """Return whether there is a tour; the question recurs for every engine, so it is cached."""
    return _exists(tuple(graph), frozenset(map(frozenset, graph.edges)), closed, start, end)


@cache
def _exists(
    nodes: tuple[Any, ...],
    edges: frozenset[frozenset[Any]],
    closed: bool,
    start: Hashable | None,
    end: Hashable | None,
) -> bool:
    import networkx as nx

    graph = nx.Graph()
    graph.add_nodes_from(nodes)
    graph.add_edges_from(map(tuple, edges))
    return next(tours(graph, closed, start, end), None) is not None


def knight_graph(
    rows: int, columns: int, missing: Collection[tuple[int, int]] = frozenset()
) -> nx.Graph:
    """Return the knight graph from all pairs of squares two apart one way and one the other."""
    import networkx as nx

    squares = [(r, c) for r in range(rows) for c in range(columns) if (r, c) not in missing]
    graph = nx.Graph()
    graph.add_nodes_from(squares)
    for u in squares:
        for v in squares:
            if (u[0] - v[0]) ** 2 + (u[1] - v[1]) ** 2 == 5:
                graph.add_edge(u, v)
    return graph

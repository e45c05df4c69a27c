"""Graphs with a known cycle, and ways to glue two of them and their cycles.

Nodes are numbers from 0.  Two graphs are glued along one step of either cycle, or at one vertex:

- *at edges*: an edge of either cycle is removed, and the four ends are joined crosswise.  Two edges
  then connect the parts, so every cycle passes each part once, as if it used the removed edge:
  there are as many cycles as pairs of cycles through these edges.
- *at pairs*: the same two edges are identified and removed, which leaves two vertices whose removal
  separates the parts.
- *at cubic vertices*: a vertex of degree three is removed from either part, and the loose ends are
  joined in pairs.  Every cycle passes this cut of three edges twice, so it is a cycle of either
  part that takes the same pair of ends (a *star product*).
"""

from __future__ import annotations

import random
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import NamedTuple

import networkx as nx

Edge = tuple[Hashable, Hashable]


class Planted(NamedTuple):
    """A simple graph on 0 … n - 1, and a Hamiltonian cycle of it, or none if it has none."""

    graph: nx.Graph
    cycle: tuple[int, ...]


def plant(edges: Iterable[Edge], cycle: Sequence[Hashable]) -> Planted:
    """Number the nodes of a graph in the order of its cycle.

    Examples
    --------
    >>> plant([("a", "b"), ("b", "c"), ("c", "a")], "bca").cycle
    (0, 1, 2)
    """
    number = {node: place for place, node in enumerate(cycle)}
    graph = nx.Graph()
    graph.add_nodes_from(range(len(number)))
    graph.add_edges_from((number[u], number[v]) for u, v in edges)
    return Planted(graph, tuple(range(len(number))))


def around(edges: Iterable[Edge]) -> list[Hashable]:
    """Return the nodes of a cycle in order, from its edges.

    Examples
    --------
    >>> around([(1, 2), (3, 1), (2, 3)])
    [1, 2, 3]
    """
    graph = nx.Graph(edges)
    if any(degree != 2 for _, degree in graph.degree) or not nx.is_connected(graph):
        raise ValueError("expected the edges of one cycle")
    return list(nx.dfs_preorder_nodes(graph))


def is_cycle(graph: nx.Graph, cycle: Sequence[int]) -> bool:
    """Return whether a sequence of nodes is a Hamiltonian cycle of the graph.

    Examples
    --------
    >>> is_cycle(nx.cycle_graph(4), (0, 1, 2, 3)), is_cycle(nx.cycle_graph(4), (0, 2, 1, 3))
    (True, False)
    """
    steps = zip(cycle, (*cycle[1:], *cycle[:1]), strict=True)
    return sorted(cycle) == sorted(graph) and all(graph.has_edge(u, v) for u, v in steps)


def shuffle(it: Planted, rng: random.Random) -> Planted:
    """Number the nodes at random, so that they do not show the cycle."""
    order = list(range(len(it.graph)))
    rng.shuffle(order)
    graph = nx.Graph()
    graph.add_nodes_from(range(len(order)))
    edges = [(order[u], order[v])[:: rng.choice((1, -1))] for u, v in it.graph.edges]
    rng.shuffle(edges)
    graph.add_edges_from(edges)
    start = rng.randrange(len(order))
    return Planted(graph, tuple(order[v] for v in (*it.cycle[start:], *it.cycle[:start])))


def glue_at_edges(first: Planted, second: Planted, i: int = -1, j: int = -1) -> Planted:
    """Glue at the edges after the ``i``-th node of one cycle and the ``j``-th of the other."""
    graph, one, other = _beside(first, second, i, j)
    graph.remove_edges_from([(one[-1], one[0]), (other[-1], other[0])])
    graph.add_edges_from([(one[-1], other[0]), (other[-1], one[0])])
    return plant(graph.edges, (*one, *other))


def glue_at_pairs(first: Planted, second: Planted, i: int = -1, j: int = -1) -> Planted:
    """Glue at the ends of two edges, which are removed."""
    graph, one, other = _beside(first, second, i, j)
    graph.remove_edges_from([(one[-1], one[0]), (other[-1], other[0])])
    for one_end, other_end in ((one[-1], other[0]), (one[0], other[-1])):
        graph.add_edges_from([(one_end, node) for node in graph[other_end]])
        graph.remove_node(other_end)
    return plant(graph.edges, (*one, *other[1:-1]))


def glue_at_cubic(first: Planted, second: Planted, i: int, j: int) -> Planted:
    """Glue at the ``i``-th node of one cycle and the ``j``-th of the other, of degree three."""
    graph, one, other = _beside(first, second, i, j)
    u, v = one[-1], other[-1]
    (third,) = set(graph[u]) - {one[0], one[-2]}
    (fourth,) = set(graph[v]) - {other[0], other[-2]}
    graph.remove_nodes_from([u, v])
    graph.add_edges_from([(one[-2], other[0]), (other[-2], one[0]), (third, fourth)])
    return plant(graph.edges, (*one[:-1], *other[:-1]))


def glue_all(parts: Sequence[Planted], glue: Callable[[Planted, Planted], Planted]) -> Planted:
    """Glue neighbours, then pairs of pairs: each part is copied a logarithmic number of times."""
    while len(parts) > 1:
        pairs = [parts[place : place + 2] for place in range(0, len(parts), 2)]
        parts = [glue(*pair) if len(pair) == 2 else pair[0] for pair in pairs]
    return parts[0]


def _beside(
    first: Planted, second: Planted, i: int, j: int
) -> tuple[nx.Graph, tuple[int, ...], tuple[int, ...]]:
    """Return both graphs as one, and both cycles, each turned so that its chosen node is last."""
    graph = nx.disjoint_union(first.graph, second.graph)
    i, j, more = i % len(first.cycle), j % len(second.cycle), len(first.graph)
    one = (*first.cycle[i + 1 :], *first.cycle[: i + 1])
    other = tuple(v + more for v in (*second.cycle[j + 1 :], *second.cycle[: j + 1]))
    return graph, one, other

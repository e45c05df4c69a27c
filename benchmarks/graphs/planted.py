"""A graph with a cycle that is known, and one graph glued to another so that the cycle goes on.

Nodes are numbers from 0.  Three ways to glue, each along one step of either cycle or at one vertex:

- *at edges*: an edge of either cycle is cut, and the four ends are joined crosswise.  Two edges
  then hold the parts together, so every cycle passes each part once, as if its cut edge were used:
  there are as many cycles as pairs of cycles through the cut edges.
- *at pairs*: the same two edges are laid upon each other and taken out, which leaves two vertices
  whose removal separates the parts.
- *at cubic vertices*: a vertex of degree three is taken out of either part, and the loose ends
  joined in pairs.  Every cycle passes the cut of three edges twice, so it is a cycle of either
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


def planted(edges: Iterable[Edge], cycle: Sequence[Hashable]) -> Planted:
    """Number the nodes in the order of the cycle.

    Examples
    --------
    >>> planted([("a", "b"), ("b", "c"), ("c", "a")], "bca").cycle
    (0, 1, 2)
    """
    number = {node: place for place, node in enumerate(cycle)}
    graph = nx.Graph()
    graph.add_nodes_from(range(len(number)))
    graph.add_edges_from((number[u], number[v]) for u, v in edges)
    return Planted(graph, tuple(range(len(number))))


def around(edges: Iterable[Edge]) -> list[Hashable]:
    """The nodes of a cycle in order, from its edges.

    Raises
    ------
    ValueError
        If the edges are no single cycle.

    Examples
    --------
    >>> around([(1, 2), (3, 1), (2, 3)])
    [1, 2, 3]
    """
    beside: dict[Hashable, list[Hashable]] = {}
    for u, v in edges:
        beside.setdefault(u, []).append(v)
        beside.setdefault(v, []).append(u)
    if any(len(both) != 2 for both in beside.values()):
        raise ValueError("expected two edges at every node")
    walk = [next(iter(beside))]
    before: Hashable = None
    while len(walk) == 1 or walk[-1] != walk[0]:
        here = walk[-1]
        following = next(node for node in beside[here] if node != before)
        before = here
        walk.append(following)
    if len(walk) != len(beside) + 1:
        raise ValueError(f"expected one cycle through {len(beside)} nodes, got {len(walk) - 1}")
    return walk[:-1]


def is_cycle(graph: nx.Graph, cycle: Sequence[int]) -> bool:
    """Whether it is a Hamiltonian cycle of the graph.

    Examples
    --------
    >>> is_cycle(nx.cycle_graph(4), (0, 1, 2, 3)), is_cycle(nx.cycle_graph(4), (0, 2, 1, 3))
    (True, False)
    """
    steps = zip(cycle, (*cycle[1:], *cycle[:1]), strict=True)
    return sorted(cycle) == sorted(graph) and all(graph.has_edge(u, v) for u, v in steps)


def shuffled(it: Planted, rng: random.Random) -> Planted:
    """The same with the nodes numbered at random, so that the cycle cannot be seen in them."""
    order = list(range(len(it.graph)))
    rng.shuffle(order)
    graph = nx.Graph()
    graph.add_nodes_from(range(len(order)))
    edges = [(order[u], order[v])[:: rng.choice((1, -1))] for u, v in it.graph.edges]
    rng.shuffle(edges)
    graph.add_edges_from(edges)
    start = rng.randrange(len(order))
    return Planted(graph, tuple(order[v] for v in (*it.cycle[start:], *it.cycle[:start])))


def at_edges(first: Planted, second: Planted, i: int = -1, j: int = -1) -> Planted:
    """Glue at the edges that follow the ``i``-th node of one cycle and the ``j``-th of the other.

    Examples
    --------
    >>> square = planted([(0, 1), (1, 2), (2, 3), (3, 0), (0, 2)], range(4))
    >>> glued = at_edges(square, square, 0, 1)
    >>> glued.graph.size(), is_cycle(*glued)
    (10, True)
    """
    graph, one, other = _beside(first, second, i, j)
    graph.remove_edges_from([(one[-1], one[0]), (other[-1], other[0])])
    graph.add_edges_from([(one[-1], other[0]), (other[-1], one[0])])
    return _compact(graph, (*one, *other))


def at_pairs(first: Planted, second: Planted, i: int = -1, j: int = -1) -> Planted:
    """Glue at the ends of two edges, which are taken out.

    Examples
    --------
    >>> square = planted([(0, 1), (1, 2), (2, 3), (3, 0), (0, 2)], range(4))
    >>> glued = at_pairs(square, square, 0, 1)
    >>> len(glued.graph), is_cycle(*glued)
    (6, True)
    """
    graph, one, other = _beside(first, second, i, j)
    graph.remove_edges_from([(one[-1], one[0]), (other[-1], other[0])])
    for kept, lost in ((one[-1], other[0]), (one[0], other[-1])):
        graph.add_edges_from([(kept, node) for node in graph[lost]])
        graph.remove_node(lost)
    return _compact(graph, (*one, *other[1:-1]))


def at_cubic(first: Planted, second: Planted, i: int, j: int) -> Planted:
    """Glue at the ``i``-th node of one cycle and the ``j``-th of the other, both of degree three.

    Examples
    --------
    >>> four = planted(nx.complete_graph(4).edges, range(4))
    >>> prism = at_cubic(four, four, 0, 0)
    >>> sorted(dict(prism.graph.degree).values()), is_cycle(*prism)
    ([3, 3, 3, 3, 3, 3], True)
    """
    graph, one, other = _beside(first, second, i, j)
    u, v = one[-1], other[-1]
    (third,) = set(graph[u]) - {one[0], one[-2]}
    (fourth,) = set(graph[v]) - {other[0], other[-2]}
    graph.remove_nodes_from([u, v])
    graph.add_edges_from([(one[-2], other[0]), (other[-2], one[0]), (third, fourth)])
    return _compact(graph, (*one[:-1], *other[:-1]))


def together(parts: Sequence[Planted], glue: Callable[[Planted, Planted], Planted]) -> Planted:
    """All parts as one, neighbours first: each is copied a logarithmic number of times.

    Examples
    --------
    >>> square = planted([(0, 1), (1, 2), (2, 3), (3, 0)], range(4))
    >>> len(together([square] * 5, at_edges).graph)
    20
    """
    while len(parts) > 1:
        pairs = [parts[place : place + 2] for place in range(0, len(parts), 2)]
        parts = [glue(*pair) if len(pair) == 2 else pair[0] for pair in pairs]
    return parts[0]


def _beside(
    first: Planted, second: Planted, i: int, j: int
) -> tuple[nx.Graph, tuple[int, ...], tuple[int, ...]]:
    """Both graphs as one, and both cycles, each turned so that its chosen node is the last."""
    graph = nx.disjoint_union(first.graph, second.graph)
    i, j, more = i % len(first.cycle), j % len(second.cycle), len(first.graph)
    one = (*first.cycle[i + 1 :], *first.cycle[: i + 1])
    other = tuple(v + more for v in (*second.cycle[j + 1 :], *second.cycle[: j + 1]))
    return graph, one, other


def _compact(graph: nx.Graph, cycle: tuple[int, ...]) -> Planted:
    return planted(graph.edges, cycle)

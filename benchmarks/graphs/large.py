"""Graphs that are easy and large: what takes time is to read and to check them.

All have a Hamiltonian cycle: the random ones have one planted, the hypercube's is the Gray code.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

import networkx as nx

from benchmarks.graphs.catalogue import random_cubic


@dataclass(frozen=True)
class Large:
    """How a graph is made, and the seconds in which ``auto`` is to find a cycle."""

    made: Callable[[], nx.Graph]
    seconds: float


def out_digraph(n: int, out: int, rng: random.Random) -> nx.DiGraph:
    """So many arcs out of each node, to others at random: one of them along a planted cycle.

    Without the cycle one node in twenty would have no arc to it.

    Examples
    --------
    >>> digraph = out_digraph(10, 3, random.Random(1))
    >>> {*dict(digraph.out_degree).values()}, min(dict(digraph.in_degree).values()) > 0
    ({3}, True)
    """
    order = rng.sample(range(n), n)
    digraph = nx.DiGraph()
    digraph.add_nodes_from(range(n))
    digraph.add_edges_from(zip(order, order[1:] + order[:1], strict=True))
    for node in range(n):
        while digraph.out_degree(node) < out:
            other = rng.randrange(n)
            if other != node:
                digraph.add_edge(node, other)
    return digraph


def hypercube(dimension: int) -> nx.Graph:
    """Numbers that differ in one bit.

    Examples
    --------
    >>> hypercube(4).size()
    32
    """
    graph = nx.Graph()
    for node in range(1 << dimension):
        graph.add_edges_from(
            (node, node | 1 << bit) for bit in range(dimension) if ~node >> bit & 1
        )
    return graph


LARGE = {
    "random-cubic-100000": Large(lambda: random_cubic(100_000, random.Random(1)).graph, 10.0),
    "complete-1500": Large(lambda: nx.complete_graph(1_500), 1.0),
    "hypercube-2^16": Large(lambda: hypercube(16), 10.0),
    "3-out-digraph-10000": Large(lambda: out_digraph(10_000, 3, random.Random(1)), 10.0),
}
"""Large graphs by their names."""

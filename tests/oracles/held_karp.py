"""A second oracle that shares no code with the package: dynamic programming.

A table has, for each set of nodes as a bit mask, the nodes at which a path through exactly this
set can end.  It is Held and Karp's table without the costs, for graphs of at most about seventeen
nodes.  The moves of boards are those of :mod:`tests.oracles.naive`.
"""

from __future__ import annotations

from collections.abc import Hashable

import networkx as nx

from tests.oracles import naive


def pairs(graph: nx.Graph) -> dict[Hashable, set[Hashable]]:
    """Return, for each node, the nodes at which a Hamiltonian path from it can end."""
    nodes = list(graph)
    found = {}
    for first, label in enumerate(nodes):
        ends = _ends(graph, nodes, first)
        found[label] = {node for bit, node in enumerate(nodes) if ends >> bit & 1}
    return found


def exists(graph: nx.Graph, closed: bool, start=None, end=None, table=None) -> bool:
    """Return whether there is a path or cycle; ``table`` may pass the result of :func:`pairs`."""
    table = table or pairs(graph)
    if closed:
        first = next(iter(graph))
        return len(graph) > 2 and any(graph.has_edge(first, last) for last in table[first])
    return any(
        end in table[first] if end is not None else table[first]
        for first in (graph if start is None else [start])
    )


def _ends(graph: nx.Graph, nodes: list, first: int) -> int:
    number = {node: bit for bit, node in enumerate(nodes)}
    beside = [sum(1 << number[other] for other in graph[node]) for node in nodes]
    layer = {1 << first: 1 << first}  # visited set -> possible last nodes, both as masks
    for _ in range(len(nodes) - 1):
        following: dict[int, int] = {}
        for visited, lasts in layer.items():
            for bit, neighbours in enumerate(beside):
                if not visited >> bit & 1 and neighbours & lasts:
                    longer = visited | 1 << bit
                    following[longer] = following.get(longer, 0) | 1 << bit
        layer = following
    return layer.get((1 << len(nodes)) - 1, 0)


def has_tour(graph: nx.Graph, closed: bool, *, start=None, end=None, require=(), forbid=()) -> bool:
    """Return whether there is a tour with these ends and required edges, without forbidden ones.

    An open tour is a cycle through one more node.  A node divides each required edge, so a cycle
    must use both halves.
    """
    remaining = nx.Graph(graph)
    remaining.remove_edges_from(forbid)
    if len(remaining) < (3 if closed else 2):
        return not closed
    required = [*require]
    if not closed:
        ends = {start, end} - {None}
        remaining.add_edges_from(("ends", node) for node in (ends if len(ends) == 2 else graph))
        required += [("ends", node) for node in ends]
    for place, (one, other) in enumerate(required):
        remaining.remove_edge(one, other)
        remaining.add_edges_from([(one, ("half", place)), (("half", place), other)])
    nodes = [*remaining]
    around = _ends(remaining, nodes, 0)
    return any(
        around >> bit & 1 and remaining.has_edge(nodes[0], last) for bit, last in enumerate(nodes)
    )


def of_problem(problem) -> bool:
    """Return whether a problem has a tour, by the moves of the naive oracle."""
    if problem.board is None:
        graph = nx.Graph(problem.graph.edges())
        graph.add_nodes_from(problem.graph)
    else:
        graph = nx.Graph(naive.beside(problem))
    conditions = {key: getattr(problem, key) for key in ("start", "end", "require", "forbid")}
    return has_tour(graph, problem.closed, **conditions)

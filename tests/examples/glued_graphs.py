"""Graphs glued from small ones: at cubic vertices, at edges, and at pairs of vertices."""

from __future__ import annotations

import networkx as nx


def small(rng):
    """Return a graph of four to six nodes with minimum degree three."""
    made = (
        nx.complete_graph(4),
        nx.complete_bipartite_graph(3, 3),
        nx.circular_ladder_graph(3),
        nx.wheel_graph(5),
        nx.complete_graph(5),
    )
    return nx.Graph(rng.choice(made))


def glued(rng, most, pieces=(small,), ways="vep"):
    """Return a graph of at most ``most`` nodes, or a single piece, with random node numbers."""
    graph = rng.choice(pieces)(rng)
    while True:
        more = nx.relabel_nodes(rng.choice(pieces)(rng), lambda node: node + 1000)
        way = rng.choice(ways)
        joined = {"v": at_vertex, "e": at_edge, "p": at_pair}[way](graph, more, rng)
        if len(joined) > most:
            break
        graph = nx.convert_node_labels_to_integers(joined)
    order = list(graph)
    rng.shuffle(order)
    return nx.relabel_nodes(graph, dict(zip(graph, order, strict=True)))


def at_vertex(graph, more, rng):
    """Remove a cubic vertex of each graph, and join the neighbours in pairs."""
    ends = []
    for each in (graph, more):
        cubic = [node for node, degree in each.degree if degree == 3]
        if not cubic:
            return at_edge(graph, more, rng)
        ends.append(rng.choice(cubic))
    beside = [rng.sample(list(each[end]), 3) for each, end in zip((graph, more), ends, strict=True)]
    joined = nx.compose(graph, more)
    joined.remove_nodes_from(ends)
    joined.add_edges_from(zip(*beside, strict=True))
    return joined


def at_edge(graph, more, rng):
    """Remove an edge of each graph, and join their ends: a cut of two edges."""
    (a, b), (c, d) = (rng.choice(list(each.edges)) for each in (graph, more))
    joined = nx.compose(graph, more)
    joined.remove_edges_from([(a, b), (c, d)])
    joined.add_edges_from([(a, c), (b, d)])
    return joined


def at_pair(graph, more, rng):
    """Identify an edge of one graph with an edge of the other, and perhaps remove it."""
    edge, other = (rng.choice(list(each.edges)) for each in (graph, more))
    joined = nx.compose(graph, nx.relabel_nodes(more, dict(zip(other, edge, strict=True))))
    if rng.random() < 0.5:
        joined.remove_edge(*edge)
    return joined

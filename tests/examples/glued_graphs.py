"""Graphs glued from small ones: at vertices of three edges, at edges, and at pairs of vertices."""

from __future__ import annotations

import networkx as nx


def small(rng):
    """A graph of four to eight nodes, each with three edges or more."""
    made = (
        nx.complete_graph(4),
        nx.complete_bipartite_graph(3, 3),
        nx.circular_ladder_graph(3),
        nx.wheel_graph(5),
        nx.complete_graph(5),
    )
    return nx.Graph(rng.choice(made))


def glued(rng, most, pieces=(small,), ways="vep"):
    """A graph of at most so many nodes, or the first piece; the nodes are numbers in some order."""
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
    """Without a vertex of three edges of each, the three neighbours joined to the three."""
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
    """Without an edge of each, their ends joined: a cut of two edges."""
    (a, b), (c, d) = (rng.choice(list(each.edges)) for each in (graph, more))
    joined = nx.compose(graph, more)
    joined.remove_edges_from([(a, b), (c, d)])
    joined.add_edges_from([(a, c), (b, d)])
    return joined


def at_pair(graph, more, rng):
    """The ends of an edge of one are those of an edge of the other, which may go."""
    edge, other = (rng.choice(list(each.edges)) for each in (graph, more))
    joined = nx.compose(graph, nx.relabel_nodes(more, dict(zip(other, edge, strict=True))))
    if rng.random() < 0.5:
        joined.remove_edge(*edge)
    return joined

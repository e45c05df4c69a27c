"""Graph files of each format, written by networkx or according to the formats' sources."""

from __future__ import annotations

import json

import networkx as nx


def numbered(graph):
    edges = [(u + 1, v + 1) for u, v in graph.edges()]
    return len(graph), edges


def tsplib(graph):
    size, edges = numbered(graph)
    listed = "".join(f"{u} {v}\n" for u, v in edges)
    return (
        f"NAME : of a test\nTYPE : HCP\nDIMENSION : {size}\nEDGE_DATA_FORMAT : EDGE_LIST\n"
        f"EDGE_DATA_SECTION\n{listed}-1\nEOF\n"
    ).encode()


def dimacs(graph):
    size, edges = numbered(graph)
    return (f"c of a test\np edge {size} {len(edges)}\n" + "".join(
        f"e {u} {v}\n" for u, v in edges
    )).encode()  # fmt: skip


def metis(graph):
    size, edges = numbered(graph)
    rows = [[str(v + 1) for v in graph[u]] for u in graph]
    return "\n".join([f"% a test\n{size} {len(edges)}", *map(" ".join, rows), ""]).encode()


def matrix_market(graph):
    size, edges = numbered(graph)
    kind = "general" if graph.is_directed() else "symmetric"
    head = (
        f"%%MatrixMarket matrix coordinate pattern {kind}\n% a test\n{size} {size} {len(edges)}\n"
    )
    return (head + "".join(f"{u} {v}\n" for u, v in edges)).encode()


ONE_BASED = frozenset({"hcp", "col", "graph", "mtx"})
"""Formats with nodes numbered from 1."""

WRITERS = {
    "hcp": tsplib,
    "col": dimacs,
    "g6": nx.to_graph6_bytes,
    "s6": nx.to_sparse6_bytes,
    "edges": lambda graph: "\n".join(nx.generate_edgelist(graph, data=False)).encode(),
    "edgelist": lambda graph: "\n".join(nx.generate_edgelist(graph)).encode(),
    "csv": lambda graph: "\n".join(nx.generate_edgelist(graph, ",", data=False)).encode(),
    "adjlist": lambda graph: "\n".join(nx.generate_adjlist(graph)).encode(),
    "graphml": lambda graph: "\n".join(nx.generate_graphml(graph)).encode(),
    "gml": lambda graph: "\n".join(nx.generate_gml(graph)).encode(),
    "graph": metis,
    "mtx": matrix_market,
    "json": lambda graph: json.dumps(nx.node_link_data(graph)).encode(),
}
PETERSEN = nx.petersen_graph()

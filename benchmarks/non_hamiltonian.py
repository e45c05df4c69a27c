"""Graphs that have no Hamiltonian cycle, with reasons.

- *Flower snarks* and GP(n, 2) with n ≡ 5 (mod 6): :mod:`benchmarks.regular`.
- *Tutte's* graph is planar, cubic and 3-connected (W. T. Tutte, "On Hamiltonian circuits", J.
  London Math. Soc. 21 (1946)).  If another graph replaces a cubic node of such a graph, the result
  has no cycle either: a cycle would be one of the original when the graph shrinks to the node.  So
  nodes can be replaced by triangles.
- *Coxeter's* graph: all transitive, cubic, 28 nodes (H. S. M. Coxeter, "My graph", Proc. London
  Math. Soc. 46 (1983)).
- *Meredith's* graph is 4-regular and 4-connected (G. H. J. Meredith, "Regular n-valent n-connected
  nonHamiltonian non-n-edge-colorable graphs", J. Combin. Theory B 14 (1973)): Petersen's graph with
  a perfect matching doubled, and a complete bipartite graph K(3, 4) instead of each node.
- *Horton's* and *Ellingham and Horton's* are cubic, bipartite and 3-connected (J. D. Horton, "On
  two-factors of bipartite regular graphs", Discrete Math. 41 (1982); M. N. Ellingham and J. D.
  Horton, "Non-Hamiltonian 3-connected cubic bipartite graphs", J. Combin. Theory B 34 (1983)).
- *Tough*: removing k nodes leaves at most k components, which every graph with a cycle has (V.
  Chvátal, "Tough graphs and Hamiltonian circuits", Discrete Math. 5 (1973)).  The graph is a
  triangle with a complete graph at each corner, and a node joined to all.  A cycle would be a
  Hamiltonian path without that node, but a path ends in at most two of the three complete graphs.
- *Grids* of odd size have one square more of one colour. *Rooms* are two grids of even size, each
  without a corner, one of either colour, joined by a corridor that is two squares wide.  The
  colours are equally frequent, but a cycle passes a room between its two squares at the corridor,
  which have different colours.  So the room would need an even number of squares.
"""

from __future__ import annotations

from itertools import combinations, product

import networkx as nx

from benchmarks.planted import Edge
from benchmarks.regular import flower_edges


def flower_snark(n: int) -> nx.Graph:
    """Return the flower snark Jn, n odd."""
    return _numbered(flower_edges(n))


def petersen(n: int) -> nx.Graph:
    """Return GP(n, 2); without a cycle if n ≡ 5 (mod 6)."""
    return nx.generalized_petersen_graph(n, 2)


def coxeter() -> nx.Graph:
    """Return heptagons with steps 1, 2 and 3, and seven nodes joined to one of each."""
    edges: list[Edge] = []
    for i, step in product(range(7), (1, 2, 3)):
        edges += [((step, i), (step, (i + step) % 7)), ((step, i), (0, i))]
    return _numbered(edges)


def meredith() -> nx.Graph:
    """Return ten copies of K(3, 4); each node of a larger part has an edge to another copy."""
    petersen = list(nx.petersen_graph().edges)
    spokes = [(u, v) for u, v in petersen if v == u + 5]
    ports = {node: iter(range(4)) for edge in spokes for node in edge}
    edges: list[Edge] = [
        ((node, "large", i), (node, "small", j))
        for node in ports
        for i, j in product(range(4), range(3))
    ]
    for u, v in (*petersen, *spokes):
        edges.append(((u, "large", next(ports[u])), (v, "large", next(ports[v]))))
    return _numbered(edges)


def tutte(triangles: int = 0) -> nx.Graph:
    """Return Tutte's graph with triangles instead of some of its 46 nodes.

    Examples
    --------
    >>> len(tutte()), len(tutte(10))
    (46, 66)
    """
    graph = nx.tutte_graph()
    for node in range(triangles):
        for corner, other in enumerate(list(graph[node])):
            graph.add_edge((node, corner), other)
        graph.add_edges_from(combinations([(node, corner) for corner in range(3)], 2))
        graph.remove_node(node)
    return nx.convert_node_labels_to_integers(graph)


def horton() -> nx.Graph:
    """Return six copies of the Möbius–Kantor graph without two edges, in pairs, and three nodes."""
    graph = nx.moebius_kantor_graph()
    cut = [edge for edge in graph.edges if edge not in ((0, 15), (7, 8))]
    edges: list[Edge] = []
    for pair in range(3):
        one, other = (("whole", pair), ("less", pair))
        edges += [((one, u), (one, v)) for u, v in cut]
        edges += [((other, u), (other, v)) for u, v in cut if 15 not in (u, v)]
        edges += [((one, 0), (other, 7)), ((one, 7), (other, 8)), ((one, 15), (other, 0))]
        edges += [((one, 8), "a"), ((other, 14), "b"), ((other, 10), "c")]
    return _numbered(edges)


def ellingham_horton() -> nx.Graph:
    """Return the graph with 54 nodes: the Möbius–Kantor graph and two twisted prisms."""
    # Shift the nodes of networkx by one: here odd ones are joined to the fifth after them.
    graph = [((u + 1) % 16, (v + 1) % 16) for u, v in nx.moebius_kantor_graph().edges]
    edges: list[Edge] = [edge for edge in graph if {*edge} not in ({1, 6}, {9, 14})]
    for side, ends in (("left", (9, 6)), ("right", (1, 14))):
        for i in range(6):
            outer, inner, rung = ((side, ring, i) for ring in ("outer", "inner", "rung"))
            edges += [(outer, rung), (rung, inner)]
            following = (i + 1) % 6
            twist = i == 1
            edges.append((outer, (side, "inner" if twist else "outer", following)))
            edges.append((inner, (side, "outer" if twist else "inner", following)))
        edges += [((side, "rung", 0), (side, "rung", 3))]
        edges += [((side, "rung", i), end) for i, end in zip((1, 2), ends, strict=True)]
        edges += [((side, "rung", 4), "a"), ((side, "rung", 5), "b")]
    return _numbered([*edges, ("a", "b")])


def tough(clique: int) -> nx.Graph:
    """Return three complete graphs, hung on a triangle, and a node joined to all."""
    edges: list[Edge] = [*combinations("abc", 2)]
    for corner in "abc":
        members = [corner, *((corner, i) for i in range(clique))]
        edges += [*combinations(members[1:], 2), *((corner, each) for each in members[1:])]
        edges += [("top", each) for each in members]
    return _numbered(edges)


def grid(rows: int, columns: int) -> nx.Graph:
    """Return a grid; without a cycle if both sides are odd."""
    return nx.convert_node_labels_to_integers(nx.grid_2d_graph(rows, columns))


def rooms(side: int, corridor: int) -> nx.Graph:
    """Return two square rooms of an even side, without a corner, and a corridor of even length.

    Examples
    --------
    >>> graph = rooms(4, 2)
    >>> colours = nx.bipartite.color(graph).values()
    >>> len(graph), sum(colours), min(dict(graph.degree).values())
    (34, 17, 2)
    """
    width, top = 2 * side + corridor, side // 2 - 1
    graph = nx.grid_2d_graph(side, width)
    for row, column in product(range(side), range(side, side + corridor)):
        if row not in (top, top + 1):
            graph.remove_node((row, column))
    graph.remove_nodes_from([(0, 0), (0, width - 1)])  # of either colour, as the width is even
    return nx.convert_node_labels_to_integers(graph)


def _numbered(edges: list[Edge]) -> nx.Graph:
    return nx.convert_node_labels_to_integers(nx.Graph(edges))

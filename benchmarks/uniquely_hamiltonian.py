"""Graphs with exactly one Hamiltonian cycle: Sheehan's, nearly cubic ones, and Fleischner's.

*Sheehan's* has the most edges that such a graph can have, ⌊n² / 4⌋ + 1 (J. Sheehan, "Graphs with
exactly one Hamiltonian circuit", J. Graph Theory 1 (1977)): a cycle 1 … n, and each odd node joined
to all later ones but n.  Node 2 has degree two, which determines both edges at 1 and 3; this leaves
two edges at node 4, and so on.

*Nearly cubic*: two nodes of degree four, all others of degree three, which is as close to cubic as
it gets (R. C. Entringer and H. Swart, "Spanning cycles of nearly cubic graphs", J. Combin. Theory B
29 (1980)).  The smallest has 18 nodes (G. F. Royle, mathoverflow.net/q/255784): two Petersen graphs
without a node, joined by four edges.  It grows at its nodes of degree three: in GP(n, 2) with n ≡ 3
(mod 6) each two of the three edges of a node are in exactly one of the three cycles, so its star
product with a graph keeps the number of cycles.  The Challenge Set has graphs by R. E. L. Aldred
and C. Thomassen instead.  Their construction is similar, but was not available here.

*Fleischner's* have few nodes of degree three and none of degree two (H. Fleischner, "Uniquely
Hamiltonian graphs of minimum degree 4", J. Graph Theory 75 (2014), after D. E. Knuth, The Art
of Computer Programming, pre-fascicle 8a (2025), exercise 120).  They begin with a graph P of 15
nodes with exactly two Hamiltonian cycles, one of them with the edge xX.  A copy of such a graph
without its edge xX replaces a node q of degree three with neighbours p, r and Q: p is joined to x,
r to X, and Q to every node of the copy that had degree three.  No cycle can use one of these many
edges, because no cycle through q used qQ.  Copies of P replace three nodes of P (57 nodes).  Then
copies of the result replace two nodes, which leaves 169 nodes and one cycle through the edge yZ.
Two such halves, glued at that edge, are the graph of 338 nodes.  The last step is missing here,
because its description is unclear: the four nodes of degree three get a fourth edge and four hubs
become two.  More halves make a ring, and fewer copies make smaller halves.
"""

from __future__ import annotations

import random
from collections.abc import Hashable, Sequence
from functools import cache
from itertools import combinations

import networkx as nx

from benchmarks.planted import Edge, Planted, glue_all, glue_at_cubic, glue_at_edges, plant
from benchmarks.regular import petersen

Node = Hashable
Cycle = tuple[Hashable, ...]

SIDES, INNER, TOP = "xXzZyY", "uVwUvW", "ijk"


def sheehan(n: int) -> Planted:
    """Return Sheehan's graph with n ≥ 4 nodes."""
    edges = [(node, node + 1) for node in range(1, n)] + [(n, 1)]
    edges += [(odd, node) for odd in range(1, n, 2) for node in range(odd + 2, n)]
    return plant(edges, range(1, n + 1))


@cache
def royle() -> Planted:
    """Return the 18 nodes with which nearly cubic graphs begin.

    Two Petersen graphs A and B lose node 0 each; u1 … u4 are 1 … 4 and v0 … v4 are 5 … 9.
    """
    left = [edge for edge in nx.petersen_graph().edges if 0 not in edge]
    edges: list[Edge] = [((half, u), (half, v)) for half in "AB" for u, v in left]
    edges += [(("A", u), ("B", v)) for u, v in ((1, 4), (4, 1), (5, 2), (2, 5))]
    cycle = "B6 B8 B3 B4 B9 B7 B5 A2 A1 A6 A8 A3 A4 A9 A7 A5 B2 B1"
    return plant(edges, [(name[0], int(name[1])) for name in cycle.split()])


def nearly_cubic(size: int, rng: random.Random) -> Planted:
    """Return star products of about ``size`` nodes with GP(9, 2), GP(15, 2), … at random nodes.

    Examples
    --------
    >>> degrees = sorted(dict(nearly_cubic(100, random.Random(1)).graph.degree).values())
    >>> degrees[0], degrees[-3:]
    (3, [3, 4, 4])
    """
    left, parts = size - 18, []
    while left >= 16:
        n = rng.choice([n for n in (9, 15, 21, 27) if 2 * n - 2 <= left])
        parts.append(petersen(n))
        left -= 2 * n - 2

    def glue(one: Planted, other: Planted) -> Planted:
        cubic = [place for place, v in enumerate(one.cycle) if one.graph.degree[v] == 3]
        return glue_at_cubic(one, other, rng.choice(cubic), rng.randrange(len(other.cycle)))

    return glue(royle(), glue_all(parts, glue)) if parts else royle()


def base_edges() -> list[Edge]:
    """Return the edges of the graph P: a hexagon, six nodes within it, and a triangle.

    Examples
    --------
    >>> len(base_edges()), len(set(sum(base_edges(), ())))
    (24, 15)
    """
    edges: list[Edge] = [*combinations(TOP, 2)]
    for place in range(6):
        edges += [(SIDES[place], SIDES[place - 1]), (SIDES[place], INNER[place])]
        edges.append((INNER[place], TOP[place % 3]))
    return edges + [(INNER[place], INNER[place + 3]) for place in range(3)]


@cache
def gadget(copies: int) -> tuple[nx.Graph, Cycle, Cycle]:
    """Return P with ``copies`` of u, v, w replaced, and its cycles through the edges xX and yZ.

    Examples
    --------
    >>> graph, *_ = gadget(3)
    >>> len(graph), graph.size()
    (57, 126)
    """
    graph, cycles = nx.Graph(base_edges()), [tuple("xuiUZzwkWYyvjVX"), tuple("yvjVXzwkWYxuiUZ")]
    for q, p, r, hub in ("uixU", "vjyV", "wkzW")[:copies]:
        cycles = [_lead(it, q, p, 0) for it in cycles]
        graph = _replace(graph, q, (p, r), hub, 0)
    return graph, *cycles


def _replace(graph: nx.Graph, q: str, ends: tuple[Node, Node], hub: str, copies: int) -> nx.Graph:
    """Replace q, a node of degree three with neighbours ``ends`` and ``hub``, by a gadget."""
    copy, *_ = gadget(copies)
    name = {node: (q, node) for node in copy}
    inner = nx.relabel_nodes(copy, name)
    inner.add_edges_from((name[node], hub) for node in copy if copy.degree(node) == 3)
    inner.remove_edge(name["x"], name["X"])
    inner.add_edges_from([(name["x"], ends[0]), (name["X"], ends[1])])
    grown = nx.compose(graph, inner)
    grown.remove_node(q)
    return grown


def _lead(cycle: Cycle, q: str, end: Node, copies: int) -> Cycle:
    """Replace q in a cycle by a path through the gadget, from x next to ``end`` to X."""
    place = cycle.index(q)
    path = tuple((q, node) for node in gadget(copies)[1])
    onward = path if cycle[place - 1] == end else path[::-1]
    return (*cycle[:place], *onward, *cycle[place + 1 :])


@cache
def half(copies: tuple[int, int, int]) -> Planted:
    """Return a half with copies in P, in the gadget of Y and in that of z.

    The last edge of its cycle is Zy.
    """
    base, *more = copies
    graph, _, cycle = gadget(base)
    for q, p, hub, inside in zip("Yz", "xX", "yZ", more, strict=True):
        (r,) = set(graph[q]) - {p, hub}
        cycle = _lead(cycle, q, p, inside)
        graph = _replace(graph, q, (p, r), hub, inside)
    return plant(graph.edges, cycle)


def fleischner(halves: Sequence[tuple[int, int, int]]) -> Planted:
    """Return at least two halves in a ring."""
    return glue_all([half(copies) for copies in halves], glue_at_edges)

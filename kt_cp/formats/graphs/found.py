"""What a file says of a graph, and what of it plays a part in a tour.

Loops, parallel edges and weights play none: they are left out, and told of once.  Nodes go by their
names, which are texts: so they are asked for on the command line, and so outcomes and certificates
tell them.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import TYPE_CHECKING, Any

from kt_cp.model.board import shorten
from kt_cp.model.errors import GraphFileError
from kt_cp.model.simple import simple_copy
from kt_cp.model.terms import counted

if TYPE_CHECKING:
    import networkx as nx

MOST_NODES = 1_000_000
MOST_EDGES = 4_000_000
"""Of a graph that is read: some two gigabytes."""

MOST_BYTES = 1 << 27
"""Of a file with marks around its parts: a million edges take fifty megabytes."""

_PLACES = ("pos", "x", "y", "graphics")
"""Where a node is drawn, as :mod:`kt_cp.model.places` understands it."""


@dataclass(frozen=True)
class Found:
    """A graph, and what stood beside it.

    Attributes
    ----------
    graph : networkx.Graph or networkx.DiGraph
        Without loops and parallel edges once :func:`plain` has seen it.
    closed : bool, optional
        Whether cycles are asked for, where the file says.
    require : tuple of pairs of nodes
        Edges that every tour must have.
    repeated : int
        Edges that stood in the file once more.
    weighted : bool
        Whether its edges have weights.
    remarks : tuple of str
        What is worth a word to whoever named the file.
    """

    graph: nx.Graph
    closed: bool | None = None
    require: tuple[tuple[Hashable, Hashable], ...] = ()
    repeated: int = 0
    weighted: bool = False
    remarks: tuple[str, ...] = ()


def made(names: Iterable[Any], edges: Iterable[tuple[Any, Any]], directed: bool = False) -> Any:
    """The networkx graph of these nodes and of edges between them.

    networkx adds an edge at a time, with a dictionary of its own, which takes longer.
    Here all edges share one, which stays empty.
    """
    import networkx as nx

    graph = nx.DiGraph() if directed else nx.Graph()
    graph.add_nodes_from(names)
    if directed:
        graph.add_edges_from(edges)
        return graph
    rows: dict[Any, dict[Any, Any]] = graph._adj
    nothing: dict[str, Any] = {}
    for u, v in edges:
        rows[u][v] = rows[v][u] = nothing
    return graph


def joined(
    nodes: Mapping[Any, Mapping[str, Any]],
    edges: Sequence[tuple[Any, Any]],
    directed: bool,
    weighted: bool,
) -> Found:
    """A graph of nodes, with what a file says of each, and of edges between these alone.

    Raises
    ------
    GraphFileError
        If there are too many, or an edge names another node, as in a file that was damaged.
    """
    check_nodes(len(nodes), "nodes")
    check_edges(len(edges), "edges")
    strange = {*chain.from_iterable(edges)} - nodes.keys()
    for number, edge in enumerate(edges if strange else (), start=1):
        for end in edge:
            if end in strange:
                raise GraphFileError(
                    f"edge {number}: expected the id of a node, got {shorten(repr(end))}"
                )
    name = {node: str(node) for node in nodes}
    if any(type(node) is not str for node in nodes) and len({*name.values()}) == len(nodes):
        nodes = dict(zip(name.values(), nodes.values(), strict=True))
        edges = [(name[u], name[v]) for u, v in edges]
    graph = made(nodes, edges, directed)
    for node, said in nodes.items():
        graph.nodes[node].update({key: said[key] for key in _PLACES if key in said})
    return Found(graph, repeated=len(edges) - graph.number_of_edges(), weighted=weighted)


def numbered(numbers: range, edges: Iterable[tuple[int, int]], directed: bool = False) -> Any:
    """The same for numbers, which become texts."""
    names = [*[""] * numbers.start, *map(str, numbers)]
    return made(names[numbers.start :], ((names[u], names[v]) for u, v in edges), directed)


def plain(found: Found) -> Found:
    """The same without loops and parallel edges, nodes by names, with a word on what was left out.

    Raises
    ------
    GraphFileError
        If two nodes have one name, or there are none.

    Examples
    --------
    >>> import networkx as nx
    >>> plain(Found(nx.MultiGraph(["ab", "ab", "aa"]))).remarks
    ('1 self-loop and 1 parallel edge play no part in a tour',)
    """
    import networkx as nx

    graph = found.graph
    if not graph:
        raise GraphFileError("expected a graph with at least one node")
    if any(type(node) is not str for node in graph):
        names: dict[str, Hashable] = {}
        for node in graph:
            if names.setdefault(str(node), node) != node:
                raise GraphFileError(f"expected nodes of different names, got two called {node}")
        graph = nx.relabel_nodes(graph, {node: name for name, node in names.items()})
    told: tuple[str, ...] = ()
    if graph.is_multigraph() or nx.number_of_selfloops(graph):
        graph, told, _ = simple_copy(graph)
    if found.repeated:
        play = "plays" if found.repeated == 1 else "play"
        told += (f"{counted(found.repeated, 'parallel edge')} {play} no part in a tour",)
    if found.weighted:
        told += ("weights play no part in a tour",)
    return replace(found, graph=graph, repeated=0, remarks=(*found.remarks, *told))


def check_marked(data: bytes) -> None:
    """Refuse a file with marks around its parts that is too long."""
    if len(data) > MOST_BYTES:
        raise GraphFileError(f"expected at most {MOST_BYTES >> 20} MB, got {len(data) >> 20}")


def check_nodes(number: int, where: str) -> int:
    """So many nodes, unless they are too many or none."""
    if not 1 <= number <= MOST_NODES:
        came = f"{number:,}" if abs(number) < 10**18 else "a longer number"
        raise GraphFileError(f"{where}: expected 1 to {MOST_NODES:,} nodes, got {came}")
    return number


def check_edges(number: int, where: str | int) -> None:
    """Refuse more edges than are read; a number is that of a line."""
    if number > MOST_EDGES:
        where = where if isinstance(where, str) else f"line {where}"
        raise GraphFileError(f"{where}: expected at most {MOST_EDGES:,} edges, got more")

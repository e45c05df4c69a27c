"""Graphs that are read from files, with the other content of the files.

A tour visits every node once, so it uses no loops or parallel edges.  They are left out, with a
remark.  Weights are retained for the tour of least weight.  Nodes are named by strings, as on the
command line, in outcomes and in certificates.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from kt_cp.model.board import shorten
from kt_cp.model.errors import GraphFileError
from kt_cp.model.simple_graph import simple_copy
from kt_cp.model.terms import counted

if TYPE_CHECKING:
    import networkx as nx

MOST_NODES = 1_000_000
MOST_EDGES = 4_000_000
"""Limits of a graph, which take about three gigabytes."""


WEIGHTS_REMARK = "weights play no part in a tour"


@dataclass(frozen=True)
class ParsedGraph:
    """A graph, simple after :func:`simplify`, and the statements of its file.

    ``closed`` is true if the file requires cycles, false if it requires paths, and None if it does
    not state this.  ``require`` has the edges that every tour must have.  ``repeated`` is the
    number of repeated edges.  ``weighted`` is true if edges have weights.  ``states_direction`` is
    true if the file or its format states whether edges are directed.  ``remarks`` are for the user.
    """

    graph: nx.Graph
    closed: bool | None = None
    require: tuple[tuple[Hashable, Hashable], ...] = ()
    repeated: int = 0
    weighted: bool = False
    remarks: tuple[str, ...] = ()
    states_direction: bool = True


def build_graph(
    nodes: Iterable[Any], edges: Sequence[Any], directed: bool = False, **fields: Any
) -> ParsedGraph:
    """Build a graph and count its repeated edges; ``fields`` are those of ``ParsedGraph``.

    An edge is a pair of nodes, or a triple with the attributes of the edge.  Repeated edges, which
    may have different weights, lose them.

    >>> build_graph(["a", "b"], [("a", "b"), ("b", "a")]).repeated
    1
    """
    import networkx as nx

    graph = nx.DiGraph() if directed else nx.Graph()
    graph.add_nodes_from(nodes)
    graph.add_edges_from(edges)
    repeated = len(edges) - graph.number_of_edges()
    if repeated:
        seen = set()
        for u, v, *_ in edges:
            pair = (u, v) if directed or (v, u) not in seen else (v, u)
            if pair in seen:
                graph.edges[pair].clear()
            seen.add(pair)
    return ParsedGraph(graph, **{"repeated": repeated, **fields})


def simplify(parsed: ParsedGraph) -> ParsedGraph:
    """Remove loops and parallel edges, with remarks, and name the nodes by strings.

    >>> import networkx as nx
    >>> simplify(ParsedGraph(nx.MultiGraph(["ab", "ab", "aa"]))).remarks
    ('1 self-loop and 1 parallel edge play no part in a tour',)
    """
    import networkx as nx

    graph = parsed.graph
    if not graph:
        raise GraphFileError("expected a graph with at least one node")
    if any(type(node) is not str for node in graph):
        names: dict[str, Hashable] = {}
        for node in graph:
            if names.setdefault(str(node), node) != node:
                raise GraphFileError(f"expected nodes of different names, got two called {node}")
        graph = nx.relabel_nodes(graph, {node: name for name, node in names.items()})
    remarks: tuple[str, ...] = ()
    if graph.is_multigraph() or nx.number_of_selfloops(graph):
        graph, remarks = simple_copy(graph)
    if parsed.repeated:
        play = "plays" if parsed.repeated == 1 else "play"
        move = "arc" if graph.is_directed() else "edge"
        remarks += (f"{counted(parsed.repeated, f'parallel {move}')} {play} no part in a tour",)
    if parsed.weighted:
        remarks += (WEIGHTS_REMARK,)
    return replace(parsed, graph=graph, repeated=0, remarks=(*parsed.remarks, *remarks))


def check_nodes(number: int, where: str) -> int:
    """Return a number of nodes; refuse 0 and more than ``MOST_NODES``."""
    if not 1 <= number <= MOST_NODES:
        actual = f"{number:,}" if abs(number) < 10**18 else "a longer number"
        raise GraphFileError(f"{where}: expected 1 to {MOST_NODES:,} nodes, got {actual}")
    return number


def check_edges(number: int, where: str) -> None:
    """Refuse more than ``MOST_EDGES`` edges."""
    if number > MOST_EDGES:
        raise GraphFileError(f"{where}: expected at most {MOST_EDGES:,} edges, got more")


def wrong_line(number: int, expected: str, actual: str | None) -> GraphFileError:
    """Return the error of a line with unexpected content."""
    text = shorten((actual or "").strip())
    return GraphFileError(f"line {number}: expected {expected}, got {text!r}")

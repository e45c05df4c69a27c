"""Immutable copies of users' graphs.

A tour visits every node once, so loops and parallel edges do not affect it.  The copy omits them,
and a remark counts them.  The copy has only these attributes: the name of the graph's file, the
positions of nodes in a picture, and numbers of edges, which may be weights.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from decimal import Decimal
from math import isfinite
from numbers import Real
from typing import TYPE_CHECKING, Any, NamedTuple

from kt_cp.model.errors import ProblemError
from kt_cp.model.gc_pause import gc_paused
from kt_cp.model.terms import FILE, counted

if TYPE_CHECKING:
    import networkx as nx

POSITIONS = "places"
"""Attribute of a copy: the position of each node in a picture."""

Position = tuple[float, float]


class SimpleGraph(NamedTuple):
    """A frozen graph without loops and parallel edges, and remarks on the omitted edges."""

    graph: nx.Graph
    remarks: tuple[str, ...]


def as_graph(value: Any) -> nx.Graph:
    """Return a networkx graph as it is, or make one from a value that networkx converts.

    Parameters
    ----------
    value : NetworkX graph, iterable of pairs, mapping, NumPy array or SciPy sparse array
        A graph, its edges, its adjacency, or its matrix.  Only a networkx graph can be directed.

    Raises
    ------
    ProblemError
        If the value is none of these.
    """
    import networkx as nx

    if isinstance(value, nx.Graph):
        return value
    name = f"the class {value.__name__}" if isinstance(value, type) else type(value).__name__
    error = ProblemError(f"expected a networkx graph, edges, an adjacency or a matrix, got {name}")
    if isinstance(value, str | bytes | type) or not isinstance(value, Iterable):
        raise error
    if not isinstance(value, Mapping) and not hasattr(value, "shape"):
        value = list(value)
        if len(value) > 2 and all(_is_row(row, len(value)) for row in value):
            raise ProblemError("expected a matrix as a NumPy array, got a list of rows")
        if not all(isinstance(edge, tuple | list) and len(edge) == 2 for edge in value):
            raise error
    try:
        return nx.to_networkx_graph(value, create_using=nx.Graph)
    except (nx.NetworkXException, TypeError, ValueError) as reason:
        raise ProblemError(f"{error}: {reason}") from None


def _is_row(row: Any, size: int) -> bool:
    return isinstance(row, list) and len(row) == size and all(each in (0, 1) for each in row)


def simple_copy(value: Any) -> SimpleGraph:
    """Copy a graph without loops and parallel edges, with its file name and positions."""
    import networkx as nx

    graph = as_graph(value)
    if graph.number_of_nodes() == 0:
        raise ProblemError("expected a graph with at least one node")
    copy: nx.Graph = nx.DiGraph() if graph.is_directed() else nx.Graph()
    with gc_paused():
        copy.add_nodes_from(graph)
        if graph.is_multigraph():  # parallel edges may have different weights
            copy.add_edges_from((u, v) for u, v in graph.edges() if u != v)
        else:
            copy.add_edges_from(
                (u, v, data and {key: value for key, value in data.items() if is_number(value)})
                for u, v, data in graph.edges(data=True)
                if u != v
            )
    copy.graph.update(_attributes(graph))
    return SimpleGraph(nx.freeze(copy), _remarks(graph, copy))


def is_number(value: object) -> bool:
    """Return whether an attribute of an edge can be a weight; booleans cannot.

    >>> [is_number(value) for value in (1, 2.5, "3", True)]
    [True, True, False, False]
    """
    return isinstance(value, Real | Decimal) and not isinstance(value, bool)


def _remarks(graph: nx.Graph, copy: nx.Graph) -> tuple[str, ...]:
    """Return remarks on the edges that a copy omits."""
    import networkx as nx

    loops, parallel = nx.number_of_selfloops(graph), 0
    if graph.is_multigraph():
        parallel = graph.number_of_edges() - loops - copy.number_of_edges()
    move = "arc" if graph.is_directed() else "edge"
    counts = [(loops, "self-loop"), (parallel, f"parallel {move}")]
    what = " and ".join(counted(number, each) for number, each in counts if number)
    play = "plays" if loops + parallel == 1 else "play"
    return (f"{what} {play} no part in a tour",) if what else ()


def _attributes(graph: Any) -> dict[str, Any]:
    """Return the attributes of a graph for its copy."""
    found = {key: graph.graph[key] for key in (FILE, POSITIONS) if key in graph.graph}
    positions = {}
    for node, data in graph.nodes(data=True):
        position = _position(data)
        if position is None:  # a picture needs the positions of all nodes
            return found
        positions[node] = position
    return {**found, POSITIONS: positions}


def _position(data: Mapping[str, Any]) -> Position | None:
    """Return the position of a node, y upwards as in networkx.

    It is ``pos`` (a pair or Graphviz's text "x,y"), or ``x`` and ``y``, also in GML's ``graphics``.
    """
    value: Any = data.get("pos")
    down = 1
    if isinstance(value, str):
        value = value.rstrip("!").split(",")
    if value is None and "x" in data and "y" in data:
        value = data["x"], data["y"]
    graphics = data.get("graphics")
    if value is None and isinstance(graphics, Mapping):
        value, down = (graphics.get("x"), graphics.get("y")), -1  # y grows downwards on a screen
    try:
        x, y = (float(each) for each in value)
    except (TypeError, ValueError):
        return None
    return (x, down * y) if isfinite(x) and isfinite(y) else None

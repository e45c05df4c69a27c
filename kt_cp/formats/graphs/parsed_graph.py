"""What a file says of a graph, and what of it plays a part in a tour.

Loops, parallel edges and weights play none: they are left out, and told of once.  Nodes go by their
names, which are texts: so they are asked for on the command line, and so outcomes and certificates
tell them.

Graphs whose nodes are numbers: edges in lines of one shape are taken all at once.

Line by line, as whatever has another shape is read, it takes ten times as long.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np

from kt_cp.formats.read import Lines
from kt_cp.model.board import shorten
from kt_cp.model.errors import GraphFileError
from kt_cp.model.simple import fill, simple_copy
from kt_cp.model.terms import counted

if TYPE_CHECKING:
    import networkx as nx
    from numpy.typing import NDArray

    Ends = NDArray[np.int64]
    "Two numbers of nodes for each edge, in a row."


MOST_NODES = 1_000_000
MOST_EDGES = 4_000_000
"""Of a graph that is read: some two gigabytes."""

MOST_BYTES = 1 << 27
"""Of a file with marks around its parts: a million edges take fifty megabytes."""

_PLACES = ("pos", "x", "y", "graphics")
"""Where a node is drawn, as :mod:`kt_cp.model.places` understands it."""


@dataclass(frozen=True)
class ParsedGraph:
    """A graph, and what stood beside it.

    Attributes
    ----------
    graph : networkx.Graph or networkx.DiGraph
        Without loops and parallel edges once :func:`simplify` has seen it.
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
    states_direction : bool
        Whether the file, or its format, states if edges are directed.
    """

    graph: nx.Graph
    closed: bool | None = None
    require: tuple[tuple[Hashable, Hashable], ...] = ()
    repeated: int = 0
    weighted: bool = False
    remarks: tuple[str, ...] = ()
    states_direction: bool = True


def made(names: list[Any], ends: Ends, directed: bool = False) -> nx.Graph:
    """The networkx graph of these nodes and of edges between them, as pairs of their numbers.

    networkx adds an edge at a time, with a dictionary of its own, which takes longer.  Here a node
    gets all its neighbours at once, in the same order, and all edges share one dictionary.

    Examples
    --------
    >>> made(["a", "b"], np.array([[0, 1]])).edges
    EdgeView([('a', 'b')])
    """
    import networkx as nx

    graph = nx.DiGraph() if directed else nx.Graph()
    graph.add_nodes_from(names)
    tails, heads = ends.T if directed else (ends.ravel(), ends[:, ::-1].ravel())
    order = np.argsort(tails, kind="stable")
    fill(graph._adj, names, tails[order], heads[order])
    if directed:
        order = np.argsort(heads, kind="stable")
        fill(graph._pred, names, heads[order], tails[order])
    return graph


def joined(
    nodes: Mapping[Any, Mapping[str, Any]],
    edges: Sequence[tuple[Any, Any]],
    directed: bool,
    weighted: bool,
    labels: Iterable[Any] | None = None,
) -> ParsedGraph:
    """A graph of nodes, with what a file says of each, and of edges between these alone.

    Nodes go by their labels, or by what edges call them: by texts, where these differ.

    Raises
    ------
    GraphFileError
        If there are too many, or an edge names another node, as in a file that was damaged.
    """
    check_nodes(len(nodes), "nodes")
    number = dict(zip(nodes, range(len(nodes)), strict=True))
    try:
        ends = numbers_of(chain.from_iterable(edges), number)
    except KeyError:
        at, end = next(
            (at, end) for at, edge in enumerate(edges, 1) for end in edge if end not in number
        )
        raise GraphFileError(
            f"edge {at}: expected the id of a node, got {shorten(repr(end))}"
        ) from None
    check_edges(len(ends), "edges")
    texts = [*map(str, nodes if labels is None else labels)]
    names = texts if len({*texts}) == len(texts) else [*nodes]
    graph = made(names, ends, directed)
    for name, said in zip(names, nodes.values(), strict=True):
        graph.nodes[name].update({key: said[key] for key in _PLACES if key in said})
    return ParsedGraph(graph, repeated=len(ends) - graph.number_of_edges(), weighted=weighted)


def numbers_of(names: Iterable[Any], number: Mapping[Any, int]) -> Ends:
    """Edges as pairs of numbers, of names that are both ends of each in turn."""
    return np.fromiter(map(number.__getitem__, names), dtype=np.int64).reshape(-1, 2)


def simplify(found: ParsedGraph) -> ParsedGraph:
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
        move = "arc" if graph.is_directed() else "edge"
        told += (f"{counted(found.repeated, f'parallel {move}')} {play} no part in a tour",)
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


def numbered(numbers: range, ends: array[int] | Ends, directed: bool = False) -> nx.Graph:
    """The networkx graph of numbers, which become texts, and of edges, both ends of each in turn.

    Examples
    --------
    >>> list(numbered(range(1, 4), array("q", [1, 2, 2, 3])).edges)
    [('1', '2'), ('2', '3')]
    """
    pairs = np.array(ends, dtype=np.int64).reshape(-1, 2)
    return made([*map(str, numbers)], pairs - numbers.start, directed)


def lines_of_edges(before: bytes) -> re.Pattern[bytes]:
    """The shape of lines with an edge each, and something before it, as nearly all write them."""
    return re.compile(rb"(?:%s\d{1,9}+[ \t]++\d{1,9}+[ \t]*+\n)*+" % before)


def run(lines: Lines, shape: re.Pattern[bytes], size: int) -> array[int]:
    r"""Both ends of the edges that come next; none if one has a vertex beyond the size.

    Examples
    --------
    >>> run(Lines(b"1 2\n2 3\n-1\n"), lines_of_edges(b""), 3)
    array('q', [1, 2, 2, 3])
    """
    text = lines.run(shape)
    ends = np.fromstring(text.translate(None, b"e"), dtype=np.int64, sep=" ")
    found = array("q")
    if ends.size and not (ends.min() >= 1 and ends.max() <= size):
        lines.back(text)  # line by line it is told where
    else:
        check_edges(len(ends) // 2, lines.number)
        found.frombytes(ends.tobytes())
    return found


def is_number(text: str | None) -> bool:
    """Whether it is a whole number, not a negative one."""
    return bool(text) and text.isascii() and text.isdecimal()  # type: ignore[union-attr]


def shown(text: str | None) -> str:
    """What came, for an error."""
    return repr(shorten((text or "").strip()))

"""Graphs in formats that networkx writes: GraphML, GML, node-link JSON, graph6 and its kin.

GML is read by networkx.  The other readers of networkx accept damaged files as other graphs.  The
reader of GraphML ignores ``directed="1"`` and graphs within graphs, and refuses data without a key.
The readers of GraphML and JSON create nodes for all names in edges.  The reader of sparse6 drops
edges of nodes that do not exist.  networkx has no reader for digraph6.
"""

from __future__ import annotations

import json
import re
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree
from xml.parsers import expat

import numpy as np

from kt_cp.formats.graphs.parsed_graph import ParsedGraph, build_graph, check_edges, check_nodes
from kt_cp.model.board import shorten
from kt_cp.model.errors import GraphFileError
from kt_cp.model.simple_graph import is_number

if TYPE_CHECKING:
    from numpy.typing import NDArray

MOST_BYTES = 1 << 27
"""Most bytes of a file in XML, GML or JSON; a million edges take fifty megabytes."""

_PLACES = ("pos", "x", "y", "graphics")
"""Attributes with the position of a node, which :mod:`kt_cp.model.simple_graph` reads."""


def _check_size(data: bytes) -> None:
    if len(data) > MOST_BYTES:
        raise GraphFileError(f"expected at most {MOST_BYTES >> 20} MB, got {len(data) >> 20}")


def _join(
    nodes: Mapping[Any, Mapping[str, Any]],
    edges: Sequence[tuple[Any, Any]],
    labels: Iterable[Any] = (),
    weights: Sequence[Mapping[str, Any]] = (),
    **fields: Any,
) -> ParsedGraph:
    """Build a graph of nodes with their attributes, named by labels or ids, and edges of ids.

    ``weights`` has the attributes of each edge.
    """
    check_nodes(len(nodes), "nodes")
    check_edges(len(edges), "edges")
    for number, edge in enumerate(edges, start=1):
        for end in edge:
            if end not in nodes:
                actual = shorten(repr(end))
                raise GraphFileError(f"edge {number}: expected the id of a node, got {actual}")
    texts = [*map(str, labels or nodes)]
    names = dict(zip(nodes, texts if len({*texts}) == len(texts) else nodes, strict=True))
    placed = (
        (names[node], {key: data[key] for key in _PLACES if key in data})
        for node, data in nodes.items()
    )
    named: list[Any] = [(names[u], names[v]) for u, v in edges]
    if weights:
        named = [(*edge, dict(data)) for edge, data in zip(named, weights, strict=True)]
    return build_graph(placed, named, **fields)


def _remark_on(graphs: int) -> tuple[str, ...]:
    return (f"it holds {graphs:,} graphs; the first is read",) if graphs > 1 else ()


def read_graphml(data: bytes, directed: bool = False) -> ParsedGraph:
    """Return the graph of a GraphML file, the first if it holds several.

    ``edgedefault`` states whether edges are arcs; the default is the parameter.  Only direct
    children of the graph are nodes and edges, because data may contain elements of any name.  yEd
    writes places of nodes as ``y:Geometry``.

    Source: U. Brandes, M. Eiglsperger, J. Lerner and C. Pich, "Graph Markup Language (GraphML)", in
    the Handbook of Graph Drawing and Visualization (2013).

    >>> text = b'<graphml><graph edgedefault="undirected"><node id="a"/></graph></graphml>'
    >>> list(read_graphml(text).graph)
    ['a']
    """
    root = _parse_xml(data)
    space, _, name = root.tag.rpartition("graphml")
    if name or root.tag not in ("graphml", f"{space}graphml"):
        # GEXF and GXL have nodes and edges as well, and state direction in other ways.
        raise GraphFileError(f"expected GraphML, got <{shorten(root.tag.rpartition('}')[2])}>")
    graphs = root.findall(f"{space}graph")
    if not graphs:
        raise GraphFileError("expected a graph in GraphML, got none")
    stated = graphs[0].get("edgedefault")
    if stated not in (None, "directed", "undirected"):
        actual = shorten(repr(stated))
        raise GraphFileError(f"expected edgedefault directed or undirected, got {actual}")
    directed = directed if stated is None else stated == "directed"
    keys = {key.get("id"): key.get("attr.name") or "" for key in root.findall(f"{space}key")}
    nodes: dict[str, dict[str, Any]] = {}
    edges: list[tuple[str, str]] = []
    weights: list[dict[str, float]] = []
    for part in graphs[0]:
        kind = part.tag.removeprefix(space)
        if kind in ("graph", "hyperedge") or part.find(f"{space}graph") is not None:
            what = "a hyperedge" if kind == "hyperedge" else "a graph within a graph"
            raise GraphFileError(f"expected nodes, and edges of two nodes, got {what}")
        if kind == "node":
            attributes = nodes.setdefault(_attribute(part, "id", len(nodes)), {})
            attributes |= _values(part, keys, space)
            for inner in part.iter():
                if inner.tag.endswith("}Geometry"):
                    attributes |= inner.attrib
        elif kind == "edge":
            ends = (_attribute(part, end, len(edges)) for end in ("source", "target"))
            edges.append((next(ends), next(ends)))
            weights.append(_numbers(_values(part, keys, space)))
            own = part.get("directed")
            if own is not None and _BOOLEANS.get(own.strip()) is not directed:
                where = f"edge {len(edges)}"
                raise GraphFileError(
                    f"{where}: expected directed edges alone or none, got {shorten(own)!r}"
                )
    weighted = any("weight" in values for values in weights)
    parsed = _join(nodes, edges, weights=weights, directed=directed, weighted=weighted)
    return replace(parsed, remarks=_remark_on(len(graphs)), states_direction=stated is not None)


def _numbers(values: Mapping[str, str]) -> dict[str, float]:
    """Return the values that are numbers."""
    found = {}
    for key, text in values.items():
        with suppress(ValueError):
            found[key] = float(text)
    return found


_BOOLEANS = {"true": True, "1": True, "false": False, "0": False}


def _parse_xml(data: bytes) -> ElementTree.Element:
    """Parse XML; expat refuses entities by which a short file becomes a long one."""
    _check_size(data)
    try:
        return ElementTree.fromstring(data)
    except ElementTree.ParseError as error:
        what = expat.ErrorString(error.code)
        raise GraphFileError(f"line {error.position[0]}: not GraphML: {what}") from None
    except (LookupError, ValueError) as error:  # an encoding that Python does not have
        raise GraphFileError(f"not GraphML: {error}") from None


def _attribute(part: ElementTree.Element, key: str, before: int) -> str:
    """Return a required attribute of a node or an edge; ``before`` counts the elements before."""
    value = part.get(key)
    if value is None:
        kind = "edge" if key in ("source", "target") else "node"
        raise GraphFileError(f"{kind} {before + 1}: expected a {key!r}, got none")
    return value


def _values(part: ElementTree.Element, keys: Mapping[Any, str], space: str) -> dict[str, str]:
    """Return the data of a node or an edge, by the names of their keys."""
    return {keys.get(each.get("key"), ""): each.text or "" for each in part.findall(f"{space}data")}


_GML_MARK = re.compile(r'"[^"]*"|#[^\n]*|[\[\]]')
_GML_PLACE = re.compile(r"(.*) at \((\d+), \d+\)\s*", re.DOTALL)


def read_gml(data: bytes) -> ParsedGraph:
    """Return the graph of a GML file, the first if it holds several.

    Nodes are named by their labels, or by their ids if labels are missing or not unique.

    Source: M. Himsolt, "GML: a portable graph file format", University of Passau (1997).

    >>> list(read_gml(b'graph [ node [ id 0 label "a" ] ]').graph)
    ['a']
    """
    import networkx as nx

    _check_size(data)
    text, graphs = _first_graph(data.decode("utf-8-sig"))
    try:
        graph = nx.parse_gml(text, label=None)
    except nx.NetworkXError as error:
        message = " ".join(str(error).split())
        where = ""
        if place := _GML_PLACE.fullmatch(message):
            message, line = place[1], min(int(place[2]), text.count("\n") + 1)
            where = f"line {line}: "
        raise GraphFileError(f"{where}not GML: {shorten(message, 200)}") from None
    except RecursionError:
        raise GraphFileError("not GML: expected fewer lists within lists") from None
    except (AttributeError, IndexError, TypeError, ValueError):  # of networkx, on lists or numbers
        raise GraphFileError("not GML: expected nodes with an id, and edges of two ids") from None
    nodes = dict(graph.nodes(data=True))
    labels = [values["label"] for values in nodes.values() if "label" in values]
    parsed = _join(
        nodes,
        [*graph.edges()],
        labels if len(labels) == len(nodes) else (),
        [values for _, _, values in graph.edges(data=True)],
        directed=graph.is_directed(),
        weighted=any("weight" in values for _, _, values in graph.edges(data=True)),
    )
    return replace(parsed, remarks=_remark_on(graphs))


def _first_graph(text: str) -> tuple[str, int]:
    """Return the text up to the end of its first graph, and the number of graphs.

    networkx refuses a file with several graphs, and one with repeated edges unless it states
    ``multigraph 1``, so this is added.  It reads ``directed "0"`` as true, so this is refused.
    """
    depth = graphs = begin = last = 0
    end = len(text)
    keys: list[str] = []  # of the first graph itself, with their values
    for mark in _GML_MARK.finditer(text):
        if depth == graphs == 1:
            keys.append(text[last : mark.start()])
        last = mark.end() if mark[0] in "[]" else mark.start()
        if mark[0] == "[":
            before = text[max(0, mark.start() - 99) : mark.start()]
            if not depth and before.split()[-1:] == ["graph"]:
                graphs += 1
                begin = begin or mark.end()
            depth += 1
        elif mark[0] == "]":
            depth -= 1
            if not depth and graphs == 1:
                end = mark.end()
    stated = {*re.findall(r"\bdirected\s+(\S+)", " ".join(keys))}
    if len(stated) > 1 or not stated <= {"0", "1"}:
        actual = shorten(" and ".join(sorted(stated)))
        raise GraphFileError(f"not GML: expected 'directed 0' or 'directed 1', got {actual}")
    first = text if graphs < 2 else text[:end]
    return f"{first[:begin]} multigraph 1 {first[begin:]}" if begin else first, graphs


def read_node_link(data: bytes, directed: bool = False) -> ParsedGraph:
    """Return the graph of node-link JSON: ``nodes`` with an ``id``, ``links`` or ``edges`` of them.

    The key ``directed`` states whether edges are arcs; the default is the parameter.

    >>> text = b'{"nodes": [{"id": 1}, {"id": 2}], "edges": [{"source": 1, "target": 2}]}'
    >>> list(read_node_link(text).graph.edges())
    [('1', '2')]
    """
    _check_size(data)
    try:
        document = json.loads(data.decode("utf-8-sig"))
    except json.JSONDecodeError as error:
        raise GraphFileError(f"line {error.lineno}: not valid JSON: {error.msg}") from None
    except UnicodeDecodeError:
        raise
    except (RecursionError, ValueError):
        raise GraphFileError("not a graph: nested too deeply or a number too long") from None
    key = "links" if isinstance(document, dict) and "links" in document else "edges"
    if key == "links" and "edges" in document:
        raise GraphFileError("expected node-link JSON with 'edges' or 'links', got both")
    if not isinstance(document, dict) or not all(
        isinstance(document.get(each), list) for each in ("nodes", key)
    ):
        raise GraphFileError("expected node-link JSON: an object with 'nodes' and 'edges'")
    stated = document.get("directed")
    if not isinstance(stated, bool | None):
        raise GraphFileError(f"'directed': expected true or false, got {shorten(repr(stated))}")
    nodes: dict[Hashable, Any] = {}
    for number, node in enumerate(document["nodes"], start=1):
        name = _id(node, "id", f"node {number}")
        if name in nodes:
            raise GraphFileError(f"node {number}: expected each 'id' once, got one twice")
        nodes[name] = node
    edges = [
        (_id(edge, "source", f"edge {number}"), _id(edge, "target", f"edge {number}"))
        for number, edge in enumerate(document[key], start=1)
    ]
    weights = [
        {name: value for name, value in edge.items() if is_number(value)} for edge in document[key]
    ]
    weighted = any("weight" in edge for edge in document[key])
    directed = directed if stated is None else stated
    parsed = _join(nodes, edges, weights=weights, directed=directed, weighted=weighted)
    return replace(parsed, states_direction=stated is not None)


def _id(part: Any, key: str, where: str) -> Hashable:
    """Return the name of a node; networkx writes tuples as lists."""
    if not isinstance(part, dict) or part.get(key) is None:
        raise GraphFileError(f"{where}: expected an object with a {key!r}")
    value: Hashable = _as_tuple(part[key])
    try:
        hash(value)
    except TypeError:
        raise GraphFileError(f"{where}: expected a text or number as {key!r}") from None
    return value


def _as_tuple(value: Any) -> Any:
    return tuple(map(_as_tuple, value)) if isinstance(value, list) else value


_HEADERS = (b">>graph6<<", b">>sparse6<<", b">>digraph6<<")
_LEAST, _MOST = 63, 126
_PADDED = 7
"""Most pairs that the padding bits at the end of a sparse6 can form."""


def read_graphs6(lines: Iterable[tuple[int, bytes]]) -> Iterator[tuple[int, ParsedGraph]]:
    """Yield the graphs of numbered lines in graph6, sparse6 or digraph6, with these numbers.

    Vertices are numbers from 0.  A graph6 is the upper triangle of the adjacency matrix, column by
    column, a digraph6 the whole matrix by rows, six bits a character.  A sparse6 is a list of pairs
    of a bit b and a number x.  If b is set, v increases by one.  If x is greater than v, it becomes
    the next v; otherwise x is a neighbour of v.

    Source: B. D. McKay, "Description of graph6, sparse6 and digraph6 encodings".

    >>> [(line, [*found.graph.edges()]) for line, found in read_graphs6([(1, b"Bg"), (2, b":Bf")])]
    [(1, [('0', '1'), ('1', '2')]), (2, [('0', '1')])]
    """
    for number, line in lines:
        text = line.strip()
        for header in _HEADERS:
            text = text.removeprefix(header)
        if text:
            yield number, _read_graph6(text, f"line {number}")


def read_graph6(data: bytes) -> ParsedGraph:
    """Return the first graph of a file in graph6, sparse6 or digraph6.

    >>> read_graph6(b">>graph6<<Bw").graph.number_of_edges()
    3
    """
    _, found = next(read_graphs6(enumerate(data.splitlines(), start=1)), (0, None))
    if found is None:
        raise GraphFileError("expected a graph in a line, got an empty file")
    return found


def has_several_lines(data: bytes) -> bool:
    """Return whether a file holds more than one graph: more than one line that is not empty."""
    return sum(1 for line in data.split(b"\n") if line.strip() and line.strip() not in _HEADERS) > 1


def _read_graph6(text: bytes, where: str) -> ParsedGraph:
    kind = text[:1] if text[:1] in (b":", b"&") else b""
    codes = np.frombuffer(text, dtype=np.uint8)[len(kind) :]
    wrong = np.flatnonzero((codes < _LEAST) | (codes > _MOST))
    if len(wrong):
        at = int(wrong[0])
        raise GraphFileError(
            f"{where}: expected characters from ? to ~, got {chr(codes[at])!r} at character "
            f"{at + len(kind) + 1}"
        )
    size, rest = _read_size(codes - np.uint8(_LEAST), where)
    if kind == b":":
        edges = _read_sparse6(size, rest, where)
    else:
        bits = size * size if kind else size * (size - 1) // 2
        if len(rest) != -(-bits // 6):
            raise GraphFileError(
                f"{where}: expected {-(-bits // 6):,} characters for the edges of {size:,} nodes, "
                f"got {len(rest):,}"
            )
        places = np.flatnonzero(_bits(rest)[:bits])
        check_edges(len(places), where)
        ends = np.divmod(places, size) if kind else _triangle(places)
        edges = np.stack(ends, axis=1).tolist()
    names = [*map(str, range(size))]
    return build_graph(names, [(names[u], names[v]) for u, v in edges], bool(kind == b"&"))


def _read_size(values: NDArray[np.uint8], where: str) -> tuple[int, NDArray[np.uint8]]:
    """Return the number of vertices, and the values after it."""
    first = values[:2].tolist()
    marks = 0 if first[:1] != [63] else 1 if first[1:] != [63] else 2
    wide = (1, 3, 6)[marks]
    digits = values[marks : marks + wide].tolist()
    if len(digits) < wide:
        raise GraphFileError(f"{where}: expected a number of nodes, reached the end of the file")
    size = 0
    for digit in digits:
        size = size << 6 | digit
    return check_nodes(size, where), values[marks + wide :]


def _bits(values: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return the six bits of each value, one after the other."""
    high = np.left_shift(values, np.uint8(2), dtype=np.uint8)
    return np.unpackbits(high[:, None], axis=1)[:, :6].ravel()


def _triangle(places: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return rows and columns of places in the upper triangle of a matrix, column by column."""
    column = ((1 + np.sqrt(1 + 8 * places.astype(np.float64))) / 2).astype(np.int64)
    column -= column * (column - 1) // 2 > places  # where the root was rounded
    column += column * (column + 1) // 2 <= places
    return places - column * (column - 1) // 2, column


def _read_sparse6(size: int, values: NDArray[np.uint8], where: str) -> list[tuple[int, int]]:
    width = 1 + max(1, (size - 1).bit_length())
    check_edges(6 * len(values) // width, where)
    bits = _bits(values)
    pairs = bits[: len(bits) // width * width].reshape(-1, width)
    numbers = pairs[:, 1:].astype(np.int64) @ (1 << np.arange(width - 2, -1, -1))
    edges, vertex = [], 0
    for place, (step, number) in enumerate(
        zip(pairs[:, 0].tolist(), numbers.tolist(), strict=True)
    ):
        vertex += step
        if number >= size or vertex >= size:
            if place + _PADDED < len(pairs):
                raise GraphFileError(f"{where}: expected {size:,} nodes, got one beyond them")
            break
        if number > vertex:
            vertex = number
        else:
            edges.append((number, vertex))
    return edges

"""Graphs with marks around their parts: GraphML and GML by networkx's readers, node-link JSON.

networkx makes nodes of whatever an edge names.  Here an edge has to join nodes of the file, so that
one that was damaged is known.  Places of nodes are kept for pictures.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from typing import Any

from kt_cp.formats.graphs.found import Found, check_edges, check_nodes, made
from kt_cp.model.board import shorten
from kt_cp.model.errors import GraphFileError

MOST_BYTES = 1 << 27
"""Of such a file: a million edges take fifty megabytes."""

_NAMESPACE = "http://graphml.graphdrawing.org/xmlns"
_LINE = re.compile(r"\(?(?:line\s*)?(\d+)\s*,\s*(?:column\s*)?\d+\)?")


def read_graphml(data: bytes) -> Found:
    """The graph of a GraphML file, the first if it holds several.

    Raises
    ------
    GraphFileError
        If it is none; the message names the line where it is no XML.

    Examples
    --------
    >>> text = b'<graphml><graph edgedefault="undirected"><node id="a"/></graph></graphml>'
    >>> list(read_graphml(text).graph)
    ['a']
    """
    import networkx as nx

    _check_size(data)
    if b"<!ENTITY" in data:
        line = data[: data.index(b"<!ENTITY")].count(b"\n") + 1
        raise GraphFileError(f"line {line}: expected a graph, got a definition of an entity")
    where = "GraphML"
    check_nodes(len(re.findall(rb"<(?:\w+:)?node\b", data)), where)
    check_edges(len(re.findall(rb"<(?:\w+:)?edge\b", data)), where)
    if _NAMESPACE.encode() not in data:
        data = data.replace(b"<graphml", f'<graphml xmlns="{_NAMESPACE}"'.encode(), 1)
    reader = nx.GraphMLReader()

    def read() -> Any:
        return next(iter(reader(string=data)), None)

    graph = _by_networkx(read, where)
    if graph is None:
        raise GraphFileError("expected a graph in GraphML, got none")
    declared = {each.get("id") for each in reader.xml.iter(f"{{{_NAMESPACE}}}node")}
    strange = next((node for node in graph if node not in declared), None)
    if strange is not None:
        raise GraphFileError(
            f"an edge names {shorten(repr(strange))}: expected the id of a node of the file"
        )
    return Found(graph, weighted=_weighted(graph))


def read_gml(data: bytes) -> Found:
    """The graph of a GML file; nodes go by their labels, or by their ids where these are not clear.

    Raises
    ------
    GraphFileError
        If it is none; the message names the line where one is to blame.

    Examples
    --------
    >>> list(read_gml(b'graph [ node [ id 0 label "a" ] ]').graph)
    ['a']
    """
    import networkx as nx

    _check_size(data)
    text = _decoded(data)
    check_nodes(len(re.findall(r"\bnode\b", text)), "GML")
    check_edges(len(re.findall(r"\bedge\b", text)), "GML")
    graph = _by_networkx(lambda: nx.parse_gml(text, label=None), "GML")
    labels = [graph.nodes[node].get("label") for node in graph]
    if None not in labels and len(set(map(str, labels))) == len(labels):
        graph = nx.relabel_nodes(graph, dict(zip(graph, labels, strict=True)))
    return Found(graph, weighted=_weighted(graph))


def read_node_link(data: bytes) -> Found:
    """The graph of node-link JSON: ``nodes`` with an ``id``, ``links`` or ``edges`` between them.

    Raises
    ------
    GraphFileError
        If it is none; the message names the line where it is no JSON.

    Examples
    --------
    >>> text = b'{"nodes": [{"id": 1}, {"id": 2}], "edges": [{"source": 1, "target": 2}]}'
    >>> list(read_node_link(text).graph.edges())
    [(1, 2)]
    """
    _check_size(data)
    try:
        document = json.loads(_decoded(data))
    except json.JSONDecodeError as error:
        raise GraphFileError(f"line {error.lineno}: not complete JSON: {error.msg}") from None
    except (RecursionError, ValueError):
        raise GraphFileError("not a graph: nested too deeply or a number too long") from None
    key = "links" if isinstance(document, dict) and "links" in document else "edges"
    listed = isinstance(document, dict) and all(
        isinstance(document.get(each), list) for each in ("nodes", key)
    )
    if not listed:
        raise GraphFileError("expected node-link JSON: an object with 'nodes' and 'edges'")
    check_nodes(len(document["nodes"]), "'nodes'")
    check_edges(len(document[key]), f"'{key}'")
    known: dict[Any, dict[str, Any]] = {}
    for number, node in enumerate(document["nodes"], start=1):
        name = _id(node, "id", f"node {number}")
        if name in known:
            raise GraphFileError(f"node {number}: expected each 'id' once, got one twice")
        known[name] = node
    edges = []
    for number, edge in enumerate(document[key], start=1):
        ends = [_id(edge, end, f"edge {number}") for end in ("source", "target")]
        strange = next((node for node in ends if node not in known), None)
        if strange is not None:
            raise GraphFileError(
                f"edge {number}: expected the 'id' of a node, got {shorten(repr(strange))}"
            )
        edges.append((ends[0], ends[1]))
    graph = made(known, edges, document.get("directed") is True)
    for name, said in known.items():
        graph.nodes[name].update({key: said[key] for key in ("pos", "x", "y") if key in said})
    weighted = any("weight" in edge for edge in document[key])
    return Found(graph, repeated=len(edges) - graph.number_of_edges(), weighted=weighted)


def _id(part: Any, key: str, where: str) -> Any:
    """A node's name, lists as the tuples that they were."""
    if not isinstance(part, dict) or part.get(key) is None:
        raise GraphFileError(f"{where}: expected an object with a {key!r}")
    value = part[key]
    if type(value) in (int, str):
        return value
    value = _tuple(value)
    try:
        hash(value)
    except TypeError:
        raise GraphFileError(f"{where}: expected a text or number as {key!r}") from None
    return value


def _tuple(value: Any) -> Any:
    return tuple(map(_tuple, value)) if isinstance(value, list) else value


def _by_networkx(read: Callable[[], Any], what: str) -> Any:
    """What networkx reads; whatever it raises in a broken file, in a line.

    Raises
    ------
    GraphFileError
    """
    try:
        return read()
    except MemoryError:
        raise
    except Exception as error:  # of a reader of others, which meets a broken file in its own ways
        told = " ".join(str(error).split()) or type(error).__name__
        line = _LINE.search(told)
        at = f"line {line[1]}: " if line else ""
        raise GraphFileError(f"{at}not {what} that networkx reads: {shorten(told, 200)}") from None


def _weighted(graph: Any) -> bool:
    edges: Iterable[Any] = graph.edges(data=True)
    return any("weight" in attributes for *_, attributes in edges)


def _decoded(data: bytes) -> str:
    return data.decode("utf-8-sig")


def _check_size(data: bytes) -> None:
    if len(data) > MOST_BYTES:
        raise GraphFileError(f"expected at most {MOST_BYTES >> 20} MB, got {len(data) >> 20}")

"""Graphs as node-link JSON, which networkx and D3 write.

networkx makes nodes of whatever an edge names.  Here an edge has to join nodes of the file, so that
one that was damaged is known.
"""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import chain
from operator import itemgetter
from typing import Any

from kt_cp.formats.graphs.found import Found, check_edges, check_marked, check_nodes, joined
from kt_cp.model.board import shorten
from kt_cp.model.errors import GraphFileError

_NAMES = frozenset((int, str))
_ENDS = itemgetter("source", "target")


def read_node_link(data: bytes, directed: bool = False) -> Found:
    """Return the graph of node-link JSON: ``nodes`` with an ``id``, ``links`` or ``edges`` of them.

    Edges are arcs as the key ``directed`` states, or, without it, as the parameter does.

    Raises
    ------
    GraphFileError
        If it is none; the message names the line where it is no JSON.

    Examples
    --------
    >>> text = b'{"nodes": [{"id": 1}, {"id": 2}], "edges": [{"source": 1, "target": 2}]}'
    >>> list(read_node_link(text).graph.edges())
    [('1', '2')]
    """
    check_marked(data)
    try:
        document = json.loads(data.decode("utf-8-sig"))
    except json.JSONDecodeError as error:
        raise GraphFileError(f"line {error.lineno}: not complete JSON: {error.msg}") from None
    except UnicodeDecodeError:
        raise
    except (RecursionError, ValueError):
        raise GraphFileError("not a graph: nested too deeply or a number too long") from None
    key = "links" if isinstance(document, dict) and "links" in document else "edges"
    if key == "links" and "edges" in document:
        raise GraphFileError("expected node-link JSON with 'edges' or 'links', got both")
    listed = isinstance(document, dict) and all(
        isinstance(document.get(each), list) for each in ("nodes", key)
    )
    if not listed:
        raise GraphFileError("expected node-link JSON: an object with 'nodes' and 'edges'")
    check_nodes(len(document["nodes"]), "'nodes'")
    check_edges(len(document[key]), f"'{key}'")
    known: dict[Any, Any] = {}
    for number, node in enumerate(document["nodes"], start=1):
        name = _id(node, "id", f"node {number}")
        if name in known:
            raise GraphFileError(f"node {number}: expected each 'id' once, got one twice")
        known[name] = node
    try:
        edges = [*map(_ENDS, document[key])]
        plain = _NAMES.issuperset(map(type, chain.from_iterable(edges)))
    except (KeyError, TypeError):
        plain = False
    if not plain:
        edges = [
            tuple(_id(edge, end, f"edge {number}") for end in ("source", "target"))
            for number, edge in enumerate(document[key], start=1)
        ]
    weighted = any("weight" in edge for edge in document[key])
    stated = document.get("directed")
    if not isinstance(stated, bool | None):
        raise GraphFileError(f"'directed': expected true or false, got {shorten(repr(stated))}")
    found = joined(known, edges, directed if stated is None else stated, weighted)
    return replace(found, states_direction=stated is not None)


def _id(part: Any, key: str, where: str) -> Any:
    """A node's name, lists as the tuples that they were."""
    if not isinstance(part, dict) or part.get(key) is None:
        raise GraphFileError(f"{where}: expected an object with a {key!r}")
    value = part[key]
    if type(value) in _NAMES:
        return value
    value = _tuple(value)
    try:
        hash(value)
    except TypeError:
        raise GraphFileError(f"{where}: expected a text or number as {key!r}") from None
    return value


def _tuple(value: Any) -> Any:
    return tuple(map(_tuple, value)) if isinstance(value, list) else value

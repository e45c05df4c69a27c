"""Graphs in GraphML, read as the parser meets them: nodes, edges between them, and places of nodes.

networkx reads GraphML as well, but makes an element of every edge first, which takes several times
as long.  A test holds the two against each other.  Of a file with several graphs the first counts.

Source: U. Brandes, M. Eiglsperger, J. Lerner and C. Pich, "Graph Markup Language (GraphML)", in the
Handbook of Graph Drawing and Visualization (2013).  yEd writes places as ``y:Geometry``.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any
from xml.parsers import expat

from kt_cp.formats.graphs.found import Found, check_marked, joined
from kt_cp.formats.graphs.runs import Run
from kt_cp.model.board import shorten
from kt_cp.model.errors import GraphFileError

_PLACES = ("x", "y", "pos")

_NAME = rb'"[!#-%\'-;?-~]++"'
_EDGES = re.compile(
    rb"(?:<edge(?: id=%s)? source=%s target=%s ?(?:/>|>\s*+</edge>)\s*+)++" % (_NAME, _NAME, _NAME)
)
_MARKS = (b"source=", b"target=")
_BLANKS = bytes.maketrans(b'"', b" ")
_ELSEWHERE = (b"<!", b"<?", b"-->", b"]]>", b"?>")
"""Where marks may be none: at either end of comments, of sections of text, and of instructions."""


def read_graphml(data: bytes, directed: bool = False) -> Found:
    """Return the graph of a GraphML file, the first if it holds several.

    Edges are arcs as ``edgedefault`` states, or, without it, as the parameter does.

    Raises
    ------
    GraphFileError
        If it is none; the message names the line.

    Examples
    --------
    >>> text = b'<graphml><graph edgedefault="undirected"><node id="a"/></graph></graphml>'
    >>> list(read_graphml(text).graph)
    ['a']
    """
    check_marked(data)
    reader = _Reader(directed)
    parser = expat.ParserCreate(namespace_separator=" ")
    parser.buffer_text = True
    parser.StartElementHandler = reader.start
    parser.EndElementHandler = reader.end
    parser.CharacterDataHandler = reader.text
    parser.EntityDeclHandler = reader.entity
    try:
        at = 0
        for edges in _EDGES.finditer(data, max(map(data.rfind, _ELSEWHERE)) + 1):
            parser.Parse(data[at : edges.start()], False)
            at = edges.start()
            if reader.take(edges[0]):
                parser.Parse(b"\n" * edges[0].count(b"\n"), False)
                at = edges.end()
        parser.Parse(data[at:], True)
    except expat.ExpatError as error:
        said = expat.ErrorString(error.code)
        raise GraphFileError(f"line {error.lineno}: not GraphML: {said}") from None
    except _RefusedError as error:
        raise GraphFileError(f"line {parser.CurrentLineNumber}: {error}") from None
    if not reader.graphs:
        raise GraphFileError("expected a graph in GraphML, got none")
    found = joined(reader.nodes, reader.edges, reader.directed, reader.weighted)
    return replace(found, states_direction=reader.states_direction)


class _RefusedError(Exception):
    """What was expected, and what came."""


class _Reader:
    """What is known so far; its methods are called by the parser."""

    def __init__(self, directed: bool) -> None:
        self.nodes: dict[str, dict[str, Any]] = {}
        self.edges: list[tuple[str, str] | Run] = []
        self.directed, self.states_direction, self.weighted = directed, False, False
        self.graphs = 0
        self._begun = self._open = False  # whether this is GraphML, and its first graph
        self._names: dict[str, str] = {}  # of keys
        self._node: dict[str, Any] = {}
        self._within = ""
        self._said: str | None = None  # what is being told of a node
        self._one_of: dict[str, Callable[[dict[str, str]], None]] = {
            "node": self._add_node, "edge": self._add_edge, "graph": self._add_graph,
            "key": self._add_key, "data": self._add_data, "Geometry": self._add_place,
            "hyperedge": self._refuse_hyperedge,
        }  # fmt: skip

    def take(self, edges: bytes) -> bool:
        """Add edges that say nothing but their ends, where the parser has come to edges."""
        if not self._open or self._said is not None:
            return False
        self.edges.append(Run(edges.translate(_BLANKS), _MARKS))
        self._within = "edge"
        return True

    def start(self, name: str, said: dict[str, str]) -> None:
        """An element begins."""
        name = name[name.rfind(" ") + 1 :]
        if not self._begun and name != "graphml":
            # GEXF and GXL have nodes and edges as well, and say otherwise which are directed.
            raise _RefusedError(f"expected GraphML, got <{shorten(name)}>")
        self._begun = True
        add = self._one_of.get(name)
        if add is not None:
            add(said)

    def end(self, name: str) -> None:
        """An element ends."""
        self._said = None
        if name.endswith("graph"):
            self._open = False

    def text(self, text: str) -> None:
        """Text within an element."""
        if self._said is not None:
            self._node[self._said] = self._node.get(self._said, "") + text

    def entity(self, *_: Any) -> None:
        """A definition by which a short file may become a long one."""
        raise _RefusedError("expected a graph, got a definition of an entity")

    def _add_graph(self, said: dict[str, str]) -> None:
        if self._open:
            raise _RefusedError("expected nodes and edges, got a graph within a graph")
        self.graphs += 1
        if self.graphs == 1:
            self._open = True
            stated = said.get("edgedefault")
            if stated not in (None, "directed", "undirected"):
                raise _RefusedError(
                    f"expected edgedefault directed or undirected, got {shorten(stated)!r}"
                )
            self.states_direction = stated is not None
            self.directed = self.directed if stated is None else stated == "directed"

    def _add_node(self, said: dict[str, str]) -> None:
        if self._open:
            name = said.get("id")
            if name is None:
                raise _RefusedError("expected a node with an 'id'")
            self._within, self._node = "node", self.nodes.setdefault(name, {})

    def _add_edge(self, said: dict[str, str]) -> None:
        if not self._open:
            return
        try:
            self.edges.append((said["source"], said["target"]))
        except KeyError as error:
            raise _RefusedError(f"expected an edge with a {error}") from None
        self._within = "edge"
        directed = said.get("directed")
        if directed is not None and (directed == "true") != self.directed:
            raise _RefusedError(f"expected directed edges alone or none, got {shorten(directed)!r}")

    def _add_key(self, said: dict[str, str]) -> None:
        self._names[said.get("id", "")] = said.get("attr.name", "")

    def _add_data(self, said: dict[str, str]) -> None:
        name = self._names.get(said.get("key", ""), "")
        if not self._open:
            return
        if self._within == "edge":
            self.weighted = self.weighted or name == "weight"
        elif name in _PLACES:
            self._said = name
            self._node.pop(name, None)

    def _add_place(self, said: dict[str, str]) -> None:
        if self._open and self._within == "node":
            self._node |= {key: said[key] for key in ("x", "y") if key in said}

    def _refuse_hyperedge(self, _: dict[str, str]) -> None:
        raise _RefusedError("expected edges of two nodes, got a hyperedge")

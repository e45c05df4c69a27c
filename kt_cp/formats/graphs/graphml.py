"""Graphs in GraphML, read as the parser meets them: nodes, edges between them, and places of nodes.

networkx reads GraphML as well, but makes an element of every edge first, which takes several times
as long.  A test holds the two against each other.  Edges and nodes are elements of the graph
itself: data may hold elements of any names.  Of a file with several graphs the first counts.

Source: U. Brandes, M. Eiglsperger, J. Lerner and C. Pich, "Graph Markup Language (GraphML)", in the
Handbook of Graph Drawing and Visualization (2013).  yEd writes places as ``y:Geometry``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any
from xml.parsers import expat

from kt_cp.formats.graphs.found import Found, check_marked, joined
from kt_cp.model.board import shorten
from kt_cp.model.errors import GraphFileError

_PLACES = ("x", "y", "pos")

_TRUTH = {"true": True, "1": True, "false": False, "0": False}
"""Booleans of XML."""


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
        parser.Parse(data, True)
    except expat.ExpatError as error:
        said = expat.ErrorString(error.code)
        raise GraphFileError(f"line {error.lineno}: not GraphML: {said}") from None
    except _RefusedError as error:
        raise GraphFileError(f"line {parser.CurrentLineNumber}: {error}") from None
    if not reader.graphs:
        raise GraphFileError("expected a graph in GraphML, got none")
    found = joined(reader.nodes, reader.edges, reader.directed, reader.weighted)
    several = f"it holds {reader.graphs:,} graphs, of which the first is read"
    remarks = (several,) if reader.graphs > 1 else ()
    return replace(found, remarks=remarks, states_direction=reader.states_direction)


class _RefusedError(Exception):
    """What was expected, and what came."""


class _Reader:
    """What is known so far; its methods are called by the parser."""

    def __init__(self, directed: bool) -> None:
        self.nodes: dict[str, dict[str, Any]] = {}
        self.edges: list[tuple[str, str]] = []
        self.directed, self.states_direction, self.weighted = directed, False, False
        self.graphs = 0
        self._space = ""  # of names
        self._depth = 0
        self._open = False  # whether within the first graph
        self._names: dict[str, str] = {}  # of keys
        self._node: dict[str, Any] = {}
        self._within = ""  # which child of a graph
        self._said: str | None = None  # what is being told of a node
        self._at_depth: dict[int, dict[str, Callable[[dict[str, str]], None]]] = {
            2: {"graph": self._add_graph, "key": self._add_key},
            3: {
                "node": self._add_node, "edge": self._add_edge, "graph": self._refuse_graph,
                "hyperedge": self._refuse_hyperedge,
            },
            4: {"data": self._add_data, "graph": self._refuse_graph},
        }  # fmt: skip

    def start(self, name: str, said: dict[str, str]) -> None:
        """An element begins.  Elements within data, or of another namespace, are no part of it."""
        self._depth += 1
        if self._depth == 1:
            if name.rpartition(" ")[2] != "graphml":
                # GEXF and GXL have nodes and edges as well, and say otherwise which are directed.
                raise _RefusedError(f"expected GraphML, got <{shorten(name)}>")
            self._space = name.removesuffix("graphml")
        elif self._depth <= 4:
            local = name.removeprefix(self._space)
            if self._depth == 3:
                self._within = local
            add = self._at_depth[self._depth].get(local)
            if add is not None and (self._open or self._depth == 2):
                add(said)
        elif name.endswith(" Geometry") and self._open and self._within == "node":
            self._node |= {key: said[key] for key in ("x", "y") if key in said}

    def end(self, _: str) -> None:
        """An element ends."""
        if self._depth == 4:
            self._said = None
        elif self._depth == 2:
            self._open = False
        self._depth -= 1

    def text(self, text: str) -> None:
        """Text within an element."""
        if self._said is not None and self._depth == 4:
            self._node[self._said] = self._node.get(self._said, "") + text

    def entity(self, *_: Any) -> None:
        """A definition by which a short file may become a long one."""
        raise _RefusedError("expected a graph, got a definition of an entity")

    def _add_graph(self, said: dict[str, str]) -> None:
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
        name = said.get("id")
        if name is None:
            raise _RefusedError("expected a node with an 'id'")
        self._node = self.nodes.setdefault(name, {})

    def _add_edge(self, said: dict[str, str]) -> None:
        try:
            self.edges.append((said["source"], said["target"]))
        except KeyError as error:
            raise _RefusedError(f"expected an edge with a {error}") from None
        directed = said.get("directed")
        if directed is not None and _TRUTH.get(directed.strip()) is not self.directed:
            raise _RefusedError(f"expected directed edges alone or none, got {shorten(directed)!r}")

    def _add_key(self, said: dict[str, str]) -> None:
        self._names[said.get("id", "")] = said.get("attr.name", "")

    def _add_data(self, said: dict[str, str]) -> None:
        name = self._names.get(said.get("key", ""), "")
        if self._within == "edge":
            self.weighted = self.weighted or name == "weight"
        elif self._within == "node" and name in _PLACES:
            self._said = name
            self._node.pop(name, None)

    def _refuse_graph(self, _: dict[str, str]) -> None:
        raise _RefusedError("expected nodes and edges, got a graph within a graph")

    def _refuse_hyperedge(self, _: dict[str, str]) -> None:
        raise _RefusedError("expected edges of two nodes, got a hyperedge")

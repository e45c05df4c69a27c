"""Graphs packed six bits a character, one a line: graph6, sparse6 and digraph6.

networkx reads the first two bit by bit, which is slow where there are many nodes; here NumPy
unpacks them.  A test holds the two against each other.

Source: B. D. McKay, "Description of graph6, sparse6 and digraph6 encodings".  Vertices are numbers
from 0.  A graph6 is the upper triangle of the adjacency matrix, column by column, a digraph6 the
whole matrix by rows.  A sparse6 is a list of a bit b and a number x: b moves on to the next vertex
v, and x is its neighbour where it is not beyond v, and the next v otherwise.

Graphs in GraphML, read as the parser meets them: nodes, edges between them, and places of nodes.

networkx reads GraphML as well, but makes an element of every edge first, which takes several times
as long.  A test holds the two against each other.  Edges and nodes are elements of the graph
itself: data may hold elements of any names.  Of a file with several graphs the first counts.

Source: U. Brandes, M. Eiglsperger, J. Lerner and C. Pich, "Graph Markup Language (GraphML)", in the
Handbook of Graph Drawing and Visualization (2013).  yEd writes places as ``y:Geometry``.

Graphs in GML: lists of names and values, of which a graph has nodes and edges.

networkx reads GML as well, word by word, which takes several times as long.  Here an edge with
nothing but its ends is one word.  A test holds the two against each other.

Source: M. Himsolt, "GML: a portable graph file format", University of Passau (1997).

Graphs as node-link JSON, which networkx and D3 write.

networkx makes nodes of whatever an edge names.  Here an edge has to join nodes of the file, so that
one that was damaged is known.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import chain
from operator import itemgetter
from typing import TYPE_CHECKING, Any
from xml.parsers import expat

import numpy as np

from kt_cp.formats.graphs.parsed_graph import (
    ParsedGraph,
    check_edges,
    check_marked,
    check_nodes,
    joined,
    numbered,
)
from kt_cp.model.board import shorten
from kt_cp.model.errors import GraphFileError

if TYPE_CHECKING:
    from numpy.typing import NDArray


_HEADERS = (b">>graph6<<", b">>sparse6<<", b">>digraph6<<")
_LEAST, _MOST = 63, 126
_PADDED = 7
"""Pairs, at most, into which the bits at the end of a sparse6 can fall that only fill it up."""


def read_graphs6(lines: Iterable[bytes]) -> Iterator[tuple[int, ParsedGraph]]:
    r"""The graphs of lines, with their lines' numbers; empty lines are passed over.

    Raises
    ------
    GraphFileError
        If a line is no graph.

    Examples
    --------
    >>> [(line, list(found.graph.edges())) for line, found in graphs_in([b"Bg\n", b":Bf\n"])]
    [(1, [('0', '1'), ('1', '2')]), (2, [('0', '1')])]
    """
    for number, line in enumerate(lines, start=1):
        text = line.strip()
        for header in _HEADERS:
            text = text.removeprefix(header)
        if text:
            yield number, _graph(text, f"line {number}")


def read_graph6(data: bytes) -> ParsedGraph:
    """The one graph of a file.

    Raises
    ------
    GraphFileError
        If it holds none, or several.

    Examples
    --------
    >>> read_packed(b">>graph6<<Bw").graph.number_of_edges()
    3
    """
    graphs = read_graphs6(data.splitlines())
    found = next(graphs, None)
    if found is None:
        raise GraphFileError("expected a graph in a line, got an empty file")
    return found[1]


def has_several_lines(data: bytes) -> bool:
    """Whether a file holds more than one graph: more than one line that is not empty."""
    return sum(1 for line in data.split(b"\n") if line.strip() and line.strip() not in _HEADERS) > 1


def _graph(text: bytes, where: str) -> ParsedGraph:
    kind = text[:1] if text[:1] in (b":", b"&") else b""
    codes = np.frombuffer(text, dtype=np.uint8)[len(kind) :]
    wrong = np.flatnonzero((codes < _LEAST) | (codes > _MOST))
    if len(wrong):
        at = int(wrong[0])
        raise GraphFileError(
            f"{where}: expected characters from ? to ~, got {chr(codes[at])!r} at character "
            f"{at + len(kind) + 1}"
        )
    size, rest = _size(codes - np.uint8(_LEAST), where)
    if kind == b":":
        edges = np.array(_sparse(size, rest, where), dtype=np.int64).reshape(-1, 2)
    else:
        bits = size * size if kind else size * (size - 1) // 2
        if len(rest) != -(-bits // 6):
            raise GraphFileError(
                f"{where}: expected {-(-bits // 6):,} characters for the edges of {size:,} nodes, "
                f"got {len(rest):,}"
            )
        ends = _square(_ones(rest, bits), size) if kind else _triangle(_ones(rest, bits))
        check_edges(len(ends[0]), where)
        edges = np.stack(ends, axis=1)
    graph = numbered(range(size), edges, bool(kind == b"&"))
    return ParsedGraph(graph, repeated=len(edges) - graph.number_of_edges())


def _size(values: NDArray[np.uint8], where: str) -> tuple[int, NDArray[np.uint8]]:
    """The number of vertices, and the values after it."""
    first = values[:2].tolist()
    marks = 0 if first[:1] != [63] else 1 if first[1:] != [63] else 2
    wide = (1, 3, 6)[marks]
    digits = values[marks : marks + wide].tolist()
    if len(digits) < wide:
        raise GraphFileError(f"{where}: expected a number of nodes, got the end: cut short?")
    size = 0
    for digit in digits:
        size = size << 6 | digit
    return check_nodes(size, where), values[marks + wide :]


def _bits(values: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The six bits of each value, as the rows of an array."""
    high = np.left_shift(values, np.uint8(2), dtype=np.uint8)
    return np.unpackbits(high[:, None], axis=1)[:, :6]


def _ones(values: NDArray[np.uint8], most: int) -> NDArray[np.int64]:
    """Places below ``most`` of the bits that are set, in memory for these alone."""
    some = np.flatnonzero(values)
    bits = _bits(values[some])
    which, place = np.nonzero(bits)
    at: NDArray[np.int64] = some[which] * 6 + place
    return at[at < most]


def _triangle(at: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    column = ((1 + np.sqrt(1 + 8 * at.astype(np.float64))) / 2).astype(np.int64)
    column -= column * (column - 1) // 2 > at  # where the root was rounded
    column += column * (column + 1) // 2 <= at
    return at - column * (column - 1) // 2, column


def _square(at: NDArray[np.int64], size: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    rows, columns = np.divmod(at, size)
    return rows, columns


def _sparse(size: int, values: NDArray[np.uint8], where: str) -> list[tuple[int, int]]:
    wide = 1 + max(1, (size - 1).bit_length())
    check_edges(6 * len(values) // wide, where)
    bits = _bits(values).ravel()
    pairs = bits[: len(bits) // wide * wide].reshape(-1, wide)
    numbers = pairs[:, 1:].astype(np.int64) @ (1 << np.arange(wide - 2, -1, -1))
    found, vertex = [], 0
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
            found.append((number, vertex))
    return found


_PLACES = ("x", "y", "pos")

_TRUTH = {"true": True, "1": True, "false": False, "0": False}
"""Booleans of XML."""


def read_graphml(data: bytes, directed: bool = False) -> ParsedGraph:
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


MOST_DEPTH = 50
"""Lists within lists."""

_ONCE = frozenset({"id", "label", "source", "target"})
"""Keys that mean something here, and would mean two things if they stood twice in one list."""

_NAME = re.compile(r"(?:\s|#[^\n]*)*([A-Za-z_]\w*|\]|\Z)")
_VALUE = re.compile(r'(?:\s|#[^\n]*)*(\[|"[^"]*"|[+-]?(?:\.?\d[\w.+-]*|INF\b|NAN\b))')
_INTEGER = re.compile(r"[+-]?\d{1,18}", re.ASCII)
_EDGE = re.compile(
    r"\s*+edge\s*+\[\s*+source\s++([0-9+-]++)\s++target\s++([0-9+-]++)\s*+\]", re.ASCII
)
"""An edge with nothing but its ends."""


def read_gml(data: bytes) -> ParsedGraph:
    """Return the graph of a GML file, the first if it holds several.

    Nodes go by their labels, or by their ids where these are not clear.

    Raises
    ------
    GraphFileError
        If it is none; the message names the line where one is to blame.

    Examples
    --------
    >>> list(read_gml(b'graph [ node [ id 0 label "a" ] ]').graph)
    ['a']
    """
    check_marked(data)
    reader = _GmlReader(data.decode("utf-8-sig"))
    reader.read()
    labels = [said.get("label") for said in reader.nodes.values()]
    clear = None if None in labels else labels
    found = joined(reader.nodes, reader.edges, reader.directed, reader.weighted, clear)
    several = f"it holds {reader.graphs:,} graphs, of which the first is read"
    return replace(found, remarks=(several,) if reader.graphs > 1 else ())


def _gml_id(value: Any) -> Any:
    """The id of a node, whose number may be written in several ways."""
    return str(int(value)) if isinstance(value, str) and _INTEGER.fullmatch(value) else value


class _GmlReader:
    """The text, and how far it is read."""

    def __init__(self, text: str) -> None:
        self.text, self.at = text, 0
        self.nodes: dict[str, dict[str, Any]] = {}
        self.edges: list[tuple[str, str]] = []
        self.directed = self.weighted = False
        self.graphs = 0

    def read(self) -> None:
        """Read the first graph, and count the others."""
        while name := self._name(last=""):
            self.graphs += name == "graph"
            if name != "graph" or self.graphs > 1:
                self._value(1)
            elif self._word(_VALUE, "[") != "[":
                raise self._refused("expected [ after 'graph'")
            else:
                self._graph()
        if not self.graphs:
            raise GraphFileError("expected a graph in GML, got none")

    def _graph(self) -> None:
        while True:
            while edge := _EDGE.match(self.text, self.at):
                self.edges.append((_gml_id(edge[1]), _gml_id(edge[2])))
                self.at = edge.end()
            name = self._name()
            if not name:
                break
            if name == "edge":
                self._edge()
            elif name == "node":
                said = self._value(2)
                number = _gml_id(said.get("id")) if isinstance(said, dict) else None
                if not isinstance(number, str) or number in self.nodes:
                    raise self._refused("expected a node with an 'id' of its own")
                self.nodes[number] = said
            else:
                value = self._value(2)
                if name == "directed" and value not in ("0", "1"):
                    raise self._refused("expected 'directed 0' or 'directed 1' before")
                self.directed = self.directed or (name == "directed" and value == "1")

    def _edge(self) -> None:
        said = self._value(2)
        try:
            self.edges.append((_gml_id(said["source"]), _gml_id(said["target"])))
        except (KeyError, TypeError):
            raise self._refused("expected an edge with a 'source' and a 'target'") from None
        self.weighted = self.weighted or "weight" in said

    def _value(self, depth: int) -> Any:
        """A text or number, as text; or a list, as a dictionary."""
        word = self._word(_VALUE, "a value")
        if word != "[":
            return html.unescape(word[1:-1]) if word[0] == '"' else word
        if depth > MOST_DEPTH:
            raise self._refused("expected fewer lists within lists")
        said = {}
        while name := self._name():
            if name in said and name in _ONCE:
                raise self._refused(f"expected one {name!r}, got two")
            said[name] = self._value(depth + 1)
        return said

    def _name(self, last: str = "]") -> str:
        """The next name, or nothing after the last one of a list."""
        word = self._word(_NAME, "a name")
        if word not in ("", "]"):
            return word
        if word != last:
            raise self._refused("expected ], got the end: cut short?" if last else "got ] too many")
        return ""

    def _word(self, pattern: re.Pattern[str], what: str) -> str:
        found = pattern.match(self.text, self.at)
        if found is None:
            rest = self.text[self.at : self.at + 200].split()
            came = repr(shorten(rest[0])) if rest else "the end: cut short?"
            raise self._refused(f"expected {what}, got {came}")
        self.at = found.end()
        return found[1]

    def _refused(self, what: str) -> GraphFileError:
        space = re.compile(r"\s*").match(self.text, self.at)
        line = self.text.count("\n", 0, space.end() if space else self.at) + 1
        return GraphFileError(f"line {line}: not GML: {what}")


_NAMES = frozenset((int, str))
_ENDS = itemgetter("source", "target")


def read_node_link(data: bytes, directed: bool = False) -> ParsedGraph:
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

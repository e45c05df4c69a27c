"""Graphs in GML: lists of names and values, of which a graph has nodes and edges.

networkx reads GML as well, word by word, which takes several times as long.  Here an edge with
nothing but its ends is one word.  A test holds the two against each other.

Source: M. Himsolt, "GML: a portable graph file format", University of Passau (1997).
"""

from __future__ import annotations

import html
import re
from dataclasses import replace
from typing import Any

from kt_cp.formats.graphs.found import Found, check_marked, joined
from kt_cp.model.board import shorten
from kt_cp.model.errors import GraphFileError

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


def read_gml(data: bytes) -> Found:
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
    reader = _Reader(data.decode("utf-8-sig"))
    reader.read()
    labels = [said.get("label") for said in reader.nodes.values()]
    clear = None if None in labels else labels
    found = joined(reader.nodes, reader.edges, reader.directed, reader.weighted, clear)
    several = f"it holds {reader.graphs:,} graphs, of which the first is read"
    return replace(found, remarks=(several,) if reader.graphs > 1 else ())


def _id(value: Any) -> Any:
    """The id of a node, whose number may be written in several ways."""
    return str(int(value)) if isinstance(value, str) and _INTEGER.fullmatch(value) else value


class _Reader:
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
                self.edges.append((_id(edge[1]), _id(edge[2])))
                self.at = edge.end()
            name = self._name()
            if not name:
                break
            if name == "edge":
                self._edge()
            elif name == "node":
                said = self._value(2)
                number = _id(said.get("id")) if isinstance(said, dict) else None
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
            self.edges.append((_id(said["source"]), _id(said["target"])))
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

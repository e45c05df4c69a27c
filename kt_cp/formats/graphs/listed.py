"""Graphs as lines of names: an edge a line, or a node and its neighbours.

Names are separated by blanks or commas, comments begin with # or %, and what stands behind the two
names of an edge, weights as a rule, plays no part.  Tables begin with the names of their columns:
those are told of and left out, where no other line names them.  networkx reads such files as well,
but passes over lines with a single name; they are refused here, with their number, as is a name in
brackets, which holds blanks or commas.
"""

from __future__ import annotations

import re
from array import array
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from itertools import count
from typing import TYPE_CHECKING

import numpy as np

from kt_cp.formats.graphs.found import MOST_NODES, Found, check_edges, made, numbers_of
from kt_cp.formats.text import Lines
from kt_cp.model.board import shorten
from kt_cp.model.errors import GraphFileError

if TYPE_CHECKING:
    from kt_cp.formats.graphs.found import Ends

_BETWEEN = re.compile(r"[\s,;]+")
_BRACKETS = frozenset("([{'\"")

_PLAIN = rb"[^\x00-\x20\x7f-\xff#%,;()\[{'\"]++"
_PAIRS, _TRIPLES = (
    re.compile(rb"(?:%s[ \t,;]++%s%s[ \t]*+\n)*+" % (_PLAIN, _PLAIN, more))
    for more in (b"", rb"[ \t,;]++(?:\{\}|%s)" % _PLAIN)
)
"""Lines of an edge each, with something behind it or not, in which nothing has to be looked at."""

_COLUMNS = frozenset(
    {("source", "target"), ("from", "to"), ("src", "dst"), ("fromnode", "tonode"), ("tail", "head")}
)
"""Names of columns, in small letters; as two nodes that no other line names they allow no tour."""

_BLANKS = bytes.maketrans(b",;", b"  ")

_MARKED = re.compile(r"(\S+?) ?:(?: |$)")
"""A node with a colon behind it."""


def read_edge_list(data: bytes) -> Found:
    r"""A graph whose lines are edges, each of two nodes.

    Raises
    ------
    GraphFileError
        If a line is no edge.

    Examples
    --------
    >>> found = read_edge_list(b"# three\na b\nb,c,0.5\n")
    >>> list(found.graph.edges()), found.weighted
    ([('a', 'b'), ('b', 'c')], True)
    """
    lines, ends, weighted = Lines(data), [], False
    for number, line, names in _lines(lines):
        if len(names) < 2:
            raise GraphFileError(
                f"line {number}: expected the two nodes of an edge, got {shorten(line.strip())!r}"
            )
        if names[0][0] in _BRACKETS or names[1][0] in _BRACKETS:
            raise _in_brackets(number, line)
        weighted = weighted or (len(names) > 2 and names[2] != "{}")
        ends += names[:2]
        ends += _words(lines, _PAIRS)
        edges = _words(lines, _TRIPLES)
        weighted = weighted or any(said != "{}" for said in edges[2::3])
        del edges[2::3]
        ends += edges
        check_edges(len(ends) // 2, lines.number)
    remarks: tuple[str, ...] = ()
    heads = tuple(ends[:2])
    if tuple(map(str.lower, heads)) in _COLUMNS and not {*heads} & {*ends[2:]} and ends[2:]:
        del ends[:2]
        remarks = (f"the first line, {' '.join(heads)}, is taken for names of columns",)
    number_of: dict[str, int] = defaultdict(count().__next__)
    found = _found(number_of, numbers_of(ends, number_of), weighted)
    return replace(found, remarks=remarks)


def _words(lines: Lines, shape: re.Pattern[bytes]) -> list[str]:
    """What stands in the lines that come next, if they have a shape."""
    return lines.run(shape).translate(_BLANKS).decode().split()


def read_adjacency_list(data: bytes) -> Found:
    r"""A graph whose lines are nodes, with or without a colon, each with neighbours behind it.

    Raises
    ------
    GraphFileError
        If it holds no node, or a colon is behind the first node and not behind all.

    Examples
    --------
    >>> list(read_adjacency_list(b"a b c\nb c\nd\n").graph.edges())
    [('a', 'b'), ('a', 'c'), ('b', 'c')]
    """
    number_of: dict[str, int] = defaultdict(count().__next__)
    found, lengths, colons = array("q"), array("q"), False
    for number, line, names in _lines(Lines(data)):
        if colons or not lengths:
            node = _MARKED.match(" ".join(names))
            if colons and node is None:
                came = shorten(line.strip())
                raise GraphFileError(f"line {number}: expected a node and a colon, got {came!r}")
            colons = node is not None
            names = [node[1], *node.string[node.end() :].split()] if node else names
        if any(name[0] in _BRACKETS for name in names):
            raise _in_brackets(number, line)
        found.extend(map(number_of.__getitem__, names))
        lengths.append(len(names))
        check_edges(len(found) - len(lengths), number)
    nodes, many = np.array(found), np.array(lengths)
    first = np.cumsum(many) - many  # of each line
    ends = np.stack([np.repeat(nodes[first], many - 1), np.delete(nodes, first)], axis=1)
    return replace(_found(number_of, ends), repeated=0)  # many list an edge at both ends


def _lines(lines: Lines) -> Iterator[tuple[int, str, list[str]]]:
    """Lines that hold names, with their numbers; comments are left out."""
    for number, line in lines:
        told = line
        if "#" in line or "%" in line:
            told = line.split("%", 1)[0].split("#", 1)[0]
        if "," in told or ";" in told:
            told = _BETWEEN.sub(" ", told)
        names = told.split()
        if names:
            yield number, line, names


def _in_brackets(number: int, line: str) -> GraphFileError:
    return GraphFileError(
        f"line {number}: expected names without blanks, got {shorten(line.strip())!r}: "
        "GraphML and JSON hold any name"
    )


def _found(nodes: dict[str, int], ends: Ends, weighted: bool = False) -> Found:
    if not nodes:
        raise GraphFileError("expected nodes and edges, got none")
    if len(nodes) > MOST_NODES:
        raise GraphFileError(f"expected at most {MOST_NODES:,} nodes, got {len(nodes):,}")
    graph = made([*nodes], ends)
    return Found(graph, repeated=len(ends) - graph.number_of_edges(), weighted=weighted)

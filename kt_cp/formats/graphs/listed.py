"""Graphs as lines of names: an edge a line, or a node and its neighbours.

Names are separated by blanks or commas, comments begin with # or %, and what stands behind the two
names of an edge, weights as a rule, plays no part.  networkx reads such files as well, but passes
over lines with a single name; they are refused here, with their number, as is a name in brackets,
which holds blanks or commas.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import chain

from kt_cp.formats.graphs.found import MOST_NODES, Found, check_edges, made
from kt_cp.formats.text import lines_of
from kt_cp.model.board import shorten
from kt_cp.model.errors import GraphFileError

_BETWEEN = re.compile(r"[\s,;]+")
_BRACKETS = frozenset("([{'\"")


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
    edges, weighted = [], False
    for number, line, names in _lines(data):
        if len(names) < 2:
            raise GraphFileError(
                f"line {number}: expected the two nodes of an edge, got {shorten(line.strip())!r}"
            )
        if names[0][0] in _BRACKETS or names[1][0] in _BRACKETS:
            raise _in_brackets(number, line)
        weighted = weighted or (len(names) > 2 and names[2] != "{}")
        edges.append((names[0], names[1]))
        check_edges(len(edges), number)
    return _found(dict.fromkeys(chain.from_iterable(edges)), edges, weighted)


def read_adjacency_list(data: bytes) -> Found:
    r"""A graph whose lines are nodes, each with neighbours behind it.

    Raises
    ------
    GraphFileError
        If it holds no node.

    Examples
    --------
    >>> list(read_adjacency_list(b"a b c\nb c\nd\n").graph.edges())
    [('a', 'b'), ('a', 'c'), ('b', 'c')]
    """
    edges: list[tuple[str, str]] = []
    nodes: dict[str, None] = {}
    for number, line, names in _lines(data):
        if any(name[0] in _BRACKETS for name in names):
            raise _in_brackets(number, line)
        nodes.update(dict.fromkeys(names))
        edges += [(names[0], name) for name in names[1:]]
        check_edges(len(edges), number)
    return replace(_found(nodes, edges), repeated=0)  # many list an edge at both ends


def _lines(data: bytes) -> Iterator[tuple[int, str, list[str]]]:
    """Lines that hold names, with their numbers; comments are left out."""
    for number, line in lines_of(data):
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


def _found(nodes: dict[str, None], edges: list[tuple[str, str]], weighted: bool = False) -> Found:
    if not nodes:
        raise GraphFileError("expected nodes and edges, got none")
    if len(nodes) > MOST_NODES:
        raise GraphFileError(f"expected at most {MOST_NODES:,} nodes, got {len(nodes):,}")
    graph = made(nodes, edges)
    return Found(graph, repeated=len(edges) - graph.number_of_edges(), weighted=weighted)

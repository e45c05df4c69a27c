"""Graphs of METIS: a line for each node, with its neighbours as numbers from 1.

Source: G. Karypis, "METIS: a software package for partitioning unstructured graphs", manual of
version 5.  The first line holds the numbers of nodes and of edges, and up to three digits: whether
nodes have sizes, nodes have weights, and edges have weights.  A fourth number says how many weights
a node has.  Every edge stands in the lines of both its nodes.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterator

import numpy as np

from kt_cp.formats.graphs.found import Found, check_edges, check_nodes
from kt_cp.formats.graphs.numbered import numbered, shown
from kt_cp.formats.text import Lines
from kt_cp.model.errors import GraphFileError

_HEADER = re.compile(r"\s*(\d{1,18})\s+(\d{1,18})(?:\s+([01]{1,3})(?:\s+(\d{1,3}))?)?\s*", re.ASCII)
_NUMBER = re.compile(r"-?\d{1,18}", re.ASCII)


def read_metis(data: bytes) -> Found:
    r"""Return the graph of a METIS file.

    Raises
    ------
    GraphFileError
        If it is none, or the lines of two neighbours contradict each other.

    Examples
    --------
    >>> list(read_metis(b"% a path\n3 2\n2\n1 3\n2\n").graph.edges())
    [('1', '2'), ('2', '3')]
    """
    lines = ((number, line) for number, line in Lines(data) if not line.startswith("%"))
    first, size, edges, before, step = _header(lines)
    ends, at = array("q"), array("q")
    node = 0
    for number, line in lines:
        words = line.split()
        node += 1
        if node > size:
            if words:
                raise GraphFileError(
                    f"line {number}: expected {size:,} lines of nodes, as line {first} says, got "
                    f"{shown(line)}"
                )
            continue
        if not all(map(_NUMBER.fullmatch, words)) or (len(words) - before) % step:
            raise GraphFileError(
                f"line {number}: expected the neighbours of node {node}, got {shown(line)}"
            )
        for other in map(int, words[before::step]):
            if not 1 <= other <= size or other == node:
                raise GraphFileError(
                    f"line {number}: expected other nodes from 1 to {size}, got {other}"
                )
            ends.extend((node, other))
        at.append(number)
        check_edges(len(ends) // 4, number)
    if node < size:
        raise GraphFileError(
            f"expected {size:,} lines of nodes, as line {first} says, got {node:,}: cut short?"
        )
    pairs = np.array(ends, dtype=np.int64).reshape(-1, 2)
    forth, back = pairs @ (size + 1, 1), pairs @ (1, size + 1)
    if len(alone := np.flatnonzero(~np.isin(forth, back))):
        u, v = pairs[alone[0]].tolist()
        raise GraphFileError(
            f"line {at[u - 1]}: expected {u} among the neighbours of {v} as well, got {v} alone"
        )
    if len(pairs) != 2 * edges:
        raise GraphFileError(
            f"expected {edges:,} edges, as line {first} says, got {len(pairs) / 2:,g}"
        )
    once = pairs[pairs[:, 0] < pairs[:, 1]]
    graph = numbered(range(1, size + 1), once)
    return Found(graph, repeated=len(once) - graph.number_of_edges(), weighted=step > 1)


def _header(lines: Iterator[tuple[int, str]]) -> tuple[int, int, int, int, int]:
    """The line's number, nodes, edges, the words before neighbours, and those of a neighbour."""
    number, line = next(lines, (1, ""))
    header = _HEADER.fullmatch(line)
    if header is None:
        raise GraphFileError(
            f"line {number}: expected the numbers of nodes and edges of a METIS file, got "
            f"{shown(line)}"
        )
    size = check_nodes(int(header[1]), f"line {number}")
    sizes, weights, edge_weights = map(int, (header[3] or "0").zfill(3))
    before = sizes + weights * int(header[4] or 1)
    return number, size, int(header[2]), before, 1 + edge_weights

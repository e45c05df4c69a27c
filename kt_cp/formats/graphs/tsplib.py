"""Graphs of TSPLIB, whose nodes are numbers from 1 to the dimension.

Source: G. Reinelt, "TSPLIB 95".  ``TYPE : HCP`` asks for a Hamiltonian cycle, ``HPP`` for a path.
Of its sections, read are the edges, those that are fixed, and places of nodes.  Edges of ``TYPE :
ATSP`` are arcs.  Each list ends with -1, by which a file that was cut short is known.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterator
from math import isfinite

from kt_cp.formats.graphs.found import Found, check_edges, check_nodes
from kt_cp.formats.graphs.numbered import is_number, lines_of_edges, numbered, run, shown
from kt_cp.formats.text import Lines
from kt_cp.model.errors import GraphFileError
from kt_cp.model.square import number_of

_PAIRS = lines_of_edges(rb"[ \t]*+")

_ENTRY = re.compile(r"\s*([A-Za-z_]+)\s*(?::\s*(.*?))?\s*$")
_TYPES = {"HCP": True, "HPP": False, "ATSP": None}
"""Types of TSPLIB that are read, and whether they ask for cycles."""

_LISTS = frozenset({"EDGE_LIST", "ADJ_LIST"})
_MANY = frozenset({"COMMENT", "NAME"})
"""Words that may stand several times."""

_EDGES, _FIXED = "EDGE_DATA_SECTION", "FIXED_EDGES_SECTION"
_PLACES = ("NODE_COORD_SECTION", "DISPLAY_DATA_SECTION")


def read_tsplib(data: bytes) -> Found:
    r"""The graph of a Hamiltonian cycle problem of TSPLIB.

    Raises
    ------
    GraphFileError
        If it is none; the message names the line.

    Examples
    --------
    >>> text = b"TYPE : HCP\nDIMENSION : 3\nEDGE_DATA_SECTION\n1 2\n2 3\n-1\nEOF\n"
    >>> found = read_tsplib(text)
    >>> list(found.graph.edges()), found.closed
    ([('1', '2'), ('2', '3')], True)
    """
    lines, said = Lines(data), {"TYPE": "HCP", "EDGE_DATA_FORMAT": "EDGE_LIST"}
    size, edges, fixed, number = 0, None, array("q"), 0
    seen: set[str] = set()
    places: dict[int, tuple[float, float]] = {}
    kept: tuple[int, str] | None = None
    while (here := kept or next(lines, None)) is not None:
        (number, line), kept = here, None
        entry = _ENTRY.match(line)
        if not line.strip():
            continue
        if entry is None:
            raise GraphFileError(f"line {number}: expected a word of TSPLIB, got {shown(line)}")
        word, value = entry[1].upper(), entry[2]
        if word == "EOF":
            break
        if word in seen and word not in _MANY:
            raise GraphFileError(f"line {number}: expected {word} once, got it twice")
        seen.add(word)
        if word == "DIMENSION":
            size = check_nodes(number_of(value) or 0 if is_number(value) else 0, f"line {number}")
        elif word == "TYPE" and value not in _TYPES:
            raise GraphFileError(
                f"line {number}: expected TYPE : HCP, a graph with its edges; got {shown(value)}"
            )
        elif word.endswith("_SECTION") and not size:
            raise GraphFileError(f"line {number}: expected DIMENSION before {word}")
        elif word == "EDGE_DATA_FORMAT" and (edges is not None or value not in _LISTS):
            raise GraphFileError(
                f"line {number}: expected {word} EDGE_LIST or ADJ_LIST before {_EDGES}, got "
                f"{shown(value)}"
            )
        elif word == _EDGES:
            listed = _adjacent if said["EDGE_DATA_FORMAT"] == "ADJ_LIST" else _pairs
            edges = listed(lines, size)
        elif word == _FIXED:
            fixed = _pairs(lines, size)
        elif word in _PLACES:
            kept = _placed(lines, size, places)
        elif word.endswith("_SECTION"):
            raise GraphFileError(f"line {number}: expected {_EDGES}, got {word}: no list of edges")
        elif value is None:
            raise GraphFileError(f"line {number}: expected '{word} : …', got {shown(line)}")
        said[word] = value or ""
    if edges is None:
        raise GraphFileError(f"line {number}: expected {_EDGES} before the end of the file")
    graph = numbered(range(1, size + 1), edges, said["TYPE"] == "ATSP")
    if len(places) == size:
        for node, place in places.items():
            graph.nodes[str(node)]["pos"] = place
    twice = said["EDGE_DATA_FORMAT"] == "ADJ_LIST"
    repeated = 0 if twice else len(edges) // 2 - graph.number_of_edges()
    return Found(graph, _TYPES[said["TYPE"]], tuple(_texts(fixed)), repeated)


def _texts(ends: array[int]) -> Iterator[tuple[str, str]]:
    texts = map(str, ends)
    return zip(texts, texts, strict=True)


def _numbers(lines: Lines, size: int, *, lists: bool = False) -> Iterator[int]:
    """The vertices of a section up to its last -1; in lists, with the -1 behind each of them.

    Some write EOF in place of the last -1.

    Raises
    ------
    GraphFileError
        If the file ends before the section does, or the section before its last line.
    """
    before = -1
    for line, text in lines:
        words = text.split()
        for at, word in enumerate(words, start=1):
            if word == "EOF":
                return
            vertex = int(word[:18]) if is_number(word.removeprefix("-")) else 0
            if not (1 <= vertex <= size or vertex == -1):
                raise GraphFileError(
                    f"line {line}: expected a vertex from 1 to {size}, got {shown(word)}"
                )
            if vertex < 0 and not (lists and before > 0):
                if at < len(words):
                    raise GraphFileError(f"line {line}: expected nothing after the last -1")
                return
            yield vertex
            before = vertex
    raise GraphFileError(
        f"line {lines.number}: expected -1 after the last edge, got the end: cut short?"
    )


def _pairs(lines: Lines, size: int) -> array[int]:
    """Both ends of edges, in turn."""
    ends = run(lines, _PAIRS, size)
    for vertex in _numbers(lines, size):
        ends.append(vertex)
        check_edges(len(ends) // 2, lines.number)
    if len(ends) % 2:
        raise GraphFileError(
            f"line {lines.number}: expected both ends of an edge, got {ends[-1]} alone"
        )
    return ends


def _adjacent(lines: Lines, size: int) -> array[int]:
    """The same of lists of neighbours."""
    ends = array("q")
    node = 0
    for vertex in _numbers(lines, size, lists=True):
        if vertex < 0 or not node:
            node = max(vertex, 0)
        else:
            ends.extend((node, vertex))
            check_edges(len(ends) // 2, lines.number)
    return ends


def _placed(
    lines: Lines, size: int, places: dict[int, tuple[float, float]]
) -> tuple[int, str] | None:
    """Places of nodes, up to the line that is none, which comes back."""
    for number, line in lines:
        if _ENTRY.match(line):
            return number, line
        parts = line.split()
        try:
            node, x, y = int(parts[0]), float(parts[1]), float(parts[2])
        except (IndexError, ValueError):
            node, x, y = 0, 0.0, 0.0
        if parts and not (1 <= node <= size and isfinite(x) and isfinite(y)):
            raise GraphFileError(
                f"line {number}: expected a vertex from 1 to {size} and its place, got "
                f"{shown(line)}"
            )
        if parts:
            places[node] = x, y
    return None

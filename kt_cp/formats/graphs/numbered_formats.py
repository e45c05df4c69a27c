"""Graphs of TSPLIB, whose nodes are numbers from 1 to the dimension.

Source: G. Reinelt, "TSPLIB 95".  ``TYPE : HCP`` asks for a Hamiltonian cycle, ``HPP`` for a path.
Of its sections, read are the edges, those that are fixed, and places of nodes.  Edges of ``TYPE :
ATSP`` are arcs.  Each list ends with -1, by which a file that was cut short is known.

Graphs of DIMACS, whose nodes are numbers from 1 to the number that the file tells.

Source: the DIMACS Challenge of 1993 on colouring ("p edge", "p col").  Edges are counted, once or
from both ends, by which a file that was cut short is known.

Graphs of METIS: a line for each node, with its neighbours as numbers from 1.

Source: G. Karypis, "METIS: a software package for partitioning unstructured graphs", manual of
version 5.  The first line holds the numbers of nodes and of edges, and up to three digits: whether
nodes have sizes, nodes have weights, and edges have weights.  A fourth number says how many weights
a node has.  Every edge stands in the lines of both its nodes.

Graphs as sparse matrices of MatrixMarket: entry (i, j) is an edge from node i to node j.

Source: R. Boisvert, R. Pozo and K. Remington, "The Matrix Market exchange formats" (1996).  The
entries of a ``general`` matrix are arcs; those of a ``symmetric``, ``skew-symmetric`` or
``hermitian`` one are edges.  An entry whose value is 0 is an edge, as in SciPy and networkx.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterator
from math import isfinite

import numpy as np

from kt_cp.formats.graphs.parsed_graph import (
    ParsedGraph,
    check_edges,
    check_nodes,
    is_number,
    lines_of_edges,
    numbered,
    run,
    shown,
)
from kt_cp.formats.read import Lines
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


def read_tsplib(data: bytes) -> ParsedGraph:
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
    return ParsedGraph(graph, _TYPES[said["TYPE"]], tuple(_texts(fixed)), repeated)


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


_EDGE_LINES = lines_of_edges(rb"e[ \t]++")


def read_dimacs(data: bytes) -> ParsedGraph:
    r"""The graph of a DIMACS file with a line ``p edge NODES EDGES``.

    Raises
    ------
    GraphFileError
        If it is none; the message names the line.

    Examples
    --------
    >>> list(read_dimacs(b"c two\np edge 3 2\ne 1 2\ne 2 3\n").graph.edges())
    [('1', '2'), ('2', '3')]
    """
    size = told = stated = 0
    weighted = False
    ends, lines = array("q"), Lines(data)
    for number, line in lines:
        words = line.split()
        if not words or words[0] in {*"cnvdx"}:  # comments, and what colourings say of nodes
            pass
        elif words[0] == "p" and not size:
            size, told = _counts(words, number)
            stated = number
        elif words[0] == "e" and size and len(words) >= 3:
            u, v = (int(word[:18]) if is_number(word) else 0 for word in words[1:3])
            if not (1 <= u <= size and 1 <= v <= size and len(words) <= 4):
                raise GraphFileError(
                    f"line {number}: expected two vertices from 1 to {size}, got {shown(line)}"
                )
            weighted = weighted or len(words) == 4
            ends.extend((u, v))
            check_edges(len(ends) // 2, number)
            continue
        else:
            what = "an edge such as 'e 1 2'" if size else "a line 'p edge NODES EDGES'"
            raise GraphFileError(f"line {number}: expected {what}, got {shown(line)}")
        if size:
            ends += run(lines, _EDGE_LINES, size)
    if not size:
        raise GraphFileError("expected a line 'p edge NODES EDGES', got none")
    graph, edges = numbered(range(1, size + 1), ends), len(ends) // 2
    once = graph.number_of_edges()
    if told > edges and told not in (once, 2 * once):
        raise GraphFileError(
            f"line {lines.number}: expected {told:,} edges, as line {stated} says, got {edges:,}: "
            "cut short?"
        )
    more = f"line {stated} says {told:,} edges, and there are {edges:,}"
    fits = told in (edges, once, 2 * once)
    repeated = 0 if edges == 2 * once else edges - once  # from both ends
    return ParsedGraph(graph, repeated=repeated, weighted=weighted, remarks=() if fits else (more,))


def _counts(words: list[str], line: int) -> tuple[int, int]:
    if len(words) > 1 and words[1] in ("cnf", "sp", "max", "min"):
        raise GraphFileError(f"line {line}: expected 'p edge', a graph, got 'p {words[1]}'")
    if len(words) != 4 or not (is_number(words[2]) and is_number(words[3])):
        raise GraphFileError(
            f"line {line}: expected 'p edge NODES EDGES', got {shown(' '.join(words))}"
        )
    where = f"line {line}"
    edges = number_of(words[3])
    return check_nodes(number_of(words[2]) or 0, where), 10**18 if edges is None else edges


_HEADER = re.compile(r"\s*(\d{1,18})\s+(\d{1,18})(?:\s+([01]{1,3})(?:\s+(\d{1,3}))?)?\s*", re.ASCII)
_NUMBER = re.compile(r"-?\d{1,18}", re.ASCII)


def read_metis(data: bytes) -> ParsedGraph:
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
    return ParsedGraph(graph, repeated=len(once) - graph.number_of_edges(), weighted=step > 1)


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


_VALUES = {"pattern": 0, "integer": 1, "real": 1, "double": 1, "complex": 2}
"""Numbers behind the indices of an entry."""

_UNDIRECTED = frozenset({"symmetric", "skew-symmetric", "hermitian"})


def read_matrix_market(data: bytes) -> ParsedGraph:
    r"""Return the graph of a square sparse matrix; its nodes are numbers from 1.

    Raises
    ------
    GraphFileError
        If it is none; the message names the line.

    Examples
    --------
    >>> text = b"%%MatrixMarket matrix coordinate pattern symmetric\n3 3 2\n2 1\n3 2\n"
    >>> list(read_matrix_market(text).graph.edges())
    [('1', '2'), ('2', '3')]
    """
    lines = Lines(data)
    words = next(lines, (1, ""))[1].lower().split()
    values, symmetry = (words[3], words[4]) if len(words) == 5 else ("", "")
    known = values in _VALUES and symmetry in {*_UNDIRECTED, "general"}
    if words[:3] != ["%%matrixmarket", "matrix", "coordinate"] or not known:
        raise GraphFileError(
            "line 1: expected '%%MatrixMarket matrix coordinate', the kind of values and the "
            f"symmetry, got {shown(' '.join(words))}"
        )
    size, told, stated, ends = 0, 0, 0, array("q")
    for number, line in lines:
        entry = line.split()
        if not entry or line.startswith("%"):
            continue
        if not size:
            if len(entry) != 3 or not all(map(is_number, entry)) or entry[0] != entry[1]:
                raise GraphFileError(
                    f"line {number}: expected rows, as many columns, and entries, got {shown(line)}"
                )
            size = check_nodes(int(entry[0][:18]), f"line {number}")
            told, stated = int(entry[2][:18]), number
            continue
        u, v = (int(each[:18]) if is_number(each) else 0 for each in [*entry, "", ""][:2])
        if len(entry) != 2 + _VALUES[values] or not (1 <= u <= size and 1 <= v <= size):
            raise GraphFileError(
                f"line {number}: expected two indices from 1 to {size} and a value of kind "
                f"{values}, got {shown(line)}"
            )
        ends.extend((u, v))
        check_edges(len(ends) // 2, number)
    if not size:
        raise GraphFileError("expected rows, columns and entries, got the end: cut short?")
    if len(ends) != 2 * told:
        raise GraphFileError(
            f"line {lines.number}: expected {told:,} entries, as line {stated} says, got "
            f"{len(ends) // 2:,}"
        )
    graph = numbered(range(1, size + 1), ends, symmetry == "general")
    repeated = len(ends) // 2 - graph.number_of_edges()
    return ParsedGraph(graph, repeated=repeated, weighted=values != "pattern")

"""Graphs whose nodes are numbers from 1 to a dimension that the file tells: TSPLIB and DIMACS.

Sources: G. Reinelt, "TSPLIB 95"; the DIMACS Challenge of 1993 on colouring ("p edge", "p col").

TSPLIB's ``TYPE : HCP`` asks for a Hamiltonian cycle, ``HPP`` for a path.  Of its sections, read are
the edges, those that are fixed, and places of nodes.  Edges of ``TYPE : ATSP`` are arcs.  Each list
ends with -1, by which a file that was cut short is known; DIMACS counts its edges instead, once or
from both ends.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain
from math import isfinite

from kt_cp.formats.graphs.found import Found, check_edges, check_nodes, numbered
from kt_cp.formats.text import lines_of
from kt_cp.model.board import shorten
from kt_cp.model.errors import GraphFileError
from kt_cp.model.square import number_of

Lines = Iterator[tuple[int, str]]
Pair = tuple[int, int]

_ENTRY = re.compile(r"\s*([A-Za-z_]+)\s*(?::\s*(.*?))?\s*$")
_TYPES = {"HCP": True, "HPP": False, "ATSP": None}
"""Types of TSPLIB that are read, and whether they ask for cycles."""

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
    lines, said = lines_of(data), {"TYPE": "HCP", "EDGE_DATA_FORMAT": "EDGE_LIST"}
    size, edges, fixed, number = 0, None, [], 0
    places: dict[int, tuple[float, float]] = {}
    kept: tuple[int, str] | None = None
    while (here := kept or next(lines, None)) is not None:
        (number, line), kept = here, None
        entry = _ENTRY.match(line)
        if not line.strip():
            continue
        if entry is None:
            raise GraphFileError(f"line {number}: expected a word of TSPLIB, got {_shown(line)}")
        word, value = entry[1].upper(), entry[2]
        if word == "EOF":
            break
        if word == "DIMENSION":
            size = check_nodes(number_of(value) or 0 if _is_number(value) else 0, f"line {number}")
        elif word == "TYPE" and value not in _TYPES:
            raise GraphFileError(
                f"line {number}: expected TYPE : HCP, a graph with its edges; got {_shown(value)}"
            )
        elif word.endswith("_SECTION") and not size:
            raise GraphFileError(f"line {number}: expected DIMENSION before {word}")
        elif word == _EDGES:
            listed = _adjacent if said["EDGE_DATA_FORMAT"] == "ADJ_LIST" else _pairs
            edges = listed(lines, size, number)
        elif word == _FIXED:
            fixed = _pairs(lines, size, number)
        elif word in _PLACES:
            kept = _placed(lines, size, places)
        elif word.endswith("_SECTION"):
            raise GraphFileError(f"line {number}: expected {_EDGES}, got {word}: no list of edges")
        elif value is None:
            raise GraphFileError(f"line {number}: expected '{word} : …', got {_shown(line)}")
        said[word] = value or ""
    if edges is None:
        raise GraphFileError(f"line {number}: expected {_EDGES} before the end of the file")
    graph = numbered(range(1, size + 1), edges, said["TYPE"] == "ATSP")
    if len(places) == size:
        for node, place in places.items():
            graph.nodes[str(node)]["pos"] = place
    twice = said["EDGE_DATA_FORMAT"] == "ADJ_LIST"
    repeated = 0 if twice else len(edges) - graph.number_of_edges()
    return Found(graph, _TYPES[said["TYPE"]], tuple((str(u), str(v)) for u, v in fixed), repeated)


def _is_number(text: str | None) -> bool:
    return bool(text) and text.isascii() and text.isdecimal()  # type: ignore[union-attr]


def _shown(text: str | None) -> str:
    return repr(shorten((text or "").strip()))


def _numbers(lines: Lines, size: int, start: int) -> Iterator[Pair]:
    """The vertices of a section, each after its line, and -1 and 0 as they come.

    Raises
    ------
    GraphFileError
        If the file ends before the section does.
    """
    line = start
    for line, text in lines:
        for word in text.split():
            try:
                vertex = int(word)
            except ValueError:
                if word == "EOF":
                    return
                vertex = 0
            if not (1 <= vertex <= size or vertex == -1):
                raise GraphFileError(
                    f"line {line}: expected a vertex from 1 to {size}, got {_shown(word)}"
                )
            yield line, vertex
    raise GraphFileError(f"line {line}: expected -1 after the last edge, got the end: cut short?")


def _pairs(lines: Lines, size: int, start: int) -> list[Pair]:
    """Edges as pairs up to -1, or to EOF, which some write in its place."""
    found: list[Pair] = []
    for line, text in lines:  # an edge a line, as nearly all write them
        try:
            u, v = map(int, text.split())
        except ValueError:
            u = v = 0
        if not (1 <= u <= size and 1 <= v <= size):
            lines = chain([(line, text)], lines)
            break
        found.append((u, v))
        check_edges(len(found), line)
        start = line
    numbers = _numbers(lines, size, start)
    for line, first in numbers:
        if first < 0:
            break
        line, second = next(numbers, (line, -1))
        if second < 0:
            raise GraphFileError(f"line {line}: expected both ends of an edge, got {first} alone")
        found.append((first, second))
        check_edges(len(found), line)
    return found


def _adjacent(lines: Lines, size: int, start: int) -> list[Pair]:
    """Edges as lists of neighbours, each list ended by -1, and all by one more."""
    found: list[Pair] = []
    node = 0
    for line, vertex in _numbers(lines, size, start):
        if vertex < 0 and not node:
            break
        if vertex < 0 or not node:
            node = max(vertex, 0)
        else:
            found.append((node, vertex))
            check_edges(len(found), line)
    return found


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
                f"{_shown(line)}"
            )
        if parts:
            places[node] = x, y
    return None


def read_dimacs(data: bytes) -> Found:
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
    size = told = stated = number = 0
    edges: list[Pair] = []
    for number, line in lines_of(data):
        words = line.split()
        if not words or words[0] in "cnvdx":  # comments, and what colourings say of nodes
            continue
        if words[0] == "p" and not size:
            size, told = _counts(words, number)
            stated = number
        elif words[0] == "e" and size and len(words) >= 3:
            try:
                u, v = int(words[1]), int(words[2])
            except ValueError:
                u = v = 0
            if not (1 <= u <= size and 1 <= v <= size):
                raise GraphFileError(
                    f"line {number}: expected two vertices from 1 to {size}, got {_shown(line)}"
                )
            edges.append((u, v))
            check_edges(len(edges), number)
        else:
            what = "an edge such as 'e 1 2'" if size else "a line 'p edge NODES EDGES'"
            raise GraphFileError(f"line {number}: expected {what}, got {_shown(line)}")
    if not size:
        raise GraphFileError("expected a line 'p edge NODES EDGES', got none")
    graph = numbered(range(1, size + 1), edges)
    once = graph.number_of_edges()
    if told > len(edges) and told not in (once, 2 * once):
        raise GraphFileError(
            f"line {number}: expected {told:,} edges, as line {stated} says, got {len(edges):,}: "
            "cut short?"
        )
    more = f"line {stated} says {told:,} edges, and there are {len(edges):,}"
    fits = told in (len(edges), once, 2 * once)
    repeated = 0 if len(edges) == 2 * once else len(edges) - once  # from both ends
    return Found(graph, repeated=repeated, remarks=() if fits else (more,))


def _counts(words: list[str], line: int) -> Pair:
    if len(words) > 1 and words[1] in ("cnf", "sp", "max", "min"):
        raise GraphFileError(f"line {line}: expected 'p edge', a graph, got 'p {words[1]}'")
    if len(words) != 4 or not (_is_number(words[2]) and _is_number(words[3])):
        raise GraphFileError(
            f"line {line}: expected 'p edge NODES EDGES', got {_shown(' '.join(words))}"
        )
    where = f"line {line}"
    edges = number_of(words[3])
    return check_nodes(number_of(words[2]) or 0, where), 10**18 if edges is None else edges

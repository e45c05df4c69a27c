"""Graphs with numbers from 1 as nodes: TSPLIB, DIMACS, METIS and MatrixMarket.

Each format states the number of edges, ends them with -1, or lists each edge twice, so files that
were cut short are refused.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Callable, Iterator, Sequence
from itertools import chain, combinations, permutations
from math import ceil, dist, isfinite
from typing import TYPE_CHECKING, Any

import numpy as np

from kt_cp.formats.graphs.parsed_graph import (
    ParsedGraph,
    build_graph,
    check_edges,
    check_nodes,
    wrong_line,
)
from kt_cp.formats.read import Lines
from kt_cp.model.board import number_of, shorten
from kt_cp.model.errors import GraphFileError
from kt_cp.model.terms import counted

if TYPE_CHECKING:
    from numpy.typing import NDArray


def _names_of(size: int) -> list[str]:
    return [*map(str, range(1, size + 1))]


def _edges_of(ends: array[int], weights: Sequence[float] = ()) -> list[Any]:
    """Return edges between names, from both ends of each edge in turn, with weights if any."""
    names = map(str, ends)
    if not weights:
        return [*zip(names, names, strict=True)]
    return [*zip(names, names, ({"weight": weight} for weight in weights), strict=True)]


def _weight_of(word: str, number: int) -> float:
    """Return the weight in a word of a line."""
    try:
        return float(word)
    except ValueError:
        raise wrong_line(number, "a weight", word) from None


def is_number(text: str | None) -> bool:
    """Return whether a text is a whole number without a sign."""
    return bool(text) and text.isascii() and text.isdecimal()  # type: ignore[union-attr]


def _vertex(word: str) -> int:
    """Return the number of a vertex, or 0 if the word is not one."""
    return int(word[:18]) if is_number(word) else 0


_ENTRY = re.compile(r"\s*([A-Za-z_]+)\s*(?::\s*(.*?))?\s*$")
_TYPES = {"HCP": True, "HPP": False, "ATSP": None, "TSP": True}
"""Supported types of TSPLIB, and whether they require cycles."""

_DISTANCES: dict[str, Callable[[float], int]] = {"EUC_2D": lambda x: int(x + 0.5), "CEIL_2D": ceil}
"""Weights between places, by their distance."""

_MATRICES: dict[str, Callable[[int], Any]] = {
    "FULL_MATRIX": lambda size: np.nonzero(np.ones((size, size))),
    "UPPER_ROW": lambda size: np.triu_indices(size, 1),
    "UPPER_DIAG_ROW": np.triu_indices,
    "LOWER_ROW": lambda size: np.tril_indices(size, -1),
    "LOWER_DIAG_ROW": np.tril_indices,
}
"""The entries of a matrix of weights, in their order.  Columns of one half of a symmetric matrix
are rows of the other half."""

_LISTS = frozenset({"EDGE_LIST", "ADJ_LIST"})
_REPEATABLE = frozenset({"COMMENT", "NAME"})
_EDGES, _FIXED, _MATRIX = "EDGE_DATA_SECTION", "FIXED_EDGES_SECTION", "EDGE_WEIGHT_SECTION"
_COORDINATES = ("NODE_COORD_SECTION", "DISPLAY_DATA_SECTION")


def read_tsplib(data: bytes) -> ParsedGraph:
    r"""Return the graph of a Hamiltonian cycle problem or a travelling salesman problem of TSPLIB.

    ``TYPE : HCP`` requires a Hamiltonian cycle, ``HPP`` a path; edges of ``TYPE : ATSP`` are arcs.
    The sections that are read contain edges, fixed edges and coordinates of nodes.

    ``TYPE : TSP`` has weights, ``EXPLICIT`` in a matrix or as distances ``EUC_2D`` or ``CEIL_2D``.
    ``TYPE : ATSP`` may have a matrix.  Without a list of edges such a graph is complete.

    Source: G. Reinelt, "TSPLIB 95".

    >>> text = b"TYPE : HCP\nDIMENSION : 3\nEDGE_DATA_SECTION\n1 2\n2 3\n-1\nEOF\n"
    >>> parsed = read_tsplib(text)
    >>> list(parsed.graph.edges()), parsed.closed
    ([('1', '2'), ('2', '3')], True)
    """
    lines, values = Lines(data), {"TYPE": "HCP", "EDGE_DATA_FORMAT": "EDGE_LIST"}
    size, edges, fixed, number = 0, None, array("q"), 0
    seen: set[str] = set()
    places: dict[int, tuple[float, float]] = {}
    matrix = None
    after: tuple[int, str] | None = None
    while (here := after or next(lines, None)) is not None:
        (number, line), after = here, None
        entry = _ENTRY.match(line)
        if not line.strip():
            continue
        if entry is None:
            raise wrong_line(number, "a word of TSPLIB", line)
        word, value = entry[1].upper(), entry[2]
        if word == "EOF":
            break
        if word in seen and word not in _REPEATABLE:
            raise GraphFileError(f"line {number}: expected {word} once, got it twice")
        seen.add(word)
        if word == "DIMENSION":
            size = check_nodes(number_of(value) or 0 if is_number(value) else 0, f"line {number}")
        elif word == "TYPE" and value not in _TYPES:
            raise wrong_line(number, "TYPE : HCP or TSP", value)
        elif word.endswith("_SECTION") and not size:
            raise GraphFileError(f"line {number}: expected DIMENSION before {word}")
        elif word == "EDGE_DATA_FORMAT" and (edges is not None or value not in _LISTS):
            raise wrong_line(number, f"{word} EDGE_LIST or ADJ_LIST before {_EDGES}", value)
        elif word == _EDGES:
            read = _read_neighbours if values["EDGE_DATA_FORMAT"] == "ADJ_LIST" else _read_pairs
            edges = read(lines, size)
        elif word == _FIXED:
            fixed = _read_pairs(lines, size)
        elif word in _COORDINATES:
            after = _read_places(lines, size, places)
        elif word == _MATRIX and values["TYPE"] in ("TSP", "ATSP"):
            form = values.get("EDGE_WEIGHT_FORMAT", "")
            matrix = _read_matrix(lines, size, form, symmetric=values["TYPE"] == "TSP")
        elif word.endswith("_SECTION"):
            raise GraphFileError(f"line {number}: expected {_EDGES}, got {word}: no list of edges")
        elif value is None:
            raise wrong_line(number, f"'{word} : …'", line)
        values[word] = value or ""
    weights: list[float] = []
    is_directed = values["TYPE"] == "ATSP"
    if size and (values["TYPE"] == "TSP" or matrix is not None):
        if edges is None:
            check_edges(size * (size - 1) // (2 - is_directed), f"line {number}")
            pairs = (permutations if is_directed else combinations)(range(1, size + 1), 2)
            edges = array("q", chain.from_iterable(pairs))
        weights = _weights_of(edges, values.get("EDGE_WEIGHT_TYPE", ""), matrix, places, size)
    if edges is None:
        raise GraphFileError(f"line {number}: expected {_EDGES} before the end of the file")
    parsed = build_graph(
        _names_of(size),
        _edges_of(edges, weights),
        is_directed,
        closed=True if matrix is not None else _TYPES[values["TYPE"]],
        require=tuple(_edges_of(fixed)),
        weighted=bool(weights),
        # An adjacency list may have an edge at both ends.
        **({"repeated": 0} if values["EDGE_DATA_FORMAT"] == "ADJ_LIST" else {}),
    )
    if len(places) == size:
        for node, place in places.items():
            parsed.graph.nodes[str(node)]["pos"] = place
    return parsed


def _vertices(lines: Lines, size: int, *, lists: bool = False) -> Iterator[int]:
    """Yield the vertices of a section up to its last -1; in lists, yield the -1 of each list too.

    Some programs write EOF instead of the last -1.
    """
    before = -1
    for line, text in lines:
        words = text.split()
        for at, word in enumerate(words, start=1):
            if word == "EOF":
                return
            vertex = -1 if word == "-1" else _vertex(word)
            if not (1 <= vertex <= size or vertex == -1):
                raise wrong_line(line, f"a vertex from 1 to {size}", word)
            if vertex < 0 and not (lists and before > 0):
                if at < len(words):
                    raise GraphFileError(f"line {line}: expected nothing after the last -1")
                return
            yield vertex
            before = vertex
    raise GraphFileError(
        f"line {lines.number}: expected -1 after the last edge, reached the end of the file"
    )


def _read_pairs(lines: Lines, size: int) -> array[int]:
    """Return both ends of each edge in turn."""
    ends = array("q")
    for vertex in _vertices(lines, size):
        ends.append(vertex)
        check_edges(len(ends) // 2, f"line {lines.number}")
    if len(ends) % 2:
        raise GraphFileError(
            f"line {lines.number}: expected both ends of an edge, got {ends[-1]} alone"
        )
    return ends


def _read_neighbours(lines: Lines, size: int) -> array[int]:
    """Return both ends of each edge in turn, from lists of neighbours."""
    ends = array("q")
    node = 0
    for vertex in _vertices(lines, size, lists=True):
        if vertex < 0 or not node:
            node = max(vertex, 0)
        else:
            ends.extend((node, vertex))
            check_edges(len(ends) // 2, f"line {lines.number}")
    return ends


def _read_places(
    lines: Lines, size: int, places: dict[int, tuple[float, float]]
) -> tuple[int, str] | None:
    """Read coordinates of nodes, and return the first line after them."""
    for number, line in lines:
        if _ENTRY.match(line):
            return number, line
        parts = line.split()
        try:
            node, x, y = int(parts[0]), float(parts[1]), float(parts[2])
        except (IndexError, ValueError):
            node, x, y = 0, 0.0, 0.0
        if parts and not (1 <= node <= size and isfinite(x) and isfinite(y)):
            raise wrong_line(number, f"a vertex from 1 to {size} and its place", line)
        if parts:
            places[node] = x, y
    return None


def _read_matrix(lines: Lines, size: int, form: str, *, symmetric: bool) -> NDArray[np.float64]:
    """Return a matrix of weights, from all entries or those of one half."""
    first = lines.number
    half = {"UPPER": "LOWER", "LOWER": "UPPER"}.get(form[:5], "")
    rows = half + form[5:-3] + "ROW" if form.endswith("_COL") else form
    if rows not in _MATRICES:
        raise wrong_line(
            first, f"EDGE_WEIGHT_FORMAT before it, one of {', '.join(_MATRICES)}", form
        )
    check_edges(size * (size - 1) // 2, f"line {first}")
    places = _MATRICES[rows](size)
    numbers: list[float] = []
    for number, line in lines:
        if line.strip() == "EOF":
            break
        numbers += (_weight_of(word, number) for word in line.split())
        if len(numbers) >= len(places[0]):
            break
    if len(numbers) != len(places[0]):
        stated = f"{counted(len(places[0]), 'weight')} in {form} of {size:,} nodes"
        raise GraphFileError(f"line {lines.number}: expected {stated}, got {len(numbers):,}")
    matrix = np.zeros((size, size))
    matrix[places] = numbers
    if rows != "FULL_MATRIX":
        return np.where(matrix, matrix, matrix.T)
    if symmetric and (matrix != matrix.T).any():
        raise GraphFileError(f"line {first}: expected a symmetric matrix for TYPE : TSP")
    return matrix


def _weights_of(
    ends: array[int], kind: str, matrix: Any, places: dict[int, tuple[float, float]], size: int
) -> list[float]:
    """Return the weights of edges, which are entries of a matrix or distances."""
    pairs = np.array(ends).reshape(-1, 2)
    if kind == "EXPLICIT" and matrix is not None:
        return [*map(float, matrix[pairs[:, 0] - 1, pairs[:, 1] - 1])]
    if kind in _DISTANCES and len(places) == size:
        return [_DISTANCES[kind](dist(places[u], places[v])) for u, v in pairs.tolist()]
    known = f"a matrix with EDGE_WEIGHT_TYPE EXPLICIT, or places with {' or '.join(_DISTANCES)}"
    raise GraphFileError(f"expected {known}, got EDGE_WEIGHT_TYPE {shorten(kind)!r}")


def read_dimacs(data: bytes) -> ParsedGraph:
    r"""Return the graph of a DIMACS file with a line ``p edge NODES EDGES``.

    Source: the DIMACS Challenge of 1993 on colouring ("p edge", "p col").  Files count their edges
    once or from both ends.

    >>> list(read_dimacs(b"c two\np edge 3 2\ne 1 2\ne 2 3\n").graph.edges())
    [('1', '2'), ('2', '3')]
    """
    size = stated = header = 0
    weighted = False
    ends, lines = array("q"), Lines(data)
    for number, line in lines:
        words = line.split()
        if not words or words[0] in {*"cnvdx"}:  # comments, and values of nodes
            continue
        if words[0] == "p" and not size:
            size, stated = _read_counts(words, number)
            header = number
        elif words[0] == "e" and size and len(words) >= 3:
            u, v = map(_vertex, words[1:3])
            if not (1 <= u <= size and 1 <= v <= size and len(words) <= 4):
                raise wrong_line(number, f"two vertices from 1 to {size}", line)
            weighted = weighted or len(words) == 4
            ends.extend((u, v))
            check_edges(len(ends) // 2, f"line {number}")
        else:
            what = "an edge such as 'e 1 2'" if size else "a line 'p edge NODES EDGES'"
            raise wrong_line(number, what, line)
    if not size:
        raise GraphFileError("expected a line 'p edge NODES EDGES', got none")
    edges = _edges_of(ends)
    once = len({frozenset(edge) for edge in edges})
    if stated > len(edges) and stated not in (once, 2 * once):
        raise GraphFileError(
            f"line {lines.number}: expected {stated:,} edges, as line {header} says, got "
            f"{len(edges):,}: cut short?"
        )
    more = f"line {header} says {stated:,} edges, and there are {len(edges):,}"
    return build_graph(
        _names_of(size),
        edges,
        repeated=0 if len(edges) == 2 * once else len(edges) - once,
        weighted=weighted,
        remarks=() if stated in (len(edges), once, 2 * once) else (more,),
    )


def _read_counts(words: list[str], line: int) -> tuple[int, int]:
    """Return the numbers of nodes and edges in the line of a DIMACS file that states them."""
    if len(words) > 1 and words[1] in ("cnf", "sp", "max", "min"):
        raise GraphFileError(f"line {line}: expected 'p edge', a graph, got 'p {words[1]}'")
    if len(words) != 4 or not (is_number(words[2]) and is_number(words[3])):
        raise wrong_line(line, "'p edge NODES EDGES'", " ".join(words))
    edges = number_of(words[3])
    return check_nodes(number_of(words[2]) or 0, f"line {line}"), 10**18 if edges is None else edges


_HEADER = re.compile(r"\s*(\d{1,18})\s+(\d{1,18})(?:\s+([01]{1,3})(?:\s+(\d{1,3}))?)?\s*", re.ASCII)
_NUMBER = re.compile(r"-?\d{1,18}", re.ASCII)


def read_metis(data: bytes) -> ParsedGraph:
    r"""Return the graph of a METIS file, with a line of neighbours for each node.

    The first line contains the numbers of nodes and edges, and up to three digits that state
    whether nodes have sizes, nodes have weights, and edges have weights.  A fourth number is the
    number of weights of a node.  Every edge is in the lines of both its nodes.

    Source: G. Karypis, "METIS: a software package for partitioning unstructured graphs", manual of
    version 5.

    >>> list(read_metis(b"% a path\n3 2\n2\n1 3\n2\n").graph.edges())
    [('1', '2'), ('2', '3')]
    """
    lines = ((number, line) for number, line in Lines(data) if not line.startswith("%"))
    first, line = next(lines, (1, ""))
    header = _HEADER.fullmatch(line)
    if header is None:
        raise wrong_line(first, "the numbers of nodes and edges of a METIS file", line)
    size, edges = check_nodes(int(header[1]), f"line {first}"), int(header[2])
    sizes, weights, edge_weights = map(int, (header[3] or "0").zfill(3))
    before, step = sizes + weights * int(header[4] or 1), 1 + edge_weights
    ends, at, numbers = array("q"), array("q"), array("q")
    node = 0
    for number, line in lines:
        words = line.split()
        node += 1
        if node > size:
            if words:
                what = f"{size:,} lines of nodes, as line {first} says"
                raise wrong_line(number, what, line)
            continue
        if not all(map(_NUMBER.fullmatch, words)) or (len(words) - before) % step:
            raise wrong_line(number, f"the neighbours of node {node}", line)
        for other in map(int, words[before::step]):
            if not 1 <= other <= size or other == node:
                raise GraphFileError(
                    f"line {number}: expected other nodes from 1 to {size}, got {other}"
                )
            ends.extend((node, other))
        numbers.extend(map(int, words[before + 1 :: step] if edge_weights else ()))
        at.append(number)
        check_edges(len(ends) // 4, f"line {number}")
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
    if edge_weights:
        found = np.array(numbers)
        differ = found[np.argsort(forth)] != found[np.argsort(back)]
        if differ.any():
            u, v = pairs[np.argsort(forth)][differ.argmax()].tolist()
            raise GraphFileError(f"line {at[u - 1]}: expected one weight of {u}-{v}, got two")
    once = [edge for edge in _edges_of(ends, numbers) if int(edge[0]) < int(edge[1])]
    return build_graph(_names_of(size), once, weighted=edge_weights > 0)


_VALUES = {"pattern": 0, "integer": 1, "real": 1, "double": 1, "complex": 2}
"""Numbers after the indices of an entry."""

_UNDIRECTED = frozenset({"symmetric", "skew-symmetric", "hermitian"})


def read_matrix_market(data: bytes) -> ParsedGraph:
    r"""Return the graph of a square sparse matrix: an entry (i, j) is an edge from i to j.

    Entries of a ``general`` matrix are arcs; those of a ``symmetric``, ``skew-symmetric`` or
    ``hermitian`` one are edges.  An entry of value 0 is an edge, as in SciPy and networkx.  Values
    are weights, except complex ones and those of a ``skew-symmetric`` matrix.

    Source: R. Boisvert, R. Pozo and K. Remington, "The Matrix Market exchange formats" (1996).

    >>> text = b"%%MatrixMarket matrix coordinate pattern symmetric\n3 3 2\n2 1\n3 2\n"
    >>> list(read_matrix_market(text).graph.edges())
    [('1', '2'), ('2', '3')]
    """
    lines = Lines(data)
    words = next(lines, (1, ""))[1].lower().split()
    values, symmetry = (words[3], words[4]) if len(words) == 5 else ("", "")
    known = values in _VALUES and symmetry in {*_UNDIRECTED, "general"}
    if words[:3] != ["%%matrixmarket", "matrix", "coordinate"] or not known:
        what = "'%%MatrixMarket matrix coordinate', the kind of values and the symmetry"
        raise wrong_line(1, what, " ".join(words))
    has_weights = _VALUES[values] == 1 and symmetry != "skew-symmetric"
    size, stated, header, ends, weights = 0, 0, 0, array("q"), list[float]()
    for number, line in lines:
        entry = line.split()
        if not entry or line.startswith("%"):
            continue
        if not size:
            if len(entry) != 3 or not all(map(is_number, entry)) or entry[0] != entry[1]:
                raise wrong_line(number, "rows, as many columns, and entries", line)
            size = check_nodes(int(entry[0][:18]), f"line {number}")
            stated, header = int(entry[2][:18]), number
            continue
        u, v = map(_vertex, [*entry, "", ""][:2])
        if len(entry) != 2 + _VALUES[values] or not (1 <= u <= size and 1 <= v <= size):
            what = f"two indices from 1 to {size} and a value of kind {values}"
            raise wrong_line(number, what, line)
        ends.extend((u, v))
        if has_weights:
            weights.append(_weight_of(entry[2], number))
        check_edges(len(ends) // 2, f"line {number}")
    if not size:
        raise GraphFileError("expected rows, columns and entries, reached the end of the file")
    if len(ends) != 2 * stated:
        raise GraphFileError(
            f"line {lines.number}: expected {stated:,} entries, as line {header} says, got "
            f"{len(ends) // 2:,}"
        )
    edges, weighted = _edges_of(ends, weights), values != "pattern"
    return build_graph(_names_of(size), edges, symmetry == "general", weighted=weighted)

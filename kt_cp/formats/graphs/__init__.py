"""Readers of graph files, chosen by the ending of a name or by the first words of a file.

To add a format, add a reader in this folder and a row in ``READERS``.  A test compares each reader
with that of networkx.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from kt_cp.formats.graphs.edge_list import read_adjacency_list, read_csv, read_edge_list
from kt_cp.formats.graphs.networkx_formats import (
    has_several_lines,
    read_gml,
    read_graph6,
    read_graphml,
    read_node_link,
)
from kt_cp.formats.graphs.numbered_formats import (
    read_dimacs,
    read_matrix_market,
    read_metis,
    read_tsplib,
)
from kt_cp.formats.graphs.parsed_graph import ParsedGraph, simplify
from kt_cp.formats.read import MOST_BYTES, describe_utf8_error, unpack
from kt_cp.formats.table import ending_of
from kt_cp.model.errors import GraphFileError, InputError, suggestion
from kt_cp.model.gc_pause import gc_paused

if TYPE_CHECKING:
    import networkx as nx

READERS: dict[str, Callable[..., ParsedGraph]] = {
    "hcp": read_tsplib,
    "tsp": read_tsplib,
    "g6": read_graph6,
    "s6": read_graph6,
    "d6": read_graph6,
    "edges": read_edge_list,
    "edgelist": read_edge_list,
    "csv": read_csv,
    "adjlist": read_adjacency_list,
    "graphml": read_graphml,
    "gml": read_gml,
    "col": read_dimacs,
    "dimacs": read_dimacs,
    "json": read_node_link,
    "graph": read_metis,
    "metis": read_metis,
    "mtx": read_matrix_market,
}
"""Readers by the ending of a file's name, which is also the value of ``--format-in``."""

EITHER = frozenset({"edges", "edgelist", "csv", "adjlist", "graphml", "json"})
"""Formats that may not state whether edges are directed; their readers have ``directed``."""

LISTS = frozenset({"edges", "edgelist", "csv", "adjlist"})
"""Lists of names; many files in other formats can be read as lists of names too."""

LINES = frozenset({"g6", "s6", "d6"})
"""Formats with one graph per line, so that a file may hold many."""

_FIRST = (
    (rb"(?i:%%MatrixMarket)\b", "mtx"),
    (rb"\s*(<\?xml|<graphml\b)", "graphml"),
    (rb"\s*graph\s*\[|\s*Creator\s.*\s+graph\s*\[", "gml"),
    (rb'\s*\{\s*"', "json"),
    (rb"\s*>>(graph6|sparse6|digraph6)<<", "g6"),
    (rb"(\s*c\b.*\n)*\s*p\s+(edge|col)\b", "col"),
    (rb"(\s*[A-Z_]+\s*:.*\n)*\s*TYPE\s*:\s*(HCP|HPP|TSP)\b", "hcp"),
)
"""Formats by the first words of a file."""


def kind_of_name(name: str) -> str | None:
    """Return the format that the ending of a name stands for, or None.

    >>> kind_of_name("graphs/Petersen.G6"), kind_of_name("board.txt")
    ('g6', None)
    """
    ending = ending_of(Path(name)).removeprefix(".")
    return ending if ending in READERS else None


def kind_of(data: bytes) -> str | None:
    """Return the format that the first words of a file stand for, or None.

    >>> kind_of(b"c by hand" + bytes([10]) + b"p edge 3 2"), kind_of(b". . .")
    ('col', None)
    """
    head = data[:4000].removeprefix(b"\xef\xbb\xbf")
    return next((kind for words, kind in _FIRST if re.match(words, head)), None)


def _is_metis(data: bytes) -> bool:
    """Return whether the data is METIS; reads all lines, because a header could be an edge."""
    try:
        read_metis(data)
    except (GraphFileError, UnicodeDecodeError):
        return False
    return True


def read_graph(
    path: str | PathLike[str] | BinaryIO, format: str | None = None, *, directed: bool = False
) -> nx.Graph:
    r"""Read a graph from a file in any of the formats that the command line reads.

    Loops and parallel edges are left out, since they play no part in a tour.  Edges keep numbers,
    such as weights.

    Parameters
    ----------
    path : path or binary file object
        A file, which may be compressed with gzip.
    format : str, optional
        The ending of a file's name that stands for the format: ``"g6"``, ``"s6"``, ``"d6"``,
        ``"edges"``, ``"csv"``, ``"adjlist"``, ``"graphml"``, ``"gml"``, ``"col"``, ``"hcp"``,
        ``"tsp"``, ``"json"`` (node-link), ``"graph"`` (METIS) or ``"mtx"``.  By default the file's
        own ending, or its first words.
    directed : bool
        Whether edges are arcs, if the file does not state this, as in an edge list.

    Returns
    -------
    networkx.Graph or networkx.DiGraph
        A graph whose nodes are strings.

    Raises
    ------
    InputError
        If the format is unknown, the content has another format, or it is not a single graph.
    OSError
        If the file cannot be read.

    Examples
    --------
    >>> from io import BytesIO
    >>> from kt_cp import hamiltonian_cycle
    >>> graph = read_graph(BytesIO(b"a b\nb c\nc a\n"), "edges")
    >>> sorted(graph), len(hamiltonian_cycle(graph))
    (['a', 'b', 'c'], 3)
    """
    name = "" if hasattr(path, "read") else Path(path).name
    data = path.read() if hasattr(path, "read") else Path(path).read_bytes()
    if not isinstance(data, bytes):
        raise InputError("expected a file that is opened in binary mode, got one in text mode")
    data = unpack(data, MOST_BYTES)
    if len(data) > MOST_BYTES:
        raise InputError(f"expected a graph in at most {MOST_BYTES >> 20} MB, got more")
    kind = kind_of_name(name) or kind_of(data) if format is None else format
    if kind is None:
        raise InputError(f"expected format=..., one of {', '.join(READERS)}; got {name or 'none'}")
    if kind not in READERS:
        hint = suggestion(kind, READERS)
        raise InputError(f"expected a format, one of {', '.join(READERS)}; got {kind!r:.60}{hint}")
    if kind in LINES and has_several_lines(data):
        raise InputError("expected one graph, got several, one a line; kt-cp solve reads them")
    parsed = parse_graph(data, kind, directed=directed)
    if parsed.require:
        raise InputError("expected no required edges, got some; kt-cp solve reads them")
    return parsed.graph


def parse_graph(data: bytes, kind: str, *, directed: bool = False) -> ParsedGraph:
    r"""Return the graph of a file in a format of ``READERS``, without loops and parallel edges.

    If the file does not state whether edges are arcs, ``directed`` decides (see
    ``ParsedGraph.states_direction``).  Errors name the line if the reader knows it.

    >>> parse_graph(b"a a\na b\n", "edges").remarks
    ('1 self-loop plays no part in a tour',)
    >>> parse_graph(b"a b\nb a\n", "edges", directed=True).graph.edges
    OutEdgeView([('a', 'b'), ('b', 'a')])
    """
    if not data.strip():
        raise GraphFileError("expected a graph, got an empty file")
    if kind in LISTS or READERS[kind] is read_metis:
        other = kind_of(data) or ("metis" if kind in LISTS and _is_metis(data) else None)
        if other:
            raise GraphFileError(
                f"expected format {kind}, got {other}, which --format-in {other} reads"
            )
    try:
        with gc_paused():
            options = {"directed": directed} if kind in EITHER else {}
            return simplify(READERS[kind](data, **options))
    except UnicodeDecodeError:
        raise GraphFileError(describe_utf8_error(data)) from None

"""Graphs as sparse matrices of MatrixMarket: entry (i, j) is an edge from node i to node j.

Source: R. Boisvert, R. Pozo and K. Remington, "The Matrix Market exchange formats" (1996).  The
entries of a ``general`` matrix are arcs; those of a ``symmetric``, ``skew-symmetric`` or
``hermitian`` one are edges.  An entry whose value is 0 is an edge, as in SciPy and networkx.
"""

from __future__ import annotations

from array import array

from kt_cp.formats.graphs.found import Found, check_edges, check_nodes
from kt_cp.formats.graphs.numbered import is_number, numbered, shown
from kt_cp.formats.text import Lines
from kt_cp.model.errors import GraphFileError

_VALUES = {"pattern": 0, "integer": 1, "real": 1, "double": 1, "complex": 2}
"""Numbers behind the indices of an entry."""

_UNDIRECTED = frozenset({"symmetric", "skew-symmetric", "hermitian"})


def read_matrix_market(data: bytes) -> Found:
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
    return Found(graph, repeated=repeated, weighted=values != "pattern")

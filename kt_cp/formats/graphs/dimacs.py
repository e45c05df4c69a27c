"""Graphs of DIMACS, whose nodes are numbers from 1 to the number that the file tells.

Source: the DIMACS Challenge of 1993 on colouring ("p edge", "p col").  Edges are counted, once or
from both ends, by which a file that was cut short is known.
"""

from __future__ import annotations

from array import array

from kt_cp.formats.graphs.found import Found, check_edges, check_nodes
from kt_cp.formats.graphs.numbered import is_number, lines_of_edges, numbered, run, shown
from kt_cp.formats.text import Lines
from kt_cp.model.errors import GraphFileError
from kt_cp.model.square import number_of

_EDGES = lines_of_edges(rb"e[ \t]++")


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
            ends += run(lines, _EDGES, size)
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
    return Found(graph, repeated=repeated, weighted=weighted, remarks=() if fits else (more,))


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

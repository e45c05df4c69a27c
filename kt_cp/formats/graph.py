"""Problems as graphs: the moves alone, or a Hamiltonian cycle problem that says it all.

The squares are the vertices, in reading order from a1: along rank 1, then along rank 2, missing
squares left out.

Forbidden moves are left out.  A Hamiltonian cycle problem has no ends and no edges that must be
used.  So an open tour comes in its cycle form (:mod:`kt_cp.model.cycle`), and an edge that the form
forces goes through one vertex more: whoever visits a vertex of degree two uses both its edges.

nauty, Sage and networkx read graph6: the number of vertices, then the upper triangle of the
adjacency matrix, column by column, six bits a character.  networkx writes it too, but from its bits
one by one, which takes hundreds of times as long (``benchmarks/MEASURED.md``); a test holds the two
against each other.

Source: B. D. McKay, "Description of graph6, sparse6 and digraph6 encodings"; G. Reinelt, "TSPLIB
95": ``TYPE : HCP``, and the edges as a list of pairs, vertices counted from 1, closed by -1.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

from kt_cp.formats.sizes import check_encodable
from kt_cp.model.board import describe
from kt_cp.model.cycle import CycleForm, cycle_form
from kt_cp.model.errors import NotTakenError, TooLargeError
from kt_cp.model.problem import Problem

if TYPE_CHECKING:
    from numpy.typing import NDArray


MOST_SQUARES = 1_000_000
"""Of a list of edges: 4,000,000 lines."""


def graph6_pieces(problem: Problem) -> Iterator[str]:
    r"""The problem's graph as graph6: whether tours are closed it does not say.

    Raises
    ------
    NotTakenError
        If there are conditions that a graph cannot say.
    TooLargeError

    Examples
    --------
    >>> from kt_cp.model.board import Board
    >>> list(graph6_pieces(Problem(Board(3, 3))))
    ['H@AAL@O\n']
    """
    unsaid = dict.fromkeys(each.words for each in problem.conditions if not each.removed())
    if unsaid:
        words = " and no ".join(unsaid)
        raise NotTakenError(f"graph6 holds the graph alone: expected no {words} with it")
    _refuse(problem, MOST_VERTICES, "graph6, which has a bit for every pair of them")
    graph = problem.indexed
    return iter([graph6(len(graph), graph.tails, graph.heads)])


def tsplib_pieces(problem: Problem) -> Iterator[str]:
    """The problem as a Hamiltonian cycle problem of TSPLIB.

    Raises
    ------
    ProblemError, TooLargeError
        If the problem is too small or too large for it.

    Examples
    --------
    >>> from kt_cp.model.board import Board
    >>> text = "".join(tsplib_pieces(Problem(Board(3, 4), start=(0, 0))))
    >>> [line for line in text.splitlines() if line.startswith(("COMMENT : 1", "DIM"))]
    ['COMMENT : 13 stands between the end of the tour and its start', \
'COMMENT : 14 makes the cycle use the edge between 1 (a1) and 13', 'DIMENSION : 14']
    """
    check_encodable(problem)
    _refuse(problem, MOST_SQUARES, "a list of edges")
    form = cycle_form(problem)
    forced = set(form.forced)
    edges = [edge for edge in form.graph.pairs() if edge not in forced]
    for through, (u, v) in enumerate(form.forced, start=len(form)):
        edges += [(u, through), (v, through)]
    name = f"{problem.piece}_{problem.board or 'graph'}_{problem.kind}"
    return hcp_pieces(name, _comments(form), len(form) + len(forced), edges)


def _comments(form: CycleForm) -> Iterator[str]:
    problem = form.problem
    yield f"{problem.piece}'s tour: {problem.label}"
    whole = ", missing squares left out" if problem.board and problem.board.missing else ""
    if problem.board is not None:
        yield f"vertices 1 to {problem.size} are the squares in reading order from a1{whole}"
    if not problem.closed:
        yield "an open tour, written as a cycle:"
    if form.depot is not None:
        yield f"{form.depot + 1} stands between the end of the tour and its start"
    ends = {problem.start, problem.end}
    for through, edge in enumerate(form.forced, start=len(form) + 1):
        u, v = (_vertex(form, vertex) for vertex in edge)
        yield f"{through} makes the cycle use the edge between {u} and {v}"
        if (
            not problem.closed
            and form.depot is None
            and {form.graph.nodes[vertex] for vertex in edge} == ends
        ):
            yield "which goes from the end of the tour to its start, and may be no move"


def _vertex(form: CycleForm, vertex: int) -> str:
    if vertex == form.depot or form.problem.board is None:
        return str(vertex + 1)
    return f"{vertex + 1} ({describe(form.problem.indexed.nodes[vertex])})"


def _refuse(problem: Problem, most: int, what: str) -> None:
    if problem.size > most:
        raise TooLargeError(
            f"{problem.label}: expected at most {most:,} squares for {what}, got {problem.size:,}"
        )


MOST_VERTICES = 20_000
"""33 MB of text: half of all pairs of vertices, whether they are edges or not."""


def graph6(size: int, tails: NDArray[np.int64], heads: NDArray[np.int64]) -> str:
    r"""Text of a graph with vertices 0 … size - 1, at most ``MOST_VERTICES``, and these edges.

    Examples
    --------
    >>> graph6(4, np.array([0, 2]), np.array([1, 3]))
    'C`\n'
    """
    bits = np.zeros(-(-size * (size - 1) // 2 // 6) * 6, dtype=np.uint8)
    first, last = np.minimum(tails, heads), np.maximum(tails, heads)
    bits[last * (last - 1) // 2 + first] = 1
    weights = np.array([32, 16, 8, 4, 2, 1], dtype=np.uint8)
    body = bits.reshape(-1, 6) @ weights + 63
    head = [size] if size < 63 else [63, size >> 12, size >> 6 & 63, size & 63]
    return (
        bytes([each + 63 for each in head]).decode()
        + body.astype(np.uint8).tobytes().decode()
        + "\n"
    )


AT_ONCE = 10_000
"""Edges of one piece of text."""


def hcp_pieces(
    name: str, comments: Iterable[str], size: int, edges: Iterable[tuple[int, int]]
) -> Iterator[str]:
    """Text of a Hamiltonian cycle problem, piece by piece.

    Parameters
    ----------
    name : str
        Without blanks.
    size : int
        Number of vertices; here they are 0 … size - 1.

    Examples
    --------
    >>> print("".join(hcp_pieces("triangle", ["as an example"], 3, [(0, 1), (0, 2), (1, 2)])))
    NAME : triangle
    TYPE : HCP
    COMMENT : as an example
    DIMENSION : 3
    EDGE_DATA_FORMAT : EDGE_LIST
    EDGE_DATA_SECTION
    1 2
    1 3
    2 3
    -1
    EOF
    <BLANKLINE>
    """
    head = [f"NAME : {name}", "TYPE : HCP", *(f"COMMENT : {line}" for line in comments)]
    head += [f"DIMENSION : {size}", "EDGE_DATA_FORMAT : EDGE_LIST", "EDGE_DATA_SECTION"]
    yield "\n".join(head) + "\n"
    lines = (f"{u + 1} {v + 1}\n" for u, v in edges)
    while piece := "".join(islice(lines, AT_ONCE)):
        yield piece
    yield "-1\nEOF\n"

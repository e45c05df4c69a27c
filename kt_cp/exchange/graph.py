"""Problems as graphs: the knight graph itself, or a Hamiltonian cycle problem that says it all.

The squares are the vertices, in reading order from a1: along rank 1, then along rank 2, missing
squares left out.

A Hamiltonian cycle problem has no ends and no edges that must be used.  So an open tour comes in
its cycle form (:mod:`kt_cp.cycle`), and an edge that the form forces goes through one vertex more:
whoever visits a vertex of degree two uses both its edges.
"""

from __future__ import annotations

from collections.abc import Iterator

from kt_cp.board import describe
from kt_cp.cycle import CycleForm, cycle_form
from kt_cp.errors import TooLargeError
from kt_cp.exchange.sizes import check_encodable
from kt_cp.formats.graph6 import MOST_VERTICES, graph6
from kt_cp.formats.tsplib import hcp_pieces
from kt_cp.problem import Problem

MOST_SQUARES = 1_000_000
"""Of a list of edges: 4,000,000 lines."""


def graph6_pieces(problem: Problem) -> Iterator[str]:
    r"""The problem's graph as graph6: whether tours are closed it does not say.

    Raises
    ------
    TooLargeError

    Examples
    --------
    >>> from kt_cp.board import Board
    >>> list(graph6_pieces(Problem(Board(3, 3))))
    ['H@AAL@O\n']
    """
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
    >>> from kt_cp.board import Board
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
    name = "_".join(["knight", str(problem.board or "graph"), problem.kind])
    return hcp_pieces(name, _comments(form), len(form) + len(forced), edges)


def _comments(form: CycleForm) -> Iterator[str]:
    problem = form.problem
    yield f"knight's tour: {problem.label}"
    whole = ", missing squares left out" if problem.board and problem.board.missing else ""
    if problem.board is not None:
        yield f"vertices 1 to {problem.size} are the squares in reading order from a1{whole}"
    if not problem.closed:
        yield "an open tour, written as a cycle:"
    if form.depot is not None:
        yield f"{form.depot + 1} stands between the end of the tour and its start"
    for through, edge in enumerate(form.forced, start=len(form) + 1):
        u, v = (_vertex(form, vertex) for vertex in edge)
        yield f"{through} makes the cycle use the edge between {u} and {v}"
        if form.depot is None:
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

"""Problems by their edges, for programs of others: a graph, a Hamiltonian cycle problem, a circuit.

The squares are the vertices, in reading order from a1: along rank 1, then along rank 2, missing
squares left out.

Forbidden moves are left out.  A Hamiltonian cycle problem has no ends and no edges that must be
used.  So an open tour comes in its cycle form (:mod:`kt_cp.model.cycle`), and an edge that the form
forces goes through one vertex more: whoever visits a vertex of degree two uses both its edges.
TSPLIB has directed problems by matrices of costs alone, so a digraph comes in its undirected form
(:mod:`kt_cp.model.directed`).

nauty, Sage and networkx read graph6: the number of vertices, then the upper triangle of the
adjacency matrix, column by column, six bits a character.  A digraph goes out as digraph6, with the
whole matrix by rows.  networkx writes it too, but from its bits
one by one, which takes hundreds of times as long (``benchmarks/MEASURED.md``); a test holds the two
against each other.

CP-SAT's model, engine cpsat's, goes out as a text proto.  Every variable is an arc and carries its
name, ``a1->b3``, which is also how a solution is read: the arcs that are true make one circuit.  An
open tour passes one more vertex, ``end``, between its last square and its first.

Source: B. D. McKay, "Description of graph6, sparse6 and digraph6 encodings"; G. Reinelt, "TSPLIB
95": ``TYPE : HCP``, and the edges as a list of pairs, vertices counted from 1, closed by -1.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

from kt_cp.encodings.meaning import OUTSIDE
from kt_cp.engines import cpsat
from kt_cp.engines.directed_adapter import to_undirected
from kt_cp.formats.formula import check_encodable, join_lines
from kt_cp.model.board import describe
from kt_cp.model.conditions import EDGES
from kt_cp.model.cycle import CycleForm, cycle_form
from kt_cp.model.document import node_name
from kt_cp.model.errors import NotTakenError, TooLargeError
from kt_cp.model.outcome import versions_of
from kt_cp.model.problem import Problem
from kt_cp.proofs.certificate import nameable

if TYPE_CHECKING:
    from numpy.typing import NDArray

MOST_SQUARES = 1_000_000
"""Of a list of edges: 4,000,000 lines."""

MOST_VERTICES = 20_000
"""Of graph6, 33 MB of text: half of all pairs of vertices, whether they are edges or not."""


def graph6_pieces(problem: Problem) -> Iterator[str]:
    r"""The problem's graph as graph6: whether tours are closed it does not say.

    >>> from kt_cp.model.board import Board
    >>> list(graph6_pieces(Problem(Board(3, 3))))
    ['H@AAL@O\n']
    """
    unsaid = (each.words for each in problem.conditions if not each.removed())
    _refuse_conditions(unsaid, "graph6 holds the graph alone")
    _refuse(problem, MOST_VERTICES, "graph6, which has a bit for every pair of them")
    if problem.directed:
        number = {node: vertex for vertex, node in enumerate(problem.graph)}
        arcs = {*problem.graph.edges()} - {*problem.forbid}
        ends = np.array([(number[u], number[v]) for u, v in arcs], dtype=np.int64).reshape(-1, 2)
        return iter([digraph6(problem.size, *ends.T)])
    graph = problem.indexed
    return iter([graph6(len(graph), graph.tails, graph.heads)])


def tsplib_pieces(problem: Problem) -> Iterator[str]:
    """The problem as a Hamiltonian cycle problem of TSPLIB.

    >>> from kt_cp.model.board import Board
    >>> text = "".join(tsplib_pieces(Problem(Board(3, 4), start=(0, 0))))
    >>> [line for line in text.splitlines() if line.startswith(("COMMENT : 1", "DIM"))]
    ['COMMENT : 13 stands between the end of the tour and its start', \
'COMMENT : 14 makes the cycle use the edge between 1 (a1) and 13', 'DIMENSION : 14']
    """
    check_encodable(problem)
    unsaid = (each.words for each in problem.conditions if type(each) not in EDGES)
    _refuse_conditions(unsaid, "tsplib holds a graph and edges of its cycle")
    _refuse(problem, MOST_SQUARES, "a list of edges")
    asked, problem = problem, to_undirected(problem) if problem.directed else problem
    form = cycle_form(problem)
    forced = set(form.forced)
    edges = [edge for edge in form.graph.pairs() if edge not in forced]
    for through, (u, v) in enumerate(form.forced, start=len(form)):
        edges += [(u, through), (v, through)]
    what = "digraph" if asked.directed else "graph"
    what = f"{problem.piece}_{problem.board}" if problem.board else what
    name = f"{what}_{problem.kind}"
    comments = "".join(f"COMMENT : {line}\n" for line in _cycle_comments(form, asked))
    sizes = f"DIMENSION : {len(form) + len(forced)}\nEDGE_DATA_FORMAT : EDGE_LIST\n"
    head = f"NAME : {name}\nTYPE : HCP\n{comments}{sizes}EDGE_DATA_SECTION\n"
    return chain([head], join_lines(f"{u + 1} {v + 1}\n" for u, v in edges), ["-1\nEOF\n"])


def _cycle_comments(form: CycleForm, asked: Problem) -> Iterator[str]:
    problem = form.problem
    yield f"{_asked(asked)}: {asked.label}"
    if asked.directed:
        yield f"vertices 1 to {3 * asked.size}: the way in, the middle and the way out of each node"
    elif problem.board is None:
        yield f"vertices 1 to {problem.size} are the nodes in their order"
    else:
        whole = ", missing squares left out" if problem.board.missing else ""
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


def _asked(problem: Problem) -> str:
    if problem.board is not None:
        return f"{problem.piece}'s tour"
    return f"a Hamiltonian {'cycle' if problem.closed else 'path'}"


def _vertex(form: CycleForm, vertex: int) -> str:
    if vertex == form.depot or form.problem.board is None:
        return str(vertex + 1)
    return f"{vertex + 1} ({describe(form.problem.indexed.nodes[vertex])})"


def _refuse_conditions(unsaid: Iterable[str], held: str) -> None:
    if words := " and no ".join(dict.fromkeys(unsaid)):
        raise NotTakenError(f"{held}: expected no {words} with it")


def _refuse(problem: Problem, most: int, what: str) -> None:
    if problem.size > most:
        raise TooLargeError(
            f"{problem.label}: expected at most {most:,} squares for {what}, got {problem.size:,}"
        )


def graph6(size: int, tails: NDArray[np.int64], heads: NDArray[np.int64]) -> str:
    r"""Text of a graph with vertices 0 … size - 1, at most ``MOST_VERTICES``, and these edges.

    >>> graph6(4, np.array([0, 2]), np.array([1, 3]))
    'C`\n'
    """
    first, last = np.minimum(tails, heads), np.maximum(tails, heads)
    return _packed(size, size * (size - 1) // 2, last * (last - 1) // 2 + first)


def digraph6(size: int, tails: NDArray[np.int64], heads: NDArray[np.int64]) -> str:
    r"""The same of a digraph with these arcs.

    >>> digraph6(3, np.array([0, 1, 2]), np.array([1, 2, 0]))
    '&BP_\n'
    """
    return "&" + _packed(size, size * size, tails * size + heads)


def _packed(size: int, pairs: int, places: NDArray[np.int64]) -> str:
    """A line: the number of vertices, and a bit for each pair, set at these places."""
    bits = np.zeros(-(-pairs // 6) * 6, dtype=np.uint8)
    bits[places] = 1
    weights = np.array([32, 16, 8, 4, 2, 1], dtype=np.uint8)
    body = bits.reshape(-1, 6) @ weights + 63
    head = [size] if size < 63 else [63, size >> 12, size >> 6 & 63, size & 63]
    return (bytes(each + 63 for each in head) + body.astype(np.uint8).tobytes()).decode() + "\n"


def model_pieces(problem: Problem) -> Iterator[str]:
    """Text of CP-SAT's model, comments first.

    >>> from kt_cp.model.board import Board
    >>> "".join(model_pieces(Problem(Board(3, 4), closed=True))).count("variables {")
    28
    """
    check_encodable(problem)
    refuse = cpsat.ENGINE.refuse
    assert refuse is not None
    refuse(problem)
    problem = nameable(problem)
    model, arcs, literals = cpsat.circuit_model(problem)
    nodes = problem.graph if problem.board is None else problem.indexed.nodes
    names = [*(node_name(problem, node) for node in nodes), OUTSIDE]
    for (u, v), literal in zip(arcs, literals, strict=True):
        model.proto.variables[literal.index].name = f"{names[u]}->{names[v]}"
    asked, version = _asked(problem), versions_of()["kt_cp"]
    comments = (
        f"# {asked[0].upper()}{asked[1:]}: {problem.label}; the circuit model of kt_cp {version}.\n"
        "# A variable that is true, a1->b3, says that the tour goes from a1 to b3.\n"
    )
    if not problem.closed:
        comments += f"# '{OUTSIDE}' stands between the last square and the first.\n"
    return iter([comments, f"{str(model.proto).rstrip()}\n"])

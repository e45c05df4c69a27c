"""Problems as graphs for other programs: graph6, a Hamiltonian cycle problem of TSPLIB, CP-SAT.

Vertices are the squares in reading order from a1: along rank 1, then along rank 2, without missing
squares.  Forbidden moves are left out.

graph6, which nauty, Sage and networkx read, has the number of vertices and then the upper triangle
of the adjacency matrix, column by column, six bits a character.  A digraph is written as digraph6,
which has the whole matrix by rows.  networkx writes both bit by bit, which takes hundreds of times
as long (``benchmarks/MEASURED.md``); a test compares the results.

A Hamiltonian cycle problem has no ends and no required edges.  So an open tour is written in its
cycle form (:mod:`kt_cp.model.cycle`).  An edge that the form forces leads through an additional
vertex, because a cycle uses both edges of a vertex of degree two.  TSPLIB describes directed
problems only by matrices of costs, so a digraph is written in its undirected form
(:mod:`kt_cp.model.directed`).

The model of engine cpsat is written as a text proto.  Every variable is an arc named like
``a1->b3``; the true variables of a solution form a circuit.  An open tour passes an additional
vertex, ``end``, between its last square and its first.

Source: B. D. McKay, "Description of graph6, sparse6 and digraph6 encodings"; G. Reinelt, "TSPLIB
95": ``TYPE : HCP``, and the edges as a list of pairs, vertices counted from 1, ended by -1.
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
from kt_cp.model.problem import Problem
from kt_cp.model.versions import versions_of
from kt_cp.proofs.certificate import rename_nodes

if TYPE_CHECKING:
    from numpy.typing import NDArray

MOST_SQUARES = 1_000_000
"""Most squares in a list of edges, which then has 4,000,000 lines."""

MOST_VERTICES = 20_000
"""Most vertices in graph6, which then has 33 MB, with a bit for every pair of vertices."""


def graph6_pieces(problem: Problem) -> Iterator[str]:
    r"""Return the problem's graph as graph6, which does not state whether tours are closed.

    >>> from kt_cp.model.board import Board
    >>> list(graph6_pieces(Problem(Board(3, 3))))
    ['H@AAL@O\n']
    """
    lost = (each.words for each in problem.conditions if not each.removed())
    _check_conditions(lost, "graph6 holds the graph alone")
    _check_size(problem, MOST_VERTICES, "graph6, which has a bit for every pair of them")
    if problem.directed:
        number = {node: vertex for vertex, node in enumerate(problem.graph)}
        arcs = {*problem.graph.edges()} - {*problem.forbid}
        places = [number[u] * problem.size + number[v] for u, v in arcs]
        size = problem.size
        return iter(["&" + _pack_bits(size, size * size, np.array(places, dtype=np.int64))])
    graph = problem.indexed
    return iter([graph6(len(graph), graph.tails, graph.heads)])


def tsplib_pieces(problem: Problem) -> Iterator[str]:
    """Return the problem as a Hamiltonian cycle problem of TSPLIB.

    >>> from kt_cp.model.board import Board
    >>> text = "".join(tsplib_pieces(Problem(Board(3, 4), start=(0, 0))))
    >>> [line for line in text.splitlines() if line.startswith(("COMMENT : 1", "DIM"))]
    ['COMMENT : 13 stands between the end of the tour and its start', \
'COMMENT : 14 makes the cycle use the edge between 1 (a1) and 13', 'DIMENSION : 14']
    """
    check_encodable(problem)
    lost = (each.words for each in problem.conditions if type(each) not in EDGES)
    _check_conditions(lost, "tsplib holds a graph and edges of its cycle")
    _check_size(problem, MOST_SQUARES, "a list of edges")
    form = cycle_form(to_undirected(problem) if problem.directed else problem)
    forced = set(form.forced)
    edges = [edge for edge in form.graph.pairs() if edge not in forced]
    for through, (u, v) in enumerate(form.forced, start=len(form)):
        edges += [(u, through), (v, through)]
    what = "digraph" if problem.directed else "graph"
    what = f"{problem.piece}_{problem.board}" if problem.board else what
    name = f"{what}_{problem.kind}"
    comments = "".join(f"COMMENT : {line}\n" for line in _cycle_comments(form, problem))
    sizes = f"DIMENSION : {len(form) + len(forced)}\nEDGE_DATA_FORMAT : EDGE_LIST\n"
    head = f"NAME : {name}\nTYPE : HCP\n{comments}{sizes}EDGE_DATA_SECTION\n"
    return chain([head], join_lines(f"{u + 1} {v + 1}\n" for u, v in edges), ["-1\nEOF\n"])


def _cycle_comments(form: CycleForm, original: Problem) -> Iterator[str]:
    problem = form.problem
    yield f"{_goal(original)}: {original.label}"
    if original.directed:
        size = 3 * original.size
        yield f"vertices 1 to {size}: the way in, the middle and the way out of each node"
    elif problem.board is None:
        yield f"vertices 1 to {problem.size} are the nodes in their order"
    else:
        missing = ", missing squares left out" if problem.board.missing else ""
        yield f"vertices 1 to {problem.size} are the squares in reading order from a1{missing}"
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


def _goal(problem: Problem) -> str:
    if problem.board is not None:
        return f"{problem.piece}'s tour"
    return f"a Hamiltonian {'cycle' if problem.closed else 'path'}"


def _vertex(form: CycleForm, vertex: int) -> str:
    if vertex == form.depot or form.problem.board is None:
        return str(vertex + 1)
    return f"{vertex + 1} ({describe(form.problem.indexed.nodes[vertex])})"


def _check_conditions(lost: Iterable[str], content: str) -> None:
    if words := " and no ".join(dict.fromkeys(lost)):
        raise NotTakenError(f"{content}: expected no {words} with it")


def _check_size(problem: Problem, most: int, what: str) -> None:
    if problem.size > most:
        raise TooLargeError(
            f"{problem.label}: expected at most {most:,} squares for {what}, got {problem.size:,}"
        )


def graph6(size: int, tails: NDArray[np.int64], heads: NDArray[np.int64]) -> str:
    r"""Return the line of a graph with vertices from 0 and these edges.

    >>> graph6(4, np.array([0, 2]), np.array([1, 3]))
    'C`\n'
    """
    first, last = np.minimum(tails, heads), np.maximum(tails, heads)
    return _pack_bits(size, size * (size - 1) // 2, last * (last - 1) // 2 + first)


def _pack_bits(size: int, pairs: int, places: NDArray[np.int64]) -> str:
    """Return a number of vertices and a bit for each pair of them; the given bits are set."""
    bits = np.zeros(-(-pairs // 6) * 6, dtype=np.uint8)
    bits[places] = 1
    weights = np.array([32, 16, 8, 4, 2, 1], dtype=np.uint8)
    body = bits.reshape(-1, 6) @ weights + 63
    head = [size] if size < 63 else [63, size >> 12, size >> 6 & 63, size & 63]
    return (bytes(each + 63 for each in head) + body.astype(np.uint8).tobytes()).decode() + "\n"


def model_pieces(problem: Problem) -> Iterator[str]:
    """Return CP-SAT's model, comments first.

    >>> from kt_cp.model.board import Board
    >>> "".join(model_pieces(Problem(Board(3, 4), closed=True))).count("variables {")
    28
    """
    check_encodable(problem)
    refuse = cpsat.ENGINE.refuse
    assert refuse is not None
    refuse(problem)
    problem = rename_nodes(problem)
    model, arcs, literals = cpsat.circuit_model(problem)
    nodes = problem.graph if problem.board is None else problem.indexed.nodes
    names = [*(node_name(problem, node) for node in nodes), OUTSIDE]
    for (u, v), literal in zip(arcs, literals, strict=True):
        model.proto.variables[literal.index].name = f"{names[u]}->{names[v]}"
    goal, version = _goal(problem), versions_of()["kt_cp"]
    comments = (
        f"# {goal[0].upper()}{goal[1:]}: {problem.label}; the circuit model of kt_cp {version}.\n"
        "# A variable that is true, a1->b3, says that the tour goes from a1 to b3.\n"
    )
    if not problem.closed:
        comments += f"# '{OUTSIDE}' stands between the last square and the first.\n"
    return iter([comments, f"{str(model.proto).rstrip()}\n"])

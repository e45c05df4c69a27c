"""Position encoding: at which step is which square visited?

A variable p(v, t) says that vertex v is visited at step t.  Every step has exactly one vertex,
every vertex exactly one step, and from p(v, t) follows p(u, t + 1) for some neighbour u of v, and
likewise backwards to t - 1.  A closed tour is written from a fixed vertex of least degree, and
step N is followed by step 1.  This is the bijection encoding, the oldest for Hamiltonian paths.

Not every pair needs a variable.  From a prescribed end no vertex is reached sooner than its
distance, and on a bipartite graph the step's parity fixes the colour: without prescribed ends, an
odd number of vertices begins with the commoner colour, and an even number may begin with colour 0,
since the tour can be read backwards.  That halves the variables and more.

With N vertices: at most N² variables (about N²/2 on boards) and, for each variable, two clauses
for its moves and about six for the two exactly-one constraints (sequential counters).  It wins
where steps are given and on tiny boards; it is the weakest of all on large ones: propagation knows
nothing about a vertex until its step is nearly decided.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from kt_cp.cycle import allowed_ends, as_tour
from kt_cp.encodings.cardinality import Fresh, exactly_one
from kt_cp.encodings.cnf import Clause, Cnf, Cuts, Encoding
from kt_cp.errors import EngineFailedError
from kt_cp.graph import IndexedGraph
from kt_cp.problem import Problem
from kt_cp.tour import Tour


def allowed_steps(problem: Problem) -> NDArray[np.bool_]:
    """Which vertex may be visited at which step: flags of shape (vertices, steps)."""
    graph = problem.indexed
    size = len(graph)
    allowed = np.ones((size, size), dtype=bool)
    steps = np.arange(size)
    first = _first_vertex(problem)
    last = None if problem.end is None else graph.index[problem.end]
    if first is not None:
        away = _distances(graph, first)[:, None]
        allowed &= steps[None, :] >= away
        if problem.closed:
            allowed &= (size - steps[None, :]) >= away
        allowed[first, 1:] = False
    if last is not None:
        allowed &= (size - 1 - steps[None, :]) >= _distances(graph, last)[:, None]
        allowed[last, :-1] = False
    if graph.colours is not None and len(graph.components) == 1:
        allowed &= _parity(problem, first, last)
    return allowed


def _first_vertex(problem: Problem) -> int | None:
    graph = problem.indexed
    if problem.start is not None:
        return int(graph.index[problem.start])
    return int(graph.degrees.argmin()) if problem.closed else None


def _distances(graph: IndexedGraph, source: int) -> NDArray[np.int64]:
    """Fewest moves from one vertex to each; the number of vertices where there is no way."""
    away = np.full(len(graph), len(graph), dtype=np.int64)
    away[source] = 0
    queue = [source]
    for vertex in queue:
        for other in graph.neighbours[vertex]:
            if away[other] == len(graph):
                away[other] = away[vertex] + 1
                queue.append(other)
    return away


def _parity(problem: Problem, first: int | None, last: int | None) -> NDArray[np.bool_]:
    graph = problem.indexed
    assert graph.colours is not None
    size = len(graph)
    colour = np.array(graph.colours)
    if first is not None:
        opening = int(colour[first])
    elif last is not None:
        opening = int(colour[last] + size - 1) % 2
    elif size % 2:
        opening = int(colour[allowed_ends(problem)[0]])
    else:
        opening = 0
    parity: NDArray[np.bool_] = (colour[:, None] + opening + np.arange(size)[None, :]) % 2 == 0
    return parity


def encode(problem: Problem) -> Cnf:
    """State a problem in the position encoding.

    Examples
    --------
    >>> from kt_cp.board import Board
    >>> cnf = encode(Problem(Board(3, 4)))
    >>> cnf.variables >= 72, len(cnf.clauses) > 72
    (True, True)
    """
    graph = problem.indexed
    size = len(graph)
    allowed = allowed_steps(problem)
    number = np.zeros((size, size), dtype=np.int64)
    number[allowed] = np.arange(1, int(allowed.sum()) + 1)
    rows: list[list[int]] = number.tolist()
    fresh = Fresh(int(allowed.sum()))
    clauses: list[Clause] = []
    for line in (*rows, *map(list, zip(*rows, strict=True))):
        clauses += exactly_one([variable for variable in line if variable], fresh)
    clauses += _links(graph, rows, problem.closed)
    return Cnf(problem, fresh.top, clauses, number)


def _links(graph: IndexedGraph, rows: list[list[int]], closed: bool) -> Iterator[Clause]:
    """From each visit, one neighbour a step later and one a step sooner."""
    size = len(graph)
    for vertex, line in enumerate(rows):
        others = [rows[other] for other in graph.neighbours[vertex]]
        for step, variable in enumerate(line):
            if not variable:
                continue
            for beside in (step + 1, step - 1):
                if closed:
                    beside %= size
                elif not 0 <= beside < size:
                    continue
                yield [-variable, *(other[beside] for other in others if other[beside])]


def decode(cnf: Cnf, true: Sequence[bool]) -> Tour | Cuts:
    """Tour of a model.

    Raises
    ------
    EngineFailedError
        If the model does not give every step exactly one vertex.
    """
    number = cnf.key
    flags = np.zeros(number.shape, dtype=bool)
    flags[number > 0] = np.asarray(true, dtype=bool)[number[number > 0]]
    if not (flags.sum(axis=0) == 1).all():
        raise EngineFailedError(
            "a model of the position encoding has a step without its one vertex"
        )
    vertices: list[int] = flags.argmax(axis=0).tolist()
    return as_tour(cnf.problem, vertices)


def clauses_of(problem: Problem) -> int:
    """Estimate: eight clauses a variable, and on bipartite graphs every other variable."""
    size = problem.size
    halved = problem.board is not None or problem.indexed.colours is not None
    return 8 * size * size // (2 if halved else 1)


ENCODING = Encoding(
    name="position",
    summary="one complete formula, square x step; each step one square, each square one step",
    clauses_of=clauses_of,
    encode=encode,
    decode=decode,
    solver="cadical195",
)

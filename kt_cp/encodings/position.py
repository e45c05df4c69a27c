"""Position encoding: at which step is which square visited?

A variable p(v, t) says that vertex v is visited at step t.  Every step has exactly one vertex, and
every vertex exactly one step.  From p(v, t) follows p(u, t + 1) for some neighbour u of v, and
likewise backwards to t - 1.  A closed tour is written from one fixed vertex of least degree, and
step N is followed by step 1.

Not every pair needs a variable.  No vertex is visited sooner than its distance from a prescribed
end allows.  On a bipartite graph the step's parity fixes the colour: without prescribed ends, an
odd number of vertices begins with the commoner colour, and an even number may begin with colour 0,
since the tour can be read backwards.

A required move says that its two ends stand at consecutive steps.

Source: This is the bijection encoding, the oldest for Hamiltonian paths.

Cost: With N vertices: at most N² variables, half of them on bipartite graphs.  Each variable has
two clauses for its moves and about six for the two exactly-one constraints.

When it loses: It wins on tiny boards and where steps are given.  On large boards it is the weakest
of all: propagation knows nothing about a vertex until its step is nearly decided.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from kt_cp.encodings.cardinality import Fresh, exactly_one
from kt_cp.encodings.cnf import MOST_CLAUSES, Clause, Cnf, Cuts, Encoding
from kt_cp.model.cycle import allowed_ends, as_tour
from kt_cp.model.errors import EngineFailedError
from kt_cp.model.graph import IndexedGraph
from kt_cp.model.problem import Problem
from kt_cp.model.tour import Tour
from kt_cp.search.breadth_first import spread


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
    steps = [-1] * len(graph)
    steps[source] = 0
    spread(steps, [source], graph.neighbours.__getitem__)
    away = np.array(steps, dtype=np.int64)
    away[away < 0] = len(graph)
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
    >>> from kt_cp.model.board import Board
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
    for line, beside in zip(rows, graph.neighbours, strict=True):
        clauses += _links(line, [rows[other] for other in beside], problem.closed)
    for u, v in problem.forced:
        clauses += _required(rows[u], rows[v], problem.closed)
        clauses += _required(rows[v], rows[u], problem.closed)
    return Cnf(problem, fresh.top, clauses, number)


def _links(line: list[int], others: list[list[int]], closed: bool) -> Iterator[Clause]:
    """From each visit of a vertex: one of others a step later, and one a step sooner."""
    for variable, beside in _beside(line, closed):
        for step in beside:
            yield [-variable, *(other[step] for other in others if other[step])]


def _required(line: list[int], other: list[int], closed: bool) -> Iterator[Clause]:
    """From each visit of a vertex: the other a step later or a step sooner."""
    for variable, beside in _beside(line, closed):
        yield [-variable, *(other[step] for step in beside if other[step])]


def _beside(line: list[int], closed: bool) -> Iterator[tuple[int, list[int]]]:
    """Each variable of a vertex, and the steps beside its own."""
    size = len(line)
    for step, variable in enumerate(line):
        if variable:
            around = (step + 1, step - 1)
            yield variable, [beside % size for beside in around if closed or 0 <= beside < size]


def decode(cnf: Cnf, true: Sequence[bool]) -> Tour | Cuts:
    """Tour of a model."""
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
    halved = 4 * problem.size**2
    bipartite = halved > MOST_CLAUSES or problem.indexed.colours is not None
    return (halved if bipartite else 2 * halved) + 4 * problem.size * len(problem.require)


ENCODING = Encoding(
    name="position",
    summary="one complete formula, square x step; each step one square, each square one step",
    clauses_of=clauses_of,
    encode=encode,
    decode=decode,
)

"""Position encoding: at which step is which square visited?

A variable p(v, t) means that vertex v is visited at step t.  Every step has exactly one vertex, and
every vertex exactly one step.  From p(v, t) follows p(u, t + 1) for some neighbour u of v, and
likewise backwards to t - 1.  A closed tour is written from one fixed vertex of least degree, and
step N is followed by step 1.

Not every pair needs a variable: each step has a *window* of vertices.  A given step, a start and an
end have a window of one.  From one of them to the next the tour goes through other vertices, one
move a step, so what lies between is reached from both in that many moves (*layered reach*, forward
and backward; distances and colours are in it).  An open tour on a bipartite graph without any of
them has the parity of its steps from its colours: an odd number of vertices begins with the
commoner colour, and an even number may begin with colour 0, since the tour can be read backwards.

A required move puts its two ends at consecutive steps.

Source: This is the bijection encoding, the oldest for Hamiltonian paths.

Cost: With N vertices: at most N² variables, half of them on bipartite graphs.  Each variable has
two clauses for its moves and about six for the two exactly-one constraints.

When it loses: It wins on tiny boards.  On large boards it is the weakest of all: propagation knows
nothing about a vertex until its step is nearly decided.  Where steps are given
:mod:`kt_cp.encodings.channel` says the same with edges beside it, and is far better.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from kt_cp.encodings.cardinality import Fresh, exactly_one
from kt_cp.encodings.cnf import MOST_CLAUSES, Clause, Cnf, Cuts, Encoding
from kt_cp.model.conditions import EDGES, Given
from kt_cp.model.cycle import allowed_ends, as_tour, prescribed_steps
from kt_cp.model.errors import EngineFailedError
from kt_cp.model.problem import Problem
from kt_cp.model.tour import Tour


def allowed_steps(problem: Problem) -> NDArray[np.bool_]:
    """Return flags of shape (vertices, steps): whether a vertex may be visited at a step, from 0.

    >>> problem = Problem("5x6", closed=True, given={"a1": 1, "e3": 3})
    >>> [problem.indexed.nodes[v] for v in np.flatnonzero(allowed_steps(problem)[:, 1])]
    [(1, 2)]
    """
    graph = problem.indexed
    size = len(graph)
    known = prescribed_steps(problem)
    if known is None:
        return np.zeros((size, size), dtype=bool)
    if problem.closed and not known:
        known = {int(graph.degrees.argmin()): 0}
    free = np.ones(size + 1, dtype=bool)  # the last one stands for the neighbours that are none
    free[[*known, size]] = False
    windows = np.tile(free, (size, 1))
    for vertex, step in known.items():
        windows[step] = np.arange(size + 1) == vertex
    near = np.full((size, graph.degrees.max(initial=1)), size)
    for vertex, others in enumerate(graph.neighbours):
        near[vertex, : len(others)] = others
    fixed = set(known.values())
    first = min(fixed, default=0)
    onwards = range(first + 1, first + size) if problem.closed else range(1, size)
    backwards = onwards[::-1] if problem.closed else range(size - 2, -1, -1)
    for steps, back in ((onwards, 1), (backwards, -1)):
        for step in steps:
            if step % size not in fixed:
                reached = windows[(step - back) % size][near].any(axis=1)
                windows[step % size, :size] &= reached
    allowed = windows[:, :size].T.copy()
    if not known and graph.colours is not None and len(graph.components) == 1:
        allowed &= _parity(problem)
    return allowed


def _parity(problem: Problem) -> NDArray[np.bool_]:
    """Return the pairs that parity allows; step 1 has the commoner colour, or 0 if none is."""
    graph = problem.indexed
    size, colour = len(graph), np.array(graph.colours)
    opening = int(colour[allowed_ends(problem)[0]]) if size % 2 else 0
    parity: NDArray[np.bool_] = (colour[:, None] + opening + np.arange(size)[None, :]) % 2 == 0
    return parity


def encode(problem: Problem) -> Cnf:
    """State a problem in the position encoding.

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
    """Yield clauses: a visit of a vertex implies visits of neighbours a step later and earlier."""
    for variable, beside in _adjacent_steps(line, closed):
        for step in beside:
            yield [-variable, *(other[step] for other in others if other[step])]


def _required(line: list[int], other: list[int], closed: bool) -> Iterator[Clause]:
    """Yield clauses: a visit of a vertex implies the other a step later or a step earlier."""
    for variable, beside in _adjacent_steps(line, closed):
        yield [-variable, *(other[step] for step in beside if other[step])]


def _adjacent_steps(line: list[int], closed: bool) -> Iterator[tuple[int, list[int]]]:
    """Yield each variable of a vertex, and the steps before and after its own."""
    size = len(line)
    for step, variable in enumerate(line):
        if variable:
            around = (step + 1, step - 1)
            yield variable, [beside % size for beside in around if closed or 0 <= beside < size]


def decode(cnf: Cnf, true: Sequence[bool]) -> Tour | Cuts:
    """Return the tour of a model."""
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
    """Estimate the clauses: eight a variable; bipartite graphs have half of the variables."""
    halved = 4 * problem.size**2
    bipartite = halved > MOST_CLAUSES or problem.indexed.colours is not None
    return (halved if bipartite else 2 * halved) + 4 * problem.size * len(problem.require)


ENCODING = Encoding(
    name="position",
    summary="one complete formula, square x step; each step one square, each square one step",
    clauses_of=clauses_of,
    encode=encode,
    decode=decode,
    takes=EDGES | {Given},
)

"""Channel encoding: variables for the squares of each step, and linked variables for edges.

The variables of :mod:`kt_cp.encodings.position` state which square is visited at which step, each
step within its window.  In addition, every edge has a variable: the tour uses it at some step.  At
each vertex two edges are used; an end of an open tour counts as one.  Edges and steps imply each
other:

- two squares at consecutive steps use the edge between them;
- a square's step and one of its used edges imply that the other end is a step earlier or later.

Required moves are edges that are true.  A symmetry makes the edges of an orbit equal
(:mod:`kt_cp.model.orbits`).

Source: the windows are layered reach, as in clingo's and CP's models of number puzzles.  Constraint
programming calls the link between two redundant models *channelling*: B. M. W. Cheng, K. M. F.
Choi, J. H. M. Lee and J. C. K. Wu, "Increasing constraint propagation by redundant modeling",
Constraints 4 (1999).  Edges and their degrees avoid three of four conflicts in a knight's puzzle
(``benchmarks/MEASURED.md``).  No clause states that a step has at most one square: there are as
many steps as squares, each square has one step, and each step has a square.

Cost: N vertices and N steps have at most N² variables, and clues leave few of them: 8×8 with ten
clues has about 1,400 and is built in milliseconds.  A variable has as many clauses as two for each
edge of its vertex, and some four more.

When it loses: With few given steps on a large board it is larger than the position encoding.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from kt_cp.encodings.cardinality import as_clauses, auxiliaries_of, exactly_two, group_by_degree
from kt_cp.encodings.cnf import MOST_CLAUSES, Clause, Cnf, Encoding
from kt_cp.encodings.position import allowed_steps, decode
from kt_cp.model.conditions import EDGES, Given, Symmetry
from kt_cp.model.orbits import move_orbits
from kt_cp.model.problem import Problem

Numbers = NDArray[np.int64]

PAIRWISE = 6
"""Most literals for which "at most one is true" takes a clause per pair; more go by threes."""

DENSE = 4_000
"""Most squares for which an estimate of the clauses computes the windows first."""


def encode(problem: Problem) -> Cnf:
    """State a problem in the channel encoding.

    >>> cnf = encode(Problem("8x8", closed=True, given={"a1": 1, "h8": 33}))
    >>> cnf.key.shape, int((cnf.key > 0).sum())
    ((64, 64), 1682)
    """
    graph = problem.indexed
    allowed = allowed_steps(problem)
    number = np.zeros(allowed.shape, dtype=np.int64)
    number[allowed] = np.arange(1, int(allowed.sum()) + 1)
    top = int(number.max(initial=0))
    clauses: list[Clause] = []
    if not allowed.any(axis=0).all() or not allowed.any(axis=1).all():
        return Cnf(problem, max(top, 1), [[1], [-1]], number)
    lines = np.vstack([number, number.T])
    clauses += [[variable for variable in line if variable] for line in lines.tolist()]
    made, top = _at_most_one(number, top)  # by counting, every step then has just one vertex
    clauses += made
    for back in (1, -1):
        clauses += _links(problem, number, back)
    edge = np.arange(top + 1, top + 1 + len(graph.tails))
    top += len(edge)
    clauses += _edges(problem, number, edge)
    made, top = _degrees(problem, number, edge, top)
    return Cnf(problem, top, clauses + made, number)


def _drop_zeros(lines: Numbers) -> list[Clause]:
    """Return each row as a clause, without zeros."""
    lengths = (lines != 0).sum(axis=1)
    clauses: list[Clause] = []
    for length in np.flatnonzero(np.bincount(lengths)).tolist():
        rows = lines[lengths == length]
        clauses += as_clauses(rows[rows != 0].reshape(len(rows), length))
    return clauses


def _at_most_one(lines: Numbers, top: int) -> tuple[list[Clause], int]:
    """Return clauses for at most one literal of each row, and the last variable."""
    lengths = (lines != 0).sum(axis=1)
    lengths, lines = lengths[lengths > 1], lines[lengths > 1]
    width = int(lengths.max(initial=PAIRWISE))
    rows = np.zeros((len(lines), width), dtype=np.int64)
    rows[np.arange(width) < lengths[:, None]] = lines[lines != 0]
    pairs = [np.zeros((0, 2), dtype=np.int64)]
    while (lengths > PAIRWISE).any():
        rows, lengths = rows[order := np.argsort(lengths)[::-1]], lengths[order]
        many = int((lengths > PAIRWISE).sum())
        head, new = rows[:many, :3].copy(), np.arange(top + 1, top + 1 + many)
        top += many
        rows[:many, :-3] = rows[:many, 3:]
        rows[:many, -3:] = 0
        lengths[:many] -= 2
        rows[np.arange(many), lengths[:many] - 1] = new
        pairs += [np.stack([-head[:, one], new], axis=1) for one in range(3)]
        pairs += [-head[:, two] for two in ([0, 1], [0, 2], [1, 2])]
    rows = rows[:, :PAIRWISE]
    pairs += [-rows[:, two] for two in combinations(range(PAIRWISE), 2)]
    made = np.concatenate(pairs)
    return as_clauses(made[(made != 0).all(axis=1)]), top


def _shift_steps(problem: Problem, number: Numbers, by: int) -> Numbers:
    """Return the variables shifted by a number of steps."""
    later = np.roll(number, -by, axis=1)
    if not problem.closed:
        later[:, -1 if by > 0 else 0] = 0
    return later


def _links(problem: Problem, number: Numbers, by: int) -> list[Clause]:
    """Return clauses: a visit of a vertex implies one of a neighbour ``by`` steps later."""
    graph, size = problem.indexed, len(number)
    near = np.full((size, int(graph.degrees.max())), size)
    for vertex, others in enumerate(graph.neighbours):
        near[vertex, : len(others)] = others
    last = () if problem.closed else (size - 1 if by > 0 else 0,)
    visits = number.copy()
    visits[:, list(last)] = 0
    vertices, steps = np.nonzero(visits)
    beside = np.vstack([_shift_steps(problem, number, by), np.zeros((1, size), dtype=np.int64)])
    supports = beside[near[vertices], steps[:, None]]
    return _drop_zeros(np.hstack([-visits[vertices, steps][:, None], supports]))


def _edges(problem: Problem, number: Numbers, edge: Numbers) -> list[Clause]:
    """Link each edge with the steps of its ends; state known edges."""
    graph = problem.indexed
    later, sooner = (_shift_steps(problem, number, by) for by in (1, -1))
    clauses: list[Clause] = []
    for here, there in ((graph.tails, graph.heads), (graph.heads, graph.tails)):
        which, steps = np.nonzero(number[here])
        visit, used = number[here][which, steps], edge[which]
        then, before = later[there][which, steps], sooner[there][which, steps]
        clauses += _drop_zeros(np.stack([-visit, -used, then, before], axis=1))
        both = then > 0
        clauses += as_clauses(np.stack([-visit, -then, used], axis=1)[both])
    index = {pair: i for i, pair in enumerate(graph.pairs())} if problem.forced else {}
    clauses += [[int(edge[index[pair]])] for pair in problem.forced]
    orbit = move_orbits(problem)
    clauses += as_clauses(-edge[orbit < 0][:, None])
    _, first = np.unique(orbit[orbit >= 0], return_index=True)
    one = edge[orbit >= 0][first][orbit[orbit >= 0]]
    other = edge[orbit >= 0]
    pairs = np.stack([one, other], axis=1)[one != other]
    return clauses + as_clauses(pairs * [1, -1]) + as_clauses(pairs * [-1, 1])


def _degrees(
    problem: Problem, number: Numbers, edge: Numbers, top: int
) -> tuple[list[Clause], int]:
    """Return clauses for two edges at every vertex; an end of an open tour counts as one."""
    graph = problem.indexed
    ends = np.concatenate([graph.tails, graph.heads])
    variables = np.tile(edge, 2)
    if not problem.closed:
        for step in (0, -1):
            vertices = np.flatnonzero(number[:, step])
            ends = np.concatenate([ends, vertices])
            variables = np.concatenate([variables, number[vertices, step]])
    clauses: list[Clause] = []
    for degree, rows in group_by_degree(ends, variables, len(graph)):
        if degree < 2:
            return [[1], [-1]], top
        clauses += exactly_two(rows, top)
        top += len(rows) * auxiliaries_of(degree)
    return clauses, top


def clauses_of(problem: Problem) -> int:
    """Estimate the clauses: six per variable and two for each edge of its vertex."""
    size = problem.size
    fewest = 10 * size if problem.given else 10 * size * size
    if fewest > MOST_CLAUSES or size > DENSE:
        return max(fewest, 10 * size * size)
    graph = problem.indexed
    steps = allowed_steps(problem).sum(axis=1)
    return int((steps * (6 + 2 * graph.degrees)).sum()) + 44 * size


ENCODING = Encoding(
    name="channel",
    summary="square x step within windows, and the edges beside them; for given steps",
    clauses_of=clauses_of,
    encode=encode,
    decode=decode,
    solver="minisat22",
    takes=EDGES | {Given, Symmetry},
)

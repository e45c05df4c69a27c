"""The formula that a refutation refutes, made from the problem alone.

Variable i is edge i of the frame, counted from 1 in lexicographic order; a model is a choice of
edges.  The clauses say, in this order: at each vertex exactly two edges are chosen; each edge that
must be used is; so is, or is not, each that tight sets and the plain rules force or ban; for each
cut, at least one edge between the set and the rest is chosen.  Every cycle through all vertices
satisfies that, unless the set is empty or everything.  ``FORMAT.md`` has them clause by clause.

Every tour is a model of the formula, so where the formula has none, there is no tour.
"""

from __future__ import annotations

from itertools import combinations
from math import comb

from kt_cp.trust.check.frame import Frame
from kt_cp.trust.check.refusal import Reason, Refusal
from kt_cp.trust.check.state import State

Clause = list[int]

DIRECT = 9
"""A knight's eight moves and the end of a tour."""

MOST_LITERALS = 10_000_000
"""In all clauses, which makes some hundred megabytes."""


def formula_of(frame: Frame, known: State | None, cuts: list[set[int]]) -> tuple[int, list[Clause]]:
    """Number of variables, and the clauses.

    ``known`` is what tight sets have shown, if there are any; a cut is a set of vertices.

    Raises
    ------
    Refusal
        If the formula would be too large.

    Examples
    --------
    >>> from kt_cp.model.board import Board
    >>> from kt_cp.model.problem import Problem
    >>> from kt_cp.trust.check.frame import frame_of
    >>> variables, clauses = formula_of(frame_of(Problem(Board(3, 4), closed=True)), None, [])
    >>> variables, clauses[:2]  # a1 has two moves, and both are chosen
    (14, [[1], [2]])
    """
    literals = sum(_literals(len(row)) for row in frame.neighbours)
    _expect_at_most(literals)
    edges = frame.edges()
    variable = {edge: number for number, edge in enumerate(edges, start=1)}
    top = len(edges)
    clauses: list[Clause] = []
    for vertex, row in enumerate(frame.neighbours):
        incident = [variable[min(vertex, other), max(vertex, other)] for other in row]
        if len(incident) > DIRECT:
            clauses += _counted(incident, top)
            top += 2 * len(incident)
        elif len(incident) < 2:
            clauses.append([])
        else:
            clauses += map(list, combinations(incident, len(incident) - 1))
            clauses += ([-a, -b, -c] for a, b, c in combinations(incident, 3))
    clauses += ([variable[edge]] for edge in frame.must)
    if known is not None:
        for number, (u, v) in enumerate(edges, start=1):
            if v in known.kept[u]:
                clauses.append([number])
            elif v not in known.open_[u]:
                clauses.append([-number])
    for cut in cuts:
        clauses.append(leaving(frame, cut, variable))
        literals += len(clauses[-1]) + len(cut)
        _expect_at_most(literals)
    return top, clauses


def _literals(degree: int) -> int:
    """In the clauses of one vertex; they are counted before any is made."""
    if degree > DIRECT:
        return 19 * degree - 13  # see _counted
    return degree * (degree - 1) + 3 * comb(degree, 3)


def _expect_at_most(literals: int) -> None:
    if literals > MOST_LITERALS:
        raise Refusal(Reason.TOO_LARGE, f"expected at most {MOST_LITERALS:,} literals in all")


def _counted(x: list[int], top: int) -> list[Clause]:
    """Exactly two of many; ``one[i]`` and ``two[i]``: at least one, two of the first i are."""
    one = range(top + 1, top + len(x) + 1)
    two = range(top + len(x) + 1, top + 2 * len(x) + 1)
    clauses = [[-one[0], x[0]], [one[0], -x[0]], [-two[0]]]
    for i in range(1, len(x)):
        clauses += [
            [one[i], -x[i]],
            [one[i], -one[i - 1]],
            [-one[i], x[i], one[i - 1]],
            [two[i], -x[i], -one[i - 1]],
            [two[i], -two[i - 1]],
            [-two[i], x[i], two[i - 1]],
            [-two[i], one[i - 1]],
            [-x[i], -two[i - 1]],
        ]
    return [*clauses, [two[-1]]]


def leaving(frame: Frame, cut: set[int], variable: dict[tuple[int, int], int]) -> Clause:
    """One of the edges that leave a set is chosen."""
    return sorted(
        variable[min(vertex, other), max(vertex, other)]
        for vertex in cut
        for other in frame.neighbours[vertex]
        if other not in cut
    )

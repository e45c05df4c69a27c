"""A bound for large boards, from potentials that repeat along the sides and in the interior.

The linear program of :mod:`kt_cp.optimization.bounds` has a quarter of a million variables on
100x100.  But its best potentials hardly depend on where along a side an edge is, and not at all in
the interior.  So edges are put into *classes*.  The class of a square is its row and column, where
all rows and columns that are far from the sides count as one, and the class of an edge is its step
and the classes of its ends.  Edges of a class share a potential.  Squares whose edges have the same
classes, with the same costs, then have the same least sum, and one row of the program represents
all of them.

The program maximizes the sum of the least that each square adds.  Any potentials give a bound, so
those of classes give one for the board.  Holes, and required and forbidden moves, only add more
kinds of squares.  All edges to the ends of an open tour are one class, and a tour uses two.

Source: this package; that symmetric programs have symmetric solutions is due to K. Gatermann and P.
Parrilo, "Symmetry groups, semidefinite programs, and sums of squares", J. Pure Appl. Algebra 192,
2004.  Cost: a few seconds, on boards of any size.  For fewest turns on closed n x n boards it gives
8 n - 24 for n = 12, 20, 30 and 100; for n = 20 that is also the optimum of the whole program.  When
it loses: it has no cuts and no cases, so on small boards the other program gives more.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from kt_cp.optimization.bounds import Tree
from kt_cp.proofs.potentials import SCALES

if TYPE_CHECKING:
    from kt_cp.trust.check.bound import Choice
    from kt_cp.trust.check.frame import Frame

MARGIN = 8
"""Rows and columns on each side that are classes of their own.  On 100x100, 4 give a bound of 772
turns, 6 give 776, and 8 give 776 in a second."""

LARGEST = 1000.0
"""A limit of potentials, so that the program always has a solution."""

Row = tuple[tuple[tuple[int, int, int, int, int], ...], int]
"""The choices of a square as potentials and costs: class, sign, class, sign, cost."""


def repeated_potentials(
    frame: Frame, costs: Sequence[dict[Choice, int]], seconds: float | None = None
) -> tuple[int, Tree] | None:
    """Return a bound for the sum of the costs, and its leaf; None if time is over.

    >>> from kt_cp import Problem
    >>> from kt_cp.optimization.transitions import choice_costs
    >>> from kt_cp.trust.check.bound import costs_of
    >>> from kt_cp.trust.check.frame import frame_of
    >>> frame = frame_of(Problem("12x12", closed=True))
    >>> (cost,) = costs_of(frame, "fewest-turns")
    >>> bound, leaf = repeated_potentials(frame, choice_costs(frame, "fewest-turns", cost))
    >>> bound
    72
    """
    from ortools.linear_solver import pywraplp

    classes = _classes_of_edges(frame)
    rows = _rows_of_squares(frame, costs, classes)
    solver = pywraplp.Solver.CreateSolver("GLOP")
    if seconds is not None:
        solver.SetTimeLimit(max(1, int(1000 * seconds)))
    objective = solver.Objective()
    potentials = [
        solver.NumVar(-LARGEST, LARGEST, "") for _ in range(max(classes.values(), default=0) + 1)
    ]
    for choices, many in rows.items():
        least = solver.NumVar(-solver.infinity(), solver.infinity(), "")
        objective.SetCoefficient(least, many)
        for one, sign, other, other_sign, cost in choices:
            row = solver.Constraint(-solver.infinity(), cost)
            row.SetCoefficient(least, 1.0)
            shares = {one: -sign}
            shares[other] = shares.get(other, 0) - other_sign
            for number, share in shares.items():
                row.SetCoefficient(potentials[number], share)
    at_end = [number for (_, v), number in classes.items() if v >= frame.squares][:1]
    for number in at_end:
        objective.SetCoefficient(potentials[number], -2.0)
    objective.SetMaximization()
    if not all(costs) or solver.Solve() != solver.OPTIMAL:
        return None
    values = [each.solution_value() for each in potentials]
    found = []
    for scale in SCALES:
        whole = [round(value * scale) for value in values]
        total = sum(
            many * min(scale * cost + whole[a] * s + whole[b] * t for a, s, b, t, cost in choices)
            for choices, many in rows.items()
        ) - 2 * sum(whole[number] for number in at_end)
        found.append((-(-total // scale), -scale, whole))
    bound, scale, whole = max(found)
    of_edges = [whole[classes[edge]] if edge in classes else 0 for edge in frame.edges()]
    return bound, {"scale": -scale, "potentials": of_edges, "cuts": []}


def _classes_of_edges(frame: Frame) -> dict[tuple[int, int], int]:
    """Return the class of each edge of a square."""
    board, nodes = frame.problem.board, frame.problem.nodes
    assert board is not None

    def class_of(place: int, side: int) -> int:
        """Return the distance from a near side, below 0 for the far one; a constant otherwise."""
        if place >= max(MARGIN, side - MARGIN):
            return place - side
        return min(place, MARGIN)

    numbers: dict[Any, int] = {}
    found = {}
    for u, v in frame.edges():
        if u >= frame.squares:
            continue  # it joins the two ends, and every tour uses it
        if v >= frame.squares:
            found[u, v] = numbers.setdefault("end", len(numbers))
        else:
            kind = tuple(
                class_of(place, side)
                for vertex in (u, v)
                for place, side in zip(nodes[vertex], (board.rows, board.columns), strict=True)
            )
            step = nodes[v][0] - nodes[u][0], nodes[v][1] - nodes[u][1]
            found[u, v] = numbers.setdefault((kind, step), len(numbers))
    return found


def _rows_of_squares(
    frame: Frame, costs: Sequence[dict[Choice, int]], classes: dict[tuple[int, int], int]
) -> Counter[Any]:
    """Return the choices of squares, each kind of square once, with its number of squares."""

    def side(vertex: int, other: int) -> tuple[int, int]:
        return classes[min(vertex, other), max(vertex, other)], 1 if vertex < other else -1

    rows: Counter[Any] = Counter()
    for vertex, choices in enumerate(costs):
        sides = {other: side(vertex, other) for other in frame.neighbours[vertex]}
        rows[
            tuple((*sides[one], *sides[other], cost) for (one, other), cost in choices.items())
        ] += 1
    return rows

"""Quick reasons why no tour can exist, each as evidence that the checker has accepted.

Colours, degrees and connectivity hold for any problem.  What is known of whole rectangles comes
last (:mod:`kt_cp.theorems`): it costs nothing, however large the board, but is cited, not proved,
and comes without a certificate.  Finding no obstruction says nothing of boards with missing
squares, and of other graphs: most problems without a tour pass all of these.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from kt_cp.outcome import Evidence
from kt_cp.problem import Problem
from kt_cp.proofs.certificate import certified, nameable, node_name
from kt_cp.proofs.check.frame import moves_at
from kt_cp.theorems import theorem

GRAPH_SQUARES = 250_000
"""Beyond this many squares no graph is built, which alone would take seconds."""


def obstruction(problem: Problem) -> Evidence | None:
    """First reason found why a problem has no tour, simplest first; None if there is none.

    Examples
    --------
    >>> from kt_cp.board import Board
    >>> obstruction(Problem(Board(3, 3))).text
    'b2 has no moves at all'
    >>> obstruction(Problem(Board(4, 1000000), closed=True)).kind
    <EvidenceKind.THEOREM: 'theorem'>
    """
    problem = nameable(problem)
    for argument in QUICK:
        found = argument(problem)
        if found is not None:
            return certified(problem, found).evidence
    return theorem(problem)


def too_small(problem: Problem) -> dict[str, Any] | None:
    """A closed tour of one or two squares."""
    return {"kind": "size"} if problem.closed and problem.size < 3 else None


def colours(problem: Problem) -> dict[str, Any] | None:
    """Every move changes colour, so a tour alternates: the counts and the ends must fit that."""
    board = problem.board
    if board is None:
        return None
    holes = sum((row + column) % 2 == 0 for row, column in board.missing)
    dark = (board.rows * board.columns + 1) // 2 - holes
    shades = [sum(end) % 2 for end in (problem.start, problem.end) if end is not None]
    if _colours_fit(problem.closed, dark, board.size - dark, shades):
        return None
    return {"kind": "colours"}


def bipartition(problem: Problem) -> dict[str, Any] | None:
    """The same for a graph, shown as a removal: without one colour, the rest are single nodes."""
    if problem.board is not None:  # asked first: enormous boards are never laid out
        return None
    graph = problem.indexed
    if graph.colours is None:
        return None
    first, second = graph.colours.count(0), graph.colours.count(1)
    ends = [end for end in (problem.start, problem.end) if end is not None]
    shades = [graph.colours[graph.index[end]] for end in ends]
    if min(first, second) == 0 or _colours_fit(problem.closed, first, second, shades):
        return None
    rarer = int(second < first) if first != second else shades[0]
    shaded = zip(graph.nodes, graph.colours, strict=True)
    return _squares("removal", problem, [node for node, shade in shaded if shade == rarer])


def _colours_fit(closed: bool, first: int, second: int, ends: list[int]) -> bool:
    """Whether so many squares of colour 0 and 1, and ends of these colours, may make a tour."""
    if closed or abs(first - second) > 1:
        return first == second
    if first == second:
        return len(ends) < 2 or ends[0] != ends[1]
    return all(end == int(second > first) for end in ends)


def degrees(problem: Problem) -> dict[str, Any] | None:
    """Too few moves at some square, or too many squares that can only be ends."""
    if problem.size < 2:
        return None
    low = list(_few_moves(problem))
    for square in low:
        if moves_at(problem, square) == 0:
            return _squares("degrees", problem, [square])
    if problem.closed:
        return _squares("degrees", problem, low[:1]) if low else None
    given = {problem.start, problem.end} - {None}
    needed = [square for square in low if square not in given]
    free = 2 - len(given)
    return _squares("degrees", problem, needed[: free + 1]) if len(needed) > free else None


def _few_moves(problem: Problem) -> Iterable[Any]:
    """Squares with fewer than two moves; of an enormous board the corners alone are asked."""
    if problem.size <= GRAPH_SQUARES:
        graph = problem.indexed
        return [graph.nodes[v] for v, degree in enumerate(graph.degrees.tolist()) if degree < 2]
    board = problem.board
    if board is None:
        return []
    corners = {(row, column) for row in (0, board.rows - 1) for column in (0, board.columns - 1)}
    return [s for s in sorted(corners) if s in board and moves_at(problem, s) < 2]


def connectivity(problem: Problem) -> dict[str, Any] | None:
    """Squares which the knight cannot reach from others."""
    least = 3 if problem.closed else 2
    if not least <= problem.size <= GRAPH_SQUARES or len(problem.indexed.components) == 1:
        return None
    nodes = problem.indexed.nodes
    first, second = (nodes[part[0]] for part in problem.indexed.components[:2])
    return _squares("connectivity", problem, [first, second])


def _squares(kind: str, problem: Problem, squares: list[Any]) -> dict[str, Any]:
    return {"kind": kind, "squares": [node_name(problem, square) for square in squares]}


QUICK = (too_small, colours, degrees, connectivity, bipartition)
"""Finders of evidence that take no search, cheapest first."""

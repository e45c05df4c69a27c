"""The frame: the problem of a certificate as a cycle through all vertices of a graph.

Forbidden moves are left out of the graph, and required moves are edges that must be used.  Given
steps and a symmetry are not part of it.  Without them there are more tours, so a proof that there
is none holds with them too.  The formula of a refutation (:mod:`kt_cp.trust.check.formula`)
includes them.

An open tour becomes a cycle through its *ends*: one or two more vertices, joined to the squares at
which a tour may begin or end.  Suppose that every move changes colour (``alternates``).  A tour of
an even number of squares has ends of different colours.  So there are two end vertices, one for
each colour, joined by an edge that must be used.  If the number is odd, both ends have the more
frequent colour, and one end vertex is enough.  All other graphs get one, joined to every node.  A
prescribed end is an edge that must be used.  If both are prescribed, the end vertices are joined to
these squares alone.

Every open tour of at least two squares, and every closed tour of at least three, is such a cycle
through the edges that must be used.  So if no such cycle exists, no tour exists.

The checker does not use :mod:`kt_cp.model.cycle`, so an error there cannot make a false proof pass.
Its own arithmetic of moves is in :mod:`kt_cp.trust.check.moves`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from kt_cp.model.conditions import End, Forbidden, Given, Required, Start, Symmetry
from kt_cp.trust.check.instance import Instance, as_instance
from kt_cp.trust.check.moves import alternates
from kt_cp.trust.check.refusal import Reason, Refusal

if TYPE_CHECKING:
    from kt_cp.model.problem import Problem

END = "end"
"""Name of the end vertices; every square is joined to at most one of them."""

MOST_SQUARES = 250_000
"""Largest board that is expanded into a frame: a few hundred megabytes.  For a piece of k leaps the
limit is k times smaller, since it has k times as many moves."""


@dataclass(frozen=True)
class Frame:
    """A problem as a cycle through all vertices.

    Attributes
    ----------
    names : list of str
        Names of the vertices: squares in reading order from a1, then the ends of an open tour.
    squares : int
        Number of vertices that are squares.
    neighbours : list of list of int
        Neighbours of each vertex, ascending.
    must : list of (int, int)
        Edges that every such cycle uses, smaller vertex first.
    """

    problem: Instance
    names: list[str]
    squares: int
    neighbours: list[list[int]]
    must: list[tuple[int, int]]

    def __len__(self) -> int:
        return len(self.names)

    @cached_property
    def number(self) -> dict[Any, int]:
        """Vertex of each square, or node of a graph."""
        return {node: vertex for vertex, node in enumerate(self.problem.nodes)}

    @cached_property
    def load(self) -> int:
        """Cost of a pass over it: its vertices, or a fifth of its edges if these are more."""
        return max(len(self), sum(map(len, self.neighbours)) // 10)

    @property
    def ends(self) -> range:
        """The vertices that stand for ends of an open tour."""
        return range(self.squares, len(self.names))

    def edges(self) -> list[tuple[int, int]]:
        """Every edge once, smaller vertex first, in lexicographic order."""
        return [(u, v) for u, row in enumerate(self.neighbours) for v in row if u < v]


def frame_of(problem: Problem | Instance, *, partial: bool = False) -> Frame:
    """Return the frame of a problem.

    With ``partial``, paths need not visit all squares.  The frame of an open problem then has a
    single end, since the ends of a path may have any colours.

    >>> from kt_cp.model.problem import Problem
    >>> frame = frame_of(Problem("3x4"))
    >>> len(frame), frame.names[12:], frame.must
    (14, ['end', 'end'], [(12, 13)])
    """
    problem = as_instance(problem)
    size = problem.size
    most = MOST_SQUARES if problem.board is None else MOST_SQUARES // len(problem.piece.leaps)
    if size > most:
        raise Refusal(Reason.TOO_LARGE, f"expected at most {most:,} squares, got {size:,}")
    if size < (3 if problem.closed else 2):
        raise Refusal(Reason.WRONG_QUESTION, f"this evidence is for larger boards: {size} squares")
    nodes, names = problem.nodes, problem.names
    number = {node: vertex for vertex, node in enumerate(nodes)}
    neighbours, must = _with_conditions(problem, problem.adjacency(), number)
    if problem.closed:
        return Frame(problem, names, len(names), neighbours, must)
    prescribed = [number[end] for end in (problem.start, problem.end) if end is not None]
    if partial or problem.board is None or not alternates(problem.board, problem.piece):
        joins = [(vertex, 0) for vertex in prescribed]
        return _with_ends(problem, names, neighbours, [list(range(size))], joins, must)
    colour = [(row + column) % 2 for row, column in nodes]
    if size % 2:
        common = int(2 * sum(colour) > size)
        ends = [[vertex for vertex, shade in enumerate(colour) if shade == common]]
        end_of = [0, 0]
    else:
        ends = [[v for v, shade in enumerate(colour) if shade == which] for which in (0, 1)]
        end_of = [0, 1]
    joins = [(vertex, end_of[colour[vertex]]) for vertex in prescribed]
    return _with_ends(problem, names, neighbours, ends, joins, must)


def pieces_without(neighbours: Sequence[Iterable[int]], removed: set[int]) -> list[list[int]]:
    """Return the connected pieces without a set of vertices, ordered by least vertex."""
    seen = [False] * len(neighbours)
    for vertex in removed:
        seen[vertex] = True
    pieces = []
    for root in range(len(neighbours)):
        if seen[root]:
            continue
        seen[root] = True
        piece = [root]
        for vertex in piece:
            for other in neighbours[vertex]:
                if not seen[other]:
                    seen[other] = True
                    piece.append(other)
        pieces.append(piece)
    return pieces


def _with_conditions(
    problem: Instance, neighbours: list[list[int]], number: dict[Any, int]
) -> tuple[list[list[int]], list[tuple[int, int]]]:
    """Return the neighbours without forbidden moves, and the required moves, ascending."""
    barred: dict[int, set[int]] = {}
    must = []
    for condition in problem.conditions:
        match condition:
            case Forbidden(move):
                u, v = (number[node] for node in move)
                barred.setdefault(u, set()).add(v)
                barred.setdefault(v, set()).add(u)
            case Required(move):
                u, v = sorted(number[node] for node in move)
                must.append((u, v))
            case Start() | End() | Given() | Symmetry():
                pass  # ends come later; the formula has the others
            case _:
                raise Refusal(Reason.WRONG_PROBLEM, f"what to do with {condition.words} is unknown")
    rows = [*neighbours]
    for vertex, others in barred.items():
        rows[vertex] = [other for other in rows[vertex] if other not in others]
    strange = any(len(rows[u]) + len(barred[u]) != len(neighbours[u]) for u in barred)
    if strange or any(v not in rows[u] for u, v in must):
        raise Refusal(Reason.WRONG_PROBLEM, "expected required and forbidden moves to be moves")
    return rows, sorted(must)


def _with_ends(
    problem: Instance,
    names: list[str],
    neighbours: list[list[int]],
    ends: list[list[int]],
    joins: list[tuple[int, int]],
    required: list[tuple[int, int]],
) -> Frame:
    """Add a vertex for each list of possible ends; ``joins`` are the prescribed ones."""
    size = len(names)
    if len(joins) == 2:
        ends = [[] for _ in ends]
    for vertex, which in joins:
        ends[which] = sorted({*ends[which], vertex})
    rows = [[*row] for row in neighbours]
    for which, joined in enumerate(ends):
        rows.append(joined)
        for vertex in joined:
            rows[vertex].append(size + which)
    must = [*required, *((vertex, size + which) for vertex, which in joins)]
    if len(ends) == 2:
        rows[size] = [*rows[size], size + 1]
        rows[size + 1] = [*rows[size + 1], size]
        must.append((size, size + 1))
    return Frame(problem, [*names, *[END] * len(ends)], size, rows, must)

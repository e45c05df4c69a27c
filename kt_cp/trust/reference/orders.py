"""In which order the recursion tries its moves: as the five source texts do, or fewest ways first.

The move arithmetic here is the reference's own; it does not use the graph of the board.  Forbidden
moves are never offered.

The two squares of a required move are neighbours in the tour.  So, with the piece on a square, each
of its partners has been the square before or has to be the next one; only in a closed tour the
partner of the first square may come last instead.  A square that asks for more is a dead end, and
one that asks for a next square leaves no choice.

For compiled kernels the moves are a table of numbers.  Vertices are numbered in the order of the
board, from a1 in reading order, or of the graph.

What is different for the recursion where moves are arcs: required ones, and the look ahead.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any

from kt_cp.model.board import Board, Square
from kt_cp.model.errors import NotTakenError, TooLargeError
from kt_cp.model.piece import KNIGHT
from kt_cp.model.problem import Problem
from kt_cp.model.surface import Join, Surface

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def required_arcs(
    problem: Problem, start: Any, visited: Collection[Any]
) -> Callable[[Any, Any], list[Any] | None]:
    """What required arcs leave to do, as ``orders.next_required`` tells it of moves.

    A node with a required arc from it leaves no choice; one with a required arc to it must come
    just after the arc's tail, unless it is the first of a closed tour, whose tail comes last.
    """
    following = dict(problem.require)
    before = {head: tail for tail, head in problem.require}
    last = before.get(start)

    def required(node: Any, left: Any) -> list[Any] | None:
        end = len(visited) == problem.size
        if left is not None and before.get(node, left) != left:
            return None
        if last is not None and (not problem.closed or (end and node != last)):
            return None
        head = following.get(node)
        if head is None:
            return []
        if head in visited:
            return [] if end and problem.closed and head == start else None
        return [head]

    return required


def strander(problem: Problem, start: Any, visited: Collection[Any]) -> Callable[[Any, Any], bool]:
    """A function that tells whether the arc to a node strands another, which it goes past.

    By the arc from ``left`` to ``now`` the other heads of arcs from ``left`` lose a way in, and the
    other tails of arcs to ``now`` a way out.  A node needs a way in from where the walk is or has
    yet to come, and a way out to where it has yet to come; to the start, where the tour is closed;
    and an open tour ends at a node without one, but at one alone.
    """
    into, out = ({node: [*row] for node, row in way.items()}
                 for way in (problem.graph.pred, problem.graph.succ))  # fmt: skip
    end = problem.end

    def strands(left: Any, now: Any) -> bool:
        for node in out[left]:
            if node not in visited and all(u in visited and u != now for u in into[node]):
                return True
        dead = 0
        for node in into[now]:
            if node in visited:
                continue
            if any(v not in visited or (problem.closed and v == start) for v in out[node]):
                continue
            dead += 1
            if problem.closed or end not in (None, node) or dead > 1:
                return True
        return False

    return strands


MoveOrder = tuple[tuple[int, int], ...]
Candidates = Callable[[Any], Iterable[Any]]

# The sources' fixed orders as (rows up, columns right), by the number of the document.
ORDERS: dict[str, MoveOrder] = {
    "000": ((1, 2), (-1, 2), (1, -2), (-1, -2), (2, 1), (-2, 1), (2, -1), (-2, -1)),
    "001": ((2, 1), (1, 2), (-2, 1), (-1, 2), (2, -1), (1, -2), (-2, -1), (-1, -2)),
    "002": ((-1, -2), (1, -2), (2, -1), (2, 1), (-2, -1), (-2, 1), (-1, 2), (1, 2)),
    "003": ((2, 1), (2, -1), (-2, 1), (-2, -1), (1, 2), (1, -2), (-1, 2), (-1, -2)),
    "004": ((2, 1), (1, 2), (-1, 2), (-2, 1), (-2, -1), (-1, -2), (1, -2), (2, -1)),
}
DEFAULT_ORDER = ORDERS["001"]


def fixed_order(problem: Problem, moves: MoveOrder = DEFAULT_ORDER) -> Candidates:
    """Where the piece may go from a square, in a fixed order of moves.

    The orders of the texts are a knight's; any other piece takes its steps in ascending order.  On
    a general graph the order is that of the graph's own adjacency.

    Examples
    --------
    >>> problem = Problem(Board(4, 4, surface="torus"), piece="wazir", forbid=[((0, 0), (0, 1))])
    >>> fixed_order(problem)((0, 0))
    [(3, 0), (0, 3), (1, 0)]
    """
    board = problem.board
    if board is None:
        return _allowed(problem, lambda node: problem.graph[node])
    if problem.piece != KNIGHT:
        moves = problem.piece.steps
    if board.surface is not Surface.PLANE:
        return _allowed(problem, _around(board, moves))
    rows, columns, missing = board.rows, board.columns, board.missing

    def candidates(square: Square) -> list[Square]:
        row, column = square
        return [
            (row + up, column + right)
            for up, right in moves
            if 0 <= row + up < rows
            and 0 <= column + right < columns
            and (row + up, column + right) not in missing
        ]

    return _allowed(problem, candidates)


def _around(board: Board, moves: MoveOrder) -> Candidates:
    """The same where sides are joined: each square once, and none from itself."""
    rows, columns = board.rows, board.columns
    files, ranks = board.surface.files, board.surface.ranks

    def candidates(square: Square) -> list[Square]:
        found: dict[Square, None] = {}
        for up, right in moves:
            row, column = square[0] + up, square[1] + right
            if ranks is not Join.OPEN:
                row %= rows
            if files is Join.REVERSED and column // columns % 2:
                row = rows - 1 - row
            if files is not Join.OPEN:
                column %= columns
            if (row, column) != square and (row, column) in board:
                found[row, column] = None
        return list(found)

    return candidates


def _allowed(problem: Problem, candidates: Candidates) -> Candidates:
    """The same candidates without the forbidden moves."""
    if not problem.forbid:
        return candidates
    way: Callable[[Any], Any] = tuple if problem.directed else frozenset
    forbidden = {way(move) for move in problem.forbid}
    return lambda square: [
        other for other in candidates(square) if way((square, other)) not in forbidden
    ]


def fewest_ways_first(problem: Problem, moves: MoveOrder = DEFAULT_ORDER) -> Candidates:
    """Where the piece may go, squares with few moves first, as text 003 orders them.

    Ways on are counted on the empty board, so the order of each square is made once; squares with
    equally many keep the given order of moves.
    """
    usual = fixed_order(problem, moves)

    @cache
    def ways(square: Any) -> int:
        return len(list(usual(square)))

    @cache
    def candidates(square: Any) -> list[Any]:
        return counting_sort(list(usual(square)), ways)

    return candidates


def counting_sort(items: Sequence[Any], key: Callable[[Any], int]) -> list[Any]:
    """Items by a small key, least first, equal ones in their old order.

    One pass counts, one places: so text 003 sorts the moves of a square.

    Examples
    --------
    >>> counting_sort(["ccc", "a", "bb", "d"], len)
    ['a', 'd', 'bb', 'ccc']
    """
    keys = [key(item) for item in items]
    begins = [0] * (max(keys, default=0) + 2)
    for value in keys:
        begins[value + 1] += 1
    for value in range(1, len(begins)):
        begins[value] += begins[value - 1]
    placed: list[Any] = [None] * len(keys)
    for item, value in zip(items, keys, strict=True):
        placed[begins[value]] = item
        begins[value] += 1
    return placed


def partners(problem: Problem) -> dict[Any, list[Any]]:
    """Of each square that a required move names, the squares that belong beside it."""
    found: dict[Any, list[Any]] = {}
    for one, other in problem.require:
        found.setdefault(one, []).append(other)
        found.setdefault(other, []).append(one)
    return found


def next_required(
    problem: Problem, start: Any, visited: Collection[Any]
) -> Callable[[Any, Any], list[Any] | None]:
    """A function that tells what required moves leave to do, with the piece on a square.

    It takes the square and the one before (None at the first), and returns the squares of which
    one has to be next: none where any may be, and None where the walk is dead.  By then ``visited``
    holds the squares of the walk, the square among them.
    """
    if problem.directed:
        return required_arcs(problem, start, visited)
    beside = partners(problem)
    around = problem.closed
    at_start = beside.get(start, [])

    def required(square: Any, left: Any) -> list[Any] | None:
        first, last = left is None, len(visited) == problem.size
        if around and left == start and len(at_start) == 2 and square not in at_start:
            return None  # one partner of the first square comes second, the other last
        pending = []
        for other in beside.get(square, ()):
            if other not in visited:
                pending.append(other)
            elif other != left and not (around and last and other == start):
                return None
        if around and first:
            return []
        return pending if len(pending) < 2 else None

    return required


MOST_SQUARES = 1_000_000
"""Half a gigabyte of lists while the table is made."""


@dataclass(frozen=True)
class MoveTable:
    """Where the piece may go from each vertex, in order.

    Attributes
    ----------
    nodes : list
        Square or node of each vertex.
    heads : int32 array of shape (vertices, width)
        Vertices to try from each, -1 after the last.
    """

    nodes: list[Any]
    heads: NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.nodes)

    @cached_property
    def index(self) -> dict[Any, int]:
        """Vertex of each square or node."""
        return {node: vertex for vertex, node in enumerate(self.nodes)}


def move_table(problem: Problem, candidates: Candidates | None = None) -> MoveTable:
    """Table of a problem's moves.

    Parameters
    ----------
    candidates : callable, optional
        Squares to try from a square, in order, always the same ones; ``fixed_order(problem)`` by
        default.

    Raises
    ------
    NotTakenError, TooLargeError
        If the graph is directed, or above a million squares.

    Examples
    --------
    >>> table = move_table(Problem(Board(3, 4)))
    >>> [table.nodes[vertex] for vertex in table.heads[0] if vertex >= 0]
    [(2, 1), (1, 2)]
    """
    import numpy as np

    what = "for the compiled recursion"
    if problem.directed:
        raise NotTakenError(f"expected a board or an undirected graph {what}, got a digraph")
    if problem.size > MOST_SQUARES:
        most = f"{MOST_SQUARES:,} squares"
        raise TooLargeError(f"expected at most {most} {what}, got {problem.size:,}")
    order = candidates or fixed_order(problem)
    nodes = list(problem.graph if problem.board is None else problem.board)
    index = {node: vertex for vertex, node in enumerate(nodes)}
    rows = [[index[other] for other in order(node)] for node in nodes]
    heads = np.full((len(nodes), max(1, *map(len, rows)) if rows else 1), -1, dtype=np.int32)
    for vertex, row in enumerate(rows):
        heads[vertex, : len(row)] = row
    return MoveTable(nodes, heads)

"""A problem as the checker reads it: plain Python values, with neighbours of its own.

:class:`kt_cp.model.problem.Problem` holds a networkx graph and numbers it with NumPy.  The checker
uses neither.  A graph is a mapping from each node to its neighbours, filled from ``nodes`` and
``edges`` as the file lists them.  A board has its squares, and moves by the checker's own
arithmetic (:mod:`kt_cp.trust.check.moves`).

Programs that search for evidence pass a ``Problem``, and :func:`as_instance` converts it.  In the
other direction, :meth:`Instance.problem` returns one for messages and pictures; no check uses it.

**Directed graphs.**  The checker represents each node by a path and each arc by an edge.  A node v
becomes the nodes ``in v``, ``at v`` and ``out v`` in a row.  An arc from u to v becomes the edge
between ``out u`` and ``in v``.  Two more nodes, ``source`` and ``target``, are the ends of an open
tour.  Every tour of the directed graph is a tour of this graph, with three nodes for each node.  So
if this graph has no tour, the directed graph has none.  Conversely, every tour of this graph is a
tour of the directed graph.  So a list of all tours of one is a list of all tours of the other.

The checker does not use :mod:`kt_cp.model.directed`, so an error there cannot make a false proof
pass.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from kt_cp.model.board import Board, square_name
from kt_cp.model.conditions import Condition, End, Given, Required, Start
from kt_cp.model.piece import KNIGHT, Piece
from kt_cp.model.surface import Surface
from kt_cp.trust.check.moves import landings, steps_of
from kt_cp.trust.check.refusal import Reason, Refusal

if TYPE_CHECKING:
    from kt_cp.model.problem import Problem


Pair = tuple[Any, Any]
Rows = Mapping[Any, Collection[Any]]
"""The neighbours of each node of a graph; in a directed graph the heads of its arcs."""

BUDGET = {
    "loads of the frame": 30_000_000,  # about a minute
    "literals": 10_000_000,  # a few hundred megabytes
    "literals examined": 2_000_000_000,  # a few minutes
    "pairs of edges": 50_000_000,  # half a minute
    "choices of a sweep": 50_000_000,  # half a minute, and half a gigabyte
}
"""Limits for the work of checking one certificate."""


class Budget:
    """The remaining budget of the check of a certificate.

    Examples
    --------
    >>> budget = Budget()
    >>> budget.spend("literals", 9_000_000)
    >>> budget.left["literals"]
    1000000
    """

    def __init__(self) -> None:
        self.left = dict(BUDGET)

    def spend(self, what: str, amount: int) -> None:
        """Subtract an amount; refuse the certificate if too little is left."""
        self.left[what] -= amount
        if self.left[what] < 0:
            raise Refusal(Reason.TOO_LARGE, f"expected at most {BUDGET[what]:,} {what} in all")


@dataclass(frozen=True)
class Instance:
    """A Hamiltonian path or cycle problem in plain values.

    Attributes
    ----------
    board : Board or None
        None for a graph.
    piece : Piece
        The piece that moves on the board.
    closed : bool
    conditions : tuple of Condition
    rows : mapping
        The neighbours of each node of a graph, in the order of the nodes; empty for a board.
    directed : bool
        Whether ``rows`` have the heads of arcs.
    budget : Budget
        The remaining budget of the check; the parts of a certificate share it.
    """

    board: Board | None
    piece: Piece
    closed: bool
    conditions: tuple[Condition, ...] = ()
    rows: Rows = field(default_factory=dict)
    directed: bool = False
    budget: Budget = field(default_factory=Budget, compare=False, repr=False)

    @property
    def size(self) -> int:
        """Number of squares or nodes; boards of any size."""
        return len(self.rows) if self.board is None else self.board.size

    @property
    def nodes(self) -> list[Any]:
        """Squares in reading order from a1, or nodes in the order of the file."""
        return list(self.rows if self.board is None else self.board)

    @property
    def names(self) -> list[str]:
        """Names of the squares or nodes, in the same order."""
        return [str(node) if self.board is None else square_name(node) for node in self.nodes]

    @cached_property
    def start(self) -> Any:
        """Where a tour must begin, or None."""
        return next((each.square for each in self.conditions if type(each) is Start), None)

    @cached_property
    def end(self) -> Any:
        """Where an open tour must end, or None."""
        return next((each.square for each in self.conditions if type(each) is End), None)

    @cached_property
    def require(self) -> list[Pair]:
        """Moves that conditions require of every tour; arcs from tail to head."""
        return [move for each in self.conditions for move in each.forced()]

    @cached_property
    def forbid(self) -> list[Pair]:
        """Moves that conditions forbid; arcs from tail to head."""
        return [move for each in self.conditions for move in each.removed()]

    def has_square(self, square: Any) -> bool:
        """Return whether a tour must visit this square or node."""
        return square in (self.rows if self.board is None else self.board)

    def is_move(self, here: Any, there: Any) -> bool:
        """Return whether a move leads from here to there, forbidden or not."""
        if self.board is None:
            return there in self.rows[here]
        steps = steps_of(self.piece)
        return here != there and there in landings(self.board, steps, here)

    def count_moves(self, squares: Iterable[Any]) -> list[int]:
        """Return the number of moves at each square or node, without forbidden ones.

        The board may have any size.
        """
        barred: dict[Any, set[Any]] = {square: set() for square in squares}
        for one, other in self.forbid:
            for here, there in ((one, other), (other, one)):
                if here in barred:
                    barred[here].add(there)
        if self.board is None:
            return [len(set(self.rows[node]) - less) for node, less in barred.items()]
        steps = steps_of(self.piece)
        return [
            sum(
                there in self.board
                for there in {*landings(self.board, steps, here)} - less - {here}
            )
            for here, less in barred.items()
        ]

    def adjacency(self) -> list[list[int]]:
        """Return the neighbours of each square or node by number, ascending, without conditions."""
        number = {node: vertex for vertex, node in enumerate(self.nodes)}
        if self.board is None:
            return [sorted(number[other] for other in row) for row in self.rows.values()]
        steps, rows = steps_of(self.piece), []
        for square in number:
            row = [
                number[there] for there in landings(self.board, steps, square) if there in number
            ]
            if self.board.surface is not Surface.PLANE:  # two steps to one square, or to its own
                row = [*{*row} - {number[square]}]
            rows.append(sorted(row))
        return rows

    def are_moves(self, pairs: Iterable[Pair]) -> list[bool]:
        """Return for each pair of different squares whether it is a move that is not forbidden."""
        barred = set(map(frozenset, self.forbid))
        return [self.is_move(*pair) and frozenset(pair) not in barred for pair in pairs]

    @cached_property
    def problem(self) -> Problem:
        """The problem as a :class:`~kt_cp.model.problem.Problem`, for messages and pictures."""
        from kt_cp.model.problem import Problem

        given: dict[str, Any] = {"closed": self.closed, "conditions": self.conditions}
        if self.board is not None:
            return Problem(self.board, piece=self.piece, **given)
        import networkx as nx

        graph: Any = nx.DiGraph() if self.directed else nx.Graph()
        graph.add_nodes_from(self.rows)
        graph.add_edges_from((u, v) for u, row in self.rows.items() for v in row)
        return Problem(graph=graph, **given)


def as_instance(problem: Problem | Instance) -> Instance:
    """Convert a problem to an instance; an instance is returned as it is."""
    if isinstance(problem, Instance):
        return problem
    rows: Rows = dict(problem.graph.adjacency()) if problem.board is None else {}
    conditions, directed = problem.conditions, problem.directed
    return Instance(problem.board, problem.piece, problem.closed, conditions, rows, directed)


def instance_of_graph(
    nodes: Iterable[Any],
    edges: Iterable[Pair],
    *,
    closed: bool,
    conditions: Sequence[Condition] = (),
    budget: Budget | None = None,
) -> Instance:
    """Return an undirected instance of some nodes and edges; an edge may occur twice."""
    rows: dict[Any, dict[Any, None]] = {node: {} for node in nodes}
    for u, v in edges:
        rows[u][v] = rows[v][u] = None
    left = budget or Budget()
    return Instance(None, KNIGHT, closed, tuple(conditions), rows, budget=left)


DIRECTED_PREFIX = "with each node drawn as a path from in to out, "
"""The beginning of the argument of a directed graph."""


def undirected_instance(instance: Instance) -> Instance:
    """Return the undirected instance of a directed one; the evidence refers to it."""
    nodes, edges = instance.nodes, list[tuple[str, str]]()
    names = [f"{part} {node}" for node in nodes for part in ("in", "at", "out")]
    for node in nodes:
        edges += ((f"in {node}", f"at {node}"), (f"at {node}", f"out {node}"))
        edges += ((f"out {node}", f"in {head}") for head in instance.rows[node])
        if not instance.closed and instance.start in (None, node):
            edges.append(("source", f"in {node}"))
        if not instance.closed and instance.end in (None, node):
            edges.append((f"out {node}", "target"))
    conditions: list[Condition] = []
    if not instance.closed:
        names += ("source", "target")
        conditions = [Start("source"), End("target")]
    elif instance.start is not None:
        conditions = [Start(f"in {instance.start}")]
    for each in instance.conditions:
        match each:
            case Required((tail, head)):  # a forbidden arc as well
                conditions.append(type(each).of(f"out {tail}", f"in {head}"))
            case Given(node, step):
                first = 3 * (step - 1) + (1 if instance.closed else 2)
                conditions += (Given(f"in {node}", first), Given(f"at {node}", first + 1))
            case Start():
                pass  # or an end
            case _:
                raise Refusal(Reason.WRONG_PROBLEM, f"what to do with {each.words} is unknown")
    return instance_of_graph(
        names, edges, closed=instance.closed, conditions=conditions, budget=instance.budget
    )


def two_way_instance(instance: Instance) -> Instance:
    """Return the undirected instance with an edge for each arc and its reverse.

    Every arc must have its reverse.  There must be three nodes, since two nodes have a closed
    directed tour and no undirected one.
    """
    rows = instance.rows
    one_way = any(u not in rows[v] for u, row in rows.items() for v in row)
    if not instance.directed or one_way or instance.require or instance.forbid or len(rows) < 3:
        text = "expected three nodes, and arcs that have their reverse, none required or forbidden"
        raise Refusal(Reason.WRONG_QUESTION, text)
    return replace(instance, directed=False)


def undirected_tour(instance: Instance, tour: Iterable[Any]) -> list[str]:
    """Return the nodes, in the undirected instance, of a tour of a directed one."""
    walk = [f"{part} {node}" for node in tour for part in ("in", "at", "out")]
    return walk if instance.closed else ["source", *walk, "target"]


def directed_tour(instance: Instance, tour: Sequence[Any]) -> list[Any]:
    """Return the nodes of a directed graph in the order of a tour of its undirected instance."""
    nodes = {f"{part} {node}": node for node in instance.nodes for part in ("in", "at", "out")}
    steps = [step for step in tour if step in nodes]
    turned = [*steps[1:], steps[0]]
    # The step from at to in is backwards; both of one node are neighbours in every tour.
    back = any(u[:3] == "at " and nodes[u] == nodes[v] and v[:3] == "in "
               for u, v in zip(steps, turned, strict=True))  # fmt: skip
    return [nodes[step] for step in (steps[::-1] if back else steps) if step[:3] == "at "]

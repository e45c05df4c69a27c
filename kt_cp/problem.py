"""One question about tours: a graph, open or closed, and what the tour must satisfy.

A problem is validated once, when it is made; whatever is handed one can rely on it.  Its graph is
either the knight graph of a board or any simple undirected networkx graph.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from kt_cp.board import Board, describe
from kt_cp.errors import ProblemError

if TYPE_CHECKING:
    import networkx as nx

    from kt_cp.graph import IndexedGraph


@dataclass(frozen=True, init=False)
class Problem:
    """A Hamiltonian path or cycle to be found, on a board or on a graph.

    Parameters
    ----------
    board : Board, optional
        Board whose squares a knight must visit.
    graph : networkx.Graph, optional
        In place of a board: a simple undirected graph, which is copied.
    closed : bool
        Whether the tour must come back to its first square.
    start, end : square or node, optional
        Where an open tour must begin and end.  A closed tour may have a start, from which it is
        then written, but no end.

    Raises
    ------
    ProblemError
        If there is not exactly one of board and graph, the graph is empty, directed or not
        simple, or start and end make no sense.

    Examples
    --------
    >>> Problem(Board(5, 6), start=(0, 0), end=(0, 5)).label
    '5x6, open, from a1 to f1'
    >>> import networkx as nx
    >>> Problem(graph=nx.cycle_graph(5), closed=True).label
    'graph with 5 nodes and 5 edges, closed'
    """

    board: Board | None
    closed: bool
    start: Any
    end: Any
    _given: nx.Graph | None

    def __init__(
        self,
        board: Board | None = None,
        *,
        graph: nx.Graph | None = None,
        closed: bool = False,
        start: Hashable | None = None,
        end: Hashable | None = None,
    ) -> None:
        if (board is None) == (graph is None):
            raise ProblemError("expected a board or a graph, and not both")
        if board is not None and not isinstance(board, Board):
            raise ProblemError(f"expected a Board, got {board!r}")
        # Frozen: attributes are set past the guard, here and nowhere else.
        for name, value in (
            ("board", board),
            ("closed", bool(closed)),
            ("start", start),
            ("end", end),
            ("_given", None if graph is None else _checked(graph)),
        ):
            object.__setattr__(self, name, value)
        self._check_ends()

    def __getstate__(self) -> dict[str, Any]:
        """The five fields alone: what is derived from them is not worth sending anywhere."""
        return {name: self.__dict__[name] for name in self.__dataclass_fields__}

    def _check_ends(self) -> None:
        for square, what in ((self.start, "start"), (self.end, "end")):
            if square is None or self.has_square(square):
                continue
            where = "in the graph" if self.board is None else f"on the {self.board} board"
            if self.board is not None and self.board.on_rectangle(square):
                raise ProblemError(
                    f"expected {what} on a square that is not missing, got {describe(square)}"
                )
            raise ProblemError(f"expected {what} to be {where}, got {describe(square)}")
        if self.closed and self.end is not None:
            raise ProblemError(
                f"a closed tour ends beside its start: expected no end, got {describe(self.end)}"
            )
        if self.start is not None and self.start == self.end and self.size > 1:
            raise ProblemError(
                f"expected start and end to differ, got {describe(self.start)} for both"
            )

    def has_square(self, square: Hashable) -> bool:
        """Whether a square (or node) is one that the tour must visit."""
        if self.board is not None:
            return square in self.board
        assert self._given is not None
        try:
            return square in self._given
        except TypeError:  # unhashable: certainly not a node
            return False

    @property
    def size(self) -> int:
        """Number of squares (or nodes) that the tour must visit, however large."""
        if self.board is not None:
            return self.board.size
        assert self._given is not None
        return int(self._given.number_of_nodes())

    def __len__(self) -> int:
        return self.size

    @cached_property
    def graph(self) -> nx.Graph:
        """The networkx graph in which the tour is a Hamiltonian path or cycle."""
        if self._given is not None:
            return self._given
        from kt_cp.graph import knight_graph

        assert self.board is not None
        return knight_graph(self.board)

    @cached_property
    def indexed(self) -> IndexedGraph:
        """The same graph with numbered vertices, for engines."""
        from kt_cp.graph import index_board, index_graph

        return index_graph(self.graph) if self.board is None else index_board(self.board)

    @property
    def kind(self) -> str:
        """``"closed"`` or ``"open"``."""
        return "closed" if self.closed else "open"

    @cached_property
    def label(self) -> str:
        """The question in a few words, for messages."""
        if self.board is not None:
            what = self.board.label
        else:
            edges = self.graph.number_of_edges()
            what = f"graph with {self.size} nodes and {edges} edges"
        ends = "" if self.start is None else f" from {describe(self.start)}"
        ends += "" if self.end is None else f" to {describe(self.end)}"
        return f"{what}, {self.kind}{',' if ends else ''}{ends}"


def _checked(graph: Any) -> nx.Graph:
    """A frozen copy of a simple undirected graph; attributes are left behind."""
    import networkx as nx

    if not isinstance(graph, nx.Graph):
        raise ProblemError(f"expected a networkx graph, got {type(graph).__name__}")
    if graph.is_directed() or graph.is_multigraph():
        raise ProblemError(
            f"expected a simple undirected networkx graph, got {type(graph).__name__}"
        )
    if graph.number_of_nodes() == 0:
        raise ProblemError("expected a graph with at least one node")
    loops = nx.number_of_selfloops(graph)
    if loops:
        raise ProblemError(f"expected a graph without self-loops, got {loops}")
    copy = nx.Graph()
    copy.add_nodes_from(graph)
    copy.add_edges_from(graph.edges())
    return nx.freeze(copy)

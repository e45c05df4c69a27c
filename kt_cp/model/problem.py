"""Problems: a graph, open or closed tours, and the conditions on a tour.

A problem is validated once, when it is constructed, so every :class:`Problem` is valid.  Its graph
is that of a board and a piece, or any networkx graph, directed or not.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeAlias

from kt_cp.model.board import Board, describe, parse_sides, shorten, square_of
from kt_cp.model.conditions import KINDS, Condition, End, Given, Start, check, conditions_of
from kt_cp.model.errors import ProblemError, suggestion
from kt_cp.model.piece import KNIGHT, Piece, moves_from
from kt_cp.model.surface import Surface
from kt_cp.model.terms import FILE, terms
from kt_cp.model.tour import Tour
from kt_cp.model.views import NotebookDisplay

if TYPE_CHECKING:
    import networkx as nx

    from kt_cp.model.graph import IndexedGraph

    ProblemInput: TypeAlias = "Problem | Board | str | tuple[int, int] | nx.Graph | Iterable[Any]"


Pair = tuple[Any, Any]

MOST_NAMED = 4
"""Most required moves, and most forbidden moves, that a label lists."""


class Problem(NotebookDisplay):
    """A Hamiltonian path or cycle problem on a board or a graph.

    Problems are immutable values.  Two equivalent problems are equal.

    Parameters
    ----------
    board : Board or str, optional
        Board whose squares the piece must visit, or sides such as ``"8x10"``.
    graph : networkx.Graph, optional
        Any graph instead of a board; it is copied.  In a directed graph a tour follows the arcs.
        Loops and parallel edges do not affect tours; ``remarks`` counts them.  Pairs of nodes, a
        mapping of neighbours, and a NumPy or SciPy matrix are read as an undirected graph.
    piece : Piece or str, optional
        Piece that visits the squares: by default the knight on a board, and none on a graph.
    closed : bool
        Whether the tour must return to its first square.  All parameters below also accept names
        of squares, and ``"a1-c2"`` for a move.
    start, end : square or node, optional
        First and last square of an open tour.  A closed tour may have a start, from which it is
        written, but no end.
    require, forbid : iterable of pairs
        Moves that the tour must make, and must not make, in either direction; arcs have one.
    given : mapping from squares to int, or pairs
        Steps, from 1, at which squares are visited.
    symmetry : str, optional
        A motion of the board that maps the tour's set of moves to itself.
    conditions : iterable of Condition
        Further conditions as values.

    Raises
    ------
    ProblemError
        If there is not exactly one board or graph, or the conditions make no sense.

    Examples
    --------
    >>> Problem(Board(5, 6), start=(0, 0), end="f1").label
    '5x6, open, from a1 to f1'
    >>> torus = Board(8, 8, surface="torus")
    >>> Problem(torus, piece="zebra", closed=True, require=[((0, 0), (2, 3))]).label
    '8x8 torus, zebra, closed, with a1-d3'
    >>> from networkx import DiGraph
    >>> Problem(graph=DiGraph([(1, 2), (2, 3)]), require=[(1, 2)]).label
    'digraph with 3 nodes and 2 arcs, open, with 1->2'
    """

    board: Board | None
    piece: Piece
    closed: bool
    conditions: tuple[Condition, ...] = ()
    remarks: tuple[str, ...] = ()
    _given: nx.Graph | None = None
    _of: Problem | None = None  # the directed problem with this undirected form

    def __init__(
        self,
        board: Board | str | None = None,
        *,
        graph: nx.Graph | None = None,
        piece: Piece | str | None = None,
        closed: bool = False,
        start: Hashable | None = None,
        end: Hashable | None = None,
        require: Iterable[Any] = (),
        forbid: Iterable[Any] = (),
        given: Mapping[Any, int] | Iterable[Any] = (),
        symmetry: str | None = None,
        conditions: Iterable[Condition] = (),
    ) -> None:
        if (board is None) == (graph is None):
            raise ProblemError("expected a board or a graph, and not both")
        board = Board.parse(board) if isinstance(board, str) else board
        if board is not None and not isinstance(board, Board):
            raise ProblemError(f"expected a Board or its sides, got {shorten(repr(board))}")
        if graph is not None and piece is not None:
            raise ProblemError("piece is for boards: expected none with a graph")
        moves = Piece.parse(piece) if isinstance(piece, str) else piece or KNIGHT
        if not isinstance(moves, Piece):
            raise ProblemError(f"expected a Piece or its name, got {piece!r:.60}")
        keywords = {"start": start, "end": end, "require": require, "forbid": forbid}
        keywords |= {"given": given, "symmetry": symmetry}
        self._set(board=board, piece=moves, closed=check_flag(closed, "closed"))
        if graph is not None:
            from kt_cp.model.simple_graph import simple_copy

            copy = simple_copy(graph)
            self._set(_given=copy.graph, remarks=copy.remarks)
        values = [*conditions_of(keywords, board is not None, self.directed), *conditions]
        if board is not None:
            values = [each.mapped(square_of) for each in values]
        check(self, values)
        self._set(conditions=tuple(sorted(dict.fromkeys(values), key=self._order)))

    def _set(self, **values: Any) -> None:
        self.__dict__.update(values)

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"a problem does not change: cannot set {name!r}")

    def __getstate__(self) -> dict[str, Any]:
        """Return only the fields, as derived values need not be pickled."""
        return {name: getattr(self, name) for name in Problem.__annotations__}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self._set(**state)

    def __eq__(self, other: object) -> bool:
        return self._key == other._key if isinstance(other, Problem) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._key)

    def __repr__(self) -> str:
        return f"<Problem: {shorten(self.label, 88)}>"

    @cached_property
    def _key(self) -> tuple[Any, ...]:
        graph = self._given
        place: Any = self.board, self.piece
        if graph is not None:
            way: Any = tuple if self.directed else frozenset
            place = frozenset(graph), frozenset(map(way, graph.edges()))
        return place, self.closed, frozenset(self.conditions)

    def _order(self, condition: Condition) -> tuple[Any, ...]:
        return KINDS.index(type(condition)), sorted(map(self.place, condition.squares()))

    @property
    def directed(self) -> bool:
        """Whether a tour follows arcs."""
        return self._given is not None and bool(self._given.is_directed())

    def place(self, square: Any) -> Any:
        """Return a key that sorts squares (or nodes) in the order of the board or graph."""
        return square if self.board is not None else self._places[square]

    @cached_property
    def _places(self) -> dict[Any, int]:
        return {node: place for place, node in enumerate(self._given or ())}

    def has_square(self, square: Hashable) -> bool:
        """Return whether the tour must visit a square (or node)."""
        try:
            return square in (self.graph if self.board is None else self.board)
        except TypeError:  # an unhashable value is not a node
            return False

    def is_move(self, here: Any, there: Any) -> bool:
        """Return whether there is a move from one square to another, allowed or forbidden."""
        if self.board is None:
            return bool(self.graph.has_edge(here, there))
        return here != there and there in moves_from(self.board, self.piece, here)

    @property
    def start(self) -> Any:
        """First square of the tour if it is prescribed, or None."""
        return next((each.square for each in self.conditions if type(each) is Start), None)

    @property
    def end(self) -> Any:
        """Last square of an open tour if it is prescribed, or None."""
        return next((each.square for each in self.conditions if type(each) is End), None)

    def _moves(self, edges: Iterable[Pair]) -> tuple[Pair, ...]:
        pairs = {edge if self.directed else tuple(sorted(edge, key=self.place)) for edge in edges}
        return tuple((u, v) for u, v in sorted(pairs, key=lambda pair: [*map(self.place, pair)]))

    @cached_property
    def require(self) -> tuple[Pair, ...]:
        """Moves that conditions require, each and all in the order of the squares."""
        return self._moves(edge for each in self.conditions for edge in each.forced())

    @cached_property
    def forbid(self) -> tuple[Pair, ...]:
        """Moves that conditions forbid, in the same order."""
        return self._moves(edge for each in self.conditions for edge in each.removed())

    @cached_property
    def given(self) -> dict[Any, int]:
        """Given steps by square."""
        return {each.square: each.step for each in self.conditions if isinstance(each, Given)}

    @property
    def whole_rectangle(self) -> Board | None:
        """The board if the problem is about a knight on a whole plane rectangle, or None.

        Code for this special case tests it: theorems, construction, sizes computed from sides.  It
        ignores conditions; an engine declares which ones it supports.
        """
        board = self.board
        whole = board is not None and not board.missing and board.surface is Surface.PLANE
        return board if whole and self.piece == KNIGHT else None

    @property
    def size(self) -> int:
        """Number of squares (or nodes) that the tour must visit, however large."""
        return int(self.graph.number_of_nodes()) if self.board is None else self.board.size

    def __len__(self) -> int:
        return self.size

    @cached_property
    def graph(self) -> nx.Graph:
        """The networkx graph of all moves, regardless of conditions."""
        from kt_cp.model.graph import piece_graph

        board = self.board
        return self._given if board is None else piece_graph(board, self.piece)

    @cached_property
    def indexed(self) -> IndexedGraph:
        """The graph of all moves that are not forbidden, with numbered vertices."""
        from kt_cp.model.graph import index_problem

        return index_problem(self).without(self.forbid)

    @cached_property
    def forced(self) -> list[tuple[int, int]]:
        """The moves of ``require`` as edges of ``indexed``, smaller vertex first, ascending."""
        index = self.indexed.index if self.require else {}
        return [(index[u], index[v]) for u, v in self.require]

    def tour(self, squares: Sequence[Any]) -> Tour:
        """Return the squares (or nodes) as a tour of this problem, without a check."""
        return Tour(squares, self.closed, self.board, self.piece)

    @property
    def kind(self) -> str:
        """``"closed"`` or ``"open"``."""
        return "closed" if self.closed else "open"

    @cached_property
    def label(self) -> str:
        """Short description of the problem for messages."""
        board = self.board
        if board is not None:
            what = board.label + (f", {self.piece}" if self.piece != KNIGHT else "")
        else:
            edges, words = self.graph.number_of_edges(), terms(self)
            name = self.graph.graph.get(FILE, words.whole)
            nodes = f"{self.size} node{'s' * (self.size != 1)}"
            what = f"{name} with {nodes} and {edges} {words.move}{'s' * (edges != 1)}"
        ends = [each.label(describe) for each in self.conditions if isinstance(each, Start)]
        parts = [what, self.kind, *([" ".join(ends)] if ends else [])]
        for kind in KINDS[2:]:
            labels = [each.label(describe) for each in self.conditions if type(each) is kind]
            more = [f"{len(labels) - MOST_NAMED} more"] if len(labels) > MOST_NAMED else []
            parts += [*labels[:MOST_NAMED], *more]
        return ", ".join(parts)


def changed(problem: Problem, **changes: Any) -> Problem:
    """Return the same problem with other values for some of its keywords."""
    board = problem.board
    source = {"graph": problem.graph} if board is None else {"board": board, "piece": problem.piece}
    conditions = [each for each in problem.conditions if each.key not in changes]
    result = Problem(**{**source, "closed": problem.closed, "conditions": conditions, **changes})
    result._set(remarks=(*problem.remarks, *result.remarks))
    return result


def check_flag(value: object, name: str) -> bool:
    """Return the value of a boolean option; None is false.

    >>> check_flag(True, "closed"), check_flag(None, "closed")
    (True, False)
    """
    if value is None:
        return False
    if isinstance(value, str | bytes | float) or value not in (0, 1):
        raise ProblemError(f"expected {name} to be True or False, got {value!r:.60}")
    return bool(value)


_KEYWORDS = frozenset(
    {"piece", "closed", "start", "end", "require", "forbid", "given", "symmetry", "conditions"}
    | {"missing", "surface"}
)
_LIMITS = ("time_limit", "memory_limit", "seed", "engine", "workers", "progress")
"""Keywords of functions rather than problems, for suggestions in errors."""


def as_problem(value: ProblemInput, options: dict[str, Any]) -> Problem:
    """Return a problem as it is, or make one from a board, its sides or a graph.

    The options are keywords of :class:`Problem`, and with sides also ``missing`` and ``surface`` of
    :class:`Board`.

    Raises
    ------
    TypeError
        If there is any other keyword.
    """
    if unknown := options.keys() - _KEYWORDS:
        name = min(unknown)
        hint = suggestion(name, sorted({*_KEYWORDS, *_LIMITS}))
        raise TypeError(f"unexpected keyword argument {name!r}{hint}")
    if isinstance(value, Problem):
        if options:
            names = ", ".join(options)
            raise ProblemError(f"expected {names} where the problem is made: it does not change")
        return value
    if isinstance(value, tuple) and [*map(type, value)] == [int, int]:
        value = "{}x{}".format(*value)
    if isinstance(value, str):
        board_options = {key: options[key] for key in ("missing", "surface") if key in options}
        rest = {key: value for key, value in options.items() if key not in board_options}
        return Problem(Board(*parse_sides(value), **board_options), **rest)
    for name in ("missing", "surface"):
        if name in options:
            raise ProblemError(f'expected {name} with the sides of a board, such as "8x8"')
    if isinstance(value, Board):
        return Problem(value, **options)
    if value is None or isinstance(value, int):
        expected = 'a Problem, a board such as "8x8" or a graph'
        raise ProblemError(f"expected {expected}, got {value!r:.60}")
    return Problem(graph=value, **options)

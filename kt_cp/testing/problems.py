"""Small problems for the contracts of engines and encodings.

Random questions on small boards, and their tours by plain search without this package.

Copies lay out a surface: the board is repeated nine times or more, each copy is reflected as the
joins require, and a step leads to the square there.
"""

from __future__ import annotations

import random
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from enum import Enum
from itertools import pairwise, product
from typing import TYPE_CHECKING, Any

from kt_cp.model.board import Board
from kt_cp.model.problem import Problem

if TYPE_CHECKING:
    import networkx as nx


ENDS = ("open", "closed", "start", "end", "both", "closed from start")

TOURED: tuple[tuple[int, int, tuple[tuple[int, int], ...], dict[str, Any]], ...] = (
    (3, 4, (), {"start": (0, 0)}),
    (5, 5, (), {}),
    (5, 5, (), {"start": (2, 2)}),
    (5, 6, (), {"end": (3, 3)}),
    (5, 6, (), {"start": (0, 0), "end": (0, 5)}),
    (5, 6, (), {"closed": True}),
    (5, 6, (), {"closed": True, "start": (2, 3)}),
    (5, 6, ((2, 2),), {}),
)
"""Rows, columns, missing squares and conditions of boards that have a tour."""

OTHERS: tuple[tuple[int, int, str, dict[str, Any]], ...] = (
    (3, 3, "0,1", {"given": {(0, 0): 1, (1, 1): 9}}),
    (3, 3, "0,1", {"given": {(0, 0): 2}}),
    (2, 4, "0,1", {"closed": True, "symmetry": "half-turn"}),
    (2, 4, "1,2", {"closed": True, "symmetry": "half-turn"}),
)
"""Rows, columns, piece and conditions that are more than edges, with tours and without."""


class Label(Enum):
    """A node that is hashable but cannot be ordered."""

    NODE = 1


LABELS = (
    *range(8), -1, 2.5, "a", "b", "", "long name", (0, 0), (1, 2, 3), frozenset({1}), b"q",
    Label.NODE,
)  # fmt: skip


def ends(kind: str, first: Any, last: Any) -> dict[str, Any]:
    """Return the keywords of a kind of problem."""
    return {
        "open": {},
        "closed": {"closed": True},
        "start": {"start": first},
        "end": {"end": last},
        "both": {"start": first, "end": last},
        "closed from start": {"closed": True, "start": first},
    }[kind]


def boards() -> list[tuple[int, int, tuple[tuple[int, int], ...]]]:
    """Return rows, columns and missing squares of tiny boards."""
    return [
        (1, 1, ()), (1, 2, ()), (2, 2, ()), (2, 3, ()), (3, 2, ((0, 0),)), (3, 3, ((1, 1),)),
        (2, 4, ()), (3, 3, ((0, 0), (1, 1), (2, 2))), (1, 3, ((0, 1),)),
        (3, 2, ((0, 0), (2, 1), (1, 0), (1, 1))),
    ]  # fmt: skip


def graphs() -> list[nx.Graph]:
    """Return tiny graphs, connected or not, with nodes that can be ordered."""
    import networkx as nx

    return [
        nx.empty_graph(1), nx.path_graph(2), nx.empty_graph(2), nx.path_graph(3),
        nx.cycle_graph(3), nx.empty_graph(3), nx.Graph([(3, 4), (4, 5)]), nx.star_graph(3),
        nx.complete_graph(4), nx.disjoint_union(nx.cycle_graph(4), nx.cycle_graph(4)),
        nx.complete_bipartite_graph(3, 4),
    ]  # fmt: skip


def random_graph(rng: random.Random, most: int) -> nx.Graph:
    """Return a random graph, connected or not, sparse or dense, with hashable labels."""
    import networkx as nx

    size = rng.randint(1, most)
    graph = nx.gnp_random_graph(size, rng.choice([0.25, 0.4, 0.55, 0.8]), seed=rng.randrange(10**6))
    return nx.relabel_nodes(graph, dict(enumerate(rng.sample(LABELS, size))))


def random_board(rng: random.Random) -> Board:
    """Return a board of up to sixteen squares with three to eight of them left."""
    rows, columns = rng.choice([(3, 3), (3, 4), (4, 3), (4, 4), (2, 6)])
    squares = [(row, column) for row in range(rows) for column in range(columns)]
    return Board(rows, columns, set(rng.sample(squares, len(squares) - rng.randint(3, 8))))


def flower_snark(petals: int) -> nx.Graph:
    """Return Isaacs' snark of an odd number of petals: cubic, without a Hamiltonian cycle.

    (R. Isaacs, "Infinite families of nontrivial trivalent graphs which are not Tait colorable",
    American Mathematical Monthly 82, 1975.)  No local rule refutes it.
    """
    import networkx as nx

    graph = nx.Graph()
    for here in range(petals):
        there = (here + 1) % petals
        graph.add_edges_from((("a", here), (other, here)) for other in "bcd")
        c, d = ("c", "d") if there else ("d", "c")
        graph.add_edges_from([(("b", here), ("b", there)), (("c", here), (c, there))])
        graph.add_edge(("d", here), (d, there))
    return graph


Square = tuple[int, int]

PIECES = ("1,2", "1,3", "2,3", "1,4", "0,1", "1,1", "0,2", "2,2", "0,1+1,1", "1,2+0,1", "0,3")
SURFACES = ("plane", "cylinder", "torus", "moebius", "klein")


@dataclass(frozen=True)
class Question:
    """A question as plain values, and the graph of all moves."""

    rows: int
    columns: int
    missing: frozenset[Square]
    piece: str
    surface: str
    closed: bool
    graph: nx.Graph = field(compare=False, repr=False)
    start: Square | None = None
    end: Square | None = None
    require: tuple[tuple[Square, Square], ...] = ()
    forbid: tuple[tuple[Square, Square], ...] = ()

    def problem(self) -> Problem:
        """Return the question as a problem of this package."""
        board = Board(self.rows, self.columns, self.missing, self.surface)
        return Problem(
            board, piece=self.piece, closed=self.closed, start=self.start, end=self.end,
            require=self.require, forbid=self.forbid,
        )  # fmt: skip

    def tours(self) -> Iterator[tuple[Square, ...]]:
        """Yield all tours in every direction; closed ones from ``start``, or the first square."""
        graph = self.graph.copy()
        graph.remove_edges_from(self.forbid)
        required = [set(move) for move in self.require]
        starts = list(graph)[:1] if self.closed else list(graph)
        starts = [self.start] if self.start else starts
        for start in starts:
            for walk in _paths(graph, [start]):
                edges = [{u, v} for u, v in pairwise(walk)]
                if self.closed:
                    if len(walk) < 3 or not graph.has_edge(walk[-1], walk[0]):
                        continue
                    edges.append({walk[-1], walk[0]})
                if self.end in (None, walk[-1]) and all(move in edges for move in required):
                    yield tuple(walk)


def _paths(graph: nx.Graph, walk: list[Square]) -> Iterator[list[Square]]:
    if len(walk) == len(graph):
        yield list(walk)
        return
    for other in graph[walk[-1]]:
        if other not in walk:
            walk.append(other)
            yield from _paths(graph, walk)
            walk.pop()


def moves(
    rows: int, columns: int, missing: Collection[Square], piece: str, surface: str
) -> nx.Graph:
    """Return the graph of a piece on a surface, by copies of the board around it."""
    import networkx as nx

    leaps = [tuple(map(int, leap.split(","))) for leap in piece.split("+")]
    far = max(max(leap) for leap in leaps)
    down = range(-far // rows - 1, far // rows + 2) if surface in ("torus", "klein") else (0,)
    along = range(-far // columns - 1, far // columns + 2) if surface != "plane" else (0,)
    copies = {}
    for square, k, m in product(product(range(rows), range(columns)), down, along):
        row, column = square
        if surface in ("moebius", "klein") and m % 2:
            row = rows - 1 - row
        copies[row + k * rows, column + m * columns] = square
    graph = nx.Graph()
    squares = [each for each in product(range(rows), range(columns)) if each not in missing]
    graph.add_nodes_from(squares)
    for (row, column), (a, b) in product(squares, leaps):
        for up, right in ((a, b), (b, a)):
            for sign, other in product((1, -1), repeat=2):
                there = copies.get((row + sign * up, column + other * right))
                if there in graph and there != (row, column):
                    graph.add_edge((row, column), there)
    return graph


def question(seed: int, most: int = 12) -> Question:
    """Return a random question of at most ``most`` squares, determined by the seed."""
    import networkx as nx

    rng = random.Random(seed)
    while True:
        rows, columns = rng.randint(1, 6), rng.randint(1, 6)
        piece, surface = rng.choice(PIECES), rng.choice(SURFACES)
        squares = list(product(range(rows), range(columns)))
        missing = frozenset(rng.sample(squares, rng.choice((0, 0, 0, 1, 2)) % len(squares)))
        graph = moves(rows, columns, missing, piece, surface)
        edges = graph.number_of_edges()
        sparse = edges < 2.5 * len(graph) or len(graph) < 10
        if 3 <= len(graph) <= most and sparse and nx.is_connected(graph):
            break
    closed = rng.random() < 0.5
    nodes = list(graph)
    start = rng.choice((None, None, rng.choice(nodes)))
    end = rng.choice((None, None, rng.choice(nodes)))
    end = None if closed or end == start else end
    require: list[tuple[Square, Square]] = []
    forbid: list[tuple[Square, Square]] = []
    degree = dict.fromkeys(nodes, 0)
    for move in rng.sample(list(graph.edges()), edges)[: rng.choice((0, 0, 1, 2, 4))]:
        if max(degree[square] for square in move) < 2 and rng.random() < 0.6:
            require.append(move)
            for square in move:
                degree[square] += 1
        else:
            forbid.append(move)
    return Question(
        rows, columns, missing, piece, surface, closed, graph, start, end,
        tuple(require), tuple(forbid),
    )  # fmt: skip

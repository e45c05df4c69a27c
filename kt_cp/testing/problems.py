"""The small problems that engines and encodings are held to."""

from __future__ import annotations

import random
from enum import Enum
from typing import TYPE_CHECKING, Any

from kt_cp.model.board import Board

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
    """A node that can be hashed, and not be put in order."""

    NODE = 1


LABELS = (
    *range(8), -1, 2.5, "a", "b", "", "long name", (0, 0), (1, 2, 3), frozenset({1}), b"q",
    Label.NODE,
)  # fmt: skip


def ends(kind: str, first: Any, last: Any) -> dict[str, Any]:
    """The keywords of a kind of problem."""
    return {
        "open": {},
        "closed": {"closed": True},
        "start": {"start": first},
        "end": {"end": last},
        "both": {"start": first, "end": last},
        "closed from start": {"closed": True, "start": first},
    }[kind]


def boards() -> list[tuple[int, int, tuple[tuple[int, int], ...]]]:
    """Rows, columns and missing squares of tiny boards."""
    return [
        (1, 1, ()), (1, 2, ()), (2, 2, ()), (2, 3, ()), (3, 2, ((0, 0),)), (3, 3, ((1, 1),)),
        (2, 4, ()), (3, 3, ((0, 0), (1, 1), (2, 2))), (1, 3, ((0, 1),)),
        (3, 2, ((0, 0), (2, 1), (1, 0), (1, 1))),
    ]  # fmt: skip


def graphs() -> list[nx.Graph]:
    """Tiny ones, connected or not, with nodes that can be put in order."""
    import networkx as nx

    return [
        nx.empty_graph(1), nx.path_graph(2), nx.empty_graph(2), nx.path_graph(3),
        nx.cycle_graph(3), nx.empty_graph(3), nx.Graph([(3, 4), (4, 5)]), nx.star_graph(3),
        nx.complete_graph(4), nx.disjoint_union(nx.cycle_graph(4), nx.cycle_graph(4)),
        nx.complete_bipartite_graph(3, 4),
    ]  # fmt: skip


def random_graph(rng: random.Random, most: int) -> nx.Graph:
    """Connected or not, thin or dense, with labels of any hashable sort in any order."""
    import networkx as nx

    size = rng.randint(1, most)
    graph = nx.gnp_random_graph(size, rng.choice([0.25, 0.4, 0.55, 0.8]), seed=rng.randrange(10**6))
    return nx.relabel_nodes(graph, dict(enumerate(rng.sample(LABELS, size))))


def random_board(rng: random.Random) -> Board:
    """Three to eight squares of a board of up to sixteen."""
    rows, columns = rng.choice([(3, 3), (3, 4), (4, 3), (4, 4), (2, 6)])
    squares = [(row, column) for row in range(rows) for column in range(columns)]
    return Board(rows, columns, set(rng.sample(squares, len(squares) - rng.randint(3, 8))))


def flower_snark(petals: int) -> nx.Graph:
    """Isaacs' snark of four nodes a petal, an odd number of petals: cubic, and no cycle.

    (R. Isaacs, "Infinite families of nontrivial trivalent graphs which are not Tait colorable",
    American Mathematical Monthly 82, 1975.)  Nothing local tells that there is none.
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

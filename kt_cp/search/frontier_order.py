"""An order of the vertices with a narrow frontier, and a bound on the states after each step.

The *frontier* after some vertices of an order are done consists of their neighbours that are not
done.  The number of its states grows faster than exponentially with its width, so the order decides
which graphs can be counted at all.  The least greatest width is the *vertex separation number* of
the graph, which is its pathwidth, and NP-hard to find.  So several orders are tried, and the one
with the lowest bound on its states wins:

1. Vertices as they are numbered, which on a board is rank by rank, and file by file: one of them
   goes along the narrow side.
2. Breadth first from a vertex that is far away from others, level by level.  Within a level, the
   neighbours of earlier vertices come first (Cuthill and McKee).
3. Greedy: the next vertex is the one on the frontier that adds the fewest new ones; among equals,
   the oldest one.  On graphs made of parts, such as Meredith's, the newest one is better: it
   finishes a part before the next.  It is far worse on long regular graphs, so :func:`sweep_order`
   tries both.

The bound counts patterns.  A vertex of the frontier has 0, 1 or 2 edges: at most as many as it has
earlier neighbours, and at least 2 minus the number of its later ones.  Those with one edge are
paired in any way, so 2k of them have (2k - 1)!! pairings.  On a two-coloured graph every edge joins
two colours, so the degrees of either colour have the same sum, and each vertex that is done has two
edges.  That determines the difference of the sums on the frontier.  A generating function counts
the patterns, in the number of vertices with one edge and in this difference.  The depot of an open
tour is adjacent to both colours: each of its edges shifts the difference by one.

Planar graphs have far fewer states.  If the vertices that are not done are connected, contract them
to one.  The edges from the vertices that are done then leave it in a cyclic order, and paths that
do not cross pair them like brackets.  So c such edges have at most as many states as the c-th
Motzkin number, which is below 3^c.

Source: N. G. Kinnersley, "The vertex separation number of a graph equals its path-width",
Information Processing Letters 42 (1992); E. Cuthill and J. McKee, "Reducing the bandwidth of sparse
symmetric matrices", 1969; for brackets, I. Jensen, "A parallel algorithm for the enumeration of
self-avoiding polygons on the square lattice", J. Phys. A 36 (2003).

Cost: edges times width for each order; a few hundredths of a millisecond a step for a bound.  It is
too high by a factor of 1.7 on 6×10, and by more near the end, where many patterns cannot continue.

When it loses: on random graphs of more than about fifty vertices every order has a wide frontier.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, lru_cache
from itertools import islice
from typing import NamedTuple, Self

from kt_cp.model.board import Board
from kt_cp.model.graph import IndexedGraph

EITHER, ANY = 2, 3
"""Colours of the depot, and of all vertices of a graph without a two-colouring."""

OFFSET = (0, 2, 2, 0)
SHIFTS: tuple[Callable[[int], Iterable[int]], ...] = (
    lambda degree: (degree,),
    lambda degree: (2 - degree,),
    lambda degree: range(2 - degree, 3 + degree, 2),
    lambda _degree: (0,),
)
"""Additions of a vertex to the difference, by its colour and degree; and those of degree 0."""


def state_bounds(
    graph: IndexedGraph, order: Sequence[int], colours: Sequence[int] | None
) -> list[int]:
    """Return an upper bound on the number of states after each step of an order.

    Colours are 0 or 1, or ``EITHER`` for the depot.

    >>> from kt_cp.model.graph import index_board
    >>> graph = index_board(Board(3, 4))
    >>> state_bounds(graph, range(12), graph.colours)[:4]
    [1, 3, 30, 120]
    """
    cut = FrontierCut.of(graph, colours)
    found = []
    for vertex in order:
        cut = cut.after(vertex)
        found.append(cut.states())
    return found


def planar_state_bounds(graph: IndexedGraph, order: Sequence[int]) -> list[float] | None:
    """Return an upper bound on the states after each step, or None if the graph is not planar.

    The bound is infinite where the vertices that are not done are not connected.

    >>> from kt_cp.model.graph import index_board
    >>> from kt_cp.model.piece import Piece
    >>> planar_state_bounds(index_board(Board(2, 3), Piece([(0, 1)])), range(6))
    [2, 4, 4, 4, 2, 1]
    >>> planar_state_bounds(index_board(Board(5, 5)), range(25)) is None
    True
    """
    edges = list(zip(graph.tails.tolist(), graph.heads.tolist(), strict=True))
    faces = 3 if graph.colours is None else 4  # the least edges of a face
    if len(edges) * (faces - 2) > max(faces, faces * (len(graph) - 2)):  # by Euler's formula
        return None
    import networkx as nx
    from networkx.utils import UnionFind

    if not nx.check_planarity(nx.Graph(edges))[0]:
        return None
    rest, parts, cut = UnionFind(range(len(graph))), 0, 0
    done = [True] * len(graph)
    found: list[float] = []
    for vertex in reversed(order):
        found.append(motzkin_number(cut) if parts < 2 else math.inf)
        done[vertex] = False
        parts += 1
        for other in graph.neighbours[vertex]:
            cut += 1 if done[other] else -1
            if not done[other] and rest[other] != rest[vertex]:
                rest.union(other, vertex)
                parts -= 1
    return found[::-1]


@cache
def motzkin_number(size: int) -> int:
    """Count the ways to omit some of ``size`` items in a row and to bracket the others.

    >>> [motzkin_number(size) for size in range(8)]
    [1, 1, 2, 4, 9, 21, 51, 127]
    """
    if size < 2:
        return 1
    before, earlier = motzkin_number(size - 1), motzkin_number(size - 2)
    return ((2 * size + 1) * before + 3 * (size - 1) * earlier) // (size + 2)


def least_bounds(
    graph: IndexedGraph, order: Sequence[int], colours: Sequence[int] | None
) -> list[int]:
    """Return the lower of `state_bounds` and `planar_state_bounds` after each step.

    >>> from kt_cp.model.graph import index_board
    >>> from kt_cp.model.piece import Piece
    >>> graph = index_board(Board(12, 12), Piece([(0, 1)]))
    >>> max(least_bounds(graph, range(144), None)), motzkin_number(13)
    (41835, 41835)
    """
    bounds = state_bounds(graph, order, colours)
    planar = planar_state_bounds(graph, order) or bounds
    return [int(min(each)) for each in zip(bounds, planar, strict=True)]


class FrontierCut(NamedTuple):
    """The vertices that are done, and the frontier before the others."""

    graph_data: VertexData
    done: int = 0
    met: int = 0
    balance: int = 0

    @classmethod
    def of(cls, graph: IndexedGraph, colours: Sequence[int] | None) -> Self:
        """Return the cut before the first step; the colours are those of :func:`state_bounds`."""
        beside = [sum(1 << other for other in near) for near in graph.neighbours]
        known = [ANY] * len(graph) if colours is None else list(colours)
        return cls(VertexData(beside, graph.degrees.tolist(), known))

    def after(self, vertex: int) -> Self:
        """Return the cut with one more vertex done."""
        graph_data, done = self.graph_data, self.done | 1 << vertex
        balance = self.balance + (-2, 2, 0, 0)[graph_data.colours[vertex]]
        return self._replace(done=done, met=self.met | graph_data.beside[vertex], balance=balance)

    @property
    def width(self) -> int:
        """Number of vertices of the frontier."""
        return (self.met & ~self.done).bit_count()

    def states(self) -> int:
        """Return an upper bound on the number of states."""
        kinds, frontier = [], self.met & ~self.done
        beside, degrees, colours = self.graph_data
        while frontier:
            bit = frontier & -frontier
            frontier ^= bit
            vertex = bit.bit_length() - 1
            seen = (beside[vertex] & self.done).bit_count()
            left = degrees[vertex] - seen
            kinds.append((2 - left if left < 2 else 0, min(2, seen), colours[vertex]))
        kinds.sort()
        return count_patterns(tuple(kinds), self.balance)


class VertexData(NamedTuple):
    """Neighbours, as bits, degree and colour of each vertex."""

    beside: list[int]
    degrees: list[int]
    colours: list[int]


@lru_cache(maxsize=100_000)
def count_patterns(kinds: tuple[tuple[int, int, int], ...], balance: int) -> int:
    """Count the patterns of a frontier, from degrees (least, greatest) and colour of its vertices.

    The generating function is one long integer: a field of bits for each of its coefficients.  So
    its product with a factor of few terms is a few shifts and sums.
    """
    width = len(kinds)
    fields, bits = 4 * width + 1, 2 * width + 8
    product, at = 1, balance
    for least, greatest, colour in kinds:
        at += OFFSET[colour]
        terms = [
            product << bits * ((degree == 1) * fields + shift)
            for degree in range(least, greatest + 1)
            for shift in SHIFTS[colour](degree)
        ]
        product = sum(terms)
    if not 0 <= at < fields:
        return 0
    total, matchings, field = 0, 1, (1 << bits) - 1
    for paired in range(0, width + 1, 2):
        total += (product >> bits * (paired * fields + at) & field) * matchings
        matchings *= paired + 1
    return total


WORK = 200_000
"""Work of all greedy orders together; one takes about vertices times width of the frontier."""

WIDEST = 40
"""Most vertices of a frontier whose states are estimated; it has 10²⁴."""

TO_AND_FRO, TRIES, TRIED_VERTICES = 4, 16, 1_600
"""Number of first orders; number of consecutive orders with too many states after which the search
stops; and most vertices of all orders together."""

FEW_STATES = 1_000
"""States for each vertex, by the widths alone, at which an order is good enough."""

TIES = 0.3
"""Share of the ties that are broken at random."""

CANDIDATES = 4
"""Orders whose states are bounded."""


def best_order(
    graph: IndexedGraph, board: Board | None = None, colours: Sequence[int] | None = None
) -> list[int]:
    """Return the best order found; the first vertices are the board's squares, if it has one.

    >>> from kt_cp.model.graph import index_board
    >>> board = Board(20, 6)
    >>> max(frontier_widths(index_board(board), best_order(index_board(board), board)))
    13
    """
    orders = [*_orders(graph, board)]
    found = sorted(orders, key=lambda order: order_cost(frontier_widths(graph, order)))
    # On planar boards the orders along a side are among the best, whatever their widths.
    candidates = [*found[:CANDIDATES], *orders[: 2 if board is not None else 0]]
    close = [order for order in candidates if max(frontier_widths(graph, order)) <= WIDEST]
    if not close:
        return found[0]
    return min(close, key=lambda order: sum(least_bounds(graph, order, colours)))


def sweep_order(graph: IndexedGraph, most: int) -> list[int] | None:
    """Return a greedy order with at most ``most`` vertices on the frontier, or None.

    The first orders go back and forth, because the last vertex of an order is far from its first.
    If their frontiers have many states, others follow.  They begin anywhere and break ties at
    random, always in the same way.  Each must have half as many states, and the search stops after
    several failures in a row.  On a wide graph it stops after about ``most`` steps.
    """
    best: list[int] = []
    least, widest, first = math.inf, 2 * most, 0
    tries, fails, choices = 0, 0, random.Random(0)
    while tries < TO_AND_FRO or fails < min(TRIES, TRIED_VERTICES // len(graph)):
        tries += 1
        ties, bound = (None, least) if tries <= TO_AND_FRO else (choices, least / 2)
        order = _greedy(graph, first, widest, bound, ties)
        is_whole = len(order) == len(graph)
        cost = order_cost(frontier_widths(graph, order)) if is_whole else math.inf
        if cost < bound:
            best, least, widest, fails = order, cost, most, 0
        elif ties is not None:
            fails += 1
        if not best or (tries > 1 and least <= FEW_STATES * len(graph)):
            break
        first = order[-1] if tries < TO_AND_FRO else choices.randrange(len(graph))
    return best if best and max(frontier_widths(graph, best)) <= most else None


def frontier_widths(graph: IndexedGraph, order: Sequence[int]) -> list[int]:
    """Return the width of the frontier after each step of an order.

    >>> from kt_cp.model.graph import index_board
    >>> frontier_widths(index_board(Board(3, 4)), range(12))
    [2, 5, 7, 8, 7, 6, 5, 4, 3, 2, 1, 0]
    """
    met = [False] * len(graph)
    width, found = 0, []
    for vertex in order:
        width -= met[vertex]
        met[vertex] = True
        for other in graph.neighbours[vertex]:
            width += not met[other]
            met[other] = True
        found.append(width)
    return found


def order_cost(widths: Iterable[int]) -> int:
    """Return the number of all states of frontiers of these widths.

    Widths above ``WIDEST`` count alike: their numbers have thousands of digits.
    """
    return sum(count_states(min(width, WIDEST + 1)) for width in widths)


@cache
def count_states(width: int) -> int:
    """Count the states of a frontier: each vertex of degree 0, 1 or 2, those of degree 1 paired.

    >>> [count_states(width) for width in range(5)]
    [1, 2, 5, 14, 43]
    """
    if width < 2:
        return 1 + width
    return 2 * count_states(width - 1) + (width - 1) * count_states(width - 2)


def _orders(graph: IndexedGraph, board: Board | None) -> Iterator[list[int]]:
    total = len(graph)
    yield list(range(total))
    if board is not None:
        files: dict[int, int] = {v: graph.nodes[v][1] for v in range(board.size)}  # type: ignore[index]
        yield sorted(range(total), key=lambda v: (files.get(v, board.columns), v))
    firsts = [_far(graph, component[0]) for component in graph.components]
    yield _breadth_first(graph, firsts)
    tries = max(1, WORK // (total * math.isqrt(1 + 2 * len(graph.tails))))
    starts = islice(_by_degree(graph), tries)
    for first in dict.fromkeys([firsts[0], *starts] if total else ()):
        yield _greedy(graph, first)


def _far(graph: IndexedGraph, vertex: int) -> int:
    """Return a vertex farthest away from one that is farthest away."""
    for _ in range(2):
        vertex = _breadth_first(graph, [vertex], once=True)[-1]
    return vertex


def _breadth_first(graph: IndexedGraph, firsts: list[int], *, once: bool = False) -> list[int]:
    found: list[int] = []
    met = [False] * len(graph)
    for first in firsts:
        met[first] = True
        at = len(found)
        found.append(first)
        while at < len(found):
            near = [other for other in graph.neighbours[found[at]] if not met[other]]
            for other in near:
                met[other] = True
            found += sorted(near, key=lambda v: (graph.degrees[v], v))
            at += 1
        if once:
            break
    return found


def _by_degree(graph: IndexedGraph) -> Iterator[int]:
    # Sorted when first needed, which connected graphs never do.
    yield from sorted(range(len(graph)), key=lambda v: (graph.degrees[v], v))


def _greedy(
    graph: IndexedGraph,
    first: int,
    widest: float = math.inf,
    states: float = math.inf,
    ties: random.Random | None = None,
) -> list[int]:
    """Return the greedy order from a vertex, and from the least degree left in other components.

    It ends where more than ``widest`` vertices are on the frontier, or where the frontiers have
    ``states`` states by their widths.  With ``ties``, the newest vertex comes next, or sometimes
    another one that adds as few.
    """
    total = len(graph)
    fresh = graph.degrees.tolist()  # neighbours not met yet
    met = [False] * total
    frontier: dict[int, None] = {}
    found: list[int] = []

    def meet(vertex: int) -> None:
        met[vertex] = True
        frontier[vertex] = None
        for other in graph.neighbours[vertex]:
            fresh[other] -= 1

    rest, added_by = _by_degree(graph), fresh.__getitem__
    meet(first)
    while len(found) < total and len(frontier) <= widest and states > 0:
        if not frontier:
            meet(next(v for v in rest if not met[v]))
        if ties is None:
            vertex = min(frontier, key=added_by)  # of the least, the oldest
        else:
            vertex = min(reversed(frontier), key=added_by)
            if fresh[vertex] and ties.random() < TIES:
                vertex = ties.choice([v for v in frontier if fresh[v] == fresh[vertex]])
        del frontier[vertex]
        found.append(vertex)
        for other in graph.neighbours[vertex]:
            if not met[other]:
                meet(other)
        states -= count_states(min(len(frontier), WIDEST + 1))
    return found

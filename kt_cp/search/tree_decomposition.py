"""A Hamiltonian cycle by dynamic programming over a tree decomposition.

A graph of small *treewidth* has an elimination order in which every vertex has few neighbours when
it is eliminated.  These neighbours are then joined to each other.  The vertex and these neighbours
are its *bag*.  The bags form a tree: the parent of a vertex is the neighbour that is eliminated
next.  The edges below a bag meet the rest of the graph only in the bag.  So a set of paths below it
is described by a *state*: how many edges each vertex of the bag has, and which pairs of them are
the ends of a path.

1. The states of two children are joined: the degrees are added, and paths that meet become one.
2. The edges from the vertex to later neighbours are chosen, so that it has two.
3. The vertex leaves the bag.  The other vertices must be able to reach degree two by edges that
   are not below the bag.

A cycle may close only when every vertex is on it.  Each state stores the states from which it is
made, and the cycle is read backwards from the last.  If the last bag has no state, no cycle exists.

The method suits graphs in which a few vertices have very many neighbours.  The reductions of
Instant Insanity among the published Hamiltonian graphs have a treewidth of 7 to 9.  A frontier that
sweeps over them from end to end has 20 to 28 vertices.

Source: S. Arnborg and A. Proskurowski, "Linear time algorithms for NP-hard problems restricted to
partial k-trees", Discrete Applied Mathematics 23 (1989); for the order by least fill-in, H. L.
Bodlaender and A. M. C. A. Koster, "Treewidth computations I: upper bounds", Information and
Computation 208 (2010).

Cost: about 0.1 ms a vertex for the order, and about 50 ns for each pair of states in a join.  Most
pairs lead to a known state.

When it loses: if the treewidth is above about ten.  A frontier that is as narrow as the bags needs
no joins, and its steps repeat on periodic graphs.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from kt_cp.model.cycle import CycleForm, cycles_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

WIDEST = 13
"""Most vertices of a bag.  A state has fields for 15; a vertex makes a table 2.5 times as long."""

MOST_PAIRS = 100_000_000
"""Most pairs of states in a join, which cannot be interrupted: five seconds."""


@dataclass(frozen=True)
class TreeDecomposition:
    """An elimination order of the vertices and their bags."""

    order: list[int]  # the vertices in the order of their elimination
    bags: list[list[int]]  # each vertex and its neighbours at its elimination, in the same order

    @property
    def children(self) -> list[list[int]]:
        """Return for each vertex the vertices whose bags are its children."""
        found: list[list[int]] = [[] for _ in self.order]
        for vertex in self.order:
            if len(self.bags[vertex]) > 1:
                found[self.bags[vertex][1]].append(vertex)
        return found

    @property
    def width(self) -> int:
        """One less than the size of the largest bag, as the treewidth counts."""
        return max(map(len, self.bags), default=0) - 1


def decompose(
    neighbours: Sequence[Sequence[int]], widest: int = WIDEST
) -> TreeDecomposition | None:
    """Return a tree decomposition with bags of at most ``widest`` vertices; None if none is found.

    >>> decompose([[1, 3], [0, 2], [1, 3], [2, 0]]).width
    2
    >>> complete = [[v for v in range(20) if v != u] for u in range(20)]
    >>> decompose(complete) is None
    True
    """
    beside = [set(each) for each in neighbours]
    order: list[int] = []
    bags: list[list[int]] = [[] for _ in beside]

    def key(vertex: int) -> tuple[int, int, int]:
        near = beside[vertex]
        if len(near) >= widest:
            return widest**2, len(near), vertex
        missing = sum(len(near) - 1 - len(beside[other] & near) for other in near) // 2
        return missing, len(near), vertex

    keys = [key(vertex) for vertex in range(len(beside))]
    heap = [*keys]
    heapq.heapify(heap)
    while heap:
        latest = heapq.heappop(heap)
        vertex = latest[2]
        if bags[vertex] or latest != keys[vertex]:
            continue  # an edge has joined two of its neighbours since
        near = beside[vertex]
        if len(near) >= widest:
            return None
        order.append(vertex)
        bags[vertex] = [vertex, *near]
        changed = {*near}
        for other in near:
            beside[other].discard(vertex)
        for other in near:
            for third in near - beside[other] - {other}:
                beside[other].add(third)
                beside[third].add(other)
                changed |= beside[other] & beside[third]
        for other in changed:
            latest = key(other)
            if latest != keys[other]:
                keys[other] = latest
                heapq.heappush(heap, latest)
    position = {vertex: place for place, vertex in enumerate(order)}
    for bag in bags:
        bag.sort(key=position.__getitem__)
    return TreeDecomposition(order, bags)


class _Table(NamedTuple):
    """The states below a bag without its first vertex, and their origins."""

    states: NDArray[np.uint64]
    joins: list[tuple[int, NDArray[np.int32]]]  # a child, and pairs of states with it
    origins: NDArray[np.int32]  # a state after all joins, and the neighbours chosen, as bits
    others: list[int]  # the neighbours


def cycle_by_decomposition(
    form: CycleForm, decomposition: TreeDecomposition, *, most: int, should_stop: Callable[[], bool]
) -> tuple[list[int] | None, bool, int]:
    """Find a cycle of a form, or show that no cycle exists, or give up.

    ``most``: states of one table; ``should_stop``: polled before every vertex.  Returns the
    vertices of the cycle in order, or None; whether the search is complete; and the number of
    states.

    >>> from kt_cp.model.cycle import cycle_form
    >>> from kt_cp.model.problem import Problem
    >>> form = cycle_form(Problem("10x3", closed=True))
    >>> cycle, exhausted, states = cycle_by_decomposition(
    ...     form, decompose(form.graph.neighbours), most=10_000, should_stop=lambda: False
    ... )
    >>> len(cycle), exhausted
    (30, True)
    """
    from kt_cp.search.tree_decomposition_kernel import forget, join, move_places

    order, bags, children = decomposition.order, decomposition.bags, decomposition.children
    neighbours, forced = form.graph.neighbours, {frozenset(edge) for edge in form.forced}
    tables: dict[int, _Table] = {}
    below: dict[int, dict[int, int]] = {}  # edges below a bag of each vertex in it
    total = 0
    for number, vertex in enumerate(order):
        if should_stop():
            return None, False, total
        bag = bags[vertex]
        place = {other: at for at, other in enumerate(bag)}
        is_last = len(order) - number == len(bag)
        states = np.array([sum(at << 4 * at for at in range(len(bag)))], np.uint64)
        joins: list[tuple[int, NDArray[np.int32]]] = []
        edges = dict.fromkeys(bag, 0)
        for child in sorted(children[vertex], key=lambda each: len(tables[each].states)):
            inner = bags[child][1:]
            places = np.array([place[other] for other in inner], np.int64)
            moved = move_places(tables[child].states, places, len(inner), len(bag))
            if len(states) * len(moved) > MOST_PAIRS:
                return None, False, total
            states, pairs = join(states, moved, len(bag), is_last, most)
            if not 0 < len(states) <= most:
                return None, not len(states), total
            joins.append((child, pairs))
            for other, count in below.pop(child).items():
                edges[other] += count
        others = [other for other in bag[1:] if other in neighbours[vertex]]
        for other in others:
            edges[other] += 1
        ends = np.array([place[other] for other in others], np.int64)
        required = np.array([frozenset((vertex, other)) in forced for other in others], np.bool_)
        rest = [len(neighbours[other]) - edges[other] for other in bag]
        least = np.array([max(0, 2 - more) for more in rest], np.int64)
        states, origins = forget(states, ends, required, least, len(bag), is_last)
        tables[vertex] = _Table(states, joins, origins, others)
        below[vertex] = {other: edges[other] for other in bag[1:]}
        total += len(states)
        if not 0 < len(states) <= most:
            return None, not len(states), total
    return cycles_of(_links(tables, order[-1], len(order)))[0], True, total


def _links(tables: dict[int, _Table], root: int, size: int) -> list[list[int]]:
    """Return the neighbours of each vertex on the cycle of the last state."""
    links: list[list[int]] = [[] for _ in range(size)]
    waiting = [(root, 0)]
    while waiting:
        vertex, state = waiting.pop()
        table = tables[vertex]
        index, chosen = table.origins[state].tolist()
        for which, other in enumerate(table.others):
            if chosen >> which & 1:
                links[vertex].append(other)
                links[other].append(vertex)
        for child, pairs in reversed(table.joins):
            index, below = pairs[index].tolist()
            waiting.append((child, below))
    return links

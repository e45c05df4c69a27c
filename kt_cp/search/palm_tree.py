"""Palm trees: a depth-first search tree, numbered so that paths back come in a useful order.

Every edge of a graph is a tree arc down from father to child, or a frond up to an ancestor. The
*low point* of a vertex is the highest ancestor that a frond from it or from below it leads to, and
the second low point the next one. The arcs at each vertex are sorted by where they lead back to,
and the vertices are numbered again: a child that comes first has the highest numbers.

Source: J. Hopcroft and R. Tarjan, "Dividing a graph into triconnected components", SIAM Journal on
Computing 2 (1973); the order of the arcs is the corrected one of C. Gutwenger and P. Mutzel, "A
linear time implementation of SPQR-trees", Graph Drawing 2000. Cost: linear, but for sorting the
arcs at each vertex. When it loses: it is of use to the search for pairs of vertices
(:mod:`kt_cp.search.triconnected`) alone; cut vertices are told by
:mod:`kt_cp.search.depth_first`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass
class PalmTree:
    """A palm tree; vertices are numbered from 1, the root, and lists have an entry 0 for nothing.

    Attributes
    ----------
    node : list of int
        Which vertex of the graph has each number.
    father, low, second, below : list of int
        Of each vertex, the father (0 for the root), the two low points, and how many vertices
        there are below it and with it.
    arcs : list of list of int
        Heads of the arcs of each vertex, in order: higher numbers are children.
    """

    node: list[int]
    father: list[int]
    low: list[int]
    second: list[int]
    below: list[int]
    arcs: list[list[int]]


def palm_tree(neighbours: Sequence[Sequence[int]]) -> PalmTree | None:
    """A palm tree from vertex 0, or None where the graph is not two-connected.

    Examples
    --------
    >>> palm_tree([[1, 2], [0, 2], [0, 1]]).arcs
    [[], [2], [3], [1]]
    >>> palm_tree([[1], [0, 2], [1]]) is None
    True
    """
    searched = _searched(neighbours)
    if searched is None:
        return None
    order, number, father, low, second = searched
    size = len(order)
    below = [1] * size
    for v in reversed(order[1:]):
        below[father[v]] += below[v]
    arcs: list[list[int]] = [[]] * size
    new = [0] * size
    new[order[0]] = 1
    for v in order:
        at = number[v]
        row = []
        for w in neighbours[v]:
            if father[w] == v:
                row.append((3 * low[w] + (0 if second[w] < at else 2), w))
            elif number[w] < at and w != father[v]:
                row.append((3 * number[w] + 1, w))
        row.sort()
        arcs[v] = [w for _, w in row]
        top = new[v] + below[v]
        for w in arcs[v]:
            if father[w] == v:
                top -= below[w]
                new[w] = top
    empty: list[list[int]] = [[]] * (size + 1)
    tree = PalmTree([0], [0], [0], [0], [0], empty)
    for each in (tree.node, tree.father, tree.low, tree.second, tree.below):
        each *= size + 1
    for v, at in enumerate(new):
        tree.node[at] = v
        tree.father[at] = 0 if father[v] < 0 else new[father[v]]
        tree.low[at], tree.second[at] = new[order[low[v]]], new[order[second[v]]]
        tree.below[at] = below[v]
        tree.arcs[at] = [new[w] for w in arcs[v]]
    return tree


def _searched(
    neighbours: Sequence[Sequence[int]],
) -> tuple[list[int], list[int], list[int], list[int], list[int]] | None:
    """Vertices as they are found, with number, father and low points; None if a vertex cuts."""
    size = len(neighbours)
    number, father = [-1] * size, [-1] * size
    low, second = [0] * size, [0] * size
    rows = [iter(row) for row in neighbours]
    order = [0]
    number[0] = 0
    stack = [0]
    while stack:
        v = stack[-1]
        for w in rows[v]:
            at = number[w]
            if at < 0:
                father[w] = v
                number[w] = low[w] = second[w] = len(order)
                order.append(w)
                stack.append(w)
                break
            if w != father[v]:
                if at < low[v]:
                    low[v], second[v] = at, low[v]
                elif low[v] < at < second[v]:
                    second[v] = at
        else:
            stack.pop()
            u = father[v]
            if u < 0:
                break
            if low[v] >= number[u] and (u != 0 or len(order) < size):
                return None
            if low[v] < low[u]:
                low[u], second[u] = low[v], min(low[u], second[v])
            elif low[v] == low[u]:
                second[u] = min(second[u], second[v])
            else:
                second[u] = min(second[u], low[v])
            if u == 0 and len(order) < size:
                return None
    if len(order) < size:
        return None
    return order, number, father, low, second


class PalmArcs:
    """The arcs of a palm tree with numbers of their own, of which some are taken away and some new.

    Attributes
    ----------
    tail, head : list of int
        Of each arc.
    rows : list of list of int
        Arcs of each vertex in order; -1 where one was taken away.
    arc_to : list of int
        The tree arc to each vertex.
    high : list of list of int
        Tails of the fronds into each vertex, in the order of the search from the last to the first;
        0 where one was taken away.
    """

    def __init__(self, tree: PalmTree) -> None:
        self.node, self.below = tree.node, tree.below
        self.father, self.low, self.second = tree.father, tree.low, tree.second
        size = len(tree.node)
        self.tail: list[int] = []
        self.head: list[int] = []
        self.is_tree: list[bool] = []
        self.virtual: list[bool] = []
        self.place: list[int] = []  # of an edge among the arcs of its tail
        self.in_high: list[int] = []  # of a frond among those into its head
        self.rows: list[list[int]] = [[] for _ in range(size)]  # edges; -1 where taken away
        self.first = [0] * size
        self.arc_to = [0] * size
        self.degree = [0] * size
        self.high: list[list[int]] = [[] for _ in range(size)]
        self._number_edges(tree.arcs)

    def _number_edges(self, arcs: list[list[int]]) -> None:
        """In the order of the search; of the fronds into a vertex the first one comes last."""
        stack, at = [1], [0] * len(arcs)
        while stack:
            v = stack[-1]
            if at[v] == len(arcs[v]):
                stack.pop()
                continue
            w = arcs[v][at[v]]
            at[v] += 1
            tree = w > v
            edge = self._edge(v, w, tree, len(self.rows[v]), False)
            self.rows[v].append(edge)
            self.degree[v] += 1
            self.degree[w] += 1
            if tree:
                self.arc_to[w] = edge
                stack.append(w)
            else:
                self.high[w].append(edge)
        for fronds in self.high:
            fronds.reverse()
            for place, edge in enumerate(fronds):
                self.in_high[edge] = place
                fronds[place] = self.tail[edge]

    def _edge(self, tail: int, head: int, tree: bool, place: int, virtual: bool = True) -> int:
        self.tail.append(tail)
        self.head.append(head)
        self.is_tree.append(tree)
        self.virtual.append(virtual)
        self.place.append(place)
        self.in_high.append(-1)
        return len(self.tail) - 1

    def _unlist(self, edge: int) -> None:
        """Take an edge away from the arcs of its tail, and from the fronds into its head."""
        self.rows[self.tail[edge]][self.place[edge]] = -1
        self._unhigh(edge)

    def _unhigh(self, edge: int) -> None:
        if self.in_high[edge] >= 0:
            self.high[self.head[edge]][self.in_high[edge]] = 0

    def _highest(self, v: int) -> int:
        """Tail of the first frond into a vertex that is still there, or 0."""
        fronds = self.high[v]
        while fronds and not fronds[-1]:
            fronds.pop()
        return fronds[-1] if fronds else 0

    def _front(self, v: int) -> int:
        """The first arc of a vertex that is still there."""
        row = self.rows[v]
        while row[self.first[v]] < 0:
            self.first[v] += 1
        return row[self.first[v]]

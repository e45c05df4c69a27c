"""Palm trees: a depth-first search tree, numbered so that paths back come in a useful order.

Every edge of a graph is a tree arc down from father to child, or a frond up to an ancestor. The
*low point* of a vertex is the highest ancestor that a frond from it or from below it leads to, and
the second low point the next one. The arcs at each vertex are sorted by where they lead back to,
and the vertices are numbered again: a child that comes first has the highest numbers.

Source: J. Hopcroft and R. Tarjan, "Dividing a graph into triconnected components", SIAM Journal on
Computing 2 (1973); the order of the arcs is the corrected one of C. Gutwenger and P. Mutzel, "A
linear time implementation of SPQR-trees", Graph Drawing 2000. Cost: linear; the arcs are sorted
into buckets. When it loses: it is of use to the search for pairs of vertices
(:mod:`kt_cp.search.triconnected`) alone; cut vertices are told by
:mod:`kt_cp.search.depth_first`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from kt_cp.search.flat import Flat, Ints, rows_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class PalmTree(NamedTuple):
    """A palm tree; vertices are numbered from 1, the root, and lists have an entry 0 for nothing.

    All are lists, or arrays of large graphs (:mod:`kt_cp.search.flat`).

    Attributes
    ----------
    node : ints
        Which vertex of the graph has each number.
    father, low, second, below : ints
        Of each vertex, the father (0 for the root), the two low points, and how many vertices
        there are below it and with it.
    tail, head : ints
        Of each edge, as an arc.
    begin, end, rows : ints
        Arcs of each vertex, ``rows[begin[v]:end[v]]``, in order.
    """

    node: Any
    father: Any
    low: Any
    second: Any
    below: Any
    tail: Any
    head: Any
    begin: Any
    end: Any
    rows: Any


def palm_tree(
    size: int, tails: NDArray[np.int64], heads: NDArray[np.int64]
) -> tuple[Flat, PalmTree] | None:
    """A palm tree from vertex 0, or None where the graph is not two-connected.

    Examples
    --------
    >>> import numpy as np
    >>> _, tree = palm_tree(3, np.array([0, 0, 1]), np.array([1, 2, 2]))
    >>> tree.tail, tree.head
    ([1, 3, 2], [2, 1, 3])
    >>> palm_tree(3, np.array([0, 1]), np.array([1, 2])) is None
    True
    """
    flat, edges = Flat(size), len(tails)
    start, near, edge = map(flat.of, rows_of(size, tails, heads))
    number, father, low, second = (flat.full(size, fill) for fill in (-1, -1, 0, 0))
    order, by, stack = flat.full(size), flat.full(size, -1), flat.full(size)
    made = number, father, low, second, order, by
    if not flat.run(_searched, start, near, edge, *made, stack, flat.of(flat.back(start))):
        return None
    numbered, arcs = [flat.full(size + 1) for _ in range(5)], [flat.of(tails), flat.of(heads)]
    rows = [flat.full(size + 1), flat.full(size + 1), flat.full(edges)]
    tree = PalmTree._make([*numbered, *arcs, *rows])
    room = flat.full(3 * size + 3, -1), flat.full(edges), *(flat.full(size) for _ in range(4))
    flat.run(_ordered, *made, *room, *tree)
    return flat, tree


def _searched(
    start: Ints,
    near: Ints,
    edge: Ints,
    number: Ints,
    father: Ints,
    low: Ints,
    second: Ints,
    order: Ints,
    by: Ints,  # the edge from the father
    stack: Ints,
    at: Ints,
) -> bool:
    """Vertices in order as they are found, with number, father and low points.

    False if a vertex cuts the graph, or it is not connected.
    """
    size = len(number)
    number[0] = 0
    found = depth = 1
    while depth > 0:
        v = stack[depth - 1]
        if at[v] < start[v + 1]:
            w = near[at[v]]
            there = number[w]
            if there < 0:
                father[w], by[w] = v, edge[at[v]]
                number[w] = low[w] = second[w] = found
                order[found] = w
                stack[depth] = w
                found += 1
                depth += 1
            elif w != father[v]:
                if there < low[v]:
                    low[v], second[v] = there, low[v]
                elif low[v] < there < second[v]:
                    second[v] = there
            at[v] += 1
            continue
        depth -= 1
        u = father[v]
        if u < 0:
            break
        if low[v] >= number[u] and (u != 0 or found < size):
            return False
        if low[v] < low[u]:
            low[u], second[u] = low[v], min(low[u], second[v])
        elif low[v] == low[u]:
            second[u] = min(second[u], second[v])
        else:
            second[u] = min(second[u], low[v])
    return found == size


def _ordered(
    number: Ints,
    father: Ints,
    low: Ints,
    second: Ints,
    order: Ints,
    by: Ints,
    bucket: Ints,
    following: Ints,  # in the same bucket
    opened: Ints,
    filled: Ints,
    many: Ints,
    new: Ints,
    node: Ints,
    new_father: Ints,
    new_low: Ints,
    new_second: Ints,
    below: Ints,
    tail: Ints,
    head: Ints,
    begin: Ints,
    end: Ints,
    rows: Ints,
) -> None:
    """Arcs in order, and all by the new numbers."""
    size = len(number)
    for e in range(len(tail)):
        v, w = tail[e], head[e]
        if by[v] == e or (by[w] != e and number[v] < number[w]):
            v, w = w, v
        tail[e], head[e] = v, w
        key = 3 * number[w] + 1
        if by[w] == e:
            key = 3 * low[w] + (0 if second[w] < number[v] else 2)
        following[e] = bucket[key]
        bucket[key] = e
        filled[v] += 1
    total = 0
    for v in range(size):
        opened[v] = total
        total += filled[v]
        filled[v] = opened[v]
        many[v] = 1
    for key in range(len(bucket)):
        e = bucket[key]
        while e >= 0:
            rows[filled[tail[e]]] = e
            filled[tail[e]] += 1
            e = following[e]
    for i in range(size - 1, 0, -1):
        many[father[order[i]]] += many[order[i]]
    new[order[0]] = 1
    for i in range(size):
        v = order[i]
        top = new[v] + many[v]
        for place in range(opened[v], filled[v]):
            w = head[rows[place]]
            if by[w] == rows[place]:
                top -= many[w]
                new[w] = top
    for v in range(size):
        at = new[v]
        node[at], below[at] = v, many[v]
        begin[at], end[at] = opened[v], filled[v]
        new_father[at] = 0 if father[v] < 0 else new[father[v]]
        new_low[at], new_second[at] = new[order[low[v]]], new[order[second[v]]]
    for e in range(len(tail)):
        tail[e], head[e] = new[tail[e]], new[head[e]]

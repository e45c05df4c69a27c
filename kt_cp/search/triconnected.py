"""Pairs of vertices that hold a graph together: split components by one depth-first search.

Take a pair of vertices away, and the rest may fall apart. Then the graph is the union of two
smaller ones that share the pair, and each gets a *virtual edge* between the two in place of the
other. Go on, and what is left are cycles (here: triangles) and graphs that no pair separates. What
a virtual edge means to a Hamiltonian cycle is said in `kt_cp.proofs.split`.

The search numbers the vertices and takes the edges at each in such an order that a path that
returns to the root side as far as possible comes first. So the graph is cut into paths, each of
which begins where an earlier one passes. A pair is of the first type if all that hangs below a
child of b comes back to a and b alone: two low points tell. It is of the second type if a part of
one path between a and b lets no other edge out: a stack of candidates (h, a, b) tells, where h is
the highest number in the part. Edges wait on a stack of their own until a pair takes them away.
Several edges between a and b would be a component as well; here they are counted by whoever needs
it, from the pairs of the virtual edges.

Source: J. Hopcroft and R. Tarjan, "Dividing a graph into triconnected components", SIAM Journal on
Computing 2 (1973); with the corrections of C. Gutwenger and P. Mutzel, "A linear time
implementation of SPQR-trees", Graph Drawing 2000. Cost: linear, with explicit stacks, because
graphs are deeper than Python's recursion limit, and in flat arrays, because large ones are
searched compiled (`benchmarks/MEASURED.md`). When it loses: it knows pairs alone, and three
vertices are not asked.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from kt_cp.search.flat import Ints
from kt_cp.search.palm_tree import palm_tree
from kt_cp.search.path_search import path_search

if TYPE_CHECKING:
    from numpy.typing import NDArray

VIRTUAL = -1
"""In place of the number of an edge."""


class Components(NamedTuple):
    """Triangles, and graphs that no pair of vertices separates.

    Attributes
    ----------
    bounds : int64 array of shape (components + 1,)
        Where the edges of each begin.
    tails, heads : int64 arrays
        Both ends of an edge, the smaller first.
    edge : int64 array
        Its number in the graph, or ``VIRTUAL``.
    """

    bounds: NDArray[np.int64]
    tails: NDArray[np.int64]
    heads: NDArray[np.int64]
    edge: NDArray[np.int64]


def split_components(
    size: int, tails: NDArray[np.int64], heads: NDArray[np.int64]
) -> Components | None:
    """Split a simple graph of three vertices and more; None where it is not two-connected.

    Returns
    -------
    Components or None
        A graph that is a cycle comes as triangles, too.

    Examples
    --------
    Two squares that share two corners:

    >>> tails, heads = np.array([0, 0, 0, 0, 1, 2, 2, 2]), np.array([1, 3, 4, 5, 2, 3, 4, 5])
    >>> split_components(6, tails, heads).bounds.tolist()
    [0, 3, 6, 9, 12]
    >>> split_components(3, np.array([0, 1]), np.array([1, 2])) is None
    True
    """
    made = palm_tree(size, tails, heads)
    if made is None:
        return None
    flat, tree = made
    edges = len(tails)
    # A split leaves at most 3 m - 6 edges in all components, and each takes two of its own.
    ids = 3 * edges + 4
    tail, head = flat.full(ids), flat.full(ids)
    tail[:edges], head[:edges] = tree.tail, tree.head
    tree = tree._replace(tail=tail, head=head)
    arcs = [flat.full(ids, fill) for fill in (0, 0, -1)]
    arc_to, degree, at, left, entered, ahead, stack = (flat.full(size + 1) for _ in range(7))
    high = [flat.full(ids), flat.full(ids), flat.full(size + 1, -1)]
    order = tree.tail, tree.head, tree.begin, tree.end, tree.rows
    highs = flat.run(
        _fronds, *order, *arcs, arc_to, degree, at, left, ahead, stack, flat.full(edges), *high
    )
    room = [flat.full(ids), arc_to, degree, at, left, entered, ahead, stack, *high, flat.full(ids)]
    room += [flat.full(2 * ids) for _ in range(3)]
    out = [flat.full(ids) for _ in range(4)]
    count = flat.run(path_search, edges, highs, *tree, *arcs, *room, *out)
    bounds, u, v, edge = map(flat.back, out)
    bounds = bounds[: count + 1]
    u, v, edge = (each[: bounds[-1]] for each in (u, v, edge))
    return Components(bounds, np.minimum(u, v), np.maximum(u, v), edge)


def _fronds(
    tail: Ints,
    head: Ints,
    begin: Ints,
    end: Ints,
    rows: Ints,
    is_tree: Ints,
    place_of: Ints,
    in_high: Ints,
    arc_to: Ints,
    degree: Ints,
    at: Ints,
    left: Ints,
    ahead: Ints,
    stack: Ints,
    found: Ints,  # fronds in the order of the search
    high_tail: Ints,
    high_next: Ints,
    high_first: Ints,
) -> int:
    """Lists of the fronds into each vertex, in the order of the search; how many there are."""
    highs = 0
    stack[0] = 1
    depth = 1
    for v in range(1, len(begin)):
        at[v] = ahead[v] = begin[v]
        left[v] = end[v] - begin[v]
    while depth > 0:
        v = stack[depth - 1]
        if at[v] == end[v]:
            at[v] = begin[v]
            depth -= 1
            continue
        e = rows[at[v]]
        place_of[e] = at[v]
        at[v] += 1
        w = head[e]
        degree[v] += 1
        degree[w] += 1
        if w > v:
            is_tree[e] = 1
            arc_to[w] = e
            stack[depth] = w
            depth += 1
        else:
            found[highs] = e
            highs += 1
    for i in range(highs - 1, -1, -1):
        e = found[i]
        in_high[e] = i
        high_tail[i] = tail[e]
        high_next[i] = high_first[head[e]]
        high_first[head[e]] = i
    return highs

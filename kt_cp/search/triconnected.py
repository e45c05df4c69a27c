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

Palm trees: a depth-first search tree, numbered so that paths back come in a useful order.

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

The search for pairs of vertices that hold a graph together, in a palm tree.

What it looks for, and whose it is, stands in :mod:`kt_cp.search.triconnected`, which makes the room
for it.  It is one long function of flat arrays, because it is compiled for large graphs
(:mod:`kt_cp.search.numba_arrays`), and because each step may change what the next one looks at.
Arcs are told by their numbers: those of the graph come first, and virtual ones after them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from kt_cp.search.numba_arrays import Ints, Workspace, csr_rows

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class PalmTree(NamedTuple):
    """A palm tree; vertices are numbered from 1, the root, and lists have an entry 0 for nothing.

    All are lists, or arrays of large graphs (:mod:`kt_cp.search.numba_arrays`).

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
) -> tuple[Workspace, PalmTree] | None:
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
    flat, edges = Workspace(size), len(tails)
    start, near, edge = map(flat.of, csr_rows(size, tails, heads))
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


def path_search(
    edges: int,
    highs: int,
    node: Ints,
    father: Ints,
    low: Ints,
    second: Ints,
    below: Ints,
    tail: Ints,
    head: Ints,
    begin: Ints,
    end: Ints,
    rows: Ints,  # -1 where an arc was taken away
    is_tree: Ints,
    place_of: Ints,  # of an arc in its row
    in_high: Ints,  # of a frond among those into its head
    waiting: Ints,  # arcs
    arc_to: Ints,  # the tree arc to a vertex
    degree: Ints,
    at: Ints,
    left: Ints,
    entered: Ints,  # the tree arc that was followed last, counted from 1
    ahead: Ints,  # the first arc of a row that may still be there
    stack: Ints,
    high_tail: Ints,  # fronds into a vertex, from the first of the search on: their tails,
    high_next: Ints,  # what comes after each,
    high_first: Ints,  # what comes first at each vertex,
    high_dead: Ints,  # and which were taken away
    cand_high: Ints,
    cand_a: Ints,  # -1 at a mark
    cand_b: Ints,
    bounds: Ints,
    out_u: Ints,
    out_v: Ints,
    out_edge: Ints,
) -> int:
    """The second search; returns how many components there are."""
    ids, told, count, top = edges, 0, 0, 0
    stack[0], cand_a[0] = 1, -1
    depth = candidates = 1
    while depth > 0:
        v = stack[depth - 1]
        place = at[v]
        if place == end[v]:
            depth -= 1
            continue
        starts = place > begin[v] or v == 1
        e = entered[v] - 1
        if e < 0:
            e = rows[place]
            if e < 0:
                at[v] += 1
                continue
            w = head[e]
            if starts:
                returns = low[w] if is_tree[e] else w
                highest, last = 0, -1
                while cand_a[candidates - 1] > returns:
                    candidates -= 1
                    highest, last = max(highest, cand_high[candidates]), cand_b[candidates]
                if last < 0:
                    highest, last = v, v
                    if is_tree[e]:
                        highest = w + below[w] - 1
                cand_high[candidates], cand_a[candidates] = highest, returns
                cand_b[candidates] = last
                candidates += 1
                if is_tree[e]:
                    cand_a[candidates] = -1
                    candidates += 1
            if is_tree[e]:
                entered[v] = e + 1
                stack[depth] = w
                depth += 1
            else:
                waiting[top] = e
                top += 1
                at[v] += 1
                left[v] -= 1
            continue
        entered[v] = 0
        w = head[e]
        waiting[top] = arc_to[w]
        top += 1
        # Pairs of the second type: v and a vertex below w, which may take the place of w.
        while v != 1:
            narrow = False
            if degree[w] == 2:
                while rows[ahead[w]] < 0:
                    ahead[w] += 1
                narrow = head[rows[ahead[w]]] > w
            h, a, b = cand_high[candidates - 1], cand_a[candidates - 1], cand_b[candidates - 1]
            if a != v and not narrow:
                break
            if a == v and father[b] == a:
                candidates -= 1
                continue
            double = -1
            if narrow:
                for _ in range(2):
                    top -= 1
                    e = waiting[top]
                    out_u[told], out_v[told] = tail[e], head[e]
                    out_edge[told] = e
                    told += 1
                rows[place_of[e]] = -1
                x = head[e]
                degree[x] -= 1
                degree[v] -= 1
                if top > 0 and tail[waiting[top - 1]] == x and head[waiting[top - 1]] == v:
                    top -= 1
                    double = waiting[top]
            else:
                candidates -= 1
                x = b
                while top > 0:
                    e = waiting[top - 1]
                    t, u = tail[e], head[e]
                    if t < a or t > h or u < a or u > h:
                        break
                    top -= 1
                    if (t == a and u == b) or (t == b and u == a):
                        double = e
                    else:
                        out_u[told], out_v[told] = t, u
                        out_edge[told] = e
                        told += 1
                        degree[t] -= 1
                        degree[u] -= 1
                    if e == double or place_of[e] != place:
                        rows[place_of[e]] = -1
                        if in_high[e] >= 0:
                            high_dead[in_high[e]] = 1
            if narrow and double >= 0:
                rows[place_of[double]] = -1
                if in_high[double] >= 0:
                    high_dead[in_high[double]] = 1
            if double >= 0:
                degree[x] -= 1
                degree[v] -= 1
            out_u[told], out_v[told], out_edge[told] = v, x, edges
            told += 1
            count += 1
            bounds[count] = told
            tail[ids], head[ids], place_of[ids], is_tree[ids] = v, x, place, 1
            waiting[top] = rows[place] = arc_to[x] = ids
            top += 1
            ids += 1
            degree[x] += 1
            degree[v] += 1
            father[x] = v
            w = x
        # A pair of the first type: v and the low point of w, and all that hangs below w.
        if second[w] >= v > low[w] and (father[v] != 1 or left[v] >= 2):
            back, after = low[w], w + below[w]
            while top > 0:
                e = waiting[top - 1]
                t, u = tail[e], head[e]
                if (t < w or t >= after) and (u < w or u >= after):
                    break
                top -= 1
                out_u[told], out_v[told], out_edge[told] = t, u, e
                told += 1
                if place_of[e] != place:
                    rows[place_of[e]] = -1
                    if in_high[e] >= 0:
                        high_dead[in_high[e]] = 1
                degree[t] -= 1
                degree[u] -= 1
            out_u[told], out_v[told], out_edge[told] = v, back, edges
            told += 1
            count += 1
            bounds[count] = told
            tail[ids], head[ids], place_of[ids] = v, back, place
            if top > 0:
                e = waiting[top - 1]
                t, u = tail[e], head[e]
                if (t == v and u == back) or (t == back and u == v):
                    top -= 1
                    if place_of[e] != place:
                        rows[place_of[e]] = -1
                    in_high[ids] = in_high[e]
                    degree[v] -= 1
                    degree[back] -= 1
            if back != father[v]:
                waiting[top] = rows[place] = ids
                top += 1
                while high_first[back] >= 0 and high_dead[high_first[back]]:
                    high_first[back] = high_next[high_first[back]]
                first = high_first[back]
                if in_high[ids] < 0 and (first < 0 or high_tail[first] < v):
                    high_tail[highs], high_next[highs] = v, first
                    high_first[back] = in_high[ids] = highs
                    highs += 1
                degree[v] += 1
                degree[back] += 1
            else:
                rows[place] = -1
                ids += 1
                arc = arc_to[v]
                tail[ids], head[ids], place_of[ids] = back, v, place_of[arc]
                is_tree[ids] = 1
                arc_to[v] = rows[place_of[arc]] = ids
            ids += 1
        if starts:
            candidates -= 1
            while cand_a[candidates] >= 0:
                candidates -= 1
        while high_first[v] >= 0 and high_dead[high_first[v]]:
            high_first[v] = high_next[high_first[v]]
        highest = high_tail[high_first[v]] if high_first[v] >= 0 else 0
        while cand_a[candidates - 1] >= 0 and (
            cand_b[candidates - 1] != v and highest > cand_high[candidates - 1]
        ):
            candidates -= 1
        at[v] += 1
        left[v] -= 1
    for i in range(top):
        out_u[told], out_v[told] = tail[waiting[i]], head[waiting[i]]
        out_edge[told] = waiting[i]
        told += 1
    count += 1
    bounds[count] = told
    for i in range(told):
        out_u[i], out_v[i] = node[out_u[i]], node[out_v[i]]
        if out_edge[i] >= edges:
            out_edge[i] = -1
    return count


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

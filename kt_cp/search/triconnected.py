"""Split components: divide a graph at pairs of vertices, by one depth-first search.

Removing a pair of vertices may disconnect a graph. Then the graph is the union of two smaller ones
that share the pair, and in each a *virtual edge* between the two replaces the other. Repeat this
until only cycles (here: triangles) and graphs that no pair separates are left. `kt_cp.proofs.split`
explains the meaning of a virtual edge for a Hamiltonian cycle.

A *palm tree* is a depth-first search tree: every edge of the graph is a tree arc down from father
to child, or a frond up to an ancestor. The *low point* of a vertex is the highest ancestor to which
a frond from it or from below it leads, and the second low point the next one. A bucket sort orders
the arcs at each vertex by where they lead back. Then the vertices are renumbered: the first child
has the highest numbers.

The second search takes the arcs in this order, so it first follows the path that returns nearest to
the root. This divides the graph into paths, and each begins at a vertex of an earlier one. A pair
(a, b) is of the first type if the whole subtree of a child of b leads back to a and b alone: two
low points decide this. It is of the second type if no other edge leaves a part of one path between
a and b: a stack of candidates (h, a, b) decides this, where h is the highest number in the part.
Another stack holds the edges until a pair removes them. Parallel edges between a and b would be a
component as well; here the caller counts them, from the ends of the virtual edges.

Source: J. Hopcroft and R. Tarjan, "Dividing a graph into triconnected components", SIAM Journal on
Computing 2 (1973); with the corrections of C. Gutwenger and P. Mutzel, "A linear time
implementation of SPQR-trees", Graph Drawing 2000. Cost: linear, with explicit stacks, because
graphs are deeper than Python's recursion limit, and in flat arrays, because large graphs are
searched by compiled code (:mod:`kt_cp.search.numba_arrays`, `benchmarks/MEASURED.md`). When it
loses: it finds pairs only, no separating triples.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from kt_cp.search.numba_arrays import Ints, Workspace, csr_rows

if TYPE_CHECKING:
    from numpy.typing import NDArray

VIRTUAL = -1
"""Number of all virtual edges."""


class Components(NamedTuple):
    """Triangles, and graphs that no pair of vertices separates.

    ``bounds`` holds the index of the first edge of each, and the end; ``tails`` and ``heads`` the
    ends of the edges, the smaller first; ``edge`` their numbers in the graph, or ``VIRTUAL``.
    """

    bounds: NDArray[np.int64]
    tails: NDArray[np.int64]
    heads: NDArray[np.int64]
    edge: NDArray[np.int64]


class _SearchTree(NamedTuple):
    """A depth-first search tree; ancestors are given by their numbers, from 0."""

    number: Ints
    father: Ints
    low: Ints
    second: Ints
    order: Ints  # the vertices by their numbers
    by: Ints  # the edge from the father


class _PalmTree(NamedTuple):
    """A palm tree; vertices are numbered from 1, the root, and arrays have an entry 0 for none."""

    node: Ints  # the vertex of the graph with each number
    father: Ints  # 0 for the root
    low: Ints
    second: Ints
    below: Ints  # vertices below each, and itself
    tail: Ints
    head: Ints
    begin: Ints  # the arcs of a vertex are rows[begin[v]:end[v]], in order
    end: Ints
    rows: Ints  # -1 where an arc was removed


class _Arcs(NamedTuple):
    """Arcs in the second search: those of the graph first, then virtual ones."""

    is_tree: Ints
    place_of: Ints  # in its row
    in_high: Ints  # of a frond among those into its head
    arc_to: Ints  # the tree arc to a vertex
    degree: Ints
    at: Ints
    left: Ints
    ahead: Ints  # the first arc of a row that may still be there
    stack: Ints
    high_tail: Ints  # fronds into a vertex, from the first of the search on: their tails,
    high_next: Ints  # the next of each,
    high_first: Ints  # and the first at each vertex


def split_components(
    size: int, tails: NDArray[np.int64], heads: NDArray[np.int64]
) -> Components | None:
    """Split a simple graph of three vertices or more; None if it is not two-connected.

    A cycle is split into triangles, too.

    Two squares that share two corners:

    >>> tails, heads = np.array([0, 0, 0, 0, 1, 2, 2, 2]), np.array([1, 3, 4, 5, 2, 3, 4, 5])
    >>> split_components(6, tails, heads).bounds.tolist()
    [0, 3, 6, 9, 12]
    """
    space, edges = Workspace(size), len(tails)
    tree = _palm_tree(space, size, tails, heads)
    if tree is None:
        return None
    # A split leaves at most 3 m - 6 edges in all components, and each takes two of its own.
    ids = 3 * edges + 4
    tail, head = space.full(ids), space.full(ids)
    tail[:edges], head[:edges] = tree.tail, tree.head
    tree = tree._replace(tail=tail, head=head)
    rows = [space.full(ids, fill) for fill in (0, 0, -1)]
    rows += [space.full(size + 1) for _ in range(6)]
    arcs = _Arcs._make([*rows, space.full(ids), space.full(ids), space.full(size + 1, -1)])
    highs = space.run(_list_fronds, tree, arcs, space.full(edges))
    stacks = [space.full(ids), space.full(size + 1), space.full(ids)]
    candidates = tuple(space.full(2 * ids) for _ in range(3))
    out = tuple(space.full(ids) for _ in range(4))
    count = space.run(_find_pairs, edges, highs, tree, arcs, *stacks, candidates, out)
    bounds, u, v, edge = map(space.array, out)
    bounds = bounds[: count + 1]
    u, v, edge = (each[: bounds[-1]] for each in (u, v, edge))
    return Components(bounds, np.minimum(u, v), np.maximum(u, v), edge)


def _palm_tree(
    space: Workspace, size: int, tails: NDArray[np.int64], heads: NDArray[np.int64]
) -> _PalmTree | None:
    """Return a palm tree from vertex 0, or None if the graph is not two-connected."""
    start, near, edge = map(space.copy, csr_rows(size, tails, heads))
    first = _SearchTree._make(space.full(size, fill) for fill in (-1, -1, 0, 0, 0, -1))
    at = space.copy(space.array(start))
    if not space.run(_search_depth_first, start, near, edge, first, space.full(size), at):
        return None
    numbered = [space.full(size + 1) for _ in range(5)]
    rows = [space.full(size + 1), space.full(size + 1), space.full(len(tails))]
    tree = _PalmTree._make([*numbered, space.copy(tails), space.copy(heads), *rows])
    buckets, following = space.full(3 * size + 3, -1), space.full(len(tails))
    space.run(_order_arcs, first, tree, buckets, following, *(space.full(size) for _ in range(4)))
    return tree


def _search_depth_first(
    start: Ints, near: Ints, edge: Ints, tree: _SearchTree, stack: Ints, at: Ints
) -> bool:
    """Number the vertices in order of discovery; return whether the graph is two-connected."""
    number, father, low, second, order, by = tree
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


def _order_arcs(
    first: _SearchTree,
    tree: _PalmTree,
    bucket: Ints,
    following: Ints,  # in the same bucket
    opened: Ints,
    filled: Ints,
    many: Ints,
    new: Ints,
) -> None:
    """Sort the arcs into the order of the second search, and number the vertices again."""
    number, father, low, second, order, by = first
    node, new_father, new_low, new_second, below, tail, head, begin, end, rows = tree
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


def _list_fronds(tree: _PalmTree, arcs: _Arcs, found: Ints) -> int:
    """List the fronds into each vertex, in the order of the search; return their number."""
    _, _, _, _, _, tail, head, begin, end, rows = tree
    is_tree, place_of, in_high, arc_to, degree, at = arcs[:6]
    left, ahead, stack, high_tail, high_next, high_first = arcs[6:]
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


def _find_pairs(
    edges: int,
    highs: int,
    tree: _PalmTree,
    arcs: _Arcs,
    waiting: Ints,  # arcs
    entered: Ints,  # the tree arc that was followed last, counted from 1
    high_dead: Ints,  # fronds that were removed
    candidate_stack: tuple[Ints, Ints, Ints],
    out: tuple[Ints, Ints, Ints, Ints],
) -> int:
    """Run the second search; return the number of components.

    It is one long function, because each step may change the data of the next one.
    """
    node, father, low, second, below, tail, head, begin, end, rows = tree
    is_tree, place_of, in_high, arc_to, degree, at = arcs[:6]
    left, ahead, stack, high_tail, high_next, high_first = arcs[6:]
    cand_high, cand_a, cand_b = candidate_stack  # cand_a is -1 at a mark
    bounds, out_u, out_v, out_edge = out
    ids, done, count, top = edges, 0, 0, 0
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
        # Pairs of the second type: v and a vertex below w, which may replace w.
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
                    out_u[done], out_v[done] = tail[e], head[e]
                    out_edge[done] = e
                    done += 1
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
                        out_u[done], out_v[done] = t, u
                        out_edge[done] = e
                        done += 1
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
            out_u[done], out_v[done], out_edge[done] = v, x, edges
            done += 1
            count += 1
            bounds[count] = done
            tail[ids], head[ids], place_of[ids], is_tree[ids] = v, x, place, 1
            waiting[top] = rows[place] = arc_to[x] = ids
            top += 1
            ids += 1
            degree[x] += 1
            degree[v] += 1
            father[x] = v
            w = x
        # A pair of the first type: v and the low point of w, which cut off the subtree of w.
        if second[w] >= v > low[w] and (father[v] != 1 or left[v] >= 2):
            back, after = low[w], w + below[w]
            while top > 0:
                e = waiting[top - 1]
                t, u = tail[e], head[e]
                if (t < w or t >= after) and (u < w or u >= after):
                    break
                top -= 1
                out_u[done], out_v[done], out_edge[done] = t, u, e
                done += 1
                if place_of[e] != place:
                    rows[place_of[e]] = -1
                    if in_high[e] >= 0:
                        high_dead[in_high[e]] = 1
                degree[t] -= 1
                degree[u] -= 1
            out_u[done], out_v[done], out_edge[done] = v, back, edges
            done += 1
            count += 1
            bounds[count] = done
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
        out_u[done], out_v[done] = tail[waiting[i]], head[waiting[i]]
        out_edge[done] = waiting[i]
        done += 1
    count += 1
    bounds[count] = done
    for i in range(done):
        out_u[i], out_v[i] = node[out_u[i]], node[out_v[i]]
        if out_edge[i] >= edges:
            out_edge[i] = -1
    return count

"""The search for pairs of vertices that hold a graph together, in a palm tree.

What it looks for, and whose it is, stands in :mod:`kt_cp.search.triconnected`, which makes the room
for it.  It is one long function of flat arrays, because it is compiled for large graphs
(:mod:`kt_cp.search.flat`), and because each step may change what the next one looks at.  Arcs are
told by their numbers: those of the graph come first, and virtual ones after them.
"""

from __future__ import annotations

from kt_cp.search.flat import Ints


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

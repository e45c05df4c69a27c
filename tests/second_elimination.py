"""The clauses that take out vertices, written from kt_cp/trust/check/FORMAT.md alone: see
second_checker."""

from __future__ import annotations

from itertools import combinations, permutations


def elimination_clauses(frame, top, edges, order):
    """The last variable, and the clauses; ``edges`` has the variable of each edge."""
    clauses, a = [], {}
    near = {vertex: set(frame[vertex]) for vertex in frame}
    changed = set()

    def fresh():
        nonlocal top
        top += 1
        return top

    def one(x):
        yield x
        if len(x) < 10:
            yield from ([-each for each in pair] for pair in combinations(x, 2))
            return
        s = [fresh() for _ in x[1:]]
        yield [-x[0], s[0]]
        for i in range(1, len(s)):
            yield from ([-x[i], s[i]], [-s[i - 1], s[i]], [-x[i], -s[i - 1]])
        yield [-x[-1], -s[-1]]

    def one_in_one_out(v):
        clauses.extend(one([a[v, u] for u in sorted(near[v])]))
        clauses.extend(one([a[u, v] for u in sorted(near[v])]))
        clauses.extend([-a[v, u], -a[u, v]] for u in sorted(near[v]))

    for edge, e in edges.items():
        u, v = sorted(edge)
        a[u, v], a[v, u] = fresh(), fresh()
        clauses += [[-a[u, v], e], [-a[v, u], e], [-e, a[u, v], a[v, u]]]
    f = order[0]
    for u in sorted(near[f]):
        clauses.append([*(a[f, w] for w in sorted(near[f]) if w < u), -a[u, f]])
    for v in sorted(frame):
        one_in_one_out(v)
    for v in order:
        if v in changed:
            one_in_one_out(v)
        for u, w in permutations(sorted(near[v]), 2):
            x = fresh()
            clauses.append([-a[u, v], -a[v, w], x])
            if (u, w) in a:
                clauses.append([-a[u, w], x])
            a[u, w] = x
        for u in near.pop(v):
            changed.add(u)
            near[u] = near[u] - {v} | {w for w in frame if (v, w) in a and w in near} - {u}
        changed.discard(v)
    for v in sorted(changed & set(near)):
        one_in_one_out(v)
    return top, clauses

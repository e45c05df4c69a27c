"""Edges that all Hamiltonian cycles use or avoid, and short searches of many small graphs.

Three rules are applied until nothing changes.  Every vertex has two edges of the cycle: if two are
left, both are used; if two are used, no other is.  Used edges form paths: an edge that would close
one before it has all vertices is not used.  Then a search may follow: it uses or discards an edge
at the vertex with the fewest choices, and applies the rules after each choice.  A search that has
failed too often stops, and the consequences of the rules remain.

Many graphs are handled in one call, because most parts of a graph are small: 50,000 calls would
take longer than the searches.

Source: the rules are those of F. Rubin, "A search procedure for Hamilton paths and circuits",
Journal of the ACM 21 (1974).  Cost: the rules are linear in the edges; a choice visits all
vertices of its graph.  When it loses: on graphs of thousands of vertices, and where connectivity
shows at once that there is no cycle (:mod:`kt_cp.search.backtrack`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from kt_cp.search.numba_arrays import Ints, Workspace, csr_rows

if TYPE_CHECKING:
    from numpy.typing import NDArray

OPEN, USED, UNUSED = range(3)
"""States of an edge."""

UNDECIDED, CYCLE, NONE = range(3)
"""States of a graph."""

RULES = -1
"""Failures that stand for the rules alone, without a search."""


class Deduction(NamedTuple):
    """States of the edges (meaningless where there is no cycle) and of the graphs.

    ``other_end`` has, for an end of a path of used edges, the other end.
    """

    edges: NDArray[np.int64]
    graphs: NDArray[np.int64]
    other_end: NDArray[np.int64]


def deduce_edges(
    first: NDArray[np.int64],
    tails: NDArray[np.int64],
    heads: NDArray[np.int64],
    must: NDArray[np.bool_],
    failures: int = RULES,
) -> Deduction:
    """Apply the rules to graphs whose vertices are numbered one graph after the other, and search.

    ``first`` has each graph's first vertex, and the number of all; ``must`` marks required edges;
    the search of a graph stops after a number of failures.

    A square with one diagonal, and a triangle:

    >>> tails, heads = np.array([0, 1, 2, 0, 0, 4, 5, 4]), np.array([1, 2, 3, 3, 2, 5, 6, 6])
    >>> found = deduce_edges(np.array([0, 4, 7]), tails, heads, np.zeros(8, dtype=bool))
    >>> found.edges.tolist(), found.graphs.tolist()
    ([1, 1, 1, 1, 2, 1, 1, 1], [1, 1])
    """
    size, edges = int(first[-1]), len(tails)
    space = Workspace(size)
    start, near, edge = map(space.copy, csr_rows(size, tails, heads))
    graph = (space.copy(first), start, near, edge, *map(space.copy, (tails, heads, must)))
    found = (space.full(edges), space.full(len(first) - 1), space.full(size))
    most = 2 * edges + size + 4
    lengths = (size, size, most, most, edges, edges, edges, size + 1, size + 1)
    space.run(_deduce, graph, failures, found, tuple(map(space.full, lengths)))
    return Deduction(*map(space.array, found))


def find_cycles(
    group: NDArray[np.int64],
    tails: NDArray[np.int64],
    heads: NDArray[np.int64],
    must: NDArray[np.bool_],
    failures: int,
) -> tuple[NDArray[np.bool_], int]:
    """Search graphs with any numbers of vertices; return the edges and the number of their cycles.

    ``group`` is the graph of each edge.  Where no cycle is found, no edge is used.
    """
    width = int(max(tails.max(initial=0), heads.max(initial=0))) + 1
    ends = np.concatenate([group * width + tails, group * width + heads])
    vertices, number = np.unique(ends, return_inverse=True)
    groups, first = np.unique(vertices // width, return_index=True)
    first = np.append(first, len(vertices))
    tails, heads = number[: len(group)], number[len(group) :]
    found = deduce_edges(first, tails, heads, must, failures)
    cycles = found.graphs == CYCLE
    return cycles[np.searchsorted(groups, group)] & (found.edges == USED), int(cycles.sum())


def _deduce(
    graphs: tuple[Ints, ...],
    failures: int,
    found: tuple[Ints, Ints, Ints],
    workspace: tuple[Ints, ...],
) -> None:
    """Fill ``found`` with the states of edges and graphs and the other ends, graph by graph."""
    first, start, near, edge, tails, heads, must = graphs
    known, verdict, other = found
    # Per vertex, the edges that are not unused, and the used ones; vertices that have changed;
    # edges to use, or where negative not to use, counted from 1; the same for the trail, with both
    # ends of the path that each edge made; choices, and the length of the trail before each.
    left, used, pending, todo, trail, one_end, far_end, choices, marks = workspace
    for graph in range(len(verdict)):
        low, high = first[graph], first[graph + 1]
        chosen = done = depth = failed = acts = waiting = 0
        broken = False
        for v in range(low, high):
            other[v] = v
            left[v] = start[v + 1] - start[v]
            pending[waiting] = v
            waiting += 1
            for place in range(start[v], start[v + 1]):
                if must[edge[place]] and near[place] > v:
                    todo[acts] = edge[place] + 1
                    acts += 1
        while True:
            while not broken and acts + waiting > 0:
                if acts > 0:
                    acts -= 1
                    act = todo[acts]
                    e = abs(act) - 1
                    u, v = tails[e], heads[e]
                    if known[e] != OPEN:
                        broken = (known[e] == USED) != (act > 0)
                        continue
                    if act > 0 and (used[u] == 2 or used[v] == 2):
                        broken = True
                        continue
                    trail[done] = act
                    one_end[done] = -1
                    if act < 0:
                        known[e] = UNUSED
                        left[u] -= 1
                        left[v] -= 1
                    else:
                        known[e] = USED
                        used[u] += 1
                        used[v] += 1
                        chosen += 1
                        a, b = other[u], other[v]
                        if a == v:
                            broken = chosen < high - low
                        else:
                            one_end[done], far_end[done] = a, b
                            other[a], other[b] = b, a
                            if start[b + 1] - start[b] < start[a + 1] - start[a]:
                                a, b = b, a
                            if chosen < high - low - 1:
                                for place in range(start[a], start[a + 1]):
                                    if near[place] == b and known[edge[place]] == OPEN:
                                        todo[acts] = -1 - edge[place]
                                        acts += 1
                    done += 1
                    pending[waiting] = u
                    pending[waiting + 1] = v
                    waiting += 2
                    continue
                waiting -= 1
                v = pending[waiting]
                broken = left[v] < 2
                sign = 0
                if used[v] == 2 and left[v] > 2:
                    sign = -1
                elif left[v] == 2 and used[v] < 2:
                    sign = 1
                if sign != 0:
                    for place in range(start[v], start[v + 1]):
                        if known[edge[place]] == OPEN:
                            todo[acts] = sign * (edge[place] + 1)
                            acts += 1
            if broken:
                broken = False
                acts = waiting = 0
                if depth == 0:
                    verdict[graph] = NONE
                    break
                failed += 1
                depth = 0 if failed > failures else depth - 1
                while done > marks[depth]:
                    done -= 1
                    e = abs(trail[done]) - 1
                    u, v = tails[e], heads[e]
                    known[e] = OPEN
                    if trail[done] < 0:
                        left[u] += 1
                        left[v] += 1
                        continue
                    used[u] -= 1
                    used[v] -= 1
                    chosen -= 1
                    if one_end[done] >= 0:
                        other[one_end[done]], other[far_end[done]] = u, v
                if failed > failures:
                    break
                todo[0] = -1 - choices[depth]
                acts = 1
                continue
            if chosen == high - low:
                verdict[graph] = CYCLE
                break
            if failures < 0:
                break
            best, fewest = -1, 0
            for v in range(low, high):
                if used[v] < 2:
                    ways = left[v] - 1 if used[v] == 1 else left[v] * (left[v] - 1) // 2
                    if best < 0 or ways < fewest:
                        best, fewest = v, ways
            place = start[best]
            while known[edge[place]] != OPEN:
                place += 1
            choices[depth] = edge[place]
            marks[depth] = done
            depth += 1
            todo[0] = edge[place] + 1
            acts = 1

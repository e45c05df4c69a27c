"""Connectivity: no fragment may hold the rest of the graph together.

Remove any fragment from a Hamiltonian cycle: the rest is one path, so it is connected. If the open
edges leave the rest in two components once some fragment is removed, there is no cycle left to
find. Contract every fragment to one vertex and keep the open edges. The condition then says: this
smaller graph is connected and has no articulation point. It includes the plain tests (is the graph
connected, has it a cut vertex?), and a long path costs no more than a single vertex.

Source: R. Tarjan, "Depth-first search and linear graph algorithms", SIAM Journal on Computing 1
(1972). Cost: one depth-first search, linear in the open edges, with an explicit stack because
boards are deeper than Python's recursion limit. When it loses: at every node it costs far more
than the propagation that it follows (`benchmarks/MEASURED.md`), so the search runs it once per so
many propagation steps. It says nothing about larger cuts, nor about graphs as well connected as
the middle of a chessboard.
"""

from __future__ import annotations

from collections.abc import Iterator

from kt_cp.search.fragments import Fragments


def two_connected(state: Fragments) -> bool:
    """Tell whether the graph with fragments contracted is connected, without articulation points.

    The state is propagated, and not yet a whole cycle; it is left as it is. False means that no
    Hamiltonian cycle contains all chosen and no discarded edges. Raises `GaveUpError`.
    """
    open_, mate, spend = state.open, state.mate, state.meter.spend
    count = state.n - state.chosen
    if count < 3:
        return True

    def edges(end: int) -> Iterator[int]:
        other = mate[end]
        return iter(open_[end]) if other == end else iter((*open_[end], *open_[other]))

    # Both ends of a fragment carry its number in order of discovery; 0 is undiscovered. `lowest`
    # is kept at the end through which the fragment was entered. An edge back to the parent is not
    # told apart: it yields the parent's own number, which the articulation test allows.
    number = [0] * state.n
    lowest = [0] * state.n
    root = state.head
    number[root] = number[mate[root]] = lowest[root] = found = 1
    root_children = 0
    stack = [(root, edges(root))]
    while stack:
        v, remaining = stack[-1]
        low = lowest[v]
        for u in remaining:
            if number[u]:
                if number[u] < low:
                    low = number[u]
            else:
                lowest[v] = low
                found += 1
                number[u] = number[mate[u]] = lowest[u] = found
                stack.append((u, edges(u)))
                spend(1)
                break
        else:
            lowest[v] = low
            stack.pop()
            if len(stack) == 1:
                root_children += 1
                if root_children > 1:
                    return False
            elif stack:
                parent = stack[-1][0]
                if low >= number[parent]:
                    return False
                lowest[parent] = min(lowest[parent], low)
    return found == count

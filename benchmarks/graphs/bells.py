"""Bell ringing: every order of n bells once, from one row to the next by changes that are allowed.

Rows are permutations, and a *change* swaps disjoint pairs of neighbouring bells, so the graph is
the Cayley graph of the symmetric group with some changes (A. T. White, "Ringing the changes", Math.
Proc. Camb. Phil. Soc. 94 (1983)).  With all swaps of one pair the plain changes go through it,
known to ringers since 1621 and as the algorithm of Steinhaus, Johnson and Trotter; more changes
only add edges.  The Challenge Set has eight such graphs and does not say which changes they allow.
"""

from __future__ import annotations

from itertools import combinations, pairwise, permutations

from benchmarks.graphs.planted import Planted, planted


def plain_changes(n: int) -> list[tuple[int, ...]]:
    """All permutations of n bells, each a swap of neighbours away from the one before.

    Examples
    --------
    >>> plain_changes(3)
    [(0, 1, 2), (0, 2, 1), (2, 0, 1), (2, 1, 0), (1, 2, 0), (1, 0, 2)]
    """
    if n == 1:
        return [(0,)]
    rows = []
    for number, fewer in enumerate(plain_changes(n - 1)):
        places = range(n) if number % 2 else range(n - 1, -1, -1)
        rows += [(*fewer[:place], n - 1, *fewer[place:]) for place in places]
    return rows


def changes(n: int, most: int) -> list[tuple[int, ...]]:
    """Places of the first bells of each swap: all changes with at most so many swaps.

    Examples
    --------
    >>> changes(4, 2)
    [(0,), (1,), (2,), (0, 2)]
    """
    return [
        pairs
        for many in range(1, most + 1)
        for pairs in combinations(range(n - 1), many)
        if all(later - earlier > 1 for earlier, later in pairwise(pairs))
    ]


def bells(n: int, most: int = 1) -> Planted:
    """All n! rows, joined by changes with at most so many swaps, and the plain changes.

    Examples
    --------
    >>> from benchmarks.graphs.planted import is_cycle
    >>> is_cycle(*bells(4)), bells(4, 2).graph.size()
    (True, 48)
    """
    edges = []
    for row in permutations(range(n)):
        for pairs in changes(n, most):
            rung = list(row)
            for place in pairs:
                rung[place], rung[place + 1] = rung[place + 1], rung[place]
            edges.append((row, tuple(rung)))
    return planted(edges, plain_changes(n))

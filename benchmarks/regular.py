"""Regular graphs with a cycle: cubic ones, and those of bell ringing.

The *generalized Petersen graph* GP(n, 2) has an outer cycle, spokes, and inner edges between every
second node (M. E. Watkins, "A theorem on Tait colorings …", J. Combin. Theory 6 (1969)).  It has no
Hamiltonian cycle if n ≡ 5 (mod 6), and exactly three if n ≡ 3 (mod 6): A. J. Schwenk, "Enumeration
of Hamiltonian cycles in certain generalized Petersen graphs", J. Combin. Theory B 47 (1989).  A
rotation maps the three to each other, and each repeats after three spokes.

The *flower snark* Jn, n odd, has n petals: a centre t with three leaves a, b, c.  The leaves a are
joined in a cycle, b and c in one cycle of twice the length (R. Isaacs, "Infinite families of
nontrivial trivalent graphs which are not Tait colorable", Amer. Math. Monthly 82 (1975)).  It has
no Hamiltonian cycle, and about 2^(n/2) with one more edge, here between the leaves b and c of one
petal: 4, 12, 20, 44 for n = 5, 7, 9, 11.  The Challenge Set does not document which edge it adds.

*Bell ringing*: rows are permutations of n bells, and a change swaps disjoint pairs of neighbours,
so the graph is a Cayley graph of the symmetric group (A. T. White, "Ringing the changes", Math.
Proc. Camb. Phil. Soc. 94 (1983)).  The plain changes, which swap one pair, are a cycle of it, known
to ringers since 1621 and as the algorithm of Steinhaus, Johnson and Trotter.
"""

from __future__ import annotations

import random
from itertools import combinations, pairwise, permutations

import networkx as nx

from benchmarks.planted import Edge, Planted, around, plant


def petersen(n: int) -> Planted:
    """Return GP(n, 2) for n ≡ 3 (mod 6), n ≥ 9, with one of its three cycles.

    Examples
    --------
    >>> from benchmarks.planted import is_cycle
    >>> is_cycle(*petersen(9)), len(petersen(33).graph)
    (True, 66)
    """
    if n % 6 != 3 or n < 9:
        raise ValueError(f"expected 3 modulo 6 from 9 on, got {n}")
    used: list[Edge] = []
    for i in range(0, n, 3):
        used += [((i + 1) % n, i + 2), (i + 2, (i + 3) % n), (i, n + i), (i + 1, n + i + 1)]
        used += [(n + i, n + i + 2), (n + i + 2, n + (i + 4) % n)]
    return plant(nx.generalized_petersen_graph(n, 2).edges, around(used))


def flower_edges(n: int) -> list[Edge]:
    """Return the edges of the flower snark Jn, n odd.

    Examples
    --------
    >>> len(flower_edges(5))
    30
    """
    return [edge for petal in range(n) for edge in (*_petal(petal), *_gap(n, petal, "abc"))]


def flower(n: int) -> Planted:
    """Return Jn, n odd and at least 5, and the edge between two leaves of its first petal.

    Between two petals a cycle runs along all three strands and along one, in turn; the strand that
    runs alone is another each time, and at either end the centre joins the leaves of the others.

    Examples
    --------
    >>> from benchmarks.planted import is_cycle
    >>> is_cycle(*flower(5)), flower(21).graph.size()
    (True, 127)
    """
    if n % 2 == 0 or n < 5:
        raise ValueError(f"expected an odd number from 5 on, got {n}")
    more = (("b", 0), ("c", 0))
    alone = "bc" * n
    used: list[Edge] = [more]
    for petal in range(n):
        strand = "a" if petal == n - 1 else alone[petal // 2]
        used += [edge for edge in _petal(petal) if edge[1][0] != strand]
        used += _gap(n, petal, "abc" if petal % 2 else strand)
    return plant([*flower_edges(n), more], around(used))


def _petal(petal: int) -> list[tuple[tuple[str, int], tuple[str, int]]]:
    return [(("t", petal), (leaf, petal)) for leaf in "abc"]


def _gap(n: int, petal: int, strands: str) -> list[Edge]:
    """Return edges from a petal to the next; after the last one b and c change places."""
    crossed = dict(zip("abc", "acb" if petal == n - 1 else "abc", strict=True))
    return [((leaf, petal), (crossed[leaf], (petal + 1) % n)) for leaf in strands]


def random_cubic(n: int, rng: random.Random) -> Planted:
    """Return a cycle and a random perfect matching, which share no edge.

    Such graphs are about as likely as all cubic ones: R. W. Robinson and N. C. Wormald, "Almost all
    cubic graphs are Hamiltonian", Random Structures & Algorithms 3 (1992).
    """
    while True:
        order = rng.sample(range(n), n)
        pairs = [(order[i], order[i + 1]) for i in range(0, n, 2)]
        if all((u - v) % n not in (1, n - 1) for u, v in pairs):
            break
    return plant([*((v, (v + 1) % n) for v in range(n)), *pairs], range(n))


def plain_changes(n: int) -> list[tuple[int, ...]]:
    """Return all permutations of n bells, each a swap of neighbours away from the one before.

    Examples
    --------
    >>> plain_changes(3)
    [(0, 1, 2), (0, 2, 1), (2, 0, 1), (2, 1, 0), (1, 2, 0), (1, 0, 2)]
    """
    rows: list[tuple[int, ...]] = [()]
    for bell in range(n):
        longer = []
        for number, fewer in enumerate(rows):
            places = range(bell + 1) if number % 2 else range(bell, -1, -1)
            longer += [(*fewer[:place], bell, *fewer[place:]) for place in places]
        rows = longer
    return rows


def bells(n: int, most: int = 1) -> Planted:
    """Return all n! rows, joined by changes of at most ``most`` swaps, and the plain changes.

    Examples
    --------
    >>> from benchmarks.planted import is_cycle
    >>> is_cycle(*bells(4)), bells(4, 2).graph.size()
    (True, 48)
    """
    changes = [
        places
        for many in range(1, most + 1)
        for places in combinations(range(n - 1), many)
        if all(later - earlier > 1 for earlier, later in pairwise(places))
    ]
    edges = []
    for row in permutations(range(n)):
        for places in changes:
            following = list(row)
            for place in places:
                following[place : place + 2] = following[place + 1], following[place]
            edges.append((row, tuple(following)))
    return plant(edges, plain_changes(n))

"""All graphs, by name: their families, in the Challenge Set's proportions, and their sizes.

The set has 1001 graphs of 66 to 9,528 vertices, most of them below 5,000: *combined* 371,
*generalized Petersen* 202, *flower snark* 150, *Fleischner* 50, *Aldred and Thomassen* 50,
*Sheehan* 11, and reductions of *Instant Insanity* 60, *Unium* 45, *N-queens* 25, *dominating set*
15 and *bell ringing* 8; 14 are others.  Here are as many of each as make 220 of all, with what each
family's own file says.  A graph is made from its name alone: sizes, random choices and the numbers
of its nodes.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import networkx as nx

from benchmarks.graphs import bells, cubic, puzzles, unique, without
from benchmarks.graphs.planted import (
    Planted,
    at_cubic,
    at_edges,
    at_pairs,
    planted,
    shuffled,
    together,
)

SMALLEST, LARGEST = 66, 9_528
HALF = (3, 3, 3)


@dataclass(frozen=True)
class Graph:
    """One graph that can be made.

    Attributes
    ----------
    name, family : str
    made : function
        It makes the graph, with its cycle if it has one, from a random number generator.
    cyclic : bool
        Whether it has a Hamiltonian cycle.
    """

    name: str
    family: str
    made: Callable[[random.Random], Planted]
    cyclic: bool = True

    def make(self) -> Planted:
        """The graph, its nodes numbered at random, and its cycle: empty if there is none.

        Examples
        --------
        >>> len(catalogue()["petersen-1"].make().graph)
        66
        """
        rng = random.Random(self.name)
        return shuffled(self.made(rng), rng)


def sizes(many: int, least: int = SMALLEST, most: int = LARGEST) -> list[int]:
    """So many sizes, spread as in the Challenge Set: half below 3,000, one in ten above 7,000.

    Examples
    --------
    >>> sizes(5)
    [66, 1417, 2829, 4839, 9528]
    """
    spread = [place / (many - 1) if many > 1 else 0.5 for place in range(many)]
    all_sizes = [SMALLEST + 5_400 * each + (LARGEST - 5_466) * each**6 for each in spread]
    scale = (most - least) / (LARGEST - SMALLEST)
    return [round(least + scale * (each - SMALLEST)) for each in all_sizes]


@cache
def catalogue() -> dict[str, Graph]:
    """The graphs with a cycle by their names, smallest of each family first.

    Examples
    --------
    >>> len(catalogue())
    220
    """
    found: dict[str, Graph] = {}

    def add(family: str, word: str, makers: list[Callable[[random.Random], Planted]]) -> None:
        for number, made in enumerate(makers, start=1):
            found[f"{word}-{number}"] = Graph(f"{word}-{number}", family, made)

    add("combined", "combined", [_of(combined, size) for size in sizes(82, 200)])
    thirds = [(size // 2 - 3) // 6 * 6 + 3 for size in sizes(44)]
    add("generalized Petersen", "petersen", [_plain(cubic.petersen, n) for n in thirds])
    odd = [(size - 4) // 8 * 2 + 1 for size in sizes(33, 84)]
    add("flower snark and an edge", "flower", [_plain(cubic.flower, n) for n in odd])
    add("Fleischner", "fleischner", [_of(ring, size) for size in sizes(11, 338)])
    add("nearly cubic", "nearly-cubic", [_of(unique.nearly_cubic, size) for size in sizes(11, 100)])
    add("Sheehan", "sheehan", [_plain(unique.sheehan, n) for n in (204, 500, 1000)])
    cubes = (2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 15)
    add("Instant Insanity", "insanity", [_of(puzzles.insanity, n) for n in cubes])
    given = (65, 60, 55, 52, 49, 46, 43, 40, 37, 34)
    add("Sudoku", "sudoku", [_of(puzzles.sudoku, many) for many in given])
    boards = (4, 5, 6, 7, 10, 12)
    add("N-queens", "queens", [_of(puzzles.queens, n) for n in boards])
    add("dominating set", "domination", [_of(domination, n) for n in (8, 14, 24)])
    rows = ((5, 2), (6, 1), (7, 1))
    add("bell ringing", "bells", [_plain(bells.bells, *each) for each in rows])
    add("random cubic", "random-cubic", [_of(random_cubic, size) for size in (2_000,)])
    return found


@cache
def acyclic() -> dict[str, Graph]:
    """The graphs without a cycle, by their names.

    Examples
    --------
    >>> len(acyclic()), len(acyclic()["flower-snark-J5"].make().graph)
    (72, 20)
    """
    makers: list[tuple[str, str, Callable[..., nx.Graph], tuple[int, ...]]] = [
        *(("flower snark", f"flower-snark-J{n}", without.flower_snark, (n,))
          for n in range(5, 42, 2)),
        *(("GP(n, 2)", f"petersen-{n}-2", without.petersen, (n,)) for n in range(5, 204, 6)),
        *(("Tutte and triangles", f"tutte-{n}", without.tutte, (n,)) for n in (0, 10, 25, 46)),
        ("Coxeter", "coxeter", without.coxeter, ()),
        ("Meredith", "meredith", without.meredith, ()),
        ("bipartite cubic", "horton", without.horton, ()),
        ("bipartite cubic", "ellingham-horton", without.ellingham_horton, ()),
        *(("tough", f"tough-{n}", without.tough, (n,)) for n in (1, 4, 12, 30)),
        *(("grid", f"grid-{n}", without.grid, (n, n)) for n in (5, 11, 31)),
        *(("rooms", f"rooms-{n}", without.rooms, (n, 2)) for n in (4, 6, 8, 12)),
    ]  # fmt: skip
    return {
        name: Graph(name, family, _bare(made, *sizes), cyclic=False)
        for name, family, made, sizes in ((n, f, m, s) for f, n, m, s in makers)
    }


def combined(size: int, rng: random.Random) -> Planted:
    """Smaller graphs glued one after the other, most of them Fleischner's, up to about a size.

    Examples
    --------
    >>> 400 <= len(combined(500, random.Random(1)).graph) <= 600
    True
    """
    parts, left = [], size
    while left > 60 or not parts:
        parts.append(_part(left, rng))
        left -= len(parts[-1].graph)

    def glue(one: Planted, other: Planted) -> Planted:
        i, j = rng.randrange(len(one.cycle)), rng.randrange(len(other.cycle))
        degrees = one.graph.degree[one.cycle[i]], other.graph.degree[other.cycle[j]]
        ways = (at_edges, at_pairs, at_cubic) if degrees == (3, 3) else (at_edges, at_pairs)
        return rng.choice(ways)(one, other, i, j)

    return together(parts, glue)


def _part(most: int, rng: random.Random) -> Planted:
    kind = rng.random()
    if kind < 0.6 and most >= 86:
        return ring(min(most, rng.choice((120, 200, 338, 338))), rng)
    if kind < 0.75 and most >= 34:
        return unique.nearly_cubic(min(most, 150), rng)
    if kind < 0.9:
        return cubic.petersen(rng.choice((9, 15, 21, 33)))
    return cubic.flower(rng.choice((9, 13, 21)))


def ring(size: int, rng: random.Random) -> Planted:
    """Fleischner's halves in a ring of about so many nodes, the whole ones first."""
    halves = [HALF] * (size // 169)
    if len(halves) < 2:
        halves = [_smaller(size // 2, rng) for _ in range(2)]
    elif size % 169 >= 43:
        halves.append(_smaller(size % 169, rng))
    return unique.fleischner(halves)


def _smaller(size: int, rng: random.Random) -> tuple[int, int, int]:
    """Copies that make a half of at most so many nodes, and of more than 14 less if it can be."""
    many = min(9, max(0, size - 43) // 14)
    spread = [0, 0, 0]
    for _ in range(many):
        spread[rng.choice([place for place in range(3) if spread[place] < 3])] += 1
    return (spread[0], spread[1], spread[2])


def domination(n: int, rng: random.Random) -> Planted:
    """A dominating set of a quarter of the vertices, with half as many random edges as vertices."""
    return puzzles.domination(n, n // 4, n // 2, rng)


def random_cubic(n: int, rng: random.Random) -> Planted:
    """A cycle and a random perfect matching, which share no edge.

    Such graphs are about as likely as all cubic ones: R. W. Robinson and N. C. Wormald, "Almost all
    cubic graphs are Hamiltonian", Random Structures & Algorithms 3 (1992).
    """
    while True:
        order = rng.sample(range(n), n)
        pairs = [(order[i], order[i + 1]) for i in range(0, n, 2)]
        if all((u - v) % n not in (1, n - 1) for u, v in pairs):
            break
    return planted([*((v, (v + 1) % n) for v in range(n)), *pairs], range(n))


def _of(
    make: Callable[[int, random.Random], Planted], size: int
) -> Callable[[random.Random], Planted]:
    return lambda rng: make(size, rng)


def _plain(make: Callable[..., Planted], *sizes: int) -> Callable[[random.Random], Planted]:
    return lambda _: make(*sizes)


def _bare(make: Callable[..., nx.Graph], *sizes: int) -> Callable[[random.Random], Planted]:
    return lambda _: Planted(make(*sizes), ())

"""Graphs known to be hard for finding Hamiltonian cycles, by name; ``python -m benchmarks.graphs``.

The families are those of the FHCP Challenge Set (M. Haythorpe, "FHCP Challenge Set: the first set
of structurally difficult instances of the Hamiltonian cycle problem", arXiv:1902.10352), made by
published constructions; and graphs without a cycle.  The set has 1001 graphs of 66 to 9,528
vertices, most of them below 5,000: *combined* 371, *generalized Petersen* 202, *flower snark* 150,
*Fleischner* 50, *Aldred and Thomassen* 50, *Sheehan* 11, and reductions of *Instant Insanity* 60,
*Unium* 45, *N-queens* 25, *dominating set* 15 and *bell ringing* 8; 14 are others.  This module has
220 in these proportions.  The name of a graph determines it: its size, random choices and node
numbers.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Annotated

import networkx as nx
import typer

from benchmarks import exact_cover, non_hamiltonian
from benchmarks.planted import (
    Planted,
    glue_all,
    glue_at_cubic,
    glue_at_edges,
    glue_at_pairs,
    shuffle,
)
from benchmarks.regular import bells, flower, petersen, random_cubic
from benchmarks.uniquely_hamiltonian import fleischner, nearly_cubic, sheehan
from kt_cp import Problem
from kt_cp.formats.export import tsplib_pieces

SMALLEST, LARGEST = 66, 9_528
HALF = (3, 3, 3)


Make = Callable[[random.Random], Planted]


@dataclass(frozen=True)
class Graph:
    """A graph that can be made.

    Attributes
    ----------
    name, family : str
    plant : callable
        Makes the graph, with its cycle if it has one, from a random number generator.
    cyclic : bool
        Whether it has a Hamiltonian cycle.
    """

    name: str
    family: str
    plant: Make
    cyclic: bool = True

    def make(self) -> Planted:
        """Return the graph, its nodes numbered at random, and its cycle: empty if there is none.

        Examples
        --------
        >>> len(catalogue()["petersen-1"].make().graph)
        66
        """
        rng = random.Random(self.name)
        return shuffle(self.plant(rng), rng)


def sizes(many: int, least: int = SMALLEST, most: int = LARGEST) -> list[int]:
    """Return sizes spread as in the Challenge Set: half below 3,000, one in ten above 7,000.

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
    """Return the graphs with a cycle by their names, smallest of each family first.

    Examples
    --------
    >>> len(catalogue())
    220
    """
    thirds = [(size // 2 - 3) // 6 * 6 + 3 for size in sizes(44)]
    odd = [(size - 4) // 8 * 2 + 1 for size in sizes(33, 84)]
    changes = ((5, 2), (6, 1), (7, 1))
    families: list[tuple[str, str, list[Make]]] = [
        ("combined", "combined", [partial(combined, n) for n in sizes(82, 200)]),
        ("generalized Petersen", "petersen", [_plain(petersen, n) for n in thirds]),
        ("flower snark and an edge", "flower", [_plain(flower, n) for n in odd]),
        ("Fleischner", "fleischner", [partial(ring, n) for n in sizes(11, 338)]),
        ("nearly cubic", "nearly-cubic", [partial(nearly_cubic, n) for n in sizes(11, 100)]),
        ("Sheehan", "sheehan", [_plain(sheehan, n) for n in (204, 500, 1000)]),
        ("Instant Insanity", "insanity",
         [partial(exact_cover.insanity, n) for n in (*range(2, 14), 15)]),
        ("Sudoku", "sudoku",
         [partial(exact_cover.sudoku, n) for n in (65, 60, 55, 52, 49, 46, 43, 40, 37, 34)]),
        ("N-queens", "queens", [partial(exact_cover.queens, n) for n in (4, 5, 6, 7, 10, 12)]),
        ("dominating set", "domination",
         [partial(exact_cover.domination, n, n // 4, n // 2) for n in (8, 14, 24)]),
        ("bell ringing", "bells", [_plain(bells, *each) for each in changes]),
        ("random cubic", "random-cubic", [partial(random_cubic, 2_000)]),
    ]  # fmt: skip
    return {
        (name := f"{word}-{number}"): Graph(name, family, plant)
        for family, word, each in families
        for number, plant in enumerate(each, start=1)
    }


@cache
def acyclic() -> dict[str, Graph]:
    """Return the graphs without a cycle, by their names.

    Examples
    --------
    >>> len(acyclic()), len(acyclic()["flower-snark-J5"].make().graph)
    (72, 20)
    """
    families: list[tuple[str, str, Callable[..., nx.Graph], Sequence[tuple[int, ...]]]] = [
        ("flower snark", "flower-snark-J{}", non_hamiltonian.flower_snark, _each(5, 42, 2)),
        ("GP(n, 2)", "petersen-{}-2", non_hamiltonian.petersen, _each(5, 204, 6)),
        ("Tutte and triangles", "tutte-{}", non_hamiltonian.tutte, [(0,), (10,), (25,), (46,)]),
        ("Coxeter", "coxeter", non_hamiltonian.coxeter, [()]),
        ("Meredith", "meredith", non_hamiltonian.meredith, [()]),
        ("bipartite cubic", "horton", non_hamiltonian.horton, [()]),
        ("bipartite cubic", "ellingham-horton", non_hamiltonian.ellingham_horton, [()]),
        ("tough", "tough-{}", non_hamiltonian.tough, [(1,), (4,), (12,), (30,)]),
        ("grid", "grid-{}", non_hamiltonian.grid, [(5, 5), (11, 11), (31, 31)]),
        ("rooms", "rooms-{}", non_hamiltonian.rooms, [(4, 2), (6, 2), (8, 2), (12, 2)]),
    ]
    return {
        (name := word.format(*each)): Graph(name, family, _bare(make, *each), cyclic=False)
        for family, word, make, all_sizes in families
        for each in all_sizes
    }


def _each(*span: int) -> list[tuple[int]]:
    return [(n,) for n in range(*span)]


def combined(size: int, rng: random.Random) -> Planted:
    """Glue smaller graphs, most of them Fleischner's, up to about ``size`` nodes.

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
        ways = [glue_at_edges, glue_at_pairs, *([glue_at_cubic] if degrees == (3, 3) else [])]
        return rng.choice(ways)(one, other, i, j)

    return glue_all(parts, glue)


def _part(most: int, rng: random.Random) -> Planted:
    kind = rng.random()
    if kind < 0.6 and most >= 86:
        return ring(min(most, rng.choice((120, 200, 338, 338))), rng)
    if kind < 0.75 and most >= 34:
        return nearly_cubic(min(most, 150), rng)
    if kind < 0.9:
        return petersen(rng.choice((9, 15, 21, 33)))
    return flower(rng.choice((9, 13, 21)))


def ring(size: int, rng: random.Random) -> Planted:
    """Return Fleischner's halves in a ring of about ``size`` nodes, the whole ones first."""
    halves = [HALF] * (size // 169)
    if len(halves) < 2:
        halves = [_smaller(size // 2, rng) for _ in range(2)]
    elif size % 169 >= 43:
        halves.append(_smaller(size % 169, rng))
    return fleischner(halves)


def _smaller(size: int, rng: random.Random) -> tuple[int, int, int]:
    """Return the copies in a half of at most ``size`` nodes, and not many less."""
    many = min(9, max(0, size - 43) // 14)
    spread = [0, 0, 0]
    for _ in range(many):
        spread[rng.choice([place for place in range(3) if spread[place] < 3])] += 1
    return (spread[0], spread[1], spread[2])


def _plain(make: Callable[..., Planted], *sizes: int) -> Make:
    return lambda _: make(*sizes)


def _bare(make: Callable[..., nx.Graph], *sizes: int) -> Make:
    return lambda _: Planted(make(*sizes), ())


def main(
    directory: Annotated[Path, typer.Argument(help="Made if it is not there")],
    names: Annotated[
        list[str] | None, typer.Argument(help="Such as petersen-1; all if there are none")
    ] = None,
) -> None:
    """Write graphs as NAME.hcp, and a list of names, families, sizes and cycle or none."""
    known = {**catalogue(), **acyclic()}
    if unknown := set(names or ()) - known.keys():
        raise typer.BadParameter(f"expected names such as petersen-1, got {sorted(unknown)}")
    directory.mkdir(parents=True, exist_ok=True)
    lines = ["name,family,vertices,edges,cycle"]
    for name in names or known:
        it = known[name]
        graph = it.make().graph
        text = "".join(tsplib_pieces(Problem(graph=graph, closed=True)))
        (directory / f"{name}.hcp").write_text(text, encoding="ascii")
        cycle = "yes" if it.cyclic else "no"
        lines.append(f'{name},"{it.family}",{len(graph)},{graph.size()},{cycle}')
    (directory / "graphs.csv").write_text("\n".join([*lines, ""]), encoding="ascii")


if __name__ == "__main__":
    typer.run(main)

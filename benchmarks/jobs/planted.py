"""The puzzles of the part ``clues``: made once, kept in ``benchmarks/planted.json``.

``python -m benchmarks.jobs.planted`` makes them anew.  A tour is drawn at random: one that an
engine finds is turned over at its end again and again (*backbiting*: C. R. Mansfield, "Monte Carlo
studies of polymer chain dimensions in the melt", J. Chem. Phys. 77 (1982)).  Of it the steps of
some squares are given:

- in *minimal* puzzles steps are taken away in random order, each that is not needed for a single
  tour;
- on large boards steps are added to a few random ones, each on a square where another tour that
  fits is different, until there is no other;
- elsewhere a share of the squares, at random, and there are many tours.
"""

from __future__ import annotations

import json
import random
from dataclasses import dataclass
from pathlib import Path

from pysat.solvers import Solver

from kt_cp import Problem, solve
from kt_cp.encodings import channel
from kt_cp.engines.sat import flags_of
from kt_cp.model.tour import Tour
from kt_cp.search.step_domains import StepDomains

AT_ONCE = 3
"""Steps added for each other tour that fits."""

FILE = Path(__file__).parent.parent / "planted.json"


@dataclass(frozen=True)
class Kind:
    """What is asked, of which share of the squares steps are given, and how many puzzles."""

    board: str
    piece: str
    closed: bool
    puzzles: int
    share: float = 0.0
    single: bool = True

    def problem(self, given: dict[str, int] | None = None) -> Problem:
        return Problem(self.board, piece=self.piece, closed=self.closed, given=given or {})


KINDS = {
    "Numbrix 9x9": Kind("9x9", "wazir", False, 40),
    "Hidato 8x8": Kind("8x8", "king", False, 40),
    "closed knight 8x8": Kind("8x8", "knight", True, 40),
    "open knight 8x8": Kind("8x8", "knight", False, 40),
    "closed knight 20x20, a tenth given": Kind("20x20", "knight", True, 5, 0.1, single=False),
    "closed knight 20x20, a single tour": Kind("20x20", "knight", True, 5, 0.25),
    "closed knight 40x40, a single tour": Kind("40x40", "knight", True, 1, 0.38),
    "closed knight 40x40, a fifth given": Kind("40x40", "knight", True, 1, 0.2, single=False),
    "closed knight 40x40, a twentieth given": Kind("40x40", "knight", True, 1, 0.05, single=False),
}
"""Rows of the tables."""


def puzzles(kind: str) -> list[Problem]:
    """The puzzles of a kind, from the file."""
    told = json.loads(FILE.read_text(encoding="utf-8"))[kind]
    return [KINDS[kind].problem(given) for given in told]


def drawn(kind: Kind, rng: random.Random) -> list[int]:
    """Vertices of a random tour."""
    problem = kind.problem()
    graph = problem.indexed
    walk = [graph.index[square] for square in solve(problem, own_process=False).tour or ()]
    place = {vertex: step for step, vertex in enumerate(walk)}
    turns = 0
    while turns < 20 * len(walk) or (kind.closed and walk[0] not in graph.neighbours[walk[-1]]):
        turns += 1
        if rng.random() < 0.5:
            walk.reverse()
            place = {vertex: step for step, vertex in enumerate(walk)}
        joined = place[rng.choice(graph.neighbours[walk[-1]])]
        walk[joined + 1 :] = walk[:joined:-1]
        for step in range(joined + 1, len(walk)):
            place[walk[step]] = step
    turn = rng.randrange(len(walk)) if kind.closed else 0
    return walk[turn:] + walk[:turn]


def minimal(kind: Kind, walk: list[int], rng: random.Random) -> dict[int, int]:
    """Steps of vertices of which none can be left out."""
    given = {vertex: step for step, vertex in enumerate(walk)}
    for vertex in rng.sample(walk, len(walk)):
        fewer = {other: step for other, step in given.items() if other != vertex}
        if fewer and tours(_asked(kind, fewer)) == 1:
            given = fewer
    return given


def _asked(kind: Kind, given: dict[int, int]) -> Problem:
    names = kind.problem().indexed.nodes
    return Problem(
        kind.board, piece=kind.piece, closed=kind.closed,
        given={names[vertex]: step + 1 for vertex, step in given.items()},
    )  # fmt: skip


def tours(problem: Problem) -> int:
    """How many tours there are, up to two, by the search on windows."""
    search, found = StepDomains(problem), 0
    while found < 2 and not search.exhausted:
        found += len(search.next(room=2 - found, steps=10**7))
    return found


def added(kind: Kind, walk: list[int], rng: random.Random) -> dict[int, int]:
    """Steps of vertices that no other tour fits, from some at random on."""
    step_of = {vertex: step for step, vertex in enumerate(walk)}
    given = {v: step_of[v] for v in rng.sample(walk, round(kind.share * len(walk)))}
    problem = _asked(kind, given)
    index, cnf = problem.indexed.index, channel.encode(problem)
    with Solver(name="minisat22", bootstrap_with=cnf.clauses) as solver:
        solver.add_clause([-int(cnf.key[vertex, step]) for vertex, step in step_of.items()])
        while solver.solve():
            other = channel.decode(cnf, flags_of(solver.get_model(), cnf.variables))
            assert isinstance(other, Tour)
            found = [index[square] for square in other]
            elsewhere = [v for v, own in zip(found, walk, strict=True) if v != own]
            for vertex in rng.sample(elsewhere, min(AT_ONCE, len(elsewhere))):
                given[vertex] = step_of[vertex]
                solver.add_clause([int(cnf.key[vertex, step_of[vertex]])])
    return given


def made(name: str) -> list[dict[str, int]]:
    """The puzzles of a kind, made anew; each has a seed of its own."""
    kind, told = KINDS[name], []
    for seed in range(kind.puzzles):
        rng = random.Random(f"{name} {seed}")
        walk = drawn(kind, rng)
        if not kind.single:
            many = round(kind.share * len(walk))
            given = {walk[at]: at for at in rng.sample(range(len(walk)), many)}
        else:
            given = (added if kind.share else minimal)(kind, walk, rng)
        steps = sorted((step + 1, vertex) for vertex, step in given.items())
        names = kind.problem().tour(kind.problem().indexed.nodes).names
        told.append({names[vertex]: step for step, vertex in steps})
    return told


if __name__ == "__main__":
    import sys

    kept = json.loads(FILE.read_text(encoding="utf-8")) if FILE.exists() else {}
    for name in sys.argv[1:] or KINDS:
        kept[name] = made(name)
        print(name, [len(given) for given in kept[name]], flush=True)
        rows = (f'"{kind}": {json.dumps(kept[kind])}' for kind in KINDS if kind in kept)
        FILE.write_text("{" + ",\n".join(rows) + "}\n", encoding="utf-8")

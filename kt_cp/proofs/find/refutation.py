"""Refutations: a formula of the problem, cuts as they are needed, and a proof of the last "no".

A SAT solver chooses two edges at every vertex of the frame.  Its model is a set of cycles; if there
is one, that is a tour, otherwise each gives a cut (at least one edge leaves it), and the solver goes
on.  When it answers "unsatisfiable", that is still a claim.  So the formula with the cuts that were
found is solved again, from the start, by a solver that logs its lemmas; :mod:`kt_cp.proofs.trim`
keeps those which the empty clause needs, with hints, and tells which cuts they use.  With only
these, the formula is solved a few times more, in other orders, for a shorter proof.

Sources: the cuts are those of T. Soh, D. Le Berre, S. Roussel, M. Banbara and N. Tamura (JELIA
2014); the proofs are DRUP (M. Heule, W. Hunt and N. Wetzler, "Trimming while checking clausal
proofs", FMCAD 2013).  When it loses: where the reason is a count over the whole board (colours,
tight sets), resolution needs exponentially many lemmas; that is what the other evidence is for.

PySAT's solvers keep no time limit and cannot be interrupted, so this runs in a process of its own.
"""

from __future__ import annotations

import base64
import random
import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from kt_cp import isolate
from kt_cp.errors import EngineFailedError
from kt_cp.limits import Clock, Limits
from kt_cp.problem import Problem
from kt_cp.proofs.check.forced import tightened
from kt_cp.proofs.check.formula import Clause, formula_of, leaving
from kt_cp.proofs.check.frame import Frame, frame_of
from kt_cp.proofs.check.refutation import digest, dimacs
from kt_cp.proofs.check.state import State
from kt_cp.proofs.trim import Trimmed, parse_drup, trim

FINDER = "cadical195"
"""Solver of the rounds with cuts."""

PROVERS = ("glucose4", "cadical153")
"""Solvers that log their lemmas, in the order in which they are tried."""

ATTEMPTS = 6
SHORTEN_SECONDS = 2.0
"""Proofs that are tried for a shorter one, and the time after which no further one is."""

PACKED = 4_000
"""Characters from which a proof is packed; shorter ones can be read as they are."""


@dataclass(frozen=True)
class Refuted:
    """What came of it: squares of a tour, or evidence that there is none; or the time was over."""

    tour: list[Any] | None = None
    evidence: dict[str, Any] | None = None
    statistics: Mapping[str, float] = field(default_factory=dict)


def refutation(
    problem: Problem,
    *,
    limits: Limits,
    seed: int = 0,
    sets: Sequence[Sequence[str]] = (),
    progress: Callable[[Mapping[str, float]], None] | None = None,
) -> Refuted:
    """Find a tour or refute the problem's formula, in a process of its own.

    Parameters
    ----------
    sets : sequence of sequence of str
        Tight sets, by the names of their squares: what they force and ban joins the formula.

    Raises
    ------
    EngineFailedError
        If the solver crashed.
    """
    if isolate.in_child():
        return refute(problem, seed, sets, limits.seconds, emit=progress or _nowhere)
    ended = isolate.call(
        f"{__name__}:refute", problem, seed, sets, limits.seconds, limits=limits, progress=progress
    )
    if ended.how == "done":
        found: Refuted = ended.value
        return found
    if ended.how in ("timeout", "memory"):
        return Refuted(statistics={"solve_seconds": ended.seconds})
    raise EngineFailedError(f"the refutation of {problem.label} crashed: {ended.detail}")


def refute(
    problem: Problem,
    seed: int,
    sets: Sequence[Sequence[str]],
    seconds: float | None,
    *,
    emit: Callable[[Mapping[str, float]], None],
) -> Refuted:
    """The work itself, here and now; only the search for shorter proofs looks at the clock."""
    clock = Clock(seconds)
    frame = frame_of(problem)
    vertices = [{frame.number[square] for square in squares} for squares in _squares(frame, sets)]
    known = tightened(frame, vertices, []) if vertices else None
    cuts, tour, rounds = _cuts(frame, known, seed, emit)
    statistics = {"rounds": rounds, "cuts": len(cuts)}
    if tour is not None:
        nodes = list(frame.number)
        return Refuted(tour=[nodes[vertex] for vertex in tour], statistics=statistics)
    proof = _shortest(frame, known, cuts, seed, clock)
    evidence = {
        "kind": "refutation",
        "tight": [list(names) for names in sets],
        "cuts": [[frame.names[vertex] for vertex in sorted(cut)] for cut in proof.cuts],
        "proof": proof.packed(),
        "digests": {"formula": digest(dimacs(*proof.formula)), "proof": digest(proof.text())},
    }
    return Refuted(evidence=evidence, statistics={**statistics, "lemmas": len(proof.lines)})


def _squares(frame: Frame, sets: Sequence[Sequence[str]]) -> list[list[Any]]:
    by_name = dict(zip(frame.names, frame.number, strict=False))
    return [[by_name[name] for name in names] for names in sets]


def _cuts(
    frame: Frame, known: State | None, seed: int, emit: Callable[[Mapping[str, float]], None]
) -> tuple[list[set[int]], list[int] | None, int]:
    """Cuts until there is no model, or a tour is the model; and how many rounds it took."""
    from pysat.solvers import Solver

    edges = frame.edges()
    variable = {edge: number for number, edge in enumerate(edges, start=1)}
    clauses = formula_of(frame, known, [])[1]
    cuts: list[set[int]] = []
    rounds = 0
    with Solver(name=FINDER) as solver:
        if seed:
            solver.configure({"seed": seed})
        _add(solver, clauses)
        while solver.solve():
            rounds += 1
            model = solver.get_model()
            chosen = [edges[x - 1] for x in model if 0 < x <= len(edges)]
            cycles = _cycles(len(frame), chosen)
            if len(cycles) == 1:
                return cuts, _tour(frame, cycles[0]), rounds
            fresh = [_squares_of(frame, cycle) for cycle in sorted(cycles, key=len)[:-1]]
            cuts += fresh
            _add(solver, (leaving(frame, cut, variable) for cut in fresh))
            emit({"rounds": rounds, "cuts": len(cuts)})
    return cuts, None, rounds


def _add(solver: Any, clauses: Iterable[Clause]) -> None:
    for clause in clauses:
        # An empty clause, which PySAT does not take, as two.
        for part in [clause] if clause else ([1], [-1]):
            solver.add_clause(part)


def _cycles(size: int, chosen: Sequence[tuple[int, int]]) -> list[list[int]]:
    """Vertex lists of the disjoint cycles that chosen edges form, in their order."""
    beside: list[list[int]] = [[] for _ in range(size)]
    for u, v in chosen:
        beside[u].append(v)
        beside[v].append(u)
    seen = [False] * size
    cycles = []
    for root in range(size):
        if seen[root]:
            continue
        cycle, vertex = [], root
        while not seen[vertex]:
            seen[vertex] = True
            cycle.append(vertex)
            vertex = next((other for other in beside[vertex] if not seen[other]), root)
        cycles.append(cycle)
    return cycles


def _squares_of(frame: Frame, cycle: list[int]) -> set[int]:
    """The cycle's vertices, or the others where it holds the ends: a cut names squares."""
    inside = set(cycle)
    if any(end in inside for end in frame.ends):
        return set(range(frame.squares)) - inside
    return inside


def _tour(frame: Frame, cycle: list[int]) -> list[int]:
    """Squares of the tour that a cycle through all vertices is."""
    problem = frame.problem
    first = None if problem.start is None else frame.number[problem.start]
    last = None if problem.end is None else frame.number[problem.end]
    if problem.closed:
        turn = 0 if first is None else cycle.index(first)
        return cycle[turn:] + cycle[:turn]
    # The ends are beside each other, so turned to either the squares follow or precede.
    turn = cycle.index(frame.ends[0])
    walk = [v for v in cycle[turn:] + cycle[:turn] if v < frame.squares]
    backwards = first not in (None, walk[0]) or last not in (None, walk[-1])
    return walk[::-1] if backwards else walk


@dataclass(frozen=True)
class _Proof:
    """A proof over the formula with the cuts that it needs."""

    formula: tuple[int, list[Clause]]
    cuts: list[set[int]]
    lines: list[str]

    def text(self) -> str:
        return "".join(f"{line}\n" for line in self.lines)

    def packed(self) -> str | list[str]:
        text = self.text()
        if len(text) < PACKED:
            return self.lines
        return base64.b64encode(zlib.compress(text.encode(), 9)).decode()


def _shortest(
    frame: Frame, known: State | None, cuts: list[set[int]], seed: int, clock: Clock
) -> _Proof:
    """The shortest proof of a few, each over the cuts which the best one so far needs."""
    rng = random.Random(seed)
    began = clock.elapsed
    best: _Proof | None = None
    for attempt in range(ATTEMPTS):
        found = _proof(frame, known, best.cuts if best else cuts, attempt, rng)
        if best is None or len(found.text()) < len(best.text()):
            best = found
        left = clock.left
        if clock.elapsed - began > SHORTEN_SECONDS or (left is not None and left < 1.0):
            break
    return best


def _proof(
    frame: Frame, known: State | None, cuts: list[set[int]], attempt: int, rng: random.Random
) -> _Proof:
    """Solve the formula once, with a log, and keep what the empty clause needs."""
    from pysat.solvers import Solver

    _, clauses = formula_of(frame, known, cuts)
    shuffled = rng.sample(clauses, len(clauses)) if attempt else clauses
    if [] in clauses:
        log = []
    else:
        with Solver(name=PROVERS[attempt % len(PROVERS)], with_proof=True) as solver:
            solver.append_formula(shuffled)
            if solver.solve() is not False:
                raise EngineFailedError("a solver contradicts another on one formula")
            log = solver.get_proof()
    trimmed = trim(clauses, parse_drup(log))
    base = len(clauses) - len(cuts)
    kept = [index - base for index in trimmed.used if index >= base]
    number = {base + place + 1: base + rank + 1 for rank, place in enumerate(kept)}
    down = len(cuts) - len(kept)
    lines = []
    for lemma, hints in trimmed.lemmas:
        moved = (number.get(h, h if h <= base else h - down) for h in hints)
        lines.append(" ".join(map(str, [*lemma, 0, *moved, 0])))
    needed = [cuts[place] for place in kept]
    return _Proof(formula_of(frame, known, needed), needed, lines)


def _nowhere(_work: Mapping[str, float]) -> None:
    """Progress that nobody watches."""

"""Cuts, one after the other, until a tour is found or the formula has no model.

A SAT solver chooses two edges at every vertex of the frame.  Its model is a set of cycles.  A
single cycle is a tour.  Of several cycles, all but the longest give a cut each: at least one edge
leaves the cycle.  The solver goes on with these cuts until it finds a tour, or answers that there
is no model.  That answer is a claim, and :mod:`kt_cp.proofs.refutation` has it proved.

Source: T. Soh, D. Le Berre, S. Roussel, M. Banbara and N. Tamura, "Incremental SAT-based method
with native Boolean cardinality handling for the Hamiltonian cycle problem", JELIA 2014.  Cost: a
few rounds and hundredths of a second on boards of up to 64 squares.  When it loses: where a tour is
to be found on a large board.  The engine ``sat:lazy`` has the better formula for that, but one that
takes longer to describe to a checker.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from kt_cp.model.cycle import cycles_of
from kt_cp.model.errors import EngineFailedError
from kt_cp.model.progress import Progress
from kt_cp.trust.check.formula import Clause, formula_of, leaving
from kt_cp.trust.check.frame import Frame
from kt_cp.trust.check.state import State

SOLVER = "cadical195"


def cuts_or_tour(
    frame: Frame, known: State | None, seed: int, emit: Progress
) -> tuple[list[set[int]], list[int] | None, int]:
    """Cuts until there is no model, or a tour is the model; and how many rounds it took."""
    from pysat.solvers import Solver

    edges = frame.edges()
    variable = {edge: number for number, edge in enumerate(edges, start=1)}
    cuts: list[set[int]] = []
    rounds = 0
    with Solver(name=SOLVER) as solver:
        if seed:
            solver.configure({"seed": seed})
        _add(solver, formula_of(frame, known, [])[1])
        while solver.solve():
            rounds += 1
            model = solver.get_model()
            chosen = [edges[x - 1] for x in model if 0 < x <= len(edges)]
            cycles = cycles_of(_links(len(frame), chosen))
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


def _links(size: int, chosen: Sequence[tuple[int, int]]) -> list[list[int]]:
    links: list[list[int]] = [[] for _ in range(size)]
    for u, v in chosen:
        links[u].append(v)
        links[v].append(u)
    if any(len(pair) != 2 for pair in links):
        raise EngineFailedError("a model of the formula has not two edges at every vertex")
    return links


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
        at = 0 if first is None else cycle.index(first)
        return cycle[at:] + cycle[:at]
    # The ends are beside each other, so from either of them the squares follow or precede.
    at = cycle.index(frame.ends[0])
    walk = [v for v in cycle[at:] + cycle[:at] if v < frame.squares]
    backwards = first not in (None, walk[0]) or last not in (None, walk[-1])
    return walk[::-1] if backwards else walk

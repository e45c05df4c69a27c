"""Add cuts to a formula until a tour is found or the formula has no model.

A SAT solver chooses two edges at every vertex of the frame.  Its model is a set of cycles.  A
single cycle is a tour.  Of several cycles, all but the longest give a cut each: at least one edge
leaves the cycle.  The solver continues with these cuts until it finds a tour, or answers that there
is no model.  That answer is a claim, and :mod:`kt_cp.proofs.refutation` proves it.  With clues the
formula has step variables, every model is a tour, and one round is enough.

Source: T. Soh, D. Le Berre, S. Roussel, M. Banbara and N. Tamura, "Incremental SAT-based method
with native Boolean cardinality handling for the Hamiltonian cycle problem", JELIA 2014.  Cost: a
few rounds and hundredths of a second on boards of up to 64 squares.  When it loses: at finding
tours on large boards.  The formula of the engine ``sat:lazy`` is better for that, but harder to
describe to a checker.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from kt_cp.model.cycle import cycles_of
from kt_cp.model.errors import EngineFailedError
from kt_cp.model.request import Progress
from kt_cp.trust.check.formula import formula_of, leaving
from kt_cp.trust.check.frame import Frame
from kt_cp.trust.check.state import State
from kt_cp.trust.check.steps import Clause, Clue, clues_of

SOLVER = "cadical195"

BOUNDED = "glucose4"
"""The solver for a limited number of conflicts, which PySAT's CaDiCaL does not support."""

ROUNDS = 50
"""Most rounds with a budget; a few are usually enough."""


@dataclass(frozen=True)
class Claim:
    """The claim to refute: there is a tour with these clues that is not one of those listed.

    ``known`` is the knowledge from tight sets.  A clue is a vertex and its step, and a tour is a
    sequence of vertices.  ``order`` lists the vertices that the formula eliminates.
    """

    frame: Frame
    known: State | None = None
    clues: Sequence[Clue] = ()
    tours: Sequence[Sequence[int]] = ()
    order: Sequence[int] = ()

    def formula(self, cuts: Sequence[set[int]] = ()) -> tuple[int, list[Clause]]:
        """Return the number of variables and the clauses."""
        return self._formula(cuts) if cuts else self._plain

    @cached_property
    def _plain(self) -> tuple[int, list[Clause]]:
        return self._formula(())

    def _formula(self, cuts: Sequence[set[int]]) -> tuple[int, list[Clause]]:
        return formula_of(self.frame, self.known, cuts, self.clues, self.tours, self.order)


@dataclass(frozen=True)
class CutSearch:
    """The result: a tour's squares, or cuts with which there is no model; or neither."""

    tour: list[int] | None
    cuts: list[set[int]]
    rounds: int
    is_decided: bool = True


def find_cuts_or_tour(
    claim: Claim, seed: int = 0, emit: Progress | None = None, budget: int | None = None
) -> CutSearch:
    """Add cuts until there is no model or the model is a tour.

    A budget limits the conflicts of each round and the number of rounds.
    """
    from pysat.solvers import Solver

    frame = claim.frame
    edges = frame.edges()
    variable = {edge: number for number, edge in enumerate(edges, start=1)}
    cuts: list[set[int]] = []
    rounds = 0
    with Solver(name=SOLVER if budget is None else BOUNDED) as solver:
        if seed and budget is None:
            solver.configure({"seed": seed})
        _add_clauses(solver, claim.formula()[1])
        while (answer := _solve(solver, budget)) and (budget is None or rounds < ROUNDS):
            rounds += 1
            model = solver.get_model()
            chosen = [edges[x - 1] for x in model if 0 < x <= len(edges)]
            cycles = cycles_of(_links(len(frame), chosen))
            if len(cycles) == 1:
                return CutSearch(_tour(frame, cycles[0]), cuts, rounds)
            # A cut names squares: those of the other cycles if a cycle holds the ends.
            parts = map(set, sorted(cycles, key=len)[:-1])
            squares, ends = {*range(frame.squares)}, {*frame.ends}
            new_cuts = [squares - part if part & ends else part for part in parts]
            cuts += new_cuts
            _add_clauses(solver, (leaving(frame, cut, variable) for cut in new_cuts))
            if emit is not None:
                emit({"rounds": rounds, "cuts": len(cuts)})
    return CutSearch(None, cuts, rounds, is_decided=answer is False)


def _solve(solver: Any, budget: int | None) -> bool | None:
    """Return whether there is a model, or None if the budget is used up."""
    if budget is None:
        return bool(solver.solve())
    solver.conf_budget(budget)
    answer: bool | None = solver.solve_limited()
    return answer


def _add_clauses(solver: Any, clauses: Iterable[Clause]) -> None:
    for clause in clauses:
        # Two contradicting clauses, because PySAT takes no empty clause.
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


def _tour(frame: Frame, cycle: list[int]) -> list[int]:
    """Return the squares of the tour for a cycle through all vertices."""
    problem = frame.problem
    clues = [(frame.number[square], step) for square, step in clues_of(problem)]
    if problem.closed:
        # The first clue determines where the tour begins.
        (vertex, step), *_ = [*clues, (0, 1)]
        at = (cycle.index(vertex) + 1 - step) % len(cycle)
        reverse_start = (cycle.index(vertex) - 1 + step) % len(cycle)
        walks = cycle[at:] + cycle[:at], cycle[reverse_start::-1] + cycle[:reverse_start:-1]
    else:
        # The ends are adjacent on the cycle, so the squares follow or precede either of them.
        at = cycle.index(frame.ends[0])
        walk = [v for v in cycle[at:] + cycle[:at] if v < frame.squares]
        walks = walk, walk[::-1]
    return next((walk for walk in walks if all(walk[s - 1] == v for v, s in clues)), walks[0])

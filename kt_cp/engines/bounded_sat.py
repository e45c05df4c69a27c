"""SAT in this process, within a budget of conflicts: with given steps, and on small graphs.

With given steps the formula is that of :mod:`kt_cp.encodings.channel`.  A puzzle with one tour
takes some hundred conflicts, and contradicting clues mostly fewer.  So it is solved in this
process: PySAT loads in a tenth of the time that the compiled search on step domains takes, and no
process starts.  PySAT's solvers cannot be interrupted, so the number of conflicts is limited.

A clause excludes the first tour, and the solver continues.  So the result also shows whether that
tour is the only one.

Source: see the encoding.  Cost: ``benchmarks/MEASURED.md``.  When it loses: with few given steps
on a large board the formula is large and has many models, and annealing finds a tour sooner.
Formulas of more than ``MOST_CLAUSES`` clauses are not built.

On graphs the formula is that of :mod:`kt_cp.encodings.lazy`, which is extended by cuts until its
model is one cycle.  A graph in which every cut is small takes a few hundred rounds.  It loses on
long narrow graphs, which need a cut for each of exponentially many sets; a sweep decides these.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from kt_cp.encodings import channel, lazy
from kt_cp.encodings.cnf import Cnf, Cuts
from kt_cp.engines.sat import add_cuts, flags_of, load
from kt_cp.model.conditions import End, Forbidden, Given, Start
from kt_cp.model.gc_pause import gc_paused
from kt_cp.model.problem import Problem
from kt_cp.model.tour import Tour

MOST_SQUARES = 200
"""Most squares of a board with given steps."""

MOST_CLAUSES = 150_000
"""Most estimated clauses: a tenth of a second to build; a king's 9x9 with four steps fits."""

CONFLICTS = 5_000
"""Most conflicts for both tours together.  All minimal puzzles that were measured take fewer
(``benchmarks/MEASURED.md``)."""

CYCLE_CONFLICTS = 5_000
"""Most conflicts for a cycle of a graph: about half a second."""


@dataclass(frozen=True)
class FoundTours:
    """At most two tours, and a flag that there are no others."""

    tours: tuple[Tour, ...]
    exhausted: bool
    conflicts: int


def has_small_formula(problem: Problem) -> bool:
    """Return whether a problem has given steps, no required moves and a small formula."""
    if not problem.given or problem.directed or problem.size > MOST_SQUARES:
        return False
    known = all(isinstance(each, Given | Forbidden | Start | End) for each in problem.conditions)
    return known and channel.clauses_of(problem) <= MOST_CLAUSES


@lru_cache(8)
def find_two_tours(problem: Problem, seed: int = 0) -> FoundTours:
    """Return up to two tours of a problem with given steps.

    >>> found = find_two_tours(Problem("3x4", given={"a1": 1, "d3": 12}))
    >>> len(found.tours), found.exhausted
    (1, True)
    """
    from pysat.solvers import Solver

    name = channel.ENCODING.solver
    tours: list[Tour] = []
    with gc_paused(), Solver(name=name) as solver:
        cnf = channel.encode(problem)
        load(solver, name, cnf, seed)
        own = cnf.key[cnf.key > 0]
        while True:
            conflicts = int(solver.accum_stats()["conflicts"])
            if len(tours) == 2 or conflicts >= CONFLICTS:
                return FoundTours(tuple(tours), False, conflicts)
            solver.conf_budget(CONFLICTS - conflicts)
            answer = solver.solve_limited()
            if answer is False:
                conflicts = int(solver.accum_stats()["conflicts"])
                return FoundTours(tuple(tours), True, conflicts)
            if answer:
                flags = flags_of(solver.get_model(), cnf.variables)
                tour = channel.ENCODING.decode(cnf, flags)
                assert not isinstance(tour, Cuts)
                tours.append(tour)
                solver.add_clause([-variable for variable in own.tolist() if flags[variable]])
                if problem.closed:
                    _exclude_reverse(solver, cnf, tour)


def _exclude_reverse(solver: Any, cnf: Cnf, tour: Tour) -> None:
    """Exclude the reverse of a closed tour, if it has the given steps too."""
    index, (step, *_) = cnf.problem.indexed.index, cnf.problem.given.values()
    order = [index[square] for square in tour.squares]
    reverse = [order[(2 * (step - 1) - at) % len(order)] for at in range(len(order))]
    clause = [-int(variable) for variable in cnf.key[reverse, range(len(order))]]
    if all(clause):
        solver.add_clause(clause)


def find_cycle(problem: Problem, seed: int = 0) -> FoundTours:
    """Search for a cycle of a graph.

    >>> import networkx as nx
    >>> find_cycle(Problem(graph=nx.petersen_graph(), closed=True)).exhausted
    True
    """
    from pysat.solvers import Solver

    name, conflicts = lazy.ENCODING.solver, 0
    with gc_paused(), Solver(name=name) as solver:
        cnf = lazy.native(problem)
        load(solver, name, cnf, seed)
        while conflicts < CYCLE_CONFLICTS:
            solver.conf_budget(CYCLE_CONFLICTS - conflicts)
            answer = solver.solve_limited()
            conflicts = int(solver.accum_stats()["conflicts"])
            if answer is False:
                return FoundTours((), True, conflicts)
            if answer:
                decoded = lazy.decode(cnf, flags_of(solver.get_model(), cnf.variables))
                if not isinstance(decoded, Cuts):
                    return FoundTours((decoded,), False, conflicts)
                add_cuts(solver, decoded, in_rows=True)
    return FoundTours((), False, conflicts)

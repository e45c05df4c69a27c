"""Puzzles with given steps: a tour found, and shown that there is no other, or another one.

By an engine's own means, and without starting again where it can go on: the search on windows asks
for two tours, a SAT solver gets a clause against the first one, CP-SAT another model.  Making the
formula is in the time.  Each seed has its share of a kind's puzzles; seconds are the processor's.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

from benchmarks.jobs.planted import KINDS, puzzles
from benchmarks.plan import CLINGO
from kt_cp import Problem
from kt_cp.encodings import get_encoding
from kt_cp.encodings.position import allowed_steps
from kt_cp.engines import windows

PROGRAM = Path(__file__).parent.parent / "clues.lp"
SEEDS = 5
"""Shares into which the puzzles of a kind are dealt."""


def clues(kind: str, who: str, seed: str) -> dict[str, Any]:
    """Median of the seconds, all of them, and how many tours; ``NONE`` where it has no share."""
    share = puzzles(kind)[int(seed) - 1 :: SEEDS]
    if not share:
        return {"status": "NONE"}
    count = counter(who)
    count(Problem("5x6", closed=True, given={"a1": 1, "b3": 2}))  # what is loaded late, is now
    if who == windows.NAME:
        windows.load(share[0])  # for boards of that size
    seconds, wrong = [], 0
    for problem in share:
        began = time.process_time()
        found = count(problem)
        seconds.append(time.process_time() - began)
        wrong += found != 2 - KINDS[kind].single
    status = "WRONG" if wrong else "FOUND"
    return {"status": status, "seconds": median(seconds), "each": seconds}


def counter(who: str) -> Callable[[Problem], int]:
    """What says how many tours there are, up to two, by the name of an engine."""
    if who.startswith("sat:"):
        _, encoding, solver = [*who.split(":"), get_encoding(who.split(":")[1]).solver][:3]
        return partial(_by_sat, encoding=encoding, solver=solver)
    return {"windows": _by_windows, "cpsat": _by_cpsat, CLINGO: _by_clingo}[who]


def _by_windows(problem: Problem) -> int:
    from benchmarks.jobs.planted import tours

    return tours(problem)


def _by_sat(problem: Problem, encoding: str, solver: str) -> int:
    from pysat.solvers import Solver

    from kt_cp.encodings.successor import Successors

    cnf = get_encoding(encoding).encode(problem)
    if isinstance(cnf.key, Successors):
        own = set(range(cnf.key.first, cnf.key.first + len(cnf.key.arcs)))
    else:
        own = set(cnf.key[cnf.key > 0].tolist())
    with Solver(name=solver, bootstrap_with=cnf.clauses) as native:
        if not native.solve():
            return 0
        native.add_clause([-literal for literal in native.get_model() if literal in own])
        return 1 + bool(native.solve())


def _by_cpsat(problem: Problem) -> int:
    from ortools.sat.python import cp_model

    from kt_cp.engines.cpsat import circuit_model

    model, _, literals = circuit_model(problem)
    for found in range(2):
        solver = cp_model.CpSolver()
        solver.parameters.num_workers = 1
        if solver.solve(model) == cp_model.INFEASIBLE:
            return found
        model.add_bool_or([~each for each in literals if solver.boolean_value(each)])
    return 2


def _by_clingo(problem: Problem) -> int:
    import clingo

    control = clingo.Control(["2"])
    control.load(str(PROGRAM))
    size, graph = problem.size, problem.indexed
    facts = [f"may({v},{s})." for v, s in np.argwhere(allowed_steps(problem)).tolist()]
    facts += [f"edge({u},{v}). edge({v},{u})." for u, v in graph.pairs()]
    steps = range(size if problem.closed else size - 1)
    facts += [f"next({step},{(step + 1) % size})." for step in steps]
    control.add("base", [], "\n".join(facts))
    control.ground([("base", [])])
    found = 0
    with control.solve(yield_=True) as models:
        for _ in models:
            found += 1
    return found

"""Refutations of boards without a tour, by an encoding.

A seed shuffles the clauses.  The formula is solved, with cuts where the encoding asks for
them, and that is timed: in seconds of the processor,
as most of these boards are done before the system turns to another process and back.  Then the
formula with all these cuts is solved once more, from the start, by the same solver with a log, and
how long that is is told.
"""

from __future__ import annotations

import random
import time
from typing import Any

from pysat.solvers import Solver

from kt_cp.encodings import get_encoding
from kt_cp.encodings.cnf import Clause, Cnf, Cuts, Encoding
from kt_cp.model.board import Board
from kt_cp.model.problem import Problem

SOLVER = "cadical153"
"""The newest CaDiCaL that logs its lemmas through PySAT."""
WARM_UP = "3x4"


def refutation(encoding: str, kind: str, boards: str, seed: str) -> dict[str, Any]:
    """Seconds, bytes of the proofs and cuts, over all boards; ``TOUR`` if one has a tour."""
    chosen = get_encoding(encoding)
    _refute(chosen, Problem(Board.parse(WARM_UP), closed=True), 0)  # what is loaded late, is now
    total = {"seconds": 0.0, "proof": 0, "cuts": 0}
    for board in boards.split(","):
        problem = Problem(Board.parse(board), closed=kind == "closed")
        began = time.process_time()
        clauses, cuts = _refute(chosen, problem, int(seed))
        total["seconds"] += time.process_time() - began
        if cuts is None:
            return {"status": "TOUR"}
        total["cuts"] += len(cuts)
        total["proof"] += _logged([*clauses, *cuts])
    return {"status": "FOUND", **total}


def _refute(
    chosen: Encoding, problem: Problem, seed: int
) -> tuple[list[Clause], list[Clause] | None]:
    """The formula's clauses, and the cuts with which it has no model; None for a tour."""
    cnf = chosen.encode(problem)
    clauses = random.Random(seed).sample(cnf.clauses, len(cnf.clauses))
    return clauses, _cuts(chosen, cnf, clauses)


def _cuts(chosen: Encoding, cnf: Cnf, clauses: list[Clause]) -> list[Clause] | None:
    """The cuts with which the formula has no model; None if a model is a tour."""
    cuts: list[Clause] = []
    with Solver(name=SOLVER, bootstrap_with=clauses) as solver:
        while solver.solve():
            true = [False] * (cnf.variables + 1)
            for literal in solver.get_model():
                if 0 < literal <= cnf.variables:
                    true[literal] = True
            decoded = chosen.decode(cnf, true)
            if not isinstance(decoded, Cuts):
                return None
            for cut in decoded.clauses:
                # A cycle without a way out: an empty clause, which PySAT does not take, as two.
                for part in [cut] if cut else [[1], [-1]]:
                    solver.add_clause(part)
                    cuts.append(part)
    return cuts


def _logged(clauses: list[Clause]) -> int:
    """Bytes of the proof that the solver logs, as it comes."""
    with Solver(name=SOLVER, with_proof=True, bootstrap_with=clauses) as solver:
        if solver.solve() is not False:
            raise AssertionError("a solver contradicts itself")
        return sum(len(line) + 1 for line in solver.get_proof())

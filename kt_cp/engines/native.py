"""What goes into a solver of PySAT and comes out: formulas, cuts, models, counts."""

from __future__ import annotations

import random
from typing import Any

import numpy as np

from kt_cp.encodings.cnf import Clause, Cnf, Cuts

CHUNK = 20_000
"""Rows that are Python's lists at a time: a million at once would take ten times the memory."""


def load(native: Any, solver: str, cnf: Cnf, seed: int) -> None:
    """Give a formula to a solver; every edge of one in cardinality constraints is tried first."""
    clauses: list[Clause] = cnf.clauses
    if seed and solver == "cadical195":
        native.configure({"seed": seed})
    elif seed:
        clauses = random.Random(seed).sample(clauses, len(clauses))
    native.append_formula(clauses)
    for rows in cnf.exactly_two:
        width = rows.shape[1]
        for first in range(0, len(rows), CHUNK):
            part = rows[first : first + CHUNK]
            if width > 2:
                for row in part.tolist():
                    native.add_atmost(row, 2)
            for row in (-part).tolist():
                native.add_atmost(row, width - 2)
    if cnf.exactly_two:
        native.set_phases(list(range(1, cnf.variables + 1)))


def add_cuts(native: Any, cuts: Cuts, in_rows: bool = False) -> int:
    """Give cuts to a solver, as cardinality constraints where it takes them; returns how many."""
    for clause in cuts.clauses:
        if cuts.two and in_rows and len(clause) > 1:
            native.add_atmost([-literal for literal in clause], len(clause) - 2)
            continue
        # Too few ways out: an empty clause, which PySAT does not take, as two.
        for part in [clause] if len(clause) > cuts.two else ([1], [-1]):
            native.add_clause(part)
    return len(cuts.clauses)


def flags_of(model: list[int], variables: int) -> list[bool]:
    """Truth of each variable, from index 1; solvers leave out what plays no part."""
    literals = np.array(model, dtype=np.int64)
    true = np.zeros(variables + 1, dtype=bool)
    true[literals[(literals > 0) & (literals <= variables)]] = True
    flags: list[bool] = true.tolist()
    return flags


def counts(native: Any) -> dict[str, float]:
    """The solver's own."""
    counted = native.accum_stats()
    return {name: counted[name] for name in ("conflicts", "decisions")}

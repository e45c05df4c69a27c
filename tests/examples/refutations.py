"""Unsatisfiable formulas, proofs of them by solvers, and the rules for hints."""

from __future__ import annotations

import itertools

from pysat.solvers import Solver

from kt_cp.encodings import lazy
from kt_cp.encodings.cnf import Cuts
from kt_cp.proofs.backward_check import DONE, as_task, run
from kt_cp.proofs.trimming import parse_drup, trim

LOGGING = (
    "cadical103", "cadical153", "cadical195", "cadical300", "ergo", "gluecard3", "gluecard4",
    "glucose3", "glucose4", "glucose42", "lingeling", "maplechrono", "maplecm",
)  # fmt: skip


def check(clauses, lemmas):
    """Assert that each hint but the last implies one literal, and that the last is in conflict."""
    known = [list(clause) for clause in clauses]
    for lemma, hints in lemmas:
        true = {-literal for literal in lemma}
        assert not any(-literal in true for literal in true), f"{lemma} is a tautology"
        assert hints, f"{lemma} has no hints"
        for place, hint in enumerate(hints, start=1):
            assert 1 <= hint <= len(known), hint
            open_ = {literal for literal in known[hint - 1] if -literal not in true}
            assert len(open_) == (place < len(hints)), f"{lemma}: hint {place} of {hints}"
            assert not open_ & true, f"{lemma}: hint {place} of {hints} says nothing new"
            true |= open_
        known.append(lemma)
    assert lemmas[-1][0] == []


def hold(clauses, steps, deletions_are_sound=True, **options):
    """Trim, compiled and interpreted, and check all promised properties of the result."""
    for deleting in (False, True):
        once = [(deletes, list(dict.fromkeys(clause))) for deletes, clause in steps]
        task, _ = as_task([list(dict.fromkeys(c)) for c in clauses], once, deleting)
        result = run(task, compiled=False)
        assert result == run(task, compiled=True)
        assert result.status == DONE or (deleting and not deletions_are_sound)
    proof = trim(clauses, steps, compiled=False, **options)
    assert proof == trim(clauses, steps, compiled=True, **options)
    check(clauses, proof.lemmas)
    hinted = {hint for _, hints in proof.lemmas for hint in hints}
    assert {i + 1 for i in proof.used} == {hint for hint in hinted if hint <= len(clauses)}
    lemmas = range(len(clauses) + 1, len(clauses) + len(proof.lemmas))
    assert hinted - {i + 1 for i in proof.used} == set(lemmas), "a lemma that nothing needs"
    return proof


def refute(clauses, solver):
    """Return the steps of a solver's proof, or None if there is a model."""
    with Solver(name=solver, with_proof=True) as native:
        for clause in clauses:
            # PySAT accepts no empty clause.
            for part in [clause] if clause else ([1], [-1]):
                native.add_clause(part)
        return None if native.solve() else parse_drup(native.get_proof())


def satisfiable(clauses, variables):
    return any(
        all(any(signs[abs(literal) - 1] == (literal > 0) for literal in c) for c in clauses)
        for signs in itertools.product((False, True), repeat=variables)
    )


def random_formula(rng):
    variables = rng.randint(3, 9)
    width = rng.choice([2, 3])
    density = rng.uniform(1, 3) if width == 2 else rng.uniform(4, 8)
    return variables, [
        [v * rng.choice([1, -1]) for v in rng.sample(range(1, variables + 1), width)]
        for _ in range(round(density * variables))
    ]


def odd_formula(rng):
    """Return a formula with units, repetitions, tautologies and gaps in the numbers."""
    variables, clauses = random_formula(rng)
    clauses += [[rng.choice([-1, 1]) * rng.randint(1, variables)] for _ in range(rng.randint(0, 3))]
    clauses += [[*clause, rng.choice(clause)] for clause in rng.sample(clauses, 2)]
    clauses += [[2, 3, -2], *rng.sample(clauses, 2)]
    rng.shuffle(clauses)
    return variables, clauses


def pigeonhole(holes):
    pigeons = range(holes + 1)
    at = {(p, h): p * holes + h + 1 for p in pigeons for h in range(holes)}
    clauses = [[at[p, h] for h in range(holes)] for p in pigeons]
    clauses += [
        [-at[p, h], -at[q, h]] for h in range(holes) for p, q in itertools.combinations(pigeons, 2)
    ]
    return clauses


def lazy_formula(problem):
    """Return the formula of a knight's tour problem without a tour, with cuts that refute it."""
    cnf = lazy.encode(problem)
    clauses = [list(clause) for clause in cnf.clauses]
    with Solver(name="cadical195", bootstrap_with=clauses) as native:
        while native.solve():
            true = {literal for literal in native.get_model() if literal > 0}
            cuts = lazy.decode(cnf, [v in true for v in range(cnf.variables + 1)])
            assert isinstance(cuts, Cuts)
            clauses += cuts.clauses
            native.append_formula(cuts.clauses)
    return clauses


def implied(clauses, lemma):
    """Return whether naive unit propagation derives a lemma."""
    true = {-literal for literal in lemma}
    while True:
        before = len(true)
        for clause in clauses:
            open_ = {literal for literal in clause if -literal not in true}
            if not open_:
                return True
            if len(open_) == 1:
                true |= open_
        if len(true) == before:
            return False

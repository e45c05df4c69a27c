"""Proofs of every solver that logs them are trimmed, and other checkers accept what is left."""

from __future__ import annotations

import random
import shutil
import subprocess

import dratify
import pytest
from pysat.solvers import Solver, SolverNames

from kt_cp import Board, Problem
from kt_cp.proofs.trimming import BadProofError, parse_drup, trim
from tests.examples.refutations import (
    LOGGING,
    check,
    hold,
    implied,
    lazy_formula,
    odd_formula,
    pigeonhole,
    random_formula,
    refute,
    satisfiable,
)
from tests.support.exhaustive import more

SILENT = {
    "cryptosat": "not installed",
    "kissat404": "logs no proofs",
    "maplesat": "logs lemmas of other variables, which follow from nothing",
    "mergesat3": "logs no proofs",
    "minicard": "logs no proofs",
    "minisat22": "logs no proofs",
    "minisatep": "logs no proofs",
    "minisatgh": "logs no proofs",
}


# The proofs of their relatives are much the same, and those of maplechrono by far the longest.
DIFFERENT = ("cadical195", "ergo", "glucose42", "gluecard4", "lingeling", "maplecm")


def test_every_solver_logs_or_is_known_not_to():
    names = {name for name in vars(SolverNames) if not name.startswith("_")}
    assert names == {*LOGGING, *SILENT}


@pytest.mark.parametrize("seed", range(24))
def test_random_formulas(seed):
    rng = random.Random(seed)
    variables, clauses = (random_formula if seed % 2 else odd_formula)(rng)
    answer = satisfiable(clauses, variables)
    for solver in LOGGING:
        steps = refute(clauses, solver)
        assert (steps is None) == answer, f"seed {seed}, {solver}: {clauses}"
        if steps is not None:
            try:
                hold(clauses, steps, rounds=rng.randint(1, 3))
            except (AssertionError, BadProofError) as error:
                note = f"seed {seed}, {solver}: {error}; {clauses}; {steps}"
                raise AssertionError(note) from error


@pytest.mark.parametrize("solver", LOGGING)
def test_pigeonholes(solver):
    for holes in (1, 2, 3, 4):
        clauses = pigeonhole(holes)
        hold(clauses, refute(clauses, solver))


BOARDS = [
    Problem(Board(3, 8), closed=True),
    Problem(Board(4, 6), closed=True),
    Problem(Board(3, 6)),
]


@pytest.mark.parametrize("problem", BOARDS, ids=lambda problem: problem.label)
@pytest.mark.parametrize("solver", LOGGING)
def test_boards(problem, solver):
    clauses = lazy_formula(problem)
    hold(clauses, refute(clauses, solver))


@pytest.mark.slow
@pytest.mark.parametrize("solver", more([name for name in LOGGING if name in DIFFERENT], LOGGING))
def test_larger_boards(solver):
    clauses = lazy_formula(Problem(Board(4, 10), closed=True))
    steps = refute(clauses, solver)
    first = hold(clauses, steps, rounds=1)
    again = trim(clauses, steps, rounds=4)
    check(clauses, again.lemmas)
    assert again.size <= first.size


@pytest.mark.slow
@pytest.mark.parametrize("solver", LOGGING)
def test_solving_again_and_again(solver):
    """The log of a solver that was asked before, with models, while clauses came in."""
    for seed in range(20):
        rng = random.Random(seed)
        variables = rng.randint(6, 14)
        clauses = []
        with Solver(name=solver, with_proof=True) as native:
            while native.solve():
                for _ in range(rng.randint(1, 6)):
                    chosen = rng.sample(range(1, variables + 1), 3)
                    clauses.append([v * rng.choice([1, -1]) for v in chosen])
                    native.add_clause(clauses[-1])
            steps = parse_drup(native.get_proof())
        # Every lemma by unit propagation, none of them only by resolution asymmetric tautology.
        known = list(clauses)
        for deletes, lemma in steps:
            if not deletes:
                assert implied(known, lemma), f"seed {seed}: {lemma}"
                known.append(lemma)
        hold(clauses, steps)


def by_dratify(clauses, steps, tmp_path):
    result = dratify.check_proof(dratify.parse_dimacs(dimacs(clauses)), drat(steps))
    return result.ok and result.reached_empty


def by_drat_trim(clauses, steps, tmp_path):
    formula, proof = tmp_path / "formula.cnf", tmp_path / "proof.drat"
    formula.write_text(dimacs(clauses))
    proof.write_text(drat(steps))
    ended = subprocess.run(["drat-trim", formula, proof], capture_output=True, text=True)
    return "s VERIFIED" in ended.stdout


def dimacs(clauses):
    variables = max(abs(literal) for clause in clauses for literal in clause)
    lines = [" ".join(map(str, [*clause, 0])) for clause in clauses]
    return "\n".join([f"p cnf {variables} {len(clauses)}", *lines, ""])


def drat(steps):
    return "".join(
        "d " * deletes + " ".join(map(str, [*literals, 0])) + "\n" for deletes, literals in steps
    )


CHECKERS = [by_dratify] + [by_drat_trim] * (shutil.which("drat-trim") is not None)


@pytest.mark.parametrize("solver", LOGGING)
@pytest.mark.parametrize("accepts", CHECKERS)
def test_checkers_of_others_agree(accepts, solver, tmp_path):
    clauses = lazy_formula(Problem(Board(4, 8), closed=True))
    steps = refute(clauses, solver)
    proof = trim(clauses, steps)
    lemmas = [(False, lemma) for lemma, _ in proof.lemmas]
    used = [clauses[i] for i in proof.used]
    assert accepts(clauses, [*(step for step in steps if not step[0]), (False, [])], tmp_path)
    assert accepts(clauses, lemmas, tmp_path)
    assert accepts(used, lemmas, tmp_path)
    assert not accepts(used[1:], lemmas, tmp_path)

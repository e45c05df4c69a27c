"""Trimmed proofs: valid hints, and proofs of every solver that logs them."""

from __future__ import annotations

import random
import shutil
import subprocess
import sys

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


@pytest.mark.parametrize(
    "seed", [*range(3), *(pytest.param(n, marks=pytest.mark.slow) for n in range(3, more(8, 20)))]
)
def test_random_lemmas(seed):
    """Random lemmas that follow, with random deletions, in orders that no solver produces."""
    rng = random.Random(seed)
    variables, clauses = random_formula(rng)
    while satisfiable(clauses, variables):
        clauses.append([v * rng.choice([1, -1]) for v in rng.sample(range(1, variables + 1), 2)])
    steps, known = [], list(clauses)
    while not implied(known, []):
        lemma = [v * rng.choice([1, -1]) for v in range(1, variables + 1)]
        shorter = rng.sample(lemma, rng.randint(1, variables))
        # The clause of all literals always follows: each assignment falsifies some clause.
        lemma = shorter if implied(known, shorter) else lemma
        steps.append((False, lemma))
        known.append(lemma)
        if rng.random() < 0.1:
            steps.append((True, rng.choice(known)))
    hold(clauses, [*steps, (False, [])], deletions_are_sound=False)


@pytest.mark.parametrize(
    ("clauses", "lemmas", "used", "trimmed"),
    [
        ([[]], [], [0], [([], [1])]),
        ([[1], [2, 3], [-1]], [], [0, 2], [([], [1, 3])]),
        ([[1], [], [-1]], [[]], [1], [([], [2])]),
        ([[1, -1], [5, 5], [-5, -5, -5]], [], [1, 2], [([], [2, 3])]),
        # A lemma that is already a clause, a tautology, and a lemma after the contradiction.
        ([[1], [-1, 2], [-2]], [[2, -1], [3, -3], [7]], [0, 1, 2], [([], [1, 2, 3])]),
    ],
)
def test_by_hand(clauses, lemmas, used, trimmed):
    proof = hold(clauses, [(False, lemma) for lemma in lemmas])
    assert (proof.used, proof.lemmas) == (used, trimmed)


SQUARE = [[1, 2], [1, -2], [-1, 2], [-1, -2]]


@pytest.mark.parametrize("compiled", [False, True])
@pytest.mark.parametrize(
    ("steps", "message"),
    [
        ([], "after all 0 steps"),
        ([(True, [1, 2]), (False, [3, 1])], "after all 2 steps"),
        ([(False, [])], r"step 1 .*: \[\]"),
        ([(False, [1, 2, 3]), (False, [3]), (False, [-3]), (False, [1])], r"step 3 .*: \[-3\]"),
        ([(False, [4]), (False, [-4])], r"step 2 .*: \[-4\]"),
    ],
)
def test_faults_are_refused(steps, message, compiled):
    clauses = SQUARE if len(steps) < 4 else SQUARE[:3]
    with pytest.raises(BadProofError, match=message):
        trim(clauses, steps, compiled=compiled)


@pytest.mark.parametrize("compiled", [False, True])
def test_a_lemma_that_matters_is_missed(compiled):
    clauses = pigeonhole(4)
    steps = refute(clauses, "glucose4")
    proof = trim(clauses, steps, rounds=1)
    lemmas = [(False, lemma) for lemma, _ in proof.lemmas]
    refused = 0
    for left_out in range(len(lemmas)):
        rest = lemmas[:left_out] + lemmas[left_out + 1 :]
        try:
            check(clauses, trim(clauses, rest, compiled=compiled).lemmas)
        except BadProofError:
            refused += 1
    assert refused > len(lemmas) / 2
    with pytest.raises(BadProofError):
        trim(clauses, lemmas[:3], compiled=compiled)
    with pytest.raises(BadProofError):
        trim(clauses[1:], steps, compiled=compiled)


@pytest.mark.parametrize("compiled", [False, True])
def test_a_deletion_that_breaks_the_proof_is_passed_over(compiled):
    steps = [(True, [1, 2]), (True, [-2, 1]), (False, [1]), (False, [])]
    proof = trim(SQUARE, steps, compiled=compiled)
    check(SQUARE, proof.lemmas)
    assert proof.lemmas[0] == ([1], [2, 1])


def test_a_deleted_clause_is_there_for_older_lemmas():
    """A clause is deleted while all but one of its literals are false, and is needed later."""
    deleted = [4, 1, 2, 3]
    clauses = [
        deleted, [-1], [-4, 6], [-4, 7], [-6, -7, 5], [8, 9], [8, -9], [-8, -2], [-8, -3], [-8, 4],
        [-5, 10, 11], [-5, 10, -11], [-5, -10, 11], [-5, -10, -11],
    ]  # fmt: skip
    lemmas = [(False, [2, 3, 5]), (False, [8]), (True, deleted), (False, [10]), (False, [])]
    proof = hold(clauses, lemmas, rounds=1)
    assert proof.lemmas[0][0] == [2, 3, 5]


@pytest.mark.parametrize("line", ["1 2", "", "0 1", "1 0 2 0", "d", "x 0", "d d 1 0", "1.5 0"])
def test_lines_that_are_not_drup(line):
    with pytest.raises(BadProofError, match="line 2"):
        parse_drup(["1 -2 0", line])


def test_small_proofs_do_without_numba():
    code = """
import sys
from kt_cp.proofs.trimming import trim
trim([[1, 2], [1, -2], [-1, 2], [-1, -2]], [(False, [1])])
assert not {"numba", "numpy"} & set(sys.modules)
"""
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert ended.returncode == 0, ended.stderr


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


# Related solvers have similar proofs, and those of maplechrono are by far the longest.
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
    """The log of a solver that found models while clauses were added."""
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
        # Every lemma follows by unit propagation, none only by resolution asymmetric tautology.
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

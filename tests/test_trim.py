"""Trimmed proofs are checked by the rules of hints, to the letter."""

from __future__ import annotations

import itertools
import random
import shutil
import subprocess
import sys

import dratify
import pytest
from pysat.solvers import Solver, SolverNames

from kt_cp import Board, Problem
from kt_cp.encodings import lazy
from kt_cp.encodings.cnf import Cuts
from kt_cp.proofs.trim import BadProofError, StoppedError, parse_drup, trim

LOGGING = (
    "cadical103", "cadical153", "cadical195", "cadical300", "ergo", "gluecard3", "gluecard4",
    "glucose3", "glucose4", "glucose42", "lingeling", "maplechrono", "maplecm",
)  # fmt: skip
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


def check(clauses, lemmas):
    """Hold hints to their rules: each but the last implies one literal, the last is in conflict."""
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


def hold(clauses, steps, **options):
    """Trim with both twins and check everything that is promised of the result."""
    proof = trim(clauses, steps, compiled=False, **options)
    assert proof == trim(clauses, steps, compiled=True, **options)
    check(clauses, proof.lemmas)
    used = [clauses[i] for i in proof.used]
    check(used, proof.renumbered())
    hinted = {hint for _, hints in proof.lemmas for hint in hints}
    assert {i + 1 for i in proof.used} == {hint for hint in hinted if hint <= len(clauses)}
    lemmas = range(len(clauses) + 1, len(clauses) + len(proof.lemmas))
    assert hinted - {i + 1 for i in proof.used} == set(lemmas), "a lemma that nothing needs"
    assert proof.given == len(clauses)
    return proof


def refute(clauses, solver):
    """Steps of a solver's proof, or None where there is a model."""
    with Solver(name=solver, with_proof=True) as native:
        for clause in clauses:
            # PySAT takes no empty clause.
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
    """Unit clauses, repeated literals and clauses, tautologies, gaps in the numbers."""
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
    """A knight's tour problem that has none, with the cuts that its refutation takes."""
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


def test_every_solver_logs_or_is_known_not_to():
    names = {name for name in vars(SolverNames) if not name.startswith("_")}
    assert names == {*LOGGING, *SILENT}


@pytest.mark.parametrize("seed", range(40))
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


@pytest.mark.parametrize("seed", range(20))
def test_random_lemmas(seed):
    """Any lemmas that follow, deleted at random: orders that no solver would take."""
    rng = random.Random(seed)
    variables, clauses = random_formula(rng)
    while satisfiable(clauses, variables):
        clauses.append([v * rng.choice([1, -1]) for v in rng.sample(range(1, variables + 1), 2)])
    steps, known = [], list(clauses)
    while not implied(known, []):
        lemma = [v * rng.choice([1, -1]) for v in range(1, variables + 1)]
        shorter = rng.sample(lemma, rng.randint(1, variables))
        # All literals always follow: some clause is false under every assignment.
        lemma = shorter if implied(known, shorter) else lemma
        steps.append((False, lemma))
        known.append(lemma)
        if rng.random() < 0.1:
            steps.append((True, rng.choice(known)))
    hold(clauses, [*steps, (False, [])])


def implied(clauses, lemma):
    """Naive unit propagation."""
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
@pytest.mark.parametrize("solver", LOGGING)
def test_larger_boards(solver):
    clauses = lazy_formula(Problem(Board(4, 14), closed=True))
    steps = refute(clauses, solver)
    first = hold(clauses, steps, rounds=1)
    again = trim(clauses, steps, rounds=4)
    check(clauses, again.lemmas)
    assert again.size <= first.size


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


@pytest.mark.parametrize(
    ("clauses", "lemmas", "used", "trimmed"),
    [
        ([[]], [], [0], [([], [1])]),
        ([[1], [2, 3], [-1]], [], [0, 2], [([], [1, 3])]),
        ([[1], [], [-1]], [[]], [1], [([], [2])]),
        ([[1, -1], [5, 5], [-5, -5, -5]], [], [1, 2], [([], [2, 3])]),
        # A lemma that is a clause already, a tautology, and one after the contradiction.
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


def test_a_deletion_that_breaks_the_proof_is_passed_over():
    proof = hold(SQUARE, [(True, [1, 2]), (True, [-2, 1]), (False, [1]), (False, [])])
    assert proof.lemmas[0] == ([1], [2, 1])


@pytest.mark.parametrize("line", ["1 2", "", "0 1", "1 0 2 0", "d", "x 0", "d d 1 0", "1.5 0"])
def test_lines_that_are_not_drup(line):
    with pytest.raises(BadProofError, match="line 2"):
        parse_drup(["1 -2 0", line])


@pytest.mark.parametrize("compiled", [False, True])
def test_it_stops_when_asked(compiled):
    clauses = pigeonhole(4)
    steps = refute(clauses, "glucose4")
    asked = itertools.count()
    with pytest.raises(StoppedError):
        trim(clauses, steps, compiled=compiled, should_stop=lambda: next(asked) > 2)


def test_small_proofs_do_without_numba():
    code = """
import sys
from kt_cp.proofs.trim import trim
trim([[1, 2], [1, -2], [-1, 2], [-1, -2]], [(False, [1])])
assert not {"numba", "numpy"} & set(sys.modules)
"""
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert ended.returncode == 0, ended.stderr


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

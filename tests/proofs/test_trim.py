"""Trimmed proofs are checked by the rules of hints, to the letter."""

from __future__ import annotations

import random
import subprocess
import sys

import pytest

from kt_cp.proofs.trimming import BadProofError, parse_drup, trim
from tests.examples.refutations import (
    check,
    hold,
    implied,
    pigeonhole,
    random_formula,
    refute,
    satisfiable,
)


@pytest.mark.parametrize(
    "seed", [*range(3), *(pytest.param(n, marks=pytest.mark.slow) for n in range(3, 20))]
)
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
    hold(clauses, [*steps, (False, [])], deletions_are_sound=False)


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


@pytest.mark.parametrize("compiled", [False, True])
def test_a_deletion_that_breaks_the_proof_is_passed_over(compiled):
    steps = [(True, [1, 2]), (True, [-2, 1]), (False, [1]), (False, [])]
    proof = trim(SQUARE, steps, compiled=compiled)
    check(SQUARE, proof.lemmas)
    assert proof.lemmas[0] == ([1], [2, 1])


def test_a_deleted_clause_is_there_for_older_lemmas():
    """It is deleted when all but one of its literals are false, and free when it is needed."""
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

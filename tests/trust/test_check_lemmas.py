"""Lemmas of random formulas, whose models are all known: nothing is accepted that does not follow.

True proofs come from a solver.  Lies are proofs with numbers changed, proofs of other formulas,
formulas with a clause less, and noise.
"""

from __future__ import annotations

from collections import Counter
from itertools import product
from random import Random

import pytest
from pysat.solvers import Solver

from kt_cp.trust.check import Reason, Refusal
from kt_cp.trust.check.refutation import check_lemmas
from tests.examples.certificates import hinted, lemmas_of
from tests.support.exhaustive import exhaustive


def random_formula(rng):
    variables = rng.randint(2, 6)
    clauses = []
    for _ in range(rng.randint(3, 6 * variables)):
        chosen = rng.sample(range(1, variables + 1), min(variables, rng.choice([1, 2, 2, 3, 3])))
        clauses.append([rng.choice([-1, 1]) * variable for variable in chosen])
    return variables, clauses


def models(variables, clauses):
    """All of them, by trying every assignment."""
    return [
        signs
        for signs in product((False, True), repeat=variables)
        if all(any(signs[abs(each) - 1] == (each > 0) for each in clause) for clause in clauses)
    ]


def proof(variables, clauses):
    """A solver's proof with hints, of a formula without models."""
    with Solver(name="glucose4", bootstrap_with=clauses, with_proof=True) as solver:
        assert not solver.solve()
        return hinted(variables, clauses, lemmas_of(solver.get_proof()))


def verdict(variables, clauses, lines):
    """Why lines are refused, or None; and how many lemmas were believed before."""
    believed = []

    def read():
        for line in lines:
            yield line
            believed.append(line)  # the next one is asked for when this one was accepted

    try:
        check_lemmas(variables, clauses, read())
    except Refusal as refusal:
        return refusal.reason, believed
    return None, believed


def lie(rng, lines, variables, clauses):
    """Lines with a few things changed."""
    lines = [*lines] or ["0 1 0"]
    for _ in range(rng.choice([1, 1, 2, 3])):
        place = rng.randrange(len(lines))
        numbers = lines[place].split()
        spot = rng.randrange(len(numbers))
        change = rng.randrange(7)
        if change == 0:
            numbers[spot] = str(rng.randint(-variables - 1, variables + 1))
        elif change == 1:
            numbers[spot] = str(rng.randint(1, len(clauses) + len(lines)))
        elif change == 2:
            del numbers[spot]
        elif change == 3:
            numbers.insert(spot, str(rng.randint(-variables, len(clauses))))
        elif change == 4:
            rng.shuffle(lines)
        elif change == 5:
            middle = numbers.index("0") if "0" in numbers else 0
            hints = numbers[middle + 1 : -1]
            rng.shuffle(hints)
            numbers[middle + 1 : -1] = hints
        else:
            lines.insert(place, rng.choice(lines))
            continue
        if change != 4:
            lines[place] = " ".join(numbers)
    return lines


def noise(rng, variables, clauses):
    lines = []
    for _ in range(rng.randint(1, 6)):
        lemma = [rng.choice([-1, 1]) * rng.randint(1, variables) for _ in range(rng.randint(0, 2))]
        known = len(clauses) + len(lines)
        hints = [rng.randint(1, known) for _ in range(rng.randint(1, 4))]
        lines.append(" ".join(map(str, [*lemma, 0, *hints, 0])))
    return lines


def truths(rng, variables, clauses):
    """Lemmas by one or two hints that do follow, so that a long proof is believed at first."""
    known, lines = [*clauses], []
    for _ in range(rng.randint(1, 8)):
        number = rng.randint(1, len(known))
        more = [literal for literal in range(-variables, variables + 1) if literal]
        lemma = {*known[number - 1], rng.choice(more)}
        if any(-literal in lemma for literal in lemma):
            continue
        lines.append(" ".join(map(str, [*lemma, 0, number, 0])))
        known.append([*lemma])
    return lines


@exhaustive("no lemma is believed that does not follow", range(30_000), sample=250)
def test_nothing_is_believed_that_does_not_follow(cases):
    counted, number = Counter(), len(cases)
    earlier = ["0 1 2 0"]
    for seed in cases:
        rng = Random(seed)
        variables, clauses = random_formula(rng)
        possible = models(variables, clauses)
        attempts = [noise(rng, variables, clauses), earlier, lie(rng, earlier, variables, clauses)]
        attempts.append(truths(rng, variables, clauses) + noise(rng, variables, clauses))
        if not possible:
            true = proof(variables, clauses)
            assert verdict(variables, clauses, true)[0] is None, seed
            counted["proofs"] += 1
            attempts += [lie(rng, true, variables, clauses) for _ in range(5)]
            attempts += [lie(rng, true, variables, clauses) + true for _ in range(2)]
            # With a clause less there may be models, and then the same proof must fail.
            for gone in range(len(clauses)):
                fewer = clauses[:gone] + clauses[gone + 1 :]
                if models(variables, fewer):
                    assert verdict(variables, fewer, true)[0] is not None, seed
                    counted["clauses less"] += 1
            earlier = true
        for lines in attempts:
            reason, believed = verdict(variables, clauses, lines)
            counted[reason] += 1
            assert reason is not None or not possible, (seed, clauses, lines)
            for line in believed:
                lemma = [int(each) for each in line.split()[: line.split().index("0")]]
                counted["believed"] += 1
                for signs in possible:
                    assert any(signs[abs(each) - 1] == (each > 0) for each in lemma), (seed, line)
    print(counted)
    assert counted["proofs"] > number // 4
    assert counted["clauses less"] > number // 4
    assert counted["believed"] > number
    assert counted[None] > 20  # not every change makes a lie
    for reason in (Reason.BAD_LEMMA, Reason.OUT_OF_RANGE, Reason.WRONG_SHAPE):
        assert counted[reason] > number // 100, reason
    assert counted[Reason.NO_EMPTY_CLAUSE] > number // 1000


@pytest.mark.parametrize("solver", ["glucose4", "cadical153", "lingeling"])
def test_proofs_of_several_solvers(solver):
    # Four pigeons and three holes; CaDiCaL's proof may hold lemmas by RAT, but needs none here.
    place = {each: number for number, each in enumerate(product(range(4), range(3)), start=1)}
    clauses = [[place[pigeon, hole] for hole in range(3)] for pigeon in range(4)]
    clauses += [
        [-place[one, hole], -place[other, hole]]
        for hole in range(3)
        for one in range(4)
        for other in range(one)
    ]
    with Solver(name=solver, bootstrap_with=clauses, with_proof=True) as made:
        assert not made.solve()
        lines = hinted(len(place), clauses, lemmas_of(made.get_proof()))
    assert check_lemmas(len(place), clauses, lines) == len(lines) > 1

"""Certificates with clues, symmetry and lists, changed: nothing false is accepted.

Each change is one that somebody might make to cheat, or by accident: a tour is left out, doubled,
altered, turned round; a clue is changed, dropped or added; the symmetry is another.  Digests are
made to fit, so that the rules are reached.  Whatever is accepted is held against all tours there
are, by a search that shares nothing with the package.
"""

from __future__ import annotations

import json
from collections import Counter
from copy import deepcopy
from functools import cache
from random import Random

import pytest

from kt_cp.model.document import problem_document
from kt_cp.proofs.refutation import refute
from kt_cp.testing.problems import MOTIONS, problems_with_clues
from kt_cp.trust.check import Reason, Refusal, check
from tests.examples.certificates import accepts, certificate, examples_4, refutation
from tests.oracles import naive
from tests.support.exhaustive import exhaustive


def held(document):
    """Whether it is accepted, after it was held against the truth; else why not."""
    try:
        check(document)
    except Refusal as refusal:
        assert not accepts(document), (refusal, json.dumps(document))
        return refusal.reason
    assert naive.is_true(document) and accepts(document), json.dumps(document)
    return None


@cache
def seeds():
    """Certificates of small questions with clues, symmetry or lists, of up to nine squares."""
    made = [certificate(*each) for each in examples_4()]
    for _, question, problem in problems_with_clues(range(70), most=8, least=4):
        named = [[naming(square) for square in walk] for walk in different(question)]
        if len(named) > 30:
            continue
        evidence = refute(problem, 0, [], None, named, emit=lambda _work: None).evidence
        if isinstance(evidence["proof"], list):
            made.append(certificate(problem_document(problem), evidence))
    return made


def different(question):
    """Tours of which none is another the other way round."""
    moves = naive.Question({}, question.closed).moves
    found = {moves(walk): walk for walk in question.tours()}
    return found.values()


def naming(square):
    return f"{chr(ord('a') + square[1])}{square[0] + 1}"


def squares_of(problem):
    if "nodes" in problem:
        return problem["nodes"]
    return [
        f"{chr(ord('a') + column)}{row + 1}"
        for row in range(problem["rows"])
        for column in range(problem["columns"])
        if f"{chr(ord('a') + column)}{row + 1}" not in problem["missing"]
    ]


def change_of_tours(evidence, problem, rng):
    tours = evidence.get("tours")
    if not tours:
        return change_of_problem(evidence, problem, rng)
    which = rng.randrange(len(tours))
    tour = tours[which]
    change = rng.randrange(7)
    if change == 0:
        del tours[which]
    elif change == 1:
        tours.append([*tour])
    elif change == 2:
        tours.append(tour[::-1])
    elif change == 3:
        i, j = rng.sample(range(len(tour)), 2)
        tour[i], tour[j] = tour[j], tour[i]
    elif change == 4:
        tours[which] = tour[::-1]
    elif change == 5:
        shift = rng.randrange(1, len(tour))
        tours[which] = tour[shift:] + tour[:shift]
    else:
        i, j = sorted(rng.sample(range(len(tour) + 1), 2))
        tours[which] = tour[:i] + tour[i:j][::-1] + tour[j:]
    return None


def change_of_problem(_evidence, problem, rng):
    squares, given = squares_of(problem), problem["given"]
    change = rng.randrange(8)
    if change == 0 and given:
        given.pop(rng.randrange(len(given)))
    elif change == 1 and given:
        rng.choice(given)[1] += rng.choice([-2, -1, 1, 2])
    elif change == 2 and given:
        rng.choice(given)[0] = rng.choice(squares)
    elif change == 3:
        given.append([rng.choice(squares), rng.randint(1, len(squares))])
    elif change == 4:
        problem["symmetry"] = rng.choice([None, *MOTIONS])
    elif change == 5:
        problem[rng.choice(["start", "end"])] = rng.choice([None, *squares])
    elif change == 6:
        problem["closed"] = not problem["closed"]
    elif len(squares) > 1:
        key = rng.choice(["require", "forbid"])
        if problem[key] and rng.random() < 0.5:
            problem[key].pop()
        else:
            problem[key].append(rng.sample(squares, 2))


def change_of_clues(evidence, problem, rng):
    clues = evidence.get("clues")
    if not clues:
        return change_of_problem(evidence, problem, rng)
    change = rng.randrange(4)
    if change == 0:
        clues.pop(rng.randrange(len(clues)))
    elif change == 1:
        rng.choice(clues)[1] += rng.choice([-1, 1])
    elif change == 2:
        clues.append(rng.choice([*problem["given"], [squares_of(problem)[0], 1]]))
    else:
        evidence.pop("clues")
    return None


def change_of_proof(evidence, problem, rng):
    proof = evidence.get("proof")
    if not proof:
        return change_of_problem(evidence, problem, rng)
    line = rng.randrange(len(proof))
    numbers = proof[line].split()
    spot = rng.randrange(len(numbers))
    if rng.random() < 0.3:
        del numbers[spot]
    elif rng.random() < 0.5:
        numbers[spot] = str(int(numbers[spot]) + rng.choice([-1, 1, 2]))
    else:
        numbers.insert(spot, rng.choice(numbers))
    proof[line] = " ".join(numbers)
    return None


CHANGES = (change_of_tours, change_of_tours, change_of_problem, change_of_clues, change_of_proof)


def mutated(seed):
    rng = Random(seed)
    document = deepcopy(rng.choice(seeds()))
    problem, evidence = document["problem"], document["evidence"]
    for _ in range(rng.choice([1, 1, 1, 2, 3])):
        rng.choice(CHANGES)(evidence, problem, rng)
    if evidence["kind"] != "clash" and rng.random() < 0.9:
        more = {key: evidence[key] for key in ("clues", "tours") if key in evidence}
        parts = (evidence[part] for part in ("proof", "cuts", "tight"))
        try:
            fitted = refutation(problem, *parts, pack=False, **more)
        except Exception:  # there is nothing that could be refuted; the checker shall say so
            return document
        document["evidence"] = {**fitted, **more, "kind": evidence["kind"]}
    return document


def hold(cases):
    counted = Counter(held(mutated(seed)) for seed in cases)
    print(counted)
    return counted


def test_seeds_are_true():
    kinds = Counter(document["evidence"]["kind"] for document in seeds())
    assert min(kinds["clash"], kinds["refutation"], kinds["list"]) > 4 and kinds["list"] > 15
    for document in seeds()[::7]:
        assert held(document) is None


def test_changed_certificates_prove_nothing_false():
    counted = hold(range(300))
    for each in (Reason.NOT_A_TOUR, Reason.TWICE, Reason.BAD_LEMMA, None):
        assert counted[each] > 3, each


@pytest.mark.slow
@exhaustive("changed lists and clues prove nothing false", range(500, 10_500), sample=100)
def test_ten_thousand_changed_certificates_prove_nothing_false(cases):
    counted = hold(cases)
    for each in (Reason.NOT_A_TOUR, Reason.TWICE, Reason.BAD_LEMMA, Reason.NOT_A_CLUE, None):
        assert counted[each] > 10 or len(cases) < 1000, each

"""Real evidence of every kind, attached to problems that have a tour, is refused.

The evidence is that of valid certificates, made by hand or found for random problems.  The problem
is changed until it has a tour: other moves, other conditions, one end less.  A search of the test's
own finds that tour.  Digests and clues are made to fit, so that the rule itself has to refuse.
"""

from __future__ import annotations

from collections import Counter
from copy import deepcopy
from functools import cache
from random import Random

import pytest

from kt_cp.model.document import problem_document
from kt_cp.proofs.certify import KINDS, certify
from kt_cp.testing.problems import combined, question, with_clues
from kt_cp.trust.check import RULES, Refusal, check
from tests.examples.certificates import (
    all_examples,
    certificate,
    newer,
    refutation,
    signed,
    unpacked,
)
from tests.oracles.naive import neighbours
from tests.support.exhaustive import SEED

MOST_PLACED = 3_000
"""Squares that the search for a tour may place."""

PIECES = (
    [[1, 2]],
    [[0, 1]],
    [[0, 1], [1, 1]],
    [[0, 1], [1, 2]],
    [[1, 1], [1, 2]],
    [[1, 3], [0, 1]],
)
SURFACES = ("plane", "plane", "cylinder", "torus", "moebius", "klein")


@cache
def pool():
    """Valid certificates by kind, as (problem, evidence)."""
    found = {kind: [] for kind in RULES}
    for problem, evidence in all_examples():
        problem = problem if "require" in problem else newer(problem)
        found[evidence["kind"]].append((problem, evidence))
    for seed in range(60):
        for make in (question, with_clues, combined):
            problem = make(seed, 9).problem()
            if problem.size < 3:
                continue
            for kind in KINDS:
                made = certify(problem, (kind,)).certificate if len(found[kind]) < 40 else None
                if made is not None:
                    found[kind].append((problem_document(problem), made.document["evidence"]))
    return found


def adjacency(problem):
    """Neighbours of each square or node by its name, forbidden moves left out."""
    if "nodes" in problem:
        beside = {name: set() for name in problem["nodes"]}
        for one, other in problem["edges"]:
            beside[one].add(other)
            beside[other].add(one)
    else:
        sides, missing = (problem["rows"], problem["columns"]), {*map(place, problem["missing"])}
        squares = neighbours(*sides, missing, problem["surface"], problem["piece"])
        beside = {name(one): {*map(name, others)} for one, others in squares.items()}
    for one, other in problem["forbid"]:
        beside[one].discard(other)
        beside[other].discard(one)
    return beside


def place(square):
    return int(square[1:]) - 1, ord(square[0]) - ord("a")


def name(square):
    return f"{chr(ord('a') + square[1])}{square[0] + 1}"


def find_tour(problem, rng):
    """A tour as names, fewest ways first and otherwise at random; None if none was found soon."""
    beside, placed = adjacency(problem), 0
    least = 3 if problem["closed"] else 1

    def longer(walk, left):
        nonlocal placed
        placed += 1
        if not left:
            back = walk[0] in beside[walk[-1]] and len(walk) >= least
            return walk if back or not problem["closed"] else None
        ahead = sorted(beside[walk[-1]] & left, key=lambda v: (len(beside[v] & left), rng.random()))
        for other in ahead:
            if placed < MOST_PLACED and (tour := longer([*walk, other], left - {other})):
                return tour
        return None

    first = rng.choice(sorted(beside))
    return longer([first], {*beside} - {first})


def with_tour(problem, rng):
    """The problem changed so that it has a tour, which is returned as well."""
    target = deepcopy(problem)
    target["require"], target["given"], target["start"], target["end"] = [], [], None, None
    target["symmetry"] = None
    if rng.random() < 0.3:
        target["closed"] = not target["closed"]
    if "nodes" in target:
        nodes = rng.sample(target["nodes"], len(target["nodes"]))
        known = {frozenset(edge) for edge in target["edges"]}
        pairs = zip(nodes, nodes[1:] + nodes[:1] * target["closed"], strict=False)
        target["edges"] += [list(pair) for pair in pairs if frozenset(pair) not in known]
        target["edges"] = [edge for edge in target["edges"] if edge[0] != edge[1]]
        target["forbid"] = []
    elif rng.random() < 0.9:
        target["piece"], target["surface"] = rng.choice(PIECES), rng.choice(SURFACES)
        target["forbid"] = []
    return target, find_tour(target, rng)


def with_conditions(target, tour, evidence, rng):
    """Conditions that the tour satisfies, the clues of the evidence among them."""
    made = [*zip(tour, tour[1:] + tour[:1] * target["closed"], strict=False)]
    target["require"] = [list(move) for move in rng.sample(made, rng.choice([0, 0, 1]))]
    ends = rng.random()
    if evidence.get("clues") or evidence["kind"] == "clash":
        clues = [[square, tour.index(square) + 1] for square, _ in evidence["clues"]]
        evidence["clues"] = [*map(list, dict.fromkeys(map(tuple, clues)))]
        target["given"] = evidence["clues"]
    elif ends < 0.3:
        target["start"] = tour[0]
    elif ends < 0.5 and not target["closed"]:
        target["start"], target["end"] = tour[0], tour[-1]
    if evidence["kind"] in ("refutation", "list") and not target["given"]:
        evidence.pop("clues", None)


def transplanted(seed):
    """A certificate that is false, or None where no tour was found; and its kind."""
    rng = Random(seed)
    kind = [*RULES][seed % len(RULES)]
    problem, evidence = deepcopy(rng.choice(pool()[kind]))
    if kind == "size":  # no such problem has a tour
        problem = deepcopy(rng.choice(pool()["colours"] + pool()["removal"])[0])
    if problem.get("directed"):
        return None, kind
    target, tour = with_tour(problem, rng)
    if tour is None or len(tour) < 2:
        return None, kind
    with_conditions(target, tour, evidence, rng)
    if kind == "symmetry" and "nodes" not in target:
        # A tour of a board that is symmetric: the king's way round two ranks, or files.
        target |= {"rows": 2, "missing": [], "piece": [[0, 1], [1, 1]], "surface": "plane"}
        target |= {
            "closed": True,
            "symmetry": rng.choice(["half-turn", "left-right", "top-bottom"]),
        }
        target |= {key: [] for key in ("require", "forbid", "given")} | {"start": None, "end": None}
        target["columns"] = max(2, target["columns"])
        names = adjacency(target)
        evidence["squares"] = [square for square in evidence["squares"] if square in names]
    if kind in ("refutation", "list"):
        lines = evidence["proof"]
        lines = lines if isinstance(lines, list) else unpacked(lines).splitlines()
        parts = {key: evidence.get(key, []) for key in ("cuts", "tight", "order")}
        if kind == "list":
            others = {
                frozenset(map(frozenset, moves(each, target))): each for each in some(target, rng)
            }
            if len(others) < 2:
                return None, kind
            parts["tours"] = [*others.values()][1:]
        try:
            evidence = refutation(target, lines, clues=evidence.get("clues", []), **parts)
        except Exception:  # such cuts, sets or clues make no formula here: the checker shall say so
            evidence |= {key: value for key, value in parts.items() if value}
    return signed(certificate(target, evidence)), kind


def moves(tour, target):
    return zip(tour, tour[1:] + tour[:1] * target["closed"], strict=False)


def some(target, rng):
    """Tours of a problem that begin where it says and make the required moves."""
    for _ in range(30):
        tour = find_tour(target, rng)
        if tour is None:
            continue
        made = {*map(frozenset, moves(tour, target))}
        if target["start"] not in (None, tour[0]) or target["end"] not in (None, tour[-1]):
            continue
        if all(frozenset(move) in made for move in target["require"]):
            yield tour


def expect_refusals(seeds):
    refused = {kind: Counter() for kind in RULES}
    for seed in seeds:
        document, kind = transplanted(seed)
        if document is None:
            continue
        try:
            check(document)
        except Refusal as refusal:
            refused[kind][refusal.reason.name] += 1
        else:
            raise AssertionError(f"seed {seed}: accepted {document}")
    for kind, counted in refused.items():
        print(kind, sum(counted.values()), dict(counted.most_common(4)))
    return refused


def test_a_sample():
    first = int(SEED) * 1_000
    print(f"seeds from {first}")
    refused = expect_refusals(range(first, first + 280))
    assert sum(counted.total() for counted in refused.values()) > 140


@pytest.mark.slow
@pytest.mark.parametrize("batch", range(8))
def test_ten_thousand(batch):
    refused = expect_refusals(range(batch * 2_000, batch * 2_000 + 2_000))
    assert sum(counted.total() for counted in refused.values()) >= 1_250
    assert min(counted.total() for counted in refused.values()) >= 30

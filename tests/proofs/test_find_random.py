"""Finders on boards and graphs taken at random, against searches that know the answer."""

from __future__ import annotations

import random
from itertools import chain

import networkx as nx
import pytest

from kt_cp import solve
from kt_cp.model.board import Board
from kt_cp.model.outcome import Verdict
from kt_cp.model.problem import Problem
from kt_cp.proofs.certificate import certified
from kt_cp.proofs.forced import forced
from kt_cp.proofs.obstructions import obstruction
from kt_cp.proofs.removal import removal
from kt_cp.proofs.separators import cut_vertex, tight
from kt_cp.testing import oracle
from kt_cp.trust.reference import decide
from tests.proofs.test_find import FINDERS, cases, contradicts_itself, never, random_problem
from tests.support.exhaustive import exhaustive


def searched(seed, boards, rows, columns, most_holes):
    """Boards on which the plain rules leave something to do."""
    rng = random.Random(seed)
    while boards:
        size = rng.randint(*rows), rng.randint(*columns)
        problem = random_problem(rng, *size, rng.randrange(most_holes + 1))
        if obstruction(problem) is None and not contradicts_itself(problem):
            boards -= 1
            yield problem, (seed, problem.label, sorted(problem.board.missing))


def small_trees(problems):
    """How many boards have no tour, and how many of them took a split."""
    none = split = 0
    for problem, told in problems:
        truth = solve(problem, "backtrack", time_limit=10).verdict
        evidence = forced(problem, never)
        if evidence is None:
            assert truth is not Verdict.IMPOSSIBLE, told
        else:
            certified(problem, evidence)
            assert truth is not Verdict.FOUND, told
            none += 1
            split += cases(evidence["tree"]) > 1
            assert cases(evidence["tree"]) <= 20, told
    return none, split


def given_ends(rows, columns, pairs, seed):
    rng = random.Random(seed)
    squares = list(Board(rows, columns))
    while pairs:
        start, end = rng.sample(squares, 2)
        problem = Problem(Board(rows, columns), start=start, end=end)
        if obstruction(problem) is None:
            pairs -= 1
            yield problem, (seed, problem.label)


def numbered(seed):
    """A random board on which something is to be done, of one of several kinds."""
    if seed % 2:
        return searched(seed, 1, *random.Random(seed).choice(HOLED))
    return given_ends(*random.Random(seed).choice(WHOLE), 1, seed)


HOLED = [((3, 5), (5, 6), 5), ((4, 6), (5, 6), 6)]
WHOLE = [(3, 7), (3, 8), (3, 10), (5, 6), (5, 8)]


@exhaustive("random boards without tours have small trees", range(500), sample=1, batches=5)
def test_random_boards_without_tours(cases):
    none, split = small_trees(chain.from_iterable(map(numbered, cases)))
    # A batch of all has boards of both kinds: seeds that are odd and even.
    assert len(cases) < 100 or (none > len(cases) // 15 and split > 0)


def test_graphs_that_are_not_bipartite():
    petersen = Problem(graph=nx.petersen_graph(), closed=True)
    evidence = forced(petersen, never)
    assert certified(petersen, evidence).kind == "forced"
    assert cases(evidence["tree"]) <= 6
    assert forced(Problem(graph=nx.petersen_graph()), never) is None


@pytest.mark.parametrize("find", [cut_vertex, removal, tight], ids=lambda find: find.__name__)
def test_random_boards_by_counting(find):
    rng = random.Random(find.__name__)
    found = 0
    for number in range(40 if find is removal else 150):
        problem = random_problem(rng, rng.randint(3, 5), rng.randint(4, 6), rng.randrange(7))
        evidence = find(problem, never)
        if evidence is not None:
            found += 1
            certified(problem, evidence)
            truth = decide(problem, budget=30_000).verdict
            assert truth is not Verdict.FOUND, (number, problem.label)
    assert found > 2


@pytest.mark.parametrize("find", FINDERS.values(), ids=FINDERS)
def test_random_graphs(find):
    rng = random.Random(find.__name__)
    found = 0
    for number in range(60):
        size = rng.randint(1, 7)
        graph = nx.gnm_random_graph(size, rng.randint(0, 2 * size), seed=number)
        closed = rng.random() < 0.5
        ends = rng.sample(range(size), 2) if size > 1 and not closed else [None, None]
        given = rng.randrange(3)
        start, end = ends[0] if given else None, ends[1] if given == 2 else None
        problem = Problem(graph=graph, closed=closed, start=start, end=end)
        evidence = find(problem, never)
        if evidence is not None:
            found += 1
            certified(problem, evidence)
            assert not oracle.exists(graph, closed, start, end), number
        elif find is forced and size > 2:
            assert oracle.exists(graph, closed, start, end), number
    assert found > 3 or find is tight

"""Finders stop when they are told to, give up by themselves, and say the same thing twice."""

from __future__ import annotations

import random
import time

import networkx as nx
import pytest

from kt_cp.model.board import Board
from kt_cp.model.problem import Problem
from kt_cp.proofs.certificate import certified
from kt_cp.proofs.forced import CaseTree, forced, replay, trimmed, written
from kt_cp.trust.check.frame import frame_of
from kt_cp.trust.check.state import State
from tests.proofs.test_find import FINDERS, cases, never, random_problem


@pytest.mark.parametrize("find", FINDERS.values(), ids=FINDERS)
def test_told_to_stop(find):
    problem = Problem(Board(3, 8), closed=True)
    assert find(problem, lambda: True) is None


@pytest.mark.parametrize("find", FINDERS.values(), ids=FINDERS)
def test_stopped_in_the_middle(find):
    asked = []

    def soon():
        asked.append(time.process_time())
        return len(asked) > 3

    find(Problem(Board(12, 12), closed=True), soon)
    ended = time.process_time()
    if len(asked) > 3:
        assert ended - asked[3] < 2  # generous: some 50 ms


@pytest.mark.parametrize("find", FINDERS.values(), ids=FINDERS)
def test_the_same_twice(find):
    rng = random.Random(3)
    for _ in range(8):
        problem = random_problem(rng, 4, 5, rng.randrange(5))
        again = Problem(problem.board, closed=problem.closed, start=problem.start, end=problem.end)
        assert find(problem, never) == find(again, never), problem.label


@pytest.mark.parametrize("find", FINDERS.values(), ids=FINDERS)
def test_small_and_odd_problems(find):
    for size in (1, 2, 3):
        for closed in (True, False):
            problem = Problem(graph=nx.path_graph(size), closed=closed)
            evidence = find(problem, never)
            if evidence is not None:
                certified(problem, evidence)
    assert find(Problem(Board(10**9, 10**9)), never) is None


def test_few_cases_are_allowed():
    problem = Problem(Board(3, 8), closed=True)
    assert forced(problem, never, 1) is None
    assert cases(forced(problem, never, 2)["tree"]) == 2


def test_a_tree_is_cut_down_to_what_it_needs():
    problem = Problem(Board(3, 8), closed=True)
    frame = frame_of(problem)
    state = State(frame)
    one, other = (
        (frame.number[a], frame.number[b]) for a, b in (((0, 3), (2, 4)), ((0, 4), (2, 3)))
    )
    small = CaseTree([], one, CaseTree(), CaseTree())
    assert replay(state.copy(), small) == small
    # A split and a set that play no part.
    large = CaseTree([{frame.number[0, 0]}], other, small, small)
    adapted = replay(state.copy(), large)
    assert adapted is not None
    assert trimmed(state.copy(), adapted, never).weight == (2, 0)
    assert trimmed(state.copy(), adapted, lambda: True) == adapted
    tree = written(frame, trimmed(state.copy(), adapted, never))
    certified(problem, {"kind": "forced", "tree": tree})

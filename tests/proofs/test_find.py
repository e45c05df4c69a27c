"""Finders of evidence: the checker takes what they find, and they find what they should."""

from __future__ import annotations

import random
import time

import networkx as nx
import pytest

from kt_cp.model.board import Board
from kt_cp.model.problem import Problem
from kt_cp.proofs.certificate import certified
from kt_cp.proofs.forced import forced
from kt_cp.proofs.removal import removal
from kt_cp.proofs.separators import cut_vertex, tight
from kt_cp.trust.check.frame import frame_of
from kt_cp.trust.check.state import Contradiction, State
from tests.support.exhaustive import more

FINDERS = {"cut": cut_vertex, "removal": removal, "tight": tight, "forced": forced}


def never():
    return False


def cases(tree):
    """Leaves of a tree."""
    while "then" in tree:
        tree = tree["then"]
    return cases(tree["used"]) + cases(tree["unused"]) if "move" in tree else 1


def contradicts_itself(problem):
    try:
        State(frame_of(problem))
    except Contradiction:
        return True
    return False


def random_problem(rng, rows, columns, holes):
    board = Board(rows, columns)
    missing = frozenset(rng.sample(list(board), holes))
    left = [square for square in board if square not in missing]
    closed = rng.random() < 0.4
    ends = rng.sample(left, 2) if not closed else [None, None]
    given = rng.randrange(3)
    return Problem(
        Board(rows, columns, missing=missing),
        closed=closed,
        start=ends[0] if given else None,
        end=ends[1] if given == 2 else None,
    )


@pytest.mark.parametrize(
    ("board", "closed", "most"),
    [
        (Board(3, 4), True, 2),
        (Board(3, 6), True, 2),
        (Board(3, 5), False, 5),
        (Board(3, 6), False, 6),
        (Board(4, 4), False, 4),
        (Board(4, 6), True, 6),
    ],
)
def test_the_smallest_sets_to_remove(board, closed, most):
    problem = Problem(board, closed=closed)
    evidence = removal(problem, never)
    assert len(evidence["squares"]) == most
    assert certified(problem, evidence).kind == "removal"


def test_nothing_to_remove_is_soon_given_up():
    for problem in (Problem(Board(3, 8), closed=True), Problem(Board(10, 10))):
        began = time.monotonic()
        assert removal(problem, never, 0.1) is None
        assert time.monotonic() - began < 5  # generous: a tenth of it, on a machine to itself


@pytest.mark.slow
def test_large_boards():
    # Four dark squares in the corner are left with four neighbours; elsewhere as many dark go.
    missing = [(0, 3), (3, 0), (1, 0), (1, 4), (0, 1), (0, 5), (2, 5), (3, 4)]
    missing += [(40, 2 * column) for column in range(8, 16)]
    problem = Problem(Board(60, 60, missing=frozenset(missing)), closed=True)
    evidence = removal(problem, never)
    assert certified(problem, evidence).kind == "removal"
    assert len(evidence["squares"]) <= 4
    whole = Problem(Board(60, 60), closed=True)
    assert cut_vertex(whole, never) is removal(whole, never) is tight(whole, never) is None


def test_a_cut_square():
    graph = nx.compose(nx.complete_graph(range(4)), nx.complete_graph(range(3, 7)))
    assert cut_vertex(Problem(graph=graph, closed=True), never) == {"kind": "cut", "squares": ["3"]}
    assert cut_vertex(Problem(graph=graph), never) is None
    assert cut_vertex(Problem(graph=graph, start=0, end=5), never) is None
    for ends in ((3, 5), (0, 2)):
        problem = Problem(graph=graph, start=ends[0], end=ends[1])
        assert certified(problem, cut_vertex(problem, never)).kind == "cut"


def test_long_chains_do_not_overflow():
    path = nx.path_graph(2500)
    middle = Problem(graph=path, start=1250)
    assert certified(middle, cut_vertex(middle, never)).kind == "cut"
    for ends, possible in (((0, 2499), True), ((1, 2499), False)):
        problem = Problem(graph=path, start=ends[0], end=ends[1])
        evidence = cut_vertex(problem, never)
        assert (evidence is None) == possible
    assert tight(Problem(graph=path), never) is None


@pytest.mark.parametrize("columns", [*range(4, 20), 30, 45, 60])
def test_four_ranks_closed(columns):
    problem = Problem(Board(4, columns), closed=True)
    evidence = tight(problem, never)
    if evidence is None:  # the plain rules are enough
        assert contradicts_itself(problem)
        evidence = forced(problem, never)
    else:
        inner = {f"{name}" for name in frame_of(problem).names if name[-1] in "23"}
        assert [set(squares) for squares in evidence["sets"]] == [inner]
    certified(problem, evidence)


@pytest.mark.slow
@pytest.mark.parametrize("columns", [8, 13, *more([], [30])])
def test_four_ranks_from_an_inner_square(columns):
    rng = random.Random(columns)
    sets = 0
    for row in (1, 2):
        for column in range(columns):
            others = [s for s in Board(4, columns) if sum(s) % 2 != (row + column) % 2]
            for end in (None, rng.choice(others)):
                problem = Problem(Board(4, columns), start=(row, column), end=end)
                evidence = tight(problem, never)
                if evidence is None:
                    assert contradicts_itself(problem), problem.label
                else:
                    sets += 1
                    assert certified(problem, evidence).kind == "tight"
                    assert len(evidence["sets"]) == 1, problem.label
    assert sets > columns


@pytest.mark.parametrize(
    ("board", "start", "end"),
    [
        (Board(5, 8), (2, 1), (3, 7)),
        (Board(5, 30), (2, 1), (0, 29)),
        (Board(3, 9), (0, 2), (2, 2)),
        (Board(3, 10), (2, 2), (1, 3)),
        (Board(3, 30), (1, 2), (1, 3)),
    ],
)
def test_lemmas_by_forced_moves_alone(board, start, end):
    problem = Problem(board, start=start, end=end)
    evidence = forced(problem, never)
    assert evidence == {"kind": "forced", "tree": {}}
    certified(problem, evidence)


def test_three_by_eight_takes_one_split():
    problem = Problem(Board(3, 8), closed=True)
    evidence = forced(problem, never)
    assert cases(evidence["tree"]) == 2
    assert certified(problem, evidence).kind == "forced"

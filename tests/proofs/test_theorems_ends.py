"""What is known of the ends of tours on low boards, against a complete search."""

from itertools import combinations

import pytest

from kt_cp import Board, Problem, Verdict, solve
from kt_cp.model.outcome import EvidenceKind
from kt_cp.proofs.theorems import theorem
from kt_cp.search.backtrack import hamiltonian_cycle

SHAPES = [
    (3, 4), (3, 7), (3, 8), (3, 9), (3, 10), (4, 5), (4, 6), (4, 7), (5, 5), (5, 6), (5, 7),
    (7, 3), (8, 3), (6, 4), (6, 5),
]  # fmt: skip


def exists(board, one, two):
    """Whether a tour leads from one square to another, by exhaustive search."""
    problem = Problem(board)
    index = problem.indexed.index
    neighbours = [list(near) for near in problem.indexed.neighbours]
    here, there = index[one], index[two]
    if there not in neighbours[here]:
        neighbours[here].append(there)
        neighbours[there].append(here)
    cycle, exhausted, _ = hamiltonian_cycle(
        neighbours, [(here, there)], seed=0, should_stop=lambda: False
    )
    assert exhausted
    return cycle is not None


@pytest.mark.parametrize(("rows", "columns"), SHAPES)
def test_it_says_no_only_where_search_does(rows, columns):
    board = Board(rows, columns)
    known = 0
    for one, two in combinations(board, 2):
        why = theorem(Problem(board, start=one, end=two))
        assert (why is None) == (theorem(Problem(board, start=two, end=one)) is None)
        if why is not None:
            assert why.kind is EvidenceKind.THEOREM
            assert not exists(board, one, two), (rows, columns, one, two, why.text)
            known += 1
    assert known > 0


@pytest.mark.parametrize(
    ("board", "start", "end", "text"),
    [
        ("4x1000000", "c2", None, "no tour of four rows begins or ends on an inner one, as c2 is"),
        ("4x1000000", None, "a3", "no tour of four rows begins or ends on an inner one, as a3 is"),
        ("3x1000000", "c2", "b2", "c2 is the neighbour that two corners share"),
        ("1000000x3", "b2", "b3", "b3 is the neighbour that two corners share"),
        ("5x1000000", "a3", "b3", "b3 is the neighbour that two corners share"),
        ("3x1000001", "c1", "c3", "between c1 and c3 lies a square with no other neighbours"),
        ("3x1000001", "d2", "c3", "between d2 and c3 all moves are forced"),
    ],
)
def test_enormous_boards_get_their_reason(kt_cp, board, start, end, text):
    ends = [part for name, end in (("start", start), ("end", end)) if end
            for part in (f"--{name}", end)]  # fmt: skip
    ran = kt_cp("solve", board, *ends)
    assert ran.code == 1 and text in ran.out and "backed by: theorem" in ran.err


@pytest.mark.parametrize(("rows", "columns"), [(3, 14), (4, 10), (5, 8), (3, 15)])
def test_the_shared_neighbour_serves_its_corners(rows, columns):
    # What is not said to be impossible is not: c2 to a1 on an even board, say.
    board = Board(rows, columns)
    pairs = [((1, 2), (0, 0)), ((2, 1), (4, 0)), ((0, 0), (0, columns - 1))]
    for one, two in pairs:
        if one in board and two in board:
            problem = Problem(board, start=one, end=two)
            outcome = solve(problem)
            assert (outcome.verdict is Verdict.FOUND) == exists(board, one, two), problem.label

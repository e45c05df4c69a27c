"""Text 003's tour: moves, their order, the recursion."""

from __future__ import annotations

from itertools import product

import pytest

from kt_cp import Board, Problem, Verdict
from kt_cp.model.errors import BoardError, InputError, SquareError
from kt_cp.sources.divide import divide_and_conquer
from kt_cp.sources.numbered_board import Tour, corner_edges, missing_corner_edges
from kt_cp.sources.structured import structured_tour
from kt_cp.trust.judge import defects
from tests.examples.structured_tours import assert_numbered, closed_tour_without, corner_moves

MOVES = [(2, 1), (2, -1), (-2, 1), (-2, -1), (1, 2), (1, -2), (-1, 2), (-1, -2)]


# Algorithms 1 to 3


@pytest.mark.parametrize(("ranks", "files"), [(1, 1), (2, 5), (3, 3), (3, 4), (5, 5), (8, 6)])
def test_moves_of_every_square(ranks, files):
    squares = list(product(range(1, ranks + 1), range(1, files + 1)))
    beside = {
        (rank, file): [
            (rank + up, file + right) for up, right in MOVES if (rank + up, file + right) in squares
        ]
        for rank, file in squares
    }
    tour = Tour(ranks, files)
    for square in squares:
        assert tour.find_moves(*square) == beside[square]
        fewest_first = sorted(beside[square], key=lambda other: len(beside[other]))
        assert tour.ordered_moves(*square) == fewest_first


def test_moves_do_not_heed_what_is_visited():
    tour = Tour(5, 5)
    before = tour.ordered_moves(3, 3)
    assert tour.tour(1, 1) == Verdict.FOUND
    assert tour.ordered_moves(3, 3) == before
    assert len(before) == 8


@pytest.mark.parametrize(
    ("ranks", "files", "rank", "file"),
    [(1, 1, 1, 1), (3, 4, 1, 1), (3, 7, 1, 1), (5, 5, 3, 3), (5, 6, 1, 1), (6, 6, 2, 5)],
)
def test_the_recursion_tours(ranks, files, rank, file):
    tour = Tour(ranks, files)
    assert tour.tour(rank, file) == Verdict.FOUND
    assert tour.solved
    assert tour.steps == tour.size == ranks * files
    problem = Problem(Board(ranks, files), start=(rank - 1, file - 1))
    assert defects(problem, tour.squares) == []
    assert_numbered(tour)
    assert tour.placed - tour.taken_back == tour.size


@pytest.mark.parametrize(
    ("ranks", "files", "rank", "file"), [(1, 2, 1, 1), (3, 3, 1, 1), (3, 4, 1, 2), (4, 4, 2, 2)]
)
def test_failure_leaves_the_board_empty(ranks, files, rank, file):
    tour = Tour(ranks, files)
    assert tour.tour(rank, file) == Verdict.IMPOSSIBLE
    assert not tour.solved
    assert not tour.closed
    assert (tour.steps, tour.path) == (0, [])
    assert tour.board == [[0] * files for _ in range(ranks)]
    assert tour.placed == tour.taken_back > 0


def test_a_run_forgets_the_one_before():
    tour = Tour(3, 4)
    assert tour.tour(1, 1) == Verdict.FOUND
    assert tour.tour(1, 2) == Verdict.IMPOSSIBLE
    assert (tour.steps, tour[1, 1]) == (0, 0)
    assert tour.tour(2, 4) == Verdict.FOUND
    assert (tour.path[0], tour[2, 4], tour.steps) == ((2, 4), 1, 12)


def test_budget_and_stop_of_the_recursion():
    tour = Tour(7, 7)
    assert tour.tour(1, 1, budget=500) == Verdict.UNKNOWN
    assert (tour.placed, tour.steps) == (500, 0)
    assert tour.tour(1, 1, should_stop=lambda: True) == Verdict.UNKNOWN
    assert tour.placed == 1000


def test_a_path_is_followed_only_if_it_is_one():
    assert_numbered(Tour.along(3, 3, [(1, 1), (3, 2), (1, 3)]))
    with pytest.raises(SquareError, match=r"knight's move, got \(1, 1\) to \(2, 2\)"):
        Tour.along(3, 3, [(1, 1), (2, 2)])
    with pytest.raises(SquareError, match=r"not visited yet, got \(1, 1\) twice"):
        Tour.along(3, 3, [(1, 1), (3, 2), (1, 1)])
    with pytest.raises(SquareError, match=r"3x3 board .* got \(5, 2\)"):
        Tour.along(3, 3, [(3, 1), (5, 2)])


@pytest.mark.parametrize("sides", [(0, 5), (5, 0), (-1, 5), (2.0, 5), (True, 5), ("5", 5)])
def test_sides_that_are_none(sides):
    for make in (Tour, structured_tour, divide_and_conquer):
        with pytest.raises(BoardError, match=r"expected .* got"):
            make(*sides)


@pytest.mark.parametrize("square", [(0, 1), (1, 0), (4, 1), (1, 5), (-1, 1), (1.0, 1), ("1", 1)])
def test_squares_off_the_board(square):
    tour = Tour(3, 4)
    for ask in (tour.find_moves, tour.ordered_moves, tour.tour):
        with pytest.raises(SquareError, match=r"expected a square of the 3x4 board .* got"):
            ask(*square)
    with pytest.raises(SquareError):
        tour[square]
    assert issubclass(SquareError, InputError)


@pytest.mark.parametrize("edge", corner_edges(6, 6), ids=str)
def test_a_closed_tour_need_not_be_structured(edge):
    tour = closed_tour_without(*edge)
    assert tour.closed
    assert not tour.structured
    assert edge in missing_corner_edges(tour)
    moves = zip(tour.path, tour.path[1:] + tour.path[:1], strict=True)
    lacking = corner_moves(6, 6) - {frozenset(move) for move in moves}
    assert {frozenset(move) for move in missing_corner_edges(tour)} == lacking


def test_an_open_tour_is_not_closed():
    tour = Tour(3, 4)
    assert tour.tour(1, 1) == Verdict.FOUND
    assert tour.solved
    assert not tour.closed
    assert not tour.structured

"""Text 003's structured tours: search, merging, dividing."""

from __future__ import annotations

from itertools import product

import networkx as nx
import pytest

from kt_cp import Board, Problem, Verdict, solve
from kt_cp.model.errors import BoardError, ProblemError
from kt_cp.sources.numbered_board import Tour, corner_edges
from kt_cp.sources.structured import divide_and_conquer, even_halves, merge, structured_tour
from tests.examples.structured_tours import (
    assert_structured,
    closed_tour_without,
    corner_moves,
    found,
)
from tests.support.exhaustive import exhaustive

# Algorithm 4


@pytest.mark.parametrize(("ranks", "files"), [(3, 3), (3, 10), (4, 4), (5, 6), (6, 6), (9, 8)])
def test_the_moves_past_the_corners(ranks, files):
    edges = corner_edges(ranks, files)
    assert {frozenset(edge) for edge in edges} == corner_moves(ranks, files)
    assert len(edges) == 8


def has_structured_tour(ranks, files):
    """By the front door: a vertex put into each required edge can be passed by that edge alone."""
    if ranks * files % 2:
        return False  # closed tours change colour at each step; SAT solvers count badly
    graph = nx.Graph(Problem(Board(ranks, files)).graph)
    for number, edge in enumerate(corner_moves(ranks, files)):
        here, there = ((rank - 1, file - 1) for rank, file in edge)
        if not graph.has_edge(here, there):
            return False
        graph.remove_edge(here, there)
        graph.add_edges_from([(here, number), (number, there)])
    outcome = solve(Problem(graph=graph, closed=True), engine="sat", time_limit=60)
    assert outcome.verdict != Verdict.UNKNOWN
    return outcome.verdict == Verdict.FOUND


SIDES = product(range(1, 9), range(1, 11))


@pytest.mark.slow
@exhaustive("structured tours of small boards", SIDES, sample=4, batches=2)
def test_structured_tours_exist_where_the_front_door_says(cases):
    for ranks, files in cases:
        exists = has_structured_tour(ranks, files)
        for answer in (structured_tour(ranks, files), structured_tour(ranks, files, budget=0)):
            assert answer.verdict == (Verdict.FOUND if exists else Verdict.IMPOSSIBLE)
            assert (answer.tour is not None) == exists
            if answer.tour is not None:
                assert_structured(answer.tour, ranks, files)
                assert answer.tour.path[0] == (1, 1)


def has_closed_tour(ranks, files):
    """Schwenk's theorem."""
    least, most = sorted((ranks, files))
    odd = ranks * files % 2 == 1
    return not (odd or least in (1, 2, 4) or (least == 3 and most in (4, 6, 8)))


@pytest.mark.slow
def test_structured_tours_exist_where_closed_ones_do():
    for ranks, files in product(range(1, 25), range(1, 25)):
        answer = structured_tour(ranks, files, budget=0)
        assert (answer.verdict == Verdict.FOUND) == has_closed_tour(ranks, files), (ranks, files)


@pytest.mark.parametrize(("ranks", "files"), [(3, 5), (3, 8), (4, 4), (4, 8), (5, 5), (3, 10)])
def test_the_recursion_alone_decides_small_boards(ranks, files):
    answer = structured_tour(ranks, files, budget=100_000)
    assert answer.decided_by == "recursion"
    assert (answer.verdict == Verdict.FOUND) == has_structured_tour(ranks, files)
    left = 0 if answer.tour is None else answer.tour.size
    assert answer.placed - answer.taken_back == left


def test_the_recursion_suffices_for_common_boards():
    for ranks, files in product(range(5, 13), range(5, 13)):
        if ranks * files % 2 == 0:
            answer = structured_tour(ranks, files)
            assert answer.decided_by == "recursion"
            assert answer.taken_back <= 101  # the essay's figure


def test_the_complete_search_takes_over_when_the_budget_is_spent():
    answer = structured_tour(6, 8, budget=20, seed=3)
    assert (answer.decided_by, answer.placed) == ("search", 20)
    assert_structured(answer.tour, 6, 8)
    answer = structured_tour(7, 7, budget=500)
    assert (answer.verdict, answer.decided_by) == (Verdict.IMPOSSIBLE, "search")


def test_a_stop_decides_nothing():
    answer = structured_tour(8, 8, should_stop=lambda: True)
    assert (answer.verdict, answer.tour, answer.decided_by) == (Verdict.UNKNOWN, None, "")
    polls = []
    answer = structured_tour(
        7, 7, budget=5000, should_stop=lambda: polls.append(1) or len(polls) > 3
    )
    assert (answer.verdict, answer.placed) == (Verdict.UNKNOWN, 3000)


# Algorithm 5


def turned(tour):
    """The same closed tour, in the other direction and from the middle."""
    half = tour.size // 2
    return Tour.along(tour.ranks, tour.files, (tour.path[half:] + tour.path[:half])[::-1])


@pytest.mark.parametrize(
    ("top", "bottom", "left", "right"),
    [(6, 6, 6, 6), (6, 8, 8, 6), (8, 6, 10, 6), (3, 3, 10, 12), (5, 6, 6, 8), (3, 6, 10, 10)],
)
def test_merged_tours_are_structured(top, bottom, left, right):
    quadrants = [
        found(*sides) for sides in ((top, left), (top, right), (bottom, right), (bottom, left))
    ]
    for backwards in product((False, True), repeat=4):
        tours = [
            turned(tour) if back else tour for tour, back in zip(quadrants, backwards, strict=True)
        ]
        merged = merge(*tours)
        assert_structured(merged, top + bottom, left + right)
        assert merged.path[0] == tours[0].path[0]


def test_merging_changes_four_moves_and_no_other():
    small = found(6, 6)
    before = set()
    for ranks, files in product((0, 6), (0, 6)):
        path = [(rank + ranks, file + files) for rank, file in small.path]
        before |= {frozenset(move) for move in zip(path, path[1:] + path[:1], strict=True)}
    path = merge(small, small, small, small).path
    after = {frozenset(move) for move in zip(path, path[1:] + path[:1], strict=True)}
    assert before - after == {
        frozenset(move)
        for move in (((5, 6), (6, 4)), ((4, 8), (6, 7)), ((7, 9), (8, 7)), ((9, 5), (7, 6)))
    }
    assert len(after - before) == 4


def test_merging_leaves_its_tours_alone():
    small = found(6, 6)
    before = list(small.path)
    merge(small, small, small, small)
    assert small.path == before


@pytest.mark.parametrize("place", range(4))
def test_merge_refuses_what_is_no_structured_tour(place):
    good = found(6, 6)
    name = ("first", "second", "third", "fourth")[place]
    opened = Tour(6, 6)
    assert opened.tour(1, 1) == Verdict.FOUND
    assert not opened.closed
    for bad, words in (
        (Tour(6, 6), "complete, got 0 of 36"),
        (Tour.along(6, 6, good.path[:-1]), "complete, got 35 of 36"),
        (opened, r"closed, got one from \(1, 1\) to"),
        (closed_tour_without((5, 6), (6, 4)), r"structured, got one without the move \(.*-"),
    ):
        tours = [good] * 4
        tours[place] = bad
        with pytest.raises(ProblemError, match=f"expected the {name} tour to be {words}"):
            merge(*tours)


@pytest.mark.parametrize(
    ("sides", "words"),
    [
        (((6, 6), (8, 6), (6, 6), (6, 6)), "first and the second tour .* ranks, got 6 and 8"),
        (((6, 6), (6, 6), (6, 6), (8, 6)), "third and the fourth tour .* ranks, got 6 and 8"),
        (((6, 6), (6, 8), (6, 8), (6, 8)), "first and the fourth tour .* files, got 6 and 8"),
        (((6, 6), (6, 8), (6, 6), (6, 6)), "second and the third tour .* files, got 8 and 6"),
    ],
)
def test_merge_refuses_sides_that_do_not_meet(sides, words):
    with pytest.raises(ProblemError, match=words):
        merge(*(found(*pair) for pair in sides))


# Algorithm 6


@pytest.mark.parametrize("side", range(6, 65, 2))
def test_divide_and_conquer(side):
    assert_structured(divide_and_conquer(side, side), side, side)
    assert_structured(divide_and_conquer(side, side + 2), side, side + 2)
    assert_structured(divide_and_conquer(side + 2, side), side + 2, side)


def test_every_board_that_is_left_whole_has_a_structured_tour():
    # Halving even parts, the longer side stays within twice the shorter and four more.
    for least in (6, 8, 10):
        for most in range(least, 2 * least + 5, 2):
            for ranks, files in ((least, most), (most, least)):
                assert_structured(found(ranks, files), ranks, files)


def test_division_goes_no_further_than_those_boards():
    def whole(ranks, files):
        if min(ranks, files) < 12:
            yield ranks, files
            return
        for top, left in product(even_halves(ranks), even_halves(files)):
            yield from whole(top, left)

    for ranks in range(6, 100, 2):
        assert sum(even_halves(ranks)) == ranks
        for files in range(ranks, 2 * ranks + 1, 2):
            for pair in set(whole(ranks, files)):
                least, most = sorted(pair)
                assert least in (6, 8, 10)
                assert most <= 2 * least + 4
                assert most % 2 == 0


@pytest.mark.parametrize(("ranks", "files"), [(12, 24), (22, 44), (44, 22), (30, 46)])
def test_divide_and_conquer_of_oblongs(ranks, files):
    assert_structured(divide_and_conquer(ranks, files), ranks, files)


@pytest.mark.slow
def test_divide_and_conquer_of_a_large_board():
    assert_structured(divide_and_conquer(510, 512), 510, 512)


@pytest.mark.parametrize(
    ("ranks", "files"), [(4, 6), (6, 4), (5, 6), (12, 13), (7, 7), (6, 14), (30, 12)]
)
def test_divide_and_conquer_says_what_it_covers(ranks, files):
    words = f"even sides of at least 6, neither more than twice the other, got {ranks} by {files}"
    with pytest.raises(BoardError, match=words):
        divide_and_conquer(ranks, files)

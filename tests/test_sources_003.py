"""Text 003's programs: moves, recursion, structured tours, merging, dividing."""

from __future__ import annotations

from itertools import product

import networkx as nx
import pytest

from kt_cp import Board, Problem, Verdict, solve
from kt_cp.errors import BoardError, InputError, ProblemError, SquareError
from kt_cp.sources.corners import corner_edges, missing_corner_edges
from kt_cp.sources.divide import divide_and_conquer, even_halves
from kt_cp.sources.merge import merge
from kt_cp.sources.structured import structured_tour
from kt_cp.sources.tour import Tour
from kt_cp.verify import defects

MOVES = [(2, 1), (2, -1), (-2, 1), (-2, -1), (1, 2), (1, -2), (-1, 2), (-1, -2)]


def corner_moves(ranks, files):
    """The eight moves of algorithm 4's tests, written out so as not to share `corner_edges`."""
    one = [
        ((1, 2), (3, 1)),
        ((1, 3), (2, 1)),
        ((1, files - 1), (3, files)),
        ((1, files - 2), (2, files)),
        ((ranks - 2, 1), (ranks, 2)),
        ((ranks - 1, 1), (ranks, 3)),
        ((ranks - 2, files), (ranks, files - 1)),
        ((ranks - 1, files), (ranks, files - 2)),
    ]
    return {frozenset(move) for move in one}


def assert_structured(tour, ranks, files):
    """By the judge and by the moves themselves, not by what the tour says of itself."""
    assert (tour.ranks, tour.files, tour.size) == (ranks, files, ranks * files)
    assert defects(Problem(Board(ranks, files), closed=True), tour.squares) == []
    moves = zip(tour.path, tour.path[1:] + tour.path[:1], strict=True)
    assert corner_moves(ranks, files) <= {frozenset(move) for move in moves}
    assert tour.structured
    assert_numbered(tour)


def assert_numbered(tour):
    """The board, the steps and the path say the same."""
    expected = [[0] * tour.files for _ in range(tour.ranks)]
    for step, (rank, file) in enumerate(tour.path, start=1):
        expected[rank - 1][file - 1] = step
    assert tour.board == expected
    assert tour.steps == len(tour.path)


def found(ranks, files, **options):
    return structured_tour(ranks, files, **options).tour


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
    ("ranks", "files", "rank", "file"), [(1, 2, 1, 1), (3, 3, 1, 1), (4, 4, 2, 2), (5, 5, 1, 2)]
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
    tour = Tour(5, 5)
    assert tour.tour(1, 1) == Verdict.FOUND
    assert tour.tour(1, 2) == Verdict.IMPOSSIBLE
    assert (tour.steps, tour[1, 1]) == (0, 0)
    assert tour.tour(3, 3) == Verdict.FOUND
    assert (tour.path[0], tour[3, 3], tour.steps) == ((3, 3), 1, 25)


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


def closed_tour_without(here, there):
    """A closed tour of 6x6 that does not make one move, since it may not."""
    graph = nx.Graph(Problem(Board(6, 6)).graph)
    graph.remove_edge(*((rank - 1, file - 1) for rank, file in (here, there)))
    squares = solve(Problem(graph=graph, closed=True), engine="backtrack").tour
    return Tour.along(6, 6, [(row + 1, column + 1) for row, column in squares])


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


SIDES = [(ranks, files) for ranks in range(1, 9) for files in range(1, 11)]


@pytest.mark.parametrize(("ranks", "files"), SIDES)
def test_structured_tours_exist_where_the_front_door_says(ranks, files):
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
    asked = []
    answer = structured_tour(
        7, 7, budget=5000, should_stop=lambda: asked.append(1) or len(asked) > 3
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


def test_divide_and_conquer_of_a_large_board():
    assert_structured(divide_and_conquer(510, 512), 510, 512)


@pytest.mark.parametrize(
    ("ranks", "files"), [(4, 6), (6, 4), (5, 6), (12, 13), (7, 7), (6, 14), (30, 12)]
)
def test_divide_and_conquer_says_what_it_covers(ranks, files):
    words = f"even sides of at least 6, neither more than twice the other, got {ranks} by {files}"
    with pytest.raises(BoardError, match=words):
        divide_and_conquer(ranks, files)
